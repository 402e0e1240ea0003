//! pyproject.toml and setup.cfg: the name, and where packages stand.

use surefoot_facts::ManifestFacts;
use toml::{Table, Value};

pub(super) fn is_manifest(name: &str) -> bool {
    matches!(name, "pyproject.toml" | "setup.cfg")
}

pub(super) fn facts(name: &str, text: &str) -> ManifestFacts {
    if name == "setup.cfg" {
        return setup(text);
    }
    match text.parse::<Table>() {
        Ok(table) => project(&table),
        Err(e) => ManifestFacts::Unreadable(e.message().to_owned()),
    }
}

fn at<'t>(table: &'t Table, path: &[&str]) -> Option<&'t Value> {
    let (last, around) = path.split_last()?;
    let mut table = table;
    for key in around {
        table = table.get(*key)?.as_table()?;
    }
    table.get(*last)
}

fn project(table: &Table) -> ManifestFacts {
    let text = |v: &Value| v.as_str().map(str::to_owned);
    let name = at(table, &["project", "name"])
        .or_else(|| at(table, &["tool", "poetry", "name"]))
        .and_then(text);
    let mut roots: Vec<String> = Vec::new();
    let tool = ["tool", "setuptools"];
    if let Some(Value::Table(dirs)) = at(table, &[tool[0], tool[1], "package-dir"]) {
        roots.extend(dirs.get("").and_then(text));
    }
    if let Some(Value::Array(list)) = at(table, &[tool[0], tool[1], "packages", "find", "where"]) {
        roots.extend(list.iter().filter_map(text));
    }
    // `packages = [{ include = "a", from = "lib" }]`
    if let Some(Value::Array(list)) = at(table, &["tool", "poetry", "packages"]) {
        let from = list.iter().filter_map(|p| p.as_table()?.get("from"));
        roots.extend(from.filter_map(text));
    }
    // The folder above each package that is named by its path.
    let wheel = ["tool", "hatch", "build", "targets", "wheel", "packages"];
    if let Some(Value::Array(list)) = at(table, &wheel) {
        let above = |p: String| p.rsplit_once('/').map(|(up, _)| up.to_owned());
        roots.extend(list.iter().filter_map(text).filter_map(above));
    }
    roots.extend(at(table, &["tool", "pdm", "build", "package-dir"]).and_then(text));
    roots.dedup();
    ManifestFacts::Python { name, roots }
}

/// `package_dir = =src` and `where = src`, in the sections that say where
/// packages are. Each value may stand on lines of its own.
fn setup(text: &str) -> ManifestFacts {
    let (mut section, mut key) = ("", "");
    let mut name = None;
    let mut roots: Vec<String> = Vec::new();
    for line in text.lines() {
        let bare = line.split(['#', ';']).next().unwrap_or(line);
        let trimmed = bare.trim();
        if trimmed.is_empty() {
            continue;
        }
        if let Some(head) = trimmed.strip_prefix('[') {
            section = head.trim_end_matches(']').trim();
            key = "";
            continue;
        }
        let value = if bare.starts_with([' ', '\t']) {
            trimmed
        } else {
            let Some((left, right)) = trimmed.split_once(['=', ':']) else {
                continue;
            };
            key = left.trim();
            right.trim()
        };
        match (section, key) {
            ("metadata", "name") if !value.is_empty() => name = Some(value.to_owned()),
            ("options", "package_dir" | "package-dir") => {
                if let Some((package, dir)) = value.split_once('=')
                    && package.trim().is_empty()
                {
                    roots.push(dir.trim().to_owned());
                }
            }
            ("options.packages.find", "where") if !value.is_empty() => {
                roots.push(value.to_owned());
            }
            _ => {}
        }
    }
    roots.dedup();
    ManifestFacts::Python { name, roots }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(name: &str, text: &str) -> Vec<String> {
        match facts(name, text) {
            ManifestFacts::Python { roots, .. } => roots,
            other => panic!("{other:?}"),
        }
    }

    /// Each build tool says in its own words where packages stand.
    #[test]
    fn folders_that_imports_start_from() {
        let setuptools = "[tool.setuptools.packages.find]\nwhere = [\"lib\"]\n";
        assert_eq!(roots("pyproject.toml", setuptools), ["lib"]);
        let dirs = "[tool.setuptools]\npackage-dir = {\"\" = \"code\"}\n";
        assert_eq!(roots("pyproject.toml", dirs), ["code"]);
        let hatch = "[tool.hatch.build.targets.wheel]\npackages = [\"python/thing\"]\n";
        assert_eq!(roots("pyproject.toml", hatch), ["python"]);
        let cfg = "[metadata]\nname = x\n[options]\npackage_dir =\n    = src\n";
        assert_eq!(roots("setup.cfg", cfg), ["src"]);
        assert!(matches!(
            facts("pyproject.toml", "[broken"),
            ManifestFacts::Unreadable(_)
        ));
    }
}
