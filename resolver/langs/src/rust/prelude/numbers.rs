// Numbers. One block per type, as the language has it: what they share stands in
// traits of the stub's own, so that each is written once.

pub trait __Int {
    fn pow(self, exp: u32) -> Self {}
    fn isqrt(self) -> Self {}
    fn ilog2(self) -> u32 {}
    fn ilog10(self) -> u32 {}
    fn ilog(self, base: Self) -> u32 {}
    fn count_ones(self) -> u32 {}
    fn count_zeros(self) -> u32 {}
    fn leading_zeros(self) -> u32 {}
    fn trailing_zeros(self) -> u32 {}
    fn leading_ones(self) -> u32 {}
    fn trailing_ones(self) -> u32 {}
    fn rotate_left(self, n: u32) -> Self {}
    fn rotate_right(self, n: u32) -> Self {}
    fn swap_bytes(self) -> Self {}
    fn reverse_bits(self) -> Self {}
    fn from_be(x: Self) -> Self {}
    fn from_le(x: Self) -> Self {}
    fn to_be(self) -> Self {}
    fn to_le(self) -> Self {}
    fn to_be_bytes(self) -> [u8] {}
    fn to_le_bytes(self) -> [u8] {}
    fn to_ne_bytes(self) -> [u8] {}
    fn from_be_bytes(bytes: [u8]) -> Self {}
    fn from_le_bytes(bytes: [u8]) -> Self {}
    fn from_ne_bytes(bytes: [u8]) -> Self {}
    fn checked_add(self, rhs: Self) -> Option<Self> {}
    fn checked_sub(self, rhs: Self) -> Option<Self> {}
    fn checked_mul(self, rhs: Self) -> Option<Self> {}
    fn checked_div(self, rhs: Self) -> Option<Self> {}
    fn checked_rem(self, rhs: Self) -> Option<Self> {}
    fn checked_neg(self) -> Option<Self> {}
    fn checked_shl(self, rhs: u32) -> Option<Self> {}
    fn checked_shr(self, rhs: u32) -> Option<Self> {}
    fn checked_pow(self, exp: u32) -> Option<Self> {}
    fn checked_next_multiple_of(self, rhs: Self) -> Option<Self> {}
    fn checked_add_signed(self, rhs: Self) -> Option<Self> {}
    fn checked_ilog2(self) -> Option<u32> {}
    fn checked_ilog10(self) -> Option<u32> {}
    fn checked_abs(self) -> Option<Self> {}
    fn saturating_add(self, rhs: Self) -> Self {}
    fn saturating_sub(self, rhs: Self) -> Self {}
    fn saturating_mul(self, rhs: Self) -> Self {}
    fn saturating_pow(self, exp: u32) -> Self {}
    fn saturating_add_signed(self, rhs: Self) -> Self {}
    fn wrapping_add(self, rhs: Self) -> Self {}
    fn wrapping_sub(self, rhs: Self) -> Self {}
    fn wrapping_mul(self, rhs: Self) -> Self {}
    fn wrapping_div(self, rhs: Self) -> Self {}
    fn wrapping_neg(self) -> Self {}
    fn wrapping_shl(self, rhs: u32) -> Self {}
    fn wrapping_shr(self, rhs: u32) -> Self {}
    fn wrapping_pow(self, exp: u32) -> Self {}
    fn wrapping_abs(self) -> Self {}
    fn overflowing_add(self, rhs: Self) -> (Self, bool) {}
    fn overflowing_sub(self, rhs: Self) -> (Self, bool) {}
    fn overflowing_mul(self, rhs: Self) -> (Self, bool) {}
    fn carrying_add(self, rhs: Self, carry: bool) -> (Self, bool) {}
    fn div_euclid(self, rhs: Self) -> Self {}
    fn rem_euclid(self, rhs: Self) -> Self {}
    fn div_ceil(self, rhs: Self) -> Self {}
    fn next_multiple_of(self, rhs: Self) -> Self {}
    fn is_multiple_of(self, rhs: Self) -> bool {}
    fn is_power_of_two(self) -> bool {}
    fn next_power_of_two(self) -> Self {}
    fn checked_next_power_of_two(self) -> Option<Self> {}
    fn abs_diff(self, other: Self) -> Self {}
    fn abs(self) -> Self {}
    fn signum(self) -> Self {}
    fn is_negative(self) -> bool {}
    fn is_positive(self) -> bool {}
    fn unsigned_abs(self) -> Self {}
    fn midpoint(self, rhs: Self) -> Self {}
    fn from_str_radix(src: &str, radix: u32) -> ::result::Result<Self, ::num::ParseIntError> {}
    fn min_value() -> Self {}
    fn max_value() -> Self {}
    fn sum(self) -> Self {}
}

