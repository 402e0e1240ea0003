//! A bound on what has been read from the client and not yet handled.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Counts bytes between the reader and the main loop. Cloning shares the count.
///
/// Each admitted frame becomes exactly one message, and messages reach the loop in the order of their frames,
/// so a queue of lengths is enough to know what a message weighed on the wire.
#[derive(Clone)]
pub struct Inflow(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    room: Condvar,
    bound: usize,
}

#[derive(Default)]
struct State {
    bytes: usize,
    lengths: VecDeque<usize>,
}

impl Inflow {
    pub fn new(bound: usize) -> Self {
        Self(Arc::new(Shared {
            state: Mutex::default(),
            room: Condvar::new(),
            bound,
        }))
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room. A single frame larger than the bound passes alone.
    pub fn admit(&self, length: usize) {
        let mut state = self.state();
        while state.bytes > 0 && state.bytes + length > self.0.bound {
            state = self
                .0
                .room
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state.bytes += length;
        state.lengths.push_back(length);
    }

    /// Claims the oldest admitted frame for the message made from it.
    pub fn claim(&self) -> Held {
        let length = self.state().lengths.pop_front().unwrap_or(0);
        Held {
            inflow: self.clone(),
            length,
        }
    }

    pub fn bytes(&self) -> usize {
        self.state().bytes
    }

    pub fn bound(&self) -> usize {
        self.0.bound
    }
}

/// The weight of one message; dropped when the loop has dealt with it.
pub struct Held {
    inflow: Inflow,
    length: usize,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.inflow.state().bytes -= self.length;
        self.inflow.0.room.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reader must wait when the loop is behind, and go on when it has caught up.
    #[test]
    fn a_full_inflow_waits_for_the_loop() {
        let inflow = Inflow::new(10);
        inflow.admit(8);
        let held = inflow.claim();
        let reader = std::thread::spawn({
            let inflow = inflow.clone();
            move || inflow.admit(8)
        });
        assert!(!reader.is_finished());
        drop(held);
        reader.join().unwrap();
        assert_eq!(inflow.bytes(), 8);
    }
}
