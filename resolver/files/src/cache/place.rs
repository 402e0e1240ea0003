//! Where packs lie, and how several processes share them.
//!
//! A pack is written under a name made of its own checksum, then a small head file that names it is
//! renamed into place. Whoever reads the head sees a whole pack or none, never half of two.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::cache::MAX_CACHE_BYTES;
use crate::cache::pack::Pack;
use crate::digest::{Digest, hash_bytes};
use crate::root::Root;

const HEAD_MAGIC: &[u8; 8] = b"SFHEAD01";
const HEAD: usize = 8 + 8 + 32 + 32;

/// Caches of roots nobody opened for this long are removed.
const MAX_AGE: Duration = Duration::from_secs(60 * 24 * 60 * 60);
/// All roots together; beyond it the longest unused are removed.
const MAX_FOLDER_BYTES: u64 = 8 * MAX_CACHE_BYTES;
/// A pack or temporary file that no head names is somebody's work until it is this old.
const MAX_STRAY_AGE: Duration = Duration::from_secs(60 * 60);

/// The files of one root and one fingerprint.
#[derive(Debug)]
pub(super) struct Place {
    folder: PathBuf,
    stem: String,
}

pub(super) struct Loaded {
    pub pack: Pack,
    pub checksum: Digest,
}

/// Held while writing; the lock ends with the file.
pub(super) struct Lock {
    _file: File,
}

impl Place {
    pub fn of_user(root: &Root, fingerprint: &Digest) -> Option<Place> {
        Some(Place::in_folder(
            user_cache()?.join("surefoot"),
            root,
            fingerprint,
        ))
    }