pub trait __Float {
    fn floor(self) -> Self {}
    fn ceil(self) -> Self {}
    fn round(self) -> Self {}
    fn round_ties_even(self) -> Self {}
    fn trunc(self) -> Self {}
    fn fract(self) -> Self {}
    fn abs(self) -> Self {}
    fn signum(self) -> Self {}
    fn copysign(self, sign: Self) -> Self {}
    fn mul_add(self, a: Self, b: Self) -> Self {}
    fn div_euclid(self, rhs: Self) -> Self {}
    fn rem_euclid(self, rhs: Self) -> Self {}
    fn powi(self, n: i32) -> Self {}
    fn powf(self, n: Self) -> Self {}
    fn sqrt(self) -> Self {}
    fn cbrt(self) -> Self {}
    fn exp(self) -> Self {}
    fn exp2(self) -> Self {}
    fn exp_m1(self) -> Self {}
    fn ln(self) -> Self {}
    fn ln_1p(self) -> Self {}
    fn log(self, base: Self) -> Self {}
    fn log2(self) -> Self {}
    fn log10(self) -> Self {}
    fn hypot(self, other: Self) -> Self {}
    fn sin(self) -> Self {}
    fn cos(self) -> Self {}
    fn tan(self) -> Self {}
    fn asin(self) -> Self {}
    fn acos(self) -> Self {}
    fn atan(self) -> Self {}
    fn atan2(self, other: Self) -> Self {}
    fn sin_cos(self) -> (Self, Self) {}
    fn sinh(self) -> Self {}
    fn cosh(self) -> Self {}
    fn tanh(self) -> Self {}
    fn is_nan(self) -> bool {}
    fn is_infinite(self) -> bool {}
    fn is_finite(self) -> bool {}
    fn is_normal(self) -> bool {}
    fn is_sign_positive(self) -> bool {}
    fn is_sign_negative(self) -> bool {}
    fn recip(self) -> Self {}
    fn to_degrees(self) -> Self {}
    fn to_radians(self) -> Self {}
    fn max(self, other: Self) -> Self {}
    fn min(self, other: Self) -> Self {}
    fn clamp(self, min: Self, max: Self) -> Self {}
    fn total_cmp(&self, other: &Self) -> ::cmp::Ordering {}
    fn to_be_bytes(self) -> [u8] {}
    fn to_le_bytes(self) -> [u8] {}
    fn to_ne_bytes(self) -> [u8] {}
    fn from_be_bytes(bytes: [u8]) -> Self {}
    fn from_le_bytes(bytes: [u8]) -> Self {}
    fn from_ne_bytes(bytes: [u8]) -> Self {}
}

impl __Int for u8 {}
impl __Int for u16 {}
impl __Int for u32 {}
impl __Int for u64 {}
impl __Int for u128 {}
impl __Int for usize {}
impl __Int for i8 {}
impl __Int for i16 {}
impl __Int for i32 {}
impl __Int for i64 {}
impl __Int for i128 {}
impl __Int for isize {}
impl __Float for f32 {}
impl __Float for f64 {}

impl u8 {
    pub const MIN: u8 = 0;
    pub const MAX: u8 = 0;
    pub const BITS: u32 = 0;
    pub fn clone(&self) -> u8;
    pub fn to_string(&self) -> String;
    pub fn from<T>(value: T) -> u8;
}

impl u16 {
    pub const MIN: u16 = 0;
    pub const MAX: u16 = 0;
    pub const BITS: u32 = 0;
    pub fn clone(&self) -> u16;
    pub fn to_string(&self) -> String;
    pub fn from<T>(value: T) -> u16;
}

impl u32 {
    pub const MIN: u32 = 0;
    pub const MAX: u32 = 0;
    pub const BITS: u32 = 0;
    pub fn clone(&self) -> u32;
    pub fn to_string(&self) -> String;
    pub fn from<T>(value: T) -> u32;
}

impl u64 {
    pub const MIN: u64 = 0;
    pub const MAX: u64 = 0;
    pub const BITS: u32 = 0;
    pub fn clone(&self) -> u64;
    pub fn to_string(&self) -> String;
    pub fn from<T>(value: T) -> u64;
}

impl u128 {
    pub const MIN: u128 = 0;
    pub const MAX: u128 = 0;
    pub const BITS: u32 = 0;
    pub fn clone(&self) -> u128;
    pub fn to_string(&self) -> String;
    pub fn from<T>(value: T) -> u128;
}

impl usize {
    pub const MIN: usize = 0;
    pub const MAX: usize = 0;
    pub const BITS: u32 = 0;
    pub fn clone(&self) -> usize;
    pub fn to_string(&self) -> String;
    pub fn from<T>(value: T) -> usize;
}

