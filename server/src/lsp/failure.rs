//! Why a request has no result, and the error object that says so.

use serde_json::json;
use tower_lsp_server::jsonrpc::{Error, ErrorCode};

use super::cancel::Reason;

const SERVER_NOT_INITIALIZED: i64 = -32002;
const REQUEST_FAILED: i64 = -32803;
const SERVER_CANCELLED: i64 = -32802;

/// What a handler returns instead of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It was told to stop, and did.
    Stopped(Reason),
    /// The request is wrong.
    Params(String),
    /// The request is right and cannot be met. `reason` is a stable code, `message` is for reading.
    Refused {
        reason: &'static str,
        message: String,
    },
    /// Too many requests are unanswered.
    Busy,
    /// Before `initialize`, or after `shutdown`.
    NotNow(&'static str),
    /// The handler panicked. The session goes on.
    Panicked(String),
    /// No such method.
    Unknown(String),
}

impl From<Reason> for Failure {
    fn from(reason: Reason) -> Self {
        Self::Stopped(reason)
    }
}

impl Failure {
    pub fn refused(reason: &'static str, message: impl Into<String>) -> Self {
        Self::Refused {
            reason,
            message: message.into(),
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let error = |code: ErrorCode, message: String, reason: &str| Self {
            code,
            message: message.into(),
            data: Some(json!({ "reason": reason })),
        };
        match failure {
            Failure::Stopped(Reason::Client) => Self::request_cancelled(),
            Failure::Stopped(Reason::Superseded) => Self::content_modified(),
            Failure::Stopped(Reason::Shutdown) => error(
                ErrorCode::ServerError(SERVER_CANCELLED),
                "the server is shutting down".into(),
                "shutting_down",
            ),
            Failure::Params(why) => error(ErrorCode::InvalidParams, why, "invalid_params"),
            Failure::Refused { reason, message } => {
                error(ErrorCode::ServerError(REQUEST_FAILED), message, reason)
            }
            Failure::Busy => error(
                ErrorCode::ServerError(SERVER_CANCELLED),
                "too many requests are unanswered; ask again later".into(),
                "too_many_requests",
            ),
            Failure::NotNow("not_initialized") => error(
                ErrorCode::ServerError(SERVER_NOT_INITIALIZED),
                "the first request has to be initialize".into(),
                "not_initialized",
            ),
            Failure::NotNow(reason) => {
                error(ErrorCode::InvalidRequest, reason.replace('_', " "), reason)
            }
            Failure::Panicked(what) => error(
                ErrorCode::InternalError,
                format!("this request failed inside the server ({what}); the server goes on"),
                "panicked",
            ),
            Failure::Unknown(method) => error(
                ErrorCode::MethodNotFound,
                format!("there is no method {method}"),
                "unknown_method",
            ),
        }
    }
}
