//! Starts the real language servers that are on this machine, asks each where a call leads, kills it while it is
//! asked, and looks for what it leaves behind. Run by hand: no registry has all of them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use surefoot_bridge::{
    Answer, Ask, Bridge, Document, Event, Guard, Question, READY, Said, ServerState, Spec, entry,
};

use crate::run::Result;

const USAGE: &str = "\
cargo xtask servers [NAME[=COMMAND] ..]

  Starts each language server of Surefoot's table that is on the PATH, or those named, on a small program of its
  language, asks where a call leads, kills it while it is asked, asks again, and checks that no process is left.
";

/// The subcommand of this program that guards a server.
pub const GUARD: &str = "guard-server";
/// Until a server has read a program of two files.
const START: Duration = Duration::from_secs(180);

/// A program of two files whose second declares what the first calls.
struct Sample {
    language: &'static str,
    files: &'static [(&'static str, &'static str)],
    /// Where the call stands, and what the file that declares it is called without its ending.
    file: &'static str,
    call: &'static str,
    declared: &'static str,
}

const SAMPLES: &[Sample] = &[
    Sample {
        language: "rust",
        files: &[
            (
                "Cargo.toml",
                "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
            ),
            (
                "src/lib.rs",
                "mod store;\npub fn run() {\n    store::load(1);\n}\n",
            ),
            ("src/store.rs", "pub fn load(n: u32) -> u32 {\n    n\n}\n"),
        ],
        file: "src/lib.rs",
        call: "load(1)",
        declared: "store",
    },
    Sample {
        language: "c",
        files: &[
            (
                "main.c",
                "#include \"store.h\"\nint main(void) {\n    return load(1);\n}\n",
            ),
            ("store.h", "int load(int n);\n"),
            (
                "store.c",
                "#include \"store.h\"\nint load(int n) { return n; }\n",
            ),
        ],
        file: "main.c",
        call: "load(1)",
        declared: "store",
    },
    Sample {
        language: "go",
        files: &[
            ("go.mod", "module example.org/small\n\ngo 1.19\n"),
            (
                "main.go",
                "package main\n\nimport \"example.org/small/store\"\n\nfunc main() {\n\tstore.Load(1)\n}\n",
            ),
            (
                "store/store.go",
                "package store\n\nfunc Load(n int) int { return n }\n",
            ),
        ],
        file: "main.go",
        call: "Load(1)",
        declared: "store",
    },
    Sample {
        language: "python",
        files: &[
            (
                "app.py",
                "from store import load\n\n\ndef run():\n    load(1)\n",
            ),
            ("store.py", "def load(n):\n    return n\n"),
        ],
        file: "app.py",
        call: "load(1)",
        declared: "store",
    },
    Sample {
        language: "typescript",
        files: &[
            (
                "tsconfig.json",
                "{ \"compilerOptions\": { \"strict\": true } }\n",
            ),
            (
                "app.ts",
                "import { load } from './store';\nexport function run() {\n    load(1);\n}\n",
            ),
            (
                "store.ts",
                "export function load(n: number): number {\n    return n;\n}\n",
            ),
        ],
        file: "app.ts",
        call: "load(1)",
        declared: "store",
    },
    Sample {
        language: "java",
        files: &[
            (
                "App.java",
                "class App {\n    void run() {\n        Store.load(1);\n    }\n}\n",
            ),
            (
                "Store.java",
                "class Store {\n    static int load(int n) { return n; }\n}\n",
            ),
        ],
        file: "App.java",
        call: "load(1)",
        declared: "Store",
    },
];

