//! Reads a report that anyone may have written, within bounds on bytes, values and nesting.

use crate::model::{Report, VERSION};
use crate::refusal::Refusal;
use crate::text::Sharing;
use serde::Deserialize;
use std::io::Read;

/// What a document may cost before it is refused.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Length of the document. Default 512 MiB.
    pub bytes: u64,
    /// Values it may hold: every object, list, string and number. Default 64 Mi.
    pub nodes: u64,
    /// How deep they may nest. A report needs eight levels. Default 32.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            bytes: 512 << 20,
            nodes: 64 << 20,
            depth: 32,
        }
    }
}

/// What a document compressed with zstd begins with.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The most memory a compressed document may ask of its reader: 2 to this power, in bytes.
const WINDOW_LOG: u32 = 27;

/// Reads a report from `source`, compressed or not, and no byte of the document more than the limits allow.
pub fn read(mut source: impl Read, limits: &Limits) -> Result<Report, Refusal> {
    let cannot = |e: std::io::Error| {
        Refusal::new("invalid_input", format!("The report cannot be read: {e}."))
    };
    let mut head = Vec::new();
    let mut first = source.by_ref().take(ZSTD.len() as u64);
    first.read_to_end(&mut head).map_err(cannot)?;
    let compressed = head == ZSTD;
    let source = head.as_slice().chain(source);
    let mut bytes = Vec::new();
    let most = limits.bytes.saturating_add(1);
    if compressed {
        let mut decoder = zstd::Decoder::new(source).map_err(cannot)?;
        decoder.window_log_max(WINDOW_LOG).map_err(cannot)?;
        decoder.take(most).read_to_end(&mut bytes).map_err(|e| {
            Refusal::invalid(format!(
                "The report is not whole, or its compression is damaged: {e}."
            ))
        })?;
    } else {
        source.take(most).read_to_end(&mut bytes).map_err(cannot)?;
    }
    parse(&bytes, limits)
}

/// Reads a report from a whole document.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Report, Refusal> {
    if bytes.len() as u64 > limits.bytes {
        return Err(too_large(format!(
            "The report is longer than {} bytes, which is as much as is read.",
            limits.bytes
        )));
    }
    measure(bytes, limits)?;
    let _sharing = Sharing::begin();
    let parsed: Result<Report, _> = serde_json::from_slice(bytes);
    match parsed {
        Ok(report) if report.version == VERSION => Ok(report),
        Ok(report) => Err(other_version(report.version.into())),
        Err(error) => Err(match version_of(bytes) {
            Some(version) if version != u64::from(VERSION) => other_version(version),
            _ => Refusal::invalid(format!("This is not a report Surefoot wrote: {error}.")),
        }),
    }
}

fn too_large(message: String) -> Refusal {
    Refusal::new("report_too_large", message)
}

fn other_version(version: u64) -> Refusal {
    Refusal::invalid(format!(
        "The report has version {version} of the format; this Surefoot reads version {VERSION}."
    ))
}

/// The stated version of a document of whatever shape.
fn version_of(bytes: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u64,
    }
    serde_json::from_slice::<Versioned>(bytes)
        .ok()
        .map(|v| v.version)
}

/// Counts values and nesting before anything is built from them.
fn measure(bytes: &[u8], limits: &Limits) -> Result<(), Refusal> {
    let (mut nodes, mut depth) = (0u64, 0u32);
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => {
                depth += 1;
                nodes += 1;
                if depth > limits.depth {
                    return Err(Refusal::invalid(format!(
                        "The report nests deeper than {} levels, which no report does.",
                        limits.depth
                    )));
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                nodes += 1;
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            // Numbers and words are counted by the comma behind them; the last of a list is paid by
            // the list itself.
            b',' => nodes += 1,
            _ => {}
        }
        if nodes > limits.nodes {
            return Err(too_large(format!(
                "The report holds more than {} values, which is as much as is read.",
                limits.nodes
            )));
        }
        at += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(document: &str, limits: &Limits) -> (&'static str, String) {
        let refusal = read(document.as_bytes(), limits).unwrap_err();
        (refusal.reason, refusal.message)
    }

    /// A report comes from anywhere: each bound must stop it by its own name,
    /// before memory or stack is spent on it.
    #[test]
    fn each_bound_refuses_by_name() {
        let limits = Limits {
            bytes: 1_000,
            nodes: 100,
            depth: 8,
        };
        let (reason, said) = refused(&" ".repeat(1_001), &limits);
        assert_eq!(reason, "report_too_large", "{said}");
        let (reason, said) = refused(&format!("[{}0]", "0,".repeat(101)), &limits);
        assert_eq!(reason, "report_too_large", "{said}");
        let (reason, said) = refused(&"[".repeat(9), &limits);
        assert_eq!(reason, "invalid_report");
        assert!(said.contains("nests deeper"), "{said}");
        // Brackets inside a string nest nothing.
        let (reason, said) = refused(&format!("\"{}\\\"[\"", "[".repeat(50)), &limits);
        assert_eq!(reason, "invalid_report");
        assert!(said.contains("not a report"), "{said}");
    }

    /// The default bounds hold against a document made to exhaust a recursive reader.
    #[test]
    fn a_million_brackets_are_refused_without_a_stack() {
        let deep = "[".repeat(1_000_000);
        assert_eq!(refused(&deep, &Limits::default()).0, "invalid_report");
        let deep = "{\"entities\":".repeat(100_000);
        assert_eq!(refused(&deep, &Limits::default()).0, "invalid_report");
    }

    /// A few kilobytes may unpack to gigabytes: the bound is on what comes out.
    #[test]
    fn a_compressed_flood_is_stopped_at_the_bound() {
        let flood = zstd::encode_all(std::io::repeat(b' ').take(1 << 24), 3).unwrap();
        assert!(flood.len() < 10_000);
        let limits = Limits {
            bytes: 1 << 16,
            ..Limits::default()
        };
        let refusal = read(flood.as_slice(), &limits).unwrap_err();
        assert_eq!(refusal.reason, "report_too_large");
        let refusal = read(&flood[..100], &Limits::default()).unwrap_err();
        assert_eq!(refusal.reason, "invalid_report", "{refusal}");
    }

    /// A person who kept a report over an upgrade must learn that it is the version, not the file.
    #[test]
    fn another_version_is_named() {
        let (reason, said) = refused(r#"{"version":7,"unheard":[1]}"#, &Limits::default());
        assert_eq!(reason, "invalid_report");
        assert!(said.contains("version 7"), "{said}");
        let (_, said) = refused(r#"{"version":1}"#, &Limits::default());
        assert!(said.contains("missing field"), "{said}");
    }
}
