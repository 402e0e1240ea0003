//! Inputs that once broke something.

use surefoot_fuzz::{Input, Target, attempt};

#[track_caller]
fn holds(target: Target, path: &str, text: &str) {
    let input = Input {
        path: path.to_owned(),
        bytes: text.as_bytes().to_vec(),
    };
    if let Err(what) = attempt(target, &input) {
        panic!("{}: {what}", target.word());
    }
}

// Two trees that nest thousands of levels were compared level by level after
// each edit: one keystroke in such a file took minutes.
#[test]
fn an_edit_of_deeply_nested_templates_costs_no_more_than_reading_them() {
    let deep = format!(
        "fn f() {{}}\nexport default {}\nfn g() {{}}\n",
        "a.`${".repeat(20_000)
    );
    for path in ["a.rs", "a.ts"] {
        let language = surefoot_langs::of_path(path).unwrap();
        let mut file = surefoot_langs::OpenFile::new(language, deep.clone());
        for n in 0..3 {
            file.update(&[], format!("{deep}fn h{n}() {{}}\n"));
        }
        assert_eq!(file.text().lines().last(), Some("fn h2() {}"));
    }
}

// An import in a body that begins with the name it binds led to itself.
#[test]
fn an_import_that_names_itself_ends() {
    for text in [
        "fn f() { use store::store; store::go(); }",
        "fn f() { use store::*; store::go(); go(); }",
        "fn f() { use a::b; use b::a; a(); b(); { use a::*; use b::*; c(); } }",
    ] {
        holds(Target::Facts, "src/lib.rs", text);
    }
}

// Functions nested thousands deep, each with names from outside: every name
// walked all functions around it, and each step all functions of the file.
#[test]
fn names_in_deeply_nested_functions_are_found_in_time() {
    let deep = "fn f() { out(x); ".repeat(20_000);
    holds(Target::Facts, "src/lib.rs", &deep);
    let deep = "function f() { out(x); ".repeat(20_000);
    holds(Target::Facts, "src/lib.ts", &deep);
}
