//! tsconfig.json: which configuration governs a file, what it extends, and the
//! paths it maps.

use super::path::{below, folder, inside, join, upwards};
use std::sync::Arc;
use surefoot_facts::{ManifestFacts, PathReader};

/// How long a chain of `extends` or `references` is followed.
const MAX_CHAIN: usize = 5;
/// How many configurations one question may read.
const MAX_CONFIGS: usize = 64;

/// A value and the folder its paths start from.
type Rooted<T> = (T, String);
/// Patterns and their substitutions, in the order written.
type Mapping = Vec<(String, Vec<String>)>;

/// A configuration with everything it extends folded in; paths are the tree's.
#[derive(Clone, Default, Debug)]
pub(super) struct Config {
    /// The file it was read from.
    pub(super) path: String,
    pub(super) base_url: Option<String>,
    paths: Option<Rooted<Mapping>>,
    files: Option<Rooted<Vec<String>>>,
    include: Option<Rooted<Vec<String>>>,
    exclude: Option<Rooted<Vec<String>>>,
    pub(super) references: Vec<String>,
    pub(super) root_dir: Option<String>,
    pub(super) out_dir: Option<String>,
    /// A configuration it extends stands in the tree and cannot be read.
    pub(super) unreadable: bool,
}

/// The configuration of a file, and whether it lists the file.
#[derive(Clone, Debug)]
pub(super) struct Governing {
    pub(super) config: Config,
    pub(super) covers: bool,
}

/// The nearest configuration above a file that lists it, through references
/// too; otherwise the nearest one.
pub(super) fn governing(reader: &dyn PathReader, file: &str) -> Option<Governing> {
    let mut budget = MAX_CONFIGS;
    let mut nearest = None;
    for dir in upwards(folder(file)) {
        for name in ["tsconfig.json", "jsconfig.json"] {
            let path = inside(dir, name);
            let Some(config) = load(reader, &path, &mut budget) else {
                continue;
            };
            if let Some(config) = lister(reader, &config, file, 0, &mut budget) {
                return Some(Governing {
                    config,
                    covers: true,
                });
            }
            nearest.get_or_insert(Governing {
                config,
                covers: false,
            });
        }
    }
    nearest
}

/// The configuration itself or one it references, whichever lists the file.
fn lister(
    reader: &dyn PathReader,
    config: &Config,
    file: &str,
    depth: usize,
    budget: &mut usize,
) -> Option<Config> {
    if config.lists(file) {
        return Some(config.clone());
    }
    if depth >= MAX_CHAIN {
        return None;
    }
    config.references.iter().find_map(|r| {
        let referenced = load(reader, r, budget)?;
        lister(reader, &referenced, file, depth + 1, budget)
    })
}

/// Reads a configuration and what it extends.
pub(super) fn load(reader: &dyn PathReader, path: &str, budget: &mut usize) -> Option<Config> {
    let mut seen = Vec::new();
    chain(reader, path, &mut seen, budget)
}

