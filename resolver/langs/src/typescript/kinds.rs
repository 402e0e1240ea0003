//! The words of both TypeScript grammars, as the walker tells them apart.

use crate::driver::{Words, words};
use std::sync::LazyLock;

words! {
    kinds K {
        named {
            AbstractClassDeclaration = "abstract_class_declaration",
            AbstractMethodSignature = "abstract_method_signature",
            AccessibilityModifier = "accessibility_modifier",
            AmbientDeclaration = "ambient_declaration",
            Arguments = "arguments",
            Array = "array",
            ArrayPattern = "array_pattern",
            ArrayType = "array_type",
            ArrowFunction = "arrow_function",
            AsExpression = "as_expression",
            Asserts = "asserts",
            AssertsAnnotation = "asserts_annotation",
            AssignmentExpression = "assignment_expression",
            AssignmentPattern = "assignment_pattern",
            AugmentedAssignment = "augmented_assignment_expression",
            AwaitExpression = "await_expression",
            BinaryExpression = "binary_expression",
            BreakStatement = "break_statement",
            CallExpression = "call_expression",
            CallSignature = "call_signature",
            CatchClause = "catch_clause",
            Class = "class",
            ClassBody = "class_body",
            ClassDeclaration = "class_declaration",
            ClassHeritage = "class_heritage",
            ClassStaticBlock = "class_static_block",
            Comment = "comment",
            ComputedPropertyName = "computed_property_name",
            ConditionalType = "conditional_type",
            ConstructSignature = "construct_signature",
            ConstructorType = "constructor_type",
            ContinueStatement = "continue_statement",
            Decorator = "decorator",
            DoStatement = "do_statement",
            ElseClause = "else_clause",
            EmptyStatement = "empty_statement",
            EnumAssignment = "enum_assignment",
            EnumDeclaration = "enum_declaration",
            EscapeSequence = "escape_sequence",
            ExportClause = "export_clause",
            ExportSpecifier = "export_specifier",
            ExportStatement = "export_statement",
            ExpressionStatement = "expression_statement",
            ExtendsClause = "extends_clause",
            ExtendsTypeClause = "extends_type_clause",
            False = "false",
            FlowMaybeType = "flow_maybe_type",
            ForInStatement = "for_in_statement",
            ForStatement = "for_statement",
            FormalParameters = "formal_parameters",
            FunctionDeclaration = "function_declaration",
            FunctionExpression = "function_expression",
            FunctionSignature = "function_signature",
            FunctionType = "function_type",
            GeneratorFunction = "generator_function",
            GeneratorFunctionDeclaration = "generator_function_declaration",
            GenericType = "generic_type",
            HtmlComment = "html_comment",
            Identifier = "identifier",
            IfStatement = "if_statement",
            ImplementsClause = "implements_clause",
            Import = "import",
            ImportAlias = "import_alias",
            ImportClause = "import_clause",
            ImportRequireClause = "import_require_clause",
            ImportSpecifier = "import_specifier",
            ImportStatement = "import_statement",
            IndexSignature = "index_signature",
            IndexTypeQuery = "index_type_query",
            InferType = "infer_type",
            InstantiationExpression = "instantiation_expression",
            InterfaceBody = "interface_body",
            InterfaceDeclaration = "interface_declaration",
            InternalModule = "internal_module",
            IntersectionType = "intersection_type",
            JsxAttribute = "jsx_attribute",
            JsxClosingElement = "jsx_closing_element",
            JsxElement = "jsx_element",
            JsxExpression = "jsx_expression",
            JsxNamespaceName = "jsx_namespace_name",
            JsxOpeningElement = "jsx_opening_element",
            JsxSelfClosingElement = "jsx_self_closing_element",
            LabeledStatement = "labeled_statement",
            LexicalDeclaration = "lexical_declaration",
            LiteralType = "literal_type",
            LookupType = "lookup_type",
            MappedTypeClause = "mapped_type_clause",
            MemberExpression = "member_expression",
            MethodDefinition = "method_definition",
            MethodSignature = "method_signature",
            Module = "module",
            NamedImports = "named_imports",
            NamespaceExport = "namespace_export",
            NamespaceImport = "namespace_import",
            NestedIdentifier = "nested_identifier",
            NestedTypeIdentifier = "nested_type_identifier",
            NewExpression = "new_expression",
            NonNullExpression = "non_null_expression",
            Null = "null",
            Number = "number",
            Object = "object",
            ObjectAssignmentPattern = "object_assignment_pattern",
            ObjectPattern = "object_pattern",
            ObjectType = "object_type",
            OptionalParameter = "optional_parameter",
            OptionalType = "optional_type",
            OverrideModifier = "override_modifier",
            Pair = "pair",
            PairPattern = "pair_pattern",
            ParenthesizedExpression = "parenthesized_expression",
            ParenthesizedType = "parenthesized_type",
            PredefinedType = "predefined_type",
            PrivatePropertyIdentifier = "private_property_identifier",
            PropertyIdentifier = "property_identifier",
            PropertySignature = "property_signature",
            PublicFieldDefinition = "public_field_definition",
            ReadonlyType = "readonly_type",
            Regex = "regex",
            RequiredParameter = "required_parameter",
            RestPattern = "rest_pattern",
            RestType = "rest_type",
            ReturnStatement = "return_statement",
            SatisfiesExpression = "satisfies_expression",
            SequenceExpression = "sequence_expression",
            ShorthandProperty = "shorthand_property_identifier",
            ShorthandPropertyPattern = "shorthand_property_identifier_pattern",
            SpreadElement = "spread_element",
            StatementBlock = "statement_block",
            StatementIdentifier = "statement_identifier",
            StringNode = "string",
            StringFragment = "string_fragment",
            SubscriptExpression = "subscript_expression",
            Super = "super",
            SwitchBody = "switch_body",
            SwitchCase = "switch_case",
            SwitchDefault = "switch_default",
            SwitchStatement = "switch_statement",
            TemplateLiteralType = "template_literal_type",
            TemplateString = "template_string",
            TemplateSubstitution = "template_substitution",
            TernaryExpression = "ternary_expression",
            This = "this",
            ThisType = "this_type",
            ThrowStatement = "throw_statement",
            True = "true",
            TryStatement = "try_statement",
            TupleType = "tuple_type",
            TypeAliasDeclaration = "type_alias_declaration",
            TypeAnnotation = "type_annotation",
            TypeArguments = "type_arguments",
            TypeAssertion = "type_assertion",
            TypeIdentifier = "type_identifier",
            TypeParameter = "type_parameter",
            TypePredicate = "type_predicate",
            TypePredicateAnnotation = "type_predicate_annotation",
            TypeQuery = "type_query",
            UnaryExpression = "unary_expression",
            Undefined = "undefined",
            UnionType = "union_type",
            UpdateExpression = "update_expression",
            VariableDeclaration = "variable_declaration",
            VariableDeclarator = "variable_declarator",
            WhileStatement = "while_statement",
            WithStatement = "with_statement",
            YieldExpression = "yield_expression",
        }
        tokens {
            AbstractWord = "abstract",
            AsyncWord = "async",
            Bang = "!",
            Comma = ",",
            ConstWord = "const",
            DefaultWord = "default",
            Delete = "delete",
            GetWord = "get",
            GlobalWord = "global",
            InWord = "in",
            Instanceof = "instanceof",
            LetWord = "let",
            LogicalAnd = "&&",
            LogicalOr = "||",
            Minus = "-",
            NotEqual = "!=",
            NotIdentical = "!==",
            Nullish = "??",
            NullishAssign = "??=",
            AndAssign = "&&=",
            OrAssign = "||=",
            OfWord = "of",
            Equal = "==",
            Assign = "=",
            Identical = "===",
            Plus = "+",
            PlusAssign = "+=",
            Question = "?",
            ReadonlyWord = "readonly",
            SetWord = "set",
            Star = "*",
            StaticWord = "static",
            TypeWord = "type",
            TypeofWord = "typeof",
            VarWord = "var",
            Void = "void",
            Less = "<", LessEqual = "<=", Greater = ">", GreaterEqual = ">=",
        }
    }
    fields F {
        Alias = "alias",
        Alternative = "alternative",
        Argument = "argument",
        Arguments = "arguments",
        Attribute = "attribute",
        Body = "body",
        CloseTag = "close_tag",
        Condition = "condition",
        Consequence = "consequence",
        Constraint = "constraint",
        Constructor = "constructor",
        Declaration = "declaration",
        DecoratorField = "decorator",
        Finalizer = "finalizer",
        FunctionField = "function",
        Handler = "handler",
        Increment = "increment",
        Index = "index",
        IndexType = "index_type",
        Initializer = "initializer",
        Key = "key",
        KindField = "kind",
        Label = "label",
        Left = "left",
        ModuleField = "module",
        Name = "name",
        ObjectField = "object",
        OpenTag = "open_tag",
        Operator = "operator",
        Parameter = "parameter",
        Parameters = "parameters",
        Pattern = "pattern",
        Property = "property",
        ReturnType = "return_type",
        Right = "right",
        Source = "source",
        Type = "type",
        TypeArguments = "type_arguments",
        TypeParameters = "type_parameters",
        Value = "value",
    }
}

