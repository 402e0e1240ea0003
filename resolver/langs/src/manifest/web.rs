//! tsconfig.json, package.json and pnpm-workspace.yaml.

use surefoot_facts::ManifestFacts;

pub(super) fn is_manifest(_name: &str) -> bool {
    false
}

pub(super) fn facts(_name: &str, _text: &str) -> Option<ManifestFacts> {
    None
}
