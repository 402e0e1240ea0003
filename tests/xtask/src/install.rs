//! Puts the server and the plugins into the editors found on this machine, and says what it found and did.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{Result, attached, cargo, output, root};

const USAGE: &str = "\
cargo xtask install [--dev]

  Builds the server with optimisation (--dev: without) and puts it where `cargo install` puts programs, the extension
  into VS Code, VSCodium and code-server, and the plugin into Neovim's data folder, whichever is found on the PATH.
";

/// Programs that take an extension with `--install-extension`.
const CODES: &[&str] = &["code", "code-insiders", "codium", "code-server"];

pub fn run(args: &[String]) -> Result<()> {
    let dev = match args {
        [] => false,
        [flag] if flag == "--dev" => true,
        _ => return Err(format!("`install` takes at most --dev.\n\n{USAGE}")),
    };
    let search = env::var_os("PATH").unwrap_or_default();
    let server = install_server(dev)?;
    say("server", &format!("{} is installed", server.display()));
    if !on_path(&server, &search) {
        say(
            "",
            "its folder is not on the PATH: Neovim will not find it until it is",
        );
    }

    let mut failed = Vec::new();
    let codes: Vec<_> = CODES
        .iter()
        .filter_map(|name| find(name, &search))
        .collect();
    if codes.is_empty() {
        say(
            "VS Code",
            &format!("not found: none of {} is on the PATH", CODES.join(", ")),
        );
    } else if let Some(npm) = find("npm", &search) {
        let vsix = build_extension(&npm, &server)?;
        for code in &codes {
            let name = name_of(code);
            let done = output(
                Command::new(code)
                    .arg("--install-extension")
                    .arg(&vsix)
                    .arg("--force"),
            );
            match done {
                Ok(_) => say(
                    "VS Code",
                    &format!("the extension is installed into {name}"),
                ),
                Err(why) => failed.push(format!("{name}: {why}")),
            }
        }
    } else {
        failed.push(format!(
            "{} is here, but the extension is built with npm, which is not on the PATH",
            name_of(&codes[0])
        ));
    }

    match find("nvim", &search) {
        None => say("Neovim", "not found: nvim is not on the PATH"),
        Some(nvim) => match install_plugin(&nvim) {
            Ok(place) => {
                say(
                    "Neovim",
                    &format!("the plugin is linked at {}", place.display()),
                );
                say("", "put this into init.lua: vim.lsp.enable('surefoot')");
            }
            Err(why) => failed.push(format!("Neovim: {why}")),
        },
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(failed.join("\n"))
    }
}

fn say(what: &str, line: &str) {
    println!("{what:>8}  {line}");
}

/// Builds and installs in one step: cargo builds a path of this workspace in its own target folder.
fn install_server(dev: bool) -> Result<PathBuf> {
    let mut command = cargo();
    command.args([
        "install", "--quiet", "--locked", "--force", "--path", "server",
    ]);
    if dev {
        command.arg("--debug");
    }
    attached(&mut command)?;
    let folder = ["CARGO_INSTALL_ROOT", "CARGO_HOME"]
        .iter()
        .find_map(env::var_os)
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")))
        .ok_or("there is no home folder")?;
    let server = folder
        .join("bin")
        .join(format!("surefoot{}", env::consts::EXE_SUFFIX));
    if server.is_file() {
        Ok(server)
    } else {
        Err(format!(
            "cargo installed the server, but not as {}",
            server.display()
        ))
    }
}

/// The VSIX with this server inside.
pub fn build_extension(npm: &Path, server: &Path) -> Result<PathBuf> {
    let folder = root().join("vscode-extension");
    npm_packages(npm, &folder)?;
    let mut package = Command::new(npm);
    package
        .args(["run", "--silent", "package"])
        .current_dir(&folder)
        .env("SUREFOOT_SERVER", server);
    let said = output(&mut package)?;
    let path = said.lines().last().unwrap_or_default().trim();
    Ok(PathBuf::from(path))
}

