//! What extractors fill: scopes, names, sites; one item at a time.
//!
//! A walker opens and closes scopes and callers as it goes and asks for names
//! by text; which binding a name means is decided when the item ends, so that
//! declarations may follow their uses.

use crate::expr::{Expr, ExprIdx, List, Ty, TyIdx};
use crate::item::*;
use crate::language::LanguageId;
use crate::name::{Name, names};
use crate::pos::{LineIndex, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;
use surefoot_graph::{SiteKind, SymbolKind};

/// How a name is used where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// As a value: counts as a read of a parameter.
    Read,
    /// Assigned without being read: `x = 1`.
    Write,
    /// Read and assigned: `x += 1`.
    ReadWrite,
    /// Among types.
    Type,
    /// By a token of a macro argument the extractor could not read as an expression.
    Maybe,
}

struct Pending {
    expr: ExprIdx,
    scope: ScopeIdx,
    order: u32,
    access: Access,
    span: Span,
}

/// Collects the facts of one file, item by item.
pub struct Builder {
    language: LanguageId,
    item: ItemFacts,
    spans: ItemSpans,
    base: u32,
    scope: ScopeIdx,
    /// (caller, lambda) frames; the last is the innermost.
    callers: Vec<(SymIdx, SymIdx)>,
    /// Scopes of declarations inside bodies; see [`Builder::seal_scope`].
    sealed: FxHashSet<ScopeIdx>,
    parents: Vec<SymIdx>,
    order: u32,
    orders: Vec<u32>,
    by_name: FxHashMap<(ScopeIdx, Name), SmallVec<[BindIdx; 1]>>,
    /// Names that some scope of the item binds: most names are bound by none.
    bound: FxHashSet<Name>,
    pending: Vec<Pending>,
    /// (callable, parameter, end of the assignment)
    overwrites: Vec<(SymIdx, u16, u32)>,
    ordinals: FxHashMap<(SymIdx, SymbolKind, Name), u16>,
    /// Ordinals of top-level declarations run over the whole file.
    top_ordinals: FxHashMap<(SymbolKind, Name), u16>,
    facts: FileFacts,
    items: Vec<Arc<ItemFacts>>,
    placed: Vec<(u32, Arc<ItemSpans>)>,
}

impl Builder {
    pub fn new(language: LanguageId) -> Builder {
        Builder {
            language,
            item: ItemFacts::default(),
            spans: ItemSpans::default(),
            base: 0,
            scope: ScopeIdx(0),
            callers: Vec::new(),
            sealed: FxHashSet::default(),
            parents: Vec::new(),
            order: 0,
            orders: Vec::new(),
            by_name: FxHashMap::default(),
            bound: FxHashSet::default(),
            pending: Vec::new(),
            overwrites: Vec::new(),
            ordinals: FxHashMap::default(),
            top_ordinals: FxHashMap::default(),
            facts: FileFacts::empty(language),
            items: Vec::new(),
            placed: Vec::new(),
        }
    }

    pub fn file(&mut self) -> &mut FileFacts {
        &mut self.facts
    }

    /// Starts the item that covers `span` of the file.
    pub fn begin_item(&mut self, span: Span) {
        self.base = span.start;
        self.item = ItemFacts {
            exprs: vec![Expr::Unknown],
            types: vec![Ty::Unknown],
            lists: vec![0],
            scopes: vec![Scope {
                parent: ScopeIdx::NONE,
                owner: SymIdx::NONE,
                module: true,
                globs: Vec::new(),
            }],
            ..ItemFacts::default()
        };
        self.spans = ItemSpans {
            full: span.relative_to(span.start),
            ..ItemSpans::default()
        };
        self.scope = ScopeIdx(0);
        self.callers.clear();
        self.sealed.clear();
        self.parents.clear();
        self.order = 0;
        self.orders.clear();
        self.by_name.clear();
        self.bound.clear();
        self.pending.clear();
        self.overwrites.clear();
        self.ordinals.clear();
    }

    /// Ends the item: binds its names.
    pub fn end_item(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        for pending in pending.drain(..) {
            self.settle(pending);
        }
        // With its room, for the next item.
        self.pending = pending;
        self.settle_overwrites();
        let mut item = std::mem::take(&mut self.item);
        item.assigned.sort_unstable_by_key(|n| n.text());
        item.assigned.dedup();
        item.assigned.shrink_to_fit();
        item.scopes.shrink_to_fit();
        item.imports.shrink_to_fit();
        item.lists.shrink_to_fit();
        item.exprs.shrink_to_fit();
        item.types.shrink_to_fit();
        item.symbols.shrink_to_fit();
        item.sites.shrink_to_fit();
        item.bindings.shrink_to_fit();
        self.items.push(Arc::new(item));
        let mut spans = std::mem::take(&mut self.spans);
        spans.symbols.shrink_to_fit();
        spans.sites.shrink_to_fit();
        spans.imports.shrink_to_fit();
        spans.bindings.shrink_to_fit();
        spans.decisions.shrink_to_fit();
        spans.reads.shrink_to_fit();
        self.placed.push((self.base, Arc::new(spans)));
    }

