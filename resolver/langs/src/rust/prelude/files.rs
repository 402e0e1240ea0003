// Input and output, files and paths.

pub mod io {
    pub type Result<T> = ::result::Result<T, Error>;
    pub struct Error;
    impl Error {
        pub fn new<E>(kind: ErrorKind, error: E) -> Error;
        pub fn other<E>(error: E) -> Error;
        pub fn last_os_error() -> Error;
        pub fn from_raw_os_error(code: i32) -> Error;
        pub fn from<E>(error: E) -> Error;
        pub fn raw_os_error(&self) -> Option<i32>;
        pub fn get_ref(&self) -> Option<dyn ::error::Error>;
        pub fn into_inner(self) -> Option<::boxed::Box<dyn ::error::Error>>;
        pub fn kind(&self) -> ErrorKind;
        pub fn to_string(&self) -> String;
    }
    impl ::error::Error for Error {}
    pub enum ErrorKind {
        NotFound,
        PermissionDenied,
        ConnectionRefused,
        ConnectionReset,
        ConnectionAborted,
        NotConnected,
        AddrInUse,
        AddrNotAvailable,
        BrokenPipe,
        AlreadyExists,
        WouldBlock,
        NotADirectory,
        IsADirectory,
        DirectoryNotEmpty,
        InvalidInput,
        InvalidData,
        TimedOut,
        WriteZero,
        StorageFull,
        Interrupted,
        Unsupported,
        UnexpectedEof,
        OutOfMemory,
        Other,
    }
    pub trait Read {
        fn read(&mut self, buf: &mut [u8]) -> Result<usize>;
        fn read_to_end(&mut self, buf: &mut Vec<u8>) -> Result<usize> {}
        fn read_to_string(&mut self, buf: &mut String) -> Result<usize> {}
        fn read_exact(&mut self, buf: &mut [u8]) -> Result<()> {}
        fn by_ref(&mut self) -> Self {}
        fn bytes(self) -> impl Iterator<Item = Result<u8>> {}
        fn chain<R>(self, next: R) -> Chain {}
        fn take(self, limit: u64) -> Take<Self> {}
    }
    pub trait Write {
        fn write(&mut self, buf: &[u8]) -> Result<usize>;
        fn flush(&mut self) -> Result<()>;
        fn write_all(&mut self, buf: &[u8]) -> Result<()> {}
        fn write_fmt(&mut self, args: ::fmt::Arguments) -> Result<()> {}
        fn by_ref(&mut self) -> Self {}
    }
    pub trait Seek {
        fn seek(&mut self, pos: SeekFrom) -> Result<u64>;
        fn rewind(&mut self) -> Result<()> {}
        fn stream_position(&mut self) -> Result<u64> {}
    }
    pub trait BufRead: Read {
        fn fill_buf(&mut self) -> Result<[u8]>;
        fn consume(&mut self, amount: usize);
        fn read_until(&mut self, byte: u8, buf: &mut Vec<u8>) -> Result<usize> {}
        fn read_line(&mut self, buf: &mut String) -> Result<usize> {}
        fn split(self, byte: u8) -> impl Iterator<Item = Result<Vec<u8>>> {}
        fn lines(self) -> impl Iterator<Item = Result<String>> {}
    }
    pub trait IsTerminal {
        fn is_terminal(&self) -> bool;
    }
    pub enum SeekFrom {
        Start(u64),
        End(i64),
        Current(i64),
    }
    pub struct Chain;
    impl Read for Chain {}
    pub struct Take<R>;
    impl<R> Read for Take<R> {}
    pub struct BufReader<R>;
    impl<R> BufReader<R> {
        pub fn new(inner: R) -> BufReader<R>;
        pub fn with_capacity(capacity: usize, inner: R) -> BufReader<R>;
        pub fn get_ref(&self) -> R;
        pub fn get_mut(&mut self) -> R;
        pub fn into_inner(self) -> R;
        pub fn buffer(&self) -> [u8];
    }
    impl<R> BufRead for BufReader<R> {}
    impl<R> Read for BufReader<R> {}
    impl<R> Seek for BufReader<R> {}
    pub struct BufWriter<W>;
    impl<W> BufWriter<W> {
        pub fn new(inner: W) -> BufWriter<W>;
        pub fn with_capacity(capacity: usize, inner: W) -> BufWriter<W>;
        pub fn get_ref(&self) -> W;
        pub fn get_mut(&mut self) -> W;
        pub fn into_inner(self) -> ::result::Result<W, Error>;
    }
    impl<W> Write for BufWriter<W> {}
    pub struct LineWriter<W>;
    impl<W> LineWriter<W> {
        pub fn new(inner: W) -> LineWriter<W>;
    }
    impl<W> Write for LineWriter<W> {}
    pub struct Cursor<T>;
    impl<T> Cursor<T> {
        pub fn new(inner: T) -> Cursor<T>;
        pub fn into_inner(self) -> T;
        pub fn get_ref(&self) -> T;
        pub fn get_mut(&mut self) -> T;
        pub fn position(&self) -> u64;
        pub fn set_position(&mut self, pos: u64);
    }
    impl<T> BufRead for Cursor<T> {}
    impl<T> Read for Cursor<T> {}
    impl<T> Write for Cursor<T> {}
    impl<T> Seek for Cursor<T> {}
    pub struct Stdin;
    impl Stdin {
        pub fn lock(&self) -> StdinLock;
        pub fn read_line(&self, buf: &mut String) -> Result<usize>;
        pub fn lines(self) -> impl Iterator<Item = Result<String>>;
    }
    impl Read for Stdin {}
    impl IsTerminal for Stdin {}
    pub struct StdinLock;
    impl BufRead for StdinLock {}
    impl Read for StdinLock {}
    pub struct Stdout;
    impl Stdout {
        pub fn lock(&self) -> StdoutLock;
    }
    impl Write for Stdout {}
    impl IsTerminal for Stdout {}
    pub struct StdoutLock;
    impl Write for StdoutLock {}
    pub struct Stderr;
    impl Stderr {
        pub fn lock(&self) -> StdoutLock;
    }
    impl Write for Stderr {}
    impl IsTerminal for Stderr {}
    pub fn stdin() -> Stdin;
    pub fn stdout() -> Stdout;
    pub fn stderr() -> Stderr;
    pub fn copy<R, W>(reader: &mut R, writer: &mut W) -> Result<u64>;
    pub fn read_to_string<R>(reader: R) -> Result<String>;
    pub fn empty() -> Chain;
    pub fn sink() -> Stdout;
    pub mod prelude {
        pub use super::BufRead;
        pub use super::Read;
        pub use super::Seek;
        pub use super::Write;
    }
}

