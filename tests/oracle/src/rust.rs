//! Small Rust workspaces out of a few names, so that most names mean something
//! somewhere and every edit has a chance to move an edge.

use crate::plan::{Body, Line, Plan, Pools, Value};
use std::collections::BTreeMap;
use std::fmt::Write;
use surefoot_fixture::Rng;

const FUNCTIONS: &[&str] = &["load", "save", "open", "scan", "run", "make"];
const TYPES: &[&str] = &["Store", "Item", "Page", "Node"];
const TRAITS: &[&str] = &["Read", "Show", "Walk"];
const METHODS: &[&str] = &["get", "next", "walk", "show", "size", "new", "load"];
const MODULES: &[&str] = &["store", "page", "deep", "util"];
const FIELDS: &[&str] = &["inner", "items", "left"];
const LOCALS: &[&str] = &["x", "y", "item", "load"];

pub const NAMES: &[&[&str]] = &[FUNCTIONS, TYPES, TRAITS, METHODS, MODULES, FIELDS, LOCALS];

const POOLS: Pools = Pools {
    modules: &["lib", "store", "page", "deep", "util"],
    types: TYPES,
    traits: TRAITS,
    functions: FUNCTIONS,
    methods: METHODS,
    fields: FIELDS,
    locals: LOCALS,
};

/// A workspace that mostly makes sense, or one that mostly does not.
pub fn workspace(rng: &mut Rng) -> BTreeMap<String, String> {
    if rng.one_in(4) {
        return jumble(rng);
    }
    let plan = Plan::new(rng, &POOLS);
    let mut tree = BTreeMap::new();
    tree.insert("Cargo.toml".to_owned(), manifest("one", None));
    for module in 0..plan.modules.len() {
        let mut spell = Spell {
            plan: &plan,
            module,
            uses: Vec::new(),
        };
        let mut items = Vec::new();
        for t in plan.types.iter().filter(|t| t.module == module) {
            items.push(spell.type_of(t));
        }
        for t in plan.traits.iter().filter(|t| t.module == module) {
            let result = spell.type_name(rng, t.result);
            let mut out = format!(
                "pub trait {} {{\n    fn {}(&self) -> {result};\n",
                t.name, t.method
            );
            if let Some(name) = t.default.filter(|n| *n != t.method) {
                let _ = writeln!(
                    out,
                    "    fn {name}(&self) {{\n        self.{}();\n    }}",
                    t.method
                );
            }
            items.push(out + "}\n");
        }
        for t in plan.types.iter().filter(|t| t.module == module) {
            items.extend(spell.blocks(rng, t));
        }
        for f in plan.functions.iter().filter(|f| f.module == module) {
            let result = spell.type_name(rng, f.result);
            let body = spell.body(rng, &f.body);
            let head = match f.bound {
                Some(bound) => {
                    let bound = spell.trait_name(rng, bound);
                    format!("<T: {bound}>(x: T)")
                }
                None => format!("(x: {})", spell.type_name(rng, f.param)),
            };
            items.push(format!(
                "pub fn {}{head} -> {result} {{\n{body}}}\n",
                f.name
            ));
        }
        let mut text = String::new();
        if module == 0 {
            for name in &plan.modules[1..] {
                let _ = writeln!(text, "pub mod {name};");
            }
        }
        spell.uses.sort();
        spell.uses.dedup();
        text.push_str(&spell.uses.concat());
        for item in items {
            text.push('\n');
            text.push_str(&item);
        }
        tree.insert(format!("src/{}.rs", plan.modules[module]), text);
    }
    tree
}

/// Writes one module of a plan.
struct Spell<'a> {
    plan: &'a Plan,
    module: usize,
    uses: Vec<String>,
}

