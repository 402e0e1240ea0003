//! Lists that can be put away as bytes and are made again when somebody looks.

use crate::name::{Name, TABLE, Table};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::{Arc, OnceLock};

/// A list that is either there or kept as bytes, with the names it uses.
///
/// A workspace holds facts of every file and looks at few of them: encoded they
/// take a sixth of the room. Looking never fails and never waits for a disk.
pub struct Packed<T> {
    live: OnceLock<Vec<T>>,
    bytes: Option<Arc<Bytes>>,
}

/// Encoded by this process, for this process: names are its own numbers.
struct Bytes {
    len: u32,
    names: Box<[Name]>,
    body: Box<[u8]>,
}

impl<T: Serialize + DeserializeOwned> Packed<T> {
    /// The same list as bytes alone.
    pub fn put_away(&self) -> Packed<T> {
        let bytes = match &self.bytes {
            Some(bytes) => bytes.clone(),
            None => Arc::new(Bytes::of(self)),
        };
        Packed {
            live: OnceLock::new(),
            bytes: Some(bytes),
        }
    }

    /// The encoded form: the texts of the names it uses, and what refers to them by number.
    pub(crate) fn encoded<R>(&self, read: impl FnOnce(&[Name], &[u8]) -> R) -> R {
        match &self.bytes {
            Some(bytes) => read(&bytes.names, &bytes.body),
            None => {
                let bytes = Bytes::of(self);
                read(&bytes.names, &bytes.body)
            }
        }
    }

    /// The inverse: read at once, so that bytes that are none are met here, and kept for being put away.
    pub(crate) fn decoded(names: Vec<Name>, body: &[u8]) -> Result<Packed<T>, postcard::Error> {
        let bytes = Bytes {
            len: 0,
            names: names.into(),
            body: body.into(),
        };
        let list: Vec<T> = bytes.read()?;
        let len = list.len() as u32;
        Ok(Packed {
            live: OnceLock::from(list),
            bytes: Some(Arc::new(Bytes { len, ..bytes })),
        })
    }

    /// Of bytes that an earlier run of this build encoded, as a checksum vouches: read when somebody looks.
    pub(crate) fn vouched(len: usize, names: Vec<Name>, body: &[u8]) -> Packed<T> {
        let bytes = Bytes {
            len: len as u32,
            names: names.into(),
            body: body.into(),
        };
        Packed {
            live: OnceLock::new(),
            bytes: Some(Arc::new(bytes)),
        }
    }

    fn list(&self) -> &Vec<T> {
        self.live.get_or_init(|| {
            let bytes = self.bytes.as_ref();
            bytes.map_or_else(Vec::new, |bytes| bytes.list())
        })
    }
}

impl<T> Packed<T> {
    /// Whether looking at it costs nothing.
    pub fn is_live(&self) -> bool {
        self.live.get().is_some()
    }

    /// What is there without looking: nothing where it is put away.
    pub fn if_live(&self) -> &[T] {
        self.live.get().map_or(&[], Vec::as_slice)
    }

    /// How long the list is; known without looking.
    pub fn count(&self) -> usize {
        match (&self.bytes, self.live.get()) {
            (_, Some(list)) => list.len(),
            (Some(bytes), None) => bytes.len as usize,
            (None, None) => 0,
        }
    }

    /// Bytes of the encoded form, where there is one.
    pub fn packed_bytes(&self) -> usize {
        self.bytes.as_ref().map_or(0, |b| {
            size_of::<Bytes>() + 16 + b.body.len() + b.names.len() * size_of::<Name>()
        })
    }
}

impl Bytes {
    fn of<T: Serialize>(list: &[T]) -> Bytes {
        let saved = TABLE.with_borrow_mut(std::mem::take);
        // Writing to a vector cannot fail.
        let body = postcard::to_allocvec(list).unwrap_or_default();
        let used = TABLE.with_borrow_mut(|t| std::mem::replace(t, saved));
        Bytes {
            len: list.len() as u32,
            names: used.list.into(),
            body: body.into(),
        }
    }

    fn list<T: DeserializeOwned>(&self) -> Vec<T> {
        // These are the bytes `of` wrote in this process, or bytes that were read before.
        self.read()
            .unwrap_or_else(|e| unreachable!("facts that were put away cannot be read: {e}"))
    }

    fn read<T: DeserializeOwned>(&self) -> Result<Vec<T>, postcard::Error> {
        let table = Table {
            list: self.names.to_vec(),
            index: Default::default(),
        };
        let saved = TABLE.with_borrow_mut(|t| std::mem::replace(t, table));
        let list = postcard::from_bytes(&self.body);
        TABLE.with_borrow_mut(|t| *t = saved);
        list
    }
}

impl<T> From<Vec<T>> for Packed<T> {
    fn from(list: Vec<T>) -> Packed<T> {
        Packed {
            live: OnceLock::from(list),
            bytes: None,
        }
    }
}

impl<T> Default for Packed<T> {
    fn default() -> Packed<T> {
        Vec::new().into()
    }
}

impl<T: Clone> Clone for Packed<T> {
    fn clone(&self) -> Packed<T> {
        Packed {
            live: self.live.clone(),
            bytes: self.bytes.clone(),
        }
    }
}

impl<T: Serialize + DeserializeOwned> std::ops::Deref for Packed<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        self.list()
    }
}

impl<'a, T: Serialize + DeserializeOwned> IntoIterator for &'a Packed<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.list().iter()
    }
}

impl<T: Serialize + DeserializeOwned + PartialEq> PartialEq for Packed<T> {
    fn eq(&self, other: &Packed<T>) -> bool {
        let same = |a: &Arc<Bytes>, b: &Arc<Bytes>| Arc::ptr_eq(a, b);
        match (&self.bytes, &other.bytes) {
            (Some(a), Some(b)) if same(a, b) => true,
            _ => **self == **other,
        }
    }
}

impl<T: Serialize + DeserializeOwned + Eq> Eq for Packed<T> {}

impl<T: Serialize + DeserializeOwned + std::fmt::Debug> std::fmt::Debug for Packed<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.list().fmt(f)
    }
}

impl<T: Serialize + DeserializeOwned> Serialize for Packed<T> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        self.list().serialize(s)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Packed<T> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Packed<T>, D::Error> {
        Vec::deserialize(d).map(Packed::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // What was put away must come back as it was, also while another list is being read: the table of
    // names is the thread's.
    #[test]
    fn a_list_comes_back_as_it_was() {
        let names = |list: &[&str]| -> Vec<Name> { list.iter().map(|n| Name::new(n)).collect() };
        let (a, b) = (names(&["one", "two", "one"]), names(&["two", "three"]));
        let first = Packed::from(a.clone()).put_away();
        let second = Packed::from(b.clone()).put_away();
        assert!(!first.is_live());
        assert_eq!((first.count(), second.count()), (3, 2));
        assert_eq!(*first, a[..]);
        assert_eq!(*second, b[..]);
        assert!(first.is_live());
        assert_eq!(first, first.put_away());
        assert_ne!(first, second);
    }
}
