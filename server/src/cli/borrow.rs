//! Asks a language server about the calls of an analysed folder: `analyze --lsp`, `disagreements`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use clap::Args;
use serde_json::Value;
use surefoot_bridge::{Answer, Ask, Bridge, Document, Event, Question, Said, Spec, Standing};
use surefoot_engine::{Answers, Change, Snapshot};
use surefoot_graph::{FileId, SiteId, SymbolId};
use surefoot_report::model::ResolverUse;

use super::failure::{Failure, Outcome};
use super::print::{Page, clean, count, thousands};
use super::progress::Bar;
use super::project::Project;
use crate::borrowed::{self, At, Found, Interest, KeptAnswers, Verdict, find, utf16_column, weigh};

/// A server to ask, and how long it may take.
#[derive(Debug, Clone, Args)]
pub struct Borrow {
    /// Ask this language server about the calls: a name (rust-analyzer, clangd, gopls, pyright, basedpyright, ty,
    /// typescript-language-server, jdtls) or a command line
    #[arg(long, value_name = "COMMAND")]
    pub lsp: Option<String>,

    /// Ask at most so many questions, calls that are not placed first
    #[arg(long, value_name = "N", requires = "lsp")]
    lsp_budget: Option<u64>,

    /// Give the server so many seconds until it has read the folder
    #[arg(long, value_name = "SECONDS", default_value_t = 120, requires = "lsp", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    lsp_start_timeout: u64,

    /// Ask again what was answered before. Answers are kept while the texts at both of their ends are the same
    #[arg(long, requires = "lsp")]
    lsp_again: bool,

    /// Options for the server as JSON, on top of ours, in its own words
    #[arg(long, value_name = "JSON", requires = "lsp")]
    lsp_options: Option<String>,
}

/// What came of asking.
#[derive(Default)]
pub struct Borrowed {
    pub resolvers: Vec<ResolverUse>,
    pub verdicts: BTreeMap<Verdict, u64>,
    /// Answers of an earlier run, whose texts are what they were.
    pub kept: u64,
    /// Why questions had no answer, with how many.
    pub unavailable: BTreeMap<String, u64>,
    pub seconds: f64,
}

/// Questions the server has not answered yet, at most.
const AHEAD: usize = 64;
/// How long the server may take for one answer.
const ANSWER: Duration = Duration::from_secs(60);
/// Longer than any single question may take.
const PATIENCE: Duration = Duration::from_secs(600);

impl Borrowed {
    /// How many questions somebody looked at.
    pub fn answered(&self) -> u64 {
        let looked = |(verdict, n): (&Verdict, &u64)| match verdict {
            Verdict::Unavailable | Verdict::Stale => 0,
            _ => *n,
        };
        self.verdicts.iter().map(looked).sum()
    }
}

impl Borrow {
    /// Asks, and puts the answers into the project. Nothing without `--lsp`.
    pub fn run(&self, project: &mut Project) -> Outcome<Option<Borrowed>> {
        let Some(line) = &self.lsp else {
            return Ok(None);
        };
        let mut spec = borrowed::from_line(line).map_err(Failure::invalid_request)?;
        spec.roots = vec![project.root().real().to_path_buf()];
        spec.start_timeout = Duration::from_secs(self.lsp_start_timeout);
        // Nobody sits before a run over a whole tree, and others may keep the machine busy.
        spec.answer_timeout = ANSWER;
        if let Some(options) = &self.lsp_options {
            let options: Value = serde_json::from_str(options)
                .map_err(|e| Failure::invalid_request(format!("--lsp-options is no JSON: {e}.")))?;
            borrowed::merge_options(&mut spec, &options);
        }
        let began = std::time::Instant::now();
        let kept = KeptAnswers::open(project.root(), &spec);
        let mut asking = Asking::start(&spec, self.lsp_budget, kept)?;
        asking.again = self.lsp_again;
        for pass in [Pass::Open, Pass::Placed, Pass::Implementations] {
            asking.ask_all(project, &spec, pass)?;
            // What may implement a member is asked where a member was found, by whomever.
            if pass == Pass::Implementations {
                asking.share_members(project);
            }
            if pass != Pass::Open {
                asking.keep(project);
            }
        }
        let written = asking.kept.write();
        tracing::debug!("answers: {written:?}");
        asking.borrowed.seconds = began.elapsed().as_secs_f64();
        asking.name_resolver(&spec);
        Ok(Some(asking.borrowed))
    }
}

