use serde_json::json;
use uuid::Uuid;

use super::*;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;
const SETTLE: SignedDuration = SignedDuration::from_secs(10);

fn after(seconds: i64) -> Timestamp {
    NOW + SignedDuration::from_secs(seconds)
}

fn trouble() -> CallError {
    CallError { code: "timeout".into(), message: String::new(), retryable: true }
}

fn agreed() -> Action {
    let args = json!({ "to": ["ana@x.example"] });
    Action {
        id: ActionId(Uuid::from_u128(1)),
        confirmation: ConfirmationId(Uuid::from_u128(2)),
        revision: 1,
        session: SessionId(Uuid::from_u128(3)),
        user: UserId(Uuid::from_u128(4)),
        turn: TurnId(Uuid::from_u128(5)),
        step: 1,
        call: CallId(Uuid::from_u128(6)),
        tool: "gmail.send".into(),
        seal: Seal::of("gmail.send", &args),
        args,
        called: "the mail to Ana".into(),
        state: ActionState::IntentLogged,
        attempt: 0,
        epoch: 0,
        probes: 0,
        absent: 0,
        not_before: None,
        agreed_at: NOW,
        learnt_at: NOW,
        result: None,
        error: None,
        told: false,
    }
}

fn learnt(news: impl IntoIterator<Item = News>) -> Action {
    news.into_iter().fold(agreed(), |action, news| action.learn(news, NOW, SETTLE).unwrap())
}

fn claimed() -> News {
    News::Claimed { epoch: 7 }
}

fn lost() -> Action {
    learnt([claimed(), News::Lost(trouble())])
}

#[test]
fn a_write_is_claimed_before_it_is_tried_and_over_when_it_is_confirmed() {
    assert_eq!(agreed().todo(NOW), Todo::Dispatch);
    let tried = learnt([claimed()]);
    assert_eq!((tried.state, tried.attempt, tried.epoch), (ActionState::Dispatching, 1, 7));

    let done = learnt([claimed(), News::Done(json!({ "message_id": "m" }))]);

    assert_eq!(done.state, ActionState::Confirmed);
    assert_eq!(done.result, Some(json!({ "message_id": "m" })));
    assert_eq!(done.error, None);
    assert_eq!(done.todo(NOW), Todo::Over);
}

#[test]
fn what_somebody_left_behind_is_doubted_not_tried_again() {
    let tried = learnt([claimed()]);
    assert_eq!(tried.todo(NOW), Todo::Doubt);
}

#[test]
fn a_clean_refusal_is_the_end_of_it() {
    for news in [vec![claimed(), News::Refused(trouble())], vec![News::Refused(trouble())]] {
        let refused = learnt(news);
        assert_eq!(refused.state, ActionState::FailedClean);
        assert_eq!(refused.error, Some(trouble()));
        assert_eq!(refused.todo(NOW), Todo::Over);
    }
}

#[test]
fn a_lost_answer_is_asked_about_never_tried_again() {
    assert_eq!(lost().state, ActionState::MaybeSent);
    assert_eq!(lost().error, Some(trouble()));
    assert_eq!(lost().todo(NOW), Todo::Probe);
    assert!(lost().learn(claimed(), NOW, SETTLE).is_err());
}

#[test]
fn what_is_found_was_done() {
    let found = lost().learn(News::Found(json!("m")), NOW, SETTLE).unwrap();
    assert_eq!(found.state, ActionState::ReconciledDone);
    assert_eq!((found.result.clone(), found.error.clone()), (Some(json!("m")), None));
    assert_eq!((found.probes, found.not_before), (1, None));
    assert_eq!(found.todo(NOW), Todo::Over);
}

#[test]
fn it_must_be_absent_twice_and_settled_in_between() {
    let once = lost().learn(News::Absent, NOW, SETTLE).unwrap();
    assert_eq!((once.state, once.absent, once.probes), (ActionState::MaybeSent, 1, 1));
    assert_eq!(once.todo(after(9)), Todo::Wait(after(10)));
    assert_eq!(once.todo(after(10)), Todo::Probe);

    let twice = once.learn(News::Absent, after(10), SETTLE).unwrap();

    assert_eq!((twice.state, twice.absent, twice.probes), (ActionState::ReconciledNotDone, 2, 2));
    assert_eq!(twice.todo(after(10)), Todo::Dispatch);
    let again = twice.learn(claimed(), after(10), SETTLE).unwrap();
    assert_eq!((again.attempt, again.probes, again.absent), (2, 0, 0));
}

