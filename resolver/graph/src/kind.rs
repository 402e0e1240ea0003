//! What a symbol is and what a site does.

use serde::{Deserialize, Serialize};

/// The kind of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum SymbolKind {
    /// A file, or a module written inside one. Top-level calls have it as caller.
    Module,
    /// A namespace block.
    Namespace,
    Function,
    /// A function with a receiver, or declared inside a type.
    Method,
    Constructor,
    Getter,
    Setter,
    Class,
    Struct,
    Union,
    Enum,
    /// One case of an enum.
    Variant,
    Trait,
    Interface,
    TypeAlias,
    /// A named part of a type: struct field, class property, interface property.
    Field,
    /// A constant, static or variable at module or type level, or a local one
    /// that holds a function or an object the file writes.
    Variable,
    /// A function expression without a name of its own.
    Lambda,
    Macro,
    /// A block that gives members to a type declared elsewhere; never shown.
    Impl,
    /// An object written as a literal, or a type written in place; never shown.
    Object,
    /// A block run when a class or module is loaded.
    Initializer,
    /// A type declared inside a trait or impl by `type Name`.
    AssocType,
}

impl SymbolKind {
    /// The word used in reports and on screen.
    pub fn word(self) -> &'static str {
        use SymbolKind::*;
        match self {
            Module => "module",
            Namespace => "namespace",
            Function => "function",
            Method => "method",
            Constructor => "constructor",
            Getter => "getter",
            Setter => "setter",
            Class => "class",
            Struct => "struct",
            Union => "union",
            Enum => "enum",
            Variant => "variant",
            Trait => "trait",
            Interface => "interface",
            TypeAlias => "type_alias",
            Field => "field",
            Variable => "variable",
            Lambda => "lambda",
            Macro => "macro",
            Impl => "impl",
            Object => "object",
            Initializer => "initializer",
            AssocType => "associated_type",
        }
    }

    /// Runs code of its own: has parameters, complexity, calls.
    pub fn is_callable(self) -> bool {
        use SymbolKind::*;
        matches!(
            self,
            Function | Method | Constructor | Getter | Setter | Lambda | Initializer
        )
    }

    /// Declares a type whose members can be asked for.
    pub fn is_type(self) -> bool {
        use SymbolKind::*;
        matches!(self, Class | Struct | Union | Enum | Trait | Interface)
    }

    /// Appears in reports and document symbols under its own name.
    pub fn is_shown(self) -> bool {
        !matches!(
            self,
            SymbolKind::Impl | SymbolKind::Object | SymbolKind::Lambda
        )
    }
}

/// What a site does with the thing it names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum SiteKind {
    /// `f()`, `a.f()`, `a::f()`.
    Call,
    /// `new T()`, `T { .. }` where the language constructs by a call of the type.
    New,
    /// A macro invocation. Its own kind: never counted as a call.
    Macro,
    /// `<Component />`.
    Element,
    /// A decorator, which calls what it names.
    Decorator,
    /// A tagged template.
    Tagged,
    /// A call that the language makes where nothing of it is written: a loop asks for
    /// an iterator, `raise C` constructs. One that leads to nothing of the tree is no
    /// gap: every loop over a list would be one.
    Implicit,
    /// A function or type named as a value: passed, stored, returned.
    Value,
    /// A type named in a signature, annotation or heritage clause.
    Type,
    /// A name in an import or re-export.
    Import,
}

impl SiteKind {
    pub fn word(self) -> &'static str {
        use SiteKind::*;
        match self {
            Call => "call",
            New => "new",
            Macro => "macro",
            Element => "jsx",
            Decorator => "decorator",
            Tagged => "tagged",
            Implicit => "implicit",
            Value => "value",
            Type => "type",
            Import => "import",
        }
    }

    /// Runs the thing it names. Only these make call edges and count as callers.
    pub fn is_call(self) -> bool {
        use SiteKind::*;
        matches!(self, Call | New | Element | Decorator | Tagged | Implicit)
    }
}
