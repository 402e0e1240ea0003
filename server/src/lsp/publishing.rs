//! What the loop does with the engine's news: hands out the new view, and tells the client what to ask again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tower_lsp_server::ls_types::{Diagnostic, Uri};

use super::diagnose::diagnose;
use super::engine::{News, Order, Published, Reads};
use super::main_loop::{Event, MainLoop};
use super::outbox::Refresh;
use super::pool::Lane;

/// Findings are looked for when nothing was typed for this long; and never more often than costs a fifth of
/// a core.
const REST: Duration = Duration::from_millis(250);
const SHARE: u32 = 5;
/// After this long without an edit, what was parsed piece by piece is parsed again as a whole.
const LONG_REST: Duration = Duration::from_secs(3);

/// When findings are to be looked for next.
#[derive(Default)]
pub struct Diagnosing {
    due: Option<Instant>,
    /// One is running; the next waits for it.
    running: bool,
    /// What the last one cost.
    cost: Duration,
    /// Documents whose findings were published, so that they can be taken back.
    published: Vec<(Uri, Vec<Diagnostic>)>,
}

/// The findings of the open documents at one moment.
pub struct Findings {
    pub documents: Vec<(Uri, u64, Option<i32>, Vec<Diagnostic>)>,
    pub cost: Duration,
}

impl MainLoop {
    pub fn news(&mut self, news: News) {
        match news {
            News::Reading { languages } => self.reading(languages),
            News::Progress { done, of } => self.indexing.report(&self.transport.outbox, done, of),
            News::Published(published) => self.published(published),
        }
    }

    fn reading(&mut self, languages: Vec<Reads>) {
        if self.client.work_done_progress() {
            self.indexing.begin(
                &self.transport.outbox,
                &mut self.asked,
                "reading the workspace",
            );
        }
        if !languages.is_empty() {
            self.watch_files(&languages);
        }
    }

    fn published(&mut self, published: Published) {
        let was_reading = self.reading;
        self.applied = self.applied.max(published.stamp);
        self.reading = published.generation < self.generation;
        self.revision = published.revision;
        self.left_out = published.left_out;
        let own = ["servers", super::ignored::KEY];
        self.troubles.retain(|key, _| own.contains(key));
        self.troubles.extend(published.troubles);
        if let (Some(watch), Some(folders)) = (&self.watch, published.folders) {
            watch.folders(folders);
        }
        let ready = was_reading && !self.reading;
        if ready {
            self.glance_over();
        }
        self.show_roots(&published.roots);
        if ready {
            let files: usize = self
                .roots_view
                .iter()
                .map(|root| root.snapshot.files().len())
                .sum();
            self.indexing
                .end(&self.transport.outbox, &format!("{files} files"));
        }
        self.tell_health();
        self.resume();
        if published.changed || ready {
            let typed = !self.just_edited.is_empty();
            self.redraw(published.lenses, ready);
            self.findings_due();
            self.questions_due(typed);
        }
    }

    /// Tells the client that lenses read otherwise than before.
    pub fn redraw(&mut self, lenses: Vec<Uri>, ready: bool) {
        // A document that was just edited is asked about anyway, by every client.
        let others = lenses.iter().any(|uri| !self.just_edited.contains(uri));
        if (others || ready) && self.client.code_lens_refresh() && self.settings.code_lens_enabled {
            self.transport.outbox.refresh(Refresh::CodeLens);
        }
        self.just_edited.clear();
        if self.client.options.changed {
            let uris = if ready {
                self.documents.iter().map(|(uri, _)| uri.clone()).collect()
            } else {
                lenses
            };
            if !uris.is_empty() {
                self.transport.outbox.changed(self.revision, uris);
            }
        }
    }

    /// Findings have to be looked for again, soon.
    pub fn findings_due(&mut self) {
        let rest = REST.max(self.diagnosing.cost * SHARE);
        self.diagnosing.due = Some(Instant::now() + rest);
    }

    /// When the loop has to wake up by itself.
    pub fn next_wake(&self) -> Option<Instant> {
        [
            self.next_findings(),
            self.next_question(),
            self.next_glance(),
            self.recheck,
        ]
        .into_iter()
        .flatten()
        .min()
    }

    fn next_findings(&self) -> Option<Instant> {
        self.diagnosing
            .due
            .filter(|_| !self.diagnosing.running && !self.reading)
    }

    /// Does what is due.
    pub fn wake(&mut self) {
        self.wake_findings();
        self.wake_questions();
        self.wake_glance();
        if self.recheck.is_some_and(|due| due <= Instant::now()) {
            self.recheck = None;
            self.engine.order(Order::Recheck);
        }
    }