/// Runs `npm ci` when the packages are not those of the lock file.
pub fn npm_packages(npm: &Path, folder: &Path) -> Result<()> {
    let modified = |path: PathBuf| fs::metadata(path).and_then(|meta| meta.modified()).ok();
    let installed = modified(folder.join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= modified(folder.join("package-lock.json")) {
        return Ok(());
    }
    output(Command::new(npm).arg("ci").current_dir(folder)).map(drop)
}

fn install_plugin(nvim: &Path) -> Result<PathBuf> {
    let version = output(Command::new(nvim).arg("--version"))?;
    if !new_enough(&version) {
        let first = version.lines().next().unwrap_or_default();
        return Err(format!(
            "the plugin needs 0.11 or newer, and this is {first}"
        ));
    }
    let data = output(Command::new(nvim).args([
        "--headless",
        "--clean",
        "-c",
        "lua io.stdout:write(vim.fn.stdpath('data'))",
        "-c",
        "quit",
    ]))?;
    let place = Path::new(data.trim()).join("site/pack/surefoot/start/surefoot");
    link_plugin(&root().join("editors/nvim"), &place)?;
    let documentation = place.join("doc");
    output(
        Command::new(nvim)
            .args(["--headless", "--clean", "-c"])
            .arg(format!("helptags {}", documentation.display()))
            .args(["-c", "quit"]),
    )?;
    Ok(place)
}

/// `NVIM v0.11.4` and newer.
fn new_enough(version: &str) -> bool {
    let Some(numbers) = version.strip_prefix("NVIM v") else {
        return false;
    };
    let mut numbers = numbers
        .split(|c: char| !c.is_ascii_digit())
        .map(|number| number.parse::<u32>().unwrap_or(0));
    (numbers.next(), numbers.next()) >= (Some(0), Some(11))
}

/// Links the plugin's folder at `place`. What stands there is replaced only when it is a plugin of ours.
fn link_plugin(plugin: &Path, place: &Path) -> Result<()> {
    let failed = |error: std::io::Error| format!("{}: {error}", place.display());
    match fs::symlink_metadata(place) {
        Err(_) => {}
        Ok(meta) if meta.is_symlink() => fs::remove_file(place).map_err(failed)?,
        Ok(_) if place.join("plugin/surefoot.lua").is_file() => {
            fs::remove_dir_all(place).map_err(failed)?;
        }
        Ok(_) => {
            return Err(format!(
                "{} is there already and is not Surefoot's: move it away first",
                place.display()
            ));
        }
    }
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    link(plugin, place).map_err(failed)
}

/// A link follows the next `git pull`; where links are a privilege, a copy.
#[cfg(unix)]
fn link(from: &Path, to: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(not(unix))]
fn link(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            link(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The program of this name in the folders of a PATH.
pub fn find(name: &str, search: &OsStr) -> Option<PathBuf> {
    let suffixes: &[&str] = if cfg!(windows) {
        &[".exe", ".cmd", ".bat"]
    } else {
        &[""]
    };
    env::split_paths(search)
        .filter(|folder| !folder.as_os_str().is_empty())
        .flat_map(|folder| {
            suffixes
                .iter()
                .map(move |suffix| folder.join(format!("{name}{suffix}")))
        })
        .find(|path| path.is_file())
}

fn on_path(program: &Path, search: &OsStr) -> bool {
    env::split_paths(search).any(|folder| Some(folder.as_path()) == program.parent())
}

fn name_of(program: &Path) -> String {
    let name = program.file_stem().unwrap_or(program.as_os_str());
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An editor too old for the plugin must be refused by its own words, which have nightly suffixes.
    #[test]
    fn neovim_is_new_enough_from_0_11_on() {
        for (version, fits) in [
            ("NVIM v0.11.4\nBuild type", true),
            ("NVIM v0.12.0-dev-1+gabc", true),
            ("NVIM v1.0.0", true),
            ("NVIM v0.10.4", false),
            ("Vim 9.1", false),
        ] {
            assert_eq!(new_enough(version), fits, "{version}");
        }
    }

    /// Installing again must work, and must never delete what is not ours.
    #[cfg(unix)]
    #[test]
    fn a_plugin_of_ours_is_replaced_and_nothing_else() {
        let scratch = tempfile::tempdir().unwrap();
        let plugin = scratch.path().join("nvim");
        fs::create_dir_all(plugin.join("plugin")).unwrap();
        fs::write(plugin.join("plugin/surefoot.lua"), "").unwrap();
        let place = scratch.path().join("site/pack/surefoot/start/surefoot");
        link_plugin(&plugin, &place).unwrap();
        link_plugin(&plugin, &place).unwrap();
        assert!(place.join("plugin/surefoot.lua").is_file());

        fs::remove_file(&place).unwrap();
        fs::create_dir_all(place.join("plugin")).unwrap();
        fs::write(place.join("plugin/surefoot.lua"), "an old copy").unwrap();
        link_plugin(&plugin, &place).unwrap();
        assert!(fs::symlink_metadata(&place).unwrap().is_symlink());
        assert!(plugin.join("plugin/surefoot.lua").is_file());

        fs::remove_file(&place).unwrap();
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("mine.lua"), "").unwrap();
        let refused = link_plugin(&plugin, &place).unwrap_err();
        assert!(refused.contains("is not Surefoot's"), "{refused}");
        assert!(place.join("mine.lua").is_file());
    }

    /// The three parts that meet at run time compare their versions, so they must leave this house with one.
    #[test]
    fn server_extension_and_plugin_have_one_version() {
        let version = env!("CARGO_PKG_VERSION");
        let extension = fs::read_to_string(root().join("vscode-extension/package.json")).unwrap();
        let extension: serde_json::Value = serde_json::from_str(&extension).unwrap();
        assert_eq!(extension["version"], version);
        let plugin =
            fs::read_to_string(root().join("editors/nvim/lua/surefoot/version.lua")).unwrap();
        assert!(plugin.contains(&format!("return '{version}'")), "{plugin}");
    }
}
