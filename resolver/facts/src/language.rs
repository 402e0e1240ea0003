//! What a language must say of itself: how to read a file, and the rules that
//! steer the resolver. Both are written in `langs`, neither knows the engine.

use crate::Lit;
use crate::item::Extracted;
use crate::manifest::ManifestFacts;
use crate::name::Name;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use surefoot_graph::FileId;

/// A language, by its place in the registry of `langs`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct LanguageId(pub u8);

/// A language as the session sees it.
pub trait Language: Send + Sync {
    fn id(&self) -> LanguageId;
    /// The stable name used in settings and reports.
    fn name(&self) -> &'static str;
    /// File extensions without the dot, longest first (`d.ts` before `ts`).
    fn extensions(&self) -> &'static [&'static str];
    /// The grammar and its version, for provenance.
    fn grammar(&self) -> (&'static str, &'static str);
    /// The facts of one file: pure, never panics, bounded by counted work.
    fn facts(&self, text: &str) -> Extracted;
    fn rules(&self) -> &dyn Rules;
    /// How source of this language opens code of another.
    fn joints(&self) -> &'static [Joint] {
        &[]
    }
    /// The stub of the standard library, in the language itself: a list of
    /// (virtual path, text). Read by the same extractor; gives types, never targets.
    fn prelude(&self) -> &'static [(&'static str, &'static str)];
}

/// What opens code of another language. Each with the technology by which that code is marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joint {
    /// A function of a library, called: `ctypes.CDLL(..)`. The technology, the module, the name inside.
    Call(&'static str, &'static str, &'static str),
    /// An imported module whose specifier ends so: `./index.node`.
    Ending(&'static str, &'static str),
    /// An imported module that the tree says it makes: the last part of the specifier behind this prefix
    /// is the foreign name of a declaration.
    Module(&'static str, &'static str),
    /// An imported module that a package of the tree is built into: the specifier's last part without one
    /// of these endings is the package's name.
    Package(&'static str, &'static [&'static str]),
}

/// Where a module specifier leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Specifier {
    /// A file of the tree.
    File {
        file: FileId,
        /// False when a convention picked it rather than the configuration.
        proved: bool,
        rule: surefoot_graph::Rule,
    },
    /// A folder of the tree that is a package without a file of its own.
    Folder(Box<str>),
    /// A package or builtin module that is not part of the tree.
    Outside,
    /// It names this tree and nothing answers.
    Missing,
    NotExported,
    Ambiguous,
    /// A manifest on the way could not be read.
    Unreadable,
}

/// How a rule looks at the tree: every answer, misses included, is a key whose
/// change asks the reader again.
pub trait PathReader {
    /// The file of the tree at this path, when it is one of its source files.
    fn file(&self, path: &str) -> Option<FileId>;
    /// Whether anything stands at this path (source or not).
    fn exists(&self, path: &str) -> bool;
    /// The manifest at this path, parsed; `None` when there is none.
    fn manifest(&self, path: &str) -> Option<Arc<ManifestFacts>>;
    /// Paths of all manifests of this name in the tree (`package.json`, ...), sorted.
    fn manifests_named(&self, name: &str) -> Vec<Arc<str>>;
    fn path(&self, file: FileId) -> Arc<str>;
}

/// The package a file belongs to, for languages whose modules form a tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PackageOf {
    /// Names of packages of the tree that this one may name, and their roots.
    pub packages: Vec<(Name, FileId)>,
    /// Names of declared dependencies that are not in the tree.
    pub outside: Vec<Name>,
}

/// Files that a module declaration may mean, in the order they are asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleFile {
    pub candidates: Vec<String>,
}

/// A name that means something everywhere in the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// Declared in the prelude under this path (`Vec`, `Promise`, `std`).
    Prelude,
    /// A builtin whose calls lead outside and whose result is unknown.
    Outside,
}

/// What a member does with the table it is called on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableUse {
    /// Puts in its last argument.
    Puts,
    /// Puts in its second argument under its first, and gives what is there.
    PutsUnder,
    /// Puts in all that another table holds.
    PutsAll,
    /// Gives what is under its argument, or another argument.
    Takes,
    /// Gives something that goes over the same parts.
    Views,
}

/// The fixed properties of a language.
#[derive(Clone, Copy, Debug)]
pub struct Traits {
    /// Names are looked up along a tree of modules (`a::b`), not by specifiers.
    pub module_tree: bool,
    /// A module's inner scopes see the names of the modules around.
    pub modules_nest: bool,
    /// Methods are found through references and `Deref`.
    pub auto_deref: bool,
    /// Only functions that write their receiver are called on a value.
    pub written_receiver: bool,
    /// A type is constructed by calling it.
    pub call_constructs: bool,
    /// The member of a function that holds what all its instances share: any
    /// function constructs, and members are given to functions and objects from
    /// outside, in their own file. Empty where that is not so.
    pub prototype: &'static str,
    /// All branches of an expression have one type: the first known one is it.
    pub branches_agree: bool,
    /// An async function writes what its promise gives, not the promise.
    pub async_hides_promise: bool,
    /// A parameter's position binds it: only trailing ones can be dropped.
    pub positional_params: bool,
    /// Methods of classes can be overridden by derived classes.
    pub virtual_methods: bool,
    /// Any object of the shape answers an interface: a list of implementations
    /// is never the whole list.
    pub structural: bool,
    /// Types of literals, as names of the prelude.
    pub literals: &'static [(Lit, &'static str)],
    /// Prelude types for shapes without a name: array, tuple, function,
    /// promise (what an async function gives), generator, range.
    pub array: &'static str,
    pub function: &'static str,
    pub promise: &'static str,
    pub range: &'static str,
    /// The type of comparisons.
    pub boolean: &'static str,
    /// Types and values share one namespace, and a name means what was bound to
    /// it last.
    pub one_namespace: bool,
    /// Members are looked for along one order of all bases, and are the same
    /// through a value and through its type.
    pub linear_bases: bool,
    /// The prelude's base of every type; empty: none.
    pub root: &'static str,
    /// What a type's constructor is called.
    pub constructor: &'static str,
    /// The prelude's type of what a generator function gives; empty: unknown.
    pub generator: &'static str,
    /// The prelude's type of tuples; empty: none.
    pub tuple: &'static str,
    /// The prelude's type of types: what a type has as a value; empty: none.
    pub metatype: &'static str,
    /// The member that only enumerations have: going through one gives its cases.
    pub cases: &'static str,
    /// Written types that hold no value: they narrow no union.
    pub nothing: &'static [&'static str],
    /// Methods, called one after the other, that an operator of [`ops`] runs.
    pub operators: &'static [(&'static str, &'static [&'static str])],
    /// Functions of the prelude that stand for what a dictionary is written with, and
    /// for a part of a list from a place on; empty: none.
    pub keyed: &'static str,
    pub sliced: &'static str,
    /// Members of tables that put something in or take it out.
    pub tables: &'static [(&'static str, TableUse)],
    /// Types that end the search: anything may be inside (`any`, `unknown`).
    pub untyped: &'static [&'static str],
}

