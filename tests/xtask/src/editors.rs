//! Drives the real editors: installs them from package registries, puts Surefoot into them and runs `tests/editors`.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use crate::install;
use crate::run::{Result, attached, cargo, output, root};

const USAGE: &str = "\
cargo xtask editors [nvim | code] [FILE..]

  Installs Neovim and the workbench of VS Code into a cache outside the tree (SUREFOOT_EDITORS_CACHE), puts server and
  plugins into them and runs the tests of tests/editors: all of them, those of one editor, or the files named.
  SUREFOOT_CASE runs the cases of VS Code whose name contains it.
";

/// No test file may take longer: each of its conditions has a deadline of its own, this is for what they forgot.
const DEADLINE: Duration = Duration::from_secs(8 * 60);

pub fn run(args: &[String]) -> Result<()> {
    let (editor, files) = match args.split_first() {
        None => (None, &[][..]),
        Some((first, rest)) if first == "nvim" || first == "code" => (Some(first.as_str()), rest),
        Some(_) => return Err(format!("`editors` takes nvim or code first.\n\n{USAGE}")),
    };
    let tests = root().join("tests/editors");
    let cache = timed("editors", || setup(&tests, editor))?;
    let search = env::var_os("PATH").unwrap_or_default();
    let npm = install::find("npm", &search).ok_or("npm is not on the PATH")?;
    let house = tempfile::tempdir().map_err(|error| error.to_string())?;
    let house = house.path();
    let server = timed("server", || server(house))?;
    let mut failed = Vec::new();

    if editor != Some("code") {
        timed("install", || install_into(house, &cache, &search))?;
        for file in chosen(&tests.join("nvim"), "lua", files)? {
            let mut command = neovim(&cache, house, &tests, &server);
            command.arg("-c").arg(format!("luafile {}", file.display()));
            // A file that ends without a verdict has none.
            command.args(["-c", "cquit"]);
            let name = format!("nvim/{}", name_of(&file));
            failed.extend(timed(&name, || bounded(&mut command)).err());
        }
    }
    if editor != Some("nvim") {
        let vsix = timed("extension", || extension(&npm, &server))?;
        for file in chosen(&tests.join("vscode"), "mjs", files)? {
            let mut command = Command::new("node");
            command
                .arg(&file)
                .env("SUREFOOT_EDITORS_CACHE", &cache)
                .env("SUREFOOT_VSIX", &vsix)
                .env("SUREFOOT_SERVER", &server);
            let name = format!("vscode/{}", name_of(&file));
            failed.extend(timed(&name, || bounded(&mut command)).err());
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(failed.join("\n"))
    }
}

/// Runs the recipe, which skips what is there, and returns the folder it prints.
fn setup(tests: &Path, editor: Option<&str>) -> Result<PathBuf> {
    let parts: &[&str] = match editor {
        Some("nvim") => &["nvim", "rust"],
        Some("code") => &["code"],
        _ => &[],
    };
    let mut command = Command::new("bash");
    command.arg(tests.join("setup.sh")).args(parts);
    let said = output(&mut command)?;
    Ok(PathBuf::from(
        said.lines().last().unwrap_or_default().trim(),
    ))
}

/// The server under test: the one of SUREFOOT_SERVER, else this tree's, built as its tests are. A copy of it, so that a
/// build that runs meanwhile does not put another one under the tests.
fn server(house: &Path) -> Result<PathBuf> {
    let built = if let Some(server) = env::var_os("SUREFOOT_SERVER") {
        PathBuf::from(server)
    } else {
        attached(cargo().args(["build", "--quiet", "--package", "surefoot"]))?;
        let target =
            env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
        target.join(format!("debug/surefoot{}", env::consts::EXE_SUFFIX))
    };
    let copy = house.join(format!("surefoot{}", env::consts::EXE_SUFFIX));
    fs::copy(&built, &copy).map_err(|error| format!("{}: {error}", built.display()))?;
    Ok(copy)
}

/// The VSIX, after what can be checked without an editor.
fn extension(npm: &Path, server: &Path) -> Result<PathBuf> {
    let folder = root().join("vscode-extension");
    install::npm_packages(npm, &folder)?;
    for script in ["check", "test", "settings:check"] {
        let mut command = Command::new(npm);
        command
            .args(["run", "--silent", script])
            .current_dir(&folder)
            .env("SUREFOOT_SERVER", server);
        output(&mut command)?;
    }
    install::build_extension(npm, server)
}

/// Lets `cargo xtask install` do its work in a house of its own, in which Neovim and a code-server are found.
fn install_into(house: &Path, cache: &Path, search: &OsString) -> Result<()> {
    let failed = |error: std::io::Error| error.to_string();
    let programs = house.join("programs");
    fs::create_dir_all(&programs).map_err(failed)?;
    let extensions = house.join("extensions");
    let code_server = cache.join("code/node_modules/code-server");
    if code_server.is_dir() {
        let script = format!(
            "#!/bin/sh\nexec node '{}' --user-data-dir '{}' --extensions-dir '{}' \"$@\"\n",
            code_server.display(),
            house.join("user").display(),
            extensions.display(),
        );
        executable(&programs.join("code-server"), &script)?;
    }
    let mut folders = vec![programs, cache.join("nvim/bin")];
    folders.extend(env::split_paths(search));
    let path = env::join_paths(folders).map_err(|error| error.to_string())?;
    let mut command = Command::new(env::current_exe().map_err(failed)?);
    command
        .args(["install", "--dev"])
        .env("PATH", path)
        .env("CARGO_INSTALL_ROOT", house.join("cargo"))
        .envs(neovim_folders(house));
    let said = output(&mut command)?;
    for expected in ["server  ", "the plugin is linked at"] {
        if !said.contains(expected) {
            return Err(format!("`install` did not say \"{expected}\" but\n{said}"));
        }
    }
    let installed = fs::read_dir(&extensions).into_iter().flatten().flatten();
    let found = installed
        .map(|entry| entry.file_name())
        .any(|name| name.to_string_lossy().starts_with("surefoot.surefoot-"));
    if code_server.is_dir() && !found {
        return Err(format!(
            "`install` put no extension into code-server:\n{said}"
        ));
    }
    Ok(())
}

#[cfg(unix)]
fn executable(path: &Path, text: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, text)
        .and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(0o755)))
        .map_err(|error| error.to_string())
}

