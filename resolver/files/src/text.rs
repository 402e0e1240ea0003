//! Bytes to text: UTF-8 as it is, UTF-16 by its mark, anything else refused with the place.

use std::fmt;
use std::sync::Arc;

/// How a file's bytes spelled its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// UTF-8 after a byte order mark. The text begins after the mark, as an editor's does, so byte
    /// offsets in the text are three less than in the file.
    Utf8Bom,
    /// Offsets in the text have no simple relation to offsets in the file.
    Utf16Le,
    /// As [`Encoding::Utf16Le`].
    Utf16Be,
}

/// Where and why decoding stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Undecodable {
    /// Offset in the file's bytes of the first one that does not decode.
    pub offset: usize,
    what: &'static str,
}

impl fmt::Display for Undecodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.what, self.offset)
    }
}

impl std::error::Error for Undecodable {}

/// The text that `bytes` spell, without a byte order mark.
pub fn decode(bytes: &[u8]) -> Result<(Arc<str>, Encoding), Undecodable> {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] => Err(Undecodable {
            offset: 0,
            what: "UTF-32, which is not read,",
        }),
        [0xff, 0xfe, rest @ ..] => Ok((utf16(rest, u16::from_le_bytes)?.into(), Encoding::Utf16Le)),
        [0xfe, 0xff, rest @ ..] => Ok((utf16(rest, u16::from_be_bytes)?.into(), Encoding::Utf16Be)),
        [0xef, 0xbb, 0xbf, rest @ ..] => Ok((utf8(rest, 3)?.into(), Encoding::Utf8Bom)),
        _ => Ok((utf8(bytes, 0)?.into(), Encoding::Utf8)),
    }
}

fn utf8(bytes: &[u8], skipped: usize) -> Result<&str, Undecodable> {
    std::str::from_utf8(bytes).map_err(|error| Undecodable {
        offset: skipped + error.valid_up_to(),
        what: "not UTF-8",
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, Undecodable> {
    const MARK: usize = 2;
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len());
    let mut offset = MARK;
    for char in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        let char = char.map_err(|_| Undecodable {
            offset,
            what: "half a UTF-16 pair",
        })?;
        offset += 2 * char.len_utf16();
        text.push(char);
    }
    if !rest.is_empty() {
        return Err(Undecodable {
            offset,
            what: "half a UTF-16 unit",
        });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: Result<(&str, Encoding), &str>) {
        let actual = decode(bytes).map_err(|error| error.to_string());
        let actual = actual.as_ref().map(|(text, encoding)| (&**text, *encoding));
        assert_eq!(actual, expected.map_err(str::to_string).as_ref().copied());
    }

    // An editor shows these files as text, so the analysis must read the same text.
    #[test]
    fn reads_what_editors_write() {
        check(b"fn \xc3\xa9() {}", Ok(("fn é() {}", Encoding::Utf8)));
        check(b"\xef\xbb\xbffn", Ok(("fn", Encoding::Utf8Bom)));
        check(
            b"\xff\xfef\0n\0\x3d\xd8\x00\xde",
            Ok(("fn😀", Encoding::Utf16Le)),
        );
        check(b"\xfe\xff\0f\0n", Ok(("fn", Encoding::Utf16Be)));
        check(b"", Ok(("", Encoding::Utf8)));
    }

    // The offset is what a person needs to find the bad byte with a hex editor.
    #[test]
    fn says_where_it_stopped() {
        check(b"ab\xff", Err("not UTF-8 at byte 2"));
        check(b"\xef\xbb\xbfab\xff", Err("not UTF-8 at byte 5"));
        check(b"\xff\xfef\0n", Err("half a UTF-16 unit at byte 4"));
        check(b"\xff\xfef\0\x3d\xd8", Err("half a UTF-16 pair at byte 4"));
        check(
            b"\xff\xfe\0\0f\0\0\0",
            Err("UTF-32, which is not read, at byte 0"),
        );
    }
}
