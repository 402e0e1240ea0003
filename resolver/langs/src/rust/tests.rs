//! What the walker reads, asked as a user would notice it: which declarations
//! exist, who calls what, how complex a function is, which parameters are read.

use super::RUST;
use surefoot_facts::{
    Expr, Extracted, Flags, HeritageKind, ImportKind, ItemFacts, Language, Lit, SymIdx, Ty,
    Visibility,
};
use surefoot_graph::{SiteKind, SymbolKind};

fn items(read: &Extracted) -> impl Iterator<Item = &ItemFacts> {
    read.facts.items.iter().map(|i| &**i)
}

/// `a::b::c`: the names of a symbol and what it stands in; blocks are `<T>`.
fn path(item: &ItemFacts, at: SymIdx) -> String {
    let mut names = Vec::new();
    let mut at = at;
    while let Some(symbol) = item.symbol(at) {
        names.push(match symbol.kind {
            SymbolKind::Impl => format!("<{}>", symbol.name),
            SymbolKind::Lambda => "||".to_owned(),
            _ => symbol.name.to_string(),
        });
        at = symbol.parent;
    }
    names.reverse();
    names.join("::")
}

fn symbols(text: &str) -> Vec<String> {
    let read = RUST.facts(text);
    let all = items(&read).flat_map(|item| {
        (0..item.symbols.len()).map(|i| {
            let word = item.symbols[i].kind.word();
            format!("{word} {}", path(item, SymIdx(i as u32)))
        })
    });
    all.collect()
}

/// `name <- caller` of each site of these kinds, in source order.
fn sites(text: &str, kinds: &[SiteKind]) -> Vec<String> {
    let read = RUST.facts(text);
    let all = items(&read).flat_map(|item| {
        let wanted = item.sites.iter().filter(|s| kinds.contains(&s.kind));
        wanted.map(|s| match path(item, s.caller) {
            p if p.is_empty() => s.name.to_string(),
            p => format!("{} <- {p}", s.name),
        })
    });
    all.collect()
}

fn calls(text: &str) -> Vec<String> {
    sites(text, &[SiteKind::Call])
}

/// Names of calls in one function, to keep expectations short.
fn called(body: &str) -> Vec<String> {
    let all = calls(&format!("fn f(a: A, b: B) {{ {body} }}"));
    let name = |c: &String| c.split(" <- ").next().unwrap_or_default().to_owned();
    all.iter().map(name).collect()
}

/// Asks the one symbol of this path.
fn with<T>(text: &str, wanted: &str, ask: impl Fn(&ItemFacts, SymIdx) -> T) -> T {
    let read = RUST.facts(text);
    for item in items(&read) {
        for i in 0..item.symbols.len() as u32 {
            if path(item, SymIdx(i)) == wanted {
                return ask(item, SymIdx(i));
            }
        }
    }
    panic!("no {wanted} among {:?}", symbols(text));
}

fn flag(text: &str, wanted: &str, flag: u32) -> bool {
    with(text, wanted, |item, s| {
        item.symbol(s).unwrap().flags.has(flag)
    })
}

/// The expression called at the last call of a text, spelled out.
fn callee(text: &str) -> String {
    let read = RUST.facts(text);
    let all: Vec<(&ItemFacts, Expr)> = items(&read)
        .flat_map(|i| i.sites.iter().map(move |s| (i, s)))
        .filter(|(_, s)| s.kind == SiteKind::Call)
        .map(|(i, s)| (i, i.expr(s.callee)))
        .collect();
    let (item, expr) = all.last().unwrap();
    spell(item, *expr)
}

