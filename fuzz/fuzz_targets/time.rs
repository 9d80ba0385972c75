//! Every reading of a time begins before it ends, whatever the words are.
#![no_main]

use brain::resolve::time::{self, Lean};
use brain::resolve::words::words;
use jiff::Zoned;
use libfuzzer_sys::fuzz_target;

const NOW: &str = "2026-11-15T10:30:00-08:00[America/Los_Angeles]";

fuzz_target!(|text: &str| {
    let now: Zoned = NOW.parse().expect("it is a moment");
    let words = words(text);
    let _ = time::impossible(&words, &now);
    for lean in [Lean::Ahead, Lean::Back] {
        let Some(when) = time::find(&words, &now, lean) else { continue };
        assert!(when.words.iter().all(|&at| at < words.len()));
        for reading in &when.readings {
            assert!(reading.range.start < reading.range.end, "{reading:?}");
        }
    }
});
