//! Facts handed on as a file.

use serde_json::{Value, json};

use super::folder::Folder;

/// A folder whose facts another one like it has written.
fn cloned() -> (Folder, String, Value) {
    let origin = Folder::shop();
    let clone = Folder::shop();
    let file = clone.beside("shop.facts");
    let made = origin.json(&["facts", "export", &file]);
    (clone, file, made)
}

fn callers(folder: &Folder) -> Value {
    folder.json(&["callers", "src/store.rs::load"])
}

// A clone that takes over what CI read must give the same answers, say whose they are, and still read
// its own files as soon as they differ.
#[test]
fn imported_facts_answer_and_say_so_until_a_file_differs() {
    let (clone, file, made) = cloned();
    let own = callers(&Folder::shop());
    let digest = made["digest"].as_str().unwrap();
    let taken = clone.json(&["facts", "import", &file, "--digest", digest]);
    assert_eq!(taken["contents"], made["contents"]);
    let answer = callers(&clone);
    assert_eq!(answer["imported_files"], json!(5));
    assert_eq!(answer["callers"], own["callers"]);
    let page = clone.run(&["callers", "src/store.rs::load"]);
    assert!(
        page.out.contains("were imported, not read here"),
        "{page:?}"
    );
    let anew = clone.json(&["callers", "src/store.rs::load", "--no-cache"]);
    assert_eq!(anew.get("imported_files"), None);

    let text = clone.read("src/app.rs");
    clone.write("src/app.rs", text.replace("load(\"b\")", "String::new()"));
    let answer = callers(&clone);
    assert_eq!(answer["imported_files"], json!(4));
    let rows = answer["callers"].as_array().unwrap();
    assert_eq!(rows.len(), own["callers"].as_array().unwrap().len() - 1);
}

// A report is about what stands on this disk, read by this program.
#[test]
fn a_report_is_the_same_with_and_without_imported_facts() {
    let (clone, file, _) = cloned();
    let (_, before) = clone.report();
    assert_eq!(clone.run(&["facts", "import", &file]).code, 0);
    let (path, after) = clone.report();
    assert_eq!(before, after);
    assert_eq!(clone.run(&["verify", &path]).code, 0);
}

#[test]
fn the_same_folder_gives_the_same_file() {
    let (clone, file, made) = cloned();
    let again = clone.beside("again.facts");
    let ran = clone.run(&["facts", "export", &again, "--threads", "1"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(std::fs::read(file).unwrap(), std::fs::read(again).unwrap());
    assert!(ran.out.contains(made["digest"].as_str().unwrap()));
}

// Nothing of a file that cannot be believed is taken over.
#[test]
fn what_cannot_be_believed_is_refused_as_a_whole() {
    let (clone, file, _) = cloned();
    let bytes = std::fs::read(&file).unwrap();
    let refused = |bytes: &[u8], more: &[&str]| {
        std::fs::write(&file, bytes).unwrap();
        let args = [&["facts", "import", &file, "--format", "json"], more].concat();
        clone.run(&args).refused()
    };
    let altered = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        bytes
    };
    let invalid = (2, "invalid_facts".to_owned());
    assert_eq!(refused(&[], &[]), invalid);
    assert_eq!(refused(&altered(0), &[]), invalid);
    assert_eq!(
        refused(&altered(8), &[]),
        (3, "version_mismatch".to_owned())
    );
    assert_eq!(refused(&altered(40), &[]), invalid);
    assert_eq!(refused(&altered(bytes.len() - 1), &[]), invalid);
    assert_eq!(refused(&bytes[..bytes.len() - 1], &[]), invalid);
    let other = "0".repeat(64);
    assert_eq!(refused(&bytes, &["--digest", &other]), invalid);
    assert_eq!(callers(&clone).get("imported_files"), None);
}
