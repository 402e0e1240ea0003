//! `surefoot callers` and `surefoot callees`: who calls this, what does it call, and how is it known.

use std::collections::HashSet;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use surefoot_engine::Snapshot;
use surefoot_engine::features::hierarchy::{
    self, CallNode, CallOptions, CallRow, CallTree, Direction, RowSite,
};
use surefoot_graph::Tier;

use super::failure::{Failure, Outcome};
use super::find::{self, shown_symbol};
use super::place::Named;
use super::print::{Page, clean, count, source_line, stdout};
use super::project::{Project, Tree};
use super::{Format, json_line};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot callers load\n  \
    surefoot callers Store::get --depth 3\n  \
    surefoot callees src/app.rs:12 --tier certain,likely --format json")]
pub struct Calls {
    /// A name (`load`, `Type::new`, `src/a.rs::Type::new`) or a place (`src/a.rs:12`, `src/a.rs:12:8`)
    #[arg(value_name = "NAME|FILE:LINE[:COL]")]
    what: Named,

    /// How many levels to open
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(hierarchy::MAX_DEPTH)))]
    depth: u32,

    /// Show these tiers only; several with commas
    #[arg(long, value_enum, value_delimiter = ',', value_name = "TIER")]
    tier: Vec<TierName>,

    /// How to answer
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,

    #[command(flatten)]
    pub tree: Tree,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TierName {
    /// A binding proves it
    Certain,
    /// A stated convention picked the one target
    Likely,
    /// It may run this; never counted with the other two
    Possible,
}

pub fn run(args: &Calls, direction: Direction) -> Outcome<()> {
    let about = match &args.what {
        Named::Place(place) => Some(place.file.as_str()),
        Named::Name(_) => None,
    };
    let project = Project::open(&args.tree, about)?;
    let root = find::symbol(&project, &args.what)?;
    let wants = |tier| args.tier.is_empty() || args.tier.contains(&tier);
    let options = CallOptions {
        certain: wants(TierName::Certain),
        likely: wants(TierName::Likely),
        possible: wants(TierName::Possible),
        ..CallOptions::default()
    };
    let snapshot = &project.snapshot;
    let tree = hierarchy::tree(snapshot, root, direction, args.depth, &options);
    let mut tree =
        tree.ok_or_else(|| Failure::new("entity_not_found", "The declaration is gone."))?;
    if direction == Direction::Callers
        && let Some(beyond) = project.beyond()
    {
        let missing = format!("{beyond}: who calls it from there is not listed.");
        tree.floor_text = Some(match tree.floor_text.take() {
            Some(floor) => format!("{floor} {missing}"),
            None => missing,
        });
    }
    let printed = match args.format {
        Format::Json => {
            let mut document = document(&project, &tree);
            if project.imported() > 0 {
                document["imported_files"] = json!(project.imported());
            }
            stdout(&json_line(&document))
        }
        Format::Text => page(&project, &tree).print(),
    };
    project.keep();
    printed
}

// ---- for programs --------------------------------------------------------------------

fn document(project: &Project, tree: &CallTree) -> Value {
    let snapshot = &project.snapshot;
    let mut rows = Vec::new();
    let mut unplaced = Vec::new();
    // A stack of its own: the parts of the tree in the order a reader meets them.
    let mut open: Vec<(&CallNode, u32, &str)> = Vec::new();
    open.extend(tree.nodes.iter().rev().map(|n| (n, 1, "")));
    while let Some((node, depth, of)) = open.pop() {
        let Some(symbol) = &node.row.symbol else {
            unplaced.extend(node.row.sites.iter().map(|site| {
                let outcome = snapshot.outcome(site.site);
                let mut shown = site_json(snapshot, site);
                shown["cause"] = json!(outcome.and_then(|o| o.cause).map(|c| c.word()));
                if depth > 1 {
                    shown["of"] = json!(of);
                    shown["depth"] = json!(depth);
                }
                shown
            }));
            continue;
        };
        rows.push(row_json(snapshot, node, tree.direction, depth, of));
        let children = node.children.iter().flatten().rev();
        open.extend(children.map(|n| (n, depth + 1, symbol.qualified.as_str())));
    }
    let list = match tree.direction {
        Direction::Callers => "callers",
        Direction::Callees => "callees",
    };
    let mut document = json!({
        "root": shown_symbol(&tree.root),
        "folder": project.root().real().display().to_string(),
        "floor": tree.floor_text,
        list: rows,
        "unplaced": unplaced,
    });
    if tree.truncated > 0 {
        document["truncated"] = json!(tree.truncated);
    }
    document
}

