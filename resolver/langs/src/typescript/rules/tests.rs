use super::specifier::resolve;
use std::collections::BTreeMap;
use std::sync::Arc;
use surefoot_facts::{ManifestFacts, PathReader, Specifier};
use surefoot_graph::{FileId, Rule};

/// A tree as a list of paths; manifests with their text.
#[derive(Default)]
struct Tree {
    files: Vec<String>,
    manifests: BTreeMap<String, Arc<ManifestFacts>>,
}

impl Tree {
    fn new(files: &[&str], manifests: &[(&str, &str)]) -> Tree {
        let read = |(path, text): &(&str, &str)| {
            let facts = crate::manifest_facts(path, text.as_bytes());
            ((*path).to_owned(), Arc::new(facts.expect("a manifest")))
        };
        Tree {
            files: files.iter().map(|f| (*f).to_owned()).collect(),
            manifests: manifests.iter().map(read).collect(),
        }
    }

    /// `path [rule]`, or the word for where it leads.
    fn ask(&self, from: &str, spec: &str) -> String {
        match resolve(self, from, spec) {
            Specifier::File { file, proved, rule } => {
                let path = &self.files[file.0 as usize];
                match (proved, rule) {
                    (true, Rule::Import) => path.clone(),
                    (_, rule) => format!("{path} [{}]", rule.id()),
                }
            }
            other => format!("{other:?}").to_lowercase(),
        }
    }
}

impl PathReader for Tree {
    fn file(&self, path: &str) -> Option<FileId> {
        let source = crate::of_path(path).is_some();
        let at = self.files.iter().position(|f| f == path)?;
        source.then_some(FileId(at as u32))
    }
    fn exists(&self, path: &str) -> bool {
        self.files.iter().any(|f| f == path) || self.manifests.contains_key(path)
    }
    fn manifest(&self, path: &str) -> Option<Arc<ManifestFacts>> {
        self.manifests.get(path).cloned()
    }
    fn manifests_named(&self, name: &str) -> Vec<Arc<str>> {
        let all = self.manifests.keys();
        all.filter(|p| p.rsplit('/').next() == Some(name))
            .map(|p| Arc::from(p.as_str()))
            .collect()
    }
    fn path(&self, file: FileId) -> Arc<str> {
        Arc::from(self.files[file.0 as usize].as_str())
    }
}

fn check(tree: &Tree, from: &str, rows: &[(&str, &str)]) {
    for (spec, wanted) in rows {
        assert_eq!(&tree.ask(from, spec), wanted, "{spec} from {from}");
    }
}

/// A relative path means the file itself, then with an extension, then a
/// folder; a script's extension means its source.
#[test]
fn relative_paths() {
    let tree = Tree::new(
        &[
            "a/m.ts",
            "a/x.ts",
            "a/x/index.ts",
            "a/y/index.tsx",
            "a/z.d.ts",
            "a/c.tsx",
            "a/w.mts",
            "b.ts",
            "a/data.json",
            "a/style.css",
            "a/two.part.ts",
            "a/pkg/src/main.ts",
            "index.ts",
        ],
        &[("a/pkg/package.json", r#"{"main": "./src/main"}"#)],
    );
    check(
        &tree,
        "a/m.ts",
        &[
            ("./x", "a/x.ts"),
            ("./x/", "a/x/index.ts"),
            ("./x.js", "a/x.ts"),
            ("./x.ts", "a/x.ts"),
            ("./y", "a/y/index.tsx"),
            ("./z", "a/z.d.ts"),
            ("./c.jsx", "a/c.tsx"),
            ("./c.js", "a/c.tsx"),
            ("./w.mjs", "a/w.mts"),
            ("./two.part", "a/two.part.ts"),
            ("../b", "b.ts"),
            ("..", "index.ts"),
            ("../", "index.ts"),
            ("./pkg", "a/pkg/src/main.ts"),
            ("./data.json", "outside"),
            ("./style.css?inline", "outside"),
            ("./none", "missing"),
            ("./none.css", "missing"),
            ("../../elsewhere", "outside"),
        ],
    );
}

/// The nearest configuration that lists the file decides; one that does not
/// list it makes the edge likely.
#[test]
fn mapped_paths() {
    let tree = Tree::new(
        &[
            "src/m.ts",
            "src/lib/a.ts",
            "src/lib/deep/b.ts",
            "gen/c.ts",
            "test/t.ts",
            "src/only.ts",
            "src/base/z.ts",
        ],
        &[
            (
                "tsconfig.json",
                r#"{"extends": ["./tsconfig.base.json"], "include": ["src"]}"#,
            ),
            (
                "tsconfig.base.json",
                r##"{"compilerOptions": {"baseUrl": "src", "paths": {
                "@/*": ["./*"], "@lib/*": ["lib/*"], "@lib/deep/*": ["lib/deep/*"],
                "#gen": ["../none", "../gen/c"], "only": ["only.ts"]}}}"##,
            ),
        ],
    );
    check(
        &tree,
        "src/m.ts",
        &[
            ("@/lib/a", "src/lib/a.ts"),
            ("@lib/a", "src/lib/a.ts"),
            ("@lib/deep/b", "src/lib/deep/b.ts"),
            ("#gen", "gen/c.ts"),
            ("only", "src/only.ts"),
            ("base/z", "src/base/z.ts"),
            ("@/none", "missing"),
        ],
    );
    check(
        &tree,
        "test/t.ts",
        &[("@/lib/a", "src/lib/a.ts [config-not-covering]")],
    );
}

