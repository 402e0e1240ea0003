//! What one file contributes to the edge layer: its placed sites by target, its
//! gaps by name, its heritage by base.

mod imports;

pub use imports::ImportLink;
pub(crate) use imports::import_around;

use crate::resolve::{FileEdges, stated_bases};
use crate::state::{Ctx, Db, FileEntry};
use rustc_hash::FxHashMap;
use surefoot_facts::{
    Expr, ExprIdx, Flags, HeritageKind, ItemFacts, Name, SymIdx, Symbol, Ty, TyIdx,
};
use surefoot_graph::{
    Cause, FileId, Outcome, Resolution, Rule, SiteId, SiteKind, SymbolId, SymbolKind, Tier,
};

/// One site's way to one symbol. A site with candidates has one per candidate.
/// The order is that of the fields: by target, then by caller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Link {
    pub callee: SymbolId,
    /// The innermost named symbol around; a module for top-level code.
    pub caller: SymbolId,
    pub kind: SiteKind,
    pub tier: Tier,
    pub rule: Rule,
    /// The site's index in its file.
    pub site: u32,
    pub(crate) bits: u8,
}

impl Link {
    /// The caller is a test, or stands in a file of tests.
    const TEST: u8 = 1;
    /// The site is unplaced and written with the callee's own name: it stands
    /// in the callee's bucket, too.
    const OWN_NAME: u8 = 2;
    /// The site gives a function away as a value: whoever gets it may run it.
    const GIVEN: u8 = 4;

    pub fn in_test(&self) -> bool {
        self.bits & Link::TEST != 0
    }

    /// The target runs for certain or by a stated convention.
    pub fn is_edge(&self) -> bool {
        self.kind.is_call() && self.tier > Tier::Possible
    }

    /// The target may run.
    pub fn is_possible(&self) -> bool {
        self.bits & Link::GIVEN != 0 || self.kind.is_call() && self.tier == Tier::Possible
    }

    /// A possible link as lists of callers show it: that a function is named
    /// is certain, that it runs is not.
    pub(crate) fn as_possible(mut self) -> Link {
        if self.bits & Link::GIVEN != 0 {
            (self.tier, self.rule) = (Tier::Possible, Rule::ValueFlow);
        }
        self
    }
}

/// A call that has no target. The order is that of the fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Gap {
    /// The name as written; for an import under another name there is a second
    /// gap with the name it was imported by. Empty when the callee is computed.
    pub name: Name,
    pub caller: SymbolId,
    pub resolution: Resolution,
    pub cause: Option<Cause>,
    pub site: u32,
    /// More possible targets than are listed.
    pub capped: bool,
    /// The second gap of one site.
    pub alias: bool,
}

impl Gap {
    /// False for a placed call some of whose possible targets are not listed.
    pub fn is_open(&self) -> bool {
        matches!(
            self.resolution,
            Resolution::Undetermined | Resolution::Unresolved
        )
    }
}

/// A base, interface or trait that resolved to a symbol of the tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Kin {
    pub base: SymbolId,
    /// The type that has the base; the block itself where its type is none of
    /// the tree's.
    pub derived: SymbolId,
    /// Who says so: the type itself, or the block that gives it members.
    pub says: SymbolId,
    pub kind: KinKind,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum KinKind {
    Extends,
    Implements,
    Derives,
    /// `says` gives members to `derived`, which stands as `base` here, too.
    Members,
}

/// One base as a declaration states it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stated {
    pub says: SymbolId,
    /// Position in the declaration's heritage.
    pub index: u16,
    /// The base, when it stands in the tree.
    pub target: Option<SymbolId>,
}

/// What a file contributes to the edge layer.
#[derive(Clone, Default, Debug)]
pub struct FileLinks {
    /// Sorted.
    links: Box<[Link]>,
    /// Indices of `links`, by caller, then by site.
    out: Box<[u32]>,
    /// Sorted.
    gaps: Box<[Gap]>,
    /// Sorted.
    kin: Box<[Kin]>,
    /// By who states it, then as written.
    stated: Box<[Stated]>,
    /// In source order; imports by path have none.
    imports: Box<[ImportLink]>,
}

/// A file's share of what is counted about one symbol.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Share {
    pub callers: u32,
    pub test_callers: u32,
    pub sites: u32,
    pub possible: u32,
    pub test_possible: u32,
    pub values: u32,
    pub own_name_gaps: u32,
}