impl Spell<'_> {
    fn path_to(&self, module: usize) -> String {
        match module {
            0 => "crate".to_owned(),
            n => format!("crate::{}", self.plan.modules[n]),
        }
    }

    /// A name of another module, by one of the ways to name it.
    fn name(&mut self, rng: &mut Rng, module: usize, name: &str) -> String {
        if module == self.module {
            return name.to_owned();
        }
        let path = self.path_to(module);
        match rng.below(7) {
            0 => format!("{path}::{name}"),
            1 if module > 0 => {
                self.uses.push(format!("use {path};\n"));
                format!("{}::{name}", self.plan.modules[module])
            }
            2 => {
                self.uses.push(format!("use {path}::*;\n"));
                name.to_owned()
            }
            3 => {
                self.uses
                    .push(format!("use {path}::{name} as other_{name};\n"));
                format!("other_{name}")
            }
            _ => {
                self.uses.push(format!("use {path}::{name};\n"));
                name.to_owned()
            }
        }
    }

    fn type_name(&mut self, rng: &mut Rng, t: usize) -> String {
        let t = &self.plan.types[t];
        self.name(rng, t.module, t.name)
    }

    fn trait_name(&mut self, rng: &mut Rng, t: usize) -> String {
        let t = &self.plan.traits[t];
        self.name(rng, t.module, t.name)
    }

    fn type_of(&mut self, t: &crate::plan::TypePlan) -> String {
        // Paths in full: whatever edits do to the imports, fields keep their types.
        let full = |t: usize| {
            let t = &self.plan.types[t];
            format!("{}::{}", self.path_to(t.module), t.name)
        };
        let mut out = format!("#[derive(Clone, Default)]\npub struct {} {{\n", t.name);
        for (name, of) in &t.fields {
            let _ = writeln!(out, "    pub {name}: {},", full(*of));
        }
        if let Some((name, of)) = &t.list {
            let _ = writeln!(out, "    pub {name}: Vec<{}>,", full(*of));
        }
        out + "}\n"
    }

    fn blocks(&mut self, rng: &mut Rng, t: &crate::plan::TypePlan) -> Vec<String> {
        let mut own = format!(
            "impl {} {{\n    pub fn new() -> Self {{\n        Self::default()\n    }}\n",
            t.name
        );
        for m in t.methods.iter().filter(|m| m.name != "new") {
            let result = self.type_name(rng, m.result);
            let body = self.body(rng, &m.body);
            let receiver = if m.is_static { "" } else { "&self" };
            let _ = write!(
                own,
                "    pub fn {}({receiver}) -> {result} {{\n{body}    }}\n",
                m.name
            );
        }
        let mut out = vec![own + "}\n"];
        for &r in &t.traits {
            let plan = self.plan;
            let name = self.trait_name(rng, r);
            let result = self.type_name(rng, plan.traits[r].result);
            let method = plan.traits[r].method;
            out.push(format!(
                "impl {name} for {} {{\n    fn {method}(&self) -> {result} {{\n        {result}::new()\n    }}\n}}\n",
                t.name
            ));
        }
        out
    }

    fn body(&mut self, rng: &mut Rng, body: &Body) -> String {
        let mut out = String::new();
        for line in &body.lines {
            let text = match line {
                Line::Let(name, value) => format!("let {name} = {};", self.value(rng, value)),
                Line::Do(value) => format!("{};", self.value(rng, value)),
                Line::Each(name, list, run) => {
                    let list = self.value(rng, list);
                    let tail = rng.pick(&["", ".iter()"]);
                    format!("for {name} in {list}{tail} {{ {}; }}", self.value(rng, run))
                }
                Line::Closure(name, param, of, run) => {
                    let of = self.type_name(rng, *of);
                    format!("let {name} = |{param}: {of}| {};", self.value(rng, run))
                }
            };
            let _ = writeln!(out, "        {text}");
        }
        if let Some(value) = &body.value {
            let _ = writeln!(out, "        {}", self.value(rng, value));
        }
        out
    }

    fn value(&mut self, rng: &mut Rng, value: &Value) -> String {
        match value {
            Value::Local(name) => (*name).to_owned(),
            Value::This => "self".to_owned(),
            Value::New(t) => format!("{}::new()", self.type_name(rng, *t)),
            Value::Call(f, arg) => {
                let f = &self.plan.functions[*f];
                let name = self.name(rng, f.module, f.name);
                format!("{name}({})", self.value(rng, arg))
            }
            Value::Static(t, name) => format!("{}::{name}()", self.type_name(rng, *t)),
            Value::Method(base, name) => format!("{}.{name}()", self.value(rng, base)),
            Value::Field(base, name) => format!("{}.{name}", self.value(rng, base)),
        }
    }
}