/// What is asked about, one after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Open,
    Placed,
    Implementations,
}

impl Pass {
    fn ask(self) -> Ask {
        match self {
            Pass::Open | Pass::Placed => Ask::Definition,
            Pass::Implementations => Ask::Implementation,
        }
    }

    /// The calls of a file it asks about, those that tell most first.
    fn sites(self, snapshot: &Snapshot, file: FileId) -> Vec<SiteId> {
        if self == Pass::Implementations {
            return borrowed::declared_members(snapshot, file);
        }
        let mut wanted = borrowed::sites(snapshot, file);
        wanted.retain(|(_, interest)| (*interest == Interest::Placed) == (self == Pass::Placed));
        wanted.sort_by_key(|(site, interest)| (*interest, site.index));
        wanted.into_iter().map(|(site, _)| site).collect()
    }
}

struct Asking {
    bridge: Bridge,
    kept: KeptAnswers,
    /// Nothing that was kept is taken.
    again: bool,
    events: Receiver<Event>,
    /// What is left of the budget.
    left: u64,
    next: u64,
    open: BTreeMap<u64, (SiteId, At)>,
    answers: Vec<(SiteId, Ask, Answer)>,
    /// The calls of each declared member.
    members: BTreeMap<SymbolId, Vec<SiteId>>,
    /// Who answered before, where an answer was taken from there.
    before: BTreeSet<(String, String)>,
    borrowed: Borrowed,
}

impl Asking {
    fn start(spec: &Spec, budget: Option<u64>, kept: KeptAnswers) -> Outcome<Asking> {
        let (sender, events) = channel();
        let bridge = Bridge::start(move |event| drop(sender.send(event)));
        let bridge =
            bridge.map_err(|e| Failure::new("internal_error", format!("No thread: {e}.")))?;
        bridge.configure(vec![spec.clone()]);
        Ok(Asking {
            bridge,
            events,
            left: budget.unwrap_or(u64::MAX),
            next: 0,
            open: BTreeMap::new(),
            answers: Vec::new(),
            members: BTreeMap::new(),
            before: BTreeSet::new(),
            kept,
            again: false,
            borrowed: Borrowed::default(),
        })
    }

    /// Asks file by file.
    fn ask_all(&mut self, project: &Project, spec: &Spec, pass: Pass) -> Outcome<()> {
        let snapshot = project.snapshot.clone();
        let files: Vec<(FileId, Arc<str>)> = snapshot
            .files()
            .filter(|file| surefoot_bridge::language_of(&file.path).is_some_and(|l| spec.reads(l)))
            .map(|file| (file.id, file.path.clone()))
            .collect();
        let bar = Bar::new();
        for (nth, (file, path)) in files.iter().enumerate() {
            let wanted = pass.sites(&snapshot, *file);
            if wanted.is_empty() {
                continue;
            }
            bar.say(|| format!("asking about {path}, {} of {}", nth + 1, files.len()));
            self.ask_file(project, path, pass.ask(), &wanted)?;
        }
        Ok(())
    }

    fn is_off(&self) -> bool {
        let states = self.bridge.states();
        states
            .iter()
            .all(|state| matches!(state.standing, Standing::Off(_)))
    }

