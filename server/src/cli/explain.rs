//! `surefoot explain`: what became of one call, by which rule, and every place it rests on.

use clap::Args;
use serde_json::{Value, json};
use surefoot_engine::features::explain::{self, Explanation};
use surefoot_engine::{Place as Span, Snapshot, SymbolInfo, ViaPlace};
use surefoot_graph::{FileId, Resolution, SiteId, SiteKind};

use super::failure::{Failure, Outcome};
use super::find::{self, shown_symbol};
use super::place::Place;
use super::print::{Page, clean, count, source_line, stdout};
use super::project::{Project, Tree};
use super::{Format, json_line};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot explain src/app.rs:12:9\n  \
    surefoot explain src/app.rs:12 --format json")]
pub struct Explain {
    /// The place of the call: `src/main.rs:12:9`. Without a column, the one call of the line
    #[arg(value_name = "FILE:LINE:COL")]
    place: Place,

    /// How to answer
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,

    #[command(flatten)]
    pub tree: Tree,
}

pub fn run(args: &Explain) -> Outcome<()> {
    let project = Project::open(&args.tree, Some(&args.place.file))?;
    let file = find::file(&project, &args.place.file)?;
    let site = site(&project, file, &args.place)?;
    let explanation = explain::explain_site(&project.snapshot, site);
    let explanation = explanation.ok_or_else(|| no_call(&args.place, ""))?;
    let shown = Shown {
        project: &project,
        of: &explanation,
    };
    let printed = match args.format {
        Format::Json => stdout(&json_line(&shown.document())),
        Format::Text => shown.page().print(),
    };
    project.keep();
    printed
}

/// The site at a place; without a column, the one call of the line.
fn site(project: &Project, file: FileId, place: &Place) -> Outcome<SiteId> {
    let snapshot = &project.snapshot;
    if place.column.is_some() {
        let offset = find::offset(project, file, place)?;
        let at = snapshot.at(file, offset);
        if let Some(site) = at.as_ref().and_then(|at| at.site) {
            return Ok(site);
        }
        let declared = at.and_then(|at| at.declares);
        if let Some(name) = declared.and_then(|id| snapshot.qualified_name(id)) {
            let hint = format!(" It is the declaration of `{name}`: ask `surefoot callers`.");
            return Err(no_call(place, &hint));
        }
        let calls = calls_on(snapshot, file, place.line - 1);
        if calls.is_empty() {
            return Err(no_call(place, ""));
        }
        let said = format!("{} The line has", no_call(place, "").message);
        return Err(several_calls(project, &said, &calls));
    }
    let calls = calls_on(snapshot, file, place.line - 1);
    match calls.as_slice() {
        [] => Err(no_call(place, "")),
        [one] => Ok(*one),
        several => {
            let said = format!("Line {} of {} has", place.line, place.file);
            Err(several_calls(project, &said, several))
        }
    }
}

/// The calls of a line, from 0.
fn calls_on(snapshot: &Snapshot, file: FileId, line: u32) -> Vec<SiteId> {
    let mut calls = explain::sites_on_line(snapshot, file, line);
    calls.retain(|s| snapshot.site(*s).is_some_and(|(s, _)| s.kind.is_call()));
    calls
}

fn several_calls(project: &Project, said: &str, calls: &[SiteId]) -> Failure {
    let mut message = format!(
        "{said} {}; give one with its column:",
        count(calls.len() as u64, "call")
    );
    let mut candidates = Vec::new();
    for &site in calls {
        let Some(e) = explain::explain_site(&project.snapshot, site) else {
            continue;
        };
        let opened = project.open_place(&e.place);
        let name = name_of(&e);
        message.push_str(&format!(
            "\n  {}:{}:{}  {name}",
            opened.file, opened.line, opened.column
        ));
        candidates.push(json!({
            "name": e.name, "file": opened.file, "line": opened.line, "column": opened.column
        }));
    }
    let mut failure = Failure::new("ambiguous_name", message);
    failure.candidates = candidates;
    failure
}

fn no_call(place: &Place, hint: &str) -> Failure {
    let column = place.column.map_or_else(String::new, |c| format!(":{c}"));
    Failure::new(
        "no_call_here",
        format!(
            "No call and no resolved name stands at {}:{}{column}.{hint}",
            place.file, place.line
        ),
    )
}

struct Shown<'a> {
    project: &'a Project,
    of: &'a Explanation,
}

