//! From an analysed root to its report, and back: what the command line and the editor both do.

use surefoot_engine::{Cancel, Languages};
use surefoot_facts::{LanguageId, ManifestFacts};
use surefoot_files::{Presence, RelPath, Root, WalkOptions};
use surefoot_report::model::{
    ConfigInput, ConfigSelection, Configuration, Provenance, ResolverUse, SkippedFile,
};
use surefoot_report::verify::{Found, Stopped, Tree};
use surefoot_report::{Digest, Inputs, Refusal, Report, Sorted, Text};
use surefoot_session::{Options, Progress, RootSession, Session, Watch};

/// Which variant of each metric is counted.
const METRICS: &[&str] = &["cyclomatic/v1", "cognitive/1.7"];

/// The name under which reports are signed.
const ANALYZER: &str = "surefoot";

/// The report of a root that was read from disk just now. Open editors have no part in it.
/// `resolvers` are the language servers whose answers are in its graph.
pub fn report(root: &RootSession, options: &Options, resolvers: Vec<ResolverUse>) -> Report {
    let languages = root.snapshot().languages();
    let (config_inputs, config_selections) = configuration_used(root);
    let skipped = root.skipped().into_iter().map(|s| SkippedFile {
        path: s.path.into(),
        reason_code: s.code.as_str().into(),
        reason: s.reason,
    });
    let inputs = Inputs {
        provenance: Provenance {
            resolvers,
            ..provenance(languages, options)
        },
        config_inputs,
        config_selections,
        skipped_files: skipped.collect(),
    };
    surefoot_report::build(&root.snapshot(), inputs)
}

/// What this build writes into a report of these options.
pub fn provenance(languages: Languages, options: &Options) -> Provenance {
    let walk = &options.walk;
    let mut names: Vec<Text> = options
        .languages
        .iter()
        .map(|&id| languages.name(id).into())
        .collect();
    names.sort_unstable();
    names.dedup();
    let grammars = languages.0.iter().map(|l| {
        let (grammar, version) = l.grammar();
        (Text::from(l.name()), format!("{grammar} {version}").into())
    });
    Provenance {
        name: ANALYZER.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        build: env!("SUREFOOT_BUILD").into(),
        grammars: Sorted::new(grammars.collect()),
        metrics: METRICS.iter().map(|&m| m.into()).collect(),
        configuration: Configuration {
            languages: names,
            max_file_size: walk.max_file_bytes,
            max_total_bytes: walk.max_total_bytes,
            max_file_count: walk.max_files as u64,
            cross_filesystem: walk.cross_filesystem,
            bind_unique_names: options.bind_unique_names,
        },
        resolvers: Vec::new(),
    }
}

/// The languages that names mean; `unknown_language_filter` for one that is none.
pub fn language_ids(
    languages: Languages,
    names: &[impl AsRef<str>],
) -> Result<Vec<LanguageId>, Refusal> {
    let mut out = Vec::new();
    for name in names {
        let wanted = name.as_ref().trim().to_ascii_lowercase();
        let found = languages.0.iter().find(|l| l.name() == wanted);
        let found = found.ok_or_else(|| {
            let known: Vec<&str> = languages.0.iter().map(|l| l.name()).collect();
            let message = format!(
                "There is no language `{wanted}`. There are: {}.",
                known.join(", ")
            );
            Refusal::new("unknown_language_filter", message)
        })?;
        out.push(found.id());
    }
    out.sort_unstable();
    out.dedup();
    Ok(out)
}

/// The configuration that decided how names resolve, and the places where one had to be absent.
fn configuration_used(root: &RootSession) -> (Vec<ConfigInput>, Vec<ConfigSelection>) {
    let mut inputs = Vec::new();
    let mut selections: Vec<ConfigSelection> = Vec::new();
    for input in root.config_inputs() {
        // What lies outside the root has no name in a report; it is unreadable, and said to be.
        if RelPath::new(&input.path).is_err() {
            continue;
        }
        let folder = input.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let selection = match selections.iter().position(|s| &*s.context == folder) {
            Some(at) => &mut selections[at],
            None => {
                selections.push(ConfigSelection {
                    context: folder.into(),
                    candidates: Vec::new(),
                    selected: Vec::new(),
                });
                let last = selections.len() - 1;
                &mut selections[last]
            }
        };
        match (&input.facts, input.digest) {
            (Some(facts), Some(digest)) => {
                selection.selected.push(input.path.clone().into());
                inputs.push(ConfigInput {
                    path: input.path.clone().into(),
                    kind: kind_of(&input.path, facts).into(),
                    digest: Digest(digest.0),
                });
            }
            _ if !input.present => selection.candidates.push(input.path.clone().into()),
            // A folder or file whose content nobody asked for; a fresh walk sees it the same way.
            _ => {}
        }
    }
    selections.retain(|s| !s.candidates.is_empty());
    (inputs, selections)
}

fn kind_of(path: &str, facts: &ManifestFacts) -> &'static str {
    match facts {
        ManifestFacts::Cargo { .. } => "cargo",
        ManifestFacts::TsConfig { .. } if path.ends_with("jsconfig.json") => "js_config",
        ManifestFacts::TsConfig { .. } if path.ends_with("tsconfig.json") => "ts_config",
        ManifestFacts::TsConfig { .. } => "extended",
        ManifestFacts::Surefoot { .. } => "settings",
        ManifestFacts::Package { .. } => "package",
        ManifestFacts::Workspace { .. } => "workspace",
        ManifestFacts::Python { .. } => "python",
        ManifestFacts::Unreadable(_) => "unreadable",
    }
}

