//! Manifests are files with facts: what project files say about how names resolve.

mod cargo;
mod python;
mod settings;
mod web;

pub(crate) use settings::NAME as SETTINGS;

use surefoot_facts::ManifestFacts;

/// A manifest larger than this is no manifest a person wrote.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Whether the file at this path is one that [`manifest_facts`] reads.
pub fn is_manifest(path: &str) -> bool {
    let name = file_name(path);
    name == cargo::NAME
        || path == settings::NAME
        || python::is_manifest(name)
        || web::is_manifest(name)
}

/// What a manifest says; `None` when the path is not one.
pub fn manifest_facts(path: &str, bytes: &[u8]) -> Option<ManifestFacts> {
    if !is_manifest(path) {
        return None;
    }
    if bytes.len() > MAX_BYTES {
        return Some(ManifestFacts::Unreadable(format!(
            "larger than {MAX_BYTES} bytes"
        )));
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Some(ManifestFacts::Unreadable("not UTF-8".to_owned()));
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let name = file_name(path);
    if name == cargo::NAME {
        return Some(cargo::facts(text));
    }
    if path == settings::NAME {
        return Some(settings::facts(text));
    }
    if python::is_manifest(name) {
        return Some(python::facts(name, text));
    }
    web::facts(name, text)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
