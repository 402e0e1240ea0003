//! From our words to the protocol's; the only place where they become wire types.

use std::fmt::Write;

use serde_json::{Value, json};
use surefoot_engine::SymbolInfo;
use surefoot_engine::features::hierarchy::{CallList, CallNode, CallRow, CallTree, Direction};
use surefoot_engine::features::types::TypeRow;
use surefoot_graph::{SymbolId, SymbolKind as Kind};
use tower_lsp_server::ls_types::{
    CallHierarchyItem, Command, DiagnosticSeverity, Position, Range, SymbolKind, TypeHierarchyItem,
    Uri,
};

use super::ext;
use super::view::{RootView, View};
use crate::config::Severity;

/// A symbol as the shapes beyond the protocol name it.
pub fn symbol_ref(view: &View, root: &RootView, symbol: &SymbolInfo) -> Option<ext::SymbolRef> {
    Some(ext::SymbolRef {
        handle: view.handle(root, symbol.id),
        name: symbol.name.clone(),
        kind: symbol_kind(symbol.kind),
        container: symbol.container.clone(),
        uri: view.uri(root, symbol.file)?,
        range: view.range(root, &symbol.full),
        selection_range: view.range(root, &symbol.name_place),
    })
}

/// A symbol at either end of a call, with one line beside its name.
pub fn call_item(
    view: &View,
    root: &RootView,
    symbol: &SymbolInfo,
    detail: &str,
) -> Option<CallHierarchyItem> {
    let uri = view.uri(root, symbol.file)?;
    Some(CallHierarchyItem {
        name: symbol.name.clone(),
        kind: symbol_kind(symbol.kind),
        tags: None,
        detail: Some(detail.to_owned()),
        range: view.range(root, &symbol.full),
        selection_range: view.range(root, &symbol.name_place),
        data: Some(json!({ "handle": view.handle(root, symbol.id) })),
        uri,
    })
}

/// A row of a call list with its calls, which the protocol wants to lie in one file. The row of unplaced calls
/// stands where the first of them is, and shows the ones of that file.
pub fn call_row(
    view: &View,
    root: &RootView,
    row: &CallRow,
) -> Option<(CallHierarchyItem, Vec<Range>)> {
    let first = row.sites.first()?;
    let own = row
        .sites
        .iter()
        .filter(|site| site.place.file == first.place.file);
    let ranges: Vec<Range> = own.map(|site| view.range(root, &site.place)).collect();
    let item = match &row.symbol {
        Some(symbol) => call_item(view, root, symbol, &row.detail)?,
        None => CallHierarchyItem {
            name: "not placed".to_owned(),
            kind: SymbolKind::EVENT,
            tags: None,
            detail: Some(row.detail.clone()),
            uri: view.uri(root, first.place.file)?,
            range: ranges[0],
            selection_range: ranges[0],
            data: None,
        },
    };
    Some((item, ranges))
}

/// A type, with where it stands beside its name.
pub fn type_item(
    view: &View,
    root: &RootView,
    symbol: &SymbolInfo,
    detail: &str,
) -> Option<TypeHierarchyItem> {
    Some(TypeHierarchyItem {
        name: symbol.name.clone(),
        kind: symbol_kind(symbol.kind),
        tags: None,
        detail: Some(detail.to_owned()),
        uri: view.uri(root, symbol.file)?,
        range: view.range(root, &symbol.full),
        selection_range: view.range(root, &symbol.name_place),
        data: Some(json!({ "handle": view.handle(root, symbol.id) })),
    })
}

/// A base or a descendant. One outside the tree stands where it is named.
pub fn type_row(view: &View, root: &RootView, row: &TypeRow) -> Option<TypeHierarchyItem> {
    if let Some(symbol) = &row.symbol {
        return type_item(
            view,
            root,
            symbol,
            &format!("{} · {}", symbol.path, row.relation),
        );
    }
    let place = row.place?;
    let range = view.range(root, &place);
    Some(TypeHierarchyItem {
        name: row.name.clone(),
        kind: SymbolKind::INTERFACE,
        tags: None,
        detail: Some(format!("outside this tree · {}", row.relation)),
        uri: view.uri(root, place.file)?,
        range,
        selection_range: range,
        data: None,
    })
}

/// The line above a function; a click asks for its callers.
pub fn lens_command(handle: &str, title: String) -> Command {
    command(json!({ "handle": handle }), title)
}

pub fn command(argument: Value, title: String) -> Command {
    Command {
        title,
        command: ext::CALLERS.to_owned(),
        arguments: Some(vec![argument]),
    }
}

/// The item of a document that is not in the graph: a panel that was opened on it says why it is empty.
pub fn absent_item(uri: &Uri, at: Position, why: &str) -> CallHierarchyItem {
    let range = Range { start: at, end: at };
    CallHierarchyItem {
        name: "not in the code graph".to_owned(),
        kind: SymbolKind::EVENT,
        tags: None,
        detail: Some(why.to_owned()),
        uri: uri.clone(),
        range,
        selection_range: range,
        data: None,
    }
}

