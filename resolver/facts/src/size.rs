//! Roughly how many bytes facts and positions take.

use crate::item::{ItemFacts, ItemSpans, Positions, Signature, Symbol};
use crate::pos::Span;
use std::mem::{size_of, size_of_val};

/// What stands in front of a shared value: two counters.
const SHARED: usize = 2 * size_of::<usize>();

fn rows<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

impl ItemFacts {
    /// With everything it owns.
    pub fn bytes(&self) -> usize {
        let symbol = |s: &Symbol| {
            let signature = |s: &Signature| size_of::<Signature>() + rows(&s.params);
            rows(&s.type_params)
                + rows(&s.heritage)
                + rows(&s.param_uses)
                + s.signature.as_deref().map_or(0, signature)
        };
        SHARED
            + size_of_val(self)
            + rows(&self.symbols)
            + self.symbols.iter().map(symbol).sum::<usize>()
            + rows(&self.scopes)
            + self.scopes.iter().map(|s| rows(&s.globs)).sum::<usize>()
            + rows(&self.bindings)
            + rows(&self.imports)
            + rows(&self.sites)
            + rows(&self.stores)
            + rows(&self.assigned)
            + rows(&self.exprs)
            + rows(&self.types)
            + rows(&self.lists)
    }
}

impl Positions {
    /// With everything it owns but the lines.
    pub fn bytes(&self) -> usize {
        let item = |spans: &ItemSpans| {
            SHARED
                + size_of_val(spans)
                + rows(&spans.symbols)
                + rows::<Span>(&spans.sites)
                + rows(&spans.imports)
                + rows(&spans.bindings)
                + rows(&spans.decisions)
                + rows(&spans.reads)
        };
        let live = self.items.if_live();
        let items = live
            .iter()
            .map(|(_, spans)| item(spans) + size_of_val(spans) + 8);
        size_of_val(self) + self.items.packed_bytes() + items.sum::<usize>()
    }
}
