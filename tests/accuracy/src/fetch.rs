//! Brings pinned projects from package registries into the cache, through each registry's ordinary client.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::cache::Cache;
use crate::projects::{JudgeKind, Project, Registry};
use crate::{Context, Result, run};

/// The version of the checker that judges TypeScript and JavaScript.
pub const TYPESCRIPT: &str = "5.9.3";
/// The versions of the two that judge Python, and of jedi's parser.
pub const PYRIGHT: &str = "1.1.414";
pub const JEDI: &str = "0.20.1";
/// The versions of the language servers that are asked and judge nothing.
pub const TYPESCRIPT_SERVER: &str = "5.3.0";
pub const BASEDPYRIGHT: &str = "1.40.1";
pub const TY: &str = "0.0.108";
pub const PARSO: &str = "0.8.7";

/// Makes sure the project stands in the cache; a fetched one is not fetched again.
pub fn project(cache: &Cache, project: &Project) -> Result<PathBuf> {
    let home = cache.project(project)?;
    let stamp = home.join("fetched");
    if fs::read_to_string(&stamp).is_ok_and(|s| s == stamp_text(project)) {
        return Ok(home);
    }
    if home.exists() {
        fs::remove_dir_all(&home).context(home.display())?;
    }
    fs::create_dir_all(&home).context(home.display())?;
    eprintln!("fetching {} {}", project.package, project.version);
    match project.registry {
        Registry::Crates => from_crates(&home, project)?,
        Registry::Npm => from_npm(&home, project)?,
        Registry::Pypi => from_pypi(&home, project)?,
    }
    if project.judge == JudgeKind::Thir {
        build_copy(cache, project)?;
    }
    fs::write(&stamp, stamp_text(project)).context(stamp.display())?;
    Ok(home)
}

fn stamp_text(project: &Project) -> String {
    format!(
        "{} {}\n{:?}\n",
        project.package, project.digest, project.with
    )
}

fn refuse_other_digest(project: &Project, found: &str) -> Result<()> {
    if found == project.digest {
        return Ok(());
    }
    Err(format!(
        "{} {} has the digest {found}, but projects.toml pins {}: nothing was kept",
        project.package, project.version, project.digest
    ))
}

/// A manifest that depends on nothing else is resolved and downloaded by cargo, which checks the digest it locked.
fn from_crates(home: &Path, project: &Project) -> Result<()> {
    let pin = home.join("pin");
    fs::create_dir_all(pin.join("src")).context(pin.display())?;
    fs::write(pin.join("src/lib.rs"), "").context(pin.display())?;
    let manifest = format!(
        "[package]\nname = \"pin\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n[dependencies]\n\"{}\" = \"={}\"\n",
        project.package, project.version
    );
    fs::write(pin.join("Cargo.toml"), manifest).context(pin.display())?;
    run::output(cargo().arg("fetch").current_dir(&pin))?;

    let lock: toml::Table =
        toml::from_str(&fs::read_to_string(pin.join("Cargo.lock")).context("Cargo.lock")?)
            .context("Cargo.lock")?;
    let locked = lock
        .get("package")
        .and_then(|p| p.as_array())
        .into_iter()
        .flatten()
        .find(|p| p.get("name").and_then(|n| n.as_str()) == Some(&project.package));
    let digest = locked
        .and_then(|p| p.get("checksum"))
        .and_then(|c| c.as_str())
        .unwrap_or("none");
    refuse_other_digest(project, digest)?;

    copy_tree(&unpacked(project)?, &home.join("tree"))
}

/// Where cargo unpacked the crate it just checked. `cargo metadata` would say, but not of a crate without a library.
fn unpacked(project: &Project) -> Result<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::var_os("HOME").map(|h| Path::new(&h).join(".cargo")));
    let sources = home
        .ok_or("neither CARGO_HOME nor HOME is set")?
        .join("registry/src");
    let name = format!("{}-{}", project.package, project.version);
    for registry in fs::read_dir(&sources).context(sources.display())? {
        let folder = registry.context(sources.display())?.path().join(&name);
        if folder.is_dir() {
            return Ok(folder);
        }
    }
    Err(format!(
        "cargo fetched {name}, but it is not below {}",
        sources.display()
    ))
}

