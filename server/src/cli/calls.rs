//! `surefoot callers` and `surefoot callees`: who calls this, what does it call, and how is it known.

use std::collections::{BTreeMap, HashSet};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use surefoot_engine::Snapshot;
use surefoot_engine::features::hierarchy::{
    self, CallNode, CallOptions, CallRow, CallTree, Direction, RowSite,
};
use surefoot_graph::{SymbolId, Tier};

use super::failure::{Failure, Outcome};
use super::find::{self, shown_symbol};
use super::place::Named;
use super::print::{Page, clean, count, source_line, stdout, thousands};
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

    /// At most so many callers or callees, and so many unplaced calls; what is left out is counted
    #[arg(long, value_name = "N")]
    max_items: Option<usize>,

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
            let mut document = document(&project, &tree, args.max_items);
            if project.imported() > 0 {
                document["imported_files"] = json!(project.imported());
            }
            stdout(&json_line(&document))
        }
        Format::Text => {
            let asked = Asked {
                all: counts(snapshot, root, direction),
                tiers: args.tier.clone(),
                most: args.max_items,
                line_outside: match &args.what {
                    Named::Place(place) if *tree.root.path == *tree.root.qualified => {
                        Some(place.line)
                    }
                    _ => None,
                },
            };
            page(&project, &tree, &asked).print()
        }
    };
    project.keep();
    printed
}

// ---- for programs --------------------------------------------------------------------

