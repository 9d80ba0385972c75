//! Tickets: a browser cannot show a key when it opens a socket, so it buys one
//! entrance with it first. A ticket stands in an address and is therefore good
//! once, and not for long.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use brain::Seal;

use super::Visitor;
use super::keys::{fingerprint, new_secret};

/// How long a ticket is good.
pub const GOOD_FOR: Duration = Duration::from_mins(1);
const PREFIX: &str = "sayso_ticket_";
/// Unused tickets at the same time, for everybody and for one person.
const MOST: usize = 10_000;
const MOST_EACH: usize = 64;

/// The tickets that nobody has used yet.
#[derive(Default)]
pub struct Tickets {
    open: Mutex<HashMap<Seal, Ticket>>,
}

struct Ticket {
    visitor: Visitor,
    until: Instant,
}

impl Tickets {
    /// A new one; `None` while too many are open.
    pub fn sell(&self, visitor: Visitor) -> Option<String> {
        let now = Instant::now();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut own = 0;
        open.retain(|_, ticket| {
            let is_good = now < ticket.until;
            own += usize::from(is_good && ticket.visitor.user == visitor.user);
            is_good
        });
        if own >= MOST_EACH || open.len() >= MOST {
            return None;
        }
        let secret = new_secret(PREFIX);
        open.insert(fingerprint(&secret), Ticket { visitor, until: now + GOOD_FOR });
        Some(secret)
    }

    /// Whose it is. From now on it is nobody's.
    pub fn take(&self, secret: &str) -> Option<Visitor> {
        self.take_at(secret, Instant::now())
    }

    fn take_at(&self, secret: &str, now: Instant) -> Option<Visitor> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let ticket = open.remove(&fingerprint(secret))?;
        (now < ticket.until).then_some(ticket.visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_good_once() {
        let tickets = Tickets::default();
        let ticket = tickets.sell(Visitor::at_home()).unwrap();
        assert_eq!(tickets.take(&ticket), Some(Visitor::at_home()));
        assert_eq!(tickets.take(&ticket), None);
        assert_eq!(tickets.take("sayso_ticket_"), None);
    }

    #[test]
    fn a_ticket_is_good_for_a_minute_at_most() {
        let tickets = Tickets::default();
        let ticket = tickets.sell(Visitor::at_home()).unwrap();
        assert_eq!(tickets.take_at(&ticket, Instant::now() + Duration::from_mins(1)), None);
    }

    #[test]
    fn nobody_can_hoard_tickets() {
        let tickets = Tickets::default();
        let sold = (0..MOST_EACH + 5).filter_map(|_| tickets.sell(Visitor::at_home())).count();
        assert_eq!(sold, MOST_EACH);
        let other = Visitor { user: brain::UserId(brain::ids::Uuid::max()), ..Visitor::at_home() };
        assert!(tickets.sell(other).is_some());
    }
}