/// The row that says why a list may be short where no unplaced call can stand for it.
pub fn floor_row(view: &View, root: &RootView, list: &CallList) -> Option<CallHierarchyItem> {
    if list.rows.iter().any(|row| row.symbol.is_none()) {
        return None;
    }
    let mut item = call_item(view, root, &list.root, list.floor_text.as_deref()?)?;
    item.name = "not all of it".to_owned();
    item.kind = SymbolKind::EVENT;
    item.data = None;
    Some(item)
}

pub fn call_tree(view: &View, root: &RootView, tree: CallTree) -> Option<ext::CallTreeResult> {
    Some(ext::CallTreeResult {
        root: symbol_ref(view, root, &tree.root)?,
        direction: match tree.direction {
            Direction::Callers => ext::Direction::Callers,
            Direction::Callees => ext::Direction::Callees,
        },
        floor: tree.floor_text,
        nodes: tree
            .nodes
            .into_iter()
            .map(|node| call_node(view, root, node))
            .collect(),
        truncated: tree.truncated as u32,
    })
}

fn call_node(view: &View, root: &RootView, node: CallNode) -> ext::CallNode {
    let row = node.row;
    ext::CallNode {
        symbol: row
            .symbol
            .as_ref()
            .and_then(|symbol| symbol_ref(view, root, symbol)),
        tier: row.tier.map(|tier| tier.word().to_owned()),
        rule: row.rule.map(|rule| rule.id().to_owned()),
        resolver: row.resolver,
        sites: row
            .sites
            .iter()
            .filter_map(|site| view.location(root, &site.place))
            .collect(),
        note: row
            .note
            .or_else(|| row.symbol.is_none().then_some(row.detail)),
        named: row.named,
        recursion: node.recursion,
        children: node.children.map(|nodes| {
            nodes
                .into_iter()
                .map(|node| call_node(view, root, node))
                .collect()
        }),
    }
}

/// The symbol of an item that came back to us. One that was given out before its folder was read is found again
/// by its place.
pub fn symbol_of<'a>(view: &'a View, item: &CallHierarchyItem) -> Option<(&'a RootView, SymbolId)> {
    let handle = handle_of(item.data.as_ref())?;
    view.by_handle(handle).or_else(|| {
        let (at, offset) = view.offset(&item.uri, item.selection_range.start)?;
        let declared = at.root.snapshot.at(at.file, offset)?.declares?;
        let info = at.root.snapshot.symbol_info(declared)?;
        (info.name == item.name).then_some((at.root, declared))
    })
}

/// The handle in an item's `data`, which comes back to us as it left.
pub fn handle_of(data: Option<&Value>) -> Option<&str> {
    data?.get("handle")?.as_str()
}

pub fn symbol_kind(kind: Kind) -> SymbolKind {
    match kind {
        Kind::Module => SymbolKind::MODULE,
        Kind::Namespace => SymbolKind::NAMESPACE,
        Kind::Function | Kind::Lambda | Kind::Initializer | Kind::Macro => SymbolKind::FUNCTION,
        Kind::Method => SymbolKind::METHOD,
        Kind::Constructor => SymbolKind::CONSTRUCTOR,
        Kind::Getter | Kind::Setter => SymbolKind::PROPERTY,
        Kind::Class => SymbolKind::CLASS,
        Kind::Struct | Kind::Union => SymbolKind::STRUCT,
        Kind::Enum => SymbolKind::ENUM,
        Kind::Variant => SymbolKind::ENUM_MEMBER,
        Kind::Trait | Kind::Interface => SymbolKind::INTERFACE,
        Kind::TypeAlias | Kind::AssocType => SymbolKind::TYPE_PARAMETER,
        Kind::Field => SymbolKind::FIELD,
        Kind::Variable => SymbolKind::VARIABLE,
        Kind::Impl | Kind::Object => SymbolKind::OBJECT,
    }
}

/// Nothing for a diagnostic that is switched off.
pub fn severity(severity: Severity) -> Option<DiagnosticSeverity> {
    match severity {
        Severity::Off => None,
        Severity::Hint => Some(DiagnosticSeverity::HINT),
        Severity::Info => Some(DiagnosticSeverity::INFORMATION),
        Severity::Warning => Some(DiagnosticSeverity::WARNING),
    }
}

/// The URI of a file inside a root whose URI the client gave us, spelled as the client spells the root.
pub fn uri_in(root: &Uri, path: &str) -> Option<Uri> {
    let mut out = root.as_str().trim_end_matches('/').to_owned();
    out.push('/');
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte.into())
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A URI we make must be the one the client has for the same file, or it opens a second tab.
    #[test]
    fn uris_follow_the_spelling_of_their_root() {
        let root: Uri = "file:///w/my%20app/".parse().unwrap();
        let uri = uri_in(&root, "src/[id]/é.tsx").unwrap();
        assert_eq!(uri.as_str(), "file:///w/my%20app/src/%5Bid%5D/%C3%A9.tsx");
        assert_eq!(
            super::super::from_proto::path(&uri).unwrap(),
            std::path::Path::new("/w/my app/src/[id]/é.tsx")
        );
    }
}
