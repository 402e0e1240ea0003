//! Prints what is read from a file, for reading beside the source:
//! `cargo run -p surefoot-langs --example dump -- FILE [--tree]`.

// Not part of the resolver: a person runs it on files.
#![allow(clippy::disallowed_methods)]

use std::collections::HashSet;
use surefoot_facts::{
    BindIdx, Expr, ExprIdx, Extracted, ItemFacts, ItemSpans, List, ScopeIdx, Span, SymIdx, Ty,
    TyIdx,
};

fn main() {
    let mut paths: Vec<String> = std::env::args().skip(1).collect();
    let tree = paths.iter().any(|a| a == "--tree");
    paths.retain(|a| a != "--tree");
    for path in paths {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) => {
                eprintln!("{path}: {e}");
                continue;
            }
        };
        let Some(language) = surefoot_langs::of_path(&path) else {
            eprintln!("{path}: no language reads this extension");
            continue;
        };
        if tree {
            print_tree(&path, &text);
        } else {
            print_facts(&language.facts(&text), &text);
        }
    }
}

fn print_tree(path: &str, text: &str) {
    let language = match path.rsplit('.').next() {
        Some("rs") => tree_sitter_rust::LANGUAGE.into(),
        Some("tsx") => tree_sitter_typescript::LANGUAGE_TSX.into(),
        _ => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    };
    let mut parser = tree_sitter::Parser::new();
    if parser.set_language(&language).is_err() {
        return;
    }
    let Some(tree) = parser.parse(text, None) else {
        return;
    };
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        let field = cursor
            .field_name()
            .map(|f| format!("{f}: "))
            .unwrap_or_default();
        let text = match node.child_count() {
            0 => format!(" {:?}", &text[node.byte_range()]),
            _ => String::new(),
        };
        println!("{}{field}{}{text}", "  ".repeat(depth), node.kind());
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            depth -= 1;
        }
    }
}

fn print_facts(file: &Extracted, text: &str) {
    let f = &file.facts;
    println!(
        "errors {} generated {} documented {} items {}",
        f.errors,
        f.generated,
        f.documented,
        f.items.len()
    );
    for (item, (start, spans)) in f.items.iter().zip(&file.positions.items) {
        let shown = Shown {
            item,
            spans,
            start: *start,
            file,
            text,
        };
        shown.print();
    }
}

struct Shown<'a> {
    item: &'a ItemFacts,
    spans: &'a ItemSpans,
    start: u32,
    file: &'a Extracted,
    text: &'a str,
}

