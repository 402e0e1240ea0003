//! What the grammar does not know, rewritten in the same number of bytes:
//! variance annotations (`<in out T>`), call signatures that only a line end
//! separates from the member before, escapes in template literal types, words
//! and type arguments where the grammar has no place for them, the `!` of a callee. Names are still
//! read from the real text.

use memchr::{memchr_iter, memchr2_iter, memmem};
use std::borrow::Cow;

/// How far a call signature is followed to see that it is one.
const MAX_SIGNATURE: usize = 4_096;

pub(super) fn readable(text: &str) -> Cow<'_, str> {
    let mut edits = Vec::new();
    variance(text.as_bytes(), &mut edits);
    signatures(text.as_bytes(), &mut edits);
    escapes(text.as_bytes(), &mut edits);
    words(text.as_bytes(), &mut edits);
    called(text.as_bytes(), &mut edits);
    if edits.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for (at, byte) in edits {
        bytes[at] = byte;
    }
    match String::from_utf8(bytes) {
        Ok(text) => Cow::Owned(text),
        Err(_) => Cow::Borrowed(text),
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || b >= 0x80
}

/// The word at `at`, and where the one after it on the same line starts.
fn word(bytes: &[u8], at: usize) -> (&[u8], usize) {
    let len = bytes[at..].iter().take_while(|b| is_word(**b)).count();
    let end = at + len;
    let gap = bytes[end..]
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    (&bytes[at..end], end + gap)
}

/// Blanks `in` and `out` before the name of a type parameter. Behind `<` or `,`
/// and before another word nothing else can be spelled so.
fn variance(bytes: &[u8], edits: &mut Vec<(usize, u8)>) {
    const OPERATORS: [&[u8]; 7] = [
        b"extends",
        b"instanceof",
        b"as",
        b"satisfies",
        b"in",
        b"of",
        b"is",
    ];
    for open in memchr2_iter(b'<', b',', bytes) {
        let mut at = skip_comments(bytes, open + 1);
        let mut found: [Option<(usize, usize)>; 2] = [None, None];
        for (slot, expected) in found.iter_mut().zip([&b"in"[..], b"out"]) {
            let (w, next) = word(bytes, at);
            let apart = next > at + w.len();
            let (after, _) = word(bytes, next);
            let named = !after.is_empty() && !after[0].is_ascii_digit();
            if w == expected && apart && named && !OPERATORS.contains(&after) {
                *slot = Some((at, at + w.len()));
                at = next;
            }
        }
        for (start, end) in found.into_iter().flatten() {
            edits.extend((start..end).map(|i| (i, b' ')));
        }
    }
}

/// Past white space and comments.
fn skip_comments(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = skip_space(bytes, at);
        let rest = &bytes[at..];
        let len = match rest {
            [b'/', b'*', ..] => memmem::find(rest, b"*/").map(|l| l + 2),
            [b'/', b'/', ..] => memchr::memchr(b'\n', rest),
            _ => None,
        };
        match len {
            Some(len) => at += len,
            None => return at,
        }
    }
}

/// Blanks the `!` of `a.b!(..)`, of which the grammar makes a call of all that
/// stands before it: `x && a.b!(..)`.
fn called(bytes: &[u8], edits: &mut Vec<(usize, u8)>) {
    for at in memmem::find_iter(bytes, b"!(") {
        let before = at.checked_sub(1).map(|b| bytes[b]);
        if before.is_some_and(|b| is_word(b) || matches!(b, b')' | b']')) {
            edits.push((at, b' '));
        }
    }
}

/// Blanks ``\``` and `\${`, which mean themselves wherever they can stand.
fn escapes(bytes: &[u8], edits: &mut Vec<(usize, u8)>) {
    let ticks = memmem::find_iter(bytes, b"\\`");
    let dollars = memmem::find_iter(bytes, b"\\${");
    for at in ticks.chain(dollars) {
        let before = bytes[..at]
            .iter()
            .rev()
            .take_while(|b| **b == b'\\')
            .count();
        if before % 2 == 0 {
            edits.extend([(at, b' '), (at + 1, b' ')]);
        }
    }
}