    /// Takes over an item read before, whose text stands unchanged at `start`.
    /// False, and nothing is taken, when a declaration in it would now count
    /// differently among its equals.
    pub fn reuse_item(
        &mut self,
        start: u32,
        facts: &Arc<ItemFacts>,
        spans: &Arc<ItemSpans>,
    ) -> bool {
        let top = || facts.symbols.iter().filter(|s| s.parent.is_none());
        let mut seen: FxHashMap<(SymbolKind, Name), u16> = FxHashMap::default();
        for symbol in top() {
            let key = (symbol.kind, symbol.name);
            let ahead = seen.entry(key).or_insert(0);
            let next = self.top_ordinals.get(&key).copied().unwrap_or(0);
            if symbol.ordinal != next.saturating_add(*ahead) {
                return false;
            }
            *ahead = ahead.saturating_add(1);
        }
        for (key, more) in seen {
            let next = self.top_ordinals.entry(key).or_insert(0);
            *next = next.saturating_add(more);
        }
        self.items.push(facts.clone());
        self.placed.push((start, spans.clone()));
        true
    }

    /// The facts of the whole file.
    pub fn finish(mut self, text: &str) -> Extracted {
        self.facts.language = self.language;
        self.items.shrink_to_fit();
        self.placed.shrink_to_fit();
        self.facts.items = self.items.into();
        Extracted {
            facts: self.facts,
            positions: Positions {
                items: self.placed.into(),
                lines: LineIndex::new(text),
            },
        }
    }

    // ---- expressions, types, lists -------------------------------------------------

    pub fn expr(&mut self, expr: Expr) -> ExprIdx {
        if expr == Expr::Unknown {
            return ExprIdx::UNKNOWN;
        }
        self.item.exprs.push(expr);
        ExprIdx(self.item.exprs.len() as u32 - 1)
    }

    pub fn ty(&mut self, ty: Ty) -> TyIdx {
        if ty == Ty::Unknown {
            return TyIdx::UNKNOWN;
        }
        self.item.types.push(ty);
        TyIdx(self.item.types.len() as u32 - 1)
    }

    pub fn get_expr(&self, at: ExprIdx) -> Expr {
        self.item.expr(at)
    }

    pub fn get_ty(&self, at: TyIdx) -> Ty {
        self.item.ty(at)
    }

    /// Fills in an expression made before its parts were known (a call whose
    /// site wants its index).
    pub fn set_expr(&mut self, at: ExprIdx, expr: Expr) {
        if let Some(slot) = self
            .item
            .exprs
            .get_mut(at.0 as usize)
            .filter(|_| at.is_known())
        {
            *slot = expr;
        }
    }

    fn list(&mut self, raw: impl ExactSizeIterator<Item = u32>) -> List {
        if raw.len() == 0 {
            return List(0);
        }
        let at = self.item.lists.len() as u32;
        self.item.lists.push(raw.len() as u32);
        self.item.lists.extend(raw);
        List(at)
    }

    pub fn exprs(&mut self, list: &[ExprIdx]) -> List {
        self.list(list.iter().map(|e| e.0))
    }

    pub fn types(&mut self, list: &[TyIdx]) -> List {
        self.list(list.iter().map(|t| t.0))
    }

    /// Read access to the item while it is made.
    pub fn item(&self) -> &ItemFacts {
        &self.item
    }

    // ---- scopes and names ----------------------------------------------------------

    /// Opens a scope for the body of `owner`. `module`: names not found inside
    /// are asked of the module's table, not of the scopes around.
    pub fn open_scope(&mut self, owner: SymIdx, module: bool) -> ScopeIdx {
        let scope = ScopeIdx(self.item.scopes.len() as u32);
        self.item.scopes.push(Scope {
            parent: self.scope,
            owner,
            module,
            globs: Vec::new(),
        });
        self.scope = scope;
        scope
    }

    pub fn close_scope(&mut self) {
        if let Some(s) = self.scope.get().and_then(|i| self.item.scopes.get(i))
            && !s.parent.is_none()
        {
            self.scope = s.parent;
        }
    }

