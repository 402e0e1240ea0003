//! The links of a file after an edit, from those before it and from the items
//! that were resolved again.

use super::build::{Build, by_caller};
use super::{FileLinks, Gap, ImportLink, Link};
use crate::resolve::Plan;
use crate::state::Db;
use std::sync::Arc;
use surefoot_facts::Name;
use surefoot_graph::SymbolId;

/// Where the links of two versions may differ; each sorted, each once.
#[derive(Default)]
pub(crate) struct Changed {
    pub callees: Vec<SymbolId>,
    /// Names of gaps.
    pub names: Vec<Name>,
}

impl FileLinks {
    /// These links after an edit. `build` has the items of the plan that are
    /// fresh; the file stands in `db` as it is now.
    pub(crate) fn spliced(
        &self,
        db: &Db,
        plan: &Plan,
        mut build: Build<'_>,
        imports: Arc<[ImportLink]>,
    ) -> (FileLinks, Changed) {
        build.sort();
        let mut changed = Changed::default();
        let (links, places) = self.links_after(plan, &build.links, &mut changed);
        let out = self.out_after(&links, &places);
        let mut gaps: Vec<Gap> = Vec::with_capacity(self.gaps.len() + build.gaps.len());
        let mut fresh = build.gaps.into_iter().peekable();
        for gap in &self.gaps {
            let Some(site) = plan.moved(gap.site) else {
                changed.names.push(gap.name);
                continue;
            };
            let gap = Gap { site, ..*gap };
            while let Some(new) = fresh.next_if(|new| *new < gap) {
                changed.names.push(new.name);
                gaps.push(new);
            }
            gaps.push(gap);
        }
        for new in fresh {
            changed.names.push(new.name);
            gaps.push(new);
        }
        let is_fresh = |item: u32| plan.fresh.binary_search_by_key(&item, |f| f.0).is_ok();
        let stays = |says: SymbolId| {
            let at = db.symbol(says).map(|(.., loc)| loc.item);
            at.is_some_and(|item| !is_fresh(item))
        };
        let mut kin = build.kin;
        kin.extend(self.kin.iter().filter(|k| stays(k.says)));
        kin.sort_unstable();
        let mut stated = build.stated;
        stated.extend(self.stated.iter().filter(|s| stays(s.says)));
        stated.sort_unstable_by_key(|s| (s.says, s.index));
        changed.callees.sort_unstable();
        changed.callees.dedup();
        changed.names.sort_unstable();
        changed.names.dedup();
        let spliced = FileLinks {
            links: links.into(),
            out: out.into(),
            gaps: gaps.into(),
            kin: kin.into(),
            stated: stated.into(),
            imports,
        };
        (spliced, changed)
    }

    /// The links of both kinds in order, and where each older one stands now.
    fn links_after(
        &self,
        plan: &Plan,
        fresh: &[Link],
        changed: &mut Changed,
    ) -> (Vec<Link>, Vec<u32>) {
        let mut links: Vec<Link> = Vec::with_capacity(self.links.len() + fresh.len());
        let mut places = vec![GONE; self.links.len()];
        let mut fresh = fresh.iter().copied().peekable();
        for (link, place) in self.links.iter().zip(&mut places) {
            let Some(site) = plan.moved(link.site) else {
                changed.callees.push(link.callee);
                continue;
            };
            let link = Link { site, ..*link };
            while let Some(new) = fresh.next_if(|new| *new < link) {
                changed.callees.push(new.callee);
                links.push(new);
            }
            *place = links.len() as u32;
            links.push(link);
        }
        for new in fresh {
            changed.callees.push(new.callee);
            links.push(new);
        }
        (links, places)
    }

    /// The order by caller of links, of which `places` came from older ones.
    fn out_after(&self, links: &[Link], places: &[u32]) -> Vec<u32> {
        let mut old = vec![false; links.len()];
        for &place in places.iter().filter(|p| **p != GONE) {
            old[place as usize] = true;
        }
        let mut fresh: Vec<u32> = (0..links.len() as u32)
            .filter(|&i| !old[i as usize])
            .collect();
        let key = |i: u32| by_caller(&links[i as usize]);
        fresh.sort_unstable_by_key(|&i| key(i));
        let mut fresh = fresh.into_iter().peekable();
        let mut out = Vec::with_capacity(links.len());
        for &i in &self.out {
            let place = places[i as usize];
            if place == GONE {
                continue;
            }
            while let Some(new) = fresh.next_if(|&new| key(new) < key(place)) {
                out.push(new);
            }
            out.push(place);
        }
        out.extend(fresh);
        out
    }
}

/// A link that is not there any more.
const GONE: u32 = u32::MAX;
