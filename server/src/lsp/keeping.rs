//! Answers of our own servers that are kept on the disk: looked up before anybody is asked, written when there is
//! nothing left to ask.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use surefoot_bridge::{Answer, Ask, Spec};
use surefoot_graph::FileId;

use super::collecting::Question;
use super::main_loop::MainLoop;
use super::pool::Lane;
use super::text::Encoding;
use super::view::{RootView, View};
use crate::borrowed::{At, KeptAnswers};
use crate::config::Mode;

/// By root and by the server's place among those that are set up.
type Packs = Arc<Mutex<FxHashMap<(u32, usize), KeptAnswers>>>;

/// The packs of a session. What is read and written is read and written off the loop.
#[derive(Clone, Default)]
pub struct Keeping {
    specs: Arc<Vec<(Spec, Mode)>>,
    packs: Packs,
    /// The editor's own servers are asked about what is on the screen: their answers are not ours to keep.
    borrows: bool,
    /// Something came since the last write.
    dirty: Arc<std::sync::atomic::AtomicBool>,
}

impl Keeping {
    /// These servers, from now on.
    pub fn of(specs: Vec<(Spec, Mode)>) -> Keeping {
        Keeping {
            specs: Arc::new(specs),
            ..Keeping::default()
        }
    }

    /// Whether the server that reads a language may be asked about everything while nobody works.
    pub fn idles(&self, language: &str) -> bool {
        let reads = self.specs.iter().find(|(spec, _)| spec.reads(language));
        reads.is_some_and(|(_, mode)| *mode == Mode::Idle)
    }

    /// Whether a server of ours reads a language.
    pub fn reads(&self, language: &str) -> bool {
        self.specs.iter().any(|(spec, _)| spec.reads(language))
    }

    /// Splits questions into those that have to be asked and those whose answers are kept.
    pub fn take(
        &self,
        view: &View,
        questions: Vec<Question>,
    ) -> (Vec<Question>, Vec<(Question, Answer)>) {
        let (mut open, mut kept) = (Vec::new(), Vec::new());
        for question in questions {
            let found = self.with(view, &question, |pack, root, file, at| {
                pack.get(&root.snapshot, &root.files, file, at)
            });
            match found.flatten() {
                Some((server, said)) => {
                    let answer = Answer {
                        id: 0,
                        server,
                        said,
                    };
                    kept.push((question, answer));
                }
                None => open.push(question),
            }
        }
        (open, kept)
    }

    /// Keeps what one of our own servers said.
    pub fn put(&self, view: &View, question: &Question, answers: &[Answer]) {
        for answer in answers {
            let put = self.with(view, question, |pack, root, file, at| {
                pack.put(&root.snapshot, &root.files, file, at, answer);
            });
            if put.is_some() {
                self.dirty.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        }
    }

    fn with<R>(
        &self,
        view: &View,
        question: &Question,
        with: impl FnOnce(&mut KeptAnswers, &RootView, FileId, At) -> R,
    ) -> Option<R> {
        if self.borrows && question.on_screen && question.ask == Ask::Definition {
            return None;
        }
        let (nth, (spec, _)) = self
            .specs
            .iter()
            .enumerate()
            .find(|(_, (spec, _))| spec.reads(question.language))?;
        let root = view.roots.iter().find(|root| root.key == question.root)?;
        let file = root.snapshot.file_at(&question.path)?;
        // What is kept under a text has to be said of that text.
        root.snapshot
            .file(file)
            .filter(|entry| entry.digest == question.digest)?;
        let place = question.text.position(question.offset, Encoding::Utf8);
        let at = At {
            line: place.line,
            column: place.character,
            ask: question.ask,
        };
        let mut packs = self.packs.lock().unwrap_or_else(PoisonError::into_inner);
        let pack = packs
            .entry((root.key, nth))
            .or_insert_with(|| KeptAnswers::open(&root.files, spec));
        Some(with(pack, root, file, at))
    }

    fn write(&self) {
        for pack in self
            .packs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .values_mut()
        {
            let written = pack.write();
            tracing::debug!("answers: {written:?}");
        }
    }

    /// Texts whose answers are held, and how many may be.
    pub fn held(&self) -> (usize, usize) {
        let packs = self.packs.lock().unwrap_or_else(PoisonError::into_inner);
        packs
            .values()
            .map(KeptAnswers::held)
            .fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    }
}

impl MainLoop {
    /// The packs, as questions are put now.
    pub fn kept_answers(&self) -> Keeping {
        Keeping {
            borrows: self.borrows(),
            ..self.keeping.clone()
        }
    }

    /// There is nothing to ask for the moment: what came is written.
    pub fn keep_answers(&self) {
        if self
            .keeping
            .dirty
            .swap(false, std::sync::atomic::Ordering::Relaxed)
        {
            let keeping = self.keeping.clone();
            self.pool.run(Lane::Background, move || keeping.write());
        }
    }
}
