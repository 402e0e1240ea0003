//! Tests that run, always, and wait for what they mean to wait for.

use super::rust::{is_test_file, test_lines};
use super::{Source, Violation};

/// Marks a pause inside a loop that looks for a condition; the rest of the line says which.
const POLLS: &str = "polls:";

/// How tests are left out, by file extension. In two halves, so that these lines are none.
const LEFT_OUT: &[(&[&str], &[&str])] = &[
    (&["rs"], &[concat!("#[ig", "nore")]),
    (
        &["ts", "tsx", "js", "mjs", "cjs"],
        &[
            concat!("it.s", "kip("),
            concat!("test.s", "kip("),
            concat!("describe.s", "kip("),
            concat!("suite.s", "kip("),
            concat!("it.o", "nly("),
            concat!("test.o", "nly("),
            concat!("describe.o", "nly("),
        ],
    ),
    (
        &["py"],
        &[
            concat!("pytest.mark.s", "kip"),
            concat!("unittest.s", "kip"),
        ],
    ),
];

/// How tests wait for time and not for a thing.
const SLEEPS: &[(&[&str], &[&str])] = &[
    (
        &["rs"],
        &[
            concat!("sle", "ep("),
            concat!("sleep_", "ms("),
            concat!("park_", "timeout("),
        ],
    ),
    (
        &["ts", "tsx", "js", "mjs", "cjs"],
        &[
            concat!("waitFor", "Timeout("),
            concat!("setTimeout", "(resolve"),
            concat!("setTimeout", "(r,"),
            concat!("sle", "ep("),
        ],
    ),
    (&["py", "lua", "vim"], &[concat!("sle", "ep(")]),
    (&["sh"], &[concat!("sle", "ep ")]),
];

pub fn check(sources: &[Source]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for source in sources {
        let whole = is_test_file(&source.path);
        let in_tests = match source.extension() {
            "rs" => test_lines(&source.text),
            _ => Vec::new(),
        };
        let mut before = "";
        for (number, line) in source.lines() {
            let is_comment = ["//", "#!", "--"]
                .iter()
                .any(|mark| line.trim_start().starts_with(mark));
            if !is_comment && let Some(word) = find(LEFT_OUT, source, line) {
                let todo = "Assert today's answer, wrong as it is, with a FIXME and its reason; a slow test is gated by a setting CI sets.";
                violations.push(source.violation(
                    number,
                    format!("a test is left out: `{word}`"),
                    todo,
                ));
            }
            let is_test = whole || in_tests.get(number - 1).copied().unwrap_or(false);
            let says_why = [line, before].iter().any(|line| line.contains(POLLS));
            if is_test
                && !is_comment
                && !says_why
                && let Some(word) = find(SLEEPS, source, line)
            {
                let todo = "Wait for the thing itself: an answer, a notification, the end of a process. A pause in a loop that looks for it says so with `polls: what`.";
                violations.push(source.violation(
                    number,
                    format!("a test waits for time: `{word}`"),
                    todo,
                ));
            }
            before = line;
        }
    }
    violations
}

fn find(
    table: &[(&[&str], &'static [&'static str])],
    source: &Source,
    line: &str,
) -> Option<&'static str> {
    let (_, words) = table
        .iter()
        .find(|(extensions, _)| extensions.contains(&source.extension()))?;
    words.iter().copied().find(|word| line.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::{shown, source};
    use super::*;

    // A test that is left out is a promise nobody keeps.
    #[test]
    fn a_test_left_out_is_refused() {
        let rust = format!(
            "{}]\nfn a() {{}}\n{} = \"slow\"]\nlist.skip(1);\n",
            LEFT_OUT[0].1[0], LEFT_OUT[0].1[0]
        );
        let script = format!("{}'x', () => {{}});\nlist.skip(1);\n", LEFT_OUT[1].1[0]);
        let found = shown(&check(&[source("a.rs", &rust), source("a.ts", &script)]));
        let places: Vec<_> = found
            .iter()
            .filter_map(|line| line.split(": ").next())
            .collect();
        assert_eq!(places, ["a.rs:1", "a.rs:3", "a.ts:1"]);
    }

    // A sleep is too short on a slow machine and too long on every other.
    #[test]
    fn a_sleep_in_a_test_is_refused_unless_it_polls() {
        let nap = format!("thread::{}x);", SLEEPS[0].1[0]);
        let text = format!(
            "{nap}\n#[cfg(test)]\nmod tests {{\n    {nap}\n    {nap} // {POLLS} the lens\n    // {nap}\n}}\n"
        );
        let found = shown(&check(&[
            source("server/src/a.rs", &text),
            source("tests/it/src/a.rs", &nap),
        ]));
        let places: Vec<_> = found
            .iter()
            .filter_map(|line| line.split(": ").next())
            .collect();
        assert_eq!(places, ["server/src/a.rs:4", "tests/it/src/a.rs:1"]);
    }
}
