// Owning, sharing and locking.

pub mod boxed {
    pub struct Box<T>;
    impl<T> ::ops::Deref for Box<T> {
        type Target = T;
    }
    impl<T> Box<T> {
        fn __deref(&self) -> T;
        fn __await(&self) -> <T as Future>::Output;
        fn __elem(&self) -> <T as IntoIterator>::Item;
        pub fn new(x: T) -> Box<T>;
        pub fn pin(x: T) -> ::pin::Pin<Box<T>>;
        pub fn from<S>(value: S) -> Box<T>;
        pub fn leak(b: Box<T>) -> T;
        pub fn into_raw(b: Box<T>) -> *mut T;
        pub unsafe fn from_raw(raw: *mut T) -> Box<T>;
        pub fn into_pin(b: Box<T>) -> ::pin::Pin<Box<T>>;
        pub fn into_inner(b: Box<T>) -> T;
        pub fn as_ref(&self) -> T;
        pub fn as_mut(&mut self) -> T;
        pub fn clone(&self) -> Box<T>;
    }
    impl<T: ::fmt::Display> ::fmt::Display for Box<T> {
        fn fmt(&self, f: &mut ::fmt::Formatter) -> ::fmt::Result;
    }
    impl<T: ::fmt::Debug> ::fmt::Debug for Box<T> {
        fn fmt(&self, f: &mut ::fmt::Formatter) -> ::fmt::Result;
    }
    impl<T: ::error::Error> ::error::Error for Box<T> {
        fn source(&self) -> Option<dyn ::error::Error> {}
        fn description(&self) -> str {}
        fn cause(&self) -> Option<dyn ::error::Error> {}
    }
}

pub mod rc {
    pub struct Rc<T>;
    impl<T> ::ops::Deref for Rc<T> {
        type Target = T;
    }
    impl<T> Rc<T> {
        fn __deref(&self) -> T;
        pub fn new(value: T) -> Rc<T>;
        pub fn new_cyclic(f: impl FnOnce(Weak<T>) -> T) -> Rc<T>;
        pub fn from<S>(value: S) -> Rc<T>;
        pub fn pin(value: T) -> ::pin::Pin<Rc<T>>;
        pub fn clone(&self) -> Rc<T>;
        pub fn downcast<U>(this: Rc<T>) -> ::result::Result<Rc<U>, Rc<T>>;
        pub fn try_unwrap(this: Rc<T>) -> ::result::Result<T, Rc<T>>;
        pub fn into_inner(this: Rc<T>) -> Option<T>;
        pub fn unwrap_or_clone(this: Rc<T>) -> T;
        pub fn downgrade(this: &Rc<T>) -> Weak<T>;
        pub fn strong_count(this: &Rc<T>) -> usize;
        pub fn weak_count(this: &Rc<T>) -> usize;
        pub fn get_mut(this: &mut Rc<T>) -> Option<T>;
        pub fn make_mut(this: &mut Rc<T>) -> T;
        pub fn ptr_eq(this: &Rc<T>, other: &Rc<T>) -> bool;
        pub fn as_ptr(this: &Rc<T>) -> *const T;
        pub fn into_raw(this: Rc<T>) -> *const T;
        pub unsafe fn from_raw(ptr: *const T) -> Rc<T>;
        pub fn as_ref(&self) -> T;
    }
    impl<T: ::fmt::Display> ::fmt::Display for Rc<T> {
        fn fmt(&self, f: &mut ::fmt::Formatter) -> ::fmt::Result;
    }
    impl<T: ::fmt::Debug> ::fmt::Debug for Rc<T> {
        fn fmt(&self, f: &mut ::fmt::Formatter) -> ::fmt::Result;
    }
    pub struct Weak<T>;
    impl<T> Weak<T> {
        pub fn new() -> Weak<T>;
        pub fn upgrade(&self) -> Option<Rc<T>>;
        pub fn clone(&self) -> Weak<T>;
        pub fn strong_count(&self) -> usize;
        pub fn ptr_eq(&self, other: &Weak<T>) -> bool;
    }
}

