//! Associated types: what `T::Name` stands for.

use super::members::{Found, Side};
use super::types::{Args, T};
use crate::state::Ctx;
use std::sync::Arc;
use surefoot_facts::Name;
use surefoot_graph::SymbolKind;

impl<'a> Ctx<'a> {
    // ---- projections -----------------------------------------------------------

    /// `T::Name`, as far as it is written.
    pub(crate) fn project(&self, base: &T, name: Name) -> T {
        self.project_at(base, name, 0)
    }

    pub(super) fn project_at(&self, base: &T, name: Name, depth: usize) -> T {
        let open = || T::Assoc(Arc::new(base.clone()), name);
        let Some(_level) = self.level() else {
            return open();
        };
        if depth > 16 {
            return open();
        }
        match base {
            T::Nom(_, args) => {
                for a in args.iter() {
                    if let T::Bind(n, t) = a
                        && *n == name
                    {
                        return (**t).clone();
                    }
                }
                match self.member_here(base, name, Side::Type, 0) {
                    Found::One(m) => match self.symbol(m.symbol) {
                        Some((at, s, _)) if s.ty.is_known() => {
                            let t = m.subst.apply(&self.lower(at, s.ty));
                            self.normal_at(&t, depth + 1)
                        }
                        _ => open(),
                    },
                    _ => open(),
                }
            }
            T::All(parts) => {
                for p in parts.iter() {
                    let t = self.project_at(p, name, depth + 1);
                    if !matches!(t, T::Assoc(..)) {
                        return t;
                    }
                }
                open()
            }
            T::Param(o, i) => {
                for b in self.bounds(*o, *i).iter() {
                    if let T::Nom(_, args) = b {
                        for a in args.iter() {
                            if let T::Bind(n, t) = a
                                && *n == name
                            {
                                return (**t).clone();
                            }
                        }
                    }
                }
                open()
            }
            T::Assoc(inner, n) => {
                let known = self.project_at(inner, *n, depth + 1);
                if known == *base {
                    open()
                } else {
                    self.project_at(&known, name, depth + 1)
                }
            }
            T::Unknown(c) => T::Unknown(*c),
            _ => open(),
        }
    }

    /// The bounds a trait writes for one of its associated types.
    pub(super) fn assoc_bounds(&self, base: &T, name: Name) -> Vec<T> {
        let owners: Vec<T> = match base {
            T::Param(o, i) => self.bounds(*o, *i).to_vec(),
            t => vec![t.clone()],
        };
        for o in owners {
            let T::Nom(tr, _) = o else { continue };
            for m in self.own_members(tr, name) {
                if let Some((at, s, _)) = self.symbol(m)
                    && s.kind == SymbolKind::AssocType
                {
                    return s.heritage.iter().map(|h| self.lower(at, h.ty)).collect();
                }
            }
        }
        Vec::new()
    }

    /// Projections replaced by what they stand for, where that is known now.
    pub(crate) fn normal(&self, t: &T) -> T {
        self.normal_at(t, 0)
    }

    pub(super) fn normal_at(&self, t: &T, depth: usize) -> T {
        if depth > 16 || !t.is_open() {
            return t.clone();
        }
        let all = |a: &Args| -> Args { a.iter().map(|t| self.normal_at(t, depth + 1)).collect() };
        match t {
            T::Assoc(base, n) => {
                let base = self.normal_at(base, depth + 1);
                self.project_at(&base, *n, depth + 1)
            }
            T::Nom(s, a) => T::Nom(*s, all(a)),
            T::Tuple(a) => T::Tuple(all(a)),
            T::Union(a) => T::union(all(a).iter().cloned()),
            T::All(a) => T::All(all(a)),
            T::Bind(n, t) => T::Bind(*n, Arc::new(self.normal_at(t, depth + 1))),
            T::Static(t) => T::Static(Arc::new(self.normal_at(t, depth + 1))),
            T::Arrow(f) => T::Arrow(Arc::new((
                f.0.iter().map(|t| self.normal_at(t, depth + 1)).collect(),
                self.normal_at(&f.1, depth + 1),
            ))),
            _ => t.clone(),
        }
    }
}
