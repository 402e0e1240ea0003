// Packages whose containers and locks much code goes through, as far as receivers
// depend on them. What is missing here leads outside as any path into a package.

pub mod smallvec {
    pub struct SmallVec<A>;
    impl<T> SmallVec<[T; 0]> {
        fn __deref(&self) -> Vec<T>;
        fn __elem(&self) -> T;
        fn __index(&self) -> T;
        fn __slice(&self) -> [T];
        pub fn new() -> SmallVec<[T; 0]>;
        pub fn default() -> SmallVec<[T; 0]>;
        pub fn with_capacity(n: usize) -> SmallVec<[T; 0]>;
        pub fn from_vec(vec: Vec<T>) -> SmallVec<[T; 0]>;
        pub fn from_slice(slice: &[T]) -> SmallVec<[T; 0]>;
        pub fn from_elem(elem: T, n: usize) -> SmallVec<[T; 0]>;
        pub fn from_buf(buf: [T; 0]) -> SmallVec<[T; 0]>;
        pub fn from<S>(value: S) -> SmallVec<[T; 0]>;
        pub fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> SmallVec<[T; 0]>;
        pub fn into_vec(self) -> Vec<T>;
        pub fn into_iter(self) -> ::vec::IntoIter<T>;
        pub fn into_inner(self) -> ::result::Result<[T; 0], SmallVec<[T; 0]>>;
        pub fn insert_many<I>(&mut self, index: usize, iter: I);
        pub fn insert_from_slice(&mut self, index: usize, slice: &[T]);
        pub fn inline_size(&self) -> usize;
        pub fn spilled(&self) -> bool;
        pub fn grow(&mut self, capacity: usize);
        pub fn clone(&self) -> SmallVec<[T; 0]>;
    }
}

pub mod thin_vec {
    pub use ::vec::Vec as ThinVec;
}

pub mod hashbrown {
    pub use ::collections::hash_map;
    pub use ::collections::hash_set;
    pub use ::collections::HashMap;
    pub use ::collections::HashSet;
}

pub mod rustc_hash {
    pub use ::collections::HashMap as FxHashMap;
    pub use ::collections::HashSet as FxHashSet;
}

pub mod fxhash {
    pub use ::collections::HashMap as FxHashMap;
    pub use ::collections::HashSet as FxHashSet;
}

pub mod ahash {
    pub use ::collections::HashMap;
    pub use ::collections::HashMap as AHashMap;
    pub use ::collections::HashSet;
    pub use ::collections::HashSet as AHashSet;
}