pub mod pin {
    pub struct Pin<P>;
    impl<P> Pin<P> {
        // References are looked through: `Pin<&mut T>` leads to `T` at once.
        fn __deref(&self) -> P;
        pub fn new(pointer: P) -> Pin<P>;
        pub unsafe fn new_unchecked(pointer: P) -> Pin<P>;
        pub fn as_ref(&self) -> Pin<P>;
        pub fn as_mut(&mut self) -> Pin<P>;
        pub fn get_ref(self) -> P;
        pub fn get_mut(self) -> P;
        pub unsafe fn get_unchecked_mut(self) -> P;
        pub unsafe fn map_unchecked_mut<U>(self, f: impl FnOnce(P) -> U) -> Pin<U>;
        pub fn set<T>(&mut self, value: T);
        pub fn into_inner(pin: Pin<P>) -> P;
    }
    impl<T> Pin<::boxed::Box<T>> {
        fn __await(&self) -> <T as Future>::Output;
    }
}

pub mod cell {
    pub struct Cell<T>;
    impl<T> Cell<T> {
        pub fn new(value: T) -> Cell<T>;
        pub fn set(&self, val: T);
        pub fn get(&self) -> T;
        pub fn swap(&self, other: &Cell<T>);
        pub fn replace(&self, val: T) -> T;
        pub fn take(&self) -> T;
        pub fn update(&self, f: impl FnOnce(T) -> T);
        pub fn into_inner(self) -> T;
        pub fn get_mut(&mut self) -> T;
        pub fn as_ptr(&self) -> *mut T;
    }
    pub struct RefCell<T>;
    impl<T> RefCell<T> {
        pub fn new(value: T) -> RefCell<T>;
        pub fn into_inner(self) -> T;
        pub fn replace(&self, t: T) -> T;
        pub fn swap(&self, other: &RefCell<T>);
        pub fn take(&self) -> T;
        pub fn borrow(&self) -> Ref<T>;
        pub fn try_borrow(&self) -> ::result::Result<Ref<T>, BorrowError>;
        pub fn borrow_mut(&self) -> RefMut<T>;
        pub fn try_borrow_mut(&self) -> ::result::Result<RefMut<T>, BorrowMutError>;
        pub fn get_mut(&mut self) -> T;
        pub fn clone(&self) -> RefCell<T>;
    }
    pub struct BorrowError;
    pub struct BorrowMutError;
    pub struct Ref<T>;
    impl<T> ::ops::Deref for Ref<T> {
        type Target = T;
    }
    impl<T> Ref<T> {
        fn __deref(&self) -> T;
        fn __elem(&self) -> <T as IntoIterator>::Item;
        pub fn clone(orig: &Ref<T>) -> Ref<T>;
        pub fn map<U>(orig: Ref<T>, f: impl FnOnce(T) -> U) -> Ref<U>;
    }
    pub struct RefMut<T>;
    impl<T> ::ops::Deref for RefMut<T> {
        type Target = T;
    }
    impl<T> RefMut<T> {
        fn __deref(&self) -> T;
        pub fn map<U>(orig: RefMut<T>, f: impl FnOnce(T) -> U) -> RefMut<U>;
    }
    pub struct UnsafeCell<T>;
    impl<T> UnsafeCell<T> {
        pub fn new(value: T) -> UnsafeCell<T>;
        pub fn get(&self) -> *mut T;
        pub fn get_mut(&mut self) -> T;
        pub fn into_inner(self) -> T;
    }
    pub struct OnceCell<T>;
    impl<T> OnceCell<T> {
        pub fn new() -> OnceCell<T>;
        pub fn get(&self) -> Option<T>;
        pub fn get_mut(&mut self) -> Option<T>;
        pub fn set(&self, value: T) -> ::result::Result<(), T>;
        pub fn get_or_init(&self, f: impl FnOnce() -> T) -> T;
        pub fn into_inner(self) -> Option<T>;
        pub fn take(&mut self) -> Option<T>;
    }
    pub struct LazyCell<T>;
    impl<T> LazyCell<T> {
        fn __deref(&self) -> T;
        pub fn new(f: impl FnOnce() -> T) -> LazyCell<T>;
        pub fn force(this: &LazyCell<T>) -> T;
    }
}

