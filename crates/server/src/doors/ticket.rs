//! Tickets: a browser cannot show a key when it opens a socket, so it buys one
//! entrance with it first. A ticket stands in an address and is therefore good
//! once, and not for long.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use brain::Seal;

use super::keys::{fingerprint, new_secret};
use super::{NotWelcome, Visitor};

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
    /// Somebody came in with it. It is remembered, so that whoever shows it again is
    /// not taken for somebody who guesses.
    is_used: bool,
}

impl Tickets {
    /// A new one; `None` while too many are open.
    pub fn sell(&self, visitor: Visitor) -> Option<String> {
        let now = Instant::now();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut own = 0;
        open.retain(|_, ticket| {
            let is_good = now < ticket.until;
            let is_open = is_good && !ticket.is_used;
            own += usize::from(is_open && ticket.visitor.user == visitor.user);
            is_good
        });
        if own >= MOST_EACH || open.len() >= MOST {
            return None;
        }
        let secret = new_secret(PREFIX);
        let until = now + GOOD_FOR;
        open.insert(fingerprint(&secret), Ticket { visitor, until, is_used: false });
        Some(secret)
    }

    /// Whose it is. It stays good: whoever is turned away for another reason comes
    /// again with it.
    pub fn show(&self, secret: &str) -> Result<Visitor, NotWelcome> {
        self.with(secret, Instant::now(), |ticket| ticket.visitor.clone())
    }

    /// Uses it up. False when somebody did already.
    pub fn take(&self, secret: &str) -> bool {
        self.with(secret, Instant::now(), |ticket| ticket.is_used = true).is_ok()
    }

    fn with<T>(
        &self,
        secret: &str,
        now: Instant,
        what: impl FnOnce(&mut Ticket) -> T,
    ) -> Result<T, NotWelcome> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let ticket = open.get_mut(&fingerprint(secret)).ok_or(NotWelcome::Unknown)?;
        if now >= ticket.until || ticket.is_used {
            return Err(NotWelcome::AnyMore);
        }
        Ok(what(ticket))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_good_once() {
        let tickets = Tickets::default();
        let ticket = tickets.sell(Visitor::at_home()).unwrap();
        assert_eq!(tickets.show(&ticket), Ok(Visitor::at_home()));
        assert_eq!(tickets.show(&ticket), Ok(Visitor::at_home()));
        assert!(tickets.take(&ticket));
        assert!(!tickets.take(&ticket));
        assert_eq!(tickets.show(&ticket), Err(NotWelcome::AnyMore));
        assert_eq!(tickets.show("sayso_ticket_"), Err(NotWelcome::Unknown));
    }

    #[test]
    fn a_ticket_is_good_for_a_minute_at_most() {
        let tickets = Tickets::default();
        let ticket = tickets.sell(Visitor::at_home()).unwrap();
        let later = Instant::now() + Duration::from_mins(1);
        assert_eq!(tickets.with(&ticket, later, |_| ()), Err(NotWelcome::AnyMore));
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
