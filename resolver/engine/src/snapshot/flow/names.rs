//! What names of modules hold.

use super::*;
use crate::state::{Entry, FileEntry, What};
use surefoot_facts::{ImpIdx, ItemFacts, Name, Specifier};

/// How many modules that bring each other's names are asked one after the other.
const MAX_GLOBS: u32 = 16;

impl Solver<'_> {
    /// What a name of a module may hold: what was bound to it last, and what stands under a condition. `first`: of
    /// its bindings only so many.
    pub(super) fn name(&mut self, file: &FileEntry, name: Name, first: Option<u16>) -> Vec<V> {
        let entries = file.index.names.get(&(file.module, name));
        let mut all: Vec<(u32, bool, bool, Entry)> = Vec::new();
        for e in entries.into_iter().flatten().filter(|e| e.bound) {
            let (item, conditional, inside) = match e.what {
                What::Symbol(s) => {
                    match self.snapshot.decl(s).map(|d| (d.loc, d.flags(), d.kind())) {
                        Some((loc, flags, kind)) => {
                            let conditional = flags.has(Flags::CONDITIONAL);
                            let variable = kind == SymbolKind::Variable;
                            let inside = variable && conditional && flags.has(Flags::REASSIGNED);
                            (loc.item, conditional, inside)
                        }
                        None => continue,
                    }
                }
                What::Import(i) => {
                    let import = file.item(i.item).and_then(|f| f.imports.get(i.imp.get()?));
                    (i.item, import.is_some_and(|i| i.conditional), false)
                }
            };
            all.push((item, conditional, inside, *e));
        }
        all.sort_by_key(|a| a.0);
        if let Some(count) = first {
            // What functions assign when they run comes at no known time.
            let mut left = usize::from(count);
            all.retain(|(_, _, inside, _)| {
                let before = left > 0;
                left = left.saturating_sub(usize::from(!inside));
                before || *inside
            });
        }
        if let Some(last) = all.iter().rposition(|a| !a.1) {
            all.drain(..last);
        }
        let mut out = Vec::new();
        for (_, _, _, e) in &all {
            match e.what {
                What::Symbol(s) => out.extend(self.symbol(s, None)),
                What::Import(i) => out.extend(self.import(i.file, i.item, i.imp)),
            }
        }
        if all.is_empty() {
            out = self.in_globs(file, name);
        }
        out
    }

    /// Whether names lead along paths of modules, which only the engine follows.
    pub(super) fn has_paths(&self, file: &FileEntry) -> bool {
        let traits = self.traits_of(file.module);
        traits.is_some_and(|t| t.module_tree)
    }

    /// What a name used as a value leads to, as the engine placed it.
    pub(super) fn as_placed(&mut self, at: Place, facts: &ItemFacts) -> Vec<V> {
        let snapshot = self.snapshot;
        let named = |s: &surefoot_facts::Site| s.kind == SiteKind::Value && s.callee == at.expr;
        let start = snapshot
            .file(at.file)
            .and_then(|f| f.site_starts.get(at.item as usize).copied());
        let (Some(n), Some(start)) = (facts.sites.iter().position(named), start) else {
            return Vec::new();
        };
        let site = SiteId {
            file: at.file,
            index: start + n as u32,
        };
        match snapshot.outcome(site).and_then(|o| o.symbol()) {
            Some(symbol) => self.symbol(symbol, None),
            None => Vec::new(),
        }
    }

    /// What an import brings, as the engine placed it.
    pub(super) fn import(&mut self, file: FileId, item: u32, imp: ImpIdx) -> Vec<V> {
        let snapshot = self.snapshot;
        let Some(entry) = snapshot.file(file) else {
            return Vec::new();
        };
        let (Some(facts), Some(start)) = (entry.item(item), entry.site_starts.get(item as usize))
        else {
            return Vec::new();
        };
        let Some(import) = imp.get().and_then(|i| facts.imports.get(i)) else {
            return Vec::new();
        };
        let named = |n: &surefoot_facts::Site| {
            n.kind == SiteKind::Import && (n.name == import.local || n.name == import.name)
        };
        let Some(n) = facts.sites.iter().position(named) else {
            return Vec::new();
        };
        let index = start + n as u32;
        let outcome = snapshot.outcome(SiteId { file, index });
        match outcome.and_then(|o| o.symbol()) {
            Some(symbol) => self.symbol(symbol, None),
            None => Vec::new(),
        }
    }

    /// Whether a module shows a name to those who ask for all of it.
    fn lists(&self, module: &FileEntry, name: Name) -> bool {
        let has = |name: Name| module.index.names.contains_key(&(module.module, name));
        let open = has(Name::new("<all>?"));
        if has(Name::new("<all>")) {
            return open || has(Name::new(&format!("<all>{}", name.text())));
        }
        let rules = self.snapshot.t.languages.rules(module.language);
        open || rules.is_some_and(|r| r.globbed(name))
    }

    fn in_globs(&mut self, file: &FileEntry, name: Name) -> Vec<V> {
        let snapshot = self.snapshot;
        let Some(state) = snapshot.state(file.id) else {
            return Vec::new();
        };
        let globs = file.index.globs.get(&file.module);
        let mut out = Vec::new();
        self.globs += 1;
        for glob in globs.into_iter().flatten() {
            let link = state.links.imports().iter();
            let link = link
                .filter(|l| l.item == glob.item && l.import == glob.imp)
                .find_map(|l| match l.leads {
                    Specifier::File { file, .. } => Some(file),
                    _ => None,
                });
            // Modules that bring each other's names end at the bound.
            if self.globs < MAX_GLOBS
                && let Some(from) = link.and_then(|f| snapshot.file(f))
                && self.lists(from, name)
            {
                out.extend(self.name(from, name, None));
            }
        }
        self.globs -= 1;
        out
    }
}
