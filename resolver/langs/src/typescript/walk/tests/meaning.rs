//! Narrowing, types, `this`, and what must change nothing.

use super::*;

/// What a condition says of a name holds where it was asked, and only there.
#[test]
fn narrowing() {
    let narrowed = |text: &str| {
        with(text, "f", |item, _| {
            let all = item.sites.iter().filter(|s| s.name.text() == "go");
            all.map(|s| {
                let Expr::Member { base, .. } = item.expr(s.callee) else {
                    return false;
                };
                let Expr::Local(at) = item.expr(base) else {
                    return false;
                };
                let value = item.bindings[at.0 as usize].value;
                matches!(
                    item.expr(value),
                    Expr::Narrowed { .. } | Expr::Guarded { .. }
                )
            })
            .collect::<Vec<_>>()
        })
    };
    assert_eq!(
        narrowed("function f(x) { if (x instanceof C) x.go(); x.go() }"),
        [true, false]
    );
    assert_eq!(
        narrowed("function f(x) { if (!(x instanceof C)) return; x.go() }"),
        [true]
    );
    assert_eq!(
        narrowed("function f(x) { return isC(x) && x.go() }"),
        [true]
    );
    assert_eq!(
        narrowed("function f(x) { if (!isC(x) || x.go()) {} else x.go() }"),
        [true, true]
    );
    assert_eq!(narrowed("function f(x) { assertC(x); x.go() }"), [true]);
    assert_eq!(
        narrowed("function f(x) { return typeof x === 'string' ? x.go() : x.go() }"),
        [true, false]
    );
    assert_eq!(
        narrowed("function f(x) { while (x instanceof C) { x.go() } }"),
        [true]
    );
    // What is declared after a guard is still seen by what stands before it.
    let text =
        "function f(x) { const g = () => later(); if (!isC(x)) return; const later = () => {}; }";
    let seen = with(text, "f", |item, _| {
        let site = item
            .sites
            .iter()
            .find(|s| s.name.text() == "later")
            .unwrap();
        matches!(item.expr(site.callee), Expr::Local(_))
    });
    assert!(seen);
    // Assigning the narrowed name assigns the parameter.
    let text = "function f(x) { if (x instanceof C) { x = 1 } }";
    let reassigned = with(text, "f", |item, _| item.bindings[0].reassigned);
    assert!(reassigned);
}

/// Types keep their names and parts; what no rule reads is opaque, not unknown.
#[test]
fn types() {
    let ty = |text: &str| {
        with(&format!("type X = {text};"), "X", |item, at| {
            item.ty(item.symbols[at.0 as usize].ty)
        })
    };
    assert!(matches!(ty("A.B<C>"), Ty::Named { .. }));
    assert!(matches!(ty("string[]"), Ty::Array(_)));
    assert!(matches!(ty("readonly (A | B)[]"), Ty::Array(_)));
    assert!(matches!(ty("[a: A, ...rest: B[]]"), Ty::Tuple(_)));
    assert!(matches!(ty("| A | B | C"), Ty::Union(_)));
    assert!(matches!(ty("A & { b: B }"), Ty::Intersection(_)));
    assert!(matches!(ty("(a: A) => B"), Ty::Fn { .. }));
    assert!(matches!(ty("<T>(a: T) => T"), Ty::Object(_)));
    assert!(matches!(ty("new (a: A) => B"), Ty::Object(_)));
    assert!(matches!(ty("typeof a.b"), Ty::TypeOf(_)));
    assert!(matches!(ty("A['b']"), Ty::Member { .. }));
    assert!(matches!(ty("A extends infer U ? U : never"), Ty::Opaque));
    assert!(matches!(ty("{ [K in keyof A]: A[K] }"), Ty::Opaque));
    assert!(matches!(ty("`a${string}`"), Ty::Builtin(_)));
    let union = with("type X = A | B | C;", "X", |item, at| {
        let Ty::Union(parts) = item.ty(item.symbols[at.0 as usize].ty) else {
            return 0;
        };
        item.list(parts).len()
    });
    assert_eq!(union, 3);
    let sites = sites_of(
        &read("function f<T extends B>(a: A<T>): C {}"),
        &[SiteKind::Type],
    );
    assert_eq!(sites, ["type B <- f", "type A <- f", "type C <- f"]);
}

