//! Which module-level `let` and `var` are assigned after their declaration.
//!
//! Asked of the text before any item is read, so that the facts of an item rest
//! on a set of names and not on other items. In doubt a name counts as assigned.

use super::{F, K, Kids};
use crate::driver::Syntax;
use memchr::memmem;
use rustc_hash::FxHashSet;

pub(super) fn names<'t>(s: &mut Syntax<'t, K, F>, top: &Kids<'t>) -> FxHashSet<&'t str> {
    let mut found = FxHashSet::default();
    let mut destructures = None;
    for kid in top.iter() {
        let text = s.text(kid.node);
        let text = text.strip_prefix("export").map_or(text, str::trim_start);
        if !text.starts_with("let") && !text.starts_with("var") {
            continue;
        }
        let declaration = match kid.kind {
            K::ExportStatement => s.kids(kid.node).field(F::Declaration),
            _ => Some(*kid),
        };
        let Some(declaration) = declaration else {
            continue;
        };
        if !matches!(
            declaration.kind,
            K::LexicalDeclaration | K::VariableDeclaration
        ) {
            continue;
        }
        let kids = s.kids(declaration.node);
        if kids.has(K::ConstWord) {
            continue;
        }
        for declarator in kids.named() {
            let Some(name) = s.kids(declarator.node).field(F::Name) else {
                continue;
            };
            if name.kind != K::Identifier {
                continue;
            }
            let destructures = *destructures.get_or_insert_with(|| assigns_patterns(s.text));
            let word = s.text(name.node);
            if assigned(s.text, word, name.node.start_byte(), destructures) {
                found.insert(word);
            }
        }
    }
    found
}

/// Whether some `[..] =` or `{..} =` stands in the text.
fn assigns_patterns(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr2_iter(b']', b'}', bytes).any(|at| {
        let rest = bytes[at + 1..].trim_ascii_start();
        rest.first() == Some(&b'=') && !matches!(rest.get(1), Some(b'=' | b'>'))
    })
}

fn assigned(text: &str, word: &str, declared: usize, destructures: bool) -> bool {
    let bytes = text.as_bytes();
    let part_of_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || b >= 0x80;
    memmem::find_iter(bytes, word.as_bytes()).any(|at| {
        let before = &bytes[..at];
        let after = &bytes[at + word.len()..];
        if at == declared
            || before.last().is_some_and(|b| part_of_name(*b))
            || after.first().is_some_and(|b| part_of_name(*b))
        {
            return false;
        }
        let line = before
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |n| n + 1);
        let line = before[line..].trim_ascii_start();
        if line.starts_with(b"*") || line.starts_with(b"/*") || line.starts_with(b"//") {
            return false;
        }
        let before = before.trim_ascii_end();
        let after = after.trim_ascii_start();
        if before.ends_with(b".") && !before.ends_with(b"..") {
            return false;
        }
        if before.ends_with(b"++") || before.ends_with(b"--") {
            return true;
        }
        if after.starts_with(b"++") || after.starts_with(b"--") {
            return true;
        }
        if before.ends_with(b"(") && (after.starts_with(b"of") || after.starts_with(b"in")) {
            return true;
        }
        let bracketed = matches!(before.last(), Some(b'[' | b'{' | b',' | b':' | b'.'))
            && matches!(after.first(), Some(b',' | b']' | b'}' | b'='));
        if destructures && bracketed {
            return true;
        }
        let run = after
            .iter()
            .take_while(|b| b"+-*/%&|^<>?".contains(b))
            .count();
        let comparison = run == 1 && matches!(after[0], b'<' | b'>');
        !comparison
            && after.get(run) == Some(&b'=')
            && !matches!(after.get(run + 1), Some(b'=' | b'>'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name wrongly thought constant would make an alias certain that is not.
    #[test]
    fn assignments_of_every_form_are_seen() {
        let check = |rest: &str| {
            let text = format!("let it = first;\n{rest}");
            assigned(&text, "it", 4, assigns_patterns(&text))
        };
        for yes in [
            "it = 2",
            "it ??= 2",
            "it >>>= 1",
            "it++",
            "--it",
            "[a, it] = b",
            "({ a: it } = b)",
            "for (it of xs) {}",
            "f(() => it=1)",
            "it **= 2",
            "[...it] = b",
        ] {
            assert!(check(yes), "{yes}");
        }
        for no in [
            "it == 2", "it => 2", "it <= 2", "o.it = 2", "item = 2", "f(it, 1)", "it()", "it >= 2",
            "it === 2",
        ] {
            assert!(!check(no), "{no}");
        }
    }
}
