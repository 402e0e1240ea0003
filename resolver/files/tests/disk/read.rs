//! What a read gives, and what it refuses.

use surefoot_files::{
    Encoding, MAX_FILE_BYTES, Presence, ReasonCode, exists, hash_bytes, read, read_entry,
    read_through_links,
};

use crate::tree::{Tree, rel};

// The digest is of the bytes a person can hash; the text is what the editor shows.
#[test]
fn text_and_digest_are_of_the_same_bytes() {
    let tree = Tree::new(&[]);
    tree.write("a.rs", "\u{feff}fn é() {}");
    let text = read(&tree.root(), &rel("a.rs"), MAX_FILE_BYTES).unwrap();
    assert_eq!(&*text.text, "fn é() {}");
    assert_eq!(text.encoding, Encoding::Utf8Bom);
    assert_eq!(text.digest, hash_bytes("\u{feff}fn é() {}".as_bytes()));
    assert_eq!(text.stamp, tree.walk().files[0].stamp);
}

// A file that is no text is said with the place of the first bad byte, so that it can be mended.
#[test]
fn undecodable_bytes_are_a_reason_with_a_place() {
    let tree = Tree::new(&[]);
    tree.write("a.rs", b"fn a() {}\n// caf\xe9\n");
    let skipped = read(&tree.root(), &rel("a.rs"), MAX_FILE_BYTES).unwrap_err();
    assert_eq!(skipped.code, ReasonCode::ParseError);
    assert_eq!(
        (&*skipped.path, &*skipped.reason),
        ("a.rs", "not UTF-8 at byte 16")
    );
}

// A file may have grown past the limit after the walk saw it.
#[test]
fn the_limit_holds_when_reading_too() {
    let tree = Tree::new(&["a.rs"]);
    assert!(read(&tree.root(), &rel("a.rs"), 4).is_ok());
    let skipped = read(&tree.root(), &rel("a.rs"), 3).unwrap_err();
    assert_eq!(skipped.code, ReasonCode::FileTooLarge);
    assert_eq!(
        skipped.reason,
        "4 bytes is over the limit of 3 bytes for one file"
    );
}

// Deleted between walk and read is a fact to report, not an error to die of.
#[test]
fn a_file_that_went_is_unreadable() {
    let tree = Tree::new(&["src/a.rs"]);
    let walk = tree.walk();
    std::fs::remove_file(tree.at("src/a.rs")).unwrap();
    let skipped = read_entry(&tree.root(), &walk.files[0], MAX_FILE_BYTES).unwrap_err();
    assert_eq!(skipped.code, ReasonCode::Unreadable);
    assert_eq!(skipped.reason, "it is no longer there");
}

