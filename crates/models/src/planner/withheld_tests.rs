use serde_json::json;

use super::*;
use crate::provider::Thoughts;

#[test]
fn secrets_stay_on_this_machine() {
    for (text, expected) in [
        ("Your password is hunter2!", "Your password is [withheld]"),
        ("password: tr0ub4dor", "password: [withheld]"),
        ("Your sign-in code is 483920.", "Your sign-in code is [withheld]."),
        ("Code 12 of the house", "Code 12 of the house"),
        ("Pay with 4111 1111 1111 1111 today", "Pay with [withheld] today"),
        ("card 4111111111111111, thanks", "card [withheld], thanks"),
        ("to DE89 3704 0044 0532 0130 00 please", "to [withheld] please"),
        ("key sk-abcdefghijklmnop1234 works", "key [withheld] works"),
        ("Your password is P@ss.w0rd%2026 now", "Your password is [withheld] now"),
        ("Password: \"P@ss.w0rd%2026\"", "Password: \"[withheld]\""),
        ("password: %x.y&z", "password: [withheld]"),
        ("key AIzaSyA1234567890abcdefghijklmnop", "key [withheld]"),
        ("glpat-aB3dE6gH9jK2mN5pQ8sT.", "[withheld]."),
        ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "[withheld]"),
        ("github_pat_11ABCDEFG0abcdefghij_klmnop", "[withheld]"),
        ("xoxb-123456789012-abcdefABCDEF", "[withheld]"),
        ("AKIAIOSFODNN7EXAMPLE is it", "[withheld] is it"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27 ok", "[withheld] ok"),
        ("SSN 078-05-1120.", "SSN [withheld]."),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nBye",
            "[withheld]\nBye",
        ),
        ("-----BEGIN PRIVATE KEY-----\nMIIE", "[withheld]"),
        (
            "See https://shop.example/reset?token=8f14e45fceea167a5a36 now",
            "See https://shop.example/reset?token=[withheld] now",
        ),
        (
            "https://a.example/magic/6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            "https://a.example/magic/[withheld]",
        ),
        ("https://a.example/x/Zk3tQ9vLm2Xw8RbN4cYd.", "https://a.example/x/[withheld]."),
        (
            "PIN (ask Tom if it fails) 7731# at the door",
            "PIN (ask Tom if it fails) [withheld] at the door",
        ),
        ("Heslo: kocourek", "Heslo: [withheld]"),
        ("Mot de passe : soleil", "Mot de passe : [withheld]"),
        ("Ihr Kennwort ist Sommer!", "Ihr Kennwort ist [withheld]"),
        ("Passwort: Winter-7", "Passwort: [withheld]"),
        ("Su contraseña es gatito", "Su contraseña es [withheld]"),
        ("senha: gatinho", "senha: [withheld]"),
        ("code: 483 920", "code: [withheld]"),
        ("your one-time code is 123 456, valid for", "your one-time code is [withheld], valid for"),
        ("Use 552013 to log in.", "Use [withheld] to log in."),
        ("552013 is your verification code", "[withheld] is your verification code"),
        ("OTP 99 10 22", "OTP [withheld]"),
        ("secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY ok", "secret [withheld] ok"),
        ("WiFi: Sunflower-88-lantern", "WiFi: [withheld]"),
        ("Passport number X1234567", "Passport number [withheld]"),
        ("The code for the door is 9913.", "The code for the door is [withheld]."),
        ("The code for the garage door: 48-39#", "The code for the garage door: [withheld]#"),
        (
            "Your PIN, the one from Monday's mail, is 4432.",
            "Your PIN, the one from Monday's mail, is [withheld].",
        ),
        ("The PIN for the back door is now 4432", "The PIN for the back door is now [withheld]"),
        ("The wifi in the upper room is lantern88", "The wifi in the upper room is [withheld]"),
        ("{\"pin\":\"9911\",\"to\":\"ana\"}", "{\"pin\":\"[withheld]\",\"to\":\"ana\"}"),
    ] {
        assert_eq!(without_secrets(text), expected);
    }
}