impl FileLinks {
    pub(crate) fn build(
        ctx: &Ctx<'_>,
        entry: &FileEntry,
        edges: &FileEdges,
        answers: &[(u32, Outcome)],
    ) -> FileLinks {
        let mut b = Build {
            db: ctx.db,
            entry,
            test_path: is_test_path(&entry.path),
            aliases: imports::aliases(entry),
            links: Vec::new(),
            gaps: Vec::new(),
        };
        let mut kin = Vec::new();
        let mut stated = Vec::new();
        for (at, item) in entry.facts.items.iter().enumerate() {
            let start = entry.site_starts.get(at).copied().unwrap_or(0);
            for index in 0..item.sites.len() as u32 {
                let own = edges.outcome(start + index);
                let asked = answers
                    .binary_search_by_key(&(start + index), |a| a.0)
                    .ok()
                    .map(|i| &answers[i].1);
                if let Some(outcome) = settled(own, asked) {
                    b.site(at as u32, item, index, start + index, outcome);
                }
            }
            for (i, symbol) in item.symbols.iter().enumerate() {
                if !symbol.heritage.is_empty() {
                    let says = entry.symbol_id(at as u32, SymIdx(i as u32));
                    kin_of(ctx, says, symbol, &mut stated, &mut kin);
                }
            }
        }
        stated.sort_unstable_by_key(|s: &Stated| (s.says, s.index));
        let Build {
            mut links,
            mut gaps,
            ..
        } = b;
        links.sort_unstable();
        gaps.sort_unstable();
        kin.sort_unstable();
        kin.dedup();
        let mut out: Vec<u32> = (0..links.len() as u32).collect();
        out.sort_unstable_by_key(|&i| {
            let l = &links[i as usize];
            (l.caller, l.site, l.callee)
        });
        FileLinks {
            links: links.into(),
            out: out.into(),
            gaps: gaps.into(),
            kin: kin.into(),
            stated: stated.into(),
            imports: imports::collect(ctx, entry).into(),
        }
    }

    /// Every link of the file, by target.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    pub fn kin(&self) -> &[Kin] {
        &self.kin
    }

    /// The links to one symbol.
    pub fn to(&self, callee: SymbolId) -> &[Link] {
        let from = self.links.partition_point(|l| l.callee < callee);
        let len = self.links[from..].partition_point(|l| l.callee == callee);
        &self.links[from..from + len]
    }

    /// The links from one caller, in the order of their sites.
    pub fn from(&self, caller: SymbolId) -> impl Iterator<Item = &Link> + '_ {
        let at = |i: &u32| self.links[*i as usize].caller;
        let from = self.out.partition_point(|i| at(i) < caller);
        let len = self.out[from..].partition_point(|i| at(i) == caller);
        self.out[from..from + len]
            .iter()
            .map(|&i| &self.links[i as usize])
    }

    /// The gaps of one name, aliases included.
    pub fn gaps_named(&self, name: Name) -> &[Gap] {
        let from = self.gaps.partition_point(|g| g.name < name);
        let len = self.gaps[from..].partition_point(|g| g.name == name);
        &self.gaps[from..from + len]
    }

    /// Where the module specifiers of the file lead, in source order.
    pub fn imports(&self) -> &[ImportLink] {
        &self.imports
    }

    /// What a declaration states of its bases, as far as a rule reads it.
    pub(crate) fn stated(&self, says: SymbolId) -> &[Stated] {
        let from = self.stated.partition_point(|s| s.says < says);
        let len = self.stated[from..].partition_point(|s| s.says == says);
        &self.stated[from..from + len]
    }

    /// What the file's links come to, target by target.
    fn shares(&self) -> impl Iterator<Item = (SymbolId, Share)> + '_ {
        self.links
            .chunk_by(|a, b| a.callee == b.callee)
            .map(|run| (run[0].callee, share(run)))
    }

    /// Calls `f` with every symbol whose share differs between two versions.
    pub(crate) fn each_changed_share(
        old: &FileLinks,
        new: &FileLinks,
        mut f: impl FnMut(SymbolId, Option<Share>, Option<Share>),
    ) {
        let (mut a, mut b) = (old.shares().peekable(), new.shares().peekable());
        loop {
            let (x, y) = (a.peek().copied(), b.peek().copied());
            match (x, y) {
                (None, None) => return,
                (Some((id, x)), y) if y.is_none_or(|y| id < y.0) => {
                    a.next();
                    f(id, Some(x), None);
                }
                (x, Some((id, y))) if x.is_none_or(|x| id < x.0) => {
                    b.next();
                    f(id, None, Some(y));
                }
                (Some((id, x)), Some((_, y))) => {
                    a.next();
                    b.next();
                    if x != y {
                        f(id, Some(x), Some(y));
                    }
                }
                _ => return,
            }
        }
    }

    /// How many gaps (and capped ones) each name has.
    pub(crate) fn gap_counts(&self) -> impl Iterator<Item = (Name, GapCount)> + '_ {
        self.gaps.chunk_by(|a, b| a.name == b.name).map(|run| {
            let count = GapCount {
                sites: run.iter().filter(|g| g.is_open()).count() as u32,
                capped: run.iter().filter(|g| g.capped).count() as u32,
            };
            (run[0].name, count)
        })
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        use std::mem::size_of_val;
        size_of_val(&*self.links)
            + size_of_val(&*self.out)
            + size_of_val(&*self.gaps)
            + size_of_val(&*self.kin)
            + size_of_val(&*self.stated)
            + size_of_val(&*self.imports)
    }
}

