//! The table as a JSON schema, as a page for people, and as the part of package.json that VS Code reads.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::PREFIX;
use super::table::{Kind, Mode, Scope, Setting, TABLE, number};

/// What to make of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A JSON schema of the settings, keys without prefix.
    Json,
    /// docs/settings.md.
    Markdown,
    /// The value of `contributes.configuration` in the extension's package.json.
    Vscode,
}

pub fn dump(format: Format) -> String {
    match format {
        Format::Json => pretty(&schema()),
        Format::Markdown => markdown(),
        Format::Vscode => pretty(&vscode()),
    }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

fn schema() -> Value {
    let properties: Map<String, Value> = TABLE
        .iter()
        .filter(|row| !row.editor_side)
        .map(|row| (row.key.to_owned(), property(row)))
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of the Surefoot language server",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

fn vscode() -> Value {
    let properties: Map<String, Value> = TABLE
        .iter()
        .enumerate()
        .map(|(order, row)| {
            let mut property = property(row);
            property["order"] = order.into();
            property["scope"] = match row.scope {
                Scope::Machine => "machine",
                Scope::Window => "window",
            }
            .into();
            (format!("{PREFIX}.{}", row.key), property)
        })
        .collect();
    json!({ "title": "Surefoot", "properties": properties })
}

fn property(row: &Setting) -> Value {
    let mut property = match row.kind {
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Integer { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Kind::Number { min, max } => {
            json!({ "type": "number", "minimum": number(min), "maximum": number(max) })
        }
        Kind::Text => json!({ "type": "string" }),
        Kind::Texts | Kind::Globs => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::Servers => json!({
            "type": "object",
            "additionalProperties": { "anyOf": [
                { "type": "string", "enum": ["off", "onDemand", "idle"] },
                { "type": "object", "additionalProperties": false, "properties": {
                    "mode": { "type": "string", "enum": ["off", "onDemand", "idle"] },
                    "command": { "type": "array", "items": { "type": "string" } },
                    "options": { "type": "object" },
                    "memoryMb": { "type": "integer", "minimum": 0 },
                    "budget": { "type": "integer", "minimum": 0 },
                    "startTimeout": { "type": "integer", "minimum": 0 },
                } },
            ] },
        }),
        Kind::Word(words) => {
            let (values, about): (Vec<_>, Vec<_>) = words.iter().copied().unzip();
            json!({ "type": "string", "enum": values, "enumDescriptions": about })
        }
    };
    property["default"] = row.default.to_json();
    property["description"] = row.about.into();
    property
}

fn markdown() -> String {
    let mut out = String::from(
        "# Settings\n\n\
         Made from the table in `server/src/config/table.rs` by `surefoot dump-settings --format markdown`; a test \
         compares the two.\n\n\
         In VS Code these are settings of the editor. Elsewhere they are sent without the prefix `surefoot.`, in \
         `initializationOptions.settings` or in answer to `workspace/configuration`, nested or with dots. An unknown \
         key or a value that does not fit is said once and changes nothing.\n\n\
         | key | values | default | what it does |\n| --- | --- | --- | --- |\n",
    );
    for row in TABLE {
        let values = match row.kind {
            Kind::Word(words) => words
                .iter()
                .map(|(word, _)| format!("`{word}`"))
                .collect::<Vec<_>>()
                .join(", "),
            _ => row.expected(),
        };
        let mut about = row.about.to_owned();
        if row.editor_side {
            about.push_str(" Read by the editor's plugin.");
        }
        if row.scope == Scope::Machine {
            about.push_str(" Only from the user's own settings.");
        }
        let _ = writeln!(
            out,
            "| `{PREFIX}.{}` | {values} | `{}` | {about} |",
            row.key,
            row.default.to_json()
        );
    }
    let mut seen = Vec::new();
    out.push_str("\n## What the words mean\n");
    out.push_str("\n`surefoot.bridge.servers`, for each server (what each of them needs and may do: [servers.md](servers.md)):\n\n");
    for (word, about) in Mode::WORDS {
        let _ = writeln!(out, "- `{word}`: {about}");
    }
    for row in TABLE {
        let Kind::Word(words) = row.kind else {
            continue;
        };
        if seen.contains(&words) {
            continue;
        }
        seen.push(words);
        let keys: Vec<_> = TABLE
            .iter()
            .filter(|other| other.kind == row.kind)
            .map(|other| format!("`{PREFIX}.{}`", other.key))
            .collect();
        let _ = writeln!(out, "\n{}:\n", keys.join(", "));
        for (word, about) in words {
            let _ = writeln!(out, "- `{word}`: {about}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page users read is the table, not somebody's memory of it.
    #[test]
    fn the_settings_page_is_the_table() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/settings.md");
        expect_test::expect_file![page].assert_eq(&dump(Format::Markdown));
    }

    /// A key VS Code shows must have a scope, and one that names a program must be closed to workspaces.
    #[test]
    fn programs_are_named_by_the_user_alone() {
        let vscode = vscode();
        for key in [
            "surefoot.server.path",
            "surefoot.server.extraArgs",
            "surefoot.bridge.servers",
        ] {
            assert_eq!(vscode["properties"][key]["scope"], "machine", "{key}");
        }
        assert_eq!(
            vscode["properties"]["surefoot.hover"]["enum"],
            json!(["off", "compact", "full"])
        );
    }
}
