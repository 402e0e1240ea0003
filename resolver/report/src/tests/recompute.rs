use super::sample::{document, report};
use crate::{Limits, check, parse};

/// Each number must follow from the document alone, by hand too: a wrong
/// formula that builds and checks alike would otherwise never show.
#[test]
fn the_numbers_of_the_sample_by_hand() {
    let report = report();
    let m = |key: &str| {
        let m = report.metrics_by_entity.get(key).unwrap();
        (m.fan_in, m.fan_out, m.depth)
    };
    // Two calls of one overload are one edge, and the other overload is another.
    assert_eq!(m("a.rs::main"), (0, 2, 0));
    assert_eq!(m("b.rs::twin@2"), (1, 0, 1));
    assert_eq!(m("b.rs::twin@8"), (1, 0, 1));
    // 2 × 35 + 12 × 40 = 550; 40 × 40 = 1600.
    let hotspots: Vec<_> = report
        .hotspots
        .iter()
        .map(|h| (&*h.entity, h.score.0))
        .collect();
    assert_eq!(hotspots, [("b.rs::checks", 1600), ("a.rs::main", 550)]);
    assert_eq!(report.dependency_cycles, [["a.rs".into(), "b.rs".into()]]);
    let reached: Vec<_> = report.reachable_from_entry.iter().map(|k| &**k).collect();
    assert_eq!(reached, ["a.rs::main", "b.rs::twin@2", "b.rs::twin@8"]);
    assert_eq!(report.doc_coverage.unwrap().0, 750_000);
    // The test is neither documented production code nor counted complexity.
    assert_eq!(report.production.entities, 3);
    assert_eq!(report.production.doc_coverage.unwrap().0, 666_667);
    // 12/40 × 0.5 + min(1/3 ÷ 0.05, 1) × 0.5
    assert_eq!(report.production.risk_index.complexity.0, 650_000);
    assert_eq!(report.risk_index.complexity.0, 1_000_000);
    assert!(report.is_complete);
}

/// A report is written and read without loss, or verification would blame the tree.
#[test]
fn written_and_read_back_is_the_same() {
    let report = report();
    let text = document(&report);
    assert_eq!(parse(text.as_bytes(), &Limits::default()), Ok(report));
    assert!(!text.contains(": "), "no byte is spent on spaces");
}

/// The promise of the document: alter one digit of a derived number, and the
/// rest of the report contradicts it.
#[test]
fn one_altered_digit_of_a_derived_number_shows() {
    let report = report();
    assert_eq!(check(&report, 10), []);
    let text = document(&report);
    let start = text.find("\"metrics_by_entity\"").unwrap();
    let end = text.find("\"file_hashes\"").unwrap();
    let digits = (start..end).filter(|&i| text.as_bytes()[i].is_ascii_digit());
    let (mut altered, mut unread) = (0, 0);
    for at in digits {
        let digit = text.as_bytes()[at] - b'0';
        let other = if digit == 9 { 8 } else { digit + 1 };
        let mut copy = text.clone().into_bytes();
        copy[at] = b'0' + other;
        // Digits of names and measured complexity follow from the source, not from the report.
        let before = &text[..at];
        let label = before.rfind('"').map_or("", |q| {
            let word = &before[..q];
            &before[word.rfind('"').map_or(0, |s| s + 1)..q]
        });
        let inside_name = before.matches('"').count() % 2 == 1;
        let in_metrics = before.rfind("\"hotspots\"").is_none();
        let measured =
            in_metrics && matches!(label, "cyclomatic_complexity" | "cognitive_complexity");
        match parse(&copy, &Limits::default()) {
            Ok(copy) if measured && check(&copy, 1).is_empty() => unread += 1,
            Ok(copy) => {
                let found = check(&copy, 10);
                assert!(!found.is_empty(), "digit {at} of {label} ({inside_name})");
                altered += 1;
            }
            Err(_) => altered += 1,
        }
    }
    assert!(altered > 60, "{altered} digits altered");
    // Only what is measured from the source may be altered unseen here; `verify` runs it again.
    assert!(unread <= 8, "{unread}");
}
