//! Positions: where symbols, sites and steps of evidence stand in the text.

use super::{Decl, Snapshot};
use crate::links::site_of_type;
use surefoot_facts::{BindKind, FileFacts, ItemSpans, Name, Span, SymIdx, TyIdx};
use surefoot_graph::{FileId, SiteId, SiteKind, Slot, SymbolId, SymbolKind, Via};

/// Line and byte column, both from zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Pos {
    pub line: u32,
    pub column: u32,
}

/// A stretch of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    pub file: FileId,
    pub start: Pos,
    pub end: Pos,
    /// The same in bytes from the start of the file.
    pub span: Span,
}

/// A step of the evidence, opened.
#[derive(Clone, PartialEq, Debug)]
pub struct ViaPlace {
    /// What the step rests on: `import`, `declaration`, `result type`, ...
    pub role: &'static str,
    pub place: Place,
    /// The symbol the step belongs to.
    pub symbol: Option<SymbolId>,
}

/// What stands at an offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// A site whose name token is there; a call before a value.
    pub site: Option<SiteId>,
    /// A declaration whose name token is there.
    pub declares: Option<SymbolId>,
    /// The innermost named declaration around; the file's module at the top.
    pub around: SymbolId,
}

impl Snapshot {
    pub fn place(&self, file: FileId, span: Span) -> Option<Place> {
        let lines = &self.file(file)?.positions.lines;
        let pos = |offset| {
            let (line, column) = lines.line_col(offset);
            Pos { line, column }
        };
        Some(Place {
            file,
            start: pos(span.start),
            end: pos(span.end),
            span,
        })
    }

    /// The whole declaration and its name.
    pub(crate) fn spans(&self, d: &Decl<'_>) -> (Place, Place) {
        let (full, name) = spans_of(d);
        let whole = |span| {
            self.place(d.file.id, span).unwrap_or(Place {
                file: d.file.id,
                start: Pos::default(),
                end: Pos::default(),
                span,
            })
        };
        (whole(full), whole(name))
    }

    /// The callee's name token of a site.
    pub fn site_place(&self, site: SiteId) -> Option<Place> {
        let entry = self.file(site.file)?;
        let (item, index) = entry.site_at(site.index)?;
        let (start, spans) = entry.positions.items.get(item as usize)?;
        self.place(site.file, spans.sites.get(index as usize)?.shift(*start))
    }

    /// The offset of a line and byte column, both from zero. A column behind
    /// the end of its line is the end of the line.
    pub fn offset(&self, file: FileId, line: u32, column: u32) -> Option<u32> {
        let lines = &self.file(file)?.positions.lines;
        let span = lines.line_span(line)?;
        Some((span.start + column).min(span.end))
    }

    /// What stands at an offset of a file of the tree.
    pub fn at(&self, file: FileId, offset: u32) -> Option<At> {
        let entry = self.file(file)?;
        let mut at = At {
            site: None,
            declares: None,
            around: entry.module,
        };
        let items = &entry.positions.items;
        let upto = items.partition_point(|(start, _)| *start <= offset);
        // The item around, and the one right before it: a cursor may stand
        // behind the last byte of one and on the first of the next.
        for n in (upto.saturating_sub(2)..upto).rev() {
            let (start, spans) = &items[n];
            let Some(local) = offset.checked_sub(*start) else {
                continue;
            };
            let item = &entry.facts.items[n];
            if at.site.is_none() {
                let hit = |want: fn(SiteKind) -> bool| {
                    let mut all = spans.sites.iter().zip(&item.sites).enumerate();
                    all.find(|(_, (span, site))| {
                        !span.is_empty() && span.touches(local) && want(site.kind)
                    })
                    .map(|(i, _)| entry.site_starts[n] + i as u32)
                };
                let found = hit(SiteKind::is_call).or_else(|| hit(|_| true));
                at.site = found.map(|index| SiteId { file, index });
            }
            let named = spans.symbols.iter().position(|s| {
                let (full, name) = (s.full, s.name);
                name.touches(local) && !full.is_empty() && !name.is_empty()
            });
            if at.declares.is_none()
                && let Some(i) = named.filter(|&i| item.symbols[i].kind.is_shown())
            {
                at.declares = Some(entry.symbol_id(n as u32, SymIdx(i as u32)));
            }
            if at.around == entry.module {
                let around = spans
                    .symbols
                    .iter()
                    .enumerate()
                    .filter(|(i, s)| s.full.touches(local) && item.symbols[*i].kind.is_shown())
                    .min_by_key(|(i, s)| (s.full.len(), std::cmp::Reverse(*i)));
                if let Some((i, _)) = around {
                    at.around = entry.symbol_id(n as u32, SymIdx(i as u32));
                }
            }
        }
        Some(at)
    }

    /// The symbol a cursor means: the declaration it stands on, the target of
    /// the site it stands on, the declaration around it, in this order.
    pub fn symbol_at(&self, file: FileId, offset: u32) -> Option<SymbolId> {
        let at = self.at(file, offset)?;
        let target = |site: SiteId| self.outcome(site).and_then(|o| o.symbol());
        at.declares
            .or_else(|| at.site.and_then(target))
            .or(Some(at.around))
    }

