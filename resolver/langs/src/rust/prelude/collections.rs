// Vectors, slices and the other collections.

use ::cmp::Ordering;
use ::slice;

pub mod vec {
    use ::cmp::Ordering;

    pub struct Vec<T>;
    impl<T> Vec<T> {
        fn __deref(&self) -> [T];
        fn __elem(&self) -> T;
        fn __index(&self) -> T;
        fn __slice(&self) -> [T];
        pub fn new() -> Vec<T>;
        pub fn with_capacity(capacity: usize) -> Vec<T>;
        pub fn from<S>(value: S) -> Vec<T>;
        pub fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Vec<T>;
        pub fn default() -> Vec<T>;
        pub fn capacity(&self) -> usize;
        pub fn len(&self) -> usize;
        pub fn is_empty(&self) -> bool;
        pub fn reserve(&mut self, additional: usize);
        pub fn reserve_exact(&mut self, additional: usize);
        pub fn try_reserve(&mut self, additional: usize) -> ::result::Result<(), ::collections::TryReserveError>;
        pub fn shrink_to_fit(&mut self);
        pub fn shrink_to(&mut self, min: usize);
        pub fn into_boxed_slice(self) -> ::boxed::Box<[T]>;
        pub fn truncate(&mut self, len: usize);
        pub fn as_slice(&self) -> [T];
        pub fn as_mut_slice(&mut self) -> [T];
        pub fn as_ptr(&self) -> *const T;
        pub fn as_mut_ptr(&mut self) -> *mut T;
        pub unsafe fn set_len(&mut self, len: usize);
        pub fn swap_remove(&mut self, index: usize) -> T;
        pub fn insert(&mut self, index: usize, element: T);
        pub fn remove(&mut self, index: usize) -> T;
        pub fn retain(&mut self, f: impl FnMut(T) -> bool);
        pub fn retain_mut(&mut self, f: impl FnMut(T) -> bool);
        pub fn dedup(&mut self);
        pub fn dedup_by_key<K>(&mut self, f: impl FnMut(T) -> K);
        pub fn dedup_by(&mut self, f: impl FnMut(T, T) -> bool);
        pub fn push(&mut self, value: T);
        pub fn push_mut(&mut self, value: T) -> T;
        pub fn pop(&mut self) -> Option<T>;
        pub fn pop_if(&mut self, f: impl FnOnce(T) -> bool) -> Option<T>;
        pub fn append(&mut self, other: &mut Vec<T>);
        pub fn drain<R>(&mut self, range: R) -> impl Iterator<Item = T>;
        pub fn extract_if<R>(&mut self, range: R, f: impl FnMut(T) -> bool) -> impl Iterator<Item = T>;
        pub fn clear(&mut self);
        pub fn split_off(&mut self, at: usize) -> Vec<T>;
        pub fn resize_with(&mut self, len: usize, f: impl FnMut() -> T);
        pub fn resize(&mut self, len: usize, value: T);
        pub fn leak(self) -> [T];
        pub fn extend_from_slice(&mut self, other: &[T]);
        pub fn extend_from_within<R>(&mut self, src: R);
        pub fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I);
        pub fn splice<R, I>(&mut self, range: R, with: I) -> impl Iterator<Item = T>;
        pub fn into_iter(self) -> IntoIter<T>;
        pub fn clone(&self) -> Vec<T>;
        pub fn as_ref(&self) -> [T];
        pub fn as_mut(&mut self) -> [T];
        pub fn borrow(&self) -> [T];
        pub fn write(&mut self, buf: &[u8]) -> ::result::Result<usize, ::io::Error>;
        pub fn write_all(&mut self, buf: &[u8]) -> ::result::Result<(), ::io::Error>;
        pub fn flush(&mut self) -> ::result::Result<(), ::io::Error>;
    }
    impl<T> ::ops::Deref for Vec<T> {
        type Target = [T];
    }
    pub struct IntoIter<T>;
    impl<T> Iterator for IntoIter<T> {
        type Item = T;
    }
    pub struct Drain<T>;
    impl<T> Iterator for Drain<T> {
        type Item = T;
    }
}