pub mod indexmap {
    pub mod map {
        pub use ::indexmap::IndexMap;
        pub use ::indexmap::Entry;
    }
    pub mod set {
        pub use ::indexmap::IndexSet;
    }
    pub struct IndexMap<K, V, S = ::hash::RandomState>;
    impl<K, V, S> IndexMap<K, V, S> {
        fn __elem(&self) -> (K, V);
        fn __index(&self) -> V;
        pub fn new() -> IndexMap<K, V, S>;
        pub fn default() -> IndexMap<K, V, S>;
        pub fn with_capacity(n: usize) -> IndexMap<K, V, S>;
        pub fn with_hasher(hasher: S) -> IndexMap<K, V, S>;
        pub fn with_capacity_and_hasher(n: usize, hasher: S) -> IndexMap<K, V, S>;
        pub fn from<A>(value: A) -> IndexMap<K, V, S>;
        pub fn from_iter<I: IntoIterator<Item = (K, V)>>(iter: I) -> IndexMap<K, V, S>;
        pub fn capacity(&self) -> usize;
        pub fn len(&self) -> usize;
        pub fn is_empty(&self) -> bool;
        pub fn keys(&self) -> impl Iterator<Item = K>;
        pub fn into_keys(self) -> impl Iterator<Item = K>;
        pub fn values(&self) -> impl Iterator<Item = V>;
        pub fn values_mut(&mut self) -> impl Iterator<Item = V>;
        pub fn into_values(self) -> impl Iterator<Item = V>;
        pub fn iter(&self) -> impl Iterator<Item = (K, V)>;
        pub fn iter_mut(&mut self) -> impl Iterator<Item = (K, V)>;
        pub fn into_iter(self) -> impl Iterator<Item = (K, V)>;
        pub fn drain<R>(&mut self, range: R) -> impl Iterator<Item = (K, V)>;
        pub fn retain(&mut self, keep: impl FnMut(K, V) -> bool);
        pub fn clear(&mut self);
        pub fn truncate(&mut self, len: usize);
        pub fn reserve(&mut self, additional: usize);
        pub fn shrink_to_fit(&mut self);
        pub fn entry(&mut self, key: K) -> Entry<K, V>;
        pub fn get<Q>(&self, key: &Q) -> Option<V>;
        pub fn get_mut<Q>(&mut self, key: &Q) -> Option<V>;
        pub fn get_key_value<Q>(&self, key: &Q) -> Option<(K, V)>;
        pub fn get_full<Q>(&self, key: &Q) -> Option<(usize, K, V)>;
        pub fn get_full_mut<Q>(&mut self, key: &Q) -> Option<(usize, K, V)>;
        pub fn get_index(&self, index: usize) -> Option<(K, V)>;
        pub fn get_index_mut(&mut self, index: usize) -> Option<(K, V)>;
        pub fn get_index_of<Q>(&self, key: &Q) -> Option<usize>;
        pub fn contains_key<Q>(&self, key: &Q) -> bool;
        pub fn insert(&mut self, key: K, value: V) -> Option<V>;
        pub fn insert_full(&mut self, key: K, value: V) -> (usize, Option<V>);
        pub fn insert_sorted(&mut self, key: K, value: V) -> (usize, Option<V>);
        pub fn remove<Q>(&mut self, key: &Q) -> Option<V>;
        pub fn remove_entry<Q>(&mut self, key: &Q) -> Option<(K, V)>;
        pub fn swap_remove<Q>(&mut self, key: &Q) -> Option<V>;
        pub fn swap_remove_entry<Q>(&mut self, key: &Q) -> Option<(K, V)>;
        pub fn swap_remove_index(&mut self, index: usize) -> Option<(K, V)>;
        pub fn shift_remove<Q>(&mut self, key: &Q) -> Option<V>;
        pub fn shift_remove_entry<Q>(&mut self, key: &Q) -> Option<(K, V)>;
        pub fn shift_remove_index(&mut self, index: usize) -> Option<(K, V)>;
        pub fn pop(&mut self) -> Option<(K, V)>;
        pub fn first(&self) -> Option<(K, V)>;
        pub fn first_mut(&mut self) -> Option<(K, V)>;
        pub fn last(&self) -> Option<(K, V)>;
        pub fn last_mut(&mut self) -> Option<(K, V)>;
        pub fn sort_keys(&mut self);
        pub fn sort_by(&mut self, cmp: impl FnMut(K, V, K, V) -> ::cmp::Ordering);
        pub fn sort_unstable_by(&mut self, cmp: impl FnMut(K, V, K, V) -> ::cmp::Ordering);
        pub fn sort_by_key<T>(&mut self, sort_key: impl FnMut(K, V) -> T);
        pub fn reverse(&mut self);
        pub fn extend<I>(&mut self, iter: I);
        pub fn append(&mut self, other: &mut IndexMap<K, V, S>);
        pub fn clone(&self) -> IndexMap<K, V, S>;
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
        pub fn and_modify(self, f: impl FnOnce(V)) -> Entry<K, V>;
        pub fn key(&self) -> K;
        pub fn index(&self) -> usize;
    }
    pub struct OccupiedEntry<K, V>;
    impl<K, V> OccupiedEntry<K, V> {
        pub fn key(&self) -> K;
        pub fn key_mut(&mut self) -> K;
        pub fn get(&self) -> V;
        pub fn get_mut(&mut self) -> V;
        pub fn into_mut(self) -> V;
        pub fn insert(&mut self, value: V) -> V;
        pub fn index(&self) -> usize;
        pub fn swap_remove(self) -> V;
        pub fn shift_remove(self) -> V;
        pub fn swap_remove_entry(self) -> (K, V);
        pub fn shift_remove_entry(self) -> (K, V);
    }
    pub struct VacantEntry<K, V>;
    impl<K, V> VacantEntry<K, V> {
        pub fn key(&self) -> K;
        pub fn into_key(self) -> K;
        pub fn index(&self) -> usize;
        pub fn insert(self, value: V) -> V;
    }
    pub struct IndexSet<T, S = ::hash::RandomState>;
    impl<T, S> IndexSet<T, S> {
        fn __elem(&self) -> T;
        fn __index(&self) -> T;
        pub fn new() -> IndexSet<T, S>;
        pub fn default() -> IndexSet<T, S>;
        pub fn with_capacity(n: usize) -> IndexSet<T, S>;
        pub fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> IndexSet<T, S>;
        pub fn len(&self) -> usize;
        pub fn is_empty(&self) -> bool;
        pub fn iter(&self) -> impl Iterator<Item = T>;
        pub fn into_iter(self) -> impl Iterator<Item = T>;
        pub fn drain<R>(&mut self, range: R) -> impl Iterator<Item = T>;
        pub fn retain(&mut self, keep: impl FnMut(T) -> bool);
        pub fn clear(&mut self);
        pub fn contains<Q>(&self, value: &Q) -> bool;
        pub fn get<Q>(&self, value: &Q) -> Option<T>;
        pub fn get_index(&self, index: usize) -> Option<T>;
        pub fn get_full<Q>(&self, value: &Q) -> Option<(usize, T)>;
        pub fn get_index_of<Q>(&self, value: &Q) -> Option<usize>;
        pub fn insert(&mut self, value: T) -> bool;
        pub fn insert_full(&mut self, value: T) -> (usize, bool);
        pub fn swap_remove<Q>(&mut self, value: &Q) -> bool;
        pub fn shift_remove<Q>(&mut self, value: &Q) -> bool;
        pub fn swap_take<Q>(&mut self, value: &Q) -> Option<T>;
        pub fn shift_take<Q>(&mut self, value: &Q) -> Option<T>;
        pub fn pop(&mut self) -> Option<T>;
        pub fn first(&self) -> Option<T>;
        pub fn last(&self) -> Option<T>;
        pub fn extend<I>(&mut self, iter: I);
        pub fn clone(&self) -> IndexSet<T, S>;
    }
}

