//! Thresholds a build may fail on, against an earlier report where there is one.
//!
//! With an earlier report only what is new or got worse counts: a tree can be
//! held where it is before anybody has the time to mend it.

use crate::diff::Pairing;
use crate::index::Index;
use crate::model::Report;
use crate::refusal::Refusal;
use crate::text::Text;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// One threshold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// A hotspot that was none.
    NewHotspots,
    /// A cycle of imports that was none.
    NewCycles,
    /// A file skipped or understood in part that was not.
    NewGaps,
    /// A declaration whose cyclomatic complexity is above.
    Complexity(u32),
    /// A declaration whose hotspot score, in hundredths, is above.
    Hotspot(u64),
    /// More cycles of imports than this.
    Cycles(u32),
}

/// A threshold that was crossed, and where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Crossed {
    pub rule: String,
    /// A key of an entity, or the files of a cycle.
    pub at: String,
    /// For a person; may be reworded.
    pub what: String,
}

const KNOWN: &str = "new-hotspots, new-cycles, new-gaps, complexity>N, hotspot>N, cycles>N";

impl Rule {
    /// The rules that a comma-separated list names.
    pub fn parse_list(text: &str) -> Result<Vec<Rule>, Refusal> {
        let words = text.split(',').map(str::trim).filter(|w| !w.is_empty());
        let rules: Vec<Rule> = words.map(Rule::parse).collect::<Result<_, _>>()?;
        if rules.is_empty() {
            return Err(refused("No threshold is named."));
        }
        Ok(rules)
    }

    fn parse(word: &str) -> Result<Rule, Refusal> {
        let unknown = || refused(&format!("`{word}` is no threshold."));
        match word {
            "new-hotspots" => return Ok(Rule::NewHotspots),
            "new-cycles" => return Ok(Rule::NewCycles),
            "new-gaps" => return Ok(Rule::NewGaps),
            _ => {}
        }
        let (name, number) = word.split_once('>').ok_or_else(unknown)?;
        let whole = |n: &str| n.trim().parse::<u32>().map_err(|_| unknown());
        match name.trim() {
            "complexity" => Ok(Rule::Complexity(whole(number)?)),
            "cycles" => Ok(Rule::Cycles(whole(number)?)),
            "hotspot" => {
                let score: f64 = number.trim().parse().map_err(|_| unknown())?;
                if !(0.0..=1e9).contains(&score) {
                    return Err(unknown());
                }
                Ok(Rule::Hotspot((score * 100.0).round() as u64))
            }
            _ => Err(unknown()),
        }
    }

    /// Whether it says nothing without an earlier report.
    pub fn needs_before(self) -> bool {
        matches!(self, Rule::NewHotspots | Rule::NewCycles | Rule::NewGaps)
    }

    fn word(self) -> String {
        match self {
            Rule::NewHotspots => "new-hotspots".to_owned(),
            Rule::NewCycles => "new-cycles".to_owned(),
            Rule::NewGaps => "new-gaps".to_owned(),
            Rule::Complexity(n) => format!("complexity>{n}"),
            Rule::Hotspot(n) => format!("hotspot>{}", n as f64 / 100.0),
            Rule::Cycles(n) => format!("cycles>{n}"),
        }
    }
}

fn refused(what: &str) -> Refusal {
    Refusal::new("invalid_request", format!("{what} There are: {KNOWN}."))
}

/// The scores of the hotspots, in hundredths, by the key of the entity.
fn scores(report: &Report) -> FxHashMap<&str, u64> {
    let hot = report.hotspots.iter();
    hot.map(|h| (h.entity.as_str(), h.score.0)).collect()
}

/// Every threshold that a report crosses.
pub fn crossed(rules: &[Rule], report: &Report, before: Option<&Report>) -> Vec<Crossed> {
    let pairing = before.map(|b| Pairing::new(&b.entities, &report.entities));
    let judge = Judge {
        report,
        before: before.zip(pairing.as_ref()),
    };
    rules.iter().flat_map(|&rule| judge.of(rule)).collect()
}

