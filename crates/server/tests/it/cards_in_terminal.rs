//! `sayso chat` at a terminal: a card, and the keys on it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;
use tempfile::TempDir;

use crate::house::House;
use crate::say_so::{Asked, ask, ask_in, assert_not_sent, assert_sent_once, confirm};
use crate::terminal::Terminal;

fn at(house: &House, card: &Asked) -> Terminal {
    let mut terminal = Terminal::chat(house, &["--session", &card.session], &[]);
    let shown = terminal.until("y yes · e edit · n no · open until");
    assert!(shown.contains("Send this mail?"), "{shown}");
    assert!(shown.contains("<priya.nair@brightloom.example>  from your contacts"), "{shown}");
    assert!(shown.contains(&format!("Subject  {}", card.subject)), "{shown}");
    terminal
}

#[test]
fn y_says_yes_to_what_is_shown() {
    let house = House::open();
    let card = ask(&house, "At the keyboard");
    let mut terminal = at(&house, &card);

    terminal.type_line("y");

    terminal.until(": sent");
    assert_sent_once(&house, "At the keyboard");
}

#[test]
fn n_says_no_and_enter_says_nothing() {
    let house = House::open();
    let card = ask(&house, "Not this one");
    let mut terminal = at(&house, &card);

    terminal.type_line("");
    terminal.type_line("");
    assert_not_sent(&house, "Not this one");
    terminal.type_line("n");

    terminal.until("won't send");
    assert_not_sent(&house, "Not this one");
}

#[test]
fn words_are_read_by_the_server_and_the_card_stays() {
    let house = House::open();
    let card = ask(&house, "In words");
    let mut terminal = at(&house, &card);

    terminal.type_line("who is that going to?");
    terminal.until("It goes to Priya Nair");
    assert_not_sent(&house, "In words");
    terminal.type_line("yes, send it");

    terminal.until(": sent");
    assert_sent_once(&house, "In words");
}

#[test]
fn what_is_asked_behind_a_yes_is_shown_before_the_next_prompt() {
    let house = House::open();
    let card = ask(&house, "And more");
    let mut terminal = at(&house, &card);

    terminal.type_line("yes, and what meetings do I have tomorrow?");
    terminal.until(": sent");
    let rest = terminal.until("you    ");

    assert!(rest.contains("Checking tomorrow."), "{rest}");
    assert_sent_once(&house, "And more");
}

#[test]
fn with_two_cards_a_letter_needs_its_number() {
    let house = House::open();
    let first = ask(&house, "The first");
    let mut terminal = at(&house, &first);
    ask_in(&house, &first.session, "The second");
    terminal.until("y 2 yes · e 2 edit · n 2 no");

    terminal.type_line("y");
    let which = terminal.until("2 is the mail to Priya, The second");
    assert!(which.contains("1 is the mail to Priya, The first"), "{which}");
    terminal.type_line("y 3");
    terminal.until("No open card has that number");
    terminal.type_line("y 2");

    terminal.until(": sent");
    assert_sent_once(&house, "The second");
    assert_not_sent(&house, "The first");
}

#[test]
fn what_happens_on_another_device_is_told_while_somebody_types() {
    let house = House::open();
    let card = ask(&house, "Elsewhere");
    let mut terminal = at(&house, &card);

    assert_eq!(confirm(&house, &card, "accept", json!({ "revision": 1 })).status, 200);

    terminal.until("Answered on another device: yes");
    terminal.until(": sent");
    assert_sent_once(&house, "Elsewhere");
}

#[test]
fn a_card_that_changed_is_shown_again_with_what_changed() {
    let house = House::open();
    let card = ask(&house, "Before");
    let mut terminal = at(&house, &card);
    let edited = json!({ "revision": 1, "edited_payload": { "subject": " After " } });

    assert_eq!(confirm(&house, &card, "edit", edited).json()["status"], "changed");

    terminal.until("Subject  After  ← changed");
    terminal.type_line("y");
    terminal.until(": sent");
    assert_sent_once(&house, "After");
}

#[test]
fn e_opens_the_editor_and_what_is_saved_is_sent() {
    let house = House::open();
    let card = ask(&house, "Draft");
    let script = Script::new("sed -i 's/^Subject: .*/Subject: Edited/; s/Thursday/Friday/' \"$1\"");
    let mut terminal = edited(&house, &card, &script);

    terminal.type_line("e");

    terminal.until(": sent");
    assert_sent_once(&house, "Edited");
    assert_not_sent(&house, "Draft");
    let left: Vec<_> = fs::read_dir(script.folder.path()).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "the file of the editor is gone: {left:?}");
}

#[test]
fn an_editor_that_changes_nothing_decides_nothing() {
    let house = House::open();
    let card = ask(&house, "Draft");
    let script = Script::new("true");
    let mut terminal = edited(&house, &card, &script);

    terminal.type_line("e");

    terminal.until("Nothing changed");
    assert_not_sent(&house, "Draft");
}

#[test]
fn a_change_that_cannot_be_comes_back_with_the_reason() {
    let house = House::open();
    let card = ask(&house, "Draft");
    // The second time the reason is on top, and the address is mended.
    let script = Script::new(
        "if grep -q '^#! .*is not an address' \"$1\"; then sed -i 's/^To: .*/To: priya.nair@brightloom.example/; s/^Subject: .*/Subject: Mended/' \"$1\"; else sed -i 's/^To: .*/To: nobody/' \"$1\"; fi",
    );
    let mut terminal = edited(&house, &card, &script);

    terminal.type_line("e");

    terminal.until(": sent");
    assert_sent_once(&house, "Mended");
}

/// An editor that knows what it wants.
struct Script {
    folder: TempDir,
    path: String,
}

impl Script {
    fn new(commands: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("editor");
        fs::write(&path, format!("#!/bin/sh\n{commands}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let path = path.to_str().unwrap().to_owned();
        Self { folder, path }
    }
}

fn edited(house: &House, card: &Asked, script: &Script) -> Terminal {
    let folder = script.folder.path().to_str().unwrap();
    let env = [("EDITOR", script.path.as_str()), ("TMPDIR", folder)];
    let mut terminal = Terminal::chat(house, &["--session", &card.session], &env);
    terminal.until("y yes · e edit · n no · open until");
    terminal
}
