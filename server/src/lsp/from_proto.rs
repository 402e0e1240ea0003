//! From the protocol's words to ours.

use std::path::PathBuf;

use tower_lsp_server::ls_types::Uri;

/// The path of a `file:` URI. Other schemes (untitled, git, a diff's left side) are no files, even when
/// their path looks like one.
pub fn path(uri: &Uri) -> Option<PathBuf> {
    if !uri.scheme().as_str().eq_ignore_ascii_case("file") {
        return None;
    }
    #[cfg(unix)]
    {
        use std::ffi::OsString;
        use std::os::unix::ffi::OsStringExt;
        // Byte by byte: a name need not be UTF-8.
        let bytes = uri.path().decode().to_bytes().into_owned();
        (!bytes.is_empty()).then(|| OsString::from_vec(bytes).into())
    }
    #[cfg(not(unix))]
    {
        uri.to_file_path().map(std::borrow::Cow::into_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A diff view of git names the real path in another scheme; it must not count as the file.
    #[test]
    fn only_file_uris_are_paths() {
        let path_of = |uri: &str| path(&uri.parse().unwrap());
        assert_eq!(
            path_of("file:///w/a%20b/%5Bid%5D.ts"),
            Some("/w/a b/[id].ts".into())
        );
        assert_eq!(path_of("git:/w/a.rs?ref"), None);
        assert_eq!(path_of("untitled:Untitled-1"), None);
    }

    /// File names on Linux are bytes.
    #[cfg(unix)]
    #[test]
    fn a_path_need_not_be_utf8() {
        use std::os::unix::ffi::OsStrExt;
        let path = path(&"file:///w/%FF.rs".parse().unwrap()).unwrap();
        assert_eq!(path.as_os_str().as_bytes(), b"/w/\xff.rs");
    }
}
