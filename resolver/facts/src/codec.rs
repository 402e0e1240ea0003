//! Facts as bytes: for digests and for the on-disk cache.

use crate::item::{Extracted, FileFacts, ItemFacts, Positions};
use crate::name::{Name, TABLE, Table};
use serde::Serialize;
use std::cell::RefCell;
use std::fmt;

/// Bytes that are not facts of this build.
#[derive(Debug)]
pub struct DecodeError(String);

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cached facts cannot be read: {}", self.0)
    }
}

impl std::error::Error for DecodeError {}

/// Runs `write` with an empty name table and returns the texts it used.
fn with_table<T>(write: impl FnOnce() -> T) -> (T, Vec<&'static str>) {
    let saved = TABLE.with_borrow_mut(std::mem::take);
    let out = write();
    let used = TABLE.with_borrow_mut(|t| std::mem::replace(t, saved));
    (out, used.list.iter().map(|n| n.text()).collect())
}

/// A digest of any part of an item: names by text, so equal in every process.
pub(crate) fn digest<T: Serialize + ?Sized>(value: &T) -> blake3::Hash {
    // Once per item: table and bytes keep their room from one to the next.
    TABLE.with_borrow_mut(Table::clear);
    let mut bytes = BYTES.take();
    bytes.clear();
    bytes = postcard::to_extend(value, bytes).unwrap_or_default();
    TABLE.with_borrow_mut(|table| {
        for name in &table.list {
            bytes.extend_from_slice(name.text().as_bytes());
            bytes.push(0xff);
        }
        table.clear();
    });
    let hash = blake3::hash(&bytes);
    BYTES.set(bytes);
    hash
}

thread_local! {
    static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

pub(crate) fn item_digest(item: &ItemFacts) -> [u8; 16] {
    let hash = digest(&(
        (&item.symbols, &item.scopes, &item.bindings, &item.imports),
        (&item.sites, &item.assigned),
        (&item.exprs, &item.types, &item.lists),
    ));
    hash.as_bytes()[..16].try_into().unwrap_or_default()
}

/// Everything read from one file, as bytes with their own name table.
pub fn encode_file(file: &Extracted) -> Vec<u8> {
    let (body, names) = with_table(|| postcard::to_allocvec(file).unwrap_or_default());
    postcard::to_allocvec(&(names, body)).unwrap_or_default()
}

/// The same of a file whose facts and positions are held apart.
pub fn encode_parts(facts: &FileFacts, positions: &Positions) -> Vec<u8> {
    let both = (facts, positions);
    let (body, names) = with_table(|| postcard::to_allocvec(&both).unwrap_or_default());
    postcard::to_allocvec(&(names, body)).unwrap_or_default()
}

/// The inverse of [`encode_file`].
pub fn decode_file(bytes: &[u8]) -> Result<Extracted, DecodeError> {
    let (names, body): (Vec<&str>, &[u8]) =
        postcard::from_bytes(bytes).map_err(|e| DecodeError(e.to_string()))?;
    let list = names.into_iter().map(Name::new).collect();
    let saved = TABLE.with_borrow_mut(|t| {
        std::mem::replace(
            t,
            Table {
                list,
                index: Default::default(),
            },
        )
    });
    let out = postcard::from_bytes(body).map_err(|e| DecodeError(e.to_string()));
    TABLE.with_borrow_mut(|t| *t = saved);
    out
}
