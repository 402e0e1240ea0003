//! The tables of one top-level item, and of the file they make together.

use crate::expr::{Expr, ExprIdx, List, Ty, TyIdx};
use crate::language::LanguageId;
use crate::name::Name;
use crate::packed::Packed;
use crate::pos::{LineIndex, Span};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use surefoot_graph::{SiteKind, SymbolKind};

macro_rules! idx {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        pub struct $name(pub u32);
        impl $name {
            pub const NONE: $name = $name(u32::MAX);
            pub fn get(self) -> Option<usize> {
                (self.0 != u32::MAX).then_some(self.0 as usize)
            }
            pub fn is_none(self) -> bool {
                self.0 == u32::MAX
            }
        }
    };
}

idx!(
    /// A symbol of the item; `NONE` is the file's own module.
    SymIdx
);
idx!(
    /// A scope of the item; scope 0 is the file's module, seen from the item.
    ScopeIdx
);
idx!(
    /// A name bound in a scope of the item.
    BindIdx
);
idx!(
    /// An import written in the item.
    ImpIdx
);
idx!(
    /// A site of the item, in source order.
    SiteIdx
);

/// Who may name a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[repr(u8)]
pub enum Visibility {
    /// Whoever can name the place it stands in.
    #[default]
    Public,
    /// The module or type around it (and what is nested there).
    Private,
    Protected,
    /// The package: Rust's `pub(crate)`, Java's default.
    Package,
    /// The module so many above the one around: `pub(super)`.
    Above(u8),
    /// The module around it that stands so many below the package's root:
    /// `pub(in crate::a)`.
    Below(u8),
}

/// Facts about a declaration that are either so or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Flags(pub u32);

impl Flags {
    pub const STATIC: u32 = 1 << 0;
    pub const ASYNC: u32 = 1 << 1;
    pub const ABSTRACT: u32 = 1 << 2;
    /// Declared with `export` in place.
    pub const EXPORTED: u32 = 1 << 3;
    pub const DEFAULT_EXPORT: u32 = 1 << 4;
    /// Carries a documentation comment.
    pub const DOCUMENTED: u32 = 1 << 5;
    /// `#[test]`, or inside `#[cfg(test)]`.
    pub const TEST: u32 = 1 << 6;
    pub const OVERRIDE: u32 = 1 << 7;
    pub const OPTIONAL: u32 = 1 << 8;
    /// Text inside did not parse: numbers and calls may be missing.
    pub const PARTIAL: u32 = 1 << 9;
    pub const GENERATOR: u32 = 1 << 10;
    /// A declaration without a body: overload signature, trait or interface
    /// member, ambient declaration.
    pub const BODILESS: u32 = 1 << 11;
    /// Compiled under a condition (`#[cfg(..)]`); twins of one name may exist.
    pub const CONDITIONAL: u32 = 1 << 12;
    /// Has a decorator or attribute that may call or rewrite it.
    pub const DECORATED: u32 = 1 << 13;
    /// The body is a stub: `todo!()`, `throw new Error("not implemented")`, nothing.
    pub const STUB: u32 = 1 << 14;
    /// Takes its receiver as first parameter: Rust's `self`.
    pub const HAS_SELF: u32 = 1 << 15;
    /// Bound by a name that may be assigned again.
    pub const REASSIGNED: u32 = 1 << 16;
    /// Program entry point or exported to another language: `main`, `#[no_mangle]`.
    pub const ENTRY: u32 = 1 << 17;
    pub const READONLY: u32 = 1 << 18;
    /// An extern declaration or ambient symbol: the code is elsewhere.
    pub const EXTERN: u32 = 1 << 19;
    /// A fn that reads its arguments wholesale: `arguments`, `eval`, macros it cannot see into.
    pub const OPAQUE_READS: u32 = 1 << 20;
    /// `#[macro_export]`: reachable from the package root.
    pub const MACRO_EXPORT: u32 = 1 << 21;
    /// A tuple struct, tuple variant or unit: constructed by call.
    pub const TUPLE_LIKE: u32 = 1 << 22;
    /// The body calls what is bound to its parameters or `self` by macro.
    pub const UNSAFE: u32 = 1 << 23;
    /// Others see it in its module, the module's own text does not: `exports.x = ..`.
    pub const UNBOUND: u32 = 1 << 24;
    /// What the module is as a whole: `module.exports = ..`.
    pub const EXPORT_ASSIGN: u32 = 1 << 25;
    /// A function written as the value of a property, which may be given another.
    pub const PROPERTY: u32 = 1 << 26;

