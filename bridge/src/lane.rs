//! The lane of one server: its queue, its deadlines, its restarts, and the end of it all.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use crate::bridge::{Event, Tell};
use crate::question::{Answer, Ask, Document, Question, Said, Server};
use crate::running::{Heard, Open, Phase, Running};
use crate::state::{ServerState, Standing};
use crate::table::Spec;

/// Questions that wait. Whoever asks more is told so.
pub const QUEUE: usize = 512;
/// Questions a server has at a time.
const AT_ONCE: usize = 4;
/// Questions in a row without an answer after which it is taken for dead.
const SILENT: u32 = 3;
/// Failures after which it is left alone.
const STRIKES: u32 = 3;
/// Pauses after a failure, the longer the more often.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(5)];
/// Answers after which earlier failures are forgotten.
const GOOD: u32 = 100;
/// Asked again when it was cancelled, changed or restarted under the question.
const TRIES: u32 = 3;
/// A question that is asked again waits this long: the server said that it is busy.
const AGAIN: Duration = Duration::from_millis(300);
const WEIGH: Duration = Duration::from_secs(3);
/// Nobody asked for this long: the memory is worth more than the next start.
const IDLE: Duration = Duration::from_secs(900);

pub enum Order {
    Ask(Vec<Question>),
    /// The texts it is to see from now on, all of them.
    Show(Vec<Arc<Document>>),
    /// What happened on the disk.
    Changed(Option<Vec<PathBuf>>),
    Leave,
}

pub struct Lane {
    spec: Spec,
    orders: mpsc::UnboundedReceiver<Order>,
    tell: Tell,
    state: Arc<Mutex<ServerState>>,
    told: Standing,
    queue: VecDeque<(Question, u32)>,
    documents: BTreeMap<PathBuf, Arc<Document>>,
    running: Option<Running>,
    server: Server,
    strikes: u32,
    good: u32,
    silent: u32,
    rest: Option<Instant>,
    /// Nothing is asked before.
    again: Option<Instant>,
    weigh: Option<Instant>,
    used: Instant,
    off: Option<String>,
    /// The disk is another, and the server has not been told how.
    outdated: bool,
    count: ServerState,
}

impl Lane {
    pub fn new(
        spec: Spec,
        orders: mpsc::UnboundedReceiver<Order>,
        tell: Tell,
        state: Arc<Mutex<ServerState>>,
    ) -> Lane {
        let count = ServerState {
            key: spec.key.clone(),
            memory_bound: spec.memory_bytes,
            waiting_bound: QUEUE,
            budget_left: spec.budget,
            ..ServerState::default()
        };
        let server = Server {
            name: spec.key.clone(),
            version: String::new(),
        };
        let mut lane = Lane {
            spec,
            orders,
            tell,
            state,
            told: Standing::Idle,
            queue: VecDeque::new(),
            documents: BTreeMap::new(),
            running: None,
            server,
            strikes: 0,
            good: 0,
            silent: 0,
            rest: None,
            again: None,
            weigh: None,
            used: Instant::now(),
            off: None,
            outdated: false,
            count,
        };
        lane.show_state();
        lane
    }

    /// Until it is told to leave, or nobody can tell it anything any more.
    pub async fn run(mut self) {
        loop {
            let wake = self.next_wake();
            tokio::select! {
                order = self.orders.recv() => match order {
                    None | Some(Order::Leave) => break,
                    Some(order) => self.order(order),
                },
                message = incoming(&mut self.running) => self.heard(message).await,
                () = sleep_until(wake) => self.woke().await,
            }
            self.renew().await;
            self.start();
            self.pump().await;
            self.show_state();
        }
        if let Some(running) = self.running.take() {
            running.ask_to_leave();
            running.process.end(true).await;
        }
    }

    /// A server that still believes the old disk is ended; the next question starts it on the new one.
    async fn renew(&mut self) {
        if std::mem::take(&mut self.outdated)
            && let Some(mut running) = self.running.take()
        {
            for (_, open) in std::mem::take(&mut running.open) {
                self.queue.push_front((open.question, open.tries));
            }
            running.ask_to_leave();
            running.process.end(true).await;
            self.weigh = None;
        }
    }

    // ---- questions -----------------------------------------------------------------------

