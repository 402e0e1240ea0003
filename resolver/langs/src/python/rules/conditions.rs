//! Conditions whose truth the language's defaults decide: a recent Python on a
//! Unix machine, checked for types.

/// The version taken: later than any condition people write today asks for.
const MINOR: u32 = 13;

pub(super) fn holds(condition: &str) -> Option<bool> {
    let condition = condition.trim();
    if let Some(rest) = condition.strip_prefix("not ") {
        return holds(rest).map(|b| !b);
    }
    match condition {
        "TYPE_CHECKING" | "typing.TYPE_CHECKING" | "t.TYPE_CHECKING" | "True" => return Some(true),
        "False" | "PY2" | "six.PY2" => return Some(false),
        "PY3" | "six.PY3" => return Some(true),
        _ => {}
    }
    let rest = condition.strip_prefix("sys.")?;
    if let Some(rest) = rest.strip_prefix("version_info") {
        return version(rest.trim_start_matches("[:2]").trim());
    }
    let rest = rest.strip_prefix("platform")?;
    let text = rest
        .trim_start_matches(".startswith(")
        .trim_start()
        .trim_start_matches(['=', '!'])
        .trim()
        .trim_end_matches(')')
        .trim_matches(['"', '\'']);
    let differs = rest.trim_start().starts_with("!=");
    match text {
        "win32" | "win" | "cygwin" | "emscripten" | "darwin" | "wasi" => Some(differs),
        "linux" => Some(!differs),
        _ => None,
    }
}

/// `>= (3, 9)`, `< (3, 11)`, `[0] >= 3`
fn version(rest: &str) -> Option<bool> {
    let rest = rest.trim_start_matches("[0]").trim();
    let digits = rest.trim_start_matches(['<', '>', '=', '!', ' ']);
    let operator = rest[..rest.len() - digits.len()].trim();
    let mut numbers = digits
        .trim_start_matches('(')
        .trim_end_matches(')')
        .split(',')
        .map(|n| n.trim().parse::<u32>());
    let major = numbers.next()?.ok()?;
    let minor = match numbers.next() {
        Some(Ok(minor)) => minor,
        _ => 0,
    };
    let ours = (3, MINOR);
    Some(match operator {
        ">=" | ">" => ours >= (major, minor),
        "<" | "<=" => ours < (major, minor),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::holds;

    /// Twins under these conditions are told apart by them.
    #[test]
    fn what_is_known_of_the_interpreter() {
        assert_eq!(holds("sys.version_info >= (3, 9)"), Some(true));
        assert_eq!(holds("sys.version_info < (3, 8)"), Some(false));
        assert_eq!(holds("sys.version_info[0] >= 3"), Some(true));
        assert_eq!(holds("sys.platform == \"win32\""), Some(false));
        assert_eq!(holds("sys.platform.startswith(\"win\")"), Some(false));
        assert_eq!(holds("sys.platform != 'win32'"), Some(true));
        assert_eq!(holds("not TYPE_CHECKING"), Some(false));
        assert_eq!(holds("DEBUG"), None);
    }
}
