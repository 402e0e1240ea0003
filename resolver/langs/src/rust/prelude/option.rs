// Option and Result.

pub mod option {
    pub enum Option<T> {
        None,
        Some(T),
    }

    impl<T> Option<T> {
        fn __try(&self) -> T;
        fn __elem(&self) -> T;
        pub fn is_some(&self) -> bool;
        pub fn is_some_and(self, f: impl FnOnce(T) -> bool) -> bool;
        pub fn is_none(&self) -> bool;
        pub fn is_none_or(self, f: impl FnOnce(T) -> bool) -> bool;
        pub fn as_ref(&self) -> Option<T>;
        pub fn as_mut(&mut self) -> Option<T>;
        pub fn as_slice(&self) -> [T];
        pub fn as_deref(&self) -> Option<<T as ::ops::Deref>::Target>;
        pub fn as_deref_mut(&mut self) -> Option<<T as ::ops::Deref>::Target>;
        pub fn expect(self, msg: &str) -> T;
        pub fn unwrap(self) -> T;
        pub fn unwrap_or(self, default: T) -> T;
        pub fn unwrap_or_else(self, f: impl FnOnce() -> T) -> T;
        pub fn unwrap_or_default(self) -> T;
        pub unsafe fn unwrap_unchecked(self) -> T;
        pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Option<U>;
        pub fn inspect(self, f: impl FnOnce(T)) -> Option<T>;
        pub fn map_or<U>(self, default: U, f: impl FnOnce(T) -> U) -> U;
        pub fn map_or_else<U>(self, default: impl FnOnce() -> U, f: impl FnOnce(T) -> U) -> U;
        pub fn ok_or<E>(self, err: E) -> ::result::Result<T, E>;
        pub fn ok_or_else<E>(self, err: impl FnOnce() -> E) -> ::result::Result<T, E>;
        pub fn iter(&self) -> impl Iterator<Item = T>;
        pub fn iter_mut(&mut self) -> impl Iterator<Item = T>;
        pub fn into_iter(self) -> impl Iterator<Item = T>;
        pub fn and<U>(self, other: Option<U>) -> Option<U>;
        pub fn and_then<U>(self, f: impl FnOnce(T) -> Option<U>) -> Option<U>;
        pub fn filter(self, predicate: impl FnOnce(T) -> bool) -> Option<T>;
        pub fn or(self, other: Option<T>) -> Option<T>;
        pub fn or_else(self, f: impl FnOnce() -> Option<T>) -> Option<T>;
        pub fn xor(self, other: Option<T>) -> Option<T>;
        pub fn insert(&mut self, value: T) -> T;
        pub fn get_or_insert(&mut self, value: T) -> T;
        pub fn get_or_insert_with(&mut self, f: impl FnOnce() -> T) -> T;
        pub fn get_or_insert_default(&mut self) -> T;
        pub fn take(&mut self) -> Option<T>;
        pub fn take_if(&mut self, predicate: impl FnOnce(T) -> bool) -> Option<T>;
        pub fn replace(&mut self, value: T) -> Option<T>;
        pub fn zip<U>(self, other: Option<U>) -> Option<(T, U)>;
        pub fn copied(self) -> Option<T>;
        pub fn cloned(self) -> Option<T>;
        pub fn clone(&self) -> Option<T>;
        pub fn flatten(self) -> T;
        pub fn unzip(self) -> T;
        pub fn transpose(self) -> T;
        pub fn as_pin_ref(self) -> Option<T>;
        pub fn as_pin_mut(self) -> Option<T>;
    }
}

pub mod result {
    pub enum Result<T, E> {
        Ok(T),
        Err(E),
    }

    impl<T, E> Result<T, E> {
        fn __try(&self) -> T;
        fn __elem(&self) -> T;
        pub fn is_ok(&self) -> bool;
        pub fn is_ok_and(self, f: impl FnOnce(T) -> bool) -> bool;
        pub fn is_err(&self) -> bool;
        pub fn is_err_and(self, f: impl FnOnce(E) -> bool) -> bool;
        pub fn ok(self) -> Option<T>;
        pub fn err(self) -> Option<E>;
        pub fn as_ref(&self) -> Result<T, E>;
        pub fn as_mut(&mut self) -> Result<T, E>;
        pub fn as_deref(&self) -> Result<<T as ::ops::Deref>::Target, E>;
        pub fn as_deref_mut(&mut self) -> Result<<T as ::ops::Deref>::Target, E>;
        pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Result<U, E>;
        pub fn map_or<U>(self, default: U, f: impl FnOnce(T) -> U) -> U;
        pub fn map_or_else<U>(self, default: impl FnOnce(E) -> U, f: impl FnOnce(T) -> U) -> U;
        pub fn map_err<F>(self, f: impl FnOnce(E) -> F) -> Result<T, F>;
        pub fn inspect(self, f: impl FnOnce(T)) -> Result<T, E>;
        pub fn inspect_err(self, f: impl FnOnce(E)) -> Result<T, E>;
        pub fn iter(&self) -> impl Iterator<Item = T>;
        pub fn iter_mut(&mut self) -> impl Iterator<Item = T>;
        pub fn into_iter(self) -> impl Iterator<Item = T>;
        pub fn expect(self, msg: &str) -> T;
        pub fn unwrap(self) -> T;
        pub fn unwrap_or_default(self) -> T;
        pub fn expect_err(self, msg: &str) -> E;
        pub fn unwrap_err(self) -> E;
        pub fn and<U>(self, other: Result<U, E>) -> Result<U, E>;
        pub fn and_then<U>(self, f: impl FnOnce(T) -> Result<U, E>) -> Result<U, E>;
        pub fn or<F>(self, other: Result<T, F>) -> Result<T, F>;
        pub fn or_else<F>(self, f: impl FnOnce(E) -> Result<T, F>) -> Result<T, F>;
        pub fn unwrap_or(self, default: T) -> T;
        pub fn unwrap_or_else(self, f: impl FnOnce(E) -> T) -> T;
        pub unsafe fn unwrap_unchecked(self) -> T;
        pub fn copied(self) -> Result<T, E>;
        pub fn cloned(self) -> Result<T, E>;
        pub fn clone(&self) -> Result<T, E>;
        pub fn flatten(self) -> T;
        pub fn transpose(self) -> T;
    }
}
