//! Whatever anybody says is read without a panic, on a bare screen and with mail
//! to point at, and what it proposes is within bounds.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use models::{World, corpus, reflex};

static WORLDS: OnceLock<Vec<World>> = OnceLock::new();

fuzz_target!(|text: &str| {
    for world in WORLDS.get_or_init(corpus::scenes) {
        let read = reflex::read(text, world);
        assert!(read.proposal.steps.len() <= 64, "{} steps", read.proposal.steps.len());
        if let Some(rest) = &read.rest {
            assert!(!read.proposal.steps.is_empty(), "it waits for nothing");
            reflex::read(rest, world);
        }
        for choice in &read.choices {
            reflex::read(&choice.sentence, world);
        }
    }
});
