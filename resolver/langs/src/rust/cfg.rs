//! Conditional compilation, by a stated convention: the default features of the
//! package, on a 64-bit Linux, without tests.

use surefoot_facts::{ManifestFacts, PathReader};

/// What a predicate asks that the compiler itself does not say.
pub(super) enum Key<'p> {
    Feature(&'p str),
    /// A bare name, which a flag or a build script may set.
    Name,
    /// A macro that puts what it is given under a condition of its own.
    Macro(&'p str),
}

/// Answers a key; `None`: nothing says.
pub(super) type Asked<'a> = &'a dyn Fn(Key<'_>) -> Option<bool>;

/// Whether a `cfg` predicate holds by that convention; `None` for what it does
/// not speak of.
pub(super) fn holds(predicate: &str, asked: Asked<'_>) -> Option<bool> {
    holds_at(predicate.trim(), asked, 0)
}

fn holds_at(p: &str, asked: Asked<'_>, depth: u8) -> Option<bool> {
    if depth > 16 || p.is_empty() {
        return None;
    }
    let inside = |word: &str| {
        let rest = p.strip_prefix(word)?.trim_start().strip_prefix('(')?;
        rest.trim_end().strip_suffix(')')
    };
    let each = |list: &str| -> Vec<Option<bool>> {
        parts(list).map(|p| holds_at(p, asked, depth + 1)).collect()
    };
    if let Some(list) = inside("all") {
        let all = each(list);
        return match all.contains(&Some(false)) {
            true => Some(false),
            false => all.iter().all(|h| *h == Some(true)).then_some(true),
        };
    }
    if let Some(list) = inside("any") {
        let all = each(list);
        return match all.contains(&Some(true)) {
            true => Some(true),
            false => all.iter().all(|h| *h == Some(false)).then_some(false),
        };
    }
    if let Some(one) = inside("not") {
        return holds_at(one.trim().trim_end_matches(','), asked, depth + 1).map(|h| !h);
    }
    let (key, value) = match p.split_once('=') {
        Some((k, v)) => (k.trim(), Some(v.trim().trim_matches('"'))),
        None => (p, None),
    };
    match (key, value) {
        ("feature", Some(name)) => asked(Key::Feature(name)),
        ("unix" | "debug_assertions" | "panic_unwind", None) => Some(true),
        ("windows" | "test" | "doc" | "doctest" | "docsrs" | "miri" | "fuzzing" | "loom", None) => {
            Some(false)
        }
        ("target_os", Some(v)) => Some(v == "linux"),
        ("target_family", Some(v)) => Some(v == "unix"),
        ("target_pointer_width", Some(v)) => Some(v == "64"),
        ("target_endian", Some(v)) => Some(v == "little"),
        ("target_arch", Some(v)) => Some(v == "x86_64"),
        ("target_env", Some(v)) => Some(v == "gnu"),
        ("panic", Some(v)) => Some(v == "unwind"),
        ("target_has_atomic", _) => Some(true),
        (name, None) => match name.strip_suffix('!') {
            Some(name) => asked(Key::Macro(name)),
            None => asked(Key::Name),
        },
        _ => None,
    }
}

/// The parts of a list, split at the commas of its own level.
fn parts(list: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut quoted) = (0u32, false);
    list.split(move |c: char| {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => return true,
            _ => {}
        }
        false
    })
    .map(str::trim)
    .filter(|p| !p.is_empty())
}

/// Features by name, each with those it turns on.
type Features = Vec<(String, Vec<String>)>;

/// The folder of the package a file belongs to, and its features.
fn package(reader: &dyn PathReader, path: &str) -> Option<(String, Features)> {
    let mut folder = path;
    loop {
        folder = folder.rsplit_once('/').map_or("", |(up, _)| up);
        match reader
            .manifest(&super::rules::join(folder, NAME))
            .as_deref()
        {
            Some(ManifestFacts::Cargo {
                package: Some(_),
                features,
                ..
            }) => return Some((folder.to_owned(), features.clone())),
            _ if folder.is_empty() => return None,
            _ => {}
        }
    }
}

const NAME: &str = "Cargo.toml";

/// Whether a feature of the package that `path` belongs to is on: by default, or
/// because the settings of the tree say so.
pub(super) fn feature(reader: &dyn PathReader, path: &str, name: &str) -> Option<bool> {
    let (_, features) = package(reader, path)?;
    let mut on = vec!["default".to_owned()];
    if let Some(ManifestFacts::Surefoot { features, .. }) =
        reader.manifest(crate::manifest::SETTINGS).as_deref()
    {
        on.extend(features.iter().cloned());
    }
    let mut at = 0;
    while let Some(feature) = on.get(at).cloned() {
        at += 1;
        for more in features
            .iter()
            .find(|(n, _)| *n == feature)
            .map_or(&[][..], |(_, l)| l)
        {
            // `dep:x` and `x?/y` turn on no feature of this package.
            if more.starts_with("dep:") || more.contains("?/") {
                continue;
            }
            let more = more.split('/').next().unwrap_or(more).to_owned();
            if !on.contains(&more) {
                on.push(more);
            }
        }
    }
    // A feature the package does not declare is never on.
    Some(on.iter().any(|f| f == name))
}

/// Whether nothing in the package that `path` belongs to can set a name of its
/// own: it has no build script.
pub(super) fn set_by_nobody(reader: &dyn PathReader, path: &str) -> bool {
    let Some((folder, _)) = package(reader, path) else {
        return false;
    };
    let manifest = reader.manifest(&super::rules::join(&folder, NAME));
    let written = matches!(
        manifest.as_deref(),
        Some(ManifestFacts::Cargo { build: true, .. })
    );
    !written && !reader.exists(&super::rules::join(&folder, "build.rs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The twin that is compiled must be chosen by the package's defaults; a
    /// predicate that nothing speaks of must stay open.
    #[test]
    fn predicates_are_read_as_the_compiler_reads_them() {
        let asked = |key: Key<'_>| match key {
            Key::Feature(f) => Some(f == "std"),
            Key::Name => None,
            Key::Macro(m) => Some(m == "cfg_rt"),
        };
        let check = |p: &str| holds(p, &asked);
        assert_eq!(check(r#"feature = "std""#), Some(true));
        assert_eq!(check(r#"not(feature="alloc")"#), Some(true));
        assert_eq!(check(r#"all(unix, feature = "std")"#), Some(true));
        assert_eq!(check(r#"any(windows, feature = "alloc")"#), Some(false));
        assert_eq!(
            check(r#"all(feature = "std", not(any(test, windows)))"#),
            Some(true)
        );
        assert_eq!(check("all(cfg_rt!, not(cfg_net!))"), Some(true));
        assert_eq!(check("anyhow_no_backtrace"), None);
        assert_eq!(check("all(windows, anyhow_no_backtrace)"), Some(false));
    }
}
