//! The names of the Rust grammar that the walker tells apart.

use crate::driver::{Words, words};
use std::sync::LazyLock;

words! {
    kinds K {
        named {
            Abstract = "abstract_type", Arguments = "arguments", ArrayExpr = "array_expression",
            ArrayType = "array_type", Assignment = "assignment_expression",
            AssocType = "associated_type", AsyncBlock = "async_block", Attribute = "attribute",
            AttributeItem = "attribute_item", Await = "await_expression",
            BaseField = "base_field_initializer", Binary = "binary_expression", Block = "block",
            BlockComment = "block_comment", Bool = "boolean_literal",
            BoundedType = "bounded_type", BracketedType = "bracketed_type",
            Break = "break_expression", Call = "call_expression", Captured = "captured_pattern",
            CharLit = "char_literal", Closure = "closure_expression",
            CompoundAssignment = "compound_assignment_expr", ConstBlock = "const_block",
            ConstItem = "const_item", ConstParam = "const_parameter",
            Continue = "continue_expression", Crate = "crate",
            DeclarationList = "declaration_list", DynType = "dynamic_type",
            ElseClause = "else_clause", EmptyStatement = "empty_statement", Enum = "enum_item",
            EnumVariant = "enum_variant", ExpressionStatement = "expression_statement",
            ExternCrate = "extern_crate_declaration", ExternModifier = "extern_modifier",
            FieldDeclaration = "field_declaration", FieldExpr = "field_expression",
            FieldIdentifier = "field_identifier", FieldInit = "field_initializer",
            FieldList = "field_declaration_list", FieldPattern = "field_pattern",
            Float = "float_literal", For = "for_expression", ForeignMod = "foreign_mod_item",
            Function = "function_item", FunctionModifiers = "function_modifiers",
            FunctionSignature = "function_signature_item", FunctionType = "function_type",
            GenBlock = "gen_block", GenericFunction = "generic_function",
            GenericPattern = "generic_pattern", GenericType = "generic_type",
            HigherRanked = "higher_ranked_trait_bound", Identifier = "identifier",
            If = "if_expression", Impl = "impl_item", Index = "index_expression",
            InnerAttribute = "inner_attribute_item", Int = "integer_literal", Label = "label",
            LetChain = "let_chain", LetCondition = "let_condition", Let = "let_declaration",
            Lifetime = "lifetime", LifetimeParam = "lifetime_parameter",
            LineComment = "line_comment", Loop = "loop_expression",
            MacroDefinition = "macro_definition", MacroRule = "macro_rule", Macro = "macro_invocation",
            MatchArm = "match_arm", MatchBlock = "match_block", Match = "match_expression",
            MatchPattern = "match_pattern", Metavariable = "metavariable", Mod = "mod_item",
            MutPattern = "mut_pattern", Mutable = "mutable_specifier", Never = "never_type",
            OrPattern = "or_pattern", OrderedFields = "ordered_field_declaration_list",
            Parameter = "parameter", Parameters = "parameters",
            Parenthesized = "parenthesized_expression", PointerType = "pointer_type",
            Primitive = "primitive_type", QualifiedType = "qualified_type",
            RangeExpr = "range_expression", RawString = "raw_string_literal",
            RefPattern = "ref_pattern", Reference = "reference_expression",
            ReferencePattern = "reference_pattern", ReferenceType = "reference_type",
            Remaining = "remaining_field_pattern", RemovedBound = "removed_trait_bound",
            Return = "return_expression", ScopedIdentifier = "scoped_identifier",
            ScopedType = "scoped_type_identifier", ScopedUseList = "scoped_use_list",
            SelfWord = "self", SelfParameter = "self_parameter",
            ShorthandField = "shorthand_field_identifier",
            ShorthandInit = "shorthand_field_initializer", SlicePattern = "slice_pattern",
            Static = "static_item", Str = "string_literal", StringContent = "string_content",
            Struct = "struct_item", StructExpr = "struct_expression",
            StructPattern = "struct_pattern", Super = "super", TokenRepetition = "token_repetition", TokenTree = "token_tree",
            TraitBounds = "trait_bounds", Trait = "trait_item", TryBlock = "try_block",
            Try = "try_expression", TupleExpr = "tuple_expression",
            TuplePattern = "tuple_pattern", TupleStructPattern = "tuple_struct_pattern",
            TupleType = "tuple_type", TypeArguments = "type_arguments",
            TypeBinding = "type_binding", Cast = "type_cast_expression",
            TypeIdentifier = "type_identifier", TypeItem = "type_item",
            TypeParam = "type_parameter", Unary = "unary_expression", Union = "union_item",
            Unit = "unit_expression", UnitType = "unit_type", UnsafeBlock = "unsafe_block",
            UseAs = "use_as_clause", Use = "use_declaration", UseList = "use_list",
            UseWildcard = "use_wildcard", Variadic = "variadic_parameter",
            Visibility = "visibility_modifier", WhereClause = "where_clause",
            WherePredicate = "where_predicate", While = "while_expression",
            Yield = "yield_expression",
        }
        tokens {
            And = "&", AndAnd = "&&", Async = "async", Bang = "!", Comma = ",", DotDot = "..",
            Else = "else", FatArrow = "=>", Minus = "-", OrOr = "||", Semicolon = ";",
            Star = "*", Underscore = "_", Unsafe = "unsafe",
        }
    }
    fields F {
        Alias = "alias", Alternative = "alternative", Arguments = "arguments", Body = "body",
        Bounds = "bounds", Condition = "condition", Consequence = "consequence",
        Default = "default_type", Element = "element", Field = "field", Function = "function",
        Left = "left", Length = "length", List = "list", Macro = "macro", Name = "name",
        Operator = "operator", Parameters = "parameters", Path = "path", Pattern = "pattern",
        ReturnType = "return_type", Right = "right", Trait = "trait", Type = "type",
        TypeArguments = "type_arguments", TypeParameters = "type_parameters", Value = "value",
    }
}

pub(super) static GRAMMAR: LazyLock<tree_sitter::Language> =
    LazyLock::new(|| tree_sitter_rust::LANGUAGE.into());

pub(super) static WORDS: LazyLock<Words<K, F>> = LazyLock::new(|| words(&GRAMMAR));

impl K {
    /// Stands where statements stand and declares something.
    pub(super) fn is_declaration(self) -> bool {
        matches!(
            self,
            K::AssocType
                | K::ConstItem
                | K::Enum
                | K::ExternCrate
                | K::ForeignMod
                | K::Function
                | K::FunctionSignature
                | K::Impl
                | K::MacroDefinition
                | K::Mod
                | K::Static
                | K::Struct
                | K::Trait
                | K::TypeItem
                | K::Union
                | K::Use
        )
    }

    pub(super) fn is_type(self) -> bool {
        matches!(
            self,
            K::Abstract
                | K::ArrayType
                | K::BoundedType
                | K::DynType
                | K::FunctionType
                | K::GenericType
                | K::Macro
                | K::Metavariable
                | K::Never
                | K::PointerType
                | K::Primitive
                | K::ReferenceType
                | K::RemovedBound
                | K::ScopedType
                | K::TupleType
                | K::TypeIdentifier
                | K::UnitType
        )
    }
}

#[cfg(test)]
mod tests {
    /// A kind or field that the grammar renames would silently never match.
    #[test]
    fn the_grammar_has_every_word() {
        let missing = crate::driver::missing_words(&super::GRAMMAR, super::WORD_LIST);
        assert_eq!(missing, Vec::<&str>::new());
    }
}