pub mod sync {
    pub struct Arc<T>;
    impl<T> ::ops::Deref for Arc<T> {
        type Target = T;
    }
    impl<T> Arc<T> {
        fn __deref(&self) -> T;
        pub fn new(data: T) -> Arc<T>;
        pub fn new_cyclic(f: impl FnOnce(Weak<T>) -> T) -> Arc<T>;
        pub fn from<S>(value: S) -> Arc<T>;
        pub fn pin(data: T) -> ::pin::Pin<Arc<T>>;
        pub fn clone(&self) -> Arc<T>;
        pub fn downcast<U>(this: Arc<T>) -> ::result::Result<Arc<U>, Arc<T>>;
        pub fn try_unwrap(this: Arc<T>) -> ::result::Result<T, Arc<T>>;
        pub fn into_inner(this: Arc<T>) -> Option<T>;
        pub fn unwrap_or_clone(this: Arc<T>) -> T;
        pub fn downgrade(this: &Arc<T>) -> Weak<T>;
        pub fn strong_count(this: &Arc<T>) -> usize;
        pub fn weak_count(this: &Arc<T>) -> usize;
        pub fn get_mut(this: &mut Arc<T>) -> Option<T>;
        pub fn make_mut(this: &mut Arc<T>) -> T;
        pub fn ptr_eq(this: &Arc<T>, other: &Arc<T>) -> bool;
        pub fn as_ptr(this: &Arc<T>) -> *const T;
        pub fn into_raw(this: Arc<T>) -> *const T;
        pub unsafe fn from_raw(ptr: *const T) -> Arc<T>;
        pub fn as_ref(&self) -> T;
    }
    impl<T: ::fmt::Display> ::fmt::Display for Arc<T> {
        fn fmt(&self, f: &mut ::fmt::Formatter) -> ::fmt::Result;
    }
    impl<T: ::fmt::Debug> ::fmt::Debug for Arc<T> {
        fn fmt(&self, f: &mut ::fmt::Formatter) -> ::fmt::Result;
    }
    impl<T: ::error::Error> ::error::Error for Arc<T> {
        fn source(&self) -> Option<dyn ::error::Error> {}
        fn description(&self) -> str {}
        fn cause(&self) -> Option<dyn ::error::Error> {}
    }
    pub struct Weak<T>;
    impl<T> Weak<T> {
        pub fn new() -> Weak<T>;
        pub fn upgrade(&self) -> Option<Arc<T>>;
        pub fn clone(&self) -> Weak<T>;
        pub fn strong_count(&self) -> usize;
        pub fn ptr_eq(&self, other: &Weak<T>) -> bool;
    }
    pub struct PoisonError<T>;
    impl<T> PoisonError<T> {
        pub fn into_inner(self) -> T;
        pub fn get_ref(&self) -> T;
        pub fn get_mut(&mut self) -> T;
    }
    pub enum TryLockError<T> {
        Poisoned(PoisonError<T>),
        WouldBlock,
    }
    pub type LockResult<T> = ::result::Result<T, PoisonError<T>>;
    pub struct Mutex<T>;
    impl<T> Mutex<T> {
        pub fn new(t: T) -> Mutex<T>;
        pub fn lock(&self) -> ::result::Result<MutexGuard<T>, PoisonError<MutexGuard<T>>>;
        pub fn try_lock(&self) -> ::result::Result<MutexGuard<T>, TryLockError<MutexGuard<T>>>;
        pub fn is_poisoned(&self) -> bool;
        pub fn clear_poison(&self);
        pub fn into_inner(self) -> ::result::Result<T, PoisonError<T>>;
        pub fn get_mut(&mut self) -> ::result::Result<T, PoisonError<T>>;
    }
    pub struct MutexGuard<T>;
    impl<T> ::ops::Deref for MutexGuard<T> {
        type Target = T;
    }
    impl<T> MutexGuard<T> {
        fn __deref(&self) -> T;
    }
    pub struct RwLock<T>;
    impl<T> RwLock<T> {
        pub fn new(t: T) -> RwLock<T>;
        pub fn read(&self) -> ::result::Result<RwLockReadGuard<T>, PoisonError<RwLockReadGuard<T>>>;
        pub fn try_read(&self) -> ::result::Result<RwLockReadGuard<T>, TryLockError<RwLockReadGuard<T>>>;
        pub fn write(&self) -> ::result::Result<RwLockWriteGuard<T>, PoisonError<RwLockWriteGuard<T>>>;
        pub fn try_write(&self) -> ::result::Result<RwLockWriteGuard<T>, TryLockError<RwLockWriteGuard<T>>>;
        pub fn into_inner(self) -> ::result::Result<T, PoisonError<T>>;
        pub fn get_mut(&mut self) -> ::result::Result<T, PoisonError<T>>;
    }
    pub struct RwLockReadGuard<T>;
    impl<T> ::ops::Deref for RwLockReadGuard<T> {
        type Target = T;
    }
    impl<T> RwLockReadGuard<T> {
        fn __deref(&self) -> T;
    }
    pub struct RwLockWriteGuard<T>;
    impl<T> ::ops::Deref for RwLockWriteGuard<T> {
        type Target = T;
    }
    impl<T> RwLockWriteGuard<T> {
        fn __deref(&self) -> T;
    }
    pub struct Condvar;
    impl Condvar {
        pub fn new() -> Condvar;
        pub fn wait<T>(&self, guard: MutexGuard<T>) -> ::result::Result<MutexGuard<T>, PoisonError<MutexGuard<T>>>;
        pub fn wait_while<T>(&self, guard: MutexGuard<T>, f: impl FnMut(T) -> bool) -> ::result::Result<MutexGuard<T>, PoisonError<MutexGuard<T>>>;
        pub fn wait_timeout<T>(&self, guard: MutexGuard<T>, dur: ::time::Duration) -> ::result::Result<(MutexGuard<T>, WaitTimeoutResult), PoisonError<MutexGuard<T>>>;
        pub fn notify_one(&self);
        pub fn notify_all(&self);
    }
    pub struct WaitTimeoutResult;
    impl WaitTimeoutResult {
        pub fn timed_out(&self) -> bool;
    }
    pub struct Barrier;
    impl Barrier {
        pub fn new(n: usize) -> Barrier;
        pub fn wait(&self) -> BarrierWaitResult;
    }
    pub struct BarrierWaitResult;
    impl BarrierWaitResult {
        pub fn is_leader(&self) -> bool;
    }
    pub struct Once;
    impl Once {
        pub fn new() -> Once;
        pub fn call_once(&self, f: impl FnOnce());
        pub fn is_completed(&self) -> bool;
    }
    pub struct OnceLock<T>;
    impl<T> OnceLock<T> {
        pub fn new() -> OnceLock<T>;
        pub fn get(&self) -> Option<T>;
        pub fn get_mut(&mut self) -> Option<T>;
        pub fn set(&self, value: T) -> ::result::Result<(), T>;
        pub fn get_or_init(&self, f: impl FnOnce() -> T) -> T;
        pub fn into_inner(self) -> Option<T>;
        pub fn take(&mut self) -> Option<T>;
    }
    pub struct LazyLock<T>;
    impl<T> ::ops::Deref for LazyLock<T> {
        type Target = T;
    }
    impl<T> LazyLock<T> {
        fn __deref(&self) -> T;
        pub fn new(f: impl FnOnce() -> T) -> LazyLock<T>;
        pub fn force(this: &LazyLock<T>) -> T;
    }

