//! Asks other language servers about calls that the source alone cannot place.
//!
//! First the editor's own running servers, through the client; then servers of ours, where the user has set some
//! up. Only when nobody types, the calls that are on the screen first, a few at a time. An answer belongs to the
//! texts it was given for; when one of them has changed it is dropped. A server that is slow, dies or says
//! nothing costs the time it was given and no more.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use surefoot_bridge::{
    Answer, Ask, Document, Encoding as Columns, Place, Said, Server, language_of,
};
use surefoot_engine::{Answers, Change};
use surefoot_graph::SiteId;
use tower_lsp_server::ls_types::Location;

use super::asked::Purpose;
use super::collecting::{Collected, Question, Wanted, collect};
use super::engine::Order;
use super::from_proto;
use super::main_loop::{Event, MainLoop};
use super::pool::Lane;
use super::text::Encoding;
use super::tried::{TRIES, Tried};
use super::view::View;
use crate::borrowed::{self, End, Verdict, Weighed, find, weigh};

/// Nothing is asked until the last publication is this old.
const REST: Duration = Duration::from_millis(600);
/// Questions that may be unanswered at a time.
const AT_ONCE: usize = 8;
/// Open documents of a root that servers of ours see as the editor has them.
const OPEN: usize = 200;
/// What the client may spend on one question, and how long we wait for it at all.
const TIMEOUT_MS: u64 = 2_000;
const LOST: Duration = Duration::from_secs(10);
/// Names of servers that answered. A client that makes up more has them counted as one.
const NEIGHBOURS: usize = 64;
const OTHERS: &str = "others";
/// Rests after nobody answered, the longer the more often.
const PAUSES: [Duration; 4] = [
    Duration::from_secs(5),
    Duration::from_secs(20),
    Duration::from_secs(60),
    Duration::from_secs(300),
];
/// Longer than any server of ours may take to start and answer; each question has its own end before.
const LOST_OWN: Duration = Duration::from_secs(600);

/// What came back from the client, as docs/protocol.md has it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Answered {
    answers: Vec<ServerAnswer>,
    unavailable: Vec<Unavailable>,
}

#[derive(Debug, Deserialize)]
struct ServerAnswer {
    server: Named,
    #[serde(default)]
    via: Option<String>,
    #[serde(default)]
    locations: Vec<Location>,
}

#[derive(Debug, Deserialize)]
struct Named {
    name: String,
    #[serde(default)]
    version: String,
}

#[derive(Debug, Deserialize)]
struct Unavailable {
    server: String,
    why: String,
}

/// What is known of one of the editor's other servers, for the status.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Neighbour {
    pub server: String,
    pub version: String,
    pub asked: u64,
    /// Answers that named a place.
    pub placed: u64,
    /// Answers without a place.
    pub nothing: u64,
    /// Why it did not answer last, in its own words.
    pub unavailable: Option<String>,
}

/// The state of all asking.
#[derive(Default)]
pub struct Asking {
    due: Option<Instant>,
    collecting: bool,
    /// The last look found something to ask, so another may.
    more: bool,
    queue: VecDeque<Question>,
    open: FxHashMap<u64, (Question, Instant)>,
    next: u64,
    pub tried: Tried,
    /// Consecutive questions that nobody in the editor answered, and until when it is left alone.
    silence: usize,
    silent_until: Option<Instant>,
    /// The symbol of the hierarchy that was opened last.
    focus: Option<String>,
    pub neighbours: BTreeMap<String, Neighbour>,
    /// Every answer, by what became of it.
    pub verdicts: BTreeMap<Verdict, u64>,
}

/// A question and what its answers came to.
pub struct Placed {
    question: Question,
    weighed: Weighed,
}

impl MainLoop {
    fn may_ask_editor(&self) -> bool {
        let silent = self.asking.silent_until;
        self.borrows() && silent.is_none_or(|until| until <= Instant::now())
    }

    /// The editor's own servers are asked, when they answer.
    pub fn borrows(&self) -> bool {
        self.client.options.ask && self.settings.bridge_ask
    }

    /// Whether anybody can be asked.
    fn may_ask(&self) -> bool {
        !self.reading && (self.may_ask_editor() || self.own_servers())
    }

    /// Something was published. While someone types, questions wait until things are quiet again.
    pub fn questions_due(&mut self, typed: bool) {
        if typed {
            self.asking.queue.clear();
        }
        let somebody = self.borrows() || self.own_servers();
        let rested = Instant::now() + REST;
        // Only typing puts off what is due already.
        let sooner = self.asking.due.is_none_or(|due| due > rested);
        if somebody && !self.reading && (typed || self.asking.queue.is_empty() && sooner) {
            self.asking.due = Some(rested);
        }
    }

