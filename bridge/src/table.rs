//! The servers we know how to start, and what each needs so that it only reads.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

/// The command that starts a process behind a guard: [`crate::guard::run`] with what follows it.
#[derive(Clone, Debug, Default)]
pub struct Guard(pub Vec<OsString>);

/// How a server says that it has read what it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ready {
    /// `experimental/serverStatus` with `quiescent`.
    ServerStatus,
    /// `language/status` of type `ServiceReady`.
    LanguageStatus,
    /// By having no progress left, for a moment.
    Progress,
}

/// A server to start.
#[derive(Clone, Debug)]
pub struct Spec {
    /// What the user calls it.
    pub key: String,
    pub guard: Guard,
    pub command: String,
    pub arguments: Vec<String>,
    pub environment: Vec<(String, String)>,
    /// Languages it is asked about, in the protocol's words; all when empty.
    pub languages: Vec<String>,
    pub options: Value,
    /// What it is told when it asks for its configuration, by section.
    pub settings: Value,
    pub ready: Ready,
    /// It sees by itself what changes on the disk. Others are told, and started anew where nobody can say what.
    pub watches: bool,
    pub roots: Vec<PathBuf>,
    /// From its start until it has read what it needs.
    pub start_timeout: Duration,
    pub answer_timeout: Duration,
    /// The same for the first answer, where that is longer.
    pub first_timeout: Duration,
    /// Questions it may be asked in a session.
    pub budget: Option<u64>,
    /// Of the whole process tree; above it the server is started anew.
    pub memory_bytes: u64,
}

impl Spec {
    /// The program that is started, where it is found.
    pub fn program(&self) -> Option<PathBuf> {
        let named = Path::new(&self.command);
        let found = match named.components().nth(1) {
            Some(_) => named.to_owned(),
            None => {
                let folders = std::env::var_os("PATH")?;
                let mut all = std::env::split_paths(&folders).map(|folder| folder.join(named));
                all.find(|path| path.is_file())?
            }
        };
        found.canonicalize().ok()
    }

    pub fn reads(&self, language: &str) -> bool {
        self.languages.is_empty() || self.languages.iter().any(|own| own == language)
    }
}

/// A row of the table.
pub struct Entry {
    pub key: &'static str,
    command: &'static str,
    arguments: &'static [&'static str],
    pub languages: &'static [&'static str],
    ready: Ready,
}

const JS: &[&str] = &[
    "typescript",
    "typescriptreact",
    "javascript",
    "javascriptreact",
];

/// Every server that can be named without a command.
pub const READY: &[Entry] = &[
    Entry {
        key: "rust-analyzer",
        command: "rust-analyzer",
        arguments: &[],
        languages: &["rust"],
        ready: Ready::ServerStatus,
    },
    Entry {
        key: "clangd",
        command: "clangd",
        // Its index of the whole tree is written into the tree.
        arguments: &["--background-index=false", "--log=error"],
        languages: &["c", "cpp"],
        ready: Ready::Progress,
    },
    Entry {
        key: "gopls",
        command: "gopls",
        arguments: &[],
        languages: &["go"],
        ready: Ready::Progress,
    },
    Entry {
        key: "pyright",
        command: "pyright-langserver",
        arguments: &["--stdio"],
        languages: &["python"],
        ready: Ready::Progress,
    },
    Entry {
        key: "basedpyright",
        command: "basedpyright-langserver",
        arguments: &["--stdio"],
        languages: &["python"],
        ready: Ready::Progress,
    },
    Entry {
        key: "ty",
        command: "ty",
        arguments: &["server"],
        languages: &["python"],
        ready: Ready::Progress,
    },
    Entry {
        key: "typescript-language-server",
        command: "typescript-language-server",
        arguments: &["--stdio"],
        languages: JS,
        ready: Ready::Progress,
    },
    Entry {
        key: "jdtls",
        command: "jdtls",
        arguments: &[],
        languages: &["java"],
        ready: Ready::LanguageStatus,
    },
];

