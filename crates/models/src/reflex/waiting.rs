//! "Hold on a second": who says so wants us to be quiet, and nothing else.
//!
//! The "second" in it is none of a list. Nothing is looked up for it, a question stays open,
//! and what is asked behind it is read without it.

use brain::resolve::words::Word;

use super::vocabulary::is_any;
use crate::World;
use crate::focus::Missing;

/// Said before it without saying anything.
const LEADS: &[&str] = &[
    "ok", "okay", "oh", "um", "uh", "er", "well", "hey", "sayso", "no", "yeah", "please", "sorry",
    "alright", "so", "and",
];
const TAILS: &[&str] = &["please", "sayso", "sorry", "ok", "okay", "thanks"];
/// How long it is to be.
const WHILES: &[&str] = &[
    "second", "sec", "seconds", "secs", "moment", "moments", "minute", "minutes", "min", "mins",
    "tick", "bit",
];

/// Is this all that is said? "One minute" is how long, where that was asked.
pub fn is_meant(words: &[Word], world: &World) -> bool {
    let timed = world.focus.awaited.as_ref().is_some_and(|it| it.what == Missing::Time);
    let long = words.first().is_some_and(|first| is_any(&first.text, &["one", "just"]));
    is_all(words) && !(timed && long)
}

fn is_all(words: &[Word]) -> bool {
    let mut rest = words;
    loop {
        match asked(rest) {
            Some(asked) if asked.words == rest.len() => return true,
            // "Hold on, one second": said twice.
            Some(asked) => rest = &rest[asked.words..],
            None if rest.len() < words.len() && rest.iter().all(|word| is_one(word, TAILS)) => {
                return words[..words.len() - rest.len()].iter().any(|word| !is_one(word, LEADS));
            }
            None if rest.first().is_some_and(|word| is_one(word, LEADS)) => rest = &rest[1..],
            None => return false,
        }
    }
}

/// "Stop, any mail from Priya?", "one second, what's on today?": the request begins behind it.
pub fn drop_lead(said: &mut Vec<Word>) {
    if is_all(said) {
        return;
    }
    let lead = said.iter().take_while(|word| is_one(word, &["ok", "okay", "oh", "no", "hey"]));
    let lead = lead.count();
    let stops = said[lead..].iter().take_while(|word| is_one(word, &["stop"])).count();
    let waits = asked(&said[lead..]).filter(|asked| asked.is_timed);
    let used = if stops > 0 { stops } else { waits.map_or(0, |asked| asked.words) };
    let Some(next) = said.get(lead + used).filter(|_| used > 0) else { return };
    // "Stop reminding me" is to stop something; a question is none.
    let apart = said[lead + used - 1].stop.is_some();
    if apart || is_one(next, QUESTIONS) {
        said.drain(lead..lead + used);
    }
}

/// What a question begins with, and nothing that could be stopped.
const QUESTIONS: &[&str] = &[
    "any", "what", "when", "who", "where", "which", "how", "do", "does", "did", "is", "are", "am",
    "can", "could", "have", "has",
];

/// What asks us to wait, at the start of these words.
struct Asked {
    words: usize,
    /// It says for how long: "a second".
    is_timed: bool,
}

fn asked(words: &[Word]) -> Option<Asked> {
    if words.iter().take(2).any(|word| word.quoted) {
        return None;
    }
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let told = match (text(0), text(1)) {
        ("hold" | "hang", "on") | ("wait" | "pause", "up" | "there") => 2,
        ("bear", "with") if text(2) == "me" => 3,
        ("wait" | "pause", _) => 1,
        _ => 0,
    };
    let given = match (text(0), text(1)) {
        ("give", "me") => 2,
        ("gimme", _) => 1,
        _ => 0,
    };
    let mut at = told + given;
    at += usize::from(told > 0 && text(at) == "for");
    let just = is_any(text(at), &["just", "only"]);
    at += usize::from(just);
    // "A minute" alone may be an answer; "one minute" is what everybody says.
    let asks = told + given > 0 || just || text(at) == "one";
    if asks && is_any(text(at), &["a", "one", "1", "two", "another"]) {
        let long = at + 1 + usize::from(is_any(text(at + 1), &["quick", "little", "few"]));
        if is_any(text(long), WHILES) {
            return Some(Asked { words: long + 1, is_timed: true });
        }
    }
    (told > 0).then_some(Asked { words: told, is_timed: false })
}

fn is_one(word: &Word, list: &[&str]) -> bool {
    !word.quoted && is_any(&word.text, list)
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;
    use crate::corpus;
    use crate::gist::{Chat, Gist};
    use crate::{narrator, reflex};

    #[test]
    fn who_says_hold_on_a_second_wants_us_to_wait_whatever_was_told() {
        for world in corpus::scenes() {
            for heard in [
                "hold on a second",
                "Wait a second.",
                "one second",
                "just a second",
                "give me a second",
                "give me just a moment please",
                "hang on a minute",
                "One moment, please.",
                "hold on, just a sec",
                "no, hold on a second",
                "okay wait one minute",
                "hold on",
                "wait wait",
                "hang on",
                "bear with me",
            ] {
                let read = reflex::read(heard, &world);
                assert_eq!(read.gist, Gist::Chat(Chat::Wait), "{heard}");
                assert_eq!(read.proposal.steps, [], "{heard}");
                assert_eq!(narrator::tell(&read, &[], &world), "Sure.", "{heard}");
            }
        }
    }

    #[test]
    fn a_second_that_is_meant_is_no_request_to_wait() {
        for heard in [
            "the second",
            "second one",
            "the second one please",
            "give me the second",
            "a minute",
            "wait for Priya's mail",
            "hold the meeting",
            "give me a minute by minute agenda",
            "\"hold on\"",
            "stop",
            "okay",
            "please",
        ] {
            assert!(!is_all(&words(heard)), "{heard}");
        }
    }

    #[test]
    fn what_is_asked_behind_a_stop_is_read_without_it() {
        let world = corpus::world();
        for (heard, plain) in [
            ("Stop, any new mail from Priya Nair?", "any new mail from Priya Nair?"),
            ("stop any new mail from Priya Nair", "any new mail from Priya Nair"),
            ("okay stop. what's on tomorrow", "what's on tomorrow"),
            ("one second, what's on tomorrow", "what's on tomorrow"),
            ("hold on a second when is the dentist", "when is the dentist"),
        ] {
            let (read, same) = (reflex::read(heard, &world), reflex::read(plain, &world));
            assert_eq!(read.proposal, same.proposal, "{heard}");
            assert!(!read.proposal.steps.is_empty(), "{heard}");
        }
        let mut kept = words("stop the summary");
        drop_lead(&mut kept);
        assert_eq!(kept.len(), 3);
    }

    #[test]
    fn a_stop_where_nothing_waits_claims_to_have_dropped_nothing() {
        let world = corpus::world();
        let read = reflex::read("Stop.", &world);
        assert_eq!(narrator::tell(&read, &[], &world), "Okay.");
    }

    #[test]
    fn a_question_waits_with_us_and_a_stop_drops_it() {
        let mut world = corpus::world();
        let asked = reflex::read("read me Sam's last email", &world);
        assert!(asked.question.is_some());
        world.focus.wait_for_answer(&asked);
        let waits = reflex::read("give me a second", &world);
        world.focus.wait_for_answer(&waits);
        assert!(world.focus.is_asking(false));
        let stops = reflex::read("stop", &world);
        assert_eq!(narrator::tell(&stops, &[], &world), "Okay, dropped.");
    }
}
