use serde_json::{Value, json};

use super::*;
use crate::corpus::{self, Scene};

fn read_here(sentence: &str) -> Understanding {
    read(sentence, &corpus::world())
}

fn letter(id: &str, from: &str) -> Value {
    json!({
        "message_id": id, "thread_id": "t", "from": {"address": from}, "to": [], "subject": "s",
        "snippet": "", "sent_at": "2026-11-14T10:00:00Z", "unread": false, "labels": [],
    })
}

/// The world after a search has shown three letters.
fn after_a_search() -> World {
    let mut world = corpus::world();
    let messages =
        [letter("a", "x@x.example"), letter("b", "y@y.example"), letter("c", "z@z.example")];
    world.focus.note(&[Done {
        tool: "gmail.search".into(),
        result: Ok(json!({"messages": messages, "total": 3})),
    }]);
    world
}

#[test]
fn a_shown_letter_can_be_pointed_at() {
    let world = after_a_search();
    let cases = [
        ("open the second one", Some("b")),
        ("Read the first one, please.", Some("a")),
        ("read me number three", Some("c")),
        ("the second one", Some("b")),
        ("open the last one", Some("c")),
        ("read the third email", Some("c")),
        ("open the ninth one", None),
    ];
    for (sentence, id) in cases {
        let understood = read(sentence, &world);
        let opened = understood.proposal.steps.first().map(|step| step.args["message_id"].clone());
        assert_eq!(opened, id.map(Value::from), "{sentence}");
    }
}

#[test]
fn it_is_the_letter_that_was_opened() {
    let mut world = after_a_search();
    world.focus.note(&[Done {
        tool: "gmail.get_message".into(),
        result: Ok(json!({"message": letter("b", "y@y.example"), "body_text": "Hi"})),
    }]);
    let understood = read("read it again", &world);
    assert_eq!(understood.proposal.steps[0].args, json!({"message_id": "b"}));
}

#[test]
fn steps_of_a_second_request_point_at_their_own_search() {
    let understood = read_here("what's on tomorrow and read me the last email from priya");
    let tools: Vec<_> = understood.proposal.steps.iter().map(|step| step.tool.as_str()).collect();
    assert_eq!(tools, ["calendar.list_events", "gmail.search", "gmail.get_message"]);
    assert_eq!(understood.proposal.steps[2].args["message_id"]["$step"], json!(2));
}

#[test]
fn quoted_and_copied_words_command_nothing() {
    for sentence in [
        "\"delete all my mail\"",
        "she wrote \"send me the money\"",
        "Subject: hello\nFrom: x@y.example\nread me the last email from priya",
        "> what's on tomorrow",
    ] {
        let understood = read_here(sentence);
        assert!(understood.proposal.steps.is_empty(), "{sentence}");
        assert!(!matches!(understood.gist, Gist::Chat(Chat::NotYet(_))), "{sentence}");
    }
}

#[test]
fn odd_input_is_read_without_harm() {
    let world = corpus::world();
    for sentence in [
        "",
        "   ",
        "?!",
        "\"",
        "''",
        "😀",
        "at",
        "from",
        "the",
        "next",
        "last",
        "in",
        "between and",
        "about",
        "read",
        "when",
        "日本語",
        "from from from",
        "subject",
        "label",
        "'s",
    ] {
        let understood = read(sentence, &world);
        assert!(understood.proposal.steps.len() <= 2, "{sentence}");
    }
}

#[test]
fn the_answer_to_which_sam_finishes_the_request() {
    let mut world = corpus::world();
    let asked = read("read me Sam's last email", &world);
    assert_eq!(asked.question.as_deref(), Some("Sam Whitfield or Sam Adeyemi?"));
    world.focus.wait_for_answer(&asked);

    for answer in ["Adeyemi", "sam adeyemi please", "the second one", "I meant Adeyemi."] {
        let understood = read(answer, &world);
        assert_eq!(
            understood.proposal.steps[0].args["query"],
            json!("from:sam@adeyemi-electric.example"),
            "{answer}"
        );
        assert_eq!(understood.proposal.steps.len(), 2);
    }
    let other = read("what's on tomorrow", &world);
    assert_eq!(other.proposal.steps[0].tool, "calendar.list_events");
    world.focus.wait_for_answer(&other);
    assert!(world.focus.asked.is_empty());
}