/// `std::slice`.
pub mod slices {
    pub struct Iter<T>;
    impl<T> Iterator for Iter<T> {
        type Item = T;
    }
    pub struct IterMut<T>;
    impl<T> Iterator for IterMut<T> {
        type Item = T;
    }
    pub struct Windows<T>;
    impl<T> Iterator for Windows<T> {
        type Item = [T];
    }
    pub struct Chunks<T>;
    impl<T> Iterator for Chunks<T> {
        type Item = [T];
    }
    pub struct ChunksMut<T>;
    impl<T> Iterator for ChunksMut<T> {
        type Item = [T];
    }
    pub struct ChunksExact<T>;
    impl<T> Iterator for ChunksExact<T> {
        type Item = [T];
    }
    pub fn from_ref<T>(s: T) -> [T];
    pub unsafe fn from_raw_parts<T>(data: *const T, len: usize) -> [T];
    pub unsafe fn from_raw_parts_mut<T>(data: *mut T, len: usize) -> [T];
}

impl<T> slice<T> {
    fn __elem(&self) -> T;
    fn __index(&self) -> T;
    fn __slice(&self) -> [T];
    pub fn len(&self) -> usize;
    pub fn is_empty(&self) -> bool;
    pub fn first(&self) -> Option<T>;
    pub fn first_mut(&mut self) -> Option<T>;
    pub fn split_first(&self) -> Option<(T, [T])>;
    pub fn split_last(&self) -> Option<(T, [T])>;
    pub fn last(&self) -> Option<T>;
    pub fn last_mut(&mut self) -> Option<T>;
    pub fn first_chunk(&self) -> Option<[T]>;
    pub fn get(&self, index: usize) -> Option<T>;
    pub fn get_mut(&mut self, index: usize) -> Option<T>;
    pub unsafe fn get_unchecked(&self, index: usize) -> T;
    pub unsafe fn get_unchecked_mut(&mut self, index: usize) -> T;
    pub fn as_ptr(&self) -> *const T;
    pub fn as_mut_ptr(&mut self) -> *mut T;
    pub fn swap(&mut self, a: usize, b: usize);
    pub fn reverse(&mut self);
    pub fn iter(&self) -> ::slices::Iter<T>;
    pub fn iter_mut(&mut self) -> ::slices::IterMut<T>;
    pub fn into_iter(self) -> ::vec::IntoIter<T>;
    pub fn windows(&self, size: usize) -> impl Iterator<Item = [T]>;
    pub fn chunks(&self, size: usize) -> impl Iterator<Item = [T]>;
    pub fn chunks_mut(&mut self, size: usize) -> impl Iterator<Item = [T]>;
    pub fn chunks_exact(&self, size: usize) -> impl Iterator<Item = [T]>;
    pub fn chunks_exact_mut(&mut self, size: usize) -> impl Iterator<Item = [T]>;
    pub fn rchunks(&self, size: usize) -> impl Iterator<Item = [T]>;
    pub fn chunk_by(&self, f: impl FnMut(T, T) -> bool) -> impl Iterator<Item = [T]>;
    pub fn split_at(&self, mid: usize) -> ([T], [T]);
    pub fn split_at_mut(&mut self, mid: usize) -> ([T], [T]);
    pub fn split_at_checked(&self, mid: usize) -> Option<([T], [T])>;
    pub fn split(&self, f: impl FnMut(T) -> bool) -> impl Iterator<Item = [T]>;
    pub fn splitn(&self, n: usize, f: impl FnMut(T) -> bool) -> impl Iterator<Item = [T]>;
    pub fn rsplit(&self, f: impl FnMut(T) -> bool) -> impl Iterator<Item = [T]>;
    pub fn contains(&self, x: &T) -> bool;
    pub fn starts_with(&self, needle: &[T]) -> bool;
    pub fn ends_with(&self, needle: &[T]) -> bool;
    pub fn strip_prefix<P>(&self, prefix: P) -> Option<[T]>;
    pub fn strip_suffix<P>(&self, suffix: P) -> Option<[T]>;
    pub fn binary_search(&self, x: &T) -> ::result::Result<usize, usize>;
    pub fn binary_search_by(&self, f: impl FnMut(T) -> Ordering) -> ::result::Result<usize, usize>;
    pub fn binary_search_by_key<B>(&self, b: &B, f: impl FnMut(T) -> B) -> ::result::Result<usize, usize>;
    pub fn partition_point(&self, f: impl FnMut(T) -> bool) -> usize;
    pub fn sort(&mut self);
    pub fn sort_by(&mut self, f: impl FnMut(T, T) -> Ordering);
    pub fn sort_by_key<K>(&mut self, f: impl FnMut(T) -> K);
    pub fn sort_by_cached_key<K>(&mut self, f: impl FnMut(T) -> K);
    pub fn sort_unstable(&mut self);
    pub fn sort_unstable_by(&mut self, f: impl FnMut(T, T) -> Ordering);
    pub fn sort_unstable_by_key<K>(&mut self, f: impl FnMut(T) -> K);
    pub fn is_sorted(&self) -> bool;
    pub fn is_sorted_by_key<K>(&self, f: impl FnMut(T) -> K) -> bool;
    pub fn select_nth_unstable(&mut self, index: usize) -> ([T], T, [T]);
    pub fn select_nth_unstable_by(&mut self, index: usize, f: impl FnMut(T, T) -> Ordering) -> ([T], T, [T]);
    pub fn select_nth_unstable_by_key<K>(&mut self, index: usize, f: impl FnMut(T) -> K) -> ([T], T, [T]);
    pub fn is_sorted_by(&self, f: impl FnMut(T, T) -> bool) -> bool;
    pub fn as_chunks(&self) -> ([[T]], [T]);
    pub fn last_chunk(&self) -> Option<[T]>;
    pub fn split_first_mut(&mut self) -> Option<(T, [T])>;
    pub fn split_last_mut(&mut self) -> Option<(T, [T])>;
    pub fn split_mut(&mut self, f: impl FnMut(T) -> bool) -> impl Iterator<Item = [T]>;
    pub fn split_inclusive(&self, f: impl FnMut(T) -> bool) -> impl Iterator<Item = [T]>;
    pub fn rchunks_exact(&self, size: usize) -> impl Iterator<Item = [T]>;
    pub fn array_windows(&self) -> impl Iterator<Item = [T]>;
    pub fn chunk_by_mut(&mut self, f: impl FnMut(T, T) -> bool) -> impl Iterator<Item = [T]>;
    pub fn rotate_left(&mut self, mid: usize);
    pub fn rotate_right(&mut self, k: usize);
    pub fn fill(&mut self, value: T);
    pub fn fill_with(&mut self, f: impl FnMut() -> T);
    pub fn clone_from_slice(&mut self, src: &[T]);
    pub fn copy_from_slice(&mut self, src: &[T]);
    pub fn copy_within<R>(&mut self, src: R, dest: usize);
    pub fn swap_with_slice(&mut self, other: &mut [T]);
    pub fn to_vec(&self) -> Vec<T>;
    pub fn to_owned(&self) -> Vec<T>;
    pub fn into_vec(self) -> Vec<T>;
    pub fn repeat(&self, n: usize) -> Vec<T>;
    pub fn concat(&self) -> T;
    pub fn join<S>(&self, sep: S) -> String;
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> [U];
    pub fn each_ref(&self) -> [T];
    pub fn as_slice(&self) -> [T];
    pub fn as_mut_slice(&mut self) -> [T];
    pub fn as_ref(&self) -> [T];
    pub fn as_mut(&mut self) -> [T];
    pub fn clone(&self) -> [T];
    pub fn is_ascii(&self) -> bool;
    pub fn eq_ignore_ascii_case(&self, other: &[u8]) -> bool;
    pub fn to_ascii_lowercase(&self) -> Vec<u8>;
    pub fn to_ascii_uppercase(&self) -> Vec<u8>;
    pub fn trim_ascii(&self) -> [u8];
    pub fn escape_ascii(&self) -> impl Iterator<Item = u8>;
    pub fn utf8_chunks(&self) -> impl Iterator<Item = str>;
    pub fn read(&mut self, buf: &mut [u8]) -> ::result::Result<usize, ::io::Error>;
    pub fn read_exact(&mut self, buf: &mut [u8]) -> ::result::Result<(), ::io::Error>;
    pub fn read_to_end(&mut self, buf: &mut Vec<u8>) -> ::result::Result<usize, ::io::Error>;
    pub fn write_all(&mut self, buf: &[u8]) -> ::result::Result<(), ::io::Error>;
}

