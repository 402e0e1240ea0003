//! Finds the frames in what the client writes and lets only sound ones through.
//!
//! The framework stops reading for good at the first frame it cannot decode. One wrong byte would end the
//! session, so what reaches it is always a frame that decodes; what does not is answered as a parse error
//! and costs nothing else.

use memchr::memmem;
use serde::Deserialize;
use tower_lsp_server::jsonrpc::{Request, Response};

/// Headers are two short lines; more than this without a blank line is not a header.
const HEADER_LIMIT: usize = 4096;
const LENGTH: &[u8] = b"content-length:";

/// What the bytes read so far amount to.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece {
    /// The body of a sound frame.
    Frame(Vec<u8>),
    /// Bytes that are no message, and why.
    Garbage(String),
}

/// Splits a byte stream into frames; recovers at the next header after anything else.
pub struct Sieve {
    buffer: Vec<u8>,
    /// Bytes at the front of `buffer` that are dealt with already.
    done: usize,
    frame_limit: usize,
    state: State,
    /// Inside a run of noise that has been reported.
    noisy: bool,
}

enum State {
    Header,
    Body(usize),
    /// The rest of a body that is too large to keep.
    Skip(usize),
}

impl Sieve {
    pub fn new(frame_limit: usize) -> Self {
        Self {
            buffer: Vec::new(),
            done: 0,
            frame_limit,
            state: State::Header,
            noisy: false,
        }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        if self.done > 0 && self.done * 2 >= self.buffer.len() {
            self.buffer.drain(..self.done);
            self.done = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.done..]
    }

    /// The next frame or run of garbage, `None` when more bytes are needed.
    pub fn next_piece(&mut self) -> Option<Piece> {
        loop {
            match self.state {
                State::Header => match self.header()? {
                    Header::Length(length) if length > self.frame_limit => {
                        self.state = State::Skip(length);
                        return Some(Piece::Garbage(format!(
                            "a message of {length} bytes is over the limit of {} and was skipped",
                            self.frame_limit
                        )));
                    }
                    Header::Length(length) => {
                        self.state = State::Body(length);
                        self.noisy = false;
                    }
                    Header::Garbage => {
                        if !std::mem::replace(&mut self.noisy, true) {
                            return Some(Piece::Garbage(
                                "bytes that are no message were skipped".to_owned(),
                            ));
                        }
                    }
                },
                State::Skip(left) => {
                    let now = left.min(self.rest().len());
                    self.done += now;
                    if now < left {
                        self.state = State::Skip(left - now);
                        return None;
                    }
                    self.state = State::Header;
                }
                State::Body(length) => {
                    if self.rest().len() < length {
                        return None;
                    }
                    self.state = State::Header;
                    if length == 0 {
                        continue;
                    }
                    return Some(self.body(length));
                }
            }
        }
    }

    /// Reads one header block. Leaves the state alone; `done` moves past what was consumed.
    fn header(&mut self) -> Option<Header> {
        // Blank lines between frames are harmless and some clients send them.
        while self.rest().first().is_some_and(u8::is_ascii_whitespace) {
            self.done += 1;
        }
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let end = memmem::find(rest, b"\r\n\r\n");
        if end.is_none() && rest.len() < HEADER_LIMIT && could_be_header(rest) {
            return None;
        }
        let end = end.filter(|end| *end < HEADER_LIMIT);
        if let Some(end) = end
            && let Some(length) = content_length(&rest[..end])
        {
            self.done += end + 4;
            return Some(Header::Length(length));
        }
        // Not a header: skip to where the next one may begin, or keep just enough to recognise it later.
        let from = 1.min(rest.len());
        let skip = match find_length(&rest[from..]) {
            Some(at) => from + at,
            None => rest.len().saturating_sub(LENGTH.len() - 1).max(from),
        };
        self.done += skip;
        Some(Header::Garbage)
    }

