//! Decisions: each a page with a number of its own, a title, and when and how it stands.

use std::collections::BTreeMap;

use super::{Source, Violation};

const FOLDER: &str = "docs/decisions/";

pub fn check(sources: &[Source]) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut numbers: BTreeMap<&str, &Source> = BTreeMap::new();
    for source in sources {
        let Some(name) = source.path.strip_prefix(FOLDER) else {
            continue;
        };
        if name == "README.md" {
            continue;
        }
        let Some(number) = number(name) else {
            let todo = "Name it NNNN-title-in-lower-case.md, with the next free number.";
            violations.push(source.violation(0, "no decision's name", todo));
            continue;
        };
        if let Some(first) = numbers.insert(number, source) {
            let what = format!("{number} is taken by {}", first.path);
            violations.push(source.violation(0, what, "Take the next free number."));
        }
        let title = source
            .text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("# "));
        if title.is_none_or(|title| title.trim().is_empty()) {
            violations.push(source.violation(
                1,
                "no title",
                "Begin with `# ` and the decision in one line.",
            ));
        }
        if !source.text.lines().take(12).any(says_when) {
            let todo =
                "Add a line `Status: accepted` and a line `Date: YYYY-MM-DD` below the title.";
            violations.push(source.violation(2, "no status and date", todo));
        }
    }
    violations
}

fn number(name: &str) -> Option<&str> {
    let (number, title) = name.strip_suffix(".md")?.split_once('-')?;
    let is_number = number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_title = !title.is_empty()
        && title
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    (is_number && is_title).then_some(number)
}

/// `Status: ..` or `Date: ..`, in bold or in a list as well, with something behind it.
fn says_when(line: &str) -> bool {
    let line: String = line
        .chars()
        .filter(|char| !matches!(char, '*' | '_' | '-' | ' '))
        .collect();
    ["Status:", "Date:"]
        .iter()
        .any(|word| line.strip_prefix(word).is_some_and(|rest| !rest.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::super::{shown, source};
    use super::*;

    // A decision without a date cannot be doubted when its reason has gone.
    #[test]
    fn a_decision_without_title_date_or_number_is_refused() {
        let good = "# One loop\n\nStatus: accepted\nDate: 2026-12-01\n";
        let found = check(&[
            source("docs/decisions/0001-one-loop.md", good),
            source("docs/decisions/0001-two-loops.md", good),
            source("docs/decisions/0002-bare.md", "No title\n"),
            source(
                "docs/decisions/0003-bold.md",
                "# Bold\n- **Status**: accepted, 2026-12-01\n",
            ),
            source("docs/decisions/Draft.md", good),
            source("docs/other.md", ""),
        ]);
        let expected = [
            "docs/decisions/0001-two-loops.md:0: 0001 is taken by docs/decisions/0001-one-loop.md",
            "docs/decisions/0002-bare.md:1: no title",
            "docs/decisions/0002-bare.md:2: no status and date",
            "docs/decisions/Draft.md:0: no decision's name",
        ];
        assert_eq!(shown(&found), expected);
    }
}