fn spell(item: &ItemFacts, expr: Expr) -> String {
    let at = |e| spell(item, item.expr(e));
    match expr {
        Expr::Free { name, .. } => name.to_string(),
        Expr::Local(b) => format!("local {}", item.bindings[b.0 as usize].name),
        Expr::Package(name) => format!("::{name}"),
        Expr::PackageRoot => "crate".to_owned(),
        Expr::ModuleUp { up, .. } => format!("up{up}"),
        Expr::SelfType(_) => "Self".to_owned(),
        Expr::Scoped { base, name } => format!("{}::{name}", at(base)),
        Expr::Method { base, name } => format!("{}.{name}()", at(base)),
        Expr::Member { base, name } => format!("{}.{name}", at(base)),
        Expr::TypeArgs { base, .. } => format!("{}<>", at(base)),
        Expr::TypePath { as_trait, .. } if as_trait.is_known() => "<as>".to_owned(),
        Expr::TypePath { .. } => "<>".to_owned(),
        Expr::Call { callee, .. } => format!("{}!", at(callee)),
        Expr::Try(e) => format!("{}?", at(e)),
        Expr::Await(e) => format!("{}.await", at(e)),
        Expr::Deref(e) => format!("*{}", at(e)),
        Expr::Lit(l) | Expr::Const { lit: l, .. } => format!("{l:?}"),
        other => format!("{other:?}"),
    }
}

/// What others look up must exist under the names and kinds the language gives.
#[test]
fn declarations_are_symbols_under_what_they_stand_in() {
    let text = "
        pub struct P { x: u8 } struct U(u8); union N { a: u8 } enum E { A, B(u8), C { d: u8 } }
        trait T { type I; const K: u8; fn t(&self); fn d(&self) {} }
        impl<X> T for P { type I = u8; fn t(&self) {} }
        mod m { pub fn inside() {} mod deep; }
        const C: u8 = 1; static S: u8 = 2; type A = u8;
        extern \"C\" { fn far(); static FAR: u8; }
        macro_rules! mac { () => {} }
        fn outer() { fn inner() {} struct Local; let named = |x: u8| x; }";
    let expected = "
        struct P, field P::x, struct U, field U::0, union N, field N::a, enum E, variant E::A,
        variant E::B, field E::B::0, variant E::C, field E::C::d, trait T, associated_type T::I,
        variable T::K, method T::t, method T::d, impl <P>, associated_type <P>::I, method <P>::t,
        module m, function m::inside, module m::deep, variable C, variable S, type_alias A,
        function far, variable FAR, macro mac, function outer, function outer::inner,
        struct outer::Local, function outer::named";
    let expected: Vec<&str> = expected.split(',').map(str::trim).collect();
    assert_eq!(symbols(text), expected);
}

/// A visibility read too wide shows private members to other crates.
#[test]
fn visibility_is_read_as_written() {
    let seen =
        |text: &str, name: &str| with(text, name, |item, s| item.symbol(s).unwrap().visibility);
    assert_eq!(seen("fn a() {}", "a"), Visibility::Private);
    assert_eq!(seen("pub fn a() {}", "a"), Visibility::Public);
    assert_eq!(seen("pub(crate) fn a() {}", "a"), Visibility::Package);
    assert_eq!(seen("pub(super) fn a() {}", "a"), Visibility::Above(1));
    assert_eq!(
        seen("pub(in crate::x) fn a() {}", "a"),
        Visibility::Below(1)
    );
    assert_eq!(seen("impl A { fn a() {} }", "<A>::a"), Visibility::Private);
    assert_eq!(
        seen("impl T for A { fn a() {} }", "<A>::a"),
        Visibility::Public
    );
    assert_eq!(seen("trait T { fn a(); }", "T::a"), Visibility::Public);
    assert_eq!(seen("pub enum E { A(u8) }", "E::A::0"), Visibility::Public);
}

