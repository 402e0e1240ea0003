//! What a made-up workspace is about, before any language spells it: modules,
//! types with fields and methods, functions, and bodies whose every expression
//! has a type, so that most of what is written resolves.

use surefoot_fixture::Rng;

/// A type of the plan, by index.
pub type Type = usize;

pub struct Plan {
    /// Names of modules; module 0 is the root.
    pub modules: Vec<&'static str>,
    pub types: Vec<TypePlan>,
    pub traits: Vec<TraitPlan>,
    pub functions: Vec<FunctionPlan>,
}

pub struct TypePlan {
    pub name: &'static str,
    pub module: usize,
    pub base: Option<Type>,
    pub fields: Vec<(&'static str, Type)>,
    /// A field that holds a list of another type.
    pub list: Option<(&'static str, Type)>,
    pub methods: Vec<MethodPlan>,
    /// Traits it implements, by index.
    pub traits: Vec<usize>,
}

pub struct MethodPlan {
    pub name: &'static str,
    pub result: Type,
    pub body: Body,
    /// Asked of the type itself, not of a value.
    pub is_static: bool,
}

pub struct TraitPlan {
    pub name: &'static str,
    pub module: usize,
    pub method: &'static str,
    pub result: Type,
    /// A second method with a body that calls the first.
    pub default: Option<&'static str>,
}

pub struct FunctionPlan {
    pub name: &'static str,
    pub module: usize,
    pub param: Type,
    pub result: Type,
    pub body: Body,
    /// Takes anything that has this trait instead of a type.
    pub bound: Option<usize>,
}

/// Statements, then the value.
#[derive(Default)]
pub struct Body {
    pub lines: Vec<Line>,
    pub value: Option<Value>,
}

pub enum Line {
    Let(&'static str, Value),
    Do(Value),
    /// For each element of a list field.
    Each(&'static str, Value, Value),
    /// A closure bound to a name, then called.
    Closure(&'static str, &'static str, Type, Value),
}

#[derive(Clone)]
pub enum Value {
    Local(&'static str),
    This,
    New(Type),
    Call(usize, Box<Value>),
    Static(Type, &'static str),
    Method(Box<Value>, &'static str),
    Field(Box<Value>, &'static str),
}

/// The names a language has for these things.
pub struct Pools {
    pub modules: &'static [&'static str],
    pub types: &'static [&'static str],
    pub traits: &'static [&'static str],
    pub functions: &'static [&'static str],
    pub methods: &'static [&'static str],
    pub fields: &'static [&'static str],
    pub locals: &'static [&'static str],
}

impl Plan {
    pub fn new(rng: &mut Rng, pools: &Pools) -> Plan {
        let count = 2 + rng.below(pools.modules.len() - 1);
        let modules: Vec<&'static str> = pools.modules[..count].to_vec();
        let types = 2 + rng.below(pools.types.len() - 1);
        let mut plan = Plan {
            types: (0..types)
                .map(|i| TypePlan {
                    name: pools.types[i],
                    module: rng.below(count),
                    base: (i > 0 && rng.one_in(3)).then(|| rng.below(i)),
                    fields: Vec::new(),
                    list: None,
                    methods: Vec::new(),
                    traits: Vec::new(),
                })
                .collect(),
            traits: Vec::new(),
            functions: Vec::new(),
            modules,
        };
        for i in 0..1 + rng.below(pools.traits.len()) {
            plan.traits.push(TraitPlan {
                name: pools.traits[i],
                module: rng.below(count),
                method: rng.pick(pools.methods),
                result: rng.below(types),
                default: rng.one_in(2).then(|| rng.pick(pools.methods)),
            });
        }
        for t in 0..types {
            for f in 0..rng.below(pools.fields.len()) {
                let of = rng.below(types);
                plan.types[t].fields.push((pools.fields[f], of));
            }
            if rng.one_in(2)
                && let Some(last) = pools.fields.last()
            {
                let of = rng.below(types);
                plan.types[t].list = Some((last, of));
            }
            for _ in 0..1 + rng.below(3) {
                let method = MethodPlan {
                    name: rng.pick(pools.methods),
                    result: rng.below(types),
                    body: Body::default(),
                    is_static: rng.one_in(5),
                };
                if !plan.types[t].methods.iter().any(|m| m.name == method.name) {
                    plan.types[t].methods.push(method);
                }
            }
            for i in 0..plan.traits.len() {
                if rng.one_in(3) {
                    plan.types[t].traits.push(i);
                }
            }
        }
        for module in 0..count {
            for _ in 0..1 + rng.below(3) {
                let name: &'static str = rng.pick(pools.functions);
                let all = plan.functions.iter();
                if all.filter(|f| f.module == module).any(|f| f.name == name) {
                    continue;
                }
                let bound = rng.one_in(5).then(|| rng.below(plan.traits.len()));
                plan.functions.push(FunctionPlan {
                    name,
                    module,
                    param: rng.below(types),
                    result: rng.below(types),
                    body: Body::default(),
                    bound,
                });
            }
        }
        for f in 0..plan.functions.len() {
            let (param, result, bound) = {
                let f = &plan.functions[f];
                (f.param, f.result, f.bound)
            };
            let mut env = Env::default();
            if bound.is_none() {
                env.locals.push(("x", param));
            }
            plan.functions[f].body = plan.body(rng, pools, &mut env, result);
        }
        for t in 0..types {
            for m in 0..plan.types[t].methods.len() {
                let (result, is_static) = {
                    let m = &plan.types[t].methods[m];
                    (m.result, m.is_static)
                };
                let mut env = Env {
                    this: (!is_static).then_some(t),
                    ..Env::default()
                };
                plan.types[t].methods[m].body = plan.body(rng, pools, &mut env, result);
            }
        }
        plan
    }

