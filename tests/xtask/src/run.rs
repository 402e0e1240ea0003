//! Starts other programs from the root of the repository and says in full what failed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An error is a sentence for the person at the terminal.
pub type Result<T> = std::result::Result<T, String>;

/// The root of the repository, wherever cargo was called.
pub fn root() -> PathBuf {
    // tests/xtask -> tests -> root
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap_or(Path::new("."))
        .to_path_buf()
}

/// The cargo that runs this chore.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs to the end and returns what it printed.
pub fn output(command: &mut Command) -> Result<String> {
    let shown = shown(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("`{shown}` does not start: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "`{shown}` ended with {}\n{}",
            output.status,
            said.trim_end()
        ));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("`{shown}` printed no UTF-8"))
}

/// Runs to the end with this terminal as its own.
pub fn attached(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    let status = command
        .status()
        .map_err(|error| format!("`{shown}` does not start: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{shown}` ended with {status}"))
    }
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program())
        .file_name()
        .unwrap_or(command.get_program());
    let mut text = program.to_string_lossy().into_owned();
    for arg in command.get_args() {
        text.push(' ');
        text.push_str(&arg.to_string_lossy());
    }
    text
}
