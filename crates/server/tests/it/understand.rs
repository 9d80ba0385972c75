//! `sayso understand`: how sentences are read, for scripts.

use serde_json::{Value, json};

use crate::house::{Ran, run, run_with};

const FIXED: [&str; 4] = ["--now", "2026-11-15T10:30:00", "--zone", "Europe/Berlin"];

fn understood(args: &[&str], sentences: &str) -> Vec<Value> {
    let ran = run_with(&[&["understand"], args].concat(), &[], sentences);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn each_sentence_becomes_one_line_with_the_same_six_fields() {
    let sentences = "what meetings do i have tomorrow\n\nhello\nany new mail from Priya?\n";

    let lines = understood(&FIXED, sentences);

    assert_eq!(lines.len(), 3, "empty lines are no sentences");
    for line in &lines {
        let mut fields: Vec<_> = line.as_object().unwrap().keys().map(String::as_str).collect();
        fields.sort_unstable();
        assert_eq!(fields, ["agent", "args", "decision", "question", "text", "tools"]);
        assert_eq!(line["agent"], "assistant");
        let (tools, args) = (line["tools"].as_array().unwrap(), line["args"].as_array().unwrap());
        assert_eq!(tools.len(), args.len(), "every tool has its arguments: {line}");
    }
    assert_eq!(lines[0]["text"], "what meetings do i have tomorrow");
    assert_eq!(lines[0]["tools"], json!(["calendar.list_events"]));
    assert_eq!(lines[1]["tools"], json!([]));
    assert_eq!(lines[1]["decision"], "direct_response");
    assert_eq!(lines[2]["tools"], json!(["gmail.search"]));
}

#[test]
fn the_keywords_of_the_settings_count() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("sayso.toml");
    std::fs::write(&file, "[speech]\nkeywords = [\"Brightloom\"]\n").unwrap();
    let known = ["--config", file.to_str().unwrap()];

    let sentence = "any mail about bright loom\n";
    let queries = |args: &[&str]| {
        let line = understood(&[&FIXED[..], args].concat(), sentence).remove(0);
        line["args"].as_array().unwrap().len()
    };

    assert_eq!(queries(&[]), 1);
    assert_eq!(queries(&known), 2, "as it was heard, and as the keyword is written");
}

#[test]
fn without_a_model_of_paraphrases_the_rules_read_alone() {
    let nowhere = ["--assets", "no/such/folder"];

    let lines = understood(&[&FIXED[..], &nowhere].concat(), "what haven't i opened yet\n");

    assert_eq!(lines[0]["tools"], json!([]));
    assert_eq!(lines[0].as_object().unwrap().len(), 6, "nobody was asked: {}", lines[0]);
}

#[test]
fn what_only_the_model_recognises_says_so_beside_its_six_fields() {
    let expected = std::env::var("SAYSO_TEST_ASSETS").ok();
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");
    let assets = expected.clone().unwrap_or_else(|| beside.to_owned());
    if expected.is_none() && !std::path::Path::new(&assets).join("minilm").exists() {
        println!("not run: no model in {assets}; `make assets` fetches it");
        return;
    }

    let sentences = "what haven't i opened yet\nhow tall is mount everest\n";
    let lines = understood(&[&FIXED[..], &["--assets", &assets]].concat(), sentences);

    assert_eq!(lines[0]["tools"], json!(["gmail.search"]));
    assert_eq!(lines[0]["by"], "paraphrase");
    assert_eq!(lines[0]["intent"], "unread_mail");
    assert!(lines[0]["score"].as_f64().unwrap() > 0.5, "{}", lines[0]);
    assert_eq!(lines[1]["tools"], json!([]));
    assert_eq!(lines[1]["by"], "rules");
}

#[test]
fn tomorrow_is_the_day_after_the_given_now_in_the_given_zone() {
    let day_of = |args: &[&str]| {
        let lines = understood(args, "what meetings do i have tomorrow\n");
        lines[0]["args"][0]["date_range"]["start"].as_str().unwrap().to_owned()
    };

    let berlin = day_of(&FIXED);
    let tokyo = day_of(&["--now", "2026-11-15T23:30:00Z", "--zone", "Asia/Tokyo"]);

    assert_eq!(berlin, "2026-11-16T00:00:00+01:00[Europe/Berlin]");
    assert_eq!(tokyo, "2026-11-17T00:00:00+09:00[Asia/Tokyo]");
}

#[test]
fn people_from_the_given_contacts_are_known_by_their_address() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let people = json!([{ "name": "Ottoline Brandt", "address": "otto@brandt.example" }]);
    std::fs::write(&file, people.to_string()).unwrap();
    let contacts = ["--contacts", file.path().to_str().unwrap()];

    let known = understood(&[&FIXED[..], &contacts].concat(), "any new mail from ottoline\n");
    let unknown = understood(&FIXED, "any new mail from ottoline\n");

    let known = known[0]["args"][0].to_string();
    assert!(known.contains("otto@brandt.example"), "{known}");
    assert!(!unknown[0].to_string().contains("otto@brandt.example"));
}

#[test]
fn with_an_open_card_a_yes_is_an_acceptance_and_a_no_is_not() {
    let card = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&card, "{}").unwrap();
    let pending = ["--pending", card.path().to_str().unwrap()];

    let lines = understood(&pending, "yes\nno\n");

    assert_eq!(lines[0]["decision"], "accept");
    assert_eq!(lines[1]["decision"], "reject");
}

#[test]
fn a_world_that_cannot_be_read_is_refused_by_name() {
    let refused = |args: &[&str], named: &str| {
        let Ran { code, err, .. } = run_with(&[&["understand"], args].concat(), &[], "hello\n");
        assert_ne!(code, 0);
        assert!(err.contains(named), "{err}");
    };
    refused(&["--zone", "Mars/Base"], "Mars/Base");
    refused(&["--now", "noonish"], "noonish");
    refused(&["--contacts", "no/such/file.json"], "no/such/file.json");
    refused(&["--agent", "butler"], "butler");
}

#[test]
fn the_corpus_prints_its_accuracy() {
    let ran = run(&["understand", "--corpus"]);

    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains('%'), "{}", ran.out);
}

#[test]
fn strange_sentences_are_read_as_something_and_never_break_the_line() {
    let strange = ["\u{202e}evil", "🦊🦊🦊", "\"quoted\" \\ back\\slash", "a\tb", "ＡＢＣ", "٣ pm"];
    let long = "mail ".repeat(5_000);
    let sentences = format!("{}\n{long}\n", strange.join("\n"));

    let lines = understood(&FIXED, &sentences);

    let read: Vec<_> = lines.iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert_eq!(read[..strange.len()], strange);
    assert_eq!(read.len(), strange.len() + 1);
}
