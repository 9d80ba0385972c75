//! What every store promises to those who look after the server.

use std::slice;

use brain::Outcome;
use brain::action::News;
use brain::audit::Line;
use brain::confirmation::{Channel, ConfirmationState, Decided};
use jiff::{SignedDuration, Timestamp};
use store::rows::ToolRunState;
use store::{
    AuditWanted, Batch, CardGlance, Figures, Fitting, Store, ToolRunRow, ToolUse, TurnRow,
};

use super::cards::{PERSON, TOOL, agreed, asked, line, whole_audit};
use super::{begin, tool_run, turn_row};

pub(super) async fn keeps_its_promises(store: &dyn Store) {
    what_began_in_a_while_is_seen_and_nothing_else(store).await;
    of_much_every_so_manyth_is_read(store).await;
    the_audit_is_read_from_its_end(store).await;
}

/// A time that no other story is in.
fn later(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_900_000_000 + seconds).expect("a valid time")
}

async fn what_began_in_a_while_is_seen_and_nothing_else(store: &dyn Store) {
    let session = begin(store, 0x9001).await;
    let turn = TurnRow {
        started_at: later(10),
        ended_at: Some(later(12)),
        outcome: Some(Outcome::Success),
        first_token_us: Some(950),
        figures: Figures { tool_us: Some(12), ..Figures::default() },
        ..turn_row(session, 0x9001)
    };
    let before =
        TurnRow { started_at: later(-1), ended_at: Some(later(0)), ..turn_row(session, 0x9002) };
    let run = ToolRunRow {
        started_at: later(11),
        state: ToolRunState::Failed,
        took_us: Some(12),
        ..tool_run(&turn, 0x9003)
    };
    let question = asked(session, 0x9001);
    let question = brain::Confirmation {
        asked_at: later(11),
        expires_at: later(600),
        turn: turn.turn,
        ..question
    };
    let yes = question.decided(ConfirmationState::Accepted, later(14), Channel::Voice);
    let write = agreed(&yes);
    let tried = write.learn(News::Claimed { epoch: 1 }, later(15), SignedDuration::ZERO).unwrap();
    let write_run = ToolRunRow {
        call: write.call,
        tool: TOOL.into(),
        level: brain::ActionLevel::Write,
        idempotency_key: "write".into(),
        state: ToolRunState::Running,
        took_us: None,
        started_at: later(14),
        ..run.clone()
    };
    for batch in [
        Batch { turn: Some(before), ..Batch::new(session, 1) },
        Batch {
            turn: Some(TurnRow { work: Some("left out".into()), ..turn.clone() }),
            tool_runs: vec![run, write_run],
            confirmations: vec![question.clone()],
            ..Batch::new(session, 1)
        },
        Batch { confirmations: vec![yes], actions: vec![write], ..Batch::new(session, 1) },
        Batch { actions: vec![tried], ..Batch::new(session, 1) },
    ] {
        store.append(batch).await.unwrap();
    }

    let since = later(0) + SignedDuration::from_micros(1);
    let seen = store.glance(since, later(20), 100, None).await.unwrap();

    assert_eq!((seen.turns.total, seen.turns.one_in), (1, 1));
    assert_eq!(seen.turns.rows, slice::from_ref(&turn));
    let used = |tool: &str, level, state, took_us, retries| ToolUse {
        tool: tool.into(),
        level,
        state,
        took_us,
        retries,
        dedupe_hits: 0,
    };
    let (read, write) = (brain::ActionLevel::Read, brain::ActionLevel::Write);
    assert_eq!(
        seen.tools.rows,
        [
            used("calendar.list_events", read, ToolRunState::Failed, Some(12), None),
            used(TOOL, write, ToolRunState::Running, None, Some(0)),
        ]
    );
    let decided = Some(Decided { at: later(14), channel: Channel::Voice });
    let state = ConfirmationState::Accepted;
    let card = CardGlance { revision: 1, tool: TOOL.into(), state, asked_at: later(11), decided };
    assert_eq!(seen.cards.rows, slice::from_ref(&card));
    let nothing = store.glance(later(100), later(200), 100, None).await.unwrap();
    assert_eq!(nothing.turns.rows, []);

    let of = |tool: &str| store.glance(since, later(20), 100, Some(tool.to_owned()));
    let seen = of(TOOL).await.unwrap();
    let written = [used(TOOL, write, ToolRunState::Running, None, Some(0))];
    assert_eq!((seen.turns.rows, seen.cards.rows), (vec![turn.clone()], vec![card]));
    assert_eq!(seen.tools.rows, written);
    let looked = of("calendar.list_events").await.unwrap();
    assert_eq!((looked.turns.rows, looked.cards.rows.len()), (vec![turn], 0));
    let nothing = of("no.such").await.unwrap();
    assert_eq!((nothing.turns.total, nothing.tools.total, nothing.cards.total), (0, 0, 0));
}

async fn of_much_every_so_manyth_is_read(store: &dyn Store) {
    let session = begin(store, 0x9100).await;
    for number in 0..12_i64 {
        let started_at = later(1_000) + SignedDuration::from_millis(number);
        let id = 0x9100 + u128::from(number.unsigned_abs());
        let turn = TurnRow { started_at, ended_at: Some(started_at), ..turn_row(session, id) };
        store.append(Batch { turn: Some(turn), ..Batch::new(session, 1) }).await.unwrap();
    }

    let seen = store.glance(later(1_000), later(1_001), 4, None).await.unwrap();

    assert_eq!((seen.turns.total, seen.turns.one_in, seen.turns.rows.len()), (12, 3, 4));
}

async fn the_audit_is_read_from_its_end(store: &dyn Store) {
    let question = asked(begin(store, 0x9200).await, 0x9200);
    let mine = [line(&question, "asked"), line(&question, "accepted").because("voice")];
    for line in &mine {
        store.note(line.clone()).await.unwrap();
        store.note(Line::new(later(1), PERSON, "answer_refused")).await.unwrap();
    }
    let whole = whole_audit(store).await;
    let page =
        |before, limit, fitting: Fitting| store.audit_back(AuditWanted { before, limit, fitting });

    let newest = page(None, 2, Fitting::default()).await.unwrap();
    let backwards: Vec<_> = whole.iter().rev().cloned().collect();
    assert_eq!(newest.entries, backwards[..2]);
    let older = page(newest.next, 2, Fitting::default()).await.unwrap();
    assert_eq!(older.entries, backwards[2..4]);

    let about = Fitting { confirmation: Some(question.id), ..Fitting::default() };
    let found = page(None, 10, about.clone()).await.unwrap();
    let lines: Vec<_> = found.entries.into_iter().rev().map(|entry| entry.line).collect();
    assert_eq!((lines, found.next), (mine.to_vec(), None));
    let first = page(None, 1, Fitting { what: Some("asked".into()), ..about }).await.unwrap();
    assert_eq!(first.entries.len(), 1);
    let nobody = Fitting { tool: Some("no.such".into()), ..Fitting::default() };
    assert_eq!(page(None, 10, nobody).await.unwrap().entries, []);
    let all = page(None, 10_000, Fitting::default()).await.unwrap();
    assert_eq!((all.entries, all.next), (backwards, None));
    assert_eq!(store.audit_reach().await.unwrap().last, whole.last().unwrap().number);
}