    /// A hierarchy was opened on a symbol: the calls that may belong to it are asked about next.
    pub fn focus_on(&mut self, handle: &str) {
        if self.asking.focus.as_deref() != Some(handle) {
            self.asking.focus = Some(handle.to_owned());
            self.questions_due(false);
        }
    }

    pub fn next_question(&self) -> Option<Instant> {
        let lost = self.asking.open.values().map(|(_, until)| *until).min();
        let free = !self.asking.collecting && !self.reading;
        let due = self.asking.due.filter(|_| free);
        [lost, due].into_iter().flatten().min()
    }

    /// Looks for what to ask, and gives up on what was never answered.
    pub fn wake_questions(&mut self) {
        let now = Instant::now();
        let open = self.asking.open.iter();
        let lost = open.filter(|(_, (_, until))| *until <= now);
        let lost: Vec<u64> = lost.map(|(id, _)| *id).collect();
        for id in lost {
            if let Some((question, _)) = self.asking.open.remove(&id) {
                self.unanswered(question);
            }
        }
        let waits = self.asking.due.is_none_or(|due| now < due);
        if self.asking.collecting || waits || !self.may_ask() {
            return;
        }
        self.asking.due = None;
        self.asking.collecting = true;
        let wanted = Wanted {
            focus: self.asking.focus.clone(),
            own: self.keeping.clone(),
            whole_tree: self.own_idle(),
        };
        let (view, events) = (self.view(), self.events.clone());
        let (tried, kept) = (self.asking.tried.clone(), self.kept_answers());
        self.pool.run(Lane::Background, move || {
            let collect = std::panic::AssertUnwindSafe(|| {
                tried.keep(&view.roots);
                let questions = collect(&view, &wanted, &tried);
                kept.take(&view, questions)
            });
            let (questions, answered) = std::panic::catch_unwind(collect).unwrap_or_default();
            let more = !questions.is_empty() || !answered.is_empty();
            for (question, answer) in answered {
                let Question {
                    root, site, ask, ..
                } = question;
                let (path, digest) = (&question.path, &question.digest);
                tried.tries(root, path, digest, (site, ask));
                tried.count(root, path, digest, (site, ask), TRIES);
                let weighed = together(&view, &question, std::slice::from_ref(&answer));
                let _ = events.send(Event::Placed(Placed { question, weighed }));
            }
            let _ = events.send(Event::Questions(Collected { questions, more }));
        });
    }

    pub fn questions(&mut self, found: Collected) {
        self.asking.collecting = false;
        self.asking.more = found.more;
        let mut wanted = Vec::new();
        for question in found.questions {
            let Question {
                root, site, ask, ..
            } = question;
            let tried = &self.asking.tried;
            let tried = tried.tries(root, &question.path, &question.digest, (site, ask));
            if tried < TRIES {
                wanted.push((tried, question));
            }
        }
        // What was never answered comes first; of these, what is on the screen.
        wanted.sort_by_key(|(tried, _)| *tried);
        self.asking.queue = wanted.into_iter().map(|(_, question)| question).collect();
        self.show_to_servers();
        self.ask_next();
    }

    /// The texts our own servers are to see: those that are asked about, and those that the editor has open, which
    /// may not be what the disk says.
    fn show_to_servers(&mut self) {
        if !self.own_servers() {
            return;
        }
        let mut seen = FxHashSet::default();
        let open = self.asking.open.values().map(|(question, _)| question);
        let all = open.chain(&self.asking.queue);
        let asked = all.filter(|q| seen.insert(q.file.clone())).map(|q| {
            Arc::new(Document {
                path: q.file.clone(),
                language: q.language.into(),
                text: q.text.as_str().into(),
                digest: q.digest,
            })
        });
        let mut documents: Vec<Arc<Document>> = asked.collect();
        for root in self.roots_view.iter() {
            let open = root.open.iter().take(OPEN);
            documents.extend(open.filter_map(|(file, (uri, text))| {
                let entry = root.snapshot.file(*file)?;
                let path = from_proto::path(uri).filter(|path| seen.insert(path.clone()))?;
                Some(Arc::new(Document {
                    path,
                    language: language_of(&entry.path)?.into(),
                    text: text.as_str().into(),
                    digest: entry.digest,
                }))
            }));
        }
        if let Some(bridge) = self.bridge() {
            bridge.show(&documents);
        }
    }

