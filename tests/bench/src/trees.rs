//! The pinned trees, brought from package registries through each registry's ordinary client.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;

/// One tree: what is measured, and where it comes from.
pub struct Tree {
    pub id: &'static str,
    pub what: &'static str,
    source: Source,
    /// Below what was fetched; empty: all of it.
    part: &'static str,
}

enum Source {
    /// Crates of one version, side by side; cargo checks their digests against its lock file.
    Crates(&'static str, &'static [&'static str]),
    /// A source package; apt checks the signature of the list that names its digest.
    Debian(&'static str, &'static str),
    /// An sdist with its SHA-256.
    Pypi(&'static str, &'static str, &'static str),
}

const TYPESCRIPT: Source = Source::Debian("node-typescript", "4.8.4+ds1-2");

pub const TREES: &[Tree] = &[
    Tree {
        id: "rust250",
        what: "six crates of rust-analyzer",
        source: Source::Crates(
            "0.0.352",
            &[
                "ra_ap_hir_ty",
                "ra_ap_hir_def",
                "ra_ap_hir_expand",
                "ra_ap_ide",
                "ra_ap_syntax",
                "ra_ap_parser",
            ],
        ),
        part: "",
    },
    Tree {
        id: "ts345",
        what: "the sources of TypeScript 4.8.4",
        source: TYPESCRIPT,
        part: "src",
    },
    Tree {
        id: "ts1500",
        what: "all of TypeScript 4.8.4, its tests included",
        source: TYPESCRIPT,
        part: "",
    },
    Tree {
        id: "py490",
        what: "Django 5.2.19",
        source: Source::Pypi(
            "Django",
            "5.2.19",
            "ad03d8abc51dbff95ebf34b27123cf0c26a3b62db7ba0cd520783686362533d1",
        ),
        part: "",
    },
];

/// Where trees are kept: `given`, else below the build's own folder.
pub fn cache(given: Option<&Path>) -> Result<PathBuf> {
    let ours = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench/trees");
    let folder = given.map_or_else(ours, Path::to_path_buf);
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    fs::canonicalize(&folder).map_err(|e| format!("{}: {e}", folder.display()))
}

pub fn fetch_all(given: Option<&Path>) -> Result<()> {
    let cache = cache(given)?;
    for tree in TREES {
        match tree.fetch(&cache) {
            Ok(folder) => println!("{:8} {:45} {}", tree.id, tree.what, folder.display()),
            Err(why) => println!("{:8} {:45} not there: {why}", tree.id, tree.what),
        }
    }
    Ok(())
}

impl Tree {
    /// The folder of the tree, fetched when it is not there yet.
    pub fn fetch(&self, cache: &Path) -> Result<PathBuf> {
        let home = cache.join(self.source.name());
        if !home.is_dir() {
            let fresh = cache.join(format!("{}.partial", self.source.name()));
            if fresh.exists() {
                fs::remove_dir_all(&fresh).map_err(|e| format!("{}: {e}", fresh.display()))?;
            }
            make(&fresh)?;
            eprintln!("fetching {}", self.source.name());
            self.source.fetch(&fresh)?;
            fs::rename(&fresh, &home).map_err(|e| format!("{}: {e}", home.display()))?;
        }
        Ok(home.join("tree").join(self.part))
    }
}

fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

fn run(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let out = command.output().map_err(|e| format!("{name}: {e}"))?;
    if out.status.success() {
        return Ok(String::from_utf8_lossy(&out.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&out.stderr);
    let last: Vec<&str> = said.lines().rev().take(3).collect();
    Err(format!("{name} failed: {}", last.join(" | ")))
}

impl Source {
    fn name(&self) -> String {
        match self {
            Source::Crates(version, list) => format!("{}-{version}", list[0]),
            Source::Debian(package, version) | Source::Pypi(package, version, _) => {
                format!("{package}-{version}")
            }
        }
    }

    /// Puts the tree at `home/tree`.
    fn fetch(&self, home: &Path) -> Result<()> {
        let tree = home.join("tree");
        make(&tree)?;
        match self {
            Source::Crates(version, list) => crates(home, &tree, version, list),
            Source::Debian(package, version) => debian(home, &tree, package, version),
            Source::Pypi(package, version, digest) => pypi(home, &tree, package, version, digest),
        }
    }
}

/// Cargo fetches what a manifest of nothing depends on, and says where it unpacked it.
fn crates(home: &Path, tree: &Path, version: &str, list: &[&str]) -> Result<()> {
    let pin = home.join("pin");
    make(&pin.join("src"))?;
    let mut manifest =
        "[package]\nname = \"pin\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n"
            .to_owned();
    for name in list {
        manifest.push_str(&format!("{name} = \"={version}\"\n"));
    }
    let write = |path: PathBuf, text: &str| {
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
    };
    write(pin.join("src/lib.rs"), "")?;
    write(pin.join("Cargo.toml"), &manifest)?;
    let mut cargo = Command::new("cargo");
    let args = ["metadata", "--format-version", "1", "--quiet"];
    let said = run(cargo.args(args).current_dir(&pin))?;
    let said: serde_json::Value =
        serde_json::from_str(&said).map_err(|e| format!("cargo metadata: {e}"))?;
    for name in list {
        let mut packages = said["packages"].as_array().into_iter().flatten();
        let found = packages.find(|p| p["name"] == **name);
        let manifest = found.and_then(|p| p["manifest_path"].as_str());
        let manifest = manifest.ok_or_else(|| format!("cargo metadata does not name {name}"))?;
        let from = Path::new(manifest).parent().unwrap_or(Path::new("."));
        run(Command::new("cp").arg("-r").arg(from).arg(tree.join(name)))?;
    }
    Ok(())
}

/// `apt-get source` with the machine's own sources, asked for source packages as well.
fn debian(home: &Path, tree: &Path, package: &str, version: &str) -> Result<()> {
    let lists = home.join("apt");
    make(&lists.join("sources"))?;
    make(&lists.join("lists/partial"))?;
    make(&lists.join("cache/archives/partial"))?;
    for entry in fs::read_dir("/etc/apt/sources.list.d")
        .into_iter()
        .flatten()
        .flatten()
    {
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        let text = text
            .replace("Types: deb\n", "Types: deb-src\n")
            .replace("\ndeb ", "\ndeb-src ");
        // Other people's archives have no sources.
        if entry.file_name().to_string_lossy().starts_with("debian") {
            let to = lists.join("sources").join(entry.file_name());
            fs::write(&to, text).map_err(|e| format!("{}: {e}", to.display()))?;
        }
    }
    let option = |name: &str, path: PathBuf| format!("{name}={}", path.display());
    let options = [
        "Dir::Etc::SourceList=/dev/null".to_owned(),
        option("Dir::Etc::SourceParts", lists.join("sources")),
        option("Dir::State::Lists", lists.join("lists")),
        option("Dir::Cache", lists.join("cache")),
        "APT::Sandbox::User=root".to_owned(),
    ];
    let apt = || {
        let mut apt = Command::new("apt-get");
        for option in &options {
            apt.arg("-o").arg(option);
        }
        apt.current_dir(home);
        apt
    };
    run(apt().args(["update", "--quiet"]))?;
    run(apt()
        .args(["source", "--quiet", "--download-only"])
        .arg(format!("{package}={version}")))?;
    let files = fs::read_dir(home).map_err(|e| e.to_string())?.flatten();
    let origin = files
        .map(|f| f.path())
        .find(|f| f.to_string_lossy().contains(".orig.tar"))
        .ok_or("apt-get brought no source archive")?;
    unpack(&origin, tree)
}

fn pypi(home: &Path, tree: &Path, package: &str, version: &str, digest: &str) -> Result<()> {
    let pinned = home.join("requirements.txt");
    let text = format!("{package}=={version} --hash=sha256:{digest}\n");
    fs::write(&pinned, text).map_err(|e| format!("{}: {e}", pinned.display()))?;
    let mut pip = Command::new("pip");
    pip.args([
        "download",
        "--quiet",
        "--no-deps",
        "--no-binary",
        ":all:",
        "--require-hashes",
    ]);
    pip.args(["-r", "requirements.txt", "-d", "sdist"])
        .current_dir(home);
    run(&mut pip)?;
    let mut files = fs::read_dir(home.join("sdist"))
        .map_err(|e| e.to_string())?
        .flatten();
    let file = files.next().ok_or("pip brought nothing")?;
    unpack(&file.path(), tree)
}

fn unpack(archive: &Path, tree: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.arg("xf")
        .arg(archive)
        .args(["--strip-components=1", "-C"])
        .arg(tree);
    run(&mut tar).map(drop)
}
