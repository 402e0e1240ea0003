//! Why a question about a report was not taken up: a stable code and a sentence.

use std::fmt;

/// A refusal. The codes and exit codes are those of docs/report.md and never change spelling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub reason: &'static str,
    pub message: String,
}

impl Refusal {
    pub fn new(reason: &'static str, message: impl Into<String>) -> Refusal {
        Refusal {
            reason,
            message: message.into(),
        }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Refusal {
        Refusal::new("invalid_report", message)
    }

    /// What a command that ends with it exits with: 1 the answer is no, 2 asked wrongly, 3 could not answer.
    pub fn exit_code(&self) -> u8 {
        exit_code(self.reason)
    }
}

/// The exit code of a reason.
pub fn exit_code(reason: &str) -> u8 {
    match reason {
        "entity_not_found"
        | "ambiguous_name"
        | "no_call_here"
        | "verification_failed"
        | "threshold_crossed"
        | "snapshot_not_found"
        | "snapshot_stale"
        | "no_path" => 1,
        "output_failed"
        | "store_unavailable"
        | "store_full"
        | "version_mismatch"
        | "cancelled"
        | "io_failed"
        | "parse_failed"
        | "graph_failed"
        | "unsupported_language"
        | "containment_escape"
        | "containment_swap"
        | "containment_open_refused"
        | "server_unavailable"
        | "internal_error" => 3,
        "incomplete" => 4,
        _ => 2,
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
