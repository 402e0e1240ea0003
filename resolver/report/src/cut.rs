//! What a bounded answer left out, by name and count.

use serde::{Deserialize, Serialize};

/// A list that was cut.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cut {
    pub field: String,
    pub kept: usize,
    pub total: usize,
}

/// Cuts `rows` to `max` and says so in `cuts`.
pub(crate) fn cut<T>(field: &str, rows: &mut Vec<T>, max: Option<usize>, cuts: &mut Vec<Cut>) {
    let total = rows.len();
    let Some(max) = max.filter(|&max| max < total) else {
        return;
    };
    rows.truncate(max);
    cuts.push(Cut {
        field: field.to_owned(),
        kept: max,
        total,
    });
}
