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
    pub use ::collections::HashMap as IndexMap;
    pub use ::collections::HashSet as IndexSet;
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
        pub fn new(value: T) -> Mutex<T>;
        pub fn default() -> Mutex<T>;
        pub fn lock(&self) -> MutexGuard<T>;
        pub fn try_lock(&self) -> Option<MutexGuard<T>>;
        pub fn get_mut(&mut self) -> T;
        pub fn into_inner(self) -> T;
        pub fn is_locked(&self) -> bool;
    }
    pub struct RwLock<T>;
    impl<T> RwLock<T> {
        pub fn new(value: T) -> RwLock<T>;
        pub fn default() -> RwLock<T>;
        pub fn read(&self) -> RwLockReadGuard<T>;
        pub fn write(&self) -> RwLockWriteGuard<T>;
        pub fn try_read(&self) -> Option<RwLockReadGuard<T>>;
        pub fn try_write(&self) -> Option<RwLockWriteGuard<T>>;
        pub fn get_mut(&mut self) -> T;
        pub fn into_inner(self) -> T;
    }
}
