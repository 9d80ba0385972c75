//! How much anybody may ask for: token buckets for sessions, people and addresses.
//!
//! Whoever has used up an allowance is told how long to wait; nobody else notices.
//! On one's own machine there is one person, so only sessions are counted there.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use brain::snapshot::Scope;
use brain::{Event, Input, SessionId, UserId};
use governor::{Quota, RateLimiter};
use session::meter::Meter;

use crate::config::Limits;

mod allowance;

use allowance::Allowance;

/// Allowances that nobody has touched for a while are forgotten this often.
const FORGET_EVERY: Duration = Duration::from_mins(1);
/// A connection may send so many seconds' worth of messages at once.
const MESSAGES_AHEAD: u32 = 5;

/// Whose allowance it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    Session(SessionId),
    User(UserId),
    Address(IpAddr),
}

impl Who {
    /// Who has one IPv6 address has 2^64 of them, and an IPv4 address may be spelled
    /// like one.
    pub fn at(address: IpAddr) -> Self {
        Self::Address(neighbourhood(address))
    }
}

/// The address that stands for all of whoever has this one.
pub fn neighbourhood(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64)),
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// Too much; it may be tried again after this long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait(pub Duration);

impl Wait {
    /// About that long: between half of it and one and a half times.
    pub fn jittered(about: Duration) -> Self {
        let mut random = [0; 1];
        // Without randomness everybody waits the same.
        let share = getrandom::fill(&mut random).map_or(0.5, |()| f64::from(random[0]) / 255.0);
        Self(about.mul_f64(0.5 + share))
    }

    /// Never zero: somebody who waits no time asks again at once.
    pub fn ms(self) -> u64 {
        u64::try_from(self.0.as_micros().div_ceil(1000)).unwrap_or(u64::MAX).max(1)
    }
}

/// All of them.
pub struct Allowances {
    text: Allowance,
    audio_ms: Allowance,
    tools: Allowance,
    models: Allowance,
    sessions: Allowance,
    returns: Allowance,
    reads: Allowance,
    changes: Allowance,
    tidied: Mutex<Instant>,
}

impl Allowances {
    pub fn new(limits: &Limits) -> Self {
        Self {
            text: Allowance::new(limits.text_per_minute),
            audio_ms: Allowance::new(limits.audio_seconds_per_minute.saturating_mul(1000)),
            tools: Allowance::new(limits.tools_per_minute),
            models: Allowance::new(limits.models_per_minute),
            sessions: Allowance::new(limits.sessions_per_minute),
            returns: Allowance::new(limits.returns_per_minute),
            reads: Allowance::new(limits.reads_per_minute),
            changes: Allowance::new(limits.changes_per_minute),
            tidied: Mutex::new(Instant::now()),
        }
    }

    /// Whether a client may want that now.
    pub fn input(&self, whose: &[Who], input: &Input) -> Result<(), (Scope, Wait)> {
        let (scope, allowance, cost) = match input {
            Input::Text { .. } => (Scope::Text, &self.text, 1),
            Input::Audio(sound) => {
                let samples = sound.samples.len() / usize::from(sound.channels.max(1));
                let ms = samples * 1000 / sound.sample_rate_hz.max(1) as usize;
                (Scope::Audio, &self.audio_ms, u32::try_from(ms).unwrap_or(u32::MAX))
            }
            // A card can be answered over HTTP too, and each answer is on record.
            Input::Answer { .. } | Input::Extend { .. } => (Scope::Text, &self.changes, 1),
            // It is looked up, and said by the same voice as answers are.
            Input::Replay { .. } => (Scope::Text, &self.text, 1),
            // Who is alone here has nobody to leave room for.
            Input::Resume { .. } if !whose.iter().any(|who| matches!(who, Who::User(_))) => {
                return Ok(());
            }
            Input::Resume { .. } => (Scope::Replay, &self.returns, 1),
            Input::AudioEnd { .. }
            | Input::Interrupt { .. }
            | Input::Played(_)
            | Input::Hello(_)
            | Input::Ping { .. } => return Ok(()),
        };
        self.take(allowance, whose, cost).map_err(|wait| (scope, wait))
    }

