//! Drives the real editors.

use crate::run::Result;

pub fn run(_args: &[String]) -> Result<()> {
    Err("cargo xtask editors: not built yet".to_string())
}