impl K {
    pub(super) fn is_comment(self) -> bool {
        matches!(self, K::Comment | K::HtmlComment)
    }

    /// An expression that is a function.
    pub(super) fn is_function(self) -> bool {
        matches!(
            self,
            K::ArrowFunction | K::FunctionExpression | K::GeneratorFunction
        )
    }

    pub(super) fn is_parameter(self) -> bool {
        matches!(self, K::RequiredParameter | K::OptionalParameter)
    }

    pub(super) fn is_declaration(self) -> bool {
        matches!(
            self,
            K::FunctionDeclaration
                | K::GeneratorFunctionDeclaration
                | K::FunctionSignature
                | K::ClassDeclaration
                | K::AbstractClassDeclaration
                | K::LexicalDeclaration
                | K::VariableDeclaration
                | K::InterfaceDeclaration
                | K::TypeAliasDeclaration
                | K::EnumDeclaration
                | K::InternalModule
                | K::Module
                | K::AmbientDeclaration
                | K::ImportAlias
        )
    }

    /// A declaration that lives in the block it is written in, so that the
    /// block needs a scope.
    pub(super) fn is_block_scoped(self) -> bool {
        self.is_declaration() && self != K::VariableDeclaration
    }

    pub(super) fn is_statement(self) -> bool {
        self.is_declaration()
            || matches!(
                self,
                K::ExportStatement
                    | K::ImportStatement
                    | K::ExpressionStatement
                    | K::StatementBlock
                    | K::IfStatement
                    | K::SwitchStatement
                    | K::ForStatement
                    | K::ForInStatement
                    | K::WhileStatement
                    | K::DoStatement
                    | K::TryStatement
                    | K::WithStatement
                    | K::BreakStatement
                    | K::ContinueStatement
                    | K::ReturnStatement
                    | K::ThrowStatement
                    | K::EmptyStatement
                    | K::LabeledStatement
                    | K::CatchClause
                    | K::ElseClause
            )
    }

