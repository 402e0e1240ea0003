//! surefoot.toml at the root of a tree: what its own files do not say.

use surefoot_facts::ManifestFacts;
use toml::{Table, Value};

pub(crate) const NAME: &str = "surefoot.toml";

/// ```toml
/// [rust]
/// features = ["full"]
/// ```
pub(super) fn facts(text: &str) -> ManifestFacts {
    let table: Table = match text.parse() {
        Ok(table) => table,
        Err(e) => return ManifestFacts::Unreadable(e.message().to_owned()),
    };
    let rust = table.get("rust").and_then(Value::as_table);
    let features = rust.map_or_else(Vec::new, |r| super::cargo::strings(r, "features"));
    ManifestFacts::Surefoot { features }
}
