//! The JSON schema of a report, made from the types that write and read it.

use crate::model::{Report, VERSION};
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// The schema as docs/report.schema.json publishes it.
pub fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<Report>().to_value();
    schema["title"] = format!("Surefoot report, version {VERSION}").into();
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect_file;

    /// Others read reports by the published schema: it must be that of the types.
    #[test]
    fn the_published_schema_is_that_of_the_types() {
        let mut text = serde_json::to_string_pretty(&schema()).unwrap();
        text.push('\n');
        expect_file!["../../../docs/report.schema.json"].assert_eq(&text);
    }
}
