//! Calls that names alone bind, where that was asked for.

use super::infer::{Body, How};
use super::outcome::rests_on;
use super::place::Placed;
use crate::state::Dep;
use surefoot_facts::{Name, Site};
use surefoot_graph::{Outcome, Resolution, Rule, SiteKind, SymbolId};

impl Body<'_, '_> {
    /// A call left undetermined, placed on the only declaration of its name.
    pub(super) fn by_name_alone(&self, site: &Site, outcome: &Outcome) -> Option<Outcome> {
        let asked =
            self.ctx.db.bind_unique_names && site.kind.is_call() && site.kind != SiteKind::Implicit;
        if !asked || outcome.resolution != Resolution::Undetermined || site.name.is_empty() {
            return None;
        }
        let placed = Placed::Symbol {
            symbol: self.only_of_name(site.name)?,
            how: How::new(Rule::UniqueName),
            declared: false,
        };
        let mut bound = self.finish(placed, site);
        if let Some(e) = &mut bound.evidence {
            rests_on(e, Some(Rule::UniqueName));
        }
        (bound.resolution == Resolution::InTree).then_some(bound)
    }

    /// The one declaration of a name in the tree, if it can be called. Whatever
    /// else bears the name may be meant, so it counts as well.
    fn only_of_name(&self, name: Name) -> Option<SymbolId> {
        let ctx = self.ctx;
        ctx.read(Dep::named(name));
        let all = ctx.db.named.get(&name)?;
        let mut own = all.iter().copied().filter(|s| !ctx.is_prelude(*s));
        let only = own.next()?;
        let language = |s| ctx.file_of(s).map(|f| f.language);
        let alone = own.next().is_none() && language(only) == language(self.near());
        (alone && self.is_function_like(only)).then_some(only)
    }
}