    fn order(&mut self, order: Order) {
        match order {
            Order::Ask(questions) => {
                for question in questions {
                    self.enqueue(question);
                }
            }
            Order::Show(documents) => {
                let all = documents.into_iter().map(|d| (d.path.clone(), d));
                self.documents = all.collect();
                self.drop_stale();
            }
            Order::Changed(Some(files)) => self.tell_changed(&files),
            Order::Changed(None) => self.outdated = self.running.is_some() && !self.spec.watches,
            Order::Leave => {}
        }
    }

    /// A server that is not up yet reads the disk when it is.
    fn tell_changed(&self, files: &[PathBuf]) {
        let up = self
            .running
            .as_ref()
            .filter(|running| !matches!(running.phase, Phase::Initializing));
        if let Some(running) = up {
            // One that does not read is found out by the next question.
            let _ = running.changed(files);
        }
    }

    fn enqueue(&mut self, question: Question) {
        let refused = if let Some(off) = &self.off {
            Some(off.clone())
        } else if self.queue.len() >= QUEUE {
            Some(format!("{QUEUE} questions wait for it already"))
        } else if self.count.budget_left == Some(0) {
            let budget = self.spec.budget.unwrap_or_default();
            Some(format!("its budget of {budget} questions is spent"))
        } else {
            None
        };
        match refused {
            Some(why) => self.answer(question.id, Said::Unavailable(why)),
            None => {
                self.count.budget_left = self.count.budget_left.map(|left| left - 1);
                self.queue.push_back((question, 0));
            }
        }
    }

    fn is_stale(&self, question: &Question) -> bool {
        let document = self.documents.get(&question.path);
        document.is_none_or(|document| document.digest != question.digest)
    }

    /// A text was changed: questions about the old one are nobody's any more.
    fn drop_stale(&mut self) {
        let (stale, queue): (Vec<_>, Vec<_>) = std::mem::take(&mut self.queue)
            .into_iter()
            .partition(|(question, _)| self.is_stale(question));
        self.queue = queue.into();
        let mut ids: Vec<u64> = stale.iter().map(|(question, _)| question.id).collect();
        if let Some(running) = &mut self.running {
            let open = running.open.iter();
            let cancelled: Vec<u64> = open
                .filter(|(_, open)| {
                    let document = self.documents.get(&open.question.path);
                    document.is_none_or(|document| document.digest != open.question.digest)
                })
                .map(|(id, _)| *id)
                .collect();
            for id in cancelled {
                ids.extend(running.cancel(id).map(|open| open.question.id));
            }
        }
        for id in ids {
            self.answer(id, Said::Stale);
        }
    }

    fn answer(&mut self, id: u64, said: Said) {
        match &said {
            Said::Places(_) => self.count.placed += 1,
            Said::Nothing => self.count.nothing += 1,
            Said::Unavailable(why) => {
                self.count.unanswered += 1;
                self.count.unavailable = Some(why.clone());
            }
            Said::Stale => {}
        }
        self.tell(id, said);
    }

    fn tell(&self, id: u64, said: Said) {
        (self.tell)(Event::Answered(Answer {
            id,
            server: self.server.clone(),
            said,
        }));
    }

    /// Gives a ready server what it may have at a time.
    async fn pump(&mut self) {
        let broken = self.try_pump().err();
        if let Some(words) = broken {
            self.broken(words).await;
        }
    }

    fn try_pump(&mut self) -> Result<(), String> {
        loop {
            let Some(running) = &mut self.running else {
                return Ok(());
            };
            let held = self.again.is_some_and(|again| Instant::now() < again);
            if !matches!(running.phase, Phase::Ready(_)) || running.open.len() >= AT_ONCE || held {
                return Ok(());
            }
            let Some((question, tries)) = self.queue.pop_front() else {
                return Ok(());
            };
            let document = self.documents.get(&question.path);
            if document.is_none_or(|document| document.digest != question.digest) {
                self.answer(question.id, Said::Stale);
                continue;
            }
            if question.ask == Ask::Implementation && !running.implements {
                // Nobody was bothered, so it costs nothing.
                self.count.budget_left = self.count.budget_left.map(|left| left + 1);
                self.tell(question.id, Said::Nothing);
                continue;
            }
            running.show(&self.documents)?;
            self.used = Instant::now();
            self.count.asked += 1;
            // The first answer is computed from nothing, by servers that read lazily: it is part of the start.
            let patience = match running.has_answered {
                true => self.spec.answer_timeout,
                false => self.spec.answer_timeout.max(self.spec.first_timeout),
            };
            running.ask(Open {
                question,
                deadline: Instant::now() + patience,
                tries: tries + 1,
            })?;
        }
    }