    fn ask_next(&mut self) {
        while self.asking.open.len() < AT_ONCE && self.may_ask() {
            let Some(question) = self.asking.queue.pop_front() else {
                // What else there is to ask, in files that are not open.
                let idle = self.asking.open.is_empty() && self.asking.due.is_none();
                if self.own_idle() && idle && self.asking.more {
                    self.asking.due = Some(Instant::now() + REST);
                }
                if self.asking.open.is_empty() {
                    self.keep_answers();
                }
                return;
            };
            let definition = question.ask == Ask::Definition;
            if question.on_screen && definition && self.may_ask_editor() {
                self.ask_editor(question);
            } else if self.own_reads(question.language) {
                self.ask_own(question);
            }
        }
    }

    fn ask_editor(&mut self, question: Question) {
        self.asking.next += 1;
        let id = self.asking.next;
        let params = json!({
            "textDocument": { "uri": question.uri },
            "position": question.text.position(question.offset, self.client.encoding),
            "kind": match question.ask {
                Ask::Definition => "definition",
                Ask::Implementation => "implementation",
            },
            "timeoutMs": TIMEOUT_MS,
        });
        self.asking
            .open
            .insert(id, (question, Instant::now() + LOST));
        self.ask("surefoot/ask", params, Purpose::Question(id));
    }

