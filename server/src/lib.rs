//! Surefoot's faces: the language server and the command line over one engine.

mod borrowed;
pub mod cli;
pub mod config;
pub mod export;
mod keep;
pub mod lsp;
pub mod memory;
