use brain::facts::{Letter, Person};
use brain::resolve::keywords::Keywords;
use brain::resolve::people::Contact;
use brain::{CallError, Profile};
use serde_json::json;

use super::*;
use crate::Focus;

fn world() -> World {
    let contact = |name: &str, address: &str| Contact {
        name: name.into(),
        address: address.into(),
        nicknames: Vec::new(),
        pronouns: None,
    };
    World {
        now: "2026-11-15T10:30:00-08:00[America/Los_Angeles]".parse().unwrap(),
        profile: Profile::new("America/Los_Angeles"),
        contacts: vec![
            contact("Ana Silva", "ana@silva.example"),
            contact("Tom Berg", "tom@berg.example"),
        ]
        .into(),
        keywords: Keywords::default(),
        focus: Focus::default(),
    }
}

fn last_words(messages: &[Message]) -> &str {
    match messages.last() {
        Some(Message::Person(text)) => text,
        other => panic!("{other:?}"),
    }
}

fn call(tool: &str, args: Value) -> Call {
    Call { id: "c".into(), tool: tool.into(), args }
}

#[test]
fn only_people_who_are_named_leave_the_machine() {
    let messages = begin("tell Ana I'm running late", &[], &world(), Beside::default());
    let text = last_words(&messages);
    assert!(text.contains("ana@silva.example") && !text.contains("tom@"), "{text}");
    assert!(text.contains("Sunday, 2026-11-15T10:30:00-08:00"), "{text}");
}

#[test]
fn what_was_said_last_and_shown_last_is_known() {
    let mut world = world();
    world.focus.letters = [Letter {
        message_id: "m1".into(),
        thread_id: "t1".into(),
        from: Person { name: Some("Ana".into()), address: "ana@silva.example".into() },
        to: Vec::new(),
        cc: Vec::new(),
        subject: "Budget".into(),
        snippet: "secret words".into(),
        sent_at: "2026-11-15T10:00:00Z".parse().unwrap(),
        unread: true,
        labels: Vec::new(),
    }]
    .into();
    let talk = [(false, "any mail?".to_owned()), (true, "One from Ana.".to_owned())];
    let messages =
        begin("what does she want", &before(talk.into_iter()), &world, Beside::default());
    assert_eq!(messages.len(), 3);
    let text = last_words(&messages);
    assert!(text.contains("mail m1 of thread t1") && !text.contains("secret"), "{text}");
}

