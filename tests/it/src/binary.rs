//! Finds the program under test, and builds it when it is not there or old.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The path of `surefoot`, of the same profile as this test. `SUREFOOT_BIN` names another one.
///
/// Cargo does not build another package's binary for a test, so it is asked to, once per process.
pub fn surefoot() -> &'static Path {
    static PATH: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let path = PATH.get_or_init(|| match std::env::var_os("SUREFOOT_BIN") {
        Some(path) => Ok(path.into()),
        None => build("surefoot", "surefoot"),
    });
    path.as_ref()
        .unwrap_or_else(|why| panic!("the program under test does not build:\n{why}"))
}

/// Where the program under test keeps facts: beside the build, not where the user's are.
pub fn cache() -> PathBuf {
    let own = std::env::current_exe().expect("a test knows its own path");
    own.with_file_name("it-cache")
}

/// The path of the language server that does what a test says.
pub fn fake_server() -> &'static Path {
    static PATH: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let path = PATH.get_or_init(|| build("surefoot-bridge", "fake-server"));
    path.as_ref()
        .unwrap_or_else(|why| panic!("the fake server does not build:\n{why}"))
}

fn build(package: &str, binary: &str) -> Result<PathBuf, String> {
    // target/<profile>/deps/it-<hash>
    let own = std::env::current_exe().expect("a test knows its own path");
    let folder = own
        .parent()
        .and_then(Path::parent)
        .expect("a test lies in target/<profile>/deps");
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(profile) => profile,
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let out = Command::new(cargo)
        .args([
            "build",
            "--quiet",
            "--package",
            package,
            "--bin",
            binary,
            "--profile",
            profile,
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    if !out.status.success() {
        // Warnings come first and are somebody else's.
        let said = String::from_utf8_lossy(&out.stderr);
        let from = said.find("error").unwrap_or(0);
        return Err(said[from..].to_owned());
    }
    Ok(folder.join(format!("{binary}{}", std::env::consts::EXE_SUFFIX)))
}
