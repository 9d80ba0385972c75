//! The commands, as a person or a script types them.

use serde_json::Value;
use tempfile::TempDir;

use crate::client::Client;
use crate::event::{kind, kinds, one, text};
use crate::house::{House, run, run_with};

const COMMANDS: [&str; 10] =
    ["serve", "chat", "say", "understand", "profile", "audit", "pause", "resume", "keys", "doctor"];
/// Nobody listens there.
const NOBODY: &str = "http://127.0.0.1:1";

#[test]
fn say_prints_the_answer_and_nothing_else() {
    let house = House::open();

    let said = run(&["say", "--server", &house.url(), "What meetings do I have tomorrow?"]);

    assert_eq!(said.code, 0, "{}", said.err);
    assert!(!said.out.trim().is_empty());
    assert_eq!(said.err, "");
    assert_no_colour(&said.out);
}

#[test]
fn say_joins_words_that_were_not_quoted() {
    let house = House::open();

    let said = run(&["say", "--json", "--server", &house.url(), "any", "new", "mail?"]);

    let events = json_lines(&said.out);
    assert_eq!(text(one(&events, "input_transcript.final")), "any new mail?");
}

#[test]
fn say_with_json_prints_one_envelope_a_line_up_to_the_end_of_the_turn() {
    let house = House::open();

    let said = run(&["say", "--json", "--server", &house.url(), "any new mail from Priya?"]);

    assert_eq!(said.code, 0, "{}", said.err);
    let events = json_lines(&said.out);
    assert_eq!(kinds(&events)[0], "turn.start");
    assert_eq!(kind(events.last().unwrap()), "turn.end");
    for event in &events {
        for field in ["event_id", "ts", "session_id", "epoch", "role", "payload"] {
            assert!(!event[field].is_null(), "{field} is missing in {event}");
        }
    }
}

#[test]
fn say_goes_on_with_a_session_and_prints_only_the_new_answer() {
    let house = House::open();
    let mut client = Client::new(&house);
    let session = client.session();
    client.turn("What meetings do I have tomorrow?");

    let said =
        run(&["say", "--json", "--server", &house.url(), "--session", &session, "any new mail?"]);

    let events = json_lines(&said.out);
    assert_eq!(text(one(&events, "input_transcript.final")), "any new mail?");
    assert!(events.iter().all(|event| event["session_id"] == session.as_str()));
}

