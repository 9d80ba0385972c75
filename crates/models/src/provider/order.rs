//! Asks one provider after another until somebody begins to answer.
//!
//! Before the first piece of an answer everything may be tried again; after it nothing
//! is: somebody may have heard it already.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;

use super::breaker::Breaker;
use super::cost::{self, Price};
use super::notes::Notes;
use super::retry::{self, Budget};
use super::{Ask, Delta, Deltas, End, Provider, Trouble, Usage, Wait};

/// Providers in the order they are asked.
pub struct Order {
    members: Vec<Member>,
    budget: Mutex<Budget>,
    most_tries: u32,
    prices: Vec<(String, Price)>,
    /// Of a model without a told price, where it is not one that everybody can buy.
    otherwise: Option<Price>,
    started: Instant,
}

struct Member {
    provider: Arc<dyn Provider>,
    breaker: Mutex<Breaker>,
}

/// Who answers, and what it is called there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    pub provider: String,
    pub model: String,
    pub request_id: Option<String>,
    pub usage: Usage,
    pub cost_micros: u64,
    /// How often somebody was asked for it.
    pub tries: u32,
}

/// An answer that has begun, and from whom.
pub struct Begun {
    pub used: Used,
    pub deltas: Box<dyn Deltas>,
    /// Who is asked where it breaks off before anybody heard of it.
    pub next: Turn,
}

/// Whose turn it is to be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turn(usize);

impl Order {
    pub fn new(
        providers: Vec<Arc<dyn Provider>>,
        most_tries: u32,
        prices: Vec<(String, Price)>,
    ) -> Self {
        let member = |provider| Member { provider, breaker: Mutex::default() };
        Self {
            members: providers.into_iter().map(member).collect(),
            budget: Mutex::default(),
            most_tries: most_tries.max(1),
            prices,
            otherwise: None,
            started: Instant::now(),
        }
    }

    /// These run on a machine of one's own: they cost nothing, whatever they are called,
    /// unless a price was told.
    #[must_use]
    pub fn of_one_s_own(self) -> Self {
        Self { otherwise: Some(cost::FREE), ..self }
    }

    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub fn providers(&self) -> impl Iterator<Item = &Arc<dyn Provider>> {
        self.members.iter().map(|member| &member.provider)
    }

    /// Somebody could be asked right now.
    pub fn is_up(&self) -> bool {
        let now = self.started.elapsed();
        self.members.iter().any(|member| !locked(&member.breaker).is_open(now))
    }

    /// The first who begins to answer; or why the first who was asked did not.
    pub async fn ask(&self, ask: &Ask) -> Result<Begun, Trouble> {
        self.ask_noting(ask, &Notes::default()).await
    }

    /// The same; whoever was asked and did not begin to answer stands in the notes, also
    /// where nobody waits any longer.
    pub async fn ask_noting(&self, ask: &Ask, notes: &Notes) -> Result<Begun, Trouble> {
        self.ask_from(Turn::default(), Wait::Patiently, ask, notes).await
    }

    /// The same, beginning with whoever's turn it is. `wait` is for the last of them: somebody
    /// else may be left who is not in this order.
    pub async fn ask_from(
        &self,
        Turn(from): Turn,
        wait: Wait,
        ask: &Ask,
        notes: &Notes,
    ) -> Result<Begun, Trouble> {
        locked(&self.budget).asked();
        let mut tries = 0;
        let mut first_trouble = None;
        for (at, member) in self.members.iter().enumerate().skip(from) {
            let others = &self.members[at + 1..];
            match self.ask_one(member, others, (ask, wait), &mut tries, notes).await {
                Ok(begun) => {
                    let next = if others.is_empty() { at } else { at + 1 };
                    return Ok(Begun { next: Turn(next), ..begun });
                }
                Err(trouble) => {
                    if trouble != Trouble::Resting {
                        let (who, model) = (member.provider.name(), member.provider.model());
                        tracing::warn!(provider = who, model, %trouble, "a model did not answer");
                        let code = trouble.code();
                        tracing::debug!(code, "the next one is asked, if there is one");
                    }
                    first_trouble.get_or_insert(trouble);
                }
            }
        }
        Err(first_trouble.unwrap_or(Trouble::Nobody))
    }

