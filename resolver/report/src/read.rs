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

/// How much is read at a time.
const CHUNK: usize = 1 << 16;

/// Reads a report from `source`, compressed or not. What crosses a limit is refused where it crosses it:
/// nothing is kept of a document that unpacks to more than the limits allow.
pub fn read(mut source: impl Read, limits: &Limits) -> Result<Report, Refusal> {
    let cannot = |e: std::io::Error| {
        Refusal::new("invalid_input", format!("The report cannot be read: {e}."))
    };
    let mut given = Vec::new();
    let mut first = source.by_ref().take(ZSTD.len() as u64);
    first.read_to_end(&mut given).map_err(cannot)?;
    if given != ZSTD {
        let mut meter = Meter::new(limits);
        meter.feed(&given)?;
        each_chunk(source, cannot, |chunk| {
            meter.feed(chunk)?;
            given.extend_from_slice(chunk);
            Ok(())
        })?;
        return parsed(&given);
    }
    let most = limits.bytes.saturating_add(1);
    let read = source.take(most).read_to_end(&mut given);
    read.map_err(cannot)?;
    if given.len() as u64 > limits.bytes {
        return Err(too_long(limits));
    }
    let damaged = |e: std::io::Error| {
        Refusal::invalid(format!(
            "The report is not whole, or its compression is damaged: {e}."
        ))
    };
    let unpacked = || {
        let mut decoder = zstd::Decoder::new(given.as_slice())?;
        decoder.window_log_max(WINDOW_LOG)?;
        Ok(decoder)
    };
    // Once to see what it would cost, and once to keep it: a flood takes time and no memory.
    let mut meter = Meter::new(limits);
    each_chunk(unpacked().map_err(cannot)?, damaged, |chunk| {
        meter.feed(chunk)
    })?;
    let mut bytes = Vec::with_capacity(usize::try_from(meter.bytes).unwrap_or(0));
    let decoder = unpacked().map_err(cannot)?;
    let kept = decoder.take(meter.bytes).read_to_end(&mut bytes);
    kept.map_err(damaged)?;
    parsed(&bytes)
}

fn each_chunk(
    mut source: impl Read,
    failed: impl Fn(std::io::Error) -> Refusal,
    mut with: impl FnMut(&[u8]) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut chunk = vec![0; CHUNK];
    loop {
        match source.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(n) => with(&chunk[..n])?,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(failed(e)),
        }
    }
}

/// Reads a report from a whole document.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Report, Refusal> {
    Meter::new(limits).feed(bytes)?;
    parsed(bytes)
}

fn parsed(bytes: &[u8]) -> Result<Report, Refusal> {
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

fn too_long(limits: &Limits) -> Refusal {
    too_large(format!(
        "The report is longer than {} bytes, which is as much as is read.",
        limits.bytes
    ))
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

/// Counts bytes, values and nesting of a document piece by piece, before anything is built from it.
struct Meter<'a> {
    limits: &'a Limits,
    bytes: u64,
    nodes: u64,
    depth: u32,
    text: Within,
}

/// Where the last piece ended.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    Structure,
    String,
    Escape,
}

impl Meter<'_> {
    fn new(limits: &Limits) -> Meter<'_> {
        Meter {
            limits,
            bytes: 0,
            nodes: 0,
            depth: 0,
            text: Within::Structure,
        }
    }

    fn feed(&mut self, piece: &[u8]) -> Result<(), Refusal> {
        self.bytes += piece.len() as u64;
        if self.bytes > self.limits.bytes {
            return Err(too_long(self.limits));
        }
        for &byte in piece {
            match (self.text, byte) {
                (Within::Escape, _) => self.text = Within::String,
                (Within::String, b'\\') => self.text = Within::Escape,
                (Within::String, b'"') => self.text = Within::Structure,
                (Within::String, _) => {}
                (Within::Structure, b'{' | b'[') => {
                    self.depth += 1;
                    self.nodes += 1;
                    if self.depth > self.limits.depth {
                        return Err(Refusal::invalid(format!(
                            "The report nests deeper than {} levels, which no report does.",
                            self.limits.depth
                        )));
                    }
                }
                (Within::Structure, b'}' | b']') => self.depth = self.depth.saturating_sub(1),
                (Within::Structure, b'"') => {
                    self.nodes += 1;
                    self.text = Within::String;
                }
                // Numbers and words are counted by the comma behind them; the last of a list is paid
                // by the list itself.
                (Within::Structure, b',') => self.nodes += 1,
                (Within::Structure, _) => {}
            }
        }
        if self.nodes > self.limits.nodes {
            return Err(too_large(format!(
                "The report holds more than {} values, which is as much as is read.",
                self.limits.nodes
            )));
        }
        Ok(())
    }
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
        // Brackets cost nothing to pack; the reader stops at the first that is too deep.
        let nested = zstd::encode_all(std::io::repeat(b'[').take(1 << 24), 3).unwrap();
        let refusal = read(nested.as_slice(), &Limits::default()).unwrap_err();
        assert!(refusal.message.contains("nests deeper"), "{refusal}");
        let refusal = read(&flood[..100], &Limits::default()).unwrap_err();
        assert_eq!(refusal.reason, "invalid_report", "{refusal}");
    }

    /// A document arrives in pieces: a string that one of them cuts, in an escape too, still ends where it ends.
    #[test]
    fn pieces_are_measured_as_the_whole() {
        let limits = Limits {
            nodes: 8,
            ..Limits::default()
        };
        let document = br#"{"a\"[[": ["\\", 1, 2], "b": 3}"#;
        for cut in 0..document.len() {
            let mut meter = Meter::new(&limits);
            meter.feed(&document[..cut]).unwrap();
            meter.feed(&document[cut..]).unwrap();
            assert_eq!((meter.nodes, meter.depth), (8, 0), "cut at {cut}");
        }
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