    pub mod atomic {
        pub enum Ordering {
            Relaxed,
            Release,
            Acquire,
            AcqRel,
            SeqCst,
        }
        pub fn fence(order: Ordering);
        pub fn compiler_fence(order: Ordering);
        pub struct Atomic<T>;
        impl<T> Atomic<T> {
            pub fn new(v: T) -> Atomic<T>;
            pub fn load(&self, order: Ordering) -> T;
            pub fn store(&self, val: T, order: Ordering);
            pub fn swap(&self, val: T, order: Ordering) -> T;
            pub fn compare_exchange(&self, current: T, new: T, success: Ordering, failure: Ordering) -> ::result::Result<T, T>;
            pub fn compare_exchange_weak(&self, current: T, new: T, success: Ordering, failure: Ordering) -> ::result::Result<T, T>;
            pub fn fetch_add(&self, val: T, order: Ordering) -> T;
            pub fn fetch_sub(&self, val: T, order: Ordering) -> T;
            pub fn fetch_and(&self, val: T, order: Ordering) -> T;
            pub fn fetch_or(&self, val: T, order: Ordering) -> T;
            pub fn fetch_xor(&self, val: T, order: Ordering) -> T;
            pub fn fetch_max(&self, val: T, order: Ordering) -> T;
            pub fn fetch_min(&self, val: T, order: Ordering) -> T;
            pub fn fetch_update(&self, set: Ordering, fetch: Ordering, f: impl FnMut(T) -> Option<T>) -> ::result::Result<T, T>;
            pub fn get_mut(&mut self) -> T;
            pub fn into_inner(self) -> T;
        }
        pub type AtomicBool = Atomic<bool>;
        pub type AtomicU8 = Atomic<u8>;
        pub type AtomicU16 = Atomic<u16>;
        pub type AtomicU32 = Atomic<u32>;
        pub type AtomicU64 = Atomic<u64>;
        pub type AtomicUsize = Atomic<usize>;
        pub type AtomicI32 = Atomic<i32>;
        pub type AtomicI64 = Atomic<i64>;
        pub type AtomicIsize = Atomic<isize>;
        pub type AtomicPtr<T> = Atomic<*mut T>;
    }

