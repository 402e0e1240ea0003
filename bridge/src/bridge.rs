//! All lanes, on a thread of their own.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use crate::lane::{Lane, Order};
use crate::question::{Answer, Document, Question, Said, Server};
use crate::state::{ServerState, Standing};
use crate::table::Spec;

/// What whoever asks hears.
#[derive(Debug)]
pub enum Event {
    /// The one answer to a question.
    Answered(Answer),
    /// A server stands otherwise than before.
    Changed,
}

pub type Tell = Arc<dyn Fn(Event) + Send + Sync>;

/// How long servers have to end when we do. Their guards see to those that need longer.
const LEAVING: Duration = Duration::from_secs(3);

struct Handle {
    spec: Spec,
    orders: mpsc::UnboundedSender<Order>,
    state: Arc<Mutex<ServerState>>,
}

impl Handle {
    fn may_answer(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        !matches!(state.standing, Standing::Off(_))
    }
}

/// The servers of our own. Dropping it ends them.
pub struct Bridge {
    tell: Tell,
    lanes: Mutex<Vec<Handle>>,
    spawn: mpsc::UnboundedSender<Lane>,
    ended: Mutex<std::sync::mpsc::Receiver<()>>,
    stop: Mutex<Option<oneshot::Sender<()>>>,
}

impl Bridge {
    /// Starts the thread and no server.
    pub fn start(tell: impl Fn(Event) + Send + Sync + 'static) -> std::io::Result<Bridge> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let (spawn, mut lanes) = mpsc::unbounded_channel::<Lane>();
        let (stop, mut stopped) = oneshot::channel::<()>();
        let (ending, ended) = std::sync::mpsc::channel();
        std::thread::Builder::new()
            .name("bridge".into())
            .spawn(move || {
                runtime.block_on(async {
                    let mut running = tokio::task::JoinSet::new();
                    loop {
                        tokio::select! {
                            lane = lanes.recv() => match lane {
                                Some(lane) => drop(running.spawn(lane.run())),
                                None => break,
                            },
                            _ = &mut stopped => break,
                        }
                    }
                    let all = async { while running.join_next().await.is_some() {} };
                    let _ = tokio::time::timeout(LEAVING, all).await;
                });
                let _ = ending.send(());
            })?;
        Ok(Bridge {
            tell: Arc::new(tell),
            lanes: Mutex::default(),
            spawn,
            ended: Mutex::new(ended),
            stop: Mutex::new(Some(stop)),
        })
    }

    fn lanes(&self) -> MutexGuard<'_, Vec<Handle>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// These servers, from now on. One that is set up as before goes on; the others leave.
    pub fn configure(&self, specs: Vec<Spec>) {
        let mut lanes = self.lanes();
        let mut old = std::mem::take(&mut *lanes);
        for spec in specs {
            let same = |handle: &Handle| format!("{:?}", handle.spec) == format!("{spec:?}");
            if let Some(at) = old.iter().position(same) {
                lanes.push(old.swap_remove(at));
                continue;
            }
            let (orders, ordered) = mpsc::unbounded_channel();
            let state = Arc::new(Mutex::new(ServerState::default()));
            let lane = Lane::new(spec.clone(), ordered, self.tell.clone(), state.clone());
            if self.spawn.send(lane).is_ok() {
                lanes.push(Handle {
                    spec,
                    orders,
                    state,
                });
            }
        }
        for handle in old {
            let _ = handle.orders.send(Order::Leave);
        }
    }

    /// Whether any server is left that may answer.
    pub fn is_usable(&self) -> bool {
        self.lanes().iter().any(Handle::may_answer)
    }

    /// Whether one of them reads a language.
    pub fn reads(&self, language: &str) -> bool {
        let lanes = self.lanes();
        let mut usable = lanes.iter().filter(|handle| handle.may_answer());
        usable.any(|handle| handle.spec.reads(language))
    }

    /// The texts that count from now on, each shown to the server that reads it. Questions about others are
    /// stale.
    pub fn show(&self, documents: &[Arc<Document>]) {
        let lanes = self.lanes();
        for (at, handle) in lanes.iter().enumerate() {
            let own = documents.iter().filter(|document| {
                let first = lanes.iter().position(|h| h.spec.reads(&document.language));
                first == Some(at)
            });
            let _ = handle.orders.send(Order::Show(own.cloned().collect()));
        }
    }

    /// Files that are otherwise than before on the disk; without a list, any of them may be.
    pub fn changed(&self, files: Option<&[PathBuf]>) {
        for handle in self.lanes().iter() {
            let _ = handle
                .orders
                .send(Order::Changed(files.map(<[PathBuf]>::to_vec)));
        }
    }

    /// Asks; each question is answered once, by an event.
    pub fn ask(&self, questions: Vec<Question>) {
        let lanes = self.lanes();
        let mut by_lane: BTreeMap<usize, Vec<Question>> = BTreeMap::new();
        let mut nobody = Vec::new();
        for question in questions {
            match lanes.iter().position(|h| h.spec.reads(&question.language)) {
                Some(at) => by_lane.entry(at).or_default().push(question),
                None => nobody.push(question),
            }
        }
        for (at, questions) in by_lane {
            let ids: Vec<u64> = questions.iter().map(|question| question.id).collect();
            if lanes[at].orders.send(Order::Ask(questions)).is_err() {
                self.refuse(ids, "it has left");
            }
        }
        drop(lanes);
        let ids = nobody.into_iter().map(|question| question.id).collect();
        self.refuse(ids, "no server is set up for this language");
    }

    fn refuse(&self, ids: Vec<u64>, why: &str) {
        for id in ids {
            (self.tell)(Event::Answered(Answer {
                id,
                server: Server::default(),
                said: Said::Unavailable(why.to_owned()),
            }));
        }
    }

    /// How each server stands.
    pub fn states(&self) -> Vec<ServerState> {
        let lanes = self.lanes();
        let state = |handle: &Handle| {
            let state = handle.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.clone()
        };
        lanes.iter().map(state).collect()
    }
}

impl Bridge {
    /// Ends every server; returns when they are gone, or after a moment: their guards see to the rest.
    pub fn leave(&self) {
        self.configure(Vec::new());
        let stop = self
            .stop
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(stop) = stop {
            let _ = stop.send(());
            let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = ended.recv_timeout(LEAVING + Duration::from_millis(500));
        }
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        self.leave();
    }
}
