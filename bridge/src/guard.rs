//! The process between us and a server: it ends the server, and all that the server started, when we are gone.
//!
//! A server that is killed with us is the system's business only where we die by a signal we can see; `kill -9`
//! leaves orphans behind. So each server is started by a small process of ours, which waits for our end and for
//! the server's, and leaves nothing behind after either.

use std::ffi::OsString;
use std::process::ExitCode;

/// What the guard says first on its standard error, before the id of the server's process group.
pub const GROUP: &str = "surefoot-guard: group ";
/// What it says when the server has ended, before how.
pub const ENDED: &str = "surefoot-guard: the server ended: ";
/// What it says when there is no server to start, before why.
pub const FAILED: &str = "surefoot-guard: the server could not be started: ";

/// Runs `PARENT PROGRAM [ARGUMENT..]`: the rest of a command line that names this.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut arguments = arguments.into_iter();
    let parent = arguments.next();
    let parent = parent.and_then(|pid| pid.to_str()?.parse::<i32>().ok());
    let (Some(parent), Some(program)) = (parent, arguments.next()) else {
        eprintln!("{FAILED}its command line is incomplete");
        return ExitCode::from(2);
    };
    system::run(parent, program, arguments.collect())
}

#[cfg(target_os = "linux")]
mod system {
    use super::{ENDED, FAILED, GROUP};
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{
        Pid, PidfdFlags, Signal, WaitOptions, getpid, getppid, kill_process, kill_process_group,
        pidfd_open, set_child_subreaper, wait,
    };
    use std::ffi::OsString;
    use std::os::fd::OwnedFd;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, ExitCode};

    pub fn run(parent: i32, program: OsString, arguments: Vec<OsString>) -> ExitCode {
        // Everything the server leaves behind becomes ours, to be ended and waited for.
        let _ = set_child_subreaper(Some(getpid()));
        let Some(watched) = Pid::from_raw(parent).and_then(opened) else {
            eprintln!("{FAILED}the process that asked for it is gone");
            return ExitCode::from(2);
        };
        // After it is watched, so that no moment is left in which it could have gone unseen.
        if getppid().map(Pid::as_raw_pid) != Some(parent) {
            return ExitCode::from(2);
        }
        let started = Command::new(&program)
            .args(arguments)
            .process_group(0)
            .spawn();
        let mut child = match started {
            Ok(child) => child,
            Err(e) => {
                eprintln!("{FAILED}{}: {e}", program.to_string_lossy());
                return ExitCode::from(127);
            }
        };
        eprintln!("{GROUP}{}", child.id());
        let_go();
        let group = Pid::from_child(&child);
        if let Some(server) = opened(group) {
            let mut ends = [
                PollFd::new(&watched, PollFlags::IN),
                PollFd::new(&server, PollFlags::IN),
            ];
            while let Err(rustix::io::Errno::INTR) = poll(&mut ends, None) {}
        } else {
            let _ = child.wait();
        }
        sweep(&mut child, group);
        ExitCode::SUCCESS
    }

    fn opened(pid: Pid) -> Option<OwnedFd> {
        pidfd_open(pid, PidfdFlags::empty()).ok()
    }

    /// Our ends of the server's pipes: whoever holds one sees no end of the other side.
    fn let_go() {
        if let Ok(null) = std::fs::File::options()
            .read(true)
            .write(true)
            .open("/dev/null")
        {
            let _ = rustix::stdio::dup2_stdin(&null);
            let _ = rustix::stdio::dup2_stdout(&null);
        }
    }

    /// Ends the server and all it started, and waits for each.
    fn sweep(child: &mut Child, group: Pid) {
        let ended = child.try_wait().ok().flatten();
        let _ = kill_process_group(group, Signal::KILL);
        let status = ended.or_else(|| child.wait().ok());
        if let Some(status) = status.filter(|_| ended.is_some()) {
            eprintln!("{ENDED}{status}");
        }
        // What left the group came to us when its parent died.
        for _ in 0..MOST {
            let left = children();
            if left.is_empty() {
                break;
            }
            for child in left {
                let _ = kill_process(child, Signal::KILL);
            }
            if wait(WaitOptions::empty()).is_err() {
                break;
            }
        }
    }

    /// Processes a server may leave behind before we stop counting.
    const MOST: usize = 10_000;

    fn children() -> Vec<Pid> {
        let list = std::fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
        let all = list.split_whitespace();
        all.filter_map(|pid| Pid::from_raw(pid.parse().ok()?))
            .collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::{ENDED, FAILED, GROUP};
    use std::ffi::OsString;
    use std::process::{Command, ExitCode};
    use std::time::Duration;

    /// Looks for our end now and then: these systems tell nobody of another's.
    pub fn run(parent: i32, program: OsString, arguments: Vec<OsString>) -> ExitCode {
        let mut command = Command::new(&program);
        command.args(arguments);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(e) => {
                eprintln!("{FAILED}{}: {e}", program.to_string_lossy());
                return ExitCode::from(127);
            }
        };
        eprintln!("{GROUP}{}", child.id());
        loop {
            if let Ok(Some(status)) = child.try_wait() {
                eprintln!("{ENDED}{status}");
                break;
            }
            if orphaned(parent) {
                let _ = child.kill();
                let _ = child.wait();
                break;
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(child.id() as i32) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        ExitCode::SUCCESS
    }

    #[cfg(unix)]
    fn orphaned(parent: i32) -> bool {
        rustix::process::getppid().map(rustix::process::Pid::as_raw_pid) != Some(parent)
    }

    #[cfg(not(unix))]
    fn orphaned(_: i32) -> bool {
        false
    }
}