    pub(super) fn is_type(self) -> bool {
        matches!(
            self,
            K::TypeIdentifier
                | K::GenericType
                | K::NestedTypeIdentifier
                | K::ObjectType
                | K::ArrayType
                | K::TupleType
                | K::UnionType
                | K::IntersectionType
                | K::FunctionType
                | K::ConstructorType
                | K::ConditionalType
                | K::LookupType
                | K::IndexTypeQuery
                | K::TypeQuery
                | K::PredefinedType
                | K::LiteralType
                | K::ParenthesizedType
                | K::ReadonlyType
                | K::TemplateLiteralType
                | K::InferType
                | K::ThisType
                | K::OptionalType
                | K::RestType
                | K::FlowMaybeType
                | K::TypeAnnotation
                | K::TypeArguments
        )
    }
}

static WORDS: LazyLock<[Words<K, F>; 2]> =
    LazyLock::new(|| [words(&super::GRAMMARS[0]), words(&super::GRAMMARS[1])]);

/// The words of plain TypeScript (0) or TSX (1).
pub(super) fn of(dialect: usize) -> &'static Words<K, F> {
    &WORDS[dialect.min(1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word that no grammar has would silently never match; JSX stands in one
    /// grammar only, `<T>e` in the other.
    #[test]
    fn every_word_exists_in_one_of_the_grammars() {
        let [plain, tsx] = [0, 1]
            .map(|i| crate::driver::missing_words(&crate::typescript::GRAMMARS[i], WORD_LIST));
        assert!(
            plain.iter().all(
                |w| w.starts_with("jsx_") || ["attribute", "open_tag", "close_tag"].contains(w)
            ),
            "{plain:?}"
        );
        assert_eq!(tsx, ["type_assertion"]);
    }
}
