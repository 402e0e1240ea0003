//! What the walker reads, asked as a user would notice it: which declarations
//! exist, who calls what, how complex a function is, which parameters are read.

mod meaning;

use crate::typescript::{TSX, TYPESCRIPT};
use surefoot_facts::{Expr, Extracted, Flags, ImportKind, ItemFacts, Language, SymIdx, Ty};
use surefoot_graph::{SiteKind, SymbolKind};

fn read(text: &str) -> Extracted {
    TYPESCRIPT.facts(text)
}

fn items(read: &Extracted) -> impl Iterator<Item = &ItemFacts> {
    read.facts.items.iter().map(|i| &**i)
}

/// `a.b.c`: the names of a symbol and what it stands in.
fn path(item: &ItemFacts, at: SymIdx) -> String {
    let mut names = Vec::new();
    let mut at = at;
    while let Some(symbol) = item.symbol(at) {
        let name = match symbol.kind {
            SymbolKind::Object => "{}",
            SymbolKind::Lambda => "<lambda>",
            SymbolKind::Initializer => "<static>",
            _ => symbol.name.text(),
        };
        names.push(name);
        at = symbol.parent;
    }
    names.reverse();
    names.join(".")
}

/// `kind path`, in source order.
fn symbols(text: &str) -> Vec<String> {
    let read = read(text);
    let all = items(&read).flat_map(|item| {
        (0..item.symbols.len()).map(|i| {
            let word = item.symbols[i].kind.word();
            format!("{word} {}", path(item, SymIdx(i as u32)))
        })
    });
    all.collect()
}

/// `kind name <- caller` for sites of these kinds, in source order.
fn sites_of(read: &Extracted, kinds: &[SiteKind]) -> Vec<String> {
    let all = items(read).flat_map(|item| {
        let wanted = item.sites.iter().filter(|s| kinds.contains(&s.kind));
        wanted.map(|s| {
            let caller = match path(item, s.caller) {
                p if p.is_empty() => "module".to_owned(),
                p => p,
            };
            format!("{} {} <- {caller}", s.kind.word(), s.name)
        })
    });
    all.collect()
}

const CALLS: &[SiteKind] = &[
    SiteKind::Call,
    SiteKind::New,
    SiteKind::Element,
    SiteKind::Decorator,
    SiteKind::Tagged,
];

fn calls(text: &str) -> Vec<String> {
    sites_of(&read(text), CALLS)
}

/// Asks the one symbol of this path.
fn with<T>(text: &str, wanted: &str, ask: impl Fn(&ItemFacts, SymIdx) -> T) -> T {
    let read = read(text);
    for item in items(&read) {
        for i in 0..item.symbols.len() as u32 {
            if path(item, SymIdx(i)) == wanted {
                return ask(item, SymIdx(i));
            }
        }
    }
    panic!("no symbol {wanted} in {:?}", symbols(text));
}

fn flags(text: &str, wanted: &str) -> Flags {
    with(text, wanted, |item, at| item.symbols[at.0 as usize].flags)
}

/// (cyclomatic, cognitive) of a callable.
fn complexity(text: &str, wanted: &str) -> (u32, u32) {
    with(text, wanted, |item, at| {
        let c = item.symbols[at.0 as usize].complexity;
        (c.cyclomatic, c.cognitive)
    })
}

/// Reads of each named parameter.
fn reads(text: &str, wanted: &str) -> Vec<u32> {
    with(text, wanted, |item, at| {
        let uses = &item.symbols[at.0 as usize].param_uses;
        uses.iter().map(|u| u.reads).collect()
    })
}

