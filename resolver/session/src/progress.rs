//! How far an analysis is, in things counted.

use surefoot_engine::Cancel;

/// A step of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Names looked at so far, wanted or not.
    Walking { seen: usize },
    /// Files whose facts are read, of those to read.
    Reading { done: usize, of: usize },
    /// Every file is read; calls are being resolved.
    Resolving { files: usize },
}

/// Who is told of the progress and may stop the work.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    pub tell: &'a (dyn Fn(Progress) + Sync),
    pub cancel: &'a Cancel,
}

impl<'a> Watch<'a> {
    /// Tells nobody.
    pub fn quiet(cancel: &'a Cancel) -> Watch<'a> {
        Watch {
            tell: &|_| {},
            cancel,
        }
    }
}
