//! Which names a body binds: known before it is read, as the language decides it.

use super::*;
use surefoot_facts::Name;

/// What the statements of a body bind, each with where it stands.
#[derive(Default)]
pub(super) struct Bound {
    pub(super) spots: Vec<(Name, u32)>,
    pub(super) globals: SmallVec<[Name; 2]>,
    pub(super) nonlocals: SmallVec<[Name; 2]>,
    /// Names of the module: `x += 1` leaves what `x` is.
    pub(super) module: bool,
}

impl<'t> Walker<'t> {
    /// What a body binds in its own namespace.
    pub(super) fn bound_in(&mut self, body: Kid<'t>) -> Bound {
        let mut out = Bound::default();
        // `:=` binds from inside an expression; nothing else does.
        let text = self.s.text(body.node).as_bytes();
        let walrus = memchr::memmem::find(text, b":=").is_some();
        self.scan(body, walrus, &mut out);
        out
    }

    pub(super) fn scan(&mut self, kid: Kid<'t>, walrus: bool, out: &mut Bound) {
        self.down(|w| w.scan_here(kid, walrus, out));
    }

    fn scan_here(&mut self, kid: Kid<'t>, walrus: bool, out: &mut Bound) {
        let node = kid.node;
        match kid.kind {
            K::ExpressionStatement => {
                let kids = self.s.kids(node);
                for kid in kids.named() {
                    self.scan_assignment(kid, walrus, out);
                }
            }
            K::FunctionDefinition | K::ClassDefinition => {
                if let Some(name) = self.s.kids(node).field(F::Name) {
                    self.spot(name.node, out);
                }
            }
            K::DecoratedDefinition => {
                if let Some(inner) = self.s.kids(node).field(F::Definition) {
                    self.scan(inner, walrus, out);
                }
            }
            K::ImportStatement | K::ImportFrom => self.scan_import(kid, out),
            K::ForStatement => {
                let kids = self.s.kids(node);
                if let Some(left) = kids.field(F::Left) {
                    self.scan_target(left, out);
                }
                self.scan_rest(&kids, walrus, out);
            }
            K::AsPattern => {
                let kids = self.s.kids(node);
                if let Some(alias) = kids.field(F::Alias) {
                    self.scan_target(alias, out);
                }
                self.scan_rest(&kids, walrus, out);
            }
            K::ExceptClause => {
                let kids = self.s.kids(node);
                if let Some(alias) = kids.field(F::Alias) {
                    self.scan_target(alias, out);
                }
                self.scan_rest(&kids, walrus, out);
            }
            K::GlobalStatement | K::NonlocalStatement => {
                let kids = self.s.kids(node);
                for name in kids.named() {
                    let name = self.name_at(name.node);
                    if kid.kind == K::GlobalStatement {
                        out.globals.push(name);
                    } else {
                        out.nonlocals.push(name);
                    }
                }
            }
            K::CasePattern => self.scan_pattern(kid, out),
            K::TypeAlias => {
                let left = self.s.kids(node).field(F::Left);
                let inner = left.and_then(|k| self.s.kids(k.node).named().next());
                if let Some(name) = inner.filter(|k| k.kind == K::Identifier) {
                    self.spot(name.node, out);
                }
            }
            K::NamedExpression => {
                let kids = self.s.kids(node);
                if let Some(name) = kids.field(F::Name) {
                    self.spot(name.node, out);
                }
                self.scan_rest(&kids, walrus, out);
            }
            K::Lambda => {}
            K::Block
            | K::IfStatement
            | K::ElifClause
            | K::ElseClause
            | K::WhileStatement
            | K::TryStatement
            | K::FinallyClause
            | K::WithStatement
            | K::WithClause
            | K::WithItem
            | K::MatchStatement
            | K::CaseClause
            | K::Error => {
                let kids = self.s.kids(node);
                self.scan_rest(&kids, walrus, out);
            }
            _ if walrus => {
                let kids = self.s.kids(node);
                self.scan_rest(&kids, walrus, out);
            }
            _ => {}
        }
    }

    fn scan_rest(&mut self, kids: &Kids<'t>, walrus: bool, out: &mut Bound) {
        for kid in kids.named() {
            self.scan(kid, walrus, out);
        }
    }

    fn scan_assignment(&mut self, kid: Kid<'t>, walrus: bool, out: &mut Bound) {
        let mut at = kid;
        loop {
            if !matches!(at.kind, K::Assignment | K::AugmentedAssignment) {
                if walrus {
                    self.scan(at, walrus, out);
                }
                return;
            }
            let kids = self.s.kids(at.node);
            let keeps = out.module && at.kind == K::AugmentedAssignment;
            if let Some(left) = kids.field(F::Left).filter(|_| !keeps) {
                self.scan_target(left, out);
            }
            match kids.field(F::Right) {
                Some(right) => at = right,
                None => return,
            }
        }
    }

    /// The names a target binds: `a`, `(a, *b)`, `[a, b]`.
    fn scan_target(&mut self, kid: Kid<'t>, out: &mut Bound) {
        match kid.kind {
            K::Identifier => self.spot(kid.node, out),
            K::PatternList
            | K::TuplePattern
            | K::ListPattern
            | K::ListSplatPattern
            | K::Tuple
            | K::List
            | K::ListSplat
            | K::ExpressionList
            | K::ParenthesizedExpression
            | K::AsPatternTarget => self.down(|w| {
                let kids = w.s.kids(kid.node);
                for kid in kids.named() {
                    w.scan_target(kid, out);
                }
            }),
            _ => {}
        }
    }

    fn scan_import(&mut self, kid: Kid<'t>, out: &mut Bound) {
        let kids = self.s.kids(kid.node);
        for name in kids.iter().filter(|k| k.field == F::Name) {
            match name.kind {
                K::AliasedImport => {
                    if let Some(alias) = self.s.kids(name.node).field(F::Alias) {
                        self.spot(alias.node, out);
                    }
                }
                _ => {
                    // `import a.b` binds `a`.
                    let first = self.s.kids(name.node).named().next();
                    if let Some(first) = first {
                        self.spot(first.node, out);
                    }
                }
            }
        }
    }

    /// The names a case captures.
    fn scan_pattern(&mut self, kid: Kid<'t>, out: &mut Bound) {
        self.down(|w| {
            let kids = w.s.kids(kid.node);
            match kid.kind {
                K::DottedName => {
                    let mut names = kids.named();
                    if let (Some(name), None) = (names.next(), names.next()) {
                        w.spot(name.node, out);
                    }
                }
                K::AsPattern => {
                    for kid in kids.named() {
                        match kid.kind {
                            K::Identifier => w.spot(kid.node, out),
                            _ => w.scan_pattern(kid, out),
                        }
                    }
                }
                K::SplatPattern => {
                    if let Some(name) = kids.named().next() {
                        w.spot(name.node, out);
                    }
                }
                K::ClassPattern => {
                    for kid in kids.named().filter(|k| k.kind != K::DottedName) {
                        w.scan_pattern(kid, out);
                    }
                }
                K::KeywordPattern => {
                    for kid in kids.named().skip(1) {
                        w.scan_pattern(kid, out);
                    }
                }
                K::DictPattern => {
                    for kid in kids.named().filter(|k| k.field != F::Key) {
                        w.scan_pattern(kid, out);
                    }
                }
                _ => {
                    for kid in kids.named() {
                        w.scan_pattern(kid, out);
                    }
                }
            }
        });
    }

    fn spot(&mut self, name: Node<'t>, out: &mut Bound) {
        let at = name.start_byte() as u32;
        let name = self.name_at(name);
        out.spots.push((name, at));
    }
}
