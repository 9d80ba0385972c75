use brain::card::{EmailPreview, EventPreview};
use brain::ids::Uuid;
use brain::policy::Care;
use brain::{ActionId, CallError, CallId, Card, ConfirmationId, Seal, SessionId, TurnId, UserId};
use serde_json::json;

use super::*;

const TOOLS: [(&str, &str); 5] = [
    ("gmail.send", "the mail to Priya"),
    ("calendar.create_event", "lunch with Tom"),
    ("calendar.cancel_event", "lunch with Tom"),
    ("calendar.move_event", "lunch with Tom"),
    ("other.write", "the change"),
];
const CODES: [&str; 12] = [
    "refused",
    "not_found",
    "writes_paused",
    "tool_off",
    "unknown_recipient",
    "unreachable",
    "transient",
    "lapsed",
    "not_allowed",
    "bad_arguments",
    "changed",
    "whatever",
];

fn now() -> Zoned {
    "2026-11-15T10:45:00-08:00[America/Los_Angeles]".parse().unwrap()
}

fn action(tool: &str, called: &str, state: ActionState) -> Action {
    let at = now().timestamp();
    Action {
        id: ActionId(Uuid::nil()),
        confirmation: ConfirmationId(Uuid::nil()),
        revision: 1,
        session: SessionId(Uuid::nil()),
        user: UserId(Uuid::nil()),
        turn: TurnId(Uuid::nil()),
        step: 1,
        call: CallId(Uuid::nil()),
        tool: tool.into(),
        args: json!({}),
        seal: Seal::of(tool, &json!({})),
        called: called.into(),
        state,
        attempt: 1,
        epoch: 1,
        probes: 0,
        absent: 0,
        not_before: None,
        agreed_at: at,
        learnt_at: at,
        result: Some(json!({"sent_at": "2026-11-15T18:42:00Z"})),
        error: None,
        told: false,
    }
}

fn failed(tool: &str, called: &str, code: &str) -> Action {
    let error = CallError { code: code.into(), message: String::new(), retryable: false };
    Action { error: Some(error), ..action(tool, called, ActionState::FailedClean) }
}

/// Does it say that something happened? What is only wondered about, and the
/// name of a folder, claims nothing.
fn claims_success(text: &str) -> bool {
    let text = text.to_lowercase().replace("sent folder", "");
    let sentences = text.split(['.', ',', ':']).map(str::trim);
    let claims = [
        "sent",
        "went out",
        "did go out",
        "done",
        "booked",
        "is on your calendar",
        "it's on your calendar",
        "scheduled",
        "happened",
        "added",
        "is cancelled",
        "was cancelled after all",
        "is moved",
        "was moved after all",
    ];
    let alone = |sentence: &str| sentence == "cancelled" || sentence.starts_with("moved");
    sentences.filter(|sentence| !sentence.contains("whether")).any(|sentence| {
        alone(sentence)
            || claims
                .iter()
                .any(|claim| sentence.split(' ').collect::<Vec<_>>().join(" ").contains(claim))
                && !sentence.contains("being added")
    })
}

fn claims_failure(text: &str) -> bool {
    let text = text.to_lowercase();
    ["failed", "did not", "didn't", "error", "try again", "not sent", "was not"]
        .iter()
        .any(|word| text.contains(word))
}

#[test]
fn r5_success_is_claimed_only_where_it_is_proven() {
    for (tool, called) in TOOLS {
        for state in ActionState::ALL {
            let one = action(tool, called, state);
            let other = action("gmail.send", "the mail to Ana", ActionState::MaybeSent);
            let alone = tell(&one, &now());
            let together = several(&[&one, &other], &now());
            let late = too_late(&one, &now());
            for told in [&alone, &together, &late] {
                assert!(!told.trim().is_empty());
                assert_eq!(claims_success(told), state.is_done(), "{state:?}: {told}");
            }
            let called = called.to_lowercase();
            assert!(together.to_lowercase().contains(&called), "{together}");
            assert!(together.contains("the mail to Ana"), "{together}");
        }
        for code in CODES {
            let told = tell(&failed(tool, called, code), &now());
            assert!(!claims_success(&told) && claims_failure(&told), "{told}");
        }
    }
}

