//! The one thread that owns the session: applies edits in order, hands out work, sends answers.
//!
//! It never parses, resolves, reads a file or waits for anybody. Work goes to the pool or to the engine's
//! thread, and what comes back is an event like any other.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use surefoot_bridge::Bridge;
use tower_lsp_server::jsonrpc::{Error, Id};
use tower_lsp_server::ls_types::{TextDocumentContentChangeEvent, Uri};

use super::asked::{Asked, Purpose};
use super::asking::{Asking, Placed};
use super::cancel::{Cancel, Reason};
use super::carried;
use super::client::Client;
use super::collecting::Collected;
use super::dispatch::{self, OnEdit, Route, Table, Waits};
use super::engine::{Engine, News};
use super::failure::Failure;
use super::glancing::{Glanced, Glancing};
use super::keeping::Keeping;
use super::kept_lenses::KeptLenses;
use super::outbox::Refresh;
use super::pool::Pool;
use super::progress::Indexing;
use super::publishing::{Diagnosing, Findings};
use super::requests::{self, selftest};
use super::state::{Applied, Documents};
use super::texts::Texts;
use super::transport::{Held, Inbound, Reply, Transport};
use super::view::{Queues, RootView, View};
use super::watch::{DiskChange, Health, Watch};
use super::{notifications, parent};
use crate::config::{Problem, Settings};

/// Requests that may be unanswered at a time. Beyond it they are refused at once, so that a client that asks
/// without end, or reads nothing, costs a bounded amount.
pub const IN_FLIGHT: usize = 1024;
/// Unread bytes above which requests are refused with a few bytes instead of answered with many.
pub const UNREAD_BOUND: usize = 64 << 20;
/// Attempts at a request whose document keeps changing.
const ATTEMPTS: u32 = 3;
/// Different complaints about settings in one session; more is somebody's generator.
const SAID_BOUND: usize = 100;
/// How long one turn may collect events before what they changed is passed on.
const TURN: Duration = Duration::from_millis(20);

