//! Where a sentence turns to what is on the person's own calendar already:
//! "tell Tom I'm late and move our lunch to one".
//!
//! That is a change of the calendar, and must never become the end of a mail; but "tell Tom to cancel the room and move the call" is one.

use brain::resolve::time::{cardinal, is_weekday};
use brain::resolve::words::Word;

use super::vocabulary::is_any;
use super::whom::{self, Whom};
use crate::World;

/// What one does to something that is on a calendar.
const VERBS: &[&[&str]] = &[
    &["call", "off"],
    &["cancel"],
    &["move"],
    &["reschedule"],
    &["postpone"],
    &["push"],
    &["shift"],
    &["delay"],
    &["bring", "forward"],
];
const OURS: &[&str] = &["my", "our"];
/// Said before a verb that goes on about whoever is told.
const MODALS: &[&str] =
    &["will", "can", "could", "should", "would", "must", "may", "might", "please"];
/// "To" behind one of these is no order.
const LEANS: &[&str] = &[
    "going", "have", "has", "had", "need", "needs", "want", "wants", "able", "used", "due", "mail",
    "email", "note", "message", "line", "reply", "write", "back", "get", "answer", "respond",
];

/// "To the office", "to Friday", "to say that": nobody is told to do anything.
const NO_VERBS: &[&str] = &[
    "the", "a", "an", "my", "our", "your", "his", "her", "their", "this", "that", "me", "us",
    "you", "him", "them", "it", "noon", "midnight", "today", "tomorrow", "tonight", "next", "say",
    "let",
];

/// Does the request turn to the person's own calendar, rather than go on with
/// what the mail before it says?
pub fn is_turned_to(request: &[Word], mail: &[Word]) -> bool {
    let Some(object) = object(request) else { return false };
    let texts: Vec<&str> = mail.iter().map(|word| word.text.as_str()).collect();
    let ours = object.first().is_some_and(|first| is_any(&first.text, OURS));
    let short = matches!(object, [one] if is_any(&one.text, &["it", "that"]))
        || matches!(object, [the, _] if the.is("the"))
        || is_moved(object)
        || is_of_a_day(object);
    (ours || short) && (!goes_on(&texts) || is_apart(mail)) && !passes_on(&texts, ours)
}

/// "Add Sam to the design review": whoever is on it cannot be changed yet. A list, a mail
/// and a calendar are no events.
pub fn adds_somebody(request: &[Word], heard: &str, world: &World) -> bool {
    const NO_EVENTS: &[&str] = &[
        "list", "mail", "email", "thread", "contacts", "cc", "chat", "group", "team", "project",
        "calendar", "reply", "message", "draft", "it", "that", "this", "note", "reminder",
    ];
    let [verb, ..] = request else { return false };
    if !is_any(&verb.text, &["add", "put", "include", "remove", "take", "drop"]) || verb.quoted {
        return false;
    }
    let (people, end) = whom::list(request, 1, heard, world);
    let known = |one: &Whom| matches!(one, Whom::Known { .. } | Whom::OneOf(_));
    let [link, the, rest @ ..] = request.get(end..).unwrap_or_default() else { return false };
    let owned = is_any(&the.text, &["the", "my", "our", "today", "tomorrow", "that"])
        || is_weekday(&the.text);
    let named = rest.last().is_some_and(|last| !is_any(&last.text, NO_EVENTS));
    !people.is_empty()
        && people.iter().all(known)
        && is_any(&link.text, &["to", "on", "onto", "into", "in", "from", "off"])
        && owned
        && named
}

/// "Cancel everything today", "move my 9am": something on a calendar is to change.
pub fn is_order(request: &[Word]) -> bool {
    object(request).is_some()
}

/// The same, somewhere behind a mark or an "and".
pub fn is_within(words: &[Word]) -> bool {
    (1..words.len()).any(|at| {
        let begins = words[at - 1].stop.is_some()
            || is_any(&words[at - 1].text, &["and", "so", "then", "please"]);
        begins && is_order(&words[at..])
    })
}

/// "Tomorrow's design review": nobody else's day.
fn is_of_a_day(object: &[Word]) -> bool {
    matches!(object, [day, s, _, ..] if s.is("'s")
        && (is_weekday(&day.text) || is_any(&day.text, &["today", "tomorrow", "tonight"])))
}

/// "The design review to Friday": something with a name, and where it goes.
fn is_moved(object: &[Word]) -> bool {
    const GOES: &[&str] = &["to", "by", "until", "from", "till"];
    const THINGS: &[&str] =
        &["meeting", "call", "review", "lunch", "dinner", "appointment", "sync"];
    let [the, rest @ ..] = object else { return false };
    let goes = rest.iter().take(5).position(|word| is_any(&word.text, GOES));
    let thing = rest.iter().take(4).any(|word| is_any(&word.text, THINGS));
    the.is("the") && (goes.is_some_and(|at| at > 0) || thing)
}

