//! A stdin read by our own thread, passed on frame by frame once the sieve has found it sound.

use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll};

use serde_json::json;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use super::inflow::Inflow;
use super::sieve::{Piece, Sieve};

/// The method of the message that stands in for bytes that were none, so that the complaint about them
/// keeps its place in the order of answers.
pub const BROKEN: &str = "$/surefoot/broken";

/// The framework's end of stdin. Bytes arrive as whole frames.
pub struct Stdin {
    // Unbounded in count, bounded in bytes: the reader waits for the inflow before it sends.
    frames: UnboundedReceiver<Vec<u8>>,
    current: Vec<u8>,
    at: usize,
    ended: Option<Box<dyn FnOnce() + Send>>,
}

/// Reads stdin on its own thread. `ended` is called when the last frame has been handed over.
pub fn start(
    inflow: Inflow,
    frame_limit: usize,
    ended: impl FnOnce() + Send + 'static,
) -> io::Result<Stdin> {
    let (sender, frames) = mpsc::unbounded_channel();
    std::thread::Builder::new()
        .name("stdin".into())
        .spawn(move || {
            if let Err(e) = read(io::stdin().lock(), frame_limit, &inflow, &sender) {
                tracing::warn!("reading stdin failed: {e}");
            }
        })?;
    Ok(Stdin {
        frames,
        current: Vec::new(),
        at: 0,
        ended: Some(Box::new(ended)),
    })
}

fn read(
    mut input: impl Read,
    frame_limit: usize,
    inflow: &Inflow,
    out: &UnboundedSender<Vec<u8>>,
) -> io::Result<()> {
    let mut sieve = Sieve::new(frame_limit);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = match input.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        sieve.push(&buffer[..read]);
        while let Some(piece) = sieve.next_piece() {
            let body = match piece {
                Piece::Frame(body) => body,
                Piece::Garbage(why) => {
                    tracing::warn!("{why}");
                    json!({ "jsonrpc": "2.0", "id": null, "method": BROKEN, "params": { "why": why } })
                        .to_string()
                        .into_bytes()
                }
            };
            inflow.admit(body.len());
            let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
            frame.extend_from_slice(&body);
            if out.send(frame).is_err() {
                return Ok(());
            }
        }
    }
}

impl AsyncRead for Stdin {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        while this.at == this.current.len() {
            match this.frames.poll_recv(cx) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(frame)) => (this.current, this.at) = (frame, 0),
                Poll::Ready(None) => {
                    // The decoder asks for more only when it has handed over everything it had.
                    if let Some(ended) = this.ended.take() {
                        ended();
                    }
                    return Poll::Ready(Ok(()));
                }
            }
        }
        let some = (this.current.len() - this.at).min(out.remaining());
        out.put_slice(&this.current[this.at..this.at + some]);
        this.at += some;
        Poll::Ready(Ok(()))
    }
}
