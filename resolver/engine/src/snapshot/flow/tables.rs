//! Lists and dictionaries: what is put in under a key, and what is taken out by it.

use super::*;
use surefoot_facts::{ItemFacts, List, TableUse, ops};

/// A part that a table is given after it was written.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Filled {
    /// Where it happens.
    at: Place,
    key: Put,
    value: ExprIdx,
    conditional: bool,
    /// Done by the module's own statements.
    top: bool,
}

#[derive(Clone, PartialEq, Eq)]
enum Put {
    /// Under one of these keys; none: any.
    Under(Values),
    /// All parts of another table.
    All,
}

impl Solver<'_> {
    /// Every part that tables are given anywhere.
    pub(super) fn fill(&mut self) -> FxHashMap<Place, Vec<Filled>> {
        let snapshot = self.snapshot;
        let mut out: FxHashMap<Place, Vec<Filled>> = FxHashMap::default();
        for state in snapshot.states() {
            let entry = &state.entry;
            let rules = snapshot.t.languages.rules(entry.language);
            let uses = rules.map_or(&[][..], |r| r.traits().tables);
            for (item, facts) in (0..).zip(&entry.facts.items) {
                let place = |expr| Place {
                    file: entry.id,
                    item,
                    expr,
                };
                for s in &facts.stores {
                    let tables = self.value(place(s.base), None);
                    if tables.is_empty() {
                        continue;
                    }
                    let keys = self.value(place(s.key), None);
                    let filled = Filled {
                        at: place(s.base),
                        key: Put::Under(keys),
                        value: s.value,
                        conditional: s.conditional,
                        top: s.within.is_none(),
                    };
                    add(&mut out, &tables, &filled);
                }
                for site in facts.sites.iter().filter(|s| s.kind == SiteKind::Call) {
                    let Some(how) = uses.iter().find(|u| u.0 == site.name.text()) else {
                        continue;
                    };
                    let (Expr::Member { base, .. }, Expr::Call { args, .. }) =
                        (facts.expr(site.callee), facts.expr(site.call))
                    else {
                        continue;
                    };
                    let all: Vec<ExprIdx> = facts.expr_list(args).collect();
                    let (key, value) = match (how.1, &all[..]) {
                        (TableUse::PutsAll, [value]) => (Put::All, *value),
                        (TableUse::Puts, [.., value]) => (Put::Under(self.none.clone()), *value),
                        (TableUse::PutsUnder, [key, value]) => {
                            (Put::Under(self.value(place(*key), None)), *value)
                        }
                        _ => continue,
                    };
                    let tables = self.value(place(base), None);
                    let filled = Filled {
                        at: place(site.call),
                        key,
                        value,
                        conditional: how.1 == TableUse::PutsUnder || !site.caller.is_none(),
                        top: site.caller.is_none() && site.lambda.is_none(),
                    };
                    add(&mut out, &tables, &filled);
                }
            }
        }
        out
    }

    /// A call that makes a table or takes a part of one out; `None` for any other call.
    pub(super) fn table(
        &mut self,
        at: Place,
        facts: &ItemFacts,
        callee: ExprIdx,
        args: List,
        env: Option<EnvId>,
    ) -> Option<Vec<V>> {
        let entry = self.snapshot.file(at.file)?;
        let traits = self.traits_of(entry.module)?;
        let place = |expr| Place { expr, ..at };
        let mut all = facts.expr_list(args);
        match facts.expr(callee) {
            Expr::Package(name) if name.text() == traits.keyed => Some(vec![V::Table(at, 0)]),
            Expr::Package(name) if name.text() == traits.sliced => {
                let (base, from) = (all.next()?, all.next());
                let from = match from.map(|f| facts.expr(f)) {
                    Some(Expr::Const { id, .. }) => id,
                    _ => 0,
                };
                Some(self.sliced(place(base), env, from))
            }
            // A tuple, a set, a generator of what a list holds.
            Expr::Package(_) if !traits.keyed.is_empty() => {
                Some(self.value(place(all.next()?), env).to_vec())
            }
            Expr::Member { base, name } => {
                let how = traits.tables.iter().find(|u| u.0 == name.text())?.1;
                if !matches!(how, TableUse::Takes | TableUse::PutsUnder | TableUse::Views) {
                    return None;
                }
                let tables = self.value(place(base), env);
                if !tables.iter().any(|v| matches!(v, V::Table(..))) {
                    return None;
                }
                if how == TableUse::Views {
                    return Some(tables.to_vec());
                }
                let keys = match all.next() {
                    Some(key) => self.value(place(key), env),
                    None => self.none.clone(),
                };
                let mut out = self.part(at, base, env, &keys);
                // What is given when the key is not there.
                for other in all {
                    out.extend(self.value(place(other), env).iter());
                }
                Some(out)
            }
            _ => None,
        }
    }

    pub(super) fn sliced(&mut self, base: Place, env: Option<EnvId>, by: u32) -> Vec<V> {
        let all = self.value(base, env);
        let slice = |v: &V| match *v {
            V::Table(t, from) => V::Table(t, from.saturating_add(by)),
            v => v,
        };
        all.iter().map(slice).collect()
    }

    /// `base[key]`
    pub(super) fn part(
        &mut self,
        at: Place,
        base: ExprIdx,
        env: Option<EnvId>,
        keys: &[V],
    ) -> Vec<V> {
        let all = self.value(Place { expr: base, ..at }, env);
        let mut out = Vec::new();
        for v in all.iter() {
            match *v {
                V::Table(table, from) => {
                    let keys: Vec<V> = keys
                        .iter()
                        .map(|k| match *k {
                            V::Key(lit, id) if lit == Lit::Int as u8 => {
                                V::Key(lit, id.saturating_add(from))
                            }
                            k => k,
                        })
                        .collect();
                    let keys = (!keys.is_empty()).then_some(&keys[..]);
                    out.extend(self.parts_of(table, from, keys, at));
                }
                V::Object(_) => out.extend(self.operated(*v, ops::INDEX)),
                _ => {}
            }
        }
        out
    }

    /// What a table may hold where it is read, under one of these keys or any.
    pub(super) fn parts_of(
        &mut self,
        table: Place,
        from: u32,
        keys: Option<&[V]>,
        read: Place,
    ) -> Vec<V> {
        // A table that is given its own parts gets nothing new.
        if !self.reading.insert(table) {
            return Vec::new();
        }
        self.steps += 1;
        let out = few(self.parts_now(table, from, keys, read));
        self.reading.remove(&table);
        out
    }

    fn parts_now(&mut self, table: Place, from: u32, keys: Option<&[V]>, read: Place) -> Vec<V> {
        let filled = self.filled.get(&table).cloned().unwrap_or_default();
        let keys = keys.map(|k| {
            let only = |v: &&V| matches!(v, V::Key(..));
            k.iter().filter(only).copied().collect::<Vec<V>>()
        });
        let top = self.is_top(read);
        // Where both run one after the other, the last one before counts.
        let in_order = |f: &Filled| {
            f.at.file == read.file && (f.at.item == read.item && !f.top || f.top && top)
        };
        let before = |f: &Filled| (f.at.item, f.at.expr) < (read.item, read.expr);
        let mut out: Vec<V> = Vec::new();
        let mut replaced = false;
        let mut put: Vec<&Filled> = filled.iter().collect();
        put.sort_by_key(|f| (f.at.file, f.at.item, f.at.expr));
        for f in put {
            let ordered = in_order(f);
            if ordered && !f.conditional && !before(f) {
                continue;
            }
            let (hits, sure) = match (&f.key, &keys) {
                (Put::Under(k), Some(keys)) if !k.is_empty() && !keys.is_empty() => {
                    let hits = k.iter().any(|k| keys.contains(k));
                    (hits, hits && k.len() == 1 && keys.len() == 1)
                }
                _ => (true, false),
            };
            if !hits {
                continue;
            }
            let value = Place {
                expr: f.value,
                ..f.at
            };
            let mut sure = sure && ordered && !f.conditional;
            let given = match f.key {
                Put::Under(_) => self.value(value, None).to_vec(),
                Put::All => {
                    let mut given = Vec::new();
                    for v in self.value(value, None).iter() {
                        if let V::Table(other, from) = *v {
                            given.extend(self.parts_of(other, from, keys.as_deref(), value));
                        }
                    }
                    sure = ordered && !f.conditional && keys.is_some() && !given.is_empty();
                    given
                }
            };
            if sure {
                out.clear();
                replaced = true;
            }
            out.extend(given);
        }
        if !replaced {
            out.extend(self.written(table, from, keys.as_deref()));
        }
        out
    }

    /// Whether the module's own statements read it.
    fn is_top(&self, read: Place) -> bool {
        let item = self
            .snapshot
            .file(read.file)
            .and_then(|f| f.item(read.item));
        item.is_some_and(|i| {
            let function = |s: &surefoot_facts::Symbol| s.kind.is_callable();
            !i.symbols.iter().any(function)
        })
    }

    /// What a table is written with.
    fn written(&mut self, table: Place, from: u32, keys: Option<&[V]>) -> Vec<V> {
        let snapshot = self.snapshot;
        let Some(facts) = snapshot.file(table.file).and_then(|f| f.item(table.item)) else {
            return Vec::new();
        };
        let place = |expr| Place { expr, ..table };
        let mut out = Vec::new();
        match facts.expr(table.expr) {
            Expr::Array(list) | Expr::Tuple(list) => {
                let all: Vec<ExprIdx> = facts.expr_list(list).collect();
                let spread = |e: &ExprIdx| matches!(facts.expr(*e), Expr::Spread(_));
                let sure = !all.iter().any(spread);
                for (n, e) in all.iter().enumerate() {
                    let n = n as u32;
                    let asked = keys.filter(|k| sure && !k.is_empty());
                    let hit = asked.is_none_or(|k| k.contains(&key(Lit::Int, n)));
                    if hit && n >= from {
                        out.extend(self.value(place(*e), None).iter());
                    }
                }
            }
            Expr::Call { args, .. } => {
                let lists: Vec<List> = facts
                    .expr_list(args)
                    .filter_map(|e| match facts.expr(e) {
                        Expr::Array(list) => Some(list),
                        _ => None,
                    })
                    .collect();
                let [under, values] = lists[..] else {
                    return out;
                };
                for (k, v) in facts.expr_list(under).zip(facts.expr_list(values)) {
                    let under = self.value(place(k), None);
                    let asked = keys.filter(|k| !k.is_empty() && !under.is_empty());
                    if asked.is_none_or(|k| under.iter().any(|u| k.contains(u))) {
                        out.extend(self.value(place(v), None).iter());
                    }
                }
            }
            _ => {}
        }
        out
    }
}

fn add(out: &mut FxHashMap<Place, Vec<Filled>>, tables: &[V], filled: &Filled) {
    for v in tables {
        if let V::Table(table, _) = v {
            out.entry(*table).or_default().push(filled.clone());
        }
    }
}
