//! Sentences that ask for nothing: what somebody said or did, what could be
//! done, and how things are done here.
//!
//! "Tom told me to email Ana" has every word of a request in it and is none.
//! Nothing is written for it, and nothing is looked up either.

use brain::resolve::words::{Word, words};

use super::sentence;
use super::vocabulary::is_any;
use super::whom::{self, Whom};
use crate::World;
use crate::gist::Chat;

/// Verbs of requests that would write.
const WRITES: &[&str] = &[
    "send", "email", "mail", "write", "reply", "answer", "respond", "tell", "ask", "book",
    "schedule", "forward", "draft", "call", "cancel", "delete", "add", "put", "invite", "message",
    "create", "make", "set",
];
/// Things of any number, as one speaks of what can be done at all.
const GENERAL: &[&str] = &[
    "mail",
    "mails",
    "email",
    "emails",
    "messages",
    "letters",
    "meetings",
    "events",
    "things",
    "appointments",
    "people",
    "stuff",
    "others",
    "anything",
    "to",
    "for",
    "me",
    "my",
    "on",
    "in",
    "the",
    "and",
    "or",
    "calendar",
    "behalf",
    "without",
    "asking",
    "approval",
    "permission",
    "knowing",
    "yourself",
    "replies",
    "drafts",
    "invitations",
    "up",
];

/// What kind of talk it is, where it is no request.
pub fn read(clause: &[Word], heard: &str, world: &World) -> Option<Chat> {
    let texts: Vec<&str> = clause.iter().map(|word| word.text.as_str()).collect();
    let asked = clause.last()?.stop == Some('?');
    if asks_how(&texts) {
        return Some(Chat::Help);
    }
    if clause[0].quoted {
        return None;
    }
    if is_politely_left(clause) {
        return Some(Chat::Mused);
    }
    if asked {
        return None;
    }
    if waits(&texts) {
        return Some(Chat::Hangs);
    }
    if forbids(&texts) {
        return Some(Chat::Okay);
    }
    if is_musing(&texts) || is_over(&texts) {
        return Some(Chat::Mused);
    }
    let told = is_mine(&texts)
        || is_reported(clause, heard, world)
        || texts[0] == "quote" && texts.contains(&"unquote");
    told.then_some(Chat::Told)
}

/// "I was talking to Ana yesterday and she said Tuesday is better, so …": what
/// leads up to a request and asks for nothing.
pub fn is_story(words: &[Word], heard: &str, world: &World) -> bool {
    const VERBS: &[&str] = &[
        "was",
        "were",
        "am",
        "is",
        "are",
        "had",
        "have",
        "has",
        "said",
        "says",
        "got",
        "saw",
        "met",
        "talked",
        "spoke",
        "told",
        "think",
        "thought",
        "wants",
        "wanted",
        "asked",
        "mentioned",
        "figured",
        "promised",
        "just",
        "never",
        "ran",
        "keep",
        "forgot",
        "believe",
    ];
    let words = sentence::without_lead(words);
    let asks = words.iter().any(|word| word.stop == Some('?') || word.quoted);
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    if asks || words.len() < 4 {
        return false;
    }
    if text(0) == "funny" || text(0) == "turns" && text(1) == "out" {
        return true;
    }
    // "I have mail from Tom" may be asked after; "I got an email" has one to answer.
    let mail = words.iter().any(|word| is_any(&word.text, super::vocabulary::MAIL));
    let who = match text(0) {
        "i" | "we" | "he" | "she" | "they" => 1,
        _ => match whom::at(words, 0, heard, world) {
            Some((Whom::Known { .. }, used)) => used,
            _ => return false,
        },
    };
    !mail && is_any(text(who), VERBS)
}

