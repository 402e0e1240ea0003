//! A snapshot as lines of text that are equal for equal graphs.
//!
//! Ids differ between two workspaces; names, paths and positions do not. The
//! dump holds everything a face can ask for, so that whatever a user could
//! notice is compared.

use std::fmt::Write;
use surefoot_engine::features::lens::Numbers;
use surefoot_engine::{Calls, Place, Snapshot};
use surefoot_fixture::show::{Names, became};
use surefoot_graph::{FileId, Outcome, SiteId, SymbolId, Via};

/// Every line of the dump, in the order of files and positions.
pub fn dump(snapshot: &Snapshot) -> Vec<String> {
    let names = Names::of(snapshot);
    let mut out = Vec::new();
    for (path, unread) in snapshot.unread() {
        out.push(format!("unread {path} {}", unread.reason));
    }
    for (path, facts) in snapshot.manifests() {
        out.push(format!("manifest {path} {facts:?}"));
    }
    for cycle in snapshot.metrics().imports(snapshot).cycles() {
        let all: Vec<&str> = cycle.iter().map(|f| path(snapshot, *f)).collect();
        out.push(format!("cycle {}", all.join(" ")));
    }
    let files: Vec<FileId> = snapshot.files().map(|f| f.id).collect();
    for file in files {
        let entry = snapshot.file(file);
        let (bytes, errors) = entry.map_or((0, 0), |f| (f.bytes, f.facts.errors));
        out.push(format!(
            "file {} {bytes} bytes {errors} errors",
            path(snapshot, file)
        ));
        symbols(snapshot, &names, file, &mut out);
        sites(snapshot, &names, file, &mut out);
    }
    let totals = snapshot.totals();
    out.push(format!("totals {totals:?}"));
    out
}

fn path(snapshot: &Snapshot, file: FileId) -> &str {
    snapshot.file(file).map_or("<nowhere>", |f| &f.path)
}

fn place(snapshot: &Snapshot, p: &Place) -> String {
    let (a, b) = (p.start, p.end);
    let file = path(snapshot, p.file);
    format!(
        "{file}:{}:{}-{}:{}",
        a.line + 1,
        a.column + 1,
        b.line + 1,
        b.column + 1
    )
}

fn symbols(snapshot: &Snapshot, names: &Names, file: FileId, out: &mut Vec<String>) {
    let mut all = snapshot.symbols_of(file);
    snapshot.sort(&mut all);
    all.extend(snapshot.file(file).map(|f| f.module));
    for id in all {
        let name = names.full(id);
        let Some(info) = snapshot.symbol_info(id) else {
            out.push(format!("symbol {name}: gone"));
            continue;
        };
        out.push(format!(
            "symbol {name}: {:?} {:?} {:?} {:?} parent {:?} full {} name {} content {:02x?}",
            info.kind,
            info.visibility,
            info.flags,
            info.complexity,
            info.parent.map(|p| names.full(p)),
            place(snapshot, &info.full),
            place(snapshot, &info.name_place),
            info.content.map(|content| content[..4].to_vec()),
        ));
        let floor = snapshot.floor(id);
        if let Some(numbers) = Numbers::of(snapshot, id) {
            out.push(format!("lens {name}: {numbers:?} {floor:?}"));
        }
        let metrics = snapshot.metrics();
        let m = metrics.of(id);
        out.push(format!(
            "metrics {name}: {m:?} reachable {}",
            metrics.is_reachable(id)
        ));
        for (what, calls) in [
            ("callers", snapshot.callers(id)),
            ("callees", snapshot.callees(id)),
        ] {
            groups(snapshot, names, &format!("{what} {name}"), &calls, out);
        }
        let list = |ids: Vec<SymbolId>| -> String {
            let all: Vec<String> = ids.into_iter().map(|i| names.full(i)).collect();
            all.join(", ")
        };
        let mut kin = String::new();
        for base in snapshot.bases(id) {
            let target = base.target.map(|t| names.full(t));
            let _ = write!(kin, " {:?} {} {:?};", base.kind, base.name, target);
        }
        for (derived, kind) in snapshot.derived(id) {
            let _ = write!(kin, " derived {} {kind:?};", names.full(derived));
        }
        if !kin.is_empty() {
            out.push(format!("kin {name}:{kin}"));
        }
        for (what, ids) in [
            ("overrides", snapshot.overrides(id)),
            ("overridden", snapshot.overridden(id)),
            ("blocks", snapshot.blocks(id)),
        ] {
            if !ids.is_empty() {
                out.push(format!("{what} {name}: {}", list(ids)));
            }
        }
        let unplaced = snapshot.unplaced_of(id);
        if !unplaced.is_empty() {
            let all: Vec<String> = unplaced.iter().map(|s| site_text(snapshot, *s)).collect();
            out.push(format!("unplaced of {name}: {}", all.join(" ")));
        }
    }
}