    /// A step of the evidence, opened to where it stands now.
    pub fn via(&self, via: &Via) -> Option<ViaPlace> {
        let mut role = role(via.slot);
        let span = match via.slot {
            Slot::Import(name) => self.import_span(via, Name(name))?,
            Slot::Binding { item, index } => {
                let entry = self.file(via.file)?;
                let (start, spans) = entry.positions.items.get(item as usize)?;
                let binding = entry.item(item)?.bindings.get(index as usize)?;
                if matches!(binding.kind, BindKind::Import(_)) {
                    role = "import";
                }
                spans.bindings.get(index as usize)?.shift(*start)
            }
            slot => {
                let (span, instead) = self.slot_span(via.symbol?, slot)?;
                role = instead.unwrap_or(role);
                span
            }
        };
        Some(ViaPlace {
            role,
            place: self.place(via.file, span)?,
            symbol: via.symbol,
        })
    }

    /// The clause of the n-th of a file's [`crate::FileLinks::imports`].
    pub fn import_place(&self, file: FileId, n: u32) -> Option<Place> {
        let state = self.state(file)?;
        let link = state.links.imports().get(n as usize)?;
        let (start, spans) = state.entry.positions.items.get(link.item as usize)?;
        let span = spans.imports.get(link.import.get()?)?;
        self.place(file, span.shift(*start))
    }

    fn import_span(&self, via: &Via, name: Name) -> Option<Span> {
        let entry = self.file(via.file)?;
        let facts: &FileFacts = &entry.facts;
        let mut fallback = None;
        for (n, item) in facts.items.iter().enumerate() {
            for (i, import) in item.imports.iter().enumerate() {
                if import.via_name(item) != name {
                    continue;
                }
                let (start, spans) = entry.positions.items.get(n)?;
                let span = spans.imports.get(i)?.shift(*start);
                let module = entry.symbol_id(n as u32, import.module);
                if via.symbol.is_none_or(|s| s == module) {
                    return Some(span);
                }
                fallback = fallback.or(Some(span));
            }
        }
        fallback
    }

    /// The span of a part of a declaration. Where the part has no place of its own, that of what it
    /// belongs to, with the word for that: a label must say what stands there.
    fn slot_span(&self, symbol: SymbolId, slot: Slot) -> Option<(Span, Option<&'static str>)> {
        let d = self.decl(symbol)?;
        let (full, name) = spans_of(&d);
        let Some((item, facts)) = d.facts else {
            return Some((name, Some(role(Slot::Declaration))));
        };
        let (start, spans) = d.file.positions.items.get(d.loc.item as usize)?;
        let of_type = |ty: TyIdx| -> Option<Span> {
            let site = site_of_type(item, ty)?;
            Some(spans.sites.get(site as usize)?.shift(*start))
        };
        let signature = facts.signature.as_deref();
        let mut own_place = true;
        let mut instead = match slot {
            Slot::Value | Slot::Returns => None,
            _ => Some(role(Slot::Declaration)),
        };
        let found = match slot {
            Slot::Result => signature.and_then(|s| of_type(s.result)),
            Slot::Parameter(n) => signature.and_then(|s| {
                let param = s.params.get(n as usize)?;
                of_type(param.ty).or_else(|| {
                    instead = Some("parameter");
                    binding_span(*start, spans, param.binding).inspect(|_| own_place = false)
                })
            }),
            Slot::WrittenType => of_type(facts.ty),
            Slot::Heritage(n) => facts.heritage.get(n as usize).and_then(|h| of_type(h.ty)),
            _ => None,
        };
        let shown = if facts.kind == SymbolKind::Impl && name.is_empty() {
            full
        } else {
            name
        };
        Some(match found {
            Some(span) => (span, instead.filter(|_| !own_place)),
            None => (shown, instead),
        })
    }
}

fn binding_span(start: u32, spans: &ItemSpans, at: surefoot_facts::BindIdx) -> Option<Span> {
    spans.bindings.get(at.get()?).map(|s| s.shift(start))
}

/// The spans of a declaration in bytes of its file.
pub(crate) fn spans_of(d: &Decl<'_>) -> (Span, Span) {
    let at = d.loc.sym.get();
    let item = d.file.positions.items.get(d.loc.item as usize);
    if let (Some(i), Some((start, spans))) = (at, item)
        && let Some(s) = spans.symbols.get(i)
    {
        return (s.full.shift(*start), s.name.shift(*start));
    }
    let whole = Span {
        start: 0,
        end: d.file.bytes,
    };
    (whole, Span::default())
}

fn role(slot: Slot) -> &'static str {
    match slot {
        Slot::Declaration => "declaration",
        Slot::Import(_) => "import",
        Slot::Result => "result type",
        Slot::Parameter(_) => "parameter type",
        Slot::WrittenType => "written type",
        Slot::Value => "value",
        Slot::Heritage(_) => "base",
        Slot::Binding { .. } => "binding",
        Slot::Returns => "returned value",
    }
}