#[test]
fn an_unclear_probe_in_between_starts_the_proof_anew() {
    let news = [News::Absent, News::Unclear, News::Absent];
    let action = news.into_iter().fold(lost(), |a, n| a.learn(n, NOW, SETTLE).unwrap());
    assert_eq!((action.state, action.absent, action.probes), (ActionState::MaybeSent, 1, 3));
    assert_eq!(action.not_before, Some(after(10)));
}

#[test]
fn after_enough_unclear_probes_a_person_has_to_look() {
    let mut action = lost();
    for probe in 1..=MOST_PROBES {
        assert_eq!(action.state, ActionState::MaybeSent);
        action = action.learn(News::Unclear, NOW, SETTLE).unwrap();
        assert_eq!(action.probes, probe);
    }
    assert_eq!((action.state, action.not_before), (ActionState::NeedsUser, None));
    assert_eq!(action.todo(NOW), Todo::Over);
}

#[test]
fn an_old_yes_lapses_before_anything_leaves() {
    assert_eq!(agreed().todo(after(600)), Todo::Dispatch);
    assert_eq!(agreed().todo(after(601)), Todo::Lapse);
    let not_done = Action { state: ActionState::ReconciledNotDone, ..agreed() };
    assert_eq!(not_done.todo(after(601)), Todo::Lapse);
    let lapsed = not_done.learn(News::Lapsed(trouble()), NOW, SETTLE).unwrap();
    assert_eq!((lapsed.state, lapsed.error), (ActionState::FailedClean, Some(trouble())));
}

#[test]
fn it_is_not_begun_for_ever() {
    let tried = |attempt| Action { state: ActionState::ReconciledNotDone, attempt, ..agreed() };
    assert_eq!(tried(MOST_ATTEMPTS - 1).todo(NOW), Todo::Dispatch);
    assert_eq!(tried(MOST_ATTEMPTS).todo(NOW), Todo::Lapse);
}

#[test]
fn whatever_is_not_drawn_cannot_be_learnt() {
    use ActionState as S;
    let all = || {
        [
            claimed(),
            News::Done(json!(1)),
            News::Refused(trouble()),
            News::Lost(trouble()),
            News::Found(json!(1)),
            News::Absent,
            News::Unclear,
            News::Lapsed(trouble()),
        ]
    };
    let fits =
        |state, news: &News| Action { state, ..agreed() }.learn(news.clone(), NOW, SETTLE).is_ok();
    for state in S::ALL {
        let names: Vec<_> = all().iter().filter(|news| fits(state, news)).map(News::name).collect();
        let expected: &[&str] = match state {
            S::IntentLogged => &["claimed", "refused", "lapsed"],
            S::Dispatching => &["done", "refused", "lost"],
            S::MaybeSent => &["found", "absent", "unclear"],
            S::ReconciledNotDone => &["claimed", "lapsed"],
            S::Confirmed | S::FailedClean | S::ReconciledDone | S::NeedsUser => &[],
        };
        assert_eq!(names, expected, "{}", state.name());
    }
    let error = lost().learn(News::Done(json!(1)), NOW, SETTLE).unwrap_err();
    assert_eq!(error.to_string(), "done cannot be learnt of a write that is maybe_sent");
}

#[test]
fn a_state_claims_at_most_one_thing() {
    for state in ActionState::ALL {
        assert!(!(state.is_done() && state.is_not_done()), "{}", state.name());
        let claims_nothing = !state.is_done() && !state.is_not_done();
        let nobody_knows =
            [ActionState::Dispatching, ActionState::MaybeSent, ActionState::NeedsUser];
        assert_eq!(claims_nothing, nobody_knows.contains(&state), "{}", state.name());
        let goes_on = [
            ActionState::IntentLogged,
            ActionState::Dispatching,
            ActionState::MaybeSent,
            ActionState::ReconciledNotDone,
        ];
        assert_eq!(state.is_over(), !goes_on.contains(&state), "{}", state.name());
    }
}

#[test]
fn it_is_known_since_when_the_last_thing_was_learnt() {
    let tried = agreed().learn(claimed(), after(5), SETTLE).unwrap();
    assert_eq!((tried.learnt_at, tried.agreed_at), (after(5), NOW));
}
