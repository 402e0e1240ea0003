//! Base values: the files, and the sums over them.

use super::key::{Dep, Ns};
use super::shared::Shared;
use crate::languages::Languages;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;
use surefoot_facts::{
    BindKind, Contents, FileFacts, Flags, HeritageKind, ImpIdx, Import, ImportKind, ItemFacts,
    LanguageId, ManifestFacts, Name, Positions, SymIdx, Symbol, Ty, Visibility,
};
use surefoot_graph::{FileId, SymbolId, SymbolKind};

/// Where a symbol's facts are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loc {
    pub file: FileId,
    pub item: u32,
    /// `NONE`: the module of the file itself.
    pub sym: SymIdx,
}

/// An import of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ImportRef {
    pub file: FileId,
    pub item: u32,
    pub imp: ImpIdx,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum What {
    Symbol(SymbolId),
    Import(ImportRef),
}

/// One meaning of a name in a module's table, as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub what: What,
    /// Seen by lookups from inside.
    pub bound: bool,
    /// Seen from other modules, as far as its visibility goes.
    pub exported: bool,
    pub visibility: Visibility,
}

/// What stands at a path of the tree that is no source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Presence {
    /// A file or folder that was seen.
    Present,
    /// Looked for and not there.
    Absent,
    Unreadable,
}

/// One file as the engine holds it.
#[derive(Clone)]
pub struct FileEntry {
    pub id: FileId,
    /// Relative to the root, with forward slashes. The order of a report is the
    /// order of these.
    pub path: Arc<str>,
    pub path_name: Name,
    pub language: LanguageId,
    pub digest: [u8; 32],
    pub bytes: u32,
    pub facts: Arc<FileFacts>,
    pub positions: Arc<Positions>,
    /// Digests of the declarations, where a report may be asked for.
    pub contents: Option<Arc<Contents>>,
    /// The ids of the symbols of each item, parallel to the facts.
    pub symbols: Arc<[Box<[SymbolId]>]>,
    pub module: SymbolId,
    /// The number of sites before each item.
    pub site_starts: Arc<[u32]>,
    /// A stub of the standard library: gives types, never targets.
    pub prelude: bool,
    pub(crate) index: Arc<FileIndex>,
}

/// The contributions of one file to the base values that are its own.
#[derive(Default, PartialEq)]
pub(crate) struct FileIndex {
    pub names: FxHashMap<(SymbolId, Name), SmallVec<[Entry; 1]>>,
    pub globs: FxHashMap<SymbolId, SmallVec<[ImportRef; 1]>>,
    /// Imports by path under another name than the one they ask for, by that one.
    pub renames: FxHashMap<(SymbolId, Name), SmallVec<[ImportRef; 1]>>,
    pub members: FxHashMap<(SymbolId, Name), SmallVec<[SymbolId; 1]>>,
    /// Blocks by the last name of the type they are for.
    pub impls: Vec<(Name, SymbolId)>,
    /// Types and blocks by the last name of each base or trait they name.
    pub subtypes: Vec<(Name, SymbolId)>,
    /// Paths that a module declaration of this file may mean.
    pub children: Vec<(Name, SymbolId)>,
    /// Names declared for every file.
    pub globals: Vec<(Name, SymbolId)>,
    /// Names that `type` declarations and renaming imports give to something of
    /// another name: (that name, the one given).
    pub aliases: Vec<(Name, Name)>,
    /// Every declaration by its name; kept only where names alone may bind.
    pub named: Vec<(Name, SymbolId)>,
    /// Names of members that the file assigns: (that name, the file's).
    pub assigned: Vec<(Name, FileId)>,
}

impl FileIndex {
    /// Roughly how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let pair = size_of::<(Name, SymbolId)>();
        let lists = [&self.impls, &self.subtypes, &self.children, &self.globals];
        size_of::<FileIndex>()
            + crate::workspace::table(&self.names)
            + crate::workspace::table(&self.globs)
            + crate::workspace::table(&self.renames)
            + crate::workspace::table(&self.members)
            + self.assigned.capacity() * size_of::<(Name, FileId)>()
            + lists.iter().map(|l| l.capacity() * pair).sum::<usize>()
    }
}

impl FileEntry {
    pub fn symbol_id(&self, item: u32, sym: SymIdx) -> SymbolId {
        match sym.get() {
            None => self.module,
            Some(i) => self
                .symbols
                .get(item as usize)
                .and_then(|s| s.get(i))
                .copied()
                .unwrap_or(self.module),
        }
    }