impl Shown<'_> {
    fn place(&self, span: Span) -> String {
        let (line, col) = self.file.positions.lines.line_col(span.start + self.start);
        format!("{}:{}", line + 1, col + 1)
    }

    fn print(&self) {
        let end = self.place(Span::new(self.spans.full.end as usize, 0));
        println!("\nitem {}..{end}", self.place(self.spans.full));
        for (i, s) in self.item.symbols.iter().enumerate() {
            let at = self.spans.symbols[i];
            print!(
                "  sym {i} {} {} in {} at {}..{} name {}",
                s.kind.word(),
                s.name,
                sym(s.parent),
                self.place(at.full),
                self.place(Span::new(at.full.end as usize, 0)),
                self.place(at.name)
            );
            if s.ordinal > 0 {
                print!(" #{}", s.ordinal);
            }
            if s.visibility != Default::default() {
                print!(" {:?}", s.visibility);
            }
            print!("{}", flags(s.flags.0));
            if !s.scope.is_none() {
                print!(" scope {}", s.scope.0);
            }
            if let Some(path) = s.file_module {
                print!(" file-module {path:?}");
            }
            println!();
            for p in &s.type_params {
                println!(
                    "      <{}: {} = {}>",
                    p.name,
                    self.tys(p.bounds),
                    self.ty(p.default)
                );
            }
            if let Some(sig) = s.signature.as_deref() {
                let params: Vec<String> = sig
                    .params
                    .iter()
                    .map(|p| {
                        let mark = format!(
                            "{}{}",
                            if p.rest { "..." } else { "" },
                            if p.optional { "?" } else { "" }
                        );
                        format!("{mark}{}: {}", p.name, self.ty(p.ty))
                    })
                    .collect();
                print!("      ({}) -> {}", params.join(", "), self.ty(sig.result));
                if sig.receiver.is_known() {
                    print!(" receiver {}", self.ty(sig.receiver));
                }
                if self.item.list(sig.returns).is_empty() {
                    println!();
                } else {
                    println!(" returns {}", self.exprs(sig.returns));
                }
            }
            if s.ty.is_known() {
                println!("      type {}", self.ty(s.ty));
            }
            if s.value.is_known() {
                println!("      value {}", self.expr(s.value));
            }
            for h in &s.heritage {
                println!("      {:?} {}", h.kind, self.ty(h.ty));
            }
            if let Some((call, at)) = s.context {
                println!("      argument {at} of {}", self.expr(call));
            }
            if s.complexity != Default::default() {
                let c = s.complexity;
                println!(
                    "      cyclomatic {} cognitive {} (+{} in {})",
                    c.cyclomatic, c.cognitive, c.closures, c.closure_count
                );
            }
            for u in &s.param_uses {
                println!(
                    "      param {} reads {}{}{}{}",
                    u.param,
                    u.reads,
                    if u.overwritten { " overwritten" } else { "" },
                    if u.intended { " intended" } else { "" },
                    if u.maybe { " maybe" } else { "" }
                );
            }
        }
        for (i, s) in self.item.scopes.iter().enumerate().skip(1) {
            let module = if s.module { " module" } else { "" };
            let globs = if s.globs.is_empty() {
                String::new()
            } else {
                format!(" globs {:?}", s.globs)
            };
            println!(
                "  scope {i} in {} of {}{module}{globs}",
                s.parent.0,
                sym(s.owner)
            );
        }
        for (i, b) in self.item.bindings.iter().enumerate() {
            println!(
                "  bind {i} {} in scope {} {:?}: {} = {}{} at {}",
                b.name,
                b.scope.0,
                b.kind,
                self.ty(b.ty),
                self.expr(b.value),
                if b.reassigned { " reassigned" } else { "" },
                self.place(self.spans.bindings[i])
            );
        }
        for (i, m) in self.item.imports.iter().enumerate() {
            println!(
                "  import {i} {:?} {} as {} from {:?} path {} in {}{}{}{} {:?} at {}",
                m.kind,
                m.name,
                m.local,
                m.spec,
                self.expr(m.path),
                sym(m.module),
                if m.binds { " binds" } else { "" },
                if m.exported { " exported" } else { "" },
                if m.type_only { " type-only" } else { "" },
                m.visibility,
                self.place(self.spans.imports[i])
            );
        }
        for (i, s) in self.item.sites.iter().enumerate() {
            let at = self.spans.sites[i].shift(self.start);
            let text = self
                .text
                .get(at.start as usize..at.end as usize)
                .unwrap_or("<out of bounds>");
            let call = match self.item.expr(s.call) {
                Expr::Call { args, .. } | Expr::New { args, .. } => {
                    format!(" args {}", self.exprs(args))
                }
                _ => String::new(),
            };
            println!(
                "  site {i} {} `{}` at {}{} by {}{} callee {}{call}{}",
                s.kind.word(),
                s.name,
                self.place(self.spans.sites[i]),
                if text == s.name.text() {
                    String::new()
                } else {
                    format!(" over {text:?}")
                },
                sym(s.caller),
                if s.lambda.is_none() {
                    String::new()
                } else {
                    format!(" in lambda {}", s.lambda.0)
                },
                self.expr(s.callee),
                if s.broken { " broken" } else { "" }
            );
        }
    }

    fn tys(&self, list: List) -> String {
        let all: Vec<String> = self.item.ty_list(list).map(|t| self.ty(t)).collect();
        format!("[{}]", all.join(", "))
    }

    fn exprs(&self, list: List) -> String {
        let all: Vec<String> = self.item.expr_list(list).map(|e| self.expr(e)).collect();
        format!("[{}]", all.join(", "))
    }

    fn expr(&self, at: ExprIdx) -> String {
        Printer {
            shown: self,
            open: HashSet::new(),
            depth: 0,
        }
        .expr(at)
    }

    fn ty(&self, at: TyIdx) -> String {
        Printer {
            shown: self,
            open: HashSet::new(),
            depth: 0,
        }
        .ty(at)
    }
}

