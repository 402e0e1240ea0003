//! What must hold of any facts, whatever they were read from.

use surefoot_facts::{Extracted, Span};

/// Why facts cannot be used with the text they were read from.
pub fn check(text: &str, read: &Extracted) -> Result<(), String> {
    let (facts, positions) = (&read.facts, &read.positions);
    if facts.items.len() != positions.items.len() {
        return Err(format!(
            "{} items and {} positions",
            facts.items.len(),
            positions.items.len()
        ));
    }
    let mut last = 0;
    for (n, (item, (start, spans))) in facts.items.iter().zip(&positions.items).enumerate() {
        if *start < last {
            return Err(format!("item {n} begins before the one ahead of it"));
        }
        last = *start;
        let inside = |what: &str, i: usize, span: Span| -> Result<(), String> {
            let at = span.shift(*start);
            let (a, b) = (at.start as usize, at.end as usize);
            if a <= b && b <= text.len() && text.is_char_boundary(a) && text.is_char_boundary(b) {
                Ok(())
            } else {
                Err(format!("item {n}, {what} {i}: {a}..{b} of {}", text.len()))
            }
        };
        let same = [
            ("symbols", item.symbols.len(), spans.symbols.len()),
            ("sites", item.sites.len(), spans.sites.len()),
            ("imports", item.imports.len(), spans.imports.len()),
            ("bindings", item.bindings.len(), spans.bindings.len()),
        ];
        for (what, a, b) in same {
            if a != b {
                return Err(format!("item {n}: {a} {what} and {b} positions"));
            }
        }
        inside("item", n, spans.full)?;
        for (i, s) in spans.symbols.iter().enumerate() {
            inside("symbol", i, s.full)?;
            inside("name of symbol", i, s.name)?;
            let parent = item.symbols[i].parent;
            if parent.get().is_some_and(|p| p >= i) {
                return Err(format!(
                    "item {n}, symbol {i}: its parent {parent:?} comes later"
                ));
            }
        }
        for (i, span) in spans.sites.iter().enumerate() {
            inside("site", i, *span)?;
        }
        for (i, span) in spans.imports.iter().enumerate() {
            inside("import", i, *span)?;
        }
        for (i, span) in spans.bindings.iter().enumerate() {
            inside("binding", i, *span)?;
        }
        for (i, d) in spans.decisions.iter().enumerate() {
            inside("decision", i, d.span)?;
        }
        for (i, r) in spans.reads.iter().enumerate() {
            inside("read", i, r.2)?;
        }
        for (i, s) in item.sites.iter().enumerate() {
            let known = |at: Option<usize>| at.is_none_or(|at| at < item.symbols.len());
            let exprs = item.exprs.len() as u32;
            if s.callee.0 >= exprs || s.call.0 >= exprs {
                return Err(format!(
                    "item {n}, site {i}: an expression that is not there"
                ));
            }
            if !known(s.caller.get()) || !known(s.lambda.get()) {
                return Err(format!("item {n}, site {i}: a caller that is not there"));
            }
        }
        for (i, s) in item.symbols.iter().enumerate() {
            let numbers = s.complexity;
            if s.kind.is_callable() && numbers.cyclomatic > text.len() as u32 + 1 {
                return Err(format!("item {n}, symbol {i}: {numbers:?}"));
            }
        }
    }
    Ok(())
}
