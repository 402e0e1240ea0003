//! Writes a report as it stands in memory, without a second copy of the document.

use crate::model::Report;
use std::io::{BufWriter, Write};

/// Writes the document and one line end. The same report gives the same bytes.
pub fn write(report: &Report, out: impl Write) -> std::io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    serde_json::to_writer(&mut out, report)?;
    out.write_all(b"\n")?;
    out.flush()
}
