//! Declarations of one name under conditions, and which of them is compiled.

use super::infer::Body;
use super::members::{Found, Member};
use super::names::At;
use crate::state::{Ctx, ImportRef, Ns};
use surefoot_facts::{BindIdx, BindKind, Expr, ExprIdx, Flags, Name, SymIdx};
use surefoot_graph::{Rule, SymbolId};

/// Whether what is declared is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum When {
    /// It stands under no condition.
    Always,
    /// Its condition holds by the language's defaults.
    On,
    /// It does not.
    Off,
    /// Nothing says.
    Open,
}

/// How many declarations around one are asked for their conditions.
const MAX_AROUND: usize = 64;

/// What a choice among twins rests on.
pub(super) const TWINS: Option<Rule> = Some(Rule::CfgTwins);

/// Of twins, all but one of them under conditions, the one that is compiled:
/// the first in source order where the defaults do not say. `None`: they are no
/// twins.
pub(super) fn twin(all: &[When]) -> Option<usize> {
    let conditional = all.iter().filter(|w| **w != When::Always).count();
    if all.len() < 2 || conditional + 1 < all.len() {
        return None;
    }
    let first = |which: &dyn Fn(&When) -> bool| all.iter().position(which);
    first(&|w| *w == When::On)
        .or_else(|| first(&|w| *w != When::Off))
        .or(Some(0))
}

impl<'a> Ctx<'a> {
    /// Whether a condition written in a file holds.
    pub(super) fn holds(&self, at: At<'a>, condition: Name) -> When {
        match self.holds_at(at, condition, true) {
            Some(true) => When::On,
            Some(false) => When::Off,
            None => When::Open,
        }
    }

    /// `deep`: a macro that the condition names may say. What that says names
    /// no other macro.
    fn holds_at(&self, at: At<'a>, condition: Name, deep: bool) -> Option<bool> {
        let declared = |name: Name| {
            let ns = match self.one_namespace(at.file.module) {
                true => Ns::Value,
                false => Ns::Macro,
            };
            let found = self.lookup(at.file.module, name, ns).symbol();
            let (from, symbol, _) = self.symbol(found.filter(|_| deep)?)?;
            // A variable that holds a condition, as written.
            let held = !symbol.flags.has(Flags::CONDITIONAL) && !symbol.condition.is_empty();
            if ns == Ns::Value && held {
                return self.holds_at(from, symbol.condition, false);
            }
            match from.facts.expr(symbol.value) {
                Expr::When { condition, .. } => self.holds_at(from, condition, false),
                _ => None,
            }
        };
        let rules = self.db.languages.rules(at.file.language)?;
        rules.holds(self, at.file.id, condition.text(), &declared)
    }

    /// Whether a declaration is compiled, by its own condition.
    pub(super) fn when(&self, s: SymbolId) -> When {
        match self.symbol(s) {
            Some((at, s, _)) if s.flags.has(Flags::CONDITIONAL) => self.holds(at, s.condition),
            _ => When::Always,
        }
    }

    /// Whether a declaration is compiled, by its own condition and those of all
    /// it stands in.
    fn when_around(&self, s: SymbolId) -> When {
        let mut all = When::Always;
        let mut next = Some(s);
        for _ in 0..MAX_AROUND {
            let Some(s) = next else { break };
            all = match (all, self.when(s)) {
                (When::Off, _) | (_, When::Off) => return When::Off,
                (When::Open, _) | (_, When::Open) => When::Open,
                (When::On, _) | (_, When::On) => When::On,
                _ => When::Always,
            };
            next = match self.symbol(s) {
                Some((at, symbol, _)) => Some(at.id(symbol.parent)),
                None => self.declared_by(s),
            };
        }
        all
    }

    pub(super) fn import_when(&self, i: ImportRef) -> When {
        match self.import_facts(i) {
            Some((at, import)) if import.conditional => self.holds(at, import.condition),
            _ => When::Always,
        }
    }

    /// The one of several declarations that is compiled, when they are twins.
    pub(super) fn twin_of(&self, all: &[SymbolId]) -> Option<usize> {
        let when: Vec<When> = all.iter().map(|s| self.when_around(*s)).collect();
        twin(&when)
    }

    /// Several blocks declare a member: twins are one thing.
    pub(super) fn twin_member(&self, mut all: Vec<Member>) -> Found {
        let ids: Vec<SymbolId> = all.iter().map(|m| m.symbol).collect();
        match self.twin_of(&ids) {
            Some(at) => {
                let mut one = all.swap_remove(at);
                one.convention = TWINS;
                Found::One(one)
            }
            None => Found::Ambiguous(all),
        }
    }

    /// The declaration of a body that a name bound there stands for: of twins
    /// in one scope, the one that is compiled.
    pub(crate) fn bound(&self, at: At<'a>, b: BindIdx, s: SymIdx) -> SymbolId {
        let own = at.id(s);
        let conditional = |s: SymIdx| {
            let symbol = at.facts.symbol(s);
            symbol.is_some_and(|s| s.flags.has(Flags::CONDITIONAL))
        };
        let binding = b.get().and_then(|b| at.facts.bindings.get(b));
        let Some(binding) = binding.filter(|_| conditional(s)) else {
            return own;
        };
        let of_scope =
            |o: &&surefoot_facts::Binding| o.name == binding.name && o.scope == binding.scope;
        let twins: Vec<SymbolId> = at
            .facts
            .bindings
            .iter()
            .filter(of_scope)
            .filter_map(|o| match o.kind {
                BindKind::Symbol(s) if conditional(s) => Some(at.id(s)),
                _ => None,
            })
            .collect();
        match self.twin_of(&twins) {
            Some(one) => {
                self.rest_on(TWINS);
                twins[one]
            }
            None => own,
        }
    }
}

impl Body<'_, '_> {
    /// What a value that may stand under a condition is: of a name's values in
    /// one body, the last whose condition holds.
    pub(super) fn compiled(&self, at: ExprIdx) -> ExprIdx {
        let mut chain: Vec<(ExprIdx, When)> = Vec::new();
        let mut next = at;
        while let Expr::When {
            condition,
            then,
            other,
        } = self.at.facts.expr(next)
        {
            chain.push((then, self.ctx.holds(self.at, condition)));
            // Conditions on one name in one body are few; the rest is one value.
            let before = match self.at.facts.expr(other) {
                Expr::Local(b) if chain.len() < 32 => {
                    let binding = b.get().and_then(|b| self.at.facts.bindings.get(b));
                    binding.map_or(ExprIdx::UNKNOWN, |b| b.value)
                }
                _ => ExprIdx::UNKNOWN,
            };
            if other.is_known() && !matches!(self.at.facts.expr(before), Expr::When { .. }) {
                chain.push((other, When::Always));
            }
            next = before;
        }
        let on = chain.iter().find(|(_, w)| *w == When::On);
        let open = || chain.iter().rev().find(|(_, w)| *w != When::Off);
        let Some(&(one, _)) = on.or_else(open).or(chain.last()) else {
            return at;
        };
        if chain.len() > 1 {
            self.ctx.rest_on(TWINS);
        }
        one
    }
}