impl Traits {
    /// A language of which nothing is said yet: what a new one starts from, so
    /// that a property more breaks no language that does not have it.
    pub const PLAIN: Traits = Traits {
        module_tree: false,
        modules_nest: false,
        auto_deref: false,
        written_receiver: false,
        call_constructs: false,
        prototype: "",
        branches_agree: false,
        async_hides_promise: false,
        positional_params: true,
        virtual_methods: false,
        structural: false,
        literals: &[],
        array: "",
        function: "",
        promise: "",
        range: "",
        boolean: "",
        one_namespace: false,
        linear_bases: false,
        root: "",
        constructor: "",
        generator: "",
        tuple: "",
        metatype: "",
        cases: "",
        nothing: &[],
        operators: &[],
        keyed: "",
        sliced: "",
        tables: &[],
        untyped: &[],
    };
}

/// The rules of one language.
pub trait Rules: Send + Sync {
    fn traits(&self) -> &Traits;

    /// Where a module specifier written in `from` leads.
    fn specifier(&self, reader: &dyn PathReader, from: FileId, spec: &str) -> Specifier {
        let _ = (reader, from, spec);
        Specifier::Outside
    }

    /// The module `name` of a package: of the file that is its module, or of a
    /// folder.
    fn submodule(&self, reader: &dyn PathReader, package: &str, name: &str) -> Specifier {
        let _ = (reader, package, name);
        Specifier::Missing
    }

    /// Whether a glob import brings a name when the module it asks has no list.
    fn globbed(&self, name: Name) -> bool {
        let _ = name;
        true
    }

    /// Files that `mod name;` may mean, declared in the file at `path` inside
    /// the inline modules `inside`. `written`: a `#[path]`, or empty.
    fn module_file(&self, path: &str, inside: &[&str], name: &str, written: &str) -> ModuleFile {
        let _ = (path, inside, name, written);
        ModuleFile {
            candidates: Vec::new(),
        }
    }

    /// The package around a file.
    fn package(&self, reader: &dyn PathReader, file: FileId) -> PackageOf {
        let _ = (reader, file);
        PackageOf::default()
    }

    /// Whether a function of a type, both named here, makes one of that type.
    fn constructs(&self, of: Name, name: Name) -> bool {
        let _ = (of, name);
        false
    }

    /// Of twins under a condition, whether this one's is the exception: what
    /// stands where the usual way failed.
    fn unusual(&self, condition: &str) -> bool {
        let _ = condition;
        false
    }

    /// Whether a condition of the language's compiler holds for the file, by the
    /// language's defaults; `None` when nothing says. `declared`: whether that
    /// of a macro holds that is declared under this name and puts what it is
    /// given under a condition.
    fn holds(
        &self,
        reader: &dyn PathReader,
        file: FileId,
        condition: &str,
        declared: &dyn Fn(Name) -> Option<bool>,
    ) -> Option<bool> {
        let _ = (reader, file, condition, declared);
        None
    }

    /// Whether a compiler refuses a member that the receiver's type does not
    /// have: what a type of a package is asked for, the package then declares.
    fn checked(&self) -> bool {
        false
    }

    /// The prelude's name for a package that it declares.
    fn package_stub(&self, package: Name) -> Option<Name> {
        let _ = package;
        None
    }

    /// A name no module binds.
    fn builtin(&self, name: Name) -> Option<Builtin> {
        let _ = name;
        None
    }

    /// The prelude's name for a builtin type word (`str`, `number`, `string`).
    fn builtin_type(&self, name: &str) -> Option<&'static str> {
        let _ = name;
        None
    }
}

/// Members a prelude declares so that operators have types: a type that can be
/// iterated declares `__elem`, one that can be awaited `__await`, and so on.
pub mod ops {
    pub const ELEM: &str = "__elem";
    pub const AWAIT: &str = "__await";
    pub const TRY: &str = "__try";
    pub const INDEX: &str = "__index";
    /// What a range taken out of it gives: `a[1..]`.
    pub const SLICE: &str = "__slice";
    pub const DEREF: &str = "__deref";
    /// What a raw pointer points to: only an operator reaches it.
    pub const POINTEE: &str = "__pointee";
    pub const CALL: &str = "__call";
    /// What constructing by a value of the type runs.
    pub const NEW: &str = "__new";
}
