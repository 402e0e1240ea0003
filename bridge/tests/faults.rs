//! Whatever a server does, each question has one answer, every process ends, and the words say what happened.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use surefoot_bridge::{
    Answer, Ask, Bridge, Document, Event, Guard, Question, Said, Spec, Standing, entry,
};
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(60);
const STORE: &str = "// é\npub fn load(n: u32) -> u32 { n }\n";
const LIB: &str = "pub fn run() {\n    let é = 1; load(é);\n    gone(1);\n}\n";

struct Hand {
    folder: TempDir,
    events: Receiver<Event>,
    bridge: Option<Bridge>,
    next: u64,
    ask: Ask,
}

impl Hand {
    fn new(faults: &str) -> Hand {
        Hand::with(faults, |_| {})
    }

    fn with(faults: &str, change: impl FnOnce(&mut Spec)) -> Hand {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("src")).unwrap();
        std::fs::write(folder.path().join("src/store.rs"), STORE).unwrap();
        std::fs::write(folder.path().join("src/lib.rs"), LIB).unwrap();
        let fake = env!("CARGO_BIN_EXE_fake-server");
        let mut spec = entry("fake", Some(&[fake.to_owned(), faults.to_owned()])).unwrap();
        spec.guard = Guard(vec![fake.into(), "guard".into()]);
        spec.roots = vec![folder.path().canonicalize().unwrap()];
        let note = folder.path().join("pids").display().to_string();
        spec.environment.push(("FAKE_NOTE".to_owned(), note));
        change(&mut spec);
        let (sender, events) = channel();
        let bridge = Bridge::start(move |event| drop(sender.send(event))).unwrap();
        bridge.configure(vec![spec]);
        let hand = Hand {
            folder,
            events,
            bridge: Some(bridge),
            next: 0,
            ask: Ask::Definition,
        };
        hand.show(LIB, 1);
        hand
    }

    fn bridge(&self) -> &Bridge {
        self.bridge.as_ref().unwrap()
    }

    fn lib(&self) -> PathBuf {
        self.folder
            .path()
            .canonicalize()
            .unwrap()
            .join("src/lib.rs")
    }

    fn show(&self, text: &str, digest: u8) {
        let document = Document {
            path: self.lib(),
            language: "rust".into(),
            text: text.into(),
            digest: [digest; 32],
        };
        self.bridge().show(&[Arc::new(document)]);
    }

    /// Asks about a place of the library's first text, by its columns in bytes and in UTF-16.
    fn ask(&mut self, line: u32, utf8: u32, utf16: u32) -> u64 {
        self.next += 1;
        let question = Question {
            id: self.next,
            path: self.lib(),
            digest: [1; 32],
            language: "rust".into(),
            line,
            utf8,
            utf16,
            ask: self.ask,
        };
        self.bridge().ask(vec![question]);
        self.next
    }

    fn ask_load(&mut self) -> u64 {
        self.ask(1, 16, 15)
    }

    fn answer(&self, id: u64) -> Answer {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(Event::Answered(answer)) if answer.id == id => return answer,
                Ok(_) => {}
                Err(_) => panic!("no answer to {id}: {:?}", self.bridge().states()),
            }
        }
    }

    fn said(&mut self) -> Said {
        let id = self.ask_load();
        self.answer(id).said
    }

    fn why(&mut self) -> String {
        match self.said() {
            Said::Unavailable(why) => why,
            other => panic!("{other:?}"),
        }
    }

    /// Ends the bridge; then no process of the server may be left.
    fn close(mut self) {
        drop(self.bridge.take());
        let pids = pids(self.folder.path());
        assert!(!pids.is_empty(), "the server never ran");
        let left = || pids.iter().filter(|pid| lives(pid));
        wait_until(&format!("none of {pids:?} is left"), || left().count() == 0);
    }
}

