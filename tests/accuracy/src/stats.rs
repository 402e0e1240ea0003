//! Shares with their Wilson 95 % intervals.

/// `part` of `whole`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    pub part: usize,
    pub whole: usize,
}

impl Share {
    pub fn new(part: usize, whole: usize) -> Share {
        Share { part, whole }
    }

    /// `None` where nothing was counted.
    pub fn value(self) -> Option<f64> {
        (self.whole > 0).then(|| self.part as f64 / self.whole as f64)
    }

    /// The Wilson score interval at 95 %.
    pub fn interval(self) -> Option<(f64, f64)> {
        const Z: f64 = 1.959_963_984_540_054;
        let p = self.value()?;
        let n = self.whole as f64;
        let z2 = Z * Z;
        let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = Z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
        Some(((centre - half).max(0.0), (centre + half).min(1.0)))
    }

    /// `0.985` or `-`.
    pub fn short(self) -> String {
        self.value()
            .map_or_else(|| "-".into(), |v| format!("{v:.3}"))
    }

    /// `0.985 [0.980, 0.989] 2447/2485`.
    pub fn long(self) -> String {
        match self.interval() {
            Some((low, high)) => format!(
                "{} [{low:.3}, {high:.3}] {}/{}",
                self.short(),
                self.part,
                self.whole
            ),
            None => "- 0/0".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Why: the interval is what tells a lucky small sample from a proven rule.
    #[test]
    fn wilson_is_the_textbook_interval() {
        let (low, high) = Share::new(45, 50).interval().expect("counted");
        assert!(
            (low - 0.786_4).abs() < 1e-4 && (high - 0.956_5).abs() < 1e-4,
            "{low} {high}"
        );
        let (low, high) = Share::new(10, 10).interval().expect("counted");
        assert!(
            (low - 0.722_5).abs() < 1e-4 && (high - 1.0).abs() < 1e-9,
            "{low} {high}"
        );
        assert_eq!(Share::new(0, 0).interval(), None);
    }
}