/// Blanks `override` behind `abstract`, `type` in `export type *`, and the type
/// arguments of `import("m").T<..>`.
fn words(bytes: &[u8], edits: &mut Vec<(usize, u8)>) {
    let starts = |at: usize| at == 0 || !is_word(bytes[at - 1]) && bytes[at - 1] != b'.';
    let mut blank = |from: usize, to: usize| {
        edits.extend((from..to).filter(|i| bytes[*i] != b'\n').map(|i| (i, b' ')));
    };
    for at in memmem::find_iter(bytes, b"abstract override").filter(|at| starts(*at)) {
        let from = at + b"abstract ".len();
        let (_, next) = word(bytes, from);
        if bytes
            .get(next)
            .is_some_and(|b| is_word(*b) || matches!(b, b'#' | b'[' | b'"' | b'\''))
        {
            blank(from, from + b"override".len());
        }
    }
    for at in memmem::find_iter(bytes, b"export type").filter(|at| starts(*at)) {
        let from = at + b"export ".len();
        if bytes.get(skip_space(bytes, from + 4)) == Some(&b'*') {
            blank(from, from + 4);
        }
    }
    let mut budget = bytes.len().saturating_mul(2) + MAX_SIGNATURE;
    for at in memmem::find_iter(bytes, b"import(").filter(|at| starts(*at)) {
        let quote = at + b"import(".len();
        let Some(q @ (b'"' | b'\'')) = bytes.get(quote) else {
            continue;
        };
        let Some(close) = memchr::memchr(*q, &bytes[quote + 1..]) else {
            continue;
        };
        let mut end = quote + close + 2;
        if bytes.get(end) != Some(&b')') {
            continue;
        }
        end += 1;
        while bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(|b| is_word(*b)) {
            end = word(bytes, end + 1).0.len() + end + 1;
        }
        if bytes.get(end) == Some(&b'<')
            && bytes[end - 1] != b')'
            && budget > 0
            && let Some(behind) = balanced(bytes, end, &mut budget)
            // Behind a call's type arguments stand its arguments.
            && bytes.get(behind) != Some(&b'(')
        {
            blank(end, behind);
        }
    }
}

/// Puts a semicolon where a line end separates a call signature from the member
/// before it: the grammar would read on.
fn signatures(bytes: &[u8], edits: &mut Vec<(usize, u8)>) {
    let mut budget = bytes.len().saturating_mul(4) + MAX_SIGNATURE;
    for line in memchr_iter(b'\n', bytes) {
        let gap = bytes[line + 1..]
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t' | b'\r'))
            .count();
        let start = line + 1 + gap;
        if !matches!(bytes.get(start), Some(b'<' | b'(')) {
            continue;
        }
        let Some(end) = member_end(bytes, line) else {
            continue;
        };
        if budget > 0 && is_signature(bytes, start, &mut budget) {
            edits.push((end, b';'));
        }
    }
}

/// Where the member before a line ends, when it is one with a type and nothing
/// but whole-line comments stand between: the byte behind it.
fn member_end(bytes: &[u8], line: usize) -> Option<usize> {
    let mut end = line;
    loop {
        let start = memchr::memrchr(b'\n', &bytes[..end]).map_or(0, |at| at + 1);
        let text = bytes[start..end].trim_ascii();
        if text.is_empty() || text.starts_with(b"//") {
            end = start.checked_sub(1)?;
            continue;
        }
        if text.ends_with(b"*/") {
            let open = memmem::rfind(&bytes[..end], b"/*")?;
            let before = memchr::memrchr(b'\n', &bytes[..open]).map_or(0, |at| at + 1);
            if !bytes[before..open].trim_ascii().is_empty() {
                return None;
            }
            end = before.checked_sub(1)?;
            continue;
        }
        // A remark behind the member ends it; in a string it would be none.
        let text = match memmem::find(text, b" //") {
            Some(at) if !text[..at].contains(&b'"') && !text[..at].contains(&b'\'') => {
                text[..at].trim_ascii_end()
            }
            Some(_) => return None,
            None => text,
        };
        let last = *text.last()?;
        let closes = is_word(last) || matches!(last, b'>' | b']' | b')' | b'}' | b'"' | b'\'');
        // The last line of a type may be nothing but what closes it.
        let closing = last == b'}' || matches!(text[0], b'>' | b']');
        let typed = closing || text.contains(&b':') || memmem::find(text, b"=>").is_some();
        let commented = memmem::find(text, b"//").is_some();
        let arrow = text.ends_with(b"=>");
        let indent = bytes[start..end].len() - bytes[start..end].trim_ascii_start().len();
        let at = start + indent + text.len();
        return (closes && typed && !commented && !arrow).then_some(at);
    }
}

