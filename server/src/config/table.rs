//! The table of settings: each line gives a field, its key, type, default, scope and what it does.

use serde_json::Value;

/// Who may set a key, in VS Code's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Only the user, never a file of the workspace: it names a program to run.
    Machine,
    /// User and workspace.
    Window,
}

/// The shape of a value, enough to write a schema and to say what was expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Bool,
    Integer {
        min: u64,
        max: u64,
    },
    Number {
        min: f64,
        max: f64,
    },
    Text,
    /// A list of strings.
    Texts,
    /// A list of globs.
    Globs,
    /// Language servers by name.
    Servers,
    /// One of these words, each with what it means.
    Word(&'static [(&'static str, &'static str)]),
}

/// The value of a key nobody set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Default {
    Bool(bool),
    Integer(u64),
    Number(f64),
    Text(&'static str),
    NoTexts,
    NoServers,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Without the prefix.
    pub key: &'static str,
    pub kind: Kind,
    pub default: Default,
    pub scope: Scope,
    /// Read by the editor's plugin, not by the server.
    pub editor_side: bool,
    pub about: &'static str,
}

/// A type a setting can have.
pub(super) trait Field: Sized {
    fn from_json(value: &Value, kind: Kind) -> Option<Self>;
}

impl Field for bool {
    fn from_json(value: &Value, _: Kind) -> Option<Self> {
        value.as_bool()
    }
}

impl Field for u64 {
    fn from_json(value: &Value, kind: Kind) -> Option<Self> {
        let Kind::Integer { min, max } = kind else {
            return None;
        };
        // Lua has one number type and sends 5.0 for 5.
        let number = value.as_u64().or_else(|| {
            value
                .as_f64()
                .filter(|f| *f >= 0.0 && f.fract() == 0.0)
                .map(|f| f as u64)
        })?;
        (min..=max).contains(&number).then_some(number)
    }
}

impl Field for f64 {
    fn from_json(value: &Value, kind: Kind) -> Option<Self> {
        let Kind::Number { min, max } = kind else {
            return None;
        };
        value.as_f64().filter(|number| (min..=max).contains(number))
    }
}

impl Field for String {
    fn from_json(value: &Value, _: Kind) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }
}

impl Field for Vec<String> {
    fn from_json(value: &Value, kind: Kind) -> Option<Self> {
        // An empty Lua table has no shape and arrives as an object.
        if value.as_object().is_some_and(serde_json::Map::is_empty) {
            return Some(Self::new());
        }
        let texts: Self = value
            .as_array()?
            .iter()
            .map(|item| item.as_str().map(str::to_owned))
            .collect::<Option<_>>()?;
        let fits = kind != Kind::Globs || texts.iter().all(|text| globset::Glob::new(text).is_ok());
        fits.then_some(texts)
    }
}

/// A language server of the user's own settings.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnServer {
    /// A name of the bridge's table, or any with a command.
    pub name: String,
    pub mode: Mode,
    /// Program and arguments; empty: what the table says.
    pub command: Vec<String>,
    /// Initialization options on top of ours.
    pub options: Value,
    pub memory_mb: u64,
    /// Questions in a session; 0: as many as there are.
    pub budget: u64,
    pub start_timeout_s: u64,
}

impl Field for Vec<OwnServer> {
    fn from_json(value: &Value, _: Kind) -> Option<Self> {
        // An empty Lua table has no shape and arrives as a list.
        if value.as_array().is_some_and(Vec::is_empty) {
            return Some(Self::new());
        }
        let servers = value.as_object()?.iter();
        servers
            .map(|(name, value)| own_server(name, value))
            .collect()
    }
}

