//! Prints figures and lists of sites for a person at the terminal, and what changed between two runs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::figures::Figures;
use crate::projects::Project;
use crate::score::{Scored, Verdict};
use crate::truth::{Class, Lines};
use crate::{Context, Result};

/// The figures of one run, one line each, shares with their 95 % interval.
pub fn figures(project: &str, f: &Figures) -> String {
    let mut out = String::new();
    let class = |c| f.class(c);
    let _ = writeln!(
        out,
        "{project}: {} sites, IN {} DYN {} EXT {} IND {} UN {}",
        f.sites,
        class(Class::In),
        class(Class::Dyn),
        class(Class::Ext),
        class(Class::Ind),
        class(Class::Un)
    );
    let mut row = |name: &str, value: String| {
        let _ = writeln!(out, "  {name:<28} {value}");
    };
    row("precision", f.placing.strict().long());
    row("  overloads not told apart", f.placing.wide().long());
    for (tier, p) in &f.by_tier {
        row(&format!("  {tier}"), p.strict().long());
    }
    for ((tier, rule), p) in &f.by_rule {
        if tier == "likely" {
            row(&format!("    likely: {rule}"), p.strict().long());
        }
    }
    row(
        "contradicted",
        format!("{} of {}", f.contradicted, f.placing.placed),
    );
    row("recall", f.recall().long());
    row("  overloads not told apart", f.recall_wide().long());
    row("false outside", f.false_outside_share().long());
    row("phantom", f.phantom_share().long());
    row("undetermined", f.undetermined_share().long());
    for (cause, n) in f.top_causes(5) {
        row(&format!("    {cause}"), n.to_string());
    }
    row(
        "    target among candidates",
        f.among_candidates.to_string(),
    );
    row("silent", f.silent_share().long());
    row("identity", f.identity().short());
    row("dispatch: declared named", f.declared_share().long());
    row(
        "  other",
        format!(
            "override {} wrong {} outside {} open {} silent {}",
            f.overrides, f.dyn_wrong, f.dyn_outside, f.dyn_open, f.dyn_silent
        ),
    );
    let mean = f
        .mean_candidates()
        .map_or("-".into(), |m| format!("{m:.1}"));
    row(
        "  candidate cover",
        format!(
            "{}, mean set {mean} over {} sets",
            f.cover.long(),
            f.candidate_sets
        ),
    );
    row("value honesty", f.honesty().long());
    row("site coverage", f.coverage().long());
    row("caller right", f.callers.long());
    out
}

/// Every tier and rule with its precision, most placed first.
pub fn rules(f: &Figures) -> String {
    let mut rows: Vec<_> = f.by_rule.iter().collect();
    rows.sort_by_key(|(_, p)| std::cmp::Reverse(p.placed));
    let mut out = String::new();
    for ((tier, rule), p) in rows {
        let _ = writeln!(out, "  {tier:<9} {rule:<32} {}", p.strict().long());
    }
    out
}

fn judged(s: &Scored<'_>) -> String {
    let targets: Vec<_> = s.site.targets.iter().map(ToString::to_string).collect();
    match s.site.class {
        Class::Ext if targets.is_empty() => format!("outside ({})", s.site.callee),
        Class::Ext => format!("outside ({}) or {}", s.site.callee, targets.join(", ")),
        _ => format!("{} ({})", targets.join(" or "), s.site.callee),
    }
}

fn said(s: &Scored<'_>) -> String {
    match (&s.place, s.verdict) {
        (Some(place), _) => format!("{place} [{}: {}] {}", s.tier, s.rule, s.said_name),
        (None, Verdict::Open) => format!("open ({}), {} candidates", s.cause, s.candidates.len()),
        (None, Verdict::Outside) => "outside".into(),
        (None, _) => "nothing".into(),
    }
}

/// A site placed against the judge in one line of a page, with what was found of it.
pub fn contradiction(s: &Scored<'_>, project: &Project) -> String {
    let place = format!("{}:{}:{}", s.site.file, s.site.line, s.site.col);
    let found = project
        .found(&place, &s.site.name)
        .unwrap_or("not read yet");
    format!(
        "- `{place}` `{}`: said `{}`, judged `{}`. {found}",
        s.site.name,
        said(s),
        judged(s)
    )
}

