// The traits of the language and small functions. A block `impl<T: X> X for T`
// gives a trait's members to whatever is known or believed to have it.

pub mod clone {
    pub trait Clone {
        fn clone(&self) -> Self;
        fn clone_from(&mut self, source: &Self) {}
    }
    impl<T: Clone> Clone for T {}
}

pub mod marker {
    pub trait Copy {}
    pub trait Send {}
    pub trait Sync {}
    pub trait Sized {}
    pub trait Unpin {}
    pub struct PhantomData<T>;
    pub struct PhantomPinned;
}

pub mod cmp {
    pub enum Ordering {
        Less,
        Equal,
        Greater,
    }
    impl Ordering {
        pub fn is_eq(self) -> bool;
        pub fn is_ne(self) -> bool;
        pub fn is_lt(self) -> bool;
        pub fn is_gt(self) -> bool;
        pub fn is_le(self) -> bool;
        pub fn is_ge(self) -> bool;
        pub fn reverse(self) -> Ordering;
        pub fn then(self, other: Ordering) -> Ordering;
        pub fn then_with(self, f: impl FnOnce() -> Ordering) -> Ordering;
    }
    pub trait PartialEq {
        fn eq(&self, other: &Self) -> bool;
        fn ne(&self, other: &Self) -> bool {}
    }
    impl<T: PartialEq> PartialEq for T {}
    pub trait Eq: PartialEq {}
    pub trait PartialOrd: PartialEq {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering>;
        fn lt(&self, other: &Self) -> bool {}
        fn le(&self, other: &Self) -> bool {}
        fn gt(&self, other: &Self) -> bool {}
        fn ge(&self, other: &Self) -> bool {}
    }
    impl<T: PartialOrd> PartialOrd for T {}
    pub trait Ord: Eq + PartialOrd {
        fn cmp(&self, other: &Self) -> Ordering;
        fn max(self, other: Self) -> Self {}
        fn min(self, other: Self) -> Self {}
        fn clamp(self, min: Self, max: Self) -> Self {}
    }
    impl<T: Ord> Ord for T {}
    pub struct Reverse<T>(pub T);
    pub fn max<T>(a: T, b: T) -> T;
    pub fn min<T>(a: T, b: T) -> T;
    pub fn max_by<T>(a: T, b: T, f: impl FnOnce(T, T) -> Ordering) -> T;
    pub fn min_by<T>(a: T, b: T, f: impl FnOnce(T, T) -> Ordering) -> T;
    pub fn max_by_key<T, K>(a: T, b: T, f: impl FnMut(T) -> K) -> T;
    pub fn min_by_key<T, K>(a: T, b: T, f: impl FnMut(T) -> K) -> T;
}

pub mod default {
    pub trait Default {
        fn default() -> Self;
    }
    impl<T: Default> Default for T {}
}

pub mod hash {
    pub trait Hash {
        fn hash<H: Hasher>(&self, state: &mut H);
    }
    impl<T: Hash> Hash for T {}
    pub trait Hasher {
        fn finish(&self) -> u64;
        fn write(&mut self, bytes: &[u8]);
        fn write_u8(&mut self, i: u8) {}
        fn write_u16(&mut self, i: u16) {}
        fn write_u32(&mut self, i: u32) {}
        fn write_u64(&mut self, i: u64) {}
        fn write_usize(&mut self, i: usize) {}
        fn write_i32(&mut self, i: i32) {}
        fn write_i64(&mut self, i: i64) {}
    }
    pub trait BuildHasher {
        type Hasher;
        fn build_hasher(&self) -> Self::Hasher;
        fn hash_one<T>(&self, x: T) -> u64 {}
    }
    pub struct DefaultHasher;
    impl DefaultHasher {
        pub fn new() -> DefaultHasher;
    }
    impl Hasher for DefaultHasher {}
    pub struct RandomState;
    pub struct BuildHasherDefault<H>;
}

pub mod convert {
    pub enum Infallible {}
    pub trait From<T> {
        fn from(value: T) -> Self;
    }
    impl<T: From<U>, U> From<U> for T {}
    pub trait Into<T> {
        fn into(self) -> T;
    }
    impl<T, U> Into<U> for T {}
    pub trait TryFrom<T> {
        type Error;
        fn try_from(value: T) -> ::result::Result<Self, Self::Error>;
    }
    impl<T: TryFrom<U>, U> TryFrom<U> for T {}
    pub trait TryInto<T> {
        type Error;
        fn try_into(self) -> ::result::Result<T, Self::Error>;
    }
    impl<T, U> TryInto<U> for T {}
    pub trait AsRef<T> {
        fn as_ref(&self) -> T;
    }
    pub trait AsMut<T> {
        fn as_mut(&mut self) -> T;
    }
    pub fn identity<T>(x: T) -> T;
}