fn own_server(name: &str, value: &Value) -> Option<OwnServer> {
    let mode_kind = Kind::Word(Mode::WORDS);
    let mut server = OwnServer {
        name: name.to_owned(),
        mode: Mode::OnDemand,
        command: Vec::new(),
        options: Value::Null,
        memory_mb: 4096,
        budget: 0,
        start_timeout_s: 120,
    };
    let Value::Object(map) = value else {
        server.mode = Mode::from_json(value, mode_kind)?;
        return Some(server);
    };
    let number = |value: &Value| {
        let kind = Kind::Integer {
            min: 0,
            max: 1_000_000,
        };
        u64::from_json(value, kind)
    };
    for (key, value) in map {
        match key.as_str() {
            "mode" => server.mode = Mode::from_json(value, mode_kind)?,
            "command" if value.is_string() => server.command = vec![value.as_str()?.to_owned()],
            "command" => server.command = Vec::from_json(value, Kind::Texts)?,
            "options" => server.options = value.clone(),
            "memoryMb" => server.memory_mb = number(value)?,
            "budget" => server.budget = number(value)?,
            "startTimeout" => server.start_timeout_s = number(value)?,
            _ => return None,
        }
    }
    Some(server)
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal: $about:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $(#[doc = $about] $variant),+ }

        impl $name {
            pub(super) const WORDS: &'static [(&'static str, &'static str)] = &[$(($word, $about)),+];
        }

        impl Field for $name {
            fn from_json(value: &Value, _: Kind) -> Option<Self> {
                match value.as_str()? {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

words! {
    /// Whether Surefoot serves a feature that other language servers serve too.
    Provider {
        Auto = "auto": "for languages no other server in this editor serves",
        Always = "always": "also beside another server; some editors then show only one of the two",
        Never = "never": "not at all",
    }
}

words! {
    /// How loud a diagnostic is.
    Severity {
        Off = "off": "not reported",
        Hint = "hint": "a hint: faded, not in the list of problems",
        Info = "info": "an information",
        Warning = "warning": "a warning",
    }
}

words! {
    /// How much a hover says.
    Verbosity {
        Off = "off": "no hover",
        Compact = "compact": "one line",
        Full = "full": "the line, and everything it rests on",
    }
}

words! {
    /// When a language server of our own is asked.
    Mode {
        Off = "off": "never started",
        OnDemand = "onDemand": "asked about calls on the screen that are not placed or may run several, then about those of the open call hierarchy",
        Idle = "idle": "then, while nobody works, about all others, a few files at a time, as long as its budget lasts",
    }
}

words! {
    /// What the editor logs of the protocol.
    Trace {
        Off = "off": "nothing",
        Messages = "messages": "names of messages",
        Verbose = "verbose": "whole messages",
    }
}

macro_rules! settings {
    ($($(@$editor:ident)? $field:ident: $ty:ty = $key:literal, $kind:expr, $default:expr, $scope:ident, $about:literal;)+) => {
        /// All settings, each with a value.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Settings { $(#[doc = $about] pub $field: $ty),+ }

        /// The rows in the order users read them.
        pub const TABLE: &[Setting] = &[$(Setting {
            key: $key,
            kind: $kind,
            default: $default,
            scope: Scope::$scope,
            editor_side: settings!(@editor $($editor)?),
            about: $about,
        }),+];

        impl std::default::Default for Settings {
            fn default() -> Self {
                let mut rows = TABLE.iter();
                // A default that its own kind refuses is a fault of this file, found by the first test run.
                Self { $($field: rows.next().and_then(|row| Field::from_json(&row.default.to_json(), row.kind))
                    .expect(concat!("the default of ", $key, " fits its kind"))),+ }
            }
        }

        impl Settings {
            /// Sets one key; false when the value does not fit.
            pub(super) fn set(&mut self, key: &str, value: &Value) -> bool {
                let Some(row) = TABLE.iter().find(|row| row.key == key) else { return false };
                match key {
                    $($key => match Field::from_json(value, row.kind) {
                        Some(value) => { self.$field = value; true }
                        None => false,
                    },)+
                    _ => false,
                }
            }
        }
    };
    (@editor) => { false };
    (@editor $editor:ident) => { true };
}

const COUNT: Kind = Kind::Integer {
    min: 0,
    max: 1_000_000,
};
const PROVIDER: Kind = Kind::Word(Provider::WORDS);
const SEVERITY: Kind = Kind::Word(Severity::WORDS);

settings! {
    code_lens_enabled: bool = "codeLens.enabled", Kind::Bool, Default::Bool(true), Window,
        "Show a line above each function: complexity, callers, fan-out.";
    code_lens_min_complexity: u64 = "codeLens.minComplexity", COUNT, Default::Integer(1), Window,
        "Show the lens only from this cyclomatic complexity on. 1 shows it on every function.";
    code_lens_min_callers: u64 = "codeLens.minCallers", COUNT, Default::Integer(0), Window,
        "Show the lens only from this number of callers on. A function that reaches codeLens.minComplexity and this is shown.";
    call_hierarchy: Provider = "callHierarchy.provider", PROVIDER, Default::Text("auto"), Window,
        "Answer the editor's call hierarchy.";
    type_hierarchy: Provider = "typeHierarchy.provider", PROVIDER, Default::Text("auto"), Window,
        "Answer the editor's type hierarchy.";
    document_symbols: Provider = "documentSymbols.provider", PROVIDER, Default::Text("auto"), Window,
        "Answer the outline of a file.";
    workspace_symbols: Provider = "workspaceSymbols.provider", PROVIDER, Default::Text("auto"), Window,
        "Answer the search for symbols of the workspace.";
    definition: Provider = "definition.provider", PROVIDER, Default::Text("never"), Window,
        "Answer go to definition.";
    references: Provider = "references.provider", PROVIDER, Default::Text("never"), Window,
        "Answer find references.";
    hover: Verbosity = "hover", Kind::Word(Verbosity::WORDS), Default::Text("compact"), Window,
        "What a hover over a call or a definition says.";
    unread_parameters: Severity = "diagnostics.unreadParameters.severity", SEVERITY, Default::Text("hint"), Window,
        "Parameters that no line of their function reads.";
    hotspots: Severity = "diagnostics.hotspots.severity", SEVERITY, Default::Text("info"), Window,
        "Functions whose hotspot score reaches diagnostics.hotspots.threshold.";
    hotspots_threshold: f64 = "diagnostics.hotspots.threshold", Kind::Number { min: 0.0, max: 1_000_000.0 }, Default::Number(10.0), Window,
        "The hotspot score from which a function is reported, in steps of 0.01.";
    import_cycles: Severity = "diagnostics.importCycles.severity", SEVERITY, Default::Text("off"), Window,
        "Files that import each other in a circle.";
    unresolved_imports: Severity = "diagnostics.unresolvedImports.severity", SEVERITY, Default::Text("off"), Window,
        "Imports that name this workspace where nothing answers.";
    diagnostics_exclude: Vec<String> = "diagnostics.exclude", Kind::Globs, Default::NoTexts, Window,
        "Files without diagnostics, as globs relative to their folder.";
    bridge_ask: bool = "bridge.ask", Kind::Bool, Default::Bool(true), Window,
        "Ask the other language servers of this editor about calls that the source alone cannot place.";
    bridge_servers: Vec<OwnServer> = "bridge.servers", Kind::Servers, Default::NoServers, Machine,
        "Language servers to start and ask where no server of this editor answers, by name: `off`, `onDemand`, `idle`, or an object with mode, command (a list), options, memoryMb, budget (questions in a session), startTimeout (seconds). Known by name: rust-analyzer, clangd, gopls, pyright, basedpyright, ty, typescript-language-server, jdtls.";
    files_max_size_kb: u64 = "files.maxSizeKb", Kind::Integer { min: 1, max: 1_048_576 }, Default::Integer(4096), Window,
        "Files larger than this are listed as skipped and not read.";
    memory_limit_mb: u64 = "memory.limitMb", Kind::Integer { min: 0, max: 1_048_576 }, Default::Integer(0), Window,
        "Let go of what can be made again when the server uses more memory than this, and say so in the status: facts of files nobody looks at, parsed trees, indices that make edits fast. 0 sets no bound.";
    @editor server_path: String = "server.path", Kind::Text, Default::Text(""), Machine,
        "The server to start. Empty takes the one that came with the extension, then the one on the PATH.";
    @editor server_extra_args: Vec<String> = "server.extraArgs", Kind::Texts, Default::NoTexts, Machine,
        "Arguments to start the server with, after its own.";
    @editor trace: Trace = "trace.server", Kind::Word(Trace::WORDS), Default::Text("off"), Window,
        "What the output channel shows of the messages between editor and server.";
}

impl Default {
    pub fn to_json(self) -> Value {
        match self {
            Self::Bool(value) => value.into(),
            Self::Integer(value) => value.into(),
            Self::Number(value) => number(value),
            Self::Text(value) => value.into(),
            Self::NoTexts => Value::Array(Vec::new()),
            Self::NoServers => Value::Object(serde_json::Map::new()),
        }
    }
}

/// A number as JSON tools write it: `10`, not `10.0`, so that a rewritten package.json stays the same.
pub(super) fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        (value as i64).into()
    } else {
        value.into()
    }
}

impl Setting {
    /// What a value has to be, for a person who wrote something else.
    pub fn expected(&self) -> String {
        match self.kind {
            Kind::Bool => "true or false".to_owned(),
            Kind::Integer { min, max } => format!("a whole number from {min} to {max}"),
            Kind::Number { min, max } => format!("a number from {min} to {max}"),
            Kind::Text => "a text".to_owned(),
            Kind::Texts => "a list of texts".to_owned(),
            Kind::Globs => "a list of globs such as `src/generated/**`".to_owned(),
            Kind::Servers => {
                "language servers by name, each \"off\", \"onDemand\", \"idle\" or an object"
                    .to_owned()
            }
            Kind::Word(words) => {
                let words: Vec<_> = words
                    .iter()
                    .map(|(word, _)| format!("\"{word}\""))
                    .collect();
                format!("one of {}", words.join(", "))
            }
        }
    }
}