    /// What another language reaches this tree by, or is reached by: one bit for each technology, from
    /// the top, so that the others may grow towards them.
    pub const C_ABI: u32 = 1 << 31;
    pub const PYO3: u32 = 1 << 30;
    pub const WASM_BINDGEN: u32 = 1 << 29;
    pub const NAPI: u32 = 1 << 28;
    pub const JNI: u32 = 1 << 27;
    /// Each technology with its word.
    pub const JOINTS: &[(u32, &str)] = &[
        (Flags::C_ABI, "c_abi"),
        (Flags::PYO3, "pyo3"),
        (Flags::WASM_BINDGEN, "wasm_bindgen"),
        (Flags::NAPI, "napi"),
        (Flags::JNI, "jni"),
    ];
    pub const ANY_JOINT: u32 =
        Flags::C_ABI | Flags::PYO3 | Flags::WASM_BINDGEN | Flags::NAPI | Flags::JNI;

    pub fn has(self, bit: u32) -> bool {
        self.0 & bit != 0
    }

    pub fn set(&mut self, bit: u32) {
        self.0 |= bit;
    }

    pub fn with(self, bit: u32, on: bool) -> Flags {
        if on { Flags(self.0 | bit) } else { self }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TypeParam {
    pub name: Name,
    /// Types of the item's pool: `T: A + B`, `T extends A`, where clauses on `T`.
    pub bounds: List,
    pub default: TyIdx,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Param {
    /// Empty for a pattern.
    pub name: Name,
    pub ty: TyIdx,
    /// May be left out by the caller: default value or `?`.
    pub optional: bool,
    /// Takes the rest: `...xs`, `*args`.
    pub rest: bool,
    /// The binding of the parameter inside the body, when it is a plain name.
    pub binding: BindIdx,
    /// What it holds when a call leaves it out, where that says nothing of its type.
    pub default: ExprIdx,
}

/// How a function is called and what it gives. `self` is not among the parameters.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Signature {
    pub params: Vec<Param>,
    /// The written result type. For async functions as written, not wrapped.
    pub result: TyIdx,
    /// What the body returns: when no result type is written, and where functions
    /// stand in it whose parameters the written one types.
    pub returns: List,
    /// The type of the receiver as written: `self`, `&self`, `self: Box<Self>`.
    pub receiver: TyIdx,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum HeritageKind {
    /// Base class, base interface, supertrait.
    Extends,
    /// Interface of a class.
    Implements,
    /// The trait of an impl block.
    Trait,
    /// The type an impl block is for.
    SelfType,
    /// A trait named in `#[derive(..)]`.
    Derive,
    /// A base written as an expression no rule reads: a gap.
    Dynamic,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Heritage {
    pub kind: HeritageKind,
    pub ty: TyIdx,
}

/// Numbers of one callable, from its own text alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Complexity {
    /// `cyclomatic/v1`.
    pub cyclomatic: u32,
    /// Sonar's cognitive complexity; the recursion increment is added by the engine.
    pub cognitive: u32,
    /// The sum of the cyclomatic numbers of anonymous functions inside, and how many.
    pub closures: u32,
    pub closure_count: u32,
}

/// What a body does with one parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ParamUse {
    /// Position in [`Signature::params`].
    pub param: u16,
    pub reads: u32,
    /// The incoming value is always overwritten before it is read.
    pub overwritten: bool,
    /// The name or position says it is unread on purpose (`_x`, `[[maybe_unused]]`, ...).
    pub intended: bool,
    /// Read only by a token of a macro argument: a possible read.
    pub maybe: bool,
}

/// A declaration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Symbol {
    /// Empty for anonymous functions, impl blocks and objects.
    pub name: Name,
    pub kind: SymbolKind,
    /// The declaration around it: type, impl, module, function. `NONE`: the file.
    pub parent: SymIdx,
    /// The scope its body opens; `NONE` when it opens none.
    pub scope: ScopeIdx,
    /// Counts equals: same parent, kind and name, in source order.
    pub ordinal: u16,
    pub visibility: Visibility,
    pub flags: Flags,
    pub type_params: Vec<TypeParam>,
    pub signature: Option<Box<Signature>>,
    /// Written type of a field, variable, constant; right side of a type alias.
    pub ty: TyIdx,
    /// Initial value of a variable, constant, field, enum case; the exported expression.
    pub value: ExprIdx,
    pub heritage: Vec<Heritage>,
    /// For a function expression passed as an argument: the call and the position.
    pub context: Option<(ExprIdx, u16)>,
    /// For a module declared here and written in another file: the `#[path]`
    /// text, or the empty name. `None`: not such a declaration.
    pub file_module: Option<Name>,
    /// With [`Flags::CONDITIONAL`]: the condition as written; empty when it is
    /// not known.
    pub condition: Name,
    /// The name by which another language reaches it, or by which it reaches another language: its own,
    /// one the source writes, or one a convention makes of it. Empty: none.
    pub foreign: Name,
    pub complexity: Complexity,
    pub param_uses: Vec<ParamUse>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Scope {
    /// `NONE` for scope 0.
    pub parent: ScopeIdx,
    /// The symbol whose body it belongs to; `NONE`: the file.
    pub owner: SymIdx,
    /// A module or namespace: names not found inside are asked of its table.
    pub module: bool,
    /// Glob imports standing in this scope (only in bodies; a module's are in its table).
    pub globs: Vec<ImpIdx>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BindKind {
    Param {
        of: SymIdx,
        index: u16,
    },
    /// Rust's `self`.
    SelfParam {
        of: SymIdx,
    },
    Local,
    /// A function, class, ... declared in a body.
    Symbol(SymIdx),
    Import(ImpIdx),
    TypeParam {
        of: SymIdx,
        index: u16,
    },
}

/// A name bound in a body. Names bound in modules are symbols and imports.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Binding {
    pub name: Name,
    pub scope: ScopeIdx,
    pub kind: BindKind,
    pub ty: TyIdx,
    pub value: ExprIdx,
    /// Assigned again after it was bound.
    pub reassigned: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum ImportKind {
    /// `import { name as local } from "spec"`, `export { name as local } from "spec"`.
    Named,
    /// `import * as local from "spec"`, `export * as local from "spec"`.
    Namespace,
    /// `export * from "spec"`, `from spec import *`.
    Glob,
    /// Rust's `use a::b as local`: `path` is an expression.
    Path,
    /// Rust's `use a::b::*`.
    PathGlob,
    /// Rust's `#[macro_use] mod a`: the macros at `path`, and nothing else of it.
    Macros,
    /// `export { name as local }` without a module: an export of a name bound here.
    Export,
    /// `import "spec"`: runs the module, binds nothing.
    Effect,
    /// `extern crate name as local`.
    Package,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Import {
    pub kind: ImportKind,
    /// The name it binds or exports; empty when it binds none.
    pub local: Name,
    /// The name asked of the module (`default`, `export=` included).
    pub name: Name,
    /// The module as written; empty for paths.
    pub spec: Name,
    pub path: ExprIdx,
    pub scope: ScopeIdx,
    /// The module symbol it belongs to; `NONE`: the file's. Meaningless in bodies.
    pub module: SymIdx,
    /// Binds a name in its scope (an `export .. from` does not).
    pub binds: bool,
    /// Others can import it from here.
    pub exported: bool,
    pub visibility: Visibility,
    pub type_only: bool,
    pub conditional: bool,
    /// The condition as written; empty when it is not known.
    pub condition: Name,
}

impl Import {
    /// What evidence names it by within its module: the name it binds; for a
    /// glob, where it leads as written, so that two globs are two.
    pub fn via_name(&self, item: &ItemFacts) -> Name {
        if !self.local.is_empty() {
            if self.binds {
                return self.local;
            }
            // Beside an import that binds the name it exports.
            return Name::new(&format!("export {}", self.local.text()));
        }
        if !self.spec.is_empty() {
            return self.spec;
        }
        let star = match self.kind {
            ImportKind::Macros => "*!",
            _ => "*",
        };
        let path = item.written_path(self.path).unwrap_or_default();
        Name::new(&format!("{path}::{star}"))
    }
}

/// One place where something is called or named.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Site {
    pub kind: SiteKind,
    /// The name as written at the site; empty for a computed callee.
    pub name: Name,
    /// What is called or named (not the call itself).
    pub callee: ExprIdx,
    /// For calls: the whole call expression, whose arguments are there. 0: none.
    pub call: ExprIdx,
    /// The innermost named symbol around; `NONE`: the file's module.
    pub caller: SymIdx,
    /// The anonymous function around, when there is one inside the caller.
    pub lambda: SymIdx,
    /// Stands in text that did not parse cleanly.
    pub broken: bool,
    /// Stands in text that only a macro knows how to read, and is taken for the
    /// expression it looks like.
    pub loose: bool,
}

/// A part of a table that is given a value: `base[key] = value`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Store {
    pub base: ExprIdx,
    pub key: ExprIdx,
    pub value: ExprIdx,
    /// The function whose body does it; `NONE`: the module's own statements.
    pub within: SymIdx,
    /// It stands under a condition or in a loop.
    pub conditional: bool,
}

/// The facts of one top-level item: everything it says, nothing about where.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ItemFacts {
    pub symbols: Vec<Symbol>,
    pub scopes: Vec<Scope>,
    pub bindings: Vec<Binding>,
    pub imports: Vec<Import>,
    pub sites: Vec<Site>,
    pub stores: Vec<Store>,
    /// Names of members that are assigned through some receiver; sorted, each once.
    pub assigned: Vec<Name>,
    pub exprs: Vec<Expr>,
    pub types: Vec<Ty>,
    pub lists: Vec<u32>,
}

impl ItemFacts {
    pub fn expr(&self, at: ExprIdx) -> Expr {
        self.exprs.get(at.0 as usize).copied().unwrap_or_default()
    }

