//! Small TypeScript workspaces out of a few names; see [`crate::rust`].

use crate::plan::{Body, Line, Plan, Pools, TypePlan, Value};
use std::collections::BTreeMap;
use std::fmt::Write;
use surefoot_fixture::Rng;

const FUNCTIONS: &[&str] = &["load", "save", "open", "scan", "run", "make"];
const TYPES: &[&str] = &["Store", "Item", "Page", "View"];
const METHODS: &[&str] = &["get", "next", "walk", "show", "size", "load", "then"];
const OBJECTS: &[&str] = &["api", "utils", "bag"];
const FIELDS: &[&str] = &["inner", "items", "left"];
const LOCALS: &[&str] = &["x", "y", "item", "load"];
const MODULES: &[&str] = &["store", "page", "deep/index", "util", "deep/leaf"];

pub const NAMES: &[&[&str]] = &[FUNCTIONS, TYPES, METHODS, OBJECTS, FIELDS, LOCALS];

const POOLS: Pools = Pools {
    modules: &["index", "store", "page", "util", "leaf"],
    types: TYPES,
    traits: &["Saves", "Walks"],
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
    if rng.one_in(2) {
        let paths = "{ \"compilerOptions\": { \"paths\": { \"@/*\": [\"./src/*\"] } } }\n";
        tree.insert("tsconfig.json".to_owned(), paths.to_owned());
    }
    for module in 0..plan.modules.len() {
        let mut spell = Spell {
            plan: &plan,
            module,
            aliases: tree.contains_key("tsconfig.json"),
            imports: Vec::new(),
        };
        let mut items = Vec::new();
        for t in plan.traits.iter().filter(|t| t.module == module) {
            let result = spell.type_name(rng, t.result);
            items.push(format!(
                "export interface {} {{\n    {}(): {result};\n}}\n",
                t.name, t.method
            ));
        }
        for t in plan.types.iter().filter(|t| t.module == module) {
            items.push(spell.class(rng, t));
        }
        for f in plan.functions.iter().filter(|f| f.module == module) {
            let result = spell.result(rng, f.result);
            let body = spell.body(rng, &f.body);
            let param = match f.bound {
                Some(t) => {
                    let t = &plan.traits[t];
                    spell.name(rng, t.module, t.name)
                }
                None => spell.type_name(rng, f.param),
            };
            items.push(if rng.one_in(3) {
                format!(
                    "export const {} = (x: {param}){result} => {{\n{body}}};\n",
                    f.name
                )
            } else {
                format!(
                    "export function {}(x: {param}){result} {{\n{body}}}\n",
                    f.name
                )
            });
        }
        if module == 0 {
            for name in &plan.modules[1..] {
                if rng.one_in(2) {
                    items.push(format!("export * from \"./{name}\";\n"));
                }
            }
        }
        spell.imports.sort();
        spell.imports.dedup();
        let mut text = spell.imports.concat();
        for item in items {
            text.push('\n');
            text.push_str(&item);
        }
        tree.insert(format!("src/{}.ts", plan.modules[module]), text);
    }
    tree
}

/// Writes one module of a plan.
struct Spell<'a> {
    plan: &'a Plan,
    module: usize,
    aliases: bool,
    imports: Vec<String>,
}

