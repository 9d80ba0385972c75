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
    assert!(guard.has_words());
}

#[test]
fn json_calls_and_thoughts_never_reach_anybody() {
    for (text, expected) in [
        ("Sure. {\"tool\": \"gmail.send\", \"args\": {\"to\": [\"a}b\"]}} There.", "Sure. There."),
        ("[{\"name\": \"x\"}]Hello", "Hello"),
        ("```json\n{\"a\": 1}\n```\nHi", "Hi"),
        ("```\n{\"a\": 1}\n```Hi", "Hi"),
        ("<tool_call>{\"name\": \"x\"}</tool_call>Hi", "Hi"),
        ("<function=gmail.send>x</function>Hi", "Hi"),
        ("<think>she wants mail</think>Three mails.", "Three mails."),
        ("<|python_tag|>Hi", "Hi"),
        ("{\"half\": \"of", ""),
        ("{}", ""),
        ("Hello {\"a\": \"\\\"}\"} you", "Hello you"),
        ("<thinking>secret plan</thinking>Roses", "Roses"),
        ("so be it</think>\n\nRoses", "so be it\nRoses"),
        ("</think>\n\nRoses", "Roses"),
        ("hm</thought>Roses</reasoning>red", "hm\nRoses\nred"),
        ("hm[/THINK]Roses</seed:think>red<channel|>now", "hm\nRoses\nred\nnow"),
        ("<think>and so on", ""),
        ("<thought>hm</thought>Roses", "Roses"),
        ("[THINK]hm[/THINK]Roses", "Roses"),
        ("<seed:think>hm</seed:think>Roses", "Roses"),
        ("◁think▷hm◁/think▷Roses", "Roses"),
        ("<|channel>thought\nhm<channel|>Roses", "Roses"),
        ("<function_calls><invoke>x</invoke></function_calls>Hi", "Hi"),
        (
            "<|channel|>analysis<|message|>User wants poem<|end|><|start|>assistant\
             <|channel|>final<|message|>Roses are red.<|return|>",
            "Roses are red.",
        ),
        ("gmail__search(query='x') Roses", "Roses"),
        ("Now [gmail__search(query=\"a)b\")] then", "Now then"),
        ("gmail.send(to=\"eve@evil.com\", body=\"hi\") ok then.", "ok then."),
        ("Look: [gmail.search(query='x')]", "Look: "),
        ("[gmail.search(query='it)')] There.", "There."),
        ("print(default_api.gmail_search(query='x')) There.", "There."),
        ("default_api.gmail_search(query='x') There.", "There."),
        ("So functions.gmail__send:0 there.", "So there."),
        ("functions.gmail__send:0{\"to\": \"x\"}", ""),
        ("functions.gmail__send:0", ""),
        ("Action: gmail__search\nAction Input: {\"query\":\n\"x\"}\nThere.", "There."),
        ("Hm.\nAction: gmail.search\nAction Input: x\nThere.", "Hm.\nThere."),
        ("Action: gmail__search", ""),
        (
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>gmail__search\n\
             ```json\n{\"q\":1}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>Roses",
            "Roses",
        ),
        ("‹｜tool▁call▁begin｜›gmail__search‹｜tool▁call▁end｜›Roses", "Roses"),
        ("Roses.<｜end▁of▁sentence｜>", "Roses."),
        (
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.gmail__search:0\
             <|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>Roses",
            "Roses",
        ),
        ("call:gmail__search{query:<escape>x<escape>} Roses", "Roses"),
        (
            "<start_function_call>call:gmail__search{query:<escape>x<escape>}<end_function_call>Roses",
            "Roses",
        ),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn signs_that_nobody_sees_reach_nobody() {
    let text = "Pay \u{202e}moc.elpmaxe\u{202c} \u{2066}now\u{2069}.\r\n\u{1b}[31mRed\u{7}\u{0}\tit is\u{9b}.";
    assert_eq!(shown(text), "Pay moc.elpmaxe now.\n[31mRed\tit is.");
    assert_eq!(
        shown("I\u{200b}'ve \u{202d}sent it. שלום, \u{200f}Ana"),
        "I\u{200b}'ve sent it. שלום, \u{200f}Ana"
    );
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
        "Use print(x) or print(tools) there.",
        "Call os.path.join(a, b), or str.split(',').",
        "In Python, math.sqrt(2) is 1.41.",
        "At 3.30 p.m. (local time), e.g. (at the latest) at five.",
        "See https://calendar.example.com/a(b)?x=1 or mail.example.com (the old one).",
        "I read your gmail. (It was short.)",
        "Your calendar (the blue one) and your memory: both fine.",
        "The call: at nine. Call: nine.",
        "Action: call Tom on Monday.",
        "Actions speak louder.",
        "Act",
        "It is 9:30 in tools:3 and in calendar.",
        "‹Salut›, she said | and left.",
        "gmail",
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
    assert_eq!(shown("Maya, I've sent it."), "Maya, …");
    // What was looked up may be told.
    let found = "The invoice was sent to Ana last week.";
    assert_eq!(shown(found), "");
    let mut knowing = Guard::knowing();
    assert_eq!(knowing.take(found) + &knowing.finish(), found);
    let mut knowing = Guard::knowing();
    assert_eq!(knowing.take("I've sent it.") + &knowing.finish(), "");
    assert_eq!(shown("I've sent it. Anything else?"), "Anything else?");
}

#[test]
fn a_call_is_found_wherever_it_is_cut() {
    for call in [
        "gmail.send(to=\"eve\")",
        "print(default_api.x(1))",
        "call:gmail__search{a:1}",
        "functions.gmail__send:0",
        "‹｜tool▁call▁begin｜›x‹｜tool▁call▁end｜›",
    ] {
        let text = format!("So {call} there.");
        for (at, _) in text.char_indices() {
            let cut = guard(&[&text[..at], &text[at..]]).0;
            // Two letters of a word that were shown cannot be taken back.
            let is_short = cut.len() <= "So gm there.".len();
            assert!(cut.starts_with("So ") && cut.ends_with("there.") && is_short, "{cut}");
        }
    }
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
