//! Lays out the folder of a new language, so that it compiles and its first fixture runs.

use std::fs;
use std::path::Path;

use crate::run::{Result, root};

const USAGE: &str = "\
cargo xtask new-lang NAME EXTENSION GRAMMAR@VERSION

  NAME       as in settings and reports: lower case, one word
  EXTENSION  of its files, without the dot
  GRAMMAR    its tree-sitter crate, with the exact version: tree-sitter-lua@0.2.0
";

/// What is laid out: where below the language's folder, and its text.
const FILES: &[(&str, &str)] = &[
    ("mod.rs", include_str!("../templates/lang/mod.rs.txt")),
    ("rules.rs", include_str!("../templates/lang/rules.rs.txt")),
    ("walk.rs", include_str!("../templates/lang/walk.rs.txt")),
    ("README.md", include_str!("../templates/lang/README.md.txt")),
    ("prelude/std.@ext@", ""),
    (
        "fixtures/first.fixture",
        include_str!("../templates/lang/first.fixture.txt"),
    ),
];

struct Wanted<'a> {
    name: &'a str,
    extension: &'a str,
    grammar: &'a str,
    version: &'a str,
}

pub fn run(args: &[String]) -> Result<()> {
    let wanted = wanted(args)?;
    let root = root();
    let langs = root.join("resolver/langs");
    let folder = langs.join("src").join(wanted.name);
    if folder.exists() {
        return Err(format!("There is a language {} already.", wanted.name));
    }
    let registry = read(&langs.join("src/lib.rs"))?;
    let (registry, id) = registered(&registry, wanted.name).ok_or(
        "resolver/langs/src/lib.rs has no registry of this form; add the two lines by hand",
    )?;
    for (path, text) in FILES {
        let path = folder.join(filled(path, &wanted, id));
        let parent = path.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).map_err(|e| format!("{}: {e}", parent.display()))?;
        write(&path, &filled(text, &wanted, id))?;
    }
    write(&langs.join("src/lib.rs"), &registry)?;
    let (grammar, version) = (wanted.grammar, wanted.version);
    line_after(
        &root.join("Cargo.toml"),
        "tree-sitter = ",
        &format!("{grammar} = \"={version}\""),
    )?;
    line_after(
        &langs.join("Cargo.toml"),
        "tree-sitter.workspace",
        &format!("{grammar}.workspace = true"),
    )?;
    let tests = root.join("resolver/session/tests/fixtures.rs");
    let text = read(&tests)?;
    let name = wanted.name;
    let test = format!(
        "// What the graph says of {name}.\n#[test]\nfn {name}() {{\n    run(\"{name}\");\n}}\n\n"
    );
    let at = text
        .find("/// Plays every fixture")
        .ok_or("resolver/session/tests/fixtures.rs has changed; add the test by hand")?;
    write(&tests, &[&text[..at], &test, &text[at..]].concat())?;
    println!(
        "resolver/langs/src/{name} is laid out. Next:\n  \
         cargo fmt --all && cargo test -p surefoot-session --test fixtures {name}"
    );
    Ok(())
}

fn wanted(args: &[String]) -> Result<Wanted<'_>> {
    let [name, extension, grammar] = args else {
        return Err(USAGE.to_owned());
    };
    let word = |s: &str| {
        !s.is_empty()
            && s.chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    let (grammar, version) = grammar.split_once('@').ok_or(USAGE)?;
    if !word(name) || extension.is_empty() || extension.starts_with('.') {
        return Err(USAGE.to_owned());
    }
    Ok(Wanted {
        name,
        extension,
        grammar,
        version,
    })
}

fn filled(text: &str, wanted: &Wanted<'_>, id: usize) -> String {
    let title: String = wanted.name[..1].to_uppercase() + &wanted.name[1..];
    text.replace("@name@", wanted.name)
        .replace("@Title@", &title)
        .replace("@UPPER@", &wanted.name.to_uppercase())
        .replace("@ext@", wanted.extension)
        .replace("@grammar_path@", &wanted.grammar.replace('-', "_"))
        .replace("@grammar@", wanted.grammar)
        .replace("@version@", wanted.version)
        .replace("@id@", &id.to_string())
}

/// The registry with the new language's two lines, and its number there.
fn registered(text: &str, name: &str) -> Option<(String, usize)> {
    let (head, tail) = text.split_once("const EXTRACTORS: &[&dyn driver::Extract] =")?;
    let open = tail.find("&[")?;
    let close = tail.find("];")?;
    let list = &tail[open + 2..close];
    let entries = list.split(',').filter(|e| !e.trim().is_empty());
    let id = entries.count();
    let comma = if list.trim_end().ends_with(',') {
        ""
    } else {
        ","
    };
    let entry = format!("{comma} &{name}::{},", name.to_uppercase());
    let list = format!(
        "{}{}{entry}{}",
        &tail[..open + 2],
        list.trim_end(),
        &tail[close..]
    );
    let head = head.replacen(
        "mod manifest;\n",
        &format!("mod manifest;\nmod {name};\n"),
        1,
    );
    let text = format!("{head}const EXTRACTORS: &[&dyn driver::Extract] ={list}");
    Some((text, id))
}

/// Puts a line behind the first that begins so.
fn line_after(path: &Path, begins: &str, line: &str) -> Result<()> {
    let text = read(path)?;
    let mut out = String::new();
    let mut done = text.lines().any(|l| l == line);
    for old in text.lines() {
        out.push_str(old);
        out.push('\n');
        if !done && old.starts_with(begins) {
            out.push_str(line);
            out.push('\n');
            done = true;
        }
    }
    match done {
        true => write(path, &out),
        false => Err(format!(
            "{} has no line that begins with `{begins}`",
            path.display()
        )),
    }
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    // A number that is not the place in the list would give one language the files of another.
    #[test]
    fn the_number_is_the_place_in_the_registry() {
        let text = "mod driver;\nmod manifest;\n\nconst EXTRACTORS: &[&dyn driver::Extract] = &[\n    &a::A,\n    &b::B,\n];\n\nfn more() {}\n";
        let (made, id) = registered(text, "lua").unwrap();
        assert_eq!(id, 2);
        assert!(made.contains("&b::B, &lua::LUA,];"), "{made}");
        assert!(made.contains("mod manifest;\nmod lua;\n"));
        assert!(made.ends_with("fn more() {}\n"));
    }
}