struct Judge<'a> {
    report: &'a Report,
    before: Option<(&'a Report, &'a Pairing<'a>)>,
}

impl Judge<'_> {
    fn of(&self, rule: Rule) -> Vec<Crossed> {
        let crossed = |at: &str, what: String| Crossed {
            rule: rule.word(),
            at: at.to_owned(),
            what,
        };
        match rule {
            Rule::NewHotspots => self.hotspots(|_, old| old.is_none(), &crossed),
            Rule::Hotspot(above) => self.hotspots(
                |score, old| score > above && old.is_none_or(|old| score > old),
                &crossed,
            ),
            Rule::NewCycles | Rule::Cycles(_) => {
                let all = &self.report.dependency_cycles;
                let old = self.before.map(|(b, _)| &b.dependency_cycles);
                // What is left of a cycle that lost files was there before.
                let was = |c: &[Text]| {
                    let within = |o: &Vec<Text>| c.iter().all(|file| o.contains(file));
                    old.is_some_and(|old| old.iter().any(within))
                };
                let fresh = all.iter().filter(|c| !was(c));
                let worse = match rule {
                    Rule::Cycles(most) => {
                        all.len() > most as usize && old.is_none_or(|old| all.len() > old.len())
                    }
                    _ => true,
                };
                let rows = fresh.filter(|_| worse).map(|c| {
                    let files: Vec<&str> = c.iter().map(|f| &**f).collect();
                    crossed(&files.join(", "), "imports in a cycle".to_owned())
                });
                rows.collect()
            }
            Rule::NewGaps => {
                let Some((old, _)) = self.before else {
                    return Vec::new();
                };
                let gaps = crate::diff::diff(old, self.report, &Default::default()).completeness;
                let skipped = gaps.newly_skipped.iter().map(|g| (g, "not read"));
                let partial = gaps
                    .newly_partial
                    .iter()
                    .map(|g| (g, "not understood whole"));
                let rows = skipped.chain(partial);
                rows.map(|(at, what)| crossed(at, what.to_owned()))
                    .collect()
            }
            Rule::Complexity(most) => self.complexity(most, &crossed),
        }
    }

    fn hotspots(
        &self,
        counts: impl Fn(u64, Option<u64>) -> bool,
        crossed: &dyn Fn(&str, String) -> Crossed,
    ) -> Vec<Crossed> {
        let mut out = Vec::new();
        let index = Index::new(&self.report.entities);
        let now = scores(self.report);
        let was = self.before.map(|(old, _)| scores(old)).unwrap_or_default();
        for (i, key) in index.keys().iter().enumerate() {
            let Some(&score) = now.get(key.as_str()) else {
                continue;
            };
            let old = self.before.and_then(|(_, pairing)| {
                let b = pairing.after.other[i]?;
                let key = pairing.before.index.key(b as usize);
                was.get(key.as_str()).copied()
            });
            if counts(score, old) {
                let now = score as f64 / 100.0;
                let what = match old {
                    Some(old) => format!("score {now:.2}, it was {:.2}", old as f64 / 100.0),
                    None => format!("score {now:.2}"),
                };
                out.push(crossed(key, what));
            }
        }
        out
    }

    fn complexity(&self, most: u32, crossed: &dyn Fn(&str, String) -> Crossed) -> Vec<Crossed> {
        let mut out = Vec::new();
        let index = Index::new(&self.report.entities);
        let cyclomatic = |r: &Report, key: &str| {
            let metrics = r.metrics_by_entity.get(key)?;
            metrics.cyclomatic_complexity
        };
        for (i, key) in index.keys().iter().enumerate() {
            let Some(now) = cyclomatic(self.report, key).filter(|&now| now > most) else {
                continue;
            };
            let old = self.before.and_then(|(old, pairing)| {
                let b = pairing.after.other[i]?;
                cyclomatic(old, pairing.before.index.key(b as usize))
            });
            if old.is_none_or(|old| now > old) {
                let what = match old {
                    Some(old) => format!("complexity {now}, it was {old}"),
                    None => format!("complexity {now}"),
                };
                out.push(crossed(key, what));
            }
        }
        out
    }
}
