//! Who calls whom: placed callers and callees, possible ones apart, and whether
//! a list may be short.

use super::{FileState, Snapshot, Uses};
use crate::links::Link;
use rustc_hash::FxHashMap;
use surefoot_facts::{ManifestFacts, Name};
use surefoot_graph::{FileId, Rule, SiteId, SiteKind, SymbolId, Tier};

/// One site of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallSite {
    pub site: SiteId,
    pub kind: SiteKind,
    pub tier: Tier,
    pub rule: Rule,
}

impl CallSite {
    /// The least is what a one-line answer quotes: the first of the best, a call before a name.
    pub(crate) fn worth(&self) -> (std::cmp::Reverse<Tier>, bool, SiteId) {
        (
            std::cmp::Reverse(self.tier),
            !self.kind.is_call(),
            self.site,
        )
    }
}

/// One symbol at the other end, with every site of the way there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The caller or the callee.
    pub symbol: SymbolId,
    /// The best tier of its sites, and the rule of that site.
    pub tier: Tier,
    pub rule: Rule,
    /// In source order; never empty.
    pub sites: Vec<CallSite>,
    /// The caller is a test or stands in a file of tests.
    pub test: bool,
}

/// Callers or callees of a symbol. A symbol may stand in both lists: what may
/// run is counted apart from what does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Calls {
    /// Certain and likely.
    pub placed: Vec<Group>,
    pub possible: Vec<Group>,
}

/// Why a caller list may be short. All zero: it is not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Floor {
    /// Unplaced calls of the same name, in languages that could mean it.
    pub unplaced: u32,
    /// Calls of the same name with more possible targets than are listed.
    pub capped: u32,
    /// Files of the tree that were not read.
    pub unread: u32,
    /// Files whose resolution failed.
    pub failed: u32,
    /// Manifests that could not be read.
    pub manifests: u32,
}

impl Floor {
    pub fn is_floor(&self) -> bool {
        *self != Floor::default()
    }

    /// One clause per reason, for a person.
    pub fn reasons(&self, name: &str) -> Vec<String> {
        let mut out = Vec::new();
        let mut say = |n: u32, one: &str, many: &str| {
            if n > 0 {
                let what = if n == 1 { one } else { many };
                out.push(what.replace("{n}", &n.to_string()).replace("{name}", name));
            }
        };
        say(
            self.unplaced,
            "1 call of `{name}` is not placed",
            "{n} calls of `{name}` are not placed",
        );
        say(
            self.capped,
            "1 call of `{name}` has more possible targets than are listed",
            "{n} calls of `{name}` have more possible targets than are listed",
        );
        say(
            self.unread,
            "1 file was not read",
            "{n} files were not read",
        );
        say(
            self.failed,
            "the calls of 1 file could not be resolved",
            "the calls of {n} files could not be resolved",
        );
        say(
            self.manifests,
            "1 manifest could not be read",
            "{n} manifests could not be read",
        );
        out
    }
}

/// What may hide callers from any list: for every family of languages, and by
/// family.
pub(super) struct Hidden {
    unread: (u32, FxHashMap<u8, u32>),
    failed: (u32, FxHashMap<u8, u32>),
    manifests: u32,
}

impl Hidden {
    pub(super) fn count(s: &Snapshot) -> Hidden {
        let mut unread: (u32, FxHashMap<u8, u32>) = Default::default();
        for file in s.t.unread.values() {
            match file.language {
                None => unread.0 += 1,
                Some(l) => *unread.1.entry(s.family(l)).or_default() += 1,
            }
        }
        let mut failed: (u32, FxHashMap<u8, u32>) = Default::default();
        for file in s.t.poisoned.iter().filter_map(|f| s.file(f)) {
            *failed.1.entry(s.family(file.language)).or_default() += 1;
        }
        let manifests = s.t.manifests.values();
        let unreadable =
            |m: &&std::sync::Arc<ManifestFacts>| matches!(***m, ManifestFacts::Unreadable(_));
        Hidden {
            unread,
            failed,
            manifests: manifests.filter(unreadable).count() as u32,
        }
    }
}

