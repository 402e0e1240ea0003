//! What an expression may hold.

use super::*;
use surefoot_facts::{BindKind, ItemFacts, List, Name, Ty, ops};

/// A call inside a call inside a call: how deep arguments are told apart.
const MAX_CONTEXT: u8 = 6;

/// How deep values rest on one another.
const MAX_DEPTH: u32 = 64;

impl Solver<'_> {
    pub(super) fn value(&mut self, at: Place, env: Option<EnvId>) -> Values {
        if !at.expr.is_known() || self.steps > MAX_STEPS || self.depth >= MAX_DEPTH {
            return self.none.clone();
        }
        if let Some(known) = self.known.get(&(at, env)) {
            return known.clone();
        }
        self.steps += 1;
        self.depth += 1;
        // Whoever asks again from inside adds nothing.
        self.known.insert((at, env), self.none.clone());
        let values: Values = few(self.value_now(at, env)).into();
        self.known.insert((at, env), values.clone());
        self.depth -= 1;
        values
    }

    fn value_now(&mut self, at: Place, env: Option<EnvId>) -> Vec<V> {
        let snapshot = self.snapshot;
        let Some(entry) = snapshot.file(at.file) else {
            return Vec::new();
        };
        let Some(facts) = entry.item(at.item) else {
            return Vec::new();
        };
        let of = |expr: ExprIdx| Place { expr, ..at };
        match facts.expr(at.expr) {
            Expr::Free { .. } | Expr::Scoped { .. } if self.has_paths(entry) => {
                self.as_placed(at, facts)
            }
            Expr::Free { name, .. } => self.name(entry, name, None),
            Expr::Earlier { name, count } => self.name(entry, name, Some(count)),
            Expr::Local(b) => self.binding(at, facts, b, env),
            Expr::This(s) => self.this(entry.symbol_id(at.item, s)),
            Expr::Super(s) => vec![V::Above(entry.symbol_id(at.item, s))],
            Expr::Lambda(s) => vec![self.function(entry.symbol_id(at.item, s), env)],
            Expr::Object(s) => vec![V::Object(entry.symbol_id(at.item, s))],
            Expr::Const { lit, id } => vec![key(lit, id)],
            Expr::Array(_) | Expr::Tuple(_) => vec![V::Table(at, 0)],
            Expr::Member { base, name } => {
                let base = self.value(of(base), env);
                self.member(&base, name)
            }
            Expr::Call { callee, args, .. } => self.call(at, callee, args, env),
            Expr::New { callee, .. } => {
                let made = self.value(of(callee), env);
                let object = |v: &V| match v {
                    V::Class(c) => Some(V::Object(*c)),
                    _ => None,
                };
                made.iter().filter_map(object).collect()
            }
            Expr::Index { base, index } => {
                let keys = self.value(of(index), env);
                self.part(at, base, env, &keys)
            }
            Expr::Part { base, index } => self.part(at, base, env, &[key(Lit::Int, index)]),
            Expr::Rest { base, from } => self.sliced(of(base), env, from),
            Expr::Element(base) => {
                let over = self.value(of(base), env);
                let mut out = Vec::new();
                for v in over.iter() {
                    out.extend(self.element(*v, at));
                }
                out
            }
            Expr::OneOf(list) => {
                let mut out = Vec::new();
                for e in facts.expr_list(list) {
                    out.extend(self.value(of(e), env).iter());
                }
                out
            }
            Expr::When { then, other, .. } => {
                let mut out = self.value(of(then), env).to_vec();
                out.extend(self.value(of(other), env).iter());
                out
            }
            Expr::Cast { base, .. }
            | Expr::Narrowed { base, .. }
            | Expr::Guarded { base, .. }
            | Expr::TypeArgs { base, .. } => self.value(of(base), env).to_vec(),
            Expr::Await(e) | Expr::Async(e) | Expr::Ref(e) => self.value(of(e), env).to_vec(),
            Expr::Keyword { value, .. } => self.value(of(value), env).to_vec(),
            Expr::LambdaParam { lambda, index } => self.parameter(
                entry.symbol_id(at.item, lambda),
                index as u16,
                Name::EMPTY,
                env,
            ),
            _ => Vec::new(),
        }
    }

    /// A function as a value: one declared in another's body is made by a call of that.
    pub(super) fn function(&self, f: SymbolId, env: Option<EnvId>) -> V {
        let env = env.filter(|_| {
            let around = self.snapshot.parent(f);
            let kind = around.and_then(|p| self.snapshot.decl(p)).map(|d| d.kind());
            kind.is_some_and(|k| k.is_callable())
        });
        V::Fn(f, env)
    }

    /// A declaration as a value.
    pub(super) fn symbol(&mut self, id: SymbolId, env: Option<EnvId>) -> Vec<V> {
        let snapshot = self.snapshot;
        let Some(d) = snapshot.decl(id) else {
            return Vec::new();
        };
        let Some((_, s)) = d.facts else {
            return vec![V::Module(id)];
        };
        let place = Place {
            file: d.loc.file,
            item: d.loc.item,
            expr: s.value,
        };
        match s.kind {
            SymbolKind::Getter => self.returned(id, None),
            k if k.is_callable() => {
                // What decorators made of it, where that is known.
                let made = self.value(place, env);
                match made.is_empty() {
                    true => vec![self.function(id, env)],
                    false => made.to_vec(),
                }
            }
            SymbolKind::Variable | SymbolKind::Field => self.value(place, env).to_vec(),
            SymbolKind::Module | SymbolKind::Namespace => vec![V::Module(id)],
            SymbolKind::Object => vec![V::Object(id)],
            k if k.is_type() => vec![V::Class(id)],
            _ => Vec::new(),
        }
    }

    fn binding(&mut self, at: Place, facts: &ItemFacts, b: BindIdx, env: Option<EnvId>) -> Vec<V> {
        let snapshot = self.snapshot;
        let (Some(binding), Some(entry)) = (bound(facts, b), snapshot.file(at.file)) else {
            return Vec::new();
        };
        match binding.kind {
            BindKind::Symbol(s) => self.symbol(entry.symbol_id(at.item, s), env),
            BindKind::Import(i) => self.import(at.file, at.item, i),
            BindKind::SelfParam { of } => {
                let Some(method) = facts.symbol(of) else {
                    return Vec::new();
                };
                let class = entry.symbol_id(at.item, method.parent);
                let all = self.this(class);
                if !method.flags.has(Flags::STATIC) {
                    return all;
                }
                let class = |v: V| match v {
                    V::Object(c) => V::Class(c),
                    v => v,
                };
                all.into_iter().map(class).collect()
            }
            BindKind::Param { of, index } => {
                let f = entry.symbol_id(at.item, of);
                self.parameter(f, index, binding.name, env)
            }
            BindKind::Local => {
                let expr = binding.value;
                self.value(Place { expr, ..at }, env).to_vec()
            }
            BindKind::TypeParam { .. } => Vec::new(),
        }
    }

    // ---- calls ---------------------------------------------------------------------

    fn call(&mut self, at: Place, callee: ExprIdx, args: List, env: Option<EnvId>) -> Vec<V> {
        let snapshot = self.snapshot;
        let Some(facts) = snapshot.file(at.file).and_then(|f| f.item(at.item)) else {
            return Vec::new();
        };
        if let Some(table) = self.table(at, facts, callee, args, env) {
            return table;
        }
        let callees = self.value(Place { expr: callee, ..at }, env);
        let mut out = Vec::new();
        for v in callees.iter() {
            match *v {
                V::Fn(f, closure) => {
                    let inside = self.env(Env {
                        function: f,
                        call: at,
                        outer: env,
                        closure,
                    });
                    if self.gives_receiver(f)
                        && let Expr::Member { base, .. } = facts.expr(callee)
                    {
                        out.extend(self.value(Place { expr: base, ..at }, env).iter());
                    }
                    out.extend(self.returned(f, inside));
                }
                V::Class(c) => out.push(V::Object(c)),
                V::Object(c) => {
                    for f in self.called_object(c) {
                        out.extend(self.returned(f, None));
                    }
                }
                _ => {}
            }
        }
        out
    }

    fn env(&mut self, env: Env) -> Option<EnvId> {
        if let Some(known) = self.env_ids.get(&env) {
            return Some(*known);
        }
        let depth = |id: Option<EnvId>| {
            let known = id.and_then(|id| self.envs.get(id.0 as usize));
            known.map_or(0, |e| e.1)
        };
        let depth = depth(env.outer).max(depth(env.closure)) + 1;
        if depth > MAX_CONTEXT {
            return None;
        }
        let id = EnvId(self.envs.len() as u32);
        self.envs.push((env, depth));
        self.env_ids.insert(env, id);
        Some(id)
    }

    /// Whether a method says that it gives what it was called on.
    pub(super) fn gives_receiver(&self, f: SymbolId) -> bool {
        let decl = self.snapshot.decl(f).and_then(|d| d.facts);
        decl.is_some_and(|(item, s)| {
            let result = s.signature.as_deref().map(|s| item.ty(s.result));
            matches!(result, Some(Ty::SelfType(_)))
        })
    }

    /// What a function gives back.
    pub(super) fn returned(&mut self, f: SymbolId, env: Option<EnvId>) -> Vec<V> {
        let snapshot = self.snapshot;
        let Some(d) = snapshot.decl(f) else {
            return Vec::new();
        };
        if d.flags().has(Flags::GENERATOR) {
            return vec![V::Generator(f, env)];
        }
        self.given_back(f, env)
    }

    /// What stands behind `return`, or behind `yield`.
    pub(super) fn given_back(&mut self, f: SymbolId, env: Option<EnvId>) -> Vec<V> {
        let snapshot = self.snapshot;
        let Some(d) = snapshot.decl(f) else {
            return Vec::new();
        };
        let Some((item, signature)) = d
            .facts
            .and_then(|(i, s)| Some((i, s.signature.as_deref()?)))
        else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for expr in item.expr_list(signature.returns) {
            let place = Place {
                file: d.loc.file,
                item: d.loc.item,
                expr,
            };
            out.extend(self.value(place, env).iter());
        }
        out
    }

    // ---- parameters ----------------------------------------------------------------

    /// What a parameter may hold: what the call hands over in whose body it is read, else what any call does.
    fn parameter(&mut self, f: SymbolId, index: u16, name: Name, env: Option<EnvId>) -> Vec<V> {
        let mut at = env;
        while let Some((env, _)) = at.and_then(|e| self.envs.get(e.0 as usize)).copied() {
            if env.function == f {
                let (call, outer) = (env.call, env.outer);
                return match self.argument(call, f, index, name) {
                    Some(value) => self.value(value, outer).to_vec(),
                    None => self.default(f, index),
                };
            }
            at = env.closure;
        }
        if let Some(known) = self.params.get(&(f, index)) {
            return known.to_vec();
        }
        self.params.insert((f, index), self.none.clone());
        // Callers outside the tree may leave it out.
        let mut out = self.default(f, index);
        for call in self.calls_of(f) {
            self.steps += 1;
            let (Some((site, facts)), Some(entry)) =
                (self.snapshot.site(call), self.snapshot.file(call.file))
            else {
                continue;
            };
            let Some((item, _)) = entry.site_at(call.index) else {
                continue;
            };
            let place = Place {
                file: call.file,
                item,
                expr: site.call,
            };
            let empty = match facts.expr(site.call) {
                Expr::Call { args, .. } => facts.expr_list(args).len() == 0,
                _ => false,
            };
            if site.kind == SiteKind::Decorator && index == 0 && empty {
                if let Some(declared) = self.snapshot.decorated(call) {
                    out.extend(self.symbol(declared, None));
                }
                continue;
            }
            if let Some(value) = self.argument(place, f, index, name) {
                out.extend(self.value(value, None).iter());
            }
        }
        let out = few(out);
        self.params.insert((f, index), out.clone().into());
        out
    }

    /// What a parameter holds when a call leaves it out.
    fn default(&mut self, f: SymbolId, index: u16) -> Vec<V> {
        let snapshot = self.snapshot;
        let Some(d) = snapshot.decl(f) else {
            return Vec::new();
        };
        let Some((item, s)) = d.facts else {
            return Vec::new();
        };
        let params = s.signature.as_deref().map_or(&[][..], |s| &s.params);
        let Some(p) = params.get(usize::from(index)) else {
            return Vec::new();
        };
        let expr = match p.default.is_known() {
            true => p.default,
            false => bound(item, p.binding).map_or(ExprIdx::UNKNOWN, |b| b.value),
        };
        // A function's parameter that is typed by where the function stands is its own value.
        if matches!(item.expr(expr), Expr::LambdaParam { .. }) {
            return Vec::new();
        }
        let place = Place {
            file: d.loc.file,
            item: d.loc.item,
            expr,
        };
        self.value(place, None).to_vec()
    }

    /// Calls that run a function, as far as they are known.
    fn calls_of(&self, f: SymbolId) -> Vec<SiteId> {
        let mut out: Vec<SiteId> = Vec::new();
        for target in self.also_called(f) {
            let files = self.snapshot.uses(target).map(|u| u.files.iter());
            for file in files.into_iter().flatten() {
                let Some(state) = self.snapshot.state(file) else {
                    continue;
                };
                let links = state.links.to(target).iter();
                let calls = links.filter(|l| l.kind.is_call());
                out.extend(calls.map(|l| SiteId {
                    file,
                    index: l.site,
                }));
            }
            out.extend(self.calls.get(&target).into_iter().flatten());
        }
        out.sort_unstable();
        out.dedup();
        out.truncate(MAX_CALLS);
        out
    }

    /// What a call hands over for a parameter: by its name, else by its position; none where an argument before it
    /// may stand for several.
    fn argument(&mut self, call: Place, f: SymbolId, index: u16, name: Name) -> Option<Place> {
        let snapshot = self.snapshot;
        let facts = snapshot.file(call.file)?.item(call.item)?;
        let (callee, args) = match facts.expr(call.expr) {
            Expr::Call { callee, args, .. } | Expr::New { callee, args, .. } => (callee, args),
            _ => return None,
        };
        let place = |expr| Place { expr, ..call };
        let by_name = facts.expr_list(args).find_map(|e| match facts.expr(e) {
            Expr::Keyword { name: n, value } if n == name => Some(value),
            _ => None,
        });
        if let Some(value) = by_name {
            return Some(place(value));
        }
        // `C.f(c, x)`: the receiver is written among the arguments.
        let mut index = usize::from(index);
        if let Expr::Member { base, .. } = facts.expr(callee)
            && self.takes_receiver(f)
        {
            let base = self.value(place(base), None);
            let class = |v: &V| matches!(v, V::Class(_));
            index += usize::from(!base.is_empty() && base.iter().all(class));
        }
        let positional =
            |e: &ExprIdx| !matches!(facts.expr(*e), Expr::Spread(_) | Expr::Keyword { .. });
        let mut all = facts.expr_list(args).take_while(positional);
        all.nth(index).map(place)
    }

    fn takes_receiver(&self, f: SymbolId) -> bool {
        let decl = self.snapshot.decl(f);
        decl.is_some_and(|d| d.kind() == SymbolKind::Method && !d.flags().has(Flags::STATIC))
    }

    // ---- iteration -----------------------------------------------------------------

    /// What going over a value gives.
    pub(super) fn element(&mut self, v: V, read: Place) -> Vec<V> {
        match v {
            V::Generator(f, env) => self.given_back(f, env),
            V::Table(table, from) => self.parts_of(table, from, None, read),
            V::Object(_) => self.operated(v, ops::ELEM),
            _ => Vec::new(),
        }
    }
}

/// Calls looked at for one parameter.
const MAX_CALLS: usize = 256;
