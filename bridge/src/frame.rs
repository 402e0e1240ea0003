//! Frames of the protocol, read with a bound on everything the other side decides, and file URIs.

use std::path::Path;

use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

/// A message larger than this is not read: no answer to a question is.
pub const MESSAGE: usize = 64 << 20;
/// Header lines of one frame, together.
const HEADER: usize = 8 << 10;

/// The next message; nothing at the end of input; words when it is none.
pub async fn read(input: &mut (impl AsyncBufRead + Unpin)) -> Result<Option<Value>, String> {
    let mut length: Option<usize> = None;
    let mut header = 0;
    loop {
        let mut line = Vec::new();
        let mut bounded = (&mut *input).take((HEADER - header) as u64);
        let read = bounded.read_until(b'\n', &mut line).await;
        match read {
            Ok(0) if header == 0 => return Ok(None),
            Ok(n) if n > 0 && line.ends_with(b"\n") => header += n,
            Ok(_) if header + line.len() >= HEADER => {
                return Err("it wrote a header without an end".to_owned());
            }
            Ok(_) => return Err("it stopped in the middle of a message".to_owned()),
            Err(e) => return Err(format!("reading from it failed: {e}")),
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        if text.is_empty() {
            break;
        }
        let Some((name, value)) = text.split_once(':') else {
            let shown: String = text.chars().take(60).collect();
            return Err(format!("it wrote what is no message: {shown:?}"));
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok();
        }
    }
    let length = length.ok_or("it wrote a message without a length")?;
    if length > MESSAGE {
        return Err(format!(
            "it wrote a message of {} MB, more than {} MB",
            length >> 20,
            MESSAGE >> 20
        ));
    }
    // Grows with what arrives, not with what was promised.
    let mut body = Vec::new();
    let read = (&mut *input)
        .take(length as u64)
        .read_to_end(&mut body)
        .await;
    match read {
        Ok(n) if n == length => {}
        Ok(_) => return Err("it stopped in the middle of a message".to_owned()),
        Err(e) => return Err(format!("reading from it failed: {e}")),
    }
    let message = serde_json::from_slice(&body);
    let message = message.map_err(|e| format!("it wrote a message that is no JSON: {e}"))?;
    Ok(Some(message))
}

pub fn encode(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    let mut out = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    out.extend_from_slice(body.as_bytes());
    out
}

/// A path as servers are given it.
pub fn file_uri(path: &Path) -> String {
    use std::fmt::Write;
    let mut out = "file://".to_owned();
    let text = path.as_os_str().as_encoded_bytes();
    if !text.starts_with(b"/") {
        out.push('/');
    }
    for &byte in text {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte.into());
            }
            b'\\' if cfg!(windows) => out.push('/'),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(bytes: &[u8]) -> Result<Vec<Value>, String> {
        let mut input = tokio::io::BufReader::new(bytes);
        let mut out = Vec::new();
        while let Some(message) = read(&mut input).await? {
            out.push(message);
        }
        Ok(out)
    }

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.unwrap().block_on(work)
    }

    /// Servers add headers of their own, and several messages arrive at once.
    #[test]
    fn messages_are_told_apart() {
        let two = b"Content-Length: 2\r\nContent-Type: x\r\n\r\n{}content-length:4\n\nnull";
        let read = block_on(all(two)).unwrap();
        assert_eq!(read, [serde_json::json!({}), Value::Null]);
    }

    /// Whatever is no message ends in words and in bounded memory.
    #[test]
    fn what_is_no_message_is_refused() {
        let refused = |bytes: &[u8]| block_on(all(bytes)).unwrap_err();
        assert!(refused(b"hello there\r\n\r\n").contains("no message"));
        assert!(refused(&[b'x'; 20_000]).contains("header without an end"));
        assert!(refused(b"A: b\r\n\r\n").contains("without a length"));
        assert!(refused(b"Content-Length: 999999999999\r\n\r\n{").contains("MB"));
        assert!(refused(b"Content-Length: 10\r\n\r\n{").contains("middle"));
        assert!(refused(b"Content-Length: 1\r\n\r\n{").contains("no JSON"));
    }

    /// The file a server is told of must be the file it finds.
    #[test]
    fn paths_become_uris() {
        assert_eq!(
            file_uri(Path::new("/w/a b/é.rs")),
            "file:///w/a%20b/%C3%A9.rs"
        );
    }
}
