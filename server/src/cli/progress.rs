//! A bar on the terminal while a folder is read; nothing anywhere else.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use surefoot_session::Progress;

/// Progress on standard error, when that is a terminal.
pub struct Bar(ProgressBar);

/// Short work shows no bar: one that flashes by tells nobody anything.
const QUIET: Duration = Duration::from_millis(400);

impl Bar {
    pub fn new() -> Bar {
        let bar = if io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
            let plain = ProgressStyle::with_template("{spinner} {msg}");
            bar.set_style(plain.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar
        } else {
            ProgressBar::hidden()
        };
        Bar(bar)
    }

    pub fn tell(&self, progress: Progress) {
        if self.0.is_hidden() || self.0.elapsed() < QUIET {
            return;
        }
        match progress {
            Progress::Walking { seen } => self.0.set_message(format!("looking at {seen} names")),
            Progress::Reading { done, of } => {
                let every = (of / 200).max(1);
                if done % every == 0 || done == of {
                    self.0.set_message(format!("reading {done} of {of} files"));
                }
            }
            Progress::Resolving { .. } => self.0.set_message("resolving calls"),
        }
        self.0.tick();
    }

    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
