//! Attributes and doc comments: what they say of the declaration they stand on.

use super::walk::{Kid, Node, Walk};
use super::words::{F, K};
use smallvec::SmallVec;
use surefoot_facts::{Flags, Name, Span};
use surefoot_graph::SymbolKind;

/// What stands before a declaration.
#[derive(Default)]
pub(super) struct Attrs<'t> {
    /// The first of them, where the declaration's text starts.
    pub(super) first: Option<Node<'t>>,
    pub(super) flags: Flags,
    /// Paths named in `#[derive(..)]`.
    pub(super) derives: Vec<Path>,
    /// The text of `#[path = ".."]`.
    pub(super) path: Option<Name>,
    /// The predicate of its `#[cfg(..)]`, of all of them together.
    pub(super) condition: Name,
    /// The name that an attribute gives it in another language.
    pub(super) foreign: Option<Name>,
    /// `#[no_mangle]`: other languages know it by its own name.
    pub(super) unmangled: bool,
    /// `#[pymodule]`.
    pub(super) python_module: bool,
    /// `#[macro_use]`.
    pub(super) macro_use: bool,
    /// `#[cfg(test)]`: everything inside is a test.
    pub(super) cfg_test: bool,
    /// `#[allow(unused_variables)]` or wider.
    pub(super) allows_unread: bool,
}

/// A path written in an attribute, one name per segment.
pub(super) type Path = SmallVec<[(Name, Span); 2]>;

/// Attributes of the compiler and of its tools: none calls or rewrites code.
const PLAIN: &[&str] = &[
    "allow",
    "automatically_derived",
    "cfg",
    "cfg_attr",
    "cold",
    "collapse_debuginfo",
    "debugger_visualizer",
    "deny",
    "deprecated",
    "derive",
    "diagnostic",
    "doc",
    "expect",
    "export_name",
    "feature",
    "forbid",
    "global_allocator",
    "ignore",
    "inline",
    "link",
    "link_name",
    "link_section",
    "macro_export",
    "macro_use",
    "must_use",
    "naked",
    "no_implicit_prelude",
    "no_link",
    "no_mangle",
    "non_exhaustive",
    "optimize",
    "panic_handler",
    "path",
    "proc_macro",
    "proc_macro_attribute",
    "proc_macro_derive",
    "recursion_limit",
    "repr",
    "should_panic",
    "stable",
    "target_feature",
    "test",
    "track_caller",
    "type_length_limit",
    "unsafe",
    "unstable",
    "used",
    "warn",
    "windows_subsystem",
    "clippy",
    "rustfmt",
    "miri",
    "rustc_const_stable",
];

impl Attrs<'_> {
    /// The name by which another language knows a declaration of this name and kind.
    pub(super) fn foreign_name(&self, own: Name, kind: SymbolKind) -> Name {
        match self.foreign {
            // CPython opens a module by a function of this name.
            given if self.python_module => {
                Name::new(&format!("PyInit_{}", given.unwrap_or(own).text()))
            }
            Some(name) => name,
            // napi-rs writes functions as JavaScript does, and types as they are.
            None if self.flags.has(Flags::NAPI) && kind.is_callable() => {
                Name::new(&camel(own.text()))
            }
            None if self.unmangled
                || self
                    .flags
                    .has(Flags::PYO3 | Flags::NAPI | Flags::WASM_BINDGEN) =>
            {
                own
            }
            None => Name::EMPTY,
        }
    }
}

/// `plus_one` as `plusOne`.
fn camel(name: &str) -> String {
    let mut words = name.split('_').filter(|w| !w.is_empty());
    let mut out = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        out.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        out.push_str(letters.as_str());
    }
    out
}

