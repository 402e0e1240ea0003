// Processes, time, formatting, errors and the network.

pub mod env {
    pub fn args() -> impl Iterator<Item = String>;
    pub fn args_os() -> impl Iterator<Item = ::ffi::OsString>;
    pub fn var<K>(key: K) -> ::result::Result<String, VarError>;
    pub fn var_os<K>(key: K) -> Option<::ffi::OsString>;
    pub fn vars() -> impl Iterator<Item = (String, String)>;
    pub fn vars_os() -> impl Iterator<Item = (::ffi::OsString, ::ffi::OsString)>;
    pub unsafe fn set_var<K, V>(key: K, value: V);
    pub unsafe fn remove_var<K>(key: K);
    pub fn current_dir() -> ::io::Result<::path::PathBuf>;
    pub fn set_current_dir<P>(path: P) -> ::io::Result<()>;
    pub fn current_exe() -> ::io::Result<::path::PathBuf>;
    pub fn temp_dir() -> ::path::PathBuf;
    pub fn home_dir() -> Option<::path::PathBuf>;
    pub fn split_paths<T>(unparsed: &T) -> impl Iterator<Item = ::path::PathBuf>;
    pub enum VarError {
        NotPresent,
        NotUnicode(::ffi::OsString),
    }
    pub mod consts {}
}

pub mod process {
    use ::io::Result;

    pub struct Command;
    impl Command {
        pub fn new<S>(program: S) -> Command;
        pub fn arg<S>(&mut self, arg: S) -> Command;
        pub fn args<I>(&mut self, args: I) -> Command;
        pub fn env<K, V>(&mut self, key: K, val: V) -> Command;
        pub fn envs<I>(&mut self, vars: I) -> Command;
        pub fn env_remove<K>(&mut self, key: K) -> Command;
        pub fn env_clear(&mut self) -> Command;
        pub fn current_dir<P>(&mut self, dir: P) -> Command;
        pub fn stdin<T>(&mut self, cfg: T) -> Command;
        pub fn stdout<T>(&mut self, cfg: T) -> Command;
        pub fn stderr<T>(&mut self, cfg: T) -> Command;
        pub fn spawn(&mut self) -> Result<Child>;
        pub fn output(&mut self) -> Result<Output>;
        pub fn status(&mut self) -> Result<ExitStatus>;
        pub fn get_program(&self) -> ::ffi::OsStr;
        pub fn get_args(&self) -> impl Iterator<Item = ::ffi::OsStr>;
    }
    pub struct Child {
        pub stdin: Option<ChildStdin>,
        pub stdout: Option<ChildStdout>,
        pub stderr: Option<ChildStderr>,
    }
    impl Child {
        pub fn kill(&mut self) -> Result<()>;
        pub fn id(&self) -> u32;
        pub fn wait(&mut self) -> Result<ExitStatus>;
        pub fn try_wait(&mut self) -> Result<Option<ExitStatus>>;
        pub fn wait_with_output(self) -> Result<Output>;
    }
    pub struct ChildStdin;
    impl ::io::Write for ChildStdin {}
    pub struct ChildStdout;
    impl ::io::Read for ChildStdout {}
    pub struct ChildStderr;
    impl ::io::Read for ChildStderr {}
    pub struct Output {
        pub status: ExitStatus,
        pub stdout: Vec<u8>,
        pub stderr: Vec<u8>,
    }
    pub struct ExitStatus;
    impl ExitStatus {
        pub fn success(&self) -> bool;
        pub fn code(&self) -> Option<i32>;
        pub fn signal(&self) -> Option<i32>;
    }
    pub struct ExitCode;
    impl ExitCode {
        pub const SUCCESS: ExitCode = ExitCode;
        pub const FAILURE: ExitCode = ExitCode;
        pub fn from(code: u8) -> ExitCode;
    }
    pub struct Stdio;
    impl Stdio {
        pub fn piped() -> Stdio;
        pub fn inherit() -> Stdio;
        pub fn null() -> Stdio;
        pub fn from<T>(t: T) -> Stdio;
    }
    pub fn exit(code: i32) -> !;
    pub fn abort() -> !;
    pub fn id() -> u32;
}

