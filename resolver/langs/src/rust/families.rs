//! What is known of macros by their names, and the templates they format.

use super::walk::{Node, Walk};
use surefoot_facts::{Access, ExprIdx, Lit, Name, Span};

/// What is known of a macro by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// Formats; the template stands at this position.
    Format(usize),
    /// `log` and `tracing`: fields, then a template.
    Log,
    /// Takes no expression: `stringify!`, `include!`, `cfg!`.
    Literal,
    /// Writes code for elsewhere; `#name` is read.
    Quote,
    /// `matches!(value, pattern if guard)`.
    Matches,
    /// `if #[cfg(..)] { .. } else { .. }`.
    CfgIf,
    Other,
}

pub(super) fn family(name: &str) -> Family {
    match name {
        "print" | "println" | "eprint" | "eprintln" | "format" | "format_args" | "panic"
        | "todo" | "unimplemented" | "unreachable" | "bail" | "anyhow" | "eyre" => {
            Family::Format(0)
        }
        "write" | "writeln" | "assert" | "debug_assert" | "ensure" => Family::Format(1),
        "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => Family::Format(2),
        "trace" | "debug" | "info" | "warn" | "error" | "event" | "span" | "trace_span"
        | "debug_span" | "info_span" | "warn_span" | "error_span" | "log" => Family::Log,
        "stringify" | "concat" | "include" | "include_str" | "include_bytes" | "env"
        | "option_env" | "line" | "file" | "column" | "module_path" | "cfg" | "compile_error" => {
            Family::Literal
        }
        "quote" | "quote_spanned" | "parse_quote" | "parse_quote_spanned" => Family::Quote,
        "matches" | "assert_matches" | "debug_assert_matches" => Family::Matches,
        "cfg_if" => Family::CfgIf,
        _ => Family::Other,
    }
}

/// Control never comes back from these.
pub(super) fn diverges(name: &str) -> bool {
    matches!(
        name,
        "panic" | "todo" | "unimplemented" | "unreachable" | "bail" | "compile_error"
    )
}

impl<'t> Walk<'t, '_> {
    /// A string among macro arguments; a template reads the names in it.
    pub(super) fn template(&mut self, node: Node<'t>, family: Family, index: usize) -> ExprIdx {
        let access = match family {
            Family::Format(at) if at == index => Some(Access::Read),
            Family::Log => Some(Access::Read),
            Family::Other => Some(Access::Maybe),
            _ => None,
        };
        if let Some(access) = access {
            let start = self.span(node).start;
            let text = self.syn.text(node);
            for (at, name) in captures(text) {
                let at = start + at as u32;
                let span = Span {
                    start: at,
                    end: at + name.len() as u32,
                };
                let name = Name::new(name);
                match access {
                    Access::Read => self.read(name, span),
                    access => self.s.b.name(name, span, access),
                };
            }
        }
        let bytes = self.syn.text(node).starts_with('b');
        self.literal(if bytes { Lit::Bytes } else { Lit::Str })
    }
}

/// The names in braces of a format template, with their offsets: `{x}`,
/// `{x:?}`, `{:width$}`, `{:.precision$}`; `{{` is a brace.
fn captures(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] != b'{' {
            i += 1;
            continue;
        }
        if bytes.get(i + 1) == Some(&b'{') {
            i += 2;
            continue;
        }
        let end = match text[i..].find('}') {
            Some(len) => i + len,
            None => break,
        };
        let inside = &text[i + 1..end];
        let (name, spec) = match inside.find(':') {
            Some(colon) => (&inside[..colon], &inside[colon + 1..]),
            None => (inside, ""),
        };
        let trimmed = name.trim();
        if is_name(trimmed) {
            out.push((i + 1 + name.find(trimmed).unwrap_or(0), trimmed));
        }
        let spec_at = end - spec.len();
        for (dollar, _) in spec.match_indices('$') {
            let head = &spec[..dollar];
            let from = head
                .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
                .map_or(0, |at| {
                    at + head[at..].chars().next().map_or(1, char::len_utf8)
                });
            if is_name(&head[from..]) {
                out.push((spec_at + from, &head[from..]));
            }
        }
        i = end + 1;
    }
    out
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::captures;

    /// A template reads what it names, and only that: a missed name makes a
    /// parameter look unread, an invented one hides that it is.
    #[test]
    fn templates_name_what_they_read() {
        let names = |t: &'static str| {
            let found = captures(t);
            for (at, name) in &found {
                assert_eq!(&t[*at..*at + name.len()], *name);
            }
            found.into_iter().map(|f| f.1).collect::<Vec<_>>()
        };
        assert_eq!(names(r#""{a} {b:?} {{c}} {0} {}""#), ["a", "b"]);
        assert_eq!(names(r#""{x:>width$.prec$}""#), ["x", "width", "prec"]);
        assert_eq!(names(r#""{:1$} {"#), Vec::<&str>::new());
    }
}
