//! Interned names: a name is a small integer everywhere but at the edges.

use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::RefCell;
use std::hash::BuildHasher;
use std::sync::OnceLock;

/// An interned string. Equal strings are equal names for the life of the
/// process; the number means nothing outside it, so serialised facts carry a
/// table of their own names (see `codec`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Name(pub u32);

impl Name {
    /// The empty name: an anonymous declaration, an import that binds nothing.
    pub const EMPTY: Name = Name(0);

    pub fn new(text: &str) -> Name {
        let hash = FxBuildHasher.hash_one(text);
        RECENT.with_borrow_mut(|recent| {
            let slot = &mut recent[hash as usize % RECENT_NAMES];
            if slot.0 != text || slot.1.is_empty() {
                let name = interner().intern(text);
                *slot = (name.text(), name);
            }
            slot.1
        })
    }

    pub fn text(self) -> &'static str {
        interner().text(self)
    }

    /// How many names the process holds, and roughly how many bytes they take.
    pub fn held() -> (usize, usize) {
        let all = interner();
        let text: usize = all.ids.iter().map(|e| e.key().len()).sum();
        // Its text, and its place in two tables.
        (all.ids.len(), text + all.ids.len() * 56)
    }

    pub fn is_empty(self) -> bool {
        self == Name::EMPTY
    }
}

impl std::fmt::Debug for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`", self.text())
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text())
    }
}

/// So many names are found without asking what all threads share: a file says
/// the same few hundred again and again.
const RECENT_NAMES: usize = 2_048;

thread_local! {
    static RECENT: RefCell<Box<[(&'static str, Name)]>> =
        RefCell::new(vec![("", Name::EMPTY); RECENT_NAMES].into());
}

/// Names are never freed: a workspace's distinct names are a few megabytes, and
/// a stable `&'static str` spares every reader a lock.
struct Interner {
    ids: dashmap::DashMap<&'static str, u32, FxBuildHasher>,
    /// Chunks of doubling size, so that reading never moves what was handed out.
    chunks: [OnceLock<Box<[OnceLock<&'static str>]>>; 26],
    next: std::sync::Mutex<u32>,
}

const FIRST: u32 = 64;

fn place(id: u32) -> (usize, usize, usize) {
    let block = (id / FIRST + 1).ilog2();
    let start = FIRST * ((1 << block) - 1);
    (
        block as usize,
        (id - start) as usize,
        (FIRST << block) as usize,
    )
}

impl Interner {
    fn intern(&self, text: &str) -> Name {
        if let Some(id) = self.ids.get(text) {
            return Name(*id);
        }
        let entry = self.ids.entry(Box::leak(text.to_owned().into_boxed_str()));
        let text: &'static str = entry.key();
        Name(*entry.or_insert_with(|| {
            let mut next = self.next.lock().unwrap_or_else(|e| e.into_inner());
            let id = *next;
            *next += 1;
            let (chunk, slot, size) = place(id);
            let chunk =
                self.chunks[chunk].get_or_init(|| (0..size).map(|_| OnceLock::new()).collect());
            let _ = chunk[slot].set(text);
            id
        }))
    }

    fn text(&self, name: Name) -> &'static str {
        let (chunk, slot, _) = place(name.0);
        self.chunks
            .get(chunk)
            .and_then(|c| c.get())
            .and_then(|c| c[slot].get())
            .copied()
            .unwrap_or("")
    }
}

fn interner() -> &'static Interner {
    static INTERNER: OnceLock<Interner> = OnceLock::new();
    INTERNER.get_or_init(|| {
        let interner = Interner {
            ids: dashmap::DashMap::default(),
            chunks: [const { OnceLock::new() }; 26],
            next: std::sync::Mutex::new(0),
        };
        interner.intern("");
        interner
    })
}

/// While facts are encoded or decoded, names are indices into the document's
/// own table, which this thread-local holds.
#[derive(Default)]
pub(crate) struct Table {
    pub(crate) list: Vec<Name>,
    pub(crate) index: rustc_hash::FxHashMap<Name, u32>,
}

thread_local! {
    pub(crate) static TABLE: RefCell<Table> = RefCell::default();
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let local = TABLE.with_borrow_mut(|t| {
            let next = t.list.len() as u32;
            let local = *t.index.entry(*self).or_insert(next);
            if local == next {
                t.list.push(*self);
            }
            local
        });
        local.serialize(s)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Name, D::Error> {
        let local = u32::deserialize(d)?;
        TABLE
            .with_borrow(|t| t.list.get(local as usize).copied())
            .ok_or_else(|| serde::de::Error::custom("a name outside the table"))
    }
}

/// Names that rules and extractors share.
pub mod names {
    use super::Name;

    /// What an item that gives another value to a name of its module is listed
    /// under, beside the members it assigns.
    pub fn rebound(name: Name) -> Name {
        Name::new(&format!("={}", name.text()))
    }

    macro_rules! shared {
        ($($id:ident = $text:literal),* $(,)?) => {
            $( pub fn $id() -> Name {
                static N: std::sync::OnceLock<Name> = std::sync::OnceLock::new();
                *N.get_or_init(|| Name::new($text))
            } )*
        };
    }
    shared! {
        default = "default", export_assign = "export=", star = "*", constructor = "constructor",
        this = "this", self_ = "self", super_ = "super", self_type = "Self", call = "call",
        apply = "apply", bind = "bind", file = "<module>", new = "new",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names are handed out from many threads at once during extraction; the
    /// same text must be the same name, and every name must read back.
    #[test]
    fn one_text_is_one_name_across_threads() {
        let handles: Vec<_> = (0..4)
            .map(|_| {
                std::thread::spawn(|| {
                    (0..5_000)
                        .map(|i| Name::new(&format!("name{i}")))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        let all: Vec<Vec<Name>> = handles.into_iter().map(|h| h.join().unwrap()).collect();
        assert!(all.windows(2).all(|w| w[0] == w[1]));
        for (i, name) in all[0].iter().enumerate() {
            assert_eq!(name.text(), format!("name{i}"));
        }
    }
}