    pub fn in_folder(folder: PathBuf, root: &Root, fingerprint: &Digest) -> Place {
        // The name carries the fingerprint, so that two versions of Surefoot in two editors do not
        // take turns in throwing each other's work away.
        let root = hash_bytes(root.real().as_os_str().as_encoded_bytes()).to_string();
        let fingerprint = fingerprint.to_string();
        Place {
            folder,
            stem: format!("{}-{}", &root[..16], &fingerprint[..16]),
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The pack, if all of it is what was written.
    pub fn load(&self) -> Option<Loaded> {
        // A pack is removed once a newer head is in place; who read the old head just before asks again.
        self.load_once().or_else(|| self.load_once())
    }

    fn load_once(&self) -> Option<Loaded> {
        let head = read_bounded(&self.head(), HEAD as u64)?;
        let (said, sum) = head.split_at_checked(HEAD - 32)?;
        if hash_bytes(said).as_bytes() != sum || said.get(..8)? != HEAD_MAGIC {
            return None;
        }
        let len = u64::from_le_bytes(*said.get(8..)?.first_chunk()?);
        let checksum = Digest(*said.get(16..)?.first_chunk()?);
        let data = read_bounded(&self.pack(&checksum), MAX_CACHE_BYTES)?;
        if data.len() as u64 != len || hash_bytes(&data) != checksum {
            return None;
        }
        Some(Loaded {
            pack: Pack::open(data)?,
            checksum,
        })
    }

    /// `None` while another process writes.
    pub fn lock(&self) -> io::Result<Option<Lock>> {
        create_folder(&self.folder)?;
        let path = self.folder.join(format!("{}.lock", self.stem));
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Puts `data` in the place of the pack `old`. The lock must be held.
    pub fn store(&self, data: &[u8], old: Option<Digest>) -> io::Result<()> {
        let checksum = hash_bytes(data);
        self.put(&self.pack(&checksum), data)?;
        let mut head = Vec::with_capacity(HEAD);
        head.extend_from_slice(HEAD_MAGIC);
        head.extend_from_slice(&(data.len() as u64).to_le_bytes());
        head.extend_from_slice(checksum.as_bytes());
        head.extend_from_slice(hash_bytes(&head).as_bytes());
        self.put(&self.head(), &head)?;
        if let Some(old) = old.filter(|old| *old != checksum) {
            // Left behind it is only space; the sweep finds it.
            let _ = fs::remove_file(self.pack(&old));
        }
        Ok(())
    }

    /// Marks the cache as used, so that the sweep spares it.
    pub fn touch(&self, now: SystemTime) {
        let _ = File::options()
            .append(true)
            .open(self.head())
            .and_then(|file| file.set_modified(now));
    }

    /// Removes what nobody used for long, and strays. Failures leave files, nothing worse.
    pub fn sweep(&self, now: SystemTime) {
        let Ok(listing) = fs::read_dir(&self.folder) else {
            return;
        };
        let mut heads = Vec::new();
        let mut others = Vec::new();
        for entry in listing.flatten() {
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            let name = entry.file_name().to_string_lossy().into_owned();
            let age = metadata
                .modified()
                .ok()
                .and_then(|modified| now.duration_since(modified).ok())
                .unwrap_or_default();
            match name.strip_suffix(".head") {
                Some(stem) => heads.push((age, stem.to_string())),
                None => others.push((name, age, metadata.len())),
            }
        }
        heads.sort();
        let mut total = 0u64;
        for (age, stem) in heads {
            let mine = others.iter().filter(|(name, ..)| name.starts_with(&stem));
            total += mine.map(|(_, _, len)| len).sum::<u64>();
            let spared = stem == self.stem || (age <= MAX_AGE && total <= MAX_FOLDER_BYTES);
            if spared {
                let live = self.named_by(&stem);
                others.retain(|(name, ..)| Some(name) != live.as_ref() && !is_lock_of(name, &stem));
            } else {
                let _ = fs::remove_file(self.folder.join(format!("{stem}.head")));
            }
        }
        for (name, age, _) in others {
            if age > MAX_STRAY_AGE {
                let _ = fs::remove_file(self.folder.join(name));
            }
        }
    }

    /// The file name of the pack that the head of `stem` names.
    fn named_by(&self, stem: &str) -> Option<String> {
        let head = read_bounded(&self.folder.join(format!("{stem}.head")), HEAD as u64)?;
        let checksum = Digest(*head.get(16..)?.first_chunk()?);
        Some(pack_name(stem, &checksum))
    }

    fn head(&self) -> PathBuf {
        self.folder.join(format!("{}.head", self.stem))
    }

    fn pack(&self, checksum: &Digest) -> PathBuf {
        self.folder.join(pack_name(&self.stem, checksum))
    }

    /// Writes beside and renames, so that no reader meets half a file. Not flushed to the disk: after a
    /// power cut the checksum tells, and the work is done again.
    fn put(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let mut file = tempfile::Builder::new()
            .prefix(&self.stem)
            .tempfile_in(&self.folder)?;
        file.write_all(data)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}

fn pack_name(stem: &str, checksum: &Digest) -> String {
    format!("{stem}-{}.pack", &checksum.to_string()[..16])
}

fn is_lock_of(name: &str, stem: &str) -> bool {
    name.strip_suffix(".lock") == Some(stem)
}

fn read_bounded(path: &Path, max: u64) -> Option<Vec<u8>> {
    let file = File::open(path).ok()?;
    let len = file.metadata().ok()?.len();
    if len > max {
        return None;
    }
    let mut data = Vec::with_capacity(usize::try_from(len).ok()?);
    file.take(max).read_to_end(&mut data).ok()?;
    Some(data)
}

/// Facts tell about private code: the folder is the user's alone.
fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The user's cache folder by the system's own convention.
fn user_cache() -> Option<PathBuf> {
    let from = |name: &str| {
        // A relative path would be another folder in every project; the XDG rules say to ignore it.
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    from("XDG_CACHE_HOME").or_else(|| {
        if cfg!(windows) {
            from("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            from("HOME").map(|home| home.join("Library/Caches"))
        } else {
            from("HOME").map(|home| home.join(".cache"))
        }
    })
}