/// "I overslept", "I'm at the airport": how somebody is doing, before they ask.
pub fn is_short_story(words: &[Word]) -> bool {
    const AM: &[&str] = &["am", "are", "was", "were", "overslept", "got", "lost", "broke"];
    let words = sentence::without_lead(words);
    let asks = words.iter().any(|word| word.stop == Some('?') || word.quoted);
    let [who, does, rest @ ..] = words else { return false };
    let mine = is_any(&who.text, &["i", "we"]);
    let done = does.text.len() > 4 && does.text.ends_with("ed");
    let asked = rest.iter().any(|word| is_any(&word.text, &["free", "busy", "need", "want"]));
    mine && !asks && !asked && (is_any(&does.text, AM) || done)
}

/// Is it asked whether or how something is written, rather than to write it?
pub fn is_about_writing(clause: &[Word]) -> bool {
    let clause = sentence::without_greeting(clause);
    asks_how(&clause.iter().map(|word| word.text.as_str()).collect::<Vec<_>>())
}

/// "Can you send mail", "how do I schedule a meeting", "what happens when I say send".
fn asks_how(texts: &[&str]) -> bool {
    let able = [
        &["can", "you"][..],
        &["could", "you"],
        &["do", "you"],
        &["will", "you"],
        &["would", "you"],
        &["are", "you", "able", "to"],
        &["are", "you", "allowed", "to"],
        &["is", "it", "possible", "to"],
    ];
    let rest = able.iter().find_map(|lead| texts.strip_prefix(*lead));
    if let Some([verb, rest @ ..]) = rest
        && is_any(verb, WRITES)
        && !rest.is_empty()
        && !rest.starts_with(&["me"])
        && rest.iter().all(|text| is_any(text, GENERAL))
        // "Can you email people" is about nobody, "can you send it" is about something.
        && rest.iter().any(|text| !is_any(text, &["to", "for", "me", "my", "on", "in", "the"]))
    {
        return true;
    }
    let how = [
        &["how", "do", "i"][..],
        &["how", "can", "i"],
        &["how", "would", "i"],
        &["how", "do", "you"],
        &["how", "to"],
        &["show", "me", "how", "to"],
        &["show", "me", "how", "i"],
        &["tell", "me", "how", "to"],
    ];
    let how = how.iter().find_map(|lead| texts.strip_prefix(*lead));
    how.is_some_and(|rest| rest.first().is_some_and(|verb| is_any(verb, WRITES)))
        || matches!(
            texts,
            ["what", "happens", "when" | "if" | "once", "i", "say" | "click" | "tap", ..]
        )
}

/// "Let me know when Tom writes": nobody watches for it.
fn waits(texts: &[&str]) -> bool {
    let does = |rest: &[&str]| {
        let verbs = ["writes", "replies", "answers", "emails", "responds", "calls", "arrives"];
        rest.iter().take(4).any(|text| is_any(text, &verbs))
    };
    match texts {
        ["let", "me", "know" | "hear", "when" | "once" | "if", rest @ ..]
        | ["tell" | "ping" | "alert" | "notify", "me", "when" | "once" | "if", rest @ ..]
        | ["when" | "once" | "after", rest @ ..] => does(rest) && !texts.contains(&"will"),
        _ => false,
    }
}

/// "I don't want you to email Tom"
fn forbids(texts: &[&str]) -> bool {
    matches!(texts, ["i", "do", "not", "want", "you", "to", verb, ..] if is_any(verb, WRITES))
}

/// What the person did, might do or is going to do themselves.
fn is_mine(texts: &[&str]) -> bool {
    match texts {
        ["i" | "we", "already" | "might" | "may", rest @ ..] => rest.iter().any(acts),
        ["i" | "we", "should" | "could", "have", ..] => true,
        ["i" | "we", "do", "not", "think", ..] => texts.iter().any(acts),
        ["i" | "we", "am" | "are", "meeting" | "seeing", rest @ ..] => !rest.is_empty(),
        ["i" | "we", "told" | "emailed", _, "that" | "i" | "we" | "it", ..] => true,
        ["i" | "we", "was" | "were", "going", "to", rest @ ..] => rest.iter().any(acts),
        ["i", "wish", ..] => texts.iter().any(acts),
        ["i" | "we", "booked" | "scheduled", ..] => true,
        _ => false,
    }
}