fn chain(
    reader: &dyn PathReader,
    path: &str,
    seen: &mut Vec<String>,
    budget: &mut usize,
) -> Option<Config> {
    if seen.len() > MAX_CHAIN || seen.iter().any(|s| s == path) || *budget == 0 {
        return None;
    }
    *budget -= 1;
    let facts: Arc<ManifestFacts> = reader.manifest(path)?;
    let dir = folder(path);
    let mut out = Config {
        path: path.to_owned(),
        ..Config::default()
    };
    let ManifestFacts::TsConfig {
        extends,
        base_url,
        paths,
        references,
        files,
        include,
        exclude,
        root_dir,
        out_dir,
    } = &*facts
    else {
        out.unreadable = true;
        return Some(out);
    };
    seen.push(path.to_owned());
    for spec in extends {
        for base in extended(reader, dir, spec) {
            if let Some(base) = chain(reader, &base, seen, budget) {
                out.inherit(base);
                break;
            }
            // It stands there under a name that is not read as a configuration.
            out.unreadable |= reader.exists(&base) && !seen.contains(&base);
        }
    }
    seen.pop();
    let at = |p: &String| join(dir, p.strip_prefix("${configDir}").unwrap_or(p));
    let list = |l: &Option<Vec<String>>| l.clone().map(|l| (l, dir.to_owned()));
    if let Some(base) = base_url {
        out.base_url = at(base);
    }
    if let Some(paths) = paths {
        let start = match base_url {
            Some(_) => out.base_url.clone(),
            None => None,
        };
        out.paths = Some((paths.clone(), start.unwrap_or_else(|| dir.to_owned())));
    }
    out.files = list(files).or(out.files);
    out.include = list(include).or(out.include);
    out.exclude = list(exclude).or(out.exclude);
    out.root_dir = root_dir.as_ref().and_then(at).or(out.root_dir);
    out.out_dir = out_dir.as_ref().and_then(at).or(out.out_dir);
    // References are never inherited.
    out.references = references
        .iter()
        .filter_map(at)
        .map(|r| {
            if r.ends_with(".json") {
                r
            } else {
                inside(&r, "tsconfig.json")
            }
        })
        .collect();
    Some(out)
}

/// Where an `extends` may lead, in the order it is looked for.
fn extended(reader: &dyn PathReader, dir: &str, spec: &str) -> Vec<String> {
    if spec.starts_with('.') || spec.starts_with('/') {
        let Some(path) = join(dir, spec) else {
            return Vec::new();
        };
        return with_json(path);
    }
    // A package of this tree that holds configurations.
    let (name, rest) = super::package::split(spec);
    let in_tree = super::package::named(reader, name);
    let mut out = Vec::new();
    for home in in_tree {
        match rest {
            "" => out.push(inside(&home, "tsconfig.json")),
            rest => out.extend(with_json(inside(&home, rest))),
        }
    }
    out
}

fn with_json(path: String) -> Vec<String> {
    if path.ends_with(".json") || path.ends_with(".jsonc") {
        return vec![path];
    }
    vec![format!("{path}.json"), inside(&path, "tsconfig.json")]
}

impl Config {
    /// Takes over what `base` says; a later base wins over an earlier one.
    fn inherit(&mut self, base: Config) {
        self.base_url = base.base_url.or(self.base_url.take());
        self.paths = base.paths.or(self.paths.take());
        self.files = base.files.or(self.files.take());
        self.include = base.include.or(self.include.take());
        self.exclude = base.exclude.or(self.exclude.take());
        self.root_dir = base.root_dir.or(self.root_dir.take());
        self.out_dir = base.out_dir.or(self.out_dir.take());
        self.unreadable |= base.unreadable;
    }

    /// Whether the file is one of those this configuration compiles.
    pub(super) fn lists(&self, file: &str) -> bool {
        if let Some((files, dir)) = &self.files
            && files.iter().any(|f| join(dir, f).as_deref() == Some(file))
        {
            return true;
        }
        let dir = folder(&self.path);
        let included = match &self.include {
            Some((patterns, from)) => patterns.iter().any(|p| glob(from, p, file)),
            None => self.files.is_none() && below(file, dir).is_some(),
        };
        if !included {
            return false;
        }
        match &self.exclude {
            Some((patterns, from)) => !patterns.iter().any(|p| glob(from, p, file)),
            None => {
                let built = self.out_dir.as_deref().filter(|d| *d != dir);
                !file
                    .split('/')
                    .any(|s| matches!(s, "node_modules" | "bower_components" | "jspm_packages"))
                    && built.is_none_or(|d| below(file, d).is_none())
            }
        }
    }

