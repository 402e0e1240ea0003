//! Text for a person: colours where they are wanted, and nothing a terminal would obey.

use std::fmt::{Display, Write as _};
use std::io::{self, IsTerminal, Write as _};

use anstyle::{AnsiColor, Style};

use super::failure::{Failure, Outcome};

/// The page a command writes, kept until it is whole.
pub struct Page {
    text: String,
    coloured: bool,
}

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const WARN: Style = AnsiColor::Yellow.on_default();

impl Page {
    /// A page without colours, for whoever shows it elsewhere.
    pub fn plain() -> Page {
        Page {
            text: String::new(),
            coloured: false,
        }
    }

    /// A page for standard output.
    pub fn new() -> Page {
        Page {
            text: String::new(),
            coloured: colours(io::stdout().is_terminal()),
        }
    }

    pub fn line(&mut self, line: impl Display) {
        let _ = writeln!(self.text, "{line}");
    }

    pub fn blank(&mut self) {
        self.text.push('\n');
    }

    pub fn heading(&mut self, text: impl Display) {
        let text = self.bold(text);
        self.line(text);
    }

    pub fn bold(&self, text: impl Display) -> String {
        self.styled(BOLD, text)
    }

    pub fn dim(&self, text: impl Display) -> String {
        self.styled(DIM, text)
    }

    pub fn good(&self, text: impl Display) -> String {
        self.styled(AnsiColor::Green.on_default(), text)
    }

    pub fn warn(&self, text: impl Display) -> String {
        self.styled(WARN, text)
    }

    /// The word of a tier with its glyph, in its colour. Neither shape nor colour stands alone.
    pub fn tier(&self, word: &str) -> String {
        let (glyph, style) = match word {
            "certain" => ('●', AnsiColor::Green.on_default()),
            "likely" => ('◐', AnsiColor::Cyan.on_default()),
            "possible" => ('○', AnsiColor::Yellow.on_default()),
            _ => ('·', DIM),
        };
        self.styled(style, format_args!("{glyph} {word}"))
    }

    fn styled(&self, style: Style, text: impl Display) -> String {
        if self.coloured {
            format!("{style}{text}{style:#}")
        } else {
            text.to_string()
        }
    }

    /// The page as it stands.
    pub fn text(self) -> String {
        self.text
    }

    /// Writes the page to standard output.
    pub fn print(self) -> Outcome<()> {
        stdout(&self.text)
    }
}

/// Writes text to standard output, whole.
pub fn stdout(text: &str) -> Outcome<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|e| Failure::output(&e))
}

/// Whether a stream that is a terminal or not is written to in colour.
pub fn colours(terminal: bool) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    terminal && !set("NO_COLOR") && !dumb
}

/// Text of an analysed tree as a terminal may show it: it comes from whoever wrote the tree, and an
/// escape sequence in it must not move a cursor or name a window.
pub fn clean(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' => ' ',
            c if c.is_control() || is_reordering(c) => char::REPLACEMENT_CHARACTER,
            c => c,
        })
        .collect()
}

/// Characters that turn the direction of the text around them.
fn is_reordering(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// A line of source, cut where no screen is that wide.
pub fn source_line(text: &str) -> String {
    const SHOWN: usize = 160;
    let text = text.trim();
    let mut line = clean(&text.chars().take(SHOWN).collect::<String>());
    if text.chars().nth(SHOWN).is_some() {
        line.push('…');
    }
    line
}

/// A count with its noun: `1 file`, `2 files`.
pub fn count(n: impl Into<u64>, noun: &str) -> String {
    let n = n.into();
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(n))
}

/// `1234567` as `1,234,567`.
pub fn thousands(n: impl Into<u64>) -> String {
    let digits = n.into().to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `part` of `whole` in per cent with one digit; a dash where there is nothing to divide.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    format!("{:.1} %", part as f64 * 100.0 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Whoever wrote the analysed tree must not be able to write to the terminal of who looks at it.
    #[test]
    fn source_text_cannot_steer_a_terminal() {
        assert_eq!(
            clean("a\u{1b}[2Jb\r\u{202e}c\td"),
            "a\u{fffd}[2Jb\u{fffd}\u{fffd}c d"
        );
        let long = format!("  {}", "é".repeat(500));
        assert_eq!(source_line(&long).chars().count(), 161);
    }

    // Large trees are counted in millions, which nobody reads without separators.
    #[test]
    fn counts_read_well() {
        assert_eq!(count(1u32, "file"), "1 file");
        assert_eq!(count(1234567u32, "site"), "1,234,567 sites");
        assert_eq!(count(0u32, "gap"), "0 gaps");
        assert_eq!(
            (percent(1, 3), percent(0, 0)),
            ("33.3 %".into(), "–".into())
        );
    }
}