    /// Someone types: rechecking waits until nobody does.
    pub fn recheck_due(&mut self) {
        self.recheck = Some(Instant::now() + LONG_REST);
    }

    fn wake_findings(&mut self) {
        if self.next_findings().is_none_or(|due| Instant::now() < due) || self.reading {
            return;
        }
        self.diagnosing.due = None;
        self.diagnosing.running = true;
        let view = self.view();
        let events = self.events.clone();
        if self.client.pulls_diagnostics() {
            // So that the client finds it ready.
            return self.pool.run(Lane::Background, move || {
                let began = Instant::now();
                let look = std::panic::AssertUnwindSafe(|| {
                    for root in view.roots.iter() {
                        let snapshot = &root.snapshot;
                        snapshot.metrics().imports(snapshot);
                    }
                });
                let _ = std::panic::catch_unwind(look);
                let _ = events.send(Event::Settled(began.elapsed()));
            });
        }
        self.pool.run(Lane::Background, move || {
            let began = Instant::now();
            let look = std::panic::AssertUnwindSafe(|| {
                let open = view.documents.iter();
                let documents = open.map(|(uri, document)| {
                    (
                        uri.clone(),
                        document.stamp,
                        Some(document.version),
                        diagnose(&view, uri, false),
                    )
                });
                documents.collect()
            });
            let documents = std::panic::catch_unwind(look).unwrap_or_default();
            let findings = Findings {
                documents,
                cost: began.elapsed(),
            };
            let _ = events.send(Event::Found(findings));
        });
    }

    /// What takes looking at the whole graph is there: a client that pulls findings pulls them again.
    pub fn settled(&mut self, cost: Duration) {
        self.diagnosing.running = false;
        self.diagnosing.cost = cost;
        self.transport.outbox.refresh(Refresh::Diagnostics);
    }

    /// Publishes findings, except those of a text that has changed meanwhile.
    pub fn found(&mut self, findings: Findings) {
        self.diagnosing.running = false;
        self.diagnosing.cost = findings.cost;
        for (uri, stamp, version, diagnostics) in findings.documents {
            if self
                .documents
                .get(&uri)
                .is_none_or(|document| document.stamp != stamp)
            {
                continue;
            }
            self.publish_diagnostics(uri, version, diagnostics);
        }
    }

    fn publish_diagnostics(
        &mut self,
        uri: Uri,
        version: Option<i32>,
        diagnostics: Vec<Diagnostic>,
    ) {
        let known = self
            .diagnosing
            .published
            .iter()
            .position(|(known, _)| *known == uri);
        match known {
            Some(at) if self.diagnosing.published[at].1 == diagnostics => return,
            Some(at) if diagnostics.is_empty() => drop(self.diagnosing.published.swap_remove(at)),
            Some(at) => self.diagnosing.published[at].1.clone_from(&diagnostics),
            None if diagnostics.is_empty() => return,
            None => self
                .diagnosing
                .published
                .push((uri.clone(), diagnostics.clone())),
        }
        let params = json!({ "uri": uri, "version": version, "diagnostics": diagnostics });
        self.transport.outbox.diagnostics(uri, params);
    }

    /// Only open documents have findings: a closed one gives them back.
    pub fn forget_findings(&mut self, uri: &Uri) {
        if self
            .diagnosing
            .published
            .iter()
            .any(|(known, _)| known == uri)
        {
            self.publish_diagnostics(uri.clone(), None, Vec::new());
        }
    }

    /// Everything a view may need from the loop's side of the queues.
    pub fn queues(&self) -> Arc<super::view::Queues> {
        let outbox = self.transport.outbox.clone();
        let backlog = self.transport.backlog.clone();
        let inflow = self.transport.inflow.clone();
        let (orders, jobs) = (self.engine.waiting(), self.pool.waiting());
        let (tried, kept) = (self.asking.tried.clone(), self.keeping.clone());
        Arc::new(move || {
            let [latency, background] = jobs();
            let ((asked, asked_bound), (held, held_bound)) = (tried.held(), kept.held());
            vec![
                ("read ahead (bytes)", inflow.bytes(), inflow.bound()),
                (
                    "answers (bytes)",
                    backlog.bytes(),
                    super::main_loop::UNREAD_BOUND,
                ),
                ("notifications", outbox.len(), outbox.bound()),
                ("quick requests", latency, super::main_loop::IN_FLIGHT),
                ("slow requests", background, super::main_loop::IN_FLIGHT),
                ("changes", orders(), super::main_loop::IN_FLIGHT),
                ("texts asked about", asked, asked_bound),
                ("texts with kept answers", held, held_bound),
            ]
        })
    }
}
