//! Small Python workspaces out of a few names; see [`crate::rust`].

use std::collections::BTreeMap;
use std::fmt::Write;
use surefoot_fixture::Rng;

const FUNCTIONS: &[&str] = &["load", "save", "scan", "run", "make", "_own"];
const TYPES: &[&str] = &["Store", "Item", "Page", "View"];
const METHODS: &[&str] = &["get", "walk", "show", "size", "load", "__call__"];
const FIELDS: &[&str] = &["inner", "items", "left"];
const LOCALS: &[&str] = &["x", "y", "item", "load"];
const MODULES: &[&str] = &[
    "app/__init__",
    "app/store",
    "app/page",
    "app/deep/__init__",
    "app/deep/leaf",
    "loose/part",
    "tool",
];

pub const NAMES: &[&[&str]] = &[FUNCTIONS, TYPES, METHODS, FIELDS, LOCALS];

pub fn workspace(rng: &mut Rng) -> BTreeMap<String, String> {
    let mut tree = BTreeMap::new();
    let root = rng.pick(&["", "src/"]);
    if rng.one_in(2) {
        tree.insert("pyproject.toml".to_owned(), any_project(rng));
    }
    for module in MODULES.iter().take(2 + rng.below(MODULES.len() - 1)) {
        let items = 2 + rng.below(4);
        tree.insert(format!("{root}{module}.py"), file(rng, items));
    }
    tree
}

pub fn any_project(rng: &mut Rng) -> String {
    match rng.below(4) {
        0 => "[project]\nname = \"app\"\n".to_owned(),
        1 => "[tool.setuptools.packages.find]\nwhere = [\"src\"]\n".to_owned(),
        2 => "[tool.setuptools]\npackage-dir = { \"\" = \"loose\" }\n".to_owned(),
        _ => "[broken\n".to_owned(),
    }
}

fn module(rng: &mut Rng) -> &'static str {
    rng.pick(&[
        "app",
        "app.store",
        "app.page",
        "app.deep",
        "app.deep.leaf",
        "loose.part",
        "loose",
        ".",
        ".store",
        ".page",
        "..store",
        ".deep",
        "..",
        "os",
        "functools",
        "nowhere",
    ])
}

pub fn import(rng: &mut Rng) -> String {
    let from = module(rng);
    let plain = from.trim_start_matches('.');
    let plain = if plain.is_empty() { "app" } else { plain };
    let (function, class) = (rng.pick(FUNCTIONS), rng.pick(TYPES));
    match rng.below(9) {
        0 => format!("import {plain}\n"),
        1 => format!("import {plain} as {}\n", rng.pick(LOCALS)),
        2 => format!("from {from} import *\n"),
        3 => format!("from {from} import {function} as {}\n", rng.pick(FUNCTIONS)),
        4 => format!(
            "try:\n    from {from} import {function}\nexcept ImportError:\n    {function} = None\n"
        ),
        5 => format!("__all__ = [\"{function}\", \"{class}\"]\n"),
        6 => "from app import deep, store\n".to_owned(),
        _ => format!("from {from} import {class}, {function}\n"),
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
        0 => format!("list[{name}]"),
        1 => format!("\"{name} | None\""),
        2 => format!("dict[str, {name}]"),
        3 => format!("type[{name}]"),
        4 => "T".to_owned(),
        _ => name.to_owned(),
    }
}

pub fn item(rng: &mut Rng) -> String {
    let (function, class) = (rng.pick(FUNCTIONS), rng.pick(TYPES));
    match rng.below(14) {
        0..=3 => {
            let result = if rng.one_in(3) {
                format!(" -> {}", ty(rng))
            } else {
                String::new()
            };
            let head = rng.pick(&["", "", "", "async ", "@keep\n", "@load\n"]);
            let param = rng.pick(LOCALS);
            let typed = if rng.one_in(2) {
                format!(": {}", ty(rng))
            } else {
                String::new()
            };
            format!(
                "{head}def {function}({param}{typed}){result}:\n{}",
                body(rng, 4, 1)
            )
        }
        4..=7 => {
            let base = match rng.below(4) {
                0 => format!("({})", rng.pick(TYPES)),
                1 => format!("({}, {})", rng.pick(TYPES), rng.pick(TYPES)),
                2 => "(Generic[T])".to_owned(),
                _ => String::new(),
            };
            let mut out = format!("class {class}{base}:\n");
            if rng.one_in(2) {
                let _ = writeln!(out, "    {}: {}", rng.pick(FIELDS), ty(rng));
            }
            if rng.one_in(3) {
                let _ = writeln!(
                    out,
                    "    def __init__(self, x):\n        self.{} = {}",
                    rng.pick(FIELDS),
                    expr(rng, 1)
                );
            }
            for _ in 0..1 + rng.below(3) {
                out.push_str(&method(rng));
            }
            out
        }
        8 => format!("{function} = {}\n", expr(rng, 0)),
        9 => format!(
            "if {}:\n    def {function}(x):\n        return x\n",
            rng.pick(&["flag", "TYPE_CHECKING", "sys.platform == \"win32\"",])
        ),
        10 => "T = TypeVar(\"T\")\n".to_owned(),
        11 => format!(
            "{} = {}[{}]\n",
            rng.pick(TYPES),
            rng.pick(&["list", "Optional"]),
            class
        ),
        12 => format!(
            "for {} in {}:\n{}",
            rng.pick(LOCALS),
            expr(rng, 0),
            body(rng, 2, 1)
        ),
        _ => format!("{}\n", expr(rng, 0)),
    }
}

