//! What a list of callers says at a glance: how many, by which rule each call, and what is no call.

use super::folder::Folder;

/// `run` is called by one function and passed on by another.
const VALUES: &[(&str, &str)] = &[(
    "m.js",
    "function run() { return 1 }\n\
     function a() { run() }\n\
     function b(list) { list.map(run) }\n\
     module.exports = run\n",
)];

// A filter is about what is listed: a function with callers must not seem to have none.
#[test]
fn a_tier_filters_the_list_and_not_the_count() {
    let folder = Folder::shop();
    let ran = folder.run(&["callers", "src/store.rs::load", "--tier", "possible"]);
    assert!(
        ran.out
            .contains("\n2 callers in 2 files; of tier possible: none\n"),
        "{ran:?}"
    );
    assert!(!ran.out.contains("src/app.rs::run"), "{ran:?}");
    let ran = folder.run(&["callers", "src/store.rs::load", "--tier", "certain"]);
    assert!(
        ran.out
            .contains("\n2 callers in 2 files; of tier certain: 2\n"),
        "{ran:?}"
    );
}

// An export and an argument are no calls; they are listed as what they are and counted apart.
#[test]
fn a_name_as_a_value_is_no_call() {
    let folder = Folder::new(VALUES);
    let ran = folder.run(&["callers", "run"]);
    assert!(
        ran.out.contains("\n1 caller in 1 file (+2 as a value)\n"),
        "{ran:?}"
    );
    for part in [
        "○ possible  m.js::b  named as a value at\n    m.js:3:29",
        "○ possible  m.js  named as a value at\n    m.js:4:18",
    ] {
        assert!(ran.out.contains(part), "`{part}` in\n{}", ran.out);
    }
    let answer = folder.json(&["callers", "run"]);
    let rows = answer["callers"].as_array().unwrap().iter();
    let named: Vec<bool> = rows.map(|r| r["named"] == true).collect();
    assert_eq!(named, [false, true, true], "{answer}");
}

// "By which rule" is said of every call, not of the caller's first.
#[test]
fn calls_of_one_caller_stand_under_their_own_rules() {
    let folder = Folder::new(&[(
        "m.py",
        "class A:\n    def go(self):\n        pass\n\n\
         class B(A):\n    def go(self):\n        super().go()\n        A().go()\n",
    )]);
    let ran = folder.run(&["callers", "m.py:2"]);
    let super_rule = "● certain  m.py::B::go  super\n    m.py:7:17";
    let other = "● certain  m.py::B::go  also receiver-constructed\n    m.py:8:13";
    assert!(ran.out.contains(super_rule), "{}", ran.out);
    assert!(ran.out.contains(other), "{}", ran.out);
}

// Where hundreds of unplaced calls hide the callers that were found, they are told by folder.
#[test]
fn many_unplaced_calls_are_told_by_place() {
    let folder = Folder::new(&[("m.py", "class A:\n    def go(self):\n        pass\n")]);
    for n in 0..12 {
        let text = "def f(x):\n    x.go()\n    x.go()\n    x.go()\n";
        folder.write(&format!("tests/t{n:02}.py"), text);
    }
    let ran = folder.run(&["callers", "A.go"]);
    assert!(
        ran.out.contains("? 36 calls of `go` in 12 files"),
        "{ran:?}"
    );
    assert_eq!(ran.out.matches("x.go()").count(), 20, "{ran:?}");
    let rest = "and 16 more:\n      tests/t07.py  3\n";
    assert!(ran.out.contains(rest), "{ran:?}");
    let ran = folder.run(&["callers", "A.go", "--max-items", "2"]);
    assert_eq!(ran.out.matches("x.go()").count(), 2, "{ran:?}");
    assert!(
        ran.out.contains("and 34 more:\n      tests/  34\n"),
        "{ran:?}"
    );
    // A tier is what unplaced calls do not have.
    let ran = folder.run(&["callers", "A.go", "--tier", "certain"]);
    assert_eq!(ran.out.matches("x.go()").count(), 0, "{ran:?}");
    assert!(
        ran.out.contains("36 calls of `go` are not placed"),
        "{ran:?}"
    );
    let answer = folder.json(&["callers", "A.go", "--max-items", "2"]);
    assert_eq!(answer["unplaced"].as_array().unwrap().len(), 2);
    assert_eq!(answer["truncated"], 34, "{answer}");
}

// A name alone does not tell which of two declarations of it an edge leads to.
#[test]
fn explain_says_where_the_target_stands() {
    let folder = Folder::shop();
    let ran = folder.run(&["explain", "src/app.rs:6:5"]);
    assert!(
        ran.out
            .contains("● certain  src/store.rs::load  at src/store.rs:2:8 by import\n"),
        "{ran:?}"
    );
}

// A name is no call: saying that its callee is computed would be an answer to another question.
#[test]
fn a_plain_name_is_explained_as_one() {
    let folder = Folder::new(&[(
        "src/lib.rs",
        "pub struct S;\nimpl S {\n    pub fn go(&self) {}\n}\n\
         pub static ONE: S = S;\npub fn f() {\n    crate::ONE.go();\n}\n",
    )]);
    let ran = folder.run(&["explain", "src/lib.rs:7:12"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("Nothing is called here."), "{ran:?}");
    assert!(!ran.out.contains("computed"), "{ran:?}");
    assert!(
        ran.out
            .contains("Calls of this line\n    src/lib.rs:7:16  go\n"),
        "{ran:?}"
    );
    // Beside every name, the calls of the line are what was meant.
    let ran = folder.run(&["explain", "src/lib.rs:7:2"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("src/lib.rs:7:16  go"), "{ran:?}");
}

// A label is believed before the line is read: it says what stands there.
#[test]
fn a_step_is_called_what_stands_on_its_line() {
    let folder = Folder::new(&[(
        "m.py",
        "class Job:\n    def run(self):\n        pass\n\n\
         class Box:\n    def __init__(self, job: \"Job\"):\n        self.job = job\n\n\
         def f(box: Box):\n    box.job.run()\n",
    )]);
    let ran = folder.run(&["explain", "m.py:10:13"]);
    assert!(ran.out.contains("● certain  m.py::Job::run"), "{ran:?}");
    let field = ran.out.lines().find(|l| l.contains("m.py:7:14")).unwrap();
    assert!(
        !field.contains("type"),
        "no type is written on that line: {field}"
    );
}
