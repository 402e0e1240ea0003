//! Reports as files: read within limits, written whole or not at all.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use surefoot_report::verify::Ceilings;
use surefoot_report::{Limits, Refusal, Report};

/// What a report may cost, as the environment says.
pub fn limits() -> Result<Limits, Refusal> {
    let standard = Limits::default();
    Ok(Limits {
        bytes: from_environment("SUREFOOT_MAX_REPORT_BYTES", standard.bytes)?,
        nodes: from_environment("SUREFOOT_MAX_REPORT_NODES", standard.nodes)?,
        ..standard
    })
}

/// What verifying a report may cost, as the environment says.
pub fn ceilings() -> Result<Ceilings, Refusal> {
    let standard = Ceilings::default();
    Ok(Ceilings {
        files: from_environment("SUREFOOT_MAX_VERIFY_FILE_COUNT", standard.files)?,
        bytes: from_environment("SUREFOOT_MAX_VERIFY_TOTAL_BYTES", standard.bytes)?,
        ..standard
    })
}

/// What kept snapshots may take together when the environment says nothing: 4 GiB.
pub const MAX_SNAPSHOT_BYTES: u64 = 4 << 30;

/// What kept snapshots may take together, as the environment says.
pub fn max_snapshot_bytes() -> Result<u64, Refusal> {
    from_environment("SUREFOOT_MAX_SNAPSHOT_BYTES", MAX_SNAPSHOT_BYTES)
}

/// A number from the environment; a value that is none is refused rather than ignored.
fn from_environment<T: FromStr>(name: &str, default: T) -> Result<T, Refusal> {
    let Some(value) = std::env::var_os(name) else {
        return Ok(default);
    };
    let number = value.to_str().and_then(|v| v.trim().parse().ok());
    number.ok_or_else(|| {
        let message = format!("{name} is `{}`, which is not a number.", value.display());
        Refusal::new("invalid_configuration", message)
    })
}

/// Reads a report from a regular file: a pipe or device has no length to bound.
pub fn read(path: &Path, limits: &Limits) -> Result<Report, Refusal> {
    let shown = path.display();
    let cannot = |what: String| Refusal::new("invalid_input", what);
    let unreadable = |e: io::Error| cannot(format!("The report {shown} cannot be read: {e}."));
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(cannot(format!("{shown} is not a file.")));
    }
    if metadata.len() > limits.bytes {
        let message = format!(
            "The report is {} bytes long; at most {} are read (SUREFOOT_MAX_REPORT_BYTES).",
            metadata.len(),
            limits.bytes
        );
        return Err(Refusal::new("report_too_large", message));
    }
    let file = File::open(path).map_err(unreadable)?;
    surefoot_report::read(file, limits)
        .map_err(|refusal| Refusal::new(refusal.reason, format!("{shown}: {}", refusal.message)))
}

/// Writes beside the path and renames, so that no half of a document ever bears its name.
pub fn write(
    path: &Path,
    what: &str,
    content: impl FnOnce(File) -> io::Result<()>,
) -> Result<(), Refusal> {
    // A link stays, and what it leads to is written; a device or a pipe is
    // written to, for a file put in its place would be another thing.
    let there = std::fs::metadata(path).ok();
    let target = match &there {
        Some(_) => std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
        None => path.to_owned(),
    };
    let mut partial = target.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let regular = there.as_ref().is_none_or(std::fs::Metadata::is_file);
    let written = if regular {
        File::create(&partial)
            .and_then(|file| {
                if let Some(there) = &there {
                    file.set_permissions(there.permissions())?;
                }
                content(file)
            })
            .and_then(|()| std::fs::rename(&partial, &target))
    } else {
        let open = std::fs::OpenOptions::new().write(true).open(&target);
        open.and_then(content)
    };
    written.map_err(|e| {
        if regular {
            let _ = std::fs::remove_file(&partial);
        }
        let message = format!("{what} could not be written to {}: {e}.", path.display());
        Refusal::new("output_failed", message)
    })
}
