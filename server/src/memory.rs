//! How this process takes memory from the system.

use surefoot_session::Pool;

/// Hands back to the system what the threads of a pool and this one have freed.
/// The allocator keeps it for the thread that took it, which may never ask again.
pub fn give_back(pool: &Pool) {
    let collect = || {
        #[allow(unsafe_code)]
        // SAFETY: it has no conditions; it looks through the calling thread's own pages.
        unsafe {
            libmimalloc_sys::mi_collect(true);
        }
    };
    pool.on_each_thread(&collect);
    collect();
}

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