impl<T> ::borrow::ToOwned for slice<T> {
    type Owned = Vec<T>;
}

pub mod collections {
    pub struct TryReserveError;

    pub use self::hash_map::HashMap;
    pub use self::btree_map::BTreeMap;
    pub use self::hash_set::HashSet;
    pub use self::btree_set::BTreeSet;
    pub use self::vec_deque::VecDeque;
    pub use self::binary_heap::BinaryHeap;
    pub use self::linked_list::LinkedList;
    pub use ::ops::Bound;

    pub mod hash_map {
        pub use ::hash::DefaultHasher;
        pub use ::hash::RandomState;

        pub struct HashMap<K, V, S = ::hash::RandomState>;
        impl<K, V, S> HashMap<K, V, S> {
            fn __elem(&self) -> (K, V);
            fn __index(&self) -> V;
            pub fn new() -> HashMap<K, V, S>;
            pub fn default() -> HashMap<K, V, S>;
            pub fn with_capacity(capacity: usize) -> HashMap<K, V, S>;
            pub fn with_hasher(hasher: S) -> HashMap<K, V, S>;
            pub fn with_capacity_and_hasher(capacity: usize, hasher: S) -> HashMap<K, V, S>;
            pub fn from<A>(value: A) -> HashMap<K, V, S>;
            pub fn from_iter<I: IntoIterator<Item = (K, V)>>(iter: I) -> HashMap<K, V, S>;
            pub fn capacity(&self) -> usize;
            pub fn keys(&self) -> impl Iterator<Item = K>;
            pub fn into_keys(self) -> impl Iterator<Item = K>;
            pub fn values(&self) -> impl Iterator<Item = V>;
            pub fn values_mut(&mut self) -> impl Iterator<Item = V>;
            pub fn into_values(self) -> impl Iterator<Item = V>;
            pub fn iter(&self) -> impl Iterator<Item = (K, V)>;
            pub fn iter_mut(&mut self) -> impl Iterator<Item = (K, V)>;
            pub fn into_iter(self) -> impl Iterator<Item = (K, V)>;
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn drain(&mut self) -> impl Iterator<Item = (K, V)>;
            pub fn retain(&mut self, f: impl FnMut(K, V) -> bool);
            pub fn extract_if(&mut self, f: impl FnMut(K, V) -> bool) -> impl Iterator<Item = (K, V)>;
            pub fn clear(&mut self);
            pub fn hasher(&self) -> S;
            pub fn reserve(&mut self, additional: usize);
            pub fn shrink_to_fit(&mut self);
            pub fn entry(&mut self, key: K) -> Entry<K, V>;
            pub fn get<Q>(&self, k: &Q) -> Option<V>;
            pub fn get_key_value<Q>(&self, k: &Q) -> Option<(K, V)>;
            pub fn get_mut<Q>(&mut self, k: &Q) -> Option<V>;
            pub fn contains_key<Q>(&self, k: &Q) -> bool;
            pub fn insert(&mut self, k: K, v: V) -> Option<V>;
            pub fn remove<Q>(&mut self, k: &Q) -> Option<V>;
            pub fn remove_entry<Q>(&mut self, k: &Q) -> Option<(K, V)>;
            pub fn extend<I>(&mut self, iter: I);
            pub fn clone(&self) -> HashMap<K, V, S>;
        }
        pub struct Iter<K, V>;
        impl<K, V> Iterator for Iter<K, V> {
            type Item = (K, V);
        }
        pub struct IterMut<K, V>;
        impl<K, V> Iterator for IterMut<K, V> {
            type Item = (K, V);
        }
        pub struct IntoIter<K, V>;
        impl<K, V> Iterator for IntoIter<K, V> {
            type Item = (K, V);
        }
        pub struct Keys<K, V>;
        impl<K, V> Iterator for Keys<K, V> {
            type Item = K;
        }
        pub struct Values<K, V>;
        impl<K, V> Iterator for Values<K, V> {
            type Item = V;
        }
        pub struct ValuesMut<K, V>;
        impl<K, V> Iterator for ValuesMut<K, V> {
            type Item = V;
        }
        pub struct Drain<K, V>;
        impl<K, V> Iterator for Drain<K, V> {
            type Item = (K, V);
        }
        pub enum Entry<K, V> {
            Occupied(OccupiedEntry<K, V>),
            Vacant(VacantEntry<K, V>),
        }
        impl<K, V> Entry<K, V> {
            pub fn or_insert(self, default: V) -> V;
            pub fn or_insert_with(self, default: impl FnOnce() -> V) -> V;
            pub fn or_insert_with_key(self, default: impl FnOnce(K) -> V) -> V;
            pub fn or_default(self) -> V;
            pub fn key(&self) -> K;
            pub fn and_modify(self, f: impl FnOnce(V)) -> Entry<K, V>;
            pub fn insert_entry(self, value: V) -> OccupiedEntry<K, V>;
        }
        pub struct OccupiedEntry<K, V>;
        impl<K, V> OccupiedEntry<K, V> {
            pub fn key(&self) -> K;
            pub fn get(&self) -> V;
            pub fn get_mut(&mut self) -> V;
            pub fn into_mut(self) -> V;
            pub fn insert(&mut self, value: V) -> V;
            pub fn remove(self) -> V;
            pub fn remove_entry(self) -> (K, V);
        }
        pub struct VacantEntry<K, V>;
        impl<K, V> VacantEntry<K, V> {
            pub fn key(&self) -> K;
            pub fn into_key(self) -> K;
            pub fn insert(self, value: V) -> V;
        }
    }

