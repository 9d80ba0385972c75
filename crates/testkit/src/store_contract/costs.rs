//! Which models were asked, and what that cost.

use brain::ids::Uuid;
use brain::{TurnId, UserId};
use jiff::{SignedDuration, Timestamp};
use store::{ModelCallRow, SpentRow, Store};

use super::{batch, begin, turn_row};

pub async fn keeps_its_promises(store: &dyn Store) {
    what_models_cost_is_summed_by_person(store).await;
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
