//! Lays out the folder of a new language.

use crate::run::Result;

pub fn run(_args: &[String]) -> Result<()> {
    Err("cargo xtask new-lang: not built yet".to_string())
}
