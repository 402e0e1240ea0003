use super::sample::report;
use crate::view::{Family, View};
use serde_json::Value;

fn view(families: &str, max_items: Option<usize>) -> Value {
    let report = report();
    let selected = Family::parse_list(families).unwrap();
    let view = View {
        report: &report,
        selected: &selected,
        max_items,
    };
    serde_json::to_value(&view).unwrap()
}

/// "Not asked for", "none found" and "cut short" must never look alike.
#[test]
fn a_view_says_what_it_left_out() {
    let v = view("calls,scores", Some(2));
    assert_eq!(v["call_edges"].as_array().unwrap().len(), 2);
    assert!(v.get("entities").is_none() && v.get("dependencies").is_none());
    let declared = &v["view"];
    assert_eq!(declared["of"], v["snapshot_id"]);
    assert_eq!(declared["selected"], serde_json::json!(["calls", "scores"]));
    assert_eq!(
        declared["truncated"],
        serde_json::json!([{ "field": "call_edges", "kept": 2, "total": 4 }])
    );
    for always in ["skipped_files", "partial_analysis", "analyzer_provenance"] {
        assert!(v.get(always).is_some(), "{always}");
    }
}

/// With every family and no bound, a view holds each field the report holds:
/// a field added to the report and forgotten here would silently be missing.
#[test]
fn the_whole_view_is_the_whole_report() {
    let all: Vec<_> = Family::ALL.iter().map(|f| f.word()).collect();
    let mut v = view(&all.join(","), None);
    v.as_object_mut().unwrap().remove("view");
    assert_eq!(v, serde_json::to_value(report()).unwrap());
}

/// A misspelled family would otherwise give an empty view and no complaint.
#[test]
fn an_unknown_family_is_refused_with_those_there_are() {
    let refusal = Family::parse_list("entities,scored").unwrap_err();
    assert_eq!(refusal.reason, "invalid_request");
    assert!(refusal.message.contains("`scored`") && refusal.message.contains("reachability"));
}
