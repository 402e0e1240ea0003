//! `surefoot/explain`: what became of the call at a position, and every place that rests on.

use std::fmt::Write;

use surefoot_engine::ViaPlace;
use surefoot_engine::features::explain::{self, says};

use super::super::cancel::Cancel;
use super::super::ext::{At, CandidateShown, EvidenceShown, Explanation, RefusedShown, ViaShown};
use super::super::failure::Failure;
use super::super::to_proto;
use super::super::view::{RootView, View};

pub fn answer(view: &View, params: At, _: &Cancel) -> Result<Option<Explanation>, Failure> {
    view.absent(&params.text_document.uri)?;
    let Some((at, offset)) = view.offset(&params.text_document.uri, params.position) else {
        return Ok(None);
    };
    let Some(found) = explain::explain(&at.root.snapshot, at.file, offset) else {
        return Ok(None);
    };
    let root = at.root;
    let Some(site) = view.location(root, &found.place) else {
        return Ok(None);
    };
    let evidence = found.evidence.as_ref().map(|evidence| EvidenceShown {
        tier: evidence.tier.word().to_owned(),
        rule: evidence.rule.id().to_owned(),
        resolver: evidence.resolver.clone(),
        via: evidence
            .via
            .iter()
            .filter_map(|via| via_shown(view, root, via))
            .collect(),
    });
    let candidates = found.candidates.iter().filter_map(|candidate| {
        let symbol = to_proto::symbol_ref(view, root, &candidate.symbol)?;
        Some(CandidateShown {
            symbol,
            note: candidate.note.clone(),
        })
    });
    let refused = found.refused.iter().filter_map(|refused| {
        let symbol = to_proto::symbol_ref(view, root, &refused.symbol)?;
        Some(RefusedShown {
            symbol,
            why: refused.why.to_owned(),
        })
    });
    Ok(Some(Explanation {
        markdown: markdown(&found, evidence.as_ref()),
        title: found.title.clone(),
        resolution: found.resolution.word().to_owned(),
        cause: found.cause.map(|cause| cause.word().to_owned()),
        site,
        target: found
            .target
            .as_ref()
            .and_then(|target| to_proto::symbol_ref(view, root, target)),
        candidates: candidates.collect(),
        refused: refused.collect(),
        evidence,
    }))
}

fn via_shown(view: &View, root: &RootView, via: &ViaPlace) -> Option<ViaShown> {
    Some(ViaShown {
        role: via.role.to_owned(),
        uri: view.uri(root, via.place.file)?,
        range: view.range(root, &via.place),
        line: view.line(root, &via.place),
    })
}

/// The same for reading.
fn markdown(found: &explain::Explanation, evidence: Option<&EvidenceShown>) -> String {
    let mut out = format!("**{}**\n", found.title);
    if let (Some(shown), Some(evidence)) = (evidence, &found.evidence) {
        let _ = write!(out, "\n{}", evidence.rule.says());
        if shown.resolver != "static" {
            let _ = write!(out, " Placed by {}.", shown.resolver);
        }
        out.push('\n');
        for via in &shown.via {
            let line = via.range.start.line + 1;
            let file = via
                .uri
                .path()
                .as_str()
                .rsplit('/')
                .next()
                .unwrap_or_default();
            let _ = write!(
                out,
                "\n- {} · [{file}:{line}]({}#L{line})",
                via.role,
                via.uri.as_str()
            );
            if !via.line.is_empty() {
                let _ = write!(out, " · `{}`", via.line.replace('`', "'"));
            }
        }
        out.push('\n');
    }
    if let Some(cause) = found.cause {
        let _ = write!(out, "\n{}\n", says(cause));
    }
    let mut list = |title: &str, rows: Vec<(String, &str)>| {
        if !rows.is_empty() {
            let _ = write!(out, "\n{title}\n");
            for (name, why) in rows {
                let _ = write!(out, "\n- `{name}` · {why}");
            }
            out.push('\n');
        }
    };
    list(
        "Possible:",
        found
            .candidates
            .iter()
            .map(|c| (c.symbol.qualified.clone(), c.note.as_str()))
            .collect(),
    );
    list(
        "Refused:",
        found
            .refused
            .iter()
            .map(|r| (r.symbol.qualified.clone(), r.why))
            .collect(),
    );
    if found.left_out > 0 {
        let _ = write!(out, "\nand {} more possible\n", found.left_out);
    }
    if let Some(contradiction) = &found.contradiction {
        let target = contradiction
            .target
            .as_ref()
            .map_or("another place", |target| &target.qualified);
        let _ = write!(out, "\n{} says: {target}\n", contradiction.resolver);
    }
    out
}
