// Strings and characters.


pub mod string {
    pub trait ToString {
        fn to_string(&self) -> String;
    }
    impl<T: ::fmt::Display> ToString for T {}

    pub trait FromStr {
        type Err;
        fn from_str(s: &str) -> ::result::Result<Self, Self::Err>;
    }
    impl<T: FromStr> FromStr for T {}

    pub struct Utf8Error;
    impl Utf8Error {
        pub fn valid_up_to(&self) -> usize;
        pub fn error_len(&self) -> Option<usize>;
    }
    pub struct FromUtf8Error;
    impl FromUtf8Error {
        pub fn into_bytes(self) -> Vec<u8>;
        pub fn utf8_error(&self) -> Utf8Error;
    }

    pub struct Chars;
    impl Chars {
        pub fn as_str(&self) -> str;
        pub fn clone(&self) -> Chars;
        pub fn rev(self) -> impl Iterator<Item = char>;
    }
    impl Iterator for Chars {
        type Item = char;
    }

    pub struct CharIndices;
    impl CharIndices {
        pub fn as_str(&self) -> str;
        pub fn offset(&self) -> usize;
        pub fn clone(&self) -> CharIndices;
    }
    impl Iterator for CharIndices {
        type Item = (usize, char);
    }
    pub struct Bytes;
    impl Iterator for Bytes {
        type Item = u8;
    }
    pub struct Lines;
    impl Iterator for Lines {
        type Item = str;
    }
    pub struct SplitWhitespace;
    impl Iterator for SplitWhitespace {
        type Item = str;
    }
    /// `Split<P>` and its kin: the pattern says nothing of the item.
    pub struct Pieces<P>;
    impl<P> Iterator for Pieces<P> {
        type Item = str;
    }

    pub struct String;
    impl ::ops::Deref for String {
        type Target = str;
    }
    impl String {
        fn __deref(&self) -> str;
        fn __index(&self) -> str;
        fn __slice(&self) -> str;
        pub fn new() -> String;
        pub fn with_capacity(capacity: usize) -> String;
        pub fn from<T>(value: T) -> String;
        pub fn from_utf8(vec: Vec<u8>) -> ::result::Result<String, FromUtf8Error>;
        pub fn from_utf8_lossy(v: &[u8]) -> ::borrow::Cow<str>;
        pub fn from_utf16(v: &[u16]) -> ::result::Result<String, FromUtf8Error>;
        pub fn from_utf16_lossy(v: &[u16]) -> String;
        pub unsafe fn from_utf8_unchecked(bytes: Vec<u8>) -> String;
        pub fn from_iter<I>(iter: I) -> String;
        pub fn into_bytes(self) -> Vec<u8>;
        pub fn as_str(&self) -> str;
        pub fn as_mut_str(&mut self) -> str;
        pub fn push_str(&mut self, string: &str);
        pub fn capacity(&self) -> usize;
        pub fn reserve(&mut self, additional: usize);
        pub fn shrink_to_fit(&mut self);
        pub fn shrink_to(&mut self, min: usize);
        pub fn push(&mut self, ch: char);
        pub fn truncate(&mut self, len: usize);
        pub fn pop(&mut self) -> Option<char>;
        pub fn remove(&mut self, idx: usize) -> char;
        pub fn retain(&mut self, f: impl FnMut(char) -> bool);
        pub fn insert(&mut self, idx: usize, ch: char);
        pub fn insert_str(&mut self, idx: usize, string: &str);
        pub unsafe fn as_mut_vec(&mut self) -> Vec<u8>;
        pub fn split_off(&mut self, at: usize) -> String;
        pub fn clear(&mut self);
        pub fn drain<R>(&mut self, range: R) -> impl Iterator<Item = char>;
        pub fn replace_range<R>(&mut self, range: R, with: &str);
        pub fn into_boxed_str(self) -> ::boxed::Box<str>;
        pub fn leak(self) -> str;
        pub fn extend<I>(&mut self, iter: I);
        pub fn write_str(&mut self, s: &str) -> ::result::Result<(), ::fmt::Error>;
        pub fn write_char(&mut self, c: char) -> ::result::Result<(), ::fmt::Error>;
        pub fn clone(&self) -> String;
        pub fn borrow(&self) -> str;
        pub fn as_ref<T>(&self) -> T;
        pub fn to_string(&self) -> String;
        pub fn from_str(s: &str) -> ::result::Result<String, ::convert::Infallible>;
        pub fn default() -> String;
    }
    impl ::ops::Add<str> for String {
        type Output = String;
    }
}