/// Each attribute decides whether a function is reported, counted or trusted.
#[test]
fn attributes_become_flags() {
    assert!(flag("#[test] fn a() {}", "a", Flags::TEST));
    assert!(flag("#[tokio::test] async fn a() {}", "a", Flags::TEST));
    assert!(flag(
        "#[cfg(test)] mod m { fn a() {} }",
        "m::a",
        Flags::TEST
    ));
    assert!(flag("#[cfg(all(test, unix))] fn a() {}", "a", Flags::TEST));
    assert!(!flag("#[cfg(not(test))] fn a() {}", "a", Flags::TEST));
    assert!(flag("#![cfg(test)]\nfn a() {}", "a", Flags::TEST));
    assert!(flag("#[cfg(unix)] fn a() {}", "a", Flags::CONDITIONAL));
    assert!(flag("fn main() {}", "main", Flags::ENTRY));
    assert!(!flag("mod m { fn main() {} }", "m::main", Flags::ENTRY));
    assert!(flag("#[unsafe(no_mangle)] fn a() {}", "a", Flags::ENTRY));
    assert!(flag("pub extern \"C\" fn a() {}", "a", Flags::ENTRY));
    assert!(flag("/// Doc.\nfn a() {}", "a", Flags::DOCUMENTED));
    assert!(!flag("//// Not.\nfn a() {}", "a", Flags::DOCUMENTED));
    assert!(flag("fn a() { todo!() }", "a", Flags::STUB));
    assert!(flag("#[route(\"/\")] fn a() {}", "a", Flags::DECORATED));
    assert!(!flag(
        "#[inline] #[must_use] fn a() {}",
        "a",
        Flags::DECORATED
    ));
    assert!(flag(
        "#[macro_export] macro_rules! a { () => {} }",
        "a",
        Flags::MACRO_EXPORT
    ));
    assert!(RUST.facts("//! Doc\nfn a() {}").facts.documented);
    assert!(RUST.facts("// @generated by x\nfn a() {}").facts.generated);
}

/// Heritage is what ties members to types; a lost one loses every method.
#[test]
fn blocks_and_derives_say_what_they_give() {
    let kinds = |text: &str, name: &str| {
        with(text, name, |item, s| {
            let list = &item.symbol(s).unwrap().heritage;
            list.iter().map(|h| h.kind).collect::<Vec<_>>()
        })
    };
    use HeritageKind::*;
    assert_eq!(
        kinds("impl T<u8> for &mut a::P<u8> {}", "<P>"),
        [Trait, SelfType]
    );
    assert_eq!(kinds("impl !Send for P {}", "<P>"), [SelfType]);
    let derived = "#[derive(Debug, a::B)] #[cfg_attr(x, derive(C))] struct P;";
    assert_eq!(kinds(derived, "P"), [Derive, Derive, Derive]);
    assert_eq!(sites(derived, &[SiteKind::Type]), ["Debug", "B", "C"]);
    assert_eq!(
        kinds("trait T: A + B where Self: C {}", "T"),
        [Extends, Extends, Extends]
    );
}

/// Every call is one site under its name; construction by call is a call, a
/// struct literal names a type, a macro is its own kind.
#[test]
fn calls_are_found_wherever_they_stand() {
    let all = [
        ("a(); b::c(); d::<u8>(); E::f::<u8>()", "a c d f"),
        ("a.b().c::<u8>()?.d().await", "b c d"),
        ("Some(Foo(1)); Self(2); Kind::A(3)", "Some Foo Self A"),
        ("(a.b)(c()); (d)(1); e()()", "b c d e "),
        ("<T>::a(); <T as B>::c(); [1].len()", "a c len"),
        ("let x = P { y: a(), ..b() };", "a b"),
        (
            "if a() { b() } else if let Some(c) = d() && e(c) { f() }",
            "a b d e f",
        ),
        ("match a() { x if b(x) => c(), _ => return d() }", "a b c d"),
        (
            "for x in a() { b(); } while c() { break; } loop { d() }",
            "a b c d",
        ),
        ("let Some(x) = a() else { return b() };", "a b"),
        ("let c = |x| a(x); b(move || c(1));", "a b c"),
        (
            "async { a().await }; unsafe { b() }; const { c() }; 'l: { d() }",
            "a b c d",
        ),
        (
            "a()[b()] = c(); x += d(); *e() = 1; -f(); !g()",
            "a b c d e f g",
        ),
        (
            "a()..b(); &c(); d() as u8; (e(), f()); [g(); 3]",
            "a b c d e f g",
        ),
        (
            "println!(\"{}\", a()); assert_eq!(b(), vec![c(); d()]);",
            "a b c d",
        ),
        ("#[cfg(x)] a(); #[allow(y)] { b() }", "a b"),
        ("static X: u8 = a(); const Y: u8 = b();", "a b"),
    ];
    for (body, expected) in all {
        assert_eq!(called(body).join(" "), expected, "{body}");
    }
    let text = "fn f() { let p = P { x: 1 }; vec![p] }";
    assert_eq!(calls(text), Vec::<String>::new());
    assert_eq!(
        sites(text, &[SiteKind::Type, SiteKind::Macro]),
        ["P <- f", "vec <- f"]
    );
}