/// A tree on disk, for verification: every file is read, nothing kept from before is believed.
pub struct DiskTree<'a> {
    root: Root,
    threads: usize,
    tell: &'a (dyn Fn(Progress) + Sync),
    cancel: &'a Cancel,
}

impl<'a> DiskTree<'a> {
    pub fn new(
        root: Root,
        threads: usize,
        tell: &'a (dyn Fn(Progress) + Sync),
        cancel: &'a Cancel,
    ) -> DiskTree<'a> {
        DiskTree {
            root,
            threads,
            tell,
            cancel,
        }
    }
}

impl Tree for DiskTree<'_> {
    fn hash(&mut self, path: &str, max: u64) -> Found {
        hash(&self.root, path, max)
    }

    fn is_absent(&mut self, path: &str) -> bool {
        let rel = RelPath::new(path);
        rel.is_ok_and(|rel| surefoot_files::exists(&self.root, &rel) == Presence::Absent)
    }

    fn replay(&mut self, configuration: &Configuration) -> Result<Report, Stopped> {
        let refused = |refusal: surefoot_files::Refusal| match refusal.code {
            "workload_too_large" => stopped(&refusal.message, configuration),
            code => Stopped::Refused(Refusal::new(code, refusal.message)),
        };
        let folder = self.root.real().to_path_buf();
        let languages = |session: &Session| {
            let root = session.root(0);
            root.map_or_else(Languages::default, |r| r.snapshot().languages())
        };
        let bare = Session::open(&[&folder], Options::default()).map_err(refused)?;
        let wanted = language_ids(languages(&bare), &configuration.languages)
            .map_err(|refusal| Stopped::Refused(Refusal::new("invalid_report", refusal.message)))?;
        let options = Options {
            walk: WalkOptions {
                max_file_bytes: configuration.max_file_size,
                max_files: usize::try_from(configuration.max_file_count).unwrap_or(usize::MAX),
                max_total_bytes: configuration.max_total_bytes,
                cross_filesystem: configuration.cross_filesystem,
                ..WalkOptions::default()
            },
            threads: self.threads,
            languages: wanted,
            bind_unique_names: configuration.bind_unique_names,
            keep: None,
        };
        let mut session = Session::open(&[&folder], options.clone()).map_err(refused)?;
        let watch = Watch {
            tell: self.tell,
            cancel: self.cancel,
        };
        let Some(root) = session.root_mut(0) else {
            return Err(Stopped::Refused(Refusal::new(
                "invalid_root",
                "The folder is gone.",
            )));
        };
        root.analyze(watch).map_err(refused)?;
        Ok(report(root, &options, Vec::new()))
    }
}

/// Reads and hashes one file of a root, at most `max` bytes of it.
pub fn hash(root: &Root, path: &str, max: u64) -> Found {
    let Ok(rel) = RelPath::new(path) else {
        return Found::Unreadable("no path inside a tree".to_owned());
    };
    let read = match surefoot_files::read(root, &rel, max) {
        Err(skip) if skip.code != surefoot_files::ReasonCode::FileTooLarge => {
            if surefoot_files::exists(root, &rel) == Presence::Absent {
                return Found::Missing;
            }
            surefoot_files::read_through_links(root, &rel, max)
        }
        read => read,
    };
    match read {
        Ok(file) => Found::Bytes(Digest(file.digest.0), file.stamp.len),
        Err(skip) if skip.code == surefoot_files::ReasonCode::FileTooLarge => Found::TooLarge,
        Err(skip) => Found::Unreadable(skip.reason),
    }
}

/// Which of the options' ceilings a walk met.
fn stopped(message: &str, configuration: &Configuration) -> Stopped {
    let files = format!("more than {} source files", configuration.max_file_count);
    if message.contains(&files) {
        Stopped::Files
    } else {
        Stopped::Bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_engine::REPORT_THRESHOLD;

    // A number in the editor and the same number in a report must be one number: the report works
    // its own out from its edges, the editor's come from the graph.
    #[test]
    fn the_numbers_of_the_report_are_those_of_the_editor() {
        let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../resolver/files");
        let options = Options::default();
        let mut session = Session::open(&[own], options.clone()).unwrap();
        let cancel = Cancel::new();
        session.analyze(Watch::quiet(&cancel)).unwrap();
        let root = session.root(0).unwrap();
        let (report, snapshot) = (report(root, &options, Vec::new()), root.snapshot());
        let metrics = snapshot.metrics();

        let mut compared = 0;
        for file in snapshot.files() {
            for id in snapshot.symbols_of(file.id) {
                let info = snapshot.symbol_info(id).unwrap();
                // A field may bear the name of a method, and is no entity.
                if !info.kind.is_callable() {
                    continue;
                }
                let Some(stated) = report.metrics_by_entity.get(&info.qualified) else {
                    continue;
                };
                let m = metrics.of(id);
                assert_eq!(
                    (stated.fan_in, stated.fan_out, stated.depth),
                    (m.fan_in, m.fan_out, m.depth),
                    "{}",
                    info.qualified
                );
                let cyclomatic = info.complexity.map(|c| c.cyclomatic);
                assert_eq!(
                    stated.cyclomatic_complexity, cyclomatic,
                    "{}",
                    info.qualified
                );
                compared += usize::from(m.fan_in > 0);
            }
        }
        assert!(compared > 100, "{compared} compared");
        let listed = metrics.hotspots(&snapshot, REPORT_THRESHOLD);
        let scores: Vec<u64> = listed.iter().map(|h| h.score).collect();
        let stated: Vec<u64> = report.hotspots.iter().map(|h| h.score.0).collect();
        assert_eq!(scores, stated);
    }
}
