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
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LineIndex {
    starts: Vec<u32>,
    len: u32,
}

impl LineIndex {
    pub fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        let mut i = 0;
        while i < bytes.len() {
            match bytes[i] {
                b'\n' => starts.push(i as u32 + 1),
                b'\r' if bytes.get(i + 1) != Some(&b'\n') => starts.push(i as u32 + 1),
                _ => {}
            }
            i += 1;
        }
        LineIndex {
            starts,
            len: bytes.len() as u32,
        }
    }

    pub fn lines(&self) -> u32 {
        self.starts.len() as u32
    }

    /// How many bytes the text has.
    pub fn text_len(&self) -> u32 {
        self.len
    }

    /// Line and byte column of an offset, both from zero; past the end is the end.
    pub fn line_col(&self, offset: u32) -> (u32, u32) {
        let offset = offset.min(self.len);
        let line = self
            .starts
            .partition_point(|&s| s <= offset)
            .saturating_sub(1);
        (line as u32, offset - self.starts[line])
    }

    /// The offset where a line starts, from zero; `None` past the last line.
    pub fn line_start(&self, line: u32) -> Option<u32> {
        self.starts.get(line as usize).copied()
    }

    /// The span of a line, without its line end only if the caller trims it.
    pub fn line_span(&self, line: u32) -> Option<Span> {
        let start = self.line_start(line)?;
        let end = self.line_start(line + 1).unwrap_or(self.len);
        Some(Span { start, end })
    }

    pub fn heap_bytes(&self) -> usize {
        self.starts.capacity() * 4
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
}
