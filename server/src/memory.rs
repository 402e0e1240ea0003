//! How this process takes memory from the system.

/// Says that pages of two megabytes are not wanted. A graph is many small things of
/// different lives: with such pages a quarter of the memory is held for nothing, and
/// clearing them costs more time than it saves. Programs started from here take it over.
pub fn small_pages() {
    #[cfg(target_os = "linux")]
    {
        // Refused by an old kernel: then it is as it was.
        let _ = rustix::thread::disable_transparent_huge_pages(true);
    }
}
