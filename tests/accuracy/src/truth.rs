//! What a judge says of each call site: the schema of `tests/accuracy/README.md`, and the check that it points at names.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::{Context, Result};

/// Where a definition's name stands, relative to the analysed folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, serde::Serialize)]
pub struct Place(pub String, pub u32);

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.0, self.1)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub enum Class {
    /// Bound to a definition in the tree.
    #[serde(rename = "IN")]
    In,
    /// Declared in the tree, dispatched when it runs.
    #[serde(rename = "DYN")]
    Dyn,
    /// Defined outside the tree.
    #[serde(rename = "EXT")]
    Ext,
    /// A function value: no definition is named.
    #[serde(rename = "IND")]
    Ind,
    /// The judge has no answer; left out of every rate.
    #[serde(rename = "UN")]
    Un,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub struct Caller {
    #[serde(default)]
    pub name: String,
    pub file: String,
    #[serde(default)]
    pub line: u32,
    /// Code of a module or of a static initialiser.
    #[serde(default)]
    pub module: bool,
    /// The module-level code stands in a class body.
    #[serde(default)]
    pub in_class: bool,
    /// Another function that may rightly be called the caller: one assigned to a member.
    pub also: Option<Box<Caller>>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Site {
    pub file: String,
    pub line: u32,
    /// 1-based, in UTF-8 bytes.
    pub col: u32,
    pub name: String,
    pub class: Class,
    pub caller: Caller,
    #[serde(default)]
    pub targets: Vec<Place>,
    /// Right too when overloads are not told apart.
    #[serde(default)]
    pub near: Vec<Place>,
    /// Members of the tree that may run at a dispatched site.
    #[serde(default)]
    pub impls: Vec<Place>,
    #[serde(default)]
    pub callee: String,
    #[serde(default)]
    pub implicit: bool,
    #[serde(default, rename = "macro")]
    pub from_macro: bool,
    #[serde(default)]
    pub form: String,
}

impl Site {
    /// Whether the callee's name stands in the source text and the judge has an answer.
    pub fn counts(&self) -> bool {
        !self.implicit && !self.from_macro && !self.name.is_empty()
    }
}

#[derive(Debug, Default)]
pub struct Truth {
    pub sites: Vec<Site>,
}

impl Truth {
    pub fn load(path: &Path) -> Result<Truth> {
        let text = fs::read_to_string(path).context(path.display())?;
        let mut sites = Vec::new();
        for (n, line) in text.lines().enumerate() {
            let site =
                serde_json::from_str(line).context(format_args!("{}:{}", path.display(), n + 1))?;
            sites.push(site);
        }
        Ok(Truth { sites })
    }
}

/// How many names stand where the truth says they do.
#[derive(Debug, Default)]
pub struct NameCheck {
    pub sites: usize,
    pub sites_right: usize,
    pub targets: usize,
    pub targets_right: usize,
    pub wrong: Vec<String>,
}

impl NameCheck {
    pub fn sites_share(&self) -> f64 {
        share(self.sites_right, self.sites)
    }

    pub fn targets_share(&self) -> f64 {
        share(self.targets_right, self.targets)
    }

    pub fn describe(&self) -> String {
        let mut text = format!(
            "names: {} of {} stand at their site, {} of {} on the line of their definition",
            self.sites_right, self.sites, self.targets_right, self.targets
        );
        for w in self.wrong.iter().take(5) {
            text.push_str("\n  not so: ");
            text.push_str(w);
        }
        text
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        1.0
    } else {
        part as f64 / whole as f64
    }
}

/// The lines of the files of one analysed folder, read once each.
pub struct Lines<'a> {
    root: &'a Path,
    files: HashMap<String, Vec<String>>,
}

impl<'a> Lines<'a> {
    pub fn new(root: &'a Path) -> Self {
        Lines {
            root,
            files: HashMap::new(),
        }
    }

    /// A 1-based line, empty when there is none.
    pub fn line(&mut self, file: &str, line: u32) -> &str {
        let lines = self.file(file);
        line.checked_sub(1)
            .and_then(|l| lines.get(l as usize))
            .map_or("", String::as_str)
    }

    pub fn file(&mut self, file: &str) -> &[String] {
        if !self.files.contains_key(file) {
            let bytes = fs::read(self.root.join(file)).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            self.files
                .insert(file.to_owned(), text.lines().map(str::to_owned).collect());
        }
        &self.files[file]
    }
}

/// Checks that each site's name stands at its line and column, and each callee's simple name on its target's line.
pub fn check_names(truth: &Truth, root: &Path) -> NameCheck {
    let mut lines = Lines::new(root);
    let mut check = NameCheck::default();
    for site in truth.sites.iter().filter(|s| s.counts()) {
        check.sites += 1;
        let at = (site.col as usize).saturating_sub(1);
        if lines
            .line(&site.file, site.line)
            .get(at..)
            .is_some_and(|rest| rest.starts_with(&site.name))
        {
            check.sites_right += 1;
        } else {
            check.wrong.push(format!(
                "{} at {}:{}:{}",
                site.name, site.file, site.line, site.col
            ));
        }
        if matches!(site.class, Class::In | Class::Dyn) {
            let Some(target) = site.targets.first() else {
                continue;
            };
            let simple = simple_name(&site.callee);
            check.targets += 1;
            let line = lines.line(&target.0, target.1);
            if simple.is_empty() || line.contains(simple) {
                check.targets_right += 1;
            } else {
                check
                    .wrong
                    .push(format!("{} on {target}: {}", site.callee, line.trim()));
            }
        }
    }
    check
}

/// The last part of a qualified name.
pub fn simple_name(qualified: &str) -> &str {
    let last = qualified.rsplit("::").next().unwrap_or(qualified);
    let last = last.rsplit('.').next().unwrap_or(last);
    last.trim_start_matches("r#")
        .trim_matches(['"', '\'', '`', '[', ']'])
}
