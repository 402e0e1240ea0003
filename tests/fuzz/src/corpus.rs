//! Where inputs begin: real sources, fixtures, manifests, a report.

use std::path::{Path, PathBuf};
use surefoot_fixture::parse;

/// One text to start from; its name says what it is.
#[derive(Clone)]
pub struct Seed {
    pub path: String,
    pub text: String,
}

/// Files taken from other people's code.
const MAX_FILES: usize = 400;

/// Longer ones are rarely worth their time.
const MAX_BYTES: u64 = 200 * 1024;

/// Sources and manifests: the fixtures, and what stands in the package cache of
/// cargo when there is one.
pub fn seeds() -> Vec<Seed> {
    let mut out = Vec::new();
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    for language in ["rust", "typescript"] {
        let folder = own.join("../../resolver/langs/src").join(language);
        for path in files(&folder.join("fixtures"), 1_000) {
            let fixture = std::fs::read_to_string(&path)
                .ok()
                .map(|t| parse::parse(&t));
            for file in fixture.into_iter().flatten().flat_map(|f| f.files) {
                out.push(Seed {
                    path: file.path.clone(),
                    text: file.text(),
                });
            }
        }
        for path in files(&folder, 100) {
            out.extend(seed(&path));
        }
    }
    if let Some(home) = std::env::var_os("CARGO_HOME").or_else(|| {
        let home = std::env::var_os("HOME")?;
        Some(PathBuf::from(home).join(".cargo").into_os_string())
    }) {
        for path in files(&PathBuf::from(home).join("registry/src"), MAX_FILES) {
            out.extend(seed(&path));
        }
    }
    out
}

fn seed(path: &Path) -> Option<Seed> {
    let name = path.file_name()?.to_str()?.to_owned();
    let known = surefoot_langs::of_path(&name).is_some() || surefoot_langs::is_manifest(&name);
    if !known || std::fs::metadata(path).ok()?.len() > MAX_BYTES {
        return None;
    }
    let text = std::fs::read_to_string(path).ok()?;
    Some(Seed { path: name, text })
}

/// Files below a folder, in the order of their paths, spread over it when there
/// are more than asked for.
fn files(folder: &Path, most: usize) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut queue = vec![folder.to_owned()];
    while let Some(at) = queue.pop() {
        let list = std::fs::read_dir(&at).into_iter().flatten().flatten();
        for entry in list {
            match entry.file_type() {
                Ok(t) if t.is_dir() => queue.push(entry.path()),
                Ok(t) if t.is_file() => out.push(entry.path()),
                _ => {}
            }
        }
        if out.len() > 20_000 {
            break;
        }
    }
    out.sort();
    let step = out.len().div_ceil(most.max(1)).max(1);
    out.into_iter().step_by(step).collect()
}