/// Unplaced calls of one name in one file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct GapCount {
    pub sites: u32,
    pub capped: u32,
}

fn share(run: &[Link]) -> Share {
    let mut share = Share::default();
    for of_caller in run.chunk_by(|a, b| a.caller == b.caller) {
        let test = of_caller[0].in_test();
        let edges = of_caller.iter().filter(|l| l.is_edge()).count() as u32;
        let possible = of_caller.iter().any(Link::is_possible);
        share.sites += edges;
        share.callers += u32::from(edges > 0);
        share.test_callers += u32::from(edges > 0 && test);
        share.possible += u32::from(possible);
        share.test_possible += u32::from(possible && test);
        for link in of_caller {
            share.values += u32::from(link.kind == SiteKind::Value);
            share.own_name_gaps += u32::from(link.bits & Link::OWN_NAME != 0);
        }
    }
    share
}

/// Someone else's answer counts where this engine has none.
pub(crate) fn settled<'a>(
    own: Option<&'a Outcome>,
    asked: Option<&'a Outcome>,
) -> Option<&'a Outcome> {
    match (own, asked) {
        (Some(o), Some(_))
            if !matches!(
                o.resolution,
                Resolution::Undetermined | Resolution::Unresolved
            ) =>
        {
            Some(o)
        }
        (_, Some(a)) => Some(a),
        (own, None) => own,
    }
}

struct Build<'a> {
    db: &'a Db,
    entry: &'a FileEntry,
    test_path: bool,
    aliases: FxHashMap<Name, Name>,
    links: Vec<Link>,
    gaps: Vec<Gap>,
}

impl Build<'_> {
    fn site(&mut self, at: u32, item: &ItemFacts, index: u32, site: u32, o: &Outcome) {
        let Some(s) = item.sites.get(index as usize) else {
            return;
        };
        let (caller, test) = named_caller(self.entry, at, item, s.caller);
        let test = test || self.test_path;
        let open = matches!(
            o.resolution,
            Resolution::Undetermined | Resolution::Unresolved
        );
        let gap = s.kind.is_call() && open;
        let original = match item.expr(s.callee) {
            Expr::Free { name, .. } => self.aliases.get(&name).copied(),
            Expr::Local(b) => imports::local_import(item, b),
            _ => None,
        }
        .filter(|n| *n != s.name);
        let mut add = |callee: SymbolId, tier: Tier, rule: Rule| {
            let named = || {
                let name = self.db.symbol(callee).map(|(_, _, s, _)| s.name);
                name.is_some_and(|n| n == s.name || Some(n) == original)
            };
            let mut bits = if test { Link::TEST } else { 0 };
            if gap && named() {
                bits |= Link::OWN_NAME;
            }
            let callable = || {
                self.db
                    .symbol(callee)
                    .is_some_and(|t| t.2.kind.is_callable())
            };
            if s.kind == SiteKind::Value && callable() {
                bits |= Link::GIVEN;
            }
            self.links.push(Link {
                callee,
                caller,
                kind: s.kind,
                tier,
                rule,
                site,
                bits,
            });
        };
        let mut placed = None;
        if o.resolution == Resolution::InTree
            && let (Some(callee), Some(e)) = (o.symbol(), &o.evidence)
        {
            placed = Some(callee);
            add(callee, e.tier, e.rule);
        }
        let mut capped = false;
        for candidates in o.candidates.iter() {
            capped = candidates.left_out > 0;
            for c in candidates.list.iter().filter(|c| Some(c.symbol) != placed) {
                add(c.symbol, Tier::Possible, c.rule);
            }
        }
        if gap || (s.kind.is_call() && capped) {
            let gap = Gap {
                name: s.name,
                caller,
                resolution: o.resolution,
                cause: o.cause,
                site,
                capped,
                alias: false,
            };
            self.gaps.push(gap);
            if let Some(name) = original {
                self.gaps.push(Gap {
                    name,
                    alias: true,
                    ..gap
                });
            }
        }
    }
}

