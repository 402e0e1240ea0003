//! Paired measurements: hands its arguments to `tests/bench`.

use crate::run::{Result, attached, cargo};

pub fn run(args: &[String]) -> Result<()> {
    let mut command = cargo();
    command
        .args([
            "run",
            "--quiet",
            "--release",
            "--package",
            "surefoot-bench",
            "--",
        ])
        .args(args);
    attached(&mut command)
}
