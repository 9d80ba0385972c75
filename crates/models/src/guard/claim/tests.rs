//! Sentences that claim a deed, and many more that do not, by what they are about.

mod abroad;
mod cut;
mod deeds;
mod found;
mod joined;
mod plans;

use super::super::Guard;

/// What is shown of a text, and whether it claimed anything.
fn through(mut guard: Guard, text: &str) -> (String, bool) {
    let shown = guard.take(text) + &guard.finish();
    (shown, guard.has_claimed())
}

/// Those that pass and should not.
fn passing<'a>(texts: &[&'a str], guard: fn() -> Guard) -> Vec<&'a str> {
    texts.iter().copied().filter(|text| !through(guard(), text).1).collect()
}

/// Those of which something is taken away, and nothing should be.
fn taken<'a>(texts: &[&'a str], guard: fn() -> Guard) -> Vec<&'a str> {
    texts.iter().copied().filter(|text| through(guard(), text).0 != *text).collect()
}

const NONE: [&str; 0] = [];