fn pids(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("pids")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// A zombie counts: nobody waited for it.
fn lives(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

fn wait_until(what: &str, so: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !so() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        // polls: the end of a process that is not ours tells nobody
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

/// The plain case: asked in the server's own counting of columns, answered with its name and version.
#[test]
fn a_server_is_started_asked_and_named() {
    for encoding in ["utf-8", "utf-16"] {
        let mut hand = Hand::new(encoding);
        assert_eq!(
            hand.bridge().states()[0].standing,
            Standing::Idle,
            "nobody asked yet"
        );
        // The fake slices bytes, so in UTF-16 it is asked where both counts agree.
        let id = if encoding == "utf-8" {
            hand.ask_load()
        } else {
            hand.ask(2, 4, 4)
        };
        let answer = hand.answer(id);
        assert_eq!(
            (&*answer.server.name, &*answer.server.version),
            ("fake", "1.0")
        );
        match answer.said {
            Said::Places(places) => {
                assert!(places[0].uri.ends_with("/src/store.rs"));
                assert_eq!((places[0].line, places[0].column), (1, 7));
            }
            other => assert_eq!((other, encoding), (Said::Nothing, "utf-16")),
        }
        let state = hand.bridge().states().remove(0);
        assert_eq!((state.standing, state.starts), (Standing::Ready, 1));
        hand.close();
    }
}

/// A server that cannot be used says why in its own words, and is not started for ever.
#[test]
fn broken_servers_cost_their_lane_and_say_why() {
    let slow = |spec: &mut Spec| spec.start_timeout = Duration::from_millis(700);
    let short = |spec: &mut Spec| {
        spec.answer_timeout = Duration::from_millis(100);
        spec.first_timeout = spec.answer_timeout;
    };
    let long = |_: &mut Spec| {};
    type Fault = (&'static str, fn(&mut Spec), &'static str);
    let faults: [Fault; 15] = [
        ("mute", slow, "no answer to initialize"),
        ("warms-for-ever", slow, "still busy: counting sheep"),
        ("silent", short, "no answer within 0.1 s"),
        ("reads-nothing", short, "no answer within 0.1 s"),
        ("wrong-ids", short, "no answer within 0.1 s"),
        ("dies-at-once", long, "nothing works today"),
        ("dies-asked", long, "out of cheese"),
        ("floods", long, "messages and no answer"),
        ("garbage", long, "no message"),
        ("not-json", long, "no JSON"),
        ("huge", long, "a message of 200 MB"),
        ("utf-7", long, "it counts columns in"),
        ("no-definitions", long, "it gives no definitions"),
        ("unwell", long, "no workspace was found"),
        ("errors", long, "something went wrong inside"),
    ];
    let mut hands = Vec::new();
    for (fault, change, words) in faults {
        let with_child = format!("{fault},forks");
        hands.push((fault, words, Hand::with(&with_child, change)));
    }
    for (fault, words, hand) in &mut hands {
        let why = hand.why();
        assert!(why.contains(*words), "{fault}: {why}");
    }
    for (_, _, hand) in hands {
        hand.close();
    }
}

/// After three failures it is left alone, and everybody who asks hears why at once.
#[test]
fn a_server_that_dies_in_a_loop_is_given_up() {
    let mut hand = Hand::new("dies-at-once");
    let mut why = hand.why();
    while !matches!(hand.bridge().states()[0].standing, Standing::Off(_)) {
        why = hand.why();
    }
    assert!(why.contains("nothing works today"), "{why}");
    assert_eq!(hand.bridge().states()[0].starts, 3);
    assert!(hand.why().contains("nothing works today"));
    hand.close();
}

/// Once dead is not always dead: the question is asked of its successor.
#[test]
fn a_server_that_died_is_asked_again() {
    let mut hand = Hand::new("dies-once");
    assert!(matches!(hand.said(), Said::Places(_)));
    let state = hand.bridge().states().remove(0);
    assert_eq!(state.starts, 2);
    // Killed from outside, between two questions.
    let known = || hand.bridge().states()[0].process;
    wait_until("its process is known", || known().is_some());
    let pid = known().unwrap().to_string();
    let killed = std::process::Command::new("kill")
        .args(["-9", &pid])
        .status();
    assert!(killed.unwrap().success());
    wait_until("it is dead", || !lives(&pid));
    assert!(matches!(hand.said(), Said::Places(_)));
    hand.close();
}

/// A server that says nothing of its reading is ready when it has been quiet for a moment.
#[test]
fn a_server_without_progress_is_asked_too() {
    let mut hand = Hand::new("says-nothing");
    assert!(matches!(hand.said(), Said::Places(_)));
    hand.close();
}

/// Servers wait until their own questions are answered.
#[test]
fn a_server_that_asks_for_its_settings_gets_them() {
    let mut hand = Hand::new("asks-settings");
    assert!(matches!(hand.said(), Said::Places(_)));
    hand.close();
}

/// A question belongs to its text: changed meanwhile, it is stale, waiting or asked.
#[test]
fn an_edit_makes_questions_stale() {
    let mut hand = Hand::new("silent");
    let ids: Vec<u64> = (0..6).map(|_| hand.ask_load()).collect();
    hand.show("pub fn other() {}\n", 2);
    let mut said: BTreeMap<u64, Said> = BTreeMap::new();
    while said.len() < ids.len() {
        match hand.events.recv_timeout(PATIENCE).unwrap() {
            Event::Answered(answer) => drop(said.insert(answer.id, answer.said)),
            Event::Changed => {}
        }
    }
    assert!(said.values().all(|said| *said == Said::Stale), "{said:?}");
    assert_eq!(hand.said(), Said::Stale, "its text is not shown any more");
}

/// Bounds are told to whoever meets them.
#[test]
fn a_spent_budget_and_a_full_queue_say_so() {
    let mut hand = Hand::with("", |spec| spec.budget = Some(2));
    assert!(matches!(hand.said(), Said::Places(_)));
    assert!(matches!(hand.said(), Said::Places(_)));
    assert!(hand.why().contains("budget of 2 questions is spent"));
    hand.close();

    let mut hand = Hand::new("mute");
    for _ in 0..512 {
        hand.ask_load();
    }
    assert!(hand.why().contains("512 questions wait"));
    hand.close();
}

/// A process tree that grows over its bound is ended, children included.
#[cfg(target_os = "linux")]
#[test]
fn a_server_over_its_memory_is_ended() {
    let mut hand = Hand::with("silent,forks", |spec| {
        spec.memory_bytes = 1 << 20;
        spec.answer_timeout = PATIENCE;
    });
    let why = hand.why();
    assert!(why.contains("more than its 1 MB"), "{why}");
    hand.close();
}

/// A program that does not exist is no reason to try again.
#[test]
fn a_missing_program_is_said_once() {
    let mut hand = Hand::with("", |spec| "/no/such/server".clone_into(&mut spec.command));
    let why = hand.why();
    assert!(
        why.contains("could not be started: /no/such/server"),
        "{why}"
    );
    assert!(matches!(
        hand.bridge().states()[0].standing,
        Standing::Off(_)
    ));
}

/// A server that ignores `exit` and the end of its input is ended all the same.
#[test]
fn a_server_that_stays_is_ended() {
    let mut hand = Hand::new("stays,forks");
    assert!(matches!(hand.said(), Said::Places(_)));
    assert_eq!(pids(hand.folder.path()).len(), 2);
    hand.close();
}

/// Nobody is asked about a language that no server reads.
#[test]
fn a_language_without_a_server_is_said() {
    let mut hand = Hand::with("", |spec| spec.languages = vec!["go".to_owned()]);
    assert!(hand.why().contains("no server is set up"));
}

/// An answer that comes when nobody waits for it any more is nobody's, and the next question has its own.
#[test]
fn a_late_answer_is_nobodys() {
    let mut hand = Hand::with("silent,late", |spec| {
        spec.answer_timeout = Duration::from_secs(3);
        spec.first_timeout = spec.answer_timeout;
    });
    assert!(hand.why().contains("no answer within"));
    assert!(matches!(hand.said(), Said::Places(_)));
    assert_eq!(hand.bridge().states()[0].starts, 1, "it is not to blame");
    hand.close();
}

/// A server that names no implementations is not bothered about them.
#[test]
fn implementations_are_asked_of_who_names_them() {
    for (faults, asked) in [("", 0), ("implements", 1)] {
        let mut hand = Hand::with(faults, |spec| spec.budget = Some(1));
        hand.ask = Ask::Implementation;
        assert_eq!(
            matches!(hand.said(), Said::Places(_)),
            asked == 1,
            "{faults}"
        );
        let state = hand.bridge().states().remove(0);
        assert_eq!(
            (state.asked, state.budget_left),
            (asked, Some(1 - asked)),
            "{faults}"
        );
        hand.close();
    }
}

/// A disk that changed in ways nobody can list makes what a server knows old: it is started anew, for the next question.
#[test]
fn a_server_of_another_disk_is_started_anew() {
    let mut hand = Hand::new("");
    assert!(matches!(hand.said(), Said::Places(_)));
    let store = hand
        .folder
        .path()
        .canonicalize()
        .unwrap()
        .join("src/store.rs");
    hand.bridge().changed(Some(&[store]));
    assert!(matches!(hand.said(), Said::Places(_)));
    assert_eq!(hand.bridge().states()[0].starts, 1, "it was told");
    hand.bridge().changed(None);
    assert!(matches!(hand.said(), Said::Places(_)));
    assert_eq!(hand.bridge().states()[0].starts, 2);
    hand.close();
}