    /// Whether a function is written in one of these values, where the type of
    /// the whole says what its parameters are.
    pub fn gives_functions(&self, values: &[ExprIdx]) -> bool {
        let mut left: Vec<ExprIdx> = values.to_vec();
        // What is looked at is bounded by what the item holds.
        let mut steps = self.exprs.len();
        while let Some(e) = left.pop() {
            if steps == 0 {
                return true;
            }
            steps -= 1;
            match self.expr(e) {
                Expr::Lambda(_) => return true,
                Expr::OneOf(list) | Expr::Tuple(list) | Expr::Array(list) => {
                    left.extend(self.expr_list(list));
                }
                Expr::Call { args, .. } => left.extend(self.expr_list(args)),
                _ => {}
            }
        }
        false
    }

    /// A path as the source writes it; `None` for what is none.
    pub fn written_path(&self, at: ExprIdx) -> Option<String> {
        let mut parts: Vec<&str> = Vec::new();
        let mut at = at;
        // A path is as long as the source makes it; past this it names nothing
        // a reader looks for.
        for _ in 0..64 {
            match self.expr(at) {
                Expr::Scoped { base, name } | Expr::Member { base, name } => {
                    parts.push(name.text());
                    at = base;
                }
                Expr::Free { name, .. } => {
                    parts.push(name.text());
                    break;
                }
                Expr::Package(name) => {
                    parts.extend([name.text(), ""]);
                    break;
                }
                Expr::PackageRoot => {
                    parts.push("crate");
                    break;
                }
                Expr::ModuleUp { up, .. } => {
                    parts.extend(std::iter::repeat_n("super", up as usize));
                    if up == 0 {
                        parts.push("self");
                    }
                    break;
                }
                Expr::SelfType(_) => {
                    parts.push("Self");
                    break;
                }
                Expr::Local(b) => {
                    parts.push(self.bindings.get(b.get()?)?.name.text());
                    break;
                }
                _ => return None,
            }
        }
        parts.reverse();
        (!parts.is_empty()).then(|| parts.join("::"))
    }

