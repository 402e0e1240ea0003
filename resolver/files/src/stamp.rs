//! What tells a changed file from an unchanged one without reading it.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The coarsest clock a common file system keeps (FAT). A file touched more recently than this may
/// change again without its time changing.
const COARSEST_TICK: Duration = Duration::from_secs(2);

/// Size, times and inode of a file. Equal stamps mean an unchanged file only if the first one was
/// [settled](Stamp::is_settled) when its bytes were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Stamp {
    pub len: u64,
    /// Nanoseconds since 1970.
    pub mtime_ns: i64,
    /// The inode's own change time, which no tool can set back; zero where the system has none.
    pub ctime_ns: i64,
    /// Zero where the system has none.
    pub inode: u64,
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Stamp {
        let mtime_ns = metadata.modified().map(nanoseconds).unwrap_or(0);
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Stamp {
                len: metadata.len(),
                mtime_ns,
                ctime_ns: metadata
                    .ctime()
                    .saturating_mul(1_000_000_000)
                    .saturating_add(metadata.ctime_nsec()),
                inode: metadata.ino(),
            }
        }
        #[cfg(not(unix))]
        Stamp {
            len: metadata.len(),
            mtime_ns,
            ctime_ns: 0,
            inode: 0,
        }
    }

    /// True when the file had rested for longer than any clock's tick at `now`, so that a later change
    /// must show in its times. A time in the future (a clock that differs, a network drive) never is.
    pub fn is_settled(&self, now: SystemTime) -> bool {
        let newest = self.mtime_ns.max(self.ctime_ns);
        let tick = i64::try_from(COARSEST_TICK.as_nanos()).unwrap_or(i64::MAX);
        newest.saturating_add(tick) < nanoseconds(now)
    }
}

fn nanoseconds(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |ns| -ns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // A file saved within the clock's tick can be saved again unseen: it must be read again.
    #[test]
    fn a_fresh_or_future_file_is_not_settled() {
        let at = |seconds: i64| Stamp {
            mtime_ns: seconds * 1_000_000_000,
            ..Stamp::default()
        };
        let now = UNIX_EPOCH + Duration::from_secs(1_000);
        assert!(at(990).is_settled(now));
        assert!(!at(999).is_settled(now));
        assert!(!at(998).is_settled(now));
        assert!(!at(2_000).is_settled(now));
        assert!(
            !Stamp {
                ctime_ns: 999_000_000_000,
                ..at(10)
            }
            .is_settled(now)
        );
    }
}