    pub fn item(&self, item: u32) -> Option<&Arc<ItemFacts>> {
        self.facts.items.get(item as usize)
    }

    pub fn site_count(&self) -> u32 {
        self.site_starts.last().copied().unwrap_or(0)
    }

    /// The item and the index inside it of a site of the file.
    pub fn site_at(&self, index: u32) -> Option<(u32, u32)> {
        let item = self
            .site_starts
            .partition_point(|&s| s <= index)
            .checked_sub(1)?;
        (item + 1 < self.site_starts.len()).then(|| (item as u32, index - self.site_starts[item]))
    }

    /// Every symbol of the file but its module, in source order of items.
    pub fn each_symbol(&self) -> impl Iterator<Item = (SymbolId, &Arc<ItemFacts>, u32, SymIdx)> {
        self.symbols_between(0, 0)
    }

    /// The same of the items behind the first `front` and before the last `back`.
    pub(crate) fn symbols_between(
        &self,
        front: usize,
        back: usize,
    ) -> impl Iterator<Item = (SymbolId, &Arc<ItemFacts>, u32, SymIdx)> {
        let items = self.facts.items.len().saturating_sub(back);
        self.facts
            .items
            .iter()
            .enumerate()
            .take(items)
            .skip(front)
            .flat_map(move |(i, item)| {
                (0..item.symbols.len() as u32).map(move |s| {
                    (
                        self.symbol_id(i as u32, SymIdx(s)),
                        item,
                        i as u32,
                        SymIdx(s),
                    )
                })
            })
    }
}

/// All files and the sums over them; read by many threads, changed by one.
#[derive(Default)]
pub struct Db {
    pub languages: Languages,
    pub(crate) files: Vec<Option<Arc<FileEntry>>>,
    pub(crate) by_path: FxHashMap<Name, FileId>,
    /// Files of the stubs, which are no part of the tree.
    pub(crate) stubs: FxHashMap<Name, FileId>,
    pub(crate) locs: Vec<Loc>,
    pub(crate) ids: FxHashMap<(FileId, SymbolId, Name, SymbolKind, u16), SymbolId>,
    pub(crate) impls: FxHashMap<Name, Vec<SymbolId>>,
    pub(crate) subtypes: FxHashMap<Name, Vec<SymbolId>>,
    pub(crate) children: FxHashMap<Name, Vec<SymbolId>>,
    pub(crate) globals: FxHashMap<Name, Vec<SymbolId>>,
    pub(crate) aliases: FxHashMap<Name, Vec<Name>>,
    pub(crate) named: FxHashMap<Name, Vec<SymbolId>>,
    /// An undetermined call is bound to the only declaration of its name.
    pub(crate) bind_unique_names: bool,
    pub(crate) assigned: FxHashMap<Name, Vec<FileId>>,
    pub(crate) presence: FxHashMap<Name, Presence>,
    pub(crate) manifests: FxHashMap<Name, Arc<ManifestFacts>>,
    pub(crate) manifests_named: FxHashMap<Name, std::collections::BTreeSet<Arc<str>>>,
    pub(crate) preludes: FxHashMap<LanguageId, Vec<SymbolId>>,
}

/// The parent of file modules in the identity of symbols.
const NOBODY: SymbolId = SymbolId(u32::MAX);

impl Db {
    pub fn file(&self, id: FileId) -> Option<&Arc<FileEntry>> {
        self.files.get(id.index()).and_then(Option::as_ref)
    }

    pub fn files(&self) -> impl Iterator<Item = &Arc<FileEntry>> {
        self.files.iter().flatten()
    }

    pub fn file_at(&self, path: &str) -> Option<FileId> {
        self.by_path.get(&Name::new(path)).copied()
    }

    pub fn loc(&self, id: SymbolId) -> Option<Loc> {
        self.locs.get(id.index()).copied()
    }

    /// The facts of a symbol that stands in a file of the workspace now.
    pub fn symbol(&self, id: SymbolId) -> Option<(&Arc<FileEntry>, &Arc<ItemFacts>, &Symbol, Loc)> {
        let loc = self.loc(id)?;
        let file = self.file(loc.file)?;
        let item = file.item(loc.item)?;
        let symbol = item.symbol(loc.sym)?;
        (file.symbol_id(loc.item, loc.sym) == id).then_some((file, item, symbol, loc))
    }