    pub fn ty(&self, at: TyIdx) -> Ty {
        self.types.get(at.0 as usize).copied().unwrap_or_default()
    }

    /// The raw indices of a list.
    pub fn list(&self, list: List) -> &[u32] {
        let at = list.0 as usize;
        let len = self.lists.get(at).copied().unwrap_or(0) as usize;
        self.lists.get(at + 1..at + 1 + len).unwrap_or(&[])
    }

    pub fn expr_list(&self, list: List) -> impl ExactSizeIterator<Item = ExprIdx> + '_ {
        self.list(list).iter().map(|&i| ExprIdx(i))
    }

    pub fn ty_list(&self, list: List) -> impl ExactSizeIterator<Item = TyIdx> + '_ {
        self.list(list).iter().map(|&i| TyIdx(i))
    }

    pub fn symbol(&self, at: SymIdx) -> Option<&Symbol> {
        self.symbols.get(at.get()?)
    }

    /// The binding of an import written in a body.
    pub fn binding_of_import(&self, import: ImpIdx) -> Option<BindIdx> {
        let own = |b: &Binding| b.kind == BindKind::Import(import);
        let at = self.bindings.iter().position(own)?;
        Some(BindIdx(at as u32))
    }

    /// The module a scope stands in: the nearest module symbol, `NONE` for the file.
    pub fn module_of_scope(&self, mut scope: ScopeIdx) -> SymIdx {
        while let Some(s) = scope.get().and_then(|i| self.scopes.get(i)) {
            if s.module {
                return s.owner;
            }
            scope = s.parent;
        }
        SymIdx::NONE
    }
}

