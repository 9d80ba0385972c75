//! Other words for a mail altogether: "say instead that …", "change it to …".
//!
//! Greeting and name stay. What is no sentence is not taken for the whole text: where
//! it belongs has to be said.

use brain::card::EmailPreview;
use brain::resolve::words::Word;

use super::change::{Change, Wish};
use super::text;
use crate::World;
use crate::reflex::compose::{reported, said};
use crate::reflex::phrasing;
use crate::reflex::refer::PRONOUNS;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::Whom;

const TEXTS: &[&str] =
    &["text", "message", "body", "wording", "words", "mail", "email", "reply", "note"];
/// Said of the change, and no part of the new words.
const INSTEAD: &[&str] = &["instead", "rather", "just", "only", "simply"];
const MAKES: &[&str] = &["make", "let", "have"];
const CHANGES: &[&str] = &[
    "change", "rewrite", "reword", "rephrase", "edit", "update", "fix", "turn", "switch", "adjust",
    "replace", "swap", "revise",
];
const SHOULD: &[&str] = &["should", "must", "could", "can", "needs", "has"];

/// How much a lead tells about what stands behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// "Say", "the text is": these are the words.
    Says,
    /// "Change it to": the words, or one thing in them.
    Changes,
}

/// Other words altogether; greeting and name stay.
pub fn read(wish: &Wish<'_>, email: &EmailPreview) -> Option<Change> {
    let (lead, new) = new_words(wish)?;
    let words = wish.raw(new);
    let vague = ["it", "that", "something", "something else", "so"];
    // "Make the text shorter" says how, and not what.
    let says_how = new.len() <= 2 && new.last().is_some_and(|last| is_comparison(&last.text));
    if is_any(&words.to_lowercase(), &vague) || says_how {
        return None;
    }
    if lead == Lead::Changes && !is_text(new) {
        let say = format!(
            "Which words should be “{words}”? Say “change this to that”, or “the text should be” and all of it."
        );
        return Some(Change::missed(say));
    }
    let sentence = phrasing::sentence(&said_to(&words, new, email, wish.world));
    let body = text::rewritten(&email.body_text, &sentence);
    Some(Change::one("body", body, format!("It says now: {sentence}")))
}

/// As it is said to the one it goes to; what is quoted stays as it is.
pub fn said_to(words: &str, said: &[Word], email: &EmailPreview, world: &World) -> String {
    let [one] = email.to.as_slice() else { return words.to_owned() };
    if said.iter().any(|word| word.quoted) {
        return words.to_owned();
    }
    reported::to_one(words, &Whom::Address(one.address.clone()), world)
}

/// What stands behind "say", "make the text just", "the message should read".
fn new_words<'a>(wish: &Wish<'a>) -> Option<(Lead, &'a [Word])> {
    if let Some(at) = colon(wish) {
        return Some((Lead::Says, wish.words.get(at..)?));
    }
    let texts = wish.texts();
    let own = wish.words.iter().take_while(|word| !word.quoted).count();
    let (lead, at) = introduced(&texts[..own], wish)?;
    let rest = wish.words.get(at..).filter(|rest| !rest.is_empty())?;
    Some((lead, rest))
}

/// How many words only introduce the new ones.
fn introduced(texts: &[&str], wish: &Wish<'_>) -> Option<(Lead, usize)> {
    let text = |at: usize| texts.get(at).copied().unwrap_or("");
    let skip = |at: usize| at + texts.iter().skip(at).take_while(|t| is_any(t, INSTEAD)).count();
    let at = skip(0);
    let aside = at > 0;
    match text(at) {
        "say" | "write" => Some((Lead::Says, behind_verb(texts, at + 1))),
        // "Tell her instead that …": what she is told on this card, not one thing more.
        "tell" if is_any(text(at + 1), PRONOUNS) => {
            let instead = aside || wish.refused || is_any(text(at + 2), &["instead", "rather"]);
            (instead || wish.instead).then(|| (Lead::Says, behind_verb(texts, at + 2)))
        }
        verb if is_any(verb, MAKES) || verb == "set" => {
            let (named, at) = it(texts, at + 1)?;
            let at = skip(at);
            match text(at) {
                "say" | "read" => Some((Lead::Says, behind_verb(texts, at + 1))),
                "be" | "to" if named => Some((Lead::Says, skip(at + 1))),
                // "Make the text Friday at eight is fine"
                _ if named && verb == "make" => Some((Lead::Says, at)),
                _ => None,
            }
        }
        verb if is_any(verb, CHANGES) => {
            let (named, at) = it(texts, at + 1)?;
            let lead = if named { Lead::Says } else { Lead::Changes };
            let at = skip(at);
            match (text(at), text(at + 1), text(at + 2)) {
                ("to", "say" | "read", _) => Some((Lead::Says, behind_verb(texts, at + 2))),
                ("so", "it", "says" | "reads") => Some((Lead::Says, behind_verb(texts, at + 3))),
                ("so", "that", "it") if is_any(text(at + 3), &["says", "reads"]) => {
                    Some((Lead::Says, behind_verb(texts, at + 4)))
                }
                ("to" | "into" | "as" | "with" | "by", ..) => Some((lead, skip(at + 1))),
                _ => None,
            }
        }
        _ => stated(texts, at, wish),
    }
}

