//! Which declaration of one report is which of another.
//!
//! A name does not always identify a declaration, and a line never does.
//! Declarations of one name are paired by their bodies first, then in source
//! order; what is left over is looked for elsewhere by body and name.

use crate::index::Index;
use crate::model::Entity;
use crate::text::Digest;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::collections::VecDeque;

/// One report's entities and where each is in the other report.
pub struct Side<'a> {
    pub entities: &'a [Entity],
    pub index: Index<'a>,
    /// The number of its counterpart.
    pub other: Vec<Option<u32>>,
}

pub struct Pairing<'a> {
    pub before: Side<'a>,
    pub after: Side<'a>,
    /// Pairs whose name differs: the declaration went elsewhere.
    pub relocated: Vec<(u32, u32)>,
}

/// A declaration of either report; both sides of a pair are one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Same {
    /// By its number in the later report.
    Later(u32),
    /// Only in the earlier one.
    Gone(u32),
}

impl<'a> Pairing<'a> {
    pub fn new(before: &'a [Entity], after: &'a [Entity]) -> Pairing<'a> {
        let mut to_after = vec![None; before.len()];
        let mut to_before = vec![None; after.len()];
        let mut pair = |b: u32, a: u32| {
            to_after[b as usize] = Some(a);
            to_before[a as usize] = Some(b);
        };
        let groups = by_name(before, after);
        for (olds, news) in groups.values() {
            pair_group(before, after, olds, news, &mut pair);
        }
        let relocated = relocated(before, after, &to_after, &to_before);
        for &(b, a) in &relocated {
            to_after[b as usize] = Some(a);
            to_before[a as usize] = Some(b);
        }
        let side = |entities, other| Side {
            entities,
            index: Index::new(entities),
            other,
        };
        Pairing {
            before: side(before, to_after),
            after: side(after, to_before),
            relocated,
        }
    }

    /// The pairs, in the order of the later report.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let pairs = self.after.other.iter().enumerate();
        pairs.filter_map(|(a, b)| Some((b.as_ref().copied()? as usize, a)))
    }

    pub fn of_before(&self, entity: usize) -> Same {
        match self.before.other[entity] {
            Some(after) => Same::Later(after),
            None => Same::Gone(entity as u32),
        }
    }

    pub fn of_after(&self, entity: usize) -> Same {
        Same::Later(entity as u32)
    }
}

type Groups<'a> = FxHashMap<Cow<'a, str>, (Vec<u32>, Vec<u32>)>;

fn by_name<'a>(before: &'a [Entity], after: &'a [Entity]) -> Groups<'a> {
    let mut groups = Groups::default();
    for (i, e) in before.iter().enumerate() {
        let group = groups.entry(steady(&e.qualified_name)).or_default();
        group.0.push(i as u32);
    }
    for (i, e) in after.iter().enumerate() {
        let group = groups.entry(steady(&e.qualified_name)).or_default();
        group.1.push(i as u32);
    }
    groups
}

fn pair_group(
    before: &[Entity],
    after: &[Entity],
    olds: &[u32],
    news: &[u32],
    pair: &mut impl FnMut(u32, u32),
) {
    if let ([b], [a]) = (olds, news) {
        return pair(*b, *a);
    }
    let mut by_body: FxHashMap<Digest, VecDeque<u32>> = FxHashMap::default();
    for &b in olds {
        if let Some(digest) = before[b as usize].content_digest {
            by_body.entry(digest).or_default().push_back(b);
        }
    }
    let mut left = Vec::new();
    let mut taken = FxHashSet::default();
    for &a in news {
        let body = after[a as usize].content_digest;
        let same = body.and_then(|d| by_body.get_mut(&d)?.pop_front());
        match same {
            Some(b) => {
                taken.insert(b);
                pair(b, a);
            }
            None => left.push(a),
        }
    }
    let rest = olds.iter().filter(|b| !taken.contains(b));
    for (&b, a) in rest.zip(left) {
        pair(b, a);
    }
}

/// Bodies of one name and kind that left one place and stand in one other.
fn relocated(
    before: &[Entity],
    after: &[Entity],
    to_after: &[Option<u32>],
    to_before: &[Option<u32>],
) -> Vec<(u32, u32)> {
    type Body<'a> = (Digest, &'a str, &'a str);
    let free = |entities: &'_ [Entity], other: &[Option<u32>]| -> Vec<u32> {
        let free = (0..entities.len()).filter(|&i| other[i].is_none());
        free.map(|i| i as u32).collect()
    };
    fn body(e: &Entity) -> Option<Body<'_>> {
        // A module is named by its file, which is what changed.
        let name = if &*e.kind == "module" { "" } else { &*e.name };
        Some((e.content_digest?, name, &e.kind))
    }
    // `None`: several, and which of them went where nobody knows.
    let mut gone: FxHashMap<Body<'_>, Option<u32>> = FxHashMap::default();
    for b in free(before, to_after) {
        if let Some(body) = body(&before[b as usize]) {
            gone.entry(body)
                .and_modify(|v| *v = None)
                .or_insert(Some(b));
        }
    }
    let mut came: FxHashMap<Body<'_>, Option<u32>> = FxHashMap::default();
    for a in free(after, to_before) {
        if let Some(body) = body(&after[a as usize]) {
            came.entry(body)
                .and_modify(|v| *v = None)
                .or_insert(Some(a));
        }
    }
    let pairs = came.into_iter().filter_map(|(body, a)| {
        let b = (*gone.get(&body)?)?;
        Some((b, a?))
    });
    let mut pairs: Vec<(u32, u32)> = pairs.collect();
    pairs.sort_unstable_by_key(|&(_, a)| a);
    pairs
}

/// A name without the numbers that are positions: `<lambda7>` is `<lambda>`.
pub(crate) fn steady(name: &str) -> Cow<'_, str> {
    if !name.contains('<') {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len());
    let mut inside = false;
    for c in name.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            _ => {}
        }
        if !(inside && c.is_ascii_digit()) {
            out.push(c);
        }
    }
    Cow::Owned(out)
}
