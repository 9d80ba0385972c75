//! Whatever is sent as an answer to a card, it is a yes only where it says so about
//! exactly the revision that was shown, and a change only of what may be changed.
#![no_main]

use brain::confirmation::{Answer, Verdict};
use brain::event::Question;
use brain::input::Decision;
use brain::{Envelope, Event, EventId, Input, SessionId, ids::Uuid};
use libfuzzer_sys::fuzz_target;
use testkit::store_contract::cards::{after, asked, card};
use wire::canonical::Canonical;
use wire::{Dialect, Frame};

fuzz_target!(|text: &str| {
    let session = SessionId(Uuid::from_u128(1));
    let first = asked(session, 9);
    let second = first.revised(card("Nine it is."), after(5));
    for shown in [vec![], vec![&first], vec![&first, &second], vec![&second]] {
        let mut dialect = Canonical::new(session);
        for question in &shown {
            dialect.encode(&told(session, Event::AskedToConfirm(Box::new(Question::of(question, 1)))));
        }
        for payload in [text.to_owned(), for_this_card(&first.id.to_string(), text)] {
            let frame = format!(r#"{{"event_type":"confirm.response","payload":{payload}}}"#);
            let Ok(received) = dialect.decode(Frame::Text(frame)) else { continue };
            for one in received {
                let Input::Answer { question, decision, edited, revision, channel } = one.input
                else {
                    continue;
                };
                if question != first.id.to_string() {
                    continue;
                }
                let answer = Answer { decision, revision, edited, channel, names_recipient: false };
                for pending in [&first, &second] {
                    judge(pending, &answer);
                }
            }
        }
    }
});

fn judge(pending: &brain::Confirmation, answer: &Answer) {
    match pending.weigh(answer, after(20)) {
        Ok(Verdict::Accept) => {
            assert_eq!(answer.decision, Decision::Accept);
            assert_eq!(answer.revision, Some(pending.revision));
            assert!(answer.edited.is_none());
        }
        Ok(Verdict::Edit(payload)) => {
            assert_eq!(answer.decision, Decision::Edit);
            assert_eq!(answer.revision, Some(pending.revision));
            assert_eq!(payload.get("to"), pending.card.payload.get("to"));
        }
        Ok(Verdict::Reject) => assert_eq!(answer.decision, Decision::Reject),
        Err(_) => {}
    }
    assert!(pending.weigh(answer, pending.expires_at).is_err(), "too late is too late");
}

/// The same as if it were about the card, where it is an object.
fn for_this_card(id: &str, text: &str) -> String {
    match text.strip_prefix('{') {
        Some(rest) => format!(r#"{{"confirmation_request_id":"{id}",{rest}"#),
        None => format!(r#"{{"confirmation_request_id":"{id}","decision":{text}}}"#),
    }
}

fn told(session: SessionId, event: Event) -> Envelope {
    Envelope {
        event_id: EventId(Uuid::from_u128(3)),
        role: event.role(),
        event,
        ts: after(0),
        session_id: session,
        epoch: 1,
        turn_id: None,
        message_id: None,
        seq: Some(1),
        turn_seq: None,
        spelling: brain::event::Spelling::default(),
    }
}