fn groups(snapshot: &Snapshot, names: &Names, what: &str, calls: &Calls, out: &mut Vec<String>) {
    for (tier, list) in [("placed", &calls.placed), ("possible", &calls.possible)] {
        for g in list {
            let sites: Vec<String> = g
                .sites
                .iter()
                .map(|s| format!("{} {:?} {:?}", site_text(snapshot, s.site), s.tier, s.rule))
                .collect();
            out.push(format!(
                "{what} {tier}: {} {:?} {:?} test {} [{}]",
                names.full(g.symbol),
                g.tier,
                g.rule,
                g.test,
                sites.join(", ")
            ));
        }
    }
}

fn site_text(snapshot: &Snapshot, site: SiteId) -> String {
    match snapshot.site_place(site) {
        Some(p) => place(snapshot, &p),
        None => "nowhere".to_owned(),
    }
}

fn sites(snapshot: &Snapshot, names: &Names, file: FileId, out: &mut Vec<String>) {
    let count = snapshot.file(file).map_or(0, |f| f.site_count());
    for index in 0..count {
        let site = SiteId { file, index };
        let (Some((s, _)), Some(o)) = (snapshot.site(site), snapshot.outcome(site)) else {
            out.push(format!("site {file:?} {index}: gone"));
            continue;
        };
        let caller = snapshot.caller_of(site).map(|c| names.full(c));
        out.push(format!(
            "site {} {} `{}` in {}: {}",
            site_text(snapshot, site),
            s.kind.word(),
            s.name.text(),
            caller.unwrap_or_default(),
            outcome_text(snapshot, names, file, &o),
        ));
    }
}

/// Everything an outcome says.
pub fn outcome_text(snapshot: &Snapshot, names: &Names, file: FileId, o: &Outcome) -> String {
    let mut out = String::new();
    for b in became(names, file, o) {
        let _ = write!(out, "{b};");
    }
    let _ = write!(out, " {:?} {:?}", o.resolution, o.cause);
    if let Some(e) = &o.evidence {
        let _ = write!(
            out,
            " by {} {} {}",
            e.rule.id(),
            e.tier.word(),
            e.resolver.label()
        );
        for via in &e.via {
            let _ = write!(out, " via {}", via_text(snapshot, names, via));
        }
    }
    for (symbol, cause) in o.refused.iter().flat_map(|r| r.iter()) {
        let _ = write!(out, " refused {} ({})", names.full(*symbol), cause.word());
    }
    out
}

/// A step of evidence by where it stands. A stub of the standard library is
/// not in the tree and has no place a user could open.
pub fn via_text(snapshot: &Snapshot, names: &Names, via: &Via) -> String {
    match snapshot.via(via) {
        Some(v) => format!("{} {}", v.role, place(snapshot, &v.place)),
        None => {
            let symbol = via.symbol.map(|s| names.full(s));
            format!(
                "{:?} of {symbol:?} in {}: nowhere",
                via.slot,
                path(snapshot, via.file)
            )
        }
    }
}

/// The first line that differs, with what stands there on each side.
pub fn first_difference(a: &[String], b: &[String]) -> Option<(String, String)> {
    let n = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    if n == a.len() && n == b.len() {
        return None;
    }
    let end = "<nothing more>".to_owned();
    let line = |list: &[String]| list.get(n).cloned().unwrap_or_else(|| end.clone());
    Some((line(a), line(b)))
}