    fn ask_file(
        &mut self,
        project: &Project,
        path: &str,
        ask: Ask,
        sites: &[SiteId],
    ) -> Outcome<()> {
        let snapshot = project.snapshot.clone();
        let entry = snapshot.file_at(path).and_then(|file| snapshot.file(file));
        let (Some(entry), Some(text)) = (entry, project.text(path)) else {
            return Ok(());
        };
        let Ok(rel) = surefoot_session::RelPath::new(path) else {
            return Ok(());
        };
        let language: Arc<str> = surefoot_bridge::language_of(path)
            .unwrap_or_default()
            .into();
        let absolute = project.root().absolute(&rel);
        let mut shown = false;
        for site in sites {
            if self.has_member(project, *site, ask) {
                continue;
            }
            let Some(place) = snapshot.site_place(*site) else {
                continue;
            };
            let at = At {
                line: place.start.line,
                column: place.start.column,
                ask,
            };
            if self.take_kept(project, *site, at) || self.left == 0 || self.is_off() {
                continue;
            }
            if !shown {
                shown = true;
                self.bridge.show(&[Arc::new(Document {
                    path: absolute.clone(),
                    language: language.clone(),
                    text: text.clone(),
                    digest: entry.digest,
                })]);
            }
            let span = entry.positions.lines.line_span(place.start.line);
            let line = span.and_then(|span| text.get(span.start as usize..span.end as usize));
            self.next += 1;
            self.left -= 1;
            self.open.insert(self.next, (*site, at));
            self.bridge.ask(vec![Question {
                id: self.next,
                path: absolute.clone(),
                digest: entry.digest,
                language: language.clone(),
                line: place.start.line,
                utf8: place.start.column,
                utf16: utf16_column(line.unwrap_or_default(), place.start.column as usize),
                ask,
            }]);
            self.hear(project, AHEAD)?;
        }
        self.hear(project, 0)
    }

    /// What implements a member is the same at each of its calls, and dear to find: asked once.
    fn has_member(&mut self, project: &Project, site: SiteId, ask: Ask) -> bool {
        let target = project.snapshot.outcome(site).and_then(|now| now.symbol());
        let Some(target) = target.filter(|_| ask == Ask::Implementation) else {
            return false;
        };
        let calls = self.members.entry(target).or_default();
        calls.push(site);
        calls.len() > 1
    }

    /// Gives what was said of a member to all its calls.
    fn share_members(&mut self, project: &Project) {
        let asked = std::mem::take(&mut self.answers);
        for (site, ask, answer) in asked {
            let target = project.snapshot.outcome(site).and_then(|now| now.symbol());
            let calls = target.and_then(|target| self.members.remove(&target));
            for call in calls.unwrap_or_else(|| vec![site]) {
                self.answers.push((call, ask, answer.clone()));
            }
        }
    }

    /// The answer of an earlier run, where both its ends are what they were.
    fn take_kept(&mut self, project: &Project, site: SiteId, at: At) -> bool {
        if self.again {
            return false;
        }
        let (snapshot, root) = (&project.snapshot, project.root());
        let Some((server, said)) = self.kept.get(snapshot, root, site.file, at) else {
            return false;
        };
        self.borrowed.kept += 1;
        self.before
            .insert((server.name.clone(), server.version.clone()));
        let answer = Answer {
            id: 0,
            server,
            said,
        };
        self.answers.push((site, at.ask, answer));
        true
    }

    /// Waits until at most so many questions are open.
    fn hear(&mut self, project: &Project, most: usize) -> Outcome<()> {
        while self.open.len() > most {
            let event = self.events.recv_timeout(PATIENCE);
            let event = event.map_err(|_| {
                Failure::new(
                    "internal_error",
                    "The language server's lane stopped answering.",
                )
            })?;
            if let Event::Answered(answer) = event
                && let Some((site, at)) = self.open.remove(&answer.id)
            {
                let (snapshot, root) = (&project.snapshot, project.root());
                self.kept.put(snapshot, root, site.file, at, &answer);
                self.answers.push((site, at.ask, answer));
            }
        }
        Ok(())
    }

