//! A bounded answer cut from a report, which says what it left out.
//!
//! A family that was not asked for is absent, never empty: an empty list means
//! that there were none. What tells a reader that facts are missing rides in
//! every view: skipped files, partial stages, provenance, the id.

use crate::cut::Cut;
use crate::model::{Entity, Report};
use crate::refusal::Refusal;
use crate::text::{Digest, Sorted};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

macro_rules! families {
    ($($name:ident $word:literal),* $(,)?) => {
        /// A part of a report that can be asked for.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Family { $($name),* }

        impl Family {
            pub const ALL: &'static [Family] = &[$(Family::$name),*];

            pub fn word(self) -> &'static str {
                match self { $(Family::$name => $word),* }
            }
        }
    };
}

families! {
    Entities "entities",
    EntityBodies "entity_bodies",
    Dependencies "dependencies",
    Calls "calls",
    Metrics "metrics",
    Scores "scores",
    Reachability "reachability",
    Manifest "manifest",
}

impl Family {
    /// The families that a comma-separated list names.
    pub fn parse_list(text: &str) -> Result<Vec<Family>, Refusal> {
        let mut out = Vec::new();
        for word in text.split(',').map(str::trim).filter(|w| !w.is_empty()) {
            let family = Family::ALL.iter().find(|f| f.word() == word);
            let family = family.ok_or_else(|| {
                let known: Vec<_> = Family::ALL.iter().map(|f| f.word()).collect();
                let known = known.join(", ");
                let message = format!("There is no family `{word}`. There are: {known}.");
                Refusal::new("invalid_request", message)
            })?;
            out.push(*family);
        }
        if out.is_empty() {
            return Err(Refusal::new("invalid_request", "No family is named."));
        }
        // A body has nowhere to stand without its entity.
        if out.contains(&Family::EntityBodies) {
            out.push(Family::Entities);
        }
        out.sort_unstable();
        out.dedup();
        Ok(out)
    }
}

/// A report, cut down to some families and to so many rows of each list.
pub struct View<'a> {
    pub report: &'a Report,
    pub selected: &'a [Family],
    pub max_items: Option<usize>,
}

#[derive(Serialize)]
struct Declared {
    of: Digest,
    selected: Vec<&'static str>,
    omitted: Vec<&'static str>,
    truncated: Vec<Cut>,
}

impl View<'_> {
    fn has(&self, family: Family) -> bool {
        self.selected.contains(&family)
    }

    fn kept(&self, total: usize) -> usize {
        self.max_items.map_or(total, |max| max.min(total))
    }

    /// Every list of the selected families, with its length.
    fn lists(&self) -> Vec<(&'static str, usize)> {
        let r = self.report;
        let all = [
            (Family::Entities, "entities", r.entities.len()),
            (Family::Calls, "call_edges", r.call_edges.len()),
            (Family::Dependencies, "dependencies", r.dependencies.len()),
            (
                Family::Dependencies,
                "dependency_cycles",
                r.dependency_cycles.len(),
            ),
            (
                Family::Metrics,
                "metrics_by_entity",
                r.metrics_by_entity.len(),
            ),
            (Family::Scores, "hotspots", r.hotspots.len()),
            (Family::Scores, "bridge_nodes", r.bridge_nodes.len()),
            (
                Family::Reachability,
                "reachable_from_entry",
                r.reachable_from_entry.len(),
            ),
            (Family::Manifest, "file_hashes", r.file_hashes.len()),
            (Family::Manifest, "config_inputs", r.config_inputs.len()),
            (
                Family::Manifest,
                "config_selections",
                r.config_selections.len(),
            ),
        ];
        let selected = all.into_iter().filter(|(family, ..)| self.has(*family));
        selected.map(|(_, field, len)| (field, len)).collect()
    }

    fn declared(&self) -> Declared {
        let words = |of: bool| {
            let all = Family::ALL.iter().filter(|f| self.has(**f) == of);
            all.map(|f| f.word()).collect()
        };
        let lists = self.lists().into_iter();
        Declared {
            of: self.report.snapshot_id,
            selected: words(true),
            omitted: words(false),
            truncated: lists
                .filter(|(_, total)| self.kept(*total) < *total)
                .map(|(field, total)| Cut {
                    field: field.to_owned(),
                    kept: self.kept(total),
                    total,
                })
                .collect(),
        }
    }
}