impl Snapshot {
    /// Everyone who calls a symbol, by file and position of the caller.
    pub fn callers(&self, id: SymbolId) -> Calls {
        let mut calls = Calls::default();
        for (file, state) in self.files_naming(id) {
            let links = state.links.to(id);
            for run in links.chunk_by(|a, b| a.caller == b.caller) {
                let placed = run.iter().filter(|l| l.is_edge());
                calls
                    .placed
                    .extend(group(run[0].caller, file, placed.copied()));
                let possible = run.iter().filter(|l| l.is_possible());
                let possible = possible.map(|l| l.as_possible());
                calls.possible.extend(group(run[0].caller, file, possible));
            }
        }
        self.sort_groups(&mut calls.placed);
        self.sort_groups(&mut calls.possible);
        calls
    }

    /// Everyone a symbol calls, by the first call.
    pub fn callees(&self, id: SymbolId) -> Calls {
        let Some(state) = self.decl(id).and_then(|d| self.state(d.loc.file)) else {
            return Calls::default();
        };
        let file = state.entry.id;
        let collect = |want: fn(&Link) -> bool, shown: fn(Link) -> Link| {
            let mut order: Vec<SymbolId> = Vec::new();
            let mut by: FxHashMap<SymbolId, Vec<Link>> = FxHashMap::default();
            for link in state.links.from(id).filter(|l| want(l)) {
                let link = shown(*link);
                let list = by.entry(link.callee).or_default();
                if list.is_empty() {
                    order.push(link.callee);
                }
                list.push(link);
            }
            // One call may run several: by place in the tree then, not by id.
            order.sort_by_cached_key(|c| (by[c][0].site, self.order_key(*c)));
            let all = order.into_iter();
            all.filter_map(|callee| group(callee, file, by[&callee].iter().copied()))
                .collect()
        };
        Calls {
            placed: collect(Link::is_edge, |l| l),
            possible: collect(Link::is_possible, Link::as_possible),
        }
    }

    /// How many distinct symbols it calls, certain and likely.
    pub fn fan_out(&self, id: SymbolId) -> u32 {
        let Some(state) = self.decl(id).and_then(|d| self.state(d.loc.file)) else {
            return 0;
        };
        let calls = state.links.from(id).filter(|l| l.is_edge());
        let mut callees: Vec<SymbolId> = calls.map(|l| l.callee).collect();
        callees.sort_unstable();
        callees.dedup();
        callees.len() as u32
    }

    /// Sites that name a symbol without calling it, of the kinds asked for, by
    /// the symbol around them.
    pub fn mentions(&self, id: SymbolId, want: impl Fn(SiteKind) -> bool) -> Vec<Group> {
        let mut out = Vec::new();
        for (file, state) in self.files_naming(id) {
            let links = state.links.to(id);
            for run in links.chunk_by(|a, b| a.caller == b.caller) {
                let own = run.iter().filter(|l| !l.kind.is_call() && want(l.kind));
                out.extend(group(run[0].caller, file, own.copied()));
            }
        }
        self.sort_groups(&mut out);
        out
    }

    /// Where a function or type is used as a value: passed, stored, returned.
    pub fn value_uses(&self, id: SymbolId) -> Vec<Group> {
        self.mentions(id, |kind| kind == SiteKind::Value)
    }

    /// The unplaced calls that might be calls of this symbol: of its name, in
    /// languages that can call it, and not already listed as possible.
    pub fn unplaced_of(&self, id: SymbolId) -> Vec<SiteId> {
        let Some(d) = self.decl(id) else {
            return Vec::new();
        };
        let name = d.name();
        let Some(bucket) = self.t.buckets.get(name).filter(|_| !name.is_empty()) else {
            return Vec::new();
        };
        let family = self.family(d.file.language);
        self.collect_unplaced(bucket.gap_files.iter(), name, |state, site| {
            self.family(state.entry.language) == family
                && !state.links.to(id).iter().any(|l| l.site == site)
        })
    }

