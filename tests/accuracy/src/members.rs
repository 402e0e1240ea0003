//! Which library members leave receiver chains undetermined: what a prelude should learn next.
//!
//! For each site left open, its receiver is read from the text: the call the dot stands behind, if there is one. The
//! blame climbs along open calls to the first one that is not open; if the judge says that one is a library member,
//! its type is what was not known. Receivers held in variables are not followed, so the counts are a floor.

use std::collections::{BTreeMap, HashMap};

use crate::score::{Scored, Verdict};
use crate::truth::{Class, Lines};

/// Library members by how many open sites hang on them, most first.
pub fn blamed(scored: &[Scored<'_>], lines: &mut Lines<'_>, limit: usize) -> Vec<(String, usize)> {
    let at: HashMap<(&str, u32, u32), &Scored<'_>> = scored
        .iter()
        .map(|s| ((s.site.file.as_str(), s.site.line, s.site.col), s))
        .collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for s in scored {
        if s.verdict != Verdict::Open
            || !matches!(s.site.class, Class::In | Class::Ext | Class::Dyn)
        {
            continue;
        }
        let mut here = s;
        // Each step goes left in the text, so this ends; the bound is for a text that lies.
        for _ in 0..64 {
            let text = lines.file(&here.site.file);
            let Some((line, col)) = receiver_call(text, here.site.line, here.site.col) else {
                break;
            };
            let Some(next) = at.get(&(here.site.file.as_str(), line, col)) else {
                break;
            };
            if next.verdict == Verdict::Open {
                here = next;
                continue;
            }
            if next.site.class == Class::Ext {
                *counts.entry(next.site.callee.clone()).or_default() += 1;
            }
            break;
        }
    }
    let mut list: Vec<_> = counts.into_iter().collect();
    list.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    list.truncate(limit);
    list
}

/// The name token of the call that a member call's dot stands behind: `b` of `a.b(..)?.c`, seen from `c`.
/// Lines are 1-based, columns 1-based bytes.
fn receiver_call(lines: &[String], line: u32, col: u32) -> Option<(u32, u32)> {
    let mut cursor = Back {
        lines,
        line: line as usize - 1,
        at: col as usize - 1,
    };
    cursor.space();
    if !cursor.eat(b'.') {
        return None;
    }
    cursor.space();
    // `?`, `!`, `?.` and `.await` change the type in a known way; indexing does not name a call.
    while cursor.eat(b'?') || cursor.eat(b'!') || cursor.eat_word("await") && cursor.eat(b'.') {
        cursor.space();
    }
    if !cursor.eat_balanced(b')', b'(') {
        return None;
    }
    cursor.space();
    if cursor.eat_balanced(b'>', b'<') {
        cursor.space();
        if cursor.eat(b':') {
            cursor.eat(b':');
        }
    }
    cursor.space();
    cursor.word()
}

struct Back<'l> {
    lines: &'l [String],
    line: usize,
    at: usize,
}

impl Back<'_> {
    fn peek(&self) -> Option<u8> {
        let text = self.lines.get(self.line)?.as_bytes();
        self.at.checked_sub(1).and_then(|i| text.get(i).copied())
    }

    fn step(&mut self) -> bool {
        if self.at > 0 {
            self.at -= 1;
            return true;
        }
        if self.line == 0 {
            return false;
        }
        self.line -= 1;
        self.at = self.lines[self.line]
            .find("//")
            .unwrap_or(self.lines[self.line].len());
        true
    }

    fn space(&mut self) {
        while self.peek().is_none_or(|b| b.is_ascii_whitespace()) {
            if !self.step() {
                return;
            }
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let hit = self.peek() == Some(byte);
        if hit {
            self.at -= 1;
        }
        hit
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let text = self.lines[self.line].as_bytes();
        let start = self.at.checked_sub(word.len());
        let hit = start.is_some_and(|s| text.get(s..self.at) == Some(word.as_bytes()));
        if hit {
            self.at -= word.len();
        }
        hit
    }

    /// Steps over a balanced pair, whose closing byte is next. Gives up after 20,000 bytes.
    fn eat_balanced(&mut self, close: u8, open: u8) -> bool {
        if self.peek() != Some(close) {
            return false;
        }
        let mut depth = 0_usize;
        for _ in 0..20_000 {
            match self.peek() {
                Some(b) if b == close => depth += 1,
                Some(b) if b == open => {
                    depth -= 1;
                    if depth == 0 {
                        self.at -= 1;
                        return true;
                    }
                }
                _ => {}
            }
            if !self.step() {
                return false;
            }
        }
        false
    }

    /// The start of the identifier that ends here.
    fn word(&mut self) -> Option<(u32, u32)> {
        let end = self.at;
        while self
            .peek()
            .is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80)
        {
            self.at -= 1;
        }
        (self.at < end).then(|| (self.line as u32 + 1, self.at as u32 + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, from: &str, expected: Option<&str>) {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let line = lines
            .iter()
            .position(|l| l.contains(from))
            .expect("the start stands in the text");
        let col = lines[line]
            .rfind(from)
            .expect("the start stands in its line");
        let found = receiver_call(&lines, line as u32 + 1, col as u32 + 1);
        let found = found.map(|(l, c)| {
            let rest = &lines[l as usize - 1][c as usize - 1..];
            rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .unwrap_or_default()
        });
        assert_eq!(found, expected, "{text}");
    }

    /// Why: a wrong receiver would send someone to write a prelude entry that helps nobody.
    #[test]
    fn the_receiver_of_a_chain_is_the_call_before_the_dot() {
        check("a.iter(x, (y)).last()", "last", Some("iter"));
        check("a.parse::<Vec<u8>>()?.last()", "last", Some("parse"));
        check(
            "a.send(b)\n    // why\n    .await?\n    .last()",
            "last",
            Some("send"),
        );
        check("a.field.last()", "last", None);
        check("last()", "last", None);
        check("make(a)!.last()", "last", Some("make"));
    }
}