    fn body(&mut self, length: usize) -> Piece {
        let body = self.rest()[..length].to_vec();
        self.done += length;
        let why = match check(&body) {
            Ok(()) => return Piece::Frame(body),
            Err(why) => why,
        };
        if let Some(mended) = mend_surrogates(&body)
            && check(&mended).is_ok()
        {
            return Piece::Frame(mended);
        }
        // A length that is too large swallows the beginning of the next message: give it back.
        let mut values =
            serde_json::Deserializer::from_slice(&body).into_iter::<serde::de::IgnoredAny>();
        if let Some(Ok(_)) = values.next() {
            let end = values.byte_offset();
            if check(&body[..end]).is_ok() {
                self.done -= length - end;
                return Piece::Frame(body[..end].to_vec());
            }
        }
        if let Some(at) = header_within(&body) {
            self.done -= length - at;
        }
        Piece::Garbage(why)
    }
}

enum Header {
    Length(usize),
    Garbage,
}

/// Whether an unfinished block still looks like header lines. Anything else is garbage at once, so that a
/// stray line does not hold back the message behind it.
fn could_be_header(bytes: &[u8]) -> bool {
    bytes.split(|b| *b == b'\n').enumerate().all(|(nth, line)| {
        let lower = line.to_ascii_lowercase();
        let prefix = |known: &[u8]| lower.starts_with(known) || known.starts_with(&lower);
        nth > 2 || prefix(LENGTH) || prefix(b"content-type:") || line.is_empty() || line == b"\r"
    })
}

fn content_length(block: &[u8]) -> Option<usize> {
    let mut length = None;
    for line in std::str::from_utf8(block).ok()?.split("\r\n") {
        let (name, value) = line.split_once(':')?;
        if name.trim().eq_ignore_ascii_case("content-length") {
            length = Some(value.trim().parse().ok()?);
        }
    }
    length
}

