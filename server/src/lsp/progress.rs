//! The work-done progress of reading the workspace, and of a request that reads a folder anew, for clients
//! that show one.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::asked::{Asked, Purpose};
use super::outbox::{Outbox, Progress};

/// How far one request is, told under the token its client gave. Without a token nobody is told.
pub struct Telling<'a> {
    outbox: &'a Outbox,
    token: Option<&'a str>,
    /// In percent, so that a client is told at most a hundred times.
    told: AtomicUsize,
}

impl<'a> Telling<'a> {
    pub fn new(outbox: &'a Outbox, token: Option<&'a str>, title: &str) -> Telling<'a> {
        if let Some(token) = token {
            let begin =
                json!({ "kind": "begin", "title": title, "cancellable": true, "percentage": 0 });
            outbox.progress(token, Progress::Begin(begin));
        }
        Telling {
            outbox,
            token,
            told: AtomicUsize::new(0),
        }
    }

    /// Reading the files is most of it; what comes after has no measure and stands at the last percent.
    pub fn tell(&self, progress: surefoot_session::Progress) {
        let (percent, message) = match progress {
            surefoot_session::Progress::Walking { .. } => return,
            surefoot_session::Progress::Reading { done, of } => {
                let percent = (done * 99).checked_div(of).unwrap_or(99).min(99);
                (percent, format!("{done} of {of} files"))
            }
            surefoot_session::Progress::Resolving { .. } => (99, "resolving calls".to_owned()),
        };
        let told = self.told.swap(percent, Ordering::Relaxed);
        if let Some(token) = self.token.filter(|_| told != percent) {
            let report = json!({ "kind": "report", "message": message, "percentage": percent });
            self.outbox.progress(token, Progress::Report(report));
        }
    }
}

impl Drop for Telling<'_> {
    fn drop(&mut self) {
        if let Some(token) = self.token {
            let end = json!({ "kind": "end" });
            self.outbox.progress(token, Progress::End(end));
        }
    }
}

/// At most one progress at a time. The client is asked for it first and may refuse or never answer; the
/// work does not wait for that.
#[derive(Default)]
pub struct Indexing {
    runs: u32,
    state: State,
}

#[derive(Default, PartialEq, Eq)]
enum State {
    #[default]
    Idle,
    /// The client has not answered yet. What to begin with when it does.
    Asked(String),
    Shown,
}

impl Indexing {
    fn token(&self) -> String {
        format!("surefoot/index/{}", self.runs)
    }

    pub fn begin(&mut self, outbox: &Outbox, asked: &mut Asked, message: &str) {
        if self.state != State::Idle {
            return;
        }
        self.runs += 1;
        self.state = State::Asked(message.to_owned());
        let params = json!({ "token": self.token() });
        asked.send(
            outbox,
            "window/workDoneProgress/create",
            params,
            Purpose::Progress,
        );
    }

    /// The client's answer to the request for a progress.
    pub fn granted(&mut self, outbox: &Outbox, granted: bool) {
        if let State::Asked(message) = &self.state {
            if granted {
                let begin = json!({ "kind": "begin", "title": "Surefoot", "message": message, "percentage": 0 });
                outbox.progress(&self.token(), Progress::Begin(begin));
                self.state = State::Shown;
            } else {
                self.state = State::Idle;
            }
        }
    }

    pub fn report(&mut self, outbox: &Outbox, done: usize, total: usize) {
        if self.state == State::Shown {
            let message = format!("{done} of {total} files");
            let percentage = (done * 100).checked_div(total).unwrap_or(100).min(100);
            let report: Value =
                json!({ "kind": "report", "message": message, "percentage": percentage });
            outbox.progress(&self.token(), Progress::Report(report));
        }
    }

    pub fn end(&mut self, outbox: &Outbox, message: &str) {
        if self.state == State::Shown {
            outbox.progress(
                &self.token(),
                Progress::End(json!({ "kind": "end", "message": message })),
            );
        }
        // An answer that comes later finds nothing to begin.
        self.state = State::Idle;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{outbox, transport};
    use super::*;

    /// A client that answers after the work is done must not be left with a progress that never ends.
    #[test]
    fn a_late_grant_begins_nothing() {
        let (outbox, _released) = outbox::channel(transport::Backlog::default());
        let (mut indexing, mut asked) = (Indexing::default(), Asked::default());
        indexing.begin(&outbox, &mut asked, "reading");
        indexing.report(&outbox, 1, 2);
        indexing.end(&outbox, "done");
        let waiting = outbox.len();
        indexing.granted(&outbox, true);
        assert_eq!(outbox.len(), waiting);
        indexing.begin(&outbox, &mut asked, "again");
        indexing.granted(&outbox, true);
        indexing.end(&outbox, "done");
        assert_eq!(asked.len(), 2);
    }

    /// Who waits for a large folder sees percent, each once, and an end whatever becomes of the request; who
    /// gave no token is told nothing.
    #[test]
    fn a_request_tells_under_its_token_and_ends() {
        use surefoot_session::Progress::{Reading, Resolving, Walking};
        let (outbox, mut stream) = outbox::channel(transport::Backlog::default());
        let mut told = || {
            let values = outbox::tests::released(&mut stream);
            let values = values.iter().map(|r| r.params().unwrap()["value"].clone());
            values.collect::<Vec<Value>>()
        };
        let telling = Telling::new(&outbox, Some("t"), "Writing");
        assert_eq!(told()[0]["kind"], "begin");
        telling.tell(Walking { seen: 10 });
        assert!(told().is_empty());
        for done in 0..=400 {
            telling.tell(Reading { done, of: 800 });
        }
        assert_eq!(told()[0]["percentage"], 49);
        telling.tell(Reading { done: 401, of: 800 });
        assert!(told().is_empty());
        telling.tell(Resolving { files: 800 });
        assert_eq!(told()[0]["percentage"], 99);
        drop(telling);
        assert_eq!(told(), [json!({ "kind": "end" })]);
        let telling = Telling::new(&outbox, None, "Writing");
        telling.tell(Reading { done: 1, of: 2 });
        drop(telling);
        assert!(told().is_empty());
    }
}