fn row_json(
    snapshot: &Snapshot,
    node: &CallNode,
    direction: Direction,
    depth: u32,
    of: &str,
) -> Value {
    let CallRow {
        symbol,
        tier,
        rule,
        resolver,
        sites,
        ..
    } = &node.row;
    let end = match direction {
        Direction::Callers => "caller",
        Direction::Callees => "callee",
    };
    let mut shown = symbol.as_ref().map_or(Value::Null, shown_symbol);
    if let Some(name) = shown
        .as_object_mut()
        .and_then(|m| m.remove("qualified_name"))
    {
        shown[end] = name;
    }
    shown["tier"] = json!(tier.map(Tier::word));
    shown["rule"] = json!(rule.map(|r| r.id()));
    shown["resolver"] = json!(resolver.as_deref().unwrap_or("static"));
    shown["sites"] = sites.iter().map(|s| site_json(snapshot, s)).collect();
    shown["depth"] = json!(depth);
    if depth > 1 {
        shown["of"] = json!(of);
    }
    if node.recursion {
        shown["recursion"] = json!(true);
    }
    shown
}

fn site_json(snapshot: &Snapshot, site: &RowSite) -> Value {
    let path = snapshot.file(site.place.file).map(|f| &*f.path);
    let at = site.place.start;
    json!({ "file": path, "line": at.line + 1, "column": at.column + 1 })
}

// ---- for people ----------------------------------------------------------------------

fn page(project: &Project, tree: &CallTree) -> Page {
    let mut page = Page::new();
    let root = &tree.root;
    let at = root.name_place.start;
    let heading = format!(
        "{}  {}",
        page.bold(clean(&root.qualified)),
        page.dim(format_args!(
            "{} at {}:{}:{}",
            root.kind.word(),
            clean(&root.path),
            at.line + 1,
            at.column + 1
        ))
    );
    page.line(heading);
    page.line(summary(tree));
    project.say_root(&mut page);

    let mut open: Vec<(&CallNode, usize)> = tree.nodes.iter().rev().map(|n| (n, 0)).collect();
    while let Some((node, depth)) = open.pop() {
        row(project, &mut page, node, depth);
        let children = node.children.iter().flatten().rev();
        open.extend(children.map(|n| (n, depth + 1)));
    }
    if tree.truncated > 0 {
        page.blank();
        let text = page.warn(format_args!(
            "{} more, which this answer has no room for",
            count(tree.truncated as u64, "row")
        ));
        page.line(text);
    }
    if let Some(floor) = &tree.floor_text {
        page.blank();
        let text = page.warn(clean(floor));
        page.line(text);
    }
    project.tell_imported(&mut page);
    page
}

/// `5 callers in 3 files (+2 possible)`.
fn summary(tree: &CallTree) -> String {
    let rows = || tree.nodes.iter().map(|n| &n.row);
    let placed = rows().filter(|r| r.tier > Some(Tier::Possible)).count() as u64;
    let possible = rows().filter(|r| r.tier == Some(Tier::Possible)).count();
    let noun = match tree.direction {
        Direction::Callers => "caller",
        Direction::Callees => "callee",
    };
    let mut text = count(placed, noun);
    if tree.direction == Direction::Callers && placed > 0 {
        let placed = rows().filter(|r| r.tier > Some(Tier::Possible));
        let files: HashSet<_> = placed
            .flat_map(|r| &r.sites)
            .map(|s| s.place.file)
            .collect();
        text.push_str(&format!(" in {}", count(files.len() as u64, "file")));
    }
    if possible > 0 {
        text.push_str(&format!(" (+{possible} possible)"));
    }
    if tree.floor_text.is_some() {
        text = format!("at least {text}");
    }
    text
}

fn row(project: &Project, page: &mut Page, node: &CallNode, depth: usize) {
    let indent = "  ".repeat(depth);
    if depth == 0 {
        page.blank();
    }
    let CallRow {
        symbol,
        tier,
        rule,
        resolver,
        ..
    } = &node.row;
    let line = match symbol {
        Some(symbol) => {
            let mut how = rule.map_or("", |r| r.id()).to_owned();
            if let Some(by) = resolver.as_deref().filter(|by| *by != "static") {
                how.push_str(&format!(" by {}", clean(by)));
            }
            if node.recursion {
                how.push_str("  (recursion: shown above)");
            }
            format!(
                "{}  {}  {}",
                page.tier(tier.map_or("", Tier::word)),
                page.bold(clean(&symbol.qualified)),
                page.dim(how)
            )
        }
        None => page.warn(format_args!("? {}", clean(&node.row.detail))),
    };
    page.line(format_args!("{indent}{line}"));
    for site in &node.row.sites {
        let path = project
            .snapshot
            .file(site.place.file)
            .map(|f| f.path.clone());
        let path = path.as_deref().unwrap_or_default();
        let (line, column) = (site.place.start.line + 1, site.place.start.column + 1);
        let text = project.line(path, line).unwrap_or_default();
        let cause = match site.evidence {
            Some(_) => None,
            None => project.snapshot.outcome(site.site).and_then(|o| o.cause),
        };
        let cause = cause.map_or_else(String::new, |c| format!("  {}", c.word()));
        let line = format!(
            "{indent}    {}  {}{}",
            page.dim(format_args!("{}:{line}:{column}", clean(path))),
            source_line(&text),
            page.dim(cause)
        );
        page.line(line);
    }
}
