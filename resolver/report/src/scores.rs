//! The formulas: every derived number of a report, from counts alone.
//!
//! They are the published recipes of docs/report.md. Counts come in as whole
//! numbers and each score is rounded once, at the end.

use crate::model::{Fragility, Metrics, RiskIndex};
use crate::text::{Hundredths, Millionths};

/// An entity is a hotspot from this score on.
pub const HOTSPOT_FROM: Hundredths = Hundredths::of(300);

/// `fan_out × 0.35 + cyclomatic_complexity × 0.40 + depth × 0.25`, in whole
/// hundredths: scores land exactly on the threshold, and binary fractions do not.
pub fn hotspot(fan_out: u32, cyclomatic: u32, depth: u32) -> Hundredths {
    let sum = u64::from(fan_out) * 35 + u64::from(cyclomatic) * 40 + u64::from(depth) * 25;
    Hundredths::of(sum)
}

/// `part` of `whole`, at most one; nothing of nothing is nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 {
        return 0.0;
    }
    (part / whole).min(1.0)
}

/// What is measured between the files of the whole tree.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Coupling {
    pub files: u32,
    /// Distinct edges from one file to another.
    pub file_edges: u32,
    pub cycles: u32,
}

impl Coupling {
    fn avg_fan_out(self) -> f64 {
        if self.files == 0 {
            return 0.0;
        }
        f64::from(self.file_edges) / f64::from(self.files)
    }
}

/// How many entities were assessed for documentation, and how many have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Documentation {
    pub assessed: u32,
    pub documented: u32,
}

impl Documentation {
    pub fn coverage(self) -> Option<Millionths> {
        (self.assessed > 0).then(|| Millionths::nearest(1.0 - self.missing()))
    }

    /// The share without documentation; none where nothing was assessed.
    fn missing(self) -> f64 {
        share(
            f64::from(self.assessed - self.documented),
            f64::from(self.assessed),
        )
    }
}

/// The complexity of a set of entities.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Complexities {
    pub counted: u32,
    pub above_ten: u32,
    pub max: u32,
}

impl Complexities {
    pub fn add(&mut self, metrics: &Metrics) {
        let Some(cyclomatic) = metrics.cyclomatic_complexity else {
            return;
        };
        self.counted += 1;
        self.above_ten += u32::from(cyclomatic > 10);
        self.max = self.max.max(cyclomatic);
    }
}

pub fn fragility(coupling: Coupling, documentation: Documentation) -> Fragility {
    let avg = coupling.avg_fan_out();
    let cyclic = share(f64::from(coupling.cycles), f64::from(coupling.files));
    let dependency = share(avg, 20.0) * 0.7 + cyclic * 0.3;
    Fragility {
        score: Millionths::nearest(dependency * 0.6 + documentation.missing() * 0.4),
        dependency: Millionths::nearest(dependency),
        avg_fan_out: Millionths::nearest(avg),
        cycles: coupling.cycles,
        files: coupling.files,
    }
}

pub fn risk_index(
    complexities: Complexities,
    coupling: Coupling,
    documentation: Documentation,
) -> RiskIndex {
    let above = share(
        f64::from(complexities.above_ten),
        f64::from(complexities.counted),
    );
    let complexity = share(f64::from(complexities.max), 40.0) * 0.5 + share(above, 0.05) * 0.5;
    let coupled = share(coupling.avg_fan_out(), 4.0);
    // A count, not a ratio: one import cycle in a hundred files is one defect.
    let cycles = share(f64::from(coupling.cycles), 3.0);
    let missing = documentation.missing();
    RiskIndex {
        score: Millionths::nearest(
            complexity * 0.35 + coupled * 0.25 + missing * 0.25 + cycles * 0.15,
        ),
        complexity: Millionths::nearest(complexity),
        coupling: Millionths::nearest(coupled),
        documentation: Millionths::nearest(missing),
        cycles: Millionths::nearest(cycles),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores land exactly on the threshold; in binary fractions the same
    /// comparison answers differently at 32 and at 64 bits.
    #[test]
    fn a_score_on_the_threshold_is_a_hotspot() {
        assert_eq!(hotspot(6, 1, 2), HOTSPOT_FROM);
        assert!(hotspot(6, 1, 1) < HOTSPOT_FROM);
        assert_eq!(hotspot(0, 0, 0).0, 0);
        assert_eq!(
            hotspot(u32::MAX, u32::MAX, u32::MAX).0,
            u64::from(u32::MAX) * 100
        );
    }

    /// An empty folder has a report too: no share of nothing may be a NaN.
    #[test]
    fn nothing_scores_nothing() {
        let none = fragility(Coupling::default(), Documentation::default());
        assert_eq!(none.score.0, 0);
        let none = risk_index(
            Complexities::default(),
            Coupling::default(),
            Documentation::default(),
        );
        assert_eq!(none, RiskIndex::default());
        assert_eq!(Documentation::default().coverage(), None);
    }

    /// The recipes are published: worked by hand here, so that a changed
    /// weight shows.
    #[test]
    fn the_published_recipes_by_hand() {
        let coupling = Coupling {
            files: 10,
            file_edges: 20,
            cycles: 1,
        };
        let documentation = Documentation {
            assessed: 8,
            documented: 6,
        };
        // dependency = 2/20 × 0.7 + 1/10 × 0.3 = 0.1; score = 0.06 + 0.25 × 0.4 = 0.16.
        let f = fragility(coupling, documentation);
        assert_eq!((f.dependency.0, f.score.0), (100_000, 160_000));
        // complexity = 20/40 × 0.5 + (1/50 ÷ 0.05) × 0.5 = 0.45; coupling 0.5; cycles 1/3; documentation 0.25.
        let complexities = Complexities {
            counted: 50,
            above_ten: 1,
            max: 20,
        };
        let r = risk_index(complexities, coupling, documentation);
        assert_eq!(
            (r.complexity.0, r.coupling.0, r.cycles.0, r.documentation.0),
            (450_000, 500_000, 333_333, 250_000)
        );
        assert_eq!(r.score.0, 395_000);
    }
}
