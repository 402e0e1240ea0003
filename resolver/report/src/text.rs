//! The small values a report is made of: shared strings, digests, exact decimals, sorted maps.

use rustc_hash::FxHashSet;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

/// A shared string. A report names the same few thousand functions and files
/// a hundred thousand times; each is kept once.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text(Arc<str>);

impl Text {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for Text {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Default for Text {
    fn default() -> Text {
        Text(Arc::from(""))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(Arc::from(text))
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(Arc::from(text))
    }
}

impl From<Arc<str>> for Text {
    fn from(text: Arc<str>) -> Text {
        Text(text)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.0)
    }
}

thread_local! {
    /// The strings met while one document is read; `None` outside of it.
    static MET: RefCell<Option<FxHashSet<Arc<str>>>> = const { RefCell::new(None) };
}

/// While it lives, equal strings read on this thread are one allocation.
pub(crate) struct Sharing(());

impl Sharing {
    pub(crate) fn begin() -> Sharing {
        MET.set(Some(FxHashSet::default()));
        Sharing(())
    }
}

impl Drop for Sharing {
    fn drop(&mut self) {
        MET.set(None);
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Text, D::Error> {
        struct Str;
        impl Visitor<'_> for Str {
            type Value = Text;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_str<E>(self, text: &str) -> Result<Text, E> {
                Ok(MET.with_borrow_mut(|met| match met {
                    None => Text::from(text),
                    Some(met) => Text(match met.get(text) {
                        Some(known) => known.clone(),
                        None => {
                            let new: Arc<str> = Arc::from(text);
                            met.insert(new.clone());
                            new
                        }
                    }),
                }))
            }
        }
        d.deserialize_str(Str)
    }
}

/// A BLAKE3 digest; 64 lower-case hex digits in the document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Digest, D::Error> {
        struct Hex;
        impl Visitor<'_> for Hex {
            type Value = Digest;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a BLAKE3 digest of 64 lower-case hex digits")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Digest, E> {
                let lower = !text.bytes().any(|b| b.is_ascii_uppercase());
                let hash = blake3::Hash::from_hex(text).ok().filter(|_| lower);
                hash.map(|h| Digest(*h.as_bytes()))
                    .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
            }
        }
        d.deserialize_str(Hex)
    }
}

/// A decimal kept as a whole number of `1 / UNIT`, so that two machines, and
/// a document written and read back, agree on every digit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Decimal<const UNIT: u32>(pub u64);

/// A score with two digits.
pub type Hundredths = Decimal<100>;
/// A share or score with six digits.
pub type Millionths = Decimal<1_000_000>;

impl<const UNIT: u32> Decimal<UNIT> {
    /// So many times `1 / UNIT`.
    pub const fn of(units: u64) -> Decimal<UNIT> {
        Decimal(units)
    }

    /// The nearest decimal; what is negative or no number is zero.
    pub fn nearest(value: f64) -> Decimal<UNIT> {
        Decimal((value * f64::from(UNIT)).round() as u64)
    }

    pub fn value(self) -> f64 {
        self.0 as f64 / f64::from(UNIT)
    }

    /// As the document writes it, every digit.
    pub fn exact(self) -> String {
        self.value().to_string()
    }
}

impl<const UNIT: u32> fmt::Display for Decimal<UNIT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}", self.value())
    }
}

impl<const UNIT: u32> fmt::Debug for Decimal<UNIT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

impl<const UNIT: u32> Serialize for Decimal<UNIT> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_f64(self.value())
    }
}

impl<'de, const UNIT: u32> Deserialize<'de> for Decimal<UNIT> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Decimal<UNIT>, D::Error> {
        let written = f64::deserialize(d)?;
        let units = written * f64::from(UNIT);
        // A digit past the last one would otherwise vanish, and with it the claim it makes.
        let exact = (units - units.round()).abs() < 1e-3;
        if !(0.0..9e15).contains(&units) || !exact {
            return Err(D::Error::custom(format_args!(
                "{written} is not a number of 1/{UNIT}"
            )));
        }
        Ok(Decimal(units.round() as u64))
    }
}

/// A JSON object with its keys in byte order, each once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sorted<V>(Vec<(Text, V)>);

