//! How an edge is known: the rule that proved it and the places it rests on.

use crate::{FileId, SymbolId};
use serde::{Deserialize, Serialize};

/// How sure an edge is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Tier {
    /// It may run this; never counted with the other two.
    Possible,
    /// A stated convention picked the one target.
    Likely,
    /// A binding proves it, and every step it rests on is proved the same way.
    Certain,
}

impl Tier {
    pub fn word(self) -> &'static str {
        match self {
            Tier::Certain => "certain",
            Tier::Likely => "likely",
            Tier::Possible => "possible",
        }
    }
}

macro_rules! rules {
    ($( $name:ident $tier:ident $id:literal $says:literal; )*) => {
        /// The rule that proved an edge. Ids never change meaning.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        #[repr(u8)]
        pub enum Rule { $( #[doc = $says] $name, )* }

        impl Rule {
            pub const ALL: &'static [Rule] = &[ $( Rule::$name, )* ];

            /// The stable id used in reports, marks and settings.
            pub fn id(self) -> &'static str {
                match self { $( Rule::$name => $id, )* }
            }

            /// One sentence for a person.
            pub fn says(self) -> &'static str {
                match self { $( Rule::$name => $says, )* }
            }

            /// The best tier this rule alone can give.
            pub fn tier(self) -> Tier {
                match self { $( Rule::$name => Tier::$tier, )* }
            }

            /// Whether it picks by a convention rather than by proof. An edge
            /// that rests on one names it.
            pub fn is_convention(self) -> bool {
                self.tier() == Tier::Likely
            }
        }
    };
}

rules! {
    // Names.
    LocalScope Certain "local-scope" "The name is bound in a scope around the call.";
    ModuleScope Certain "module-scope" "The name is declared in the same module.";
    Import Certain "import" "An import binds the name to this definition.";
    GlobImport Certain "glob-import" "A glob import brings the name, and nothing nearer does.";
    QualifiedPath Certain "path" "Each segment of the written path names the next.";
    NamespaceMember Certain "namespace-member" "The member of an imported module or namespace.";
    Alias Certain "alias" "The name is bound once, to this function, and never assigned again.";
    ObjectMember Certain "object-member" "The member of an object this file writes out.";
    // Receivers.
    SelfMember Certain "self" "A member of the type around the call, through its own receiver.";
    SuperMember Certain "super" "A member of the declared base.";
    ReceiverType Certain "receiver-type" "The receiver has a written type that declares the member.";
    ReceiverConstructed Certain "receiver-constructed" "The receiver is constructed here, and its type declares the member.";
    ReceiverResult Certain "receiver-result" "The receiver is the declared result of a placed call.";
    ReceiverField Certain "receiver-field" "The receiver is a field with a written type.";
    ReceiverInferred Certain "receiver-inferred" "The receiver's type follows from the values this tree writes.";
    StaticMember Certain "static-member" "A member asked of the type itself.";
    TraitBound Certain "trait-bound" "A bound on the type parameter declares the member.";
    DeclaredMember Certain "declared-member" "The member as an interface or base declares it; what runs may be an implementation.";
    // Construction and the like.
    Constructor Certain "constructor" "The type is constructed, and this is its constructor.";
    ConstructedType Certain "constructed-type" "The type is constructed, and it declares no constructor.";
    Variant Certain "variant" "A case of an enum, constructed by its path.";
    Derived Certain "derived" "A member the type derives; the edge leads to the type.";
    Element Certain "jsx-element" "The component an element names is called.";
    Decoration Certain "decorator" "A decorator calls what it names.";
    MacroScope Certain "macro-scope" "The macro is declared before its use in this module tree, or brought by a path.";
    CallThrough Certain "call-through" "Called through call, apply or bind.";
    // Likely: a stated convention; each has its own precision row.
    CfgTwins Likely "cfg-twins" "Twins under exclusive conditions: the one that stands by default is taken for them.";
    DecoratedModule Likely "decorated-module" "A module that an attribute macro rewrites sees the names of the module around it.";
    BuiltEntry Likely "built-entry" "A package entry that is built, mapped back to its source.";
    ConfigNotCovering Likely "config-not-covering" "A path mapping of a configuration that does not list this file.";
    FirstOverload Likely "first-overload" "Several signatures may take the arguments, and the first written of them stands for all.";
    MadeFunction Likely "made-function" "The name holds what a call makes: the function that this call gives stands for it.";
    MacroTokens Likely "macro-tokens" "The call stands among tokens that only the macro around knows how to read, and reads as an expression.";
    UniqueName Likely "unique-name" "The tree declares this name once, and names alone were asked to bind.";
    Decorated Likely "decorated" "A decorator that no rule reads stands on the function; the function under it stands for the call.";
    // Possible.
    Implementation Possible "implementation" "One of the implementations of the declared member.";
    Override Possible "override" "An override of the declared member in a derived type.";
    ValueFlow Possible "value-flow" "The function is passed or stored as a value where the call may run it.";
    OneOf Possible "one-of" "One of several values the callee may hold.";
    // Not edges, but evidence all the same.
    OutsideImport Certain "outside-import" "An import leads to a package or the standard library.";
    OutsideType Certain "outside-type" "The receiver is a library type whose stub has this member.";
    OutsideReceiver Certain "outside-receiver" "The receiver's type is imported from a package, and nothing of this tree gives it this member.";
    OutsideBuiltin Certain "outside-builtin" "The name is a builtin of the language and nothing shadows it.";
    Asked Certain "asked" "A language server placed it.";
    AskedMayRun Possible "asked-may-run" "A language server names it among what may run.";
}

/// Which part of a symbol a step of the evidence rests on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Slot {
    /// The name of the declaration itself.
    Declaration,
    /// The import that binds this name in the symbol's module, or in a scope
    /// of this file; the number is an interned name.
    Import(u32),
    /// The written result type.
    Result,
    /// The written type of the n-th parameter.
    Parameter(u16),
    /// The written type of a field, variable or constant.
    WrittenType,
    /// The initial value of a variable, constant or field.
    Value,
    /// The n-th base, trait or interface named.
    Heritage(u16),
    /// A local binding (parameter, local, loop variable) of the file itself.
    Binding { item: u32, index: u32 },
    /// The result of a function without a written one: what it returns.
    Returns,
}

/// One place the evidence rests on. Named by symbol and slot rather than by
/// position, so an edit above it makes no foreign edge stale.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Via {
    pub file: FileId,
    /// The symbol the slot belongs to; for imports and bindings the slot alone
    /// names the place within the file.
    pub symbol: Option<SymbolId>,
    pub slot: Slot,
}

/// Who placed the edge.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub enum Resolver {
    /// This engine, from the source alone.
    #[default]
    Static,
    /// A language server, by name and version.
    Server { name: String, version: String },
    /// A person.
    Pin,
}

impl Resolver {
    /// `static`, or `name version`.
    pub fn label(&self) -> String {
        match self {
            Resolver::Static => "static".to_owned(),
            Resolver::Server { name, version } if version.is_empty() => name.clone(),
            Resolver::Server { name, version } => format!("{name} {version}"),
            Resolver::Pin => "pin".to_owned(),
        }
    }
}

/// Why an edge is believed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Evidence {
    pub rule: Rule,
    /// The weakest step of the proof.
    pub tier: Tier,
    /// The steps, from the call outwards.
    pub via: Vec<Via>,
    pub resolver: Resolver,
}
