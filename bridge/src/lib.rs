//! Questions to other language servers and their answers, in our own words.
//!
//! A [`Bridge`] starts the servers a user named, when there is first something to ask them, and asks them where
//! calls lead. It knows nothing of the graph: a [`Question`] is a place in a text, an [`Answer`] is places in
//! other texts and who said so. Whatever a server does, it costs its own lane and no one else's: every wait has
//! an end, every queue a bound, and every process a guard that outlives us.

mod bridge;
mod frame;
pub mod guard;
mod lane;
mod process;
mod question;
mod running;
mod state;
mod table;
mod warmup;

pub use bridge::{Bridge, Event};
pub use frame::file_uri;
pub use question::{Answer, Ask, Document, Encoding, Place, Question, Said, Server};
pub use state::{ServerState, Standing};
pub use table::{Guard, READY, Ready, Spec, entry, language_of};