pub mod once_cell {
    pub mod sync {
        pub use ::sync::LazyLock as Lazy;
        pub use ::sync::OnceLock as OnceCell;
    }
    pub mod unsync {
        pub use ::cell::LazyCell as Lazy;
        pub use ::cell::OnceCell;
    }
}

pub mod parking_lot {
    pub use ::sync::MutexGuard;
    pub use ::sync::RwLockReadGuard;
    pub use ::sync::RwLockWriteGuard;
    pub struct Mutex<T>;
    impl<T> Mutex<T> {
        pub fn new(t: T) -> Mutex<T>;
        pub fn default() -> Mutex<T>;
        pub fn lock(&self) -> MutexGuard<T>;
        pub fn try_lock(&self) -> Option<MutexGuard<T>>;
        pub fn try_lock_for(&self, timeout: ::time::Duration) -> Option<MutexGuard<T>>;
        pub fn is_locked(&self) -> bool;
        pub fn into_inner(self) -> T;
        pub fn get_mut(&mut self) -> T;
    }
    pub struct ReentrantMutex<T>;
    impl<T> ReentrantMutex<T> {
        pub fn new(t: T) -> ReentrantMutex<T>;
        pub fn lock(&self) -> MutexGuard<T>;
        pub fn try_lock(&self) -> Option<MutexGuard<T>>;
    }
    pub struct RwLock<T>;
    impl<T> RwLock<T> {
        pub fn new(t: T) -> RwLock<T>;
        pub fn default() -> RwLock<T>;
        pub fn read(&self) -> RwLockReadGuard<T>;
        pub fn write(&self) -> RwLockWriteGuard<T>;
        pub fn try_read(&self) -> Option<RwLockReadGuard<T>>;
        pub fn try_write(&self) -> Option<RwLockWriteGuard<T>>;
        pub fn upgradable_read(&self) -> RwLockUpgradableReadGuard<T>;
        pub fn into_inner(self) -> T;
        pub fn get_mut(&mut self) -> T;
    }
    pub struct RwLockUpgradableReadGuard<T>;
    impl<T> RwLockUpgradableReadGuard<T> {
        fn __deref(&self) -> T;
        pub fn upgrade(s: RwLockUpgradableReadGuard<T>) -> RwLockWriteGuard<T>;
    }
    pub struct Condvar;
    impl Condvar {
        pub fn new() -> Condvar;
        pub fn wait<T>(&self, guard: &mut MutexGuard<T>);
        pub fn notify_one(&self) -> bool;
        pub fn notify_all(&self) -> usize;
    }
}

