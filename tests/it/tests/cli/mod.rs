//! The command line, driven as a person and as a program drive it.

mod answers;
mod diff;
mod facts;
pub mod folder;
mod forms;
mod inputs;
mod joints;
mod lists;
mod refusals;
mod report;
mod roots;
mod snapshots;
mod tamper;
mod verify;
mod words;
