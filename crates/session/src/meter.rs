//! How many tools and models somebody may use in a while; who counts them is not our business.

use std::time::Duration;

use brain::{SessionId, UserId};

/// Somebody who counts.
pub trait Meter: Send + Sync {
    /// Whether one more tool may be used in a conversation, or how long until it may.
    fn tool(&self, user: UserId, session: SessionId) -> Result<(), Duration>;
    /// The same for one more question to a model.
    fn model(&self, user: UserId, session: SessionId) -> Result<(), Duration>;
}

/// Where nobody does.
#[derive(Clone, Copy, Debug)]
pub struct Unmetered;

impl Meter for Unmetered {
    fn tool(&self, _: UserId, _: SessionId) -> Result<(), Duration> {
        Ok(())
    }

    fn model(&self, _: UserId, _: SessionId) -> Result<(), Duration> {
        Ok(())
    }
}

/// How much models may cost in a day, in millionths of a dollar and in tokens; 0 is any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caps {
    pub micros_each: u64,
    pub tokens_each: u64,
    /// Of everybody together.
    pub micros_in_all: u64,
}
