//! Where a place of a document stands after an edit: a request that an edit overtakes is answered on the new text at
//! the place it meant.

use serde_json::{Value, json};
use tower_lsp_server::ls_types::{Position, TextDocumentContentChangeEvent};

use super::text::Encoding;

/// Where a position stands after changes, applied one after the other; nothing when what stood there is gone.
pub fn carried(
    at: Position,
    changes: &[TextDocumentContentChangeEvent],
    encoding: Encoding,
) -> Option<Position> {
    changes.iter().try_fold(at, |at, change| {
        // A new text altogether says nothing of where the old one went.
        let range = change.range?;
        if at < range.start {
            return Some(at);
        }
        // Right where something is put in, the place moves behind it; what is replaced is gone.
        let replaced = range.start != range.end;
        if at < range.end || at == range.start && replaced {
            return None;
        }
        let lines = change.text.split('\n').count() as u32 - 1;
        let last = change.text.rsplit('\n').next().unwrap_or_default();
        let width: u32 = last.chars().map(|c| encoding.units(c)).sum();
        let before = if lines == 0 { range.start.character } else { 0 };
        Some(if at.line == range.end.line {
            Position {
                line: range.start.line + lines,
                character: before + width + (at.character - range.end.character),
            }
        } else {
            Position {
                line: at.line - range.end.line + range.start.line + lines,
                character: at.character,
            }
        })
    })
}

/// The position that a request asks about.
pub fn position(params: &Value) -> Option<Position> {
    serde_json::from_value(params.get("position")?.clone()).ok()
}

/// The same request about another position.
pub fn moved(params: &mut Value, to: Position) {
    params["position"] = json!(to);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tower_lsp_server::ls_types::Range;

    /// An answer about another name than the one under the cursor is worse than none.
    #[test]
    fn a_place_moves_with_the_text_around_it_and_goes_with_the_text_it_is_in() {
        let change = |(a, b), (c, d), text: &str| TextDocumentContentChangeEvent {
            range: Some(Range::new(Position::new(a, b), Position::new(c, d))),
            range_length: None,
            text: text.into(),
        };
        let at = |line, character, changes: &[TextDocumentContentChangeEvent]| {
            carried(Position::new(line, character), changes, Encoding::Utf16)
                .map(|p| (p.line, p.character))
        };
        // Behind it, on its line before it, lines above it.
        assert_eq!(at(3, 5, &[change((3, 6), (3, 6), "x")]), Some((3, 5)));
        assert_eq!(at(3, 5, &[change((3, 1), (3, 2), "𝒳yz")]), Some((3, 8)));
        assert_eq!(
            at(3, 5, &[change((1, 0), (1, 0), "a\r\nb\n")]),
            Some((5, 5))
        );
        assert_eq!(at(3, 5, &[change((0, 2), (2, 1), "")]), Some((1, 5)));
        // Its line is joined to the one above, or broken before it.
        assert_eq!(at(3, 5, &[change((2, 7), (3, 0), "")]), Some((2, 12)));
        assert_eq!(at(3, 5, &[change((3, 2), (3, 3), "a\nbc")]), Some((4, 4)));
        // Right at it, and in what goes.
        assert_eq!(at(3, 5, &[change((3, 5), (3, 5), "x")]), Some((3, 6)));
        assert_eq!(at(3, 5, &[change((3, 4), (3, 6), "")]), None);
        assert_eq!(at(3, 5, &[change((3, 5), (3, 6), "y")]), None);
        // Several build on one another.
        let both = [change((0, 0), (0, 0), "\n"), change((4, 0), (4, 1), "")];
        assert_eq!(at(3, 5, &both), Some((4, 4)));
        let whole = TextDocumentContentChangeEvent {
            range: None,
            range_length: None,
            text: String::new(),
        };
        assert_eq!(at(3, 5, &[whole]), None);
    }
}