pub mod time {
    pub struct Duration;
    impl Duration {
        pub const ZERO: Duration = Duration;
        pub const MAX: Duration = Duration;
        pub fn new(secs: u64, nanos: u32) -> Duration;
        pub fn from_secs(secs: u64) -> Duration;
        pub fn from_millis(millis: u64) -> Duration;
        pub fn from_micros(micros: u64) -> Duration;
        pub fn from_nanos(nanos: u64) -> Duration;
        pub fn from_secs_f64(secs: f64) -> Duration;
        pub fn from_secs_f32(secs: f32) -> Duration;
        pub fn is_zero(&self) -> bool;
        pub fn as_secs(&self) -> u64;
        pub fn as_millis(&self) -> u128;
        pub fn as_micros(&self) -> u128;
        pub fn as_nanos(&self) -> u128;
        pub fn as_secs_f64(&self) -> f64;
        pub fn as_secs_f32(&self) -> f32;
        pub fn subsec_nanos(&self) -> u32;
        pub fn subsec_micros(&self) -> u32;
        pub fn subsec_millis(&self) -> u32;
        pub fn checked_add(self, rhs: Duration) -> Option<Duration>;
        pub fn checked_sub(self, rhs: Duration) -> Option<Duration>;
        pub fn saturating_add(self, rhs: Duration) -> Duration;
        pub fn saturating_sub(self, rhs: Duration) -> Duration;
        pub fn checked_mul(self, rhs: u32) -> Option<Duration>;
        pub fn saturating_mul(self, rhs: u32) -> Duration;
        pub fn mul_f64(self, rhs: f64) -> Duration;
        pub fn div_f64(self, rhs: f64) -> Duration;
        pub fn abs_diff(self, other: Duration) -> Duration;
        pub fn clone(&self) -> Duration;
    }
    pub struct Instant;
    impl Instant {
        pub fn now() -> Instant;
        pub fn elapsed(&self) -> Duration;
        pub fn duration_since(&self, earlier: Instant) -> Duration;
        pub fn checked_duration_since(&self, earlier: Instant) -> Option<Duration>;
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration;
        pub fn checked_add(&self, d: Duration) -> Option<Instant>;
        pub fn checked_sub(&self, d: Duration) -> Option<Instant>;
        pub fn clone(&self) -> Instant;
    }
    pub struct SystemTime;
    impl SystemTime {
        pub const UNIX_EPOCH: SystemTime = SystemTime;
        pub fn now() -> SystemTime;
        pub fn duration_since(&self, earlier: SystemTime) -> ::result::Result<Duration, SystemTimeError>;
        pub fn elapsed(&self) -> ::result::Result<Duration, SystemTimeError>;
        pub fn checked_add(&self, d: Duration) -> Option<SystemTime>;
        pub fn clone(&self) -> SystemTime;
    }
    pub struct SystemTimeError;
    impl SystemTimeError {
        pub fn duration(&self) -> Duration;
    }
    pub const UNIX_EPOCH: SystemTime = SystemTime;
}

pub mod error {
    pub trait Error {
        fn source(&self) -> Option<dyn Error> {}
        fn description(&self) -> str {}
        fn cause(&self) -> Option<dyn Error> {}
        fn to_string(&self) -> String {}
    }
    impl dyn Error {
        pub fn is<T>(&self) -> bool;
        pub fn downcast_ref<T>(&self) -> Option<T>;
        pub fn downcast_mut<T>(&mut self) -> Option<T>;
        pub fn downcast<T>(self) -> ::result::Result<::boxed::Box<T>, ::boxed::Box<dyn Error>>;
    }
}

