//! Branches and loops: what names mean where ways part and meet again; and what
//! complexity counts on the way.

use super::bindings::Space;
use super::*;
use surefoot_facts::{BindKind, DecisionKind};

/// What one way through a statement did to the names of the function.
#[derive(Default)]
pub(super) struct Way {
    changes: SmallVec<[(Name, BindIdx); 4]>,
    /// Nothing after the statement runs on this way.
    pub(super) leaves: bool,
}

impl Way {
    /// The way as if something came after it.
    pub(super) fn going_on(&self) -> Way {
        Way {
            leaves: false,
            ..self.copy()
        }
    }

    pub(super) fn copy(&self) -> Way {
        Way {
            changes: self.changes.clone(),
            leaves: self.leaves,
        }
    }
}

impl<'t> Walker<'t> {
    /// Goes on where a way ended.
    pub(super) fn resume(&mut self, way: &Way) {
        if let Some(at) = self.flowing() {
            for (name, after) in &way.changes {
                self.set_now(at, *name, *after);
            }
        }
    }

    /// The function whose names flow here.
    fn flowing(&self) -> Option<usize> {
        let last = self.frames.len().checked_sub(1)?;
        (self.frames[last].space == Space::Function).then_some(last)
    }

    /// Reads one of several ways; names are put back to what they were before.
    pub(super) fn way(&mut self, inside: impl FnOnce(&mut Self) -> bool) -> Way {
        let Some(at) = self.flowing() else {
            return Way {
                leaves: inside(self),
                ..Way::default()
            };
        };
        let mark = self.frames[at].log.len();
        let paths = self.paths.len();
        let leaves = inside(self);
        self.paths.truncate(paths);
        let mut out = Way {
            leaves,
            ..Way::default()
        };
        let frame = &mut self.frames[at];
        while frame.log.len() > mark {
            let Some((name, before)) = frame.log.pop() else {
                break;
            };
            if let Some(slot) = frame.locals.get_mut(&name) {
                if !out.changes.iter().any(|c| c.0 == name) {
                    out.changes.push((name, slot.now));
                }
                slot.now = before;
            }
        }
        out
    }

    /// The binding under what conditions said of it.
    fn root(&self, mut at: BindIdx) -> BindIdx {
        while let Some(under) = self.narrowed.get(&at) {
            at = *under;
        }
        at
    }

    /// Where the ways meet: a name that they leave with different values is one of them.
    pub(super) fn meet(&mut self, ways: &[Way], span: Span) {
        let Some(at) = self.flowing() else {
            return;
        };
        if ways.iter().all(|w| w.leaves) {
            return;
        }
        let mut names: SmallVec<[Name; 8]> = SmallVec::new();
        for (name, _) in ways.iter().filter(|w| !w.leaves).flat_map(|w| &w.changes) {
            if !names.contains(name) {
                names.push(*name);
            }
        }
        // In the order of the text, not of the names' numbers.
        for name in names {
            let before = self.frames[at].locals.get(&name).map(|s| s.now);
            let before = before.unwrap_or(BindIdx::NONE);
            let mut parts: SmallVec<[BindIdx; 4]> = SmallVec::new();
            for way in ways.iter().filter(|w| !w.leaves) {
                let after = way.changes.iter().find(|c| c.0 == name);
                let after = self.root(after.map_or(before, |c| c.1));
                if !after.is_none() && !parts.contains(&after) {
                    parts.push(after);
                }
            }
            self.becomes(at, name, before, &parts, span);
        }
    }

    fn becomes(&mut self, at: usize, name: Name, before: BindIdx, parts: &[BindIdx], span: Span) {
        match *parts {
            [] => {}
            [one] if one == self.root(before) => {}
            [one] => self.set_now(at, name, one),
            _ => {
                let held: SmallVec<[ExprIdx; 4]> = parts.iter().map(|p| self.b.bound(*p)).collect();
                let value = self.one_of(&held);
                let (kind, ty) = (BindKind::Local, TyIdx::UNKNOWN);
                let merged = self.b.bind(name, kind, ty, value, span, false);
                self.set_now(at, name, merged);
            }
        }
    }

