//! `workspace/executeCommand`: what a lens carries, served by the server so that every editor can run it.

use std::fmt::Write;

use serde_json::{Value, json};
use tower_lsp_server::ls_types::{ExecuteCommandParams, MessageType};

use super::super::asked::Purpose;
use super::super::cancel::Cancel;
use super::super::ext::{self, CallNode, CallTreeParams, CallTreeResult, Direction, Whose};
use super::super::failure::Failure;
use super::super::main_loop::MainLoop;
use super::super::view::View;
use super::call_tree;

pub fn answer(
    view: &View,
    params: ExecuteCommandParams,
    cancel: &Cancel,
) -> Result<Option<Value>, Failure> {
    let direction = match params.command.as_str() {
        ext::CALLERS => Direction::Callers,
        ext::CALLEES => Direction::Callees,
        other => return Err(Failure::Params(format!("there is no command {other}"))),
    };
    let whose = params.arguments.into_iter().next().unwrap_or_default();
    let whose: Whose = serde_json::from_value(whose).map_err(|_| {
        Failure::Params(
            "the argument has to be { handle } or { textDocument, position }".to_owned(),
        )
    })?;
    let params = CallTreeParams {
        whose,
        direction,
        depth: 1,
        tiers: Vec::new(),
    };
    let tree = call_tree::answer(view, params, cancel)?;
    tree.map(|tree| serde_json::to_value(tree).map_err(|e| Failure::Panicked(e.to_string())))
        .transpose()
}

/// For a client without our plugin: the list as a message, and the one caller opened, when there is one.
pub fn show(session: &mut MainLoop, answer: &Value) {
    let Ok(Some(tree)) = serde_json::from_value::<Option<CallTreeResult>>(answer.clone()) else {
        return;
    };
    let placed: Vec<&CallNode> = tree
        .nodes
        .iter()
        .filter(|node| node.symbol.is_some())
        .collect();
    let what = match (tree.direction, placed.len()) {
        (Direction::Callers, 0) => "no callers found",
        (Direction::Callers, _) => "called by",
        (Direction::Callees, 0) => "no callees found",
        (Direction::Callees, _) => "calls",
    };
    let mut message = format!("{} {what}", tree.root.name);
    for node in placed.iter().take(SHOWN) {
        let Some(symbol) = &node.symbol else { continue };
        let file = symbol
            .uri
            .path()
            .as_str()
            .rsplit('/')
            .next()
            .unwrap_or_default();
        let line = node
            .sites
            .first()
            .map_or(0, |site| site.range.start.line + 1);
        let (tier, rule) = (
            node.tier.as_deref().unwrap_or_default(),
            node.rule.as_deref().unwrap_or_default(),
        );
        let _ = write!(
            message,
            "\n{} · {file}:{line} · {tier}: {rule}",
            symbol.name
        );
    }
    if placed.len() > SHOWN {
        let _ = write!(message, "\nand {} more", placed.len() - SHOWN);
    }
    if let Some(floor) = &tree.floor {
        let _ = write!(message, "\n{floor}");
    }
    let params = json!({ "type": MessageType::INFO, "message": message });
    session
        .transport
        .outbox
        .notify("window/showMessage", params);
    if let [only] = placed[..]
        && let Some(site) = only.sites.first()
        && session.client.show_document()
    {
        let params = json!({ "uri": site.uri, "takeFocus": true, "selection": site.range });
        session.ask("window/showDocument", params, Purpose::Courtesy);
    }
}

/// Callers named in a message; more is what the panel is for.
const SHOWN: usize = 12;
