//! Just enough of Rust's surface to tell test code from the rest.

/// For each line (index from zero) whether it is inside a `#[cfg(test)]` item.
///
/// Reads the layout that rustfmt gives: the item ends at the first line that closes at its own indent.
pub fn test_lines(text: &str) -> Vec<bool> {
    let mut marks = Vec::new();
    let mut inside: Option<String> = None;
    let mut waiting = false;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let indent = &line[..line.len() - trimmed.len()];
        match &inside {
            Some(close) => {
                marks.push(true);
                if line.trim_end() == close {
                    inside = None;
                }
            }
            None if trimmed.starts_with("#[cfg(test)]")
                || trimmed.starts_with("#[cfg(all(test") =>
            {
                marks.push(true);
                waiting = true;
            }
            None if waiting => {
                marks.push(true);
                let ends_here = trimmed.ends_with(';') || trimmed.ends_with('}');
                if trimmed.ends_with('{') {
                    inside = Some(format!("{indent}}}"));
                }
                waiting = !ends_here && inside.is_none();
            }
            None => marks.push(false),
        }
    }
    marks
}

/// True when the whole file is test code.
pub fn is_test_file(path: &str) -> bool {
    let in_tests_crate = path.starts_with("tests/")
        && !path.starts_with("tests/xtask/")
        && !path.starts_with("tests/bench/")
        && !path.starts_with("tests/accuracy/");
    in_tests_crate
        || path.split('/').skip(1).any(|part| part == "tests")
        || path.ends_with("/tests.rs")
        || path.ends_with("_tests.rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    // Words and sleeps are judged differently in tests: the border must be where a reader sees it.
    #[test]
    fn finds_the_border() {
        let text = "fn a() {}\n#[cfg(test)]\nuse x;\nfn b() {}\n#[cfg(test)]\n#[rustfmt::skip]\nmod t {\n    fn c() {\n    }\n}\nfn d() {}\n";
        let marks = test_lines(text);
        let marked: Vec<_> = text
            .lines()
            .zip(&marks)
            .filter(|(_, mark)| **mark)
            .map(|(line, _)| line)
            .collect();
        let expected = [
            "#[cfg(test)]",
            "use x;",
            "#[cfg(test)]",
            "#[rustfmt::skip]",
            "mod t {",
            "    fn c() {",
            "    }",
            "}",
        ];
        assert_eq!(marked, expected);
    }

    // The house's tools run things and wait for them; its tests must not.
    #[test]
    fn knows_test_files_by_their_place() {
        assert!(is_test_file("tests/it/src/lib.rs"));
        assert!(is_test_file("resolver/files/tests/disk/main.rs"));
        assert!(is_test_file("resolver/engine/src/state/tests.rs"));
        assert!(!is_test_file("tests/xtask/src/main.rs"));
        assert!(!is_test_file("resolver/engine/src/lib.rs"));
    }
}