impl str {
    fn __index(&self) -> str;
    fn __slice(&self) -> str;
    pub fn len(&self) -> usize;
    pub fn is_empty(&self) -> bool;
    pub fn is_char_boundary(&self, index: usize) -> bool;
    pub fn floor_char_boundary(&self, index: usize) -> usize;
    pub fn as_bytes(&self) -> [u8];
    pub unsafe fn as_bytes_mut(&mut self) -> [u8];
    pub fn as_ptr(&self) -> *const u8;
    pub fn as_str(&self) -> str;
    pub fn get<I>(&self, i: I) -> Option<str>;
    pub fn get_mut<I>(&mut self, i: I) -> Option<str>;
    pub unsafe fn get_unchecked<I>(&self, i: I) -> str;
    pub fn split_at(&self, mid: usize) -> (str, str);
    pub fn split_at_checked(&self, mid: usize) -> Option<(str, str)>;
    pub fn chars(&self) -> ::string::Chars;
    pub fn char_indices(&self) -> ::string::CharIndices;
    pub fn bytes(&self) -> ::string::Bytes;
    pub fn split_whitespace(&self) -> impl Iterator<Item = str>;
    pub fn split_ascii_whitespace(&self) -> impl Iterator<Item = str>;
    pub fn lines(&self) -> ::string::Lines;
    pub fn encode_utf16(&self) -> impl Iterator<Item = u16>;
    pub fn contains<P>(&self, pat: P) -> bool;
    pub fn starts_with<P>(&self, pat: P) -> bool;
    pub fn ends_with<P>(&self, pat: P) -> bool;
    pub fn find<P>(&self, pat: P) -> Option<usize>;
    pub fn rfind<P>(&self, pat: P) -> Option<usize>;
    pub fn split<P>(&self, pat: P) -> impl Iterator<Item = str>;
    pub fn split_inclusive<P>(&self, pat: P) -> impl Iterator<Item = str>;
    pub fn rsplit<P>(&self, pat: P) -> impl Iterator<Item = str>;
    pub fn split_terminator<P>(&self, pat: P) -> impl Iterator<Item = str>;
    pub fn splitn<P>(&self, n: usize, pat: P) -> impl Iterator<Item = str>;
    pub fn rsplitn<P>(&self, n: usize, pat: P) -> impl Iterator<Item = str>;
    pub fn split_once<P>(&self, delimiter: P) -> Option<(str, str)>;
    pub fn rsplit_once<P>(&self, delimiter: P) -> Option<(str, str)>;
    pub fn matches<P>(&self, pat: P) -> impl Iterator<Item = str>;
    pub fn match_indices<P>(&self, pat: P) -> impl Iterator<Item = (usize, str)>;
    pub fn rmatch_indices<P>(&self, pat: P) -> impl Iterator<Item = (usize, str)>;
    pub fn trim(&self) -> str;
    pub fn trim_start(&self) -> str;
    pub fn trim_end(&self) -> str;
    pub fn trim_left(&self) -> str;
    pub fn trim_right(&self) -> str;
    pub fn trim_matches<P>(&self, pat: P) -> str;
    pub fn trim_start_matches<P>(&self, pat: P) -> str;
    pub fn trim_end_matches<P>(&self, pat: P) -> str;
    pub fn trim_ascii(&self) -> str;
    pub fn strip_prefix<P>(&self, prefix: P) -> Option<str>;
    pub fn strip_suffix<P>(&self, suffix: P) -> Option<str>;
    pub fn parse<F: ::string::FromStr>(&self) -> ::result::Result<F, <F as ::string::FromStr>::Err>;
    pub fn is_ascii(&self) -> bool;
    pub fn eq_ignore_ascii_case(&self, other: &str) -> bool;
    pub fn make_ascii_uppercase(&mut self);
    pub fn make_ascii_lowercase(&mut self);
    pub fn to_ascii_uppercase(&self) -> String;
    pub fn to_ascii_lowercase(&self) -> String;
    pub fn to_lowercase(&self) -> String;
    pub fn to_uppercase(&self) -> String;
    pub fn escape_debug(&self) -> impl Iterator<Item = char>;
    pub fn escape_default(&self) -> impl Iterator<Item = char>;
    pub fn into_string(self) -> String;
    pub fn into_boxed_bytes(self) -> ::boxed::Box<[u8]>;
    pub fn replace<P>(&self, from: P, to: &str) -> String;
    pub fn replacen<P>(&self, pat: P, to: &str, count: usize) -> String;
    pub fn repeat(&self, n: usize) -> String;
    pub fn to_string(&self) -> String;
    pub fn to_owned(&self) -> String;
    pub fn to_vec(&self) -> Vec<u8>;
    pub fn from_utf8(v: &[u8]) -> ::result::Result<str, ::string::Utf8Error>;
    pub fn to_socket_addrs(&self) -> ::result::Result<impl Iterator<Item = ::net::SocketAddr>, ::io::Error>;
    pub fn clone(&self) -> str;
    pub fn as_ref<T>(&self) -> T;
    pub fn concat(&self) -> String;
}

