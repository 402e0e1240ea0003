//! Which entity a name in the report means, and the key each entity is known by.

use crate::model::Entity;
use crate::text::Text;
use rustc_hash::FxHashMap;

/// The entities of one report, by qualified name.
///
/// A qualified name does not always identify a declaration: overloads, `cfg`
/// twins and `impl From<A>` beside `impl From<B>` share one. The key of an
/// entity is its qualified name where that is unique, else `name@line`, and
/// where two of them stand on one line, `name@line:column`.
pub struct Index<'a> {
    entities: &'a [Entity],
    by_name: FxHashMap<&'a str, Named>,
    /// How many of one name stand on one line; only of names that several have.
    on_line: FxHashMap<(&'a str, u32), u32>,
    keys: Vec<Text>,
}

enum Named {
    One(u32),
    Many(Vec<u32>),
}

impl<'a> Index<'a> {
    pub fn new(entities: &'a [Entity]) -> Index<'a> {
        let mut by_name: FxHashMap<&str, Named> = FxHashMap::default();
        by_name.reserve(entities.len());
        for (i, entity) in entities.iter().enumerate() {
            let i = i as u32;
            by_name
                .entry(&entity.qualified_name)
                .and_modify(|named| match named {
                    Named::One(first) => *named = Named::Many(vec![*first, i]),
                    Named::Many(all) => all.push(i),
                })
                .or_insert(Named::One(i));
        }
        let mut on_line: FxHashMap<(&str, u32), u32> = FxHashMap::default();
        for (name, named) in &by_name {
            if let Named::Many(all) = named {
                for &i in all {
                    let line = entities[i as usize].line_number;
                    *on_line.entry((name, line)).or_default() += 1;
                }
            }
        }
        let mut index = Index {
            entities,
            by_name,
            on_line,
            keys: Vec::new(),
        };
        index.keys = (0..entities.len())
            .map(|i| {
                let (name, (line, column)) = (&entities[i].qualified_name, index.address(i));
                match (line, column) {
                    (0, _) => name.clone(),
                    (_, 0) => format!("{name}@{line}").into(),
                    _ => format!("{name}@{line}:{column}").into(),
                }
            })
            .collect();
        index
    }

    /// The line and column that tell an entity from others of its qualified
    /// name; zero where they are not needed.
    pub fn address(&self, entity: usize) -> (u32, u32) {
        let it = &self.entities[entity];
        match self.on_line.get(&(&*it.qualified_name, it.line_number)) {
            None => (0, 0),
            Some(0 | 1) => (it.line_number, 0),
            Some(_) => (it.line_number, it.column),
        }
    }

    pub fn key(&self, entity: usize) -> &Text {
        &self.keys[entity]
    }

    pub fn keys(&self) -> &[Text] {
        &self.keys
    }

    /// The one entity that a name means, with the line and column of its
    /// declaration where the report gives them (zero: not given).
    pub fn find(&self, name: &str, line: u32, column: u32) -> Option<usize> {
        let fits = |&i: &u32| {
            let it = &self.entities[i as usize];
            (line == 0 || it.line_number == line) && (column == 0 || it.column == column)
        };
        match self.by_name.get(name)? {
            Named::One(i) => Some(*i).filter(fits).map(|i| i as usize),
            Named::Many(all) => {
                let mut fitting = all.iter().copied().filter(fits);
                let first = fitting.next()?;
                fitting.next().is_none().then_some(first as usize)
            }
        }
    }
}