/// A function bound to a name is a function of that name, wherever it is bound;
/// one that is passed is anonymous.
#[test]
fn functions_by_the_name_they_are_bound_to() {
    let text = "
        export const a = () => {};
        let b = (function inner() {}) as ns.Fn.Of;
        const c = { d() {}, e: () => {}, get f() { return 1 }, 'g-h': async () => {} };
        class K { i = () => {}; static j = function () {}; }
        export default () => {};
        call(() => {}, function named() {});
    ";
    assert_eq!(
        symbols(text),
        [
            "function a",
            "function b",
            "variable c",
            "object c.{}",
            "method c.{}.d",
            "method c.{}.e",
            "getter c.{}.f",
            "method c.{}.g-h",
            "class K",
            "method K.i",
            "method K.j",
            "function default",
            "lambda <lambda>",
            "function named",
        ]
    );
    assert!(flags(text, "default").has(Flags::DEFAULT_EXPORT));
    assert!(flags(text, "a").has(Flags::EXPORTED) && flags(text, "c.{}.g-h").has(Flags::ASYNC));
}

/// Every form of a class member is a declaration of its own; constructor
/// parameters with a modifier are fields and are read.
#[test]
fn classes_and_their_members() {
    let text = "
        abstract class A<T> extends B<T> implements I, J<T> {
            constructor(private x: T, readonly y = 1, z: number) { super(); }
            get v() { return 1 }
            set v(n) {}
            static async *s() {}
            abstract m(): void;
            #p = 1;
            static { A.s(); }
            over(a: string): void;
            over(a: number): void;
            over(a: any) {}
            ['lit']() {}
            [computed]() {}
        }";
    assert_eq!(
        symbols(text),
        [
            "class A",
            "constructor A.constructor",
            "field A.x",
            "field A.y",
            "getter A.v",
            "setter A.v",
            "method A.s",
            "method A.m",
            "field A.#p",
            "initializer A.<static>",
            "method A.over",
            "method A.over",
            "method A.over",
            "method A.lit",
            "method A.[computed]",
        ]
    );
    assert_eq!(
        calls(text),
        ["call super <- A.constructor", "call s <- A.<static>"]
    );
    assert_eq!(reads(text, "A.constructor"), [1, 1, 0]);
    let bases = with(text, "A", |item, at| {
        item.symbols[at.0 as usize].heritage.len()
    });
    assert_eq!(bases, 3);
    let over = with(text, "A.over", |item, _| {
        let all = item.symbols.iter().filter(|s| s.name.text() == "over");
        all.map(|s| (s.ordinal, s.flags.has(Flags::BODILESS)))
            .collect::<Vec<_>>()
    });
    assert_eq!(over, [(0, true), (1, true), (2, false)]);
}

/// The caller is the innermost function with a name; anonymous functions fold
/// into it, and code outside every function belongs to the module.
#[test]
fn callers_fold_anonymous_functions() {
    let text = "
        a();
        const x = memo(() => b());
        function f(p = c()) { list.map(() => d(() => e())); const g = () => h(); }
        class K { field = i(); method() { return () => j(); } }
        const o = { k: () => l() };
        foo.bar = function () { m(); };
    ";
    assert_eq!(
        calls(text),
        [
            "call a <- module",
            "call memo <- module",
            "call b <- module",
            "call c <- f",
            "call map <- f",
            "call d <- f",
            "call e <- f",
            "call h <- f.g",
            "call i <- module",
            "call j <- K.method",
            "call l <- o.{}.k",
            "call m <- .bar",
        ]
    );
}

/// Every way to run something by a name is a site of its own kind, at that name.
#[test]
fn call_forms() {
    let text = "
        f(); a.b(); a?.c?.(); a['d'](); new C(); new ns.D(); tag`x`; a.e!(); (a.g as any)();
        @deco class X { @ns.inject(1) m() {} }
        (y as A.B.C)(); h.call(1); table[key](); (() => {})(); i()(); import('x');
    ";
    assert_eq!(
        calls(text),
        [
            "call f <- module",
            "call b <- module",
            "call c <- module",
            "call d <- module",
            "new C <- module",
            "new D <- module",
            "tagged tag <- module",
            "call e <- module",
            "call g <- module",
            "decorator deco <- module",
            "decorator inject <- module",
            "call y <- module",
            "call call <- module",
            "call  <- module",
            "call i <- module",
        ]
    );
}

