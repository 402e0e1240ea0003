//! What glob imports bring: the modules they lead to, looked through once each.

use super::names::{At, Def, Named};
use super::twins::{TWINS, When};
use crate::state::{Ctx, Dep, ImportRef, Ns, Reach};
use surefoot_facts::{Expr, ExprIdx, ImportKind, Name, Specifier};
use surefoot_graph::{Cause, Rule, Slot, SymbolId, SymbolKind, Via};

/// How many globs in a row are followed.
const MAX_CHAIN: usize = 64;

/// One glob that was followed.
#[derive(Clone, Copy)]
struct Step {
    rule: Rule,
    via: Via,
    convention: Option<Rule>,
}

/// A module that globs lead to, and how.
struct Place {
    module: SymbolId,
    /// How close whoever asks stands to it; `None`: asked from inside.
    reach: Option<Reach>,
    /// The glob that led here and the place it stands in, counted from one.
    by: Option<(Step, usize)>,
    /// A glob on the way is compiled out.
    off: bool,
    depth: usize,
}

/// Where one glob leads.
enum Lead {
    To(SymbolId, Option<Rule>),
    Outside,
    Nowhere,
}

impl<'a> Ctx<'a> {
    pub(super) fn globs(&self, module: SymbolId) -> Vec<ImportRef> {
        self.read(Dep::globs(module));
        self.file_of(module)
            .and_then(|f| f.index.globs.get(&module))
            .map(|g| g.to_vec())
            .unwrap_or_default()
    }

    /// The imports of a module that bring what is called `name` under another one.
    pub(super) fn renames(&self, module: SymbolId, name: Name) -> Vec<ImportRef> {
        self.read(Dep::renames(module, name));
        self.file_of(module)
            .and_then(|f| f.index.renames.get(&(module, name)))
            .map(|g| g.to_vec())
            .unwrap_or_default()
    }

    /// What the globs of a module bring under a name. `exports`: only those
    /// that others can see. `heads`: asked for the head of another glob, which
    /// only a glob that starts at a known module can bring.
    ///
    /// Modules whose globs name each other are no cycle of values: each is
    /// looked through once, and a name it declares itself hides what its own
    /// globs bring.
    pub(super) fn in_globs(
        &self,
        module: SymbolId,
        name: Name,
        ns: Ns,
        exports: Option<Reach>,
        heads: bool,
    ) -> Named {
        let one_namespace = self.one_namespace(module);
        let mut hits: Vec<(Named, bool)> = Vec::new();
        let mut beyond: Option<Named> = None;
        let (mut outside, mut deep) = (false, false);
        let mut places = vec![Place {
            module,
            reach: exports,
            by: None,
            off: false,
            depth: 0,
        }];
        let mut at = 0;
        while at < places.len() {
            let (of, reach, depth) = (places[at].module, places[at].reach, places[at].depth);
            let around = places[at].off;
            for g in self.globs(of) {
                let Some((from, import)) = self.import_facts(g) else {
                    continue;
                };
                if import.kind == ImportKind::Macros && ns != Ns::Macro
                    || heads && starts_free(from, import.path)
                    || !self.brings(import, of, reach) && !one_namespace
                {
                    continue;
                }
                let (target, convention) = match self.lead(g) {
                    Lead::To(target, convention) => (target, convention),
                    Lead::Outside => {
                        outside = true;
                        continue;
                    }
                    Lead::Nowhere => continue,
                };
                outside |= self.is_prelude(target);
                if target == of || one_namespace && !self.lists(target, name) {
                    continue;
                }
                let step = Step {
                    rule: match import.kind {
                        ImportKind::Macros => Rule::MacroScope,
                        _ => Rule::GlobImport,
                    },
                    via: Via {
                        file: from.file.id,
                        symbol: Some(of),
                        slot: Slot::Import(import.via_name(from.facts).0),
                    },
                    convention,
                };
                let off = around || self.import_when(g) == When::Off;
                let found = match self.kind(target) {
                    Some(SymbolKind::Module | SymbolKind::Namespace) => {
                        let reach = Some(self.reach(of, target));
                        let own = self.in_table(target, name, ns, reach);
                        if own.def == Def::Nothing {
                            let known = places
                                .iter()
                                .any(|p| p.module == target && p.reach == reach);
                            deep |= depth >= MAX_CHAIN && !known;
                            if !known && depth < MAX_CHAIN {
                                places.push(Place {
                                    module: target,
                                    reach,
                                    by: Some((step, at)),
                                    off,
                                    depth: depth + 1,
                                });
                            }
                        }
                        self.confined(own, of)
                    }
                    _ => self.inside_of(target, name, ns, of),
                };
                let known = |n: &Named| n.def == found.def;
                match &found.def {
                    Def::Symbol(_) if hits.iter().any(|(h, _)| known(h)) => {}
                    // An import there leads out: a name this tree has goes before,
                    // as what a package has under it is not known.
                    Def::Outside if beyond.is_some() => {}
                    Def::Symbol(_) | Def::Outside => {
                        let mut hit = found.through(step.rule, step.via, step.convention);
                        let mut up = at;
                        while let Some((step, next)) = places[up].by {
                            hit = hit.through(step.rule, step.via, step.convention);
                            up = next;
                        }
                        match hit.def {
                            Def::Outside => beyond = Some(hit),
                            _ => hits.push((hit, off)),
                        }
                    }
                    _ => {}
                }
            }
            at += 1;
        }
        // Of globs under conditions, those that are compiled bring it.
        if hits.len() > 1 && hits.iter().any(|(_, off)| !off) {
            let all = hits.len();
            hits.retain(|(_, off)| !off);
            if hits.len() < all {
                hits.iter_mut().for_each(|(h, _)| h.rest_on(TWINS));
            }
        }
        match hits.len() {
            1 => hits.swap_remove(0).0,
            // The one that ran last.
            n if n > 1 && one_namespace => hits.swap_remove(n - 1).0,
            0 if beyond.is_some() => beyond.unwrap_or_else(Named::nothing),
            0 if deep => Named::gap(Cause::ExportChainTooDeep),
            0 if outside => Named::new(Def::Nothing, Rule::OutsideImport),
            0 => Named::nothing(),
            _ => Named {
                refused: hits.iter().filter_map(|(h, _)| h.symbol()).collect(),
                ..Named::gap(Cause::Ambiguous)
            },
        }
    }

