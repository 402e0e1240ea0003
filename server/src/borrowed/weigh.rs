//! What an answer does to a call: it may place it, confirm it or contradict it, and never takes an edge away.

use surefoot_bridge::{Ask, Said, Server};
use surefoot_engine::Snapshot;
use surefoot_facts::Flags;
use surefoot_graph::{
    Candidate, Candidates, Evidence, Outcome, Resolution, Resolver, Rule, SiteId, SymbolId,
    SymbolKind, Target,
};

use super::find::Found;

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It names what this engine had found.
    Confirmed,
    /// It places a call that had no place.
    Placed,
    /// It names what else may run.
    Possible,
    /// It leads a call that had no place out of the tree.
    Outside,
    /// It names something else than this engine had found. Both are kept.
    Refuted,
    /// The server looked and named nothing that runs, or nothing that fits.
    NoAnswer,
    /// Nobody looked.
    Unavailable,
    /// The text was changed meanwhile.
    Stale,
}

impl Verdict {
    pub const ALL: [Verdict; 8] = [
        Verdict::Confirmed,
        Verdict::Placed,
        Verdict::Possible,
        Verdict::Outside,
        Verdict::Refuted,
        Verdict::NoAnswer,
        Verdict::Unavailable,
        Verdict::Stale,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Placed => "placed",
            Verdict::Possible => "possible",
            Verdict::Outside => "outside",
            Verdict::Refuted => "refuted",
            Verdict::NoAnswer => "no-answer",
            Verdict::Unavailable => "unavailable",
            Verdict::Stale => "stale",
        }
    }
}

/// A verdict, and what the graph is to keep of the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighed {
    pub verdict: Verdict,
    pub outcome: Option<Outcome>,
}

impl Weighed {
    fn nothing(verdict: Verdict) -> Weighed {
        Weighed {
            verdict,
            outcome: None,
        }
    }
}

fn evidence(rule: Rule, server: &Server) -> Evidence {
    Evidence {
        rule,
        tier: rule.tier(),
        via: Vec::new(),
        resolver: Resolver::Server {
            name: server.name.clone(),
            version: server.version.clone(),
        },
    }
}

/// Weighs what a server said of a call against what this engine found by itself.
pub fn weigh(
    snapshot: &Snapshot,
    site: SiteId,
    ask: Ask,
    said: &Said,
    server: &Server,
    find: &dyn Fn(&surefoot_bridge::Place) -> Found,
) -> Weighed {
    let places = match said {
        Said::Places(places) => places,
        Said::Nothing => return Weighed::nothing(Verdict::NoAnswer),
        Said::Unavailable(_) => return Weighed::nothing(Verdict::Unavailable),
        Said::Stale => return Weighed::nothing(Verdict::Stale),
    };
    let Some(own) = snapshot.own_outcome(site) else {
        return Weighed::nothing(Verdict::Stale);
    };
    let found = what_runs(snapshot, own.symbol(), places.iter().map(find));
    match ask {
        Ask::Definition => definition(snapshot, site, &own, &found, server),
        Ask::Implementation => implementations(snapshot, site, &found, server),
    }
}