impl i8 {
    pub const MIN: i8 = 0;
    pub const MAX: i8 = 0;
    pub const BITS: u32 = 0;
    pub fn clone(&self) -> i8;
    pub fn to_string(&self) -> String;
    pub fn from<T>(value: T) -> i8;
}

impl i16 {
    pub const MIN: i16 = 0;
    pub const MAX: i16 = 0;
    pub const BITS: u32 = 0;
    pub fn clone(&self) -> i16;
    pub fn to_string(&self) -> String;
    pub fn from<T>(value: T) -> i16;
}

impl i32 {
    pub const MIN: i32 = 0;
    pub const MAX: i32 = 0;
    pub const BITS: u32 = 0;
    pub fn clone(&self) -> i32;
    pub fn to_string(&self) -> String;
    pub fn from<T>(value: T) -> i32;
}

impl i64 {
    pub const MIN: i64 = 0;
    pub const MAX: i64 = 0;
    pub const BITS: u32 = 0;
    pub fn clone(&self) -> i64;
    pub fn to_string(&self) -> String;
    pub fn from<T>(value: T) -> i64;
}

impl i128 {
    pub const MIN: i128 = 0;
    pub const MAX: i128 = 0;
    pub const BITS: u32 = 0;
    pub fn clone(&self) -> i128;
    pub fn to_string(&self) -> String;
    pub fn from<T>(value: T) -> i128;
}

impl isize {
    pub const MIN: isize = 0;
    pub const MAX: isize = 0;
    pub const BITS: u32 = 0;
    pub fn clone(&self) -> isize;
    pub fn to_string(&self) -> String;
    pub fn from<T>(value: T) -> isize;
}

impl u8 {
    pub fn is_ascii(&self) -> bool;
    pub fn to_ascii_uppercase(&self) -> u8;
    pub fn to_ascii_lowercase(&self) -> u8;
    pub fn eq_ignore_ascii_case(&self, other: &u8) -> bool;
    pub fn is_ascii_alphabetic(&self) -> bool;
    pub fn is_ascii_uppercase(&self) -> bool;
    pub fn is_ascii_lowercase(&self) -> bool;
    pub fn is_ascii_alphanumeric(&self) -> bool;
    pub fn is_ascii_digit(&self) -> bool;
    pub fn is_ascii_hexdigit(&self) -> bool;
    pub fn is_ascii_punctuation(&self) -> bool;
    pub fn is_ascii_graphic(&self) -> bool;
    pub fn is_ascii_whitespace(&self) -> bool;
    pub fn is_ascii_control(&self) -> bool;
    pub fn escape_ascii(self) -> impl Iterator<Item = u8>;
}

impl f32 {
    pub const MIN: f32 = 0.0;
    pub const MAX: f32 = 0.0;
    pub const EPSILON: f32 = 0.0;
    pub const INFINITY: f32 = 0.0;
    pub const NEG_INFINITY: f32 = 0.0;
    pub const NAN: f32 = 0.0;
    pub fn clone(&self) -> f32;
    pub fn to_string(&self) -> String;
    pub fn from<T>(value: T) -> f32;
    pub fn to_bits(self) -> u32;
    pub fn from_bits(v: u32) -> f32;
}

impl f64 {
    pub const MIN: f64 = 0.0;
    pub const MAX: f64 = 0.0;
    pub const EPSILON: f64 = 0.0;
    pub const INFINITY: f64 = 0.0;
    pub const NEG_INFINITY: f64 = 0.0;
    pub const NAN: f64 = 0.0;
    pub fn clone(&self) -> f64;
    pub fn to_string(&self) -> String;
    pub fn from<T>(value: T) -> f64;
    pub fn to_bits(self) -> u64;
    pub fn from_bits(v: u64) -> f64;
}

pub mod num {
    pub struct ParseIntError;
    impl ParseIntError {
        pub fn kind(&self) -> IntErrorKind;
    }
    pub enum IntErrorKind {
        Empty,
        InvalidDigit,
        PosOverflow,
        NegOverflow,
        Zero,
    }
    pub struct ParseFloatError;
    pub struct TryFromIntError;
    pub struct NonZero<T>;
    impl<T> NonZero<T> {
        pub fn new(n: T) -> Option<NonZero<T>>;
        pub unsafe fn new_unchecked(n: T) -> NonZero<T>;
        pub fn get(self) -> T;
        pub fn clone(&self) -> NonZero<T>;
    }
    pub type NonZeroU8 = NonZero<u8>;
    pub type NonZeroU16 = NonZero<u16>;
    pub type NonZeroU32 = NonZero<u32>;
    pub type NonZeroU64 = NonZero<u64>;
    pub type NonZeroUsize = NonZero<usize>;
    pub type NonZeroI32 = NonZero<i32>;
    pub type NonZeroI64 = NonZero<i64>;
    pub struct Wrapping<T>(pub T);
    pub struct Saturating<T>(pub T);
}