    pub mod btree_map {
        pub use super::hash_map::Entry;
        pub use super::hash_map::OccupiedEntry;
        pub use super::hash_map::VacantEntry;

        pub use super::hash_map::IntoIter;
        pub use super::hash_map::Iter;
        pub use super::hash_map::IterMut;
        pub use super::hash_map::Keys;
        pub use super::hash_map::Values;
        pub use super::hash_map::ValuesMut;
        pub struct Range<K, V>;
        impl<K, V> Iterator for Range<K, V> {
            type Item = (K, V);
        }
        pub struct BTreeMap<K, V>;
        impl<K, V> BTreeMap<K, V> {
            fn __elem(&self) -> (K, V);
            fn __index(&self) -> V;
            pub fn new() -> BTreeMap<K, V>;
            pub fn default() -> BTreeMap<K, V>;
            pub fn from<A>(value: A) -> BTreeMap<K, V>;
            pub fn from_iter<I: IntoIterator<Item = (K, V)>>(iter: I) -> BTreeMap<K, V>;
            pub fn clear(&mut self);
            pub fn get<Q>(&self, key: &Q) -> Option<V>;
            pub fn get_key_value<Q>(&self, k: &Q) -> Option<(K, V)>;
            pub fn first_key_value(&self) -> Option<(K, V)>;
            pub fn last_key_value(&self) -> Option<(K, V)>;
            pub fn first_entry(&mut self) -> Option<OccupiedEntry<K, V>>;
            pub fn last_entry(&mut self) -> Option<OccupiedEntry<K, V>>;
            pub fn pop_first(&mut self) -> Option<(K, V)>;
            pub fn pop_last(&mut self) -> Option<(K, V)>;
            pub fn contains_key<Q>(&self, key: &Q) -> bool;
            pub fn get_mut<Q>(&mut self, key: &Q) -> Option<V>;
            pub fn insert(&mut self, key: K, value: V) -> Option<V>;
            pub fn remove<Q>(&mut self, key: &Q) -> Option<V>;
            pub fn remove_entry<Q>(&mut self, key: &Q) -> Option<(K, V)>;
            pub fn retain(&mut self, f: impl FnMut(K, V) -> bool);
            pub fn append(&mut self, other: &mut BTreeMap<K, V>);
            pub fn range<R>(&self, range: R) -> impl Iterator<Item = (K, V)>;
            pub fn range_mut<R>(&mut self, range: R) -> impl Iterator<Item = (K, V)>;
            pub fn entry(&mut self, key: K) -> Entry<K, V>;
            pub fn split_off<Q>(&mut self, key: &Q) -> BTreeMap<K, V>;
            pub fn into_keys(self) -> impl Iterator<Item = K>;
            pub fn into_values(self) -> impl Iterator<Item = V>;
            pub fn iter(&self) -> impl Iterator<Item = (K, V)>;
            pub fn iter_mut(&mut self) -> impl Iterator<Item = (K, V)>;
            pub fn into_iter(self) -> impl Iterator<Item = (K, V)>;
            pub fn keys(&self) -> impl Iterator<Item = K>;
            pub fn values(&self) -> impl Iterator<Item = V>;
            pub fn values_mut(&mut self) -> impl Iterator<Item = V>;
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn extend<I>(&mut self, iter: I);
            pub fn clone(&self) -> BTreeMap<K, V>;
        }
    }