pub mod fmt {
    pub type Result = ::result::Result<(), Error>;
    pub struct Error;
    pub struct Arguments;
    impl Arguments {
        pub fn as_str(&self) -> Option<str>;
        pub fn to_string(&self) -> String;
    }
    pub trait Display {
        fn fmt(&self, f: &mut Formatter) -> Result;
    }
    pub trait Debug {
        fn fmt(&self, f: &mut Formatter) -> Result;
    }
    pub trait Binary {
        fn fmt(&self, f: &mut Formatter) -> Result;
    }
    pub trait LowerHex {
        fn fmt(&self, f: &mut Formatter) -> Result;
    }
    pub trait UpperHex {
        fn fmt(&self, f: &mut Formatter) -> Result;
    }
    pub trait Octal {
        fn fmt(&self, f: &mut Formatter) -> Result;
    }
    pub trait Pointer {
        fn fmt(&self, f: &mut Formatter) -> Result;
    }
    pub trait LowerExp {
        fn fmt(&self, f: &mut Formatter) -> Result;
    }
    pub trait Write {
        fn write_str(&mut self, s: &str) -> Result;
        fn write_char(&mut self, c: char) -> Result {}
        fn write_fmt(&mut self, args: Arguments) -> Result {}
    }
    pub struct Formatter;
    impl Formatter {
        pub fn pad(&mut self, s: &str) -> Result;
        pub fn pad_integral(&mut self, nonneg: bool, prefix: &str, buf: &str) -> Result;
        pub fn write_str(&mut self, s: &str) -> Result;
        pub fn write_char(&mut self, c: char) -> Result;
        pub fn write_fmt(&mut self, args: Arguments) -> Result;
        pub fn fill(&self) -> char;
        pub fn width(&self) -> Option<usize>;
        pub fn precision(&self) -> Option<usize>;
        pub fn alternate(&self) -> bool;
        pub fn sign_plus(&self) -> bool;
        pub fn sign_minus(&self) -> bool;
        pub fn debug_struct(&mut self, name: &str) -> DebugStruct;
        pub fn debug_tuple(&mut self, name: &str) -> DebugTuple;
        pub fn debug_list(&mut self) -> DebugList;
        pub fn debug_set(&mut self) -> DebugSet;
        pub fn debug_map(&mut self) -> DebugMap;
    }
    pub struct DebugStruct;
    impl DebugStruct {
        pub fn field<T>(&mut self, name: &str, value: &T) -> DebugStruct;
        pub fn finish(&mut self) -> Result;
        pub fn finish_non_exhaustive(&mut self) -> Result;
    }
    pub struct DebugTuple;
    impl DebugTuple {
        pub fn field<T>(&mut self, value: &T) -> DebugTuple;
        pub fn finish(&mut self) -> Result;
    }
    pub struct DebugList;
    impl DebugList {
        pub fn entry<T>(&mut self, entry: &T) -> DebugList;
        pub fn entries<I>(&mut self, entries: I) -> DebugList;
        pub fn finish(&mut self) -> Result;
    }
    pub struct DebugSet;
    impl DebugSet {
        pub fn entry<T>(&mut self, entry: &T) -> DebugSet;
        pub fn entries<I>(&mut self, entries: I) -> DebugSet;
        pub fn finish(&mut self) -> Result;
    }
    pub struct DebugMap;
    impl DebugMap {
        pub fn entry<K, V>(&mut self, key: &K, value: &V) -> DebugMap;
        pub fn entries<I>(&mut self, entries: I) -> DebugMap;
        pub fn key<K>(&mut self, key: &K) -> DebugMap;
        pub fn value<V>(&mut self, value: &V) -> DebugMap;
        pub fn finish(&mut self) -> Result;
    }
    pub fn format(args: Arguments) -> String;
    pub fn write<W>(output: &mut W, args: Arguments) -> Result;
    pub fn from_fn(f: impl Fn(Formatter) -> Result) -> Arguments;
}