#[cfg(not(unix))]
fn executable(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|error| error.to_string())
}

/// Everything Neovim would keep in the user's home.
fn neovim_folders(house: &Path) -> impl Iterator<Item = (&'static str, PathBuf)> {
    [
        ("XDG_DATA_HOME", house.join("data")),
        ("XDG_CONFIG_HOME", house.join("config")),
        ("XDG_STATE_HOME", house.join("state")),
        ("XDG_CACHE_HOME", house.join("cache")),
    ]
    .into_iter()
}

/// A Neovim that finds the plugin where `install` has put it.
fn neovim(cache: &Path, house: &Path, tests: &Path, server: &Path) -> Command {
    let mut command = Command::new(cache.join("nvim/bin/nvim"));
    command
        .args(["--headless", "-n", "-u"])
        .arg(tests.join("nvim/init.lua"))
        .envs(neovim_folders(house))
        .env("SUREFOOT_TESTS", tests.join("nvim"))
        .env("SUREFOOT_FAKE", tests.join("fake/server.mjs"))
        .env("SUREFOOT_WORKSPACE", tests.join("workspace"))
        .env(
            "SUREFOOT_RUST_ANALYZER",
            cache.join("rust-analyzer/rust-analyzer"),
        )
        .env("SUREFOOT_SERVER", server);
    command
}

