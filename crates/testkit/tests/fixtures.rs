//! What the web client is tested with is what talks send: `web/fixtures` is never
//! written by hand. `BLESS=1` rewrites it.

use std::fs;
use std::path::Path;

/// Enough to see every kind of event and every end of a card.
const TALKS: &[&str] = &[
    "attach_a_pdf",
    "busy_slot",
    "change_then_yes",
    "confirm_after_restart",
    "confirm_edited",
    "confirm_expires",
    "confirm_recipient_from_a_text",
    "confirm_refused",
    "digest_stopped",
    "digest_while_talking",
    "hello",
    "interrupt",
    "meetings_tomorrow",
    "remember_then_recall",
    "restart",
    "tool_stays_away",
    "two_reads",
    "which_priya",
    "whole_sentence",
    "write_answer_lost",
    "write_done_late",
    "write_nobody_can_tell",
    "write_refused",
];

#[tokio::test(start_paused = true)]
async fn the_web_client_is_tested_with_what_talks_send() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bless = std::env::var_os("BLESS").is_some();
    let mut stale = Vec::new();

    for talk in TALKS {
        let sent = testkit::talk::run(&root.join(format!("talks/{talk}.talk")), false).await;
        let sent = sent.unwrap_or_else(|error| panic!("{error}")).join("\n") + "\n";
        let file = root.join(format!("web/fixtures/{talk}.jsonl"));
        if bless {
            fs::write(&file, &sent).unwrap();
        } else if fs::read_to_string(&file).ok().as_ref() != Some(&sent) {
            stale.push(*talk);
        }
    }

    assert!(stale.is_empty(), "BLESS=1 rewrites {}", stale.join(", "));
}
