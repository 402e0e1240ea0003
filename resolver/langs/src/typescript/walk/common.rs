//! What a file says of `module.exports` and of prototypes as a whole, asked of
//! its text before any item is read.

use super::{F, K, Kid, Kids};
use crate::driver::Syntax;
use memchr::memmem;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::{Hash, Hasher};

#[derive(Default)]
pub(super) struct Common<'t> {
    /// Something is assigned to `module.exports` as a whole.
    pub(super) whole: bool,
    /// Names at the top of the file that stand for what is exported.
    pub(super) aliases: FxHashSet<&'t str>,
    /// Names at the top of the file that stand for `F.prototype`, and that `F`.
    pub(super) prototypes: FxHashMap<&'t str, Kid<'t>>,
}

impl Common<'_> {
    /// What the facts of every item may rest on.
    pub(super) fn hash(&self, s: &Syntax<'_, K, F>, into: &mut impl Hasher) {
        self.whole.hash(into);
        let mut aliases: Vec<&str> = self.aliases.iter().copied().collect();
        aliases.sort_unstable();
        aliases.hash(into);
        let mut prototypes: Vec<(&str, &str)> = self
            .prototypes
            .iter()
            .map(|(name, class)| {
                let text = s.text.get(class.node.byte_range()).unwrap_or("");
                (*name, text)
            })
            .collect();
        prototypes.sort_unstable();
        prototypes.hash(into);
    }
}

pub(super) fn read<'t>(s: &mut Syntax<'t, K, F>, top: &Kids<'t>) -> Common<'t> {
    let mut out = Common {
        whole: assigns_whole(s.text),
        ..Common::default()
    };
    let bytes = s.text.as_bytes();
    let exports = memmem::find(bytes, b"exports").is_some();
    if !exports && memmem::find(bytes, b".prototype").is_none() {
        return out;
    }
    for kid in top.iter() {
        if !matches!(kid.kind, K::VariableDeclaration | K::LexicalDeclaration) {
            continue;
        }
        let kids = s.kids(kid.node);
        for declarator in kids.iter().filter(|k| k.kind == K::VariableDeclarator) {
            let kids = s.kids(declarator.node);
            let (Some(name), Some(value)) = (kids.field(F::Name), kids.field(F::Value)) else {
                continue;
            };
            if name.kind != K::Identifier {
                continue;
            }
            let text = s.text(value.node);
            if matches!(text, "exports" | "module.exports") {
                out.aliases.insert(s.text(name.node));
            } else if value.kind == K::MemberExpression && text.ends_with(".prototype") {
                let class = s.kids(value.node).field(F::ObjectField);
                if let Some(class) = class.filter(|k| k.kind == K::Identifier) {
                    out.prototypes.insert(s.text(name.node), class);
                }
            }
        }
    }
    out
}

/// Whether `module.exports = ..` stands anywhere.
fn assigns_whole(text: &str) -> bool {
    let bytes = text.as_bytes();
    memmem::find_iter(bytes, b"module.exports").any(|at| {
        let after = bytes[at + "module.exports".len()..].trim_ascii_start();
        after.first() == Some(&b'=') && !matches!(after.get(1), Some(b'=' | b'>'))
    })
}
