//! The lint of `resolver/clippy.toml` holds only where nobody switches it off.

use super::rust::{is_test_file, test_lines};
use super::{Source, Violation};

/// Crates that may touch the disk: the one door, and the fixtures, which only tests see and which
/// rewrite their own files on request.
const DOORS: &[&str] = &["resolver/files/", "resolver/fixture/"];

pub fn check(sources: &[Source]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for source in sources {
        let is_resolver = source.path.starts_with("resolver/") && source.extension() == "rs";
        if !is_resolver
            || is_test_file(&source.path)
            // Examples are run by hand by those who work on the crate.
            || source.path.contains("/examples/")
            || DOORS.iter().any(|door| source.path.starts_with(door))
        {
            continue;
        }
        let in_tests = test_lines(&source.text);
        for ((number, line), in_test) in source.lines().zip(in_tests) {
            if !in_test && line.contains("clippy::disallowed_") {
                let what = "the lint that keeps this crate from disk, environment and clock is switched off";
                let todo = "Ask `files` for it, through the session; only test code may switch the lint off.";
                violations.push(source.violation(number, what, todo));
            }
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::super::{shown, source};
    use super::*;

    // One `allow` at the top of a crate would open it without anybody noticing.
    #[test]
    fn the_lint_may_be_off_in_tests_and_in_files_only() {
        let text = "#![allow(clippy::disallowed_types)]\n#[cfg(test)]\nmod tests {\n    #![allow(clippy::disallowed_types)]\n}\n";
        let found = check(&[
            source("resolver/engine/src/lib.rs", text),
            source("resolver/files/src/lib.rs", text),
            source("resolver/langs/tests/all.rs", text),
            source("server/src/lib.rs", text),
        ]);
        let places: Vec<_> = shown(&found);
        assert_eq!(places.len(), 1, "{places:?}");
        assert!(
            places[0].starts_with("resolver/engine/src/lib.rs:1:"),
            "{}",
            places[0]
        );
    }
}
