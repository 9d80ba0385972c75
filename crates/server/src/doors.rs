//! Who comes in, and as whom.
//!
//! On this machine's own addresses there is one person and nobody is asked. Behind
//! any other address everybody shows a key (`keys`), a token of their own login
//! (`jwt`), or, where a browser can show neither, a ticket that one of those
//! bought (`ticket`). Which route asks for what stands in `routes::ROUTES`; `guard`
//! stands before all of them. Secrets are compared by their fingerprints and never
//! written down, not even wrong ones.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use brain::ids::Uuid;
use brain::{KeyId, UserId};
use jiff::{SignedDuration, Timestamp};
use store::{Store, StoreError};

use crate::config::Settings;
use crate::limits::Who;

mod failures;
mod guard;
mod jwt;
pub mod keys;
mod line;
pub mod lobby;
pub mod locksmith;
mod origin;
pub mod proxy;
mod shown;
mod ticket;
pub mod tls;

use failures::Failures;
use jwt::Jwt;
use origin::Origins;
use proxy::Proxies;
use ticket::Tickets;

pub use guard::{guard, ticket_is_used};
pub use shown::PROTOCOL;
pub use ticket::GOOD_FOR as TICKET_GOOD_FOR;

/// On one's own machine there is one person and no login.
pub const LOCAL_USER: UserId = UserId(Uuid::from_u128(1));
/// A connection that is not welcome any more is cut after this at the latest.
const LONGEST_RECHECK_S: u64 = 60;

/// Somebody who was let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visitor {
    pub user: UserId,
    /// They may also do what concerns everybody.
    pub operator: bool,
    /// Until when they are welcome.
    pub expires_at: Option<Timestamp>,
    how: How,
}

/// How they came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// They sit at this machine.
    OwnMachine,
    Key(KeyId),
    Token,
}

impl Visitor {
    /// The one person of this machine.
    fn at_home() -> Self {
        Self { user: LOCAL_USER, operator: true, expires_at: None, how: How::OwnMachine }
    }

    /// Whose allowances their requests are taken from, besides their session's.
    fn counted(&self, address: IpAddr) -> Vec<Who> {
        match self.how {
            How::OwnMachine => Vec::new(),
            How::Key(_) | How::Token => vec![Who::User(self.user), Who::at(address)],
        }
    }
}

/// Why somebody is not let in by what they show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NotWelcome {
    /// It was good once: who shows it has not guessed it.
    AnyMore,
    Unknown,
}

/// The ticket that a request came with; whoever lets it in uses it up.
#[derive(Clone)]
pub struct Ticket(Option<String>);

/// Whose allowances a request is taken from.
#[derive(Clone, Debug)]
pub struct Counted(pub Vec<Who>);

/// Why somebody who was let in has to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Farewell {
    Expired,
    Revoked,
    /// What cannot be checked does not count as good.
    Unchecked,
}

/// Everything that is asked before a route is reached.
pub struct Doors {
    store: Arc<dyn Store>,
    /// Without one everybody is the person of this machine.
    login: Option<Login>,
    origins: Origins,
    proxies: Proxies,
    tickets: Tickets,
    recheck: Duration,
}

struct Login {
    jwt: Option<Arc<Jwt>>,
    failures: Failures,
    /// A secret may stand in an address: it does not leave this machine.
    secrets_in_urls: bool,
}

impl Doors {
    /// Refuses settings under which anybody could come in, or nobody.
    pub async fn open(settings: &Settings, store: Arc<dyn Store>) -> anyhow::Result<Self> {
        let seconds = settings.auth.recheck_seconds;
        if !(1..=LONGEST_RECHECK_S).contains(&seconds) {
            bail!("`auth.recheck_seconds = {seconds}`: between 1 and {LONGEST_RECHECK_S}");
        }
        let login = if asks(settings) { Some(Login::open(settings, &*store).await?) } else { None };
        Ok(Self {
            store,
            origins: Origins::new(settings, login.is_some())?,
            proxies: Proxies::new(&settings.proxies)?,
            login,
            tickets: Tickets::default(),
            recheck: Duration::from_secs(seconds),
        })
    }

