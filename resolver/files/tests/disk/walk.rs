//! Which files are on the list, and why the others are not.

use std::fs;
use std::ops::ControlFlow;

use surefoot_files::{WalkOptions, walk};

use crate::tree::{Tree, listed, rel, skipped, wanted};

// The list must be the same on every machine: sorted by bytes, whatever order the disk has.
#[test]
fn lists_by_bytes_and_names_the_folders_entered() {
    let tree = Tree::new(&[
        "b.rs",
        "a/z.rs",
        "a.rs",
        "a/Z.rs",
        "a/notes.txt",
        "empty/x.txt",
    ]);
    let walk = tree.walk();
    assert_eq!(listed(&walk), ["a.rs", "a/Z.rs", "a/z.rs", "b.rs"]);
    assert_eq!(walk.dirs, [rel(""), rel("a"), rel("empty")]);
    assert_eq!(skipped(&walk), [""; 0]);
    assert_eq!(walk.files[0].stamp.len, "a.rs".len() as u64);
}

// Rules that are checked out with the tree apply; rules of this clone or this machine do not.
#[test]
fn only_rules_that_travel_with_the_tree_apply() {
    let tree = Tree::new(&[
        "a.rs",
        "gen/b.rs",
        "local/c.rs",
        "above/d.rs",
        "sub/e.rs",
        "sub/keep.rs",
        "odd.rs",
    ]);
    tree.write(".gitignore", "/gen/\nsub/*.rs\n!sub/keep.rs\n");
    tree.write(".ignore", "odd.rs\n");
    tree.write(".git/info/exclude", "local/\n");
    fs::write(tree.beside(".gitignore"), "above/\n").unwrap();
    assert_eq!(
        listed(&tree.walk()),
        ["a.rs", "above/d.rs", "local/c.rs", "sub/keep.rs"]
    );
}

// Hidden names are a person's own business, and `.git` stays shut even when a rule would open it.
#[test]
fn hidden_names_are_not_entered() {
    let tree = Tree::new(&["a.rs", ".hidden/b.rs", ".c.rs", ".git/d.rs"]);
    tree.write(".gitignore", "!.git\n!.git/\n");
    let walk = tree.walk();
    assert_eq!(listed(&walk), ["a.rs"]);
    assert_eq!(skipped(&walk), [""; 0]);
}

// `npm install` must not change a report, so installed packages are never part of the tree.
#[test]
fn installed_packages_are_not_the_users_tree() {
    let tree = Tree::new(&[
        "a.rs",
        "node_modules/p/i.rs",
        "web/node_modules/q/i.rs",
        "target/t.rs",
    ]);
    let walk = tree.walk();
    assert_eq!(listed(&walk), ["a.rs", "target/t.rs"]);
    assert_eq!(walk.installed, ["node_modules", "web/node_modules"]);
    assert_eq!(skipped(&walk), [""; 0]);
    tree.write(".gitignore", "node_modules\n");
    assert_eq!(tree.walk().installed, [""; 0]);
}

// A bundle of 50 MB on one line would hold every parser; it is named instead.
#[test]
fn a_file_over_the_limit_is_named() {
    let tree = Tree::new(&["a.rs"]);
    tree.write("huge.rs", vec![b'x'; 50 << 20]);
    let walk = tree.walk();
    assert_eq!(listed(&walk), ["a.rs"]);
    assert_eq!(skipped(&walk), ["huge.rs: file_too_large"]);
    assert_eq!(
        walk.skipped[0].reason,
        "50.0 MiB is over the limit of 4.0 MiB for one file"
    );
}

