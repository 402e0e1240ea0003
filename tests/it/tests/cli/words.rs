//! What a person reads when the question, the folder or a file is not what they thought.

use super::folder::Folder;

// "0 files" of a folder without code must not pass for an analysis of it.
#[test]
fn a_folder_without_code_says_what_is_read() {
    let folder = Folder::new(&[("README.md", "nothing here\n")]);
    for args in [&["analyze"][..], &["callers", "load"]] {
        let ran = folder.run(args);
        let said = format!("{}{}", ran.out, ran.err);
        assert!(said.contains("No source file was read in "), "{ran:?}");
        assert!(said.contains("rust (.rs)"), "{ran:?}");
    }
}

// What was not read is said where the numbers are, not only below them.
#[test]
fn an_incomplete_analysis_says_so_beside_its_numbers() {
    let folder = Folder::shop();
    folder.write("src/broken.rs", b"fn f() {} // \xff\n");
    let ran = folder.run(&["analyze"]);
    let top: Vec<&str> = ran.out.lines().take(4).collect();
    assert!(
        top.iter()
            .any(|l| l.starts_with("Incomplete: 1 file or folder not read")),
        "{ran:?}"
    );
}

// The same place is refused in the same words by whoever is asked about it.
#[test]
fn a_place_that_is_not_there_is_said_in_one_wording() {
    let folder = Folder::shop();
    for command in ["callers", "explain"] {
        let ran = folder.run(&[command, "src/store.rs:999:3"]);
        let said = "`src/store.rs` has no line 999; its last is ";
        assert!(ran.err.contains(said), "{ran:?}");
        let ran = folder.run(&[command, "src/store.rs:3:999"]);
        let said = "Line 3 of `src/store.rs` has no column 999; it is 19 bytes long.";
        assert!(ran.err.contains(said), "{ran:?}");
    }
}

// Signatures above a function are that function: asking for one of them must not answer "0 callers".
#[test]
fn overloads_are_one_function() {
    let folder = Folder::new(&[
        (
            "a.ts",
            "export function pick(x: string): string\nexport function pick(x: number): number\n\
             export function pick(x: any): any { return x }\npick(\"a\")\n",
        ),
        (
            "b.py",
            "from typing import overload\n\n@overload\ndef sel(x: int) -> int: ...\n\
             @overload\ndef sel(x: str) -> str: ...\ndef sel(x): return x\n\nsel(1)\n",
        ),
    ]);
    for (what, root) in [
        ("pick", "a.ts:3:17"),
        ("a.ts:1", "a.ts:3:17"),
        ("sel", "b.py:7:5"),
        ("b.py:4", "b.py:7:5"),
    ] {
        let ran = folder.run(&["callers", what]);
        assert!(
            ran.out.contains(&format!("function at {root}\n")),
            "{what}: {ran:?}"
        );
        assert!(
            ran.out.contains("\n1 caller in 1 file\n"),
            "{what}: {ran:?}"
        );
    }
}

// More of a name does not tell apart what shares all of it; the line does.
#[test]
fn twins_say_how_to_choose_and_accept_it() {
    let folder = Folder::new(&[(
        "m.py",
        "import sys\nif len(sys.argv) > 1:\n    def go():\n        return 1\n\
         else:\n    def go():\n        return 2\n",
    )]);
    let ran = folder.run(&["callers", "go"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let first = ran.err.lines().next().unwrap();
    assert!(first.contains("FILE:LINE or as NAME@LINE"), "{ran:?}");
    assert!(first.ends_with("[ambiguous_name]"), "{ran:?}");
    let ran = folder.run(&["callers", "go@6"]);
    assert!(ran.out.contains("function at m.py:6:9"), "{ran:?}");
}

// People name a method by the class they have in hand.
#[test]
fn an_inherited_member_is_found_by_the_derived_name() {
    let folder = Folder::new(&[(
        "m.py",
        "class Base:\n    def merge(self):\n        pass\n\nclass Client(Base):\n    pass\n\n\
         class Async(Client):\n    pass\n",
    )]);
    for name in ["Client.merge", "Async::merge", "m.py::Client::merge"] {
        let ran = folder.run(&["callers", name]);
        assert!(
            ran.out.starts_with("m.py::Base::merge  "),
            "{name}: {ran:?}"
        );
    }
    assert_eq!(folder.run(&["callers", "Client.nothing"]).code, 1);
}

// A line outside every function is answered for the module, and says so.
#[test]
fn a_line_in_no_function_says_so() {
    let folder = Folder::new(&[("m.py", "def f():\n    pass\n\n# words\n")]);
    let ran = folder.run(&["callers", "m.py:4"]);
    assert!(ran.out.contains("Line 4 stands in no function"), "{ran:?}");
    assert!(
        !folder
            .run(&["callers", "m.py:1"])
            .out
            .contains("no function")
    );
}

// A list with one bad form writes nothing, and names the forms that a report has.
#[test]
fn an_export_checks_its_list_first() {
    let folder = Folder::shop();
    let (report, _) = folder.report();
    let (dot, sarif) = (folder.beside("x.dot"), folder.beside("x.sarif"));
    let ran = folder.run(&["export", &report, &dot, &sarif]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(!std::path::Path::new(&dot).exists());
    let ran = folder.run(&["export", &report, &folder.beside("x.foo")]);
    assert!(
        ran.err.contains(".graphml") && !ran.err.contains(".sarif"),
        "{ran:?}"
    );
}

// Of several files on a command line, the one that is no report is named.
#[test]
fn a_file_that_is_no_report_is_named() {
    let folder = Folder::shop();
    let ran = folder.run(&["verify", "src/lib.rs"]);
    assert!(ran.err.contains("src/lib.rs: "), "{ran:?}");
}

// A misspelled setting must not be believed to be on.
#[test]
fn a_setting_that_means_nothing_is_named() {
    let folder = Folder::shop();
    folder.write("surefoot.toml", "[rust]\nfeaturs = [\"x\"]\n");
    for args in [&["analyze"][..], &["callers", "Store::get"]] {
        let ran = folder.run(args);
        assert_eq!(ran.code, 0, "{ran:?}");
        let said = "surefoot.toml:2  unknown key `rust.featurs`";
        assert!(ran.out.contains(said), "{ran:?}");
    }
}

// The reason a server does not start is in what it says first, not in the frames of its backtrace.
#[cfg(unix)]
#[test]
fn a_server_that_does_not_start_says_why() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::shop();
    let server = folder.beside("server");
    let text = "#!/bin/sh\necho \"error: Unknown binary 'server'\" >&2\n\
                echo '   2: chain::Toolchain::recursion_error' >&2\nexit 1\n";
    std::fs::write(&server, text).unwrap();
    std::fs::set_permissions(&server, std::fs::Permissions::from_mode(0o755)).unwrap();
    let ran = folder.run(&["disagreements", "--lsp", &server]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(
        ran.err.contains("error: Unknown binary 'server'"),
        "{ran:?}"
    );
    assert!(ran.err.contains("starts in a terminal"), "{ran:?}");
}