    /// A body that may run again: a name it assigns more than once in all may
    /// hold at its start what it held at its end.
    pub(super) fn repeated(&mut self, node: Node<'t>, inside: impl FnOnce(&mut Self)) {
        let Some(at) = self.flowing() else {
            return inside(self);
        };
        let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
        let span = Span::new(node.start_byte(), node.start_byte() + 1);
        let frame = &self.frames[at];
        let from = frame.spots.partition_point(|s| s.1 < start);
        let mut heads: SmallVec<[(Name, BindIdx, BindIdx, usize); 4]> = SmallVec::new();
        for i in from..frame.spots.len() {
            let (name, spot) = self.frames[at].spots[i];
            if spot >= end {
                break;
            }
            if heads.iter().any(|h| h.0 == name) {
                continue;
            }
            let slot = self.frames[at].locals.get(&name);
            let Some((now, count, values)) = slot.map(|s| (s.now, s.count, s.values.len())) else {
                continue;
            };
            if count < 2 {
                continue;
            }
            let before = self.root(now);
            let (kind, ty, value) = (BindKind::Local, TyIdx::UNKNOWN, ExprIdx::UNKNOWN);
            let head = self.b.bind(name, kind, ty, value, span, false);
            self.set_now(at, name, head);
            heads.push((name, before, head, values));
        }
        inside(self);
        for (name, before, head, from) in heads {
            let given = self.frames[at].locals.get(&name);
            let given: SmallVec<[ExprIdx; 4]> =
                given.map(|s| s.values[from..].into()).unwrap_or_default();
            let mut parts: SmallVec<[ExprIdx; 4]> = SmallVec::new();
            if !before.is_none() {
                let held = self.b.bound(before);
                parts.push(held);
            }
            parts.extend(given);
            let value = self.one_of(&parts);
            if let Some(binding) = self.b.binding_mut(head) {
                binding.value = value;
            }
            self.set_now(at, name, head);
        }
    }

    /// Whether nothing after the statement runs.
    pub(super) fn leaves(&mut self, kid: Kid<'t>) -> bool {
        match kid.kind {
            K::ReturnStatement | K::RaiseStatement | K::BreakStatement | K::ContinueStatement => {
                true
            }
            K::Block | K::ElseClause => self.down(|w| {
                let kids = w.s.kids(kid.node);
                let last = match kid.kind {
                    K::ElseClause => kids.field(F::Body),
                    _ => kids.named().last(),
                };
                last.is_some_and(|k| w.leaves(k))
            }),
            K::IfStatement => self.down(|w| {
                let kids = w.s.kids(kid.node);
                let ways = kids
                    .iter()
                    .filter(|k| matches!(k.field, F::Consequence | F::Alternative));
                let mut otherwise = false;
                for way in ways {
                    otherwise |= way.kind == K::ElseClause;
                    let inner = match way.kind {
                        K::ElifClause => w.s.kids(way.node).field(F::Consequence),
                        _ => Some(*way),
                    };
                    if !inner.is_some_and(|k| w.leaves(k)) {
                        return false;
                    }
                }
                otherwise
            }),
            _ => false,
        }
    }

    // ---- complexity ----------------------------------------------------------------

    /// Counts a decision. The cyclomatic part belongs to the innermost function,
    /// anonymous or not; the cognitive part to the named one a reader reads.
    pub(super) fn decide(&mut self, kind: DecisionKind, cyclomatic: u8, cognitive: u16, at: Span) {
        if self.quiet {
            return;
        }
        let (inner, named) = (self.b.callable(), self.b.caller());
        if inner == named || named.is_none() {
            return self.b.decision(inner, kind, cyclomatic, cognitive, at);
        }
        if cyclomatic > 0 {
            self.b.decision(inner, kind, cyclomatic, 0, at);
        }
        if cognitive > 0 {
            self.b.decision(named, kind, 0, cognitive, at);
        }
    }

    fn counting(&mut self) -> Option<&mut bindings::Frame> {
        self.frames
            .iter_mut()
            .rev()
            .find(|f| matches!(f.space, Space::Function | Space::Lambda))
    }

    pub(super) fn nesting(&mut self) -> u16 {
        self.counting().map_or(0, |f| f.nesting)
    }

    pub(super) fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(frame) = self.counting() {
            frame.nesting = frame.nesting.saturating_add(1);
        }
        let out = inside(self);
        if let Some(frame) = self.counting() {
            frame.nesting = frame.nesting.saturating_sub(1);
        }
        out
    }

    /// A structure that costs one and one more for each level around it.
    pub(super) fn structure(&mut self, kind: DecisionKind, cyclomatic: u8, node: Node<'t>) {
        let word = Span::new(node.start_byte(), node.start_byte() + 1);
        let nesting = self.nesting();
        self.decide(kind, cyclomatic, 1 + nesting, word);
    }
}