/// Why a decision adds to complexity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum DecisionKind {
    If,
    ElseIf,
    Else,
    Loop,
    Case,
    Guard,
    Catch,
    Ternary,
    Logic,
    Coalesce,
    LetElse,
    Switch,
    Jump,
}

/// One thing that was counted, so that a number on screen can be taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Decision {
    pub of: SymIdx,
    pub kind: DecisionKind,
    pub cyclomatic: u8,
    pub cognitive: u16,
    /// Relative to the item.
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SymSpan {
    /// The whole declaration, attributes and decorators included.
    pub full: Span,
    /// The name token; the first token for what has no name.
    pub name: Span,
}

/// Where the facts of an item stand, relative to the item's start.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ItemSpans {
    pub full: Span,
    /// Parallel to [`ItemFacts::symbols`].
    pub symbols: Vec<SymSpan>,
    /// Parallel to [`ItemFacts::sites`]: the callee's name token.
    pub sites: Vec<Span>,
    /// Parallel to [`ItemFacts::imports`]: the whole clause.
    pub imports: Vec<Span>,
    /// Parallel to [`ItemFacts::bindings`]: the name.
    pub bindings: Vec<Span>,
    pub decisions: Vec<Decision>,
    /// Reads of parameters: callable, position, where.
    pub reads: Vec<(SymIdx, u16, Span)>,
}

/// What one file says. Equal when every item is equal, wherever it stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FileFacts {
    pub language: LanguageId,
    pub items: Packed<Arc<ItemFacts>>,
    /// The file's module carries documentation (`//!`, a leading doc comment).
    pub documented: bool,
    /// Regions that did not parse. Declarations may be missing.
    pub errors: u32,
    /// The file says it is generated.
    pub generated: bool,
}

impl PartialEq for FileFacts {
    fn eq(&self, other: &FileFacts) -> bool {
        self.language == other.language
            && self.documented == other.documented
            && self.errors == other.errors
            && self.generated == other.generated
            && self.items.count() == other.items.count()
            && {
                let pairs = self.items.iter().zip(&other.items);
                // What an edit did not touch is the same item, not an equal one.
                let same = |a: &Arc<ItemFacts>, b: &Arc<ItemFacts>| Arc::ptr_eq(a, b) || a == b;
                pairs.into_iter().all(|(a, b)| same(a, b))
            }
    }
}

impl FileFacts {
    pub fn empty(language: LanguageId) -> FileFacts {
        FileFacts {
            language,
            items: Packed::default(),
            documented: false,
            errors: 0,
            generated: false,
        }
    }
}

/// Where a file's facts stand in its text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Positions {
    /// Parallel to [`FileFacts::items`]: start of the item, and its own spans.
    pub items: Packed<(u32, Arc<ItemSpans>)>,
    pub lines: LineIndex,
}

/// The result of reading one file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Extracted {
    pub facts: FileFacts,
    pub positions: Positions,
}

/// BLAKE3 of the bytes of each declaration, attributes and decorators included,
/// item by item. For a report; nothing that an editor shows needs them.
pub type Contents = Box<[Box<[[u8; 32]]>]>;

impl Positions {
    /// The digests of the declarations of the text these positions are of.
    pub fn contents(&self, text: &str) -> Contents {
        let of = |span: Span| {
            let bytes = text.as_bytes().get(span.start as usize..span.end as usize);
            *blake3::hash(bytes.unwrap_or_default()).as_bytes()
        };
        let items = self.items.iter();
        let each = items.map(|(start, spans)| {
            let symbols = spans.symbols.iter();
            symbols.map(|s| of(s.full.shift(*start))).collect()
        });
        each.collect()
    }
}
