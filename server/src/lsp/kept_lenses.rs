//! The last good lenses of each open document, for the time its text does not parse.
//!
//! While someone types, a bracket is open and the parser may lose the functions behind it. Lenses that go
//! and come back make every line below jump, so the ones that are lost keep their place and their words until
//! the text parses again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use surefoot_graph::SymbolId;
use tower_lsp_server::ls_types::Uri;

use super::text::Text;

/// Where a lens stood and what it said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptLens {
    pub symbol: SymbolId,
    pub start: usize,
    pub end: usize,
    pub title: String,
}

struct Good {
    text: Arc<Text>,
    lenses: Vec<KeptLens>,
}

/// One set per open document. Bounded by what is open.
#[derive(Default)]
pub struct KeptLenses(Mutex<FxHashMap<Uri, Good>>);

impl KeptLenses {
    fn lock(&self) -> MutexGuard<'_, FxHashMap<Uri, Good>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The text parses: these lenses are good.
    pub fn keep(&self, uri: &Uri, text: Arc<Text>, lenses: Vec<KeptLens>) {
        self.lock().insert(uri.clone(), Good { text, lenses });
    }

    pub fn forget(&self, uri: &Uri) {
        self.lock().remove(uri);
    }

    /// The good lenses whose functions are not among `found`, where they stand in `text` now. One whose name
    /// is no more is gone.
    pub fn lost(&self, uri: &Uri, text: &Text, found: &FxHashSet<SymbolId>) -> Vec<KeptLens> {
        let known = self.lock();
        let Some(good) = known.get(uri) else {
            return Vec::new();
        };
        let moved = Moved::between(good.text.as_str(), text.as_str());
        let lost = good
            .lenses
            .iter()
            .filter(|lens| !found.contains(&lens.symbol));
        lost.filter_map(|lens| {
            let start = moved.to(lens.start)?;
            // A lens is one place on one line, also when its name is being rewritten.
            let end = moved
                .to(lens.end)
                .filter(|end| *end >= start && !text.as_str()[start..*end].contains('\n'));
            Some(KeptLens {
                start,
                end: end.unwrap_or(start),
                ..lens.clone()
            })
        })
        .collect()
    }
}

/// The one stretch in which two texts differ.
struct Moved {
    prefix: usize,
    suffix_from: usize,
    grow: isize,
}

impl Moved {
    fn between(old: &str, new: &str) -> Self {
        let (a, b) = (old.as_bytes(), new.as_bytes());
        let most = a.len().min(b.len());
        let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        let same_end = a.iter().rev().zip(b.iter().rev()).take(most - prefix);
        let suffix = same_end.take_while(|(x, y)| x == y).count();
        Self {
            prefix,
            suffix_from: a.len() - suffix,
            grow: b.len() as isize - a.len() as isize,
        }
    }

    /// Where an offset of the old text is in the new one; nothing when it lies in what differs.
    fn to(&self, offset: usize) -> Option<usize> {
        if offset < self.prefix {
            Some(offset)
        } else if offset >= self.suffix_from {
            offset.checked_add_signed(self.grow)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lens(symbol: u32, text: &str, name: &str) -> KeptLens {
        let start = text.find(name).unwrap();
        KeptLens {
            symbol: SymbolId(symbol),
            start,
            end: start + name.len(),
            title: name.to_owned(),
        }
    }

    /// A bracket that opens above must not take the lenses below, nor leave them where the lines were.
    #[test]
    fn lost_lenses_move_with_their_text() {
        let uri: Uri = "file:///a.rs".parse().unwrap();
        let old = "fn one() {}\nfn two() {}\nfn three() {}\n";
        let kept = KeptLenses::default();
        let lenses = vec![
            lens(1, old, "one"),
            lens(2, old, "two"),
            lens(3, old, "three"),
        ];
        kept.keep(&uri, Arc::new(Text::new(old.to_owned())), lenses);
        let new = "fn one() {}\nfn tw(\n() {}\nfn three() {}\n";
        let lost = kept.lost(
            &uri,
            &Text::new(new.to_owned()),
            &FxHashSet::from_iter([SymbolId(1)]),
        );
        let rewritten = KeptLens {
            start: 15,
            end: 15,
            ..lens(2, old, "two")
        };
        assert_eq!(lost, [rewritten, lens(3, new, "three")]);
        let gone = "fn one() {}\n\nfn three() {}\n";
        let lost = kept.lost(
            &uri,
            &Text::new(gone.to_owned()),
            &FxHashSet::from_iter([SymbolId(1)]),
        );
        assert_eq!(lost, [lens(3, gone, "three")]);
        kept.forget(&uri);
        assert_eq!(
            kept.lost(&uri, &Text::new(new.to_owned()), &FxHashSet::default()),
            []
        );
    }

    /// Texts that repeat themselves must not be matched twice.
    #[test]
    fn overlapping_ends_are_matched_once() {
        let moved = Moved::between("aaaa", "aa");
        assert_eq!(
            (moved.to(1), moved.to(2), moved.to(4)),
            (Some(1), None, Some(2))
        );
    }
}
