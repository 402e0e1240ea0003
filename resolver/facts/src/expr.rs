//! Expressions and types as written, reduced to what a resolver can use.
//!
//! Both live in flat tables of one item; index 0 is the unknown one, lists
//! live in one pool, so that a file's facts are a handful of allocations.

use crate::item::{BindIdx, ScopeIdx, SiteIdx, SymIdx};
use crate::name::Name;
use serde::{Deserialize, Serialize};

/// An expression of the item; 0 is [`Expr::Unknown`].
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize,
)]
pub struct ExprIdx(pub u32);

/// A written type of the item; 0 is [`Ty::Unknown`], which also means "none written".
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize,
)]
pub struct TyIdx(pub u32);

impl ExprIdx {
    pub const UNKNOWN: ExprIdx = ExprIdx(0);
    pub fn is_known(self) -> bool {
        self.0 != 0
    }
}

impl TyIdx {
    pub const UNKNOWN: TyIdx = TyIdx(0);
    pub fn is_known(self) -> bool {
        self.0 != 0
    }
}

/// A list of indices in the item's pool: the length stands first. 0 is empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct List(pub u32);

/// The kind of a literal; its type is the language's ([`crate::Traits::literals`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Lit {
    Str,
    Char,
    Int,
    Float,
    Bool,
    Null,
    Undefined,
    Regex,
    Bytes,
    ByteChar,
    BigInt,
    Unit,
}

/// An expression, by what it tells about values and types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Expr {
    /// Syntax that tells nothing.
    #[default]
    Unknown,
    /// A name that no scope inside the item binds. `scope` is where it stands;
    /// the engine asks that scope's local globs, then its module.
    Free {
        name: Name,
        scope: ScopeIdx,
    },
    /// A name of the module as it is while the module's own statements run: one
    /// of the first `count` things bound to it.
    Earlier {
        name: Name,
        count: u16,
    },
    /// A name bound by a scope inside the item.
    Local(BindIdx),
    /// The receiver of the type around (`this`; in Rust, `self` is a `Local`).
    This(SymIdx),
    /// The base of the type around: `super`.
    Super(SymIdx),
    /// The type around, as a path head: Rust's `Self`.
    SelfType(SymIdx),
    /// The root module of the package: Rust's `crate`.
    PackageRoot,
    /// A package by its name, whatever the module around declares: Rust's `::name`.
    Package(Name),
    /// The module around (`self::` → 0), its parent (`super::` → 1), ...
    ModuleUp {
        scope: ScopeIdx,
        up: u32,
    },
    /// `base.name`: field, property or method, as the language shares them.
    Member {
        base: ExprIdx,
        name: Name,
    },
    /// `base.name` where only a method can stand: Rust's `x.f()`.
    Method {
        base: ExprIdx,
        name: Name,
    },
    /// `base::name`.
    Scoped {
        base: ExprIdx,
        name: Name,
    },
    /// Explicit type arguments on a path or callee: `f::<T>`, `f<T>()`.
    TypeArgs {
        base: ExprIdx,
        args: List,
    },
    /// A type standing where a path head can: `<T>::f`, `<T as Trait>::f`, `[T]::f`.
    TypePath {
        ty: TyIdx,
        as_trait: TyIdx,
    },
    /// `callee(args)`. The site is the call's own, when it is one.
    Call {
        callee: ExprIdx,
        args: List,
        site: SiteIdx,
    },
    /// `new callee(args)`.
    New {
        callee: ExprIdx,
        args: List,
        site: SiteIdx,
    },
    /// A value of the named type written with its fields: `P { .. }`.
    Record {
        path: ExprIdx,
    },
    /// `base[index]`.
    Index {
        base: ExprIdx,
        index: ExprIdx,
    },
    Await(ExprIdx),
    /// Rust's `?`.
    Try(ExprIdx),
    /// `e as T`, `<T>e`, `e satisfies T` keeps `e`.
    Cast {
        base: ExprIdx,
        ty: TyIdx,
    },
    /// `&e`, `&mut e`.
    Ref(ExprIdx),
    /// `*e`.
    Deref(ExprIdx),
    Lit(Lit),
    /// A literal that can name a part of a table. Equal ones have equal `id`s; a
    /// small number is its own.
    Const {
        lit: Lit,
        id: u32,
    },
    /// An operator: comparisons and logic give a bool, arithmetic its left side.
    Compare,
    Arith {
        lhs: ExprIdx,
        rhs: ExprIdx,
    },
    Array(List),
    Tuple(List),
    /// An object literal; its members are those of the symbol.
    Object(SymIdx),
    /// A function expression or closure.
    Lambda(SymIdx),
    /// One of these, depending on how it runs: branches, arms, `a || b`, `a ?? b`.
    OneOf(List),
    /// An element of an iterable: `for x of e`.
    Element(ExprIdx),
    /// A key of an object or index of an array: `for k in e`.
    Key,
    /// The n-th part of a tuple or array, as a pattern takes it.
    Part {
        base: ExprIdx,
        index: u32,
    },
    /// What remains of an array after the first `from` parts.
    Rest {
        base: ExprIdx,
        from: u32,
    },
    /// The n-th field of a value matched as a variant or tuple struct: `Some(x)`.
    VariantPart {
        base: ExprIdx,
        path: ExprIdx,
        index: u32,
    },
    /// The named field of a value matched as a variant or struct: `P { x }`.
    VariantField {
        base: ExprIdx,
        path: ExprIdx,
        name: Name,
    },
    /// The n-th parameter of a function expression whose type is not written:
    /// it follows from where the function is passed ([`crate::Symbol::context`]).
    LambdaParam {
        lambda: SymIdx,
        index: u32,
    },
    /// A value known to be of a type here: `instanceof`, a type guard.
    Narrowed {
        base: ExprIdx,
        ty: TyIdx,
    },
    /// A value after a call that was true and had it as first argument: of type
    /// `T` when the callee's written result is `x is T`, as before otherwise.
    Guarded {
        base: ExprIdx,
        call: ExprIdx,
    },
    /// What stands under a condition of the compiler, and what it replaces there:
    /// nothing, or what the name meant before.
    When {
        condition: Name,
        then: ExprIdx,
        other: ExprIdx,
    },
    /// A macro invocation that gives a value; arguments as expressions when the
    /// extractor could read them.
    Macro {
        path: ExprIdx,
        args: List,
        site: SiteIdx,
    },
    /// `import("spec")` (a promise of the module) and `require("spec")` (the module).
    Import {
        spec: Name,
        promised: bool,
    },
    /// An async block or async closure body: a promise/future of the value.
    Async(ExprIdx),
    /// A range `a..b`.
    Range(ExprIdx),
    /// `...e` in an argument list or array.
    Spread(ExprIdx),
    /// `name=e` in an argument list.
    Keyword {
        name: Name,
        value: ExprIdx,
    },
}