impl Shown<'_> {
    /// The steps of the evidence that lie in the tree: a stub of the standard library is no place to look at.
    fn steps(&self) -> impl Iterator<Item = &ViaPlace> {
        let via = self.of.evidence.iter().flat_map(|e| &e.via);
        let snapshot = &self.project.snapshot;
        via.filter(|s| snapshot.file(s.place.file).is_some_and(|f| !f.prelude))
    }

    fn place_json(&self, place: &Span) -> Value {
        let opened = self.project.open_place(place);
        json!({
            "file": opened.file,
            "line": opened.line,
            "column": opened.column,
            "text": opened.text,
        })
    }

    fn document(&self) -> Value {
        let of = self.of;
        let evidence = of.evidence.as_ref().map(|e| {
            let via = self.steps().map(|step| {
                let mut shown = self.place_json(&step.place);
                shown["role"] = json!(step.role);
                shown
            });
            json!({
                "tier": e.tier.word(),
                "rule": e.rule.id(),
                "says": e.rule.says(),
                "resolver": e.resolver,
                "via": via.collect::<Vec<_>>(),
            })
        });
        let candidates = of.candidates.iter().map(|c| {
            let mut symbol = shown_symbol(&c.symbol);
            symbol["rule"] = json!(c.rule.id());
            symbol["note"] = json!(c.note);
            symbol
        });
        let refused = of.refused.iter().map(|r| {
            let mut symbol = shown_symbol(&r.symbol);
            symbol["cause"] = json!(r.cause.word());
            symbol["why"] = json!(r.why);
            symbol
        });
        let mut site = self.place_json(&of.place);
        site["name"] = json!(of.name);
        site["kind"] = json!(of.kind.word());
        json!({
            "title": of.title,
            "site": site,
            "caller": of.caller.as_ref().map(shown_symbol),
            "resolution": of.resolution.word(),
            "cause": of.cause.map(|c| c.word()),
            "target": of.target.as_ref().map(shown_symbol),
            "evidence": evidence,
            "candidates": candidates.collect::<Vec<_>>(),
            "candidates_left_out": of.left_out,
            "refused": refused.collect::<Vec<_>>(),
            "contradicted_by": of.contradiction.as_ref().map(|c| json!({
                "resolver": c.resolver,
                "target": c.target.as_ref().map(shown_symbol),
            })),
        })
    }

    fn page(&self) -> Page {
        let of = self.of;
        let mut page = Page::new();
        let opened = self.project.open_place(&of.place);
        let at = format!("{}:{}:{}", clean(&opened.file), opened.line, opened.column);
        let heading = format!("{}  {}", page.bold(at), source_line(&opened.text));
        page.line(heading);
        self.project.say_root(&mut page);
        page.blank();
        self.verdict(&mut page);

        let steps = self.steps().map(|step| {
            let opened = self.project.open_place(&step.place);
            let at = format!("{}:{}:{}", clean(&opened.file), opened.line, opened.column);
            (step.role.to_owned(), at, source_line(&opened.text))
        });
        section(
            &mut page,
            "It rests on, from the call outwards",
            steps.collect(),
        );

        let candidates = of.candidates.iter().map(|c| row(&c.symbol, c.rule.id()));
        let title = "It may run, tier possible and never counted";
        section(&mut page, title, candidates.collect());
        if of.left_out > 0 {
            let text = page.warn(format_args!("  and {} more, not listed", of.left_out));
            page.line(text);
        }

        let refused = of.refused.iter().map(|r| row(&r.symbol, r.cause.word()));
        section(&mut page, "Looked at and refused", refused.collect());

        if let Some(other) = &of.contradiction {
            page.blank();
            let target = other.target.as_ref();
            let text = page.warn(format_args!(
                "{} says otherwise: {}",
                clean(&other.resolver),
                target.map_or_else(|| "outside this tree".to_owned(), |t| clean(&t.qualified))
            ));
            page.line(text);
        }
        self.project.tell_imported(&mut page);
        page
    }

    /// What became of it, in a few lines.
    fn verdict(&self, page: &mut Page) {
        let of = self.of;
        let evidence = of.evidence.as_ref();
        let line = match (&of.target, evidence) {
            // The name alone does not tell overloads and twins apart.
            (Some(target), Some(e)) if of.resolution == Resolution::InTree => format!(
                "{}  {}  {}",
                page.tier(e.tier.word()),
                page.bold(clean(&target.qualified)),
                page.dim(format_args!("at {} by {}", standing(target), e.rule.id()))
            ),
            (_, Some(e)) => format!("{}  by {}", page.bold(of.resolution.word()), e.rule.id()),
            _ => page.bold(of.resolution.word()),
        };
        page.line(line);
        let what = what(of.kind);
        if let Some(caller) = &of.caller {
            page.line(format_args!(
                "  The {what} stands in {}.",
                clean(&caller.qualified)
            ));
        }
        if !of.kind.is_call() {
            page.line("  Nothing is called here.");
        }
        page.line(format_args!("  {}", meaning(of)));
        if let Some(e) = evidence {
            page.line(format_args!("  {}", e.rule.says()));
            if e.tier < e.rule.tier() {
                let tier = e.tier.word();
                page.line(format_args!(
                    "  A step of it is {tier}, so the whole is {tier}."
                ));
            }
            if e.resolver != "static" {
                page.line(format_args!("  Placed by {}.", clean(&e.resolver)));
            }
        }
        // Why a name that calls nothing has no function behind it is no gap.
        if let Some(cause) = of
            .cause
            .filter(|_| of.kind.is_call() || of.resolution == Resolution::Unresolved)
        {
            let text = page.warn(cause.word());
            page.line(format_args!("  {text}: {}", explain::says(cause)));
        }
        if !of.kind.is_call() {
            self.calls_beside(page);
        }
    }

    /// The calls of the line, for who meant one of them and pointed beside it.
    fn calls_beside(&self, page: &mut Page) {
        let place = &self.of.place;
        let calls = calls_on(&self.project.snapshot, place.file, place.start.line);
        let places = calls.iter().filter_map(|&site| {
            let call = explain::explain_site(&self.project.snapshot, site)?;
            let opened = self.project.open_place(&call.place);
            let at = format!("{}:{}:{}", clean(&opened.file), opened.line, opened.column);
            Some((String::new(), at, clean(name_of(&call))))
        });
        section(page, "Calls of this line", places.collect());
    }
}

