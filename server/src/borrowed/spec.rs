//! From what a user writes to a server that can be started.

use serde_json::Value;
use surefoot_bridge::{Guard, Spec, entry};

/// The subcommand of this program that guards a server.
pub const GUARD: &str = "guard-server";

/// How this program guards what it starts.
pub fn guard() -> Result<Guard, String> {
    let own = std::env::current_exe().map_err(|e| format!("this program's own path: {e}"))?;
    Ok(Guard(vec![own.into(), GUARD.into()]))
}

/// A server by a command line: a name of the table, or a program and its arguments.
pub fn from_line(line: &str) -> Result<Spec, String> {
    let words = words(line)?;
    let mut spec = match &words[..] {
        [] => return Err("the command is empty".to_owned()),
        // A path is the program itself, whatever the table would start by that name.
        [path] if path.contains(std::path::is_separator) => entry(path, Some(&words))?,
        [name] => entry(name, None).or_else(|_| entry(name, Some(&words)))?,
        [program, ..] => entry(program, Some(&words))?,
    };
    spec.guard = guard()?;
    Ok(spec)
}

/// Puts a user's options on top of ours, where the server reads them at its start and where it asks for them.
pub fn merge_options(spec: &mut Spec, options: &Value) {
    if options.is_null() {
        return;
    }
    merge(&mut spec.options, options);
    let key = spec.key.clone();
    if let Some(section) = spec.settings.get_mut(&key) {
        merge(section, options);
    }
}

/// Values of `over` win; objects are joined.
fn merge(into: &mut Value, over: &Value) {
    match (into, over) {
        (Value::Object(into), Value::Object(over)) => {
            for (key, value) in over {
                merge(into.entry(key.as_str()).or_insert(Value::Null), value);
            }
        }
        (into, over) => into.clone_from(over),
    }
}

/// Words between spaces; quotes hold a word together.
fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(format!("a quote is not closed in {line:?}"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paths hold spaces.
    #[test]
    fn a_command_line_is_cut_into_words() {
        let cut = |line: &str| words(line).unwrap();
        assert_eq!(cut(" a  b "), ["a", "b"]);
        assert_eq!(cut(r#""/a b/c" '' d"e f""#), ["/a b/c", "", "de f"]);
        assert!(words("a \"b").is_err());
    }

    /// A path to a program of the table is that program, wherever it stands.
    #[test]
    fn a_path_is_a_server_too() {
        assert_eq!(from_line("/opt/x/clangd").unwrap().key, "clangd");
        assert_eq!(from_line("/opt/x/clangd").unwrap().command, "/opt/x/clangd");
        assert_eq!(from_line("gopls").unwrap().command, "gopls");
        assert_eq!(
            from_line("/opt/other --stdio").unwrap().arguments,
            ["--stdio"]
        );
    }
}