#[test]
fn what_is_no_secret_stays_as_it_is() {
    for text in [
        "Three meetings tomorrow, the first at 9:30.",
        "mail_4fecb4a27029006587c72b6a2d341b2d",
        "2026-11-16T15:00:00-08:00[America/Los_Angeles]",
        // Its sum does not check out.
        "Invoice 4111 1111 1111 1112 is due",
        "call +1 415 555 0100",
        "zip code 94107",
        "the secret garden opens at nine",
        "On 2026-11-16 at 9:30, or on 16 November 2026.",
        "Code review 2026-11-16 at 10:30",
        "It costs $1,250.00, or 1 250 Kč.",
        "Order number 483920 and order 4839-2011-77",
        "Order code 483920",
        "I forgot my password. Please call 415 555 0100.",
        "415-555-0100 or (415) 555-0100",
        "94107 San Francisco",
        "Use 250 grams of flour to bake it.",
        "Use 1500 words to tell it.",
        "In 2026 the budget was 483920.",
        "https://www.example.com/2026/11/how-to-bake-bread-in-2026-at-home?page=2",
        "https://example.com/login",
        "-----BEGIN CERTIFICATE-----",
        "Enter the garden at 1200.",
        "The passport runs out in 2027.",
        "The WiFi in room 12 is slow.",
        "en passe de 2026",
        "sk-",
        "Čau, příště!",
        "The code for the room is on the wall, and the meeting in room 1204 is at 1530.",
        "The code review with Priya and Tom is 2026-11-18 at 10:30.",
        "The code for the release is on the wiki: https://wiki.example.com/2026/how-to",
        "The PIN for the door is with Tom in room 1204.",
        "I lost my PIN on the way home. The invoice is 4500 euros.",
        "The password for the club is wrong.",
        "",
    ] {
        assert_eq!(without_secrets(text), text);
    }
}

#[test]
fn the_sentence_itself_goes_as_it_was_said() {
    let messages = [
        Message::Person("my pin is 9911".into()),
        Message::Person(
            "Shown before: mail 1, “Your sign-in code is 483920”\n\n\
             The person says: is 4111 1111 1111 1111 a valid card number?"
                .into(),
        ),
        Message::Brought { id: "a".into(), tool: "t".into(), result: "pin 9911".into() },
    ];
    let expected = [
        Message::Person("my pin is [withheld]".into()),
        Message::Person(
            "Shown before: mail 1, “Your sign-in code is [withheld]”\n\n\
             The person says: is 4111 1111 1111 1111 a valid card number?"
                .into(),
        ),
        Message::Brought { id: "a".into(), tool: "t".into(), result: "pin [withheld]".into() },
    ];
    assert_eq!(for_elsewhere(&messages), expected);
}

#[test]
fn what_a_model_here_wanted_used_is_looked_through_too() {
    let call = |args| Call { id: "a".into(), tool: "gmail.send".into(), args };
    let messages = [Message::Model {
        text: "pin 9911".into(),
        calls: vec![
            call(json!({
                "to": ["ana@example.com"], "body": "The password is P@ss.w0rd", "pin": 9911,
                "deep": [{ "note": "code: 483 920" }], "limit": 5, "all": true,
            })),
            call(json!("{\"body\": \"my pin is 9911")),
        ],
        thoughts: Thoughts::default(),
    }];
    let expected = [Message::Model {
        text: "pin [withheld]".into(),
        calls: vec![
            call(json!({
                "to": ["ana@example.com"], "body": "The password is [withheld]",
                "pin": "[withheld]", "deep": [{ "note": "code: [withheld]" }], "limit": 5,
                "all": true,
            })),
            call(json!("{\"body\": \"my pin is [withheld]")),
        ],
        thoughts: Thoughts::default(),
    }];
    assert_eq!(for_elsewhere(&messages), expected);
}