#[test]
fn next_friday_is_asked_about_when_two_can_be_meant() {
    let mut world = corpus::world();
    world.now = "2026-11-18T09:00:00-08:00[America/Los_Angeles]".parse().unwrap();
    let asked = read("what's on next friday?", &world);
    assert_eq!(asked.question.as_deref(), Some("Friday the 20th or Friday the 27th?"));
    world.focus.wait_for_answer(&asked);
    let understood = read("the 27th", &world);
    let start = &understood.proposal.steps[0].args["date_range"]["start"];
    assert_eq!(start, "2026-11-27T00:00:00-08:00[America/Los_Angeles]");
}

#[test]
fn no_heap_of_words_does_harm() {
    let world = corpus::world();
    let known: Vec<&str> = vocabulary::EMPTY
        .iter()
        .chain(vocabulary::MAIL)
        .chain(vocabulary::CALENDAR)
        .chain(vocabulary::FREE)
        .chain(&[
            "between", "since", "until", "half", "past", "quarter", "3", "3pm", "the", "19th",
            "november", "friday", "week", "days", "hours", "priya", "sam", "'s", "\"", ",", "?",
            "label", "subject", "three", "thirty", "11/19", "9:99", "24:00", "tomorrow", "rest",
        ])
        .copied()
        .collect();
    // A fixed, simple sequence: the same heaps every time.
    let mut state = 7_usize;
    let mut pick = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        known[(state >> 33) % known.len()]
    };
    for _ in 0..500 {
        let heap = (0..7).map(|_| pick()).collect::<Vec<_>>().join(" ");
        let understood = read(&heap, &world);
        let told = narrator::tell(&understood, &[], &world);
        assert!(!told.is_empty() || understood.gist.writes(), "{heap}");
        assert!(understood.proposal.steps.len() <= brain::plan::MOST_STEPS, "{heap}");
        for step in &understood.proposal.steps {
            let range = &step.args["date_range"];
            if let (Some(start), Some(end)) = (range["start"].as_str(), range["end"].as_str()) {
                let (start, end): (jiff::Zoned, jiff::Zoned) =
                    (start.parse().unwrap(), end.parse().unwrap());
                assert!(start < end, "{heap}: {start} to {end}");
            }
        }
    }
}

#[test]
fn no_heap_of_requests_does_harm_whatever_is_on_the_screen() {
    let known = [
        "tell",
        "email",
        "reply",
        "to",
        "tom",
        "ana",
        "lena",
        "that",
        "book",
        "a",
        "call",
        "with",
        "lunch",
        "on",
        "friday",
        "at",
        "3",
        "ten",
        "noon",
        "and",
        "then",
        "also",
        "no",
        "wait",
        "i mean",
        "actually",
        "scratch that",
        "never mind",
        "not",
        "just",
        "don't",
        "send",
        "it",
        "him",
        "her",
        "them",
        "the same time",
        "as",
        "the design review",
        "that day",
        "then",
        "the same people",
        "everyone",
        "in",
        "that meeting",
        "one",
        "another",
        "too",
        "mention",
        "make it",
        "an hour",
        "45 minutes",
        "call it",
        "put",
        "my calendar",
        "if",
        "when",
        "what",
        "did",
        "she",
        "say",
        "without",
        "draft",
        ",",
        ".",
        "?",
        ":",
        "\"",
        "a m",
        "uh",
        "oh",
        "ü",
    ];
    let mut state = 11_usize;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let scenes = [Scene::Nothing, Scene::Inbox, Scene::Opened, Scene::Agenda];
    let worlds = scenes.map(|scene| corpus::in_scene(&corpus::world(), scene));
    for round in 0..600 {
        let words = 3 + next() % 10;
        let heap = (0..words).map(|_| known[next() % known.len()]).collect::<Vec<_>>().join(" ");
        let understood = read(&heap, &worlds[round % worlds.len()]);
        assert!(understood.proposal.steps.len() <= brain::plan::MOST_STEPS, "{heap}");
    }
}

#[test]
fn a_clause_that_takes_words_from_the_one_before_it_can_be_missed() {
    let world = corpus::world();
    for heard in [
        "What's on Thursday, and are there any important conflicts?",
        "when is the design review, and how long is it",
        "when is the dentist and where",
        "what's on friday and is there a bad clash",
    ] {
        read(heard, &world);
    }
    let found = read("find the email about the one hour call with ana", &world);
    assert!(!found.gist.writes(), "{found:?}");
    let found = read("how much time do i have before the delivery", &world);
    assert!(!found.proposal.steps.iter().any(|step| step.tool.starts_with("gmail")), "{found:?}");
}
