//! Symbols by name: what they are, what they are called, what stands in them.

use super::places::Place;
use super::{Snapshot, Uses};
use crate::links::path_of_type;
use crate::state::{FileEntry, Loc};
use std::sync::Arc;
use surefoot_facts::{
    Complexity, Expr, Flags, HeritageKind, ItemFacts, LanguageId, Name, SymIdx, Symbol, Ty, TyIdx,
    Visibility,
};
use surefoot_graph::{FileId, SymbolId, SymbolKind};

/// A symbol where its facts are.
#[derive(Clone, Copy)]
pub struct Decl<'a> {
    pub id: SymbolId,
    pub file: &'a Arc<FileEntry>,
    pub loc: Loc,
    /// The item and the symbol's facts; `None` for the module of a file.
    pub facts: Option<(&'a Arc<ItemFacts>, &'a Symbol)>,
}

impl Decl<'_> {
    pub fn kind(&self) -> SymbolKind {
        self.facts.map_or(SymbolKind::Module, |f| f.1.kind)
    }

    pub fn flags(&self) -> Flags {
        self.facts.map_or(Flags::default(), |f| f.1.flags)
    }

    /// As written; empty for what has no name, and for the module of a file.
    pub fn name(&self) -> Name {
        self.facts.map_or(Name::EMPTY, |f| f.1.name)
    }

    pub fn complexity(&self) -> Complexity {
        self.facts.map_or(Complexity::default(), |f| f.1.complexity)
    }
}

/// Everything a face shows of a symbol.
#[derive(Clone, PartialEq, Debug)]
pub struct SymbolInfo {
    pub id: SymbolId,
    pub kind: SymbolKind,
    /// As shown: a file's module by its file name, a function without a name as
    /// `<lambdaN>`.
    pub name: String,
    /// `<file>::<scope chain>::<name>`; the file alone for its module.
    pub qualified: String,
    /// The scope chain alone: `Type`, `module::Type`; empty at the top.
    pub container: String,
    pub file: FileId,
    pub path: Arc<str>,
    pub language: LanguageId,
    /// The whole declaration, attributes included.
    pub full: Place,
    pub name_place: Place,
    /// The innermost declaration around that has a name; a module for the others.
    pub parent: Option<SymbolId>,
    pub visibility: Visibility,
    pub flags: Flags,
    /// `None` for what has no body to count.
    pub complexity: Option<Complexity>,
    /// Declared parameter names in order, receivers left out.
    pub parameters: Vec<Name>,
    /// BLAKE3 of the declaration's bytes, where they were read for a report.
    pub content: Option<[u8; 32]>,
    /// A stub of the standard library: never a target, never counted.
    pub prelude: bool,
}