pub mod panic {
    pub fn catch_unwind<R>(f: impl FnOnce() -> R) -> ::result::Result<R, ::boxed::Box<dyn ::any::Any>>;
    pub fn resume_unwind<T>(payload: T) -> !;
    pub fn set_hook<T>(hook: T);
    pub fn take_hook() -> ::boxed::Box<dyn Fn(PanicHookInfo)>;
    pub struct AssertUnwindSafe<T>(pub T);
    pub struct PanicHookInfo;
    impl PanicHookInfo {
        pub fn payload(&self) -> dyn ::any::Any;
        pub fn location(&self) -> Option<Location>;
    }
    pub struct Location;
    impl Location {
        pub fn caller() -> Location;
        pub fn file(&self) -> str;
        pub fn line(&self) -> u32;
        pub fn column(&self) -> u32;
    }
    pub trait UnwindSafe {}
    pub trait RefUnwindSafe {}
}

pub mod net {
    use ::io::Result;

    pub enum IpAddr {
        V4(Ipv4Addr),
        V6(Ipv6Addr),
    }
    impl IpAddr {
        pub fn is_loopback(&self) -> bool;
        pub fn is_ipv4(&self) -> bool;
        pub fn is_ipv6(&self) -> bool;
        pub fn to_string(&self) -> String;
    }
    pub struct Ipv4Addr;
    impl Ipv4Addr {
        pub const LOCALHOST: Ipv4Addr = Ipv4Addr;
        pub const UNSPECIFIED: Ipv4Addr = Ipv4Addr;
        pub fn new(a: u8, b: u8, c: u8, d: u8) -> Ipv4Addr;
        pub fn octets(&self) -> [u8];
        pub fn is_loopback(&self) -> bool;
        pub fn to_string(&self) -> String;
    }
    pub struct Ipv6Addr;
    impl Ipv6Addr {
        pub const LOCALHOST: Ipv6Addr = Ipv6Addr;
        pub fn segments(&self) -> [u16];
        pub fn octets(&self) -> [u8];
        pub fn is_loopback(&self) -> bool;
        pub fn to_string(&self) -> String;
    }
    pub enum SocketAddr {
        V4(SocketAddrV4),
        V6(SocketAddrV6),
    }
    impl SocketAddr {
        pub fn new(ip: IpAddr, port: u16) -> SocketAddr;
        pub fn ip(&self) -> IpAddr;
        pub fn port(&self) -> u16;
        pub fn set_port(&mut self, port: u16);
        pub fn to_string(&self) -> String;
    }
    pub struct SocketAddrV4;
    pub struct SocketAddrV6;
    pub enum Shutdown {
        Read,
        Write,
        Both,
    }
    pub struct TcpStream;
    impl TcpStream {
        pub fn connect<A>(addr: A) -> Result<TcpStream>;
        pub fn peer_addr(&self) -> Result<SocketAddr>;
        pub fn local_addr(&self) -> Result<SocketAddr>;
        pub fn shutdown(&self, how: Shutdown) -> Result<()>;
        pub fn try_clone(&self) -> Result<TcpStream>;
        pub fn set_nodelay(&self, on: bool) -> Result<()>;
        pub fn set_nonblocking(&self, on: bool) -> Result<()>;
        pub fn set_read_timeout(&self, dur: Option<::time::Duration>) -> Result<()>;
        pub fn set_write_timeout(&self, dur: Option<::time::Duration>) -> Result<()>;
    }
    impl ::io::Read for TcpStream {}
    impl ::io::Write for TcpStream {}
    pub struct TcpListener;
    impl TcpListener {
        pub fn bind<A>(addr: A) -> Result<TcpListener>;
        pub fn local_addr(&self) -> Result<SocketAddr>;
        pub fn accept(&self) -> Result<(TcpStream, SocketAddr)>;
        pub fn incoming(&self) -> impl Iterator<Item = Result<TcpStream>>;
        pub fn set_nonblocking(&self, on: bool) -> Result<()>;
    }
    pub struct UdpSocket;
    impl UdpSocket {
        pub fn bind<A>(addr: A) -> Result<UdpSocket>;
        pub fn recv_from(&self, buf: &mut [u8]) -> Result<(usize, SocketAddr)>;
        pub fn send_to<A>(&self, buf: &[u8], addr: A) -> Result<usize>;
        pub fn local_addr(&self) -> Result<SocketAddr>;
    }
}
