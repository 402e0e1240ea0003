//! What project files say: manifests are files with facts, like any other.

use serde::{Deserialize, Serialize};

/// The parts of a manifest that decide how imports resolve. Paths as written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ManifestFacts {
    /// `Cargo.toml`.
    Cargo {
        /// The package's name as code names it (`-` became `_`), when it is one.
        package: Option<String>,
        /// `[lib] path` and name, `[[bin]]`, `[[example]]`, `[[test]]`, `[[bench]]` paths.
        lib_path: Option<String>,
        lib_name: Option<String>,
        targets: Vec<String>,
        /// A build script is named.
        build: bool,
        /// Dependencies of all sections: (name in code, `path` when written, package name).
        dependencies: Vec<(String, Option<String>, String)>,
        /// `[features]`: each with what it turns on.
        features: Vec<(String, Vec<String>)>,
        workspace: bool,
        members: Vec<String>,
        /// `[workspace.dependencies]`: (name, path, package).
        workspace_dependencies: Vec<(String, Option<String>, String)>,
    },
    /// `surefoot.toml`.
    Surefoot {
        /// Features of packages of the tree that are on beside their defaults.
        features: Vec<String>,
        /// Keys that mean nothing here, each with its line, from one.
        unknown: Vec<(u32, String)>,
    },
    /// `tsconfig.json`, `jsconfig.json` and what they extend.
    TsConfig {
        extends: Vec<String>,
        base_url: Option<String>,
        /// Pattern and its substitutions, in the order written.
        paths: Option<Vec<(String, Vec<String>)>>,
        references: Vec<String>,
        files: Option<Vec<String>>,
        include: Option<Vec<String>>,
        exclude: Option<Vec<String>>,
        root_dir: Option<String>,
        out_dir: Option<String>,
    },
    /// `package.json`. `exports` is kept as its JSON text: its key order decides.
    Package {
        name: Option<String>,
        main: Option<String>,
        module: Option<String>,
        types: Option<String>,
        exports: Option<String>,
        imports: Option<String>,
        workspaces: Vec<String>,
        /// Dependencies of all sections: name and range as written.
        dependencies: Vec<(String, String)>,
    },
    /// `pyproject.toml`, `setup.cfg`: folders that imports start from, as written.
    Python {
        name: Option<String>,
        roots: Vec<String>,
    },
    /// `pnpm-workspace.yaml`.
    Workspace { packages: Vec<String> },
    /// It stands there and cannot be read; in words for a person.
    Unreadable(String),
}