    /// Whether a glob brings its names to whoever asks its module.
    fn brings(
        &self,
        import: &surefoot_facts::Import,
        module: SymbolId,
        reach: Option<Reach>,
    ) -> bool {
        match reach {
            None => import.binds,
            Some(reach) => {
                (import.exported || self.module_tree(module))
                    && self.seen(import.visibility, module, reach) != super::modules::Seen::No
            }
        }
    }

    /// Where a glob leads.
    fn lead(&self, g: ImportRef) -> Lead {
        let Some((at, import)) = self.import_facts(g) else {
            return Lead::Nowhere;
        };
        if import.kind == ImportKind::Glob {
            return match self.specifier_of(at.file.id, import.spec) {
                Specifier::File { file, proved, rule } => {
                    let module = self.db.file(file).map(|f| f.module);
                    let convention = (!proved).then_some(rule);
                    module.map_or(Lead::Nowhere, |m| Lead::To(m, convention))
                }
                Specifier::Outside => Lead::Outside,
                _ => Lead::Nowhere,
            };
        }
        let base = self.import_path(at, g.imp, Ns::Type);
        match base.def {
            Def::Symbol(s) => Lead::To(s, base.convention),
            Def::Outside => Lead::Outside,
            _ => Lead::Nowhere,
        }
    }

    /// A name asked of a module or of an enum, as a path or glob does.
    pub(crate) fn inside_of(&self, of: SymbolId, name: Name, ns: Ns, from: SymbolId) -> Named {
        match self.kind(of) {
            Some(SymbolKind::Module | SymbolKind::Namespace) => {
                let found = self.export(of, name, ns, self.reach(from, of));
                self.confined(found, from)
            }
            Some(SymbolKind::Enum) => {
                for m in self.own_members(of, name) {
                    if self.kind(m) == Some(SymbolKind::Variant) {
                        return Named::new(Def::Symbol(m), Rule::Variant);
                    }
                }
                Named::nothing()
            }
            _ => Named::nothing(),
        }
    }

    /// What was found, unless it is shown only to a module that `from` is not in.
    fn confined(&self, found: Named, from: SymbolId) -> Named {
        match found.within {
            Some(m) if self.reach(from, m) != Reach::Inside => Named {
                refused: found.symbol().into_iter().collect(),
                ..Named::gap(Cause::NotExported)
            },
            _ => Named {
                within: None,
                ..found
            },
        }
    }
}

/// Whether a path starts at a name that a module must be asked for.
fn starts_free(at: At<'_>, path: ExprIdx) -> bool {
    head_name(at, path).is_some()
}

/// The name a path starts with, when a module must be asked for it.
pub(super) fn head_name(at: At<'_>, mut path: ExprIdx) -> Option<Name> {
    for _ in 0..64 {
        match at.facts.expr(path) {
            Expr::Scoped { base, .. } | Expr::Member { base, .. } => path = base,
            Expr::Free { name, .. } => return Some(name),
            _ => return None,
        }
    }
    None
}
