//! How long cards wait, by a clock that nobody sets.
//!
//! A card says until when it may be answered, in the time of the day. That time can be set
//! back, by people and by machines; while its session is awake a card waits no longer for
//! it. Set forward, the card is over: whichever of the two comes first.

use std::collections::HashMap;
use std::time::Duration;

use brain::confirmation::{ConfirmationState, LONGEST};
use brain::{Confirmation, ConfirmationId};
use jiff::{SignedDuration, Timestamp};

use crate::house::Clock;

/// Until when each open card waits, on the clock that only goes forward.
#[derive(Default)]
pub(crate) struct Patience {
    until_us: HashMap<ConfirmationId, u64>,
}

impl Patience {
    /// Cards as they are from now on.
    pub fn note<'a>(
        &mut self,
        cards: impl IntoIterator<Item = &'a Confirmation>,
        clock: &dyn Clock,
    ) {
        for card in cards {
            if card.state == ConfirmationState::Pending {
                let left = card.expires_at.duration_since(clock.now());
                let left = left.clamp(SignedDuration::ZERO, LONGEST).unsigned_abs();
                let left_us = u64::try_from(left.as_micros()).unwrap_or(u64::MAX);
                self.until_us.insert(card.id, clock.ticks_us().saturating_add(left_us));
            } else {
                self.until_us.remove(&card.id);
            }
        }
    }

    /// What time it is for this card: not earlier than the time that has passed makes it.
    pub fn now(&self, card: &Confirmation, clock: &dyn Clock) -> Timestamp {
        let now = clock.now();
        let Some(until_us) = self.until_us.get(&card.id) else { return now };
        let left = Duration::from_micros(until_us.saturating_sub(clock.ticks_us()));
        now.max(card.expires_at.checked_sub(left).unwrap_or(now))
    }
}