impl Spell<'_> {
    /// A name of another module, by one of the ways to name it.
    fn name(&mut self, rng: &mut Rng, module: usize, name: &str) -> String {
        if module == self.module {
            return name.to_owned();
        }
        let file = self.plan.modules[module];
        let from = match rng.below(6) {
            0 if self.aliases => format!("@/{file}"),
            1 if module == 0 => ".".to_owned(),
            2 => "./index".to_owned(),
            _ => format!("./{file}"),
        };
        match rng.below(5) {
            0 => {
                self.imports
                    .push(format!("import * as {file}_all from \"{from}\";\n"));
                format!("{file}_all.{name}")
            }
            1 => {
                self.imports.push(format!(
                    "import {{ {name} as other_{name} }} from \"{from}\";\n"
                ));
                format!("other_{name}")
            }
            _ => {
                self.imports
                    .push(format!("import {{ {name} }} from \"{from}\";\n"));
                name.to_owned()
            }
        }
    }

    fn type_name(&mut self, rng: &mut Rng, t: usize) -> String {
        let t = &self.plan.types[t];
        self.name(rng, t.module, t.name)
    }

    /// Often not written: then it follows from what is returned.
    fn result(&mut self, rng: &mut Rng, t: usize) -> String {
        if rng.one_in(3) {
            format!(": {}", self.type_name(rng, t))
        } else {
            String::new()
        }
    }

    fn class(&mut self, rng: &mut Rng, t: &TypePlan) -> String {
        let mut out = format!("export class {}", t.name);
        if let Some(base) = t.base {
            let _ = write!(out, " extends {}", self.type_name(rng, base));
        }
        for (n, &i) in t.traits.iter().enumerate() {
            let plan = &self.plan.traits[i];
            let name = self.name(rng, plan.module, plan.name);
            out.push_str(if n == 0 { " implements " } else { ", " });
            out.push_str(&name);
        }
        out.push_str(" {\n");
        for (name, of) in &t.fields {
            let of = self.type_name(rng, *of);
            match rng.below(3) {
                0 => {
                    let _ = writeln!(out, "    {name} = new {of}();");
                }
                _ => {
                    let _ = writeln!(out, "    {name}!: {of};");
                }
            }
        }
        if let Some((name, of)) = &t.list {
            let _ = writeln!(out, "    {name}: {}[] = [];", self.type_name(rng, *of));
        }
        if rng.one_in(3) {
            let above = if t.base.is_some() { "super();" } else { "" };
            let _ = writeln!(out, "    constructor() {{ {above} }}");
        }
        for m in &t.methods {
            let result = self.result(rng, m.result);
            let body = self.body(rng, &m.body);
            let head = if m.is_static { "static " } else { "" };
            let _ = write!(out, "    {head}{}(){result} {{\n{body}    }}\n", m.name);
        }
        for &i in &t.traits {
            let plan = &self.plan.traits[i];
            if t.methods.iter().any(|m| m.name == plan.method) {
                continue;
            }
            let result = self.type_name(rng, plan.result);
            let _ = write!(
                out,
                "    {}() {{\n        return new {result}();\n    }}\n",
                plan.method
            );
        }
        out + "}\n"
    }

    fn body(&mut self, rng: &mut Rng, body: &Body) -> String {
        let mut out = String::new();
        for line in &body.lines {
            let text = match line {
                Line::Let(name, value) => format!("const {name} = {};", self.value(rng, value)),
                Line::Do(value) => format!("{};", self.value(rng, value)),
                Line::Each(name, list, run) => {
                    let list = self.value(rng, list);
                    let run = self.value(rng, run);
                    match rng.below(2) {
                        0 => format!("for (const {name} of {list}) {{ {run}; }}"),
                        _ => format!("{list}.map({name} => {run});"),
                    }
                }
                Line::Closure(name, param, of, run) => {
                    let of = self.type_name(rng, *of);
                    format!(
                        "const {name} = ({param}: {of}) => {};",
                        self.value(rng, run)
                    )
                }
            };
            let _ = writeln!(out, "        {text}");
        }
        if let Some(value) = &body.value {
            let _ = writeln!(out, "        return {};", self.value(rng, value));
        }
        out
    }

    fn value(&mut self, rng: &mut Rng, value: &Value) -> String {
        match value {
            Value::Local(name) => (*name).to_owned(),
            Value::This => "this".to_owned(),
            Value::New(t) => format!("new {}()", self.type_name(rng, *t)),
            Value::Call(f, arg) => {
                let f = &self.plan.functions[*f];
                let name = self.name(rng, f.module, f.name);
                format!("{name}({})", self.value(rng, arg))
            }
            Value::Static(t, name) => format!("{}.{name}()", self.type_name(rng, *t)),
            Value::Method(base, name) => format!("{}.{name}()", self.value(rng, base)),
            Value::Field(base, name) => format!("{}.{name}", self.value(rng, base)),
        }
    }
}