fn sym(at: SymIdx) -> String {
    at.get().map_or("file".to_owned(), |i| format!("sym {i}"))
}

fn flags(bits: u32) -> String {
    const WORDS: [&str; 24] = [
        "static",
        "async",
        "abstract",
        "exported",
        "default",
        "documented",
        "test",
        "override",
        "optional",
        "partial",
        "generator",
        "bodiless",
        "conditional",
        "decorated",
        "stub",
        "has-self",
        "reassigned",
        "entry",
        "readonly",
        "extern",
        "opaque-reads",
        "macro-export",
        "tuple-like",
        "unsafe",
    ];
    WORDS
        .iter()
        .enumerate()
        .filter(|(i, _)| bits & (1 << i) != 0)
        .map(|(_, w)| format!(" {w}"))
        .collect()
}

/// Prints one expression or type on one line.
struct Printer<'a> {
    shown: &'a Shown<'a>,
    open: HashSet<ExprIdx>,
    depth: u32,
}

impl Printer<'_> {
    fn list(&mut self, list: List) -> String {
        let all: Vec<ExprIdx> = self.shown.item.expr_list(list).collect();
        let all: Vec<String> = all.into_iter().map(|e| self.expr(e)).collect();
        all.join(", ")
    }

    fn tys(&mut self, list: List) -> String {
        let all: Vec<TyIdx> = self.shown.item.ty_list(list).collect();
        let all: Vec<String> = all.into_iter().map(|t| self.ty(t)).collect();
        all.join(", ")
    }

    fn bound(&self, at: BindIdx) -> String {
        let name = at.get().map(|i| self.shown.item.bindings[i].name);
        format!("{}@{}", name.map_or("?", |n| n.text()), at.0)
    }

    fn expr(&mut self, at: ExprIdx) -> String {
        if self.depth > 40 || !self.open.insert(at) {
            return "...".to_owned();
        }
        self.depth += 1;
        let out = self.expr_open(at);
        self.depth -= 1;
        self.open.remove(&at);
        out
    }

    fn expr_open(&mut self, at: ExprIdx) -> String {
        let free = |name: surefoot_facts::Name, scope: ScopeIdx| format!("{name}^{}", scope.0);
        match self.shown.item.expr(at) {
            Expr::Unknown => "_".to_owned(),
            Expr::Free { name, scope } => free(name, scope),
            Expr::Local(b) => self.bound(b),
            Expr::This(s) => format!("this({})", sym(s)),
            Expr::Super(s) => format!("super({})", sym(s)),
            Expr::SelfType(s) => format!("Self({})", sym(s)),
            Expr::PackageRoot => "crate".to_owned(),
            Expr::ModuleUp { up, .. } => format!("module^{up}"),
            Expr::Member { base, name } => format!("{}.{name}", self.expr(base)),
            Expr::Method { base, name } => format!("{}.{name}!", self.expr(base)),
            Expr::Scoped { base, name } => format!("{}::{name}", self.expr(base)),
            Expr::TypeArgs { base, args } => format!("{}<{}>", self.expr(base), self.tys(args)),
            Expr::TypePath { ty, as_trait } => {
                format!("<{} as {}>", self.ty(ty), self.ty(as_trait))
            }
            Expr::Call { callee, args, site } => {
                format!(
                    "{}({}){}",
                    self.expr(callee),
                    self.list(args),
                    site_of(site)
                )
            }
            Expr::New { callee, args, site } => {
                format!(
                    "new {}({}){}",
                    self.expr(callee),
                    self.list(args),
                    site_of(site)
                )
            }
            Expr::Record { path } => format!("{}{{}}", self.expr(path)),
            Expr::Index { base, index } => format!("{}[{}]", self.expr(base), self.expr(index)),
            Expr::Await(e) => format!("await {}", self.expr(e)),
            Expr::Try(e) => format!("{}?", self.expr(e)),
            Expr::Cast { base, ty } => format!("({} as {})", self.expr(base), self.ty(ty)),
            Expr::Ref(e) => format!("&{}", self.expr(e)),
            Expr::Deref(e) => format!("*{}", self.expr(e)),
            Expr::Lit(l) => format!("{l:?}"),
            Expr::Const { lit, id } => format!("{lit:?}#{id}"),
            Expr::Compare => "Bool".to_owned(),
            Expr::Arith { lhs, rhs } => format!("({} + {})", self.expr(lhs), self.expr(rhs)),
            Expr::Array(l) => format!("[{}]", self.list(l)),
            Expr::Tuple(l) => format!("({},)", self.list(l)),
            Expr::Object(s) => format!("object {}", s.0),
            Expr::Lambda(s) => format!("lambda {}", s.0),
            Expr::OneOf(l) => format!("one of ({})", self.list(l)),
            Expr::Element(e) => format!("element of {}", self.expr(e)),
            Expr::Key => "key".to_owned(),
            Expr::Part { base, index } => format!("{}.part{index}", self.expr(base)),
            Expr::Rest { base, from } => format!("{}.rest{from}", self.expr(base)),
            Expr::VariantPart { base, path, index } => {
                format!("{}.({}).{index}", self.expr(base), self.expr(path))
            }
            Expr::VariantField { base, path, name } => {
                format!("{}.({}).{name}", self.expr(base), self.expr(path))
            }
            Expr::LambdaParam { lambda, index } => format!("param{index} of {}", sym(lambda)),
            Expr::Narrowed { base, ty } => format!("({} is {})", self.expr(base), self.ty(ty)),
            Expr::When {
                condition,
                then,
                other,
            } => {
                let (then, other) = (self.expr(then), self.expr(other));
                format!("({then} when {} else {other})", condition.text())
            }
            Expr::Guarded { base, call } => {
                format!("({} where {})", self.expr(base), self.expr(call))
            }
            Expr::Macro { path, args, .. } => {
                format!("{}!({})", self.expr(path), self.list(args))
            }
            Expr::Import { spec, promised } => {
                format!("{}({spec:?})", if promised { "import" } else { "require" })
            }
            Expr::Async(e) => format!("async {}", self.expr(e)),
            Expr::Range(e) => format!("{}..", self.expr(e)),
            Expr::Spread(e) => format!("...{}", self.expr(e)),
            Expr::Keyword { name, value } => format!("{name}={}", self.expr(value)),
            Expr::Earlier { name, count } => format!("{name}@{count}"),
            Expr::Package(name) => format!("::{name}"),
        }
    }

    fn ty(&mut self, at: TyIdx) -> String {
        if self.depth > 40 {
            return "...".to_owned();
        }
        self.depth += 1;
        let out = match self.shown.item.ty(at) {
            Ty::Unknown => "?".to_owned(),
            Ty::Opaque => "opaque".to_owned(),
            Ty::Named { path, args } => match self.tys(args) {
                args if args.is_empty() => self.expr(path),
                args => format!("{}<{args}>", self.expr(path)),
            },
            Ty::SelfType(s) => format!("Self({})", sym(s)),
            Ty::Ref(t) => format!("&{}", self.ty(t)),
            Ty::Ptr(t) => format!("*{}", self.ty(t)),
            Ty::Array(t) => format!("{}[]", self.ty(t)),
            Ty::Tuple(l) => format!("[{}]", self.tys(l)),
            Ty::Fn { params, result } => format!("fn({}) -> {}", self.tys(params), self.ty(result)),
            Ty::Union(l) => format!("({})", self.tys(l).replace(", ", " | ")),
            Ty::Intersection(l) => format!("({})", self.tys(l).replace(", ", " & ")),
            Ty::Object(s) => format!("object {}", s.0),
            Ty::Bounds { list, dynamic } => {
                format!(
                    "{} {}",
                    if dynamic { "dyn" } else { "impl" },
                    self.tys(list)
                )
            }
            Ty::TypeOf(e) => format!("typeof {}", self.expr(e)),
            Ty::Member { base, name } => format!("{}[{name}]", self.ty(base)),
            Ty::Lit(l) => format!("{l:?}"),
            Ty::Builtin(n) => format!("builtin {n}"),
            Ty::Inferred => "_".to_owned(),
            Ty::Guard(t) => format!("guard {}", self.ty(t)),
            Ty::Binding { name, ty } => format!("{name} = {}", self.ty(ty)),
        };
        self.depth -= 1;
        out
    }
}

fn site_of(site: surefoot_facts::SiteIdx) -> String {
    site.get().map_or(String::new(), |i| format!("@site{i}"))
}