    async fn ask_one(
        &self,
        member: &Member,
        others: &[Member],
        (ask, wait): (&Ask, Wait),
        tries: &mut u32,
        notes: &Notes,
    ) -> Result<Begun, Trouble> {
        let mut own_tries = 0;
        loop {
            let now = self.started.elapsed();
            if !locked(&member.breaker).admits(now) {
                return Err(Trouble::Resting);
            }
            let mut trial = Trial { breaker: &member.breaker, is_settled: false };
            (own_tries, *tries) = (own_tries + 1, *tries + 1);
            notes.asked(&*member.provider, own_tries);
            let mut request_id = None;
            let is_up = |other: &Member| !locked(&other.breaker).is_open(now);
            let wait = if others.iter().any(is_up) { Wait::Briefly } else { wait };
            let begun = begin(&*member.provider, ask, wait, &mut request_id).await;
            let begun = begun.and_then(|(deltas, first)| match first.last() {
                // Somebody else may have something to say.
                Some(Delta::End(end)) if !others.is_empty() => Err(match end {
                    End::Withheld => Trouble::Withheld,
                    End::Said | End::Calls | End::TooLong => Trouble::Nothing,
                }),
                _ => Ok((deltas, first)),
            });
            trial.is_settled = true;
            let trouble = match begun {
                Ok((deltas, first)) => {
                    locked(&member.breaker).went_well();
                    notes.began();
                    let used = Used {
                        provider: member.provider.name().to_owned(),
                        model: member.provider.model().to_owned(),
                        request_id,
                        usage: Usage::default(),
                        cost_micros: 0,
                        tries: *tries,
                    };
                    let deltas = Box::new(Resumed { first: Some(first), rest: deltas });
                    return Ok(Begun { used, deltas, next: Turn::default() });
                }
                Err(trouble) => trouble,
            };
            notes.failed(&trouble, request_id);
            let now = self.started.elapsed();
            let is_open = |member: &Member| locked(&member.breaker).is_open(now);
            locked(&member.breaker).failed(&trouble, now);
            // Nobody waits for whoever would not be asked then.
            let others_are_left = others.iter().any(|other| !is_open(other));
            if retry::goes_on(&trouble, others_are_left) || is_open(member) {
                return Err(trouble);
            }
            let wait = {
                let mut budget = locked(&self.budget);
                retry::wait(&trouble, own_tries, self.most_tries, chance(), &mut budget)
            };
            match wait {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(trouble),
            }
        }
    }

    /// What this use cost.
    pub fn cost(&self, model: &str, usage: Usage) -> u64 {
        let told = cost::told_price(model, &self.prices);
        let price = told.or(self.otherwise).or_else(|| cost::price(model, &[]));
        cost::of(usage, price.unwrap_or(cost::ASSUMED))
    }
}

/// Whoever is asked counts as tried, also where nobody waits for the answer any more.
struct Trial<'a> {
    breaker: &'a Mutex<Breaker>,
    is_settled: bool,
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        if !self.is_settled {
            locked(self.breaker).let_go();
        }
    }
}

/// Up to the first piece that says something.
async fn begin(
    provider: &dyn Provider,
    ask: &Ask,
    wait: Wait,
    request_id: &mut Option<String>,
) -> Result<(Box<dyn Deltas>, Vec<Delta>), Trouble> {
    let answering = provider.ask_noting(ask, wait, request_id).await?;
    *request_id = answering.request_id;
    let mut deltas = answering.deltas;
    let mut first = Vec::new();
    loop {
        let delta = deltas.next().await?.ok_or(Trouble::Nothing)?;
        let says = delta.says();
        first.push(delta);
        if says {
            *request_id = request_id.take().or_else(|| deltas.request_id());
            return Ok((deltas, first));
        }
    }
}

/// What has come already, then the rest.
struct Resumed {
    first: Option<Vec<Delta>>,
    rest: Box<dyn Deltas>,
}

#[async_trait]
impl Deltas for Resumed {
    async fn next(&mut self) -> Result<Option<Delta>, Trouble> {
        if let Some(first) = &mut self.first {
            if !first.is_empty() {
                return Ok(Some(first.remove(0)));
            }
            self.first = None;
        }
        self.rest.next().await
    }
}

/// Between 0 and 1. The clock's last digits are random enough for a wait.
fn chance() -> f32 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let nanos = now.map_or(0, |since: Duration| since.subsec_nanos());
    let mixed = u16::try_from((nanos.wrapping_mul(2_654_435_769) >> 16) & 0xFFFF).unwrap_or(0);
    f32::from(mixed) / f32::from(u16::MAX)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
