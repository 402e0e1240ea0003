//! Text that did not parse: what looks like a call in it has a site, so that no
//! list of callers is exact without it.

use super::*;

/// Words before a bracket that call nothing.
const KEYWORDS: &[&str] = &[
    "async",
    "await",
    "case",
    "catch",
    "constructor",
    "delete",
    "export",
    "for",
    "function",
    "if",
    "import",
    "in",
    "instanceof",
    "new",
    "of",
    "return",
    "super",
    "switch",
    "this",
    "throw",
    "typeof",
    "void",
    "while",
    "with",
    "yield",
];

/// How far the end of a list of arguments is looked for.
const MAX_ARGUMENTS: usize = 4_096;

impl<'t> Walker<'t> {
    /// Text that did not parse.
    pub(super) fn error(&mut self, node: Node<'t>) {
        self.broken += 1;
        let outermost = self.broken == 1;
        self.inside(node);
        if outermost {
            self.hidden_calls(node);
        }
        self.broken -= 1;
    }

    /// What lies in regions of a statement that no rule of the walker reached.
    pub(super) fn unreached(&mut self, statement: Node<'t>) {
        if !statement.has_error() {
            return;
        }
        self.broken += 1;
        let mut cursor = statement.walk();
        'next: loop {
            let node = cursor.node();
            if node.is_error() {
                self.hidden_calls(node);
            } else if node.has_error() && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    break 'next;
                }
            }
        }
        self.broken -= 1;
    }

    /// A site for each name before an opening bracket that has none yet.
    fn hidden_calls(&mut self, node: Node<'t>) {
        let start = node.start_byte();
        for (at, len) in called_names(self.s.text(node)) {
            let span = Span::new(start + at, start + at + len);
            if self.b.has_site_at(span) {
                continue;
            }
            let name = self.name_of(&self.s.text[start + at..start + at + len]);
            self.site(SiteKind::Call, name, ExprIdx::UNKNOWN, span);
        }
    }
}

/// Where the names stand that a text calls: outside strings and comments, and
/// not where a function of that name is declared.
fn called_names(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || b >= 0x80;
    let mut out = Vec::new();
    let (mut at, mut before) = (0, "");
    while let Some(&b) = bytes.get(at) {
        let rest = &bytes[at..];
        let skip = match b {
            b'/' if rest.starts_with(b"//") => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            b'/' if rest.starts_with(b"/*") => {
                memchr::memmem::find(rest, b"*/").map_or(2, |end| end + 2)
            }
            // A quote that its line does not close is no string here.
            b'"' | b'\'' => {
                let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                memchr::memchr(b, &rest[1..line]).map_or(1, |end| end + 2)
            }
            b if part(b) => {
                let len = rest.iter().take_while(|b| part(**b)).count();
                let word = text.get(at..at + len).unwrap_or("");
                let space = bytes[at + len..]
                    .iter()
                    .take_while(|b| b.is_ascii_whitespace())
                    .count();
                let open = at + len + space;
                let names = !b.is_ascii_digit() && !word.is_empty() && !KEYWORDS.contains(&word);
                if names
                    && bytes.get(open) == Some(&b'(')
                    && before != "function"
                    && !declares(&bytes[open..])
                {
                    out.push((at, len));
                }
                before = word;
                len
            }
            _ => 1,
        };
        at += skip;
    }
    out
}

/// Whether a body stands behind the brackets: then they are parameters.
fn declares(bytes: &[u8]) -> bool {
    let mut open = 0usize;
    for (at, b) in bytes.iter().take(MAX_ARGUMENTS).enumerate() {
        match b {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            let rest = bytes[at + 1..].trim_ascii_start();
            return rest.first() == Some(&b'{');
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A call that is not seen here hides a caller; a declaration taken for one
    /// makes a list look short that is not.
    #[test]
    fn names_before_brackets_are_calls_but_for_declarations() {
        let names = |text| -> Vec<&str> {
            let all = called_names(text).into_iter();
            all.map(|(at, len)| &text[at..at + len]).collect()
        };
        assert_eq!(names("it.go() = ; run (1"), ["go", "run"]);
        assert_eq!(names("zz(a: A) { a.go(\")\"); }"), ["go"]);
        assert_eq!(names("function f(a) : b; if (x) y()"), ["y"]);
        assert_eq!(names("'go()' // go()\n/* go() */ don't go()"), ["go"]);
        assert_eq!(names("new Store(1)"), ["Store"]);
    }
}
