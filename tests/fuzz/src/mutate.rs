//! Changes to bytes and to text: what a broken disk, a bad editor or an enemy
//! would hand in.

use surefoot_fixture::Rng;

/// Texts that mean something to some parser.
const WORDS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "${",
    "//",
    "/*",
    "*/",
    "#[",
    "#![",
    "::",
    "=>",
    "->",
    "..",
    "...",
    "?.",
    "??",
    "!",
    "&&",
    "||",
    ";",
    ",",
    ":",
    "=",
    "@",
    "#",
    "fn ",
    "impl ",
    "trait ",
    "mod ",
    "use ",
    "pub ",
    "self",
    "Self",
    "crate::",
    "super::",
    "dyn ",
    "where ",
    "async ",
    "await",
    "match ",
    "if ",
    "else ",
    "let ",
    "for ",
    "return ",
    "macro_rules!",
    "function ",
    "class ",
    "extends ",
    "implements ",
    "interface ",
    "namespace ",
    "import ",
    "export ",
    "default ",
    "from ",
    "type ",
    "enum ",
    "const ",
    "new ",
    "this",
    "get ",
    "static ",
    "private ",
    "</",
    "/>",
    "<div>",
    "as ",
    "in ",
    "of ",
    "x",
    "_",
    "r#\"",
    "b'",
    "'a",
    "0x",
    "1e",
    "\u{feff}",
    "\0",
    "\r",
    "\r\n",
    "\n",
    "\t",
    "\u{2028}",
    "é",
    "𝒳",
    "👋🌍",
    "\u{200d}",
    "\u{202e}",
    "unsafe ",
    "extern \"C\" ",
    "declare ",
    "abstract ",
    "readonly ",
    "@a.b(c) ",
    "import(\"x\")",
];

const OPENERS: &[(&str, &str)] = &[
    ("{", "}"),
    ("(", ")"),
    ("[", "]"),
    ("<", ">"),
    ("a(", ")"),
    ("a.b(", ")"),
    ("|x| ", ""),
    ("x => ", ""),
    ("!", ""),
    ("&", ""),
    ("*", ""),
    ("-", ""),
    ("if a { ", " }"),
    ("a ? ", " : b"),
    ("a::", ""),
    ("a.", ""),
    ("<a>", "</a>"),
    ("`${", "}`"),
    ("[(", ")]"),
    ("Vec<", ">"),
    ("fn f() { ", " }"),
    ("function f() { ", " }"),
    ("class A { b = ", " }"),
    ("mod a { ", " }"),
    ("namespace a { ", " }"),
    ("match a { b => ", " }"),
    ("async { ", " }"),
    ("new a(", ")"),
    ("a[", "]"),
    ("a = ", ""),
    ("a + ", ""),
    ("a && ", ""),
    ("else if a {} ", ""),
    ("/* ", " */"),
    ("#[a(", ")]"),
    ("\"", ""),
    ("impl a { fn b() { ", " } }"),
    ("keyof ", ""),
    ("a | ", ""),
];

/// Something nested deeper than anyone writes.
pub fn nest(rng: &mut Rng) -> String {
    let depth = match rng.below(100) {
        0 => 200_000,
        1..=3 => 20_000,
        4..=20 => 2_000,
        _ => 150,
    };
    let mut open = String::new();
    let mut close = Vec::new();
    let kinds = 1 + rng.below(3);
    let chosen: Vec<usize> = (0..kinds).map(|_| rng.below(OPENERS.len())).collect();
    for i in 0..depth {
        let (a, b) = OPENERS[chosen[i % kinds]];
        open.push_str(a);
        close.push(b);
    }
    // Most of the time closed, as text that parses.
    if rng.below(4) > 0 {
        open.push('x');
        open.extend(close.into_iter().rev());
    }
    let frame = rng.pick(&[
        "",
        "fn f() { ",
        "const a = ",
        "let a: ",
        "export default ",
        "use ",
        "x",
    ]);
    format!("{frame}{open}")
}

/// A place between two characters.
fn place(rng: &mut Rng, text: &str) -> usize {
    let mut at = rng.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn range(rng: &mut Rng, text: &str) -> (usize, usize) {
    let most = match rng.below(3) {
        0 => 8,
        1 => 200,
        _ => text.len(),
    };
    let a = place(rng, text);
    let mut b = (a + rng.below(most + 1)).min(text.len());
    while !text.is_char_boundary(b) {
        b += 1;
    }
    (a, b)
}

/// One change of a text; `other` is a text to take pieces from.
pub fn text(rng: &mut Rng, text: &str, other: &str) -> String {
    match rng.below(12) {
        0..=2 => {
            let at = place(rng, text);
            format!("{}{}{}", &text[..at], rng.pick(WORDS), &text[at..])
        }
        3..=4 => {
            let (a, b) = range(rng, text);
            format!("{}{}", &text[..a], &text[b..])
        }
        5 => {
            let (a, b) = range(rng, text);
            let at = place(rng, text);
            format!("{}{}{}", &text[..at], &text[a..b], &text[at..])
        }
        6 => {
            let (a, b) = range(rng, other);
            let at = place(rng, text);
            format!("{}{}{}", &text[..at], &other[a..b], &text[at..])
        }
        7 => {
            let (a, b) = range(rng, text);
            let word = rng.pick(WORDS);
            format!("{}{word}{}", &text[..a], &text[b..])
        }
        8 => {
            let at = place(rng, text);
            text[..at].to_owned()
        }
        9 => match rng.below(3) {
            0 => text.replace('\n', "\r\n"),
            1 => text.replace('\n', " "),
            _ => text.replace('\n', "\r"),
        },
        10 => {
            let at = place(rng, text);
            let times = 1 + rng.below(2_000);
            let word = rng.pick(WORDS).repeat(times);
            format!("{}{word}{}", &text[..at], &text[at..])
        }
        _ => {
            let at = place(rng, text);
            let deep = nest(rng);
            format!("{}{deep}{}", &text[..at], &text[at..])
        }
    }
}

/// One change of bytes, which need be no text afterwards.
pub fn bytes(rng: &mut Rng, bytes: &mut Vec<u8>) {
    match rng.below(7) {
        0 | 1 if !bytes.is_empty() => {
            let at = rng.below(bytes.len());
            bytes[at] ^= 1 << rng.below(8);
        }
        2 if !bytes.is_empty() => {
            let at = rng.below(bytes.len());
            bytes[at] = rng.draw() as u8;
        }
        3 => {
            let at = rng.below(bytes.len() + 1);
            let few: Vec<u8> = (0..1 + rng.below(8)).map(|_| rng.draw() as u8).collect();
            bytes.splice(at..at, few);
        }
        4 => {
            let at = rng.below(bytes.len() + 1);
            let to = (at + rng.below(64)).min(bytes.len());
            bytes.drain(at..to);
        }
        5 => {
            let at = rng.below(bytes.len() + 1);
            let to = (at + rng.below(512)).min(bytes.len());
            let piece = bytes[at..to].to_vec();
            let into = rng.below(bytes.len() + 1);
            bytes.splice(into..into, piece);
        }
        _ => bytes.truncate(rng.below(bytes.len() + 1)),
    }
}
