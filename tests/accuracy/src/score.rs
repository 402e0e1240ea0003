//! Compares a tool's answers with a truth, site by site.

use serde::{Deserialize, Serialize};

use crate::answers::{self, Answer, Answers, Said};
use crate::truth::{Class, Place, Site, Truth};

/// What became of one judged site. The words stand in saved outcomes and in `--diff`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// IN: the judge's definition, at `certain` or `likely`; EXT: an implementation in the tree that is right too.
    Right,
    /// Another declaration of the same thing: right only when overloads are not told apart.
    Near,
    /// IN: another definition.
    Wrong,
    /// EXT: a definition in the tree.
    Phantom,
    Outside,
    Open,
    Silent,
    /// DYN: the declared member.
    Declared,
    /// DYN: one of the members that may run, as if it were the one.
    Override,
    /// IND: a target was named.
    Placed,
}

#[derive(Debug, Clone)]
pub struct Scored<'t> {
    pub site: &'t Site,
    pub verdict: Verdict,
    pub tier: String,
    pub rule: String,
    pub cause: String,
    pub place: Option<Place>,
    pub said_name: String,
    pub candidates: Vec<Place>,
    /// `None` where the tool does not know the site.
    pub caller_right: Option<bool>,
    pub said_caller: String,
}

impl Scored<'_> {
    pub fn placed(&self) -> bool {
        self.place.is_some()
    }

    /// Placed against the judge, on a site of class IN or EXT.
    pub fn contradicted(&self) -> bool {
        matches!(self.site.class, Class::In | Class::Ext)
            && matches!(
                self.verdict,
                Verdict::Wrong | Verdict::Near | Verdict::Phantom
            )
    }
}

/// Scores every site whose callee's name stands in the source, one entry per place in the text.
pub fn score<'t>(truth: &'t Truth, answers: &Answers) -> Vec<Scored<'t>> {
    let mut out: Vec<Scored<'t>> = Vec::new();
    let mut last: Option<(&str, u32, u32)> = None;
    for site in truth.sites.iter().filter(|s| s.counts()) {
        let key = (site.file.as_str(), site.line, site.col);
        let scored = score_site(site, answers);
        // Truths are sorted. Generic code judged twice at one place is right if it agrees with either verdict.
        if last == Some(key) {
            if let Some(previous) = out.last_mut()
                && rank(scored.verdict) < rank(previous.verdict)
            {
                *previous = scored;
            }
            continue;
        }
        last = Some(key);
        out.push(scored);
    }
    out
}

/// Of several answers the best one counts; `outside` beside an open one is an open answer.
fn rank(v: Verdict) -> u8 {
    match v {
        Verdict::Right | Verdict::Declared => 0,
        Verdict::Override => 1,
        Verdict::Near => 2,
        Verdict::Open | Verdict::Placed => 3,
        Verdict::Outside => 4,
        Verdict::Silent => 5,
        Verdict::Wrong | Verdict::Phantom => 6,
    }
}

fn score_site<'t>(site: &'t Site, answers: &Answers) -> Scored<'t> {
    // `thing["name"]()` may be keyed at the quote.
    let quoted = site.form == "call" && site.col > 1;
    let all = answers.at(&site.file, site.line, site.col, quoted);
    let mut scored = Scored {
        site,
        verdict: Verdict::Silent,
        tier: String::new(),
        rule: String::new(),
        cause: String::new(),
        place: None,
        said_name: String::new(),
        candidates: Vec::new(),
        caller_right: None,
        said_caller: String::new(),
    };
    // Surefoot gives one answer per site; a peer may list several, and is right if any of them is.
    let Some(best) = all.iter().min_by_key(|a| rank(verdict(site, a))) else {
        return scored;
    };
    scored.verdict = verdict(site, best);
    scored.candidates = best.candidates.clone();
    scored.said_caller = best
        .caller
        .as_ref()
        .map_or_else(String::new, |c| c.name.clone());
    scored.caller_right = best.caller.as_ref().map(|c| caller_right(site, c));
    match &best.said {
        Said::Placed {
            place,
            tier,
            rule,
            name,
        } => {
            scored.place = Some(place.clone());
            scored.tier.clone_from(tier);
            scored.rule.clone_from(rule);
            scored.said_name.clone_from(name);
        }
        Said::Open { cause } => scored.cause.clone_from(cause),
        Said::Outside => {}
    }
    scored
}

fn verdict(site: &Site, answer: &Answer) -> Verdict {
    let (place, name) = match &answer.said {
        Said::Outside => return Verdict::Outside,
        Said::Open { .. } => return Verdict::Open,
        Said::Placed { place, name, .. } => (place, name),
    };
    let exact = site.targets.contains(place);
    let near = || {
        site.near.contains(place)
            || site.targets.iter().any(|t| t.0 == place.0)
                && answers::same_simple_name(name, &site.callee)
    };
    match site.class {
        Class::In if exact => Verdict::Right,
        Class::In if near() => Verdict::Near,
        Class::In => Verdict::Wrong,
        Class::Ext if exact => Verdict::Right,
        Class::Ext => Verdict::Phantom,
        Class::Dyn if exact || near() && !site.impls.contains(place) => Verdict::Declared,
        Class::Dyn if site.impls.contains(place) => Verdict::Override,
        Class::Dyn => Verdict::Wrong,
        Class::Ind | Class::Un => Verdict::Placed,
    }
}

/// Kinds of symbols that stand for code outside every function.
const MODULE_KINDS: &[&str] = &["module", "namespace", "initializer"];
const CLASS_KINDS: &[&str] = &["class", "struct", "enum", "trait", "impl"];

fn caller_right(site: &Site, said: &answers::Caller) -> bool {
    let of_module = MODULE_KINDS.contains(&said.kind.as_str())
        || said.kind.is_empty() && said.places.is_empty();
    let mut accepted = Some(&site.caller);
    while let Some(caller) = accepted {
        let right = if caller.module {
            let kind = of_module || caller.in_class && CLASS_KINDS.contains(&said.kind.as_str());
            kind && said.file == caller.file
        } else {
            // A module's symbol may stand on the line of its first function.
            !of_module
                && said
                    .places
                    .iter()
                    .any(|p| p.0 == caller.file && p.1 == caller.line)
        };
        if right {
            return true;
        }
        accepted = caller.also.as_deref();
    }
    false
}