const DONE: &[&str] = &["emailed", "told", "sent", "wrote", "booked", "scheduled", "asked"];

fn acts(text: &&str) -> bool {
    is_any(text, WRITES) || is_any(text, DONE)
}

/// "Imagine I email Tom", "should I email Tom": nothing is decided. "Handle the invoice" leaves
/// open what is to be done, and whoever can think finds out.
fn is_musing(texts: &[&str]) -> bool {
    let leads = [
        &["imagine"][..],
        &["what", "would", "you", "say"],
        &["suppose"],
        &["should", "i"],
        &["should", "we"],
    ];
    let lead = leads.iter().chain(&LEAVES).any(|lead| behind(texts, lead).is_some());
    let what_if = texts.starts_with(&["what", "if", "i"]) && texts.iter().any(acts);
    let about_time = texts.iter().any(|text| is_any(text, &["free", "leave", "meet", "see"]));
    what_if || lead && !about_time
}

/// How something is left to somebody.
const LEAVES: [&[&str]; 3] = [&["handle"], &["deal", "with"], &["take", "care", "of"]];

/// It is something to be done, and not said what: "handle the invoice".
pub fn is_left_to_us(said: &str) -> bool {
    let said = words(said);
    let request = sentence::without_lead(&said);
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    LEAVES.iter().any(|lead| behind(&texts, lead).is_some())
}

/// "Could you please handle the invoice from Paperlane": one thing, called by its name. "Can you
/// handle invoices" asks what we can do, and "take care of it" may answer a question.
fn is_politely_left(clause: &[Word]) -> bool {
    let request = sentence::without_lead(clause);
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let left = LEAVES.iter().find_map(|lead| behind(&texts, lead));
    request.len() < clause.len() && matches!(left, Some(["the" | "my" | "our", _, ..]))
}