/// Everything that can happen to the session.
pub enum Event {
    Client(Inbound, Held),
    /// A job of the pool ended. The ticket names the request, whose answer may not be wanted any more.
    Done {
        ticket: u64,
        outcome: Result<Value, Failure>,
    },
    Engine(News),
    /// A first graph around the open documents.
    Glanced(Glanced),
    /// Findings of the open documents.
    Found(Findings),
    /// Depths and cycles of the newest graph are there; what looking for them cost.
    Settled(Duration),
    /// Calls that are not placed, to be asked about.
    Questions(Collected),
    /// What an answer made of one of them.
    Placed(Placed),
    /// A language server of our own answered, or stands otherwise.
    Bridge(surefoot_bridge::Event),
    Disk(DiskChange),
    /// What the settings of the workspace name and may not.
    Ignored(Vec<String>),
    Watch(Health),
    ParentDied,
    /// The client is gone: no more input, or nowhere to write.
    Closed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifecycle {
    Fresh,
    Running,
    ShutDown,
}

/// A request without an answer.
struct Pending {
    reply: Reply,
    cancel: Cancel,
    route: Arc<Route>,
    method: String,
    params: Arc<Value>,
    subject: Option<Uri>,
    /// The stamp of the subject when the running attempt began.
    stamp: u64,
    attempts: u32,
    /// Everything the client had changed when it asked: a caller may stand in any document.
    needs: u64,
    /// Waits for the engine to have seen what the client has seen.
    parked: bool,
}

/// The session. Requests and notifications that change it get it whole; everybody else gets a `View`.
pub struct MainLoop {
    pub transport: Transport,
    pub documents: Documents,
    pub settings: Arc<Settings>,
    pub client: Arc<Client>,
    pub lifecycle: Lifecycle,
    pub roots: Vec<Uri>,
    pub asked: Asked,
    pub indexing: Indexing,
    pub engine: Engine,
    pub watch: Option<Watch>,
    pub watched_by_client: bool,
    /// What the watcher of our own last said; nothing where the client watches.
    pub watch_health: Option<Health>,
    /// The workspace is being read for the first time, or again as a whole.
    pub reading: bool,
    /// What the user should know, by subject.
    pub troubles: BTreeMap<&'static str, String>,
    pub told_health: Option<Value>,
    /// Documents the engine has not been told of.
    pub dirty: Vec<Uri>,
    /// The stamp the engine was last told.
    pub told_stamp: u64,
    /// Documents edited since the last publication.
    pub just_edited: Vec<Uri>,
    /// Counts the changes of roots; `reading` until they are published.
    pub generation: u64,
    pub roots_view: Arc<[RootView]>,
    pub revision: u64,
    /// Open documents that are not in the graph, and why.
    pub left_out: Arc<[(Uri, String)]>,
    pub diagnosing: Diagnosing,
    pub recheck: Option<Instant>,
    pub asking: Asking,
    pub keeping: Keeping,
    pub glancing: Glancing,
    /// Language servers of our own, where the user has set some up.
    pub own: Option<Arc<Bridge>>,
    texts: Arc<Texts>,
    pub kept_lenses: Arc<KeptLenses>,
    pub queues: Option<Arc<Queues>>,
    pub events: Sender<Event>,
    inbox: Receiver<Event>,
    table: Table,
    pub pool: Pool,
    pending: FxHashMap<u64, Pending>,
    tickets: FxHashMap<Id, u64>,
    next_ticket: u64,
    /// Jobs in the pool, those of requests answered meanwhile included.
    running: usize,
    /// The engine's snapshot has seen every document up to this stamp.
    pub applied: u64,
    /// Made when first asked for after a change.
    view: Option<Arc<View>>,
    /// Problems the user has been told of.
    said: FxHashSet<Problem>,
    exit: Option<ExitCode>,
}

impl MainLoop {
    pub fn new(
        transport: Transport,
        events: Sender<Event>,
        inbox: Receiver<Event>,
    ) -> std::io::Result<Self> {
        Ok(Self {
            transport,
            documents: Documents::default(),
            settings: Arc::default(),
            client: Arc::default(),
            lifecycle: Lifecycle::Fresh,
            roots: Vec::new(),
            asked: Asked::default(),
            indexing: Indexing::default(),
            engine: Engine::start(events.clone())?,
            watch: None,
            watched_by_client: false,
            watch_health: None,
            reading: false,
            troubles: BTreeMap::new(),
            told_health: None,
            dirty: Vec::new(),
            told_stamp: 0,
            just_edited: Vec::new(),
            generation: 0,
            roots_view: Arc::new([]),
            revision: 0,
            left_out: Arc::new([]),
            diagnosing: Diagnosing::default(),
            recheck: None,
            asking: Asking::default(),
            keeping: Keeping::default(),
            glancing: Glancing::default(),
            own: None,
            texts: Arc::default(),
            kept_lenses: Arc::default(),
            queues: None,
            events,
            inbox,
            table: dispatch::table(),
            pool: Pool::start()?,
            pending: FxHashMap::default(),
            tickets: FxHashMap::default(),
            next_ticket: 0,
            running: 0,
            applied: 0,
            view: None,
            said: FxHashSet::default(),
            exit: None,
        })
    }