pub mod fs {
    use ::io::Result;
    use ::path::PathBuf;

    pub struct File;
    impl File {
        pub fn open<P>(path: P) -> Result<File>;
        pub fn create<P>(path: P) -> Result<File>;
        pub fn create_new<P>(path: P) -> Result<File>;
        pub fn options() -> OpenOptions;
        pub fn sync_all(&self) -> Result<()>;
        pub fn sync_data(&self) -> Result<()>;
        pub fn set_len(&self, size: u64) -> Result<()>;
        pub fn metadata(&self) -> Result<Metadata>;
        pub fn try_clone(&self) -> Result<File>;
        pub fn set_permissions(&self, perm: Permissions) -> Result<()>;
    }
    impl ::io::Read for File {}
    impl ::io::Write for File {}
    impl ::io::Seek for File {}
    pub struct OpenOptions;
    impl OpenOptions {
        pub fn new() -> OpenOptions;
        pub fn read(&mut self, on: bool) -> OpenOptions;
        pub fn write(&mut self, on: bool) -> OpenOptions;
        pub fn append(&mut self, on: bool) -> OpenOptions;
        pub fn truncate(&mut self, on: bool) -> OpenOptions;
        pub fn create(&mut self, on: bool) -> OpenOptions;
        pub fn create_new(&mut self, on: bool) -> OpenOptions;
        pub fn open<P>(&self, path: P) -> Result<File>;
    }
    pub struct Metadata;
    impl Metadata {
        pub fn file_type(&self) -> FileType;
        pub fn is_dir(&self) -> bool;
        pub fn is_file(&self) -> bool;
        pub fn is_symlink(&self) -> bool;
        pub fn len(&self) -> u64;
        pub fn permissions(&self) -> Permissions;
        pub fn modified(&self) -> Result<::time::SystemTime>;
        pub fn accessed(&self) -> Result<::time::SystemTime>;
        pub fn created(&self) -> Result<::time::SystemTime>;
    }
    pub struct FileType;
    impl FileType {
        pub fn is_dir(&self) -> bool;
        pub fn is_file(&self) -> bool;
        pub fn is_symlink(&self) -> bool;
    }
    pub struct Permissions;
    impl Permissions {
        pub fn readonly(&self) -> bool;
        pub fn set_readonly(&mut self, readonly: bool);
    }
    pub struct DirEntry;
    impl DirEntry {
        pub fn path(&self) -> PathBuf;
        pub fn metadata(&self) -> Result<Metadata>;
        pub fn file_type(&self) -> Result<FileType>;
        pub fn file_name(&self) -> ::ffi::OsString;
    }
    pub struct ReadDir;
    impl Iterator for ReadDir {
        type Item = ::result::Result<DirEntry, ::io::Error>;
    }
    pub fn read<P>(path: P) -> Result<Vec<u8>>;
    pub fn read_to_string<P>(path: P) -> Result<String>;
    pub fn write<P, C>(path: P, contents: C) -> Result<()>;
    pub fn remove_file<P>(path: P) -> Result<()>;
    pub fn metadata<P>(path: P) -> Result<Metadata>;
    pub fn symlink_metadata<P>(path: P) -> Result<Metadata>;
    pub fn rename<P, Q>(from: P, to: Q) -> Result<()>;
    pub fn copy<P, Q>(from: P, to: Q) -> Result<u64>;
    pub fn hard_link<P, Q>(from: P, to: Q) -> Result<()>;
    pub fn read_link<P>(path: P) -> Result<PathBuf>;
    pub fn canonicalize<P>(path: P) -> Result<PathBuf>;
    pub fn create_dir<P>(path: P) -> Result<()>;
    pub fn create_dir_all<P>(path: P) -> Result<()>;
    pub fn remove_dir<P>(path: P) -> Result<()>;
    pub fn remove_dir_all<P>(path: P) -> Result<()>;
    pub fn read_dir<P>(path: P) -> Result<ReadDir>;
    pub fn set_permissions<P>(path: P, perm: Permissions) -> Result<()>;
    pub fn exists<P>(path: P) -> Result<bool>;
}

