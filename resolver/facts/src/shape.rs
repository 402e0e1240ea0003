//! What others can see of a declaration, as one number.
//!
//! Two numbers per symbol decide who is asked again after an edit: its shape
//! (signature, types, heritage) and its summary (what an inferred result rests
//! on). They hold for one process: names hash by their number.

use crate::expr::{Expr, ExprIdx, List, Ty, TyIdx};
use crate::item::{BindIdx, BindKind, Flags, ImpIdx, ItemFacts, ScopeIdx, SymIdx, Symbol};
use crate::name::Name;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use surefoot_graph::SymbolKind;

/// Flags nobody else's resolution depends on.
const PRIVATE: u32 = Flags::DOCUMENTED
    | Flags::PARTIAL
    | Flags::STUB
    | Flags::TEST
    | Flags::ENTRY
    | Flags::ANY_JOINT;

/// Everything but the body: name, type parameters, signature, types, heritage,
/// flags, and the initial value where it stands for the type.
pub fn shape_of(item: &ItemFacts, at: SymIdx) -> u64 {
    let Some(symbol) = item.symbol(at) else {
        return 0;
    };
    let mut w = Writer::new(item);
    w.shape(symbol);
    w.hash.finish()
}

/// What the inferred result of a callable rests on: the expressions it returns
/// and the bindings they lead to. 0 when its result is written.
pub fn summary_of(item: &ItemFacts, at: SymIdx) -> u64 {
    let Some(signature) = item.symbol(at).and_then(|s| s.signature.as_deref()) else {
        return 0;
    };
    if signature.result.is_known() || signature.returns == List(0) {
        return 0;
    }
    let mut w = Writer::new(item);
    for e in item.expr_list(signature.returns) {
        w.expr(e, 0);
    }
    w.hash.finish() | 1
}

struct Writer<'a> {
    item: &'a ItemFacts,
    hash: FxHasher,
    seen: FxHashSet<BindIdx>,
    lambdas: FxHashSet<SymIdx>,
    imports: FxHashSet<ImpIdx>,
}

/// Expressions nest as deep as the source does; past this a hash of the index
/// stands in, which can only ask too often.
const DEPTH: u32 = 200;