    // ---- the server ------------------------------------------------------------------------

    /// Starts it when there is something to ask and nothing against it.
    fn start(&mut self) {
        let rests = self.rest.is_some_and(|rest| Instant::now() < rest);
        if self.running.is_some() || self.queue.is_empty() || self.off.is_some() || rests {
            return;
        }
        self.rest = None;
        self.count.starts += 1;
        self.silent = 0;
        match Running::start(&self.spec) {
            Ok(running) => {
                self.weigh = Some(Instant::now() + WEIGH);
                self.running = Some(running);
            }
            Err(words) => self.give_up(words),
        }
    }

    async fn heard(&mut self, message: Option<Result<Value, String>>) {
        let Some(running) = &mut self.running else {
            return;
        };
        let broken = match message {
            None => Some(String::new()),
            Some(Err(words)) => Some(words),
            Some(Ok(message)) => match running.hear(message) {
                Heard::Nothing => None,
                Heard::Broken(words) => Some(words),
                Heard::Phase => {
                    self.advance();
                    None
                }
                Heard::Answer(open, said) => {
                    self.answered(open, said);
                    None
                }
            },
        };
        if let Some(words) = broken {
            self.broken(words).await;
        }
    }

    fn answered(&mut self, open: Open, said: Result<Said, (String, bool)>) {
        self.silent = 0;
        self.good += 1;
        if self.good >= GOOD {
            self.strikes = 0;
        }
        match said {
            Ok(said) => self.answer(open.question.id, said),
            Err((_, true)) if open.tries < TRIES => {
                self.again = Some(Instant::now() + AGAIN);
                self.queue.push_front((open.question, open.tries));
            }
            Err((why, _)) => self.answer(open.question.id, Said::Unavailable(why)),
        }
    }

    fn advance(&mut self) {
        let Some(running) = &mut self.running else {
            return;
        };
        self.server.clone_from(&running.server);
        running.phase = match std::mem::replace(&mut running.phase, Phase::Initializing) {
            Phase::Warming(warmup) if warmup.is_ready() => Phase::Ready(warmup),
            other => other,
        };
    }

    /// It is of no use any more: ended, and started again later, unless that has been tried enough.
    async fn broken(&mut self, mut words: String) {
        let Some(mut running) = self.running.take() else {
            return;
        };
        if words.is_empty() {
            running.process.settle().await;
            words = running.process.words();
            if words.is_empty() {
                words = "it ended".to_owned();
            }
        }
        let never_started = words.contains("could not be started");
        let open = std::mem::take(&mut running.open);
        running.process.end(false).await;
        self.weigh = None;
        self.good = 0;
        for (_, open) in open.into_iter().rev() {
            // Asked once more of its successor; a question that kills twice is not asked a third time.
            if open.tries < 2 {
                self.queue.push_front((open.question, open.tries));
            } else {
                self.answer(open.question.id, Said::Unavailable(words.clone()));
            }
        }
        self.strikes += 1;
        self.count.unavailable = Some(words.clone());
        if never_started || self.strikes >= STRIKES {
            self.give_up(words);
        } else {
            let pause = PAUSES[(self.strikes as usize - 1).min(PAUSES.len() - 1)];
            self.rest = Some(Instant::now() + pause);
        }
    }

    fn give_up(&mut self, words: String) {
        self.count.unavailable = Some(words.clone());
        self.off = Some(words.clone());
        // Whoever hears the answer may look at the state.
        self.show_state();
        for (question, _) in std::mem::take(&mut self.queue) {
            self.answer(question.id, Said::Unavailable(words.clone()));
        }
    }

    // ---- time ------------------------------------------------------------------------------

    fn next_wake(&self) -> Instant {
        let far = Instant::now() + Duration::from_secs(3600);
        let mut times = vec![Some(far), self.again, self.weigh];
        match &self.running {
            None if !self.queue.is_empty() => times.push(self.rest),
            None => {}
            Some(running) => {
                times.extend(running.open.values().map(|open| Some(open.deadline)));
                match &running.phase {
                    Phase::Initializing => times.push(Some(running.deadline)),
                    Phase::Warming(warmup) => {
                        times.push(Some(running.deadline));
                        times.push(warmup.look_at());
                    }
                    Phase::Ready(_) => times.push(Some(self.used + IDLE)),
                }
            }
        }
        times.into_iter().flatten().min().unwrap_or(far)
    }