    /// Says that the current scope belongs to a declaration inside a body that
    /// captures nothing: of the scopes around it sees items and imports, not
    /// locals, parameters or type parameters (a Rust `fn` inside a `fn`).
    pub fn seal_scope(&mut self) {
        self.sealed.insert(self.scope);
    }

    pub fn scope(&self) -> ScopeIdx {
        self.scope
    }

    /// True in a module or the file itself: names declared here are table
    /// entries, not bindings.
    pub fn at_module_level(&self) -> bool {
        self.scope
            .get()
            .and_then(|i| self.item.scopes.get(i))
            .is_some_and(|s| s.module)
    }

    /// Binds a name in the current scope. A sequential binding (`let` in Rust)
    /// is seen only by what follows; a hoisted one by the whole scope.
    pub fn bind(
        &mut self,
        name: Name,
        kind: BindKind,
        ty: TyIdx,
        value: ExprIdx,
        span: Span,
        hoisted: bool,
    ) -> BindIdx {
        self.bind_in(self.scope, name, kind, ty, value, span, hoisted)
    }

    /// [`Builder::bind`] in an outer scope (`var`, function declarations in blocks).
    #[allow(clippy::too_many_arguments)]
    pub fn bind_in(
        &mut self,
        scope: ScopeIdx,
        name: Name,
        kind: BindKind,
        ty: TyIdx,
        value: ExprIdx,
        span: Span,
        hoisted: bool,
    ) -> BindIdx {
        let at = BindIdx(self.item.bindings.len() as u32);
        self.item.bindings.push(Binding {
            name,
            scope,
            kind,
            ty,
            value,
            reassigned: false,
        });
        self.spans.bindings.push(span.relative_to(self.base));
        let order = if hoisted {
            0
        } else {
            self.order += 1;
            self.order
        };
        self.orders.push(order);
        self.by_name.entry((scope, name)).or_default().push(at);
        self.bound.insert(name);
        at
    }

    pub fn binding_mut(&mut self, at: BindIdx) -> Option<&mut Binding> {
        at.get().and_then(|i| self.item.bindings.get_mut(i))
    }

    /// Says where a binding stands, when that is known only later.
    pub fn set_binding_span(&mut self, at: BindIdx, span: Span) {
        let span = span.relative_to(self.base);
        if let Some(s) = at.get().and_then(|i| self.spans.bindings.get_mut(i)) {
            *s = span;
        }
    }

    /// A name as an expression; what it means is settled when the item ends.
    pub fn name(&mut self, name: Name, span: Span, access: Access) -> ExprIdx {
        let expr = self.expr(Expr::Free {
            name,
            scope: self.scope,
        });
        self.pending.push(Pending {
            expr,
            scope: self.scope,
            order: self.order,
            access,
            span: span.relative_to(self.base),
        });
        expr
    }

    /// A name whose binding the walker itself knows.
    pub fn bound(&mut self, at: BindIdx) -> ExprIdx {
        self.expr(Expr::Local(at))
    }

    /// A read of a parameter by a name the walker itself resolved.
    pub fn reads(&mut self, of: SymIdx, param: u16, span: Span) {
        if let Some(symbol) = of.get().and_then(|i| self.item.symbols.get_mut(i))
            && let Some(u) = symbol.param_uses.iter_mut().find(|u| u.param == param)
        {
            u.reads += 1;
            let span = span.relative_to(self.base);
            self.spans.reads.push((of, param, span));
        }
    }

    /// The binding a value name means at this point, when it is already bound.
    pub fn lookup(&self, name: Name) -> Option<BindIdx> {
        self.find(self.scope, name, self.order, false)
    }

    /// The binding a type name means at this point, when it is already bound.
    pub fn lookup_type(&self, name: Name) -> Option<BindIdx> {
        self.find(self.scope, name, self.order, true)
    }

    fn find(&self, scope: ScopeIdx, name: Name, order: u32, types: bool) -> Option<BindIdx> {
        if !self.bound.contains(&name) {
            return None;
        }
        let mut at = scope;
        let mut sealed = false;
        while let Some(s) = at.get().and_then(|i| self.item.scopes.get(i)) {
            if s.module {
                return None;
            }
            if let Some(found) = self.by_name.get(&(at, name)) {
                let hit = found
                    .iter()
                    .rev()
                    .find(|b| self.orders[b.0 as usize] <= order && self.fits(**b, types, sealed));
                if let Some(hit) = hit {
                    return Some(*hit);
                }
            }
            sealed = sealed || self.sealed.contains(&at);
            at = s.parent;
        }
        None
    }