/// Where a whole header stands in the middle of a body. JSON cannot hold one: its line ends are escaped.
fn header_within(body: &[u8]) -> Option<usize> {
    let end = memmem::find(body, b"\r\n\r\n")?;
    let mut from = 0;
    loop {
        let at = from + find_length(&body[from..end])?;
        if content_length(&body[at..end]).is_some() {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Where the next `Content-Length:` begins, in any case.
fn find_length(bytes: &[u8]) -> Option<usize> {
    bytes
        .windows(LENGTH.len())
        .position(|window| window.eq_ignore_ascii_case(LENGTH))
}

/// What the framework decodes a body into; the same two shapes in the same order.
#[derive(Deserialize)]
#[serde(untagged)]
enum Message {
    Response(#[allow(dead_code, reason = "only whether it decodes matters")] Response),
    Request(#[allow(dead_code, reason = "only whether it decodes matters")] Request),
}

fn check(body: &[u8]) -> Result<(), String> {
    // In two steps for the sake of the reason: an untagged enum only says that nothing matched.
    match serde_json::from_slice::<Message>(body) {
        Ok(_) => Ok(()),
        Err(_) => match serde_json::from_slice::<serde::de::IgnoredAny>(body) {
            Err(e) => Err(format!("the body of a message is not JSON: {e}")),
            Ok(_) => Err(
                "the body of a message is JSON, but neither a request nor a response".to_owned(),
            ),
        },
    }
}

/// Replaces `\ud800`-style escapes that stand alone by `\ufffd`, `None` when there are none.
///
/// JavaScript clients send them for half a surrogate pair, which an editor can hold and JSON in Rust cannot.
/// The replacement is one UTF-16 unit as well, so every position on the line stays right.
fn mend_surrogates(body: &[u8]) -> Option<Vec<u8>> {
    let unit = |at: usize| -> Option<u32> {
        let hex = body.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u32::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()
    };
    let mut out = body.to_vec();
    let (mut at, mut mended) = (0, false);
    while at < body.len() {
        if body[at] != b'\\' {
            at += 1;
            continue;
        }
        match unit(at) {
            Some(0xD800..=0xDBFF) if matches!(unit(at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => {
                out[at + 2..at + 6].copy_from_slice(b"fffd");
                mended = true;
                at += 6;
            }
            Some(_) => at += 6,
            // The escaped character itself must not be read as the start of an escape.
            None => at += 2,
        }
    }
    mended.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BODY: &str = r#"{"jsonrpc":"2.0","method":"a","params":{"text":"Content-Length: 3"}}"#;

    fn frame(body: &str) -> Vec<u8> {
        format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
    }

    fn pieces(input: &[u8], chunk: usize) -> Vec<Piece> {
        let mut sieve = Sieve::new(1000);
        let mut out = Vec::new();
        for bytes in input.chunks(chunk) {
            sieve.push(bytes);
            out.extend(std::iter::from_fn(|| sieve.next_piece()));
        }
        out
    }

    fn frames(input: &[u8], chunk: usize) -> Vec<String> {
        pieces(input, chunk)
            .into_iter()
            .filter_map(|piece| match piece {
                Piece::Frame(body) => Some(String::from_utf8(body).unwrap()),
                Piece::Garbage(_) => None,
            })
            .collect()
    }

    /// The client may cut its bytes anywhere.
    #[test]
    fn any_chunking_gives_the_same_frames() {
        let input = [frame(BODY), b"\r\n".to_vec(), frame(BODY)].concat();
        for chunk in 1..input.len() {
            assert_eq!(pieces(&input, chunk).len(), 2, "chunks of {chunk}");
            assert_eq!(frames(&input, chunk), [BODY, BODY]);
        }
    }

    /// What stands between two good messages must not cost either of them.
    #[test]
    fn garbage_costs_only_itself() {
        for garbage in [
            &b"hello\r\n"[..],
            b"Content-Length: x\r\n\r\n",
            b"Content-Type: a\r\n\r\n{}",
            b"Content-Length: 2\r\n\r\n{{",
            b"Content-Length: 7\r\n\r\n[1,2,3]",
            b"Content-Length: 3\r\n\r\n{\"jsonrpc\":\"2.0\"",
            b"Content-Length: 999999999999999999999999\r\n\r\n",
            b"\xff\xfe\x00Content-Le",
        ] {
            let input = [frame(BODY), garbage.to_vec(), frame(BODY)].concat();
            for chunk in [1, 3, 7, input.len()] {
                assert_eq!(
                    frames(&input, chunk),
                    [BODY, BODY],
                    "{:?} in chunks of {chunk}",
                    garbage.escape_ascii()
                );
                assert!(
                    pieces(&input, chunk)
                        .iter()
                        .any(|p| matches!(p, Piece::Garbage(_)))
                );
            }
        }
    }

    /// A length that is too large eats the next header; both messages are still there.
    #[test]
    fn a_length_that_is_too_large_gives_the_next_message_back() {
        let long = format!("Content-Length: {}\r\n\r\n{BODY}", BODY.len() + 10).into_bytes();
        assert_eq!(frames(&[long, frame(BODY)].concat(), 9), [BODY, BODY]);
    }

    /// A message over the limit is skipped without being kept.
    #[test]
    fn a_message_over_the_limit_is_skipped() {
        let huge = frame(&format!(
            r#"{{"jsonrpc":"2.0","method":"{}"}}"#,
            "x".repeat(5000)
        ));
        let input = [huge, frame(BODY)].concat();
        assert_eq!(frames(&input, 100), [BODY]);
        let Piece::Garbage(why) = &pieces(&input, 100)[0] else {
            panic!("no garbage")
        };
        assert!(why.contains("over the limit of 1000"), "{why}");
    }

    /// Half a surrogate pair is a legal thing to type in VS Code and must not lose the edit.
    #[test]
    fn a_lone_surrogate_becomes_one_replacement_unit() {
        let body = |text: &str| format!(r#"{{"jsonrpc":"2.0","method":"a","params":["{text}"]}}"#);
        let sent = body(r"a\ud83d \\ud83d \ud83d\ude00 \ude00");
        let want = body(r"a\ufffd \\ud83d \ud83d\ude00 \ufffd");
        assert_eq!(frames(&frame(&sent), 5), [want]);
    }

    proptest! {
        /// Whatever is thrown at it, a sound message behind it arrives.
        #[test]
        fn a_sound_message_always_survives(noise in proptest::collection::vec(any::<u8>(), 0..200), chunk in 1usize..50) {
            // A header in the noise may claim the message as its body; that is the one fair loss.
            prop_assume!(find_length(&noise).is_none());
            let input = [noise, b"\r\n".to_vec(), frame(BODY), frame(BODY)].concat();
            let got = frames(&input, chunk);
            prop_assert_eq!(got.last().map(String::as_str), Some(BODY));
        }
    }
}