    /// Weighs the answers and puts what they tell into the graph.
    fn keep(&mut self, project: &mut Project) {
        let snapshot = project.snapshot.clone();
        let root = project.root().clone();
        let mut placed: BTreeMap<FileId, Vec<(u32, surefoot_graph::Outcome)>> = BTreeMap::new();
        for (site, ask, answer) in std::mem::take(&mut self.answers) {
            let text = |file: FileId| project.text(&snapshot.file(file)?.path.clone());
            let found =
                |place: &surefoot_bridge::Place| -> Found { find(&snapshot, &root, &text, place) };
            let weighed = weigh(&snapshot, site, ask, &answer.said, &answer.server, &found);
            *self.borrowed.verdicts.entry(weighed.verdict).or_default() += 1;
            if let Said::Unavailable(why) = answer.said {
                *self.borrowed.unavailable.entry(why).or_default() += 1;
            }
            if let Some(outcome) = weighed.outcome {
                placed
                    .entry(site.file)
                    .or_default()
                    .push((site.index, outcome));
            }
        }
        let changes = placed.into_iter().filter_map(|(file, placed)| {
            let entry = snapshot.file(file)?;
            Some(Change::Answers(Answers {
                path: entry.path.clone(),
                digest: entry.digest,
                placed,
            }))
        });
        project.apply(changes.collect());
    }

    /// Who answered, for the report; or why nobody did, in the server's own words. The same whether they were asked
    /// now or their answers were kept.
    fn name_resolver(&mut self, spec: &Spec) {
        let Some(state) = self.bridge.states().into_iter().next() else {
            return;
        };
        let answered = state.placed + state.nothing > 0;
        let name = match state.server.name.is_empty() {
            true => spec.key.clone(),
            false => state.server.name.clone(),
        };
        let words = match &state.standing {
            Standing::Off(why) => Some(why.clone()),
            _ if answered => None,
            _ if self.borrowed.kept > 0 && state.asked == 0 => None,
            _ => Some(
                state
                    .unavailable
                    .clone()
                    .unwrap_or_else(|| "it was not asked".to_owned()),
            ),
        };
        if answered {
            self.before
                .insert((name.clone(), state.server.version.clone()));
        }
        let mut said = match words {
            None => "answered".to_owned(),
            Some(why) if self.before.is_empty() => format!("unavailable: {why}"),
            Some(why) => format!("answered, then unavailable: {why}"),
        };
        if self.before.is_empty() {
            self.before.insert((name, state.server.version));
        }
        for (name, version) in std::mem::take(&mut self.before) {
            self.borrowed.resolvers.push(ResolverUse {
                name: name.into(),
                version: (!version.is_empty()).then(|| version.into()),
                state: std::mem::replace(&mut said, "answered".to_owned()).into(),
            });
        }
    }
}

/// What asking came to, for a person.
pub fn show(page: &mut Page, borrowed: &Borrowed) {
    page.blank();
    for resolver in &borrowed.resolvers {
        let version = resolver.version.as_deref().unwrap_or_default();
        page.heading(format!("Asked {} {version}", clean(&resolver.name)).trim_end());
        page.line(format_args!("  {}", clean(&resolver.state)));
    }
    if borrowed.kept > 0 {
        let kept = count(borrowed.kept, "answer");
        page.line(format_args!("  {kept} kept from an earlier run"));
    }
    for verdict in Verdict::ALL {
        let n = borrowed.verdicts.get(&verdict).copied().unwrap_or(0);
        if n > 0 {
            page.line(format_args!("  {:<13}{:>10}", verdict.word(), thousands(n)));
        }
    }
    for (why, n) in borrowed.unavailable.iter().take(5) {
        let times = page.dim(count(*n, "question"));
        page.line(format_args!("  {}  {times}", clean(why)));
    }
}
