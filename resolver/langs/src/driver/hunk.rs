//! Where two texts differ, from edits as an editor sends them.

use super::open::Edit;
use memchr::{memchr_iter, memrchr};
use surefoot_facts::Span;
use tree_sitter::{InputEdit, Point};

/// One place where two texts differ, in the coordinates of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hunk {
    pub(super) old: Span,
    pub(super) new: Span,
}

impl Hunk {
    /// For application from the last hunk to the first: what stands before it
    /// is still the old text.
    pub(super) fn input_edit(&self, old: &str, new: &str) -> InputEdit {
        let start = point(old, self.old.start as usize, Point { row: 0, column: 0 });
        let inserted = &new[self.new.start as usize..self.new.end as usize];
        InputEdit {
            start_byte: self.old.start as usize,
            old_end_byte: self.old.end as usize,
            new_end_byte: (self.old.start + self.new.len()) as usize,
            start_position: start,
            old_end_position: point(old, self.old.end as usize, Point { row: 0, column: 0 }),
            new_end_position: point(inserted, inserted.len(), start),
        }
    }
}

/// Rows and byte columns as the parser counts them, `from` being the start of `text`.
fn point(text: &str, offset: usize, from: Point) -> Point {
    let before = &text.as_bytes()[..offset];
    match memrchr(b'\n', before) {
        Some(last) => Point {
            row: from.row + memchr_iter(b'\n', before).count(),
            column: offset - last - 1,
        },
        None => Point {
            row: from.row,
            column: from.column + offset,
        },
    }
}

/// Where an untouched span of the old text stands in the new one; `None` when
/// an edit lies in it or at its edge.
pub(super) fn moved(hunks: &[Hunk], span: Span) -> Option<Span> {
    let before = hunks.partition_point(|h| h.old.end < span.start);
    if hunks.get(before).is_some_and(|h| h.old.start <= span.end) {
        return None;
    }
    let start = match before.checked_sub(1).map(|i| hunks[i]) {
        Some(h) => h.new.end + (span.start - h.old.end),
        None => span.start,
    };
    Some(Span {
        start,
        end: start + span.len(),
    })
}

/// The edits as disjoint hunks in order, checked against both texts.
pub(super) fn hunks(edits: &[Edit], old: &str, new: &str) -> Vec<Hunk> {
    compose(edits)
        .filter(|hunks| leads(hunks, old, new))
        .unwrap_or_else(|| difference(old, new))
}

fn compose(edits: &[Edit]) -> Option<Vec<Hunk>> {
    let mut hunks: Vec<Hunk> = Vec::with_capacity(edits.len());
    for e in edits {
        if e.start > e.old_end || e.start > e.new_end {
            return None;
        }
        let first = hunks.partition_point(|h| h.new.end < e.start);
        let last = hunks.partition_point(|h| h.new.start <= e.old_end);
        // What lies between hunks keeps its distance to the hunk before it.
        let to_old = |hunks: &[Hunk], at: u32| {
            hunks
                .last()
                .map_or(at, |h| h.old.end + (at - h.new.end.min(at)))
        };
        let mut start = (to_old(&hunks[..first], e.start), e.start);
        let mut end = (to_old(&hunks[..last], e.old_end), e.old_end);
        if let [a, ..] = &hunks[first..last]
            && a.new.start < e.start
        {
            start = (a.old.start, a.new.start);
        }
        if let [.., z] = &hunks[first..last]
            && z.new.end > e.old_end
        {
            end = (z.old.end, z.new.end);
        }
        let shift = i64::from(e.new_end) - i64::from(e.old_end);
        let moved = |at: u32| u32::try_from(i64::from(at) + shift).ok();
        for h in &mut hunks[last..] {
            h.new = Span {
                start: moved(h.new.start)?,
                end: moved(h.new.end)?,
            };
        }
        let hunk = Hunk {
            old: Span {
                start: start.0,
                end: end.0,
            },
            new: Span {
                start: start.1,
                end: moved(end.1)?,
            },
        };
        hunks.splice(first..last, [hunk]);
    }
    Some(hunks)
}

/// Whether the hunks turn one text into the other: what lies between them is equal.
pub(super) fn leads(hunks: &[Hunk], old: &str, new: &str) -> bool {
    let (mut o, mut n) = (0, 0);
    let end = Hunk {
        old: Span::new(old.len(), old.len()),
        new: Span::new(new.len(), new.len()),
    };
    for h in hunks.iter().chain([&end]) {
        let same = old.get(o..h.old.start as usize);
        if same.is_none() || same != new.get(n..h.new.start as usize) {
            return false;
        }
        (o, n) = (h.old.end as usize, h.new.end as usize);
        if h.old.start > h.old.end || !old.is_char_boundary(o) || !new.is_char_boundary(n) {
            return false;
        }
    }
    true
}

/// One hunk around all of both.
pub(super) fn covering(a: Vec<Hunk>, b: Vec<Hunk>) -> Vec<Hunk> {
    let around = a.into_iter().chain(b).reduce(|x, y| Hunk {
        old: Span {
            start: x.old.start.min(y.old.start),
            end: x.old.end.max(y.old.end),
        },
        new: Span {
            start: x.new.start.min(y.new.start),
            end: x.new.end.max(y.new.end),
        },
    });
    around.into_iter().collect()
}

/// The one hunk between the longest common start and end.
pub(super) fn difference(old: &str, new: &str) -> Vec<Hunk> {
    if old == new {
        return Vec::new();
    }
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let shorter = a.len().min(b.len());
    let mut start = same_front(a, b);
    while !old.is_char_boundary(start) || !new.is_char_boundary(start) {
        start -= 1;
    }
    let most = shorter - start;
    let mut end = same_back(&a[a.len() - most..], &b[b.len() - most..]);
    while !old.is_char_boundary(a.len() - end) || !new.is_char_boundary(b.len() - end) {
        end -= 1;
    }
    vec![Hunk {
        old: Span::new(start, a.len() - end),
        new: Span::new(start, b.len() - end),
    }]
}

/// Compared at once: an edit leaves most of a text alone.
const BLOCK: usize = 256;

/// How many bytes two texts share at their front.
fn same_front(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK));
    let at = blocks.take_while(|(x, y)| x == y).count() * BLOCK;
    let rest = a[at..].iter().zip(&b[at..]);
    at + rest.take_while(|(x, y)| x == y).count()
}

/// How many bytes two texts share at their end.
fn same_back(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.rchunks_exact(BLOCK).zip(b.rchunks_exact(BLOCK));
    let at = blocks.take_while(|(x, y)| x == y).count() * BLOCK;
    let rest = a[..a.len() - at].iter().rev();
    let rest = rest.zip(b[..b.len() - at].iter().rev());
    at + rest.take_while(|(x, y)| x == y).count()
}