#[test]
fn what_tools_brought_can_be_read_when_its_secrets_are_out() {
    let result = json!([
        { "text": "SSN 078-05-1120", "place": { "line": 1 } },
        { "label": "Gate code", "value": "9913#", "place": { "line": 2 } },
        { "gate_code": 9913, "order_code": "48-392" },
        { "subject": "Your sign-in code", "message_id": "mail_4fecb4a2", "at": "2026-11-16T15:00:00Z" },
    ]);
    let brought = |result: String| Message::Brought { id: "a".into(), tool: "t".into(), result };
    let [Message::Brought { result, .. }] = &for_elsewhere(&[brought(result.to_string())])[..]
    else {
        panic!("it is what a tool brought")
    };
    let kept: Value = serde_json::from_str(result).expect("it is still the same kind of thing");
    assert_eq!(
        kept,
        json!([
            { "text": "SSN [withheld]", "place": { "line": 1 } },
            { "label": "Gate code", "value": "[withheld]#", "place": { "line": 2 } },
            { "gate_code": "[withheld]", "order_code": "48-392" },
            { "subject": "Your sign-in code", "message_id": "mail_4fecb4a2", "at": "2026-11-16T15:00:00Z" },
        ])
    );
}

/// What is said clause by clause, and whether each of them stays.
fn stays(clauses: &[&str]) -> Vec<bool> {
    let mut before = String::new();
    let tell = |clause: &&str| {
        let stays = tells_secret(&before, clause);
        say_behind(&mut before, clause);
        stays
    };
    clauses.iter().map(tell).collect()
}

#[test]
fn a_secret_stays_here_whose_sentence_is_said_in_clauses() {
    assert_eq!(
        stays(&["Your PIN,", "the one from Monday's mail,", "is 4432."]),
        [false, false, true]
    );
    assert_eq!(stays(&["The code for the door", "is 9913."]), [false, true]);
    // What was withheld before keeps nothing from being known.
    assert_eq!(
        stays(&["Your PIN is 4432,", "and the code,", "the one for the door,", "is 9913."]),
        [true, false, false, true]
    );
    assert_eq!(
        stays(&["Lunch is at 12:30,", "in room 1204,", "on 18 November,", "for $1250."]),
        [false; 4]
    );
}

#[test]
fn what_a_field_names_is_kept_whatever_stands_between() {
    for (result, expected) in [
        (
            json!({ "name": "Gate code", "shared": true, "value": "9913" }),
            json!({ "name": "Gate code", "shared": true, "value": "[withheld]" }),
        ),
        (
            json!({ "label": "PIN", "purpose": null, "type": "STRING", "value": "4432" }),
            json!({ "label": "PIN", "purpose": null, "type": "STRING", "value": "[withheld]" }),
        ),
        (
            json!({ "name": "Gate code", "note_id": "n1", "value": "9913" }),
            json!({ "name": "Gate code", "note_id": "n1", "value": "[withheld]" }),
        ),
        (
            json!({ "a": 9913, "title": "Code for the garage door", "at": "2026-11-16T15:00:00Z" }),
            json!({
                "a": "[withheld]", "title": "Code for the garage door",
                "at": "2026-11-16T15:00:00Z",
            }),
        ),
        (
            json!({ "key": "Password", "shared": false, "value": "sunflower" }),
            json!({ "key": "Password", "shared": false, "value": "[withheld]" }),
        ),
        (
            json!({ "title": "Code review", "all_day": false, "room": "1204", "seats": 1500 }),
            json!({ "title": "Code review", "all_day": false, "room": "1204", "seats": 1500 }),
        ),
        (
            json!({ "name": "Order code", "shared": true, "value": "48-392" }),
            json!({ "name": "Order code", "shared": true, "value": "48-392" }),
        ),
    ] {
        let brought =
            Message::Brought { id: "a".into(), tool: "t".into(), result: result.to_string() };
        let [Message::Brought { result, .. }] = &for_elsewhere(&[brought])[..] else {
            panic!("it is what a tool brought")
        };
        assert_eq!(serde_json::from_str::<Value>(result).unwrap(), expected);
    }
}

#[test]
fn a_secret_is_taken_out_whole_however_long_it_and_what_stands_before_it_is() {
    let key = "aB3dE6gH9j".repeat(400);
    assert_eq!(without_secrets(&format!("secret {key} ok")), "secret [withheld] ok");
    assert_eq!(without_secrets(&format!("sk-{key}.")), "[withheld].");
    let link = without_secrets(&format!("https://a.example/x/{key} ok"));
    assert_eq!(link, "https://a.example/x/[withheld] ok");
    for sign in ["/", "1 ", "a ", "pin/", "sk-", "http://", "-----BEGIN "] {
        let long = sign.repeat(4000);
        assert_eq!(without_secrets(&long), long);
    }
}