impl ::borrow::ToOwned for str {
    type Owned = String;
}

impl char {
    pub const MAX: char = 'a';
    pub fn from_u32(i: u32) -> Option<char>;
    pub fn from_digit(num: u32, radix: u32) -> Option<char>;
    pub unsafe fn from_u32_unchecked(i: u32) -> char;
    pub fn is_digit(self, radix: u32) -> bool;
    pub fn to_digit(self, radix: u32) -> Option<u32>;
    pub fn escape_unicode(self) -> impl Iterator<Item = char>;
    pub fn escape_debug(self) -> impl Iterator<Item = char>;
    pub fn escape_default(self) -> impl Iterator<Item = char>;
    pub fn len_utf8(self) -> usize;
    pub fn len_utf16(self) -> usize;
    pub fn encode_utf8(self, dst: &mut [u8]) -> str;
    pub fn encode_utf16(self, dst: &mut [u16]) -> [u16];
    pub fn is_alphabetic(self) -> bool;
    pub fn is_lowercase(self) -> bool;
    pub fn is_uppercase(self) -> bool;
    pub fn is_whitespace(self) -> bool;
    pub fn is_alphanumeric(self) -> bool;
    pub fn is_control(self) -> bool;
    pub fn is_numeric(self) -> bool;
    pub fn to_lowercase(self) -> impl Iterator<Item = char>;
    pub fn to_uppercase(self) -> impl Iterator<Item = char>;
    pub fn is_ascii(&self) -> bool;
    pub fn to_ascii_uppercase(&self) -> char;
    pub fn to_ascii_lowercase(&self) -> char;
    pub fn eq_ignore_ascii_case(&self, other: &char) -> bool;
    pub fn make_ascii_uppercase(&mut self);
    pub fn make_ascii_lowercase(&mut self);
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
    pub fn to_string(&self) -> String;
    pub fn clone(&self) -> char;
    pub fn from<T>(value: T) -> char;
}

impl bool {
    pub fn then<T>(self, f: impl FnOnce() -> T) -> Option<T>;
    pub fn then_some<T>(self, t: T) -> Option<T>;
    pub fn not(self) -> bool;
    pub fn clone(&self) -> bool;
    pub fn to_string(&self) -> String;
}