    async fn woke(&mut self) {
        let now = Instant::now();
        if self.again.is_some_and(|again| again <= now) {
            self.again = None;
        }
        self.advance();
        if let Some(words) = self.overdue(now).or_else(|| self.overweight(now)) {
            return self.broken(words).await;
        }
        let idle = self.running.as_ref().is_some_and(|running| {
            matches!(running.phase, Phase::Ready(_)) && running.open.is_empty()
        });
        if idle
            && self.queue.is_empty()
            && now >= self.used + IDLE
            && let Some(running) = self.running.take()
        {
            running.ask_to_leave();
            running.process.end(true).await;
            self.weigh = None;
        }
    }

    /// Gives up on what took too long; words when the server itself did.
    fn overdue(&mut self, now: Instant) -> Option<String> {
        let running = self.running.as_mut()?;
        let late = running.open.iter().filter(|(_, open)| open.deadline <= now);
        let late: Vec<u64> = late.map(|(id, _)| *id).collect();
        let ids = late.into_iter().filter_map(|id| running.cancel(id));
        let ids: Vec<u64> = ids.map(|open| open.question.id).collect();
        let patience = match running.has_answered {
            true => self.spec.answer_timeout,
            false => self.spec.answer_timeout.max(self.spec.first_timeout),
        };
        let seconds = patience.as_secs_f32();
        for id in ids {
            self.silent += 1;
            let why = format!("no answer within {seconds} s");
            self.answer(id, Said::Unavailable(why));
        }
        let running = self.running.as_ref()?;
        let starting = !matches!(running.phase, Phase::Ready(_));
        if starting && running.deadline <= now {
            let seconds = self.spec.start_timeout.as_secs_f32();
            let doing = match &running.phase {
                Phase::Warming(warmup) => warmup.busy().map(|busy| format!(": still busy: {busy}")),
                _ => Some(": no answer to initialize".to_owned()),
            };
            return Some(format!(
                "not ready within {seconds} s{}",
                doing.unwrap_or_default()
            ));
        }
        (self.silent >= SILENT).then(|| format!("no answer to {SILENT} questions in a row"))
    }

    fn overweight(&mut self, now: Instant) -> Option<String> {
        if self.weigh.is_none_or(|weigh| now < weigh) {
            return None;
        }
        self.weigh = Some(now + WEIGH);
        if self.running.as_mut()?.process.is_unguarded() {
            return Some("its guard was ended".to_owned());
        }
        self.count.memory_bytes = self.running.as_ref()?.process.memory().unwrap_or(0);
        let bound = self.spec.memory_bytes;
        (self.count.memory_bytes > bound).then(|| {
            format!(
                "it used {} MB, more than its {} MB",
                self.count.memory_bytes >> 20,
                bound >> 20
            )
        })
    }

    fn standing(&self) -> Standing {
        if let Some(why) = &self.off {
            return Standing::Off(why.clone());
        }
        match &self.running {
            Some(running) => match &running.phase {
                Phase::Initializing => Standing::Starting,
                Phase::Warming(warmup) => {
                    Standing::WarmingUp(warmup.busy().unwrap_or_default().to_owned())
                }
                Phase::Ready(_) => Standing::Ready,
            },
            None if self.rest.is_some() => {
                Standing::Resting(self.count.unavailable.clone().unwrap_or_default())
            }
            None => Standing::Idle,
        }
    }

    fn show_state(&mut self) {
        let standing = self.standing();
        let process = self
            .running
            .as_ref()
            .and_then(|running| running.process.id());
        if process.is_none() {
            self.count.memory_bytes = 0;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state = ServerState {
            server: self.server.clone(),
            standing: standing.clone(),
            process,
            waiting: self.queue.len(),
            ..self.count.clone()
        };
        drop(state);
        if self.told != standing {
            self.told = standing;
            (self.tell)(Event::Changed);
        }
    }
}

/// The next message of a running server; never, without one.
async fn incoming(running: &mut Option<Running>) -> Option<Result<Value, String>> {
    match running {
        Some(running) => running.process.incoming.recv().await,
        None => std::future::pending().await,
    }
}
