//! From a name as a person says it to the one declaration or file it means.

use super::store::QueryIndex;
use crate::refusal::Refusal;

/// An ambiguous name lists this many of what it may mean.
const LISTED: usize = 20;

impl QueryIndex {
    /// The one declaration a name means: a key, a qualified name, or the end of one.
    pub(super) fn entity(&self, name: &str) -> Result<u32, Refusal> {
        let all = self.entities.iter().enumerate();
        let mut exact = Vec::new();
        let mut ends = Vec::new();
        for (i, row) in all {
            let qualified = self.text(row.qualified);
            if self.text(row.key) == name {
                return Ok(i as u32);
            }
            if qualified == name {
                exact.push(i as u32);
            } else if ends_with_name(qualified, name) {
                ends.push(i as u32);
            }
        }
        let found = if exact.is_empty() { ends } else { exact };
        match found.as_slice() {
            [one] => Ok(*one),
            [] => Err(Refusal::new(
                "entity_not_found",
                format!("No declaration is called `{name}` in this snapshot."),
            )),
            several => {
                let listed: Vec<&str> = several.iter().take(LISTED).map(|&i| self.key(i)).collect();
                let more = match several.len().saturating_sub(LISTED) {
                    0 => String::new(),
                    n => format!(" and {n} more"),
                };
                Err(Refusal::new(
                    "ambiguous_name",
                    format!(
                        "{} declarations are called `{name}`: {}{more}.",
                        several.len(),
                        listed.join(", ")
                    ),
                ))
            }
        }
    }

    /// The number of a file in `files`.
    pub(super) fn file(&self, path: &str) -> Result<u32, Refusal> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let at = self
            .files
            .binary_search_by(|(p, _)| self.text(*p).cmp(path));
        at.map(|i| i as u32).map_err(|_| {
            Refusal::new(
                "entity_not_found",
                format!("No source file `{path}` is in this snapshot."),
            )
        })
    }
}

/// Whether `name` is whole segments at the end of a qualified name: `Store::get`, `Store.get`, `get`.
fn ends_with_name(qualified: &str, name: &str) -> bool {
    let tail = |name: &str| {
        let rest = qualified.strip_suffix(name);
        rest.is_some_and(|rest| rest.ends_with("::") || rest.ends_with('/'))
    };
    !name.is_empty() && (tail(name) || (name.contains('.') && tail(&name.replace('.', "::"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A short name must mean whole segments: `get` is not the end of `forget`.
    #[test]
    fn a_short_name_is_whole_segments() {
        for name in ["get", "Store::get", "Store.get", "a.rs::Store::get"] {
            assert!(ends_with_name("src/a.rs::Store::get", name), "{name}");
        }
        for name in ["et", "tore::get", "", "::get"] {
            assert!(!ends_with_name("src/a.rs::Store::get", name), "{name}");
        }
    }
}
