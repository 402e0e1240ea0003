//! The gate: a few pinned projects, each with the least it must reach, and what must hold everywhere.

use crate::figures::Figures;
use crate::projects::Least;
use crate::stats::Share;

/// What falls short, one sentence each.
pub fn shortfalls(project: &str, least: &Least, f: &Figures) -> Vec<String> {
    let mut out = Vec::new();
    let mut at_least = |what: &str, share: Share, least: f64| {
        // Nothing placed is no precision of 1: a gate that an empty report passes is no gate.
        if share.value().unwrap_or(0.0) < least {
            out.push(format!(
                "{project}: {what} is {}, at least {least} is wanted",
                share.long()
            ));
        }
    };
    at_least("precision", f.placing.strict(), least.precision);
    at_least("recall", f.recall(), least.recall);
    at_least("site coverage", f.coverage(), least.coverage);
    at_least("identity", f.identity(), 1.0);
    let mut at_most = |what: &str, share: Share, most: f64| {
        if share.value().unwrap_or(0.0) > most {
            out.push(format!(
                "{project}: {what} is {}, at most {most} is allowed",
                share.long()
            ));
        }
    };
    at_most(
        "false outside",
        f.false_outside_share(),
        least.false_outside,
    );
    at_most("phantom", f.phantom_share(), least.phantom);
    out
}
