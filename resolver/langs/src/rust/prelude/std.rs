// The tree of the standard library, and what every module sees without asking.
// `::name` names what another file of this stub declares.

pub mod std {
    pub use ::any;
    pub use ::borrow;
    pub use ::boxed;
    pub use ::cell;
    pub use ::cmp;
    pub use ::collections;
    pub use ::convert;
    pub use ::default;
    pub use ::env;
    pub use ::error;
    pub use ::ffi;
    pub use ::fmt;
    pub use ::fs;
    pub use ::future;
    pub use ::hash;
    pub use ::hint;
    pub use ::io;
    pub use ::iter;
    pub use ::marker;
    pub use ::mem;
    pub use ::net;
    pub use ::num;
    pub use ::ops;
    pub use ::option;
    pub use ::panic;
    pub use ::path;
    pub use ::pin;
    pub use ::process;
    pub use ::ptr;
    pub use ::rc;
    pub use ::result;
    pub use ::string;
    pub use ::sync;
    pub use ::task;
    pub use ::thread;
    pub use ::time;
    pub use ::vec;

    pub mod prelude {
        pub mod v1 {}
        pub mod rust_2021 {}
    }
    pub use ::slices as slice;

    pub mod str {
        pub fn from_utf8(v: &[u8]) -> ::result::Result<str, ::string::Utf8Error>;
        pub fn from_utf8_mut(v: &mut [u8]) -> ::result::Result<str, ::string::Utf8Error>;
        pub unsafe fn from_utf8_unchecked(v: &[u8]) -> str;
        pub use ::string::Bytes;
        pub use ::string::CharIndices;
        pub use ::string::Chars;
        pub use ::string::FromStr;
        pub use ::string::Lines;
        pub use ::string::Pieces as Split;
        pub use ::string::Pieces as SplitN;
        pub use ::string::Pieces as RSplit;
        pub use ::string::Pieces as SplitTerminator;
        pub use ::string::Pieces as SplitInclusive;
        pub use ::string::Pieces as Matches;
        pub use ::string::SplitWhitespace;
        pub use ::string::Utf8Error;
    }
    pub mod char {
        pub fn from_u32(i: u32) -> Option<char>;
        pub fn from_digit(num: u32, radix: u32) -> Option<char>;
    }
    pub mod array {
        pub use ::vec::IntoIter;
        pub fn from_fn<T>(f: impl FnMut(usize) -> T) -> [T];
    }
}

pub use self::std as core;
pub use self::std as alloc;

pub use ::boxed::Box;
pub use ::borrow::ToOwned;
pub use ::clone::Clone;
pub use ::cmp::Eq;
pub use ::cmp::Ord;
pub use ::cmp::PartialEq;
pub use ::cmp::PartialOrd;
pub use ::convert::AsMut;
pub use ::convert::AsRef;
pub use ::convert::From;
pub use ::convert::Into;
pub use ::convert::TryFrom;
pub use ::convert::TryInto;
pub use ::default::Default;
pub use ::fmt::Debug;
pub use ::future::Future;
pub use ::future::IntoFuture;
pub use ::hash::Hash;
pub use ::iter::DoubleEndedIterator;
pub use ::iter::ExactSizeIterator;
pub use ::iter::Extend;
pub use ::iter::FromIterator;
pub use ::iter::IntoIterator;
pub use ::iter::Iterator;
pub use ::marker::Copy;
pub use ::marker::Send;
pub use ::marker::Sized;
pub use ::marker::Sync;
pub use ::marker::Unpin;
pub use ::mem::align_of;
pub use ::mem::drop;
pub use ::mem::size_of;
pub use ::ops::Drop;
pub use ::ops::Range;
pub use ::option::Option;
pub use ::option::Option::None;
pub use ::option::Option::Some;
pub use ::result::Result;
pub use ::result::Result::Err;
pub use ::result::Result::Ok;
pub use ::string::String;
pub use ::string::ToString;
pub use ::vec::Vec;

macro_rules! assert { () => {}; }
macro_rules! assert_eq { () => {}; }
macro_rules! assert_ne { () => {}; }
macro_rules! cfg { () => {}; }
macro_rules! column { () => {}; }
macro_rules! compile_error { () => {}; }
macro_rules! concat { () => {}; }
macro_rules! dbg { () => {}; }
macro_rules! debug_assert { () => {}; }
macro_rules! debug_assert_eq { () => {}; }
macro_rules! debug_assert_ne { () => {}; }
macro_rules! env { () => {}; }
macro_rules! eprint { () => {}; }
macro_rules! eprintln { () => {}; }
macro_rules! file { () => {}; }
macro_rules! format { () => {}; }
macro_rules! format_args { () => {}; }
macro_rules! include { () => {}; }
macro_rules! include_bytes { () => {}; }
macro_rules! include_str { () => {}; }
macro_rules! line { () => {}; }
macro_rules! matches { () => {}; }
macro_rules! module_path { () => {}; }
macro_rules! option_env { () => {}; }
macro_rules! panic { () => {}; }
macro_rules! print { () => {}; }
macro_rules! println { () => {}; }
macro_rules! stringify { () => {}; }
macro_rules! thread_local { () => {}; }
macro_rules! todo { () => {}; }
macro_rules! try { () => {}; }
macro_rules! unimplemented { () => {}; }
macro_rules! unreachable { () => {}; }
macro_rules! vec { () => {}; }
macro_rules! write { () => {}; }
macro_rules! writeln { () => {}; }

// What macros give: `__macro_name` takes what the macro takes.
pub fn __macro_cfg() -> bool;
pub fn __macro_column() -> u32;
pub fn __macro_concat() -> str;
pub fn __macro_dbg<T>(value: T) -> T;
pub fn __macro_env() -> str;
pub fn __macro_file() -> str;
pub fn __macro_format() -> String;
pub fn __macro_format_args() -> ::fmt::Arguments;
pub fn __macro_include_bytes() -> [u8];
pub fn __macro_include_str() -> str;
pub fn __macro_line() -> u32;
pub fn __macro_matches() -> bool;
pub fn __macro_module_path() -> str;
pub fn __macro_option_env() -> Option<str>;
pub fn __macro_stringify() -> str;
pub fn __macro_vec<T>(first: T) -> Vec<T>;
pub fn __macro_write() -> ::result::Result<(), ::fmt::Error>;
pub fn __macro_writeln() -> ::result::Result<(), ::fmt::Error>;
