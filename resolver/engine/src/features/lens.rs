//! The line above a function: complexity, callers, fan-out.

use super::hierarchy::apart;
use crate::snapshot::{Place, Snapshot};
use std::fmt::Write;
use surefoot_facts::Flags;
use surefoot_graph::{FileId, SymbolId, SymbolKind};

/// Which functions get a line, and what it counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LensOptions {
    /// Both must be reached.
    pub min_cyclomatic: u32,
    pub min_callers: u32,
    /// Leave tests out of the callers.
    pub exclude_tests: bool,
}

impl Default for LensOptions {
    fn default() -> LensOptions {
        LensOptions {
            min_cyclomatic: 1,
            min_callers: 0,
            exclude_tests: false,
        }
    }
}

/// Everything a lens counts. Equal numbers, equal text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Numbers {
    /// `None` for a declaration without a body.
    pub cyclomatic: Option<u32>,
    /// Text inside did not parse: the numbers may be short.
    pub partial: bool,
    /// The sum over anonymous functions inside, and how many there are.
    pub closures: u32,
    pub closure_count: u32,
    pub callers: u32,
    pub files: u32,
    /// The same without tests.
    pub plain_callers: u32,
    pub plain_files: u32,
    /// Callers that may run it, and callers that only name it as a value.
    pub possible: u32,
    pub plain_possible: u32,
    pub named: u32,
    pub plain_named: u32,
    /// Places that use it as a value.
    pub values: u32,
    pub fan_out: u32,
    /// A caller may be missing.
    pub floor: bool,
}

impl Numbers {
    /// `None` for what never gets a lens.
    pub fn of(snapshot: &Snapshot, id: SymbolId) -> Option<Numbers> {
        let d = snapshot.decl(id)?;
        let kind = d.kind();
        if !kind.is_callable()
            || matches!(kind, SymbolKind::Lambda | SymbolKind::Initializer)
            || d.file.prelude
        {
            return None;
        }
        let c = d.complexity();
        let body = !d.flags().has(Flags::BODILESS);
        let uses = snapshot.uses(id);
        let of = |f: fn(&crate::snapshot::Uses) -> u32| uses.map_or(0, f);
        Some(Numbers {
            cyclomatic: body.then_some(c.cyclomatic),
            partial: d.flags().has(Flags::PARTIAL),
            closures: c.closures,
            closure_count: c.closure_count,
            callers: of(|u| u.callers),
            files: of(|u| u.caller_files),
            plain_callers: of(|u| u.callers - u.test_callers),
            plain_files: of(|u| u.plain_caller_files),
            possible: of(|u| u.possible - u.named),
            plain_possible: of(|u| u.possible - u.test_possible - (u.named - u.test_named)),
            named: of(|u| u.named),
            plain_named: of(|u| u.named - u.test_named),
            values: of(|u| u.values),
            fan_out: snapshot.fan_out(id),
            floor: snapshot.floor(id).is_floor(),
        })
    }

    /// `cyclomatic 12 · 5 callers in 3 files (+2 possible) · fan-out 8`.
    ///
    /// A list that may be short says so: `≥5 callers`, and `? callers` instead
    /// of none, because none found is not none there.
    pub fn title(&self, options: &LensOptions) -> String {
        let mut out = String::new();
        if let Some(cyclomatic) = self.cyclomatic {
            let about = if self.partial { "~" } else { "" };
            let _ = write!(out, "cyclomatic {about}{cyclomatic}");
            if self.closures > 0 {
                let _ = write!(
                    out,
                    " (+{} in {})",
                    self.closures,
                    plural(self.closure_count, "closure")
                );
            }
            out.push_str(" · ");
        }
        out.push_str(&self.callers_text(options));
        if self.cyclomatic.is_some() {
            let _ = write!(out, " · fan-out {}", self.fan_out);
        }
        out
    }

    /// The part about callers alone.
    pub fn callers_text(&self, options: &LensOptions) -> String {
        let (callers, files) = if options.exclude_tests {
            (self.plain_callers, self.plain_files)
        } else {
            (self.callers, self.files)
        };
        let (possible, named) = if options.exclude_tests {
            (self.plain_possible, self.plain_named)
        } else {
            (self.possible, self.named)
        };
        let mut out = match (callers, self.floor) {
            (0, true) => "? callers".to_owned(),
            (n, true) => format!("≥{}", plural(n, "caller")),
            (n, false) => plural(n, "caller"),
        };
        if callers > 0 {
            let _ = write!(out, " in {}", plural(files, "file"));
        }
        out.push_str(&apart(possible.into(), named.into()));
        out
    }
}

pub(crate) fn plural(n: u32, one: &str) -> String {
    if n == 1 {
        format!("1 {one}")
    } else {
        format!("{n} {one}s")
    }
}

/// One line above one function.
#[derive(Clone, PartialEq, Debug)]
pub struct Lens {
    pub symbol: SymbolId,
    /// The name of the function; the line goes above it.
    pub place: Place,
    pub title: String,
    pub numbers: Numbers,
}

/// The lenses of a file, in source order.
pub fn lenses(snapshot: &Snapshot, file: FileId, options: &LensOptions) -> Vec<Lens> {
    let mut out: Vec<Lens> = snapshot
        .symbols_of(file)
        .into_iter()
        .filter_map(|symbol| lens(snapshot, symbol, options))
        .collect();
    out.sort_by_key(|l| l.place.span.start);
    out
}

/// The lens of one function, when it has one under these options.
pub fn lens(snapshot: &Snapshot, symbol: SymbolId, options: &LensOptions) -> Option<Lens> {
    let numbers = Numbers::of(snapshot, symbol)?;
    let callers = if options.exclude_tests {
        numbers.plain_callers
    } else {
        numbers.callers
    };
    let complex = numbers.cyclomatic.unwrap_or(1) >= options.min_cyclomatic;
    if !complex || callers < options.min_callers {
        return None;
    }
    let d = snapshot.decl(symbol)?;
    Some(Lens {
        symbol,
        place: snapshot.spans(&d).1,
        title: numbers.title(options),
        numbers,
    })
}

/// The lenses whose title differs between two snapshots, is new or is gone
/// (`None`), by symbol. Positions do not count.
pub fn changed(
    old: &Snapshot,
    new: &Snapshot,
    file: FileId,
    options: &LensOptions,
) -> Vec<(SymbolId, Option<String>)> {
    let before = lenses(old, file, options);
    let after = lenses(new, file, options);
    let mut out: Vec<(SymbolId, Option<String>)> = after
        .iter()
        .filter(|l| {
            let same = before.iter().find(|b| b.symbol == l.symbol);
            same.is_none_or(|b| b.title != l.title)
        })
        .map(|l| (l.symbol, Some(l.title.clone())))
        .collect();
    let gone = before
        .iter()
        .filter(|b| !after.iter().any(|l| l.symbol == b.symbol));
    out.extend(gone.map(|b| (b.symbol, None)));
    out
}