    pub mod hash_set {
        pub struct Iter<T>;
        impl<T> Iterator for Iter<T> {
            type Item = T;
        }
        pub struct IntoIter<T>;
        impl<T> Iterator for IntoIter<T> {
            type Item = T;
        }
        pub struct Drain<T>;
        impl<T> Iterator for Drain<T> {
            type Item = T;
        }
        pub struct HashSet<T, S = ::hash::RandomState>;
        impl<T, S> HashSet<T, S> {
            fn __elem(&self) -> T;
            pub fn new() -> HashSet<T, S>;
            pub fn default() -> HashSet<T, S>;
            pub fn with_capacity(capacity: usize) -> HashSet<T, S>;
            pub fn with_hasher(hasher: S) -> HashSet<T, S>;
            pub fn with_capacity_and_hasher(capacity: usize, hasher: S) -> HashSet<T, S>;
            pub fn from<A>(value: A) -> HashSet<T, S>;
            pub fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> HashSet<T, S>;
            pub fn capacity(&self) -> usize;
            pub fn iter(&self) -> impl Iterator<Item = T>;
            pub fn into_iter(self) -> impl Iterator<Item = T>;
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn drain(&mut self) -> impl Iterator<Item = T>;
            pub fn retain(&mut self, f: impl FnMut(T) -> bool);
            pub fn clear(&mut self);
            pub fn reserve(&mut self, additional: usize);
            pub fn difference(&self, other: &HashSet<T, S>) -> impl Iterator<Item = T>;
            pub fn symmetric_difference(&self, other: &HashSet<T, S>) -> impl Iterator<Item = T>;
            pub fn intersection(&self, other: &HashSet<T, S>) -> impl Iterator<Item = T>;
            pub fn union(&self, other: &HashSet<T, S>) -> impl Iterator<Item = T>;
            pub fn contains<Q>(&self, value: &Q) -> bool;
            pub fn get<Q>(&self, value: &Q) -> Option<T>;
            pub fn is_disjoint(&self, other: &HashSet<T, S>) -> bool;
            pub fn is_subset(&self, other: &HashSet<T, S>) -> bool;
            pub fn is_superset(&self, other: &HashSet<T, S>) -> bool;
            pub fn insert(&mut self, value: T) -> bool;
            pub fn replace(&mut self, value: T) -> Option<T>;
            pub fn remove<Q>(&mut self, value: &Q) -> bool;
            pub fn take<Q>(&mut self, value: &Q) -> Option<T>;
            pub fn extend<I>(&mut self, iter: I);
            pub fn clone(&self) -> HashSet<T, S>;
        }
    }