/// "…, and": a pause before it parts it from what is told, unless several things
/// are told one after another.
fn is_apart(mail: &[Word]) -> bool {
    let links = |word: &Word| is_any(&word.text, &["and", "then", "also"]);
    let Some(last) = mail.iter().rposition(|word| !links(word)) else { return false };
    let linked = last + 1 < mail.len();
    let listed = mail[..last].iter().any(|word| word.stop == Some(','));
    linked && mail[last].stop.is_some() && !listed
}

/// "I'll come by and …": does whoever is spoken of do the next thing too?
pub fn goes_on_with(mail: &[Word]) -> bool {
    let texts: Vec<&str> = mail.iter().map(|word| word.text.as_str()).collect();
    goes_on(&texts) || passes_on(&texts, true)
}

/// Is somebody told in it to do something?
pub fn passes_on_an_order(mail: &[Word]) -> bool {
    let texts: Vec<&str> = mail.iter().map(|word| word.text.as_str()).collect();
    (2..texts.len()).any(|at| texts[at] == "to" && !is_any(texts[at - 1], LEANS))
}

fn object(request: &[Word]) -> Option<&[Word]> {
    let lead = VERBS.iter().find(|verb| {
        verb.len() < request.len()
            && verb.iter().zip(request).all(|(text, word)| word.is(text) && !word.quoted)
    })?;
    Some(&request[lead.len()..])
}

/// "I'll call them and …", "we meet and …": the next verb has the same subject.
fn goes_on(mail: &[&str]) -> bool {
    let after = |at: usize| mail.get(at + 1).copied().unwrap_or("");
    mail.iter().enumerate().any(|(at, text)| {
        let mine = matches!(*text, "i" | "we");
        let next = after(at);
        let acts = match next {
            "" | "am" | "are" | "was" | "were" | "is" | "have" | "had" | "do" | "did" | "just" => {
                false
            }
            // "I can't make it", "I'll be late"
            _ if is_any(next, MODALS) => !matches!(after(at + 1), "not" | "be" | "only"),
            _ => !is_past(next),
        };
        mine && acts
    })
}

/// It was done, or it is how things are: the next verb is nobody's.
fn is_past(verb: &str) -> bool {
    const PAST: &[&str] = &[
        "got", "lost", "forgot", "fell", "went", "paid", "sent", "made", "took", "left", "found",
        "bought", "told", "said", "saw", "met", "spoke", "wrote", "gave", "broke", "came", "sold",
        "did", "thought", "knew", "ran", "won", "land", "arrive", "need", "think", "know", "love",
        "like", "hope", "agree", "owe",
    ];
    verb.ends_with("ed") || is_any(verb, PAST)
}

/// "Tell Tom to …", "ask Ana if she can …": what somebody else is to do.
fn passes_on(mail: &[&str], ours: bool) -> bool {
    let order = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| mail.get(before)).copied().unwrap_or("");
        let next = mail.get(at + 1).copied().unwrap_or("");
        let no_verb = is_any(next, NO_VERBS) || is_weekday(next) || cardinal(&[next]).is_some();
        mail[at] == "to" && at > 1 && !is_any(before, LEANS) && !no_verb
    };
    let they =
        |pair: &[&str]| matches!(pair[0], "you" | "he" | "she" | "they") && is_any(pair[1], MODALS);
    let asked = mail.windows(2).any(they) || (0..mail.len()).any(order) || mail.contains(&"please");
    asked || !ours && mail.first().is_some_and(|first| *first == "ask")
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;

    fn turns(mail: &str, request: &str) -> bool {
        is_turned_to(&words(request), &words(mail))
    }

    #[test]
    fn ones_own_calendar_is_no_part_of_a_mail() {
        for (mail, request) in [
            ("tell tom i'm late", "move our 1:1 to 4"),
            ("tell tom i can't make it", "move our lunch to friday"),
            ("tell dana i'll be late", "push our call to four"),
            ("email ana that i'm sick", "cancel my call with jonas"),
            ("reply to tom that i got stuck", "reschedule our lunch"),
            ("tell tom i'm going to be late", "move our 1:1 to 4"),
            ("tell tom lunch is off", "cancel it"),
            ("tell dana i'm sick", "move the design review to friday"),
            ("tell dana i'll confirm it tonight, and", "move the design review to friday"),
        ] {
            assert!(turns(mail, request), "{mail} and {request}");
        }
    }

    #[test]
    fn what_somebody_is_told_to_do_stays_in_the_mail() {
        for (mail, request) in [
            ("tell tom to call ana", "move our lunch to one"),
            ("ask ana if she can come", "cancel the room"),
            ("tell tom i'll call the clinic", "move our appointment"),
            ("tell ana you should go", "cancel the room"),
            ("let tom know i'm running behind", "move on without me"),
            ("tell tom we meet at three", "cancel the room"),
            ("tell dana i'll confirm it tonight and", "move the design review to friday"),
            ("tell dana i'll book the room, send the invites, and", "move the review to friday"),
        ] {
            assert!(!turns(mail, request), "{mail} and {request}");
        }
    }
}
