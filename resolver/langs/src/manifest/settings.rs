//! surefoot.toml at the root of a tree: what its own files do not say.

use surefoot_facts::ManifestFacts;
use toml::de::DeTable;
use toml::{Table, Value};

pub(crate) const NAME: &str = "surefoot.toml";

/// ```toml
/// [rust]
/// features = ["full"]
/// ```
pub(super) fn facts(text: &str) -> ManifestFacts {
    let line = |at: usize| 1 + text[..at.min(text.len())].matches('\n').count() as u32;
    let table: Table = match text.parse() {
        Ok(table) => table,
        Err(e) => {
            let at = e.span().map_or(0, |span| span.start);
            return ManifestFacts::Unreadable(format!("line {}: {}", line(at), e.message()));
        }
    };
    let rust = table.get("rust").and_then(Value::as_table);
    let features = rust.map_or_else(Vec::new, |r| super::cargo::strings(r, "features"));
    ManifestFacts::Surefoot {
        features,
        unknown: unknown(text, line),
    }
}

/// Keys and tables that nothing reads, in the order they stand.
fn unknown(text: &str, line: impl Fn(usize) -> u32) -> Vec<(u32, String)> {
    let Ok(whole) = DeTable::parse(text) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for (section, value) in whole.get_ref() {
        let (name, at) = (section.get_ref(), section.span().start);
        match value.get_ref().as_table() {
            Some(table) if name == "rust" => {
                let others = table.keys().filter(|key| key.get_ref() != "features");
                out.extend(
                    others.map(|key| (line(key.span().start), format!("rust.{}", key.get_ref()))),
                );
            }
            _ => out.push((line(at), name.to_string())),
        }
    }
    out.sort();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown_of(text: &str) -> Vec<(u32, String)> {
        match facts(text) {
            ManifestFacts::Surefoot { unknown, .. } => unknown,
            other => panic!("{other:?}"),
        }
    }

    // A misspelled key changes nothing, and whoever wrote it believes that it does.
    #[test]
    fn a_key_that_nothing_reads_is_named_with_its_line() {
        let text = "[rust]\nfeaturs = [\"x\"]\n\n[nosuch]\na = 2\n";
        let expected = [(2, "rust.featurs".to_owned()), (4, "nosuch".to_owned())];
        assert_eq!(unknown_of(text), expected);
        assert_eq!(unknown_of("[rust]\nfeatures = [\"x\"]\n"), []);
        assert_eq!(unknown_of("rust = 1\n"), [(1, "rust".to_owned())]);
    }

    // Where a file does not parse is what its writer looks for.
    #[test]
    fn a_file_that_does_not_parse_names_the_line() {
        let ManifestFacts::Unreadable(why) = facts("[rust]\nfeatures\n") else {
            panic!("it does not parse");
        };
        assert!(why.starts_with("line 2: "), "{why}");
    }
}
