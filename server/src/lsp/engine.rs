//! The engine's own thread: takes what changed, answers with snapshots.
//!
//! The loop never waits for it. Orders carry the stamp of the documents they bring, and a published snapshot
//! says up to which stamp it is current; requests about a newer text wait for that, not for the thread.

use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};

use super::main_loop::Event;
use super::state::Edit;
use super::text::Text;
use super::watch::DiskChange;

/// What the loop tells the engine.
#[derive(Debug)]
pub enum Order {
    /// These folders are the workspace, from now on.
    Roots(Vec<PathBuf>),
    /// The client's text counts for this file. `edits` lead to it from the text sent before; `None` for a
    /// text that replaces everything.
    Document {
        path: PathBuf,
        text: Arc<Text>,
        edits: Option<Vec<Edit>>,
        stamp: u64,
    },
    /// The disk counts again.
    Closed {
        path: PathBuf,
        stamp: u64,
    },
    Disk(DiskChange),
}

/// What the engine tells the loop.
#[derive(Debug)]
pub enum News {
    /// Everything up to this stamp is in the snapshot.
    Published { stamp: u64 },
}

/// The loop's end. Dropping it ends the thread.
pub struct Engine(Sender<Order>);

impl Engine {
    pub fn start(events: Sender<Event>) -> std::io::Result<Self> {
        // Unbounded in count; the loop sends one order per document and turn, and texts are shared.
        let (sender, orders) = crossbeam_channel::unbounded();
        std::thread::Builder::new()
            .name("engine".into())
            .stack_size(64 << 20)
            .spawn(move || run(&orders, &events))?;
        Ok(Self(sender))
    }

    pub fn order(&self, order: Order) {
        let _ = self.0.send(order);
    }

    /// Orders not taken yet, for the status.
    pub fn waiting(&self) -> usize {
        self.0.len()
    }
}

fn run(orders: &Receiver<Order>, events: &Sender<Event>) {
    let mut stamp = 0;
    for order in orders {
        match order {
            Order::Document { stamp: new, .. } | Order::Closed { stamp: new, .. } => {
                stamp = stamp.max(new)
            }
            Order::Roots(_) | Order::Disk(_) => {}
        }
        if orders.is_empty()
            && events
                .send(Event::Engine(News::Published { stamp }))
                .is_err()
        {
            return;
        }
    }
}