pub mod dashmap {
    pub struct DashMap<K, V, S = ::hash::RandomState>;
    impl<K, V, S> DashMap<K, V, S> {
        pub fn new() -> DashMap<K, V, S>;
        pub fn default() -> DashMap<K, V, S>;
        pub fn with_capacity(n: usize) -> DashMap<K, V, S>;
        pub fn insert(&self, key: K, value: V) -> Option<V>;
        pub fn remove<Q>(&self, key: &Q) -> Option<(K, V)>;
        pub fn get<Q>(&self, key: &Q) -> Option<Ref<K, V>>;
        pub fn get_mut<Q>(&self, key: &Q) -> Option<Ref<K, V>>;
        pub fn iter(&self) -> impl Iterator<Item = Ref<K, V>>;
        pub fn iter_mut(&self) -> impl Iterator<Item = Ref<K, V>>;
        pub fn into_iter(self) -> impl Iterator<Item = (K, V)>;
        pub fn entry(&self, key: K) -> Entry<K, V>;
        pub fn contains_key<Q>(&self, key: &Q) -> bool;
        pub fn len(&self) -> usize;
        pub fn is_empty(&self) -> bool;
        pub fn clear(&self);
        pub fn retain(&self, keep: impl FnMut(K, V) -> bool);
    }
    pub struct Entry<K, V>;
    impl<K, V> Entry<K, V> {
        pub fn or_insert(self, value: V) -> Ref<K, V>;
        pub fn or_insert_with(self, value: impl FnOnce() -> V) -> Ref<K, V>;
        pub fn or_default(self) -> Ref<K, V>;
        pub fn and_modify(self, f: impl FnOnce(V)) -> Entry<K, V>;
    }
    pub struct Ref<K, V>;
    impl<K, V> Ref<K, V> {
        fn __deref(&self) -> V;
        pub fn key(&self) -> K;
        pub fn value(&self) -> V;
        pub fn value_mut(&mut self) -> V;
        pub fn pair(&self) -> (K, V);
    }
}