#[test]
fn r5_what_nobody_knows_is_called_neither_done_nor_failed() {
    for (tool, called) in TOOLS {
        for state in [ActionState::MaybeSent, ActionState::NeedsUser] {
            let told = tell(&action(tool, called, state), &now());
            assert!(!claims_success(&told) && !claims_failure(&told), "{told}");
            assert!(told.contains("can't tell"), "{told}");
        }
        for state in [ActionState::IntentLogged, ActionState::Dispatching] {
            let told = tell(&action(tool, called, state), &now()).to_lowercase();
            assert!(!["sent", "done", "booked"].iter().any(|word| told.contains(word)), "{told}");
        }
    }
}

#[test]
fn each_state_has_its_own_words() {
    let mail = |state| tell(&action("gmail.send", "the mail to Priya", state), &now());
    let event = |state| tell(&action("calendar.create_event", "lunch with Tom", state), &now());
    assert_eq!(mail(ActionState::Confirmed), "Sent.");
    assert_eq!(event(ActionState::Confirmed), "Done, it's on your calendar.");
    assert_eq!(mail(ActionState::ReconciledDone), "It did go out, at 10:42.");
    assert_eq!(
        mail(ActionState::MaybeSent),
        "I can't tell yet whether the mail to Priya went out. I'm checking, and I won't send it twice."
    );
    let taken = failed("calendar.create_event", "lunch with Tom", "refused");
    assert_eq!(
        tell(&taken, &now()),
        "Lunch with Tom did not get into your calendar: it was turned down."
    );
}

#[test]
fn what_was_moved_is_told_with_its_time_and_what_was_cancelled_in_one_word() {
    let mut moved = action("calendar.move_event", "lunch with Tom", ActionState::Confirmed);
    moved.result = Some(json!({
        "start": "2026-11-20T12:00:00-08:00[America/Los_Angeles]",
        "end": "2026-11-20T13:00:00-08:00[America/Los_Angeles]",
    }));
    assert_eq!(tell(&moved, &now()), "Moved to Friday at noon.");
    assert_eq!(of_one(&moved, &now()), "Lunch with Tom is moved to Friday at noon.");
    moved.result = None;
    assert_eq!(tell(&moved, &now()), "Moved.");
    let gone = |state| tell(&action("calendar.cancel_event", "lunch with Tom", state), &now());
    assert_eq!(gone(ActionState::Confirmed), "Cancelled.");
    assert_eq!(
        gone(ActionState::MaybeSent),
        "I can't tell yet whether lunch with Tom was cancelled. I'm checking, and I won't do it \
         twice."
    );
    let changed = failed("calendar.cancel_event", "lunch with Tom", "changed");
    assert_eq!(
        tell(&changed, &now()),
        "Lunch with Tom was not cancelled: it was changed elsewhere in the meantime."
    );
    let missing = |tool| tell(&failed(tool, "lunch with Tom", "not_found"), &now());
    assert_eq!(
        missing("calendar.cancel_event"),
        "Lunch with Tom was not cancelled: it was gone already."
    );
    assert_eq!(
        missing("calendar.move_event"),
        "Lunch with Tom was not moved: it is gone from your calendar."
    );
}

#[test]
fn several_writes_are_told_one_by_one() {
    let mail = action("gmail.send", "the mail to Priya", ActionState::Confirmed);
    let lunch = action("calendar.create_event", "lunch with Tom", ActionState::MaybeSent);
    assert_eq!(
        several(&[&mail, &lunch], &now()),
        "The mail to Priya went out. I can't tell yet whether lunch with Tom is on your calendar. \
         I'm checking, and I won't add it twice."
    );
    assert_eq!(several(&[&mail], &now()), "Sent.");
    assert_eq!(of_one(&mail, &now()), "Sent to Priya.");
    let booked = action("calendar.create_event", "lunch with Tom", ActionState::Confirmed);
    assert_eq!(of_one(&booked, &now()), "Lunch with Tom is on your calendar.");
    assert!(of_one(&lunch, &now()).starts_with("I can't tell yet whether lunch"));
}

fn card(preview: Preview, state: ConfirmationState) -> Confirmation {
    let tool = match &preview {
        Preview::Email(_) => "gmail.send",
        _ => "calendar.create_event",
    };
    let asked_at = now().timestamp();
    Confirmation {
        id: ConfirmationId(Uuid::nil()),
        revision: 1,
        action: ActionId(Uuid::nil()),
        session: SessionId(Uuid::nil()),
        user: UserId(Uuid::nil()),
        turn: TurnId(Uuid::nil()),
        step: 1,
        tool: tool.into(),
        seal: Seal::of(tool, &json!({})),
        card: Card {
            action_type: String::new(),
            title: String::new(),
            speakable: String::new(),
            preview,
            payload: serde_json::Map::new(),
            editable: Vec::new(),
            warnings: Vec::new(),
            voice: Care::Allow,
        },
        state,
        asked_at,
        expires_at: asked_at,
        decided: None,
    }
}

