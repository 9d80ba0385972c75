//! How a while went, from rows that anybody can count.

use brain::confirmation::Decided;
use brain::ids::Uuid;
use brain::{RequestId, TraceId};
use store::{Figures, Sample};

use super::*;

fn now() -> Timestamp {
    Timestamp::from_second(1_800_000_000).expect("a valid time")
}

/// A turn that began so many seconds ago.
fn turn(number: u128, ago: i64) -> TurnRow {
    let started_at = now() - SignedDuration::from_secs(ago);
    TurnRow {
        turn: TurnId(Uuid::from_u128(number)),
        session: SessionId(Uuid::from_u128(1)),
        input_mode: InputMode::Text,
        state: TurnState::Idle,
        mode: None,
        outcome: Some(Outcome::Success),
        error_code: None,
        trace: TraceId(Uuid::from_u128(number)),
        request: RequestId(Uuid::from_u128(number)),
        started_at,
        turn_seq: 1,
        ended_at: Some(started_at + SignedDuration::from_millis(5)),
        first_event_us: Some(100),
        first_token_us: Some(1_000 * u64::try_from(number).expect("a small number")),
        figures: Figures::default(),
        work: None,
    }
}

fn glance(turns: Vec<TurnRow>) -> Glance {
    let total = turns.len() as u64;
    Glance { turns: Sample { total, one_in: 1, rows: turns }, ..Glance::default() }
}

fn summary(turns: Vec<TurnRow>) -> Summary {
    Summary::of(&glance(turns), Window::Hour, now(), None)
}

#[test]
fn of_nothing_there_are_no_figures_and_every_point_of_time() {
    let told = summary(Vec::new());

    assert_eq!((told.began, told.turns, told.latency), (0, Turns::default(), Latency::default()));
    assert_eq!((&told.fallback, &told.drift, &told.confirmations), (&None, &None, &None));
    assert_eq!(told.over_time.len(), 60);
    let written = serde_json::to_value(&told).unwrap();
    for absent in ["fallback", "drift", "confirmations"] {
        assert!(written.get(absent).is_none(), "{absent}");
    }
    assert_eq!(written["over_time"][0].as_object().unwrap().len(), 2);
}

#[test]
fn turns_are_counted_by_how_they_ended() {
    let cancelled = TurnRow { outcome: None, ..turn(2, 2) };
    let open = TurnRow { outcome: None, ended_at: None, ..turn(3, 2) };
    let failed = TurnRow { outcome: Some(Outcome::Failed), ..turn(4, 2) };

    let told = summary(vec![turn(1, 2), cancelled, open, failed]);

    let counts = Turns { success: 1, failed: 1, cancelled: 1, open: 1, ..Turns::default() };
    assert_eq!((told.began, told.turns), (4, counts));
}

#[test]
fn what_was_never_reached_is_not_in_the_spread() {
    let silent = TurnRow { first_token_us: None, ..turn(9, 2) };

    let told = summary(vec![turn(1, 2), turn(3, 2), silent]);

    let first_token = Spread { count: 2, p50_us: 1_000, p95_us: 3_000, p99_us: 3_000 };
    assert_eq!(told.latency.first_token, Some(first_token));
    assert_eq!(told.latency.first_audio, None);
    let slowest: Vec<_> = told.slowest.iter().map(|turn| turn.answered_us).collect();
    assert_eq!(slowest, [3_000, 1_000]);
}

#[test]
fn a_turn_stands_at_its_time() {
    let told = summary(vec![turn(1, 30), turn(2, 3_599), turn(3, 3_600)]);

    let counts: Vec<_> = told.over_time.iter().map(|point| point.turns).collect();
    assert_eq!((counts[0], counts[59], counts.iter().sum::<u64>()), (2, 1, 3));
    assert_eq!(told.over_time[0].at, now() - SignedDuration::from_hours(1));
    assert_eq!(told.over_time[59].latency.first_token.unwrap().p50_us, 1_000);
}

#[test]
fn spoken_turns_can_be_looked_at_alone() {
    let figures = Figures { drift_permille: Some(40), ..Figures::default() };
    let spoken = TurnRow { input_mode: InputMode::Voice, figures, ..turn(2, 2) };
    let glance = glance(vec![turn(1, 2), spoken]);

    let told = Summary::of(&glance, Window::Week, now(), Some(InputMode::Voice));

    assert_eq!((told.began, told.over_time.len()), (1, 84));
    assert_eq!(told.drift, Some(Drift { turns: 1, p50_permille: 40, p95_permille: 40 }));
}

#[test]
fn a_fallback_is_told_with_its_reason() {
    let figures = Figures { fallback: Some("plan_refused".into()), ..Figures::default() };
    let fell_back = TurnRow { figures, ..turn(2, 2) };

    let told = summary(vec![turn(1, 2), fell_back]);

    let by_reason = BTreeMap::from([("plan_refused".to_owned(), 1)]);
    assert_eq!(told.fallback, Some(Fallback { turns: 1, permille: 500, by_reason }));
}

#[test]
fn tools_are_told_apart_and_the_busiest_comes_first() {
    let used = |tool: &str, state, took_us, retries| ToolUse {
        tool: tool.into(),
        level: ActionLevel::Read,
        state,
        took_us,
        retries,
        dedupe_hits: 1,
    };
    let uses = [
        used("a.look", ToolRunState::Done, Some(10), None),
        used("b.look", ToolRunState::Done, Some(10), Some(0)),
        used("b.look", ToolRunState::Failed, Some(30), Some(2)),
        used("b.look", ToolRunState::Running, None, None),
    ];

    let told = tools(&uses);

    assert_eq!(told.iter().map(|tool| tool.calls).collect::<Vec<_>>(), [3, 1]);
    assert_eq!((told[0].failed_permille, told[0].retries), (Some(500), Some(2)));
    assert_eq!(told[0].took.unwrap().p95_us, 30);
    assert_eq!((told[1].retries, told[1].dedupe_hits), (None, 1));
}

#[test]
fn a_card_that_was_changed_is_requested_once_and_decided_once() {
    let card = |revision, state, decided: Option<i64>| CardGlance {
        revision,
        tool: "gmail.send".into(),
        state,
        asked_at: now(),
        decided: decided.map(|seconds| Decided {
            at: now() + SignedDuration::from_secs(seconds),
            channel: Channel::Voice,
        }),
    };
    let cards = [
        card(1, ConfirmationState::Superseded, Some(1)),
        card(2, ConfirmationState::Accepted, Some(4)),
        card(1, ConfirmationState::Expired, None),
    ];

    let told = Confirmations::of(&cards).unwrap();

    assert_eq!((told.requested, told.edited, told.accepted, told.expired), (2, 1, 1, 1));
    assert_eq!(told.by_channel, BTreeMap::from([("voice".to_owned(), 1)]));
    let decision = Spread { count: 1, p50_us: 4_000_000, p95_us: 4_000_000, p99_us: 4_000_000 };
    assert_eq!(told.decision, Some(decision));
}
