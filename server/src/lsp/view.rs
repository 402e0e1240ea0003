//! What a request sees: the world at one moment, which nothing changes any more.

use std::sync::Arc;

use super::client::Client;
use super::state::Documents;
use crate::config::Settings;

/// An immutable snapshot of everything a handler may read. Cheap to clone and to keep.
#[derive(Clone)]
pub struct View {
    pub documents: Arc<Documents>,
    pub settings: Arc<Settings>,
    pub client: Arc<Client>,
}