/// A component calls what it names; `<div>` is the platform's.
#[test]
fn jsx_elements() {
    let read = TSX.facts(
        "function App() { return <div onClick={() => go()}><Card a={<Inner/>}>{list.map(x => <ui.Row key={x}/>)}</Card></div>; }",
    );
    assert_eq!(read.facts.errors, 0);
    assert_eq!(
        sites_of(&read, CALLS),
        [
            "call go <- App",
            "jsx Card <- App",
            "jsx Inner <- App",
            "call map <- App",
            "jsx Row <- App"
        ]
    );
}

/// Functions named as values are sites; locals and parameters are not.
#[test]
fn values() {
    let text = "
        register(handler, obj.method, { k: fn, short });
        function f(p: any) { const local = 1; use(p, local, p.x, outer); return later; }
    ";
    assert_eq!(
        sites_of(&read(text), &[SiteKind::Value]),
        [
            "value handler <- module",
            "value method <- module",
            "value fn <- module",
            "value short <- module",
            "value outer <- f",
            "value later <- f",
        ]
    );
}

/// `cyclomatic/v1` and the cognitive paper, on the cases where tools disagree.
#[test]
fn complexity_numbers() {
    let f = |body: &str| complexity(&format!("function f(a, b, c, d) {{ {body} }}"), "f");
    assert_eq!(f(""), (1, 0));
    assert_eq!(f("if (a && b || c) {} else if (d) {} else {}"), (5, 5));
    assert_eq!(f("return a?.b?.c ?? 1"), (2, 0));
    assert_eq!(
        f("switch (a) { case 1: case 2: b(); break; default: c() }"),
        (3, 1)
    );
    assert_eq!(f("try { a() } catch { b() } finally { c() }"), (2, 1));
    assert_eq!(f("for (const x of a) { if (x) { while (b) {} } }"), (4, 6));
    assert_eq!(f("return a ? b : c ? d : 1"), (3, 3));
    assert_eq!(f("x: for (;;) { for (;;) { continue x } }"), (3, 4));
    assert_eq!(f("return a && (b && c) && d || a && !(b && c)"), (7, 4));
    assert_eq!(f("a ||= 1; b &&= 2; c ??= 3; d += 4"), (4, 0));
    assert_eq!(f("do {} while (a); for (const k in b) {}"), (3, 2));
    // An anonymous function has its own cyclomatic number; its control flow
    // nests one deeper in what a reader reads.
    let text = "function f(xs) { xs.map(x => { if (x) {} return x ? 1 : 2 }) }";
    assert_eq!(complexity(text, "f"), (1, 4));
    assert_eq!(complexity(text, "f.<lambda>"), (3, 0));
    let closures = with(text, "f", |item, at| {
        let c = item.symbols[at.0 as usize].complexity;
        (c.closures, c.closure_count)
    });
    assert_eq!(closures, (3, 1));
    // A named one has its own numbers.
    let text = "function f(x) { function g(y) { if (y) {} } if (x) {} }";
    assert_eq!(
        (complexity(text, "f"), complexity(text, "f.g")),
        ((2, 1), (2, 1))
    );
}

/// A read is any use as a value, in closures and shorthands too; an overwritten
/// parameter is told apart from a read one.
#[test]
fn parameter_reads() {
    let text = "function f(a, b, c, { d }, _e, ...g) { use(a); () => ({ b }); c = 1; return g; }";
    assert_eq!(reads(text, "f"), [1, 1, 0, 0, 1]);
    let facts = with(text, "f", |item, at| {
        let uses = &item.symbols[at.0 as usize].param_uses;
        uses.iter()
            .map(|u| (u.param, u.overwritten, u.intended))
            .collect::<Vec<_>>()
    });
    assert_eq!(
        facts,
        [
            (0, false, false),
            (1, false, false),
            (2, true, false),
            (4, false, true),
            (5, false, false)
        ]
    );
    let overwritten = |text: &str| {
        with(text, "f", |item, at| {
            item.symbols[at.0 as usize].param_uses[0].overwritten
        })
    };
    assert!(overwritten("function f(x) { x = 1; print(x) }"));
    assert!(!overwritten("function f(x) { print(x); x = 1 }"));
    assert!(!overwritten("function f(x) { x = x + 1 }"));
    assert!(!overwritten("function f(x) { if (c) { x = 1 } print(x) }"));
    assert!(flags("function f(a) { return () => arguments[0] }", "f").has(Flags::OPAQUE_READS));
    assert!(flags("function f(a) { throw new Error('not implemented') }", "f").has(Flags::STUB));
    assert_eq!(reads("function f(this: T, a: any) { return a }", "f"), [1]);
    assert_eq!(reads("declare function f(a: any): void;", "f"), []);
}

