//! `surefoot/resolveHandle`: where a symbol stands now that was given out earlier.

use super::super::cancel::Cancel;
use super::super::ext::{HandleParams, SymbolRef};
use super::super::failure::Failure;
use super::super::to_proto;
use super::super::view::View;

pub fn answer(view: &View, params: HandleParams, _: &Cancel) -> Result<Option<SymbolRef>, Failure> {
    Ok(view.by_handle(&params.handle).and_then(|(root, symbol)| {
        let symbol = root.snapshot.symbol_info(symbol)?;
        to_proto::symbol_ref(view, root, &symbol)
    }))
}