/// One or two packages of items that know little of each other.
fn jumble(rng: &mut Rng) -> BTreeMap<String, String> {
    let mut tree = BTreeMap::new();
    if rng.one_in(3) {
        tree.insert(
            "Cargo.toml".to_owned(),
            "[workspace]\nmembers = [\"one\", \"two\"]\n".to_owned(),
        );
        package(rng, &mut tree, "one/", "one", Some("two"));
        package(rng, &mut tree, "two/", "two", None);
    } else {
        package(rng, &mut tree, "", "one", None);
    }
    tree
}

fn package(
    rng: &mut Rng,
    tree: &mut BTreeMap<String, String>,
    root: &str,
    name: &str,
    needs: Option<&str>,
) {
    tree.insert(format!("{root}Cargo.toml"), manifest(name, needs));
    let mut lib = String::new();
    for module in MODULES.iter().take(1 + rng.below(MODULES.len())) {
        let _ = writeln!(lib, "pub mod {module};");
        let path = if rng.one_in(4) {
            format!("{root}src/{module}/mod.rs")
        } else {
            format!("{root}src/{module}.rs")
        };
        let items = 2 + rng.below(4);
        tree.insert(path, file(rng, items));
    }
    lib.push('\n');
    let items = 2 + rng.below(3);
    lib.push_str(&file(rng, items));
    tree.insert(format!("{root}src/lib.rs"), lib);
    if rng.one_in(3) {
        let main = format!("use {name}::*;\n\nfn main() {{\n{}}}\n", body(rng, 2));
        tree.insert(format!("{root}src/main.rs"), main);
    }
}

fn manifest(name: &str, needs: Option<&str>) -> String {
    let mut out = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\n\n[dependencies]\nserde = \"1\"\n"
    );
    if let Some(needs) = needs {
        let _ = writeln!(out, "{needs} = {{ path = \"../{needs}\" }}");
    }
    out
}

/// One version of a manifest, to change the one that is there.
pub fn any_manifest(rng: &mut Rng) -> String {
    match rng.below(5) {
        0 => "[workspace]\nmembers = [\"one\", \"two\"]\n".to_owned(),
        1 => "[package]\nname = \"one\"\n[lib]\npath = \"src/store.rs\"\n".to_owned(),
        2 => "[package\nname = ".to_owned(),
        3 => manifest(rng.pick(&["one", "two"]), None),
        _ => manifest("one", Some("two")),
    }
}

/// A file of some items.
pub fn file(rng: &mut Rng, items: usize) -> String {
    let mut out = String::new();
    for _ in 0..rng.below(3) {
        out.push_str(&import(rng));
    }
    for _ in 0..items {
        out.push('\n');
        out.push_str(&item(rng, 0));
    }
    out
}

/// A path where a use or call may find something.
fn path(rng: &mut Rng) -> String {
    let head = rng.pick(&[
        "crate",
        "self",
        "super",
        "two",
        "one",
        "crate::store",
        "crate::page",
    ]);
    format!("{head}::{}", rng.pick(MODULES))
}

