//! How many tools somebody may use in a while; who counts them is not our business.

use std::time::Duration;

use brain::{SessionId, UserId};

/// Somebody who counts.
pub trait Meter: Send + Sync {
    /// Whether one more tool may be used in a conversation, or how long until it may.
    fn tool(&self, user: UserId, session: SessionId) -> Result<(), Duration>;
}

/// Where nobody does.
#[derive(Clone, Copy, Debug)]
pub struct Unmetered;

impl Meter for Unmetered {
    fn tool(&self, _: UserId, _: SessionId) -> Result<(), Duration> {
        Ok(())
    }
}