// Somebody opens their home folder: the answer is a refusal in words, not an hour of work.
#[test]
fn a_tree_beyond_the_bounds_is_refused() {
    let tree = Tree::new(&["a.rs", "b.rs", "c.txt"]);
    let refused = |options: WalkOptions| tree.try_walk(&options).unwrap_err();
    let default = WalkOptions::default();
    for options in [
        WalkOptions {
            max_files: 1,
            ..default.clone()
        },
        WalkOptions {
            max_total_bytes: 7,
            ..default.clone()
        },
        WalkOptions {
            max_visited: 3,
            ..default.clone()
        },
    ] {
        let refusal = refused(options);
        assert_eq!(refusal.code, "workload_too_large");
        assert!(refusal.message.contains(".ignore"), "{}", refusal.message);
    }
    let bounded = WalkOptions {
        max_files: 2,
        max_total_bytes: 8,
        max_visited: 4,
        ..default
    };
    assert_eq!(listed(&tree.try_walk(&bounded).unwrap()), ["a.rs", "b.rs"]);
}

// A person who closes the window during a long walk must not wait for its end.
#[test]
fn a_walk_can_be_stopped() {
    let tree = Tree::new(&["a.rs", "b.rs"]);
    let mut last = 0;
    let stop = &mut |visited| {
        last = visited;
        if visited == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let refusal = walk(&tree.root(), &WalkOptions::default(), &wanted, stop).unwrap_err();
    assert_eq!((refusal.code, last), ("cancelled", 2));
}

// A folder recreated under a running server must be opened anew, not silently read as empty.
#[cfg(unix)]
#[test]
fn a_replaced_root_is_refused() {
    let tree = Tree::new(&["a.rs"]);
    let root = tree.root();
    fs::rename(tree.root_path(), tree.beside("old")).unwrap();
    fs::create_dir(tree.root_path()).unwrap();
    let go_on = &mut |_| ControlFlow::Continue(());
    let refusal = walk(&root, &WalkOptions::default(), &wanted, go_on).unwrap_err();
    assert_eq!(refusal.code, "invalid_root");
    assert!(
        refusal.message.contains("moved or replaced"),
        "{}",
        refusal.message
    );
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::net::UnixListener;

    use cap_std::ambient_authority;
    use cap_std::fs::Dir;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use surefoot_files::Root;

    use super::*;

    fn pipe(tree: &Tree, path: &str) {
        mknodat(
            CWD,
            tree.at(path),
            FileType::Fifo,
            Mode::RUSR | Mode::WUSR,
            0,
        )
        .unwrap();
    }

    // Nothing outside the folder a person opened may ever be read, whatever a link says.
    #[test]
    fn links_that_lead_out_are_named_and_not_followed() {
        let tree = Tree::new(&["a.rs"]);
        fs::create_dir(tree.beside("other")).unwrap();
        fs::write(tree.beside("other/secret.rs"), "").unwrap();
        tree.link("file.rs", tree.beside("other/secret.rs"));
        tree.link("up.rs", "../other/secret.rs");
        tree.link("folder", tree.beside("other"));
        tree.link("note.txt", tree.beside("other/secret.rs"));
        let walk = tree.walk();
        assert_eq!(listed(&walk), ["a.rs"]);
        let escapes = [
            "file.rs: containment_escape",
            "folder: containment_escape",
            "up.rs: containment_escape",
        ];
        assert_eq!(skipped(&walk), escapes);
        assert!(
            walk.skipped.iter().all(|skip| !skip.reason.contains('/')),
            "a reason names no path"
        );

        // With a wider boundary the same links are ordinary, and still not followed.
        let root = Root::open_within(tree.root_path(), tree.beside("")).unwrap();
        let go_on = &mut |_| ControlFlow::Continue(());
        let walk = super::walk(&root, &WalkOptions::default(), &wanted, go_on).unwrap();
        assert_eq!(listed(&walk), ["a.rs"]);
        assert!(
            skipped(&walk)
                .iter()
                .all(|skip| skip.ends_with(": outside_analysis_root"))
        );
    }

    // One place in the source is one node: a second name must not double its callers.
    #[test]
    fn a_second_name_for_a_file_is_an_alias() {
        let tree = Tree::new(&["src/a.rs", ".hidden/real.rs"]);
        tree.link("alias.rs", "src/a.rs");
        tree.link("twice.rs", "alias.rs");
        tree.link("one.rs", ".hidden/real.rs");
        tree.link("two.rs", ".hidden/real.rs");
        let walk = tree.walk();
        // What is analysed under no real path is analysed under its first visible name.
        assert_eq!(listed(&walk), ["one.rs -> .hidden/real.rs", "src/a.rs"]);
        let aliases = [
            "alias.rs: duplicate_alias",
            "twice.rs: duplicate_alias",
            "two.rs: duplicate_alias",
        ];
        assert_eq!(skipped(&walk), aliases);
        assert!(walk.skipped.iter().all(|skip| !skip.code.hides_code()));
    }

    // A tsconfig shared through links decides in every folder it stands in.
    #[test]
    fn a_linked_manifest_counts_where_it_stands() {
        let tree = Tree::new(&["tsconfig.json"]);
        tree.link("web/tsconfig.json", "../tsconfig.json");
        let walk = tree.walk();
        assert_eq!(
            listed(&walk),
            ["tsconfig.json", "web/tsconfig.json -> tsconfig.json"]
        );
        assert_eq!(skipped(&walk), [""; 0]);
    }

    // A folder under two names, or a loop, is walked once.
    #[test]
    fn linked_folders_are_walked_once() {
        let tree = Tree::new(&["src/a.rs", ".hidden/b.rs"]);
        tree.link("again", "src");
        tree.link("src/loop", "..");
        tree.link("shown", ".hidden");
        let walk = tree.walk();
        assert_eq!(listed(&walk), ["src/a.rs"]);
        let expected = [
            "again: duplicate_alias",
            "shown: outside_analysis_root",
            "src/loop: duplicate_alias",
        ];
        assert_eq!(skipped(&walk), expected);
    }

    // A link that leads nowhere is a file the user believes to have.
    #[test]
    fn a_link_to_nothing_or_to_itself_is_named() {
        let tree = Tree::new(&[]);
        tree.link("gone.rs", "nowhere.rs");
        tree.link("self.rs", "self.rs");
        tree.link("gone.txt", "nowhere");
        assert_eq!(
            skipped(&tree.walk()),
            ["gone.rs: unresolvable_path", "self.rs: unresolvable_path"]
        );
    }

    // Opening a pipe waits for ever; a source file's name on one must not stop the walk.
    #[test]
    fn pipes_sockets_and_devices_are_named() {
        let tree = Tree::new(&["folder.rs/a.rs"]);
        pipe(&tree, "pipe.rs");
        pipe(&tree, "pipe.txt");
        let _socket = UnixListener::bind(tree.at("socket.rs")).unwrap();
        tree.link("behind.rs", "pipe.txt");
        let walk = tree.walk();
        let expected = [
            "behind.rs: not_a_regular_file",
            "pipe.rs: not_a_regular_file",
            "socket.rs: not_a_regular_file",
        ];
        assert_eq!(skipped(&walk), expected);
        // A folder hides nothing by its name: what lies in it is listed.
        assert_eq!(listed(&walk), ["folder.rs/a.rs"]);
    }

    // The walker reads ignore files before anyone sees their folder: a pipe there would hang the editor.
    #[test]
    fn an_ignore_file_that_is_none_shuts_its_folder() {
        let tree = Tree::new(&[
            "a.rs",
            "pipe/b.rs",
            "out/c.rs",
            "in/d.rs",
            "in/e.rs",
            "big/f.rs",
        ]);
        pipe(&tree, "pipe/.gitignore");
        fs::write(tree.beside("rules"), "c.rs").unwrap();
        tree.link("out/.ignore", tree.beside("rules"));
        tree.write("rules", "e.rs");
        tree.link("in/.ignore", "../rules");
        tree.write("big/.gitignore", vec![b'#'; 2 << 20]);
        let walk = tree.walk();
        assert_eq!(listed(&walk), ["a.rs", "in/d.rs"]);
        let expected = [
            "big: discovery_error",
            "out: discovery_error",
            "pipe: discovery_error",
        ];
        assert_eq!(skipped(&walk), expected);

        pipe(&tree, ".gitignore");
        let refusal = tree.try_walk(&WalkOptions::default()).unwrap_err();
        assert_eq!(refusal.code, "invalid_root");
        assert!(
            refusal.message.contains(".gitignore is not a regular file"),
            "{}",
            refusal.message
        );
    }

    // A report is JSON with `::` between the parts of a name: such files cannot be in it, and are said.
    #[test]
    fn names_no_report_can_spell_are_named_as_near_as_can_be() {
        let tree = Tree::new(&["a::b.rs", "c::d/e.rs", "f::g.txt", "i\\j.rs"]);
        tree.write(OsStr::from_bytes(b"\xff.rs"), "");
        tree.write(OsStr::from_bytes(b"\xfe/h.rs"), "");
        let walk = tree.walk();
        assert_eq!(listed(&walk), [""; 0]);
        let expected = [
            "a::b.rs: unnamable_path",
            "c::d/e.rs: unnamable_path",
            "i\\j.rs: unnamable_path",
            "\u{fffd}.rs: unnamable_path",
            "\u{fffd}/h.rs: unnamable_path",
        ];
        assert_eq!(skipped(&walk), expected);
    }

    // A folder that cannot be listed may hold anything: the report must not read as whole.
    #[test]
    fn a_folder_that_cannot_be_listed_is_named() {
        let tree = Tree::new(&["a.rs"]);
        // Deeper than a path may be long. Permissions would not do: tests run as root in containers.
        let mut folder = Dir::open_ambient_dir(tree.root_path(), ambient_authority()).unwrap();
        let name = "d".repeat(200);
        for _ in 0..25 {
            folder.create_dir(&name).unwrap();
            folder = folder.open_dir(&name).unwrap();
        }
        folder.write("b.rs", "").unwrap();
        let walk = tree.walk();
        assert_eq!(listed(&walk), ["a.rs"]);
        assert_eq!(walk.skipped.len(), 1, "{:?}", walk.skipped);
        assert_eq!(walk.skipped[0].code.as_str(), "discovery_error");
        assert!(walk.skipped[0].path.ends_with(&name));
        assert!(
            walk.skipped[0].reason.contains("name too long"),
            "{}",
            walk.skipped[0].reason
        );
    }
}

const CHILD: &str = "SUREFOOT_TEST_WALK_CHILD";

// A user's own global rules must not decide what another person's report holds.
#[test]
fn rules_of_this_machine_do_not_apply() {
    if let Ok(folder) = std::env::var(CHILD) {
        let root = surefoot_files::Root::open(folder).unwrap();
        let go_on = &mut |_| ControlFlow::Continue(());
        let walk = walk(&root, &WalkOptions::default(), &wanted, go_on).unwrap();
        assert_eq!(listed(&walk), ["a.rs"]);
        return;
    }
    let tree = Tree::new(&["a.rs"]);
    for rules in ["config/git/ignore", ".config/git/ignore"] {
        let rules = tree.beside(rules);
        fs::create_dir_all(rules.parent().unwrap()).unwrap();
        fs::write(rules, "*.rs\n").unwrap();
    }
    // Where git and its imitators look for such rules is decided by the environment of a process.
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "walk::rules_of_this_machine_do_not_apply"])
        .env(CHILD, tree.root_path())
        .env("HOME", tree.beside(""))
        .env("XDG_CONFIG_HOME", tree.beside("config"))
        .output()
        .unwrap();
    assert!(
        child.status.success(),
        "{}",
        String::from_utf8_lossy(&child.stdout)
    );
}