impl Serialize for View<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let r = self.report;
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("view", &self.declared())?;
        map.serialize_entry("version", &r.version)?;
        map.serialize_entry("snapshot_id", &r.snapshot_id)?;
        map.serialize_entry("is_complete", &r.is_complete)?;
        map.serialize_entry("analyzer_provenance", &r.analyzer_provenance)?;
        if self.has(Family::Entities) {
            let rows = Entities {
                rows: &r.entities[..self.kept(r.entities.len())],
                bodies: self.has(Family::EntityBodies),
            };
            map.serialize_entry("entities", &rows)?;
        }
        if self.has(Family::Calls) {
            let rows = &r.call_edges[..self.kept(r.call_edges.len())];
            map.serialize_entry("call_edges", rows)?;
        }
        if self.has(Family::Dependencies) {
            let rows = &r.dependencies[..self.kept(r.dependencies.len())];
            map.serialize_entry("dependencies", rows)?;
            let rows = &r.dependency_cycles[..self.kept(r.dependency_cycles.len())];
            map.serialize_entry("dependency_cycles", rows)?;
        }
        if self.has(Family::Metrics) {
            let kept = self.kept(r.metrics_by_entity.len());
            map.serialize_entry("metrics_by_entity", &First(&r.metrics_by_entity, kept))?;
        }
        if self.has(Family::Scores) {
            let rows = &r.hotspots[..self.kept(r.hotspots.len())];
            map.serialize_entry("hotspots", rows)?;
            let rows = &r.bridge_nodes[..self.kept(r.bridge_nodes.len())];
            map.serialize_entry("bridge_nodes", rows)?;
            map.serialize_entry("fragility", &r.fragility)?;
            map.serialize_entry("risk_index", &r.risk_index)?;
            if let Some(coverage) = &r.doc_coverage {
                map.serialize_entry("doc_coverage", coverage)?;
            }
            map.serialize_entry("production", &r.production)?;
        }
        if self.has(Family::Reachability) {
            let rows = &r.reachable_from_entry[..self.kept(r.reachable_from_entry.len())];
            map.serialize_entry("reachable_from_entry", rows)?;
        }
        if self.has(Family::Manifest) {
            let kept = self.kept(r.file_hashes.len());
            map.serialize_entry("file_hashes", &First(&r.file_hashes, kept))?;
            let rows = &r.config_inputs[..self.kept(r.config_inputs.len())];
            map.serialize_entry("config_inputs", rows)?;
            let rows = &r.config_selections[..self.kept(r.config_selections.len())];
            map.serialize_entry("config_selections", rows)?;
        }
        map.serialize_entry("skipped_files", &r.skipped_files)?;
        map.serialize_entry("partial_analysis", &r.partial_analysis)?;
        map.end()
    }
}

struct First<'a, V>(&'a Sorted<V>, usize);

impl<V: Serialize> Serialize for First<'_, V> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_map(self.0.iter().take(self.1))
    }
}

struct Entities<'a> {
    rows: &'a [Entity],
    bodies: bool,
}

impl Serialize for Entities<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut list = s.serialize_seq(Some(self.rows.len()))?;
        for row in self.rows {
            if self.bodies || row.body_features.is_none() {
                list.serialize_element(row)?;
            } else {
                let bare = Entity {
                    body_features: None,
                    ..row.clone()
                };
                list.serialize_element(&bare)?;
            }
        }
        list.end()
    }
}
