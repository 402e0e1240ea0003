//! Words that must not stand where they stand: languages in the engine, machines and hosts anywhere.

use super::rust::{is_test_file, test_lines};
use super::{Source, Violation};

/// Names no part of an identifier, string or comment in the engine may be.
const LANGUAGES: &[&str] = &[
    "arkts",
    "cargo",
    "clojure",
    "cpp",
    "csharp",
    "dart",
    "ecmascript",
    "elixir",
    "erlang",
    "golang",
    "haskell",
    "java",
    "javascript",
    "jsx",
    "kotlin",
    "lua",
    "npm",
    "ocaml",
    "perl",
    "php",
    "pyproject",
    "python",
    "ruby",
    "rust",
    "scala",
    "solidity",
    "swift",
    "tsconfig",
    "tsx",
    "typescript",
    "zig",
];

/// Paths of one machine. In two halves, so that this line is none.
const MACHINE: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("../sha", "red"),
];

/// Hosts of package registries.
const HOSTS: &[&str] = &[
    concat!("crates", ".io"),
    concat!("registry.npmjs", ".org"),
    concat!("npmjs", ".com"),
    concat!("pypi", ".org"),
    concat!("pythonhosted", ".org"),
    concat!("deb.debian", ".org"),
    concat!("proxy.golang", ".org"),
];

pub fn check(sources: &[Source]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for source in sources {
        machines_and_hosts(source, &mut violations);
        if source.path.starts_with("resolver/engine/src/")
            && source.extension() == "rs"
            && !is_test_file(&source.path)
        {
            languages(source, &mut violations);
        }
    }
    violations
}

fn machines_and_hosts(source: &Source, violations: &mut Vec<Violation>) {
    // Cargo writes the index's name there by itself.
    if source.path == "Cargo.lock" {
        return;
    }
    // Prose may say where a project comes from.
    let is_prose = source.extension() == "md";
    for (number, line) in source.lines() {
        if let Some(path) = MACHINE.iter().find(|path| stands_in(line, path)) {
            let what = format!("`{path}` is a place on one machine");
            violations.push(source.violation(
                number,
                what,
                "Name it relative to the repository, or make it an option.",
            ));
        }
        if let Some(host) = HOSTS.iter().find(|host| !is_prose && line.contains(**host)) {
            let what = format!("`{host}` is the address of a registry");
            let todo = "Use the registry's own client, which knows where to ask; lock files leave the address out.";
            violations.push(source.violation(number, what, todo));
        }
    }
}

/// `path` in `line`, not as the middle of a longer path or of an address.
fn stands_in(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|char| {
            char.is_alphanumeric() || matches!(char, '.' | '_' | '-' | '}' | ')' | '~')
        })
    })
}

fn languages(source: &Source, violations: &mut Vec<Violation>) {
    let in_tests = test_lines(&source.text);
    for ((number, line), in_test) in source.lines().zip(in_tests) {
        if in_test {
            continue;
        }
        if let Some(name) = words(line)
            .into_iter()
            .find(|word| LANGUAGES.contains(&word.as_str()))
        {
            let what = format!("the engine names a language: `{name}`");
            let todo = "Make it a rule of the `Rules` trait, with a name that says what it does.";
            violations.push(source.violation(number, what, todo));
        }
    }
}

/// The words of a line in lower case; `TypeScript` is one word and also its two parts.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for token in line.split(|char: char| !char.is_ascii_alphanumeric()) {
        if token.is_empty() {
            continue;
        }
        words.push(token.to_ascii_lowercase());
        let mut part = String::new();
        let mut after_lower = false;
        for char in token.chars() {
            if char.is_ascii_uppercase() && after_lower {
                words.push(std::mem::take(&mut part));
            }
            after_lower = char.is_ascii_lowercase();
            part.push(char.to_ascii_lowercase());
        }
        words.push(part);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::super::{shown, source};
    use super::*;

    // A condition on one language in the engine is where the next fourteen go wrong.
    #[test]
    fn a_language_in_the_engine_is_refused_outside_tests() {
        let engine = "let a = lang == \"rust\";\nfn is_python() {}\n// as TypeScript does\nstruct JavaClass;\nuse rustc_hash::FxHashMap;\n#[cfg(test)]\nmod tests {\n    // rust\n}\n";
        let found = check(&[
            source("resolver/engine/src/a.rs", engine),
            source("resolver/langs/src/a.rs", engine),
        ]);
        let lines: Vec<_> = found
            .iter()
            .map(|violation| (violation.line, violation.what.as_str()))
            .collect();
        let expected = [
            (1, "the engine names a language: `rust`"),
            (2, "the engine names a language: `python`"),
            (3, "the engine names a language: `typescript`"),
            (4, "the engine names a language: `java`"),
        ];
        assert_eq!(lines, expected);
    }

    // A path of the author's machine works there and nowhere else.
    #[test]
    fn machines_and_hosts_are_refused() {
        let [work, root, beside] = [MACHINE[0], MACHINE[1], MACHINE[2]];
        let text = format!(
            "cd {work}x\n'{root}.cache'\n{beside}/x\n/net{work}x\n$HOME{work}\nhttps://{}/x\n",
            HOSTS[0]
        );
        let found = shown(&check(&[source("a.sh", &text)]));
        let lines: Vec<_> = found
            .iter()
            .map(|line| line.split(':').nth(1).unwrap_or_default())
            .collect();
        assert_eq!(lines, ["1", "2", "3", "6"]);
        let prose = format!("From {}.\n", HOSTS[0]);
        assert_eq!(
            shown(&check(&[
                source("docs/a.md", &prose),
                source("Cargo.lock", &text)
            ])),
            [""; 0]
        );
    }
}
