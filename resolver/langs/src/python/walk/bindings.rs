//! Names as they flow: what each means where it stands, and what assigning it does.

use super::*;
use surefoot_facts::{BindKind, Visibility};

/// What kind of code a namespace belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Space {
    Class,
    Function,
    Lambda,
    /// Runs where it is written, with names of its own.
    Comprehension,
}

/// A namespace whose code is being read.
pub(super) struct Frame {
    pub(super) space: Space,
    pub(super) sym: SymIdx,
    /// How deep control flow nests here, for cognitive complexity.
    pub(super) nesting: u16,
    pub(super) returns: Vec<ExprIdx>,
    pub(super) generator: bool,
    pub(super) locals: FxHashMap<Name, Slot>,
    /// Names that belong to the module, and to a function around.
    pub(super) globals: SmallVec<[Name; 2]>,
    pub(super) nonlocals: SmallVec<[Name; 2]>,
    /// What names meant before, in the order they were assigned.
    pub(super) log: Vec<(Name, BindIdx)>,
    /// Every assignment of the body, by where it stands.
    pub(super) spots: Vec<(Name, u32)>,
    /// The class around a method, and the names of its first parameter.
    pub(super) class: SymIdx,
    pub(super) receiver: Option<Name>,
    /// Attributes that methods of a class assign.
    pub(super) attributes: Vec<class::Attribute>,
    /// Names given to what the class body declares.
    pub(super) enumeration: bool,
}

impl Frame {
    pub(super) fn new(space: Space, sym: SymIdx) -> Frame {
        Frame {
            space,
            sym,
            nesting: 0,
            returns: Vec::new(),
            generator: false,
            locals: FxHashMap::default(),
            globals: SmallVec::new(),
            nonlocals: SmallVec::new(),
            log: Vec::new(),
            spots: Vec::new(),
            class: SymIdx::NONE,
            receiver: None,
            attributes: Vec::new(),
            enumeration: false,
        }
    }
}

/// A name of a namespace.
#[derive(Clone)]
pub(super) struct Slot {
    /// What code that runs at another time sees: every value it is given.
    pub(super) all: BindIdx,
    /// What it means where the walker stands; `NONE` before it is assigned.
    pub(super) now: BindIdx,
    pub(super) values: SmallVec<[ExprIdx; 2]>,
    /// How often the body assigns it.
    pub(super) count: u32,
    /// A function inside assigns it: no order of statements says its value.
    pub(super) shared: bool,
    pub(super) param: Option<(SymIdx, u16)>,
}

impl Slot {
    pub(super) fn new(all: BindIdx, now: BindIdx, count: u32) -> Slot {
        Slot {
            all,
            now,
            values: SmallVec::new(),
            count,
            shared: false,
            param: None,
        }
    }
}

/// What a name means.
pub(super) enum Meaning {
    /// A binding of a namespace around.
    Bound(BindIdx, Option<(SymIdx, u16)>),
    /// A name of the module, of the builtins, or of nothing.
    Module,
}

impl<'t> Walker<'t> {
    pub(super) fn meaning(&self, name: Name) -> Meaning {
        let mut later = false;
        let last = self.frames.len().wrapping_sub(1);
        for (i, frame) in self.frames.iter().enumerate().rev() {
            if frame.globals.contains(&name) {
                return Meaning::Module;
            }
            // A class body's names are its own: methods do not see them.
            if let Some(slot) = frame.locals.get(&name)
                && (frame.space != Space::Class || i == last)
            {
                let at = if later || slot.shared || slot.now.is_none() {
                    slot.all
                } else {
                    slot.now
                };
                if !at.is_none() {
                    return Meaning::Bound(at, slot.param);
                }
            }
            later |= matches!(frame.space, Space::Function | Space::Lambda);
        }
        Meaning::Module
    }

    /// A name that is read.
    pub(super) fn read(&mut self, name: Name, span: Span) -> ExprIdx {
        match self.meaning(name) {
            Meaning::Bound(at, param) => {
                if let Some((of, index)) = param {
                    self.b.reads(of, index, span);
                }
                self.b.bound(at)
            }
            Meaning::Module => self.free(name),
        }
    }

    pub(super) fn read_at(&mut self, node: Node<'t>) -> ExprIdx {
        let name = self.name_at(node);
        self.read(name, span_of(node))
    }

    /// A name asked of the module. At module level, where a name is bound more
    /// than once, it means what was bound before.
    pub(super) fn free(&mut self, name: Name) -> ExprIdx {
        let scope = self.b.scope();
        let runs_now = self
            .frames
            .iter()
            .all(|f| matches!(f.space, Space::Class | Space::Comprehension));
        if runs_now && let Some(count) = self.file.bound_before(name) {
            return self.b.expr(Expr::Earlier { name, count });
        }
        self.b.expr(Expr::Free { name, scope })
    }

    /// The namespace that assignments go to: comprehensions have none for them.
    fn home(&self) -> Option<usize> {
        self.frames
            .iter()
            .rposition(|f| f.space != Space::Comprehension)
    }

    /// A name is given a value.
    pub(super) fn assign(&mut self, name: Name, span: Span, ty: TyIdx, value: ExprIdx) {
        let Some(home) = self.home() else {
            return self.module_variable(name, span, ty, value);
        };
        let frame = &self.frames[home];
        if frame.globals.contains(&name) {
            return self.module_variable(name, span, ty, value);
        }
        if frame.nonlocals.contains(&name) {
            return self.assign_outer(home, name, value);
        }
        match frame.space {
            Space::Class => self.class_variable(name, span, ty, value),
            _ => self.assign_local(home, name, span, BindKind::Local, ty, value),
        }
    }