    /// Runs until the client, its end or its parent's end says so.
    pub fn run(mut self) -> ExitCode {
        loop {
            let event = match self.next_wake() {
                None => self
                    .inbox
                    .recv()
                    .map_err(|_| RecvTimeoutError::Disconnected),
                Some(wake) => self.inbox.recv_deadline(wake),
            };
            let deadline = Instant::now() + TURN;
            let mut next = match event {
                Ok(event) => Some(event),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            while let Some(event) = next {
                self.guarded(|session| session.handle(event));
                if let Some(code) = self.exit {
                    return self.leave(code);
                }
                next = if Instant::now() < deadline {
                    self.inbox.try_recv().ok()
                } else {
                    None
                };
            }
            self.guarded(Self::end_turn);
            self.guarded(Self::wake);
        }
        self.leave(ExitCode::FAILURE)
    }

    /// A panic while handling one event must not end the session: an unanswered reply answers itself.
    fn guarded(&mut self, work: impl FnOnce(&mut Self)) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(self))) {
            tracing::error!("handling an event panicked: {}", panic_text(&*panic));
            self.view = None;
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Client(
                Inbound::Request {
                    method,
                    params,
                    reply,
                },
                _held,
            ) => self.request(method, params, reply),
            Event::Client(Inbound::Notification { method, params }, _held) => {
                notifications::handle(self, &method, params)
            }
            Event::Client(Inbound::Response { id, result }, _held) => self.response(&id, result),
            Event::Done { ticket, outcome } => self.done(ticket, outcome),
            Event::Engine(news) => self.news(news),
            Event::Glanced(glanced) => self.glanced(glanced),
            Event::Found(findings) => self.found(findings),
            Event::Settled(cost) => self.settled(cost),
            Event::Questions(questions) => self.questions(questions),
            Event::Placed(placed) => self.placed(placed),
            Event::Bridge(event) => self.bridge_event(event),
            Event::Disk(change) => self.disk_changed(change),
            Event::Ignored(found) => self.ignored(found),
            Event::Watch(health) => {
                self.watch_health = Some(health);
                self.tell_health();
            }
            Event::ParentDied => {
                tracing::warn!("the parent process is gone");
                self.exit = Some(self.exit_code());
            }
            Event::Closed => self.exit = Some(self.exit_code()),
        }
    }

    fn exit_code(&self) -> ExitCode {
        if self.lifecycle == Lifecycle::ShutDown {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }

    pub fn exit(&mut self) {
        self.exit = Some(self.exit_code());
    }

    fn leave(&mut self, code: ExitCode) -> ExitCode {
        self.stop_all();
        if let Some(bridge) = &self.own {
            bridge.leave();
        }
        // Long enough for a client that reads, short enough for one that does not.
        self.transport.flush(Duration::from_millis(300));
        code
    }

    /// Answers everything that waits. Part of shutting down.
    pub fn stop_all(&mut self) {
        for (_, pending) in self.pending.drain() {
            pending.cancel.cancel(Reason::Shutdown);
            pending
                .reply
                .send(Err(Failure::Stopped(Reason::Shutdown).into()));
        }
        self.tickets.clear();
    }

    fn request(&mut self, method: String, params: Value, reply: Reply) {
        match (self.lifecycle, method.as_str()) {
            (Lifecycle::Fresh, "initialize") => {
                return requests::initialize::answer(self, params, reply);
            }
            (Lifecycle::Fresh, _) => {
                return reply.send(Err(Failure::NotNow("not_initialized").into()));
            }
            (Lifecycle::Running, "initialize") => {
                return reply.send(Err(Failure::NotNow("initialized_twice").into()));
            }
            (Lifecycle::Running, "shutdown") => {
                self.lifecycle = Lifecycle::ShutDown;
                self.stop_all();
                return reply.send(Ok(Value::Null));
            }
            (Lifecycle::ShutDown, _) => {
                return reply.send(Err(Failure::NotNow("shut_down").into()));
            }
            (Lifecycle::Running, selftest::ON_LOOP) if selftest::enabled() => {
                return reply.send(selftest::on_loop(self, &params).map_err(Into::into));
            }
            (Lifecycle::Running, _) => {}
        }
        let Some(route) = self.table.get(&method) else {
            return reply.send(Err(Failure::Unknown(method).into()));
        };
        if self.tickets.contains_key(reply.id()) {
            return reply.send(Err(Failure::Params(
                "a request with this id is still unanswered".into(),
            )
            .into()));
        }
        let full = self.pending.len() >= IN_FLIGHT || self.running >= 2 * IN_FLIGHT;
        if full || self.transport.backlog.bytes() >= UNREAD_BOUND {
            return reply.send(Err(Failure::Busy.into()));
        }
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.tickets.insert(reply.id().clone(), ticket);
        let waits = route.waits;
        let pending = Pending {
            cancel: reply.cancel.clone(),
            subject: dispatch::subject(&params),
            params: Arc::new(params),
            reply,
            route,
            method,
            stamp: 0,
            attempts: 0,
            needs: if waits == Waits::No {
                0
            } else {
                self.documents.stamp(None)
            },
            parked: false,
        };
        let opened = dispatch::opened_hierarchy(&pending.method, &pending.params);
        self.pending.insert(ticket, pending);
        self.attempt(ticket);
        if let Some(handle) = opened {
            self.focus_on(&handle);
        }
    }

    /// Hands a request to the pool, on the snapshot of now, or parks it until there is one that has seen
    /// the document as the client has it.
    fn attempt(&mut self, ticket: u64) {
        let Some(pending) = self.pending.get(&ticket) else {
            return;
        };
        let (route, subject) = (pending.route.clone(), pending.subject.clone());
        let params = pending.params.clone();
        // The first reading takes long, and what only draws is asked for again after it.
        let unread = self.reading && self.waits_for_reading(route.waits, subject.as_ref(), &params);
        let Some(pending) = self.pending.get_mut(&ticket) else {
            return;
        };
        let own = self.documents.stamp(pending.subject.as_ref());
        let behind = pending
            .needs
            .max(if pending.subject.is_some() { own } else { 0 })
            > self.applied;
        pending.parked = match pending.route.on_edit {
            _ if self.reading => unread,
            OnEdit::Keep => pending.needs > self.applied,
            OnEdit::Retry | OnEdit::Refuse => behind,
        };
        if pending.parked {
            return;
        }
        let view = self.view();
        let Some(pending) = self.pending.get_mut(&ticket) else {
            return;
        };
        pending.attempts += 1;
        pending.cancel = pending.cancel.renewed();
        pending.stamp = view.documents.stamp(pending.subject.as_ref());
        let (cancel, events) = (pending.cancel.clone(), self.events.clone());
        self.running += 1;
        self.pool.run(pending.route.lane, move || {
            let outcome = match cancel.check() {
                Err(reason) => Err(reason.into()),
                Ok(()) => catch_unwind(AssertUnwindSafe(|| {
                    (route.run)(&view, Value::clone(&params), &cancel)
                }))
                .unwrap_or_else(|panic| Err(Failure::Panicked(panic_text(&*panic)))),
            };
            drop(view);
            let _ = events.send(Event::Done { ticket, outcome });
        });
    }

    /// The one place where a late result is dropped, retried or sent.
    fn done(&mut self, ticket: u64, outcome: Result<Value, Failure>) {
        self.running -= 1;
        let Some(pending) = self.pending.get(&ticket) else {
            // Answered already: cancelled by the client while the job ran.
            return;
        };
        let stale = self.documents.stamp(pending.subject.as_ref()) != pending.stamp;
        let superseded = match &outcome {
            Err(Failure::Stopped(Reason::Superseded)) => true,
            Ok(_) => stale && pending.route.on_edit != OnEdit::Keep,
            Err(_) => false,
        };
        if superseded && pending.route.on_edit == OnEdit::Retry && pending.attempts < ATTEMPTS {
            return self.attempt(ticket);
        }
        if let Err(Failure::Panicked(what)) = &outcome {
            tracing::error!("{} panicked: {what}", pending.method);
        }
        let outcome = if superseded {
            Err(Failure::Stopped(Reason::Superseded))
        } else {
            outcome
        };
        self.answer(ticket, outcome);
    }

    fn answer(&mut self, ticket: u64, outcome: Result<Value, Failure>) {
        if let Some(pending) = self.pending.remove(&ticket) {
            self.tickets.remove(pending.reply.id());
            if let Ok(value) = &outcome
                && pending.method == "workspace/executeCommand"
                && !self.client.options.show_call_tree
            {
                requests::execute_command::show(self, value);
            }
            pending.reply.send(outcome.map_err(Into::into));
        }
    }

    /// The client does not want this answer any more. It gets its error now; the job learns it by its token.
    pub fn cancel(&mut self, id: &Id) {
        if let Some(&ticket) = self.tickets.get(id) {
            self.pending[&ticket].cancel.cancel(Reason::Client);
            self.answer(ticket, Err(Failure::Stopped(Reason::Client)));
        }
    }

    fn response(&mut self, id: &Id, result: Result<Value, Error>) {
        if let Some(kind) = Refresh::of_id(id) {
            return self.transport.outbox.refreshed(kind);
        }
        if let Err(e) = &result {
            tracing::warn!("the client refused {id}: {e}");
        }
        match (self.asked.take(id), result) {
            (Some(Purpose::Configuration), Ok(answer)) => self.configure(&answer[0]),
            (Some(Purpose::Progress), result) => {
                self.indexing
                    .granted(&self.transport.outbox, result.is_ok());
            }
            (Some(Purpose::Question(id)), result) => self.answered(id, result.ok()),
            (Some(Purpose::Configuration | Purpose::Courtesy), _) => {}
            (None, _) => tracing::warn!("an answer to {id}, which was not asked"),
        }
    }

    /// A document is about to change: who asked about a place in it means that place, wherever it stands then.
    pub fn carry(&mut self, uri: &Uri, changes: &[TextDocumentContentChangeEvent]) {
        let encoding = self.client.encoding;
        let mut gone = Vec::new();
        for (&ticket, pending) in &mut self.pending {
            if pending.subject.as_ref() != Some(uri) || pending.route.on_edit == OnEdit::Keep {
                continue;
            }
            let Some(at) = carried::position(&pending.params) else {
                continue;
            };
            match carried::carried(at, changes, encoding) {
                Some(to) if to == at => {}
                Some(to) => carried::moved(Arc::make_mut(&mut pending.params), to),
                None => {
                    pending.cancel.cancel(Reason::Superseded);
                    gone.push(ticket);
                }
            }
        }
        for ticket in gone {
            self.answer(ticket, Err(Failure::Stopped(Reason::Superseded)));
        }
    }

    /// A document changed: who works on its old text may stop, and who has not begun need not begin.
    pub fn edited(&mut self, uri: &Uri) {
        self.view = None;
        let mut refused = Vec::new();
        for (&ticket, pending) in &self.pending {
            if pending.subject.as_ref() != Some(uri) || pending.route.on_edit == OnEdit::Keep {
                continue;
            }
            pending.cancel.cancel(Reason::Superseded);
            if pending.parked && pending.route.on_edit == OnEdit::Refuse {
                refused.push(ticket);
            }
        }
        for ticket in refused {
            self.answer(ticket, Err(Failure::Stopped(Reason::Superseded)));
        }
    }

    /// Requests that waited for the engine may begin.
    pub fn resume(&mut self) {
        let mut parked: Vec<u64> = Vec::new();
        parked.extend(
            self.pending
                .iter()
                .filter(|(_, p)| p.parked)
                .map(|(ticket, _)| ticket),
        );
        parked.sort_unstable();
        for ticket in parked {
            self.attempt(ticket);
        }
    }

    /// Tells the user what a clamped edit means, once per document.
    pub fn report_edit(&mut self, uri: &Uri, applied: Applied) {
        match applied {
            Applied::Cleanly | Applied::Clamped { first: false } => {}
            Applied::Clamped { first: true } => notifications::log_warning(
                self,
                format!(
                    "an edit of {} names a place that is not in Surefoot's copy of it; save or reopen the file to \
                     bring the two together",
                    uri.as_str()
                ),
            ),
            Applied::NotOpen => tracing::warn!("a change to {}, which is not open", uri.as_str()),
        }
    }

    /// The world at this moment.
    pub fn view(&mut self) -> Arc<View> {
        if let Some(view) = &self.view {
            return view.clone();
        }
        let queues = match &self.queues {
            Some(queues) => queues.clone(),
            None => self.queues.insert(self.queues()).clone(),
        };
        let view = Arc::new(View {
            documents: Arc::new(self.documents.clone()),
            settings: self.settings.clone(),
            client: self.client.clone(),
            roots: self.roots_view.clone(),
            texts: self.texts.clone(),
            kept_lenses: self.kept_lenses.clone(),
            queues,
            revision: self.revision,
            reading: self.reading,
            watch: self.watch_word(),
            left_out: self.left_out.clone(),
            neighbours: self.asking.neighbours.values().cloned().collect(),
            verdicts: self.asking.verdicts.clone(),
            own: self.own.clone(),
            outbox: self.transport.outbox.clone(),
            troubles: self.troubles.values().cloned().collect(),
        });
        self.view = Some(view.clone());
        view
    }

    /// Says what in the user's settings had no effect, each thing once.
    pub fn settings_problems(&mut self, problems: Vec<Problem>) {
        for problem in problems {
            if self.said.len() < SAID_BOUND && self.said.insert(problem.clone()) {
                notifications::log_warning(self, problem.to_string());
            }
        }
    }

    /// Something a view shows has changed.
    pub fn changed(&mut self) {
        self.view = None;
    }

    pub fn watch_parent(&self, pid: u32) {
        parent::watch(pid, self.events.clone());
    }

    /// Requests without an answer, and jobs that run or wait.
    pub fn load(&self) -> (usize, usize) {
        (self.pending.len(), self.running)
    }
}

/// What a panic said.
fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}