/// One site in three lines: where, what stands there, what both sides say.
pub fn site(s: &Scored<'_>, lines: &mut Lines<'_>) -> String {
    let text = lines.line(&s.site.file, s.site.line).trim();
    let text: String = text.chars().take(160).collect();
    let mut out = format!(
        "{}:{}:{} {}\n    {text}\n    said   {}\n    judged {}\n",
        s.site.file,
        s.site.line,
        s.site.col,
        s.site.name,
        said(s),
        judged(s)
    );
    if s.caller_right == Some(false) {
        let caller = &s.site.caller;
        let judged = if caller.module {
            "module"
        } else {
            caller.name.as_str()
        };
        let _ = writeln!(
            out,
            "    caller said {}, judged {judged} {}:{}",
            s.said_caller, caller.file, caller.line
        );
    }
    out
}

/// What `--list` can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum What {
    /// Placed against the judge.
    Contradicted,
    /// IN sites without a target; narrow with `--cause`.
    Gaps,
    /// IN sites said to be outside.
    Outside,
    /// Outside calls placed in the tree.
    Phantom,
    /// Sites that are not in the report at all.
    Silent,
    /// Dispatched sites that name neither the declared member nor one that may run.
    Dispatch,
    /// Function values answered with a target.
    Values,
    /// Known sites under another caller.
    Callers,
    /// Outside calls left open.
    Open,
}

pub fn wanted(what: What, cause: Option<&str>, s: &Scored<'_>) -> bool {
    let hit = match what {
        What::Contradicted => s.contradicted(),
        What::Gaps => s.site.class == Class::In && s.verdict == Verdict::Open,
        What::Outside => s.site.class == Class::In && s.verdict == Verdict::Outside,
        What::Phantom => s.verdict == Verdict::Phantom,
        What::Silent => s.verdict == Verdict::Silent,
        What::Dispatch => {
            s.site.class == Class::Dyn
                && !matches!(s.verdict, Verdict::Declared | Verdict::Override)
        }
        What::Values => s.site.class == Class::Ind && s.verdict == Verdict::Placed,
        What::Callers => s.caller_right == Some(false),
        What::Open => s.site.class == Class::Ext && s.verdict == Verdict::Open,
    };
    hit && cause.is_none_or(|c| s.cause == c || s.rule == c)
}

/// A run as it is kept for a later comparison: one word per site.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    pub project: String,
    pub sites: BTreeMap<String, String>,
}

impl Outcome {
    pub fn of(project: &str, scored: &[Scored<'_>]) -> Outcome {
        let word = |s: &Scored<'_>| {
            let verdict = serde_json::to_value(s.verdict).unwrap_or_default();
            let mut w = format!(
                "{:?} {}",
                s.site.class,
                verdict.as_str().unwrap_or_default()
            );
            for part in [&s.tier, &s.cause] {
                if !part.is_empty() {
                    w.push(' ');
                    w.push_str(part);
                }
            }
            w
        };
        let key = |s: &Scored<'_>| {
            format!(
                "{}:{}:{} {}",
                s.site.file, s.site.line, s.site.col, s.site.name
            )
        };
        Outcome {
            project: project.into(),
            sites: scored.iter().map(|s| (key(s), word(s))).collect(),
        }
    }

    pub fn load(path: &Path) -> Result<Outcome> {
        let text = std::fs::read_to_string(path).context(path.display())?;
        serde_json::from_str(&text).context(path.display())
    }

    pub fn save(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string(self).context(path.display())?;
        std::fs::write(path, text).context(path.display())
    }
}

/// Which sites changed, counted by kind of change, then listed.
pub fn difference(old: &Outcome, new: &Outcome, limit: usize) -> String {
    let mut kinds: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for (site, now) in &new.sites {
        let before = old.sites.get(site).map_or("(not judged)", String::as_str);
        if before != now {
            kinds.entry((before, now)).or_default().push(site);
        }
    }
    let gone = old
        .sites
        .keys()
        .filter(|k| !new.sites.contains_key(*k))
        .count();
    let total: usize = kinds.values().map(Vec::len).sum();
    let mut out = format!("{total} of {} sites changed", new.sites.len());
    if gone > 0 {
        let _ = write!(out, ", {gone} are no longer judged");
    }
    out.push('\n');
    let mut rows: Vec<_> = kinds.into_iter().collect();
    rows.sort_by_key(|(_, sites)| std::cmp::Reverse(sites.len()));
    for ((before, now), sites) in rows {
        let _ = writeln!(out, "  {:>5}  {before} -> {now}", sites.len());
        for site in sites.iter().take(limit) {
            let _ = writeln!(out, "           {site}");
        }
    }
    out
}
