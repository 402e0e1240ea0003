//! The tree of modules and packages: who is around whom, and how close.

use super::Value;
use crate::state::{Ctx, Dep, Reach};
use std::sync::Arc;
use surefoot_facts::{Name, PackageOf, PathReader, Visibility};
use surefoot_graph::{Cause, FileId, SymbolId, SymbolKind};

/// Whether something is seen from where it is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Seen {
    No,
    Yes,
    /// Inside this module, and nowhere else.
    In(SymbolId),
}

/// How deep modules nest at most.
const MAX_MODULES: usize = 64;

impl<'a> Ctx<'a> {
    // ---- modules ---------------------------------------------------------------

    /// The module a declaration stands for: a `mod name;` stands for its file.
    pub(crate) fn module_itself(&self, declared: SymbolId) -> Result<SymbolId, Cause> {
        let Some((_, s, _)) = self.symbol(declared) else {
            return Ok(declared);
        };
        if s.file_module.is_none() {
            return Ok(declared);
        }
        let value = self.memo(Dep::child_module(declared), || {
            let Some((at, s, _)) = self.symbol(declared) else {
                return Value::Module(None);
            };
            let Some(rules) = self.db.languages.rules(at.file.language) else {
                return Value::Module(None);
            };
            let mut inside = Vec::new();
            let mut up = s.parent;
            while let Some(p) = at.facts.symbol(up) {
                inside.push(p.name.text());
                up = p.parent;
            }
            inside.reverse();
            let written = s.file_module.unwrap_or(Name::EMPTY);
            let files = rules.module_file(&at.file.path, &inside, s.name.text(), written.text());
            let hit = files.candidates.iter().find_map(|p| self.file(p));
            Value::Module(hit.and_then(|f| self.db.file(f)).map(|f| f.module))
        });
        match value {
            Value::Module(Some(m)) => Ok(m),
            Value::Module(None) => Err(Cause::Miss),
            _ => Err(Cause::Cycle),
        }
    }

    /// The module around a module; `None` at the root of a package.
    pub(crate) fn module_parent(&self, module: SymbolId) -> Option<SymbolId> {
        if let Some((at, s, _)) = self.symbol(module) {
            let mut up = s.parent;
            while let Some(p) = at.facts.symbol(up) {
                if matches!(p.kind, SymbolKind::Module | SymbolKind::Namespace) {
                    break;
                }
                up = p.parent;
            }
            return Some(at.id(up));
        }
        self.declared_by(module).and_then(|d| self.module_parent(d))
    }

    /// The declaration that a file's module stands for: `mod name;`.
    pub(super) fn declared_by(&self, module: SymbolId) -> Option<SymbolId> {
        let id = self.db.module_file(module)?.id;
        let value = self.memo(Dep::parent(id), || {
            let Some(file) = self.db.file(id) else {
                return Value::Module(None);
            };
            self.read(Dep::module_parent(file.path_name));
            let mut declared = self
                .db
                .children
                .get(&file.path_name)
                .cloned()
                .unwrap_or_default();
            self.sort(&mut declared);
            let hit = declared
                .into_iter()
                .find(|d| self.module_itself(*d) == Ok(file.module));
            Value::Module(hit)
        });
        match value {
            Value::Module(m) => m,
            _ => None,
        }
    }

    /// Source order: what lists of symbols are read in, whatever order they came in.
    pub(crate) fn sort(&self, list: &mut Vec<SymbolId>) {
        if list.len() < 2 {
            return;
        }
        list.sort_by_cached_key(|id| {
            let loc = self.db.loc(*id);
            let path = loc
                .and_then(|l| self.db.file(l.file))
                .map(|f| f.path.clone());
            (path, loc.map(|l| (l.item, l.sym)))
        });
        list.dedup();
    }

    pub(crate) fn package(&self, file: FileId) -> Arc<PackageOf> {
        let value = self.memo(Dep::package(file), || {
            let rules = self
                .db
                .file(file)
                .and_then(|f| self.db.languages.rules(f.language));
            Value::Package(Arc::new(
                rules.map(|r| r.package(self, file)).unwrap_or_default(),
            ))
        });
        match value {
            Value::Package(p) => p,
            _ => Arc::default(),
        }
    }

    /// The topmost module around: what a package's paths start from.
    pub(super) fn root_of(&self, module: SymbolId) -> SymbolId {
        let mut m = module;
        for _ in 0..MAX_MODULES {
            match self.module_parent(m) {
                Some(up) => m = up,
                None => break,
            }
        }
        m
    }

    /// How close `from` stands to `module`.
    pub(crate) fn reach(&self, from: SymbolId, module: SymbolId) -> Reach {
        let mut up = Some(from);
        for _ in 0..MAX_MODULES {
            match up {
                Some(m) if m == module => return Reach::Inside,
                Some(m) => up = self.module_parent(m),
                None => break,
            }
        }
        if self.root_of(from) == self.root_of(module) {
            Reach::Package
        } else {
            Reach::Foreign
        }
    }

    /// Who of those at a distance sees what a module declares or imports: all
    /// the engine knows of visibility.
    pub(super) fn seen(&self, by: Visibility, module: SymbolId, reach: Reach) -> Seen {
        if reach == Reach::Inside || by == Visibility::Public {
            return Seen::Yes;
        }
        if reach == Reach::Foreign {
            return Seen::No;
        }
        let up = |n: usize| -> Option<SymbolId> {
            let mut at = module;
            for _ in 0..n {
                at = self.module_parent(at)?;
            }
            Some(at)
        };
        match by {
            Visibility::Private | Visibility::Protected => Seen::No,
            Visibility::Public | Visibility::Package => Seen::Yes,
            Visibility::Above(n) => up(usize::from(n)).map_or(Seen::Yes, Seen::In),
            Visibility::Below(n) => {
                let depth = (0..MAX_MODULES).take_while(|n| up(n + 1).is_some()).count();
                let n = depth.checked_sub(usize::from(n));
                n.and_then(up).map_or(Seen::No, Seen::In)
            }
        }
    }

    pub(super) fn module_tree(&self, module: SymbolId) -> bool {
        self.rules_of(module)
            .is_some_and(|r| r.traits().module_tree)
    }

    pub(crate) fn rules_of(&self, id: SymbolId) -> Option<&'static dyn surefoot_facts::Rules> {
        self.file_of(id)
            .and_then(|f| self.db.languages.rules(f.language))
    }
}