impl<V> Default for Sorted<V> {
    fn default() -> Sorted<V> {
        Sorted(Vec::new())
    }
}

impl<V> Sorted<V> {
    /// Sorts `rows`; of rows with the same key the first is kept.
    pub fn new(mut rows: Vec<(Text, V)>) -> Sorted<V> {
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        rows.dedup_by(|a, b| a.0 == b.0);
        Sorted(rows)
    }

    pub fn get(&self, key: &str) -> Option<&V> {
        let at = self.0.binary_search_by(|row| (*row.0).cmp(key)).ok()?;
        Some(&self.0[at].1)
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        let at = self.0.binary_search_by(|row| (*row.0).cmp(key)).ok()?;
        Some(&mut self.0[at].1)
    }

    pub fn contains(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Text, &V)> {
        self.0.iter().map(|(k, v)| (k, v))
    }

    pub fn rows(&self) -> &[(Text, V)] {
        &self.0
    }

    pub fn rows_mut(&mut self) -> &mut Vec<(Text, V)> {
        &mut self.0
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<V: Serialize> Serialize for Sorted<V> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Sorted<V> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Sorted<V>, D::Error> {
        struct Rows<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Rows<V> {
            type Value = Sorted<V>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Sorted<V>, A::Error> {
                let mut rows: Vec<(Text, V)> = Vec::new();
                while let Some((key, value)) = map.next_entry::<Text, V>()? {
                    rows.push((key, value));
                }
                rows.sort_by(|a, b| a.0.cmp(&b.0));
                // Two rows for one key: which one a reader believes would depend on the reader.
                if let Some(twice) = rows.windows(2).find(|w| w[0].0 == w[1].0) {
                    return Err(A::Error::custom(format_args!(
                        "`{}` stands twice in one object",
                        twice[0].0
                    )));
                }
                Ok(Sorted(rows))
            }
        }
        d.deserialize_map(Rows(PhantomData))
    }
}

// The schema says of each of these what its own reader accepts.

impl JsonSchema for Text {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

impl JsonSchema for Digest {
    fn schema_name() -> Cow<'static, str> {
        "Digest".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A BLAKE3 digest in lower-case hex.",
            "type": "string",
            "pattern": "^[0-9a-f]{64}$",
        })
    }
}

impl<const UNIT: u32> JsonSchema for Decimal<UNIT> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("Decimal{UNIT}").into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        // No `multipleOf`: in binary fractions 3.05 is no multiple of 0.01 for most validators.
        json_schema!({ "type": "number", "minimum": 0 })
    }
}

impl<V: JsonSchema> JsonSchema for Sorted<V> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("SortedOf{}", V::schema_name()).into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let row = generator.subschema_for::<V>();
        json_schema!({ "type": "object", "additionalProperties": row })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A score that changes by being written and read would make a report of
    /// an untouched tree fail its own verification.
    #[test]
    fn decimals_survive_the_document_and_odd_digits_are_refused() {
        for units in [0, 1, 299, 300, 301, 123_456, 999_999, 1_000_000, 7_654_321] {
            let written = serde_json::to_string(&Millionths::of(units)).unwrap();
            let read: Millionths = serde_json::from_str(&written).unwrap();
            assert_eq!(read.0, units, "{written}");
        }
        assert_eq!(serde_json::to_string(&Hundredths::of(305)).unwrap(), "3.05");
        for bad in ["0.1234567", "-0.5", "1e300", "null"] {
            assert!(serde_json::from_str::<Millionths>(bad).is_err(), "{bad}");
        }
        assert!(serde_json::from_str::<Hundredths>("3.001").is_err());
    }

    /// With two rows for one key, one reader would believe the first and another the last.
    #[test]
    fn a_key_that_stands_twice_is_refused() {
        let ok: Sorted<u32> = serde_json::from_str(r#"{"b":1,"a":2}"#).unwrap();
        assert_eq!(ok.get("a"), Some(&2));
        assert_eq!(serde_json::to_string(&ok).unwrap(), r#"{"a":2,"b":1}"#);
        let twice = serde_json::from_str::<Sorted<u32>>(r#"{"a":1,"a":2}"#).unwrap_err();
        assert!(twice.to_string().contains("`a` stands twice"), "{twice}");
    }
}
