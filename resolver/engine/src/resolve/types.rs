//! Types as the resolver computes with them.

use smallvec::SmallVec;
use std::sync::Arc;
use surefoot_facts::Name;
use surefoot_graph::{Cause, SymbolId};

pub(crate) type Args = Arc<[T]>;

/// The type of a value, or what stands for one. References are transparent:
/// `&T` is `T`, since members are found through them everywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum T {
    /// No rule knows it.
    Unknown(Cause),
    /// Written as anything.
    Any,
    /// Leads out of the tree, by an import.
    Outside,
    /// A value of a type that an import leads out to: its name, and its arguments.
    Foreign(Name, Args),
    /// A declared type with its arguments.
    Nom(SymbolId, Args),
    /// A type itself, as a value: what `T::f` and `T.f` are asked of.
    Static(Arc<T>),
    Module(SymbolId),
    /// A package without a file, and a module that tells its language.
    Folder(SymbolId, Name),
    /// The bases of a type, in their order: what `super` is asked of.
    Above(SymbolId, Args),
    /// A function, with what is known of the type parameters around it.
    Fn(SymbolId, Arc<Subst>),
    /// A function of a written type.
    Arrow(Arc<(Vec<T>, T)>),
    /// A type parameter: its owner and position; [`SELF`] is a trait's own type.
    Param(SymbolId, u16),
    Tuple(Args),
    /// One of these at run time.
    Union(Args),
    /// All of these at once: bounds of a parameter, an intersection.
    All(Args),
    /// `T::Name` of a type that is not known enough yet.
    Assoc(Arc<T>, Name),
    /// `Name = T` among the arguments of a bound.
    Bind(Name, Arc<T>),
}

/// The position of a trait's `Self`.
pub(crate) const SELF: u16 = u16::MAX;

pub(crate) fn no_args() -> Args {
    static NONE: std::sync::OnceLock<Args> = std::sync::OnceLock::new();
    NONE.get_or_init(|| Arc::from([])).clone()
}

impl T {
    pub(crate) const UNKNOWN: T = T::Unknown(Cause::NoReceiverType);

    pub(crate) fn unit() -> T {
        T::Tuple(no_args())
    }

    pub(crate) fn is_known(&self) -> bool {
        !matches!(self, T::Unknown(_))
    }

    /// Whether a type parameter or projection is left inside.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            T::Param(..) | T::Assoc(..) => true,
            T::Nom(_, a)
            | T::Above(_, a)
            | T::Foreign(_, a)
            | T::Tuple(a)
            | T::Union(a)
            | T::All(a) => a.iter().any(T::is_open),
            T::Static(t) | T::Bind(_, t) => t.is_open(),
            T::Arrow(f) => f.0.iter().any(T::is_open) || f.1.is_open(),
            _ => false,
        }
    }

    /// A union without duplicates, unknown if any part is.
    pub(crate) fn union(parts: impl IntoIterator<Item = T>) -> T {
        let mut all: Vec<T> = Vec::new();
        for part in parts {
            match part {
                T::Unknown(c) => return T::Unknown(c),
                T::Any => return T::Any,
                T::Union(more) => {
                    for m in more.iter() {
                        if !all.contains(m) {
                            all.push(m.clone());
                        }
                    }
                }
                t => {
                    if !all.contains(&t) {
                        all.push(t);
                    }
                }
            }
        }
        match all.len() {
            0 => T::UNKNOWN,
            1 => all.swap_remove(0),
            2..=32 => T::Union(all.into()),
            _ => T::Unknown(Cause::Budget),
        }
    }
}

/// What type parameters stand for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Subst {
    pub(crate) map: SmallVec<[((SymbolId, u16), T); 2]>,
}

impl Subst {
    pub(crate) fn get(&self, owner: SymbolId, at: u16) -> Option<&T> {
        self.map
            .iter()
            .find(|(k, _)| *k == (owner, at))
            .map(|(_, t)| t)
    }

    /// Binds a parameter unless something known is bound already.
    pub(crate) fn bind(&mut self, owner: SymbolId, at: u16, t: T) {
        match self.map.iter_mut().find(|(k, _)| *k == (owner, at)) {
            Some((_, old)) if !old.is_known() => *old = t,
            Some(_) => {}
            None => self.map.push(((owner, at), t)),
        }
    }

