//! Why a file was not read: a stable code for programs, a sentence for people.

use std::fmt;

use serde::Serialize;

/// Why a path was not read. The spelling of each code is stable; the sentences may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasonCode {
    /// It leads out of the containment boundary (the root, unless a wider one was given).
    ContainmentEscape,
    /// Between walk and read, a folder on the way to it became a link.
    ContainmentSwap,
    /// Between walk and read, the file itself became a link.
    ContainmentOpenRefused,
    /// A link with no target, or one that runs in a circle.
    UnresolvablePath,
    /// A device, FIFO, socket or folder where a source file was expected.
    NotARegularFile,
    /// Not UTF-8, or containing `::` or a backslash.
    UnnamablePath,
    /// Inside the boundary but not in the analysed tree: beside the root, or left out by ignore rules.
    OutsideAnalysisRoot,
    /// Over the size limit.
    FileTooLarge,
    /// Its metadata or bytes could not be had, or would not hold still.
    Unreadable,
    /// A second name for a file or folder analysed under its real path.
    DuplicateAlias,
    /// A folder could not be listed, so nothing below it was seen.
    DiscoveryError,
    /// A folder on another file system, not entered.
    MountBoundary,
    /// Read, but neither UTF-8 nor UTF-16 with a byte order mark.
    ParseError,
}

impl ReasonCode {
    /// The stable spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            ReasonCode::ContainmentEscape => "containment_escape",
            ReasonCode::ContainmentSwap => "containment_swap",
            ReasonCode::ContainmentOpenRefused => "containment_open_refused",
            ReasonCode::UnresolvablePath => "unresolvable_path",
            ReasonCode::NotARegularFile => "not_a_regular_file",
            ReasonCode::UnnamablePath => "unnamable_path",
            ReasonCode::OutsideAnalysisRoot => "outside_analysis_root",
            ReasonCode::FileTooLarge => "file_too_large",
            ReasonCode::Unreadable => "unreadable",
            ReasonCode::DuplicateAlias => "duplicate_alias",
            ReasonCode::DiscoveryError => "discovery_error",
            ReasonCode::MountBoundary => "mount_boundary",
            ReasonCode::ParseError => "parse_error",
        }
    }

    /// True when code may be missing because of it. An alias hides nothing: its file is there under
    /// its real path.
    pub fn hides_code(self) -> bool {
        self != ReasonCode::DuplicateAlias
    }
}

impl fmt::Display for ReasonCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A path that was not read, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Skipped {
    /// Relative to the root, forward slashes. For `unnamable_path` the nearest spelling there is.
    pub path: String,
    #[serde(rename = "reason_code")]
    pub code: ReasonCode,
    /// A sentence for a person. It names no path: a report travels further than the machine.
    pub reason: String,
}

impl Skipped {
    pub(crate) fn new(
        path: impl Into<String>,
        code: ReasonCode,
        reason: impl Into<String>,
    ) -> Skipped {
        Skipped {
            path: path.into(),
            code,
            reason: reason.into(),
        }
    }
}

/// `file_too_large`, in the same words wherever the size is noticed.
pub(crate) fn too_large(path: &str, len: u64, max: u64) -> Skipped {
    let reason = format!(
        "{} is over the limit of {} for one file",
        size(len),
        size(max)
    );
    Skipped::new(path, ReasonCode::FileTooLarge, reason)
}

/// A size as a person reads it.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

/// The operating system's words without Rust's "(os error 13)".
pub(crate) fn os_words(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_string(),
        None => text,
    }
}
