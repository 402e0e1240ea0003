//! What one file says, before any other file is asked.
//!
//! `facts(language, text)` is a pure function of one file. Its result is a list
//! of top-level items; positions live beside them, so that a blank line changes
//! no fact. No tree-sitter here and no other file: extractors in `langs` fill
//! these tables through [`Builder`], the engine reads them.

mod builder;
mod codec;
mod expr;
mod item;
mod language;
mod manifest;
mod name;
mod packed;
mod pos;
mod shape;
mod size;

pub use builder::{Access, Builder};
pub use codec::{DecodeError, decode_file, decode_vouched, encode_file, encode_parts};
pub use expr::{Expr, ExprIdx, List, Lit, Ty, TyIdx};
pub use item::{
    BindIdx, BindKind, Binding, Complexity, Contents, Decision, DecisionKind, Extracted, FileFacts,
    Flags, Heritage, HeritageKind, ImpIdx, Import, ImportKind, ItemFacts, ItemSpans, Param,
    ParamUse, Positions, Scope, ScopeIdx, Signature, Site, SiteIdx, Store, SymIdx, SymSpan, Symbol,
    TypeParam, Visibility,
};
pub use language::{
    Builtin, Joint, Language, LanguageId, ModuleFile, PackageOf, PathReader, Rules, Specifier,
    TableUse, Traits, ops,
};
pub use manifest::ManifestFacts;
pub use name::{Name, names};
pub use packed::Packed;
pub use pos::{LineIndex, Span};
pub use shape::{shape_of, summary_of};