    pub mod btree_set {
        pub use super::hash_set::IntoIter;
        pub use super::hash_set::Iter;
        pub struct BTreeSet<T>;
        impl<T> BTreeSet<T> {
            fn __elem(&self) -> T;
            pub fn new() -> BTreeSet<T>;
            pub fn default() -> BTreeSet<T>;
            pub fn from<A>(value: A) -> BTreeSet<T>;
            pub fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> BTreeSet<T>;
            pub fn range<R>(&self, range: R) -> impl Iterator<Item = T>;
            pub fn difference(&self, other: &BTreeSet<T>) -> impl Iterator<Item = T>;
            pub fn symmetric_difference(&self, other: &BTreeSet<T>) -> impl Iterator<Item = T>;
            pub fn intersection(&self, other: &BTreeSet<T>) -> impl Iterator<Item = T>;
            pub fn union(&self, other: &BTreeSet<T>) -> impl Iterator<Item = T>;
            pub fn clear(&mut self);
            pub fn contains<Q>(&self, value: &Q) -> bool;
            pub fn get<Q>(&self, value: &Q) -> Option<T>;
            pub fn is_disjoint(&self, other: &BTreeSet<T>) -> bool;
            pub fn is_subset(&self, other: &BTreeSet<T>) -> bool;
            pub fn is_superset(&self, other: &BTreeSet<T>) -> bool;
            pub fn first(&self) -> Option<T>;
            pub fn last(&self) -> Option<T>;
            pub fn pop_first(&mut self) -> Option<T>;
            pub fn pop_last(&mut self) -> Option<T>;
            pub fn insert(&mut self, value: T) -> bool;
            pub fn replace(&mut self, value: T) -> Option<T>;
            pub fn remove<Q>(&mut self, value: &Q) -> bool;
            pub fn take<Q>(&mut self, value: &Q) -> Option<T>;
            pub fn retain(&mut self, f: impl FnMut(T) -> bool);
            pub fn append(&mut self, other: &mut BTreeSet<T>);
            pub fn split_off<Q>(&mut self, value: &Q) -> BTreeSet<T>;
            pub fn iter(&self) -> impl Iterator<Item = T>;
            pub fn into_iter(self) -> impl Iterator<Item = T>;
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn extend<I>(&mut self, iter: I);
            pub fn clone(&self) -> BTreeSet<T>;
        }
    }

