//! The language server over a real pipe.

mod documents;
mod framing;
mod lifecycle;
mod load;