    fn body(&self, rng: &mut Rng, pools: &Pools, env: &mut Env, result: Type) -> Body {
        let mut body = Body::default();
        for _ in 0..rng.below(4) {
            let of = rng.below(self.types.len());
            match rng.below(6) {
                0..=2 => {
                    let value = self.value(rng, env, of, 0);
                    let name: &'static str = rng.pick(pools.locals);
                    env.locals.retain(|(n, _)| *n != name);
                    env.locals.push((name, of));
                    body.lines.push(Line::Let(name, value));
                }
                3 => {
                    let owner = rng.below(self.types.len());
                    if let Some((field, element)) = self.types[owner].list {
                        let list = Value::Field(Box::new(self.value(rng, env, owner, 1)), field);
                        let name: &'static str = rng.pick(pools.locals);
                        let mut inner = env.clone();
                        inner.locals.retain(|(n, _)| *n != name);
                        inner.locals.push((name, element));
                        let run = self.value(rng, &inner, of, 0);
                        body.lines.push(Line::Each(name, list, run));
                    }
                }
                4 => {
                    let name: &'static str = rng.pick(pools.locals);
                    let param: &'static str = rng.pick(pools.locals);
                    let mut inner = env.clone();
                    inner.locals.retain(|(n, _)| *n != param);
                    inner.locals.push((param, of));
                    let run = self.value(rng, &inner, result, 0);
                    env.locals.retain(|(n, _)| *n != name);
                    body.lines.push(Line::Closure(name, param, of, run));
                }
                _ => body.lines.push(Line::Do(self.value(rng, env, of, 0))),
            }
        }
        body.value = Some(self.value(rng, env, result, 0));
        body
    }

    /// An expression of the type.
    fn value(&self, rng: &mut Rng, env: &Env, of: Type, depth: usize) -> Value {
        let mut all: Vec<Value> = vec![Value::New(of)];
        for &(name, t) in &env.locals {
            if t == of {
                all.extend([Value::Local(name), Value::Local(name)]);
            }
        }
        if env.this == Some(of) {
            all.push(Value::This);
        }
        if depth < 3 {
            for (i, f) in self
                .functions
                .iter()
                .enumerate()
                .filter(|(_, f)| f.result == of)
            {
                if rng.one_in(2) {
                    all.push(Value::Call(
                        i,
                        Box::new(self.value(rng, env, f.param, depth + 1)),
                    ));
                }
            }
            for (t, plan) in self.types.iter().enumerate() {
                for m in plan.methods.iter().filter(|m| m.result == of) {
                    if m.is_static {
                        all.push(Value::Static(t, m.name));
                    } else if rng.one_in(2) {
                        let base = Box::new(self.value(rng, env, t, depth + 1));
                        all.push(Value::Method(base, m.name));
                    }
                }
                for &(field, _) in plan.fields.iter().filter(|f| f.1 == of) {
                    if rng.one_in(3) {
                        let base = Box::new(self.value(rng, env, t, depth + 1));
                        all.push(Value::Field(base, field));
                    }
                }
                for &r in &plan.traits {
                    if self.traits[r].result == of && rng.one_in(2) {
                        let base = Box::new(self.value(rng, env, t, depth + 1));
                        all.push(Value::Method(base, self.traits[r].method));
                    }
                }
            }
        }
        all.swap_remove(rng.below(all.len()))
    }
}

#[derive(Clone, Default)]
struct Env {
    locals: Vec<(&'static str, Type)>,
    this: Option<Type>,
}