/// A solution file lists nothing itself: the referenced project that lists the
/// file governs it.
#[test]
fn referenced_projects() {
    let tree = Tree::new(
        &["src/m.ts", "src/a.ts"],
        &[
            (
                "tsconfig.json",
                r#"{"files": [], "references": [{"path": "./tsconfig.app.json"}]}"#,
            ),
            (
                "tsconfig.app.json",
                r#"{"compilerOptions": {"paths": {"~/*": ["./src/*"]}}, "include": ["src/**/*.ts"]}"#,
            ),
        ],
    );
    check(&tree, "src/m.ts", &[("~/a", "src/a.ts")]);
}

/// Configurations that extend each other end, and one that cannot be read is
/// said to be so where it may decide.
#[test]
fn broken_configurations() {
    let tree = Tree::new(
        &["m.ts"],
        &[
            ("tsconfig.json", r#"{"extends": "./tsconfig.b.json"}"#),
            ("tsconfig.b.json", r#"{"extends": "./tsconfig.json"}"#),
        ],
    );
    check(&tree, "m.ts", &[("x", "outside")]);
    let tree = Tree::new(&["m.ts"], &[("tsconfig.json", "{ nonsense")]);
    check(
        &tree,
        "m.ts",
        &[
            ("x", "unreadable"),
            ("fs", "outside"),
            ("node:fs", "outside"),
        ],
    );
}

/// Packages of a workspace lead to their source, whatever their entry says is built.
#[test]
fn workspace_packages() {
    let tree = Tree::new(
        &[
            "packages/app/src/m.ts",
            "packages/core/src/index.ts",
            "packages/core/src/util.ts",
            "packages/core/src/sub/index.ts",
            "packages/ts/src/index.ts",
            "packages/plain/index.ts",
            "packages/old/src/index.ts",
            "packages/self/src/a.ts",
            "packages/self/src/b.ts",
            "elsewhere/x/src/index.ts",
        ],
        &[
            (
                "package.json",
                r#"{"workspaces": ["packages/*"], "devDependencies": {"vitest": "^1"}}"#,
            ),
            (
                "packages/app/package.json",
                r#"{"name": "app", "dependencies": {"@w/core": "workspace:*",
                "@w/ts": "*", "plain": "1", "old": "^2", "react": "^18", "x": "1"}, "devDependencies": {"@types/estree": "1"}}"#,
            ),
            (
                "packages/core/package.json",
                r#"{"name": "@w/core", "exports": {
                ".": {"types": "./dist/index.d.ts", "import": "./dist/index.mjs"},
                "./util": "./dist/util.js", "./sub": "./dist/sub/index.js", "./gone": "./dist/gone.js", "./*/private": null}}"#,
            ),
            (
                "packages/ts/package.json",
                r#"{"name": "@w/ts", "exports": {".": {"types": "./src/index.ts", "default": "./dist/index.js"}}}"#,
            ),
            ("packages/plain/package.json", r#"{"name": "plain"}"#),
            (
                "packages/old/package.json",
                r#"{"name": "old", "main": "lib/index.js", "types": "lib/index.d.ts"}"#,
            ),
            (
                "packages/self/package.json",
                r##"{"name": "self", "exports": {"./b": "./src/b.ts"}, "imports": {"#b": "./src/b.ts", "#r": "react", "#x/*": "./src/*.ts"}}"##,
            ),
            ("elsewhere/x/package.json", r#"{"name": "x"}"#),
        ],
    );
    check(
        &tree,
        "packages/app/src/m.ts",
        &[
            ("@w/core", "packages/core/src/index.ts [built-entry]"),
            ("@w/core/util", "packages/core/src/util.ts [built-entry]"),
            (
                "@w/core/sub",
                "packages/core/src/sub/index.ts [built-entry]",
            ),
            ("@w/core/gone", "missing"),
            ("@w/core/a/private", "notexported"),
            ("@w/core/src/util", "notexported"),
            ("@w/ts", "packages/ts/src/index.ts"),
            ("plain", "packages/plain/index.ts"),
            ("old", "packages/old/src/index.ts [built-entry]"),
            ("react", "outside"),
            ("react/jsx-runtime", "outside"),
            ("vitest", "outside"),
            ("estree", "outside"),
            ("x", "outside"),
            ("nobody", "outside"),
            ("@w/none", "missing"),
        ],
    );
    check(
        &tree,
        "packages/self/src/a.ts",
        &[
            ("self/b", "packages/self/src/b.ts"),
            ("self", "notexported"),
            ("#b", "packages/self/src/b.ts"),
            ("#x/b", "packages/self/src/b.ts"),
            ("#r", "outside"),
        ],
    );
}

