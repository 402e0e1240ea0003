//! Small Rust workspaces out of a few names, so that most names mean something
//! somewhere and every edit has a chance to move an edge.

use crate::rng::Rng;
use std::collections::BTreeMap;
use std::fmt::Write;

const FUNCTIONS: &[&str] = &["load", "save", "open", "scan", "run", "make"];
const TYPES: &[&str] = &["Store", "Item", "Page", "Node"];
const TRAITS: &[&str] = &["Read", "Show", "Walk"];
const METHODS: &[&str] = &["get", "next", "walk", "show", "size", "new", "load"];
const MODULES: &[&str] = &["store", "page", "deep", "util"];
const FIELDS: &[&str] = &["inner", "items", "left"];
const LOCALS: &[&str] = &["x", "y", "item", "load"];

pub const NAMES: &[&[&str]] = &[FUNCTIONS, TYPES, TRAITS, METHODS, MODULES, FIELDS, LOCALS];

/// A workspace of one or two packages.
pub fn workspace(rng: &mut Rng) -> BTreeMap<String, String> {
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
