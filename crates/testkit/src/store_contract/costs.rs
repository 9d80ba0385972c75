//! Which models were asked, and what that cost.

use brain::ids::Uuid;
use brain::{TurnId, UserId};
use jiff::{SignedDuration, Timestamp};
use store::{Forgotten, ModelCallRow, Spending, SpentRow, Store};

use super::{batch, begin, turn_row};

pub async fn keeps_its_promises(store: &dyn Store) {
    what_models_cost_is_summed_by_person(store).await;
    what_a_cap_is_told_is_what_the_calls_add_up_to(store).await;
}

fn call(turn: TurnId, number: u32, user: UserId, asked_at: Timestamp) -> ModelCallRow {
    ModelCallRow {
        turn,
        number,
        user,
        asked_at,
        tier: "cloud".into(),
        provider: "anthropic".into(),
        model: "claude".into(),
        request_id: Some("req_1".into()),
        tries: 2,
        input_tokens: 100,
        cached_tokens: 40,
        output_tokens: 7,
        cost_micros: 1_000,
        first_us: (number == 1).then_some(5),
        took_us: 9,
        error_code: (number == 2).then(|| "model_cut_off".into()),
    }
}

async fn what_models_cost_is_summed_by_person(store: &dyn Store) {
    let session = begin(store, 0xC057).await;
    let (ana, tom) = (UserId(Uuid::from_u128(0xA)), UserId(Uuid::from_u128(0xB)));
    let turn = turn_row(session, 0xC057);
    let now = turn.started_at;
    let rows = vec![
        call(turn.turn, 1, ana, now),
        call(turn.turn, 2, ana, now),
        ModelCallRow { cost_micros: 5_000, ..call(turn.turn, 3, tom, now) },
        call(turn.turn, 4, tom, now - SignedDuration::from_hours(48)),
    ];
    let mut kept = batch(session, 1, Vec::new());
    kept.turn = Some(turn.clone());
    kept.model_calls.clone_from(&rows);
    store.append(kept).await.unwrap();

    assert_eq!(store.model_calls(turn.turn).await.unwrap(), rows);
    let since = now - SignedDuration::from_hours(24);
    let sum = |user, calls, failed, cost_micros| SpentRow {
        user,
        calls,
        failed,
        input_tokens: 100 * calls,
        cached_tokens: 40 * calls,
        output_tokens: 7 * calls,
        cost_micros,
    };
    let all = store.spent(None, since).await.unwrap();
    assert_eq!(all, [sum(tom, 1, 0, 5_000), sum(ana, 2, 1, 2_000)]);
    assert_eq!(store.spent(Some(ana), since).await.unwrap(), [sum(ana, 2, 1, 2_000)]);
    let nobody = UserId(Uuid::from_u128(0xC));
    assert_eq!(store.spent(Some(nobody), since).await.unwrap(), []);
}

/// The same out of every single call.
async fn added_up(store: &dyn Store, user: UserId, since: Timestamp) -> Spending {
    let spent = store.spent(None, since).await.unwrap();
    let own = spent.iter().find(|row| row.user == user);
    Spending {
        micros_own: own.map_or(0, |row| row.cost_micros),
        tokens_own: own.map_or(0, |row| row.input_tokens + row.output_tokens),
        micros_in_all: spent.iter().map(|row| row.cost_micros).sum(),
    }
}

/// Sums are kept by the minute: every edge of one is tried, over midnight, after a call was
/// written anew, and after somebody has left.
async fn what_a_cap_is_told_is_what_the_calls_add_up_to(store: &dyn Store) {
    let session = begin(store, 0xC058).await;
    let (ana, tom) = (UserId(Uuid::from_u128(0xD)), UserId(Uuid::from_u128(0xE)));
    let turn = turn_row(session, 0xC058);
    let midnight: Timestamp = "2031-03-01T00:00:00Z".parse().unwrap();
    let us = SignedDuration::from_micros;
    let minute = 60_000_000;
    let places = [-90 * minute, -minute, -1, 0, 1, minute - 1, minute, minute + 1, 90 * minute];
    let mut rows = Vec::new();
    for (number, (user, place)) in
        (1..).zip([ana, tom].into_iter().flat_map(|user| places.map(|place| (user, place))))
    {
        let cost_micros = 1 << number;
        rows.push(ModelCallRow {
            cost_micros,
            ..call(turn.turn, number, user, midnight + us(place))
        });
    }
    let keep = async |calls: Vec<ModelCallRow>| {
        let mut kept = batch(session, 1, Vec::new());
        kept.turn = Some(turn.clone());
        kept.model_calls = calls;
        store.append(kept).await.unwrap();
    };
    let agrees = async |when: &str| {
        for since in places.iter().flat_map(|place| [place - 1, *place, place + 1]) {
            let since = midnight + us(since);
            for user in [ana, tom] {
                let told = store.spending(user, since).await.unwrap();
                assert_eq!(told, added_up(store, user, since).await, "{when}, since {since}");
            }
        }
    };
    keep(rows.clone()).await;
    agrees("as they came").await;
    assert_ne!(store.spending(ana, midnight).await.unwrap(), Spending::default());

    // The same call at another time, for another sum.
    let again = ModelCallRow { cost_micros: 7, asked_at: midnight + us(minute), ..rows[3].clone() };
    keep(vec![again]).await;
    agrees("when one was written anew").await;

    let line = super::keeping::line(tom, "user_deleted");
    let gone = store.forget_user(tom, line).await.unwrap();
    assert!(matches!(gone, Forgotten::Gone { .. }), "{gone:?}");
    agrees("when one of them has left").await;
    let left = store.spending(tom, midnight).await.unwrap();
    assert_eq!((left.micros_own, left.tokens_own), (0, 0));
}
