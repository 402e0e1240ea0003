//! The wire format from the client's side: frames out, possibly in pieces, and frames in.

use std::io::{self, BufRead, Write};

use serde_json::Value;

/// Writes one message, in pieces of random size when a seed is given.
pub fn write(out: &mut impl Write, message: &Value, pieces: Option<&mut Pieces>) -> io::Result<()> {
    let body = message.to_string();
    write_raw(
        out,
        format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes(),
        pieces,
    )
}

/// Writes bytes that need be no message.
pub fn write_raw(
    out: &mut impl Write,
    bytes: &[u8],
    pieces: Option<&mut Pieces>,
) -> io::Result<()> {
    let Some(pieces) = pieces else {
        out.write_all(bytes)?;
        return out.flush();
    };
    let mut rest = bytes;
    while !rest.is_empty() {
        let (now, later) = rest.split_at(pieces.next_size().min(rest.len()));
        out.write_all(now)?;
        out.flush()?;
        rest = later;
    }
    Ok(())
}

/// Reads one message, `None` at the end of the stream.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Value>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim_end() {
            "" => break,
            line => {
                if let Some(value) = line.strip_prefix("Content-Length: ") {
                    length = value.parse().ok();
                }
            }
        }
    }
    let length: usize = length
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a frame without a length"))?;
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok(Some(serde_json::from_slice(&body)?))
}

/// Sizes of pieces, the same for the same seed.
pub struct Pieces(u64);

impl Pieces {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Mostly a few bytes, now and then many: both ends of a header and of a body get cut.
    fn next_size(&mut self) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let size = (self.0 >> 33) as usize;
        if size.is_multiple_of(8) {
            1 + size % 4000
        } else {
            1 + size % 24
        }
    }
}