    /// Uses up what a request came with. False when another one was faster.
    pub fn redeem(&self, Ticket(ticket): &Ticket) -> bool {
        ticket.as_ref().is_none_or(|ticket| self.tickets.take(ticket))
    }

    /// Whether people have to say who they are.
    pub fn ask(&self) -> bool {
        self.login.is_some()
    }

    /// Waits until the visitor has to go; forever for who sits at this machine.
    pub async fn farewell(&self, visitor: &Visitor) -> Farewell {
        if visitor.how == How::OwnMachine {
            return std::future::pending().await;
        }
        loop {
            let left = visitor.expires_at.map(|end| end.duration_since(Timestamp::now()));
            let left = left.map(|left| left.max(SignedDuration::ZERO).unsigned_abs());
            tokio::time::sleep(left.unwrap_or(self.recheck).min(self.recheck)).await;
            if let Err(farewell) = self.still_welcome(visitor).await {
                return farewell;
            }
        }
    }

    async fn still_welcome(&self, visitor: &Visitor) -> Result<(), Farewell> {
        if visitor.expires_at.is_some_and(|end| end <= Timestamp::now()) {
            return Err(Farewell::Expired);
        }
        let How::Key(key) = visitor.how else { return Ok(()) };
        match self.store.key(key).await {
            Ok(Some(row)) if row.revoked_at.is_none() => Ok(()),
            Ok(_) => Err(Farewell::Revoked),
            Err(error) => {
                tracing::error!(%error, "whether a key is still good cannot be read");
                Err(Farewell::Unchecked)
            }
        }
    }
}

/// Whether these settings ask people who they are. Behind a proxy that is trusted stand
/// others than the one person of this machine.
pub fn asks(settings: &Settings) -> bool {
    let is_home = settings.listen.ip().is_loopback();
    let has_proxies = !settings.proxies.trusted.is_empty();
    !is_home || has_proxies || settings.auth.required || settings.auth.jwt.is_on()
}

/// Whether anybody could come in by a key right now.
pub async fn has_keys(store: &dyn Store) -> Result<bool, StoreError> {
    let now = Timestamp::now();
    Ok(store.keys().await?.iter().any(|key| key.is_good(now)))
}

impl Login {
    async fn open(settings: &Settings, store: &dyn Store) -> anyhow::Result<Self> {
        let secrets_in_urls =
            settings.listen.ip().is_loopback() && settings.proxies.trusted.is_empty();
        let jwt = Jwt::open(&settings.auth.jwt).await?.map(Arc::new);
        if jwt.is_none() && !has_keys(store).await.context("the keys cannot be read")? {
            let (wrong, advice) = nobody_could_come_in(settings);
            bail!("{wrong}; {advice}");
        }
        let failures = Failures::new(settings.auth.failures_per_minute);
        Ok(Self { jwt, failures, secrets_in_urls })
    }
}

/// Whether tokens let people in; an error when the settings for that are wrong.
pub async fn check_jwt(settings: &Settings) -> anyhow::Result<bool> {
    Ok(Jwt::open(&settings.auth.jwt).await?.is_some())
}

/// What is wrong, and what to do, before people can come in.
pub fn nobody_could_come_in(settings: &Settings) -> (String, String) {
    let (why, or_else) = if !settings.listen.ip().is_loopback() {
        let why = format!("{} can be reached from other machines", settings.listen);
        (why, "listen on 127.0.0.1 alone")
    } else if settings.auth.required {
        ("`auth.required` is on".to_owned(), "switch `auth.required` off")
    } else {
        let why = "`proxies.trusted` lets people of other machines in";
        (why.to_owned(), "leave `proxies.trusted` empty, where nobody comes through a proxy")
    };
    let advice = format!(
        "make one with `sayso keys create --name laptop --data {}`, set `auth.jwt`, or {or_else}",
        settings.data.display()
    );
    (format!("{why}, and nobody has a key yet"), advice)
}