impl<'a> Writer<'a> {
    fn new(item: &'a ItemFacts) -> Writer<'a> {
        Writer {
            item,
            hash: FxHasher::default(),
            seen: FxHashSet::default(),
            lambdas: FxHashSet::default(),
            imports: FxHashSet::default(),
        }
    }

    fn put(&mut self, value: impl Hash) {
        value.hash(&mut self.hash);
    }

    /// Who a symbol is, by name rather than by index, so that a neighbour that
    /// comes or goes changes nothing here.
    fn identity(&mut self, at: SymIdx) {
        let id = self
            .item
            .symbol(at)
            .map(|s| (s.name, s.kind as u8, s.ordinal));
        self.put(id);
    }

    fn shape(&mut self, s: &Symbol) {
        self.put((
            s.name,
            s.kind as u8,
            s.visibility,
            s.flags.0 & !PRIVATE,
            s.ordinal,
        ));
        self.put((s.file_module, s.condition));
        for p in &s.type_params {
            self.put(p.name);
            self.types(p.bounds, 0);
            self.ty(p.default, 0);
        }
        if let Some(sig) = s.signature.as_deref() {
            self.put(sig.params.len());
            for p in &sig.params {
                self.put((p.name, p.optional, p.rest));
                self.ty(p.ty, 0);
            }
            self.ty(sig.result, 0);
            self.ty(sig.receiver, 0);
        }
        self.ty(s.ty, 0);
        if !s.ty.is_known() || s.kind == SymbolKind::Variable {
            self.expr(s.value, 0);
        }
        for h in &s.heritage {
            self.put(h.kind as u8);
            self.ty(h.ty, 0);
        }
    }

    fn types(&mut self, list: List, depth: u32) {
        let all = self.item.list(list);
        self.put(all.len());
        for &t in all {
            self.ty(TyIdx(t), depth);
        }
    }

    fn exprs(&mut self, list: List, depth: u32) {
        let all = self.item.list(list);
        self.put(all.len());
        for &e in all {
            self.expr(ExprIdx(e), depth);
        }
    }

    fn ty(&mut self, at: TyIdx, depth: u32) {
        if depth > DEPTH {
            return self.put(at);
        }
        let d = depth + 1;
        let ty = self.item.ty(at);
        self.put(std::mem::discriminant(&ty));
        match ty {
            Ty::Unknown | Ty::Opaque | Ty::Inferred => {}
            Ty::Named { path, args } => {
                self.expr(path, d);
                self.types(args, d);
            }
            Ty::SelfType(s) | Ty::Object(s) => self.identity(s),
            Ty::Ref(t) | Ty::Ptr(t) | Ty::Array(t) | Ty::Guard(t) => self.ty(t, d),
            Ty::Tuple(l) | Ty::Union(l) | Ty::Intersection(l) => self.types(l, d),
            Ty::Fn { params, result } => {
                self.types(params, d);
                self.ty(result, d);
            }
            Ty::Bounds { list, dynamic } => {
                self.put(dynamic);
                self.types(list, d);
            }
            Ty::TypeOf(e) => self.expr(e, d),
            Ty::Binding { name, ty } => {
                self.put(name);
                self.ty(ty, d);
            }
            Ty::Member { base, name } => {
                self.put(name);
                self.ty(base, d);
            }
            Ty::Lit(l) => self.put(l),
            Ty::Builtin(n) => self.put(n),
        }
    }

    fn named(&mut self, base: ExprIdx, name: Name, depth: u32) {
        self.put(name);
        self.expr(base, depth);
    }

    fn expr(&mut self, at: ExprIdx, depth: u32) {
        if depth > DEPTH {
            return self.put(at);
        }
        let d = depth + 1;
        let expr = self.item.expr(at);
        self.put(std::mem::discriminant(&expr));
        match expr {
            Expr::Unknown | Expr::PackageRoot | Expr::Compare | Expr::Key => {}
            Expr::Free { name, scope } => {
                self.put(name);
                self.globs(scope, d);
                let module = self.item.module_of_scope(scope);
                self.identity(module);
            }
            Expr::Earlier { name, count } => self.put((name, count)),
            Expr::Keyword { name, value } => self.named(value, name, d),
            Expr::Local(b) => self.binding(b, d),
            Expr::This(s) | Expr::Super(s) | Expr::SelfType(s) | Expr::Object(s) => {
                self.identity(s);
            }
            Expr::Package(name) => self.put(name),
            Expr::ModuleUp { scope, up } => {
                self.put(up);
                let module = self.item.module_of_scope(scope);
                self.identity(module);
            }
            Expr::Member { base, name }
            | Expr::Method { base, name }
            | Expr::Scoped { base, name } => self.named(base, name, d),
            Expr::TypeArgs { base, args } => {
                self.expr(base, d);
                self.types(args, d);
            }
            Expr::TypePath { ty, as_trait } => {
                self.ty(ty, d);
                self.ty(as_trait, d);
            }
            Expr::Call { callee, args, .. } | Expr::New { callee, args, .. } => {
                self.expr(callee, d);
                self.exprs(args, d);
            }
            Expr::Record { path } => self.expr(path, d),
            Expr::Index { base, index } => {
                self.expr(base, d);
                self.expr(index, d);
            }
            Expr::Await(e)
            | Expr::Try(e)
            | Expr::Ref(e)
            | Expr::Deref(e)
            | Expr::Element(e)
            | Expr::Async(e)
            | Expr::Range(e)
            | Expr::Spread(e) => self.expr(e, d),
            Expr::Cast { base, ty } | Expr::Narrowed { base, ty } => {
                self.expr(base, d);
                self.ty(ty, d);
            }
            Expr::When {
                condition,
                then,
                other,
            } => {
                self.put(condition);
                self.expr(then, d);
                self.expr(other, d);
            }
            Expr::Guarded { base, call } => {
                self.expr(base, d);
                self.expr(call, d);
            }
            Expr::Lit(l) | Expr::Const { lit: l, .. } => self.put(l),
            Expr::Arith { lhs, rhs } => {
                self.expr(lhs, d);
                self.expr(rhs, d);
            }
            Expr::Array(l) | Expr::Tuple(l) | Expr::OneOf(l) => self.exprs(l, d),
            Expr::Lambda(s) => self.lambda(s, d),
            Expr::Part { base, index } | Expr::Rest { base, from: index } => {
                self.put(index);
                self.expr(base, d);
            }
            Expr::VariantPart { base, path, index } => {
                self.put(index);
                self.expr(base, d);
                self.expr(path, d);
            }
            Expr::VariantField { base, path, name } => {
                self.put(name);
                self.expr(base, d);
                self.expr(path, d);
            }
            Expr::LambdaParam { lambda, index } => {
                self.put(index);
                self.lambda(lambda, d);
            }
            Expr::Macro { path, args, .. } => {
                self.expr(path, d);
                self.exprs(args, d);
            }
            Expr::Import { spec, promised } => self.put((spec, promised)),
        }
    }

    fn binding(&mut self, at: BindIdx, depth: u32) {
        if !self.seen.insert(at) {
            return;
        }
        let Some(b) = at.get().and_then(|i| self.item.bindings.get(i)) else {
            return;
        };
        self.put((b.name, b.reassigned));
        match b.kind {
            BindKind::Import(i) => self.import(i, depth),
            BindKind::Symbol(s) | BindKind::SelfParam { of: s } => self.identity(s),
            BindKind::Param { of, index } | BindKind::TypeParam { of, index } => {
                self.identity(of);
                self.put(index);
            }
            BindKind::Local => {}
        }
        self.ty(b.ty, depth);
        self.expr(b.value, depth);
    }

    /// What a name in a body may also mean: whatever the globs around it bring.
    fn globs(&mut self, mut scope: ScopeIdx, depth: u32) {
        while let Some(s) = scope.get().and_then(|i| self.item.scopes.get(i)) {
            if s.module {
                break;
            }
            for &glob in &s.globs {
                self.import(glob, depth);
            }
            scope = s.parent;
        }
    }

    fn import(&mut self, at: ImpIdx, depth: u32) {
        if let Some(i) = at.get().and_then(|i| self.item.imports.get(i)) {
            self.put((i.kind as u8, i.local, i.name, i.spec, i.type_only));
            // An import that names itself has nothing more to say.
            if self.imports.insert(at) {
                self.expr(i.path, depth);
            }
        }
    }

    fn lambda(&mut self, at: SymIdx, depth: u32) {
        self.identity(at);
        if !self.lambdas.insert(at) {
            return;
        }
        let Some(symbol) = self.item.symbol(at) else {
            return;
        };
        if let Some((call, index)) = symbol.context {
            self.put(index);
            self.expr(call, depth);
        }
        let Some(sig) = symbol.signature.as_deref() else {
            return;
        };
        for p in &sig.params {
            self.put((p.name, p.optional, p.rest));
            self.ty(p.ty, depth);
        }
        self.ty(sig.result, depth);
        if !sig.result.is_known() {
            self.exprs(sig.returns, depth);
        }
    }
}