pub fn run(args: &[String]) -> Result<()> {
    if args.iter().any(|arg| arg.starts_with('-')) {
        return Err(USAGE.to_owned());
    }
    let all: Vec<String> = READY.iter().map(|entry| entry.key.to_owned()).collect();
    let named = if args.is_empty() { &all } else { args };
    let mut failed = Vec::new();
    for name in named {
        match server(name, args.is_empty()) {
            Ok(line) => println!("{name:<28} {line}"),
            Err(why) => {
                println!("{name:<28} FAILED: {why}");
                failed.push(format!("{name}: {why}"));
            }
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(failed.join("\n"))
    }
}

fn server(name: &str, may_lack: bool) -> Result<String> {
    let (key, command) = name.split_once('=').unwrap_or((name, ""));
    let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    let mut spec = entry(key, (!command.is_empty()).then_some(&command[..]))?;
    if spec.program().is_none_or(|path| !path.is_file()) {
        let line = format!("not on this machine: {}", spec.command);
        return if may_lack { Ok(line) } else { Err(line) };
    }
    let sample = SAMPLES.iter().find(|sample| spec.reads(sample.language));
    let sample = sample.ok_or("there is no sample of its language")?;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let root = folder.path().canonicalize().map_err(|e| e.to_string())?;
    for (path, text) in sample.files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&root)).map_err(|e| e.to_string())?;
        fs::write(path, text).map_err(|e| e.to_string())?;
    }
    let before = listing(&root);
    spec.roots = vec![root.clone()];
    spec.start_timeout = START;
    let own = env::current_exe().map_err(|e| e.to_string())?;
    spec.guard = Guard(vec![own.into(), GUARD.into()]);
    let mut hand = Hand::new(spec, &root, sample)?;

    let began = Instant::now();
    hand.ask(Ask::Definition)?;
    let (answer, first) = hand.answer(began)?;
    let place = declared(&answer, sample)?;
    let state = hand.state();
    let group = state.process.ok_or("no process is known of it")?;

    // Killed while it has a question: its successor answers.
    kill("-STOP", group)?;
    hand.ask(Ask::Definition)?;
    kill("-KILL", group)?;
    let again = Instant::now();
    let (answer, second) = hand.answer(again)?;
    declared(&answer, sample)?;
    let restarted = hand.state();
    let successor = restarted.process.ok_or("its successor is not known")?;

    hand.ask(Ask::Implementation)?;
    let (implementation, _) = hand.answer(Instant::now())?;
    drop(hand);
    for group in [group, successor] {
        let left = of_group(group);
        if !left.is_empty() {
            return Err(format!("processes are left: {left:?}"));
        }
    }
    let new: Vec<String> = listing(&root)
        .into_iter()
        .filter(|f| !before.contains(f))
        .collect();
    Ok(format!(
        "{} {}: {place} after {:.1} s, {} MB; killed while asked, {} starts, then {:.1} s; implementations: {}; \
         left in the folder: {}; no process left",
        state.server.name,
        state.server.version,
        first.as_secs_f32(),
        restarted.memory_bytes.max(state.memory_bytes) >> 20,
        restarted.starts,
        second.as_secs_f32(),
        match implementation.said {
            Said::Places(_) => "places",
            Said::Nothing => "none",
            Said::Unavailable(_) | Said::Stale => "no answer",
        },
        if new.is_empty() {
            "nothing".to_owned()
        } else {
            new.join(", ")
        },
    ))
}

struct Hand {
    bridge: Bridge,
    events: Receiver<Event>,
    question: Question,
}

impl Hand {
    fn new(spec: Spec, root: &Path, sample: &Sample) -> Result<Hand> {
        let (sender, events) = channel();
        let bridge = Bridge::start(move |event| drop(sender.send(event)));
        let bridge = bridge.map_err(|e| e.to_string())?;
        bridge.configure(vec![spec]);
        let path = root.join(sample.file);
        let text = fs::read_to_string(&path).map_err(|e| e.to_string())?;
        let at = text
            .find(sample.call)
            .ok_or("the sample has no such call")?;
        let line = text[..at].matches('\n').count() as u32;
        let column = (at - text[..at].rfind('\n').map_or(0, |end| end + 1)) as u32;
        bridge.show(&[Arc::new(Document {
            path: path.clone(),
            language: sample.language.into(),
            text: text.into(),
            digest: [1; 32],
        })]);
        let question = Question {
            id: 0,
            path,
            digest: [1; 32],
            language: sample.language.into(),
            line,
            utf8: column,
            utf16: column,
            ask: Ask::Definition,
        };
        Ok(Hand {
            bridge,
            events,
            question,
        })
    }

    fn ask(&mut self, ask: Ask) -> Result<()> {
        self.question.id += 1;
        self.question.ask = ask;
        self.bridge.ask(vec![self.question.clone()]);
        Ok(())
    }

    fn answer(&self, since: Instant) -> Result<(Answer, Duration)> {
        let deadline = Instant::now() + START + START;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(Event::Answered(answer)) if answer.id == self.question.id => {
                    return Ok((answer, since.elapsed()));
                }
                Ok(_) => {}
                Err(_) => return Err(format!("no answer: {:?}", self.state())),
            }
        }
    }

    fn state(&self) -> ServerState {
        self.bridge.states().into_iter().next().unwrap_or_default()
    }
}

fn declared(answer: &Answer, sample: &Sample) -> Result<String> {
    let Said::Places(places) = &answer.said else {
        return Err(format!("it named no place: {:?}", answer.said));
    };
    let named = places.iter().find_map(|place| {
        let file = place.uri.rsplit('/').next()?;
        (file.split('.').next() == Some(sample.declared))
            .then(|| format!("{file}:{}:{}", place.line + 1, place.column + 1))
    });
    named.ok_or_else(|| format!("it named another place: {places:?}"))
}

fn kill(signal: &str, process: u32) -> Result<()> {
    let mut kill = std::process::Command::new("kill");
    crate::run::output(kill.args([signal, &process.to_string()])).map(drop)
}

/// Processes of a group that live, zombies included.
fn of_group(group: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let of_it = pids.filter(|pid| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let fields = stat
            .rsplit_once(')')
            .map(|(_, rest)| rest.split_whitespace());
        fields.and_then(|mut fields| fields.nth(2)?.parse().ok()) == Some(group)
    });
    of_it.collect()
}

fn listing(root: &Path) -> Vec<String> {
    let mut out = Vec::new();
    let mut queue: Vec<PathBuf> = vec![root.to_owned()];
    while let Some(folder) = queue.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && !path.is_symlink() {
                queue.push(path.clone());
            }
            if let Ok(relative) = path.strip_prefix(root) {
                out.push(relative.display().to_string());
            }
        }
    }
    out.sort();
    out
}
