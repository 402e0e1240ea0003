//! Facts kept between runs, for answers; a report and `verify` read every file anew.

use surefoot_session::{Keep, hash_bytes};

/// Under the user's cache folder, seen by this very build alone.
pub fn facts() -> Keep {
    Keep {
        build: hash_bytes(env!("SUREFOOT_BUILD").as_bytes()),
        folder: None,
    }
}