/// Packages beside each other, of items that know little of each other.
fn jumble(rng: &mut Rng) -> BTreeMap<String, String> {
    let mut tree = BTreeMap::new();
    tree.insert("tsconfig.json".to_owned(), any_tsconfig(rng));
    tree.insert("package.json".to_owned(), any_package(rng));
    for module in MODULES.iter().take(2 + rng.below(MODULES.len() - 1)) {
        let ext = rng.pick(&["ts", "ts", "tsx", "js", "js"]);
        let items = 2 + rng.below(4);
        tree.insert(format!("src/{module}.{ext}"), file(rng, items));
    }
    if rng.one_in(3) {
        tree.insert(
            "packages/two/package.json".to_owned(),
            "{ \"name\": \"@w/two\", \"main\": \"src/index.ts\" }\n".to_owned(),
        );
        tree.insert("packages/two/src/index.ts".to_owned(), file(rng, 3));
    }
    if rng.one_in(4) {
        tree.insert(
            "src/shape.d.ts".to_owned(),
            "declare function load(x: number): void;\n".to_owned(),
        );
    }
    tree
}

pub fn any_tsconfig(rng: &mut Rng) -> String {
    match rng.below(5) {
        0 => "{ \"compilerOptions\": { \"baseUrl\": \".\", \"paths\": { \"@/*\": [\"src/*\"] } } }\n".to_owned(),
        1 => "{ \"compilerOptions\": { \"baseUrl\": \"src\" } }\n".to_owned(),
        2 => "{ \"extends\": \"./tsconfig.base.json\" }\n".to_owned(),
        3 => "{ // none\n".to_owned(),
        _ => "{ \"compilerOptions\": { \"paths\": { \"@/store\": [\"./src/page.ts\"], \"@/*\": [\"./src/*\"] } }, \"include\": [\"src\"] }\n".to_owned(),
    }
}

pub fn any_package(rng: &mut Rng) -> String {
    match rng.below(4) {
        0 => "{ \"name\": \"one\", \"workspaces\": [\"packages/*\"] }\n".to_owned(),
        1 => "{ \"name\": \"one\", \"workspaces\": [\"packages/*\"], \"dependencies\": { \"@w/two\": \"*\" } }\n".to_owned(),
        2 => "{ \"name\": \"one\", \"exports\": { \".\": \"./src/store.ts\", \"./*\": \"./src/*.ts\" } }\n".to_owned(),
        _ => "{ \"name\": \"one\", \"dependencies\": { \"react\": \"18\" } }\n".to_owned(),
    }
}

fn specifier(rng: &mut Rng) -> &'static str {
    rng.pick(&[
        "./store",
        "./page",
        "./deep",
        "./util",
        "../store",
        "../util",
        "./leaf",
        "./page.js",
        "@/store",
        "@/page",
        "@w/two",
        "store",
        "react",
        "./deep/leaf",
        ".",
        "..",
    ])
}

pub fn import(rng: &mut Rng) -> String {
    let spec = specifier(rng);
    match rng.below(11) {
        0 | 1 => format!("import {{ {} }} from \"{spec}\";\n", rng.pick(FUNCTIONS)),
        2 => format!(
            "import {{ {} as {}, {} }} from \"{spec}\";\n",
            rng.pick(FUNCTIONS),
            rng.pick(FUNCTIONS),
            rng.pick(TYPES)
        ),
        3 => format!("import * as {} from \"{spec}\";\n", rng.pick(OBJECTS)),
        4 => format!("import {} from \"{spec}\";\n", rng.pick(TYPES)),
        5 => format!("export * from \"{spec}\";\n"),
        6 => format!(
            "export {{ {} as {} }} from \"{spec}\";\n",
            rng.pick(FUNCTIONS),
            rng.pick(FUNCTIONS)
        ),
        7 => format!(
            "export {{ default as {} }} from \"{spec}\";\n",
            rng.pick(TYPES)
        ),
        8 => format!("import type {{ {} }} from \"{spec}\";\n", rng.pick(TYPES)),
        9 => format!("const {} = require(\"{spec}\");\n", rng.pick(OBJECTS)),
        _ => format!("export * as {} from \"{spec}\";\n", rng.pick(OBJECTS)),
    }
}