/// Where a declaration stands.
fn standing(symbol: &SymbolInfo) -> String {
    let at = symbol.name_place.start;
    format!("{}:{}:{}", clean(&symbol.path), at.line + 1, at.column + 1)
}

fn name_of(call: &Explanation) -> &str {
    match call.name.as_str() {
        "" => "a computed callee",
        name => name,
    }
}

/// What a site is, as a noun.
fn what(kind: SiteKind) -> &'static str {
    match kind {
        SiteKind::Value => "name",
        SiteKind::Type => "name of a type",
        SiteKind::Import => "imported name",
        _ => "call",
    }
}

fn row(symbol: &SymbolInfo, why: &str) -> (String, String, String) {
    (why.to_owned(), standing(symbol), clean(&symbol.qualified))
}

fn section(page: &mut Page, title: &str, rows: Vec<(String, String, String)>) {
    if rows.is_empty() {
        return;
    }
    page.blank();
    page.heading(title);
    let width = |of: fn(&(String, String, String)) -> &String| {
        let widths = rows.iter().map(|r| of(r).chars().count());
        widths.max().unwrap_or(0)
    };
    let (first, second) = (width(|r| &r.0), width(|r| &r.1));
    for (a, b, c) in rows {
        let line = format!("  {a:first$}  {}  {c}", page.dim(format!("{b:second$}")));
        page.line(line.trim_end());
    }
}

fn meaning(of: &Explanation) -> &'static str {
    if !of.kind.is_call() {
        return match (of.resolution, of.kind) {
            (Resolution::InTree, _) => "The name means this one declaration.",
            (Resolution::Outside, _) => "The name leads out of this tree.",
            (Resolution::Unresolved, _) => {
                "The name is one of this tree, and nothing here answers: a gap."
            }
            (Resolution::Parameter | Resolution::Local, _) => {
                "It is a value that a parameter or a local holds."
            }
            (Resolution::Undetermined, SiteKind::Value) => {
                "It is a value, and names no function that this tree knows."
            }
            (Resolution::Undetermined, _) => "Nothing here says what it names.",
        };
    }
    match of.resolution {
        Resolution::InTree => "It leads to this one declaration.",
        Resolution::Outside => "It leads out of this tree: to a package or the standard library.",
        Resolution::Unresolved => "It names this tree, and nothing here answers: a gap.",
        Resolution::Parameter => {
            "It runs a value that a parameter holds: whatever each caller passes."
        }
        Resolution::Local => "It runs a value that a local holds.",
        Resolution::Undetermined => "Nothing here says where it leads.",
    }
}
