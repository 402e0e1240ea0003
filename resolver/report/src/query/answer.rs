//! What every answer says of itself, and how much of it is given at once.

use crate::cut::Cut;
use crate::refusal::Refusal;
use crate::text::Digest;
use serde::Serialize;
use serde_json::{Map, Value};

/// How much of an answer is wanted.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The most rows of the list.
    pub max_items: Option<usize>,
    /// About this many tokens of a language model, four bytes each: rows are given while they fit.
    pub tokens: Option<usize>,
    /// Where an earlier answer to the same question stopped.
    pub cursor: Option<String>,
}

/// How far an answer holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Limits {
    /// Nothing was cut, nothing was unplaced, and the analysis behind it was whole.
    pub complete: bool,
    /// The counts are floors: a call that was not placed, or a file that was not read, may add to them.
    pub floor: bool,
    /// Calls that were not placed and are spelled like something in this answer.
    pub unresolved_candidates: usize,
    /// Targets the analysis lists as possible and never counts.
    pub possible: usize,
    /// The analysis skipped files or stopped a stage early.
    pub snapshot_incomplete: bool,
    pub truncated: Vec<Truncated>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Truncated {
    #[serde(flatten)]
    pub cut: Cut,
    /// Give it back to go on from here; absent at the end of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// The snapshot an answer is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Of {
    pub id: Digest,
    /// The analysis left nothing out.
    pub complete: bool,
}

/// An answer before it is cut: a head, and one list that may be long.
pub(super) struct Draft {
    pub question: &'static str,
    pub head: Map<String, Value>,
    pub list: &'static str,
    pub rows: Vec<Value>,
    pub unresolved_candidates: usize,
    pub possible: usize,
}

const BYTES_PER_TOKEN: usize = 4;
/// What the fields around the list take, in bytes.
const FRAME: usize = 480;

impl Draft {
    pub fn finish(self, of: &Of, budget: &Budget) -> Result<Value, Refusal> {
        let total = self.rows.len();
        let from = match &budget.cursor {
            Some(cursor) => start(cursor, self.question, of, total)?,
            None => 0,
        };
        let mut left = budget.tokens.map_or(usize::MAX, |tokens| {
            let head = Value::Object(self.head.clone()).to_string().len();
            tokens
                .saturating_mul(BYTES_PER_TOKEN)
                .saturating_sub(head + FRAME)
        });
        let mut rows = Vec::new();
        for row in self.rows.into_iter().skip(from) {
            if budget.max_items.is_some_and(|max| rows.len() >= max) {
                break;
            }
            if budget.tokens.is_some() {
                let size = row.to_string().len() + 1;
                // One row goes out whatever it takes, or no cursor would ever end.
                if size > left && !rows.is_empty() {
                    break;
                }
                left = left.saturating_sub(size);
            }
            rows.push(row);
        }
        let end = from + rows.len();
        let truncated: Vec<Truncated> = (from > 0 || end < total)
            .then(|| Truncated {
                cut: Cut {
                    field: self.list.to_owned(),
                    kept: rows.len(),
                    total,
                },
                cursor: (end < total).then(|| cursor(self.question, of, end)),
            })
            .into_iter()
            .collect();
        let floor = self.unresolved_candidates > 0 || !of.complete;
        let limits = Limits {
            complete: truncated.is_empty() && !floor,
            floor,
            unresolved_candidates: self.unresolved_candidates,
            possible: self.possible,
            snapshot_incomplete: !of.complete,
            truncated,
        };
        let mut out = Map::new();
        out.insert("of".into(), of.id.to_string().into());
        out.insert("question".into(), self.question.into());
        out.extend(self.head);
        if !self.list.is_empty() {
            out.insert(self.list.into(), rows.into());
        }
        out.insert(
            "limits".into(),
            serde_json::to_value(limits).unwrap_or_default(),
        );
        Ok(Value::Object(out))
    }
}

fn cursor(question: &str, of: &Of, at: usize) -> String {
    let id = of.id.to_string();
    format!("{question}.{}.{at}", &id[..16])
}

fn start(text: &str, question: &str, of: &Of, total: usize) -> Result<usize, Refusal> {
    let at = text
        .rsplit('.')
        .next()
        .and_then(|n| n.parse::<usize>().ok());
    let at = at.filter(|&at| text == cursor(question, of, at) && at <= total);
    at.ok_or_else(|| {
        Refusal::new(
            "invalid_request",
            format!(
                "`{text}` is no cursor of this question to this snapshot; ask again without it."
            ),
        )
    })
}