/// "It should say", "the text is".
fn stated(texts: &[&str], at: usize, wish: &Wish<'_>) -> Option<(Lead, usize)> {
    const LINKS: &[&str] =
        &["be", "say", "read", "to", "just", "only", "simply", "instead", "rather"];
    let (named, at) = it(texts, at)?;
    let first = texts.get(at).copied().unwrap_or("");
    let used = texts.iter().skip(at + 1).take_while(|text| is_any(text, LINKS)).count();
    let links = &texts[at.min(texts.len())..(at + 1 + used).min(texts.len())];
    let says = links.iter().any(|text| is_any(text, &["say", "read"]));
    if is_any(first, SHOULD) && (says || named && used > 0) || named && first == "is" {
        return Some((Lead::Says, behind_verb(texts, at + 1 + used)));
    }
    // "The text: …"
    let paused = wish.words.get(at - 1).is_some_and(|word| word.stop.is_some());
    (named && paused).then_some((Lead::Says, at))
}

/// What the change is about: "it", or the text by its name. And where it ends.
fn it(texts: &[&str], at: usize) -> Option<(bool, usize)> {
    let text = |at: usize| texts.get(at).copied().unwrap_or("");
    match text(at) {
        "it" | "this" | "that" if is_any(text(at + 1), TEXTS) => Some((true, at + 2)),
        "it" | "this" | "that" => Some((false, at + 1)),
        "the" | "its" | "my" if is_any(text(at + 1), TEXTS) => Some((true, at + 2)),
        "the" if is_any(text(at + 1), &["whole", "entire"]) && is_any(text(at + 2), TEXTS) => {
            Some((true, at + 3))
        }
        _ => None,
    }
}

/// Behind "say": without "instead" and "that".
fn behind_verb(texts: &[&str], at: usize) -> usize {
    let mut at = at;
    while let [instead, next, ..] = texts.get(at..).unwrap_or_default() {
        let aside = match *instead {
            "instead" => *next != "of",
            "just" | "simply" => true,
            "rather" => *next == "that",
            _ => false,
        };
        if !aside {
            break;
        }
        at += 1;
    }
    let rest = texts.get(at..).unwrap_or_default();
    // "Say that day works": it points at a day.
    at + usize::from(rest.first() == Some(&"that") && !said::points(rest))
}

/// Enough to be all that a mail says: dictated, or a sentence.
fn is_text(new: &[Word]) -> bool {
    const VERBS: &[&str] = &[
        "is", "are", "am", "was", "were", "will", "would", "can", "could", "has", "have", "had",
        "should", "must", "may", "might", "do", "does", "did", "need", "needs", "want", "wants",
        "let", "please", "thanks", "thank", "love", "like", "hope", "think", "works", "work",
        "looks", "look", "see", "come", "get", "got", "not",
    ];
    let texts: Vec<&str> = new.iter().map(|word| word.text.as_str()).collect();
    let quoted = new.iter().all(|word| word.quoted);
    let verb = texts.iter().any(|text| is_any(text, VERBS));
    quoted || new.len() > 2 && (verb || said::is_sentence(&texts))
}

/// "Say it nicer: pulp is fine by me": how it is to be said, and behind the colon what.
fn colon(wish: &Wish<'_>) -> Option<usize> {
    const LEADS: &[&str] = &[
        "say", "write", "put", "make", "reword", "rewrite", "rephrase", "nicer", "shorter",
        "change", "replace", "use", "better", "instead", "rather",
    ];
    const IT: &[&str] = &[
        "it", "this", "that", "more", "a", "bit", "little", "less", "like", "to", "with", "say",
        "instead", "rather", "so", "says",
    ];
    let first = wish.words.first().filter(|first| is_any(&first.text, LEADS))?;
    let gap = |at: &usize| {
        let between = wish.heard.get(wish.words[at - 1].end..wish.words[*at].start);
        between.is_some_and(|between| between.contains(':'))
    };
    let at = (1..wish.words.len().min(6)).find(gap)?;
    let how =
        |word: &Word| is_any(&word.text, IT) || is_comparison(&word.text) || word.is("nicely");
    (!first.quoted && wish.words[1..at].iter().all(how)).then_some(at)
}