    /// Whether one more tool may be used.
    pub fn tool(&self, whose: &[Who]) -> Result<(), Wait> {
        self.take(&self.tools, whose, 1)
    }

    /// Whether one more question may be put to a model.
    pub fn model(&self, whose: &[Who]) -> Result<(), Wait> {
        self.take(&self.models, whose, 1)
    }

    /// Whether one more session may begin.
    pub fn session(&self, whose: &[Who]) -> Result<(), Wait> {
        self.take(&self.sessions, whose, 1)
    }

    /// Whether somebody may come back to a session once more.
    pub fn come_back(&self, whose: &[Who]) -> Result<(), Wait> {
        self.take(&self.returns, whose, 1)
    }

    /// Whether something may be looked up over HTTP.
    pub fn read(&self, whose: &[Who]) -> Result<(), Wait> {
        self.take(&self.reads, whose, 1)
    }

    /// Whether something may be changed over HTTP, or a card be answered.
    pub fn change(&self, whose: &[Who]) -> Result<(), Wait> {
        self.take(&self.changes, whose, 1)
    }

    fn take(&self, allowance: &Allowance, whose: &[Who], cost: u32) -> Result<(), Wait> {
        let now = Instant::now();
        self.tidy(now);
        allowance.take(whose, cost, now).inspect_err(|_| {
            metrics::counter!("sayso_rate_limited_total").increment(1);
        })
    }

    fn tidy(&self, now: Instant) {
        let mut tidied = self.tidied.lock().unwrap_or_else(PoisonError::into_inner);
        if now.saturating_duration_since(*tidied) < FORGET_EVERY {
            return;
        }
        *tidied = now;
        drop(tidied);
        let Self { text, audio_ms, tools, models, sessions, returns, reads, changes, .. } = self;
        for allowance in [text, audio_ms, tools, models, sessions, returns, reads, changes] {
            allowance.forget_unused(now);
        }
    }
}

/// Counts the tools and models that are used in conversations.
pub struct InTalks {
    pub allowances: Arc<Allowances>,
    /// Who is alone here is counted by session only.
    pub is_shared: bool,
}

impl Meter for InTalks {
    fn tool(&self, user: UserId, session: SessionId) -> Result<(), Duration> {
        self.allowances.tool(&self.whose(user, session)).map_err(|Wait(wait)| wait)
    }

    fn model(&self, user: UserId, session: SessionId) -> Result<(), Duration> {
        self.allowances.model(&self.whose(user, session)).map_err(|Wait(wait)| wait)
    }
}

impl InTalks {
    fn whose(&self, user: UserId, session: SessionId) -> Vec<Who> {
        let user = self.is_shared.then_some(Who::User(user));
        [Some(Who::Session(session)), user].into_iter().flatten().collect()
    }
}

/// How fast one connection may send messages, whatever they hold.
pub struct Pace(Option<governor::DefaultDirectRateLimiter>);

impl Pace {
    pub fn new(per_second: u32) -> Self {
        let number = NonZeroU32::new(per_second);
        Self(number.map(|number| {
            let ahead = number.saturating_mul(NonZeroU32::new(MESSAGES_AHEAD).unwrap_or(number));
            RateLimiter::direct(Quota::per_second(number).allow_burst(ahead))
        }))
    }

    pub fn keeps(&self) -> bool {
        self.0.as_ref().is_none_or(|limiter| limiter.check().is_ok())
    }
}

/// How a client is told.
pub fn held_back(scope: Scope, wait: Wait, in_reply_to: Option<String>) -> Event {
    Event::HeldBack {
        scope,
        retry_after_ms: wait.ms(),
        user_message: "That was a lot at once. Give me a moment.".into(),
        in_reply_to,
    }
}