    /// The file whose module this is.
    pub fn module_file(&self, id: SymbolId) -> Option<&Arc<FileEntry>> {
        let loc = self.loc(id)?;
        loc.sym
            .is_none()
            .then(|| self.file(loc.file))
            .flatten()
            .filter(|f| f.module == id)
    }

    fn intern(
        &mut self,
        file: FileId,
        parent: SymbolId,
        name: Name,
        kind: SymbolKind,
        ordinal: u16,
    ) -> SymbolId {
        let next = SymbolId(self.locs.len() as u32);
        let id = *self
            .ids
            .entry((file, parent, name, kind, ordinal))
            .or_insert(next);
        if id == next {
            self.locs.push(Loc {
                file,
                item: 0,
                sym: SymIdx::NONE,
            });
        }
        id
    }

    /// Gives ids to the symbols of a file and remembers where they are now. What
    /// `old` shares with it has the ids it had.
    pub(crate) fn identify(
        &mut self,
        file: FileId,
        facts: &FileFacts,
        old: Option<&FileEntry>,
    ) -> (SymbolId, Arc<[Box<[SymbolId]>]>) {
        let module = self.intern(file, NOBODY, Name::EMPTY, SymbolKind::Module, 0);
        let none = FileFacts::empty(facts.language);
        let was = old.map_or(&none, |f| &f.facts);
        let shared = Shared::of(&was.items, &facts.items);
        let (before, now) = (was.items.len(), facts.items.len());
        let mut all: Vec<Box<[SymbolId]>> = Vec::with_capacity(now);
        for (i, item) in facts.items.iter().enumerate() {
            let at = match i {
                _ if i < shared.front => Some(i),
                _ if i >= now - shared.back => Some(i + before - now),
                _ => None,
            };
            if let Some(at) = at
                && let Some(ids) = old.and_then(|f| f.symbols.get(at))
            {
                if at != i {
                    for id in ids {
                        self.locs[id.index()].item = i as u32;
                    }
                }
                all.push(ids.clone());
                continue;
            }
            let mut ids: Vec<SymbolId> = Vec::with_capacity(item.symbols.len());
            for (s, symbol) in item.symbols.iter().enumerate() {
                // A parent stands before its children; anything else is the file.
                let parent = symbol
                    .parent
                    .get()
                    .and_then(|p| ids.get(p))
                    .copied()
                    .unwrap_or(module);
                let id = self.intern(file, parent, symbol.name, symbol.kind, symbol.ordinal);
                self.locs[id.index()] = Loc {
                    file,
                    item: i as u32,
                    sym: SymIdx(s as u32),
                };
                ids.push(id);
            }
            all.push(ids.into_boxed_slice());
        }
        (module, all.into())
    }

    /// The last name of a written type: what its blocks and bases are found by.
    fn last_name(item: &ItemFacts, ty: surefoot_facts::TyIdx) -> Option<Name> {
        use surefoot_facts::Expr;
        let mut at = ty;
        for _ in 0..8 {
            match item.ty(at) {
                Ty::Named { path, .. } | Ty::TypeOf(path) => {
                    let mut path = path;
                    for _ in 0..4 {
                        match item.expr(path) {
                            Expr::Free { name, .. }
                            | Expr::Scoped { name, .. }
                            | Expr::Member { name, .. } => return Some(name),
                            Expr::TypeArgs { base, .. } => path = base,
                            // A type parameter: the block is for every type.
                            Expr::Local(b) => {
                                let b = item.bindings.get(b.get()?)?;
                                return Some(match b.kind {
                                    BindKind::TypeParam { .. } => Name::EMPTY,
                                    _ => b.name,
                                });
                            }
                            _ => return None,
                        }
                    }
                    return None;
                }
                // References are looked through, so a block for `&T` would look like
                // one for every type; a method call finds `T`'s own before it.
                Ty::Ref(t) => match Db::last_name(item, t) {
                    Some(name) if !name.is_empty() => return Some(name),
                    _ => return None,
                },
                // Pointers are not: what is found on them is found on nothing else.
                Ty::Ptr(_) => return None,
                Ty::Array(_) => return Some(Name::new("[]")),
                Ty::Tuple(_) => return Some(Name::new("()")),
                Ty::Builtin(n) => return Some(n),
                Ty::Bounds { list, .. } => at = item.ty_list(list).next()?,
                Ty::Fn { .. } => return Some(Name::new("fn()")),
                _ => return None,
            }
        }
        None
    }

