//! The names of everything that can be read, base and derived.

use surefoot_facts::Name;
use surefoot_graph::{FileId, SymbolId};

/// Which of a name's meanings is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Ns {
    Value = 0,
    Type = 1,
    Macro = 2,
}

/// How close the asker stands to the module it asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Reach {
    /// Another package.
    Foreign = 0,
    /// The same package.
    Package = 1,
    /// The module itself or one nested in it.
    Inside = 2,
}

macro_rules! tags {
    ($($name:ident),* $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub(crate) enum Tag { $($name),* }

        /// Every one, by its number.
        pub(super) const TAGS: &[Tag] = &[$(Tag::$name),*];
    };
}

tags! {
    // Base values: sums of file contributions.
    Name, Globs, Renames, Shape, Summary, Member, Members, Impls, Subtypes, Path, Manifest, Manifests,
    ModuleParent, Global, Aliases, Named, Assigned,
    // Derived values.
    Lookup, Head, Export, Bases, Signature, ValueType, AliasType, Result, ImplsOf, SubtypesOf,
    Order, Package, Specifier, ChildModule, Parent, BlockMembers, Bounds, InScope, Blanket,
    BlanketsOf, GivenBy, Overrides,
}

/// One thing that was read: a base value or a derived one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dep {
    pub(crate) tag: Tag,
    /// Namespace, reach and the like.
    pub(crate) bits: u8,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

impl std::fmt::Debug for Dep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}({}, {}, {})", self.tag, self.a, self.b, self.bits)
    }
}

impl Dep {
    fn new(tag: Tag, a: u32, b: u32) -> Dep {
        Dep { tag, bits: 0, a, b }
    }

    /// A bit of its own for each kind.
    pub(super) fn tag_bit(self) -> u64 {
        1 << (self.tag as u8 % 64)
    }

    pub(crate) fn is_base(self) -> bool {
        self.tag < Tag::Lookup
    }

    /// A path or manifest, as a question to whoever can look at the disk.
    pub(crate) fn as_need(self) -> Option<crate::change::Need> {
        let path = || Name(self.b).text().into();
        match self.tag {
            Tag::Path => Some(crate::change::Need::Path(path())),
            Tag::Manifest => Some(crate::change::Need::Manifest(path())),
            _ => None,
        }
    }

    /// What a module binds or exports under a name, as written.
    pub fn name(module: SymbolId, name: Name) -> Dep {
        Dep::new(Tag::Name, module.0, name.0)
    }
    /// The glob imports and `export *` of a module, as written.
    pub fn globs(module: SymbolId) -> Dep {
        Dep::new(Tag::Globs, module.0, 0)
    }
    /// Imports by path that bring what has a name under another one.
    pub fn renames(module: SymbolId, name: Name) -> Dep {
        Dep::new(Tag::Renames, module.0, name.0)
    }
    /// What others see of a symbol without its body.
    pub fn shape(symbol: SymbolId) -> Dep {
        Dep::new(Tag::Shape, symbol.0, 0)
    }
    /// What an inferred result rests on.
    pub fn summary(symbol: SymbolId) -> Dep {
        Dep::new(Tag::Summary, symbol.0, 0)
    }
    /// A type's own members of a name.
    pub fn member(of: SymbolId, name: Name) -> Dep {
        Dep::new(Tag::Member, of.0, name.0)
    }
    /// The list of a type's own members.
    pub fn members(of: SymbolId) -> Dep {
        Dep::new(Tag::Members, of.0, 0)
    }
    /// Blocks that give members to types of this last name; the empty name:
    /// blocks for a type parameter.
    pub fn impls(name: Name) -> Dep {
        Dep::new(Tag::Impls, 0, name.0)
    }
    /// Symbols whose heritage names this last name.
    pub fn subtypes(name: Name) -> Dep {
        Dep::new(Tag::Subtypes, 0, name.0)
    }
    /// What stands at a path.
    pub fn path(path: Name) -> Dep {
        Dep::new(Tag::Path, 0, path.0)
    }
    /// The manifest at a path.
    pub fn manifest(path: Name) -> Dep {
        Dep::new(Tag::Manifest, 0, path.0)
    }
    /// The list of manifests of a file name.
    pub fn manifests(name: Name) -> Dep {
        Dep::new(Tag::Manifests, 0, name.0)
    }
    /// The declarations that may mean the file at a path.
    pub fn module_parent(path: Name) -> Dep {
        Dep::new(Tag::ModuleParent, 0, path.0)
    }
    /// What is declared for every file of a language under a name.
    pub fn global(name: Name) -> Dep {
        Dep::new(Tag::Global, 0, name.0)
    }
    /// Every declaration of a name.
    pub fn named(name: Name) -> Dep {
        Dep::new(Tag::Named, 0, name.0)
    }