fn is_comparison(text: &str) -> bool {
    text.len() > 4 && text.ends_with("er")
        || is_any(text, &["formal", "polite", "short", "friendly", "casual", "different", "clear"])
}

#[cfg(test)]
mod tests {
    use super::super::tests::{lunch, mail, outline, said_of as said, to};

    #[test]
    fn words_whose_places_cannot_be_told_are_no_colon() {
        assert_eq!(said("change really/Σ", ""), said("change really so", ""));
    }

    #[test]
    fn new_words_are_told_in_many_ways() {
        for heard in [
            "make the text just Friday at eight is fine",
            "make the text Friday at eight is fine",
            "the text should just say Friday at eight is fine",
            "change the message to Friday at eight is fine",
            "the text is: Friday at eight is fine",
            "just say Friday at eight is fine",
            "no, make it say Friday at eight is fine",
            "say it nicer: Friday at eight is fine",
            "make it shorter: Friday at eight is fine",
        ] {
            assert_eq!(said(heard, "See you."), "revise body=Friday at eight is fine.", "{heard}");
        }
        for heard in ["change the text", "make the text shorter", "make the text more formal"] {
            assert_eq!(said(heard, "See you."), "cannot", "{heard}");
        }
    }

    #[test]
    fn whatever_is_said_instead_is_the_text_and_is_turned_to_whom_it_is_for() {
        for heard in [
            "change it to \"your photos are gorgeous\"",
            "change it to your photos are gorgeous",
            "say instead that her photos are gorgeous",
            "instead say that her photos are gorgeous",
            "say that her photos are gorgeous instead",
            "make it say her photos are gorgeous",
            "no, make it say your photos are gorgeous please",
            "rather write her photos are gorgeous",
            "I'd rather say that her photos are gorgeous",
            "write instead that her photos are gorgeous",
            "tell her instead that her photos are gorgeous",
            "change it so it says your photos are gorgeous",
            "could you change it so that it says her photos are gorgeous",
            "replace it with \"your photos are gorgeous\"",
            "rewrite it to say that her photos are gorgeous",
            "reword it as: your photos are gorgeous",
            "it should say her photos are gorgeous instead",
            "the mail should rather say that her photos are gorgeous",
            "change this message to your photos are gorgeous",
            "use this instead: your photos are gorgeous",
        ] {
            let changed = said(heard, "Your photos are great.");
            assert_eq!(changed, "revise body=Your photos are gorgeous.", "{heard}");
        }
        let long = "change it to \"your photos are gorgeous, number 9 is my favorite\"";
        let text = "revise body=Your photos are gorgeous, number 9 is my favorite.";
        assert_eq!(said(long, "Your photos are great."), text);
        let quoted = "change it to \"her photos are gorgeous\"";
        assert_eq!(said(quoted, "Hello."), "revise body=Her photos are gorgeous.");
    }

    #[test]
    fn what_is_no_sentence_is_asked_about_and_never_the_whole_text() {
        for heard in [
            "change it to gorgeous",
            "change it to number nine",
            "replace it with red wine and cheese",
            "change it",
            "change it to something else",
            "make it nicer and sign it Maya",
            "actually make it a bit more friendly and sign it Maya",
            "rewrite the whole thing so that it sounds a lot less like a robot wrote it",
        ] {
            assert_eq!(said(heard, "Your photos are great."), "cannot", "{heard}");
        }
        assert_eq!(
            said("change it to red wine", "I'll bring the wine."),
            "revise body=I'll bring the red wine."
        );
        let heard = "change it to whatever you like and then see whether she comes along";
        for card in [mail(), lunch()] {
            assert_ne!(outline(&to(heard, &[card])), "other", "{heard}");
        }
    }

    #[test]
    fn one_thing_more_to_tell_somebody_is_no_other_text() {
        for heard in ["yes, and tell her I'm late", "tell her I'm late", "change the dentist to 4"]
        {
            let reply = outline(&to(heard, &[mail()]));
            assert!(!reply.starts_with("revise"), "{heard}: {reply}");
        }
    }
}