    /// The substitutions of the pattern that fits best: an exact one, then the
    /// longest text before its `*`.
    pub(super) fn mapped(&self, spec: &str) -> Option<Vec<String>> {
        let (paths, start) = self.paths.as_ref()?;
        let mut best: Option<(usize, &[String], &str)> = None;
        for (pattern, to) in paths {
            if pattern == spec {
                best = Some((usize::MAX, to, ""));
                break;
            }
            let Some((head, tail)) = pattern.split_once('*') else {
                continue;
            };
            if spec.len() < head.len() + tail.len() {
                continue;
            }
            let star = spec.strip_prefix(head).and_then(|s| s.strip_suffix(tail));
            if let Some(star) = star
                && best.is_none_or(|b| b.0 < head.len() + 1)
            {
                best = Some((head.len() + 1, to, star));
            }
        }
        let (_, to, star) = best?;
        let filled = to.iter().filter_map(|t| {
            let t = t.strip_prefix("${configDir}/").unwrap_or(t);
            join(start, &t.replacen('*', star, 1))
        });
        Some(filled.collect())
    }
}

/// Whether `file` fits a pattern of `include` or `exclude` written in `dir`.
fn glob(dir: &str, pattern: &str, file: &str) -> bool {
    let pattern = pattern.strip_prefix("${configDir}/").unwrap_or(pattern);
    let Some(pattern) = join(dir, pattern) else {
        return false;
    };
    let last = pattern.rsplit('/').next().unwrap_or("");
    let parts: Vec<&str> = pattern.split('/').filter(|p| !p.is_empty()).collect();
    let path: Vec<&str> = file.split('/').collect();
    // A pattern that ends on a plain folder stands for everything below it.
    let whole = !last.contains(['*', '?']) && !last.contains('.');
    let steps = (parts.len() + 1)
        .saturating_mul(path.len() + 1)
        .saturating_mul(4);
    let mut budget = steps.min(1 << 16);
    segments(&parts, &path, whole || last == "**", &mut budget)
}

fn segments(pattern: &[&str], path: &[&str], whole: bool, budget: &mut usize) -> bool {
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    match pattern.split_first() {
        None => path.is_empty() || whole,
        Some((&"**", rest)) => {
            (0..=path.len()).any(|skip| segments(rest, &path[skip..], whole, budget))
        }
        Some((part, rest)) => match path.split_first() {
            Some((name, below)) => wild(part, name) && segments(rest, below, whole, budget),
            None => false,
        },
    }
}

/// `*` and `?` within one name.
pub(super) fn wild(pattern: &str, name: &str) -> bool {
    let (p, n) = (pattern.as_bytes(), name.as_bytes());
    let (mut i, mut j) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while j < n.len() {
        if i < p.len() && p[i] == b'*' {
            back = Some((i, j));
            i += 1;
        } else if i < p.len() && (p[i] == b'?' || p[i] == n[j]) {
            i += 1;
            j += 1;
        } else if let Some((star, at)) = back {
            back = Some((star, at + 1));
            i = star + 1;
            j = at + 1;
        } else {
            return false;
        }
    }
    p[i..].iter().all(|b| *b == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `include` decides which configuration governs a file; each form of it
    /// means what the compiler says it means.
    #[test]
    fn globs_fit_as_the_compiler_says() {
        let yes = [
            ("", "src", "src/a/b.ts"),
            ("app", "src/**/*", "app/src/a/b.ts"),
            ("app", "**/*.ts", "app/x.ts"),
            ("app", "./lib/*.ts", "app/lib/x.ts"),
            ("app", "../common/**/*.ts", "common/a/b.ts"),
            ("", "**/*", "a.ts"),
            ("", "src/?.ts", "src/a.ts"),
        ];
        for (dir, pattern, file) in yes {
            assert!(glob(dir, pattern, file), "{pattern} in {dir:?} fits {file}");
        }
        let no = [
            ("", "src", "lib/a.ts"),
            ("app", "src", "src/a.ts"),
            ("", "src/*.ts", "src/a/b.ts"),
            ("", "srcs", "src/a.ts"),
            ("a", "../../x", "x/a.ts"),
        ];
        for (dir, pattern, file) in no {
            assert!(
                !glob(dir, pattern, file),
                "{pattern} in {dir:?} fits {file}"
            );
        }
    }
}
