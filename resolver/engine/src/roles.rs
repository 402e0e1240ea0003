//! What a file is there for, by the conventions of its path: the product, its tests, or what is run beside it.

/// What a file is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Neither of the others.
    Product,
    /// Tests and specs, and what only they read.
    Test,
    /// Fixtures, examples, benchmarks and fuzz targets.
    Beside,
}

/// Folders by the conventions of most ecosystems.
const FOLDERS: &[(&str, Role)] = &[
    ("tests", Role::Test),
    ("test", Role::Test),
    ("__tests__", Role::Test),
    ("spec", Role::Test),
    ("specs", Role::Test),
    ("testing", Role::Test),
    ("testdata", Role::Test),
    ("fixtures", Role::Beside),
    ("__fixtures__", Role::Beside),
    ("__mocks__", Role::Beside),
    ("examples", Role::Beside),
    ("example", Role::Beside),
    ("benches", Role::Beside),
    ("bench", Role::Beside),
    ("benchmarks", Role::Beside),
    ("fuzz", Role::Beside),
];

/// The role of the file at a path inside a tree. Where both are named, it is a test.
pub fn role_of(path: &str) -> Role {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.split('.').next().unwrap_or("");
    if file.contains(".test.")
        || file.contains(".spec.")
        || stem.starts_with("test_")
        || ["_test", "_tests", "_spec"]
            .iter()
            .any(|e| stem.ends_with(e))
        || matches!(stem, "tests" | "test" | "conftest")
    {
        return Role::Test;
    }
    let mut role = match file.contains(".bench.") {
        true => Role::Beside,
        false => Role::Product,
    };
    for folder in folders.split('/') {
        match FOLDERS.iter().find(|(name, _)| *name == folder) {
            Some((_, Role::Test)) => return Role::Test,
            Some((_, other)) => role = *other,
            None => {}
        }
    }
    role
}

#[cfg(test)]
mod tests {
    use super::*;

    // Two thirds of a well tested tree are tests: counted with the product, they decide its scores and
    // drown its callers.
    #[test]
    fn tests_and_examples_are_told_from_the_product() {
        let all = |role: Role, paths: &[&str]| {
            for path in paths {
                assert_eq!(role_of(path), role, "{path}");
            }
        };
        all(
            Role::Test,
            &[
                "tests/it/main.rs",
                "src/a.test.ts",
                "src/__tests__/a.ts",
                "pkg/a_test.go",
                "test_a.py",
                "src/lib/tests.rs",
                "examples/tests/a.rs",
            ],
        );
        all(
            Role::Beside,
            &["crates/x/benches/b.rs", "examples/hello.rs", "a.bench.ts"],
        );
        all(
            Role::Product,
            &[
                "src/main.rs",
                "src/testing_tools.rs",
                "src/latest.ts",
                "contest/a.py",
            ],
        );
    }
}
