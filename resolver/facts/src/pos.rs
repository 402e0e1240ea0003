//! Spans in bytes, and lines of one text.

use serde::{Deserialize, Serialize};

/// Bytes from `start` up to, not including, `end`.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize,
)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Span {
        Span {
            start: start as u32,
            end: end as u32,
        }
    }

    pub fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Also true right behind the last byte, where an editor's cursor stands.
    pub fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    pub fn shift(self, by: u32) -> Span {
        Span {
            start: self.start + by,
            end: self.end + by,
        }
    }

    pub fn relative_to(self, base: u32) -> Span {
        Span {
            start: self.start.saturating_sub(base),
            end: self.end.saturating_sub(base),
        }
    }

    pub fn len(self) -> u32 {
        self.end - self.start
    }

    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// Where lines start. Line ends are LF, CRLF and a lone CR, as in LSP.
///
/// Kept as the length of each line, most in one byte: a workspace has as many
/// of these as it has lines.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LineIndex {
    /// The length of each line but the last, its end included; from [`LONG`] on
    /// that byte and four more.
    lengths: Box<[u8]>,
    /// Of every [`EVERY`]th line: where it starts, and where its length stands.
    marks: Box<[(u32, u32)]>,
    lines: u32,
    len: u32,
}

const EVERY: u32 = 32;
const LONG: u32 = 255;

impl LineIndex {
    pub fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let mut lengths = Vec::with_capacity(bytes.len() / 32);
        let mut marks = vec![(0, 0)];
        let (mut lines, mut start) = (1, 0);
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            if bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
                continue;
            }
            let next = at as u32 + 1;
            match next - start {
                short if short < LONG => lengths.push(short as u8),
                long => {
                    lengths.push(LONG as u8);
                    lengths.extend_from_slice(&long.to_le_bytes());
                }
            }
            if lines % EVERY == 0 {
                marks.push((next, lengths.len() as u32));
            }
            lines += 1;
            start = next;
        }
        LineIndex {
            lengths: lengths.into(),
            marks: marks.into(),
            lines,
            len: bytes.len() as u32,
        }
    }

    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// How many bytes the text has.
    pub fn text_len(&self) -> u32 {
        self.len
    }

    /// The starts of the lines behind a marked one, in order, it included.
    fn starts_from(&self, mark: usize) -> impl Iterator<Item = u32> + '_ {
        let (start, at) = self.marks.get(mark).copied().unwrap_or_default();
        let mut at = at as usize;
        std::iter::successors(Some(start), move |start| {
            let short = *self.lengths.get(at)?;
            at += 1;
            if u32::from(short) < LONG {
                return Some(start + u32::from(short));
            }
            let long = self.lengths.get(at..)?.first_chunk()?;
            at += 4;
            Some(start + u32::from_le_bytes(*long))
        })
    }

    /// Line and byte column of an offset, both from zero; past the end is the end.
    pub fn line_col(&self, offset: u32) -> (u32, u32) {
        let offset = offset.min(self.len);
        let after = self.marks.partition_point(|(start, _)| *start <= offset);
        let mark = after.saturating_sub(1);
        let mut found = (mark as u32 * EVERY, 0);
        for (n, start) in self.starts_from(mark).enumerate() {
            if start > offset {
                break;
            }
            found = (mark as u32 * EVERY + n as u32, offset - start);
        }
        found
    }

    /// The offset where a line starts, from zero; `None` past the last line.
    pub fn line_start(&self, line: u32) -> Option<u32> {
        if line >= self.lines {
            return None;
        }
        let mut starts = self.starts_from((line / EVERY) as usize);
        starts.nth((line % EVERY) as usize)
    }

    /// The span of a line, without its line end only if the caller trims it.
    pub fn line_span(&self, line: u32) -> Option<Span> {
        let start = self.line_start(line)?;
        let end = self.line_start(line + 1).unwrap_or(self.len);
        Some(Span { start, end })
    }

    pub fn heap_bytes(&self) -> usize {
        self.lengths.len() + self.marks.len() * size_of::<(u32, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Editors count CRLF and a lone CR as one line end; a column after either
    /// must start at zero.
    #[test]
    fn all_three_line_ends_start_a_line() {
        let text = "a\r\nbc\rd\n\ne";
        let index = LineIndex::new(text);
        let at = |needle: &str| index.line_col(text.find(needle).unwrap() as u32);
        assert_eq!(at("a"), (0, 0));
        assert_eq!(at("c"), (1, 1));
        assert_eq!(at("d"), (2, 0));
        assert_eq!(at("e"), (4, 0));
        assert_eq!(index.line_col(999), (4, 1));
    }

    /// Lines are counted in strides and long ones are written otherwise: every
    /// offset must be where a plain count puts it.
    #[test]
    fn offsets_are_where_a_plain_count_puts_them() {
        let mut text = String::new();
        for n in 0..150 {
            let end = ["\n", "\r\n", "\r"][n % 3];
            text.push_str(&"x".repeat([0, 3, 253, 254, 255, 256, 700][n % 7]));
            text.push_str(end);
        }
        let index = LineIndex::new(&text);
        let (mut line, mut start) = (0, 0);
        for offset in 0..=text.len() {
            let before = &text.as_bytes()[..offset];
            let ended = match before.last() {
                Some(b'\n') => true,
                Some(b'\r') => text.as_bytes().get(offset) != Some(&b'\n'),
                _ => false,
            };
            if ended {
                (line, start) = (line + 1, offset);
            }
            let expected = (line, (offset - start) as u32);
            assert_eq!(index.line_col(offset as u32), expected, "{offset}");
            assert_eq!(index.line_start(line), Some(start as u32));
        }
        assert_eq!(index.lines(), line + 1);
        assert_eq!(index.line_start(line + 1), None);
    }
}
