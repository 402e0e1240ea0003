//! Writes a report as it stands in memory, without a second copy of the document.

use crate::model::Report;
use std::io::{BufWriter, Result, Write};

/// Writes the document and one line end. The same report gives the same bytes.
pub fn write(report: &Report, out: impl Write) -> Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    serde_json::to_writer(&mut out, report)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// How hard zstd tries: past this a report takes longer to write than to make.
const LEVEL: i32 = 9;

/// The same document, compressed with zstd; a reader tells it by its first bytes.
pub fn write_compressed(report: &Report, out: impl Write) -> Result<()> {
    let mut encoder = zstd::Encoder::new(out, LEVEL)?;
    encoder.include_checksum(true)?;
    write(report, &mut encoder)?;
    encoder.finish()?.flush()
}