/// The named symbol that a site counts for, and whether it is a test.
pub(crate) fn named_caller(
    entry: &FileEntry,
    at: u32,
    item: &ItemFacts,
    caller: SymIdx,
) -> (SymbolId, bool) {
    let mut sym = caller;
    let mut test = false;
    while let Some(s) = item.symbol(sym) {
        test |= s.flags.has(Flags::TEST);
        if !matches!(
            s.kind,
            SymbolKind::Impl | SymbolKind::Object | SymbolKind::Lambda
        ) {
            break;
        }
        sym = s.parent;
    }
    (entry.symbol_id(at, sym), test)
}

/// Files that hold tests by where they stand or how they are called, in the
/// conventions common to most ecosystems.
fn is_test_path(path: &str) -> bool {
    const FOLDERS: &[&str] = &["tests", "test", "__tests__", "spec", "testing", "testdata"];
    let mut parts = path.split('/').rev();
    let file = parts.next().unwrap_or("");
    let stem = file.split('.').next().unwrap_or("");
    stem.starts_with("test_")
        || ["_test", "_tests", "_spec"]
            .iter()
            .any(|e| stem.ends_with(e))
        || matches!(stem, "tests" | "test" | "conftest")
        || file.contains(".test.")
        || file.contains(".spec.")
        || parts.any(|p| FOLDERS.contains(&p))
}

/// The path expression of a written type, references and arrays looked through.
pub(crate) fn path_of_type(item: &ItemFacts, mut ty: TyIdx) -> Option<ExprIdx> {
    for _ in 0..16 {
        match item.ty(ty) {
            Ty::Named { path, .. } | Ty::TypeOf(path) => return Some(path),
            Ty::Ref(t) | Ty::Ptr(t) | Ty::Array(t) | Ty::Guard(t) => ty = t,
            Ty::Bounds { list, .. } | Ty::Union(list) | Ty::Intersection(list) => {
                ty = item.ty_list(list).next()?;
            }
            _ => return None,
        }
    }
    None
}

/// The site that names a written type: extractors give both the same expression.
pub(crate) fn site_of_type(item: &ItemFacts, ty: TyIdx) -> Option<u32> {
    let path = path_of_type(item, ty)?;
    let at = |path: ExprIdx| {
        item.sites
            .iter()
            .position(|s| s.callee == path && !s.kind.is_call())
            .map(|i| i as u32)
    };
    at(path).or_else(|| match item.expr(path) {
        Expr::TypeArgs { base, .. } => at(base),
        _ => None,
    })
}

fn kin_of(
    ctx: &Ctx<'_>,
    says: SymbolId,
    symbol: &Symbol,
    stated: &mut Vec<Stated>,
    kin: &mut Vec<Kin>,
) {
    let bases = stated_bases(ctx, says);
    let written = symbol.heritage.iter().enumerate();
    let readable = written.filter(|(_, h)| h.kind != HeritageKind::Dynamic);
    for ((index, _), (_, target)) in readable.zip(&bases) {
        stated.push(Stated {
            says,
            index: index as u16,
            target: *target,
        });
    }
    let mut derived = says;
    if symbol.kind == SymbolKind::Impl {
        let own = bases.iter().find(|b| b.0 == HeritageKind::SelfType);
        // A block for every type, or for one out of the tree, stands for itself.
        if let Some(of) = own.and_then(|b| b.1) {
            derived = of;
            kin.push(Kin {
                base: of,
                derived: of,
                says,
                kind: KinKind::Members,
            });
        }
    }
    for (kind, target) in bases {
        let kind = match kind {
            HeritageKind::Extends => KinKind::Extends,
            HeritageKind::Implements | HeritageKind::Trait => KinKind::Implements,
            HeritageKind::Derive => KinKind::Derives,
            HeritageKind::SelfType | HeritageKind::Dynamic => continue,
        };
        if let Some(base) = target {
            kin.push(Kin {
                base,
                derived,
                says,
                kind,
            });
        }
    }
}

/// A site's place among all files.
pub(crate) fn site_id(file: FileId, index: u32) -> SiteId {
    SiteId { file, index }
}