    /// Other names under which something of this name is written.
    pub fn aliases(name: Name) -> Dep {
        Dep::new(Tag::Aliases, 0, name.0)
    }

    /// Whether a member of this name is assigned anywhere.
    pub fn assigned(name: Name) -> Dep {
        Dep::new(Tag::Assigned, 0, name.0)
    }

    pub(crate) fn lookup(module: SymbolId, name: Name, ns: Ns) -> Dep {
        Dep {
            tag: Tag::Lookup,
            bits: ns as u8,
            a: module.0,
            b: name.0,
        }
    }
    pub(crate) fn export(module: SymbolId, name: Name, ns: Ns, reach: Reach) -> Dep {
        Dep {
            tag: Tag::Export,
            bits: ns as u8 | (reach as u8) << 2,
            a: module.0,
            b: name.0,
        }
    }
    pub(crate) fn head(module: SymbolId, name: Name) -> Dep {
        Dep::new(Tag::Head, module.0, name.0)
    }
    pub(crate) fn bases(of: SymbolId) -> Dep {
        Dep::new(Tag::Bases, of.0, 0)
    }
    pub(crate) fn order(of: SymbolId) -> Dep {
        Dep::new(Tag::Order, of.0, 0)
    }
    pub(crate) fn signature(of: SymbolId) -> Dep {
        Dep::new(Tag::Signature, of.0, 0)
    }
    pub(crate) fn value_type(of: SymbolId) -> Dep {
        Dep::new(Tag::ValueType, of.0, 0)
    }
    pub(crate) fn alias_type(of: SymbolId) -> Dep {
        Dep::new(Tag::AliasType, of.0, 0)
    }
    pub(crate) fn result(of: SymbolId) -> Dep {
        Dep::new(Tag::Result, of.0, 0)
    }
    pub(crate) fn impls_of(of: SymbolId) -> Dep {
        Dep::new(Tag::ImplsOf, of.0, 0)
    }
    pub(crate) fn block_members(of: SymbolId, name: Name) -> Dep {
        Dep::new(Tag::BlockMembers, of.0, name.0)
    }
    pub(crate) fn blanket(key: Name, name: Name) -> Dep {
        Dep::new(Tag::Blanket, key.0, name.0)
    }
    pub(crate) fn blankets_of(of: SymbolId) -> Dep {
        Dep::new(Tag::BlanketsOf, of.0, 0)
    }
    pub(crate) fn given_by(of: SymbolId) -> Dep {
        Dep::new(Tag::GivenBy, of.0, 0)
    }
    pub(crate) fn overrides(of: SymbolId) -> Dep {
        Dep::new(Tag::Overrides, of.0, 0)
    }
    pub(crate) fn in_scope(module: SymbolId, what: SymbolId) -> Dep {
        Dep::new(Tag::InScope, module.0, what.0)
    }
    pub(crate) fn bounds(owner: SymbolId, index: u16) -> Dep {
        Dep::new(Tag::Bounds, owner.0, u32::from(index))
    }
    pub(crate) fn subtypes_of(of: SymbolId) -> Dep {
        Dep::new(Tag::SubtypesOf, of.0, 0)
    }
    pub(crate) fn package(file: FileId) -> Dep {
        Dep::new(Tag::Package, file.0, 0)
    }
    pub(crate) fn specifier(file: FileId, spec: Name) -> Dep {
        Dep::new(Tag::Specifier, file.0, spec.0)
    }
    pub(crate) fn child_module(declared: SymbolId) -> Dep {
        Dep::new(Tag::ChildModule, declared.0, 0)
    }
    pub(crate) fn parent(file: FileId) -> Dep {
        Dep::new(Tag::Parent, file.0, 0)
    }
}
