//! Joins stdin and stdout to the main loop: the framework frames and types, everything else is ours.
//!
//! `Server::serve` calls a tower service synchronously, in reading order. Ours does nothing but put the raw
//! request into the loop's channel and return the future of its answer, so order is plain control flow. Its
//! counterpart for messages to the client is the outbox.

mod inflow;
mod sieve;
mod stdin;
mod stdout;

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use futures_sink::Sink;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_lsp_server::{Loopback, Server};

pub use inflow::{Held, Inflow};
pub use stdout::Backlog;

use super::cancel::{Cancel, CancelOnDrop, Reason};
use super::main_loop::Event;
use super::outbox::{self, Outbox};

/// Bytes read ahead of the main loop. Reached only when the machine is far behind; then the client waits.
const INFLOW_BOUND: usize = 64 << 20;
/// The largest message read: a document is sent whole once, and one beyond this is no source file.
const FRAME_LIMIT: usize = 256 << 20;

/// One message from the client, in the order it was read.
pub enum Inbound {
    Request {
        method: String,
        params: Value,
        reply: Reply,
    },
    Notification {
        method: String,
        params: Value,
    },
    Response {
        id: Id,
        result: Result<Value, Error>,
    },
}

/// The right to answer one request, once. Dropping it unused answers `InternalError`: a client waits for
/// ever otherwise.
pub struct Reply {
    id: Id,
    sender: Option<oneshot::Sender<Response>>,
    /// Cancelled when the transport stops waiting for the answer.
    pub cancel: Cancel,
}

impl Reply {
    pub fn id(&self) -> &Id {
        &self.id
    }

    pub fn send(mut self, result: Result<Value, Error>) {
        self.answer(result);
    }

    fn answer(&mut self, result: Result<Value, Error>) {
        if let Some(sender) = self.sender.take() {
            // Fails only when the transport is gone, and nobody is left to tell.
            let _ = sender.send(Response::from_parts(self.id.clone(), result));
        }
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        let mut error = Error::internal_error();
        error.message = "the request was dropped without an answer".into();
        self.answer(Err(error));
    }
}

/// What the main loop holds of the transport.
pub struct Transport {
    pub outbox: Outbox,
    pub backlog: Backlog,
    pub inflow: Inflow,
    /// Disconnected when the framework has passed on its last answer.
    finished: Receiver<Infallible>,
}

impl Transport {
    /// Waits until what has been answered has been written, `patience` at most: a client that reads nothing
    /// cannot hold the process back.
    pub fn flush(&self, patience: Duration) {
        let deadline = Instant::now() + patience;
        let _ = self.finished.recv_deadline(deadline);
        self.backlog.drain(deadline);
    }
}

/// Starts reading stdin and writing stdout. Messages arrive as events; the end of input is the last one.
pub fn start(events: Sender<Event>) -> std::io::Result<Transport> {
    let backlog = Backlog::default();
    let inflow = Inflow::new(INFLOW_BOUND);
    let (outbox, requests) = outbox::channel(backlog.clone());
    let stdin = stdin::start(inflow.clone(), FRAME_LIMIT, {
        let events = events.clone();
        move || drop(events.send(Event::Closed))
    })?;
    std::thread::Builder::new().name("stdout".into()).spawn({
        let (backlog, events) = (backlog.clone(), events.clone());
        move || {
            if let Err(e) = backlog.write_to(std::io::stdout().lock()) {
                tracing::warn!("the client's end of stdout is gone: {e}");
                let _ = events.send(Event::Closed);
            }
        }
    })?;
    let service = Service {
        events: events.clone(),
        inflow: inflow.clone(),
    };
    let loopback = Ends {
        requests,
        responses: Responses {
            events,
            inflow: inflow.clone(),
        },
    };
    let stdout = stdout::Stdout(backlog.clone());
    let (done, finished) = crossbeam_channel::bounded(0);
    std::thread::Builder::new()
        .name("transport".into())
        .spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().build();
            let Ok(runtime) =
                runtime.inspect_err(|e| tracing::error!("no runtime for the transport: {e}"))
            else {
                return drop(service.events.send(Event::Closed));
            };
            // The bound on requests in flight is the main loop's: it answers the ones beyond it at once. A
            // second one here would stop the reading of edits, which is the very thing to avoid.
            let server = Server::new(stdin, stdout, loopback).concurrency_level(usize::MAX);
            runtime.block_on(server.serve(service));
            drop(done);
        })?;
    Ok(Transport {
        outbox,
        backlog,
        inflow,
        finished,
    })
}

/// Hands requests and notifications to the main loop.
struct Service {
    events: Sender<Event>,
    inflow: Inflow,
}

type Answer = Pin<Box<dyn Future<Output = Result<Option<Response>, Infallible>> + Send>>;

impl tower_service::Service<Request> for Service {
    type Response = Option<Response>;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Answer {
        let held = self.inflow.claim();
        let (method, id, params) = request.into_parts();
        let params = params.unwrap_or(Value::Null);
        let Some(id) = id else {
            let _ = self.events.send(Event::Client(
                Inbound::Notification {
                    method: method.into(),
                    params,
                },
                held,
            ));
            return ready(None);
        };
        if method == stdin::BROKEN {
            return ready(Some(Response::from_error(Id::Null, broken(&params))));
        }
        if method.is_empty() {
            // A response without `result` and `error` reads as a request without a method. Some clients
            // send one for "null".
            let response = Inbound::Response {
                id,
                result: Ok(Value::Null),
            };
            let _ = self.events.send(Event::Client(response, held));
            return ready(None);
        }
        let (sender, receiver) = oneshot::channel();
        let cancel = Cancel::new();
        let guard = CancelOnDrop(cancel.clone(), Reason::Client);
        let reply = Reply {
            id,
            sender: Some(sender),
            cancel,
        };
        let _ = self.events.send(Event::Client(
            Inbound::Request {
                method: method.into(),
                params,
                reply,
            },
            held,
        ));
        Box::pin(async move {
            let response = receiver.await.ok();
            drop(guard);
            Ok(response)
        })
    }
}

fn ready(response: Option<Response>) -> Answer {
    Box::pin(std::future::ready(Ok(response)))
}

fn broken(params: &Value) -> Error {
    let why = params["why"].as_str().unwrap_or_default().to_owned();
    Error {
        code: ErrorCode::ParseError,
        message: why.into(),
        data: Some(json!({ "reason": "broken_message" })),
    }
}

struct Ends {
    requests: outbox::Released,
    responses: Responses,
}

impl Loopback for Ends {
    type RequestStream = outbox::Released;
    type ResponseSink = Responses;

    fn split(self) -> (Self::RequestStream, Self::ResponseSink) {
        (self.requests, self.responses)
    }
}

/// Hands the client's responses to the main loop; never full.
struct Responses {
    events: Sender<Event>,
    inflow: Inflow,
}

impl Sink<Response> for Responses {
    type Error = Infallible;

    fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn start_send(self: Pin<&mut Self>, response: Response) -> Result<(), Infallible> {
        let held = self.inflow.claim();
        let (id, result) = response.into_parts();
        let _ = self
            .events
            .send(Event::Client(Inbound::Response { id, result }, held));
        Ok(())
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }
}
