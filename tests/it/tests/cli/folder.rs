//! A folder of source files made for one test, and the program run on it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use surefoot_it::surefoot;
use tempfile::TempDir;

/// A small Rust crate with a TypeScript package beside it.
pub const SHOP: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    ),
    ("src/lib.rs", "pub mod app;\npub mod store;\n"),
    (
        "src/store.rs",
        "/// Reads one value.\n\
         pub fn load(name: &str) -> String {\n    name.to_owned()\n}\n\n\
         pub struct Store;\n\n\
         impl Store {\n    pub fn new() -> Store {\n        Store\n    }\n\n    \
         pub fn get(&self, key: &str) -> String {\n        load(key)\n    }\n}\n",
    ),
    (
        "src/app.rs",
        "use crate::store::{Store, load};\n\n\
         pub fn run() -> String {\n    let store = Store::new();\n    store.get(\"a\");\n    load(\"b\")\n}\n\n\
         fn count(items: &[u32], unread: u32) -> usize {\n    items.len()\n}\n\n\
         pub fn main() {\n    run();\n    count(&[1], 2);\n}\n",
    ),
    (
        "web/package.json",
        "{ \"name\": \"web\", \"version\": \"1.0.0\" }\n",
    ),
    (
        "web/tsconfig.json",
        "{ \"compilerOptions\": { \"paths\": { \"@lib/*\": [\"./src/*\"] } } }\n",
    ),
    (
        "web/src/lib.ts",
        "export function load(name: string): string {\n    return name;\n}\n",
    ),
    (
        "web/src/main.ts",
        "import { load } from \"@lib/lib\";\n\n\
         export function start(): string {\n    return load(\"x\");\n}\n",
    ),
];

pub struct Folder {
    temp: TempDir,
}

/// What a run of the program said.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn new(files: &[(&str, &str)]) -> Folder {
        let folder = Folder {
            temp: tempfile::tempdir().unwrap(),
        };
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    pub fn shop() -> Folder {
        Folder::new(SHOP)
    }

    pub fn path(&self) -> PathBuf {
        self.temp.path().join("tree")
    }

    /// A place beside the analysed folder.
    pub fn beside(&self, name: &str) -> String {
        self.temp.path().join(name).to_str().unwrap().to_owned()
    }

    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path().join(path)).unwrap()
    }

    pub fn remove(&self, path: &str) {
        std::fs::remove_file(self.path().join(path)).unwrap();
    }

    /// Runs the program in the folder.
    pub fn run(&self, args: &[&str]) -> Ran {
        run_in(&self.path(), args)
    }

    /// The answer of a run that must succeed.
    pub fn json(&self, args: &[&str]) -> Value {
        let ran = self.run(&[args, &["--format", "json"]].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {ran:?}"))
    }

    /// Analyses the folder into a report beside it, and reads that.
    pub fn report(&self) -> (String, Value) {
        let path = self.beside("report.json");
        let ran = self.run(&["analyze", "--report", &path]);
        assert_eq!(ran.code, 0, "{ran:?}");
        let text = std::fs::read_to_string(&path).unwrap();
        (path, serde_json::from_str(&text).unwrap())
    }
}

pub fn run_in(folder: &Path, args: &[&str]) -> Ran {
    let out = command(folder, args).output().unwrap();
    ran(&out)
}

pub fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(surefoot());
    command.args(args).current_dir(folder).stdin(Stdio::null());
    command.env("XDG_CACHE_HOME", surefoot_it::cache());
    // What is kept stays with the test.
    if let Some(beside) = folder.parent() {
        command.env("SUREFOOT_SNAPSHOT_DIR", beside.join("store"));
    }
    // The bounds of whoever runs the tests are not the subject.
    for name in [
        "SUREFOOT_MAX_REPORT_BYTES",
        "SUREFOOT_MAX_REPORT_NODES",
        "SUREFOOT_MAX_VERIFY_FILE_COUNT",
        "SUREFOOT_MAX_VERIFY_TOTAL_BYTES",
        "SUREFOOT_MAX_SNAPSHOT_BYTES",
    ] {
        command.env_remove(name);
    }
    command
}

pub fn ran(out: &Output) -> Ran {
    Ran {
        code: out.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&out.stdout).into_owned(),
        err: String::from_utf8_lossy(&out.stderr).into_owned(),
    }
}

impl Ran {
    /// The one object that a failure writes on standard error.
    pub fn failure(&self) -> Value {
        let lines: Vec<&str> = self.err.lines().collect();
        assert_eq!(lines.len(), 1, "one line, one object: {self:?}");
        let failure: Value = serde_json::from_str(lines[0]).unwrap();
        assert_eq!(failure["ok"], false, "{self:?}");
        failure
    }

    /// Exit code and reason of a failure told to a program.
    pub fn refused(&self) -> (i32, String) {
        let reason = self.failure()["reason"].as_str().unwrap().to_owned();
        (self.code, reason)
    }
}
