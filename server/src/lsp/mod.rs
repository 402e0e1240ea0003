//! The language server: transport, main loop, and one file per request and notification.

mod asked;
mod asking;
mod cancel;
mod carried;
mod client;
mod collecting;
mod diagnose;
mod dispatch;
mod engine;
mod ext;
mod failure;
pub(crate) mod from_proto;
mod glancing;
mod health;
mod ignored;
mod keeping;
mod kept_lenses;
mod main_loop;
mod notifications;
mod outbox;
mod own_servers;
mod parent;
mod pool;
mod progress;
mod publishing;
mod requests;
mod state;
mod text;
mod texts;
mod to_proto;
mod transport;
mod tried;
mod view;
mod watch;
mod workspace;

use std::process::ExitCode;

/// Serves one client on stdin and stdout until it leaves.
pub fn run() -> ExitCode {
    log_to_stderr();
    // Unbounded in count and bounded by its sources: the inflow's bytes and the cap on requests in flight.
    let (events, inbox) = crossbeam_channel::unbounded();
    let main_loop = transport::start(events.clone())
        .and_then(|transport| main_loop::MainLoop::new(transport, events, inbox));
    match main_loop {
        Ok(main_loop) => main_loop.run(),
        Err(e) => {
            tracing::error!("the server could not start its threads: {e}");
            ExitCode::FAILURE
        }
    }
}

/// Writes a log when `SUREFOOT_LOG` asks for one (`warn`, `surefoot=debug`, ...) and nothing otherwise:
/// editors show every line on stderr as an error.
fn log_to_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("SUREFOOT_LOG").ok();
    if let Some(filter) = filter {
        let _ = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(std::io::stderr)
            .try_init();
    }
    std::panic::set_hook(Box::new(|info| tracing::error!("{info}")));
}
