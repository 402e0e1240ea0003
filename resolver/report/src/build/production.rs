//! Which files hold tests, specs, fixtures, examples, benchmarks or fuzz targets rather than the product.

/// Folders whose contents are run beside the product, by the conventions of most ecosystems.
const FOLDERS: &[&str] = &[
    "tests",
    "test",
    "__tests__",
    "spec",
    "specs",
    "testing",
    "testdata",
    "fixtures",
    "__fixtures__",
    "__mocks__",
    "examples",
    "example",
    "benches",
    "bench",
    "benchmarks",
    "fuzz",
];

pub(super) fn is_production_path(path: &str) -> bool {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.split('.').next().unwrap_or("");
    let named = file.contains(".test.")
        || file.contains(".spec.")
        || file.contains(".bench.")
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem.ends_with("_spec")
        || matches!(stem, "tests" | "test" | "conftest");
    !named && !folders.split('/').any(|f| FOLDERS.contains(&f))
}

#[cfg(test)]
mod tests {
    use super::*;

    // Two thirds of a well tested tree are tests: counted with the product, they decide its scores.
    #[test]
    fn tests_and_examples_are_told_from_the_product() {
        for path in [
            "tests/it/main.rs",
            "src/a.test.ts",
            "src/__tests__/a.ts",
            "pkg/a_test.go",
            "test_a.py",
            "crates/x/benches/b.rs",
            "examples/hello.rs",
            "src/lib/tests.rs",
        ] {
            assert!(!is_production_path(path), "{path}");
        }
        for path in [
            "src/main.rs",
            "src/testing_tools.rs",
            "src/latest.ts",
            "contest/a.py",
        ] {
            assert!(is_production_path(path), "{path}");
        }
    }
}