fn method(rng: &mut Rng) -> String {
    let (head, first) = match rng.below(5) {
        0 => ("    @staticmethod\n", "x"),
        1 => ("    @classmethod\n", "cls"),
        2 => ("    @property\n", "self"),
        _ => ("", "self"),
    };
    let result = if rng.one_in(3) {
        format!(" -> {}", ty(rng))
    } else {
        String::new()
    };
    format!(
        "{head}    def {}({first}){result}:\n{}",
        rng.pick(METHODS),
        body(rng, 3, 2)
    )
}

/// Statements of a body, one on a line, each so many levels in.
fn body(rng: &mut Rng, most: usize, level: usize) -> String {
    let mut out = String::new();
    for _ in 0..1 + rng.below(most) {
        for line in statement(rng).lines() {
            let _ = writeln!(out, "{}{line}", "    ".repeat(level));
        }
    }
    out
}

pub fn statement(rng: &mut Rng) -> String {
    let (local, value) = (rng.pick(LOCALS), expr(rng, 0));
    match rng.below(14) {
        0..=2 => format!("{local} = {value}"),
        3 => format!("{local}: {} = {value}", ty(rng)),
        4 => format!(
            "for {local} in {value}:\n    {}\n    {local} = {}",
            expr(rng, 0),
            expr(rng, 1)
        ),
        5 => format!(
            "if isinstance({local}, {}):\n    {value}\n    return {local}",
            rng.pick(TYPES)
        ),
        6 => format!(
            "if {value}:\n    {local} = {}\nelse:\n    {local} = {}",
            expr(rng, 1),
            expr(rng, 1)
        ),
        7 => format!("with {value} as {local}:\n    {}", expr(rng, 0)),
        8 => format!(
            "try:\n    {local} = {value}\nexcept {} as {local}:\n    pass",
            rng.pick(TYPES)
        ),
        9 => format!("self.{} = {value}", rng.pick(FIELDS)),
        10 => format!("global {}\n{value}", rng.pick(FUNCTIONS)),
        11 => format!("yield {value}"),
        12 => format!("return {value}"),
        _ => value,
    }
}

pub fn expr(rng: &mut Rng, depth: usize) -> String {
    if depth > 2 {
        return rng.pick(LOCALS).to_owned();
    }
    let d = depth + 1;
    match rng.below(15) {
        0..=2 => format!("{}({})", rng.pick(FUNCTIONS), expr(rng, d)),
        3 => format!(
            "{}.{}()",
            rng.pick(&["app", "store", "deep", "os"]),
            rng.pick(FUNCTIONS)
        ),
        4 | 5 => format!("{}.{}()", expr(rng, d), rng.pick(METHODS)),
        6 => format!("{}({})", rng.pick(TYPES), expr(rng, d)),
        7 => format!("self.{}.{}()", rng.pick(FIELDS), rng.pick(METHODS)),
        8 => format!("self.{}()", rng.pick(METHODS)),
        9 => format!("super().{}()", rng.pick(METHODS)),
        10 => format!(
            "[{} for {} in {}]",
            expr(rng, d),
            rng.pick(LOCALS),
            expr(rng, d)
        ),
        11 => format!("({}, {})[0]", expr(rng, d), expr(rng, d)),
        12 => format!("{}.{}()", rng.pick(TYPES), rng.pick(METHODS)),
        13 => format!("(lambda {}: {})", rng.pick(LOCALS), expr(rng, d)),
        _ => rng.pick(LOCALS).to_owned(),
    }
}
