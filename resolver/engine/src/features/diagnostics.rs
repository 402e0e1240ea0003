//! Findings worth a mark in the margin, each with what it rests on.

use super::lens::plural;
use crate::links::import_around;
use crate::metrics::{EDITOR_THRESHOLD, FileImport, Metrics, score_text};
use crate::snapshot::{Decl, Place, Snapshot, spans_of};
use surefoot_facts::{
    BindKind, Binding, Flags, ImportKind, ItemFacts, Name, ParamUse, Specifier, SymIdx, Symbol,
    Visibility,
};
use surefoot_graph::{FileId, Resolution, SiteId, SiteKind, SymbolId, SymbolKind};

/// The kinds of findings. The spelling of each code is stable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Code {
    UnreadParameter,
    UnreadParameterOverwritten,
    Hotspot,
    ImportCycle,
    UnresolvedImport,
}

impl Code {
    pub fn id(self) -> &'static str {
        match self {
            Code::UnreadParameter => "unread-parameter",
            Code::UnreadParameterOverwritten => "unread-parameter/overwritten",
            Code::Hotspot => "hotspot",
            Code::ImportCycle => "import-cycle",
            Code::UnresolvedImport => "unresolved-import",
        }
    }
}

/// Which findings are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiagnosticOptions {
    pub unread_parameters: bool,
    /// Also in functions that others can see from outside: their signature may
    /// be fixed by who uses them.
    pub unread_in_public: bool,
    /// From this score on, in hundredths; `None`: no hotspots.
    pub hotspots: Option<u64>,
    pub import_cycles: bool,
    pub unresolved_imports: bool,
    /// Depths and cycles may be those of an earlier state, where they are known:
    /// for whoever types, and asks again when at rest.
    pub at_hand: bool,
}

impl Default for DiagnosticOptions {
    fn default() -> DiagnosticOptions {
        DiagnosticOptions {
            unread_parameters: true,
            unread_in_public: false,
            hotspots: Some(EDITOR_THRESHOLD),
            import_cycles: true,
            unresolved_imports: true,
            at_hand: false,
        }
    }
}

