//! `surefoot/status`: what the server reads, what it costs, and how full each of its queues is.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;
use surefoot_engine::Memory;
use surefoot_facts::Name;

use super::super::cancel::Cancel;
use super::super::ext::{
    LanguageStatus, LeftOut, MemoryStatus, OwnServerStatus, QueueStatus, RootStatus, StatusResult,
};
use super::super::failure::Failure;
use super::super::view::View;

pub fn answer(view: &View, _: Value, cancel: &Cancel) -> Result<StatusResult, Failure> {
    let mut languages: BTreeMap<&str, u64> = BTreeMap::new();
    let mut roots = Vec::new();
    let mut held = Memory::default();
    for root in view.roots.iter() {
        cancel.check()?;
        let totals = root.snapshot.totals();
        for (language, files) in &totals.by_language {
            *languages
                .entry(root.snapshot.languages().name(*language))
                .or_default() += *files as u64;
        }
        held.add(&root.memory);
        roots.push(RootStatus {
            uri: root.uri.clone(),
            files: totals.files as u64,
            symbols: totals.symbols as u64,
            sites: totals.sites as u64,
            skipped: root.skipped as u64,
            imported: root.imported as u64,
        });
    }
    let open: usize = view
        .documents
        .iter()
        .map(|(_, document)| document.text.as_str().len())
        .sum();
    let documents = [
        ("names", Name::held().1),
        ("open documents", open),
        ("texts read again", view.texts.bytes()),
    ];
    let memory = held.owners.into_iter().chain(documents);
    let memory = memory.map(|(owner, bytes)| MemoryStatus {
        owner: owner.to_owned(),
        bytes: bytes as u64,
    });
    let queues = (view.queues)()
        .into_iter()
        .map(|(name, length, bound)| QueueStatus {
            name: name.to_owned(),
            length: length as u64,
            bound: bound as u64,
        });
    let mut status = StatusResult {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        revision: view.revision,
        state: if view.reading { "indexing" } else { "ready" }.to_owned(),
        languages: languages
            .into_iter()
            .map(|(name, files)| LanguageStatus {
                name: name.to_owned(),
                files,
            })
            .collect(),
        roots,
        memory: memory.collect(),
        shed: view
            .roots
            .iter()
            .flat_map(|root| &root.shed)
            .map(|(what, n)| ((*what).to_owned(), *n))
            .collect(),
        queues: queues.collect(),
        watch: view.watch.to_owned(),
        neighbours: view.neighbours.clone(),
        servers: servers(view),
        verdicts: view
            .verdicts
            .iter()
            .map(|(verdict, n)| (verdict.word().to_owned(), *n))
            .collect(),
        left_out: view
            .documents
            .iter()
            .filter_map(|(uri, _)| {
                Some(LeftOut {
                    uri: uri.clone(),
                    why: view.absence(uri)?,
                })
            })
            .collect(),
        troubles: view.troubles.clone(),
        text: String::new(),
    };
    status.left_out.sort_by(|a, b| a.uri.cmp(&b.uri));
    status.text = text(&status);
    Ok(status)
}

fn servers(view: &View) -> Vec<OwnServerStatus> {
    let states = view.own.iter().flat_map(|bridge| bridge.states());
    let shown = states.map(|state| OwnServerStatus {
        state: state.standing.words(),
        key: state.key,
        server: state.server.name,
        version: state.server.version,
        process: state.process,
        memory: state.memory_bytes,
        memory_bound: state.memory_bound,
        asked: state.asked,
        placed: state.placed,
        nothing: state.nothing,
        unanswered: state.unanswered,
        starts: state.starts,
        waiting: state.waiting as u64,
        waiting_bound: state.waiting_bound as u64,
        budget_left: state.budget_left,
        unavailable: state.unavailable,
    });
    shown.collect()
}

/// The same for reading.
fn text(status: &StatusResult) -> String {
    let mut out = format!(
        "Surefoot {}, {}, revision {}\n",
        status.version, status.state, status.revision
    );
    for root in &status.roots {
        let _ = write!(
            out,
            "{}: {} files, {} symbols, {} sites",
            root.uri.as_str(),
            root.files,
            root.symbols,
            root.sites
        );
        if root.skipped > 0 {
            let _ = write!(out, ", {} skipped", root.skipped);
        }
        if root.imported > 0 {
            let _ = write!(out, ", facts of {} imported", root.imported);
        }
        out.push('\n');
    }
    let languages: Vec<String> = status
        .languages
        .iter()
        .map(|l| format!("{} {}", l.name, l.files))
        .collect();
    if !languages.is_empty() {
        let _ = writeln!(out, "languages: {}", languages.join(", "));
    }
    for trouble in &status.troubles {
        let _ = writeln!(out, "not well: {trouble}");
    }
    let watch = match status.watch.as_str() {
        "client" => "by the editor",
        "server" => "by the server",
        _ => "not at all: changes made by other programs are seen when the server restarts",
    };
    let _ = writeln!(out, "changes on disk are watched {watch}");
    for left_out in &status.left_out {
        let _ = writeln!(
            out,
            "open, not in the graph: {}: {}",
            left_out.uri.as_str(),
            left_out.why
        );
    }
    for neighbour in &status.neighbours {
        let _ = write!(
            out,
            "{} {}: asked {}, placed {}",
            neighbour.server, neighbour.version, neighbour.asked, neighbour.placed
        );
        if let Some(why) = &neighbour.unavailable {
            let _ = write!(out, ", unavailable: {why}");
        }
        out.push('\n');
    }
    for server in &status.servers {
        let _ = write!(
            out,
            "own server {} ({} {}): {}, asked {}, placed {}, nothing {}, unanswered {}, waiting {} of {}, {} of {} MB",
            server.key,
            server.server,
            server.version,
            server.state,
            server.asked,
            server.placed,
            server.nothing,
            server.unanswered,
            server.waiting,
            server.waiting_bound,
            server.memory >> 20,
            server.memory_bound >> 20
        );
        if let Some(left) = server.budget_left {
            let _ = write!(out, ", {left} questions left");
        }
        if let Some(why) = &server.unavailable {
            let _ = write!(out, ", unavailable: {why}");
        }
        out.push('\n');
    }
    let verdicts = status.verdicts.iter();
    let verdicts: Vec<String> = verdicts.map(|(word, n)| format!("{word} {n}")).collect();
    if !verdicts.is_empty() {
        let _ = writeln!(out, "answers: {}", verdicts.join(", "));
    }
    out.push_str("memory:\n");
    for memory in &status.memory {
        let _ = writeln!(
            out,
            "  {:<18}{:>10} KB",
            memory.owner,
            memory.bytes.div_ceil(1024)
        );
    }
    if !status.shed.is_empty() {
        let shed = status.shed.iter().map(|(what, n)| format!("{what} {n}"));
        let shed: Vec<String> = shed.collect();
        let _ = writeln!(
            out,
            "let go to stay below surefoot.memory.limitMb: {}",
            shed.join(", ")
        );
    }
    out.push_str("queues:\n");
    for queue in &status.queues {
        let _ = writeln!(
            out,
            "  {:<18}{:>10} of {}",
            queue.name, queue.length, queue.bound
        );
    }
    out
}