/// Where a build goes is written in the package's configuration; a project
/// reference makes the mapping certain.
#[test]
fn built_entries_through_configurations() {
    let tree = Tree::new(
        &["app/m.ts", "other/m.ts", "core/source/main.ts"],
        &[
            (
                "package.json",
                r#"{"workspaces": ["app", "core", "other"]}"#,
            ),
            (
                "app/package.json",
                r#"{"name": "app", "dependencies": {"core": "*"}}"#,
            ),
            (
                "other/package.json",
                r#"{"name": "other", "dependencies": {"core": "file:../core"}}"#,
            ),
            (
                "core/package.json",
                r#"{"name": "core", "main": "./out/js/main.js"}"#,
            ),
            (
                "core/tsconfig.json",
                r#"{"compilerOptions": {"outDir": "out/js", "rootDir": "source"}}"#,
            ),
            (
                "app/tsconfig.json",
                r#"{"references": [{"path": "../core"}]}"#,
            ),
        ],
    );
    check(&tree, "app/m.ts", &[("core", "core/source/main.ts")]);
    check(
        &tree,
        "other/m.ts",
        &[("core", "core/source/main.ts [built-entry]")],
    );
}

/// pnpm links what is declared and nothing else; two packages of one name are ambiguous.
#[test]
fn pnpm_workspaces() {
    let tree = Tree::new(
        &["a/m.ts", "b/index.ts", "c/index.ts", "d/index.ts"],
        &[
            ("pnpm-workspace.yaml", "packages: ['*']"),
            (
                "a/package.json",
                r#"{"name": "a", "dependencies": {"b": "workspace:^", "twice": "workspace:*"}}"#,
            ),
            ("b/package.json", r#"{"name": "b"}"#),
            ("c/package.json", r#"{"name": "twice"}"#),
            ("d/package.json", r#"{"name": "twice"}"#),
            ("e/package.json", r#"{"name": "undeclared"}"#),
        ],
    );
    check(
        &tree,
        "a/m.ts",
        &[
            ("b", "b/index.ts"),
            ("twice", "ambiguous"),
            ("undeclared", "missing"),
        ],
    );
}
