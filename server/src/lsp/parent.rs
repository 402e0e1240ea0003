//! Ends the session when the editor that started it is gone, even if somebody still holds our stdin open.

use std::time::Duration;

use crossbeam_channel::Sender;

use super::main_loop::Event;

const INTERVAL: Duration = Duration::from_millis(500);

/// Looks at a process every half second, on a thread of its own, and reports its end once.
///
/// Nothing is watched when the process cannot be seen at all: a client in another container names a number
/// that means nothing here.
pub fn watch(pid: u32, events: Sender<Event>) {
    let Some(born) = birth(pid) else {
        tracing::warn!("the parent process {pid} cannot be seen and is not watched");
        return;
    };
    let body = move || {
        // A number given to a new process has another birth.
        while birth(pid).as_ref() == Some(&born) {
            std::thread::sleep(INTERVAL);
        }
        let _ = events.send(Event::ParentDied);
    };
    if let Err(e) = std::thread::Builder::new()
        .name("parent".into())
        .spawn(body)
    {
        tracing::warn!("the parent process is not watched: {e}");
    }
}

/// What identifies a living process beside its number; `None` for a dead one or a zombie.
#[cfg(target_os = "linux")]
fn birth(pid: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name stands in parentheses and may itself hold any character, so fields count from the last one.
    let mut fields = stat[stat.rfind(')')? + 1..].split_whitespace();
    let state = fields.next()?;
    let started = fields.nth(18)?;
    (state != "Z" && state != "X").then(|| started.to_owned())
}

#[cfg(all(unix, not(target_os = "linux")))]
fn birth(pid: u32) -> Option<String> {
    let out = std::process::Command::new("ps")
        .args(["-o", "state=,lstart=", "-p", &pid.to_string()])
        .output()
        .ok()?;
    let line = String::from_utf8(out.stdout).ok()?;
    let (state, started) = line.trim().split_once(char::is_whitespace)?;
    (!state.starts_with('Z')).then(|| started.trim().to_owned())
}

/// Not watched on other systems: there the end of stdin is what ends the session.
#[cfg(not(unix))]
fn birth(_: u32) -> Option<String> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    /// A dead parent ends the session, and so does one that died but was not waited for.
    #[test]
    fn a_process_has_a_birth_until_it_dies() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let pid = child.id();
        let born = birth(pid);
        assert!(born.is_some());
        assert_eq!(birth(pid), born);
        let (events, inbox) = crossbeam_channel::unbounded();
        watch(pid, events);
        child.kill().unwrap();
        assert!(matches!(
            inbox.recv_timeout(Duration::from_secs(20)),
            Ok(Event::ParentDied)
        ));
        child.wait().unwrap();
        assert_eq!(birth(pid), None);
    }
}