/// A parameter or local that shadows a module's name is what the call means.
#[test]
fn shadowing() {
    let local = |text: &str| {
        with(text, "f", |item, _| {
            let site = item
                .sites
                .iter()
                .find(|s| s.name.text() == "target")
                .unwrap();
            matches!(item.expr(site.callee), Expr::Local(_))
        })
    };
    assert!(local("function f(target) { target() }"));
    assert!(local("function f() { target(); function target() {} }"));
    assert!(local("function f() { { target() } var target = 1 }"));
    assert!(local("function f() { for (const target of xs) target() }"));
    assert!(local("function f() { try {} catch (target) { target() } }"));
    assert!(local("function f({ a: [target] }) { target() }"));
    assert!(!local("function f() { { let target } target() }"));
    assert!(!local("function f() { { function target() {} } target() }"));
    assert!(!local("function f(p = target()) { var target }"));
}

/// Each form of import and export is an entry of the module's table.
#[test]
fn imports_and_exports() {
    let text = "
        import a, { b as c, type T } from 's';
        import * as d from 's';
        import e = require('s');
        import g = A.B;
        import 's';
        export { a as h };
        export { i as j } from 's';
        export * from 's';
        export * as k from 's';
        export default c;
        export = d;
    ";
    let read = read(text);
    let all: Vec<String> = items(&read)
        .flat_map(|item| &item.imports)
        .map(|i| {
            let marks = [
                (i.binds, " binds"),
                (i.exported, " exported"),
                (i.type_only, " type"),
            ];
            let marks: String = marks.iter().filter(|m| m.0).map(|m| m.1).collect();
            format!("{:?} {} as {}{marks}", i.kind, i.name, i.local)
        })
        .collect();
    assert_eq!(
        all,
        [
            "Named default as a binds",
            "Named b as c binds",
            "Named T as T binds type",
            "Namespace * as d binds",
            "Named export= as e binds",
            "Path B as g binds",
            "Effect  as ",
            "Export a as h exported",
            "Named i as j exported",
            "Glob * as  exported",
            "Namespace * as k exported",
            "Export c as default exported",
            "Export d as export= exported",
        ]
    );
    assert_eq!(sites_of(&read, &[SiteKind::Import]).len(), 11);
    assert!(
        items(&read)
            .flat_map(|i| &i.imports)
            .any(|i| i.kind == ImportKind::Effect)
    );
}

/// Namespaces, enums and ambient declarations keep what stands in them apart.
#[test]
fn namespaces_enums_and_ambient_code() {
    let text = "
        namespace A.B { export function f() { g() } function g() {} }
        enum E { X, Y = X << 1, 'z' }
        declare module 'lib' { export function h(): void }
        declare global { interface Window { mine: number } }
        declare function k(): void;
    ";
    assert_eq!(
        symbols(text),
        [
            "namespace A",
            "namespace A.B",
            "function A.B.f",
            "function A.B.g",
            "enum E",
            "variant E.X",
            "variant E.Y",
            "variant E.z",
            "namespace \"lib\"",
            "function \"lib\".h",
            "namespace <global>",
            "interface <global>.Window",
            "field <global>.Window.mine",
            "function k",
        ]
    );
    assert!(flags(text, "k").has(Flags::EXTERN | Flags::BODILESS));
    assert!(!flags(text, "A.B.f").has(Flags::EXTERN));
}
