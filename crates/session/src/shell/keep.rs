//! Keeps the line to a live voice: opens it when somebody may speak, opens another where it
//! breaks, and tells that what was said before.

use std::sync::Arc;
use std::time::Duration;

use brain::policy::Switch;
use brain::{SessionId, UserId};
use models::Tier;
use models::gatekeeper::ESCALATE;
use models::provider::Trouble;
use models::realtime::health::Health;
use models::realtime::{Item, Line, News, Tell};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::seed::Seed;
use super::{Order, Shared};
use crate::budget;
use crate::house::House;

/// How often it is asked whether it is there, and how long it may take to say so.
const KNOCK_EVERY: Duration = Duration::from_secs(5);
const ANSWERS_WITHIN: Duration = Duration::from_secs(8);
/// Nobody says anything for so long: the line is closed until somebody does.
const IDLE: Duration = Duration::from_mins(5);
/// A line that breaks is opened again at once, then after longer and longer.
const SHORTEST_REST: Duration = Duration::from_millis(500);
const LONGEST_REST: Duration = Duration::from_secs(30);
/// What only somebody else can mend is not tried more often, and less and less so.
const LASTING_REST: Duration = Duration::from_mins(5);
const LONGEST_LASTING_REST: Duration = Duration::from_hours(2);

/// Why a line is over.
enum Over {
    /// The session is.
    Nobody,
    Idle,
    Broke,
    /// What is said may not leave this machine any more, or cost anything.
    Forbidden,
}

pub(super) async fn keep(
    shared: Arc<Shared>,
    house: Arc<House>,
    (session, user): (SessionId, UserId),
    mut orders: mpsc::Receiver<Order>,
) {
    let Some(live) = house.live.as_ref().map(|voice| Arc::clone(&voice.live)) else { return };
    while woken(&mut orders).await {
        let mut tries = 0_u32;
        loop {
            shared.state().opens();
            if let Err(why) = may_hear(&house, user).await {
                tracing::info!(session_id = %session, provider = shared.name, why, "no live voice hears somebody");
                lose(&shared, Health::unreached);
                if !rested(LASTING_REST, &mut orders).await {
                    return;
                }
                continue;
            }
            let seed = Seed::of(&house, session).await;
            let opened = live.open(seed.items.clone()).await;
            let rest = match opened {
                Ok(line) => {
                    let (number, missed) = {
                        let mut state = shared.state();
                        let missed = state.opened(seed);
                        (state.line, missed)
                    };
                    tracing::info!(session_id = %session, provider = shared.name, model = shared.model, "a live voice is on the line");
                    shared.changed();
                    let since = Instant::now();
                    let whose = (&*house, user);
                    let line = (line, number, missed);
                    let over = talk(line, &shared, &mut orders, whose).await;
                    lose(&shared, |health, now| match over {
                        Over::Broke => health.broke(now),
                        Over::Idle | Over::Nobody | Over::Forbidden => health.closed(),
                    });
                    match over {
                        Over::Nobody => return,
                        Over::Idle => {
                            shared.state().is_awake = false;
                            break;
                        }
                        // Whether it still may not is looked at before it is opened.
                        Over::Forbidden => continue,
                        Over::Broke => {}
                    }
                    metrics::counter!("sayso_live_breaks_total").increment(1);
                    // One that held for a while is opened again at once.
                    tries = if since.elapsed() > LONGEST_REST { 0 } else { tries };
                    let rest = if tries == 0 { Duration::ZERO } else { rest_for(tries) };
                    tries += 1;
                    rest
                }
                Err(trouble) => {
                    lose(&shared, Health::unreached);
                    tracing::warn!(session_id = %session, provider = shared.name, model = shared.model, %trouble, "a live voice cannot be reached");
                    tries += 1;
                    rest_after(&trouble, tries)
                }
            };
            if !rested(rest, &mut orders).await {
                return;
            }
        }
    }
}

/// Whether what somebody says may leave this machine, where it would, and may cost
/// something; or why not.
async fn may_hear(house: &House, user: UserId) -> Result<(), &'static str> {
    if budget::may_spend(user, house).await.is_err() {
        return Err("today's budget is used up");
    }
    if house.live.as_ref().is_none_or(|voice| voice.tier != Tier::Cloud) {
        return Ok(());
    }
    let is_on = house.switches.of(ESCALATE) != Switch::ToolOff;
    // Who cannot be asked has not allowed it.
    let known = house.acquaintance(user).await;
    let may_leave = is_on && known.is_ok_and(|known| known.profile.cloud_models);
    if may_leave { Ok(()) } else { Err("it is not to leave this machine") }
}