#[test]
fn what_waits_for_a_yes_and_what_the_rules_looked_up_is_known_and_who_asks() {
    let mut world = world();
    world.profile.address = Some("maya@lindqvist.example".into());
    let looked = |brought| Looked {
        tool: "gmail.search".into(),
        args: json!({ "query": "forgetting" }),
        brought,
    };
    let looked =
        [looked(json!({ "messages": [], "total": 0 })), looked(json!({ "messages": ["one"] }))];
    let waiting = ["the mail to Tom".to_owned()];
    let beside = Beside { waiting: &waiting, looked: &looked };
    let messages = begin("what am I forgetting", &[], &world, beside);
    let text = last_words(&messages);
    for line in [
        "Their own address: maya@lindqvist.example\n",
        "waits for their yes: the mail to Tom\n",
        "already: gmail__search {\"query\":\"forgetting\"}: nothing was found that way\n",
        "already: gmail__search {\"query\":\"forgetting\"}: {\"messages\":[\"one\"]}\n",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert_eq!(sentence_in(text), "what am I forgetting");
}

#[test]
fn what_we_say_meanwhile_is_nothing_that_a_model_said() {
    let talk = [
        (false, "why is the sky blue".to_owned()),
        (true, "Let me think about that. Still thinking. Because of the air.".to_owned()),
        (false, "and at night".to_owned()),
        (true, "Let me see what I can do.".to_owned()),
    ];
    let told = before(talk.into_iter());
    let answer = Message::Model {
        text: "Because of the air.".into(),
        calls: Vec::new(),
        thoughts: Thoughts::default(),
    };
    let person = |text: &str| Message::Person(text.to_owned());
    assert_eq!(told, [person("why is the sky blue"), answer, person("and at night")]);
}

#[test]
fn what_was_said_before_takes_turns_begins_with_the_person_and_is_bounded() {
    let said = |is_ours: bool, text: &str| (is_ours, text.to_owned());
    let talk = [
        said(true, "Hello."),
        said(false, "give me three ideas"),
        said(true, "A hike, a dinner, a boat."),
        said(false, "um"),
        said(false, "which is the cheapest?"),
        said(true, "The hike."),
    ];
    let told: Vec<String> = before(talk.into_iter())
        .into_iter()
        .map(|message| match message {
            Message::Person(text) => format!("they: {text}"),
            Message::Model { text, .. } => format!("we: {text}"),
            Message::Brought { .. } => panic!("nothing was looked up"),
        })
        .collect();
    let expected = [
        "they: give me three ideas",
        "we: A hike, a dinner, a boat.",
        "they: um\nwhich is the cheapest?",
        "we: The hike.",
    ];
    assert_eq!(told, expected);

    let long = (0..40).map(|at| said(at % 2 == 1, &"word ".repeat(400)));
    let told = before(long.collect::<Vec<_>>().into_iter());
    let length = |message: &Message| match message {
        Message::Person(text) | Message::Model { text, .. } => text.len(),
        Message::Brought { .. } => panic!("nothing was looked up"),
    };
    let all: usize = told.iter().map(length).sum();
    assert!((3_000..=6_100).contains(&all), "{all}");
}

#[test]
fn a_mail_that_was_opened_is_read_nearly_whole_and_whoever_reads_knows_what_is_missing() {
    let body = "word ".repeat(600) + "THE END: pay 500.";
    let whole = snippet(&json!({ "message": { "body_text": body } }));
    assert!(whole.contains("THE END: pay 500."), "{whole}");
    let longer = snippet(&json!({ "message": { "body_text": "word ".repeat(2_000) } }));
    assert!(longer.contains("[cut here: 4000 of 10000 characters]"), "{longer}");
    let many: Vec<Value> = (0..50).map(|_| json!({ "text": "word ".repeat(200) })).collect();
    let few = snippet(&json!({ "mails": many }));
    assert!(few.len() <= 6_000, "{}", few.len());
    let read: Value = serde_json::from_str(&few).expect("whole");
    assert!(read["mails"].as_array().is_some_and(|mails| mails.len() >= 4), "{few}");
}

#[test]
fn of_what_tools_brought_only_the_first_words_leave() {
    let long = "word ".repeat(1_000);
    let done = [
        Done { tool: "gmail.search".into(), result: Ok(json!({ "mails": [{ "text": long }] })) },
        Done {
            tool: "gmail.send".into(),
            result: Err(CallError { code: "no".into(), message: "m".into(), retryable: false }),
        },
    ];
    let calls = [
        call("gmail.search", json!({})),
        call("calendar.create_event", json!({})),
        call("gmail.send", json!({})),
    ];
    let messages = brought("", &calls, &Thoughts::default(), &done);
    let results: Vec<_> = messages
        .iter()
        .filter_map(|message| match message {
            Message::Brought { result, .. } => Some(result.as_str()),
            _ => None,
        })
        .collect();
    assert!(results[0].len() < 500 && results[0].contains("…"), "{}", results[0]);
    assert!(results[1].contains("asked before"));
    assert_eq!(results[2], "{\"error\":\"no\"}");
}

#[test]
fn a_question_comes_before_any_step() {
    let asks = call(ASK, json!({ "question": "Ana Silva\nor Ana Berg? {\"x\": 1}" }));
    let calls = vec![call("gmail.send", json!({})), asks];
    let understanding = understood(&Answer { calls, ..Answer::default() });
    assert_eq!(understanding.question.as_deref(), Some("Ana Silva or Ana Berg?"));
    assert!(understanding.proposal.steps.is_empty());
}

#[test]
fn an_empty_question_is_none() {
    let calls = vec![call(ASK, json!({ "question": " " }))];
    let understanding = understood(&Answer { calls, ..Answer::default() });
    assert!(understanding.question.is_none() && understanding.proposal.steps.is_empty());
}

#[test]
fn what_is_mused_is_thought_about_and_what_is_asked_for_is_gone_about() {
    for heard in ["imagine a world without email", "the meeting was fun", "should we move"] {
        assert_eq!(acknowledgement(heard), asides::TO_A_QUESTION, "{heard}");
    }
    assert_eq!(acknowledgement("handle the invoice"), asides::TO_A_REQUEST);
}

#[test]
fn an_acknowledgement_has_eight_words_at_most() {
    for heard in ["what's up with Mars", "plan my week", "", "you sure?"] {
        assert!(acknowledgement(heard).split(' ').count() <= 8);
    }
}

#[test]
fn the_sentence_can_be_told_without_what_it_may_be_about() {
    let messages = begin("why is that?", &[], &world(), Beside::default());
    assert_eq!(sentence_in(last_words(&messages)), "why is that?");
    assert_eq!(sentence_in("Say hello."), "Say hello.");
}

#[test]
fn of_a_question_that_is_too_long_what_is_asked_is_heard() {
    let asked = |question: &str| {
        let calls = vec![call(ASK, json!({ "question": question }))];
        understood(&Answer { calls, ..Answer::default() }).question.unwrap_or_default()
    };
    let news = "From Priya, “Q4 numbers”. ".repeat(10);
    assert_eq!(
        asked(&format!("{news}Who is “him”: Sam or Leo?")).split(". ").last(),
        Some("Who is “him”: Sam or Leo?")
    );
    assert!(asked(&format!("{news}Who is “him”: Sam or Leo?")).chars().count() <= LONGEST_QUESTION);
    assert_eq!(asked("Ana. Or Tom?"), "Ana. Or Tom?");

    let endless = format!("Which of them, {}Zoe?", "Ana Silva, ".repeat(40));
    let cut = asked(&endless);
    assert!(cut.starts_with("Which of them, Ana Silva, ") && cut.ends_with("Ana…?"), "{cut}");
    assert!(cut.chars().count() <= LONGEST_QUESTION, "{cut}");
}

#[test]
fn only_whoever_is_named_is_told_of_and_no_subject_passes_for_the_sentence() {
    let mut world = world();
    let contact = |name: &str, nicknames: &[&str]| Contact {
        name: name.into(),
        address: format!(
            "{}@example.com",
            name.split(' ').next().unwrap_or_default().to_lowercase()
        ),
        nicknames: nicknames.iter().map(|&nickname| nickname.to_owned()).collect(),
        pronouns: None,
    };
    world.contacts = vec![
        contact("Helen Cho", &["the dentist"]),
        contact("Will Stone", &[]),
        contact("Ana Silva", &[]),
    ]
    .into();
    world.profile.name = Some("Maya Lindqvist".into());
    let told = |heard: &str| last_words(&begin(heard, &[], &world, Beside::default())).to_owned();

    assert!(!told("why is the sky blue, and will it stay?").contains("Known to them"));
    assert!(told("what does the dentist want").contains("helen@example.com"));
    assert!(told("ask Will about it").contains("will@example.com"));
    assert!(told("what would ana say").contains("ana@example.com"));
    assert!(told("hello there").contains("The person's name: Maya\n"));
}
