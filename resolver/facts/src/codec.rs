//! Facts as bytes for the on-disk cache.

use crate::item::{Extracted, FileFacts, ItemFacts, ItemSpans, Positions};
use crate::language::LanguageId;
use crate::name::Name;
use crate::packed::Packed;
use crate::pos::LineIndex;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Bytes that are not facts of this build.
#[derive(Debug)]
pub struct DecodeError(String);

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cached facts cannot be read: {}", self.0)
    }
}

impl std::error::Error for DecodeError {}

impl From<postcard::Error> for DecodeError {
    fn from(error: postcard::Error) -> DecodeError {
        DecodeError(error.to_string())
    }
}

/// What is written for one file. Items and spans stand in it as they are put away in memory, the names of
/// the items by their texts.
#[derive(Serialize, Deserialize)]
struct Written<'a> {
    language: LanguageId,
    documented: bool,
    errors: u32,
    generated: bool,
    #[serde(borrow)]
    names: Vec<&'a str>,
    #[serde(borrow)]
    items: &'a [u8],
    #[serde(borrow)]
    spans: &'a [u8],
    lines: std::borrow::Cow<'a, LineIndex>,
}

/// Everything read from one file, as bytes with their own table of names.
pub fn encode_file(file: &Extracted) -> Vec<u8> {
    encode_parts(&file.facts, &file.positions)
}

/// The same of a file whose facts and positions are held apart.
pub fn encode_parts(facts: &FileFacts, positions: &Positions) -> Vec<u8> {
    facts.items.encoded(|names, items| {
        positions.items.encoded(|_, spans| {
            let written = Written {
                language: facts.language,
                documented: facts.documented,
                errors: facts.errors,
                generated: facts.generated,
                names: names.iter().map(|n| n.text()).collect(),
                items,
                spans,
                lines: std::borrow::Cow::Borrowed(&positions.lines),
            };
            // Writing to a vector cannot fail.
            postcard::to_allocvec(&written).unwrap_or_default()
        })
    })
}

/// The inverse of [`encode_file`], of bytes from anywhere.
pub fn decode_file(bytes: &[u8]) -> Result<Extracted, DecodeError> {
    decode(bytes, |len, body| {
        let spans: Packed<(u32, Arc<ItemSpans>)> = Packed::decoded(Vec::new(), body)?;
        match spans.count() == len {
            true => Ok(spans),
            false => Err(DecodeError("items without positions".to_owned())),
        }
    })
}

/// The same of bytes that this build wrote, as a checksum kept elsewhere vouches: positions are read when somebody
/// looks.
pub fn decode_vouched(bytes: &[u8]) -> Result<Extracted, DecodeError> {
    decode(bytes, |len, body| {
        Ok(Packed::vouched(len, Vec::new(), body))
    })
}

type Spans = Packed<(u32, Arc<ItemSpans>)>;

fn decode(
    bytes: &[u8],
    spans: impl FnOnce(usize, &[u8]) -> Result<Spans, DecodeError>,
) -> Result<Extracted, DecodeError> {
    let written: Written<'_> = postcard::from_bytes(bytes)?;
    let names = written.names.into_iter().map(Name::new).collect();
    let items: Packed<Arc<ItemFacts>> = Packed::decoded(names, written.items)?;
    let spans = spans(items.count(), written.spans)?;
    Ok(Extracted {
        facts: FileFacts {
            language: written.language,
            items,
            documented: written.documented,
            errors: written.errors,
            generated: written.generated,
        },
        positions: Positions {
            items: spans,
            lines: written.lines.into_owned(),
        },
    })
}
