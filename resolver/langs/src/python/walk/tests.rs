//! What the walker reads, asked as a user would notice it.