    /// What items of a file contribute to the base values.
    pub(crate) fn index(
        &self,
        (path, file, module): (&str, FileId, SymbolId),
        facts: &FileFacts,
        ids: &[Box<[SymbolId]>],
        items: Range<usize>,
    ) -> FileIndex {
        let mut index = FileIndex::default();
        let rules = self.languages.rules(facts.language);
        let tree = rules.is_some_and(|r| r.traits().module_tree);
        let all = facts.items.iter().enumerate();
        for (i, item) in all.take(items.end).skip(items.start) {
            let id = |s: SymIdx| s.get().map_or(module, |s| ids[i][s]);
            let kind = |s: SymIdx| item.symbol(s).map_or(SymbolKind::Module, |s| s.kind);
            // What a block binds is a name of the block, also at the top of a file.
            let in_block: FxHashSet<SymIdx> = item
                .bindings
                .iter()
                .filter_map(|b| match b.kind {
                    // A function that knows itself by a name is declared elsewhere.
                    BindKind::Symbol(s) => {
                        let scope = item.scopes.get(b.scope.0 as usize);
                        scope.is_some_and(|o| o.owner != s).then_some(s)
                    }
                    _ => None,
                })
                .collect();
            for (s, symbol) in item.symbols.iter().enumerate() {
                let at = SymIdx(s as u32);
                let (this, parent) = (id(at), id(symbol.parent));
                if self.bind_unique_names && !symbol.name.is_empty() {
                    index.named.push((symbol.name, this));
                }
                let parent_kind = kind(symbol.parent);
                match parent_kind {
                    SymbolKind::Module | SymbolKind::Namespace if in_block.contains(&at) => {}
                    SymbolKind::Module | SymbolKind::Namespace => {
                        let export = symbol.flags.has(Flags::EXPORTED | Flags::DEFAULT_EXPORT);
                        let entry = Entry {
                            what: What::Symbol(this),
                            bound: !symbol.flags.has(Flags::UNBOUND | Flags::EXPORT_ASSIGN),
                            exported: tree || export,
                            visibility: symbol.visibility,
                        };
                        if symbol.flags.has(Flags::DEFAULT_EXPORT) {
                            let name = surefoot_facts::names::default();
                            let default = Entry {
                                bound: false,
                                exported: true,
                                ..entry
                            };
                            index.names.entry((parent, name)).or_default().push(default);
                            let named = symbol.flags.has(Flags::EXPORTED);
                            if symbol.name != name && !symbol.name.is_empty() {
                                let own = Entry {
                                    exported: named,
                                    ..entry
                                };
                                index
                                    .names
                                    .entry((parent, symbol.name))
                                    .or_default()
                                    .push(own);
                            }
                        } else if symbol.flags.has(Flags::EXPORT_ASSIGN) {
                            let whole = Entry {
                                exported: true,
                                ..entry
                            };
                            let name = surefoot_facts::names::export_assign();
                            index.names.entry((parent, name)).or_default().push(whole);
                        } else if !symbol.name.is_empty() && symbol.kind != SymbolKind::Impl {
                            index
                                .names
                                .entry((parent, symbol.name))
                                .or_default()
                                .push(entry);
                        }
                        if symbol.flags.has(Flags::EXTERN) && symbol.parent.is_none()
                            || symbol.flags.has(Flags::MACRO_EXPORT)
                        {
                            index.globals.push((symbol.name, this));
                        }
                    }
                    _ if symbol.name.is_empty() => {}
                    _ => index
                        .members
                        .entry((parent, symbol.name))
                        .or_default()
                        .push(this),
                }
                if let Some(written) = symbol.file_module
                    && let Some(rules) = rules
                {
                    let mut inside = Vec::new();
                    let mut up = symbol.parent;
                    while let Some(p) = item.symbol(up) {
                        inside.push(p.name.text());
                        up = p.parent;
                    }
                    inside.reverse();
                    let (name, written) = (symbol.name.text(), written.text());
                    for c in rules.module_file(path, &inside, name, written).candidates {
                        index.children.push((Name::new(&c), this));
                    }
                }
                if symbol.kind == SymbolKind::TypeAlias
                    && let Some(of) = Db::last_name(item, symbol.ty)
                    && of != symbol.name
                {
                    index.aliases.push((of, symbol.name));
                }
                for h in &symbol.heritage {
                    let Some(name) = Db::last_name(item, h.ty) else {
                        continue;
                    };
                    match h.kind {
                        HeritageKind::SelfType => index.impls.push((name, this)),
                        HeritageKind::Dynamic => {}
                        _ => index.subtypes.push((name, this)),
                    }
                }
            }
            let assigned = item.assigned.iter().map(|name| (*name, file));
            index.assigned.extend(assigned);
            for (n, import) in item.imports.iter().enumerate() {
                if !import.local.is_empty()
                    && !import.name.is_empty()
                    && import.local != import.name
                    && import.name != surefoot_facts::names::default()
                {
                    index.aliases.push((import.name, import.local));
                }
                if !item
                    .scopes
                    .get(import.scope.0 as usize)
                    .is_some_and(|s| s.module)
                {
                    continue;
                }
                let of = id(import.module);
                let what = ImportRef {
                    file,
                    item: i as u32,
                    imp: ImpIdx(n as u32),
                };
                if Db::is_glob(import) {
                    index.globs.entry(of).or_default().push(what);
                }
                // `use Trait as _` and `use Trait as Other` bring methods under no
                // name the trait could be found by.
                if import.kind == ImportKind::Path && import.local != import.name {
                    let renames = index.renames.entry((of, import.name));
                    renames.or_default().push(what);
                }
                if !Db::is_glob(import) && !import.local.is_empty() {
                    let entry = Entry {
                        what: What::Import(what),
                        bound: import.binds,
                        // In a tree of modules visibility alone decides.
                        exported: import.exported || tree,
                        visibility: import.visibility,
                    };
                    index
                        .names
                        .entry((of, import.local))
                        .or_default()
                        .push(entry);
                }
            }
        }
        index
    }

