// Iterators.

pub mod iter {
    use ::cmp::Ordering;

    pub trait IntoIterator {
        type Item;
        type IntoIter: Iterator;
        fn into_iter(self) -> impl Iterator<Item = Self::Item>;
        fn __elem(&self) -> Self::Item {}
    }

    pub trait FromIterator<A> {
        fn from_iter<I: IntoIterator<Item = A>>(iter: I) -> Self;
    }
    impl<T: FromIterator<A>, A> FromIterator<A> for T {}

    pub trait Extend<A> {
        fn extend<I: IntoIterator<Item = A>>(&mut self, iter: I);
    }

    pub trait Iterator {
        type Item;
        fn __elem(&self) -> Self::Item {}
        fn next(&mut self) -> Option<Self::Item>;
        fn into_iter(self) -> Self {}
        fn size_hint(&self) -> (usize, Option<usize>) {}
        fn count(self) -> usize {}
        fn last(self) -> Option<Self::Item> {}
        fn nth(&mut self, n: usize) -> Option<Self::Item> {}
        fn step_by(self, step: usize) -> impl Iterator<Item = Self::Item> {}
        fn chain<U>(self, other: U) -> impl Iterator<Item = Self::Item> {}
        fn zip<U: IntoIterator<Item = V>, V>(self, other: U) -> impl Iterator<Item = (Self::Item, V)> {}
        fn map<B>(self, f: impl FnMut(Self::Item) -> B) -> impl Iterator<Item = B> {}
        fn for_each(self, f: impl FnMut(Self::Item)) {}
        fn filter(self, predicate: impl FnMut(Self::Item) -> bool) -> impl Iterator<Item = Self::Item> {}
        fn filter_map<B>(self, f: impl FnMut(Self::Item) -> Option<B>) -> impl Iterator<Item = B> {}
        fn enumerate(self) -> impl Iterator<Item = (usize, Self::Item)> {}
        fn peekable(self) -> Peekable<Self> {}
        fn skip_while(self, predicate: impl FnMut(Self::Item) -> bool) -> impl Iterator<Item = Self::Item> {}
        fn take_while(self, predicate: impl FnMut(Self::Item) -> bool) -> impl Iterator<Item = Self::Item> {}
        fn map_while<B>(self, f: impl FnMut(Self::Item) -> Option<B>) -> impl Iterator<Item = B> {}
        fn skip(self, n: usize) -> impl Iterator<Item = Self::Item> {}
        fn take(self, n: usize) -> impl Iterator<Item = Self::Item> {}
        fn scan<St, B>(self, initial: St, f: impl FnMut(St, Self::Item) -> Option<B>) -> impl Iterator<Item = B> {}
        fn flat_map<U: IntoIterator<Item = B>, B>(self, f: impl FnMut(Self::Item) -> U) -> impl Iterator<Item = B> {}
        fn flatten(self) -> impl Iterator<Item = <Self::Item as IntoIterator>::Item> {}
        fn fuse(self) -> impl Iterator<Item = Self::Item> {}
        fn inspect(self, f: impl FnMut(Self::Item)) -> impl Iterator<Item = Self::Item> {}
        fn by_ref(&mut self) -> Self {}
        fn collect<B: FromIterator<Self::Item>>(self) -> B {}
        fn partition<B>(self, f: impl FnMut(Self::Item) -> bool) -> (B, B) {}
        fn try_fold<B, R>(&mut self, init: B, f: impl FnMut(B, Self::Item) -> R) -> R {}
        fn try_for_each<R>(&mut self, f: impl FnMut(Self::Item) -> R) -> R {}
        fn fold<B>(self, init: B, f: impl FnMut(B, Self::Item) -> B) -> B {}
        fn reduce(self, f: impl FnMut(Self::Item, Self::Item) -> Self::Item) -> Option<Self::Item> {}
        fn all(&mut self, f: impl FnMut(Self::Item) -> bool) -> bool {}
        fn any(&mut self, f: impl FnMut(Self::Item) -> bool) -> bool {}
        fn find(&mut self, predicate: impl FnMut(Self::Item) -> bool) -> Option<Self::Item> {}
        fn find_map<B>(&mut self, f: impl FnMut(Self::Item) -> Option<B>) -> Option<B> {}
        fn position(&mut self, predicate: impl FnMut(Self::Item) -> bool) -> Option<usize> {}
        fn rposition(&mut self, predicate: impl FnMut(Self::Item) -> bool) -> Option<usize> {}
        fn max(self) -> Option<Self::Item> {}
        fn min(self) -> Option<Self::Item> {}
        fn max_by_key<B>(self, f: impl FnMut(Self::Item) -> B) -> Option<Self::Item> {}
        fn max_by(self, f: impl FnMut(Self::Item, Self::Item) -> Ordering) -> Option<Self::Item> {}
        fn min_by_key<B>(self, f: impl FnMut(Self::Item) -> B) -> Option<Self::Item> {}
        fn min_by(self, f: impl FnMut(Self::Item, Self::Item) -> Ordering) -> Option<Self::Item> {}
        fn rev(self) -> impl Iterator<Item = Self::Item> {}
        fn unzip<A, B>(self) -> (A, B) {}
        fn copied(self) -> impl Iterator<Item = Self::Item> {}
        fn cloned(self) -> impl Iterator<Item = Self::Item> {}
        fn cycle(self) -> impl Iterator<Item = Self::Item> {}
        fn sum<S>(self) -> S {}
        fn product<P>(self) -> P {}
        fn cmp<I>(self, other: I) -> Ordering {}
        fn partial_cmp<I>(self, other: I) -> Option<Ordering> {}
        fn eq<I>(self, other: I) -> bool {}
        fn ne<I>(self, other: I) -> bool {}
        fn lt<I>(self, other: I) -> bool {}
        fn is_sorted(self) -> bool {}
        fn is_sorted_by_key<K>(self, f: impl FnMut(Self::Item) -> K) -> bool {}
        fn next_back(&mut self) -> Option<Self::Item> {}
        fn nth_back(&mut self, n: usize) -> Option<Self::Item> {}
        fn rfold<B>(self, init: B, f: impl FnMut(B, Self::Item) -> B) -> B {}
        fn rfind(&mut self, predicate: impl FnMut(Self::Item) -> bool) -> Option<Self::Item> {}
        fn len(&self) -> usize {}
        fn as_str(&self) -> str {}
        fn as_path(&self) -> ::path::Path {}
        fn as_slice(&self) -> [Self::Item] {}
        fn remainder(&self) -> [Self::Item] {}
    }

