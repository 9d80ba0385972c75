use proptest::prelude::*;

use super::*;

fn guard(pieces: &[&str]) -> (String, Guard) {
    let mut guard = Guard::default();
    let mut shown: String = pieces.iter().map(|piece| guard.take(piece)).collect();
    shown.push_str(&guard.finish());
    (shown, guard)
}

fn shown(text: &str) -> String {
    guard(&[text]).0
}

#[test]
fn words_pass_as_they_come() {
    let mut guard = Guard::default();
    for piece in ["Paris", " is", " the", " capital", " of", " France", "."] {
        assert_eq!(guard.take(piece), piece, "nothing waits");
    }
    assert!(guard.has_words() && guard.removed() == 0);
}

#[test]
fn json_calls_and_thoughts_never_reach_anybody() {
    for (text, expected) in [
        ("Sure. {\"tool\": \"gmail.send\", \"args\": {\"to\": [\"a}b\"]}} There.", "Sure.  There."),
        ("[{\"name\": \"x\"}]Hello", "Hello"),
        ("```json\n{\"a\": 1}\n```\nHi", "\nHi"),
        ("```\n{\"a\": 1}\n```Hi", "Hi"),
        ("<tool_call>{\"name\": \"x\"}</tool_call>Hi", "Hi"),
        ("<function=gmail.send>x</function>Hi", "Hi"),
        ("<think>she wants mail</think>Three mails.", "Three mails."),
        ("<|python_tag|>Hi", "Hi"),
        ("{\"half\": \"of", ""),
        ("{}", ""),
        ("Hello {\"a\": \"\\\"}\"} you", "Hello  you"),
        ("<thinking>secret plan</thinking>Roses", "Roses"),
        ("so be it</think>Roses", "so be itRoses"),
        ("<function_calls><invoke>x</invoke></function_calls>Hi", "Hi"),
        (
            "<|channel|>analysis<|message|>User wants poem<|end|><|start|>assistant\
             <|channel|>final<|message|>Roses are red.<|return|>",
            "Roses are red.",
        ),
        ("gmail__search(query='x') Roses", " Roses"),
        ("Now [gmail__search(query=\"a)b\")] then", "Now  then"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
        assert!(guard(&[text]).1.removed() > 0, "{text}");
    }
}

#[test]
fn what_only_looks_like_it_stays() {
    for text in [
        "Use {name} there.",
        "See [1] and [two].",
        "3 < 4 and a <b.",
        "```python\nprint(1)\n``` is code.",
        "He wrote `ls` there.",
        "Python has __init__ and f(x)",
        "It ends in __init__",
        "See [two",
    ] {
        assert_eq!(shown(text), text);
    }
}

#[test]
fn what_was_done_is_not_a_model_s_to_say() {
    for text in [
        "I've sent the email to Ana.",
        "I have booked lunch for Friday!",
        "Done.",
        "Sent!",
        "Okay, I scheduled it.",
        "Your meeting has been booked for Friday.",
        "The mail has been sent.",
        "It's now deleted.",
        "All set, I've sent the email to Ana.",
        "You're all set!",
        "Great, your meeting with Ana has been booked for noon.",
        "Absolutely, I just sent that email for you.",
        "No problem: the mail was sent to Ana.",
        "It was sent.",
        "Consider it sent to Ana",
        "Both meetings were successfully moved.",
    ] {
        let (shown, guard) = guard(&[text]);
        assert_eq!(shown.trim(), "", "{text}");
        assert!(guard.has_claimed() && !guard.has_words(), "{text}");
    }
    for text in [
        "I haven't sent anything.",
        "I can send it if you like.",
        "The mail you sent on Friday is the last one.",
        "Ana sent it on Tuesday.",
        "The meeting was moved to three by Tom, says the mail.",
        "Once it is confirmed I'll have sent it.",
        "Not done.",
        "Once you say yes, the mail is now sent.",
        "Great question: the sky is blue.",
        "There are three of them, all good.",
        "All of them are from Ana.",
        "Good, and you?",
    ] {
        assert_eq!(shown(text), text);
    }
    assert_eq!(shown("Maya, I've sent it."), "Maya, ");
    // What was looked up may be told.
    let found = "The invoice was sent to Ana last week.";
    assert_eq!(shown(found), "");
    let mut knowing = Guard::knowing();
    assert_eq!(knowing.take(found) + &knowing.finish(), found);
    let mut knowing = Guard::knowing();
    assert_eq!(knowing.take("I've sent it.") + &knowing.finish(), "");
    assert_eq!(shown("I've sent it. Anything else?"), " Anything else?");
}

#[test]
fn nothing_is_no_words() {
    assert!(!guard(&["", "  ", "\n"]).1.has_words());
    assert!(!guard(&["{\"steps\": []}"]).1.has_words());
}

#[test]
fn however_much_comes_little_is_held_back() {
    for flood in [" ", "I ", ". ", "-", "the\n", "_", "[a"] {
        let mut guard = Guard::default();
        guard.take(&flood.repeat(20_000));
        guard.take(&format!("I{}", flood.repeat(20_000)));
        assert!(format!("{guard:?}").len() < 1_000, "{flood}");
    }
}

proptest! {
    #[test]
    fn where_it_is_cut_makes_no_difference(
        text in "([a-z ]{0,8}|\\{\"a\": \"[}{]?\"\\}|<think>x</think>|\\. |I've sent it\\. |é|```json\n\\[1\\]\n```){0,8}",
        cuts in prop::collection::vec(0_usize..120, 0..6),
    ) {
        let mut ends: Vec<_> =
            cuts.iter().map(|at| text.floor_char_boundary((*at).min(text.len()))).collect();
        ends.sort_unstable();
        ends.push(text.len());
        let (mut from, mut pieces) = (0, Vec::new());
        for end in ends {
            pieces.push(&text[from..end]);
            from = end;
        }
        prop_assert_eq!(guard(&pieces).0, shown(&text));
    }
}
