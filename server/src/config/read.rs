//! Reads settings from whatever shape an editor sends them in; what does not fit keeps its default and is said.

use std::fmt;

use serde_json::{Map, Value};

use super::PREFIX;
use super::table::{Settings, TABLE};

/// Something in the user's settings that had no effect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Problem {
    Unknown {
        key: String,
        similar: Option<&'static str>,
    },
    Unfit {
        key: &'static str,
        got: String,
        expected: String,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { key, similar: None } => write!(f, "there is no setting {PREFIX}.{key}"),
            Self::Unknown {
                key,
                similar: Some(similar),
            } => {
                write!(
                    f,
                    "there is no setting {PREFIX}.{key}; did you mean {PREFIX}.{similar}?"
                )
            }
            Self::Unfit { key, got, expected } => {
                write!(
                    f,
                    "{PREFIX}.{key} is {got} but has to be {expected}; its default stays in force"
                )
            }
        }
    }
}

/// Settings on top of the defaults. `value` may be nested objects, dotted keys or both, with the prefix or
/// without; `null` is nothing.
pub fn read(value: &Value) -> (Settings, Vec<Problem>) {
    let mut settings = Settings::default();
    let mut problems = Vec::new();
    if let Value::Object(map) = value {
        for (key, value) in map {
            let own = key == PREFIX && value.is_object();
            let path = if own {
                ""
            } else {
                key.strip_prefix("surefoot.").unwrap_or(key)
            };
            visit(path, value, &mut settings, &mut problems);
        }
    }
    (settings, problems)
}

fn visit(path: &str, value: &Value, settings: &mut Settings, problems: &mut Vec<Problem>) {
    if value.is_null() {
        return;
    }
    if let Some(row) = TABLE.iter().find(|row| row.key == path) {
        if !settings.set(path, value) {
            problems.push(Problem::Unfit {
                key: row.key,
                got: short(value),
                expected: row.expected(),
            });
        }
        return;
    }
    match value {
        Value::Object(map) if path.is_empty() || is_group(path) => {
            descend(path, map, settings, problems)
        }
        _ => problems.push(Problem::Unknown {
            key: path.to_owned(),
            similar: similar(path),
        }),
    }
}

fn descend(
    path: &str,
    map: &Map<String, Value>,
    settings: &mut Settings,
    problems: &mut Vec<Problem>,
) {
    for (key, value) in map {
        let path = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        visit(&path, value, settings, problems);
    }
}

fn is_group(path: &str) -> bool {
    TABLE.iter().any(|row| {
        row.key
            .strip_prefix(path)
            .is_some_and(|rest| rest.starts_with('.'))
    })
}

/// A value small enough to stand in a message.
fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

/// A key that ends on the same word in other spelling, or differs in a letter or two.
fn similar(path: &str) -> Option<&'static str> {
    let plain = |key: &str| key.to_lowercase().replace(['.', '_', '-'], "");
    let wanted = plain(path);
    TABLE
        .iter()
        .map(|row| (distance(&plain(row.key), &wanted), row.key))
        .filter(|(distance, key)| *distance <= 1 + key.len() / 8)
        .min()
        .map(|(_, key)| key)
}

/// Edits between two words, counted along a diagonal band; words this short need nothing better.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(100).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let cost = (diagonal + usize::from(ca != *cb))
                .min(row[j] + 1)
                .min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = cost;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::super::table::{Provider, Severity};
    use super::*;
    use serde_json::json;

    /// VS Code nests, Neovim users write both, and a prefix may be there or not.
    #[test]
    fn every_spelling_of_the_same_settings_reads_the_same() {
        let nested = json!({ "codeLens": { "minComplexity": 5 }, "diagnostics": { "hotspots": { "severity": "off" } } });
        for value in [
            nested.clone(),
            json!({ "surefoot": nested }),
            json!({ "codeLens.minComplexity": 5.0, "diagnostics.hotspots": { "severity": "off" } }),
            json!({ "surefoot.codeLens.minComplexity": 5, "surefoot": { "diagnostics.hotspots.severity": "off" } }),
        ] {
            let (settings, problems) = read(&value);
            assert_eq!(problems, [], "{value}");
            assert_eq!(
                (settings.code_lens_min_complexity, settings.hotspots),
                (5, Severity::Off),
                "{value}"
            );
        }
    }

    /// A typing error must be told to the user and must not change anything else.
    #[test]
    fn what_does_not_fit_is_said_and_keeps_its_default() {
        let (settings, problems) = read(&json!({
            "codelens": { "minComplexity": 5 },
            "codeLens": { "minComplexity": -1, "enabled": false },
            "definition.provider": "sometimes",
            "nonsense": 1,
        }));
        assert_eq!(settings.code_lens_min_complexity, 1);
        assert_eq!(settings.definition, Provider::Never);
        assert!(!settings.code_lens_enabled);
        let said: Vec<_> = problems.iter().map(Problem::to_string).collect();
        expect_test::expect![[r#"
            surefoot.codeLens.minComplexity is -1 but has to be a whole number from 0 to 1000000; its default stays in force
            there is no setting surefoot.codelens
            surefoot.definition.provider is "sometimes" but has to be one of "auto", "always", "never"; its default stays in force
            there is no setting surefoot.nonsense"#]]
        .assert_eq(&said.join("\n"));
        let (settings, problems) = read(&json!({ "diagnostics.exclude": ["ok/**", "{not"] }));
        assert_eq!((settings.diagnostics_exclude.len(), problems.len()), (0, 1));
        let (_, problems) = read(&json!({ "codeLens.minComplexty": 3 }));
        assert!(
            problems[0]
                .to_string()
                .ends_with("did you mean surefoot.codeLens.minComplexity?"),
            "{}",
            problems[0]
        );
    }

    /// Clients send null, text or nothing for "no settings".
    #[test]
    fn nothing_reads_as_the_defaults() {
        for value in [
            json!(null),
            json!({}),
            json!("x"),
            json!({ "surefoot": null }),
            json!({ "codeLens": null }),
        ] {
            assert_eq!(read(&value), (Settings::default(), vec![]), "{value}");
        }
    }
}
