//! A workspace at rest: what nobody looks at is put away as bytes, and made again when somebody does.

use super::Workspace;
use crate::change::Pool;
use crate::snapshot::Snapshot;
use crate::state::FileEntry;
use std::sync::Arc;
use surefoot_facts::{FileFacts, Positions};
use surefoot_graph::FileId;

/// So many files are put away between two looks at whether there is something else to do.
const AT_ONCE: usize = 256;

impl Workspace {
    /// Lets go of the index of who read what. Edits look through all that was read instead, and after some of them it
    /// is made again.
    pub fn forget_readers(&mut self) -> bool {
        self.memos.forget_readers()
    }

    /// Puts away the facts of all files that are not `edited`, while `go_on` says that there is time. Publishes a
    /// snapshot of the same revision that holds them so; the memory is free once the older ones are gone. How many
    /// files were put away.
    pub fn put_away(
        &mut self,
        pool: &Pool,
        edited: &dyn Fn(&str) -> bool,
        go_on: &dyn Fn() -> bool,
    ) -> usize {
        let all = self.tables.files.iter();
        let live = all.filter(|(_, state)| {
            let entry = &state.entry;
            let looked_at = entry.facts.items.is_live() || entry.positions.items.is_live();
            looked_at && !entry.prelude && !edited(&entry.path)
        });
        let live: Vec<FileId> = live.map(|(id, _)| id).collect();
        let mut done = 0;
        for some in live.chunks(AT_ONCE) {
            if !go_on() {
                break;
            }
            let db = &self.db;
            let entries = pool.each(some, |id| Some(Arc::new(db.file(*id)?.put_away())));
            for entry in entries.into_iter().flatten() {
                if let Some(state) = self.tables.files.get_mut(entry.id) {
                    state.entry = entry.clone();
                }
                let at = entry.id.index();
                self.db.files[at] = Some(entry);
                done += 1;
            }
        }
        // Tables that are ahead of the published ones are not for others to see.
        if done > 0 && self.pending.is_empty() && self.touched.is_empty() {
            let renewed = Snapshot::renewed(&self.published, self.tables.clone());
            self.published = Arc::new(renewed);
        }
        done
    }
}

impl FileEntry {
    fn put_away(&self) -> FileEntry {
        let facts = FileFacts {
            items: self.facts.items.put_away(),
            ..*self.facts
        };
        let positions = Positions {
            items: self.positions.items.put_away(),
            lines: self.positions.lines.clone(),
        };
        FileEntry {
            facts: Arc::new(facts),
            positions: Arc::new(positions),
            ..self.clone()
        }
    }
}