#[cfg(test)]
mod tests {
    use brain::ids::Uuid;
    use brain::input::Sound;

    use super::*;

    fn session(number: u128) -> Who {
        Who::Session(SessionId(Uuid::from_u128(number)))
    }

    fn words() -> Input {
        Input::Text { text: "hi".into(), attachments: Vec::new() }
    }

    fn allowances(limits: Limits) -> Allowances {
        Allowances::new(&limits)
    }

    #[test]
    fn whoever_says_too_much_waits_and_nobody_else_does() {
        let limits = allowances(Limits { text_per_minute: 3, ..Limits::default() });
        let say = |who| limits.input(&[who], &words());
        assert!((0..3).all(|_| say(session(1)).is_ok()));
        let (scope, wait) = say(session(1)).unwrap_err();
        assert_eq!(scope, Scope::Text);
        assert!((1..=20_000).contains(&wait.ms()), "{wait:?}");
        assert!(say(session(2)).is_ok());
    }

    #[test]
    fn many_sessions_of_one_person_share_an_allowance() {
        let limits = allowances(Limits { text_per_minute: 3, ..Limits::default() });
        let user = Who::User(UserId(Uuid::from_u128(7)));
        let say = |number| limits.input(&[session(number), user], &words());
        assert!((0..12).all(|number| say(number).is_ok()));
        assert!(say(12).is_err());
    }

    #[test]
    fn neighbours_of_one_network_count_as_one() {
        let at = |text: &str| Who::at(text.parse().unwrap());
        assert_eq!(at("2001:db8::1"), at("2001:db8::ffff:2"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
        assert_eq!(at("::ffff:10.0.0.1"), at("10.0.0.1"));
    }

    #[test]
    fn who_comes_back_too_often_waits_unless_they_are_alone() {
        let limits = allowances(Limits { returns_per_minute: 2, ..Limits::default() });
        let back = |whose: &[Who]| limits.input(whose, &Input::Resume { cursor: None });
        let user = Who::User(UserId(Uuid::from_u128(7)));
        assert!((0..2).all(|_| back(&[session(1), user]).is_ok()));
        assert_eq!(back(&[session(1), user]).unwrap_err().0, Scope::Replay);
        assert!((0..100).all(|_| back(&[session(1)]).is_ok()));
    }

    #[test]
    fn answers_to_cards_have_an_end_too() {
        let limits = allowances(Limits { changes_per_minute: 2, ..Limits::default() });
        let extend = Input::Extend { question: "x".into() };
        assert!((0..2).all(|_| limits.input(&[session(1)], &extend).is_ok()));
        assert!(limits.input(&[session(1)], &extend).is_err());
    }

    #[test]
    fn sound_is_counted_by_how_long_it_lasts() {
        let limits = allowances(Limits { audio_seconds_per_minute: 2, ..Limits::default() });
        let second =
            Input::Audio(Sound { samples: vec![0; 32_000], sample_rate_hz: 16_000, channels: 2 });
        assert!(limits.input(&[session(1)], &second).is_ok());
        assert!(limits.input(&[session(1)], &second).is_ok());
        assert_eq!(limits.input(&[session(1)], &second).unwrap_err().0, Scope::Audio);
    }

    #[test]
    fn without_a_number_there_is_no_limit() {
        let limits = allowances(Limits { text_per_minute: 0, ..Limits::default() });
        assert!((0..10_000).all(|_| limits.input(&[session(1)], &words()).is_ok()));
    }

    #[test]
    fn nobody_is_told_to_wait_no_time() {
        assert_eq!(Wait(Duration::from_nanos(1)).ms(), 1);
        assert_eq!(Wait(Duration::ZERO).ms(), 1);
        assert_eq!(Wait(Duration::from_micros(1500)).ms(), 2);
    }
}