    /// Whether a binding lives among types or among values, as asked, and can
    /// be seen through a sealed scope.
    fn fits(&self, at: BindIdx, types: bool, sealed: bool) -> bool {
        let kind = self.item.bindings[at.0 as usize].kind;
        if sealed && !matches!(kind, BindKind::Symbol(_) | BindKind::Import(_)) {
            return false;
        }
        match kind {
            BindKind::TypeParam { .. } => types,
            BindKind::Param { .. } | BindKind::SelfParam { .. } | BindKind::Local => !types,
            BindKind::Import(_) => true,
            BindKind::Symbol(s) => match self.item.symbol(s).map(|s| s.kind) {
                Some(SymbolKind::Interface | SymbolKind::TypeAlias | SymbolKind::Trait) => types,
                Some(SymbolKind::Function | SymbolKind::Variable | SymbolKind::Macro) => !types,
                _ => true,
            },
        }
    }

    fn settle(&mut self, p: Pending) {
        let Expr::Free { name, .. } = self.item.expr(p.expr) else {
            return;
        };
        let writes = matches!(p.access, Access::Write | Access::ReadWrite);
        let Some(at) = self.find(p.scope, name, p.order, p.access == Access::Type) else {
            if writes {
                self.item.assigned.push(names::rebound(name));
            }
            return;
        };
        self.item.exprs[p.expr.0 as usize] = Expr::Local(at);
        let binding = &mut self.item.bindings[at.0 as usize];
        if writes {
            binding.reassigned = true;
            if let BindKind::Symbol(s) = binding.kind
                && let Some(symbol) = s.get().and_then(|i| self.item.symbols.get_mut(i))
                && symbol.kind == SymbolKind::Function
            {
                symbol.flags.set(Flags::REASSIGNED);
            }
        }
        if let BindKind::Param { of, index } = binding.kind
            && p.access != Access::Write
            && let Some(symbol) = of.get().and_then(|i| self.item.symbols.get_mut(i))
            && let Some(u) = symbol.param_uses.iter_mut().find(|u| u.param == index)
        {
            if p.access == Access::Maybe {
                u.maybe = true;
            } else {
                u.reads += 1;
                self.spans.reads.push((of, index, p.span));
            }
        }
    }

    /// The parameter is assigned, whatever runs, by a statement that ends at
    /// `end`: unless something reads it before, its incoming value never counts.
    pub fn overwrites(&mut self, of: SymIdx, param: u16, end: u32) {
        self.overwrites
            .push((of, param, end.saturating_sub(self.base)));
    }

    fn settle_overwrites(&mut self) {
        for (of, param, end) in std::mem::take(&mut self.overwrites) {
            let mut reads = self.spans.reads.iter();
            let read_before = reads.any(|r| (r.0, r.1) == (of, param) && r.2.start < end);
            if !read_before
                && let Some(symbol) = of.get().and_then(|i| self.item.symbols.get_mut(i))
                && let Some(u) = symbol.param_uses.iter_mut().find(|u| u.param == param)
            {
                u.overwritten = true;
            }
        }
    }

    // ---- symbols -------------------------------------------------------------------

    /// Declares a symbol under the innermost [`Builder::enter_parent`].
    pub fn symbol(&mut self, name: Name, kind: SymbolKind, full: Span, name_span: Span) -> SymIdx {
        let parent = self.parents.last().copied().unwrap_or(SymIdx::NONE);
        let at = SymIdx(self.item.symbols.len() as u32);
        let next = if parent.is_none() {
            self.top_ordinals.entry((kind, name)).or_insert(0)
        } else {
            self.ordinals.entry((parent, kind, name)).or_insert(0)
        };
        let ordinal = *next;
        *next = next.saturating_add(1);
        self.item.symbols.push(Symbol {
            name,
            kind,
            parent,
            scope: ScopeIdx::NONE,
            ordinal,
            visibility: Visibility::Public,
            flags: Flags::default(),
            type_params: Vec::new(),
            signature: None,
            ty: TyIdx::UNKNOWN,
            value: ExprIdx::UNKNOWN,
            heritage: Vec::new(),
            context: None,
            file_module: None,
            condition: Name::EMPTY,
            foreign: Name::EMPTY,
            complexity: Complexity::default(),
            param_uses: Vec::new(),
        });
        self.spans.symbols.push(SymSpan {
            full: full.relative_to(self.base),
            name: name_span.relative_to(self.base),
        });
        at
    }

    pub fn symbol_mut(&mut self, at: SymIdx) -> Option<&mut Symbol> {
        at.get().and_then(|i| self.item.symbols.get_mut(i))
    }

