//! The two commands a newcomer copies are the ones the gate runs.

use super::{Source, Violation};

const COMMANDS: &[&str] = &["cargo run --release -- analyze .", "cargo test --workspace"];

pub fn check(sources: &[Source]) -> Vec<Violation> {
    let find = |path: &str| sources.iter().find(|source| source.path == path);
    let (Some(readme), Some(gate)) = (find("README.md"), find(".ci/run")) else {
        return Vec::new();
    };
    let mut violations = Vec::new();
    for command in COMMANDS {
        if !gate.text.contains(command) {
            let what = format!("the gate does not run `{command}`");
            violations.push(gate.violation(0, what, "Run it as the README writes it."));
        }
        if !readme.lines().any(|(_, line)| line.trim() == *command) {
            let what = format!("no line `{command}`");
            let todo = "Give it on a line of its own, as `.ci/run` runs it.";
            violations.push(readme.violation(0, what, todo));
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::super::{shown, source};
    use super::*;

    // The first command of a README that nobody runs is the first that breaks.
    #[test]
    fn the_readmes_commands_are_the_gates() {
        let gate = source(".ci/run", &COMMANDS.join("\n"));
        let readme = source(
            "README.md",
            &format!("# S\n    {}\n", COMMANDS.join("\n    ")),
        );
        assert_eq!(shown(&check(&[readme.clone(), gate.clone()])), [""; 0]);
        let stale = source("README.md", COMMANDS[1]);
        assert_eq!(
            shown(&check(&[stale, gate])),
            ["README.md:0: no line `cargo run --release -- analyze .`"]
        );
        let other = source(".ci/run", COMMANDS[0]);
        assert_eq!(
            shown(&check(&[readme, other])),
            [".ci/run:0: the gate does not run `cargo test --workspace`"]
        );
    }
}
