//! `surefoot/disagreements`: the calls of which another server says otherwise than this engine.

use serde_json::Value;
use surefoot_graph::SiteId;

use super::super::cancel::Cancel;
use super::super::ext::Disagreement;
use super::super::failure::Failure;
use super::super::to_proto;
use super::super::view::View;

/// More are nobody's to read in a list.
const MOST: usize = 1_000;

pub fn answer(view: &View, _: Value, cancel: &Cancel) -> Result<Vec<Disagreement>, Failure> {
    let mut out = Vec::new();
    for root in view.roots.iter() {
        let snapshot = &root.snapshot;
        for file in snapshot.files() {
            cancel.check()?;
            for index in 0..file.site_count() {
                let site = SiteId {
                    file: file.id,
                    index,
                };
                let Some(theirs) = snapshot.contradiction(site) else {
                    continue;
                };
                let place = snapshot.site_place(site);
                let place = place.and_then(|place| view.location(root, &place));
                let (Some(place), Some((facts, _))) = (place, snapshot.site(site)) else {
                    continue;
                };
                let own = snapshot.own_outcome(site);
                let evidence = own.as_ref().and_then(|own| own.evidence.as_ref());
                let symbol = |symbol| {
                    let info = snapshot.symbol_info(symbol)?;
                    to_proto::symbol_ref(view, root, &info)
                };
                out.push(Disagreement {
                    site: place,
                    name: facts.name.text().to_owned(),
                    own: own.as_ref().and_then(|own| own.symbol()).and_then(symbol),
                    tier: evidence.map(|e| e.tier.word().to_owned()),
                    rule: evidence.map(|e| e.rule.id().to_owned()),
                    resolver: theirs
                        .evidence
                        .as_ref()
                        .map_or_else(String::new, |e| e.resolver.label()),
                    theirs: theirs.symbol().and_then(symbol),
                });
                if out.len() == MOST {
                    return Ok(out);
                }
            }
        }
    }
    Ok(out)
}
