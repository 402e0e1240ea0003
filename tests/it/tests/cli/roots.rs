//! Which folder answers when nobody names one: the workspace around, said in the answer.

use super::folder::{Folder, run_in};

/// A Cargo workspace of two members, one of which calls the other.
fn workspace() -> Folder {
    let folder = Folder::new(&[]);
    let manifest = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{more}")
    };
    folder.write("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n");
    folder.write("a/Cargo.toml", manifest("a", ""));
    folder.write("a/src/lib.rs", "pub fn word() -> u32 {\n    1\n}\n");
    let needs_a = "[dependencies]\na = { path = \"../a\" }\n";
    folder.write("b/Cargo.toml", manifest("b", needs_a));
    folder.write("b/src/lib.rs", "pub fn say() -> u32 {\n    a::word()\n}\n");
    folder
}

// A member's caller stands in another member: "0 callers" from inside one would be a wrong answer.
#[test]
fn a_question_in_a_member_is_answered_for_its_workspace() {
    let folder = workspace();
    let member = folder.path().join("a");
    let root = folder.path().canonicalize().unwrap();
    let ran = run_in(&member, &["callers", "word"]);
    assert!(ran.out.contains("\n1 caller in 1 file\n"), "{ran:?}");
    assert!(ran.out.contains("b/src/lib.rs:2:8  a::word()"), "{ran:?}");
    let said = format!("root: {}, the Cargo workspace around it\n", root.display());
    assert!(ran.out.contains(&said), "{ran:?}");
    // Read in its own folder there is nothing to say.
    assert!(!folder.run(&["callers", "word"]).out.contains("root:"));
    let ran = run_in(&member.join("src"), &["explain", "../../b/src/lib.rs:2:8"]);
    assert!(ran.out.contains("● certain  a/src/lib.rs::word"), "{ran:?}");
    assert!(ran.out.contains(&said), "{ran:?}");
}

// Whoever asks for the folder alone gets it, and is told what that leaves out.
#[test]
fn a_member_read_alone_says_so() {
    let folder = workspace();
    let member = folder.path().join("a");
    let ran = run_in(&member, &["callers", "word", "--root", "."]);
    assert!(ran.out.contains("\nat least 0 callers\n"), "{ran:?}");
    assert!(
        ran.out.contains("part of the Cargo workspace") && ran.out.contains("alone was read"),
        "{ran:?}"
    );
    let ran = run_in(&member, &["analyze"]);
    assert!(ran.out.contains("part of the Cargo workspace"), "{ran:?}");
    assert!(!folder.run(&["analyze"]).out.contains("part of"));
}

// What the shell completes is relative to where the person stands, also when the root holds the same path.
#[test]
fn a_path_is_that_of_the_folder_one_stands_in() {
    let folder = workspace();
    folder.write("src/lib.rs", "pub fn other() {}\n");
    let member = folder.path().join("a");
    for what in [
        "src/lib.rs:1",
        "./src/../src/lib.rs:1",
        "../a/src/lib.rs:1:8",
        "src/lib.rs::word",
    ] {
        let ran = run_in(&member, &["callers", what]);
        assert!(
            ran.out.starts_with("a/src/lib.rs::word  "),
            "{what}: {ran:?}"
        );
    }
}

// A file elsewhere is asked about in its own tree, not refused as no part of this one.
#[test]
fn a_file_elsewhere_brings_its_own_root() {
    let (folder, elsewhere) = (workspace(), Folder::shop());
    let file = folder.path().join("a/src/lib.rs");
    let place = format!("{}:1", file.display());
    let ran = run_in(&elsewhere.path(), &["callers", &place]);
    assert!(ran.out.contains("\n1 caller in 1 file\n"), "{ran:?}");
    // With a root that does not hold it, the answer names what was read.
    let ran = run_in(&elsewhere.path(), &["callers", &place, "--root", "."]);
    let root = elsewhere.path().canonicalize().unwrap();
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains(&root.display().to_string()), "{ran:?}");
}

// What npm, pnpm, uv and git call the beginning of a tree is one for us.
#[test]
fn every_kind_of_workspace_is_found() {
    for (marker, text, word) in [
        (
            "package.json",
            "{ \"workspaces\": [\"packages/*\"] }",
            "npm workspace",
        ),
        ("pnpm-workspace.yaml", "packages: []\n", "pnpm workspace"),
        (
            "pyproject.toml",
            "[tool.uv.workspace]\nmembers = []\n",
            "uv workspace",
        ),
        ("pyproject.toml", "[project]\nname = \"p\"\n", "package"),
        (".git/HEAD", "ref: refs/heads/main\n", "git repository"),
    ] {
        let folder = Folder::new(&[(marker, text)]);
        folder.write("one/m.py", "def f():\n    pass\n");
        folder.write("two/n.py", "from one.m import f\nf()\n");
        let ran = run_in(&folder.path().join("one"), &["callers", "m.py:1"]);
        assert!(ran.out.contains(word), "{marker}: {ran:?}");
        assert!(ran.out.contains("two/n.py:2:1"), "{marker}: {ran:?}");
    }
}

// What an analysis of the workspace does not enter is a tree of its own.
#[test]
fn an_ignored_folder_answers_for_itself() {
    let folder = workspace();
    folder.write(".gitignore", "/scratch\n");
    folder.write("scratch/m.py", "def f():\n    pass\n\nf()\n");
    folder.write("node_modules/x/index.js", "function f() {}\nf()\n");
    for inside in ["scratch", "node_modules/x"] {
        let ran = run_in(&folder.path().join(inside), &["callers", "f"]);
        assert!(ran.out.contains("\n1 caller in 1 file\n"), "{ran:?}");
    }
}