/// What follows these words, where something does.
fn behind<'a, 'b>(texts: &'a [&'b str], lead: &[&'b str]) -> Option<&'a [&'b str]> {
    texts.strip_prefix(lead).filter(|rest| !rest.is_empty())
}

/// "The meeting with Tom on Friday was fun."
fn is_over(texts: &[&str]) -> bool {
    let judged = ["fun", "great", "good", "nice", "long", "boring", "awful", "terrible", "useful"];
    matches!(texts, ["the" | "my" | "our", .., "was" | "were", last] if is_any(last, &judged))
}

/// What somebody else said, wants or does: "Tom said to send it".
fn is_reported(clause: &[Word], heard: &str, world: &World) -> bool {
    let Some(behind) = somebody_else(clause, heard, world) else { return false };
    let rest: Vec<&str> = clause[behind..].iter().map(|word| word.text.as_str()).collect();
    let writes = |rest: &[&str]| rest.iter().take(4).any(|text| is_any(text, WRITES));
    let unnamed = is_any(&clause[0].text, &["he", "she", "they"]);
    let quotes = || clause[behind..].iter().skip(1).all(|word| word.quoted);
    let names = |at: usize| {
        matches!(whom::at(clause, behind + at, heard, world), Some((Whom::Known { .. }, _)))
    };
    match rest.as_slice() {
        ["said" | "says" | "wrote" | "writes", ..] if rest.len() > 1 && quotes() => !unnamed,
        ["told", ..] if names(1) => true,
        ["just", "told" | "said" | "asked", ..] => true,
        [
            "said" | "says" | "want" | "wants" | "wanted" | "asked" | "told" | "thinks",
            more @ ..,
        ] => writes(more),
        ["wrote" | "writes", "that", more @ ..] => writes(more),
        ["is", "going", "to", more @ ..] | ["will", more @ ..] => writes(more),
        ["emailed" | "wrote" | "mailed" | "texted", "me", "to", more @ ..] => writes(more),
        ["emailed" | "wrote" | "mailed", ..] => names(1),
        _ => false,
    }
}

/// Where the words about somebody else end with whom the clause begins.
fn somebody_else(clause: &[Word], heard: &str, world: &World) -> Option<usize> {
    let texts: Vec<&str> = clause.iter().map(|word| word.text.as_str()).collect();
    let letters = ["mail", "email", "message", "note", "letter", "text"];
    if let ["the" | "that" | "this", noun, "from", ..] = texts.as_slice()
        && is_any(noun, &letters)
    {
        return whom::at(clause, 3, heard, world).map(|(_, used)| 3 + used);
    }
    match texts.as_slice() {
        ["he" | "she" | "they", ..] => return Some(1),
        ["the" | "my" | "that" | "this", noun, ..] if is_any(noun, &letters) => return Some(2),
        ["my", "boss" | "manager" | "colleague" | "team" | "wife" | "husband", ..] => {
            return Some(2);
        }
        _ => {}
    }
    let (Whom::Known { .. } | Whom::OneOf(_), used) = whom::at(clause, 0, heard, world)? else {
        return None;
    };
    let owns = usize::from(texts.get(used) == Some(&"'s"));
    let noun = usize::from(texts.get(used + owns).is_some_and(|noun| is_any(noun, &letters)));
    Some(used + owns + noun)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    fn taken_for(heard: &str) -> Option<&'static str> {
        read(&words(heard), heard, &corpus::world()).map(|chat| chat.name())
    }

    #[test]
    fn what_is_only_told_asks_for_nothing() {
        let cases = [
            ("tom said to send it", "told"),
            ("my boss said schedule a meeting with tom tomorrow at three", "told"),
            ("tom emailed ana that the meeting moved", "told"),
            ("i already emailed tom that i'm late", "told"),
            ("should i email tom that i'm late", "told"),
            ("let me know when tom writes", "hangs"),
            ("i don't want you to email tom", "okay"),
            ("can you send mail?", "help"),
            ("could you reply to people for me", "help"),
            ("how do i email tom", "help"),
        ];
        for (heard, expected) in cases {
            assert_eq!(taken_for(heard), Some(expected), "{heard}");
        }
    }

    #[test]
    fn what_is_mused_or_left_to_us_is_told_apart_from_what_somebody_did_or_wants() {
        let read = |heard: &str| read(&words(heard), heard, &corpus::world());
        for heard in [
            "should i take an umbrella",
            "should we move to berlin",
            "should i accept tom's offer",
            "deal with the leo boiler thing",
            "handle the invoice from paperlane",
            "take care of the mail from dana",
            "imagine a world without email",
            "suppose i moved to berlin",
            "what would you say to dana",
            "what if i told tom everything",
            "the meeting with tom was fun",
            "please handle the invoice from paperlane",
            "can you take care of the mail from dana?",
        ] {
            assert_eq!(read(heard), Some(Chat::Mused), "{heard}");
        }
        for heard in [
            "tom said to send it",
            "my boss wants me to book a room",
            "i already emailed tom",
            "we are meeting ana",
            "i should have sent it",
            "i booked the room",
        ] {
            assert_eq!(read(heard), Some(Chat::Told), "{heard}");
        }
    }

    #[test]
    fn a_request_is_not_mistaken_for_talk() {
        for heard in [
            "can you send it",
            "can you email tom that i'm late",
            "can you book a meeting with ana",
            "could you reply to ana that it's fine",
            "what did tom say",
            "tom said what about the budget?",
            "tell tom i said to send it",
            "should i leave early",
            "when will tom arrive",
            "can you handle invoices?",
            "please take care of it",
        ] {
            assert_eq!(taken_for(heard), None, "{heard}");
        }
    }
}
