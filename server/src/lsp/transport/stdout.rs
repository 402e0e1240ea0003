//! A stdout that never says "not now": bytes queue here and our own thread writes them.
//!
//! The framework stops reading when a write is pending. With this writer it never is; what holds back a
//! client that does not read is the backlog, which the outbox consults before it releases anything.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use tokio::io::AsyncWrite;

/// Written at once, so that the backlog goes down while a large answer is on its way.
const SLICE: usize = 64 * 1024;

/// The bytes on their way to the client. Cloning shares them.
#[derive(Clone, Default)]
pub struct Backlog(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Vec<u8>>,
    bytes: usize,
    /// Set once writing failed: the client's end is gone and nothing is kept any more.
    broken: bool,
    closed: bool,
    /// Woken whenever the backlog shrinks.
    waiting: Option<Waker>,
}

impl Backlog {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes accepted and not yet taken by the client.
    pub fn bytes(&self) -> usize {
        self.state().bytes
    }

    /// True when the backlog is below `limit`; else `waker` is called when that may have changed.
    pub fn below(&self, limit: usize, waker: &Waker) -> bool {
        let mut state = self.state();
        if state.bytes < limit {
            return true;
        }
        state.waiting = Some(waker.clone());
        false
    }

    fn push(&self, bytes: &[u8]) {
        let mut state = self.state();
        if state.broken {
            return;
        }
        state.bytes += bytes.len();
        state.queue.push_back(bytes.to_vec());
        self.0.changed.notify_all();
    }

    /// Writes until closed or until `out` fails. The body of the writer thread.
    pub fn write_to(&self, mut out: impl Write) -> io::Result<()> {
        loop {
            let mut state = self.state();
            let chunk = loop {
                if let Some(chunk) = state.queue.pop_front() {
                    break chunk;
                }
                if state.closed {
                    return Ok(());
                }
                state = self
                    .0
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            };
            drop(state);
            for slice in chunk.chunks(SLICE) {
                if let Err(e) = out.write_all(slice).and_then(|()| out.flush()) {
                    self.give_up();
                    return Err(e);
                }
                self.written(slice.len());
            }
        }
    }

    fn written(&self, length: usize) {
        let mut state = self.state();
        state.bytes -= length;
        let waker = state.waiting.take();
        drop(state);
        self.0.changed.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn give_up(&self) {
        let mut state = self.state();
        state.broken = true;
        state.queue.clear();
        state.bytes = 0;
        drop(state);
        self.0.changed.notify_all();
    }

    /// Waits until everything is written or the time has come.
    pub fn drain(&self, deadline: Instant) {
        let mut state = self.state();
        state.closed = true;
        self.0.changed.notify_all();
        while state.bytes > 0 && !state.broken {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self
                .0
                .changed
                .wait_timeout(state, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }
}

/// The framework's end of the backlog.
pub struct Stdout(pub Backlog);

impl AsyncWrite for Stdout {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.0.push(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    struct Refuses;

    impl Write for Refuses {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A closed pipe must end the thread and free what was kept for it.
    #[test]
    fn a_broken_pipe_empties_the_backlog() {
        let backlog = Backlog::default();
        backlog.push(b"hello");
        assert!(backlog.write_to(Refuses).is_err());
        backlog.push(b"more");
        assert_eq!(backlog.bytes(), 0);
        backlog.drain(Instant::now() + Duration::from_secs(60));
    }

    /// Everything accepted before the end is written before the end.
    #[test]
    fn drain_writes_what_is_left() {
        let backlog = Backlog::default();
        backlog.push(&[7; 200_000]);
        backlog.push(b"end");
        backlog.state().closed = true;
        let mut out = Vec::new();
        backlog.write_to(&mut out).unwrap();
        assert_eq!(out.len(), 200_003);
        assert!(out.ends_with(b"end"));
    }
}