    fn collect_unplaced(
        &self,
        files: impl Iterator<Item = FileId>,
        name: Name,
        want: impl Fn(&FileState, u32) -> bool,
    ) -> Vec<SiteId> {
        let mut out = Vec::new();
        for file in files {
            let Some(state) = self.state(file) else {
                continue;
            };
            for gap in state.links.gaps_named(name) {
                if gap.is_open() && want(state, gap.site) {
                    out.push(SiteId {
                        file,
                        index: gap.site,
                    });
                }
            }
        }
        self.sort_sites(&mut out);
        out.dedup();
        out
    }

    /// Calls inside a symbol that are not placed, in source order.
    pub fn gaps_in(&self, id: SymbolId) -> Vec<SiteId> {
        let Some(state) = self.decl(id).and_then(|d| self.state(d.loc.file)) else {
            return Vec::new();
        };
        let file = state.entry.id;
        let own = state
            .links
            .gaps()
            .iter()
            .filter(|g| g.caller == id && g.is_open() && !g.alias);
        let mut out: Vec<SiteId> = own
            .map(|g| SiteId {
                file,
                index: g.site,
            })
            .collect();
        out.sort_unstable();
        out
    }

    /// Whether the caller list of a symbol may be short, and why. Costs nothing
    /// that grows with the tree.
    pub fn floor(&self, id: SymbolId) -> Floor {
        let Some(d) = self.decl(id) else {
            return Floor::default();
        };
        let family = self.family(d.file.language);
        let name = d.name();
        let (unplaced, capped) = if name.is_empty() {
            (0, 0)
        } else {
            let bucket = self.t.buckets.get(name);
            bucket.map_or((0, 0), |b| b.gaps_of(family))
        };
        let listed = self.uses(id).map_or(0, |u| u.own_name_gaps);
        let hidden = self.hidden();
        let of = |(any, by): &(u32, FxHashMap<u8, u32>)| any + by.get(&family).unwrap_or(&0);
        Floor {
            unplaced: unplaced.saturating_sub(listed),
            capped,
            unread: of(&hidden.unread),
            failed: of(&hidden.failed),
            manifests: hidden.manifests,
        }
    }

    /// The symbol that counts as caller of a site.
    pub fn caller_of(&self, site: SiteId) -> Option<SymbolId> {
        let entry = self.file(site.file)?;
        let (at, _) = entry.site_at(site.index)?;
        let (s, item) = self.site(site)?;
        Some(crate::links::named_caller(entry, at, item, s.caller).0)
    }

    /// Sorts by path, then position.
    pub fn sort_sites(&self, sites: &mut [SiteId]) {
        sites.sort_by_cached_key(|&s| {
            let path = self.file(s.file).map(|f| f.path.clone());
            (path, self.site_place(s).map(|p| p.span), s.index)
        });
    }

    fn files_naming(&self, id: SymbolId) -> impl Iterator<Item = (FileId, &FileState)> + '_ {
        let files = self.uses(id).map(|u: &Uses| &u.files);
        let all = files.into_iter().flat_map(|f| f.iter());
        all.filter_map(|file| Some((file, self.state(file)?)))
    }

    fn sort_groups(&self, groups: &mut [Group]) {
        groups.sort_by_cached_key(|g| self.order_key(g.symbol));
    }
}

fn group(symbol: SymbolId, file: FileId, links: impl Iterator<Item = Link>) -> Option<Group> {
    let mut test = false;
    let mut sites: Vec<CallSite> = links
        .map(|l| {
            test |= l.in_test();
            CallSite {
                site: SiteId {
                    file,
                    index: l.site,
                },
                kind: l.kind,
                tier: l.tier,
                rule: l.rule,
            }
        })
        .collect();
    sites.sort_unstable_by_key(|s| (s.site, std::cmp::Reverse(s.tier)));
    let best = sites.iter().min_by_key(|s| s.worth())?;
    let (tier, rule) = (best.tier, best.rule);
    Some(Group {
        symbol,
        tier,
        rule,
        sites,
        test,
    })
}
