//! Conditions whose truth the language's defaults decide: a recent Python on a
//! Unix machine, checked for types.

use surefoot_facts::Name;

/// The version taken: later than any condition people write today asks for.
const MINOR: u32 = 13;

/// `named`: what a variable of the module holds, when that is such a condition.
pub(super) fn holds(condition: &str, named: &dyn Fn(Name) -> Option<bool>) -> Option<bool> {
    let condition = condition.trim();
    // What stands in the other branch of a condition of several parts.
    if let Some(rest) = condition
        .strip_prefix("not (")
        .and_then(|r| r.strip_suffix(')'))
    {
        return holds(rest, named).map(|b| !b);
    }
    if let Some(parts) = split(condition, " or ") {
        let all: Vec<Option<bool>> = parts.map(|p| holds(p, named)).collect();
        return match () {
            _ if all.contains(&Some(true)) => Some(true),
            _ if all.iter().all(|p| *p == Some(false)) => Some(false),
            _ => None,
        };
    }
    if let Some(parts) = split(condition, " and ") {
        let all: Vec<Option<bool>> = parts.map(|p| holds(p, named)).collect();
        return match () {
            _ if all.contains(&Some(false)) => Some(false),
            _ if all.iter().all(|p| *p == Some(true)) => Some(true),
            _ => None,
        };
    }
    if let Some(rest) = condition.strip_prefix("not ") {
        return holds(rest, named).map(|b| !b);
    }
    if condition
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && let Some(known) = named(Name::new(condition))
    {
        return Some(known);
    }
    match condition {
        "TYPE_CHECKING" | "typing.TYPE_CHECKING" | "t.TYPE_CHECKING" | "True" => return Some(true),
        "False" | "PY2" | "six.PY2" => return Some(false),
        "PY3" | "six.PY3" => return Some(true),
        _ => {}
    }
    if let Some(rest) = condition.strip_prefix("os.name") {
        let nt = rest.contains("nt");
        return rest.contains("==").then_some(!nt);
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

/// Whether a value reads like a condition on the interpreter or the machine.
pub(crate) fn is_about_the_machine(text: &str) -> bool {
    ["sys.platform", "sys.version_info", "os.name"]
        .iter()
        .any(|head| text.starts_with(head))
}

/// The parts around an operator, outside parentheses; `None` for one part.
fn split<'a>(text: &'a str, operator: &'a str) -> Option<impl Iterator<Item = &'a str>> {
    let plain = text.contains(operator) && !text.starts_with('(');
    plain.then(|| text.split(operator))
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
    use super::Name;

    fn holds(condition: &str) -> Option<bool> {
        let named = |n: Name| (n.text() == "WIN").then_some(false);
        super::holds(condition, &named)
    }

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
        assert_eq!(holds("sys.platform == 'win32' and DEBUG"), Some(false));
        assert_eq!(holds("not (sys.platform == 'win32' and DEBUG)"), Some(true));
        assert_eq!(holds("WIN"), Some(false));
        assert_eq!(holds("not WIN"), Some(true));
        assert_eq!(holds("DEBUG"), None);
    }
}
