//! Pages that a command makes: each names its command, and is what the command prints today.

use serde_json::Value;

use super::{Source, Violation};
use crate::run::{Result, cargo, output};

/// Pages that are made by a command; the others may be.
const MADE: &[&str] = &["docs/languages.md", "docs/settings.md"];

const DOES_NOT_RUN: &str = "Mend the server first; what it would print is not known.";

const MAKE_ANEW: &str = "Run the command it names and put what it prints in place of the page.";

pub fn check(sources: &[Source]) -> Vec<Violation> {
    check_with(sources, &mut |args| {
        output(
            cargo()
                .args(["run", "--quiet", "--package", "surefoot", "--"])
                .args(args),
        )
    })
}

/// `surefoot` runs the server with some arguments and returns what it printed.
fn check_with(
    sources: &[Source],
    surefoot: &mut dyn FnMut(&[&str]) -> Result<String>,
) -> Vec<Violation> {
    let mut violations = Vec::new();
    for source in sources {
        if source.path == "vscode-extension/package.json" {
            violations.extend(package_json(source, surefoot));
        }
        if !source.path.starts_with("docs/") || source.extension() != "md" {
            continue;
        }
        match command(&source.text) {
            Some(args) => {
                let made = match surefoot(&args) {
                    Ok(made) => made,
                    Err(error) => {
                        violations.push(source.violation(1, error, DOES_NOT_RUN));
                        continue;
                    }
                };
                if let Some(line) = first_difference(&source.text, &made) {
                    let what = format!("not what `surefoot {}` prints", args.join(" "));
                    violations.push(source.violation(line, what, MAKE_ANEW));
                }
            }
            None if MADE.contains(&source.path.as_str()) => {
                let todo = "Say in its first lines: Made from .. by `surefoot ARGUMENTS`.";
                violations.push(source.violation(
                    1,
                    "a made page that does not name its command",
                    todo,
                ));
            }
            None => {}
        }
    }
    violations
}

/// The arguments in "Made from .. by `surefoot ARGUMENTS`", within the first lines.
fn command(text: &str) -> Option<Vec<&str>> {
    let line = text
        .lines()
        .take(5)
        .find(|line| line.starts_with("Made from "))?;
    let (_, rest) = line.split_once("by `surefoot ")?;
    let (args, _) = rest.split_once('`')?;
    Some(args.split_whitespace().collect())
}

fn first_difference(page: &str, made: &str) -> Option<usize> {
    if page == made {
        return None;
    }
    let same = page
        .lines()
        .zip(made.lines())
        .take_while(|(a, b)| a == b)
        .count();
    Some(same + 1)
}

/// The settings VS Code shows are the server's own.
fn package_json(
    source: &Source,
    surefoot: &mut dyn FnMut(&[&str]) -> Result<String>,
) -> Option<Violation> {
    let Ok(package) = serde_json::from_str::<Value>(&source.text) else {
        return Some(source.violation(1, "no JSON", "Mend it."));
    };
    let made = match surefoot(&["dump-settings", "--format", "vscode"]) {
        Ok(made) => made,
        Err(error) => return Some(source.violation(1, error, DOES_NOT_RUN)),
    };
    let made: Value = serde_json::from_str(&made).unwrap_or_default();
    if package["contributes"]["configuration"] == made {
        return None;
    }
    let line = source
        .lines()
        .find(|(_, line)| line.contains("\"configuration\""))
        .map_or(1, |(number, _)| number);
    let todo = "Put the output of `surefoot dump-settings --format vscode` there.";
    Some(source.violation(line, "other settings than the server's", todo))
}

#[cfg(test)]
mod tests {
    use super::super::{shown, source};
    use super::*;

    fn found(path: &str, text: &str, made: &str) -> Vec<String> {
        let mut asked = |_: &[&str]| Ok(made.to_string());
        shown(&check_with(&[source(path, text)], &mut asked))
    }

    // A page that tells of yesterday's settings is worse than none.
    #[test]
    fn a_stale_page_is_refused() {
        let page = "# Settings\n\nMade from the table by `surefoot dump-settings --format markdown`.\n\none\n";
        assert_eq!(found("docs/settings.md", page, page), [""; 0]);
        assert_eq!(
            found("docs/settings.md", page, &page.replace("one", "two")),
            ["docs/settings.md:5: not what `surefoot dump-settings --format markdown` prints"]
        );
        assert_eq!(
            found("docs/languages.md", "# Languages\n", ""),
            ["docs/languages.md:1: a made page that does not name its command"]
        );
        assert_eq!(found("docs/protocol.md", "# Protocol\n", ""), [""; 0]);
    }

    // VS Code reads the settings from another file than the server does.
    #[test]
    fn the_extensions_settings_are_the_servers() {
        let package = "{\"contributes\": {\n\"configuration\": {\"a\": 1}}}";
        assert_eq!(
            found("vscode-extension/package.json", package, "{\"a\": 1}"),
            [""; 0]
        );
        assert_eq!(
            found("vscode-extension/package.json", package, "{\"a\": 2}"),
            ["vscode-extension/package.json:2: other settings than the server's"]
        );
    }
}
