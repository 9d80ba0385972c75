//! Neither yes nor no: doubt, praise, and what only begins like an answer.

use brain::resolve::words::Word;

use super::named::Named;
use super::{CardView, Reply, nods, waits};
use crate::World;
use crate::gist::{Chat, Gist};
use crate::reflex::consent::{self, Consent};
use crate::reflex::vocabulary::is_any;

/// Begins like a no and is none: "no problem", "not yet".
pub fn is_no_refusal(said: &[Word]) -> bool {
    let mild = ["problem", "worries", "rush", "hurry", "idea", "changes", "typos"];
    match said {
        [no, what, ..] if no.is("no") => is_any(&what.text, &mild),
        // "Don't book it yet"
        [verb, not, .., yet] if verb.is("do") && not.is("not") => yet.is("yet"),
        [not, yet, ..] => not.is("not") && yet.is("yet"),
        _ => false,
    }
}

/// A few words that nobody understands, while a card is open, are about the card.
pub fn is_half_a_word(heard: &str, said: &[Word], world: &World) -> bool {
    let talk = crate::reflex::read(heard, world).gist;
    let vague = matches!(talk, Gist::Chat(Chat::Lost | Chat::Yes | Chat::Okay | Chat::Praise));
    let asks = ["what", "who", "when", "where", "why", "how", "which", "any", "did"];
    let is_question = said.first().is_some_and(|first| is_any(&first.text, &asks));
    !heard.trim().is_empty() && said.len() <= 4 && vague && !is_question
}

/// Doubt, or praise that is no yes.
pub fn held(
    consent: Consent,
    said: &[Word],
    named: &Named,
    cards: &[CardView<'_>],
) -> Option<Reply> {
    let doubts = said.len() <= 9 && said.iter().any(|word| is_any(&word.text, WAVERS));
    let forbids = said.len() > 1 && said[0].is("do") && said[1].is("not");
    let nods = nods::is_nod(said);
    if !(says_yes(said) || doubts || forbids || nods || consent == Consent::Reject) {
        return None;
    }
    Some(if nods { nods::asked_back(named, cards) } else { waits(named, cards) })
}

const WAVERS: &[&str] = &[
    "maybe", "perhaps", "probably", "possibly", "guess", "think", "wait", "hold", "hmm", "hm",
    "mhm", "mm", "mmm", "uh", "um", "later", "unsure", "suppose", "dunno", "hang", "second",
    "moment", "minute", "ok", "okay", "fine", "good", "great", "perfect", "nice", "right",
    "alright", "soon", "ready",
];

pub fn says_yes(said: &[Word]) -> bool {
    let yes = [
        "yes",
        "yeah",
        "yep",
        "yup",
        "sure",
        "send",
        "book",
        "confirm",
        "approve",
        "absolutely",
        "definitely",
    ];
    said.iter().any(|word| is_any(&word.text, &yes))
}

/// "Yes, later", "should I send it?": about the card, whatever else it could be.
pub fn is_half_a_yes(said: &[Word]) -> bool {
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let orders = texts.windows(2).any(|pair| matches!(pair, ["send" | "book" | "do", "it"]));
    let yes = matches!(texts.first(), Some(&("yes" | "yeah" | "yep" | "sure")));
    let soon = matches!(
        texts.as_slice(),
        ["in", "a", "minute" | "second" | "moment" | "bit"]
            | ["later"]
            | ["maybe" | "ask", .., "later"]
            | ["do", "it", "later"]
            | ["not", "now"]
    );
    let bare = matches!(texts.as_slice(), ["send" | "go"] | ["send" | "go", "please" | "now"]);
    soon || bare || (yes && texts.len() <= 3) || (orders && texts.len() <= 6)
}

/// Is anything in it that a card could have, or have not: a day, a name, a thing, or that
/// something is wrong? Then nobody knows that it was not to be changed.
pub fn says_something(said: &[Word]) -> bool {
    const TALK: &[&str] = &[
        "a", "ah", "ahead", "all", "am", "an", "and", "are", "as", "be", "bit", "both", "but",
        "can", "confirm", "could", "did", "do", "does", "draft", "for", "go", "going", "got",
        "have", "hey", "hi", "hurry", "i", "idea", "if", "in", "is", "it", "just", "know", "let",
        "lets", "like", "looks", "me", "my", "never", "not", "now", "of", "oh", "on", "or",
        "please", "problem", "really", "rush", "should", "so", "sounds", "still", "sure", "thank",
        "thanks", "that", "the", "then", "there", "this", "to", "up", "us", "want", "was", "we",
        "well", "what", "whether", "will", "with", "worries", "would", "yeah", "yes", "yet", "you",
        "your",
    ];
    let is_talk = |word: &Word| {
        let lists = [WAVERS, TALK, consent::NO, consent::KEEPS, consent::CANCELS];
        lists.iter().any(|list| is_any(&word.text, list))
    };
    let empty = said.iter().all(|word| is_talk(word) || says_yes(std::slice::from_ref(word)));
    !empty || puts_right(said)
}

/// "Wrong day", "I said Friday", "Friday I meant".
pub fn puts_right(said: &[Word]) -> bool {
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let mine = |pair: &[&str]| matches!(pair, ["i", "said" | "meant" | "mean" | "wanted"]);
    texts.contains(&"wrong") || texts.windows(2).any(mine)
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;

    #[test]
    fn whoever_names_something_may_have_wanted_it_to_be_different() {
        for heard in [
            "not Friday",
            "maybe Friday",
            "yes, at four",
            "not the demo",
            "yes, but Tom",
            "not him",
            "yes, if it's today",
            "not the other one",
            "wrong",
            "I said it",
            "yes but the other one is wrong",
        ] {
            assert!(says_something(&words(heard)), "{heard}");
        }
        for heard in [
            "hmm",
            "not yet",
            "maybe",
            "in a minute",
            "okay",
            "not sure",
            "yes, later",
            "yes, no",
            "forget it",
            "cancel it",
        ] {
            assert!(!says_something(&words(heard)), "{heard}");
        }
    }
}
