//! One binary for all integration tests: they share the build of the program they drive.

mod cli;
mod lsp;
