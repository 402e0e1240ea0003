//! One line under the cursor, and what it rests on.

use super::explain::{Explanation, explain_site, says};
use super::lens::{LensOptions, Numbers};
use crate::snapshot::{Place, Snapshot};
use surefoot_facts::{Decision, DecisionKind, Flags};
use surefoot_graph::{FileId, SymbolId};

/// What a hover says.
#[derive(Clone, PartialEq, Debug)]
pub struct Hover {
    /// What it is about: the name under the cursor.
    pub place: Place,
    pub head: String,
    /// Everything the head rests on; empty in the compact form.
    pub body: Vec<HoverLine>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct HoverLine {
    pub text: String,
    /// The source the line is about.
    pub place: Option<Place>,
}

impl HoverLine {
    fn new(text: impl Into<String>) -> HoverLine {
        HoverLine {
            text: text.into(),
            place: None,
        }
    }

    fn at(text: impl Into<String>, place: Place) -> HoverLine {
        HoverLine {
            text: text.into(),
            place: Some(place),
        }
    }
}

/// At a declaration its numbers taken apart; at a call its evidence.
pub fn hover(snapshot: &Snapshot, file: FileId, offset: u32, full: bool) -> Option<Hover> {
    let at = snapshot.at(file, offset)?;
    if let Some(id) = at.declares
        && let Some(hover) = definition(snapshot, id, full)
    {
        return Some(hover);
    }
    let e = explain_site(snapshot, at.site?)?;
    Some(Hover {
        place: e.place,
        head: e.title.clone(),
        body: if full { evidence(&e) } else { Vec::new() },
    })
}

fn definition(snapshot: &Snapshot, id: SymbolId, full: bool) -> Option<Hover> {
    let numbers = Numbers::of(snapshot, id)?;
    let info = snapshot.symbol_info(id)?;
    let mut hover = Hover {
        place: info.name_place,
        head: numbers.title(&LensOptions::default()),
        body: Vec::new(),
    };
    if !full {
        return Some(hover);
    }
    let body = &mut hover.body;
    if let Some(cyclomatic) = numbers.cyclomatic {
        body.push(HoverLine::new(format!(
            "cyclomatic {cyclomatic} = 1 for the function"
        )));
        for (decision, place) in decisions(snapshot, id) {
            if decision.cyclomatic > 0 {
                let word = word(decision.kind);
                let line = place.start.line + 1;
                let text = format!("+{} {word}, line {line}", decision.cyclomatic);
                body.push(HoverLine::at(text, place));
            }
        }
        let cognitive = cognitive(snapshot, id);
        body.push(HoverLine::new(format!("cognitive {cognitive}")));
        if info.flags.has(Flags::PARTIAL) {
            body.push(HoverLine::new(
                "~: text inside did not parse, the numbers may be short",
            ));
        }
    }
    if numbers.values > 0 {
        let n = numbers.values;
        body.push(HoverLine::new(format!("named as a value {n}×")));
    }
    for reason in snapshot.floor(id).reasons(&info.name) {
        body.push(HoverLine::new(format!("callers may be missing: {reason}")));
    }
    Some(hover)
}

/// Sonar's cognitive complexity, with the increment for taking part in a recursion
/// as it was last looked for.
pub fn cognitive(snapshot: &Snapshot, id: SymbolId) -> u32 {
    let own = snapshot.decl(id).map_or(0, |d| d.complexity().cognitive);
    own + u32::from(snapshot.metrics_at_hand().of(id).recursive)
}

/// What was counted in a function, in source order.
pub fn decisions(snapshot: &Snapshot, id: SymbolId) -> Vec<(Decision, Place)> {
    let Some(d) = snapshot.decl(id) else {
        return Vec::new();
    };
    let Some((start, spans)) = d.file.positions.items.get(d.loc.item as usize) else {
        return Vec::new();
    };
    let own = spans.decisions.iter().filter(|x| x.of == d.loc.sym);
    let mut out: Vec<(Decision, Place)> = own
        .filter_map(|x| Some((*x, snapshot.place(d.file.id, x.span.shift(*start))?)))
        .collect();
    out.sort_by_key(|(_, place)| place.span.start);
    out
}

/// What a decision is called on screen.
pub fn word(kind: DecisionKind) -> &'static str {
    match kind {
        DecisionKind::If => "if",
        DecisionKind::ElseIf => "else if",
        DecisionKind::Else => "else",
        DecisionKind::Loop => "loop",
        DecisionKind::Case => "case",
        DecisionKind::Guard => "guard",
        DecisionKind::Catch => "catch",
        DecisionKind::Ternary => "conditional expression",
        DecisionKind::Logic => "logical operator",
        DecisionKind::Coalesce => "default for nothing",
        DecisionKind::LetElse => "let-else",
        DecisionKind::Switch => "switch",
        DecisionKind::Jump => "jump to a label",
    }
}

fn evidence(e: &Explanation) -> Vec<HoverLine> {
    let mut out = Vec::new();
    if let Some(evidence) = &e.evidence {
        let by = if evidence.resolver == "static" {
            String::new()
        } else {
            format!(" (placed by {})", evidence.resolver)
        };
        out.push(HoverLine::new(format!("{}{by}", evidence.rule.says())));
        for via in &evidence.via {
            out.push(HoverLine::at(via.role, via.place));
        }
    }
    if let Some(cause) = e.cause {
        out.push(HoverLine::new(says(cause)));
    }
    for c in &e.candidates {
        let text = format!("possible: {}", c.symbol.qualified);
        out.push(HoverLine::at(text, c.symbol.name_place));
    }
    if e.left_out > 0 {
        out.push(HoverLine::new(format!("and {} more possible", e.left_out)));
    }
    for r in &e.refused {
        let text = format!("refused: {} [{}]", r.symbol.qualified, r.cause.word());
        out.push(HoverLine::at(text, r.symbol.name_place));
    }
    if let Some(c) = &e.contradiction {
        let target = c.target.as_ref().map_or("another place", |t| &t.qualified);
        out.push(HoverLine::new(format!("{} says: {target}", c.resolver)));
    }
    out
}
