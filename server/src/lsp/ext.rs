//! Methods and shapes beyond the protocol, as docs/protocol.md has them.
