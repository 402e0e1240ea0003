//! What a person names on the command line: a symbol by its name, or a place in a file.

use std::str::FromStr;

/// `FILE:LINE[:COL]`, all from one; columns in UTF-8 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
}

/// A name or a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    Name(String),
    Place(Place),
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Named, String> {
        if text.trim().is_empty() {
            return Err("give a name, or FILE:LINE".to_owned());
        }
        match text.parse() {
            Ok(place) => Ok(Named::Place(place)),
            Err(Unplaced::Zero) => Err("lines and columns count from 1".to_owned()),
            Err(Unplaced::NoPlace) => Ok(Named::Name(text.to_owned())),
        }
    }
}

/// Why a text is no place.
#[derive(Debug, PartialEq, Eq)]
pub enum Unplaced {
    NoPlace,
    Zero,
}

impl std::fmt::Display for Unplaced {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Unplaced::NoPlace => "give FILE:LINE:COL, for example src/main.rs:12:9",
            Unplaced::Zero => "lines and columns count from 1",
        })
    }
}

impl std::error::Error for Unplaced {}

impl FromStr for Place {
    type Err = Unplaced;

    fn from_str(text: &str) -> Result<Place, Unplaced> {
        let number = |text: &str| text.parse::<u32>().ok();
        let (rest, last) = text.rsplit_once(':').ok_or(Unplaced::NoPlace)?;
        let last = number(last).ok_or(Unplaced::NoPlace)?;
        let (file, line, column) = match rest.rsplit_once(':') {
            Some((file, line)) if number(line).is_some() && !file.is_empty() => {
                (file, number(line).unwrap_or(0), Some(last))
            }
            _ => (rest, last, None),
        };
        // `src/a.rs::T::new@12:5` is the key of an entity: no path of a report contains `::`.
        if file.is_empty() || file.ends_with(':') || file.contains("::") {
            return Err(Unplaced::NoPlace);
        }
        if line == 0 || column == Some(0) {
            return Err(Unplaced::Zero);
        }
        Ok(Place {
            file: file.to_owned(),
            line,
            column,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(file: &str, line: u32, column: Option<u32>) -> Result<Named, String> {
        let file = file.to_owned();
        Ok(Named::Place(Place { file, line, column }))
    }

    // People paste what their editor and their compiler print; a qualified name must not be taken
    // for a place, nor the drive of a Windows path for a file.
    #[test]
    fn names_and_places_are_told_apart() {
        let parse = |text: &str| text.parse::<Named>();
        assert_eq!(parse("src/a.rs:12"), place("src/a.rs", 12, None));
        assert_eq!(parse("src/a.rs:12:5"), place("src/a.rs", 12, Some(5)));
        assert_eq!(parse("C:\\a.rs:12:5"), place("C:\\a.rs", 12, Some(5)));
        assert_eq!(parse("C:\\a.rs:12"), place("C:\\a.rs", 12, None));
        for name in [
            "load",
            "lib::load",
            "a.rs::T::new",
            "a.rs::T::new@12",
            "a.rs::new@12:5",
            "a::",
        ] {
            assert_eq!(parse(name), Ok(Named::Name(name.to_owned())), "{name}");
        }
        assert!(parse("src/a.rs:0").is_err());
        assert!(parse("src/a.rs:3:0").is_err());
        assert!(parse("  ").is_err());
    }
}
