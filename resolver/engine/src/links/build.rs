//! From outcomes to links, gaps and kin, item by item.

use super::{FileLinks, Gap, ImportLink, Kin, KinKind, Link, Stated, imports};
use crate::resolve::stated_bases;
use crate::roles::{Role, role_of};
use crate::state::{Ctx, Db, FileEntry};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;
use surefoot_facts::{
    Expr, ExprIdx, Flags, HeritageKind, ItemFacts, Name, SymIdx, Symbol, Ty, TyIdx,
};
use surefoot_graph::{Outcome, Resolution, Rule, SiteKind, SymbolId, SymbolKind, Tier};

/// Someone else's answer counts where this engine has none. What else they say may run stands beside
/// what this engine found, never instead of it.
pub(crate) fn settled<'a>(
    own: Option<&'a Outcome>,
    asked: Option<&'a Outcome>,
) -> Option<Cow<'a, Outcome>> {
    let (own, asked) = match (own, asked) {
        (Some(own), Some(asked)) if !own.is_open() || asked.is_open() => (own, asked),
        (_, Some(asked)) => return Some(Cow::Borrowed(asked)),
        (own, None) => return own.map(Cow::Borrowed),
    };
    let more = asked.candidates.as_deref().filter(|more| !more.is_empty());
    Some(more.map_or(Cow::Borrowed(own), |more| {
        let mut both = own.clone();
        both.candidates.get_or_insert_default().add(more);
        Cow::Owned(both)
    }))
}

/// What items of a file contribute, sorted by nothing yet.
pub(crate) struct Build<'a> {
    db: &'a Db,
    entry: &'a FileEntry,
    test_path: bool,
    aliases: FxHashMap<Name, Name>,
    pub(super) links: Vec<Link>,
    pub(super) gaps: Vec<Gap>,
    pub(super) kin: Vec<Kin>,
    pub(super) stated: Vec<Stated>,
}

impl<'a> Build<'a> {
    pub(crate) fn new(db: &'a Db, entry: &'a FileEntry) -> Build<'a> {
        Build {
            db,
            entry,
            test_path: role_of(&entry.path) == Role::Test,
            aliases: imports::aliases(&entry.facts.items),
            links: Vec::new(),
            gaps: Vec::new(),
            kin: Vec::new(),
            stated: Vec::new(),
        }
    }

    /// Adds an item. `outcome` tells of each of its sites which one of the file it
    /// is and what became of it, `asked` what others say of some.
    pub(crate) fn item<'o>(
        &mut self,
        ctx: &Ctx<'_>,
        at: u32,
        asked: &[(u32, Outcome)],
        outcome: impl Fn(u32) -> (u32, Option<&'o Outcome>),
    ) {
        let entry = self.entry;
        let Some(item) = entry.item(at) else { return };
        for index in 0..item.sites.len() as u32 {
            let (site, own) = outcome(index);
            let other = asked.binary_search_by_key(&site, |a| a.0).ok();
            if let Some(outcome) = settled(own, other.map(|i| &asked[i].1)) {
                self.site(at, item, index, site, &outcome);
            }
        }
        for (i, symbol) in item.symbols.iter().enumerate() {
            if !symbol.heritage.is_empty() {
                let says = entry.symbol_id(at, SymIdx(i as u32));
                kin_of(ctx, says, symbol, &mut self.stated, &mut self.kin);
            }
        }
    }

    pub(super) fn sort(&mut self) {
        self.stated.sort_unstable_by_key(|s| (s.says, s.index));
        self.links.sort_unstable();
        self.gaps.sort_unstable();
        self.kin.sort_unstable();
        self.kin.dedup();
    }

    /// What was added, as the links of a whole file.
    pub(crate) fn finish(mut self, imports: Arc<[ImportLink]>) -> FileLinks {
        self.sort();
        let links = self.links;
        let mut out: Vec<u32> = (0..links.len() as u32).collect();
        out.sort_unstable_by_key(|&i| by_caller(&links[i as usize]));
        FileLinks {
            links: links.into(),
            out: out.into(),
            gaps: self.gaps.into(),
            kin: self.kin.into(),
            stated: self.stated.into(),
            imports,
        }
    }
}

/// The order of the links from one caller.
pub(super) fn by_caller(l: &Link) -> (SymbolId, u32, SymbolId) {
    (l.caller, l.site, l.callee)
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
