//! What the faces show: plain structs, made from a snapshot and nothing else.
//!
//! No face and no protocol here: the same rows feed the editor's panels, the
//! command line and the report.

pub mod diagnostics;
pub mod document;
pub mod explain;
pub mod hierarchy;
pub mod hover;
pub mod lens;
pub mod query;
pub mod types;