/// A place that belongs to a finding.
#[derive(Clone, PartialEq, Debug)]
pub struct Related {
    pub place: Place,
    pub message: String,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Diagnostic {
    pub code: Code,
    pub place: Place,
    pub message: String,
    /// The code there does nothing: shown faded.
    pub unnecessary: bool,
    pub related: Vec<Related>,
    pub symbol: Option<SymbolId>,
}

/// The most places listed beside one finding.
pub const MAX_RELATED: usize = 20;

/// The findings of a file, in source order. `suppressed` is asked with the line
/// (from zero) of each; comments are the text's, which is not here.
pub fn diagnostics(
    snapshot: &Snapshot,
    file: FileId,
    options: &DiagnosticOptions,
    suppressed: &dyn Fn(u32, Code) -> bool,
) -> Vec<Diagnostic> {
    let Some(entry) = snapshot.file(file).filter(|f| !f.prelude) else {
        return Vec::new();
    };
    let metrics = || match options.at_hand {
        true => snapshot.metrics_at_hand(),
        false => snapshot.metrics(),
    };
    let mut out = Vec::new();
    if options.unread_parameters && !entry.facts.generated {
        for id in snapshot.symbols_of(file) {
            unread(snapshot, id, options, &mut out);
        }
    }
    if let Some(threshold) = options.hotspots {
        hotspots(snapshot, file, metrics(), threshold, &mut out);
    }
    if options.import_cycles {
        cycles(snapshot, file, metrics(), &mut out);
    }
    if options.unresolved_imports {
        unresolved(snapshot, file, &mut out);
    }
    out.retain(|d| !suppressed(d.place.start.line, d.code));
    out.sort_by_key(|d| (d.place.span.start, d.code));
    out
}

// ---- parameters ------------------------------------------------------------------

fn unread(
    snapshot: &Snapshot,
    id: SymbolId,
    options: &DiagnosticOptions,
    out: &mut Vec<Diagnostic>,
) {
    let Some(d) = snapshot.decl(id) else {
        return;
    };
    let Some((item, symbol)) = d.facts else {
        return;
    };
    let hits: Vec<(&ParamUse, Code)> = symbol
        .param_uses
        .iter()
        .filter_map(|u| Some((u, verdict(u)?)))
        .collect();
    if hits.is_empty() || is_signature_fixed(snapshot, &d, symbol, options) {
        return;
    }
    // Where a function with fewer parameters fits as well, one before a read
    // one is only there to hold its place.
    let rules = snapshot.languages().rules(d.file.language);
    let trailing = rules.is_some_and(|r| r.traits().positional_params);
    let last_read = symbol
        .param_uses
        .iter()
        .filter(|u| u.reads > 0 || u.maybe)
        .map(|u| u.param)
        .max();
    for (u, code) in hits {
        if is_import_of_same_name(item, symbol, u.param) {
            continue;
        }
        let holds_place = trailing && last_read.is_some_and(|last| u.param < last);
        if code == Code::UnreadParameter && holds_place {
            continue;
        }
        out.extend(parameter(snapshot, &d, symbol, u.param, code));
    }
}

/// An import in a body of the same name: which of the two a use means depends on
/// what the import brings, which the body alone does not say.
fn is_import_of_same_name(item: &ItemFacts, symbol: &Symbol, param: u16) -> bool {
    let signature = symbol.signature.as_deref();
    let name = signature.and_then(|s| Some(s.params.get(param as usize)?.name));
    let imports = |b: &&Binding| matches!(b.kind, BindKind::Import(_));
    let mut all = item.bindings.iter().filter(imports);
    all.any(|b| Some(b.name) == name)
}

fn verdict(u: &ParamUse) -> Option<Code> {
    if u.intended || u.maybe {
        None
    } else if u.overwritten {
        Some(Code::UnreadParameterOverwritten)
    } else {
        (u.reads == 0).then_some(Code::UnreadParameter)
    }
}

/// Whether something other than the body decides what a function takes, or
/// reads of it may not be visible.
fn is_signature_fixed(
    snapshot: &Snapshot,
    d: &Decl<'_>,
    symbol: &Symbol,
    options: &DiagnosticOptions,
) -> bool {
    const FIXED: u32 = Flags::PARTIAL
        | Flags::STUB
        | Flags::BODILESS
        | Flags::DECORATED
        | Flags::ENTRY
        | Flags::OPAQUE_READS
        | Flags::EXTERN
        | Flags::OVERRIDE
        | Flags::ABSTRACT;
    let runs = matches!(
        symbol.kind,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor
    );
    if !runs || symbol.flags.has(FIXED) {
        return true;
    }
    // The signatures written above it decide what it takes.
    if let Some((item, s)) = d.facts {
        let mut all = item.symbols.iter();
        let overloads = |o: &Symbol| {
            o.name == s.name
                && o.parent == s.parent
                && o.kind == s.kind
                && o.flags.has(Flags::BODILESS)
        };
        let above = || {
            let before = (d.loc.item as usize).checked_sub(1)?;
            d.file.facts.items.get(before)
        };
        if all.any(overloads)
            || s.parent.is_none() && above().is_some_and(|i| i.symbols.iter().any(overloads))
        {
            return true;
        }
    }
    // Its value goes somewhere: whoever calls it decides what it is given.
    if snapshot.uses(d.id).is_some_and(|u| u.values > 0) {
        return true;
    }
    let holder = d.facts.and_then(|(item, s)| item.symbol(s.parent));
    let holder = holder.map(|h| h.kind);
    if matches!(
        holder,
        Some(SymbolKind::Trait | SymbolKind::Interface | SymbolKind::Object)
    ) {
        return true;
    }
    if symbol.kind == SymbolKind::Method
        && (snapshot.is_bound_by_base(d.id) || !snapshot.overrides(d.id).is_empty())
    {
        return true;
    }
    !options.unread_in_public && is_public(snapshot, d)
}

/// Whether code outside the package may call it.
fn is_public(snapshot: &Snapshot, d: &Decl<'_>) -> bool {
    let Some((item, symbol)) = d.facts else {
        return true;
    };
    let rules = snapshot.languages().rules(d.file.language);
    let tree = rules.is_some_and(|r| r.traits().module_tree);
    if tree {
        return symbol.visibility == Visibility::Public;
    }
    if !matches!(
        symbol.visibility,
        Visibility::Public | Visibility::Protected
    ) {
        return false;
    }
    // The outermost declaration is what a module exports.
    let mut at: SymIdx = d.loc.sym;
    let mut top = symbol;
    while let Some(s) = item.symbol(at) {
        if s.flags.has(Flags::EXPORTED | Flags::DEFAULT_EXPORT) {
            return true;
        }
        if s.kind.is_callable() && at != d.loc.sym {
            return false;
        }
        top = s;
        at = s.parent;
    }
    let imports = d.file.facts.items.iter().flat_map(|i| &i.imports);
    let mut exports = imports.filter(|i| i.kind == ImportKind::Export && i.exported);
    exports.any(|i| i.name == top.name)
}

fn parameter(
    snapshot: &Snapshot,
    d: &Decl<'_>,
    symbol: &Symbol,
    index: u16,
    code: Code,
) -> Option<Diagnostic> {
    let param = symbol.signature.as_deref()?.params.get(index as usize)?;
    let (start, spans) = d.file.positions.items.get(d.loc.item as usize)?;
    let own = param.binding.get().and_then(|i| spans.bindings.get(i));
    let span = own.map_or_else(|| spans_of(d).1, |s| s.shift(*start));
    let place = snapshot.place(d.file.id, span)?;
    let calls = snapshot.callers(d.id).placed;
    let callers = calls.len() as u32;
    let sites: Vec<SiteId> = calls
        .iter()
        .flat_map(|g| g.sites.iter().map(|s| s.site))
        .collect();
    let name = param.name.text();
    let fact = match code {
        Code::UnreadParameterOverwritten => {
            format!("`{name}` is overwritten before it is read")
        }
        _ => format!("`{name}` is never read in this body"),
    };
    let floor = snapshot.floor(d.id).is_floor();
    let passed = match (callers, floor) {
        (0, _) => String::new(),
        (n, false) => format!("; {} {} a value", plural(n, "caller"), verb(n)),
        (n, true) => format!("; at least {} {} a value", plural(n, "caller"), verb(n)),
    };
    let position = index + 1;
    let mut related: Vec<Related> = sites
        .iter()
        .take(MAX_RELATED)
        .filter_map(|&site| {
            Some(Related {
                place: snapshot.site_place(site)?,
                message: format!("argument {position} of this call is thrown away"),
            })
        })
        .collect();
    if let Some(last) = related.last_mut()
        && sites.len() > MAX_RELATED
    {
        let more = sites.len() - MAX_RELATED;
        last.message.push_str(&format!(" ({more} more calls)"));
    }
    Some(Diagnostic {
        code,
        place,
        message: format!("{fact}{passed}"),
        unnecessary: true,
        related,
        symbol: Some(d.id),
    })
}

fn verb(n: u32) -> &'static str {
    if n == 1 { "passes" } else { "pass" }
}

