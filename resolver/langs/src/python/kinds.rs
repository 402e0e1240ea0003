//! The words of the Python grammar, as the walker tells them apart.

use crate::driver::{Words, words};
use std::sync::LazyLock;

words! {
    kinds K {
        named {
            AliasedImport = "aliased_import",
            ArgumentList = "argument_list",
            AsPattern = "as_pattern",
            AsPatternTarget = "as_pattern_target",
            AssertStatement = "assert_statement",
            Assignment = "assignment",
            Attribute = "attribute",
            AugmentedAssignment = "augmented_assignment",
            Await = "await",
            BinaryOperator = "binary_operator",
            Block = "block",
            BooleanOperator = "boolean_operator",
            BreakStatement = "break_statement",
            Call = "call",
            CaseClause = "case_clause",
            CasePattern = "case_pattern",
            ClassDefinition = "class_definition",
            ClassPattern = "class_pattern",
            Comment = "comment",
            ComparisonOperator = "comparison_operator",
            ConcatenatedString = "concatenated_string",
            ConditionalExpression = "conditional_expression",
            ConstrainedType = "constrained_type",
            ContinueStatement = "continue_statement",
            DecoratedDefinition = "decorated_definition",
            Decorator = "decorator",
            DefaultParameter = "default_parameter",
            DeleteStatement = "delete_statement",
            DictPattern = "dict_pattern",
            Dictionary = "dictionary",
            DictionaryComprehension = "dictionary_comprehension",
            DictionarySplat = "dictionary_splat",
            DictionarySplatPattern = "dictionary_splat_pattern",
            DottedName = "dotted_name",
            ElifClause = "elif_clause",
            Ellipsis = "ellipsis",
            ElseClause = "else_clause",
            ExceptClause = "except_clause",
            ExpressionList = "expression_list",
            ExpressionStatement = "expression_statement",
            False = "false",
            FinallyClause = "finally_clause",
            Float = "float",
            ForInClause = "for_in_clause",
            ForStatement = "for_statement",
            FunctionDefinition = "function_definition",
            FutureImport = "future_import_statement",
            GeneratorExpression = "generator_expression",
            GenericType = "generic_type",
            GlobalStatement = "global_statement",
            Identifier = "identifier",
            IfClause = "if_clause",
            IfStatement = "if_statement",
            ImportFrom = "import_from_statement",
            ImportPrefix = "import_prefix",
            ImportStatement = "import_statement",
            Integer = "integer",
            Interpolation = "interpolation",
            KeywordArgument = "keyword_argument",
            KeywordPattern = "keyword_pattern",
            Lambda = "lambda",
            List = "list",
            ListComprehension = "list_comprehension",
            ListPattern = "list_pattern",
            ListSplat = "list_splat",
            ListSplatPattern = "list_splat_pattern",
            MatchStatement = "match_statement",
            MemberType = "member_type",
            NamedExpression = "named_expression",
            None = "none",
            NonlocalStatement = "nonlocal_statement",
            NotOperator = "not_operator",
            Pair = "pair",
            Parameters = "parameters",
            ParenthesizedExpression = "parenthesized_expression",
            PassStatement = "pass_statement",
            PatternList = "pattern_list",
            RaiseStatement = "raise_statement",
            RelativeImport = "relative_import",
            ReturnStatement = "return_statement",
            Set = "set",
            SetComprehension = "set_comprehension",
            Slice = "slice",
            SplatPattern = "splat_pattern",
            SplatType = "splat_type",
            StringNode = "string",
            StringContent = "string_content",
            StringStart = "string_start",
            Subscript = "subscript",
            True = "true",
            TryStatement = "try_statement",
            Tuple = "tuple",
            TuplePattern = "tuple_pattern",
            Type = "type",
            TypeAlias = "type_alias_statement",
            TypeParameter = "type_parameter",
            TypedDefaultParameter = "typed_default_parameter",
            TypedParameter = "typed_parameter",
            UnaryOperator = "unary_operator",
            UnionPattern = "union_pattern",
            UnionType = "union_type",
            WhileStatement = "while_statement",
            WildcardImport = "wildcard_import",
            WithClause = "with_clause",
            WithItem = "with_item",
            WithStatement = "with_statement",
            Yield = "yield",
        }
        tokens {
            AndWord = "and",
            AsyncWord = "async",
            Bar = "|",
            Equal = "==",
            FromWord = "from",
            IsWord = "is",
            Minus = "-",
            NotIn = "not in",
            NotIs = "is not",
            OrWord = "or",
            Percent = "%",
            Star = "*",
            StarStar = "**",
            Underscore = "_",
        }
    }
    fields F {
        Alias = "alias",
        Alternative = "alternative",
        Argument = "argument",
        Arguments = "arguments",
        AttributeField = "attribute",
        Body = "body",
        Condition = "condition",
        Consequence = "consequence",
        Definition = "definition",
        ExpressionField = "expression",
        Function = "function",
        Guard = "guard",
        Key = "key",
        Left = "left",
        ModuleName = "module_name",
        Name = "name",
        Object = "object",
        Operator = "operator",
        ParametersField = "parameters",
        ReturnType = "return_type",
        Right = "right",
        Subject = "subject",
        SubscriptField = "subscript",
        Superclasses = "superclasses",
        TypeField = "type",
        TypeParameters = "type_parameters",
        Value = "value",
    }
}

pub(super) static WORDS: LazyLock<Words<K, F>> = LazyLock::new(|| words(&super::GRAMMAR));

impl K {
    pub(super) fn is_statement(self) -> bool {
        matches!(
            self,
            K::AssertStatement
                | K::Block
                | K::BreakStatement
                | K::ClassDefinition
                | K::ContinueStatement
                | K::DecoratedDefinition
                | K::DeleteStatement
                | K::ExpressionStatement
                | K::ForStatement
                | K::FunctionDefinition
                | K::FutureImport
                | K::GlobalStatement
                | K::IfStatement
                | K::ImportFrom
                | K::ImportStatement
                | K::MatchStatement
                | K::NonlocalStatement
                | K::PassStatement
                | K::RaiseStatement
                | K::ReturnStatement
                | K::TryStatement
                | K::TypeAlias
                | K::WhileStatement
                | K::WithStatement
        )
    }

    pub(super) fn is_comprehension(self) -> bool {
        matches!(
            self,
            K::ListComprehension
                | K::SetComprehension
                | K::DictionaryComprehension
                | K::GeneratorExpression
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grammar that renames a node would silently read nothing there.
    #[test]
    fn every_word_is_in_the_grammar() {
        let missing = crate::driver::missing_words(&super::super::GRAMMAR, WORD_LIST);
        assert!(missing.is_empty(), "{missing:?}");
    }
}
