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
