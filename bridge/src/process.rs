//! One server's processes: started behind a guard, weighed as a tree, ended as a whole.

use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

use crate::table::Spec;
use crate::{frame, guard};

/// Messages read and not handled yet. A server that says more waits in its own pipe.
const READ_AHEAD: usize = 64;
/// Messages written and not taken by the server yet.
pub const WRITE_AHEAD: usize = 256;
/// Characters of standard error that are kept, the last ones.
const WORDS: usize = 2_000;
/// How long a server may take to end when it is asked to.
const GRACE: Duration = Duration::from_millis(300);
/// How long its guard may take to sweep up.
const SWEEP: Duration = Duration::from_secs(2);

/// A running server and our ends of its pipes.
pub struct Process {
    child: Child,
    /// Frames as they come; words when what came is none; closed at the end of its output.
    pub incoming: mpsc::Receiver<Result<Value, String>>,
    pub outgoing: mpsc::Sender<Vec<u8>>,
    said: Arc<Mutex<Said>>,
}

#[derive(Default)]
struct Said {
    /// The server's process group, once the guard has said it.
    group: Option<i32>,
    /// What stands on its standard error.
    words: String,
    /// What the guard said of its end.
    end: Option<String>,
}

impl Process {
    pub fn start(spec: &Spec) -> Result<Process, String> {
        let guard = &spec.guard.0;
        let (program, first) = guard.split_first().ok_or("no guard is set up")?;
        let mut command = Command::new(program);
        command
            .args(first)
            .arg(std::process::id().to_string())
            .arg(&spec.command)
            .args(&spec.arguments)
            .envs(spec.environment.iter().map(|(key, value)| (key, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(root) = spec.roots.first() {
            command.current_dir(root);
        }
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command
            .spawn()
            .map_err(|e| format!("{} could not be started: {e}", program.to_string_lossy()))?;
        let (Some(mut stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err("its pipes are missing".to_owned());
        };
        let (sender, incoming) = mpsc::channel(READ_AHEAD);
        tokio::spawn(async move {
            let mut input = BufReader::with_capacity(64 << 10, stdout);
            loop {
                let (message, goes_on) = match frame::read(&mut input).await {
                    Ok(None) => return,
                    Ok(Some(message)) => (Ok(message), true),
                    Err(words) => (Err(words), false),
                };
                if sender.send(message).await.is_err() || !goes_on {
                    return;
                }
            }
        });
        let (outgoing, mut to_write) = mpsc::channel::<Vec<u8>>(WRITE_AHEAD);
        tokio::spawn(async move {
            while let Some(bytes) = to_write.recv().await {
                if stdin.write_all(&bytes).await.is_err() {
                    return;
                }
            }
        });
        let said = Arc::new(Mutex::new(Said::default()));
        tokio::spawn(listen(stderr, said.clone()));
        Ok(Process {
            child,
            incoming,
            outgoing,
            said,
        })
    }

    /// The server's process, once its guard has said it.
    pub fn id(&self) -> Option<u32> {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        said.group.and_then(|group| u32::try_from(group).ok())
    }

    /// Whether the guard is gone, which it never is before the server.
    pub fn is_unguarded(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// The last thing it wrote to its standard error, in one line.
    pub fn words(&self) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let mut words = said.end.clone().unwrap_or_default();
        let mut lines = said.words.lines().filter(|line| !line.trim().is_empty());
        let telling = |line: &&str| {
            // A frame of a backtrace may name an error without being one: `12: a::b::error`, `at a.rs:1`.
            let frame = line.trim_start();
            let numbered = frame
                .split_once(": ")
                .is_some_and(|(n, _)| n.parse::<u32>().is_ok());
            if numbered || frame.starts_with("at ") {
                return false;
            }
            let line = line.to_lowercase();
            ["error", "panicked", "fatal"]
                .iter()
                .any(|word| line.contains(word))
        };
        // A backtrace comes last and tells nobody anything.
        let last = lines.clone().rfind(telling).or_else(|| lines.next_back());
        if let Some(last) = last {
            if !words.is_empty() {
                words.push_str(": ");
            }
            words.extend(last.trim().chars().take(200));
        }
        words
    }

    /// Resident bytes of the server and all it started; nothing where the system does not say.
    pub fn memory(&self) -> Option<u64> {
        tree_bytes(self.child.id()?)
    }

    /// Waits a moment for what explains its end: standard error may come after standard output.
    pub async fn settle(&mut self) {
        let _ = tokio::time::timeout(GRACE, self.child.wait()).await;
    }

    /// Ends it and everything it started. `politely`: it has been asked to, and gets a moment.
    pub async fn end(mut self, politely: bool) {
        if politely && tokio::time::timeout(GRACE, self.child.wait()).await.is_ok() {
            return;
        }
        // The guard says the group before the server says anything, but on another pipe.
        let deadline = tokio::time::Instant::now() + SWEEP;
        while self.id().is_none() && !self.is_unguarded() && tokio::time::Instant::now() < deadline
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        self.kill_group();
        if tokio::time::timeout(SWEEP, self.child.wait())
            .await
            .is_err()
        {
            let _ = self.child.kill().await;
        }
    }

    fn kill_group(&mut self) {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let group = said.group;
        drop(said);
        #[cfg(unix)]
        if let Some(group) = group.and_then(rustix::process::Pid::from_raw) {
            // The guard sees the server's end, sweeps up the rest and ends by itself.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            return;
        }
        let _ = group;
        let _ = self.child.start_kill();
    }
}

/// Keeps the end of what a server writes to its standard error, and hears the guard.
async fn listen(stderr: impl tokio::io::AsyncRead + Unpin, said: Arc<Mutex<Said>>) {
    let mut input = BufReader::new(stderr);
    loop {
        let mut line = Vec::new();
        let mut bounded = (&mut input).take(64 << 10);
        match bounded.read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line);
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(group) = line.strip_prefix(guard::GROUP) {
            said.group = group.trim().parse().ok();
        } else if let Some(end) = line.strip_prefix(guard::ENDED) {
            said.end = Some(format!("it ended: {}", end.trim()));
        } else if let Some(why) = line.strip_prefix(guard::FAILED) {
            said.end = Some(format!("it could not be started: {}", why.trim()));
        } else {
            said.words.push_str(&line);
            let over = said.words.chars().count().saturating_sub(WORDS);
            if over > 0 {
                said.words = said.words.chars().skip(over).collect();
            }
        }
    }
}

/// Resident bytes of a process and its descendants.
#[cfg(target_os = "linux")]
fn tree_bytes(root: u32) -> Option<u64> {
    use std::collections::{BTreeMap, BTreeSet};
    const PAGE: u64 = 4096;
    let mut parents: BTreeMap<u32, u32> = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse().ok()) else {
            continue;
        };
        let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else {
            continue;
        };
        // The name stands in parentheses and may hold any character.
        let fields = stat
            .rsplit_once(')')
            .map(|(_, rest)| rest.split_whitespace());
        if let Some(parent) = fields.and_then(|mut fields| fields.nth(1)?.parse().ok()) {
            parents.insert(pid, parent);
        }
    }
    let mut tree = BTreeSet::from([root]);
    loop {
        let before = tree.len();
        for (pid, parent) in &parents {
            if tree.contains(parent) {
                tree.insert(*pid);
            }
        }
        if tree.len() == before {
            break;
        }
    }
    let resident = |pid: &u32| -> Option<u64> {
        let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
        statm.split_whitespace().nth(1)?.parse().ok()
    };
    Some(tree.iter().filter_map(resident).sum::<u64>() * PAGE)
}

#[cfg(not(target_os = "linux"))]
fn tree_bytes(_: u32) -> Option<u64> {
    None
}
