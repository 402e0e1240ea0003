//! Asks the editor's other language servers about calls that the source alone cannot place.
//!
//! Only when nobody types, only about open documents, a few at a time, and only through the client: it has
//! those servers running already. An answer belongs to the text it was given for; when that has changed the
//! answer is dropped. A server that is slow, dies or says nothing costs the time it was given and no more.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use surefoot_engine::{Answers, Change};
use surefoot_graph::{
    Evidence, FileId, Outcome, Resolution, Resolver, Rule, SiteId, SymbolId, Target,
};
use tower_lsp_server::ls_types::{Location, Position, Uri};

use super::asked::Purpose;
use super::engine::Order;
use super::from_proto;
use super::main_loop::{Event, MainLoop};
use super::pool::Lane;
use super::view::{RootView, View};

/// Nothing is asked until the last publication is this old.
const REST: Duration = Duration::from_millis(600);
/// Questions that may be unanswered at a time.
const AT_ONCE: usize = 4;
/// Sites of one text that are asked about.
const PER_TEXT: usize = 200;
/// What the client may spend on one question, and how long we wait for it at all.
const TIMEOUT_MS: u64 = 2_000;
const LOST: Duration = Duration::from_secs(10);
/// How often a site is asked about again when a server found nothing: it may still be starting.
const TRIES: u32 = 3;
/// Rests after nobody answered, the longer the more often.
const PAUSES: [Duration; 4] = [
    Duration::from_secs(5),
    Duration::from_secs(20),
    Duration::from_secs(60),
    Duration::from_secs(300),
];

/// One site to ask about.
#[derive(Clone, Debug)]
pub struct Question {
    root: u32,
    path: Arc<str>,
    digest: [u8; 32],
    site: u32,
    uri: Uri,
    position: Position,
}

/// What came back, as docs/protocol.md has it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Answered {
    answers: Vec<ServerAnswer>,
    unavailable: Vec<Unavailable>,
}

#[derive(Debug, Deserialize)]
struct ServerAnswer {
    server: Server,
    #[serde(default)]
    via: Option<String>,
    #[serde(default)]
    locations: Vec<Location>,
}

#[derive(Debug, Deserialize)]
struct Server {
    name: String,
    #[serde(default)]
    version: String,
}

#[derive(Debug, Deserialize)]
struct Unavailable {
    server: String,
    why: String,
}

/// What is known of one of the other servers, for the status.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Neighbour {
    pub server: String,
    pub version: String,
    pub asked: u64,
    /// Answers that placed a call.
    pub placed: u64,
    /// Answers without a place.
    pub nothing: u64,
    /// Why it did not answer last, in its own words.
    pub unavailable: Option<String>,
}

/// A root and a path in it.
type TextName = (u32, Arc<str>);

/// How often each site was asked about, in the text of one digest.
type Tries = ([u8; 32], FxHashMap<u32, u32>);

/// The state of all asking.
#[derive(Default)]
pub struct Asking {
    due: Option<Instant>,
    collecting: bool,
    queue: VecDeque<Question>,
    open: FxHashMap<u64, (Question, Instant)>,
    next: u64,
    /// How often each site of a text was asked about.
    tries: FxHashMap<TextName, Tries>,
    /// Consecutive questions that nobody answered.
    silence: usize,
    pub neighbours: BTreeMap<String, Neighbour>,
}

/// A site that was placed, or not.
pub struct Placed {
    question: Question,
    outcome: Option<Outcome>,
}

impl MainLoop {
    /// Whether this client answers and the user wants it asked.
    fn may_ask(&self) -> bool {
        self.client.options.ask && self.settings.bridge_ask && !self.reading
    }

    /// Something was published. While someone types, questions wait until things are quiet again.
    pub fn questions_due(&mut self, typed: bool) {
        if typed {
            self.asking.queue.clear();
        }
        if self.may_ask() && (typed || self.asking.queue.is_empty()) {
            self.asking.due = Some(Instant::now() + REST);
        }
    }

    pub fn next_question(&self) -> Option<Instant> {
        let lost = self
            .asking
            .open
            .values()
            .map(|(_, asked)| *asked + LOST)
            .min();
        let due = self
            .asking
            .due
            .filter(|_| !self.asking.collecting && self.may_ask());
        [lost, due].into_iter().flatten().min()
    }

