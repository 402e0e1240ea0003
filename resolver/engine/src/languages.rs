//! The languages the engine was given: known by number, never by name.

use surefoot_facts::{Language, LanguageId, Rules};

#[derive(Clone, Copy, Default)]
pub struct Languages(pub &'static [&'static dyn Language]);

impl Languages {
    pub fn get(&self, id: LanguageId) -> Option<&'static dyn Language> {
        self.0.iter().copied().find(|l| l.id() == id)
    }

    pub fn rules(&self, id: LanguageId) -> Option<&'static dyn Rules> {
        self.get(id).map(|l| l.rules())
    }

    pub fn name(&self, id: LanguageId) -> &'static str {
        self.get(id).map_or("unknown", |l| l.name())
    }
}