/// A type as written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Ty {
    #[default]
    Unknown,
    /// Written, but by an expression no rule reads (conditional, mapped, ...).
    Opaque,
    /// A named type; the path is a `Free`, `Local`, `Scoped`, `Member`,
    /// `SelfType`, `TypePath` expression resolved among types.
    Named {
        path: ExprIdx,
        args: List,
    },
    /// The type around: Rust's `Self`, TypeScript's `this`.
    SelfType(SymIdx),
    Ref(TyIdx),
    Ptr(TyIdx),
    /// `[T]`, `[T; N]`, `T[]`.
    Array(TyIdx),
    Tuple(List),
    Fn {
        params: List,
        result: TyIdx,
    },
    Union(List),
    Intersection(List),
    /// Members written in place: `{ a: T; f(): U }`.
    Object(SymIdx),
    /// `impl A + B`, and the bounds of `dyn A + B`.
    Bounds {
        list: List,
        dynamic: bool,
    },
    /// `typeof e`.
    TypeOf(ExprIdx),
    /// `T["name"]`.
    Member {
        base: TyIdx,
        name: Name,
    },
    /// A literal type, or the type of `null`, `undefined`, `()`.
    Lit(Lit),
    /// A builtin word: `string`, `number`, `any`, `unknown`, `void`, `!`.
    Builtin(Name),
    /// `_`.
    Inferred,
    /// `x is T`: a bool that narrows.
    Guard(TyIdx),
    /// An associated type given among type arguments: `Item = T`. Stands after
    /// the arguments that have a position.
    Binding {
        name: Name,
        ty: TyIdx,
    },
}
