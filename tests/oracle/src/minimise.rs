//! Makes a failing script as small as it gets and still fails the same promise.

use crate::judge::{Failure, Seen, judge};
use crate::script::Script;

/// Runs of the judge that one failure may cost.
const MAX_RUNS: usize = 1500;

struct Minimiser {
    script: Script,
    failure: Failure,
    runs: usize,
}

/// The smallest script found, and how it fails.
pub fn minimise(script: &Script, failure: &Failure) -> (Script, Failure) {
    let mut m = Minimiser {
        script: script.clone(),
        failure: failure.clone(),
        runs: 0,
    };
    let cut = |s: &mut Script| s.steps.truncate(failure.step);
    m.attempt(cut);
    loop {
        let before = (m.script.clone(), m.runs);
        m.steps();
        m.files();
        m.lines();
        if m.script == before.0 || m.runs >= MAX_RUNS {
            break;
        }
    }
    (m.script, m.failure)
}

impl Minimiser {
    /// Keeps a change when the same promise still breaks.
    fn attempt(&mut self, change: impl FnOnce(&mut Script)) -> bool {
        if self.runs >= MAX_RUNS {
            return false;
        }
        let mut script = self.script.clone();
        change(&mut script);
        if script == self.script {
            return false;
        }
        self.runs += 1;
        match judge(&script, &mut Seen::default()) {
            Err(f) if f.promise == self.failure.promise => {
                script.steps.truncate(f.step);
                self.script = script;
                self.failure = f;
                true
            }
            _ => false,
        }
    }

    fn steps(&mut self) {
        let mut at = self.script.steps.len();
        while at > 0 {
            at -= 1;
            let last = self.script.steps.len();
            if at >= last {
                continue;
            }
            // Without the step, or with it folded into the start.
            if self.attempt(|s| {
                s.steps.remove(at);
            }) {
                continue;
            }
            if at == 0
                && self.attempt(|s| {
                    for (path, text) in s.steps.remove(0).files {
                        match text {
                            Some(text) => s.start.insert(path, text),
                            None => s.start.remove(&path),
                        };
                    }
                })
            {
                at = self.script.steps.len();
                continue;
            }
            self.attempt(|s| s.steps[at].interrupted = false);
            let mut file = self.script.steps.get(at).map_or(0, |s| s.files.len());
            while file > 0 {
                file -= 1;
                self.attempt(|s| {
                    s.steps[at].files.remove(file);
                });
            }
        }
    }

    fn files(&mut self) {
        let paths: Vec<String> = self.script.start.keys().cloned().collect();
        for path in paths {
            if self.attempt(|s| {
                s.start.remove(&path);
                for step in &mut s.steps {
                    step.files.retain(|(p, _)| *p != path);
                }
                s.steps.retain(|step| !step.files.is_empty());
            }) {
                continue;
            }
            self.attempt(|s| {
                s.start.remove(&path);
            });
        }
    }

    /// Lines out of every version of every text: large pieces first. A line is
    /// first taken out of all versions of its file, so that steps stay small.
    fn lines(&mut self) {
        let paths: Vec<String> = self.script.start.keys().cloned().collect();
        for path in paths {
            let count = self
                .script
                .start
                .get(&path)
                .map_or(0, |t| t.lines().count());
            let mut size = count.next_power_of_two().max(1);
            while size > 0 {
                let mut from = 0;
                loop {
                    let text = self.script.start.get(&path).cloned().unwrap_or_default();
                    let lines: Vec<&str> = text.split_inclusive('\n').collect();
                    if from >= lines.len() {
                        break;
                    }
                    let piece = lines[from..(from + size).min(lines.len())].concat();
                    let cut = |t: &str| t.replacen(piece.as_str(), "", 1);
                    let everywhere = self.attempt(|s| {
                        s.start.insert(path.clone(), cut(&text));
                        for (_, t) in s
                            .steps
                            .iter_mut()
                            .flat_map(|s| &mut s.files)
                            .filter(|(p, _)| *p == path)
                        {
                            *t = t.as_deref().map(cut);
                        }
                    });
                    if !everywhere
                        && !self.attempt(|s| {
                            s.start.insert(path.clone(), cut(&text));
                        })
                    {
                        from += size;
                    }
                }
                size /= 2;
            }
        }
        for step in 0..self.script.steps.len() {
            for file in 0..self.script.steps.get(step).map_or(0, |s| s.files.len()) {
                self.step_lines(step, file);
            }
        }
    }

    fn step_lines(&mut self, step: usize, file: usize) {
        let text = |s: &Script| -> Option<String> { s.steps.get(step)?.files.get(file)?.1.clone() };
        let count = text(&self.script).map_or(0, |t| t.lines().count());
        let mut size = count.next_power_of_two();
        while size > 0 {
            let mut from = 0;
            while let Some(t) = text(&self.script) {
                let lines: Vec<&str> = t.split_inclusive('\n').collect();
                if from >= lines.len() {
                    break;
                }
                let to = (from + size).min(lines.len());
                let rest = [&lines[..from], &lines[to..]].concat().concat();
                if !self.attempt(|s| s.steps[step].files[file].1 = Some(rest)) {
                    from += size;
                }
            }
            size /= 2;
        }
    }
}
