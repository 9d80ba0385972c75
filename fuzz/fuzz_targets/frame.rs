//! Whatever a client sends, one frame after the other, is read as something within
//! bounds or answered with a complaint.
#![no_main]

use brain::{Input, SessionId, ids::Uuid};
use libfuzzer_sys::fuzz_target;
use wire::canonical::{Canonical, LONGEST_TEXT};
use wire::{Dialect, Frame};

fuzz_target!(|bytes: &[u8]| {
    let mut dialect = Canonical::new(SessionId(Uuid::from_u128(1)));
    // A byte that UTF-8 does not have parts the frames; broken ones are binary.
    for bytes in bytes.split(|byte| *byte == 0xFF) {
        let frame = match std::str::from_utf8(bytes) {
            Ok(text) => Frame::Text(text.to_owned()),
            Err(_) => Frame::Binary(bytes.to_vec()),
        };
        match dialect.decode(frame) {
            Ok(received) => received.into_iter().for_each(|one| within_bounds(&one.input)),
            Err(complaint) => assert!(!complaint.code.is_empty() && !complaint.message.is_empty()),
        }
    }
});

fn within_bounds(input: &Input) {
    match input {
        Input::Text { text, attachments } => {
            assert!(!text.trim().is_empty() && text.chars().count() <= LONGEST_TEXT);
            assert!(attachments.len() <= 20);
        }
        Input::Audio(sound) => {
            assert!((8_000..=48_000).contains(&sound.sample_rate_hz));
            assert!((1..=2).contains(&sound.channels));
            assert_eq!(sound.samples.len() % usize::from(sound.channels), 0);
        }
        _ => {}
    }
}