/// What each of the named places comes to: a class to its constructor, several signatures to their function.
fn what_runs(
    snapshot: &Snapshot,
    own: Option<SymbolId>,
    found: impl Iterator<Item = Found>,
) -> Vec<Found> {
    let mut out: Vec<Found> = Vec::new();
    for found in found {
        let symbol = match found {
            Found::Symbol(symbol) => snapshot.run_by(symbol),
            other => {
                out.push(other);
                continue;
            }
        };
        // A property runs what is stored in it: named as a target only where this engine does too.
        let stores = snapshot
            .symbol_info(symbol)
            .is_none_or(|s| s.kind == SymbolKind::Field);
        let one = |other: SymbolId| snapshot.is_one_function(symbol, other);
        let known = out.iter_mut().find_map(|known| match known {
            Found::Symbol(other) if one(*other) => Some(other),
            _ => None,
        });
        match (own.filter(|own| one(*own)), known) {
            (Some(own), Some(known)) => *known = own,
            (Some(own), None) => out.push(Found::Symbol(own)),
            // What has a body stands for its signatures.
            (None, Some(known)) if is_signature(snapshot, *known) => *known = symbol,
            (None, Some(_)) => {}
            (None, None) if stores => out.push(Found::Nowhere),
            (None, None) => out.push(Found::Symbol(symbol)),
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

fn is_signature(snapshot: &Snapshot, symbol: SymbolId) -> bool {
    let info = snapshot.symbol_info(symbol);
    info.is_some_and(|info| info.flags.has(Flags::BODILESS))
}

fn definition(
    snapshot: &Snapshot,
    site: SiteId,
    own: &Outcome,
    found: &[Found],
    server: &Server,
) -> Weighed {
    let own_symbol = own
        .symbol()
        .filter(|_| own.resolution == Resolution::InTree);
    let agrees = own_symbol.filter(|symbol| found.contains(&Found::Symbol(*symbol)));
    let target = match (found, agrees) {
        (_, Some(symbol)) => Target::Symbol(symbol),
        ([Found::Symbol(symbol)], None) => Target::Symbol(*symbol),
        ([Found::Outside], None) => Target::Bucket,
        (several, None) => return several_run(snapshot, site, own, several, server),
    };
    let verdict = match (own.resolution, target) {
        (Resolution::Undetermined | Resolution::Unresolved, Target::Symbol(_)) => Verdict::Placed,
        (Resolution::Undetermined | Resolution::Unresolved, Target::Bucket) => Verdict::Outside,
        (Resolution::InTree, _) if own.symbol() == symbol_of(target) => Verdict::Confirmed,
        // One of those that the declared member may run is no contradiction to it.
        (Resolution::InTree, Target::Symbol(symbol)) if may_run(own, symbol) => Verdict::Confirmed,
        // What a type derives is written nowhere: the edge leads to the type, the answer to the library.
        (Resolution::InTree, Target::Bucket) if derived(own) => Verdict::NoAnswer,
        (Resolution::Outside, Target::Bucket) => Verdict::Confirmed,
        _ => Verdict::Refuted,
    };
    // What agrees is counted; only what differs has to be kept.
    let keeps = matches!(
        verdict,
        Verdict::Placed | Verdict::Outside | Verdict::Refuted
    );
    Weighed {
        verdict,
        outcome: keeps.then(|| outcome(target, server)),
    }
}

/// Several places for one call: none of them is its target, and each may run.
fn several_run(
    snapshot: &Snapshot,
    site: SiteId,
    own: &Outcome,
    found: &[Found],
    server: &Server,
) -> Weighed {
    let symbols: Vec<SymbolId> = found.iter().filter_map(symbol_in).collect();
    if symbols.is_empty() || symbols.len() < found.len() {
        return Weighed::nothing(Verdict::NoAnswer);
    }
    if symbols.iter().all(|symbol| may_run(own, *symbol)) {
        return Weighed::nothing(Verdict::Confirmed);
    }
    match own.is_open() {
        true => add_candidates(snapshot, site, &symbols, server),
        false => Weighed::nothing(Verdict::NoAnswer),
    }
}

/// What a server says implements the member that is called: candidates, beside those of this engine.
fn implementations(snapshot: &Snapshot, site: SiteId, found: &[Found], server: &Server) -> Weighed {
    let Some(now) = snapshot.outcome(site) else {
        return Weighed::nothing(Verdict::Stale);
    };
    let declared = now.symbol();
    let mut symbols: Vec<SymbolId> = found.iter().filter_map(symbol_in).collect();
    if symbols.is_empty() {
        return Weighed::nothing(Verdict::NoAnswer);
    }
    symbols.retain(|symbol| Some(*symbol) != declared && !may_run(&now, *symbol));
    match symbols.is_empty() {
        true => Weighed::nothing(Verdict::Confirmed),
        false => add_candidates(snapshot, site, &symbols, server),
    }
}

fn add_candidates(
    snapshot: &Snapshot,
    site: SiteId,
    symbols: &[SymbolId],
    server: &Server,
) -> Weighed {
    let mut symbols = symbols.to_vec();
    snapshot.sort(&mut symbols);
    let mut more = Candidates::default();
    more.add(&Candidates {
        list: symbols
            .into_iter()
            .map(|symbol| Candidate {
                symbol,
                rule: Rule::AskedMayRun,
            })
            .collect(),
        left_out: 0,
    });
    // What was said of the site before stays.
    let mut outcome = snapshot.said(site).cloned().unwrap_or_else(|| Outcome {
        resolution: Resolution::Undetermined,
        target: Target::Bucket,
        cause: None,
        evidence: Some(evidence(Rule::AskedMayRun, server)),
        candidates: None,
        refused: None,
    });
    outcome.candidates.get_or_insert_default().add(&more);
    Weighed {
        verdict: Verdict::Possible,
        outcome: Some(outcome),
    }
}

fn symbol_in(found: &Found) -> Option<SymbolId> {
    match found {
        Found::Symbol(symbol) => Some(*symbol),
        Found::Outside | Found::Nowhere => None,
    }
}

fn symbol_of(target: Target) -> Option<SymbolId> {
    match target {
        Target::Symbol(symbol) => Some(symbol),
        Target::Bucket => None,
    }
}

fn may_run(own: &Outcome, symbol: SymbolId) -> bool {
    let candidates = own.candidates.iter().flat_map(|c| &c.list);
    candidates.into_iter().any(|c| c.symbol == symbol)
}

fn derived(own: &Outcome) -> bool {
    own.evidence
        .as_ref()
        .is_some_and(|evidence| evidence.rule == Rule::Derived)
}

fn outcome(target: Target, server: &Server) -> Outcome {
    Outcome {
        resolution: match target {
            Target::Symbol(_) => Resolution::InTree,
            Target::Bucket => Resolution::Outside,
        },
        target,
        cause: None,
        evidence: Some(evidence(Rule::Asked, server)),
        candidates: None,
        refused: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::borrowed::find;
    use surefoot_bridge::{Encoding, Place};
    use surefoot_engine::Cancel;
    use surefoot_session::{Options, RelPath, Session, Watch};

    /// A folder on the disk, read.
    struct Tree {
        folder: tempfile::TempDir,
        session: Session,
    }

    impl Tree {
        fn new(files: &[(&str, &str)]) -> Tree {
            let folder = tempfile::tempdir().unwrap();
            for (path, text) in files {
                let path = folder.path().join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            let mut session = Session::open(&[folder.path()], Options::default()).unwrap();
            let (tell, cancel) = (|_| (), Cancel::new());
            let watch = Watch {
                tell: &tell,
                cancel: &cancel,
            };
            session.analyze(watch).unwrap();
            Tree { folder, session }
        }

        fn text(&self, path: &str) -> String {
            std::fs::read_to_string(self.folder.path().join(path)).unwrap()
        }

        /// Line and column of a text's n-th occurrence.
        fn at(&self, path: &str, what: &str) -> (u32, u32) {
            let text = self.text(path);
            let offset = text.find(what).unwrap();
            let line = text[..offset].matches('\n').count();
            let column = offset - text[..offset].rfind('\n').map_or(0, |at| at + 1);
            (line as u32, column as u32)
        }

        /// What it makes of an answer about the call at `call` that names the starts of these texts.
        fn weigh(&self, ask: Ask, call: (&str, &str), named: &[(&str, &str)]) -> Weighed {
            let root = self.session.root(0).unwrap();
            let snapshot = root.snapshot();
            let file = snapshot.file_at(call.0).unwrap();
            let (line, column) = self.at(call.0, call.1);
            let offset = snapshot.offset(file, line, column).unwrap();
            let site = snapshot.at(file, offset).unwrap().site.unwrap();
            let places = named.iter().map(|(path, what)| {
                let (line, column) = self.at(path, what);
                let path = self.folder.path().canonicalize().unwrap().join(path);
                Place {
                    uri: format!("file://{}", path.display()),
                    line,
                    column,
                    encoding: Encoding::Utf8,
                }
            });
            let server = Server {
                name: "test".to_owned(),
                version: "1".to_owned(),
            };
            let text = |file| {
                let path = RelPath::new(&snapshot.file(file)?.path).ok()?;
                Some(root.read_text(&path).ok()?.text)
            };
            let find = |place: &Place| find(&snapshot, root.root(), &text, place);
            let said = Said::Places(places.collect());
            weigh(&snapshot, site, ask, &said, &server, &find)
        }

        fn names(&self, weighed: &Weighed) -> Vec<String> {
            let snapshot = self.session.root(0).unwrap().snapshot();
            let candidates = weighed.outcome.iter().flat_map(|o| &o.candidates);
            let all = candidates.flat_map(|c| &c.list);
            all.filter_map(|c| snapshot.qualified_name(c.symbol))
                .collect()
        }
    }

    const PYTHON: &[(&str, &str)] = &[
        ("shop/__init__.py", "from .cart import Cart as Basket\n"),
        (
            "shop/cart.py",
            "class Cart:\n    def __init__(self, n):\n        self.n = n\n\nclass Bare:\n    pass\n",
        ),
        (
            "app.py",
            "from shop import Basket\nfrom shop.cart import Bare\n\ndef run(make):\n    Basket(1)\n    Bare()\n    make.thing()\n",
        ),
        (
            "one.py",
            "def thing():\n    pass\n\ndef other():\n    pass\n",
        ),
    ];

    /// Pyright names the class where a class is called; the edge leads to what runs. A server that stops at an
    /// import means what stands behind it.
    #[test]
    fn a_class_is_its_constructor_and_an_import_what_it_brings() {
        let tree = Tree::new(PYTHON);
        let class = ("shop/cart.py", "Cart:");
        for named in [
            class,
            ("shop/cart.py", "__init__"),
            ("shop/__init__.py", "Basket"),
        ] {
            let weighed = tree.weigh(Ask::Definition, ("app.py", "Basket(1)"), &[named]);
            assert_eq!(weighed.verdict, Verdict::Confirmed, "{named:?}");
        }
        let bare = tree.weigh(
            Ask::Definition,
            ("app.py", "Bare()"),
            &[("shop/cart.py", "Bare:")],
        );
        assert_eq!(bare.verdict, Verdict::Confirmed);
        let other = tree.weigh(Ask::Definition, ("app.py", "Bare()"), &[class]);
        assert_eq!(other.verdict, Verdict::Refuted);
    }

    /// Several places are no target: each may run. One among them that is no declaration makes them nothing.
    #[test]
    fn several_places_are_candidates() {
        let tree = Tree::new(PYTHON);
        let call = ("app.py", "thing()");
        let both = [("one.py", "thing"), ("one.py", "other")];
        let weighed = tree.weigh(Ask::Definition, call, &both);
        assert_eq!(weighed.verdict, Verdict::Possible);
        assert_eq!(tree.names(&weighed), ["one.py::thing", "one.py::other"]);
        let outcome = weighed.outcome.as_ref().unwrap();
        assert!(outcome.is_open(), "{outcome:?}");
        let mixed = [("one.py", "thing"), ("app.py", "make")];
        let weighed = tree.weigh(Ask::Definition, call, &mixed);
        assert_eq!(
            (weighed.verdict, weighed.outcome),
            (Verdict::NoAnswer, None)
        );
    }

    const TYPESCRIPT: &[(&str, &str)] = &[(
        "a.ts",
        "export function pick(a: string): string;\nexport function pick(a: number, b: number): number;\nexport function pick(a: any, b?: any): any { return a; }\nclass Base { constructor(n: number) {} }\nclass Own extends Base {}\ninterface Shape { area(): number }\nclass Square implements Shape { area() { return 1; } }\nconst odd = { area() { return 2; } };\nexport function run(s: Shape) {\n  pick(1, 2);\n  new Own(1);\n  s.area();\n}\n",
    )];

    /// TypeScript's server names the signature that fits; whichever it is, it is the one function.
    #[test]
    fn signatures_are_one_function() {
        let tree = Tree::new(TYPESCRIPT);
        for named in ["pick(a: string)", "pick(a: number", "pick(a: any"] {
            let weighed = tree.weigh(Ask::Definition, ("a.ts", "pick(1"), &[("a.ts", named)]);
            assert_eq!(weighed.verdict, Verdict::Confirmed, "{named}");
        }
        let inherited = tree.weigh(
            Ask::Definition,
            ("a.ts", "Own(1)"),
            &[("a.ts", "Own extends")],
        );
        assert_eq!(
            inherited.verdict,
            Verdict::Confirmed,
            "the inherited constructor runs"
        );
    }

    /// What implements an interface stands beside the declared member and never in place of it.
    #[test]
    fn implementations_are_candidates() {
        let tree = Tree::new(TYPESCRIPT);
        let call = ("a.ts", "area();\n}");
        let square = ("a.ts", "area() { return 1");
        let odd = ("a.ts", "area() { return 2");
        let known = tree.weigh(Ask::Implementation, call, &[square]);
        assert_eq!((known.verdict, known.outcome), (Verdict::Confirmed, None));
        let more = tree.weigh(Ask::Implementation, call, &[square, odd]);
        assert_eq!(more.verdict, Verdict::Possible);
        assert_eq!(tree.names(&more), ["a.ts::odd::area"]);
        let declared = tree.weigh(Ask::Implementation, call, &[("a.ts", "area(): number")]);
        assert_eq!(
            declared.verdict,
            Verdict::Confirmed,
            "only the member itself"
        );
    }
}
