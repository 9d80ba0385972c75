//! A yes as ears write it that took two words for one.
//!
//! Only where it was spoken, behind words that agree and with nothing but thanks behind it: "yes,
//! Senate" on the card of a mail was "yes, send it"; "the Senate" is one. "Yes, at it" on the card
//! of something for the calendar was "yes, add it". It is a guess, so it is worth no more than
//! the word that agrees: a bare yes.

use brain::resolve::words::words;

use crate::reflex::vocabulary::is_any;

/// "Send it", behind a word that agrees.
const SEND_IT: &[&[&str]] = &[&["senate"], &["sanded"], &["sended"], &["send", "a"]];
/// "Add it" and "book it", there.
const BOOK_IT: &[&[&str]] = &[&["at", "it"], &["bucket"], &["of", "bucket"]];
const AGREES: &[&str] = &[
    "yes",
    "yeah",
    "yah",
    "yep",
    "yup",
    "sure",
    "ok",
    "okay",
    "right",
    "good",
    "great",
    "perfect",
    "absolutely",
    "definitely",
];
const PAUSED: &[&str] = &["to", "go", "ahead"];
/// "Yes, said it" may be talk about somebody; "looks good, said it" is none.
const PRAISES: &[&str] = &["good", "great", "perfect"];
const THANKS: &[&str] = &["please", "now", "thanks", "thank", "you"];

/// Whether it may be a yes only by that guess, whatever else it says.
pub fn is_guessed(heard: &str) -> bool {
    const HEARD: &[&[&str]] = &[
        &["senate"],
        &["sanded"],
        &["sended"],
        &["send", "a"],
        &["said", "it"],
        &["at", "it"],
        &["bucket"],
    ];
    let found = words(heard);
    let texts: Vec<&str> = found.iter().flat_map(|word| word.text.split('-')).collect();
    (0..texts.len()).any(|at| {
        let here = &texts[at..];
        HEARD.iter().any(|heard| here.starts_with(heard)) || here.starts_with(PAUSED)
    })
}

/// Puts what was said in the place of what was written.
pub fn mended(words: &mut Vec<String>) {
    if let [joined] = words.as_slice()
        && let Some((agrees, sanded)) = joined.split_once('-')
        && is_any(sanded, &["sanded", "sended"])
    {
        *words = vec![agrees.to_owned(), sanded.to_owned()];
    }
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    if let Some((at, long)) = send_it(&texts) {
        words.splice(at..at + long, ["send", "it"].map(str::to_owned));
    } else if let Some((at, long)) = book_it(&texts) {
        words.splice(at..at + long, ["book", "it"].map(str::to_owned));
    } else if let Some(at) = pause(&texts) {
        words.remove(at);
    }
}

/// Where "send it" stands, and how many words were made of it.
fn send_it(texts: &[&str]) -> Option<(usize, usize)> {
    (1..texts.len()).find_map(|at| {
        let (before, here) = (texts[at - 1], &texts[at..]);
        let long = if is_any(before, PRAISES) && here.starts_with(&["said", "it"]) {
            2
        } else {
            SEND_IT.iter().find(|heard| is_any(before, AGREES) && here.starts_with(heard))?.len()
        };
        let behind = &here[long..];
        // "Send a" goes on with what is sent, unless it was a plea.
        let is_cut = here[long - 1] == "a" && behind.is_empty();
        let is_last = !is_cut && behind.iter().all(|text| is_any(text, THANKS));
        is_last.then_some((at, long))
    })
}

/// Where "add it" or "book it" stands, and how many words were made of it.
fn book_it(texts: &[&str]) -> Option<(usize, usize)> {
    (1..texts.len()).find_map(|at| {
        let (before, here) = (texts[at - 1], &texts[at..]);
        let long = BOOK_IT.iter().find(|heard| here.starts_with(heard))?.len();
        let is_last = here[long..].iter().all(|text| is_any(text, THANKS));
        (is_any(before, AGREES) && is_last).then_some((at, long))
    })
}

/// "Perfect, go ahead", where the pause was heard as a word.
fn pause(texts: &[&str]) -> Option<usize> {
    let pauses =
        |window: &[&str]| is_any(window[0], &["perfect", "great"]) && window[1..] == *PAUSED;
    texts.windows(4).position(pauses).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use brain::Preview;

    use super::super::tests::{lunch, mail, outline, to_in};
    use super::is_guessed;
    use crate::corpus;

    fn said(heard: &str, card: Preview) -> String {
        let mut world = corpus::world();
        world.focus.is_spoken = true;
        outline(&to_in(heard, &[card], &world))
    }

    #[test]
    fn a_yes_that_ears_wrote_wrongly_answers_the_card_of_a_mail() {
        for heard in [
            "Yes, Senate.",
            "Absolutely, Senate.",
            "Yes, send a please.",
            "Great-sanded.",
            "Right-sanded.",
            "Looks good, said it.",
            "Sounds good, said it, thanks.",
            "Okay, sended.",
            "That's perfect to go ahead.",
        ] {
            assert_eq!(said(heard, mail()), "accept 0", "{heard}");
            assert!(is_guessed(heard), "{heard}");
            assert!(is_guessed(&format!("{heard} And what's on Friday?")), "{heard}");
            // Whoever types it means what it says.
            let typed = outline(&to_in(heard, &[mail()], &corpus::world()));
            assert_ne!(typed, "accept 0", "{heard}");
        }
    }

    #[test]
    fn a_yes_that_ears_wrote_wrongly_answers_the_card_of_an_event() {
        for heard in ["Yes, at it.", "Ok, at it.", "Okay, at it, thanks.", "Sure, bucket!"] {
            assert_eq!(said(heard, lunch()), "accept 0", "{heard}");
            assert!(is_guessed(heard), "{heard}");
            let typed = outline(&to_in(heard, &[lunch()], &corpus::world()));
            assert_ne!(typed, "accept 0", "{heard}");
        }
        for heard in [
            "Look at it.",
            "At it.",
            "Yes, look at it.",
            "Yes, at it again.",
            "Yes, at it is.",
            "Yes, Tom is at it.",
            "Yes, a bucket.",
            "Yes, bucket list.",
            "No, at it.",
            "Good at it?",
        ] {
            assert_ne!(said(heard, lunch()), "accept 0", "{heard}");
        }
    }

    #[test]
    fn the_same_words_are_none_where_they_can_mean_what_they_say() {
        for heard in [
            "Senate.",
            "Yes, the Senate.",
            "Yes, Senate Thursday.",
            "Yes, said it.",
            "Looks good, he said it.",
            "Looks good, said it before.",
            "Yes, send a",
            "Yes, send a mail",
            "Sanded.",
            "Well-sanded.",
            "Great, sanded floors.",
            "No, senate.",
        ] {
            assert_ne!(said(heard, mail()), "accept 0", "{heard}");
        }
        assert_ne!(said("Yes, senate.", lunch()), "accept 0");
        assert_ne!(said("Yes, at it.", mail()), "accept 0");
        assert!(!is_guessed("Yes, send it."));
        assert!(is_guessed("Yes, to Priya, senate."));
    }
}
