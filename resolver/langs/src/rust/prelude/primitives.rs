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