// ---- hotspots --------------------------------------------------------------------

fn hotspots(
    snapshot: &Snapshot,
    file: FileId,
    metrics: &Metrics,
    threshold: u64,
    out: &mut Vec<Diagnostic>,
) {
    for id in snapshot.symbols_of(file) {
        let Some(d) = snapshot.decl(id) else {
            continue;
        };
        if !d.kind().is_callable() || !d.kind().is_shown() {
            continue;
        }
        let mut m = metrics.of(id);
        // What the function itself says is of now.
        m.fan_out = snapshot.fan_out(id);
        m.cyclomatic = match d.flags().has(Flags::BODILESS) {
            true => 0,
            false => d.complexity().cyclomatic,
        };
        if m.score() < threshold {
            continue;
        }
        let Some(place) = snapshot.place(file, spans_of(&d).1) else {
            continue;
        };
        out.push(Diagnostic {
            code: Code::Hotspot,
            place,
            message: format!(
                "hotspot {}: cyclomatic {} × 0.40 + fan-out {} × 0.35 + depth {} × 0.25",
                score_text(m.score()),
                m.cyclomatic,
                m.fan_out,
                m.depth
            ),
            unnecessary: false,
            related: Vec::new(),
            symbol: Some(id),
        });
    }
}

// ---- imports ---------------------------------------------------------------------

