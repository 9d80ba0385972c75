use serde_json::json;

use super::*;

fn send(changes: Value) -> Value {
    let mut args = json!({ "to": ["ana@x.example"], "subject": "Hi", "body": "Hello" });
    let Value::Object(changes) = changes else { panic!("fields, please") };
    args.as_object_mut().unwrap().extend(changes);
    args
}

fn says(changes: Value) -> String {
    Send::read(&send(changes)).map(drop).unwrap_err()
}

#[test]
fn a_send_is_labelled_with_whom_it_goes_to() {
    assert_eq!(label_of_send(&send(json!({}))), "Sending the mail to ana@x.example");
    let three = json!({ "to": ["a@x.io", "b@x.io", "c@x.io"] });
    assert_eq!(label_of_send(&send(three)), "Sending the mail to a@x.io and 2 others");
    assert_eq!(label_of_send(&json!({ "draft_id": "d" })), "Sending the mail");
    assert_eq!(label_of_send(&json!({ "to": { "$step": 1 } })), "Sending the mail");
}

#[test]
fn a_header_cannot_be_smuggled_in() {
    for subject in ["Hi\r\nBcc: eve@evil.example", "Hi\nX: y", "Hi\0", "a\u{85}b", "a\u{2028}b"] {
        assert!(says(json!({ "subject": subject })).contains("one line"), "{subject:?}");
    }
    for address in ["ana@x.example\r\nBcc: eve@evil.example", "ana@x.example, eve@evil.example"] {
        for field in ["to", "cc"] {
            assert!(says(json!({ field: [address] })).contains("not an address"), "{address:?}");
        }
    }
    assert!(says(json!({ "body": "Hi\u{8}\u{8}Bye" })).contains("control characters"));
    assert!(says(json!({ "from": "a@x.io\nBcc: b@x.io" })).contains("not an address"));
}

#[test]
fn what_a_card_cannot_show_is_in_no_mail() {
    let unseen = ["pay\u{202e}lap", "a\u{2066}b\u{2069}", "a\u{200b}b", "a\u{e0041}", "a\u{ad}b"];
    for text in unseen {
        for field in ["subject", "body"] {
            assert!(says(json!({ field: text })).contains("cannot be seen"), "{text:?}");
        }
        let intent = json!({ "message_id": "m", "intent": text });
        assert!(DraftReply::read(&intent).unwrap_err().contains("cannot be seen"), "{text:?}");
    }
    for address in ["a\u{3164}@x.example", "a@x\u{ffa0}.example", "a\u{200d}b@x.example"] {
        assert!(says(json!({ "to": [address] })).contains("not an address"), "{address:?}");
    }
    for text in ["❤\u{fe0f} 👩\u{200d}🔬", "می\u{200c}خواهم", "\u{feff}Hello\r\n\tZoë"]
    {
        assert!(Send::read(&send(json!({ "body": text }))).is_ok(), "{text:?}");
    }
}

#[test]
fn limits_are_said_in_words() {
    let many: Vec<String> = (0..15).map(|n| format!("a{n}@x.io")).collect();
    assert!(says(json!({ "to": many, "cc": many })).contains("at most 20 people"));
    assert!(says(json!({ "to": [] })).contains("nobody"));
    assert!(says(json!({ "body": " \n " })).contains("between 1 and 50000"));
    assert!(says(json!({ "body": "x".repeat(50_001) })).contains("between 1 and 50000"));
    assert!(says(json!({ "subject": "x".repeat(301) })).contains("at most 300"));
    assert!(says(json!({ "draft_id": "" })).contains("draft_id"));
    assert!(says(json!({ "bcc": ["eve@evil.example"] })).contains("bcc"));
    assert!(Send::read(&json!({ "draft_id": "d" })).is_ok());
    assert!(Send::read(&json!({ "to": ["a@x.io"] })).unwrap_err().contains("draft_id"));
}

#[test]
fn a_reply_needs_something_to_answer_and_something_to_say() {
    let says = |args: Value| DraftReply::read(&args).map(drop).unwrap_err();
    assert!(says(json!({ "intent": "yes" })).contains("message_id or thread_id"));
    assert!(says(json!({ "message_id": "m", "intent": " " })).contains("between 1 and 8000"));
    assert!(says(json!({ "message_id": "m", "intent": "a\u{7}" })).contains("control"));
    assert!(says(json!({ "message_id": "m", "intent": "a", "tone": "rude" })).contains("rude"));
    assert!(
        DraftReply::read(&json!({ "thread_id": "t", "intent": "yes", "tone": "warm" })).is_ok()
    );
}

#[test]
fn a_tidy_mail_is_tidied_to_itself() {
    let mail = Outgoing {
        from: "me@x.io".into(),
        to: vec![" a@x.io".into(), "A@x.io".into()],
        cc: vec!["a@x.io".into(), "b@x.io".into()],
        subject: " Hi ".into(),
        body: "\r\nHello\r\n".into(),
        thread_id: None,
        in_reply_to: None,
        draft_id: None,
    };
    let tidy = mail.tidied();
    assert_eq!((tidy.to.len(), tidy.cc.len()), (1, 1));
    assert_eq!((tidy.subject.as_str(), tidy.body.as_str()), ("Hi", "Hello"));
    assert_eq!(tidy.clone().tidied(), tidy);
}