/// The server a user means by a name of the table, a command line, or both.
pub fn entry(key: &str, command: Option<&[String]>) -> Result<Spec, String> {
    let words = command.unwrap_or_default();
    // A server may be run by an interpreter or a loader, so its name may stand further behind.
    let named = std::iter::once(key)
        .chain(
            words
                .iter()
                .filter(|word| !word.starts_with('-'))
                .map(String::as_str),
        )
        .find_map(|word| READY.iter().find(|entry| entry.is_called(word)));
    let mut spec = Spec {
        key: key.to_owned(),
        guard: Guard::default(),
        command: String::new(),
        arguments: Vec::new(),
        environment: Vec::new(),
        languages: Vec::new(),
        options: Value::Null,
        settings: Value::Null,
        ready: Ready::Progress,
        watches: false,
        roots: Vec::new(),
        start_timeout: Duration::from_secs(120),
        answer_timeout: Duration::from_secs(10),
        first_timeout: Duration::from_secs(60),
        budget: None,
        memory_bytes: 4 << 30,
    };
    if let Some(entry) = named {
        spec.key = entry.key.to_owned();
        spec.command = entry.command.to_owned();
        spec.arguments = entry.arguments.iter().map(|&a| a.to_owned()).collect();
        spec.languages = entry.languages.iter().map(|&l| l.to_owned()).collect();
        spec.ready = entry.ready;
        spec.watches = matches!(
            entry.key,
            "rust-analyzer" | "clangd" | "typescript-language-server"
        );
        spec.environment = environment(entry.key);
        (spec.options, spec.settings) = settings(entry.key);
    }
    if let Some((program, arguments)) = words.split_first() {
        spec.command.clone_from(program);
        // The table's arguments stand where the user gives none.
        if !arguments.is_empty() || named.is_none() {
            spec.arguments = arguments.to_vec();
        }
    }
    if spec.command.is_empty() {
        let known: Vec<&str> = READY.iter().map(|entry| entry.key).collect();
        return Err(format!(
            "there is no server `{key}`; known are {}, and any other needs a command",
            known.join(", ")
        ));
    }
    Ok(spec)
}

impl Entry {
    fn is_called(&self, word: &str) -> bool {
        let stem = Path::new(word).file_stem().and_then(|stem| stem.to_str());
        stem.is_some_and(|stem| stem == self.key || stem == self.command)
    }
}

/// Variables that keep a server from changing the machine.
fn environment(key: &str) -> Vec<(String, String)> {
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    match key {
        // Without library sources it runs `rustup component add`; its `cargo metadata` fetches crates.
        "rust-analyzer" => {
            let mut out = vec![
                pair("RUSTUP_DIST_SERVER", NOWHERE),
                pair("RUSTUP_UPDATE_ROOT", NOWHERE),
                pair("RUSTUP_AUTO_INSTALL", "0"),
                pair("CARGO_NET_OFFLINE", "true"),
            ];
            out.extend(toolchain().map(|name| pair("RUSTUP_TOOLCHAIN", &name)));
            out
        }
        // It fetches modules, and a whole toolchain when go.mod names one.
        "gopls" => vec![
            pair("GOPROXY", "off"),
            pair("GOTOOLCHAIN", "local"),
            pair("GOFLAGS", "-mod=readonly"),
        ],
        "typescript-language-server" => vec![pair("npm_config_offline", "true")],
        _ => Vec::new(),
    }
}

/// Where nothing listens.
const NOWHERE: &str = "http://127.0.0.1:9";

/// The installed toolchain that rustup would take outside every project: a project's own toolchain file may name
/// one that is not installed.
fn toolchain() -> Option<String> {
    if let Ok(set) = std::env::var("RUSTUP_TOOLCHAIN") {
        return Some(set);
    }
    let home = std::env::var_os("RUSTUP_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".rustup")))?;
    let text = std::fs::read_to_string(home.join("settings.toml")).ok()?;
    let line = text.lines().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "default_toolchain").then(|| value.trim().trim_matches('"').to_owned())
    });
    line.filter(|name| !name.is_empty())
}