/// `this` is the object a file writes, unless the object is given to a call that
/// may mix it into something else.
#[test]
fn this_in_object_literals() {
    let known = |text: &str| {
        let read = read(text);
        let site = items(&read).flat_map(|i| i.sites.iter().map(move |s| (i, s)));
        let (item, site) = site
            .into_iter()
            .find(|(_, s)| s.name.text() == "go")
            .unwrap();
        match item.expr(site.callee) {
            Expr::Member { base, .. } => base.is_known(),
            _ => false,
        }
    };
    assert!(known("const o = { a() { this.go() } }"));
    assert!(known(
        "const o = { a: function () { return () => this.go() } }"
    ));
    assert!(known("f(() => { const o = { a() { this.go() } } })"));
    assert!(!known("f({ a() { this.go() } })"));
    assert!(!known("f({ methods: { a() { this.go() } } })"));
    assert!(known("class A { a() { f({ b: () => this.go() }) } }"));
}

/// A blank line or a comment changes no fact; a comment in the way of a
/// declaration is its documentation.
#[test]
fn positions_are_no_facts() {
    let before = "import { a } from 'b';\nexport function f(x) {\n  return a(x);\n}\n";
    let after = "import { a } from 'b';\n\n// note\nexport function f(x) {\n\n  // more\n  return a(x);\n}\n";
    assert_eq!(read(before).facts, read(after).facts);
    assert!(flags("/** Says it. */\nexport function f() {}", "f").has(Flags::DOCUMENTED));
    assert!(flags("class A {\n  /** Says it. */\n  m() {}\n}", "A.m").has(Flags::DOCUMENTED));
    assert!(!flags("/* no */ function f() {}", "f").has(Flags::DOCUMENTED));
}

/// Whether a module's variable may change decides how sure an alias is.
#[test]
fn reassigned_variables() {
    let text =
        "let a = f; let b = f; const c = f; function g() { a = h } namespace N { let d = f }";
    let reassigned = |name: &str| flags(text, name).has(Flags::REASSIGNED);
    assert!(reassigned("a") && reassigned("N.d"));
    assert!(!reassigned("b") && !reassigned("c"));
    let object = "const o = { a() {}, ...other, b() {} }";
    assert!(flags(object, "o.{}.a").has(Flags::REASSIGNED));
    assert!(!flags(object, "o.{}.b").has(Flags::REASSIGNED));
}

/// Broken text loses what is broken and no more, and says so.
#[test]
fn broken_text() {
    let read = read("function f() { a( }\nfunction g() { b() }\nclass { }}}} const x = () => c();");
    assert!(read.facts.errors > 0);
    let all = sites_of(&read, CALLS);
    assert!(all.contains(&"call b <- g".to_owned()), "{all:?}");
}

/// Text nested past every bound ends the descent and is said to be partial.
#[test]
fn nesting_without_end() {
    for (open, close) in [
        ("{", "}"),
        ("[", "]"),
        ("(", ")"),
        ("f(", ")"),
        ("()=>", "1"),
        ("!", "x"),
    ] {
        let n = if open == "{" { 200_000 } else { 20_000 };
        let text = format!(
            "function f() {{ g(); {}{} }}",
            open.repeat(n),
            close.repeat(n)
        );
        let read = read(&text);
        assert!(read.facts.errors > 0, "{open}");
    }
    // Long is not deep: operators and calls in a row.
    for text in [
        format!("const x = {} 1;", "1 + ".repeat(3_000)),
        format!("const x = a{};", ".b()".repeat(2_500)),
        format!("type X = {} B;", "A | ".repeat(3_000)),
        format!("if (a) {{}} {}", "else if (a) {} ".repeat(2_000)),
    ] {
        let read = read(&text);
        assert_eq!(read.facts.errors, 0, "{}", &text[..40]);
    }
}