impl Snapshot {
    pub fn decl(&self, id: SymbolId) -> Option<Decl<'_>> {
        let loc = *self.t.symbols.get(id)?;
        let file = self.file(loc.file)?;
        if loc.sym.is_none() {
            return (file.module == id).then_some(Decl {
                id,
                file,
                loc,
                facts: None,
            });
        }
        let item = file.item(loc.item)?;
        let symbol = item.symbol(loc.sym)?;
        Some(Decl {
            id,
            file,
            loc,
            facts: Some((item, symbol)),
        })
    }

    /// Everything a face shows of a symbol; `None` when it is not in this snapshot.
    pub fn symbol_info(&self, id: SymbolId) -> Option<SymbolInfo> {
        let d = self.decl(id)?;
        let (full, name_place) = self.spans(&d);
        let mut chain = self.chain(&d);
        let name = if d.facts.is_none() {
            let path: &str = &d.file.path;
            path.rsplit('/').next().unwrap_or(path).to_owned()
        } else {
            chain.pop().unwrap_or_default()
        };
        let container = chain.join("::");
        let mut qualified = d.file.path.to_string();
        if d.facts.is_some() {
            for part in chain.iter().chain([&name]) {
                qualified.push_str("::");
                qualified.push_str(part);
            }
        }
        let has_body = d.kind().is_callable() && !d.flags().has(Flags::BODILESS);
        let signature = d.facts.and_then(|f| f.1.signature.as_deref());
        Some(SymbolInfo {
            id,
            kind: d.kind(),
            name,
            qualified,
            container,
            file: d.file.id,
            path: d.file.path.clone(),
            language: d.file.language,
            full,
            name_place,
            parent: self.parent(id),
            visibility: d.facts.map_or(Visibility::Public, |f| f.1.visibility),
            flags: d.flags(),
            complexity: has_body.then(|| d.complexity()),
            parameters: signature
                .map(|s| s.params.iter().map(|p| p.name).collect())
                .unwrap_or_default(),
            content: content_of(&d),
            prelude: d.file.prelude,
        })
    }

    pub fn qualified_name(&self, id: SymbolId) -> Option<String> {
        let d = self.decl(id)?;
        let mut out = d.file.path.to_string();
        for part in self.chain(&d) {
            out.push_str("::");
            out.push_str(&part);
        }
        Some(out)
    }

    /// The names from the file down to the symbol, as shown; none for a file's module.
    pub(crate) fn chain(&self, d: &Decl<'_>) -> Vec<String> {
        let mut out = Vec::new();
        let Some((item, _)) = d.facts else {
            return out;
        };
        let mut at = d.loc.sym;
        while let Some(symbol) = item.symbol(at) {
            match symbol.kind {
                SymbolKind::Impl => out.push(block_name(item, symbol)),
                SymbolKind::Object if at != d.loc.sym => {}
                SymbolKind::Lambda => out.push(lambda_name(d.file, d.loc.item, at)),
                kind if symbol.name.is_empty() => out.push(format!("<{}>", kind.word())),
                _ => out.push(symbol.name.text().to_owned()),
            }
            at = symbol.parent;
        }
        out.reverse();
        out
    }

    /// The innermost named declaration around; the module of the file at the top.
    pub fn parent(&self, id: SymbolId) -> Option<SymbolId> {
        let d = self.decl(id)?;
        let (item, symbol) = d.facts?;
        let mut at = symbol.parent;
        while let Some(s) = item.symbol(at) {
            if !matches!(s.kind, SymbolKind::Object | SymbolKind::Impl) {
                break;
            }
            at = s.parent;
        }
        Some(d.file.symbol_id(d.loc.item, at))
    }

    /// What is declared directly inside, as written: a block's members belong
    /// to the block. In source order.
    pub fn children(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(d) = self.decl(id) else {
            return Vec::new();
        };
        match d.facts {
            None => {
                let all = d.file.each_symbol();
                all.filter(|(_, item, _, sym)| {
                    item.symbol(*sym).is_some_and(|s| s.parent.is_none())
                })
                .map(|(id, ..)| id)
                .collect()
            }
            Some((item, _)) => item
                .symbols
                .iter()
                .enumerate()
                .filter(|(_, s)| s.parent == d.loc.sym)
                .map(|(i, _)| d.file.symbol_id(d.loc.item, SymIdx(i as u32)))
                .collect(),
        }
    }

    /// All symbols of the file but its module, in source order.
    pub fn symbols_of(&self, file: FileId) -> Vec<SymbolId> {
        let Some(entry) = self.file(file) else {
            return Vec::new();
        };
        entry.each_symbol().map(|(id, ..)| id).collect()
    }

    /// All symbols of one name, in the order of files and positions.
    pub fn symbols_named(&self, name: Name) -> Vec<SymbolId> {
        let Some(bucket) = self.t.buckets.get(name) else {
            return Vec::new();
        };
        let mut all: Vec<SymbolId> = bucket.symbols.iter().collect();
        self.sort(&mut all);
        all
    }

    /// Every name that a symbol of the tree has; for searches by part of a name.
    pub fn names(&self) -> impl Iterator<Item = Name> + '_ {
        let all = self.t.buckets.iter();
        all.filter(|(_, b)| !b.symbols.is_empty())
            .map(|(name, _)| name)
    }

    /// How many symbols stand in the tree, modules included.
    pub fn symbol_count(&self) -> usize {
        let prelude = self.t.files.values().filter(|s| s.entry.prelude);
        let hidden: usize = prelude.map(|s| s.entry.each_symbol().count() + 1).sum();
        self.t.symbols.len() - hidden
    }

    /// Sorts by path, then position.
    pub fn sort(&self, ids: &mut [SymbolId]) {
        ids.sort_by_cached_key(|&id| self.order_key(id));
    }

    pub(crate) fn order_key(&self, id: SymbolId) -> (Arc<str>, u32, u32) {
        let Some(d) = self.decl(id) else {
            return ("".into(), u32::MAX, id.0);
        };
        let (full, name) = self.spans(&d);
        (d.file.path.clone(), full.span.start, name.span.start)
    }

    /// What is counted about a symbol as a target.
    pub fn uses(&self, id: SymbolId) -> Option<&Uses> {
        self.t.uses.get(id)
    }
}

/// The name of the type a block is for.
fn block_name(item: &ItemFacts, block: &Symbol) -> String {
    let own = block
        .heritage
        .iter()
        .find(|h| h.kind == HeritageKind::SelfType);
    own.and_then(|h| type_name(item, h.ty))
        .unwrap_or_else(|| "<impl>".to_owned())
}

/// The last name of a written type.
pub(crate) fn type_name(item: &ItemFacts, ty: TyIdx) -> Option<String> {
    if let Ty::Builtin(name) = item.ty(ty) {
        return Some(name.text().to_owned());
    }
    let mut path = path_of_type(item, ty)?;
    for _ in 0..8 {
        match item.expr(path) {
            Expr::Free { name, .. } | Expr::Scoped { name, .. } | Expr::Member { name, .. } => {
                return Some(name.text().to_owned());
            }
            Expr::Local(b) => {
                let binding = item.bindings.get(b.get()?)?;
                return Some(binding.name.text().to_owned());
            }
            Expr::TypeArgs { base, .. } => path = base,
            _ => return None,
        }
    }
    None
}

/// `<lambdaN>`: its place among the file's anonymous functions in source order.
fn lambda_name(file: &FileEntry, item: u32, at: SymIdx) -> String {
    let is_lambda = |s: &&Symbol| s.kind == SymbolKind::Lambda;
    let before: usize = file.facts.items[..item as usize]
        .iter()
        .map(|i| i.symbols.iter().filter(is_lambda).count())
        .sum();
    let inside = file.item(item).map_or(0, |i| {
        let upto = &i.symbols[..=at.get().unwrap_or(0).min(i.symbols.len() - 1)];
        upto.iter().filter(is_lambda).count()
    });
    format!("<lambda{}>", before + inside)
}

/// The digest of a declaration's bytes; a file's module is all of it.
fn content_of(d: &Decl<'_>) -> Option<[u8; 32]> {
    let Some(at) = d.loc.sym.get() else {
        return Some(d.file.digest);
    };
    let item = d.file.contents.as_deref()?.get(d.loc.item as usize)?;
    item.get(at).copied()
}
