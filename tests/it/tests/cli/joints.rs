//! Where two languages of a tree meet: no call edge leads across, so the joints are the places to look at.

use serde_json::Value;

use super::folder::Folder;

/// One line for each joint: `entity technology side`, the line it is opened or called on, what stands across.
fn joints(folder: &Folder) -> Vec<String> {
    let (_, report) = folder.report();
    let nodes = report["bridge_nodes"].as_array().unwrap().iter();
    let word = |v: &Value, field: &str| v[field].as_str().unwrap().to_owned();
    nodes
        .map(|n| {
            let mut row = [word(n, "entity"), word(n, "technology"), word(n, "side")].join(" ");
            if let Some(line) = n["line_number"].as_u64() {
                row += &format!(" :{line}");
            }
            for peer in n["peers"].as_array().into_iter().flatten() {
                let (entity, tier) = (word(peer, "entity"), word(peer, "tier"));
                row += &format!(" -> {entity} ({tier}, {})", word(peer, "rule"));
            }
            row
        })
        .collect()
}

fn krate(name: &str, files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(files);
    let manifest =
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    folder.write("Cargo.toml", manifest);
    folder
}

// What is marked as seen from elsewhere, and nothing else: the methods of a block as each tool exports them.
#[test]
fn what_a_source_marks_is_listed() {
    let folder = krate(
        "shop",
        &[(
            "src/lib.rs",
            "#[pyfunction]\npub fn seen_by_python() {}\n\
             #[pyclass]\npub struct Point;\n\
             #[pymethods]\nimpl Point {\n    fn norm(&self) -> f64 {\n        0.0\n    }\n}\n\
             #[unsafe(no_mangle)]\npub extern \"C\" fn Java_org_shop_Main_run() {}\n\
             unsafe extern \"C\" {\n    fn from_c(n: i32) -> i32;\n}\n\
             #[wasm_bindgen]\npub fn seen_by_web() {}\n\
             #[wasm_bindgen(module = \"/web.js\")]\nextern \"C\" {\n    fn from_web();\n}\n\
             #[napi]\npub fn seen_by_node() {}\n\
             #[napi]\npub struct Queue;\n\
             #[napi]\nimpl Queue {\n    #[napi]\n    pub fn push(&self) {}\n    pub fn inner(&self) {}\n}\n\
             pub fn plain() {}\n",
        )],
    );
    assert_eq!(
        joints(&folder),
        [
            "src/lib.rs::Java_org_shop_Main_run c_abi export",
            "src/lib.rs::Java_org_shop_Main_run jni export",
            "src/lib.rs::Point pyo3 export",
            "src/lib.rs::Point::norm pyo3 export",
            "src/lib.rs::Queue napi export",
            "src/lib.rs::Queue::push napi export",
            "src/lib.rs::from_c c_abi import",
            "src/lib.rs::from_web wasm_bindgen import",
            "src/lib.rs::seen_by_node napi export",
            "src/lib.rs::seen_by_python pyo3 export",
            "src/lib.rs::seen_by_web wasm_bindgen export",
        ]
    );
    let (_, report) = folder.report();
    let entries = report["entities"].as_array().unwrap().iter();
    let entries = entries.filter(|e| e.get("entry_point").is_some());
    let entries: Vec<&str> = entries.map(|e| e["name"].as_str().unwrap()).collect();
    let called = [
        "seen_by_python",
        "norm",
        "Java_org_shop_Main_run",
        "seen_by_web",
        "seen_by_node",
        "push",
    ];
    assert_eq!(
        entries, called,
        "what another language calls is where the tree begins to run"
    );
}

// CPython finds `import native` by the symbol `PyInit_native`: that a module of this tree is meant is
// likely, and a function of the same name elsewhere is not it.
#[test]
fn python_meets_rust_at_the_module_it_declares() {
    let folder = krate(
        "shop",
        &[
            (
                "src/lib.rs",
                "#[pyfunction]\nfn add(a: i32) -> i32 { a }\n\
                 #[pyfunction]\n#[pyo3(name = \"sub\")]\nfn subtract(a: i32) -> i32 { a }\n\
                 #[pymodule]\nfn native(m: &Module) {}\n\
                 fn plain() {}\n",
            ),
            (
                "py/shop/__init__.py",
                "import native\nfrom shop.native import sub as minus\nimport other\n\n\
                 def run(add):\n    native.add(1)\n    minus(2)\n    native.plain()\n    other.add(3)\n    add(4)\n",
            ),
        ],
    );
    let module = "py/shop/__init__.py pyo3 import";
    let run = "py/shop/__init__.py::run pyo3 import";
    let rust: Vec<String> = joints(&folder)
        .into_iter()
        .filter(|j| j.contains("import"))
        .collect();
    assert_eq!(
        rust,
        [
            format!("{module} :1 -> src/lib.rs::native (likely, module-name)"),
            format!("{module} :2 -> src/lib.rs::native (likely, module-name)"),
            format!("{run} :6 -> src/lib.rs::add (likely, exported-name)"),
            format!("{run} :7 -> src/lib.rs::subtract (likely, exported-name)"),
        ]
    );
}

