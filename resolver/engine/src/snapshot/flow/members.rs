//! Members of classes and objects as values.

use super::*;
use surefoot_facts::{HeritageKind, Name, Traits, ops};

/// Classes that a hierarchy is followed to.
const MAX_CLASSES: usize = 32;

impl Solver<'_> {
    pub(super) fn traits_of(&self, id: SymbolId) -> Option<&'static Traits> {
        let language = self.snapshot.decl(id)?.file.language;
        let rules = self.snapshot.t.languages.rules(language)?;
        Some(rules.traits())
    }

    /// A class and its bases in the order members are looked for: a base that two of them share stands behind both.
    fn order(&self, class: SymbolId) -> Vec<SymbolId> {
        let mut out: Vec<SymbolId> = Vec::new();
        let mut queue = vec![class];
        while let Some(at) = queue.pop() {
            if out.len() >= MAX_CLASSES {
                break;
            }
            out.retain(|c| *c != at);
            out.push(at);
            let bases = self.snapshot.stated_bases(at);
            let extends = bases.iter().filter(|b| b.kind == HeritageKind::Extends);
            let targets: Vec<SymbolId> = extends.filter_map(|b| b.target).collect();
            // A cycle of bases ends at the bound.
            queue.extend(targets.into_iter().rev());
        }
        out
    }

    /// A class and what derives from it.
    fn below(&self, class: SymbolId) -> Vec<SymbolId> {
        let mut out = vec![class];
        let mut at = 0;
        while at < out.len() && out.len() < MAX_CLASSES {
            for (derived, _) in self.snapshot.derived(out[at]) {
                if !out.contains(&derived) {
                    out.push(derived);
                }
            }
            at += 1;
        }
        out.truncate(MAX_CLASSES);
        out
    }

    /// What a method is called on: an object of its class or of one that derives.
    pub(super) fn this(&self, class: SymbolId) -> Vec<V> {
        self.below(class).into_iter().map(V::Object).collect()
    }

    pub(super) fn member(&mut self, base: &[V], name: Name) -> Vec<V> {
        let mut out = Vec::new();
        for v in base {
            match *v {
                V::Class(c) | V::Object(c) => {
                    let order = self.order(c);
                    out.extend(self.in_order(&order, name, matches!(v, V::Object(_))));
                }
                V::Above(c) => {
                    let order = self.order(c);
                    out.extend(self.in_order(&order[1..], name, false));
                }
                V::Module(m) => {
                    let snapshot = self.snapshot;
                    if let Some(d) = snapshot.decl(m).filter(|d| d.facts.is_none()) {
                        out.extend(self.name(d.file, name, None));
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// The first class that has the member says what it is; what methods assign may stand in any of them.
    fn in_order(&mut self, order: &[SymbolId], name: Name, object: bool) -> Vec<V> {
        let mut out = Vec::new();
        for class in order {
            let all = self.own(*class, name);
            let Some(last) = all.last().copied() else {
                continue;
            };
            let kind = self.snapshot.decl(last).map(|d| d.kind());
            if kind != Some(SymbolKind::Field) {
                if out.is_empty() {
                    let getter = |m: &&SymbolId| {
                        let kind = self.snapshot.decl(**m).map(|d| d.kind());
                        kind == Some(SymbolKind::Getter)
                    };
                    let one = all.iter().find(getter).copied().unwrap_or(last);
                    out = self.symbol(one, None);
                }
                return out;
            }
            for m in all {
                out.extend(self.symbol(m, None));
            }
            if !object && !out.is_empty() {
                return out;
            }
        }
        out
    }

    fn own(&self, class: SymbolId, name: Name) -> Vec<SymbolId> {
        let file = self.snapshot.decl(class).map(|d| d.file);
        let found = file.and_then(|f| f.index.members.get(&(class, name)));
        found.map(|m| m.to_vec()).unwrap_or_default()
    }

    /// A class's own constructor.
    pub(super) fn constructor(&self, class: SymbolId) -> Option<SymbolId> {
        let name = self.traits_of(class)?.constructor;
        let own = self.own(class, Name::new(name));
        let made = |m: &&SymbolId| {
            let kind = self.snapshot.decl(**m).map(|d| d.kind());
            kind == Some(SymbolKind::Constructor)
        };
        own.iter().rev().find(made).copied()
    }

    /// A function, and classes whose construction runs it as their inherited constructor.
    pub(super) fn also_called(&self, f: SymbolId) -> Vec<SymbolId> {
        let mut out = vec![f];
        let kind = self.snapshot.decl(f).map(|d| d.kind());
        if kind == Some(SymbolKind::Constructor)
            && let Some(class) = self.snapshot.parent(f)
        {
            let below = self.below(class).into_iter();
            out.extend(below.filter(|c| self.constructor(*c).is_none()));
        }
        out
    }

    /// What calling an object runs.
    pub(super) fn called_object(&mut self, class: SymbolId) -> Vec<SymbolId> {
        let Some(traits) = self.traits_of(class) else {
            return Vec::new();
        };
        let way = traits.operators.iter().find(|o| o.0 == ops::CALL);
        let Some(name) = way.and_then(|o| o.1.first()) else {
            return Vec::new();
        };
        let found = self.member(&[V::Object(class)], Name::new(name));
        let function = |v: V| match v {
            V::Fn(f, _) => Some(f),
            _ => None,
        };
        found.into_iter().filter_map(function).collect()
    }

    /// What an operator gives, by the methods the language runs for it.
    pub(super) fn operated(&mut self, v: V, op: &str) -> Vec<V> {
        let V::Object(class) = v else {
            return Vec::new();
        };
        let Some(traits) = self.traits_of(class) else {
            return Vec::new();
        };
        for (_, methods) in traits.operators.iter().filter(|o| o.0 == op) {
            let mut at = vec![v];
            for method in *methods {
                let found = self.member(&at, Name::new(method));
                let mut next = Vec::new();
                for f in &found {
                    if let V::Fn(f, _) = f {
                        next.extend(match self.gives_receiver(*f) {
                            true => at.clone(),
                            false => self.returned(*f, None),
                        });
                    }
                }
                at = next;
            }
            // An iterator may be a generator that a method gives.
            if let [V::Generator(f, env)] = at[..] {
                return self.given_back(f, env);
            }
            if !at.is_empty() {
                return at;
            }
        }
        Vec::new()
    }
}