/// Cargo on the installed toolchain: a project's own toolchain file must not make anything download another.
fn cargo() -> Command {
    let mut command = Command::new("cargo");
    command
        .env("RUSTUP_AUTO_INSTALL", "0")
        .env("CARGO_TERM_COLOR", "never");
    command
}

fn from_npm(home: &Path, project: &Project) -> Result<()> {
    let spec = format!("{}@{}", project.package, project.version);
    let out = run::output(
        Command::new("npm")
            .args(["pack", "--json", "--silent", &spec])
            .current_dir(home),
    )?;
    let packed: Value = serde_json::from_slice(&out.stdout).context("npm pack")?;
    // One entry: a list in npm up to 11, keyed by package name in some versions after it.
    let entry = packed
        .get(0)
        .or_else(|| packed.as_object().and_then(|o| o.values().next()));
    let entry = entry.ok_or("npm pack named no file")?;
    refuse_other_digest(project, entry["integrity"].as_str().unwrap_or("none"))?;
    let file = entry["filename"].as_str().ok_or("npm pack named no file")?;
    unpack(home, file)?;

    let manifest = fs::read_to_string(home.join("tree/package.json")).context("package.json")?;
    let manifest: Value = serde_json::from_str(&manifest).context("package.json")?;
    let mut dependencies = manifest["dependencies"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    for (name, version) in &project.with {
        dependencies.insert(name.clone(), Value::String(version.clone()));
    }
    // Beside the package, not in it: the analysed folder stays what the registry shipped.
    let beside = json!({ "name": "beside", "private": true, "dependencies": dependencies });
    fs::write(home.join("package.json"), beside.to_string()).context("package.json")?;
    npm_install(home)
}

fn npm_install(folder: &Path) -> Result<()> {
    let mut npm = Command::new("npm");
    npm.args([
        "install",
        "--silent",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--legacy-peer-deps",
    ]);
    run::output(npm.current_dir(folder)).map(drop)
}

fn from_pypi(home: &Path, project: &Project) -> Result<()> {
    sdist(home, &project.package, &project.version, &project.digest)?;
    // Beside the package, not in it: the analysed folder stays what the registry shipped.
    let beside = project.with.iter().map(|(n, v)| format!("{n}=={v}"));
    let beside: Vec<_> = beside.collect();
    if beside.is_empty() {
        return Ok(());
    }
    pip_install(&home.join("site"), &beside)
}

/// A source distribution, unpacked into `tree`. pip runs its build backend for the metadata; what is kept is what the
/// archive holds.
pub fn sdist(home: &Path, package: &str, version: &str, digest: &str) -> Result<()> {
    let requirement = format!("{package}=={version} --hash=sha256:{digest}\n");
    fs::write(home.join("requirements.txt"), requirement).context("requirements.txt")?;
    let mut pip = pip("download");
    pip.args(["--no-deps", "--no-binary", ":all:", "--require-hashes"]);
    pip.args(["-r", "requirements.txt", "-d", "sdist"]);
    run::output(pip.current_dir(home))?;
    let file = fs::read_dir(home.join("sdist"))
        .context("sdist")?
        .next()
        .ok_or("pip downloaded nothing")?;
    let file = file.context("sdist")?.path();
    unpack(home, &file.to_string_lossy())
}

fn pip(task: &str) -> Command {
    let mut pip = Command::new("pip");
    pip.args([task, "--quiet", "--disable-pip-version-check"]);
    pip
}

/// Installs exactly these, without what they depend on, into a folder for `PYTHONPATH`.
fn pip_install(folder: &Path, pinned: &[String]) -> Result<()> {
    let mut pip = pip("install");
    pip.args(["--root-user-action=ignore", "--no-deps", "--target"]);
    run::output(pip.arg(folder).args(pinned)).map(drop)
}

/// An interpreter that sees nothing the machine has installed.
pub fn interpreter(cache: &Cache) -> Result<PathBuf> {
    let home = cache.tools()?.join("python");
    let python = home.join("bin/python");
    if !python.exists() {
        let mut venv = Command::new("python3");
        run::output(venv.args(["-m", "venv", "--without-pip"]).arg(&home))?;
    }
    Ok(python)
}

/// The folder that holds jedi, installed on first use.
pub fn jedi(cache: &Cache) -> Result<PathBuf> {
    let home = cache.tools()?.join(format!("jedi-{JEDI}"));
    if !home.join("jedi").exists() {
        pip_install(&home, &[format!("jedi=={JEDI}"), format!("parso=={PARSO}")])?;
    }
    Ok(home)
}

/// The package folder of pyright, installed on first use.
pub fn pyright(cache: &Cache) -> Result<PathBuf> {
    npm_tool(cache, "pyright", PYRIGHT)
}

/// Unpacks a tarball whose one top folder becomes `tree`.
fn unpack(home: &Path, file: &str) -> Result<()> {
    let tree = home.join("tree");
    fs::create_dir_all(&tree).context(tree.display())?;
    run::output(
        Command::new("tar")
            .args(["xf", file, "--strip-components=1", "-C", "tree"])
            .current_dir(home),
    )
    .map(drop)
}

/// A crate's copy to build: no dev-dependencies (they may not resolve any more), no lock file made with them, and a
/// workspace of its own, so that a cache inside another workspace does no harm.
fn build_copy(cache: &Cache, project: &Project) -> Result<()> {
    let build = cache.build(project)?;
    if build.exists() {
        fs::remove_dir_all(&build).context(build.display())?;
    }
    copy_tree(&cache.package(project)?, &build)?;
    let path = build.join("Cargo.toml");
    let mut manifest: toml::Table =
        toml::from_str(&fs::read_to_string(&path).context(path.display())?)
            .context(path.display())?;
    for key in ["dev-dependencies", "test", "bench", "example", "workspace"] {
        manifest.remove(key);
    }
    if let Some(targets) = manifest.get_mut("target").and_then(|t| t.as_table_mut()) {
        for (_, target) in targets.iter_mut() {
            if let Some(t) = target.as_table_mut() {
                t.remove("dev-dependencies");
            }
        }
    }
    manifest.insert("workspace".into(), toml::Value::Table(toml::Table::new()));
    fs::write(&path, manifest.to_string()).context(path.display())?;
    let lock = build.join("Cargo.lock");
    // A program's lock file still serves: cargo drops the entries that nothing needs any more.
    if project.bin.is_none() && lock.exists() {
        fs::remove_file(&lock).context(lock.display())?;
    }
    Ok(())
}

/// The installed checker's package folder, installed on first use.
pub fn typescript(cache: &Cache) -> Result<PathBuf> {
    npm_tool(cache, "typescript", TYPESCRIPT)
}

/// The package folder of TypeScript's language server, installed on first use. The compiler is the judge's.
pub fn typescript_server(cache: &Cache) -> Result<PathBuf> {
    npm_tool(cache, "typescript-language-server", TYPESCRIPT_SERVER)
}

/// The package folder of basedpyright, installed on first use.
pub fn basedpyright(cache: &Cache) -> Result<PathBuf> {
    npm_tool(cache, "basedpyright", BASEDPYRIGHT)
}

/// The folder whose `bin` holds ty, installed on first use.
pub fn ty(cache: &Cache) -> Result<PathBuf> {
    let home = cache.tools()?.join(format!("ty-{TY}"));
    if !home.join("bin/ty").exists() {
        pip_install(&home, &[format!("ty=={TY}")])?;
    }
    Ok(home)
}

fn npm_tool(cache: &Cache, name: &str, version: &str) -> Result<PathBuf> {
    let home = cache.tools()?.join(format!("{name}-{version}"));
    let package = home.join("node_modules").join(name);
    if !package.join("package.json").exists() {
        fs::create_dir_all(&home).context(home.display())?;
        let manifest =
            json!({ "name": "judge", "private": true, "dependencies": { name: version } });
        fs::write(home.join("package.json"), manifest.to_string()).context(home.display())?;
        npm_install(&home)?;
    }
    Ok(package)
}

pub fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).context(to.display())?;
    for entry in fs::read_dir(from).context(from.display())? {
        let entry = entry.context(from.display())?;
        let kind = entry.file_type().context(from.display())?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if kind.is_dir() {
            copy_tree(&source, &target)?;
        } else if kind.is_file() {
            fs::copy(&source, &target).context(source.display())?;
        }
    }
    Ok(())
}