pub fn import(rng: &mut Rng) -> String {
    let public = rng.pick(&["", "", "pub ", "pub(crate) "]);
    let head = rng.pick(&["crate", "self", "super", "two", "crate::deep"]);
    match rng.below(6) {
        0 => format!("{public}use {}::*;\n", path(rng)),
        1 => format!("{public}use {head}::{};\n", rng.pick(FUNCTIONS)),
        2 => format!(
            "{public}use {}::{} as {};\n",
            path(rng),
            rng.pick(FUNCTIONS),
            rng.pick(FUNCTIONS)
        ),
        3 => format!(
            "{public}use {}::{{{}, {}}};\n",
            path(rng),
            rng.pick(TYPES),
            rng.pick(TRAITS)
        ),
        4 => format!("{public}use {head}::*;\n"),
        _ => format!("{public}use {}::{};\n", path(rng), rng.pick(TYPES)),
    }
}

fn ty(rng: &mut Rng) -> String {
    let name = rng.pick(TYPES);
    match rng.below(8) {
        0 => format!("Vec<{name}>"),
        1 => format!("Option<{name}>"),
        2 => format!("Box<{name}>"),
        3 => format!("&{name}"),
        4 => format!("Box<dyn {}>", rng.pick(TRAITS)),
        5 => format!("crate::{}::{name}", rng.pick(MODULES)),
        _ => name.to_owned(),
    }
}

/// One item; `depth` keeps modules from nesting without end.
pub fn item(rng: &mut Rng, depth: usize) -> String {
    let public = rng.pick(&["pub ", "pub ", "", "pub(crate) "]);
    let test = if rng.one_in(12) { "#[cfg(test)]\n" } else { "" };
    match rng.below(12) {
        0 | 1 => {
            let (name, param, ty1, ty2) = (rng.pick(FUNCTIONS), rng.pick(LOCALS), ty(rng), ty(rng));
            let result = if rng.one_in(3) {
                String::new()
            } else {
                format!(" -> {ty2}")
            };
            format!(
                "{test}{public}fn {name}({param}: {ty1}){result} {{\n{}}}\n",
                body(rng, 3)
            )
        }
        2 => format!(
            "{public}fn {}<T: {}>(x: T) {{\n{}}}\n",
            rng.pick(FUNCTIONS),
            rng.pick(TRAITS),
            body(rng, 2)
        ),
        3 => format!(
            "#[derive(Clone, Default)]\n{public}struct {} {{\n    pub {}: {},\n    {}: {},\n}}\n",
            rng.pick(TYPES),
            rng.pick(FIELDS),
            ty(rng),
            rng.pick(FIELDS),
            ty(rng)
        ),
        4 => format!("{public}struct {}(pub {});\n", rng.pick(TYPES), ty(rng)),
        5 => format!(
            "{public}enum {} {{\n    One({}),\n    Two,\n}}\n",
            rng.pick(TYPES),
            ty(rng)
        ),
        6 | 7 => {
            let mut out = format!("impl {} {{\n", rng.pick(TYPES));
            for _ in 0..1 + rng.below(3) {
                let public = rng.pick(&["pub ", "pub ", ""]);
                out.push_str(&method(rng, public));
            }
            out + "}\n"
        }
        8 => {
            let on = if rng.one_in(5) {
                "T".to_owned()
            } else {
                rng.pick(TYPES).to_owned()
            };
            let generic = if on == "T" { "<T>" } else { "" };
            let mut out = format!("impl{generic} {} for {on} {{\n", rng.pick(TRAITS));
            for _ in 0..1 + rng.below(2) {
                out.push_str(&method(rng, ""));
            }
            out + "}\n"
        }
        9 => {
            let above = if rng.one_in(3) {
                format!(": {}", rng.pick(TRAITS))
            } else {
                String::new()
            };
            let mut out = format!("{public}trait {}{above} {{\n", rng.pick(TRAITS));
            let _ = writeln!(out, "    fn {}(&self) -> {};", rng.pick(METHODS), ty(rng));
            if rng.one_in(2) {
                out.push_str(&method(rng, ""));
            }
            out + "}\n"
        }
        10 if depth < 2 => {
            let mut out = format!("{public}mod {} {{\n", rng.pick(MODULES));
            out.push_str(&import(rng));
            for _ in 0..1 + rng.below(2) {
                out.push_str(&item(rng, depth + 1));
            }
            out + "}\n"
        }
        10 => format!("{public}type {} = {};\n", rng.pick(TYPES), ty(rng)),
        _ => match rng.below(4) {
            0 => format!(
                "macro_rules! {} {{\n    () => {{ {}() }};\n}}\n",
                rng.pick(FUNCTIONS),
                rng.pick(FUNCTIONS)
            ),
            1 => format!("{public}const RUN: fn() = {};\n", rng.pick(FUNCTIONS)),
            2 => format!("{public}type {} = {};\n", rng.pick(TYPES), ty(rng)),
            _ => format!("{public}mod {};\n", rng.pick(MODULES)),
        },
    }
}

