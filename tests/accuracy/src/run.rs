//! Runs other programs and says in full what failed.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::{Context, Result};

fn described(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for arg in command.get_args() {
        text.push(' ');
        text.push_str(&arg.to_string_lossy());
    }
    text
}

fn checked(command: &Command, output: Output) -> Result<Output> {
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    // The end of what it said is where the reason stands.
    let skip = said.chars().count().saturating_sub(4_000);
    let tail: String = said.chars().skip(skip).collect();
    Err(format!(
        "`{}` ended with {}\n{}",
        described(command),
        output.status,
        tail.trim_end()
    ))
}

/// Runs to the end and returns what it printed.
pub fn output(command: &mut Command) -> Result<Output> {
    let done = command
        .stdin(Stdio::null())
        .output()
        .context(format_args!("start `{}`", described(command)))?;
    checked(command, done)
}

/// Runs with standard output going to a file, which appears only when the run succeeds. Returns standard error.
pub fn to_file(command: &mut Command, path: &Path) -> Result<String> {
    let partial = path.with_extension("partial");
    let file = std::fs::File::create(&partial).context(partial.display())?;
    let done = command
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(Stdio::piped())
        .output()
        .context(format_args!("start `{}`", described(command)))?;
    let done = checked(command, done)?;
    std::fs::rename(&partial, path).context(path.display())?;
    Ok(String::from_utf8_lossy(&done.stderr).into_owned())
}