pub mod borrow {
    pub trait Borrow<T> {
        fn borrow(&self) -> T;
    }
    pub trait BorrowMut<T> {
        fn borrow_mut(&mut self) -> T;
    }
    pub trait ToOwned {
        type Owned;
        fn to_owned(&self) -> Self::Owned;
    }
    pub enum Cow<B> {
        Borrowed(B),
        Owned(B),
    }
    impl<B> Cow<B> {
        fn __deref(&self) -> B;
        pub fn into_owned(self) -> <B as ToOwned>::Owned;
        pub fn to_mut(&mut self) -> <B as ToOwned>::Owned;
        pub fn is_borrowed(&self) -> bool;
        pub fn is_owned(&self) -> bool;
        pub fn clone(&self) -> Cow<B>;
    }
}

pub mod ops {
    pub trait Deref {
        type Target;
        fn deref(&self) -> Self::Target;
        fn __deref(&self) -> Self::Target {}
    }
    pub trait DerefMut: Deref {
        fn deref_mut(&mut self) -> Self::Target;
    }
    pub trait Index<I> {
        type Output;
        fn index(&self, index: I) -> Self::Output;
        fn __index(&self) -> Self::Output {}
    }
    pub trait IndexMut<I>: Index<I> {
        fn index_mut(&mut self, index: I) -> Self::Output;
    }
    pub trait Drop {
        fn drop(&mut self);
    }
    pub trait Not {
        type Output;
        fn not(self) -> Self::Output;
    }
    pub trait Neg {
        type Output;
        fn neg(self) -> Self::Output;
    }
    pub trait Add<R> {
        type Output;
        fn add(self, rhs: R) -> Self::Output;
    }
    pub trait Sub<R> {
        type Output;
        fn sub(self, rhs: R) -> Self::Output;
    }
    pub trait Mul<R> {
        type Output;
        fn mul(self, rhs: R) -> Self::Output;
    }
    pub trait Div<R> {
        type Output;
        fn div(self, rhs: R) -> Self::Output;
    }
    pub trait Rem<R> {
        type Output;
        fn rem(self, rhs: R) -> Self::Output;
    }
    pub trait BitAnd<R> {
        type Output;
        fn bitand(self, rhs: R) -> Self::Output;
    }
    pub trait BitOr<R> {
        type Output;
        fn bitor(self, rhs: R) -> Self::Output;
    }
    pub trait BitXor<R> {
        type Output;
        fn bitxor(self, rhs: R) -> Self::Output;
    }
    pub trait Shl<R> {
        type Output;
        fn shl(self, rhs: R) -> Self::Output;
    }
    pub trait Shr<R> {
        type Output;
        fn shr(self, rhs: R) -> Self::Output;
    }
    pub trait AddAssign<R> {
        fn add_assign(&mut self, rhs: R);
    }
    pub trait SubAssign<R> {
        fn sub_assign(&mut self, rhs: R);
    }
    pub trait MulAssign<R> {
        fn mul_assign(&mut self, rhs: R);
    }
    pub trait DivAssign<R> {
        fn div_assign(&mut self, rhs: R);
    }
    pub trait BitOrAssign<R> {
        fn bitor_assign(&mut self, rhs: R);
    }
    pub trait BitAndAssign<R> {
        fn bitand_assign(&mut self, rhs: R);
    }
    pub struct Range<T> {
        pub start: T,
        pub end: T,
    }
    impl<T> Range<T> {
        pub fn contains(&self, item: &T) -> bool;
        pub fn is_empty(&self) -> bool;
        pub fn clone(&self) -> Range<T>;
        pub fn len(&self) -> usize;
        pub fn start(&self) -> T;
        pub fn end(&self) -> T;
        pub fn into_inner(self) -> (T, T);
    }
    impl<T> Iterator for Range<T> {
        type Item = T;
    }
    pub struct RangeInclusive<T>;
    impl<T> RangeInclusive<T> {
        pub fn new(start: T, end: T) -> RangeInclusive<T>;
        pub fn contains(&self, item: &T) -> bool;
        pub fn is_empty(&self) -> bool;
        pub fn start(&self) -> T;
        pub fn end(&self) -> T;
        pub fn clone(&self) -> RangeInclusive<T>;
    }
    impl<T> Iterator for RangeInclusive<T> {
        type Item = T;
    }
    pub struct RangeFrom<T> {
        pub start: T,
    }
    pub struct RangeTo<T> {
        pub end: T,
    }
    pub struct RangeFull;
    pub enum Bound<T> {
        Included(T),
        Excluded(T),
        Unbounded,
    }
    impl<T> Bound<T> {
        pub fn as_ref(&self) -> Bound<T>;
        pub fn cloned(self) -> Bound<T>;
    }
    pub trait RangeBounds<T> {
        fn start_bound(&self) -> Bound<T>;
        fn end_bound(&self) -> Bound<T>;
        fn contains(&self, item: &T) -> bool {}
    }
    impl<T> RangeBounds<T> for Range<T> {}
    impl<T> RangeBounds<T> for RangeInclusive<T> {}
    impl<T> RangeBounds<T> for RangeFrom<T> {}
    impl<T> RangeBounds<T> for RangeTo<T> {}
    impl<T> RangeBounds<T> for (Bound<T>, Bound<T>) {}
    pub enum ControlFlow<B, C = ()> {
        Continue(C),
        Break(B),
    }
    impl<B, C> ControlFlow<B, C> {
        fn __try(&self) -> C;
        pub fn is_break(&self) -> bool;
        pub fn is_continue(&self) -> bool;
        pub fn break_value(self) -> Option<B>;
        pub fn continue_value(self) -> Option<C>;
    }
}