pub mod tokio {
    pub mod sync {
        pub struct Mutex<T>;
        impl<T> Mutex<T> {
            pub fn new(t: T) -> Mutex<T>;
            pub fn default() -> Mutex<T>;
            pub async fn lock(&self) -> MutexGuard<T>;
            pub async fn lock_owned(self) -> MutexGuard<T>;
            pub fn blocking_lock(&self) -> MutexGuard<T>;
            pub fn try_lock(&self) -> ::result::Result<MutexGuard<T>, TryLockError>;
            pub fn into_inner(self) -> T;
            pub fn get_mut(&mut self) -> T;
        }
        pub struct TryLockError;
        pub struct RwLock<T>;
        impl<T> RwLock<T> {
            pub fn new(t: T) -> RwLock<T>;
            pub fn default() -> RwLock<T>;
            pub async fn read(&self) -> RwLockReadGuard<T>;
            pub async fn write(&self) -> RwLockWriteGuard<T>;
            pub fn blocking_read(&self) -> RwLockReadGuard<T>;
            pub fn blocking_write(&self) -> RwLockWriteGuard<T>;
            pub fn try_read(&self) -> ::result::Result<RwLockReadGuard<T>, TryLockError>;
            pub fn try_write(&self) -> ::result::Result<RwLockWriteGuard<T>, TryLockError>;
            pub fn into_inner(self) -> T;
            pub fn get_mut(&mut self) -> T;
        }
        pub use ::parking_lot::MutexGuard;
        pub use ::parking_lot::MutexGuard as OwnedMutexGuard;
        pub use ::parking_lot::RwLockReadGuard;
        pub use ::parking_lot::RwLockWriteGuard;
        pub struct OnceCell<T>;
        impl<T> OnceCell<T> {
            pub fn new() -> OnceCell<T>;
            pub fn const_new() -> OnceCell<T>;
            pub fn get(&self) -> Option<T>;
            pub fn set(&self, value: T) -> ::result::Result<(), T>;
            pub fn initialized(&self) -> bool;
            pub fn into_inner(self) -> Option<T>;
        }
        pub mod mpsc {
            pub fn channel<T>(buffer: usize) -> (Sender<T>, Receiver<T>);
            pub fn unbounded_channel<T>() -> (UnboundedSender<T>, UnboundedReceiver<T>);
            pub struct SendError<T>(pub T);
            pub struct Sender<T>;
            impl<T> Sender<T> {
                pub async fn send(&self, value: T) -> ::result::Result<(), SendError<T>>;
                pub fn blocking_send(&self, value: T) -> ::result::Result<(), SendError<T>>;
                pub fn try_send(&self, value: T) -> ::result::Result<(), SendError<T>>;
                pub fn is_closed(&self) -> bool;
                pub async fn closed(&self);
                pub fn capacity(&self) -> usize;
                pub fn downgrade(&self) -> WeakSender<T>;
                pub fn clone(&self) -> Sender<T>;
            }
            pub struct WeakSender<T>;
            impl<T> WeakSender<T> {
                pub fn upgrade(&self) -> Option<Sender<T>>;
            }
            pub struct UnboundedSender<T>;
            impl<T> UnboundedSender<T> {
                pub fn send(&self, value: T) -> ::result::Result<(), SendError<T>>;
                pub fn is_closed(&self) -> bool;
                pub async fn closed(&self);
                pub fn clone(&self) -> UnboundedSender<T>;
            }
            pub struct Receiver<T>;
            impl<T> Receiver<T> {
                pub async fn recv(&mut self) -> Option<T>;
                pub fn try_recv(&mut self) -> ::result::Result<T, TryRecvError>;
                pub fn blocking_recv(&mut self) -> Option<T>;
                pub fn close(&mut self);
                pub fn is_closed(&self) -> bool;
                pub fn is_empty(&self) -> bool;
                pub fn len(&self) -> usize;
                pub fn poll_recv(&mut self, cx: &mut ::task::Context) -> ::task::Poll<Option<T>>;
            }
            pub struct TryRecvError;
            pub use ::tokio::sync::mpsc::Receiver as UnboundedReceiver;
        }
        pub mod oneshot {
            pub fn channel<T>() -> (Sender<T>, Receiver<T>);
            pub struct Sender<T>;
            impl<T> Sender<T> {
                pub fn send(self, value: T) -> ::result::Result<(), T>;
                pub fn is_closed(&self) -> bool;
                pub async fn closed(&mut self);
                pub fn poll_closed(&mut self, cx: &mut ::task::Context) -> ::task::Poll<()>;
            }
            pub struct RecvError;
            pub struct Receiver<T>;
            impl<T> ::future::Future for Receiver<T> {
                type Output = ::result::Result<T, RecvError>;
            }
            impl<T> Receiver<T> {
                pub fn close(&mut self);
                pub fn try_recv(&mut self) -> ::result::Result<T, RecvError>;
                pub fn blocking_recv(self) -> ::result::Result<T, RecvError>;
            }
        }
        pub mod watch {
            pub fn channel<T>(init: T) -> (Sender<T>, Receiver<T>);
            pub struct Ref<T>;
            impl<T> Ref<T> {
                fn __deref(&self) -> T;
                pub fn has_changed(&self) -> bool;
            }
            pub struct SendError<T>(pub T);
            pub struct RecvError;
            pub struct Sender<T>;
            impl<T> Sender<T> {
                pub fn send(&self, value: T) -> ::result::Result<(), SendError<T>>;
                pub fn send_modify(&self, modify: impl FnOnce(T));
                pub fn send_if_modified(&self, modify: impl FnOnce(T) -> bool) -> bool;
                pub fn send_replace(&self, value: T) -> T;
                pub fn borrow(&self) -> Ref<T>;
                pub fn subscribe(&self) -> Receiver<T>;
                pub fn is_closed(&self) -> bool;
                pub async fn closed(&self);
                pub fn receiver_count(&self) -> usize;
            }
            pub struct Receiver<T>;
            impl<T> Receiver<T> {
                pub fn borrow(&self) -> Ref<T>;
                pub fn borrow_and_update(&mut self) -> Ref<T>;
                pub fn has_changed(&self) -> ::result::Result<bool, RecvError>;
                pub async fn changed(&mut self) -> ::result::Result<(), RecvError>;
                pub async fn wait_for(&mut self, f: impl FnMut(T) -> bool) -> ::result::Result<Ref<T>, RecvError>;
                pub fn clone(&self) -> Receiver<T>;
            }
        }
    }
}

pub mod fnv {
    pub use ::collections::HashMap as FnvHashMap;
    pub use ::collections::HashSet as FnvHashSet;
}
