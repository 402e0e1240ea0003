//! Runs two other tools on the same trees and keeps their answers, in the adapters' schema.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cache::{self, Cache};
use crate::projects::Project;
use crate::{Context, Result, fetch, run};

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Peer {
    Cgg,
    Codegraph,
}

impl Peer {
    pub const ALL: [Peer; 2] = [Peer::Cgg, Peer::Codegraph];

    pub fn name(self) -> &'static str {
        match self {
            Peer::Cgg => "cgg",
            Peer::Codegraph => "codegraph",
        }
    }

    pub fn version(self) -> &'static str {
        match self {
            Peer::Cgg => "0.11.2",
            Peer::Codegraph => "1.6.1",
        }
    }

    fn adapter(self) -> PathBuf {
        cache::here().join("peers").join(match self {
            Peer::Cgg => "from_cgg.py",
            Peer::Codegraph => "from_codegraph.py",
        })
    }
}

/// The file of a peer's answers: the kept one, unless its adapter changed or it is to be made again.
pub fn answers(cache: &Cache, peer: Peer, project: &Project, again: bool) -> Result<PathBuf> {
    if !again && let Some(path) = kept(cache, peer, project)? {
        return Ok(path);
    }
    let path = cache.peer(peer.name(), project)?;
    fetch::project(cache, project)?;
    let analysed = cache.analysed(project)?;
    eprintln!(
        "running {} {} on {}",
        peer.name(),
        peer.version(),
        project.id
    );
    let said = match peer {
        Peer::Cgg => cgg(cache, peer, project, &analysed, &path)?,
        Peer::Codegraph => codegraph(cache, peer, project, &analysed, &path)?,
    };
    eprint!("{said}");
    let key_path = path.with_extension("key");
    fs::write(&key_path, key(peer, project)?).context(key_path.display())?;
    Ok(path)
}

/// The answers of an earlier run, where they are of this version and project.
pub fn kept(cache: &Cache, peer: Peer, project: &Project) -> Result<Option<PathBuf>> {
    let path = cache.peer(peer.name(), project)?;
    let key = key(peer, project)?;
    let same = fs::read_to_string(path.with_extension("key")).is_ok_and(|k| k == key);
    Ok((same && path.exists()).then_some(path))
}

fn key(peer: Peer, project: &Project) -> Result<String> {
    let adapter = fs::read(peer.adapter()).context(peer.adapter().display())?;
    Ok(format!(
        "{} {} {}",
        peer.version(),
        project.digest,
        blake3::hash(&adapter).to_hex()
    ))
}

fn cgg(
    cache: &Cache,
    peer: Peer,
    project: &Project,
    analysed: &Path,
    out: &Path,
) -> Result<String> {
    let home = cache.tools()?.join(format!("cgg-{}", peer.version()));
    if !home.join("cgg").exists() {
        let mut pip = Command::new("pip");
        pip.args([
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--root-user-action=ignore",
            "--target",
        ]);
        run::output(
            pip.arg(&home)
                .arg(format!("cgg-callgraphgenerator=={}", peer.version())),
        )?;
    }
    let mut python = Command::new("python3");
    python
        .env("PYTHONPATH", &home)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    python
        .arg(peer.adapter())
        .arg(analysed)
        .arg(language(project));
    run::to_file(&mut python, out)
}

/// The language's name as cgg spells it.
fn language(project: &Project) -> &str {
    if project.language == "tsx" {
        "typescript"
    } else {
        &project.language
    }
}

/// codegraph writes its database into the tree it reads, so it gets a copy.
fn codegraph(
    cache: &Cache,
    peer: Peer,
    project: &Project,
    analysed: &Path,
    out: &Path,
) -> Result<String> {
    let home = cache.tools()?.join(format!("codegraph-{}", peer.version()));
    let binary = home.join("node_modules/.bin/codegraph");
    if !binary.exists() {
        fs::create_dir_all(&home).context(home.display())?;
        fs::write(
            home.join("package.json"),
            "{\"name\":\"peer\",\"private\":true}",
        )
        .context(home.display())?;
        let mut npm = Command::new("npm");
        npm.args([
            "install",
            "--silent",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
        ]);
        run::output(
            npm.arg(format!("@colbymchenry/codegraph@{}", peer.version()))
                .current_dir(&home),
        )?;
    }
    let copy = cache.tools()?.join("codegraph-work").join(project.slug());
    if copy.exists() {
        fs::remove_dir_all(&copy).context(copy.display())?;
    }
    fetch::copy_tree(analysed, &copy)?;
    let mut index = Command::new(&binary);
    quiet(&mut index, &home);
    run::output(index.arg("init").arg(&copy).current_dir(&copy))?;
    let mut python = Command::new("python3");
    python
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(peer.adapter())
        .arg(&copy);
    run::to_file(&mut python, out)
}

/// The off-switches its documentation names: no telemetry, no update check, nothing left running behind.
fn quiet(command: &mut Command, home: &Path) {
    for name in [
        "DO_NOT_TRACK",
        "CODEGRAPH_NO_UPDATE_CHECK",
        "CODEGRAPH_NO_DAEMON",
        "CODEGRAPH_NO_WATCH",
    ] {
        command.env(name, "1");
    }
    command.env("CODEGRAPH_TELEMETRY", "0").env("HOME", home);
}