/// `<T>(..):` or `(a: A):`, with everything in it balanced.
fn is_signature(bytes: &[u8], start: usize, budget: &mut usize) -> bool {
    let mut at = start;
    if bytes[at] == b'<' {
        match balanced(bytes, at, budget) {
            Some(end) => at = skip_space(bytes, end),
            None => return false,
        }
    }
    if bytes.get(at) != Some(&b'(') {
        return false;
    }
    let Some(end) = balanced(bytes, at, budget) else {
        return false;
    };
    let inside = bytes[at + 1..end - 1].trim_ascii();
    let typed = inside.is_empty() || inside.contains(&b':') || bytes[start] == b'<';
    typed && bytes.get(skip_space(bytes, end)) == Some(&b':')
}

fn skip_space(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..]
        .iter()
        .take_while(|b| b.is_ascii_whitespace())
        .count()
}

/// The byte behind the bracket that closes the one at `start`.
fn balanced(bytes: &[u8], start: usize, budget: &mut usize) -> Option<usize> {
    let mut open = Vec::new();
    let end = (start + MAX_SIGNATURE).min(bytes.len());
    let mut at = start;
    while at < end {
        *budget = budget.saturating_sub(1);
        let b = bytes[at];
        match b {
            b'<' => open.push(b'>'),
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b'{' => open.push(b'}'),
            b'>' if bytes[at - 1] == b'=' => {}
            b'>' | b')' | b']' | b'}' => {
                if open.pop() != Some(b) {
                    return None;
                }
                if open.is_empty() {
                    return Some(at + 1);
                }
            }
            b'"' | b'\'' | b'`' => {
                let close = memchr::memchr(b, &bytes[at + 1..end])?;
                at += close + 1;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += memchr::memchr(b'\n', &bytes[at..end])?;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at += memmem::find(&bytes[at..end], b"*/")? + 1;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str) -> u32 {
        use crate::typescript::{TYPESCRIPT, TypeScript};
        use surefoot_facts::Language;
        let language: &TypeScript = &TYPESCRIPT;
        language.facts(text).facts.errors
    }

    /// Both constructs stand in widely used libraries; unread they lose the
    /// declarations around them.
    #[test]
    fn what_the_grammar_does_not_know_is_read() {
        for text in [
            "interface Box<out T, in U, in out V> { a: T }",
            "type F<\n  in out A extends string,\n  const out extends number,\n> = A",
            "declare const f: {\n  (n: number): <A>(a: A) => List<A>\n  <A>(a: A, n: number): List<A>\n}",
            "interface I {\n  a: string\n  /** why */\n  (x: number): string\n  // and\n  (): void\n}",
            "type M<U extends string> = `Use \\`class ${U}()\\` or \\${U}`",
            "interface B<\n  /** why */ out T,\n  // and\n  in U,\n> { a: T }",
            "interface I {\n  <A>(x: A): F<\n    A\n  >\n  <B>(x: B): B\n}",
            "interface I {\n  (x: A): B // why\n  <T>(x: T): T\n}",
            "abstract class Z extends Y {\n  abstract override q: string\n  m() {}\n}",
            "export type * from './a'\nexport type * as q from \"./a\"",
            "function f(x: import('./b').B<string>, y: import(\"./b\").n.C<A<B>>) { x.go() }",
            "interface I {\n  f(): { a: 1 }\n  <T>(\n    x: T,\n  ): T\n}",
        ] {
            assert_eq!(errors(text), 0, "{text}");
        }
    }

    /// Ordinary code must reach the grammar as it stands.
    #[test]
    fn ordinary_code_is_left_alone() {
        for text in [
            "if (a < out) b()\n(c)(d)\n",
            "for (const k in o) f(a, k in o, out as T)\n",
            "const f = async\n  <T>(x: T): Promise<T> => x\n",
            "const x = c ? a : b\n(d)\n",
            "foo(a, out instanceof B)\n",
            "function f\n  <T>(x: T): T { return x }\n",
            "export const f =\n  (a: number): number => a\n",
            "type A = B<out>\n",
            "interface I { // note: this\n  (x: number): string }\n",
            "f(a, /* in b */ c)\n",
            "class A { abstract(override: B) {} }\n",
            "export type A = B\nconst y = import('m').then<number>(f)\n",
            r"const s = `a\\` + `b\\\\${c}`",
        ] {
            assert_eq!(readable(text), text);
        }
    }
}