/// A file of some items.
pub fn file(rng: &mut Rng, items: usize) -> String {
    let mut out = String::new();
    for _ in 0..1 + rng.below(3) {
        out.push_str(&import(rng));
    }
    for _ in 0..items {
        out.push('\n');
        out.push_str(&item(rng));
    }
    out
}

fn ty(rng: &mut Rng) -> String {
    let name = rng.pick(TYPES);
    match rng.below(8) {
        0 => format!("{name}[]"),
        1 => format!("Promise<{name}>"),
        2 => format!("Map<string, {name}>"),
        3 => format!("{name} | undefined"),
        4 => "any".to_owned(),
        5 => format!("{{ {}: {name} }}", rng.pick(FIELDS)),
        _ => name.to_owned(),
    }
}

/// What only scripts are written with: exports and members that are assigned.
fn script_item(rng: &mut Rng) -> String {
    let (function, class, method) = (rng.pick(FUNCTIONS), rng.pick(TYPES), rng.pick(METHODS));
    let field = rng.pick(FIELDS);
    match rng.below(12) {
        0 => format!("exports.{function} = {function};\n"),
        1 => format!("exports.{function} = function () {{\n{}}};\n", body(rng, 2)),
        2 => format!("module.exports = {class};\n"),
        3 => format!("module.exports = {{ {function}, {method}: {class} }};\n"),
        4 => format!("var {class} = module.exports = function () {{}};\n"),
        5 => format!(
            "const {{ {function} }} = require(\"{}\");\n",
            specifier(rng)
        ),
        6 => format!("const {class} = require(\"{}\");\n", specifier(rng)),
        7 => format!(
            "function {class}() {{\n    this.{field} = {};\n}}\n",
            expr(rng, 0)
        ),
        8 => format!(
            "{class}.prototype.{method} = function () {{\n    this.{field}.{method}();\n    return this;\n}};\n"
        ),
        9 => format!(
            "{class}.prototype = Object.create({}.prototype);\n",
            rng.pick(TYPES)
        ),
        10 => format!("{class}.{method} = {};\n", expr(rng, 0)),
        _ => format!(
            "/** @param {{{class}}} x @returns {{{}}} */\nfunction {function}(x) {{\n    x.{method}();\n}}\n",
            rng.pick(TYPES)
        ),
    }
}

pub fn item(rng: &mut Rng) -> String {
    let export = rng.pick(&["export ", "export ", "", "export default "]);
    let plain = if export == "export default " {
        ""
    } else {
        export
    };
    match rng.below(16) {
        13..=15 => script_item(rng),
        // Results are often not written: what they are follows from what is returned.
        0..=2 => {
            let wait = rng.pick(&["", "", "async "]);
            let result = if rng.one_in(3) {
                format!(": {}", ty(rng))
            } else {
                String::new()
            };
            let (name, param) = (rng.pick(FUNCTIONS), rng.pick(LOCALS));
            let typed = if rng.one_in(2) {
                format!(": {}", ty(rng))
            } else {
                String::new()
            };
            format!(
                "{export}{wait}function {name}({param}{typed}){result} {{\n{}}}\n",
                body(rng, 3)
            )
        }
        3 => format!(
            "{plain}const {} = ({}) => {};\n",
            rng.pick(FUNCTIONS),
            rng.pick(LOCALS),
            expr(rng, 0)
        ),
        4 | 5 => {
            let above = if rng.one_in(2) {
                format!(" extends {}", rng.pick(TYPES))
            } else {
                String::new()
            };
            let kept = if rng.one_in(3) {
                format!(" implements {}", rng.pick(TYPES))
            } else {
                String::new()
            };
            let mut out = format!("{export}class {}{above}{kept} {{\n", rng.pick(TYPES));
            if rng.one_in(2) {
                let _ = writeln!(out, "    {}: {};", rng.pick(FIELDS), ty(rng));
            }
            if rng.one_in(3) {
                let _ = writeln!(out, "    {} = {};", rng.pick(FIELDS), expr(rng, 1));
            }
            if rng.one_in(4) {
                let _ = writeln!(
                    out,
                    "    constructor(private {}: {}) {{ super(); }}",
                    rng.pick(FIELDS),
                    ty(rng)
                );
            }
            for _ in 0..1 + rng.below(3) {
                out.push_str(&method(rng));
            }
            out + "}\n"
        }
        6 => {
            let above = if rng.one_in(3) {
                format!(" extends {}", rng.pick(TYPES))
            } else {
                String::new()
            };
            format!(
                "{plain}interface {}{above} {{\n    {}(): {};\n    {}: {};\n}}\n",
                rng.pick(TYPES),
                rng.pick(METHODS),
                ty(rng),
                rng.pick(FIELDS),
                ty(rng)
            )
        }
        7 => format!(
            "{plain}const {} = {{ {}, {}: {}, {}() {{ return {}; }} }};\n",
            rng.pick(OBJECTS),
            rng.pick(FUNCTIONS),
            rng.pick(METHODS),
            expr(rng, 1),
            rng.pick(METHODS),
            expr(rng, 1)
        ),
        8 => format!("{plain}const {} = {};\n", rng.pick(OBJECTS), expr(rng, 0)),
        9 => format!("{plain}type {} = {};\n", rng.pick(TYPES), ty(rng)),
        10 => format!(
            "export {{ {}, {} as {} }};\n",
            rng.pick(FUNCTIONS),
            rng.pick(TYPES),
            rng.pick(FUNCTIONS)
        ),
        11 => format!(
            "{plain}namespace {} {{\n    export function {}() {{ return {}; }}\n}}\n",
            rng.pick(OBJECTS),
            rng.pick(FUNCTIONS),
            expr(rng, 1)
        ),
        _ => format!("{};\n", expr(rng, 0)),
    }
}