impl<'t> Walk<'t, '_> {
    pub(super) fn is_inner(&self, kid: &Kid<'t>) -> bool {
        match kid.kind {
            K::InnerAttribute => true,
            K::LineComment => self.syn.text(kid.node).starts_with("//!"),
            K::BlockComment => self.syn.text(kid.node).starts_with("/*!"),
            _ => false,
        }
    }

    pub(super) fn is_outer_doc(&self, node: Node<'t>) -> bool {
        let text = self.syn.text(node).as_bytes();
        match text {
            [b'/', b'/', b'/', b'/', ..] => false,
            [b'/', b'/', b'/', ..] => true,
            // `/**/` and `/***` are no documentation.
            [b'/', b'*', b'*', b'*' | b'/', ..] => false,
            [b'/', b'*', b'*', ..] => true,
            _ => false,
        }
    }

    /// Reads the attributes and doc comments of one declaration.
    pub(super) fn attrs(&mut self, nodes: &[Node<'t>]) -> Attrs<'t> {
        let mut attrs = Attrs {
            first: nodes.first().copied(),
            ..Attrs::default()
        };
        for &node in nodes {
            match self.syn.kind(node) {
                K::LineComment | K::BlockComment => attrs.flags.set(Flags::DOCUMENTED),
                _ => self.attribute_item(node, &mut attrs),
            }
        }
        attrs
    }

    fn attribute_item(&mut self, item: Node<'t>, attrs: &mut Attrs<'t>) {
        let Some(attribute) = self.syn.kids(item).kind(K::Attribute) else {
            return;
        };
        let kids = self.syn.kids(attribute.node);
        let Some(head) = kids.first() else {
            return;
        };
        let path = self.syn.text(head.node);
        let arguments = kids.field(F::Arguments).map(|k| k.node);
        let inside = arguments.map_or("", |n| self.syn.text(n));
        let start = arguments.map_or(0, |n| self.span(n).start);
        let value = kids.field(F::Value).map(|k| self.syn.text(k.node));
        read(path, inside, start, value, attrs);
    }
}

/// One attribute; `inside` is its argument list with delimiters, at `start`.
fn read(path: &str, inside: &str, start: u32, value: Option<&str>, attrs: &mut Attrs<'_>) {
    let last = path.rsplit("::").next().unwrap_or(path).trim();
    match path {
        "doc" if value.is_some() => attrs.flags.set(Flags::DOCUMENTED),
        "cfg" => {
            let condition = inner(inside).trim();
            attrs.condition = match attrs.flags.has(Flags::CONDITIONAL) {
                false => Name::new(condition),
                true => Name::new(&format!("all({}, {condition})", attrs.condition.text())),
            };
            attrs.flags.set(Flags::CONDITIONAL);
            attrs.cfg_test |= needs_test(inner(inside));
        }
        "derive" => attrs.derives.extend(paths(inside, start)),
        "path" => attrs.path = attrs.path.or(value.map(|v| Name::new(unquote(v)))),
        "allow" | "expect" => {
            attrs.allows_unread |= words(inside).any(|w| w == "unused_variables" || w == "unused");
        }
        "macro_use" => attrs.macro_use = true,
        "macro_export" => attrs.flags.set(Flags::MACRO_EXPORT),
        "no_mangle" | "export_name" => {
            attrs.flags.set(Flags::ENTRY | Flags::C_ABI);
            attrs.unmangled = true;
            attrs.foreign = attrs.foreign.or(value.map(|v| Name::new(unquote(v))));
        }
        "link_name" => attrs.foreign = value.map(|v| Name::new(unquote(v))),
        "proc_macro"
        | "proc_macro_attribute"
        | "proc_macro_derive"
        | "panic_handler"
        | "global_allocator" => {
            attrs.flags.set(Flags::ENTRY);
        }
        "unsafe" if words(inside).any(|w| w == "no_mangle" || w == "export_name") => {
            attrs.flags.set(Flags::ENTRY | Flags::C_ABI);
            attrs.unmangled = true;
            attrs.foreign = attrs.foreign.or(given(inside, "export_name"));
        }
        "cfg_attr" => conditional(inside, start, attrs),
        _ => {}
    }
    match last {
        "pyfunction" | "pymodule" => attrs.flags.set(Flags::ENTRY | Flags::PYO3),
        // The methods of a block are reached through the type.
        "pyclass" | "pymethods" => attrs.flags.set(Flags::PYO3),
        "wasm_bindgen" => attrs.flags.set(Flags::WASM_BINDGEN),
        "napi" => attrs.flags.set(Flags::NAPI),
        _ => {}
    }
    attrs.python_module |= last == "pymodule";
    let naming = match last {
        "pyo3" | "pyclass" | "pyfunction" => Some("name"),
        "napi" | "wasm_bindgen" => Some("js_name"),
        _ => None,
    };
    if let Some(naming) = naming {
        attrs.foreign = attrs.foreign.or(given(inside, naming));
    }
    let tests = [
        "test",
        "bench",
        "rstest",
        "test_case",
        "quickcheck",
        "wasm_bindgen_test",
    ];
    if tests.contains(&last) {
        attrs.flags.set(Flags::TEST);
    } else if last == "main" && path != last {
        attrs.flags.set(Flags::ENTRY);
    }
    let first = path.split("::").next().unwrap_or(path).trim();
    if !PLAIN.contains(&first) {
        attrs.flags.set(Flags::DECORATED);
    }
}

/// `cfg_attr(condition, attribute, ..)`: what the attributes say under the
/// condition; derives count, as their twins without it rarely exist.
fn conditional(inside: &str, start: u32, attrs: &mut Attrs<'_>) {
    let text = inner(inside);
    let base = start + 1;
    let mut pieces = split(text);
    pieces.next();
    for (at, piece) in pieces {
        let lead = (piece.len() - piece.trim_start().len()) as u32;
        let piece = piece.trim();
        let end = piece.find(['(', '=', '[']).unwrap_or(piece.len());
        let (path, rest) = piece.split_at(end);
        let value = rest.strip_prefix('=').map(str::trim);
        let path = path.trim_end();
        // A nested condition would let text decide how deep this goes.
        if path != "cfg_attr" && path != "path" {
            read(path, rest, base + at + lead + end as u32, value, attrs);
        }
    }
}

/// Whether a `cfg` predicate holds only when tests are compiled.
fn needs_test(predicate: &str) -> bool {
    let mut rest = vec![predicate.trim()];
    while let Some(p) = rest.pop() {
        if p == "test" {
            return true;
        }
        if let Some(list) = p.strip_prefix("all").map(str::trim_start)
            && list.starts_with('(')
        {
            rest.extend(split(inner(list)).map(|(_, piece)| piece.trim()));
        }
    }
    false
}

/// The value of `key = value` in an argument list.
fn given(arguments: &str, key: &str) -> Option<Name> {
    let mut pieces = split(inner(arguments)).filter_map(|(_, piece)| piece.split_once('='));
    let (_, value) = pieces.find(|(name, _)| name.trim() == key)?;
    Some(Name::new(unquote(value)))
}

/// The text between the outer delimiters.
fn inner(text: &str) -> &str {
    let text = text.trim();
    text.get(1..text.len().saturating_sub(1)).unwrap_or("")
}

fn unquote(text: &str) -> &str {
    let text = text.trim().trim_start_matches('r').trim_matches('#');
    text.strip_prefix('"')
        .and_then(|t| t.strip_suffix('"'))
        .unwrap_or(text)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
}

/// The pieces between commas outside brackets and strings, with their offsets.
fn split(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let mut at = 0;
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let (mut depth, mut quoted, mut escaped) = (0i32, false, false);
        for (i, c) in text[at..].bytes().enumerate() {
            match c {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                _ if quoted => {}
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth -= 1,
                b',' if depth == 0 => {
                    let piece = (at as u32, &text[at..at + i]);
                    at += i + 1;
                    return Some(piece);
                }
                _ => {}
            }
        }
        done = true;
        Some((at as u32, &text[at..]))
    })
}

/// The paths of a derive list.
fn paths(list: &str, start: u32) -> Vec<Path> {
    let base = start + 1;
    let mut out = Vec::new();
    for (at, piece) in split(inner(list)) {
        let mut path = Path::new();
        let mut offset = at;
        for segment in piece.split("::") {
            let lead = (segment.len() - segment.trim_start().len()) as u32;
            let name = segment.trim();
            let word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if !name.is_empty() && word {
                let from = base + offset + lead;
                let span = Span {
                    start: from,
                    end: from + name.len() as u32,
                };
                path.push((Name::new(name), span));
            }
            offset += segment.len() as u32 + 2;
        }
        if !path.is_empty() {
            out.push(path);
        }
    }
    out
}