/// The caller shown is the named function around; closures with a name are
/// callers of their own.
#[test]
fn calls_belong_to_the_named_function_around() {
    let text = "
        const C: u8 = top();
        mod m { const D: u8 = inside(); }
        impl A { fn m(&self) { x.map(|y| folded(y)); let n = |z| own(z); n(1); fn g() { nested() } } }";
    let expected = [
        "top",
        "inside <- m",
        "map <- <A>::m",
        "folded <- <A>::m",
        "own <- <A>::m::n",
        "n <- <A>::m",
        "nested <- <A>::m::g",
    ];
    assert_eq!(calls(text), expected);
}

/// What a callee is made of decides where it leads.
#[test]
fn callees_keep_their_path() {
    let of = |body: &str| callee(&format!("impl A {{ fn f(&self, p: P) {{ {body} }} }}"));
    assert_eq!(of("crate::a::b()"), "crate::a::b");
    assert_eq!(of("self::a()"), "up0::a");
    assert_eq!(of("super::super::a()"), "up2::a");
    assert_eq!(of("::a::b()"), "::a::b");
    assert_eq!(of("Self::a()"), "Self::a");
    assert_eq!(of("Vec::<u8>::new()"), "Vec<>::new");
    assert_eq!(of("<A as B>::c()"), "<as>::c");
    assert_eq!(of("self.a.b()"), "local self.a.b()");
    assert_eq!(of("(self.a)(1)"), "local self.a");
    assert_eq!(of("p.a()?.b()"), "local p.a()!?.b()");
    assert_eq!(of("(*p).a()"), "*local p.a()");
    assert_eq!(of("r#type::r#fn()"), "type::fn");
}

/// A name bound nearer hides the function of that name: the classic wrong edge.
#[test]
fn the_nearest_binding_is_meant() {
    let of = |body: &str| callee(&format!("fn f(p: P) {{ {body} }}"));
    assert_eq!(of("let g = p; g()"), "local g");
    assert_eq!(of("g(); fn g() {}"), "local g");
    assert_eq!(of("{ let g = 1; } g()"), "g");
    assert_eq!(of("let h = g(); let g = h;"), "g");
    assert_eq!(of("if let Some(g) = p { g() }"), "local g");
    assert_eq!(of("if let Some(g) = p { } else { g() }"), "g");
    assert_eq!(of("match p { Some(g) => 1, _ => g() }"), "g");
    assert_eq!(of("for g in p {} g()"), "g");
    assert_eq!(of("|g| g()"), "local g");
    assert_eq!(of("use a::g; g()"), "local g");
    // What a nested function captures is nothing.
    assert_eq!(of("let g = 1; fn inner() { g() }"), "g");
    assert_eq!(of("fn g() {} fn inner() { g() }"), "local g");
    assert_eq!(of("fn inner() { p() }"), "p");
    // An upper-case name in a pattern is a constant, not a binding.
    assert_eq!(of("match p { NONE => NONE() }"), "NONE");
}