    fn is_glob(import: &Import) -> bool {
        matches!(
            import.kind,
            ImportKind::Glob | ImportKind::PathGlob | ImportKind::Macros
        )
    }

    /// Adds or removes a file's contributions to the sums over all files.
    pub(crate) fn sum(&mut self, index: &FileIndex, add: bool) {
        sum_table(&mut self.aliases, &index.aliases, add);
        sum_table(&mut self.assigned, &index.assigned, add);
        let tables = [
            (&mut self.impls, &index.impls),
            (&mut self.subtypes, &index.subtypes),
            (&mut self.children, &index.children),
            (&mut self.globals, &index.globals),
            (&mut self.named, &index.named),
        ];
        for (table, part) in tables {
            sum_table(table, part, add);
        }
    }

    /// The namespaces a symbol has a meaning in.
    pub fn lives_in(kind: SymbolKind, flags: Flags, ns: Ns) -> bool {
        use SymbolKind::*;
        match ns {
            Ns::Macro => kind == Macro,
            Ns::Type => matches!(
                kind,
                Module
                    | Namespace
                    | Class
                    | Struct
                    | Union
                    | Enum
                    | Trait
                    | Interface
                    | TypeAlias
                    | AssocType
                    | Variant
            ),
            Ns::Value => match kind {
                Struct | Variant => true,
                Module | Namespace | Class | Enum => true,
                Interface | TypeAlias | Trait | AssocType | Union | Macro | Impl => false,
                _ => {
                    let _ = flags;
                    true
                }
            },
        }
    }

    /// The keys a presence or manifest change touches.
    pub(crate) fn path_keys(path: &str) -> [Dep; 3] {
        let file = path.rsplit('/').next().unwrap_or(path);
        let name = Name::new(path);
        [
            Dep::path(name),
            Dep::manifest(name),
            Dep::manifests(Name::new(file)),
        ]
    }
}

/// Adds or removes what one file gives to a table of lists.
fn sum_table<T: Copy + PartialEq>(
    table: &mut FxHashMap<Name, Vec<T>>,
    part: &[(Name, T)],
    add: bool,
) {
    for &(name, id) in part {
        let list = table.entry(name).or_default();
        if add {
            list.push(id);
        } else {
            if let Some(at) = list.iter().position(|&x| x == id) {
                list.swap_remove(at);
            }
            if list.is_empty() {
                table.remove(&name);
            }
        }
    }
}