// Resolution asks for files the walk does not list; the answer has five values and never a guess.
#[test]
fn presence_of_ordinary_things() {
    let tree = Tree::new(&["a.rs", "ignored/tsconfig.json"]);
    tree.write(".gitignore", "ignored");
    let root = tree.root();
    let at = |path: &str| exists(&root, &rel(path));
    assert_eq!(at("a.rs"), Presence::File);
    assert_eq!(at("ignored"), Presence::Dir);
    assert_eq!(at(""), Presence::Dir);
    assert_eq!(at("ignored/tsconfig.json"), Presence::File);
    assert_eq!(at("b.rs"), Presence::Absent);
    assert_eq!(at("a.rs/b"), Presence::Absent);
    let text = read_through_links(&root, &rel("ignored/tsconfig.json"), MAX_FILE_BYTES).unwrap();
    assert_eq!(&*text.text, "ignored/tsconfig.json");
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::os::unix::net::UnixListener;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    // Links may be followed only as far as they stay inside; beyond, not even presence is told.
    #[test]
    fn presence_through_links() {
        let tree = Tree::new(&["real/a.rs"]);
        fs::create_dir(tree.beside("other")).unwrap();
        fs::write(tree.beside("other/secret.rs"), "").unwrap();
        tree.link("file.rs", "real/a.rs");
        tree.link("folder", "real");
        tree.link("absolute", tree.at("real"));
        tree.link("gone", "nowhere");
        tree.link("loop", "loop");
        tree.link("out", tree.beside("other"));
        tree.link("up", "../other");
        let _socket = UnixListener::bind(tree.at("socket")).unwrap();
        let root = tree.root();
        let at = |path: &str| exists(&root, &rel(path));
        assert_eq!(at("file.rs"), Presence::File);
        assert_eq!(at("folder"), Presence::Dir);
        assert_eq!(at("folder/a.rs"), Presence::File);
        assert_eq!(at("folder/b.rs"), Presence::Absent);
        assert_eq!(at("absolute/a.rs"), Presence::File);
        assert_eq!(at("absolute/b.rs"), Presence::Absent);
        assert_eq!(at("gone"), Presence::Absent);
        assert_eq!(at("loop"), Presence::Unreadable);
        assert_eq!(at("socket"), Presence::Unreadable);
        for outside in [
            "out",
            "out/secret.rs",
            "out/nothing.rs",
            "up",
            "up/secret.rs",
            "up/nothing",
        ] {
            assert_eq!(at(outside), Presence::Outside, "{outside}");
        }
    }

    // Configuration shared through links is read; links that lead out are not.
    #[test]
    fn reads_through_links_only_inside() {
        let tree = Tree::new(&["real/a.rs"]);
        fs::write(tree.beside("secret.rs"), "secret").unwrap();
        tree.link("in.rs", "real/a.rs");
        tree.link("absolute", tree.at("real"));
        tree.link("out.rs", tree.beside("secret.rs"));
        tree.link("gone.rs", "nowhere");
        let root = tree.root();
        let text = |path: &str| {
            read_through_links(&root, &rel(path), MAX_FILE_BYTES)
                .map(|text| text.text.to_string())
                .map_err(|skipped| skipped.code)
        };
        assert_eq!(text("in.rs"), Ok("real/a.rs".to_string()));
        assert_eq!(text("absolute/a.rs"), Ok("real/a.rs".to_string()));
        assert_eq!(text("out.rs"), Err(ReasonCode::ContainmentEscape));
        assert_eq!(text("gone.rs"), Err(ReasonCode::UnresolvablePath));
    }

    // Between walk and read another program may put anything under a listed name.
    #[test]
    fn swaps_between_walk_and_read_are_caught() {
        let tree = Tree::new(&["a.rs", "src/b.rs", "c.rs", "d.rs", "e.rs"]);
        fs::create_dir(tree.beside("other")).unwrap();
        fs::write(tree.beside("other/b.rs"), "secret").unwrap();
        let root = tree.root();
        let walk = tree.walk();

        fs::remove_file(tree.at("a.rs")).unwrap();
        tree.link("a.rs", "c.rs");
        fs::remove_dir_all(tree.at("src")).unwrap();
        tree.link("src", tree.beside("other"));
        fs::remove_file(tree.at("c.rs")).unwrap();
        mknodat(
            CWD,
            tree.at("c.rs"),
            FileType::Fifo,
            Mode::RUSR | Mode::WUSR,
            0,
        )
        .unwrap();
        fs::remove_file(tree.at("d.rs")).unwrap();
        let _socket = UnixListener::bind(tree.at("d.rs")).unwrap();
        fs::remove_file(tree.at("e.rs")).unwrap();
        fs::create_dir(tree.at("e.rs")).unwrap();

        let reasons: Vec<_> = walk
            .files
            .iter()
            .map(|entry| {
                let skipped = read_entry(&root, entry, MAX_FILE_BYTES).unwrap_err();
                format!("{}: {}", skipped.path, skipped.code)
            })
            .collect();
        let expected = [
            "a.rs: containment_open_refused",
            "c.rs: not_a_regular_file",
            "d.rs: not_a_regular_file",
            "e.rs: not_a_regular_file",
            "src/b.rs: containment_swap",
        ];
        assert_eq!(reasons, expected);
    }

    // Editors save by renaming a new file over the old one: that is an edit, not an attack.
    #[test]
    fn a_save_by_rename_is_read_as_the_new_text() {
        let tree = Tree::new(&["a.rs", "hidden.tmp"]);
        let walk = tree.walk();
        tree.write("hidden.tmp", "new text");
        fs::rename(tree.at("hidden.tmp"), tree.at("a.rs")).unwrap();
        let text = read_entry(&tree.root(), &walk.files[0], MAX_FILE_BYTES).unwrap();
        assert_eq!(&*text.text, "new text");
        assert_ne!(text.stamp, walk.files[0].stamp);
    }

    // A file listed through a link is read at its real place and named by the link.
    #[test]
    fn an_admitted_link_is_read_where_it_lies() {
        let tree = Tree::new(&[".hidden/real.rs"]);
        tree.link("one.rs", ".hidden/real.rs");
        let entry = &tree.walk().files[0];
        assert_eq!(
            &*read_entry(&tree.root(), entry, MAX_FILE_BYTES)
                .unwrap()
                .text,
            ".hidden/real.rs"
        );
        let skipped = read(&tree.root(), &entry.rel, MAX_FILE_BYTES).unwrap_err();
        assert_eq!(skipped.code, ReasonCode::ContainmentOpenRefused);
    }
}