    pub mod mpsc {
        pub fn channel<T>() -> (Sender<T>, Receiver<T>);
        pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>);
        pub struct Sender<T>;
        impl<T> Sender<T> {
            pub fn send(&self, t: T) -> ::result::Result<(), SendError<T>>;
            pub fn clone(&self) -> Sender<T>;
        }
        pub struct SyncSender<T>;
        impl<T> SyncSender<T> {
            pub fn send(&self, t: T) -> ::result::Result<(), SendError<T>>;
            pub fn try_send(&self, t: T) -> ::result::Result<(), TrySendError<T>>;
            pub fn clone(&self) -> SyncSender<T>;
        }
        pub struct Receiver<T>;
        impl<T> Receiver<T> {
            fn __elem(&self) -> T;
            pub fn recv(&self) -> ::result::Result<T, RecvError>;
            pub fn try_recv(&self) -> ::result::Result<T, TryRecvError>;
            pub fn recv_timeout(&self, timeout: ::time::Duration) -> ::result::Result<T, RecvTimeoutError>;
            pub fn iter(&self) -> impl Iterator<Item = T>;
            pub fn try_iter(&self) -> impl Iterator<Item = T>;
            pub fn into_iter(self) -> impl Iterator<Item = T>;
        }
        pub struct SendError<T>(pub T);
        pub enum TrySendError<T> {
            Full(T),
            Disconnected(T),
        }
        pub struct RecvError;
        pub enum TryRecvError {
            Empty,
            Disconnected,
        }
        pub enum RecvTimeoutError {
            Timeout,
            Disconnected,
        }
    }
}

pub mod thread {
    pub fn spawn<T>(f: impl FnOnce() -> T) -> JoinHandle<T>;
    pub fn scope<T>(f: impl FnOnce(Scope) -> T) -> T;
    pub fn current() -> Thread;
    pub fn sleep(dur: ::time::Duration);
    pub fn yield_now();
    pub fn park();
    pub fn panicking() -> bool;
    pub fn available_parallelism() -> ::result::Result<::num::NonZero<usize>, ::io::Error>;
    pub type Result<T> = ::result::Result<T, ::boxed::Box<dyn ::any::Any>>;
    pub struct JoinHandle<T>;
    impl<T> JoinHandle<T> {
        pub fn join(self) -> Result<T>;
        pub fn thread(&self) -> Thread;
        pub fn is_finished(&self) -> bool;
    }
    pub struct Thread;
    impl Thread {
        pub fn unpark(&self);
        pub fn id(&self) -> ThreadId;
        pub fn name(&self) -> Option<str>;
    }
    pub struct ThreadId;
    pub struct Scope;
    impl Scope {
        pub fn spawn<T>(&self, f: impl FnOnce() -> T) -> ScopedJoinHandle<T>;
    }
    pub struct ScopedJoinHandle<T>;
    impl<T> ScopedJoinHandle<T> {
        pub fn join(self) -> Result<T>;
    }
    pub struct Builder;
    impl Builder {
        pub fn new() -> Builder;
        pub fn name(self, name: String) -> Builder;
        pub fn stack_size(self, size: usize) -> Builder;
        pub fn spawn<T>(self, f: impl FnOnce() -> T) -> ::result::Result<JoinHandle<T>, ::io::Error>;
    }
    pub struct LocalKey<T>;
    impl<T> LocalKey<T> {
        pub fn with<R>(&self, f: impl FnOnce(T) -> R) -> R;
        pub fn with_borrow<R>(&self, f: impl FnOnce(<T as __Cell>::Inner) -> R) -> R;
        pub fn with_borrow_mut<R>(&self, f: impl FnOnce(<T as __Cell>::Inner) -> R) -> R;
        pub fn set<V>(&self, value: V);
        pub fn get(&self) -> <T as __Cell>::Inner;
        pub fn take(&self) -> <T as __Cell>::Inner;
        pub fn replace<V>(&self, value: V) -> <T as __Cell>::Inner;
    }
    pub trait __Cell {
        type Inner;
    }
    impl<T> __Cell for ::cell::RefCell<T> {
        type Inner = T;
    }
    impl<T> __Cell for ::cell::Cell<T> {
        type Inner = T;
    }
}
