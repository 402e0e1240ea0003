//! One file per request; each answers on an immutable view, exactly once.

pub mod call_tree;
pub mod code_lens;
pub mod definition;
pub mod diagnostic;
pub mod disagreements;
pub mod document_symbol;
pub mod execute_command;
pub mod explain;
pub mod hover;
pub mod incoming_calls;
pub mod initialize;
pub mod outgoing_calls;
pub mod prepare_call_hierarchy;
pub mod prepare_type_hierarchy;
pub mod references;
pub mod report;
pub mod resolve_handle;
pub mod selftest;
pub mod snapshots;
pub mod status;
pub mod subtypes;
pub mod supertypes;
pub mod verify;
pub mod workspace_symbol;