/// Initialization options, and settings by section, that keep a server to reading.
fn settings(key: &str) -> (Value, Value) {
    match key {
        "rust-analyzer" => {
            // Build scripts and procedural macros run code of the tree.
            let options = json!({
                "cargo": { "buildScripts": { "enable": false } },
                "procMacro": { "enable": false },
                "checkOnSave": false,
                "cachePriming": { "enable": false },
                "diagnostics": { "enable": false },
                "files": { "watcher": "server" },
            });
            (options.clone(), json!({ "rust-analyzer": options }))
        }
        "pyright" | "basedpyright" => {
            let analysis =
                json!({ "diagnosticMode": "openFilesOnly", "useLibraryCodeForTypes": true });
            let settings = json!({
                "python": { "analysis": analysis },
                "basedpyright": { "analysis": analysis },
            });
            (Value::Null, settings)
        }
        // Types of packages are fetched from the registry otherwise. Its second, quicker half knows single files only
        // and answers as long as the first one reads: an import in place of what it brings.
        "typescript-language-server" => (
            json!({
                "disableAutomaticTypingAcquisition": true,
                "tsserver": { "useSyntaxServer": "never" },
            }),
            Value::Null,
        ),
        "gopls" => {
            let settings = json!({ "gopls": { "staticcheck": false, "analyses": {} } });
            (settings["gopls"].clone(), settings)
        }
        "jdtls" => {
            let java = json!({
                "import": { "maven": { "offline": { "enabled": true } }, "gradle": { "offline": { "enabled": true } } },
                "autobuild": { "enabled": false },
            });
            let settings = json!({ "java": java });
            (json!({ "settings": settings }), settings)
        }
        _ => (Value::Null, Value::Null),
    }
}

/// A file's language in the protocol's words.
pub fn language_of(path: &str) -> Option<&'static str> {
    let (_, extension) = path.rsplit_once('.')?;
    Some(match extension {
        "rs" => "rust",
        "ts" | "mts" | "cts" => "typescript",
        "tsx" => "typescriptreact",
        "js" | "mjs" | "cjs" => "javascript",
        "jsx" => "javascriptreact",
        "py" | "pyi" => "python",
        "go" => "go",
        "java" => "java",
        "kt" | "kts" => "kotlin",
        "cs" => "csharp",
        "rb" => "ruby",
        "c" | "h" => "c",
        "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" | "ipp" => "cpp",
        "adb" | "ads" => "ada",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    /// A name alone starts what the table says, and a loader before a server does not hide it.
    #[test]
    fn a_server_is_known_by_name_or_by_command() {
        let by_name = entry("clangd", None).unwrap();
        assert_eq!(by_name.command, "clangd");
        assert_eq!(by_name.arguments[0], "--background-index=false");
        let line = words("/r/ld-linux.so.2 --library-path /r/lib /r/bin/rust-analyzer");
        let loaded = entry("mine", Some(&line)).unwrap();
        assert_eq!(
            (loaded.key.as_str(), loaded.ready),
            ("rust-analyzer", Ready::ServerStatus)
        );
        assert_eq!(loaded.arguments.len(), 3);
        let other = entry("mine", Some(&words("/x/my-server --stdio"))).unwrap();
        assert_eq!((other.key.as_str(), other.arguments.len()), ("mine", 1));
        assert!(other.reads("any"));
        assert!(entry("mine", None).unwrap_err().contains("needs a command"));
    }

    /// A server of ours must not fetch a toolchain, nor run what a tree says.
    #[test]
    fn rust_analyzer_is_kept_from_changing_the_machine() {
        let spec = entry("rust-analyzer", None).unwrap();
        let value = |key: &str| {
            let found = spec.environment.iter().find(|(own, _)| own == key);
            found.map(|(_, value)| value.as_str())
        };
        assert_eq!(value("RUSTUP_DIST_SERVER"), Some("http://127.0.0.1:9"));
        assert_eq!(value("CARGO_NET_OFFLINE"), Some("true"));
        assert_eq!(spec.options["cargo"]["buildScripts"]["enable"], false);
        assert_eq!(spec.options["procMacro"]["enable"], false);
    }
}