    pub mod vec_deque {
        pub use super::hash_set::IntoIter;
        pub use super::hash_set::Iter;
        pub use super::hash_set::Drain;
        pub use super::hash_set::Iter as IterMut;
        pub struct VecDeque<T>;
        impl<T> VecDeque<T> {
            fn __elem(&self) -> T;
            fn __index(&self) -> T;
            pub fn new() -> VecDeque<T>;
            pub fn default() -> VecDeque<T>;
            pub fn with_capacity(capacity: usize) -> VecDeque<T>;
            pub fn from<A>(value: A) -> VecDeque<T>;
            pub fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> VecDeque<T>;
            pub fn get(&self, index: usize) -> Option<T>;
            pub fn get_mut(&mut self, index: usize) -> Option<T>;
            pub fn swap(&mut self, i: usize, j: usize);
            pub fn capacity(&self) -> usize;
            pub fn reserve(&mut self, additional: usize);
            pub fn truncate(&mut self, len: usize);
            pub fn iter(&self) -> impl Iterator<Item = T>;
            pub fn iter_mut(&mut self) -> impl Iterator<Item = T>;
            pub fn into_iter(self) -> impl Iterator<Item = T>;
            pub fn as_slices(&self) -> ([T], [T]);
            pub fn make_contiguous(&mut self) -> [T];
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn range<R>(&self, range: R) -> impl Iterator<Item = T>;
            pub fn drain<R>(&mut self, range: R) -> impl Iterator<Item = T>;
            pub fn clear(&mut self);
            pub fn contains(&self, x: &T) -> bool;
            pub fn front(&self) -> Option<T>;
            pub fn front_mut(&mut self) -> Option<T>;
            pub fn back(&self) -> Option<T>;
            pub fn back_mut(&mut self) -> Option<T>;
            pub fn pop_front(&mut self) -> Option<T>;
            pub fn pop_back(&mut self) -> Option<T>;
            pub fn push_front(&mut self, value: T);
            pub fn push_back(&mut self, value: T);
            pub fn insert(&mut self, index: usize, value: T);
            pub fn remove(&mut self, index: usize) -> Option<T>;
            pub fn split_off(&mut self, at: usize) -> VecDeque<T>;
            pub fn append(&mut self, other: &mut VecDeque<T>);
            pub fn retain(&mut self, f: impl FnMut(T) -> bool);
            pub fn rotate_left(&mut self, n: usize);
            pub fn rotate_right(&mut self, n: usize);
            pub fn extend<I>(&mut self, iter: I);
            pub fn clone(&self) -> VecDeque<T>;
        }
    }