pub mod path {
    pub const MAIN_SEPARATOR: char = '/';
    pub struct Path;
    impl Path {
        pub fn new<S>(s: &S) -> Path;
        pub fn as_os_str(&self) -> ::ffi::OsStr;
        pub fn to_str(&self) -> Option<str>;
        pub fn to_string_lossy(&self) -> ::borrow::Cow<str>;
        pub fn to_path_buf(&self) -> PathBuf;
        pub fn to_owned(&self) -> PathBuf;
        pub fn is_absolute(&self) -> bool;
        pub fn is_relative(&self) -> bool;
        pub fn has_root(&self) -> bool;
        pub fn parent(&self) -> Option<Path>;
        pub fn ancestors(&self) -> impl Iterator<Item = Path>;
        pub fn file_name(&self) -> Option<::ffi::OsStr>;
        pub fn strip_prefix<P>(&self, base: P) -> ::result::Result<Path, StripPrefixError>;
        pub fn starts_with<P>(&self, base: P) -> bool;
        pub fn ends_with<P>(&self, child: P) -> bool;
        pub fn file_stem(&self) -> Option<::ffi::OsStr>;
        pub fn extension(&self) -> Option<::ffi::OsStr>;
        pub fn join<P>(&self, path: P) -> PathBuf;
        pub fn with_file_name<S>(&self, file_name: S) -> PathBuf;
        pub fn with_extension<S>(&self, extension: S) -> PathBuf;
        pub fn components(&self) -> Components;
        pub fn iter(&self) -> impl Iterator<Item = ::ffi::OsStr>;
        pub fn display(&self) -> Display;
        pub fn metadata(&self) -> ::io::Result<::fs::Metadata>;
        pub fn symlink_metadata(&self) -> ::io::Result<::fs::Metadata>;
        pub fn canonicalize(&self) -> ::io::Result<PathBuf>;
        pub fn read_link(&self) -> ::io::Result<PathBuf>;
        pub fn read_dir(&self) -> ::io::Result<::fs::ReadDir>;
        pub fn exists(&self) -> bool;
        pub fn try_exists(&self) -> ::io::Result<bool>;
        pub fn is_file(&self) -> bool;
        pub fn is_dir(&self) -> bool;
        pub fn is_symlink(&self) -> bool;
        pub fn into_path_buf(self) -> PathBuf;
        pub fn as_path(&self) -> Path;
    }
    impl ::borrow::ToOwned for Path {
        type Owned = PathBuf;
    }
    impl ::ops::Deref for PathBuf {
        type Target = Path;
    }
    pub struct PathBuf;
    impl PathBuf {
        fn __deref(&self) -> Path;
        pub fn new() -> PathBuf;
        pub fn from<S>(s: S) -> PathBuf;
        pub fn from_iter<I>(iter: I) -> PathBuf;
        pub fn as_path(&self) -> Path;
        pub fn push<P>(&mut self, path: P);
        pub fn pop(&mut self) -> bool;
        pub fn set_file_name<S>(&mut self, file_name: S);
        pub fn set_extension<S>(&mut self, extension: S) -> bool;
        pub fn into_os_string(self) -> ::ffi::OsString;
        pub fn into_boxed_path(self) -> ::boxed::Box<Path>;
        pub fn extend<I>(&mut self, iter: I);
        pub fn clone(&self) -> PathBuf;
        pub fn default() -> PathBuf;
    }
    pub struct StripPrefixError;
    pub struct Display;
    impl Display {
        pub fn to_string(&self) -> String;
    }
    pub struct Components;
    impl Components {
        pub fn as_path(&self) -> Path;
        pub fn clone(&self) -> Components;
    }
    impl Iterator for Components {
        type Item = Component;
    }
    pub enum Component {
        Prefix(PrefixComponent),
        RootDir,
        CurDir,
        ParentDir,
        Normal(::ffi::OsStr),
    }
    impl Component {
        pub fn as_os_str(self) -> ::ffi::OsStr;
    }
    pub struct PrefixComponent;
}

