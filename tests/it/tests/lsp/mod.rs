//! The language server over a real pipe.

mod documents;
mod findings;
mod framing;
mod graph;
mod lifecycle;
mod load;
mod reading;
mod reports;
mod servers;
mod workspace;
mod world;
