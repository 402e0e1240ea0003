//! The work-done progress of reading the workspace, for clients that show one.

use serde_json::{Value, json};

use super::asked::{Asked, Purpose};
use super::outbox::{Outbox, Progress};

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
}