#[test]
fn a_server_is_found_by_host_and_port_alone() {
    let house = House::open();
    let ran = run(&["say", "--server", &house.address().to_string(), "hello"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let wrong = run(&["say", "--server", "ftp://127.0.0.1:1", "hello"]);
    assert!(wrong.code != 0 && wrong.err.contains("is not an address like"), "{wrong:?}");
}

#[test]
fn say_and_chat_without_a_server_name_the_next_step() {
    for command in [&["say", "--server", NOBODY, "hello"][..], &["chat", "--server", NOBODY]] {
        let ran = run(command);
        assert_ne!(ran.code, 0);
        assert!(ran.err.contains(NOBODY) && ran.err.contains("sayso serve"), "{}", ran.err);
        assert_eq!(ran.out, "");
    }
}

#[test]
fn say_with_something_that_cannot_be_said_fails_with_3_and_says_why() {
    let house = House::open();
    for (words, reason) in [(" ".to_owned(), "empty_text"), ("x".repeat(8_001), "text_too_long")] {
        let ran = run(&["say", "--server", &house.url(), &words]);
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(ran.err.contains(reason), "{}", ran.err);
        assert_eq!(ran.out, "");
    }
}

#[test]
fn say_to_a_session_that_does_not_exist_says_so() {
    let house = House::open();
    let unknown = format!("sess_{}", "0".repeat(32));

    let ran = run(&["say", "--server", &house.url(), "--session", &unknown, "hello"]);

    assert_ne!(ran.code, 0);
    assert!(ran.err.contains("unknown session"), "{}", ran.err);
}

#[test]
fn chat_through_a_pipe_prints_both_sides_without_colours() {
    let house = House::open();

    let chat =
        run_with(&["chat", "--server", &house.url()], &[], "hello\n\nany new mail from Priya?\n");

    assert_eq!(chat.code, 0, "{}", chat.err);
    let sides: Vec<_> =
        chat.out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let says = |who: &str| sides.iter().filter(|side| **side == who).count();
    assert_eq!(says("you"), 2, "{}", chat.out);
    assert!(says("sayso") >= 2, "{}", chat.out);
    assert!(chat.out.contains("you    any new mail from Priya?"), "{}", chat.out);
    assert_no_colour(&chat.out);
}

#[test]
fn chat_that_comes_back_shows_what_was_said_before() {
    let house = House::open();
    let mut client = Client::new(&house);
    let session = client.session();
    let turn = client.turn("What meetings do I have tomorrow?");

    let chat = run_with(
        &["chat", "--server", &house.url(), "--session", &session],
        &[],
        "/session\n/help\n/quit\nnever said\n",
    );

    assert_eq!(chat.code, 0, "{}", chat.err);
    assert!(chat.out.contains("What meetings do I have tomorrow?"), "{}", chat.out);
    let answer = text(one(&turn, "assistant_text.final")).lines().next().unwrap().to_owned();
    assert!(chat.out.contains(&answer), "{}", chat.out);
    assert!(chat.out.contains(&format!("sayso chat --session {session}")), "{}", chat.out);
    assert!(!chat.out.contains("never said"), "{}", chat.out);
}

#[test]
fn the_help_of_every_command_teaches() {
    let whole = run(&["--help"]);
    assert_eq!(whole.code, 0);
    assert!(whole.out.contains("Examples:"), "{}", whole.out);
    for command in COMMANDS {
        assert!(whole.out.contains(command), "{command} is missing: {}", whole.out);
        let help = run(&[command, "--help"]);
        assert_eq!(help.code, 0, "{command}");
        assert!(help.out.contains(&format!("Usage: sayso {command}")), "{}", help.out);
        let first = help.out.lines().next().unwrap_or_default();
        let explains = first.split_whitespace().count() >= 5;
        assert!(help.out.contains("Examples:") || explains, "{}", help.out);
    }
}

#[test]
fn a_command_that_does_not_exist_is_refused() {
    let ran = run(&["dance"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("dance"), "{}", ran.err);
}

#[test]
fn the_doctor_finds_a_healthy_folder_healthy() {
    let (new, mut used) = (TempDir::new().unwrap(), House::open());
    used.stop();
    for folder in [new.path().to_str().unwrap(), &used.data()] {
        let ran = run_with(&["doctor", "--data", folder], &[("SAYSO_LISTEN", "127.0.0.1:0")], "");
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.out.contains(folder), "{}", ran.out);
        assert_no_colour(&ran.out);
    }
}

#[test]
fn the_doctor_names_a_settings_file_that_is_broken() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("broken.toml");
    let file = file.to_str().unwrap();
    for mistake in ["listen = [", "lisen = '127.0.0.1:1'", "listen = 'nowhere'"] {
        std::fs::write(file, mistake).unwrap();
        let ran = run(&["doctor", "--config", file]);
        assert_ne!(ran.code, 0, "{mistake}");
        assert!(ran.out.contains(file), "{mistake}: {}", ran.out);
    }
}

#[test]
fn the_doctor_names_what_is_wrong_and_what_to_do() {
    let house = House::open();
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("sayso.db"), "this is no database, whatever its name")
        .unwrap();
    let taken = house.address().to_string();
    let held = format!("another Sayso, at {taken}, is using");
    let local = ("SAYSO_LISTEN", "127.0.0.1:0");
    let cases = [
        (house.data(), local, held.as_str()),
        (folder.path().to_str().unwrap().to_owned(), local, "not a database"),
        (
            TempDir::new().unwrap().path().to_str().unwrap().to_owned(),
            ("SAYSO_AGENT", "butler"),
            "butler",
        ),
        (house.data(), ("SAYSO_LISTEN", "0.0.0.0:8787"), "other machines"),
        (house.data(), ("SAYSO_TIME_ZONE", "Mars/Base"), "Mars/Base"),
    ];
    for (data, setting, named) in cases {
        let ran = run_with(&["doctor", "--data", &data], &[local, setting], "");
        assert_ne!(ran.code, 0, "{named}: {ran:?}");
        assert!(ran.out.contains(named) && ran.out.contains('→'), "{named}: {}", ran.out);
    }
    let ran = run_with(&["doctor", "--data", &house.data()], &[("SAYSO_LISTEN", &taken)], "");
    assert_eq!(ran.code, 0, "a running server is healthy: {ran:?}");
}

#[test]
fn serve_refuses_an_address_that_others_can_reach_while_nobody_has_a_key() {
    let folder = TempDir::new().unwrap();
    for address in ["0.0.0.0:0", "[::]:0"] {
        let ran = run(&["serve", "--listen", address, "--data", folder.path().to_str().unwrap()]);
        assert_ne!(ran.code, 0);
        assert!(ran.err.contains(address) && ran.err.contains("127.0.0.1"), "{}", ran.err);
        assert!(ran.err.contains("sayso keys create"), "{}", ran.err);
    }
}

#[test]
fn serve_refuses_an_address_that_is_taken() {
    let (house, folder) = (House::open(), TempDir::new().unwrap());
    let taken = house.address().to_string();

    let ran = run(&["serve", "--listen", &taken, "--data", folder.path().to_str().unwrap()]);

    assert_ne!(ran.code, 0);
    assert!(ran.err.contains(&taken), "{}", ran.err);
}

fn json_lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

fn assert_no_colour(out: &str) {
    assert!(!out.contains('\u{1b}'), "{out:?}");
}
