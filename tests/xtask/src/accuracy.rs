//! Compares edges with compilers on pinned projects: hands its arguments to `tests/accuracy`.

use crate::run::{Result, attached, cargo};

pub fn run(args: &[String]) -> Result<()> {
    // Optimised: what is measured is whole projects.
    let mut command = cargo();
    command
        .args([
            "run",
            "--quiet",
            "--release",
            "--package",
            "surefoot-accuracy",
            "--",
        ])
        .args(args);
    attached(&mut command)
}