/// The test files of a folder: all but what they share, or those that were named.
fn chosen(folder: &Path, extension: &str, named: &[String]) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<_> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == extension))
        .filter(
            |path| match path.file_stem().and_then(|stem| stem.to_str()) {
                // What the tests share, and what makes a picture and is run by name alone.
                Some("init" | "support") | None => false,
                Some("screenshot") => named.iter().any(|name| name == "screenshot"),
                Some(stem) => named.is_empty() || named.iter().any(|name| name == stem),
            },
        )
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(format!("no such test in {}", folder.display()));
    }
    Ok(files)
}

/// Runs with this terminal, and not longer than the deadline.
fn bounded(command: &mut Command) -> Result<()> {
    let name = name_of(Path::new(command.get_program()));
    let mut child = command
        .spawn()
        .map_err(|error| format!("{name} does not start: {error}"))?;
    let end = Instant::now() + DEADLINE;
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("{name} ended with {status}")),
            Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(50)),
            Ok(None) => {
                stop(&mut child);
                return Err(format!("{name} was stopped after {} s", DEADLINE.as_secs()));
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// First politely, for it has children of its own to end.
fn stop(child: &mut Child) {
    let asked = Command::new("kill").arg(child.id().to_string()).status();
    let end = Instant::now() + Duration::from_secs(5);
    while asked.as_ref().is_ok_and(ExitStatus::success) && Instant::now() < end {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn timed<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let started = Instant::now();
    let done = work().map_err(|why| format!("{what}: {why}"));
    let outcome = if done.is_ok() { "done" } else { "FAILED" };
    println!(
        "{what}: {outcome} in {:.1} s",
        started.elapsed().as_secs_f64()
    );
    done
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str) -> String {
        fs::read_to_string(root().join("editors").join(file)).unwrap()
    }

    fn json(file: &str) -> serde_json::Value {
        serde_json::from_str(&read(file)).unwrap()
    }

    /// Snippets are pasted unread: a wrong word in one is a server that does not start and a user who gives up.
    #[test]
    fn the_snippets_of_other_editors_are_well_formed_and_start_the_server() {
        let helix: toml::Table = read("helix/languages.toml").parse().unwrap();
        let server = &helix["language-server"]["surefoot"];
        assert_eq!(server["command"].as_str(), Some("surefoot"));
        assert_eq!(server["args"].as_array().unwrap()[0].as_str(), Some("lsp"));
        for language in helix["language"].as_array().unwrap() {
            let servers = language["language-servers"].as_array().unwrap();
            assert!(servers.len() > 1, "{language} loses the server it had");
        }

        let sublime = &json("sublime/LSP.sublime-settings")["clients"]["surefoot"];
        assert_eq!(sublime["command"], serde_json::json!(["surefoot", "lsp"]));

        let zed = json("zed/settings.json");
        for (language, of) in zed["languages"].as_object().unwrap() {
            let servers = of["language_servers"].as_array().unwrap();
            assert!(servers.contains(&"surefoot".into()), "{language}");
        }
        let extension: toml::Table = read("zed/extension.toml").parse().unwrap();
        assert_eq!(
            extension["version"].as_str(),
            Some(env!("CARGO_PKG_VERSION"))
        );
        assert!(read("zed/src/surefoot.rs").contains(r#"args: vec!["lsp".to_owned()]"#));

        assert!(read("emacs/surefoot.el").contains(r#"'("surefoot" "lsp")"#));
    }

    /// The settings in snippets are of the server's own table, or they do nothing.
    #[test]
    fn the_snippets_name_settings_that_exist() {
        let manifest = fs::read_to_string(root().join("vscode-extension/package.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        let known = manifest["contributes"]["configuration"]["properties"]
            .as_object()
            .unwrap();
        let sublime = json("sublime/LSP.sublime-settings");
        let zed = json("zed/settings.json");
        for settings in [
            &sublime["clients"]["surefoot"]["initializationOptions"]["settings"],
            &zed["lsp"]["surefoot"]["settings"],
        ] {
            for key in settings.as_object().unwrap().keys() {
                assert!(known.contains_key(&format!("surefoot.{key}")), "{key}");
            }
        }
    }
}