/// Waits until somebody may speak; false where nobody ever will. What is told before that
/// is for no line.
async fn woken(orders: &mut mpsc::Receiver<Order>) -> bool {
    loop {
        match orders.recv().await {
            None => return false,
            Some(Order::Wake) => return true,
            Some(Order::Tell(..)) => {}
        }
    }
}

/// The line is gone, and that is what it says of how it is.
fn lose(shared: &Shared, says: impl FnOnce(&mut Health, Duration)) {
    let now = shared.started.elapsed();
    {
        let mut state = shared.state();
        state.lost();
        says(&mut state.health, now);
    }
    shared.changed();
}

fn rest_for(tries: u32) -> Duration {
    SHORTEST_REST.saturating_mul(1 << tries.min(8)).min(LONGEST_REST)
}

/// How long it is left alone after it could not be opened so often.
fn rest_after(trouble: &Trouble, tries: u32) -> Duration {
    if trouble.lasts() {
        let times = 1 << tries.saturating_sub(1).min(8);
        return LASTING_REST.saturating_mul(times).min(LONGEST_LASTING_REST);
    }
    rest_for(tries)
}

/// False where nobody is there any more. What is told meanwhile is for no line.
async fn rested(rest: Duration, orders: &mut mpsc::Receiver<Order>) -> bool {
    let until = Instant::now() + rest;
    loop {
        match tokio::time::timeout_at(until, orders.recv()).await {
            Ok(Some(_)) => {}
            Ok(None) => return false,
            Err(_) => return true,
        }
    }
}

async fn talk(
    (mut line, number, missed): (Box<dyn Line>, u64, Vec<Item>),
    shared: &Shared,
    orders: &mut mpsc::Receiver<Order>,
    (house, user): (&House, UserId),
) -> Over {
    if !missed.is_empty() && taken(line.tell(Tell::Learn(missed))).await.is_err() {
        return Over::Broke;
    }
    let mut used = Instant::now();
    let mut knock_at = Instant::now();
    let mut knocked: Option<Instant> = None;
    loop {
        let done = tokio::select! {
            order = orders.recv() => match order {
                None => return Over::Nobody,
                Some(Order::Tell(meant_for, tell)) if meant_for == number => {
                    used = Instant::now();
                    taken(line.tell(tell)).await
                }
                Some(Order::Tell(..) | Order::Wake) => Ok(()),
            },
            news = line.next() => match news {
                Ok(News::Knocked) => {
                    if let Some(since) = knocked.take() {
                        took(shared, since.elapsed());
                    }
                    Ok(())
                }
                Ok(news) => {
                    shared.apply(news);
                    Ok(())
                }
                Err(trouble) => Err(trouble),
            },
            () = tokio::time::sleep_until(knock_at) => {
                if used.elapsed() > IDLE {
                    return Over::Idle;
                }
                if may_hear(house, user).await.is_err() {
                    return Over::Forbidden;
                }
                if knocked.is_some_and(|since| since.elapsed() > ANSWERS_WITHIN) {
                    return Over::Broke;
                }
                knock_at = Instant::now() + KNOCK_EVERY;
                let is_new = knocked.is_none();
                knocked.get_or_insert_with(Instant::now);
                if is_new { taken(line.tell(Tell::Knock)).await } else { Ok(()) }
            }
        };
        if let Err(trouble) = done {
            tracing::warn!(provider = shared.name, model = shared.model, %trouble, "the line to a live voice broke");
            return Over::Broke;
        }
    }
}

/// Nobody waits for ever for somebody who takes nothing.
async fn taken(told: impl Future<Output = Result<(), Trouble>>) -> Result<(), Trouble> {
    tokio::time::timeout(ANSWERS_WITHIN, told).await.unwrap_or(Err(Trouble::Slow("listen")))
}

fn took(shared: &Shared, round_trip: Duration) {
    metrics::histogram!("sayso_live_round_trip_seconds").record(round_trip.as_secs_f64());
    let jitter = {
        let mut state = shared.state();
        state.health.knocked(round_trip);
        state.health.jitter()
    };
    metrics::histogram!("sayso_live_jitter_seconds").record(jitter.as_secs_f64());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_refused_for_its_settings_is_not_dialled_again_and_again() {
        let refused = Trouble::Unusable("Turn detection is not supported".into());
        let a_day = Duration::from_hours(24);
        let (mut tries, mut waited) = (0, Duration::ZERO);
        while waited < a_day {
            tries += 1;
            waited += rest_after(&refused, tries);
        }
        assert!(tries <= 18, "{tries} times in a day");
        let away = Trouble::Away("nobody picks up".into());
        assert!(rest_after(&away, 100) <= LONGEST_REST, "who is away may be back soon");
    }
}