    pub trait DoubleEndedIterator: Iterator {
        fn next_back(&mut self) -> Option<Self::Item>;
    }
    pub trait ExactSizeIterator: Iterator {
        fn len(&self) -> usize {}
    }
    pub trait FusedIterator: Iterator {}
    pub trait Sum<A> {
        fn sum<I: Iterator<Item = A>>(iter: I) -> Self;
    }
    pub trait Product<A> {
        fn product<I: Iterator<Item = A>>(iter: I) -> Self;
    }

    pub struct Peekable<I>;
    impl<I: Iterator> Peekable<I> {
        pub fn peek(&mut self) -> Option<<I as Iterator>::Item>;
        pub fn peek_mut(&mut self) -> Option<<I as Iterator>::Item>;
        pub fn next_if(&mut self, f: impl FnOnce(<I as Iterator>::Item) -> bool) -> Option<<I as Iterator>::Item>;
        pub fn next_if_eq<T>(&mut self, expected: &T) -> Option<<I as Iterator>::Item>;
        pub fn clone(&self) -> Peekable<I>;
    }
    impl<I: Iterator> Iterator for Peekable<I> {
        type Item = <I as Iterator>::Item;
    }

    // Adapters by their names, for fields and results that write them. What a
    // closure gives is not written in the type: `Map` has no item.
    pub struct Map<I, F>;
    impl<I, F> Iterator for Map<I, F> {}
    pub struct FilterMap<I, F>;
    impl<I, F> Iterator for FilterMap<I, F> {}
    pub struct Scan<I, S, F>;
    impl<I, S, F> Iterator for Scan<I, S, F> {}
    pub struct FromFn<F>;
    impl<F> Iterator for FromFn<F> {}
    pub struct Successors<T, F>;
    impl<T, F> Iterator for Successors<T, F> {
        type Item = T;
    }
    pub struct Filter<I, P>;
    impl<I: Iterator, P> Iterator for Filter<I, P> {
        type Item = <I as Iterator>::Item;
    }
    pub struct SkipWhile<I, P>;
    impl<I: Iterator, P> Iterator for SkipWhile<I, P> {
        type Item = <I as Iterator>::Item;
    }
    pub struct TakeWhile<I, P>;
    impl<I: Iterator, P> Iterator for TakeWhile<I, P> {
        type Item = <I as Iterator>::Item;
    }
    pub struct Inspect<I, F>;
    impl<I: Iterator, F> Iterator for Inspect<I, F> {
        type Item = <I as Iterator>::Item;
    }
    pub struct Enumerate<I>;
    impl<I: Iterator> Iterator for Enumerate<I> {
        type Item = (usize, <I as Iterator>::Item);
    }
    pub struct Zip<A, B>;
    impl<A: Iterator, B: Iterator> Iterator for Zip<A, B> {
        type Item = (<A as Iterator>::Item, <B as Iterator>::Item);
    }
    pub struct Chain<A, B>;
    impl<A: Iterator, B> Iterator for Chain<A, B> {
        type Item = <A as Iterator>::Item;
    }
    pub struct Flatten<I>;
    impl<I: Iterator> Iterator for Flatten<I> {
        type Item = <<I as Iterator>::Item as IntoIterator>::Item;
    }
    pub struct FlatMap<I, U, F>;
    impl<I, U: IntoIterator, F> Iterator for FlatMap<I, U, F> {
        type Item = <U as IntoIterator>::Item;
    }
    pub struct Rev<I>;
    impl<I: Iterator> Iterator for Rev<I> {
        type Item = <I as Iterator>::Item;
    }
    pub struct Skip<I>;
    impl<I: Iterator> Iterator for Skip<I> {
        type Item = <I as Iterator>::Item;
    }
    pub struct Take<I>;
    impl<I: Iterator> Iterator for Take<I> {
        type Item = <I as Iterator>::Item;
    }
    pub struct StepBy<I>;
    impl<I: Iterator> Iterator for StepBy<I> {
        type Item = <I as Iterator>::Item;
    }
    pub struct Fuse<I>;
    impl<I: Iterator> Iterator for Fuse<I> {
        type Item = <I as Iterator>::Item;
    }
    pub struct Cloned<I>;
    impl<I: Iterator> Iterator for Cloned<I> {
        type Item = <I as Iterator>::Item;
    }
    pub struct Copied<I>;
    impl<I: Iterator> Iterator for Copied<I> {
        type Item = <I as Iterator>::Item;
    }
    pub struct Cycle<I>;
    impl<I: Iterator> Iterator for Cycle<I> {
        type Item = <I as Iterator>::Item;
    }
    pub struct Once<T>;
    impl<T> Iterator for Once<T> {
        type Item = T;
    }
    pub struct Empty<T>;
    impl<T> Iterator for Empty<T> {
        type Item = T;
    }
    pub struct Repeat<T>;
    impl<T> Iterator for Repeat<T> {
        type Item = T;
    }
    pub struct RepeatN<T>;
    impl<T> Iterator for RepeatN<T> {
        type Item = T;
    }

