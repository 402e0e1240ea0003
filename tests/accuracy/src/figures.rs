//! The figures of one tool on one project, counted from scored sites.

use std::collections::BTreeMap;

use crate::score::{Scored, Verdict};
use crate::stats::Share;
use crate::truth::Class;

/// Right, right when overloads are not told apart, and placed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Placing {
    pub right: usize,
    pub near: usize,
    pub placed: usize,
}

impl Placing {
    pub fn strict(self) -> Share {
        Share::new(self.right, self.placed)
    }

    pub fn wide(self) -> Share {
        Share::new(self.right + self.near, self.placed)
    }
}

#[derive(Debug, Default, PartialEq)]
pub struct Figures {
    /// Judged sites by class.
    pub of_class: BTreeMap<Class, usize>,
    /// Placed on sites of class IN or EXT.
    pub placing: Placing,
    pub by_tier: BTreeMap<String, Placing>,
    pub by_rule: BTreeMap<(String, String), Placing>,
    pub contradicted: usize,
    pub right: usize,
    pub near: usize,
    pub wrong: usize,
    pub false_outside: usize,
    pub undetermined: usize,
    pub silent: usize,
    /// Causes of the undetermined sites of class IN.
    pub causes: BTreeMap<String, usize>,
    /// Undetermined, but the judge's target is among the candidates.
    pub among_candidates: usize,
    pub phantom: usize,
    pub outside_right: usize,
    pub declared: usize,
    pub overrides: usize,
    pub dyn_wrong: usize,
    pub dyn_outside: usize,
    pub dyn_open: usize,
    pub dyn_silent: usize,
    /// Members that may run and are among the candidates, of all that may run.
    pub cover: Share,
    pub candidate_sets: usize,
    pub candidates: usize,
    pub ind_certain: usize,
    pub ind_likely: usize,
    pub known: usize,
    pub sites: usize,
    pub callers: Share,
}

impl Figures {
    pub fn count(scored: &[Scored<'_>]) -> Figures {
        let mut f = Figures::default();
        for s in scored {
            f.add(s);
        }
        f
    }

    fn add(&mut self, s: &Scored<'_>) {
        *self.of_class.entry(s.site.class).or_default() += 1;
        self.sites += 1;
        self.known += usize::from(s.verdict != Verdict::Silent);
        if let Some(right) = s.caller_right {
            self.callers.whole += 1;
            self.callers.part += usize::from(right);
        }
        if matches!(s.site.class, Class::In | Class::Ext) && s.placed() {
            let (right, near) = (s.verdict == Verdict::Right, s.verdict == Verdict::Near);
            let mut rows = [
                &mut self.placing,
                self.by_tier.entry(s.tier.clone()).or_default(),
                self.by_rule
                    .entry((s.tier.clone(), s.rule.clone()))
                    .or_default(),
            ];
            for row in &mut rows {
                row.right += usize::from(right);
                row.near += usize::from(near);
                row.placed += 1;
            }
            self.contradicted += usize::from(!right);
        }
        match (s.site.class, s.verdict) {
            (Class::In, Verdict::Right) => self.right += 1,
            (Class::In, Verdict::Near) => self.near += 1,
            (Class::In, Verdict::Outside) => self.false_outside += 1,
            (Class::In, Verdict::Open) => {
                self.undetermined += 1;
                *self.causes.entry(s.cause.clone()).or_default() += 1;
                self.among_candidates +=
                    usize::from(s.candidates.iter().any(|c| s.site.targets.contains(c)));
            }
            (Class::In, Verdict::Silent) => self.silent += 1,
            (Class::In, _) => self.wrong += 1,
            (Class::Ext, Verdict::Phantom) => self.phantom += 1,
            (Class::Ext, Verdict::Outside) => self.outside_right += 1,
            (Class::Dyn, Verdict::Declared) => self.declared += 1,
            (Class::Dyn, Verdict::Override) => self.overrides += 1,
            (Class::Dyn, Verdict::Outside) => self.dyn_outside += 1,
            (Class::Dyn, Verdict::Open) => self.dyn_open += 1,
            (Class::Dyn, Verdict::Silent) => self.dyn_silent += 1,
            (Class::Dyn, _) => self.dyn_wrong += 1,
            (Class::Ind, Verdict::Placed) if s.tier == "likely" => self.ind_likely += 1,
            (Class::Ind, Verdict::Placed) => self.ind_certain += 1,
            _ => {}
        }
        if s.site.class == Class::Dyn {
            if !s.candidates.is_empty() {
                self.candidate_sets += 1;
                self.candidates += s.candidates.len();
            }
            self.cover.whole += s.site.impls.len();
            self.cover.part += s
                .site
                .impls
                .iter()
                .filter(|i| s.candidates.contains(i))
                .count();
        }
    }

    pub fn class(&self, class: Class) -> usize {
        self.of_class.get(&class).copied().unwrap_or(0)
    }

    fn of_in(&self, part: usize) -> Share {
        Share::new(part, self.class(Class::In))
    }

    pub fn recall(&self) -> Share {
        self.of_in(self.right)
    }

    pub fn recall_wide(&self) -> Share {
        self.of_in(self.right + self.near)
    }

    pub fn false_outside_share(&self) -> Share {
        self.of_in(self.false_outside)
    }

    pub fn undetermined_share(&self) -> Share {
        self.of_in(self.undetermined)
    }

    pub fn silent_share(&self) -> Share {
        self.of_in(self.silent)
    }

    pub fn phantom_share(&self) -> Share {
        Share::new(self.phantom, self.class(Class::Ext))
    }

    pub fn declared_share(&self) -> Share {
        Share::new(self.declared, self.class(Class::Dyn))
    }

    /// IND sites that were not answered `certain`.
    pub fn honesty(&self) -> Share {
        let n = self.class(Class::Ind);
        Share::new(n - self.ind_certain, n)
    }

    pub fn coverage(&self) -> Share {
        Share::new(self.known, self.sites)
    }

    pub fn mean_candidates(&self) -> Option<f64> {
        (self.candidate_sets > 0).then(|| self.candidates as f64 / self.candidate_sets as f64)
    }

    /// recall + wrong + false outside + undetermined + silent, which is 1 or the scorer miscounts.
    pub fn identity(&self) -> Share {
        self.of_in(
            self.right
                + self.near
                + self.wrong
                + self.false_outside
                + self.undetermined
                + self.silent,
        )
    }

    /// The causes that leave most sites open, with their counts.
    pub fn top_causes(&self, n: usize) -> Vec<(&str, usize)> {
        let mut causes: Vec<_> = self.causes.iter().map(|(c, k)| (c.as_str(), *k)).collect();
        causes.sort_by_key(|(c, k)| (std::cmp::Reverse(*k), *c));
        causes.truncate(n);
        causes
    }
}
