//! Medians and percentiles, and what a process cost.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Where a process stood when a measurement began.
pub struct Began {
    wall: Instant,
    cpu: Duration,
}

/// CPU and wall time of a stretch of work, all threads of the process together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    pub wall: f64,
    pub cpu: f64,
}

impl Began {
    pub fn now() -> Began {
        Began {
            wall: Instant::now(),
            cpu: cpu(),
        }
    }

    /// In milliseconds.
    pub fn cost(&self) -> Cost {
        let ms = |d: Duration| d.as_secs_f64() * 1e3;
        Cost {
            wall: ms(self.wall.elapsed()),
            cpu: ms(cpu().saturating_sub(self.cpu)),
        }
    }
}

fn cpu() -> Duration {
    let t = clock_gettime(ClockId::ProcessCPUTime);
    let nanos = u32::try_from(t.tv_nsec).unwrap_or(0);
    Duration::new(u64::try_from(t.tv_sec).unwrap_or(0), nanos)
}

/// A line of `/proc/self/status` in bytes; 0 where the system has none.
pub fn memory(line: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let found = text.lines().find_map(|l| l.strip_prefix(line));
    let kb = found.and_then(|l| l.trim_start_matches(':').split_whitespace().next());
    kb.and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) << 10
}

/// The value below which `p` of 100 lie; 0 of an empty list.
pub fn percentile(values: &[f64], p: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (p / 100.0 * sorted.len() as f64).ceil() as usize;
    sorted.get(at.saturating_sub(1)).copied().unwrap_or(0.0)
}

pub fn median(values: &[f64]) -> f64 {
    percentile(values, 50.0)
}

/// Numbers that look random and are the same for the same seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // A percentile that is off by one place would move every published tail.
    #[test]
    fn a_percentile_is_a_value_of_the_list() {
        let values: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(percentile(&values, 50.0), 50.0);
        assert_eq!(percentile(&values, 95.0), 95.0);
        assert_eq!(percentile(&values, 100.0), 100.0);
        assert_eq!(median(&[3.0]), 3.0);
        assert_eq!(median(&[]), 0.0);
    }
}