// A library that is opened by its file name: what a member of it is, only its name says.
#[test]
fn python_opens_libraries_and_a_name_alone_is_only_possible() {
    let folder = krate(
        "shop",
        &[
            (
                "src/lib.rs",
                "#[unsafe(no_mangle)]\npub extern \"C\" fn far(n: i32) -> i32 { n }\n\
                 #[unsafe(export_name = \"near\")]\npub extern \"C\" fn close() {}\n\
                 pub extern \"C\" fn hidden() {}\n",
            ),
            (
                "use.py",
                "import ctypes\nfrom ctypes import CDLL as Open\nimport cffi\n\n\
                 lib = ctypes.CDLL('libshop.so')\n\n\
                 def run(other):\n    Open('x.so')\n    lib.far(1)\n    lib.near()\n    lib.hidden()\n    other.close()\n",
            ),
            ("plain.py", "def run(lib):\n    lib.far(1)\n"),
        ],
    );
    let opened: Vec<String> = joints(&folder)
        .into_iter()
        .filter(|j| j.contains("import"))
        .collect();
    assert_eq!(
        opened,
        [
            "use.py c_abi import :5",
            "use.py::run c_abi import :8",
            "use.py::run c_abi import :9 -> src/lib.rs::far (possible, symbol-name)",
            "use.py::run c_abi import :10 -> src/lib.rs::close (possible, symbol-name)",
        ]
    );
}

#[test]
fn scripts_meet_addons_and_what_wasm_bindgen_writes() {
    let folder = krate(
        "shop-core",
        &[
            (
                "src/lib.rs",
                "#[napi]\npub fn plus_one(n: u32) -> u32 { n }\n\
                 #[wasm_bindgen]\npub fn greet(name: &str) {}\n\
                 #[wasm_bindgen(js_name = \"sayBye\")]\npub fn bye() {}\n",
            ),
            (
                "js/addon.js",
                "const addon = require('./index.node');\nconst { plusOne } = require('./index.node');\n\
                 function run() { addon.plusOne(1); plusOne(2); }\n",
            ),
            (
                "js/web.ts",
                "import init, { greet as hello } from '../pkg/shop_core.js';\n\
                 import * as raw from '../pkg/shop_core_bg.wasm';\n\
                 import { greet } from './greet';\n\
                 export function run() { init(); hello('a'); raw.sayBye(); greet(); }\n",
            ),
            ("js/greet.ts", "export function greet() {}\n"),
        ],
    );
    let opened: Vec<String> = joints(&folder)
        .into_iter()
        .filter(|j| j.contains("import"))
        .collect();
    assert_eq!(
        opened,
        [
            "js/addon.js napi import :1",
            "js/addon.js napi import :2",
            "js/addon.js::run napi import :3 -> src/lib.rs::plus_one (likely, exported-name)",
            "js/web.ts wasm_bindgen import :1",
            "js/web.ts wasm_bindgen import :2",
            "js/web.ts::run wasm_bindgen import :4 -> src/lib.rs::bye (likely, exported-name)",
            "js/web.ts::run wasm_bindgen import :4 -> src/lib.rs::greet (likely, exported-name)",
        ]
    );
}

// The linker binds by the symbol: a declaration and a definition of one tree are likely one.
#[test]
fn a_declared_symbol_meets_its_definition() {
    let folder = krate(
        "shop",
        &[
            (
                "src/lib.rs",
                "unsafe extern \"C\" {\n    fn far(n: i32);\n    #[link_name = \"near\"]\n    fn close();\n    fn twice();\n}\n",
            ),
            (
                "a/far.rs",
                "#[unsafe(no_mangle)]\npub extern \"C\" fn far(n: i32) {}\n#[no_mangle]\npub extern \"C\" fn twice() {}\n",
            ),
            (
                "b/near.rs",
                "#[unsafe(no_mangle)]\npub extern \"C\" fn near() {}\n#[no_mangle]\npub extern \"C\" fn twice() {}\n",
            ),
        ],
    );
    let declared: Vec<String> = joints(&folder)
        .into_iter()
        .filter(|j| j.contains("import"))
        .collect();
    assert_eq!(
        declared,
        [
            "src/lib.rs::close c_abi import -> b/near.rs::near (likely, symbol-name)",
            "src/lib.rs::far c_abi import -> a/far.rs::far (likely, symbol-name)",
            "src/lib.rs::twice c_abi import -> a/far.rs::twice (possible, symbol-name) -> b/near.rs::twice (possible, symbol-name)",
        ]
    );
}

// A function written as the value of a property is no joint of anything.
#[test]
fn a_tree_without_joints_has_none() {
    let folder = Folder::new(&[(
        "a.ts",
        "export const o = { f: function named() { return 1; }, g: () => 2 };\no.f();\no.g();\n",
    )]);
    assert_eq!(joints(&folder), [""; 0]);
}