    pub fn once<T>(value: T) -> impl Iterator<Item = T>;
    pub fn once_with<T>(f: impl FnOnce() -> T) -> impl Iterator<Item = T>;
    pub fn empty<T>() -> impl Iterator<Item = T>;
    pub fn repeat<T>(value: T) -> impl Iterator<Item = T>;
    pub fn repeat_n<T>(value: T, count: usize) -> impl Iterator<Item = T>;
    pub fn repeat_with<T>(f: impl FnMut() -> T) -> impl Iterator<Item = T>;
    pub fn from_fn<T>(f: impl FnMut() -> Option<T>) -> impl Iterator<Item = T>;
    pub fn successors<T>(first: Option<T>, f: impl FnMut(T) -> Option<T>) -> impl Iterator<Item = T>;
    pub fn zip<A: IntoIterator<Item = X>, B: IntoIterator<Item = Y>, X, Y>(a: A, b: B) -> impl Iterator<Item = (X, Y)>;
}

pub mod future {
    // `Output = T` is also what an async function's written result becomes.
    pub trait Future<T = ()> {
        type Output = T;
        fn __await(&self) -> Self::Output {}
        fn poll(self, cx: &mut ::task::Context) -> ::task::Poll<Self::Output>;
    }
    pub trait IntoFuture {
        type Output;
        type IntoFuture;
        fn into_future(self) -> Self::IntoFuture;
        fn __await(&self) -> Self::Output {}
    }
    pub fn ready<T>(value: T) -> impl Future<Output = T>;
    pub fn pending<T>() -> impl Future<Output = T>;
    pub fn poll_fn<T>(f: impl FnMut(::task::Context) -> ::task::Poll<T>) -> impl Future<Output = T>;
}

pub mod task {
    pub enum Poll<T> {
        Ready(T),
        Pending,
    }
    impl<T> Poll<T> {
        fn __try(&self) -> Poll<T>;
        pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Poll<U>;
        pub fn is_ready(&self) -> bool;
        pub fn is_pending(&self) -> bool;
        pub fn map_ok<U>(self, f: impl FnOnce(T) -> U) -> Poll<U>;
        pub fn map_err<U>(self, f: impl FnOnce(T) -> U) -> Poll<U>;
    }
    pub struct Context;
    impl Context {
        pub fn from_waker(waker: &Waker) -> Context;
        pub fn waker(&self) -> Waker;
    }
    pub struct Waker;
    impl Waker {
        pub fn wake(self);
        pub fn wake_by_ref(&self);
        pub fn will_wake(&self, other: &Waker) -> bool;
        pub fn clone(&self) -> Waker;
        pub fn noop() -> Waker;
    }
    pub trait Wake {
        fn wake(self);
        fn wake_by_ref(&self) {}
    }
}
