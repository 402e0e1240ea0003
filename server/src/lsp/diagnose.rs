//! The findings of one document as the protocol's diagnostics; the same whether pushed or pulled.

use globset::{Glob, GlobSet, GlobSetBuilder};
use serde_json::json;
use surefoot_engine::features::diagnostics::{self, Code, DiagnosticOptions};
use surefoot_session::Suppressions;
use tower_lsp_server::ls_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticTag, NumberOrString, Uri,
};

use super::to_proto;
use super::view::View;
use crate::config::Severity;

/// What every diagnostic of ours calls itself.
pub const SOURCE: &str = "surefoot";

/// The findings of a document; none for one that is not in the graph. `at_hand`: what takes looking at the whole
/// graph may be of an earlier moment.
pub fn diagnose(view: &View, uri: &Uri, at_hand: bool) -> Vec<Diagnostic> {
    let settings = &view.settings;
    let Some(at) = view.file(uri) else {
        return Vec::new();
    };
    let Some(entry) = at.root.snapshot.file(at.file) else {
        return Vec::new();
    };
    if excluded(&settings.diagnostics_exclude).is_match(&*entry.path) {
        return Vec::new();
    }
    let options = DiagnosticOptions {
        unread_parameters: settings.unread_parameters != Severity::Off,
        hotspots: (settings.hotspots != Severity::Off)
            .then_some((settings.hotspots_threshold * 100.0).round() as u64),
        import_cycles: settings.import_cycles != Severity::Off,
        unresolved_imports: settings.unresolved_imports != Severity::Off,
        at_hand,
        ..DiagnosticOptions::default()
    };
    let text = view.text(at.root, at.file);
    let suppressions = text
        .as_ref()
        .map(|text| Suppressions::scan(text.as_str()))
        .unwrap_or_default();
    let found = diagnostics::diagnostics(&at.root.snapshot, at.file, &options, &|line, code| {
        suppressions.covers(line, code)
    });
    let diagnostics = found.into_iter().map(|finding| {
        let severity = match finding.code {
            Code::UnreadParameter | Code::UnreadParameterOverwritten => settings.unread_parameters,
            Code::Hotspot => settings.hotspots,
            Code::ImportCycle => settings.import_cycles,
            Code::UnresolvedImport => settings.unresolved_imports,
        };
        let related = finding.related.iter().filter_map(|related| {
            Some(DiagnosticRelatedInformation {
                location: view.location(at.root, &related.place)?,
                message: related.message.clone(),
            })
        });
        let related: Vec<_> = related.collect();
        let shown = view.client.relates_diagnostics() && !related.is_empty();
        Diagnostic {
            range: view.range(at.root, &finding.place),
            severity: to_proto::severity(severity),
            code: Some(NumberOrString::String(finding.code.id().to_owned())),
            code_description: None,
            source: Some(SOURCE.to_owned()),
            message: finding.message,
            related_information: shown.then_some(related),
            tags: finding
                .unnecessary
                .then(|| vec![DiagnosticTag::UNNECESSARY]),
            data: finding
                .symbol
                .map(|symbol| json!({ "handle": view.handle(at.root, symbol) })),
        }
    });
    diagnostics.collect()
}

/// The user's globs. Settings hold only such as can be read.
fn excluded(globs: &[String]) -> GlobSet {
    let mut builder = GlobSetBuilder::new();
    for glob in globs.iter().filter_map(|glob| Glob::new(glob).ok()) {
        builder.add(glob);
    }
    builder.build().unwrap_or_else(|_| GlobSet::empty())
}
