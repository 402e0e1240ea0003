//! What a command that cannot give its answer says, to a person and to a program.

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::{Value, json};

/// A refusal: a stable reason, a sentence, and what else helps.
#[derive(Debug)]
pub struct Failure {
    pub reason: &'static str,
    pub message: String,
    /// What an ambiguous name may have meant.
    pub candidates: Vec<Value>,
    /// Each threshold that was crossed.
    pub crossed: Vec<Value>,
    /// The reader went away: there is nobody to tell.
    gone: bool,
    /// The answer on standard output says it already; a program still gets its reason.
    answered: bool,
}

pub type Outcome<T> = Result<T, Failure>;

impl Failure {
    pub fn new(reason: &'static str, message: impl Into<String>) -> Failure {
        Failure {
            reason,
            message: message.into(),
            candidates: Vec::new(),
            crossed: Vec::new(),
            gone: false,
            answered: false,
        }
    }

    pub fn invalid_request(message: impl Into<String>) -> Failure {
        Failure::new("invalid_request", message)
    }

    /// The command answered, and the answer is no.
    pub fn answered(reason: &'static str, message: impl Into<String>) -> Failure {
        Failure {
            answered: true,
            ..Failure::new(reason, message)
        }
    }

    /// The answer existed and could not be written. A closed pipe is the reader's choice
    /// (`surefoot .. | head`) and no failure.
    pub fn output(error: &io::Error) -> Failure {
        let message = format!("The answer could not be written: {error}.");
        Failure {
            gone: error.kind() == io::ErrorKind::BrokenPipe,
            ..Failure::new("output_failed", message)
        }
    }

    /// Says what failed on standard error and gives the exit code of the reason.
    pub fn report(&self, json: bool) -> ExitCode {
        if self.gone {
            return ExitCode::SUCCESS;
        }
        if json {
            let mut object = json!({ "ok": false, "error": self.message, "reason": self.reason });
            if !self.candidates.is_empty() {
                object["candidates"] = Value::Array(self.candidates.clone());
            }
            if !self.crossed.is_empty() {
                object["crossed"] = Value::Array(self.crossed.clone());
            }
            tell(&object.to_string());
        } else if !self.answered {
            // The reason is of the sentence, not of the last row of a list below it.
            let (said, list) = match self.message.split_once('\n') {
                Some((said, list)) => (said, format!("\n{list}")),
                None => (self.message.as_str(), String::new()),
            };
            tell(&format!("surefoot: {said} [{}]{list}", self.reason));
        }
        ExitCode::from(surefoot_report::exit_code(self.reason))
    }
}

/// A line on standard error. Nobody is left to be told when that is closed, too.
fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

impl From<surefoot_report::Refusal> for Failure {
    fn from(refusal: surefoot_report::Refusal) -> Failure {
        Failure::new(refusal.reason, refusal.message)
    }
}

impl From<surefoot_files::Refusal> for Failure {
    fn from(refusal: surefoot_files::Refusal) -> Failure {
        Failure::new(refusal.code, refusal.message)
    }
}