    fn ask_own(&mut self, question: Question) {
        self.asking.next += 1;
        let id = self.asking.next;
        let utf8 = question.text.position(question.offset, Encoding::Utf8);
        let utf16 = question.text.position(question.offset, Encoding::Utf16);
        let asked = surefoot_bridge::Question {
            id,
            path: question.file.clone(),
            digest: question.digest,
            language: question.language.into(),
            line: utf8.line,
            utf8: utf8.character,
            utf16: utf16.character,
            ask: question.ask,
        };
        self.asking
            .open
            .insert(id, (question, Instant::now() + LOST_OWN));
        if let Some(bridge) = self.bridge() {
            bridge.ask(vec![asked]);
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
            self.unanswered(question);
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
        let columns = match self.client.encoding {
            Encoding::Utf8 => Columns::Utf8,
            _ => Columns::Utf16,
        };
        let answers = answered
            .answers
            .into_iter()
            .map(|answer| answer.ours(id, columns));
        self.weigh_answers(question, answers.collect());
        self.ask_next();
    }

    /// What a server of our own did.
    pub fn bridge_event(&mut self, event: surefoot_bridge::Event) {
        self.changed();
        let surefoot_bridge::Event::Answered(answer) = event else {
            return self.tell_health();
        };
        if let Some((question, _)) = self.asking.open.remove(&answer.id) {
            match &answer.said {
                Said::Stale | Said::Unavailable(_) => {
                    let weighed = Weighed {
                        verdict: match answer.said {
                            Said::Stale => Verdict::Stale,
                            _ => Verdict::Unavailable,
                        },
                        outcome: None,
                    };
                    self.count_tries(&question, 1);
                    self.placed(Placed { question, weighed });
                }
                // It has read what it needs: what it does not find now it will not find later.
                _ => {
                    self.count_tries(&question, TRIES);
                    self.weigh_answers(question, vec![answer]);
                }
            }
        }
        self.ask_next();
    }

    fn weigh_answers(&mut self, question: Question, answers: Vec<Answer>) {
        self.count_tries(&question, 1);
        let (view, events, kept) = (self.view(), self.events.clone(), self.kept_answers());
        self.pool.run(Lane::Background, move || {
            let work = std::panic::AssertUnwindSafe(|| {
                kept.put(&view, &question, &answers);
                together(&view, &question, &answers)
            });
            let weighed = std::panic::catch_unwind(work).unwrap_or(NOTHING);
            let _ = events.send(Event::Placed(Placed { question, weighed }));
        });
    }

    /// Somebody answered about this site, whatever they said.
    fn count_tries(&mut self, question: &Question, tried: u32) {
        let Question {
            root, site, ask, ..
        } = *question;
        let known = &self.asking.tried;
        known.count(root, &question.path, &question.digest, (site, ask), tried);
    }

    fn neighbour(&mut self, name: &str, version: &str) -> &mut Neighbour {
        self.changed();
        let neighbours = &mut self.asking.neighbours;
        let room = neighbours.len() < NEIGHBOURS || neighbours.contains_key(name);
        let name = if room { name } else { OTHERS };
        let neighbour = neighbours.entry(name.to_owned()).or_default();
        neighbour.server = name.to_owned();
        if !version.is_empty() {
            neighbour.version = version.to_owned();
        }
        neighbour
    }

    /// Nobody in the editor answered: it is left alone, longer each time. A server of our own may know.
    fn unanswered(&mut self, question: Question) {
        let pause = PAUSES[self.asking.silence.min(PAUSES.len() - 1)];
        self.asking.silence += 1;
        let until = Instant::now() + pause;
        self.asking.silent_until = Some(until);
        if self.own_reads(question.language) {
            self.asking.queue.push_front(question);
        } else {
            self.asking.queue.clear();
            self.asking.due = Some(until);
        }
    }

    pub fn placed(&mut self, placed: Placed) {
        self.changed();
        let Placed { question, weighed } = placed;
        *self.asking.verdicts.entry(weighed.verdict).or_default() += 1;
        // What was said of a text that is gone is asked again. So is what stands in the graph, once it does not any
        // more: an answer is dropped when the text it leads to is another.
        let stands = weighed.outcome.is_some() && question.ask == Ask::Definition;
        if stands || weighed.verdict == Verdict::Stale {
            let Question {
                root, site, ask, ..
            } = question;
            let known = &self.asking.tried;
            known.forget(root, &question.path, &question.digest, (site, ask));
        }
        match weighed.outcome {
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
            None if weighed.verdict == Verdict::NoAnswer && self.asking.due.is_none() => {
                self.asking.due = Some(Instant::now() + PAUSES[0]);
            }
            None => {}
        }
    }
}

impl ServerAnswer {
    fn ours(self, id: u64, encoding: Columns) -> Answer {
        let name = match &self.via {
            Some(via) => format!("{} via {via}", self.server.name),
            None => self.server.name,
        };
        let places = self.locations.into_iter().map(|location| Place {
            uri: location.uri.as_str().to_owned(),
            line: location.range.start.line,
            column: location.range.start.character,
            encoding,
        });
        let places: Vec<Place> = places.collect();
        Answer {
            id,
            server: Server {
                name,
                version: self.server.version,
            },
            said: match places.is_empty() {
                true => Said::Nothing,
                false => Said::Places(places),
            },
        }
    }
}

const NOTHING: Weighed = Weighed {
    verdict: Verdict::NoAnswer,
    outcome: None,
};

/// What several answers make of a site: all that name a place must name the same.
fn together(view: &View, question: &Question, answers: &[Answer]) -> Weighed {
    let stale = Weighed {
        verdict: Verdict::Stale,
        outcome: None,
    };
    let Some(root) = view.roots.iter().find(|root| root.key == question.root) else {
        return stale;
    };
    let file = root.snapshot.file_at(&question.path);
    let current = file.and_then(|file| root.snapshot.file(file));
    let Some(file) = current.filter(|entry| entry.digest == question.digest) else {
        return stale;
    };
    let site = SiteId {
        file: file.id,
        index: question.site,
    };
    let text = |file| Some(Arc::from(view.text(root, file)?.as_str()));
    // Both ends: what an answer names has to be the text that the server read.
    let moved = |place: &Place| match borrowed::end(&root.snapshot, &root.files, &place.uri) {
        End::Inside(file) => {
            let entry = root.snapshot.file(file);
            let then =
                entry.and_then(|e| question.snapshot.file(question.snapshot.file_at(&e.path)?));
            entry.map(|e| e.digest) != then.map(|e| e.digest)
        }
        _ => false,
    };
    let places = answers.iter().flat_map(|answer| match &answer.said {
        Said::Places(places) => &places[..],
        _ => &[],
    });
    if places.into_iter().any(moved) {
        return stale;
    }
    let place = |place: &Place| find(&root.snapshot, &root.files, &text, place);
    let mut found: Option<Weighed> = None;
    for answer in answers.iter().filter(|a| matches!(a.said, Said::Places(_))) {
        let weighed = weigh(
            &root.snapshot,
            site,
            question.ask,
            &answer.said,
            &answer.server,
            &place,
        );
        let target = |w: &Weighed| w.outcome.as_ref().map(|o| o.target);
        match &found {
            Some(before) if target(before) != target(&weighed) => return NOTHING,
            Some(_) => {}
            None => found = Some(weighed),
        }
    }
    found.unwrap_or(NOTHING)
}
