//! Functions, methods and closures.

use super::attrs::Attrs;
use super::walk::{Kid, Kids, NEVER, Node, Place, Walk};
use super::words::{F, K};
use surefoot_facts::{
    BindIdx, BindKind, Expr, ExprIdx, Flags, Lit, Name, Param, ParamUse, Signature, Span, SymIdx,
    Ty, TyIdx, Visibility, names,
};
use surefoot_graph::SymbolKind;

impl<'t> Walk<'t, '_> {
    pub(super) fn function(&mut self, kid: Kid<'t>, attrs: &Attrs<'t>, place: Place) {
        let kids = self.syn.kids(kid.node);
        let Some(name) = kids.field(F::Name) else {
            return;
        };
        let name = self.name(name.node);
        let kind = match place {
            Place::Trait | Place::Impl { .. } => SymbolKind::Method,
            _ => SymbolKind::Function,
        };
        let visibility = self.member_visibility(&kids, place);
        let of = self.declare(kind, name, kid.node, attrs, place, visibility);
        self.modifiers(&kids, of, place);
        let outer = self.enter_callable();
        let self_type = self.s.self_type;
        if !matches!(place, Place::Trait | Place::Impl { .. }) {
            self.s.self_type = SymIdx::NONE;
        }
        let (result, value) = self.inside(of, place, |w| {
            w.s.b.enter_caller(of);
            let mut generics = w.type_parameters(&kids, of);
            let mut signature = Signature::default();
            if let Some(parameters) = kids.field(F::Parameters) {
                let (list, unread) = (w.syn.kids(parameters.node), w.s.unread_allowed);
                w.parameters(&list, of, &mut signature, unread);
            }
            signature.result = match kids.field(F::ReturnType) {
                Some(result) => w.ty(result),
                None => w.s.b.ty(Ty::Lit(Lit::Unit)),
            };
            w.where_clause(&kids, &mut generics);
            w.close_generics(of, generics);
            let body = kids.field(F::Body);
            let result = signature.result;
            let mut value = ExprIdx::UNKNOWN;
            w.set_signature(of, signature);
            if let Some(symbol) = w.s.b.symbol_mut(of) {
                symbol.complexity.cyclomatic = 1;
                symbol.flags = symbol.flags.with(Flags::BODILESS, body.is_none());
            }
            if let Some(body) = body {
                let stub = w.is_stub(body.node);
                if let Some(symbol) = w.s.b.symbol_mut(of) {
                    symbol.flags = symbol.flags.with(Flags::STUB, stub);
                }
                value = w.function_body(body.node);
            }
            w.s.b.leave_caller();
            (result, value)
        });
        self.s.self_type = self_type;
        let mut returns = self.leave_callable(outer);
        if value != NEVER {
            returns.push(value);
        }
        self.set_returns(of, result, &returns);
    }

    /// What a callable returns: where no type says it, and where functions in it
    /// are typed by what does.
    fn set_returns(&mut self, of: SymIdx, result: TyIdx, returns: &[ExprIdx]) {
        if result.is_known() && !self.s.b.item().gives_functions(returns) {
            return;
        }
        let returns = self.s.b.exprs(returns);
        if let Some(signature) = self.s.b.symbol_mut(of).and_then(|s| s.signature.as_mut()) {
            signature.returns = returns;
        }
    }

    fn modifiers(&mut self, kids: &Kids<'t>, of: SymIdx, place: Place) {
        let modifiers = kids.kind(K::FunctionModifiers);
        let inside = modifiers.map(|m| self.syn.kids(m.node));
        let has = |k: K| inside.as_ref().is_some_and(|m| m.has(k));
        let (asynchronous, foreign) = (has(K::Async), has(K::ExternModifier));
        let Some(symbol) = self.s.b.symbol_mut(of) else {
            return;
        };
        // The methods of a block that Python or the web sees are seen as the block is; Node sees those
        // that say so themselves.
        let (parent, public) = (symbol.parent, symbol.visibility == Visibility::Public);
        let block = self.s.b.symbol_mut(parent).map_or(0, |block| {
            let seen = match public {
                true => Flags::PYO3 | Flags::WASM_BINDGEN,
                false => Flags::PYO3,
            };
            match block.kind {
                SymbolKind::Impl => block.flags.0 & seen,
                _ => 0,
            }
        });
        let extern_joint = self.s.extern_joint;
        let Some(symbol) = self.s.b.symbol_mut(of) else {
            return;
        };
        symbol.flags.set(block);
        let bound = Flags::PYO3 | Flags::WASM_BINDGEN | Flags::NAPI;
        let called = place != Place::Extern && symbol.flags.has(bound);
        let main =
            place == Place::Module && symbol.parent.is_none() && symbol.name.text() == "main";
        // By the rule of JNI for the names of native methods.
        let jni = foreign && symbol.name.text().starts_with("Java_");
        symbol.flags = symbol
            .flags
            .with(Flags::C_ABI, foreign)
            .with(extern_joint, place == Place::Extern)
            .with(Flags::JNI, jni)
            .with(Flags::ASYNC, asynchronous)
            .with(Flags::ENTRY, main || foreign || called)
            .with(Flags::EXTERN, place == Place::Extern);
        if place == Place::Extern && symbol.foreign.is_empty() {
            symbol.foreign = symbol.name;
        }
    }

    /// Saves what belongs to the callable around while another is read.
    fn enter_callable(&mut self) -> Outer {
        self.s.returns.push(Vec::new());
        Outer {
            loops: std::mem::take(&mut self.s.loops),
            read: std::mem::take(&mut self.s.read),
        }
    }

    fn leave_callable(&mut self, outer: Outer) -> Vec<ExprIdx> {
        self.s.loops = outer.loops;
        self.s.read = outer.read;
        self.s.returns.pop().unwrap_or_default()
    }

    fn set_signature(&mut self, of: SymIdx, signature: Signature) {
        if let Some(symbol) = self.s.b.symbol_mut(of) {
            symbol.signature = Some(Box::new(signature));
        }
    }

    /// Binds parameters; one entry of uses for each that has a name.
    fn parameters(
        &mut self,
        list: &Kids<'t>,
        of: SymIdx,
        signature: &mut Signature,
        unread_allowed: bool,
    ) {
        let mut allowed = unread_allowed;
        for kid in list.iter() {
            match kid.kind {
                K::AttributeItem => {
                    allowed |= self.attrs(&[kid.node]).allows_unread;
                    continue;
                }
                K::SelfParameter => self.self_parameter(*kid, None, of, signature),
                K::Parameter => {
                    let kids = self.syn.kids(kid.node);
                    let ty = kids.field(F::Type);
                    match kids.field(F::Pattern) {
                        Some(p) if p.kind == K::SelfWord => {
                            self.self_parameter(p, ty, of, signature);
                        }
                        Some(p) => {
                            let ty = ty.map_or(TyIdx::UNKNOWN, |k| self.ty(k));
                            self.parameter(p, ty, of, signature, allowed);
                        }
                        None => {}
                    }
                }
                K::Variadic => signature.params.push(Param {
                    name: Name::EMPTY,
                    ty: TyIdx::UNKNOWN,
                    optional: true,
                    rest: true,
                    binding: BindIdx::NONE,
                    default: ExprIdx::UNKNOWN,
                }),
                K::Underscore => self.parameter(*kid, TyIdx::UNKNOWN, of, signature, allowed),
                // A trait of the 2015 edition: `fn f(u8);`.
                kind if kind.is_type() => {
                    let ty = self.ty(*kid);
                    signature.params.push(Param {
                        name: Name::EMPTY,
                        ty,
                        optional: false,
                        rest: false,
                        binding: BindIdx::NONE,
                        default: ExprIdx::UNKNOWN,
                    });
                }
                _ => continue,
            }
            allowed = unread_allowed;
        }
    }

    fn self_parameter(
        &mut self,
        kid: Kid<'t>,
        ty: Option<Kid<'t>>,
        of: SymIdx,
        signature: &mut Signature,
    ) {
        let mut written = match ty {
            Some(ty) => self.ty(ty),
            None => self.s.b.ty(Ty::SelfType(self.s.self_type)),
        };
        let mut span = self.span(kid.node);
        if kid.kind == K::SelfParameter {
            let kids = self.syn.kids(kid.node);
            if kids.has(K::And) {
                written = self.s.b.ty(Ty::Ref(written));
            }
            if let Some(token) = kids.kind(K::SelfWord) {
                span = self.span(token.node);
            }
        }
        signature.receiver = written;
        self.flag(of, Flags::HAS_SELF);
        let kind = BindKind::SelfParam { of };
        let none = ExprIdx::UNKNOWN;
        self.s
            .b
            .bind(names::self_(), kind, written, none, span, false);
    }

    /// One parameter, of a function or a closure.
    fn parameter(
        &mut self,
        pattern: Kid<'t>,
        ty: TyIdx,
        of: SymIdx,
        signature: &mut Signature,
        unread_allowed: bool,
    ) {
        let index = u16::try_from(signature.params.len()).unwrap_or(u16::MAX);
        let lambda = Expr::LambdaParam {
            lambda: of,
            index: u32::from(index),
        };
        let written = ty.is_known();
        let mut name = Name::EMPTY;
        let mut binding = BindIdx::NONE;
        match self.plain_name(pattern) {
            Some((plain, span)) => {
                name = plain;
                let value = match written {
                    true => ExprIdx::UNKNOWN,
                    false => self.s.b.expr(lambda),
                };
                let kind = BindKind::Param { of, index };
                binding = self.s.b.bind(plain, kind, ty, value, span, false);
                let intended = unread_allowed || plain.text().starts_with('_');
                if let Some(symbol) = self.s.b.symbol_mut(of) {
                    symbol.param_uses.push(ParamUse {
                        param: index,
                        intended,
                        ..ParamUse::default()
                    });
                }
            }
            None => {
                let value = match written {
                    true => self.s.b.expr(Expr::Cast {
                        base: ExprIdx::UNKNOWN,
                        ty,
                    }),
                    false => self.s.b.expr(lambda),
                };
                self.pattern(pattern, value);
            }
        }
        signature.params.push(Param {
            name,
            ty,
            optional: false,
            rest: false,
            binding,
            default: ExprIdx::UNKNOWN,
        });
    }

    /// A pattern that is one name.
    pub(super) fn plain_name(&mut self, kid: Kid<'t>) -> Option<(Name, Span)> {
        let kid = match kid.kind {
            K::MutPattern => self.syn.kids(kid.node).kind(K::Identifier)?,
            _ => kid,
        };
        (kid.kind == K::Identifier).then(|| self.name(kid.node))
    }

    /// A body that says it is not written yet, or is empty.
    fn is_stub(&mut self, block: Node<'t>) -> bool {
        let kids = self.syn.kids(block);
        let mut statements = kids.named().filter(|k| k.kind != K::EmptyStatement);
        let Some(only) = statements.next() else {
            return true;
        };
        if statements.next().is_some() {
            return false;
        }
        let invoked = match only.kind {
            K::ExpressionStatement => self.syn.kids(only.node).first().copied(),
            _ => Some(only),
        };
        let Some(invoked) = invoked.filter(|k| k.kind == K::Macro) else {
            return false;
        };
        let name = self.syn.kids(invoked.node).field(F::Macro);
        let name = name.map_or("", |k| self.syn.text(k.node));
        let last = name.rsplit("::").next().unwrap_or(name);
        matches!(last, "todo" | "unimplemented" | "panic" | "unreachable")
    }

    // ---- closures ---------------------------------------------------------------------

    /// A closure: named by the binding it is the value of, or anonymous, with
    /// the call and position it is passed to.
    pub(super) fn closure(
        &mut self,
        kid: Kid<'t>,
        named: Option<(Name, Span)>,
        context: Option<(ExprIdx, u16)>,
    ) -> ExprIdx {
        let kids = self.syn.kids(kid.node);
        let full = self.span(kid.node);
        let (kind, (name, token)) = match named {
            Some(named) => (SymbolKind::Function, named),
            None => {
                let first = Span {
                    start: full.start,
                    end: full.start + 1,
                };
                (SymbolKind::Lambda, (Name::EMPTY, first))
            }
        };
        let of = self.s.b.symbol(name, kind, full, token);
        let asynchronous = kids.has(K::Async);
        let test = self.s.test;
        if let Some(symbol) = self.s.b.symbol_mut(of) {
            symbol.context = context;
            symbol.complexity.cyclomatic = 1;
            symbol.visibility = surefoot_facts::Visibility::Private;
            symbol.flags = symbol
                .flags
                .with(Flags::ASYNC, asynchronous)
                .with(Flags::TEST, test)
                .with(Flags::PARTIAL, kid.node.has_error());
        }
        let loops = std::mem::take(&mut self.s.loops);
        // A named one has a number of its own, an anonymous one nests in its caller's.
        let nesting = match named {
            Some(_) => 0,
            None => self.s.nesting.saturating_add(1),
        };
        let nesting = std::mem::replace(&mut self.s.nesting, nesting);
        self.s.returns.push(Vec::new());
        self.s.b.enter_parent(of);
        self.s.b.enter_caller(of);
        let scope = self.s.b.open_scope(of, false);
        if let Some(symbol) = self.s.b.symbol_mut(of) {
            symbol.scope = scope;
        }
        let mut signature = Signature::default();
        if let Some(list) = kids.field(F::Parameters) {
            let list = self.syn.kids(list.node);
            for p in list.iter() {
                match p.kind {
                    K::Parameter => {
                        let kids = self.syn.kids(p.node);
                        let ty = kids.field(F::Type).map_or(TyIdx::UNKNOWN, |k| self.ty(k));
                        if let Some(p) = kids.field(F::Pattern) {
                            self.parameter(p, ty, of, &mut signature, true);
                        }
                    }
                    K::Underscore => self.parameter(*p, TyIdx::UNKNOWN, of, &mut signature, true),
                    _ if p.node.is_named() && !p.node.is_extra() => {
                        self.parameter(*p, TyIdx::UNKNOWN, of, &mut signature, true);
                    }
                    _ => {}
                }
            }
        }
        if let Some(result) = kids.field(F::ReturnType) {
            signature.result = self.ty(result);
        }
        let result = signature.result;
        self.set_signature(of, signature);
        let value = match kids.field(F::Body) {
            Some(body) => self.branch(body),
            None => ExprIdx::UNKNOWN,
        };
        self.s.b.close_scope();
        self.s.b.leave_caller();
        self.s.b.leave_parent();
        let mut returns = self.s.returns.pop().unwrap_or_default();
        self.s.loops = loops;
        self.s.nesting = nesting;
        if value != NEVER {
            returns.push(value);
        }
        self.set_returns(of, result, &returns);
        self.count_closure(of);
        self.s.b.expr(Expr::Lambda(of))
    }

    /// Adds an anonymous function's number to the named one around.
    fn count_closure(&mut self, of: SymIdx) {
        let Some(closure) = self.s.b.item().symbol(of) else {
            return;
        };
        let (kind, own) = (closure.kind, closure.complexity.cyclomatic);
        let named = self.s.b.caller();
        if kind == SymbolKind::Lambda
            && let Some(symbol) = self.s.b.symbol_mut(named)
            && symbol.kind.is_callable()
        {
            symbol.complexity.closures += own;
            symbol.complexity.closure_count += 1;
        }
    }
}

/// What [`Walk::enter_callable`] saved.
struct Outer {
    loops: Vec<super::walk::Loop>,
    read: Vec<BindIdx>,
}
