// Words of the language, as types. What they can do stands in the other files:
// a file never finds its own words, only those of its neighbours.

pub struct bool;
pub struct char;
pub struct str;
pub struct u8;
pub struct u16;
pub struct u32;
pub struct u64;
pub struct u128;
pub struct usize;
pub struct i8;
pub struct i16;
pub struct i32;
pub struct i64;
pub struct i128;
pub struct isize;
pub struct f32;
pub struct f64;

/// `[T]` and `[T; N]`.
pub struct slice<T> {
    __part: T,
}

/// `*const T` and `*mut T`: members are found on the pointer alone; only what is
/// dereferenced has those of `T`.
pub struct pointer<T>;
impl<T> pointer<T> {
    fn __pointee(self) -> T;
    pub fn is_null(self) -> bool;
    pub fn cast<U>(self) -> *mut U;
    pub fn cast_mut(self) -> *mut T;
    pub fn cast_const(self) -> *const T;
    pub fn addr(self) -> usize;
    pub unsafe fn as_ref(self) -> ::option::Option<T>;
    pub unsafe fn as_mut(self) -> ::option::Option<T>;
    pub unsafe fn add(self, count: usize) -> *mut T;
    pub unsafe fn sub(self, count: usize) -> *mut T;
    pub unsafe fn offset(self, count: isize) -> *mut T;
    pub unsafe fn offset_from(self, origin: *const T) -> isize;
    pub fn wrapping_add(self, count: usize) -> *mut T;
    pub fn wrapping_sub(self, count: usize) -> *mut T;
    pub unsafe fn read(self) -> T;
    pub unsafe fn read_unaligned(self) -> T;
    pub unsafe fn read_volatile(self) -> T;
    pub unsafe fn write(self, value: T);
    pub unsafe fn write_unaligned(self, value: T);
    pub unsafe fn write_volatile(self, value: T);
    pub unsafe fn write_bytes(self, value: u8, count: usize);
    pub unsafe fn replace(self, value: T) -> T;
    pub unsafe fn swap(self, with: *mut T);
    pub unsafe fn copy_from(self, src: *const T, count: usize);
    pub unsafe fn copy_from_nonoverlapping(self, src: *const T, count: usize);
    pub unsafe fn copy_to(self, dest: *mut T, count: usize);
    pub unsafe fn copy_to_nonoverlapping(self, dest: *mut T, count: usize);
    pub unsafe fn drop_in_place(self);
}
impl<T> Clone for pointer<T> {
    fn clone(&self) -> *mut T;
}
impl<T> PartialEq for pointer<T> {
    fn eq(&self, other: &*mut T) -> bool;
}
impl<T> ::fmt::Debug for pointer<T> {}
