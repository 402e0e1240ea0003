//! Comments that say a finding is meant to be: `surefoot: ignore` on the line or
//! the line above, with or without the codes it is about.

use std::collections::{BTreeMap, BTreeSet};
use surefoot_engine::features::diagnostics::Code;

/// The word that starts one, whatever the language's comment sign.
const WORD: &str = "surefoot: ignore";
/// The same for the whole file.
const FILE_WORD: &str = "surefoot: ignore-file";

/// Which findings a text asks to leave out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Suppressions {
    /// By line from zero; an empty list means all codes.
    lines: BTreeMap<u32, Vec<String>>,
    /// Lines that hold nothing but the comment: it is about the next one, too.
    alone: BTreeSet<u32>,
    file: Option<Vec<String>>,
}

impl Suppressions {
    /// Finds them in a text. Strings are not told from comments: someone who
    /// writes the word in a string means it as much.
    pub fn scan(text: &str) -> Suppressions {
        let mut out = Suppressions::default();
        if !text.contains(WORD) {
            return out;
        }
        for (n, line) in lines(text).enumerate() {
            if let Some(at) = line.find(FILE_WORD) {
                let codes = codes(&line[at + FILE_WORD.len()..]);
                out.file = Some(codes);
            } else if let Some(at) = line.find(WORD) {
                let codes = codes(&line[at + WORD.len()..]);
                out.lines.insert(n as u32, codes);
                if !line[..at].contains(char::is_alphanumeric) {
                    out.alone.insert(n as u32);
                }
            }
        }
        out
    }

    /// Whether a finding on a line (from zero) is meant to be.
    pub fn covers(&self, line: u32, code: Code) -> bool {
        let says = |codes: &Vec<String>| codes.is_empty() || codes.iter().any(|c| means(c, code));
        let above = line.checked_sub(1).filter(|l| self.alone.contains(l));
        self.file.as_ref().is_some_and(says)
            || self.lines.get(&line).is_some_and(says)
            || above.is_some_and(|l| self.lines.get(&l).is_some_and(says))
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.file.is_none()
    }
}

/// Lines as an editor counts them.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        line.split('\r')
    })
}

/// `[a, b]` or `(a, b)` or ` a, b`: what stands behind the word.
fn codes(rest: &str) -> Vec<String> {
    let rest = rest.trim_start();
    let Some(open) = rest.strip_prefix(['[', '(']) else {
        return Vec::new();
    };
    let end = open.find([']', ')']).unwrap_or(open.len());
    open[..end]
        .split(',')
        .map(|c| c.trim().to_owned())
        .filter(|c| !c.is_empty())
        .collect()
}

/// A code covers its finer ones: `unread-parameter` also `unread-parameter/overwritten`.
fn means(written: &str, code: Code) -> bool {
    let id = code.id();
    id == written
        || id
            .strip_prefix(written)
            .is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    // A suppress comment that silences too much hides real findings, one that
    // silences too little is no use.
    #[test]
    fn a_comment_covers_its_line_and_the_next_and_only_its_codes() {
        let text = "a\n// surefoot: ignore[unread-parameter]\nfn f(x) {}\r\n\
                    fn g(y) {} // surefoot: ignore\nfn h(z) {}\nfn i() {}";
        let s = Suppressions::scan(text);
        let unread = Code::UnreadParameter;
        let covered: Vec<u32> = (0..6).filter(|&l| s.covers(l, unread)).collect();
        assert_eq!(covered, [1, 2, 3]);
        assert!(s.covers(2, Code::UnreadParameterOverwritten));
        assert!(!s.covers(2, Code::Hotspot) && s.covers(3, Code::Hotspot));
        let whole = Suppressions::scan("# surefoot: ignore-file[hotspot]\n");
        assert!(whole.covers(900, Code::Hotspot) && !whole.covers(900, unread));
    }
}
