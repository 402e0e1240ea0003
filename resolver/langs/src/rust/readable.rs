//! What the grammar does not know, rewritten in the same number of bytes: names
//! are still read from the real text.

use memchr::{memchr_iter, memmem};
use std::borrow::Cow;

/// Words the grammar keeps for types, and an old one it keeps for itself: as
/// names of macros it refuses them.
const KEPT: &[&[u8]] = &[
    b"bool", b"char", b"f32", b"f64", b"i128", b"i16", b"i32", b"i64", b"i8", b"isize", b"str",
    b"try", b"u128", b"u16", b"u32", b"u64", b"u8", b"usize",
];

/// How far the lifetimes of a closure's binder are followed.
const MAX_BINDER: usize = 256;

pub(super) fn readable(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut edits = Vec::new();
    macros(bytes, &mut edits);
    blank_word(bytes, b"safe", &[b"fn", b"static"], &mut edits);
    blank_word(bytes, b"async", &[b"Fn", b"FnMut", b"FnOnce"], &mut edits);
    binders(bytes, &mut edits);
    captures(bytes, &mut edits);
    // A token macros may take and expressions never have.
    edits.extend(memchr_iter(b'~', bytes).map(|at| (at, b'^')));
    if edits.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = bytes.to_vec();
    for (at, byte) in edits {
        bytes[at] = byte;
    }
    match String::from_utf8(bytes) {
        Ok(text) => Cow::Owned(text),
        Err(_) => Cow::Borrowed(text),
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

fn word_at(bytes: &[u8], at: usize) -> &[u8] {
    let rest = &bytes[at..];
    let len = rest.iter().take_while(|b| is_word(**b)).count();
    &rest[..len]
}

fn skip_space(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..]
        .iter()
        .take_while(|b| b.is_ascii_whitespace())
        .count()
}

/// `str![..]`, `u16!(..)`, `try!(..)`: the name becomes another one.
fn macros(bytes: &[u8], edits: &mut Vec<(usize, u8)>) {
    for bang in memchr_iter(b'!', bytes) {
        let start = bang
            - bytes[..bang]
                .iter()
                .rev()
                .take_while(|b| is_word(**b))
                .count();
        let raw = start > 0 && bytes[start - 1] == b'#';
        let opens = matches!(
            bytes.get(skip_space(bytes, bang + 1)),
            Some(b'(' | b'[' | b'{')
        );
        if opens && !raw && KEPT.contains(&&bytes[start..bang]) {
            edits.push((start, b'_'));
        }
    }
}

/// Blanks a word that stands right before one of `next`.
fn blank_word(bytes: &[u8], word: &[u8], next: &[&[u8]], edits: &mut Vec<(usize, u8)>) {
    for at in memmem::find_iter(bytes, word) {
        let end = at + word.len();
        let alone = (at == 0 || !is_word(bytes[at - 1])) && bytes.get(end) == Some(&b' ');
        if alone && next.contains(&word_at(bytes, skip_space(bytes, end))) {
            edits.extend((at..end).map(|i| (i, b' ')));
        }
    }
}

/// `for<'a> |x| ..`: a closure's binder says nothing a resolver could use.
fn binders(bytes: &[u8], edits: &mut Vec<(usize, u8)>) {
    for at in memmem::find_iter(bytes, b"for<") {
        let reach = &bytes[at..bytes.len().min(at + MAX_BINDER)];
        let Some(len) = reach.iter().position(|b| *b == b'>') else {
            continue;
        };
        let end = at + len + 1;
        let next = skip_space(bytes, end);
        let closure = bytes.get(next) == Some(&b'|')
            || matches!(word_at(bytes, next), b"move" | b"async" | b"static");
        if closure && (at == 0 || !is_word(bytes[at - 1])) {
            edits.extend((at..end).map(|i| (i, b' ')));
        }
    }
}

/// `raw @ pattern`: the grammar takes `raw` for the word of `&raw const`.
fn captures(bytes: &[u8], edits: &mut Vec<(usize, u8)>) {
    for at in memmem::find_iter(bytes, b"raw @") {
        if at == 0 || !is_word(bytes[at - 1]) {
            edits.push((at, b'_'));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of these is Rust that compiles and that the grammar refuses; a
    /// refusal would lose the declarations around it.
    #[test]
    fn what_the_grammar_refuses_is_rewritten() {
        for text in [
            "fn f() { str![x]; u16!(1); try!(y); }",
            "unsafe extern \"C\" { safe fn a(); pub safe static X: u8; }",
            "fn f() { let g = for<'a> |x: &'a u8| -> &'a u8 { x }; }",
            "fn f<F>() where F: async Fn(u8) {}",
            "fn f() { match x { raw @ 1 => raw, _ => 2 } }",
            "fn f() { m!(~); }",
        ] {
            let given = readable(text);
            assert_eq!(given.len(), text.len());
            let tree = crate::driver::parse_clean(&super::super::words::GRAMMAR, &given);
            assert!(tree.is_some(), "{given}");
        }
    }

    /// Text the grammar reads must be given to it as it is: an edit then costs
    /// no copy of the file.
    #[test]
    fn other_text_stays() {
        let text = "fn f() { a as u16 != b; x.safe; for<'a> fn(&'a u8); raw!(str, !(u8)) }";
        assert!(matches!(readable(text), Cow::Borrowed(_)));
    }
}