    pub mod binary_heap {
        pub use super::hash_set::IntoIter;
        pub use super::hash_set::Iter;
        pub struct BinaryHeap<T>;
        impl<T> BinaryHeap<T> {
            fn __elem(&self) -> T;
            pub fn new() -> BinaryHeap<T>;
            pub fn with_capacity(capacity: usize) -> BinaryHeap<T>;
            pub fn from<A>(value: A) -> BinaryHeap<T>;
            pub fn push(&mut self, item: T);
            pub fn pop(&mut self) -> Option<T>;
            pub fn peek(&self) -> Option<T>;
            pub fn peek_mut(&mut self) -> Option<T>;
            pub fn into_sorted_vec(self) -> Vec<T>;
            pub fn into_vec(self) -> Vec<T>;
            pub fn iter(&self) -> impl Iterator<Item = T>;
            pub fn into_iter(self) -> impl Iterator<Item = T>;
            pub fn drain(&mut self) -> impl Iterator<Item = T>;
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn clear(&mut self);
            pub fn extend<I>(&mut self, iter: I);
            pub fn retain(&mut self, f: impl FnMut(T) -> bool);
            pub fn clone(&self) -> BinaryHeap<T>;
        }
    }

    pub mod linked_list {
        pub use super::hash_set::IntoIter;
        pub use super::hash_set::Iter;
        pub struct LinkedList<T>;
        impl<T> LinkedList<T> {
            fn __elem(&self) -> T;
            pub fn new() -> LinkedList<T>;
            pub fn iter(&self) -> impl Iterator<Item = T>;
            pub fn iter_mut(&mut self) -> impl Iterator<Item = T>;
            pub fn into_iter(self) -> impl Iterator<Item = T>;
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn clear(&mut self);
            pub fn front(&self) -> Option<T>;
            pub fn back(&self) -> Option<T>;
            pub fn push_front(&mut self, value: T);
            pub fn push_back(&mut self, value: T);
            pub fn pop_front(&mut self) -> Option<T>;
            pub fn pop_back(&mut self) -> Option<T>;
            pub fn append(&mut self, other: &mut LinkedList<T>);
            pub fn clone(&self) -> LinkedList<T>;
        }
    }
}