    /// Symbols declared from now on have `at` as parent.
    pub fn enter_parent(&mut self, at: SymIdx) {
        self.parents.push(at);
    }

    pub fn leave_parent(&mut self) {
        self.parents.pop();
    }

    pub fn parent(&self) -> SymIdx {
        self.parents.last().copied().unwrap_or(SymIdx::NONE)
    }

    /// Sites from now on belong to `at`: a named callable, or a lambda folded
    /// into the named function around it.
    pub fn enter_caller(&mut self, at: SymIdx) {
        let lambda = self
            .item
            .symbol(at)
            .is_some_and(|s| s.kind == SymbolKind::Lambda);
        let around = self.callers.last().map_or(SymIdx::NONE, |c| c.0);
        self.callers.push(if lambda {
            (around, at)
        } else {
            (at, SymIdx::NONE)
        });
    }

    pub fn leave_caller(&mut self) {
        self.callers.pop();
    }

    /// The innermost named caller.
    pub fn caller(&self) -> SymIdx {
        self.callers.last().map_or(SymIdx::NONE, |c| c.0)
    }

    /// The innermost callable, lambdas included.
    pub fn callable(&self) -> SymIdx {
        self.callers
            .last()
            .map_or(SymIdx::NONE, |c| if c.1.is_none() { c.0 } else { c.1 })
    }

    // ---- sites, imports, numbers ---------------------------------------------------

    /// Records a site; `span` is the callee's name token.
    pub fn site(&mut self, kind: SiteKind, name: Name, callee: ExprIdx, span: Span) -> SiteIdx {
        let (caller, lambda) = self
            .callers
            .last()
            .copied()
            .unwrap_or((SymIdx::NONE, SymIdx::NONE));
        let at = SiteIdx(self.item.sites.len() as u32);
        self.item.sites.push(Site {
            kind,
            name,
            callee,
            call: ExprIdx::UNKNOWN,
            caller,
            lambda,
            broken: false,
            loose: false,
        });
        self.spans.sites.push(span.relative_to(self.base));
        at
    }

    /// Whether a site of the item stands at this name.
    pub fn has_site_at(&self, span: Span) -> bool {
        let span = span.relative_to(self.base);
        self.spans.sites.contains(&span)
    }

    pub fn stores(&mut self, store: Store) {
        self.item.stores.push(store);
    }

    /// Records that a member of this name is assigned, of whatever receiver.
    pub fn assigns(&mut self, member: Name) {
        if !member.is_empty() {
            self.item.assigned.push(member);
        }
    }

    pub fn site_mut(&mut self, at: SiteIdx) -> Option<&mut Site> {
        at.get().and_then(|i| self.item.sites.get_mut(i))
    }

    /// Records an import; in a body it is also bound in the current scope.
    pub fn import(&mut self, mut import: Import, span: Span) -> ImpIdx {
        import.scope = self.scope;
        import.module = self.item.module_of_scope(self.scope);
        let at = ImpIdx(self.item.imports.len() as u32);
        let body = !self.at_module_level();
        if body && import.binds {
            if import.local.is_empty() {
                if let Some(s) = self.scope.get().and_then(|i| self.item.scopes.get_mut(i)) {
                    s.globs.push(at);
                }
            } else {
                let (ty, none) = (TyIdx::UNKNOWN, ExprIdx::UNKNOWN);
                self.bind(import.local, BindKind::Import(at), ty, none, span, true);
            }
        }
        self.item.imports.push(import);
        self.spans.imports.push(span.relative_to(self.base));
        at
    }

    /// Records an import that belongs to the file's module, wherever it is written.
    pub fn module_import(&mut self, mut import: Import, span: Span) {
        import.scope = ScopeIdx(0);
        import.module = SymIdx::NONE;
        self.item.imports.push(import);
        self.spans.imports.push(span.relative_to(self.base));
    }

    /// Counts a decision towards a callable's complexity.
    pub fn decision(
        &mut self,
        of: SymIdx,
        kind: DecisionKind,
        cyclomatic: u8,
        cognitive: u16,
        span: Span,
    ) {
        if let Some(symbol) = of.get().and_then(|i| self.item.symbols.get_mut(i)) {
            symbol.complexity.cyclomatic += u32::from(cyclomatic);
            symbol.complexity.cognitive += u32::from(cognitive);
        }
        let span = span.relative_to(self.base);
        self.spans.decisions.push(Decision {
            of,
            kind,
            cyclomatic,
            cognitive,
            span,
        });
    }
}
