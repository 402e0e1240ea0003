//! Checks a judge against marks in a small source tree: what it must say of each shape is written beside the shape.
//!
//! `//# label` names the definition on its line. `//~ name CLASS label.. @caller` says of the call named so on its
//! line which class it has, which definitions are accepted, all of them, and in which function it stands (`@module`
//! for module code); Python writes `##` and `#~`. Marks on one line are parted by commas. Every named call must be marked and every mark met.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::truth::{Place, Truth};
use crate::{Context, Result};

#[derive(Debug)]
struct Mark {
    file: String,
    line: u32,
    name: String,
    class: String,
    labels: Vec<String>,
    callers: Vec<String>,
}

/// What differs between marks and truth, one line each; empty when they agree.
pub fn differences(root: &Path, files: &[&str], truth: &Truth) -> Result<Vec<String>> {
    let mut labels: BTreeMap<String, Place> = BTreeMap::new();
    let mut marks = Vec::new();
    for file in files {
        let path = root.join(file);
        let text = fs::read_to_string(&path).context(path.display())?;
        for (n, line) in (1..).zip(text.lines()) {
            read_line(file, n, line, &mut labels, &mut marks);
        }
    }
    let mut wrong = Vec::new();
    let mut met = vec![false; marks.len()];
    for site in truth.sites.iter().filter(|s| s.counts()) {
        let at = format!("{}:{} {}", site.file, site.line, site.name);
        let mark = (0..marks.len()).find(|&i| {
            !met[i]
                && marks[i].file == site.file
                && marks[i].line == site.line
                && marks[i].name == site.name
        });
        let Some(i) = mark else {
            wrong.push(format!("{at}: judged {:?}, not marked", site.class));
            continue;
        };
        met[i] = true;
        let mark = &marks[i];
        let class = format!("{:?}", site.class).to_uppercase();
        if class != mark.class {
            wrong.push(format!(
                "{at}: marked {}, judged {class} ({})",
                mark.class, site.callee
            ));
        }
        let mut expected = Vec::new();
        for label in &mark.labels {
            match labels.get(label) {
                Some(place) => expected.push(place.clone()),
                None => wrong.push(format!("{at}: nothing is labelled {label}")),
            }
        }
        let mut found = site.targets.clone();
        expected.sort();
        found.sort();
        // A value's holder may be listed; it is no definition, so marks do not name it.
        if expected != found && class != "IND" {
            wrong.push(format!("{at}: marked {expected:?}, judged {found:?}"));
        }
        let caller = if site.caller.module {
            "module"
        } else {
            site.caller.name.as_str()
        };
        let mut callers = vec![crate::truth::simple_name(caller)];
        callers.extend(
            site.caller
                .also
                .iter()
                .map(|c| crate::truth::simple_name(&c.name)),
        );
        if !mark.callers.is_empty() && mark.callers != callers {
            wrong.push(format!(
                "{at}: marked in {:?}, judged in {callers:?}",
                mark.callers
            ));
        }
    }
    for (mark, _) in marks.iter().zip(&met).filter(|(_, met)| !**met) {
        wrong.push(format!(
            "{}:{} {}: marked {}, not judged",
            mark.file, mark.line, mark.name, mark.class
        ));
    }
    Ok(wrong)
}

fn read_line(
    file: &str,
    line: u32,
    text: &str,
    labels: &mut BTreeMap<String, Place>,
    marks: &mut Vec<Mark>,
) {
    if let Some((_, rest)) = text.split_once("//# ").or_else(|| text.split_once("## "))
        && let Some(label) = rest.split_whitespace().next()
    {
        labels.insert(label.to_owned(), Place(file.to_owned(), line));
    }
    let opened = ["//~ ", "/*~ ", "#~ "];
    let Some((_, rest)) = opened.iter().find_map(|o| text.split_once(o)) else {
        return;
    };
    for mark in rest.split("*/").next().unwrap_or_default().split(',') {
        let mut words = mark.split_whitespace();
        let (Some(name), Some(class)) = (words.next(), words.next()) else {
            continue;
        };
        let (mut labels, mut callers) = (Vec::new(), Vec::new());
        for word in words {
            match word.strip_prefix('@') {
                Some(caller) => callers.push(caller.to_owned()),
                None if callers.is_empty() => labels.push(word.to_owned()),
                None => callers.push(word.to_owned()),
            }
        }
        marks.push(Mark {
            file: file.to_owned(),
            line,
            name: name.to_owned(),
            class: class.to_owned(),
            labels,
            callers,
        });
    }
}