fn method(rng: &mut Rng, public: &str) -> String {
    let name = rng.pick(METHODS);
    let receiver = rng.pick(&["&self", "&self", "&mut self", "self", ""]);
    let result = match rng.below(4) {
        0 => String::new(),
        1 => " -> Self".to_owned(),
        _ => format!(" -> {}", ty(rng)),
    };
    format!(
        "    {public}fn {name}({receiver}){result} {{\n{}    }}\n",
        body(rng, 2)
    )
}

/// Statements of a body, one on a line.
pub fn body(rng: &mut Rng, most: usize) -> String {
    let mut out = String::new();
    for _ in 0..1 + rng.below(most) {
        let _ = writeln!(out, "        {}", statement(rng));
    }
    out
}

pub fn statement(rng: &mut Rng) -> String {
    let (local, expr1) = (rng.pick(LOCALS), expr(rng, 0));
    match rng.below(10) {
        0..=2 => format!("let {local} = {expr1};"),
        3 => format!("let {local}: {} = {expr1};", ty(rng)),
        4 => format!("for {local} in {expr1} {{ {}; }}", expr(rng, 0)),
        5 => format!("if let Some({local}) = {expr1} {{ {}; }}", expr(rng, 0)),
        6 => format!("let {local} = |{}| {expr1};", rng.pick(LOCALS)),
        7 => format!(
            "match {expr1} {{ {}::One({local}) => {}, _ => {} }};",
            rng.pick(TYPES),
            expr(rng, 1),
            expr(rng, 1)
        ),
        8 => format!("return {expr1};"),
        9 if rng.one_in(3) => import(rng).trim_end().to_owned(),
        _ => format!("{expr1};"),
    }
}

pub fn expr(rng: &mut Rng, depth: usize) -> String {
    if depth > 2 {
        return rng.pick(LOCALS).to_owned();
    }
    let d = depth + 1;
    match rng.below(13) {
        0 | 1 => format!("{}({})", rng.pick(FUNCTIONS), expr(rng, d)),
        2 => format!(
            "{}::{}({})",
            rng.pick(MODULES),
            rng.pick(FUNCTIONS),
            expr(rng, d)
        ),
        3 | 4 => format!("{}.{}()", expr(rng, d), rng.pick(METHODS)),
        5 => format!(
            "{}::{}({})",
            rng.pick(TYPES),
            rng.pick(METHODS),
            expr(rng, d)
        ),
        6 => format!("self.{}.{}()", rng.pick(FIELDS), rng.pick(METHODS)),
        7 => format!("self.{}()", rng.pick(METHODS)),
        8 => format!(
            "{} {{ {}: {} }}",
            rng.pick(TYPES),
            rng.pick(FIELDS),
            expr(rng, d)
        ),
        9 => format!("{}!({})", rng.pick(FUNCTIONS), expr(rng, d)),
        10 => format!("crate::{}::{}()", rng.pick(MODULES), rng.pick(FUNCTIONS)),
        11 => format!(
            "<{} as {}>::{}({})",
            rng.pick(TYPES),
            rng.pick(TRAITS),
            rng.pick(METHODS),
            expr(rng, d)
        ),
        _ => rng.pick(LOCALS).to_owned(),
    }
}