fn method(rng: &mut Rng) -> String {
    let head = rng.pick(&["", "", "", "static ", "private ", "async ", "get "]);
    let result = if rng.one_in(2) {
        format!(": {}", ty(rng))
    } else {
        String::new()
    };
    format!(
        "    {head}{}(){result} {{\n{}    }}\n",
        rng.pick(METHODS),
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
    match rng.below(11) {
        0 | 1 => format!("const {local} = {expr1};"),
        2 => format!("let {local}: {} = {expr1};", ty(rng)),
        3 => format!("for (const {local} of {expr1}) {{ {}; }}", expr(rng, 0)),
        4 => format!("if ({local} instanceof {}) {{ {expr1}; }}", rng.pick(TYPES)),
        5 => format!("const {{ {} }} = {expr1};", rng.pick(METHODS)),
        6 => format!("{local} = {expr1};"),
        7..=8 => format!("return {expr1};"),
        9 => format!(
            "{expr1}.{}({local} => {});",
            rng.pick(&["map", "then", "forEach"]),
            expr(rng, 1)
        ),
        _ => format!("{expr1};"),
    }
}

pub fn expr(rng: &mut Rng, depth: usize) -> String {
    if depth > 2 {
        return rng.pick(LOCALS).to_owned();
    }
    let d = depth + 1;
    match rng.below(15) {
        0..=2 => format!("{}({})", rng.pick(FUNCTIONS), expr(rng, d)),
        3 => format!("{}.{}()", rng.pick(OBJECTS), rng.pick(FUNCTIONS)),
        4 | 5 => format!("{}.{}()", expr(rng, d), rng.pick(METHODS)),
        6 => format!("new {}({})", rng.pick(TYPES), expr(rng, d)),
        7 => format!("this.{}.{}()", rng.pick(FIELDS), rng.pick(METHODS)),
        8 => format!("this.{}()", rng.pick(METHODS)),
        9 => format!("await {}", expr(rng, d)),
        10 => format!("[{}, {}]", expr(rng, d), expr(rng, d)),
        11 => format!("super.{}()", rng.pick(METHODS)),
        12 => format!("{}.{}()", rng.pick(TYPES), rng.pick(METHODS)),
        13 => format!(
            "({{ {}: {} }}).{}",
            rng.pick(FIELDS),
            expr(rng, d),
            rng.pick(FIELDS)
        ),
        _ => rng.pick(LOCALS).to_owned(),
    }
}
