//! What an open document must keep: equality with a reading from nothing, and bounds.

use super::hunk::{difference, hunks};
use super::{Edit, OpenFile};
use crate::get;
use surefoot_facts::{Extracted, Language, LanguageId};

const RUST: &str = include_str!("../rust/flow.rs");
const TYPESCRIPT: &str = r#"
import { load as l, type Shape } from "./lib";
export * from "./other";

/** Doc. */
export class Store<T extends Shape> {
    private items: T[] = [];
    constructor(readonly name: string, private log = console) {}
    add = (item: T) => { this.items.push(item); };
    find(key: string): T | undefined {
        for (const i of this.items) {
            if (i.key === key && i.live) return i;
        }
        return undefined;
    }
}

export default async function main(argv: string[]) {
    const store = new Store<Shape>("a");
    const { a, b: [c] } = await l(argv);
    store.add(a ?? c);
    return store.find(argv[0])?.key;
}
"#;

/// The same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }

    fn boundary(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

/// One random replacement in `text`, as an editor would send it. Most are what
/// people type in text that parses; some break it.
fn edit(random: &mut Random, text: &mut String) -> Edit {
    let lines: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let line = random.below(lines.len());
    let (from, to) = (
        lines[line],
        lines.get(line + 1).copied().unwrap_or(text.len()),
    );
    let (start, end, insert) = match random.below(12) {
        // A name grows or shrinks.
        0..=3 => {
            let names: Vec<usize> = text
                .match_indices(|c: char| c.is_ascii_lowercase())
                .map(|(at, _)| at)
                .collect();
            let at = names[random.below(names.len())];
            let end = at + random.below(2);
            (at, end, ["x", "yz"][random.below(2)].to_owned())
        }
        // A line is doubled, a blank line or a comment is added.
        4 | 5 => (from, from, text[from..to].to_owned()),
        6 => (from, from, "\n".to_owned()),
        7 => (from, from, "// é\n".to_owned()),
        // A line goes.
        8 => (from, to, String::new()),
        9 => (from, from, "function f() {}\n".to_owned()),
        // Anything anywhere.
        _ => {
            let start = random.boundary(text);
            let mut end = (start + random.below(40)).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            let insert = ["", "{", "}", "(", "\"", "/*", "é", "'a"][random.below(8)];
            (start, end, insert.to_owned())
        }
    };
    text.replace_range(start..end, &insert);
    Edit {
        start: start as u32,
        old_end: end as u32,
        new_end: (start + insert.len()) as u32,
    }
}

fn same(a: &Extracted, b: &Extracted) -> bool {
    a.facts == b.facts && a.positions == b.positions
}

fn language(id: u8) -> &'static dyn Language {
    get(LanguageId(id)).unwrap()
}

/// Typing must never show other facts than opening the same text would: checked
/// wherever the text parses, and everywhere after the full check on idle.
#[test]
fn an_open_document_equals_its_text() {
    let mut clean = 0;
    for (id, start) in [(0, RUST), (1, TYPESCRIPT), (2, TYPESCRIPT)] {
        for seed in 1..=16u64 {
            let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
            let mut text = start.to_owned();
            let mut file = OpenFile::new(language(id), text.clone());
            for step in 0..10 {
                let count = 1 + random.below(2);
                let edits: Vec<Edit> = (0..count).map(|_| edit(&mut random, &mut text)).collect();
                file.update(&edits, text.clone());
                let full = language(id).facts(&text);
                if full.facts.errors == 0 {
                    clean += 1;
                    assert!(
                        same(file.extracted(), &full),
                        "{id} seed {seed} step {step}"
                    );
                } else if random.below(2) == 0 {
                    text = start.to_owned();
                    file.update(&[], text.clone());
                    file.verify_full();
                    assert!(same(file.extracted(), &language(id).facts(&text)));
                }
            }
            file.verify_full();
            assert!(
                same(file.extracted(), &language(id).facts(&text)),
                "{id} seed {seed}"
            );
            assert!(
                !file.verify_full(),
                "a checked document has nothing left to repair"
            );
        }
    }
    assert!(
        clean > 150,
        "only {clean} of the texts parsed: the test says little"
    );
}

/// An edit in one function must not read the others again: their facts stay the
/// same objects.
#[test]
fn items_an_edit_does_not_touch_are_kept() {
    let at = RUST.find("let kids").unwrap();
    let mut text = RUST.to_owned();
    let mut file = OpenFile::new(language(0), text.clone());
    let before = file.extracted().facts.items.clone();
    text.insert(at, ' ');
    let edit = Edit {
        start: at as u32,
        old_end: at as u32,
        new_end: at as u32 + 1,
    };
    let after = &file.update(&[edit], text).facts.items;
    let kept = after
        .iter()
        .zip(&before)
        .filter(|(a, b)| std::sync::Arc::ptr_eq(a, b));
    assert_eq!(kept.count(), before.len() - 1);
}

/// A declaration above with the same name changes how those below count, though
/// not a byte of them.
#[test]
fn namesakes_above_are_counted() {
    let mut text = "fn a() {}\nfn b() {}\n".to_owned();
    let mut file = OpenFile::new(language(0), text.clone());
    text.insert_str(0, "fn b() {}\n");
    let edit = Edit {
        start: 0,
        old_end: 0,
        new_end: 10,
    };
    file.update(&[edit], text.clone());
    assert!(same(file.extracted(), &language(0).facts(&text)));
}

/// Edits that do not lead from one text to the other (a client out of step)
/// must not leave a tree that lies about its text.
#[test]
fn wrong_edits_are_replaced_by_the_difference() {
    let (old, new) = ("fn aé() {}", "fn aè() { b() }");
    let wrong = Edit {
        start: 1,
        old_end: 3,
        new_end: 9,
    };
    assert_eq!(hunks(&[wrong], old, new), difference(old, new));
    let mut file = OpenFile::new(language(0), old.to_owned());
    file.update(&[wrong], new.to_owned());
    assert!(same(file.extracted(), &language(0).facts(new)));
}

/// Hostile nesting must cost bounded stack and say that something was left out.
#[test]
fn deep_nesting_is_read_to_a_bound() {
    for (id, open, close) in [
        (0, "fn f() {", "}"),
        (0, "(", ")"),
        (0, "{", "}"),
        (0, "a!(", ")"),
        (1, "{", "}"),
        (1, "(", ")"),
        (2, "<a>", "</a>"),
    ] {
        for n in [2_000, 200_000] {
            let text = format!("const A: u8 = {}1{};", open.repeat(n), close.repeat(n));
            let facts = language(id).facts(&text);
            if n > 100_000 {
                assert!(
                    facts.facts.errors > 0,
                    "{id} {open} says nothing was left out"
                );
            }
            assert!(language(id).facts(&open.repeat(n)).facts.errors > 0);
        }
    }
}

/// A text whose parse costs too much is given up after counted work, the same
/// on every machine, and the file says it is broken.
#[test]
fn a_costly_parse_ends() {
    let text = "fn f() { a < ".repeat(40_000);
    let facts = language(0).facts(&text);
    assert!(facts.facts.errors > 0);
}
