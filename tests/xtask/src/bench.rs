//! Paired measurements.

use crate::run::Result;

pub fn run(_args: &[String]) -> Result<()> {
    Err("cargo xtask bench: not built yet".to_string())
}
