//! Whether a model may be asked: how often, and for how much. Counted before it is asked.

use std::time::Duration;

use brain::{SessionId, UserId};

use crate::house::House;
use crate::meter::Caps;

/// What is spent is counted over so long.
const A_DAY: jiff::SignedDuration = jiff::SignedDuration::from_hours(24);

/// Why nobody is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// Too often; in so long it may be.
    TooOften(Duration),
    /// Too much was spent.
    Spent,
    /// Whoever cannot tell what was spent spends nothing.
    Unknown,
}

/// Counts one more question, if there may be one.
pub(crate) async fn may_ask(user: UserId, session: SessionId, house: &House) -> Result<(), Held> {
    house.meter.model(user, session).map_err(Held::TooOften)?;
    may_spend(user, house).await
}

/// Nothing that limits what is spent is reached.
pub(crate) async fn may_spend(user: UserId, house: &House) -> Result<(), Held> {
    let caps = house.caps;
    if caps == Caps::default() {
        return Ok(());
    }
    let since = house.clock.now().saturating_sub(A_DAY);
    let since = since.unwrap_or(jiff::Timestamp::MIN);
    let spent = house.store.spending(user, since).await.map_err(|_| Held::Unknown)?;
    let over = |cap: u64, spent: u64| cap > 0 && spent >= cap;
    if over(caps.micros_each, spent.micros_own)
        || over(caps.tokens_each, spent.tokens_own)
        || over(caps.micros_in_all, spent.micros_in_all)
    {
        return Err(Held::Spent);
    }
    Ok(())
}
