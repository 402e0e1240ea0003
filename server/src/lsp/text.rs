//! A text with its lines, and the way between the client's positions and our byte offsets.

use std::ops::Range;

use memchr::memchr2_iter;
use tower_lsp_server::ls_types::{Position, PositionEncodingKind};

/// The unit `Position::character` counts in, agreed on in `initialize`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Encoding {
    Utf8,
    /// What a client means that offers nothing.
    #[default]
    Utf16,
}

impl Encoding {
    /// Takes utf-8 where the client offers it, else utf-16, which every client must know.
    pub fn negotiate(offered: Option<&[PositionEncodingKind]>) -> Self {
        let offered = offered.unwrap_or_default();
        if offered.contains(&PositionEncodingKind::UTF8) {
            Self::Utf8
        } else {
            Self::Utf16
        }
    }

    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    pub fn units(self, c: char) -> u32 {
        match self {
            Self::Utf8 => c.len_utf8() as u32,
            Self::Utf16 => c.len_utf16() as u32,
        }
    }
}

/// Where a position of the client lands in our text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landing {
    pub offset: usize,
    /// The client named a line that is not there or the middle of a character: its text is not ours.
    pub impossible: bool,
}

/// Text and line starts. Lines end at `\n`, `\r\n` or a lone `\r`, as the protocol has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    text: String,
    starts: Vec<u32>,
}

impl Text {
    pub fn new(text: String) -> Self {
        let mut starts = vec![0];
        push_starts(&text, 0, &mut starts);
        Self { text, starts }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    #[cfg(test)]
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of a line without its end, empty past the last line.
    pub fn line(&self, line: usize) -> Range<usize> {
        let Some(&start) = self.starts.get(line) else {
            return self.text.len()..self.text.len();
        };
        let start = start as usize;
        let end = self
            .starts
            .get(line + 1)
            .map_or(self.text.len(), |next| *next as usize);
        let body = self.text[start..end].trim_end_matches(['\r', '\n']).len();
        start..start + body
    }

    pub fn landing(&self, position: Position, encoding: Encoding) -> Landing {
        let line = position.line as usize;
        if line >= self.starts.len() {
            // The line after the last is how many clients say "the end"; further is a text we do not have.
            let impossible = line > self.starts.len() || position.character > 0;
            return Landing {
                offset: self.text.len(),
                impossible,
            };
        }
        let range = self.line(line);
        let mut left = position.character;
        let mut offset = range.start;
        for c in self.text[range].chars() {
            let units = encoding.units(c);
            if left < units {
                return Landing {
                    offset,
                    impossible: left > 0,
                };
            }
            left -= units;
            offset += c.len_utf8();
        }
        // Past the end of a line means its end, by the protocol's own words.
        Landing {
            offset,
            impossible: false,
        }
    }

    /// The position of a byte offset; one past the end or inside a character is moved back to what is there.
    pub fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self
            .starts
            .partition_point(|start| *start as usize <= offset)
            - 1;
        let range = self.line(line);
        let upto = offset.clamp(range.start, range.end);
        let character = match encoding {
            Encoding::Utf8 => (upto - range.start) as u32,
            _ => self.text[range.start..upto]
                .chars()
                .map(|c| encoding.units(c))
                .sum(),
        };
        Position {
            line: line as u32,
            character,
        }
    }

    /// Replaces bytes; `range` must lie on character boundaries, which is what `landing` gives.
    pub fn splice(&mut self, range: Range<usize>, with: &str) {
        // A line start before the edit stays one unless the edit puts `\n` behind a lone `\r`, hence `<`.
        let keep = self
            .starts
            .partition_point(|start| (*start as usize) < range.start)
            .max(1);
        let tail = self
            .starts
            .partition_point(|start| *start as usize <= range.end)
            .max(keep);
        let grow = with.len() as i64 - range.len() as i64;
        self.text.replace_range(range, with);
        let moved: Vec<u32> = self.starts[tail..]
            .iter()
            .map(|start| (i64::from(*start) + grow) as u32)
            .collect();
        self.starts.truncate(keep);
        let from = self.starts[keep - 1] as usize;
        let to = moved
            .first()
            .map_or(self.text.len(), |start| *start as usize);
        push_starts(&self.text[from..to], from, &mut self.starts);
        if let (Some(last), Some(first)) = (self.starts.last(), moved.first())
            && last == first
        {
            self.starts.pop();
        }
        self.starts.extend(moved);
    }
}

