//! A command that cannot answer says why, in a sentence for a person and a code for a program.

use super::folder::{Folder, command, ran, run_in};

#[test]
fn each_refusal_has_its_code_and_reason() {
    let folder = Folder::shop();
    let json = ["--format", "json"];
    let check = |args: &[&str], code: i32, reason: &str| {
        let ran = folder.run(&[args, &json].concat());
        assert_eq!(ran.refused(), (code, reason.to_owned()), "{args:?}");
        assert_eq!(ran.out, "", "{args:?}");
    };
    check(&["analyze", "nowhere"], 2, "invalid_root");
    check(&["analyze", "src/lib.rs"], 2, "invalid_root");
    check(&["callers", "load", "--root", "nowhere"], 2, "invalid_root");
    check(
        &["analyze", "--languages", "rust,cobol"],
        2,
        "unknown_language_filter",
    );
    check(&["analyze", "--fields", "entitys"], 2, "invalid_request");
    check(&["analyze", "--max-items", "3"], 2, "invalid_request");
    check(&["analyze", "--threads", "many"], 2, "invalid_request");
    check(&["callers"], 2, "invalid_request");
    check(&["callers", "load", "--tier", "sure"], 2, "invalid_request");
    check(&["explain", "src/app.rs"], 2, "invalid_request");
    check(&["explain", "src/app.rs:0"], 2, "invalid_request");
    check(&["verify", "nowhere.json"], 2, "invalid_input");
    check(&["verify", "src"], 2, "invalid_input");
    check(&["verify", "src/lib.rs"], 2, "invalid_report");
    check(
        &["analyze", "--report", "nowhere/r.json"],
        3,
        "output_failed",
    );
}

// A person reads a sentence and may look up the code; nothing is a panic or a debug print.
#[test]
fn a_person_gets_a_sentence() {
    let folder = Folder::shop();
    let ran = folder.run(&["analyze", "nowhere"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err.starts_with("surefoot: There is no folder nowhere."),
        "{ran:?}"
    );
    assert!(ran.err.ends_with("[invalid_root]\n"), "{ran:?}");
    let ran = folder.run(&["analyse"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("analyze"),
        "the near subcommand is offered: {ran:?}"
    );
}

#[test]
fn help_is_there_for_every_command() {
    let folder = Folder::shop();
    for command in [
        "analyze", "callers", "callees", "explain", "verify", "diff", "snapshot", "query",
        "export", "status", "lsp",
    ] {
        let ran = folder.run(&[command, "--help"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{command}");
        assert!(
            ran.out.contains("Usage: surefoot"),
            "{command}: {}",
            ran.out
        );
    }
    assert_eq!(folder.run(&[]).code, 2);
}

// A bound of the environment that is no number must not silently be another one.
#[test]
fn a_bound_that_is_no_number_is_refused() {
    let folder = Folder::shop();
    let (report, _) = folder.report();
    let with = |name: &str, value: &str| {
        let args = ["verify", &report, "--format", "json"];
        let out = command(&folder.path(), &args).env(name, value).output();
        ran(&out.unwrap()).refused()
    };
    let refused = with("SUREFOOT_MAX_REPORT_BYTES", "lots");
    assert_eq!(refused, (2, "invalid_configuration".into()));
    let refused = with("SUREFOOT_MAX_REPORT_BYTES", "100");
    assert_eq!(refused, (2, "report_too_large".into()));
    let refused = with("SUREFOOT_MAX_REPORT_NODES", "10");
    assert_eq!(refused, (2, "report_too_large".into()));
    let refused = with("SUREFOOT_MAX_VERIFY_FILE_COUNT", "2");
    assert_eq!(refused, (2, "verification_workload_too_large".into()));
    let refused = with("SUREFOOT_MAX_VERIFY_TOTAL_BYTES", "20");
    assert_eq!(refused, (2, "verification_workload_too_large".into()));
}

// A file that says it is a report may be of any length; its length alone refuses it.
#[test]
fn a_report_of_a_gigabyte_is_refused_unread() {
    let folder = Folder::new(&[("src/lib.rs", "fn f() {}\n")]);
    let path = folder.beside("huge.json");
    let file = std::fs::File::create(&path).unwrap();
    // A hole: it takes no room on the disk.
    file.set_len(1 << 30).unwrap();
    for command in [
        &["verify", path.as_str()][..],
        &["diff", &path, &path],
        &["snapshot", "save", "--report", &path],
    ] {
        let ran = folder.run(&[command, &["--format", "json"]].concat());
        assert_eq!(ran.refused(), (2, "report_too_large".into()), "{command:?}");
    }
}

// Deep JSON is what exhausts a recursive reader.
#[test]
fn a_deep_or_foreign_document_is_no_report() {
    let folder = Folder::new(&[("src/lib.rs", "fn f() {}\n")]);
    let path = folder.beside("deep.json");
    for text in [
        "[".repeat(2_000_000),
        "{\"entities\":".repeat(200_000),
        "{\"version\":1}".to_owned(),
        "{\"version\":99}".to_owned(),
        "null".to_owned(),
        String::new(),
    ] {
        std::fs::write(&path, &text).unwrap();
        let ran = run_in(&folder.path(), &["verify", &path, "--format", "json"]);
        let start: String = text.chars().take(20).collect();
        assert_eq!(ran.refused(), (2, "invalid_report".into()), "{start}");
    }
}
