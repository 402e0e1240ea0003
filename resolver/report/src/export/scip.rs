//! Symbols and occurrences for code search, in the SCIP format.

use crate::diff::name_of;
use crate::index::Index;
use crate::model::{Entity, Report};
use protobuf::{EnumOrUnknown, Message, MessageField};
use rustc_hash::FxHashMap;
use scip::symbol::format_symbol;
use scip::types::descriptor::Suffix;
use scip::types::symbol_information::Kind;
use scip::types::{
    Descriptor, Document, Index as ScipIndex, Metadata, Occurrence, Package, PositionEncoding,
    Symbol, SymbolInformation, SymbolRole, TextEncoding, ToolInfo,
};

/// The whole index as bytes. `language` names the language of a path.
///
/// Definitions are the entities, references the calls that were placed. A
/// symbol's package is left open: no report says under which name a tree is
/// published.
pub fn scip(report: &Report, language: &dyn Fn(&str) -> Option<String>) -> Vec<u8> {
    let index = Index::new(&report.entities);
    let kinds: FxHashMap<&str, &str> = report
        .entities
        .iter()
        .map(|e| (&*e.qualified_name, &*e.kind))
        .collect();
    let symbols: Vec<String> = (0..report.entities.len())
        .map(|i| symbol(&report.entities[i], index.address(i), &kinds))
        .collect();

    let mut documents: FxHashMap<&str, Document> = FxHashMap::default();
    for (path, _) in report.file_hashes.iter() {
        documents.insert(
            path,
            Document {
                language: language(path).unwrap_or_default(),
                relative_path: path.to_string(),
                position_encoding: EnumOrUnknown::new(
                    PositionEncoding::UTF8CodeUnitOffsetFromLineStart,
                ),
                ..Document::default()
            },
        );
    }
    for (entity, symbol) in report.entities.iter().zip(&symbols) {
        let Some(document) = documents.get_mut(entity.file.as_str()) else {
            continue;
        };
        // A module and a function without a name have no name to point at.
        let nameless = &*entity.kind == "module" || entity.name.starts_with('<');
        let length = if nameless { 0 } else { entity.name.len() };
        let test = match entity.non_production {
            Some(_) => SymbolRole::Test as i32,
            None => 0,
        };
        document.occurrences.push(Occurrence {
            range: range(entity.line_number, entity.column, length),
            symbol: symbol.clone(),
            symbol_roles: SymbolRole::Definition as i32 | test,
            ..Occurrence::default()
        });
        document.symbols.push(SymbolInformation {
            symbol: symbol.clone(),
            kind: EnumOrUnknown::new(kind_of(&entity.kind)),
            display_name: entity.name.to_string(),
            ..SymbolInformation::default()
        });
    }
    for edge in report
        .call_edges
        .iter()
        .filter(|e| &*e.resolution == "in_tree")
    {
        let callee = index.find(&edge.callee, edge.declaration_line, edge.declaration_column);
        let document = documents.get_mut(edge.file());
        if let (Some(callee), Some(document)) = (callee, document) {
            document.occurrences.push(Occurrence {
                range: range(edge.line_number, edge.column, name_of(edge).len()),
                symbol: symbols[callee].clone(),
                ..Occurrence::default()
            });
        }
    }
    let mut documents: Vec<Document> = documents.into_values().collect();
    documents.sort_by(|a, b| a.relative_path.cmp(&b.relative_path));
    for document in &mut documents {
        document
            .occurrences
            .sort_by(|a, b| (&a.range, &a.symbol).cmp(&(&b.range, &b.symbol)));
        document.symbols.sort_by(|a, b| a.symbol.cmp(&b.symbol));
    }
    let p = &report.analyzer_provenance;
    let whole = ScipIndex {
        metadata: MessageField::some(Metadata {
            tool_info: MessageField::some(ToolInfo {
                name: p.name.to_string(),
                version: p.version.to_string(),
                arguments: vec![format!("snapshot={}", report.snapshot_id)],
                ..ToolInfo::default()
            }),
            // The folder is the reader's to know: a report names no place on the machine that made it.
            project_root: "file:///".to_owned(),
            text_document_encoding: EnumOrUnknown::new(TextEncoding::UTF8),
            ..Metadata::default()
        }),
        documents,
        ..ScipIndex::default()
    };
    // Writing to memory fails only past two gigabytes; an empty file reads back as no index.
    whole.write_to_bytes().unwrap_or_default()
}

/// From zero, half open, on one line.
fn range(line: u32, column: u32, length: usize) -> Vec<i32> {
    let whole = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    let (line, start) = (
        line.saturating_sub(1) as usize,
        column.saturating_sub(1) as usize,
    );
    vec![whole(line), whole(start), whole(start + length)]
}

fn symbol(entity: &Entity, address: (u32, u32), kinds: &FxHashMap<&str, &str>) -> String {
    let descriptor = |name: &str, suffix: Suffix| Descriptor {
        name: name.to_owned(),
        suffix: EnumOrUnknown::new(suffix),
        ..Descriptor::default()
    };
    let qualified = &*entity.qualified_name;
    let mut descriptors = vec![descriptor(&entity.file, Suffix::Namespace)];
    let scopes = qualified.strip_prefix(&*entity.file).unwrap_or(qualified);
    let mut at = entity.file.len();
    for part in scopes.split("::").skip(1) {
        at += 2 + part.len();
        let kind = kinds.get(qualified.get(..at).unwrap_or(qualified)).copied();
        descriptors.push(descriptor(part, suffix_of(kind.unwrap_or("namespace"))));
    }
    if let Some(last) = descriptors.last_mut()
        && address.0 > 0
    {
        // Which of several that bear the name: only a method can say so, as the format has it.
        last.suffix = EnumOrUnknown::new(Suffix::Method);
        last.disambiguator = match address {
            (line, 0) => format!("{line}"),
            (line, column) => format!("{line}_{column}"),
        };
    }
    format_symbol(Symbol {
        scheme: "surefoot".to_owned(),
        package: MessageField::some(Package::default()),
        descriptors,
        ..Symbol::default()
    })
}

fn suffix_of(kind: &str) -> Suffix {
    match kind {
        "function" | "method" | "constructor" | "getter" | "setter" | "lambda" | "initializer" => {
            Suffix::Method
        }
        "class" | "struct" | "union" | "enum" | "trait" | "interface" | "type_alias" => {
            Suffix::Type
        }
        "macro" => Suffix::Macro,
        "variable" | "field" | "variant" => Suffix::Term,
        _ => Suffix::Namespace,
    }
}

fn kind_of(kind: &str) -> Kind {
    match kind {
        "function" | "lambda" | "initializer" => Kind::Function,
        "method" => Kind::Method,
        "constructor" => Kind::Constructor,
        "getter" => Kind::Getter,
        "setter" => Kind::Setter,
        "class" => Kind::Class,
        "struct" => Kind::Struct,
        "union" => Kind::Union,
        "enum" => Kind::Enum,
        "variant" => Kind::EnumMember,
        "trait" => Kind::Trait,
        "interface" => Kind::Interface,
        "type_alias" => Kind::TypeAlias,
        "module" => Kind::Module,
        "namespace" => Kind::Namespace,
        "macro" => Kind::Macro,
        "variable" => Kind::Variable,
        "field" => Kind::Field,
        _ => Kind::UnspecifiedKind,
    }
}
