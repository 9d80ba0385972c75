//! Commands without a person at the keyboard: they show cards and approve none,
//! unless told which.

use serde_json::{Value, json};

use crate::client::Client;
use crate::house::{House, Ran, run, run_with};
use crate::say_so::{PRIYA, ask, ask_in, assert_not_sent, post, refusals};

const REPLY: &str = "reply to Priya Nair that Thursday works";
const BOOK: &str = "put lunch with Tom on Friday at noon";
/// What a reply to Priya is about in the sample mailbox.
const SUBJECT: &str = "Re: Q4 numbers, first pass";

fn chat(house: &House, words: &[&str], lines: &str) -> Ran {
    let url = house.url();
    run_with(&[&["chat", "--server", &url], words].concat(), &[], lines)
}

fn say(house: &House, words: &[&str]) -> Ran {
    let url = house.url();
    run(&[&["say", "--server", &url], words].concat())
}

/// Mails to Priya that went out just now.
fn replies(house: &House) -> usize {
    let args = json!({ "query": format!("in:sent to:{PRIYA}"), "max_results": 50 });
    let answer = post(house, "/tools/run", &json!({ "tool_name": "gmail.search", "args": args }));
    let messages = answer.json()["output"]["messages"].as_array().unwrap().clone();
    let is_ours = |mail: &&Value| mail["snippet"].as_str().unwrap().contains("Thursday works");
    messages.iter().filter(is_ours).count()
}

#[test]
fn a_pipe_never_approves_whatever_it_says() {
    for answer in ["y", "Y", "y 1", "yes", "yes, send it", "e", "", "send it\ny\nyes"] {
        let house = House::open();

        let ran = chat(&house, &[], &format!("{REPLY}\n{answer}\n"));

        assert_eq!(ran.code, 4, "{answer}: {ran:?}");
        assert!(ran.out.contains("Send this reply?"), "{}", ran.out);
        assert!(ran.out.contains(PRIYA) && ran.out.contains(SUBJECT), "{}", ran.out);
        assert!(ran.err.contains("sayso chat --session"), "{}", ran.err);
        assert_eq!(replies(&house), 0, "{answer}");
    }
}

#[test]
fn a_pipe_can_say_no() {
    let house = House::open();

    let ran = chat(&house, &[], &format!("{REPLY}\nn\nhello\n"));

    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("you    hello"), "it talks on: {}", ran.out);
    assert_eq!(replies(&house), 0);
}

#[test]
fn a_letter_is_a_word_while_no_card_is_open() {
    let house = House::open();
    let ran = chat(&house, &[], "y\n");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("you    y"), "{}", ran.out);
}

#[test]
fn say_shows_the_card_exits_with_4_and_leaves_it_open() {
    let house = House::open();

    let ran = say(&house, &[REPLY]);

    assert_eq!(ran.code, 4, "{ran:?}");
    assert!(ran.out.contains("Send this reply?") && ran.out.contains(PRIYA), "{}", ran.out);
    assert!(ran.err.contains("nothing was done"), "{}", ran.err);
    assert_eq!(replies(&house), 0);
    let session = ran.err.split_whitespace().find(|word| word.starts_with("sess_")).unwrap();
    let again = chat(&house, &["--session", session], "");
    assert!(again.out.contains("Send this reply?"), "{}", again.out);
    assert_eq!(again.code, 4);
}

#[test]
fn say_with_json_ends_with_the_card() {
    let house = House::open();

    let ran = say(&house, &["--json", REPLY]);

    assert_eq!(ran.code, 4, "{ran:?}");
    let events: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let cards = events.iter().filter(|event| event["event_type"] == "confirmation.request");
    assert_eq!(cards.count(), 1, "{}", ran.out);
}

#[test]
fn say_does_not_talk_into_a_card_that_is_open() {
    let house = House::open();
    let card = ask(&house, "Open before");

    for words in ["yes", "yes, send it", "what is next?"] {
        let ran = say(&house, &["--session", &card.session, words]);
        assert_eq!(ran.code, 4, "{ran:?}");
        assert!(ran.out.contains("Open before") && ran.err.contains("nothing was said"), "{ran:?}");
        assert!(ran.err.contains("waits for a person"), "{}", ran.err);
        let way_back = format!("sayso chat --session {}", card.session);
        assert_eq!(ran.err.matches(&way_back).count(), 1, "{}", ran.err);
    }

    assert_not_sent(&house, "Open before");
    let (_, events) = Client::back(&house, &card.session).catch_up();
    assert!(events.iter().all(|event| event["event_type"] != "input_transcript.final"));
}

#[test]
fn approve_says_yes_to_its_types_and_to_nothing_else() {
    let house = House::open();

    let other = say(&house, &["--approve", "create_event", REPLY]);
    assert_eq!(other.code, 4, "{other:?}");
    assert_eq!(replies(&house), 0);

    let sent = say(&house, &["--approve", "create_event,send_email", REPLY]);
    assert_eq!(sent.code, 0, "{sent:?}");
    assert!(sent.out.contains("Sent"), "{}", sent.out);
    assert_eq!(replies(&house), 1);

    let booked = chat(&house, &["--approve", "create_event"], &format!("{BOOK}\nhello\n"));
    assert_eq!(booked.code, 0, "{booked:?}");
    assert!(booked.out.contains("you    hello"), "{}", booked.out);
    assert_eq!(refusals(&house), Vec::<String>::new());
}

#[test]
fn approve_is_on_record_as_nobodys_hand() {
    let house = House::open();
    assert_eq!(say(&house, &["--approve", "send_email", REPLY]).code, 0);

    let audit = run(&["audit", "--data", &house.data()]).out;

    let accepted = audit.lines().find(|line| line.contains(" accepted ")).unwrap();
    assert!(accepted.ends_with("api"), "{accepted}");
}

#[test]
fn approve_does_not_answer_for_others() {
    let house = House::open();
    let mut client = Client::new(&house);
    let session = client.session();
    ask_in(&house, &session, "Somebody else's");

    let ran = chat(&house, &["--session", &session, "--approve", "send_email"], "hello\n");

    assert!(ran.out.contains("Somebody else's"), "{}", ran.out);
    assert_not_sent(&house, "Somebody else's");
}

#[test]
fn approve_takes_types_and_no_tools() {
    for wrong in ["gmail.send", "*", "Send"] {
        let ran = run(&["say", "--approve", wrong, "hello"]);
        assert_ne!(ran.code, 0);
        assert!(ran.err.contains("send_email"), "{}", ran.err);
    }
}

#[test]
fn a_pause_is_told_to_whoever_approves() {
    let house = House::open();
    assert_eq!(run(&["pause", "--server", &house.url()]).code, 0);

    let ran = say(&house, &["--approve", "send_email", REPLY]);

    assert_ne!(ran.code, 0, "{ran:?}");
    assert_eq!(replies(&house), 0);
    assert_eq!(run(&["resume", "--server", &house.url()]).code, 0);
    let ran = say(&house, &["--approve", "send_email", REPLY]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(replies(&house), 1);
}
