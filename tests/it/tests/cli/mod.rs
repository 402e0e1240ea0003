//! The command line, driven as a person and as a program drive it.

mod answers;
mod folder;
mod inputs;
mod refusals;
mod report;
mod tamper;
mod verify;