    pub(crate) fn of(owner: SymbolId, args: &[T]) -> Subst {
        let mut s = Subst::default();
        for (i, t) in args.iter().enumerate() {
            s.map.push(((owner, i as u16), t.clone()));
        }
        s
    }

    pub(crate) fn with(mut self, more: &Subst) -> Subst {
        for ((o, i), t) in &more.map {
            self.bind(*o, *i, t.clone());
        }
        self
    }

    /// Replaces what is bound; what is not stays.
    pub(crate) fn apply(&self, t: &T) -> T {
        self.apply_to(t, 0)
    }

    fn apply_to(&self, t: &T, depth: u8) -> T {
        if self.map.is_empty() || depth > 24 || !t.is_open() {
            return t.clone();
        }
        let all = |a: &Args| -> Args { a.iter().map(|t| self.apply_to(t, depth + 1)).collect() };
        match t {
            T::Param(o, i) => self.get(*o, *i).cloned().unwrap_or_else(|| t.clone()),
            T::Assoc(base, n) => T::Assoc(Arc::new(self.apply_to(base, depth + 1)), *n),
            T::Nom(s, a) => T::Nom(*s, all(a)),
            T::Foreign(n, a) => T::Foreign(*n, all(a)),
            T::Above(s, a) => T::Above(*s, all(a)),
            T::Tuple(a) => T::Tuple(all(a)),
            T::Union(a) => T::union(all(a).iter().cloned()),
            T::All(a) => T::All(all(a)),
            T::Static(t) => T::Static(Arc::new(self.apply_to(t, depth + 1))),
            T::Bind(n, t) => T::Bind(*n, Arc::new(self.apply_to(t, depth + 1))),
            T::Arrow(f) => T::Arrow(Arc::new((
                f.0.iter().map(|t| self.apply_to(t, depth + 1)).collect(),
                self.apply_to(&f.1, depth + 1),
            ))),
            _ => t.clone(),
        }
    }
}

/// Binds the parameters left in `pattern` so that it becomes `actual`, as far
/// as both are written; false when they cannot be the same type.
pub(crate) fn unify(pattern: &T, actual: &T, out: &mut Subst) -> bool {
    unify_at(pattern, actual, out, 0)
}

fn unify_at(pattern: &T, actual: &T, out: &mut Subst, depth: u8) -> bool {
    if depth > 24 {
        return true;
    }
    match (pattern, actual) {
        (T::Param(o, i), t) => {
            if t.is_known() {
                out.bind(*o, *i, t.clone());
            }
            true
        }
        (T::Nom(a, x), T::Nom(b, y)) => {
            a == b
                && x.iter()
                    .zip(y.iter())
                    .all(|(p, q)| unify_at(p, q, out, depth + 1))
        }
        (T::Foreign(a, x), T::Foreign(b, y)) => {
            a != b
                || x.iter()
                    .zip(y.iter())
                    .all(|(p, q)| unify_at(p, q, out, depth + 1))
        }
        (T::Tuple(x), T::Tuple(y)) => {
            x.len() == y.len()
                && x.iter()
                    .zip(y.iter())
                    .all(|(p, q)| unify_at(p, q, out, depth + 1))
        }
        (T::Arrow(f), T::Arrow(g)) => {
            for (p, q) in f.0.iter().zip(&g.0) {
                unify_at(p, q, out, depth + 1);
            }
            unify_at(&f.1, &g.1, out, depth + 1);
            true
        }
        (T::Union(parts), t) => {
            // `T | undefined` against a value: the one open part takes it.
            let mut open = parts.iter().filter(|p| p.is_open());
            if let (Some(p), None) = (open.next(), open.next()) {
                unify_at(p, t, out, depth + 1);
            }
            true
        }
        (T::All(parts), t) => {
            for p in parts.iter() {
                unify_at(p, t, out, depth + 1);
            }
            true
        }
        (T::Static(p), T::Static(q)) => unify_at(p, q, out, depth + 1),
        (T::Nom(..), T::Tuple(_) | T::Arrow(_)) | (T::Tuple(_), T::Nom(..) | T::Arrow(_)) => false,
        _ => true,
    }
}