    /// Looks for what to ask, and gives up on what was never answered.
    pub fn wake_questions(&mut self) {
        let now = Instant::now();
        let lost: Vec<u64> = self
            .asking
            .open
            .iter()
            .filter(|(_, (_, asked))| *asked + LOST <= now)
            .map(|(id, _)| *id)
            .collect();
        for id in lost {
            self.asking.open.remove(&id);
            self.silent();
        }
        if self.asking.collecting || self.asking.due.is_none_or(|due| now < due) || !self.may_ask()
        {
            return;
        }
        self.asking.due = None;
        self.asking.collecting = true;
        let (view, events) = (self.view(), self.events.clone());
        self.pool.run(Lane::Background, move || {
            let collect = std::panic::AssertUnwindSafe(|| collect(&view));
            let questions = std::panic::catch_unwind(collect).unwrap_or_default();
            let _ = events.send(Event::Questions(questions));
        });
    }

    pub fn questions(&mut self, found: Vec<Question>) {
        self.asking.collecting = false;
        let mut wanted = VecDeque::new();
        let mut texts = FxHashSet::default();
        for question in found {
            let key = (question.root, question.path.clone());
            texts.insert(key.clone());
            let known = self
                .asking
                .tries
                .entry(key)
                .or_insert_with(|| (question.digest, FxHashMap::default()));
            if known.0 != question.digest {
                *known = (question.digest, FxHashMap::default());
            }
            let tried = known.1.get(&question.site).copied().unwrap_or(0);
            if tried < TRIES && (tried > 0 || known.1.len() < PER_TEXT) {
                wanted.push_back((tried, question));
            }
        }
        self.asking.tries.retain(|key, _| texts.contains(key));
        // What was never asked about comes first.
        wanted.make_contiguous().sort_by_key(|(tried, _)| *tried);
        self.asking.queue = wanted.into_iter().map(|(_, question)| question).collect();
        self.ask_next();
    }

    fn ask_next(&mut self) {
        while self.asking.open.len() < AT_ONCE && self.may_ask() {
            let Some(question) = self.asking.queue.pop_front() else {
                return;
            };
            let key = (question.root, question.path.clone());
            if let Some((_, tries)) = self.asking.tries.get_mut(&key) {
                *tries.entry(question.site).or_default() += 1;
            }
            self.asking.next += 1;
            let id = self.asking.next;
            let params = json!({
                "textDocument": { "uri": question.uri },
                "position": question.position,
                "kind": "definition",
                "timeoutMs": TIMEOUT_MS,
            });
            self.asking.open.insert(id, (question, Instant::now()));
            self.ask("surefoot/ask", params, Purpose::Question(id));
        }
    }

    /// The client's answer to a question of ours.
    pub fn answered(&mut self, id: u64, answer: Option<Value>) {
        let Some((question, _)) = self.asking.open.remove(&id) else {
            return;
        };
        let answered: Answered = answer
            .and_then(|value| serde_json::from_value(value).ok())
            .unwrap_or_default();
        for silent in &answered.unavailable {
            self.neighbour(&silent.server, "").unavailable =
                Some(silent.why.chars().take(300).collect());
        }
        if answered.answers.is_empty() {
            self.silent();
            return self.ask_next();
        }
        self.asking.silence = 0;
        for answer in &answered.answers {
            let neighbour = self.neighbour(&answer.server.name, &answer.server.version);
            neighbour.asked += 1;
            neighbour.unavailable = None;
            if answer.locations.is_empty() {
                neighbour.nothing += 1;
            } else {
                neighbour.placed += 1;
            }
        }
        let (view, events) = (self.view(), self.events.clone());
        self.pool.run(Lane::Background, move || {
            let place = std::panic::AssertUnwindSafe(|| place(&view, &question, &answered));
            let outcome = std::panic::catch_unwind(place).unwrap_or_default();
            let _ = events.send(Event::Placed(Placed { question, outcome }));
        });
        self.ask_next();
    }

    fn neighbour(&mut self, name: &str, version: &str) -> &mut Neighbour {
        self.changed();
        let neighbour = self.asking.neighbours.entry(name.to_owned()).or_default();
        neighbour.server = name.to_owned();
        if !version.is_empty() {
            neighbour.version = version.to_owned();
        }
        neighbour
    }

    /// Nobody answered: the rest of the questions waits, longer each time.
    fn silent(&mut self) {
        let pause = PAUSES[self.asking.silence.min(PAUSES.len() - 1)];
        self.asking.silence += 1;
        self.asking.queue.clear();
        self.asking.due = Some(Instant::now() + pause);
    }

