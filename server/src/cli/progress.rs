//! A bar on the terminal while a folder is read; nothing anywhere else.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use surefoot_session::Progress;

/// Progress on standard error, when that is a terminal. Gone when it is dropped.
pub struct Bar {
    bar: ProgressBar,
    counting: ProgressStyle,
    waiting: ProgressStyle,
}

/// Short work shows no bar: one that flashes by tells nobody anything.
const QUIET: Duration = Duration::from_millis(400);

impl Bar {
    pub fn new() -> Bar {
        let style = |template| {
            ProgressStyle::with_template(template)
                .unwrap_or_else(|_| ProgressStyle::default_spinner())
        };
        Bar {
            bar: if io::stderr().is_terminal() {
                ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10))
            } else {
                ProgressBar::hidden()
            },
            counting: style("{bar:30} {msg}").progress_chars("█▌ "),
            waiting: style("{spinner} {msg}"),
        }
    }

    pub fn tell(&self, progress: Progress) {
        if self.bar.is_hidden() || self.bar.elapsed() < QUIET {
            return;
        }
        match progress {
            Progress::Walking { seen } => self.wait(format!("looking at {seen} names")),
            Progress::Reading { done, of } => {
                // Each report costs a lock; a bar of thirty cells needs no more.
                let every = (of / 200).max(1);
                if done % every == 0 || done == of {
                    self.bar.set_style(self.counting.clone());
                    self.bar.set_length(of as u64);
                    self.bar.set_position(done as u64);
                    self.bar.set_message(format!("{done} of {of} files read"));
                }
            }
            Progress::Resolving { .. } => self.wait("resolving calls".to_owned()),
        }
    }

    /// What is done where nobody counts.
    pub fn say(&self, what: impl FnOnce() -> String) {
        if !self.bar.is_hidden() && self.bar.elapsed() >= QUIET {
            self.wait(what());
        }
    }

    fn wait(&self, message: String) {
        self.bar.set_style(self.waiting.clone());
        self.bar.set_message(message);
        self.bar.tick();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