/// Imports of every form bind the right name to the right path.
#[test]
fn use_trees_are_taken_apart() {
    let text = "
        use a::b; use a::c as d; use a::{e, f::{self, g as h}, i::*}; pub(crate) use super::j;
        use crate::k; use ::l::m; use T as _; extern crate n as o;";
    let read = RUST.facts(text);
    let all: Vec<String> = items(&read)
        .flat_map(|i| i.imports.iter().map(move |m| (i, m)))
        .map(|(item, m)| {
            let glob = if m.kind == ImportKind::PathGlob {
                "*"
            } else {
                ""
            };
            format!("{}={}{glob}", m.local, spell(item, item.expr(m.path)))
        })
        .collect();
    let expected = [
        "b=a::b",
        "d=a::c",
        "e=a::e",
        "f=a::f",
        "h=a::f::g",
        "=a::i*",
        "j=up1::j",
        "k=crate::k",
        "m=::l::m",
        "=T",
        "o=::n",
    ];
    assert_eq!(all, expected);
    let named = sites(text, &[SiteKind::Import]);
    assert_eq!(
        named,
        ["b", "c", "e", "f", "g", "i", "j", "k", "m", "T", "n"]
    );
}

/// The numbers of `cyclomatic/v1` and of Sonar's paper, on the shapes that
/// clones got wrong.
#[test]
fn complexity_is_counted_as_defined() {
    let of = |body: &str| {
        with(&format!("fn f(a: A) {{ {body} }}"), "f", |item, s| {
            let c = item.symbol(s).unwrap().complexity;
            (c.cyclomatic, c.cognitive)
        })
    };
    assert_eq!(of(""), (1, 0));
    assert_eq!(of("if a {} else if b {} else {}"), (3, 3));
    assert_eq!(of("if a { if b {} }"), (3, 3));
    assert_eq!(of("a && b && c || d"), (4, 2));
    assert_eq!(of("a && (b && c)"), (3, 1));
    assert_eq!(of("match a { 1 | 2 => 1, 3 if b => 2, _ => 3 }"), (4, 1));
    assert_eq!(of("for x in a { while b { loop {} } }"), (4, 6));
    assert_eq!(of("let Some(x) = a else { return };"), (2, 1));
    assert_eq!(of("'l: loop { break 'l; }"), (2, 2));
    assert_eq!(of("a()?; b()?; return;"), (1, 0));
    assert_eq!(of("if let Some(x) = a && b && c {}"), (4, 2));
    // A closure has its own number; its nesting counts towards the function.
    assert_eq!(of("a.map(|x| if x {})"), (1, 2));
    let closures = with("fn f() { a(|x| if x {}, || 1); }", "f", |item, s| {
        let c = item.symbol(s).unwrap().complexity;
        (c.closures, c.closure_count)
    });
    assert_eq!(closures, (3, 2));
}

/// An unread parameter reported wrongly is noise, one missed is a miss.
#[test]
fn reads_of_parameters_are_counted() {
    let of = |body: &str| {
        with(&format!("fn f(a: A) {{ {body} }}"), "f", |item, s| {
            item.symbol(s).unwrap().param_uses[0]
        })
    };
    assert_eq!(of("").reads, 0);
    assert_eq!(of("b(a); a.c()").reads, 2);
    assert_eq!(of("|| a").reads, 1);
    assert_eq!(of("P { a }").reads, 1);
    assert_eq!(of("println!(\"{a} {a:?} {{a}}\")").reads, 2);
    assert_eq!(of("let a = 1; b(a)").reads, 0);
    assert_eq!(of("let _ = a;").reads, 1);
    assert_eq!(of("a = 1;").reads, 0);
    assert_eq!(of("a.b = 1;").reads, 1);
    assert_eq!(of("a += 1;").reads, 1);
    assert!(of("a = 1; b(a)").overwritten);
    assert!(!of("b(a); a = 1;").overwritten);
    assert!(!of("a = c(a);").overwritten);
    assert!(!of("if b { a = 1; } c(a)").overwritten);
    let unread = of("weird!(a => b)");
    assert!(unread.reads == 0 && unread.maybe);
    assert!(of("macro_rules! m { () => { a } } m!()").maybe);
    assert!(of("quote! { fn x() { #a } }").reads == 1);
    let intended = |text: &str| {
        with(text, "f", |item, s| {
            item.symbol(s).unwrap().param_uses[0].intended
        })
    };
    assert!(intended("fn f(_a: A) {}"));
    assert!(intended("#[allow(unused_variables)] fn f(a: A) {}"));
    assert!(!intended("fn f(a: A) {}"));
}

