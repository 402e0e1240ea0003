//! Threads that run requests, in two lanes, so that slow work never stands before quick work.

use crossbeam_channel::Sender;

/// Which queue a piece of work waits in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Someone is looking at the screen.
    Latency,
    /// Seconds are fine: reports, whole trees.
    Background,
}

/// A request's own stack: handlers walk trees with explicit stacks, this is the belt to those braces.
const STACK: usize = 8 << 20;

type Job = Box<dyn FnOnce() + Send>;

/// The two lanes. Dropping it ends the threads once their queues are empty.
pub struct Pool {
    // Bounded by the main loop's cap on requests in flight, which counts every job put in here.
    latency: Sender<Job>,
    background: Sender<Job>,
}

impl Pool {
    pub fn start() -> std::io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Ok(Self {
            latency: lane("latency", cores.clamp(2, 8))?,
            background: lane("background", cores.clamp(1, 4))?,
        })
    }

    pub fn run(&self, lane: Lane, job: impl FnOnce() + Send + 'static) {
        let lane = match lane {
            Lane::Latency => &self.latency,
            Lane::Background => &self.background,
        };
        // The receivers live as long as their threads, and those end only with the senders.
        let _ = lane.send(Box::new(job));
    }

    /// Asks how many jobs wait in the lanes, for the status.
    pub fn waiting(&self) -> impl Fn() -> [usize; 2] + use<> {
        let (latency, background) = (self.latency.clone(), self.background.clone());
        move || [latency.len(), background.len()]
    }
}

fn lane(name: &str, threads: usize) -> std::io::Result<Sender<Job>> {
    let (sender, receiver) = crossbeam_channel::unbounded::<Job>();
    for nth in 0..threads {
        let receiver = receiver.clone();
        let body = move || {
            for job in receiver {
                job();
            }
        };
        std::thread::Builder::new()
            .name(format!("{name} {nth}"))
            .stack_size(STACK)
            .spawn(body)?;
    }
    Ok(sender)
}