pub mod ffi {
    pub struct OsStr;
    impl OsStr {
        pub fn new<S>(s: &S) -> OsStr;
        pub fn to_str(&self) -> Option<str>;
        pub fn to_string_lossy(&self) -> ::borrow::Cow<str>;
        pub fn to_os_string(&self) -> OsString;
        pub fn to_owned(&self) -> OsString;
        pub fn is_empty(&self) -> bool;
        pub fn len(&self) -> usize;
        pub fn as_encoded_bytes(&self) -> [u8];
        pub fn eq_ignore_ascii_case<S>(&self, other: S) -> bool;
        pub fn as_bytes(&self) -> [u8];
    }
    impl ::borrow::ToOwned for OsStr {
        type Owned = OsString;
    }
    impl ::ops::Deref for OsString {
        type Target = OsStr;
    }
    pub struct OsString;
    impl OsString {
        fn __deref(&self) -> OsStr;
        pub fn new() -> OsString;
        pub fn from<S>(s: S) -> OsString;
        pub fn as_os_str(&self) -> OsStr;
        pub fn into_string(self) -> ::result::Result<String, OsString>;
        pub fn push<S>(&mut self, s: S);
        pub fn clone(&self) -> OsString;
    }
    pub struct CStr;
    impl CStr {
        pub unsafe fn from_ptr(ptr: *const i8) -> CStr;
        pub fn from_bytes_with_nul(bytes: &[u8]) -> ::result::Result<CStr, FromBytesWithNulError>;
        pub fn as_ptr(&self) -> *const i8;
        pub fn to_bytes(&self) -> [u8];
        pub fn to_str(&self) -> ::result::Result<str, ::string::Utf8Error>;
        pub fn to_string_lossy(&self) -> ::borrow::Cow<str>;
        pub fn to_owned(&self) -> CString;
    }
    impl ::borrow::ToOwned for CStr {
        type Owned = CString;
    }
    impl ::ops::Deref for CString {
        type Target = CStr;
    }
    pub struct CString;
    impl CString {
        fn __deref(&self) -> CStr;
        pub fn new<T>(t: T) -> ::result::Result<CString, NulError>;
        pub fn into_raw(self) -> *mut i8;
        pub unsafe fn from_raw(ptr: *mut i8) -> CString;
        pub fn as_c_str(&self) -> CStr;
        pub fn as_bytes(&self) -> [u8];
        pub fn clone(&self) -> CString;
    }
    pub struct NulError;
    pub struct FromBytesWithNulError;
    pub enum c_void {}
}