fn document(project: &Project, tree: &CallTree, most: Option<usize>) -> Value {
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
    let most = most.unwrap_or(usize::MAX);
    let left = rows.len().saturating_sub(most) + unplaced.len().saturating_sub(most);
    rows.truncate(most);
    unplaced.truncate(most);
    let mut document = json!({
        "root": shown_symbol(&tree.root),
        "folder": project.root().real().display().to_string(),
        "floor": tree.floor_text,
        list: rows,
        "unplaced": unplaced,
    });
    if tree.truncated + left > 0 {
        document["truncated"] = json!(tree.truncated + left);
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
    shown["named"] = json!(node.row.named);
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

fn page(project: &Project, tree: &CallTree, asked: &Asked) -> Page {
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
    if let Some(line) = asked.line_outside {
        let said = page.dim(format_args!(
            "Line {line} stands in no function: this is the module of the file."
        ));
        page.line(said);
    }
    page.line(asked.summary(tree));
    project.say_root(&mut page);

    let mut open: Vec<(&CallNode, usize)> = tree.nodes.iter().rev().map(|n| (n, 0)).collect();
    let (mut shown, mut left) = (0, 0u64);
    while let Some((node, depth)) = open.pop() {
        if node.row.symbol.is_none() {
            // Nobody asks for the unplaced of a tier: they have none.
            if asked.tiers.is_empty() {
                unplaced(project, &mut page, node, depth, asked.unplaced());
            }
        } else if asked.most.is_some_and(|most| shown >= most) {
            left += 1;
        } else {
            shown += 1;
            row(project, &mut page, node, depth);
        }
        let children = node.children.iter().flatten().rev();
        open.extend(children.map(|n| (n, depth + 1)));
    }
    if left > 0 {
        page.blank();
        let text = page.warn(format_args!(
            "and {} more, which --max-items leaves out",
            thousands(left)
        ));
        page.line(text);
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

/// What was asked for, and what there is.
struct Asked {
    all: Counts,
    tiers: Vec<TierName>,
    most: Option<usize>,
    /// The line that was asked about, when nothing but the file's module is around it.
    line_outside: Option<u32>,
}

/// The rows of one list, whatever tiers were asked for: a filter is no answer to how many there are.
struct Counts {
    placed: u64,
    files: u64,
    possible: u64,
    named: u64,
}

fn counts(snapshot: &Snapshot, root: SymbolId, direction: Direction) -> Counts {
    let options = CallOptions::default();
    let list = match direction {
        Direction::Callers => hierarchy::callers(snapshot, root, &options),
        Direction::Callees => hierarchy::callees(snapshot, root, &options),
    };
    let rows = list.map_or_else(Vec::new, |list| list.rows);
    let placed = || rows.iter().filter(|r| r.tier > Some(Tier::Possible));
    let sites = placed().flat_map(|r| &r.sites);
    let files: HashSet<_> = sites.map(|s| s.place.file).collect();
    let beside = || rows.iter().filter(|r| r.tier == Some(Tier::Possible));
    Counts {
        placed: placed().count() as u64,
        files: files.len() as u64,
        possible: beside().filter(|r| !r.named).count() as u64,
        named: beside().filter(|r| r.named).count() as u64,
    }
}

impl Asked {
    /// `5 callers in 3 files (+2 possible)`; with tiers asked for also how many of these are listed.
    fn summary(&self, tree: &CallTree) -> String {
        let noun = match tree.direction {
            Direction::Callers => "caller",
            Direction::Callees => "callee",
        };
        let all = &self.all;
        let mut text = count(all.placed, noun);
        if tree.direction == Direction::Callers && all.placed > 0 {
            text.push_str(&format!(" in {}", count(all.files, "file")));
        }
        text.push_str(&hierarchy::apart(all.possible, all.named));
        if tree.floor_text.is_some() {
            text = format!("at least {text}");
        }
        if !self.tiers.is_empty() {
            let words: Vec<&str> = self.tiers.iter().map(|tier| tier.word()).collect();
            let listed = tree.nodes.iter().filter(|n| n.row.symbol.is_some()).count();
            let listed = match listed {
                0 => "none".to_owned(),
                n => thousands(n as u64),
            };
            text.push_str(&format!("; of tier {}: {listed}", words.join(", ")));
        }
        text
    }

    /// How many unplaced calls are listed one by one.
    fn unplaced(&self) -> usize {
        const SHOWN: usize = 20;
        self.most.unwrap_or(SHOWN)
    }
}

impl TierName {
    fn word(self) -> &'static str {
        match self {
            TierName::Certain => Tier::Certain.word(),
            TierName::Likely => Tier::Likely.word(),
            TierName::Possible => Tier::Possible.word(),
        }
    }
}

/// A caller or callee: its calls by the tier and rule that each was placed by.
fn row(project: &Project, page: &mut Page, node: &CallNode, depth: usize) {
    let indent = "  ".repeat(depth);
    if depth == 0 {
        page.blank();
    }
    let CallRow {
        symbol, resolver, ..
    } = &node.row;
    let name = symbol.as_ref().map_or("", |s| &s.qualified);
    let by = resolver.as_deref().filter(|by| *by != "static");
    let mut rest: Vec<&RowSite> = node.row.sites.iter().collect();
    // The best first, which is what the row as a whole goes by.
    let mut how = node
        .row
        .tier
        .zip(node.row.rule)
        .map(|h| (h, node.row.named));
    let mut first = true;
    while let Some(((tier, rule), named)) = how {
        let of = |s: &RowSite| s.evidence == Some((tier, rule)) && s.named == named;
        let (own, others) = rest.into_iter().partition(|s| of(s));
        rest = others;
        let mut words = match named {
            true => "named as a value at".to_owned(),
            false => rule.id().to_owned(),
        };
        if let Some(by) = by {
            words.push_str(&format!(" by {}", clean(by)));
        }
        if !first {
            words.insert_str(0, "also ");
        } else if node.recursion {
            words.push_str("  (recursion: shown above)");
        }
        let line = format!(
            "{indent}{}  {}  {}",
            page.tier(tier.word()),
            page.bold(clean(name)),
            page.dim(words)
        );
        page.line(line);
        let own: Vec<&RowSite> = own;
        for site in own {
            site_line(project, page, site, &indent);
        }
        first = false;
        how = rest.first().and_then(|s| Some((s.evidence?, s.named)));
    }
}

fn site_line(project: &Project, page: &mut Page, site: &RowSite, indent: &str) {
    let opened = project.open_place(&site.place);
    let cause = match site.evidence {
        Some(_) => None,
        None => project.snapshot.outcome(site.site).and_then(|o| o.cause),
    };
    let cause = cause.map_or_else(String::new, |c| format!("  {}", c.word()));
    let at = format!("{}:{}:{}", clean(&opened.file), opened.line, opened.column);
    let line = format!(
        "{indent}    {}  {}{}",
        page.dim(at),
        source_line(&opened.text),
        page.dim(cause)
    );
    page.line(line);
}

/// The calls nobody could place: the first of them by line, the others by file or by folder.
fn unplaced(project: &Project, page: &mut Page, node: &CallNode, depth: usize, most: usize) {
    /// As many groups are read at a glance.
    const GROUPS: usize = 10;
    let indent = "  ".repeat(depth);
    if depth == 0 {
        page.blank();
    }
    let line = page.warn(format_args!("? {}", clean(&node.row.detail)));
    page.line(format_args!("{indent}{line}"));
    let sites = &node.row.sites;
    for site in sites.iter().take(most) {
        site_line(project, page, site, &indent);
    }
    let rest = sites.get(most..).unwrap_or_default();
    if rest.is_empty() {
        return;
    }
    let path = |s: &RowSite| {
        let file = project.snapshot.file(s.place.file);
        file.map_or_else(String::new, |f| f.path.to_string())
    };
    let folder = |path: &str| match path.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/"),
        None => "./".to_owned(),
    };
    let by = |key: &dyn Fn(&RowSite) -> String| {
        let mut groups: BTreeMap<String, u64> = BTreeMap::new();
        for site in rest {
            *groups.entry(key(site)).or_default() += 1;
        }
        let mut groups: Vec<(String, u64)> = groups.into_iter().collect();
        groups.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        groups
    };
    let mut groups = by(&path);
    if groups.len() > GROUPS {
        groups = by(&|site| folder(&path(site)));
    }
    let more = page.dim(format_args!("and {} more:", thousands(rest.len() as u64)));
    page.line(format_args!("{indent}    {more}"));
    for (place, n) in groups.iter().take(GROUPS) {
        let line = page.dim(format_args!("{}  {}", clean(place), thousands(*n)));
        page.line(format_args!("{indent}      {line}"));
    }
    if groups.len() > GROUPS {
        let others: u64 = groups[GROUPS..].iter().map(|g| g.1).sum();
        let folders = count((groups.len() - GROUPS) as u64, "other folder");
        let line = page.dim(format_args!("{folders}  {}", thousands(others)));
        page.line(format_args!("{indent}      {line}"));
    }
}
