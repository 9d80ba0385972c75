use serde_json::json;

use super::tests::*;
use super::*;
use crate::{Done, corpus};

#[test]
fn an_address_out_of_a_text_has_to_be_named() {
    let stranger = person("Pay Desk", "pay@bank.example", Source::Content);
    let card = [mail_to(vec![priya(), stranger], "Here it is.")];
    assert_eq!(outline(&to("yes", &card)), "accept 0");
    let named = to("send it to priya and pay@bank.example", &card);
    assert_eq!(named, Reply::Accept { card: 0, names_recipient: true });
}

#[test]
fn an_address_that_was_only_heard_has_to_be_named() {
    let zoe = person("", "zoe.marsh@harbor.example", Source::Explicit);
    let zoe = Recipient { name: None, ..zoe };
    let mut card = mail_to(vec![priya()], "Here it is.");
    if let Preview::Email(mail) = &mut card {
        mail.cc = vec![zoe.clone()];
    }
    let copied = [card];
    let alone = [mail_to(vec![zoe.clone()], "Here it is.")];
    let named = |heard: &str, card: &[Preview]| {
        outline(&to_doubted(heard, card, &[Warning::heard(&zoe)], &corpus::world()))
    };
    assert_eq!(named("yes", &alone), "accept 0");
    assert_eq!(named("yes, send it to priya", &copied), "accept 0");
    for heard in [
        "yes, send it to zoe dot marsh at harbor dot example",
        "yes, to zoe.marsh@harbor.example",
        "send it to zoe dot marsh at harbor dot example please",
    ] {
        assert_eq!(named(heard, &alone), "accept 0 named", "{heard}");
    }
    let other = named("yes, send it to zoe dot march at harbor dot example", &alone);
    assert!(!other.starts_with("accept"), "{other}");
}

#[test]
fn our_own_voice_can_never_approve() {
    let world = corpus::world();
    let bodies =
        ["Thursday works.", "Yes. Send it.", "yes", "Do it!\n\nGo ahead.", "Sure, book it now."];
    let mut said = Vec::new();
    for body in bodies {
        let preview = mail_to(vec![priya()], body);
        let cards = [preview.clone(), lunch()];
        said.extend([card::ask(&preview, &[], &world), card::ask(&lunch(), &[], &world)]);
        said.push(card::revised("Four o'clock instead.", &preview, &[], &world));
        said.push(card::readback(&preview, &[]));
        for heard in [
            "yes",
            "maybe",
            "looks good",
            "what does it say",
            "who is it to",
            "make it shorter",
            "add that yes",
            "say: yes",
            "when is it",
        ] {
            for previews in [&cards[..1], &cards[1..], &cards[..]] {
                match to(heard, previews) {
                    Reply::Revise { said: told, .. } => {
                        said.push(card::revised(&told, &preview, &[], &world));
                        said.push(told);
                    }
                    Reply::CannotRevise { say, .. }
                    | Reply::Explain { say, .. }
                    | Reply::Which { say, .. }
                    | Reply::Hold { say, .. } => said.push(say),
                    Reply::Accept { .. }
                    | Reply::Reject { .. }
                    | Reply::Keep { .. }
                    | Reply::Instead { .. }
                    | Reply::Besides { .. }
                    | Reply::NotAnAnswer => {}
                }
            }
        }
    }
    for told in &said {
        assert!(!told.is_empty());
        let sentences = told.split(['.', '?', '!', ':', '…']).map(str::trim);
        for part in sentences.chain([told.as_str()]).filter(|part| !part.is_empty()) {
            for previews in [vec![mail()], vec![lunch()], vec![mail(), lunch()]] {
                let reply = to_in(part, &previews, &world);
                assert!(!matches!(reply, Reply::Accept { .. }), "{part:?} of {told:?}");
            }
        }
    }
}

#[test]
fn a_change_touches_nothing_but_fields_of_the_payload() {
    let known = ["to", "cc", "subject", "body", "title", "start", "end", "attendees", "location"];
    for heard in
        ["make it four", "add Ana", "cc Ana", "call it x", "say: y", "friday at 9 for an hour"]
    {
        for preview in [mail(), lunch()] {
            if let Reply::Revise { changes, said, .. } = to(heard, &[preview]) {
                assert!(changes.keys().all(|key| known.contains(&key.as_str())), "{heard}");
                assert!(!said.is_empty() && said.ends_with(['.', '!', '?']), "{said}");
            }
        }
    }
}

#[test]
fn a_length_in_minutes_is_kept_where_the_payload_has_one() {
    let lunch = lunch();
    let mut fields = payload(&lunch);
    fields.remove("end");
    fields.insert("duration_minutes".into(), json!(30));
    let view = CardView {
        preview: &lunch,
        payload: &fields,
        called: "lunch",
        action_type: "create_event",
        warnings: &[],
    };
    let moved = read("make it four", &[view], &corpus::world());
    assert_eq!(outline(&moved), "revise start=19T16:00");
    let longer = read("an hour", &[view], &corpus::world());
    assert_eq!(outline(&longer), "revise duration_minutes=60");
}

#[test]
fn a_mail_in_focus_does_not_take_the_question_from_the_card() {
    let mut world = corpus::world();
    let message = json!({
        "message_id": "a", "thread_id": "t", "from": {"address": "x@x.example"}, "to": [],
        "subject": "s", "snippet": "", "sent_at": "2026-11-14T10:00:00Z", "unread": false, "labels": [],
    });
    world.focus.note(&[Done {
        tool: "gmail.get_message".into(),
        result: Ok(json!({"message": message, "body_text": "Hi"})),
    }]);
    let reply = to_in("read it again", &[mail()], &world);
    assert!(matches!(reply, Reply::Explain { .. }), "{reply:?}");
}

#[test]
fn whoever_does_not_know_has_decided_nothing() {
    for heard in ["hmm i don't know", "i don't know yet", "no idea", "i'm not sure"] {
        let reply = outline(&to(heard, &[mail()]));
        let decides = ["accept", "reject", "keep", "revise"];
        assert!(!decides.iter().any(|kind| reply.starts_with(kind)), "{heard}: {reply}");
    }
}

#[test]
fn an_hour_elsewhere_is_on_the_day_it_is_on() {
    let moved = outline(&to("make it 5pm Berlin time", &[lunch()]));
    assert!(moved.contains("19T08:00"), "{moved}");
    let kept = outline(&to("do not send this yet, keep it as a draft", &[mail()]));
    assert_eq!(kept, "keep 0");
}