fn cycles(snapshot: &Snapshot, file: FileId, metrics: &Metrics, out: &mut Vec<Diagnostic>) {
    let imports = metrics.imports(snapshot);
    let Some(cycle) = imports.cycle_of(file) else {
        return;
    };
    let path = |f: FileId| {
        let path = snapshot.file(f).map(|f| f.path.to_string());
        path.unwrap_or_default()
    };
    // An earlier state may count the imports otherwise.
    let stands = |(from, to, n): FileImport| {
        let links = snapshot.state(from).map(|s| s.links.imports());
        let leads = links.and_then(|l| l.get(n as usize)).map(|l| &l.leads);
        let there = matches!(leads, Some(Specifier::File { file, .. }) if *file == to);
        there.then(|| snapshot.import_place(from, n)).flatten()
    };
    let mut seen = Vec::new();
    for &(_, to, n) in imports.from(file) {
        if !cycle.contains(&to) || seen.contains(&to) {
            continue;
        }
        seen.push(to);
        let (Some(place), Some(way)) = (stands((file, to, n)), imports.way(to, file, cycle)) else {
            continue;
        };
        let mut names = vec![path(file), path(to)];
        names.extend(way.iter().map(|step| path(step.1)));
        let related = way.iter().filter_map(|&(from, to, n)| {
            Some(Related {
                place: stands((from, to, n))?,
                message: format!("{} imports {}", path(from), path(to)),
            })
        });
        out.push(Diagnostic {
            code: Code::ImportCycle,
            place,
            message: format!("import cycle: {}", names.join(" → ")),
            unnecessary: false,
            related: related.take(MAX_RELATED).collect(),
            symbol: None,
        });
    }
}

fn unresolved(snapshot: &Snapshot, file: FileId, out: &mut Vec<Diagnostic>) {
    let Some(state) = snapshot.state(file) else {
        return;
    };
    let entry = &state.entry;
    let mut tell = |place: Place, message: String| {
        out.push(Diagnostic {
            code: Code::UnresolvedImport,
            place,
            message,
            unnecessary: false,
            related: Vec::new(),
            symbol: None,
        });
    };
    // One statement may bring several names by one specifier.
    let mut told = Vec::new();
    for (n, link) in state.links.imports().iter().enumerate() {
        let why = match link.leads {
            Specifier::File { .. } | Specifier::Folder(_) | Specifier::Outside => continue,
            Specifier::Missing => "names this tree, and nothing stands there",
            Specifier::NotExported => "leads to a package that does not expose it",
            Specifier::Ambiguous => "may mean several files, and nothing picks one",
            Specifier::Unreadable => "leads through a manifest that could not be read",
        };
        let import = entry.item(link.item);
        let import = import.and_then(|i| i.imports.get(link.import.get()?));
        if let (Some(import), Some(place)) = (import, snapshot.import_place(file, n as u32)) {
            if told.contains(&(link.item, import.spec)) {
                continue;
            }
            told.push((link.item, import.spec));
            tell(place, format!("`{}` {why}.", import.spec));
        }
    }
    let mut index = 0;
    for item in &entry.facts.items {
        for site in &item.sites {
            let at = SiteId { file, index };
            index += 1;
            if site.kind != SiteKind::Import || site.broken {
                continue;
            }
            let Some(outcome) = snapshot.outcome(at) else {
                continue;
            };
            let Some(place) = snapshot.site_place(at) else {
                continue;
            };
            if outcome.resolution != Resolution::Unresolved {
                continue;
            }
            let import = import_around(entry, at.index);
            let spec = import.map_or(Name::EMPTY, |i| i.spec);
            let found = |l: &crate::ImportLink| {
                let own = entry
                    .item(l.item)
                    .and_then(|i| i.imports.get(l.import.get()?));
                own.is_some_and(|i| i.spec == spec) && matches!(l.leads, Specifier::File { .. })
            };
            let from = if spec.is_empty() {
                String::new()
            } else if state.links.imports().iter().any(found) {
                format!(" from `{spec}`")
            } else {
                // The specifier itself leads nowhere, which is told above.
                continue;
            };
            let why = outcome.cause.map_or("", super::explain::says);
            let name = site.name;
            let message = format!("`{name}`{from} names this tree, and nothing answers. {why}");
            tell(place, message.trim_end().to_owned());
        }
    }
}
