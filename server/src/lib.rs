//! Surefoot's faces: the language server and the command line over one engine.

mod borrowed;
pub mod cli;
pub mod config;
pub mod documents;
pub mod export;
pub mod forms;
mod keep;
pub mod lsp;
pub mod memory;
pub mod store;
