//! An explicit token, checked in loops, that says why work should stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Why a request stopped before it had an answer. The first reason stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    /// The client no longer wants the answer.
    Client = 1,
    /// An edit made the snapshot stale that the answer would be about.
    Superseded = 2,
    /// The session ends.
    Shutdown = 3,
}

/// Shared by the main loop, which cancels, and one attempt at a request, which asks. Cloning shares it.
///
/// Being cancelled is for good; being superseded ends one attempt, and the next starts with a clean token.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    request: Arc<AtomicU8>,
    superseded: Arc<AtomicBool>,
    /// What a session looks at that reads a folder for this request.
    reading: surefoot_session::Cancel,
}

impl Cancel {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn cancel(&self, reason: Reason) {
        match reason {
            Reason::Superseded => self.superseded.store(true, Ordering::Release),
            Reason::Client | Reason::Shutdown => {
                let _ = self.request.compare_exchange(
                    0,
                    reason as u8,
                    Ordering::AcqRel,
                    Ordering::Acquire,
                );
                self.reading.cancel();
            }
        }
    }

    /// The token of the next attempt at the same request.
    pub fn renewed(&self) -> Self {
        Self {
            request: self.request.clone(),
            superseded: Arc::default(),
            reading: self.reading.clone(),
        }
    }

    /// The flag for a session: set when the client cancels or the session ends.
    pub fn reading(&self) -> &surefoot_session::Cancel {
        &self.reading
    }

    /// A client's wish outranks an edit: it must not read "content modified" after it cancelled.
    pub fn reason(&self) -> Option<Reason> {
        match self.request.load(Ordering::Acquire) {
            1 => Some(Reason::Client),
            3 => Some(Reason::Shutdown),
            _ => self
                .superseded
                .load(Ordering::Acquire)
                .then_some(Reason::Superseded),
        }
    }

    /// `?` in a loop: returns the reason as an error once there is one.
    pub fn check(&self) -> Result<(), Reason> {
        self.reason().map_or(Ok(()), Err)
    }
}

/// Cancels when dropped: the transport drops the future of an answer nobody waits for any more.
pub struct CancelOnDrop(pub Cancel, pub Reason);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel(self.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer's error code depends on it.
    #[test]
    fn the_clients_wish_outranks_an_edit_and_the_first_wish_stays() {
        let token = Cancel::new();
        assert_eq!(token.check(), Ok(()));
        token.cancel(Reason::Superseded);
        assert_eq!(token.check(), Err(Reason::Superseded));
        token.cancel(Reason::Client);
        token.cancel(Reason::Shutdown);
        assert_eq!(token.clone().check(), Err(Reason::Client));
    }

    /// A retry must not see the edit that caused it, but must still see the client's wish.
    #[test]
    fn a_renewed_token_forgets_the_edit_only() {
        let token = Cancel::new();
        token.cancel(Reason::Superseded);
        let next = token.renewed();
        assert_eq!(next.check(), Ok(()));
        assert!(!next.reading().is_cancelled());
        drop(CancelOnDrop(token, Reason::Client));
        assert_eq!(next.check(), Err(Reason::Client));
        assert!(next.reading().is_cancelled());
    }
}