pub mod mem {
    pub fn drop<T>(x: T);
    pub fn forget<T>(x: T);
    pub fn swap<T>(a: &mut T, b: &mut T);
    pub fn replace<T>(dest: &mut T, src: T) -> T;
    pub fn take<T>(dest: &mut T) -> T;
    pub fn size_of<T>() -> usize;
    pub fn size_of_val<T>(x: &T) -> usize;
    pub fn align_of<T>() -> usize;
    pub fn align_of_val<T>(x: &T) -> usize;
    pub fn needs_drop<T>() -> bool;
    pub unsafe fn zeroed<T>() -> T;
    pub unsafe fn transmute<A, B>(a: A) -> B;
    pub fn discriminant<T>(v: &T) -> Discriminant<T>;
    pub struct Discriminant<T>;
    pub struct ManuallyDrop<T>;
    impl<T> ManuallyDrop<T> {
        fn __deref(&self) -> T;
        pub fn new(value: T) -> ManuallyDrop<T>;
        pub fn into_inner(slot: ManuallyDrop<T>) -> T;
        pub unsafe fn take(slot: &mut ManuallyDrop<T>) -> T;
        pub unsafe fn drop(slot: &mut ManuallyDrop<T>);
    }
    pub union MaybeUninit<T> {
        value: T,
    }
    impl<T> MaybeUninit<T> {
        pub fn new(value: T) -> MaybeUninit<T>;
        pub fn uninit() -> MaybeUninit<T>;
        pub fn zeroed() -> MaybeUninit<T>;
        pub fn write(&mut self, value: T) -> T;
        pub unsafe fn assume_init(self) -> T;
        pub unsafe fn assume_init_ref(&self) -> T;
        pub unsafe fn assume_init_mut(&mut self) -> T;
        pub fn as_ptr(&self) -> *const T;
        pub fn as_mut_ptr(&mut self) -> *mut T;
    }
}

pub mod ptr {
    pub fn null<T>() -> *const T;
    pub fn null_mut<T>() -> *mut T;
    pub fn eq<T>(a: *const T, b: *const T) -> bool;
    pub unsafe fn read<T>(src: *const T) -> T;
    pub unsafe fn write<T>(dst: *mut T, src: T);
    pub unsafe fn replace<T>(dst: *mut T, src: T) -> T;
    pub unsafe fn swap<T>(a: *mut T, b: *mut T);
    pub unsafe fn copy<T>(src: *const T, dst: *mut T, count: usize);
    pub unsafe fn copy_nonoverlapping<T>(src: *const T, dst: *mut T, count: usize);
    pub unsafe fn drop_in_place<T>(p: *mut T);
    pub struct NonNull<T>;
    impl<T> NonNull<T> {
        pub fn new(ptr: *mut T) -> Option<NonNull<T>>;
        pub unsafe fn new_unchecked(ptr: *mut T) -> NonNull<T>;
        pub fn dangling() -> NonNull<T>;
        pub fn as_ptr(self) -> *mut T;
        pub unsafe fn as_ref(&self) -> T;
        pub unsafe fn as_mut(&mut self) -> T;
        pub fn cast<U>(self) -> NonNull<U>;
    }
}

pub mod any {
    pub struct TypeId;
    impl TypeId {
        pub fn of<T>() -> TypeId;
    }
    pub trait Any {
        fn type_id(&self) -> TypeId;
    }
    impl dyn Any {
        pub fn is<T>(&self) -> bool;
        pub fn downcast_ref<T>(&self) -> Option<T>;
        pub fn downcast_mut<T>(&mut self) -> Option<T>;
        pub fn downcast<T>(self) -> ::result::Result<::boxed::Box<T>, ::boxed::Box<dyn Any>>;
    }
    pub fn type_name<T>() -> str;
    pub fn type_name_of_val<T>(v: &T) -> str;
}

pub mod hint {
    pub fn black_box<T>(x: T) -> T;
    pub fn spin_loop();
}
