//! Files nobody should have written: each is skipped with a reason or read, and none ends the program.

use serde_json::Value;

use super::folder::Folder;

fn skip_codes(report: &Value) -> Vec<String> {
    let skipped = report["skipped_files"].as_array().unwrap().iter();
    let code = |s: &Value| {
        let (path, code) = (&s["path"], &s["reason_code"]);
        format!("{} {}", path.as_str().unwrap(), code.as_str().unwrap())
    };
    skipped.map(code).collect()
}

// What was not read must be named with its code, or every count is over an unknown subset.
#[test]
fn what_cannot_be_read_is_named() {
    let folder = Folder::new(&[("src/lib.rs", "fn f() {}\n")]);
    folder.write("src/bytes.rs", b"fn g() {}\n\xff\xfe\xfd");
    folder.write("src/long.rs", format!("// {}\n", "x".repeat(50 << 20)));
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere.rs", folder.path().join("src/link.rs")).unwrap();
    let (_, report) = folder.report();
    let mut expected = vec!["src/bytes.rs parse_error", "src/long.rs file_too_large"];
    if cfg!(unix) {
        expected.insert(1, "src/link.rs unresolvable_path");
    }
    assert_eq!(skip_codes(&report), expected);
    assert_eq!(report["is_complete"], false);
    let names: Vec<_> = report["file_hashes"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["src/lib.rs"]);
}

// A script's gate needs a number for "code was left out", with the report still written.
#[test]
fn an_incomplete_analysis_can_fail_the_build() {
    let folder = Folder::new(&[("src/lib.rs", "fn f() {}\n")]);
    let args = ["analyze", "--fail-on-incomplete", "--format", "json"];
    assert_eq!(folder.run(&args).code, 0);
    folder.write("src/half.rs", "fn g( {{{\n");
    let ran = folder.run(&args);
    assert_eq!(ran.refused(), (4, "incomplete".into()));
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["partial_analysis"][0]["file"], "src/half.rs");
    assert_eq!(folder.run(&["analyze", "--format", "json"]).code, 0);
}

// Depth is what makes recursive readers overflow their stack.
#[test]
fn two_hundred_thousand_nested_braces_do_not_end_the_program() {
    let (open, close) = ("{".repeat(200_000), "}".repeat(200_000));
    let folder = Folder::new(&[("src/lib.rs", "fn fine() { fine(); }\n")]);
    folder.write("src/deep.rs", format!("fn f() {open}{close}\n"));
    folder.write("src/deep.ts", format!("function f() {open}{close}\n"));
    folder.write("src/open.rs", format!("fn f() {open}\n"));
    folder.write(
        "src/parens.ts",
        format!("let x = {}1{};\n", "(".repeat(200_000), ")".repeat(200_000)),
    );
    let (_, report) = folder.report();
    let edges = report["call_edges"].as_array().unwrap();
    assert!(
        edges.iter().any(|e| e["callee"] == "src/lib.rs::fine"),
        "the others are analysed"
    );
    let partial = report["partial_analysis"].as_array().unwrap().iter();
    let skipped = report["skipped_files"].as_array().unwrap().iter();
    let said: Vec<_> = partial
        .map(|p| &p["file"])
        .chain(skipped.map(|s| &s["path"]))
        .collect();
    for file in ["src/deep.rs", "src/deep.ts", "src/open.rs", "src/parens.ts"] {
        assert!(
            said.iter().any(|s| *s == file),
            "{file} is said to be cut: {said:?}"
        );
    }
}

#[test]
fn an_empty_folder_has_an_empty_report() {
    let folder = Folder::new(&[("README.md", "nothing here\n")]);
    let (path, report) = folder.report();
    assert_eq!(report["entities"], serde_json::json!([]));
    assert_eq!(report["is_complete"], true);
    assert!(report.get("doc_coverage").is_none(), "nobody was assessed");
    assert_eq!(folder.run(&["verify", &path]).code, 0);
    // "Nothing found" must not verify against a folder full of code.
    folder.write("src/lib.rs", "fn f() {}\n");
    assert_eq!(folder.run(&["verify", &path]).code, 1);
}

// A backslash separates folders elsewhere: a report that named such a file could be verified by nobody.
#[cfg(unix)]
#[test]
fn a_name_with_a_backslash_is_said_and_the_report_verifies() {
    let folder = Folder::new(&[("src/lib.rs", "fn f() {}\n")]);
    folder.write("src/a\\b.rs", "fn g() {}\n");
    let (path, report) = folder.report();
    let skipped = &report["skipped_files"][0];
    assert_eq!(skipped["reason_code"], "unnamable_path", "{report}");
    assert_eq!(report["is_complete"], false);
    assert_eq!(folder.run(&["verify", &path]).code, 0);
}

// A file name may hold what a terminal obeys; it must reach the page disarmed.
#[cfg(unix)]
#[test]
fn a_hostile_file_name_does_not_reach_the_terminal() {
    let folder = Folder::new(&[("src/lib.rs", "fn f() {}\n")]);
    folder.write("src/\u{1b}[2Jx.rs", b"\xff");
    let ran = folder.run(&["analyze"]);
    assert_eq!(ran.code, 0);
    assert!(
        !ran.out.contains('\u{1b}') && ran.out.contains("[2Jx.rs"),
        "{}",
        ran.out
    );
}