    pub fn placed(&mut self, placed: Placed) {
        let Placed { question, outcome } = placed;
        match outcome {
            Some(outcome) => {
                let answers = Answers {
                    path: question.path,
                    digest: question.digest,
                    placed: vec![(question.site, outcome)],
                };
                self.engine.order(Order::Changes {
                    root: question.root,
                    changes: vec![Change::Answers(answers)],
                });
            }
            // It may still be starting: asked about once more, later.
            None if self.asking.due.is_none() => self.asking.due = Some(Instant::now() + PAUSES[0]),
            None => {}
        }
    }
}

/// The calls of open documents that are not placed.
fn collect(view: &View) -> Vec<Question> {
    let mut out = Vec::new();
    for root in view.roots.iter() {
        for (&file, (uri, _)) in root.open.iter() {
            let Some(entry) = root.snapshot.file(file) else {
                continue;
            };
            let mut of_text = 0;
            for index in 0..entry.site_count() {
                let site = SiteId { file, index };
                if of_text == PER_TEXT || !is_question(root, site) {
                    continue;
                }
                let Some(place) = root.snapshot.site_place(site) else {
                    continue;
                };
                of_text += 1;
                out.push(Question {
                    root: root.key,
                    path: entry.path.clone(),
                    digest: entry.digest,
                    site: index,
                    uri: uri.clone(),
                    position: view.range(root, &place).start,
                });
            }
        }
    }
    out
}

fn is_question(root: &RootView, site: SiteId) -> bool {
    let Some((facts, _)) = root.snapshot.site(site) else {
        return false;
    };
    let outcome = root.snapshot.outcome(site);
    let open = outcome.is_some_and(|outcome| outcome.resolution == Resolution::Undetermined);
    facts.kind.is_call() && !facts.broken && !facts.name.is_empty() && open
}

/// What the answers make of a site: all that name a place must name the same.
fn place(view: &View, question: &Question, answered: &Answered) -> Option<Outcome> {
    let root = view.roots.iter().find(|root| root.key == question.root)?;
    let file = root.snapshot.file_at(&question.path)?;
    if root.snapshot.file(file)?.digest != question.digest {
        return None;
    }
    let mut found: Option<Outcome> = None;
    for answer in answered
        .answers
        .iter()
        .filter(|answer| !answer.locations.is_empty())
    {
        let mut targets = answer
            .locations
            .iter()
            .map(|location| target(view, root, location));
        let first = targets.next()??;
        if targets.any(|target| target != Some(first)) {
            return None;
        }
        let name = match &answer.via {
            Some(via) => format!("{} via {via}", answer.server.name),
            None => answer.server.name.clone(),
        };
        let outcome = Outcome {
            resolution: if first == Target::Bucket {
                Resolution::Outside
            } else {
                Resolution::InTree
            },
            target: first,
            cause: None,
            evidence: Some(Evidence {
                rule: Rule::Asked,
                tier: Rule::Asked.tier(),
                via: Vec::new(),
                resolver: Resolver::Server {
                    name,
                    version: answer.server.version.clone(),
                },
            }),
            candidates: None,
            refused: None,
        };
        match &found {
            Some(before) if before.target != outcome.target => return None,
            Some(_) => {}
            None => found = Some(outcome),
        }
    }
    found
}

/// The symbol declared at a location; `Bucket` for a place outside every root; nothing for a place in the
/// tree where we know no declaration.
fn target(view: &View, root: &RootView, location: &Location) -> Option<Target> {
    let Some((at, offset)) = view.offset(&location.uri, location.range.start) else {
        // In the folder and not in the graph (ignored, generated) is not outside: nobody knows.
        let path = from_proto::path(&location.uri)?;
        let inside = view
            .roots
            .iter()
            .any(|root| root.files.relative(&path).is_ok());
        return (!inside).then_some(Target::Bucket);
    };
    if at.root.key != root.key {
        return Some(Target::Bucket);
    }
    declared(at.root, at.file, offset).map(Target::Symbol)
}

/// A server may point at the name or at the whole declaration.
fn declared(root: &RootView, file: FileId, offset: u32) -> Option<SymbolId> {
    let at = root.snapshot.at(file, offset)?;
    at.declares.or_else(|| {
        let info = root.snapshot.symbol_info(at.around)?;
        (info.full.span.start == offset).then_some(at.around)
    })
}