/// Macro arguments hold calls like any other; where nothing reads them, what
/// may be called is named, and never called certainly.
#[test]
fn macro_arguments_are_read_where_they_are_code() {
    let all = [
        ("matches!(a(), Some(x) if b(x))", "a b"),
        ("info!(target: \"x\", ?a, n = b(), \"{}\", c())", "b c"),
        ("vec![a(), b()]; vec![c(); d()]", "a b c d"),
        ("my! { let x = a(); x.b() }", "a b"),
        ("select! { x = a() => { b(x) } }", "a b"),
        ("stringify!(a()); quote! { b() }; cfg!(c)", ""),
        ("write!(a, \"{}\", b(c!(d())))", "b d"),
    ];
    for (body, expected) in all {
        assert_eq!(called(body).join(" "), expected, "{body}");
    }
    let read = calls("fn f() { my!(x => a(1), b::c(2)) }");
    assert_eq!(read, ["a <- f", "c <- f"]);
    let rules = "macro_rules! m { ($e:expr) => { a($e); $crate::b::c(); } }";
    assert_eq!(calls(rules), ["a <- m", "c <- m"]);
    let wrapped = "cfg_x! { pub fn a() { b() } } thread_local! { static K: T = c(); }";
    assert_eq!(symbols(wrapped), ["function a", "variable K"]);
    assert_eq!(calls(wrapped), ["b <- a", "c"]);
}

/// Types decide receivers: the shapes the resolver reads must come through.
#[test]
fn types_are_read_as_written() {
    let result = |ty: &str| {
        let text = format!("fn f<T>() -> {ty} {{}}");
        with(&text, "f", |item, s| {
            let signature = item.symbol(s).unwrap().signature.clone().unwrap();
            item.ty(signature.result)
        })
    };
    assert!(matches!(result("&'a mut u8"), Ty::Ref(_)));
    assert!(matches!(result("*const u8"), Ty::Ptr(_)));
    assert!(matches!(result("[u8; N]"), Ty::Array(_)));
    assert!(matches!(result("(u8, T)"), Ty::Tuple(_)));
    assert!(matches!(result("()"), Ty::Lit(Lit::Unit)));
    assert!(matches!(result("fn(u8) -> u8"), Ty::Fn { .. }));
    assert!(matches!(
        result("impl A + B"),
        Ty::Bounds { dynamic: false, .. }
    ));
    assert!(matches!(
        result("dyn A + Send"),
        Ty::Bounds { dynamic: true, .. }
    ));
    assert!(matches!(result("Vec<T>"), Ty::Named { .. }));
    assert!(matches!(result("!"), Ty::Builtin(n) if n.text() == "!"));
    let bounds = with("fn f<T: A>() where T: B + 'static {}", "f", |item, s| {
        item.list(item.symbol(s).unwrap().type_params[0].bounds)
            .len()
    });
    assert_eq!(bounds, 2);
    let returns = with(
        "fn f() { let g = |x| { if x { return 1; } 2 }; }",
        "f::g",
        |item, s| {
            let signature = item.symbol(s).unwrap().signature.clone().unwrap();
            item.list(signature.returns).len()
        },
    );
    assert_eq!(returns, 2);
}

/// Half-typed text must keep what stands around the hole.
#[test]
fn broken_text_keeps_its_neighbours() {
    let text = "fn a() { b( }\nfn c() { d() }\nimpl X { fn e(&self) { self. } fn g() { h() } }";
    let read = RUST.facts(text);
    assert!(read.facts.errors > 0);
    let found = symbols(text);
    for wanted in ["function a", "function c"] {
        assert!(
            found.iter().any(|s| s == wanted),
            "{wanted} lost: {found:?}"
        );
    }
    assert!(
        calls(text).iter().any(|c| c == "d <- c"),
        "{:?}",
        calls(text)
    );
}