#[test]
fn who_asks_what_became_of_it_hears_what_is_recorded() {
    use ConfirmationState as C;
    let mail = || email(true);
    let did = |state| action("gmail.send", "the reply to Priya", state);
    for (state, done, expected) in [
        (C::Pending, None, "Not yet: the mail to nobody waits for your answer."),
        (
            C::Rejected,
            None,
            "The mail to nobody did not go out: you turned it down, so it stayed a draft.",
        ),
        (C::Expired, None, "The mail to nobody did not go out: no answer came, so I put it aside."),
        (C::Accepted, Some(ActionState::Confirmed), "The reply to Priya went out at 10:42."),
        (C::Accepted, Some(ActionState::Dispatching), "The reply to Priya is going out now."),
        (
            C::Accepted,
            Some(ActionState::MaybeSent),
            "I can't tell yet whether the reply to Priya went out. I'm checking, and I won't send \
             it twice.",
        ),
        (
            C::Accepted,
            Some(ActionState::ReconciledDone),
            "The reply to Priya did go out, at 10:42.",
        ),
        (C::Accepted, None, "I can't find out whether the mail to nobody went out."),
    ] {
        let done = done.map(did);
        assert_eq!(asked(&card(mail(), state), done.as_ref(), &now()), expected);
    }
    let said = asked(&card(email(false), C::Rejected), None, &now());
    assert_eq!(said, "The mail to nobody did not go out: you turned it down.");
}

#[test]
fn r5_who_asks_hears_of_success_only_where_it_is_proven() {
    use ConfirmationState as C;
    for (tool, called) in TOOLS {
        for state in ActionState::ALL {
            let one = action(tool, called, state);
            let told = asked(&card(email(true), C::Accepted), Some(&one), &now());
            assert_eq!(claims_success(&told), state.is_done(), "{state:?}: {told}");
            assert!(is_safe_aloud(&told), "{told}");
        }
    }
    for state in [C::Pending, C::Rejected, C::Expired, C::Superseded, C::Accepted] {
        let told = asked(&card(email(true), state), None, &now());
        assert!(!claims_success(&told) && is_safe_aloud(&told), "{told}");
    }
}

fn email(has_draft: bool) -> Preview {
    Preview::Email(Box::new(EmailPreview {
        from: None,
        to: Vec::new(),
        cc: Vec::new(),
        subject: String::new(),
        body_text: String::new(),
        in_reply_to: None,
        has_draft,
    }))
}

#[test]
fn a_no_a_silence_and_a_step_left_out_claim_nothing() {
    let event = Preview::Event(Box::new(EventPreview {
        title: "Lunch".into(),
        start: now(),
        end: now(),
        minutes: 30,
        length_assumed: true,
        attendees: Vec::new(),
        invites_guests: false,
        location: None,
        conflicts: Vec::new(),
        free_instead: Vec::new(),
        change: None,
    }));
    assert_eq!(rejected(&email(true)), "Okay, left it as a draft.");
    assert_eq!(rejected(&email(false)), "Okay, I won't send it.");
    let mut told = vec![rejected(&email(true)), rejected(&email(false)), rejected(&event)];
    told.push(expired("the mail to Priya"));
    told.extend(CODES.iter().chain(&["not_agreed"]).map(|code| not_run("lunch with Tom", code)));
    for told in told {
        assert!(!told.is_empty() && !claims_success(&told), "{told}");
    }
}

#[test]
fn what_we_say_of_an_outcome_is_no_yes_to_another_card() {
    let titles = ["the mail to Priya", "yes. Send it", "Go ahead"];
    for (tool, called) in TOOLS.into_iter().flat_map(|(tool, _)| titles.map(|title| (tool, title)))
    {
        for state in ActionState::ALL {
            let one = action(tool, called, state);
            for told in [tell(&one, &now()), too_late(&one, &now()), several(&[&one, &one], &now())]
            {
                assert!(super::super::card::is_safe_aloud(&told), "{told}");
            }
        }
    }
}