    /// A name that a function around declared `nonlocal`.
    fn assign_outer(&mut self, home: usize, name: Name, value: ExprIdx) {
        let outer = self.frames[..home].iter_mut().rev().find_map(|f| {
            (f.space == Space::Function)
                .then(|| f.locals.get_mut(&name))
                .flatten()
        });
        if let Some(slot) = outer {
            slot.shared = true;
            slot.count += 1;
            slot.values.push(value);
        }
    }

    pub(super) fn assign_local(
        &mut self,
        home: usize,
        name: Name,
        span: Span,
        kind: BindKind,
        ty: TyIdx,
        value: ExprIdx,
    ) {
        let known = self.frames[home]
            .locals
            .get(&name)
            .map(|s| (s.all, s.count));
        match known {
            // Its one assignment: the name is this wherever it is seen.
            Some((all, 1)) => {
                if let Some(binding) = self.b.binding_mut(all) {
                    (binding.kind, binding.ty, binding.value) = (kind, ty, value);
                }
                self.b.set_binding_span(all, span);
                self.set_now(home, name, all);
            }
            Some(_) => {
                let at = self.b.bind(name, kind, ty, value, span, false);
                let held = self.b.bound(at);
                if let Some(slot) = self.frames[home].locals.get_mut(&name) {
                    slot.values.push(held);
                }
                self.set_now(home, name, at);
            }
            None => {
                let at = self.b.bind(name, kind, ty, value, span, false);
                let slot = Slot::new(at, at, 1);
                self.frames[home].locals.insert(name, slot);
            }
        }
    }

    /// A function, class or import declared in a body.
    pub(super) fn declare_local(&mut self, name: Name, span: Span, kind: BindKind) {
        let (ty, value) = (TyIdx::UNKNOWN, ExprIdx::UNKNOWN);
        let Some(home) = self.home() else {
            return;
        };
        match self.frames[home].space {
            Space::Class => {
                let at = self.b.bind(name, kind, ty, value, span, false);
                let slot = Slot::new(at, at, 1);
                self.frames[home].locals.insert(name, slot);
            }
            _ => self.assign_local(home, name, span, kind, ty, value),
        }
    }

    pub(super) fn set_now(&mut self, home: usize, name: Name, at: BindIdx) {
        let frame = &mut self.frames[home];
        if let Some(slot) = frame.locals.get_mut(&name) {
            frame.log.push((name, slot.now));
            slot.now = at;
        }
    }

    /// The end of a function's body: names with several values hold one of them.
    pub(super) fn settle_locals(&mut self, frame: &mut Frame) {
        // In the order they were bound: a table has none of its own.
        let mut slots: SmallVec<[&mut Slot; 8]> = frame.locals.values_mut().collect();
        slots.sort_unstable_by_key(|s| s.all);
        for slot in slots {
            if slot.count < 2 && !slot.shared {
                continue;
            }
            let mut all = std::mem::take(&mut slot.values);
            if slot.param.is_some() {
                // Its incoming value: the binding itself.
                let Some(own) = self.b.binding_mut(slot.all) else {
                    continue;
                };
                own.reassigned = true;
                continue;
            }
            all.dedup();
            let value = self.one_of(&all);
            if let Some(binding) = self.b.binding_mut(slot.all) {
                binding.value = value;
                binding.reassigned = true;
            }
        }
    }

    // ---- module level --------------------------------------------------------------

    /// Names with a leading underscore are for the package itself.
    pub(super) fn visibility(name: Name) -> Visibility {
        let text = name.text();
        if text.starts_with('_') && !text.ends_with("__") {
            Visibility::Package
        } else {
            Visibility::Public
        }
    }

    /// Whether the statement runs when a function is called, not when its
    /// module or class is read.
    pub(super) fn in_function(&self) -> bool {
        self.frames.last().is_some_and(|f| f.space != Space::Class)
    }

    /// The condition of the statements around, in a module or a class body.
    pub(super) fn stands_under(&self) -> Option<Name> {
        match self.conditions[..] {
            [] => None,
            [one] => Some(one),
            _ => Some(Name::EMPTY),
        }
    }

    /// Says of a declaration what stands around it.
    pub(super) fn placed(&mut self, sym: SymIdx, name: Name) {
        let condition = match self.in_function() {
            true => None,
            false => self.stands_under(),
        };
        if let Some(s) = self.b.symbol_mut(sym) {
            s.visibility = Walker::visibility(name);
            s.flags.set(Flags::EXPORTED);
            if let Some(condition) = condition {
                s.flags.set(Flags::CONDITIONAL);
                s.condition = condition;
            }
        }
    }

    pub(super) fn module_variable(&mut self, name: Name, span: Span, ty: TyIdx, value: ExprIdx) {
        let from_inside = !self.frames.is_empty();
        self.b.enter_parent(SymIdx::NONE);
        let sym = self.b.symbol(name, SymbolKind::Variable, span, span);
        self.b.leave_parent();
        self.placed(sym, name);
        if !from_inside {
            self.file.binds(name);
        }
        if let Some(s) = self.b.symbol_mut(sym) {
            if from_inside {
                s.flags.set(Flags::CONDITIONAL | Flags::REASSIGNED);
            }
            s.ty = ty;
            s.value = value;
            if !self.machine.is_empty() {
                s.condition = self.machine;
            }
        }
    }
}
