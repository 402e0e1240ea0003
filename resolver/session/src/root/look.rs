//! Answers to what resolution asks of places the walk does not keep.

use std::sync::Arc;
use surefoot_engine::{Change, Presence};
use surefoot_facts::ManifestFacts;
use surefoot_files::{Digest, RelPath, Root, exists, read_through_links};

/// A manifest larger than this is not read.
const MAX_MANIFEST_BYTES: u64 = 4 << 20;

/// What stands at a path that resolution asked for.
pub(super) fn look(root: &Root, path: &Arc<str>) -> (Vec<Change>, Option<Digest>) {
    let presence = |presence| Change::Presence {
        path: path.clone(),
        presence,
    };
    let gone = |presence_now| {
        let path = path.clone();
        (
            vec![Change::RemoveManifest { path }, presence(presence_now)],
            None,
        )
    };
    let manifest = |facts: ManifestFacts, digest| {
        let change = Change::Manifest {
            path: path.clone(),
            facts: Arc::new(facts),
        };
        (vec![change, presence(Presence::Present)], digest)
    };
    let is_manifest = surefoot_langs::is_manifest(path);
    let outside = || {
        let why = "it lies outside the analysed folder".to_owned();
        manifest(ManifestFacts::Unreadable(why), None)
    };
    let Ok(rel) = RelPath::new(path) else {
        return if is_manifest {
            outside()
        } else {
            gone(Presence::Unreadable)
        };
    };
    match exists(root, &rel) {
        surefoot_files::Presence::Absent => gone(Presence::Absent),
        surefoot_files::Presence::File if is_manifest => {
            match read_through_links(root, &rel, MAX_MANIFEST_BYTES) {
                Ok(text) => {
                    let facts = surefoot_langs::manifest_facts(path, text.text.as_bytes());
                    let unread = || ManifestFacts::Unreadable("not a manifest".to_owned());
                    manifest(facts.unwrap_or_else(unread), Some(text.digest))
                }
                Err(skip) => manifest(ManifestFacts::Unreadable(skip.reason), None),
            }
        }
        surefoot_files::Presence::Outside if is_manifest => outside(),
        surefoot_files::Presence::File | surefoot_files::Presence::Dir => {
            (vec![presence(Presence::Present)], None)
        }
        surefoot_files::Presence::Unreadable | surefoot_files::Presence::Outside => {
            gone(Presence::Unreadable)
        }
    }
}