fn push_starts(text: &str, base: usize, starts: &mut Vec<u32>) {
    let bytes = text.as_bytes();
    for at in memchr2_iter(b'\n', b'\r', bytes) {
        if bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n') {
            starts.push((base + at + 1) as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    /// Positions must mean the same to client and server in every encoding, beyond the basic plane too.
    #[test]
    fn encodings_count_in_their_own_units() {
        let text = Text::new("aé𝒳b\nx".to_owned());
        let offset = |character, encoding| text.landing(at(0, character), encoding).offset;
        assert_eq!(offset(7, Encoding::Utf8), 7);
        assert_eq!(offset(4, Encoding::Utf16), 7);
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let back = text.position(7, encoding);
            assert_eq!(
                text.landing(back, encoding),
                Landing {
                    offset: 7,
                    impossible: false
                }
            );
        }
    }

    /// Half a surrogate pair or half a character is a sign that the client's text differs from ours.
    #[test]
    fn the_middle_of_a_character_is_impossible_and_lands_before_it() {
        let text = Text::new("𝒳é".to_owned());
        assert_eq!(
            text.landing(at(0, 1), Encoding::Utf16),
            Landing {
                offset: 0,
                impossible: true
            }
        );
        assert_eq!(
            text.landing(at(0, 5), Encoding::Utf8),
            Landing {
                offset: 4,
                impossible: true
            }
        );
        assert_eq!(
            text.landing(at(1, 0), Encoding::Utf8),
            Landing {
                offset: 6,
                impossible: false
            }
        );
        assert_eq!(
            text.landing(at(9, 0), Encoding::Utf8),
            Landing {
                offset: 6,
                impossible: true
            }
        );
        assert_eq!(
            text.landing(at(0, 99), Encoding::Utf8),
            Landing {
                offset: 6,
                impossible: false
            }
        );
    }

    /// All three line ends count, and none of them belongs to its line.
    #[test]
    fn line_ends_are_outside_their_line() {
        let text = Text::new("a\r\nb\rc\n".to_owned());
        let lines: Vec<_> = (0..text.line_count()).map(|line| text.line(line)).collect();
        assert_eq!(lines, [0..1, 3..4, 5..6, 7..7]);
        assert_eq!(text.landing(at(0, 5), Encoding::Utf16).offset, 1);
        assert_eq!(text.position(2, Encoding::Utf16), at(0, 1));
    }

    /// Editors strip the mark before they send a text; one that is still there counts like any character.
    #[test]
    fn a_byte_order_mark_in_the_text_is_a_character() {
        let text = Text::new("\u{feff}a".to_owned());
        assert_eq!(text.position(3, Encoding::Utf16), at(0, 1));
        assert_eq!(
            text.landing(at(0, 1), Encoding::Utf8),
            Landing {
                offset: 0,
                impossible: true
            }
        );
    }

    proptest! {
        /// Lines kept up to date by edits are the lines of the whole text.
        #[test]
        fn splicing_equals_starting_over(
            start in "[ab\r\n𝒳]{0,12}",
            edits in proptest::collection::vec((any::<usize>(), any::<usize>(), "[a\r\né]{0,4}"), 1..8),
        ) {
            let mut text = Text::new(start);
            for (a, b, with) in edits {
                let floor = |mut at: usize| { while !text.text.is_char_boundary(at) { at -= 1 } at };
                let (a, b) = (floor(a % (text.text.len() + 1)), floor(b % (text.text.len() + 1)));
                text.splice(a.min(b)..a.max(b), &with);
                prop_assert_eq!(&text, &Text::new(text.text.clone()));
            }
        }

        /// Every offset on a character goes out and comes back.
        #[test]
        fn positions_round_trip(source in "[ab\r\né𝒳]{0,20}") {
            let text = Text::new(source);
            for line in 0..text.line_count() {
                for offset in text.line(line) {
                    if text.text.is_char_boundary(offset) {
                        for encoding in [Encoding::Utf8, Encoding::Utf16] {
                            let position = text.position(offset, encoding);
                            prop_assert_eq!(position.line as usize, line);
                            prop_assert_eq!(text.landing(position, encoding), Landing { offset, impossible: false });
                        }
                    }
                }
            }
        }
    }
}
