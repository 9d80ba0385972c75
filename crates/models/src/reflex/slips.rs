//! Slips of speech: fillers, words said twice, and words that a recogniser
//! takes for others that sound the same.
//!
//! Only the request is put right. What is to be written stands in the sentence
//! itself and is taken from there, as it was said.

mod joined;
mod swapped;
mod trailing;

use brain::resolve::address;
use brain::resolve::people::{self, Candidate, Match, People};
use brain::resolve::time::{self, cardinal};
use brain::resolve::words::{Word, words};

use self::joined::{drop_else, join_free, join_half_days, own_without_a_mark, spelled_at};
use self::swapped::swapped_back;
use super::sentence;
use super::spelled;
use super::vocabulary::{self, is_any};
use super::waiting;
use super::who::may_be_name;

/// The words of a sentence, as they were meant: addresses that were said aloud
/// are one word, and slips of tongue, ear and keyboard are put right.
pub fn heard(sentence: &str, contacts: &People) -> Vec<Word> {
    let mut said = address::joined(words(sentence), sentence);
    join_half_days(&mut said);
    join_free(&mut said);
    drop_else(&mut said);
    write_out(&mut said);
    say_plainly(&mut said);
    drop_fillers(&mut said);
    waiting::drop_lead(&mut said);
    trailing::drop(&mut said, sentence);
    point_at_writers(&mut said);
    drop_doubles(&mut said);
    drop_both(&mut said);
    ours_is_theirs(&mut said);
    mishearings(&mut said, sentence, contacts);
    vocabulary::mend(&mut said, contacts);
    own_without_a_mark(&mut said, contacts);
    put_commas(&mut said, contacts);
    said
}

/// The sentence as one writes it, where it was dictated or typed otherwise.
pub fn as_written(sentence: &str, contacts: &People) -> Option<String> {
    dictated_marks(sentence)
        .or_else(|| spelled_at(sentence))
        .or_else(|| spelled::parted(sentence, contacts))
        .or_else(|| swapped_back(sentence, contacts))
        .or_else(|| reply_in_a_row(sentence))
}

/// "Check my email, replied to him that …": nobody tells in the middle of a request what was
/// done already.
fn reply_in_a_row(sentence: &str) -> Option<String> {
    const LOOKS: &[&str] = &["check", "look", "read", "open", "find", "search", "see", "show"];
    let said = words(sentence);
    let says = |word: &Word| is_any(&word.text, &["that", "saying"]);
    let is_verb = |at: &usize| {
        let [before, verb] = [&said[at - 1], &said[*at]];
        let who = said.iter().skip(at + 2).take_while(|word| !says(word) && word.stop.is_none());
        let to_somebody = said.get(at + 1).is_some_and(|next| next.is("to"))
            && said.get(at + 2 + who.count()).is_some_and(says);
        before.stop == Some(',') && !verb.quoted && verb.is("replied") && to_somebody
    };
    let at = (1..said.len()).find(is_verb)?;
    let first = sentence::without_lead(&said).first()?;
    let verb = said[at].start..said[at].end;
    let mut written = sentence.to_owned();
    written.replace_range(verb, "reply");
    is_any(&first.text, LOOKS).then_some(written)
}

/// The words of an answer to a card. Whoever says "hmm" or says it twice may
/// be in doubt, so nothing is left out and nothing is taken for a yes.
pub fn answered(sentence: &str, contacts: &People) -> Vec<Word> {
    const POLITE: &[(&str, &str)] = &[("pls", "please"), ("plz", "please"), ("thx", "thanks")];
    let mut said = address::joined(words(sentence), sentence);
    for word in said.iter_mut().filter(|word| !word.quoted) {
        if let Some((_, whole)) = POLITE.iter().find(|(short, _)| word.is(short)) {
            (*whole).clone_into(&mut word.text);
        }
    }
    vocabulary::mend(&mut said, contacts);
    said
}

/// As people type who are in a hurry.
const SHORT: &[(&str, &str)] = &[
    ("fwd", "forward"),
    ("resched", "reschedule"),
    ("cal", "calendar"),
    ("tmw", "tomorrow"),
    ("mtg", "meeting"),
    ("mtgs", "meetings"),
    ("appt", "appointment"),
    ("msg", "message"),
    ("msgs", "messages"),
    ("w", "with"),
    ("pls", "please"),
    ("plz", "please"),
    ("2moro", "tomorrow"),
    ("2morrow", "tomorrow"),
    ("tmr", "tomorrow"),
    ("2nite", "tonight"),
    ("tonite", "tonight"),
    ("tmrw", "tomorrow"),
    ("2mrw", "tomorrow"),
    ("wknd", "weekend"),
    ("mins", "minutes"),
    ("abt", "about"),
    ("wht", "what"),
    ("wat", "what"),
    ("wen", "when"),
    ("cn", "can"),
    ("cld", "could"),
    ("u", "you"),
    ("n", "and"),
    ("rmnd", "remind"),
    ("arvo", "afternoon"),
];

/// "Would you mind telling Ana": the request is in the verb.
const MINDED: &[(&str, &str)] = &[
    ("telling", "tell"),
    ("asking", "ask"),
    ("letting", "let"),
    ("writing", "write"),
    ("emailing", "email"),
    ("sending", "send"),
    ("replying", "reply"),
    ("booking", "book"),
    ("scheduling", "schedule"),
    ("arranging", "arrange"),
    ("putting", "put"),
    ("adding", "add"),
    ("checking", "check"),
    ("reading", "read"),
    ("showing", "show"),
];

/// The whole word for one that was typed in a hurry.
pub fn whole(word: &str) -> &str {
    let lower = word.to_lowercase();
    SHORT.iter().find(|(short, _)| *short == lower).map_or(word, |(_, whole)| whole)
}

fn write_out(said: &mut [Word]) {
    let last = said.len().saturating_sub(1);
    for (at, word) in said.iter_mut().enumerate().filter(|(_, word)| !word.quoted) {
        // An "n" by itself is a no; between words it is an "and".
        if word.is("n") && (at == 0 || at == last || word.stop.is_some()) {
            continue;
        }
        if let Some((_, whole)) = SHORT.iter().find(|(short, _)| word.is(short)) {
            (*whole).clone_into(&mut word.text);
        }
    }
    for at in 2..said.len() {
        let minds = said[at - 1].is("mind") && said[at - 2].is("you");
        let verb = MINDED.iter().find(|(told, _)| said[at].is(told));
        if let Some((_, verb)) = verb.filter(|_| minds) {
            (*verb).clone_into(&mut said[at].text);
        }
    }
}

/// How people ask for it who never say "email", "put" or "remind".
const LOOSELY: &[(&str, &[&str], &str)] = &[
    ("ping", &[], "message"),
    ("nudge", &["me"], "remind"),
    ("throw", &[], "put"),
    ("stick", &[], "put"),
    ("pop", &[], "put"),
    ("skim", &[], "check"),
    ("grab", &[], "book"),
];

/// The same where a request begins, and nowhere else.
fn say_plainly(said: &mut [Word]) {
    for at in 0..said.len() {
        let starts = at == 0 || {
            let before = &said[at - 1];
            before.stop.is_some() || is_any(&before.text, &["and", "then", "please", "also", "yo"])
        };
        let next = said.get(at + 1).map_or("", |next| next.text.as_str());
        let meant = LOOSELY.iter().find(|(loose, behind, _)| {
            said[at].is(loose) && !next.is_empty() && (behind.is_empty() || is_any(next, behind))
        });
        if let Some((_, _, plain)) = meant.filter(|_| starts && !said[at].quoted) {
            (*plain).clone_into(&mut said[at].text);
        }
        // "What's my first thing tomorrow" asks for what is on, not for the morning.
        let thing = said[at..].iter().take(5).position(|word| word.is("thing") && !word.quoted);
        let first = |place: usize| {
            place > 2
                && said[place - 1].is("first")
                && is_any(&said[place - 2].text, &["my", "the"])
        };
        if let Some(place) = thing.map(|thing| at + thing).filter(|place| starts && first(*place))
            && is_any(&said[at].text, &["what", "when", "which", "where"])
        {
            "meeting".clone_into(&mut said[place].text);
        }
        // "Remember me to call Tom"
        let to = said.get(at + 2).is_some_and(|word| word.is("to"));
        if starts && said[at].is("remember") && !said[at].quoted && next_is_me(said, at) && to {
            "remind".clone_into(&mut said[at].text);
        }
    }
}

fn next_is_me(said: &[Word], at: usize) -> bool {
    said.get(at + 1).is_some_and(|next| next.is("me"))
}

/// "Comma" and "question mark", as somebody dictates them who expects no others.
fn dictated_marks(sentence: &str) -> Option<String> {
    const MARKS: &[(&str, &str)] = &[
        (" question mark", "?"),
        (" exclamation mark", "!"),
        (" exclamation point", "!"),
        (" full stop", "."),
        (" comma ", ", "),
    ];
    let plain = !sentence.contains([',', '.', '?', '!', ':', '"', '“']);
    let spoken = plain && MARKS.iter().any(|(mark, _)| sentence.contains(mark));
    spoken.then(|| {
        let marked =
            MARKS.iter().fold(sentence.to_owned(), |text, (said, mark)| text.replace(said, mark));
        // "Period" is a word of its own, unless marks are spoken anyway.
        match marked.strip_suffix(" period") {
            Some(rest) => format!("{rest}."),
            None => marked.replace(" period ", ". "),
        }
    })
}

/// Said while thinking.
const FILLERS: &[&str] = &["um", "umm", "uh", "uhm", "uhh", "er", "erm", "hm", "hmm", "mm"];

/// Words behind which nobody pauses but to think, and which are said twice
/// only by a slip.
pub const HURRIED: &[&str] = &[
    "to", "the", "a", "an", "my", "with", "and", "for", "from", "on", "at", "in", "of", "is",
    "are", "i", "me", "you", "can", "could", "would", "send", "reply", "email", "mail", "write",
    "tell", "ask", "schedule", "book", "check", "read", "show", "find", "what", "when", "who",
    "how", "do", "does", "did", "have", "it", "this", "please", "invite", "set", "add", "want",
    "any", "move",
];

fn drop_fillers(said: &mut Vec<Word>) {
    let mut kept: Vec<Word> = Vec::with_capacity(said.len());
    let all = said.len();
    let mut at = 0;
    while at < all {
        let used = filler(said, at, kept.last());
        // A sentence that is nothing else stays: somebody answers it.
        if used == 0 || used == all {
            kept.push(said[at].clone());
            at += 1;
            continue;
        }
        let stop = said[at + used - 1].stop;
        if let Some(before) = kept.last_mut() {
            match (before.stop, stop) {
                (None, Some(mark)) if mark != ',' => before.stop = stop,
                (Some(','), _) if is_any(&before.text, HURRIED) => before.stop = None,
                _ => {}
            }
        }
        at += used;
    }
    if !kept.is_empty() {
        *said = kept;
    }
}

/// How many words of a filler stand here.
fn filler(said: &[Word], at: usize, before: Option<&Word>) -> usize {
    let word = &said[at];
    if word.quoted {
        return 0;
    }
    if is_any(&word.text, FILLERS) {
        return 1;
    }
    // These are words of their own, but not between two commas.
    let apart = before.is_none_or(|before| before.stop.is_some());
    let comma = |ahead: usize| said.get(at + ahead).is_some_and(|last| last.stop == Some(','));
    let links = |next: &Word| is_any(&next.text, &["and", "also"]);
    match word.text.as_str() {
        "oh" if at > 0 && said.get(at + 1).is_some_and(links) => 1,
        "like" | "basically" if apart && comma(0) => 1,
        // "At like 2ish": nothing is compared.
        "like"
            if before
                .is_some_and(|before| is_any(&before.text, &["at", "around", "by", "for"]))
                && said.get(at + 1).is_some_and(is_counted) =>
        {
            1
        }
        "you" if apart && comma(1) && word.stop.is_none() && said[at + 1].is("know") => 2,
        _ => 0,
    }
}

/// "Meet with the sender": whoever wrote, pointed at like "them".
fn point_at_writers(said: &mut Vec<Word>) {
    const BEFORE: &[&str] =
        &["with", "to", "tell", "ask", "invite", "email", "meet", "and", "mail"];
    let mut at = 2;
    while at < said.len() {
        let writes = is_any(&said[at].text, &["sender", "author", "writer"]);
        let points = is_any(&said[at - 1].text, &["the", "that", "its"]);
        let addressed = is_any(&said[at - 2].text, BEFORE) && said[at - 2].stop.is_none();
        if writes && points && addressed && !said[at].quoted {
            let the = said.remove(at - 1);
            let one = &mut said[at - 1];
            "them".clone_into(&mut one.text);
            one.start = the.start;
        }
        at += 1;
    }
}

fn is_counted(word: &Word) -> bool {
    word.text.starts_with(|c: char| c.is_ascii_digit())
        || cardinal(&[word.text.as_str()]).is_some()
        || is_any(&word.text, &["noon", "half", "an"])
}

/// "Let them both know", "tell them all to come": they are several already.
fn drop_both(said: &mut Vec<Word>) {
    for at in (1..said.len()).rev() {
        let goes_on = |word: &Word| is_any(&word.text, &["to", "that", "know", "about"]);
        let all = said[at].is("all") && said.get(at + 1).is_some_and(goes_on);
        if (said[at].is("both") || all) && said[at - 1].is("them") && !said[at].quoted {
            let both = said.remove(at);
            said[at - 1].end = both.end;
            said[at - 1].stop = both.stop;
        }
    }
}

/// "Reply to to Priya", "send, send Tom a mail", "can you can you check".
fn drop_doubles(said: &mut Vec<Word>) {
    for length in [2, 1] {
        let mut at = 0;
        while at + 2 * length <= said.len() {
            if is_double(&said[at..at + 2 * length], length) {
                said.drain(at..at + length);
            } else {
                at += 1;
            }
        }
    }
}

fn is_double(words: &[Word], length: usize) -> bool {
    let (first, second) = words.split_at(length);
    let same = first.iter().zip(second).all(|(one, other)| {
        one.text == other.text && one.start != other.start && !one.quoted && !other.quoted
    });
    let hurried = first.iter().all(|word| is_any(&word.text, HURRIED));
    let paused = first.iter().all(|word| matches!(word.stop, None | Some(',')));
    same && hurried && paused
}

/// "Have you sent anything": what goes out through us, they sent.
fn ours_is_theirs(said: &mut [Word]) {
    if let [have, you, sent, ..] = said
        && have.is("have")
        && you.is("you")
        && is_any(&sent.text, &["sent", "emailed", "answered", "replied"])
    {
        "i".clone_into(&mut you.text);
    }
}

/// Words that sound like the one that must have been meant.
fn mishearings(said: &mut [Word], sentence: &str, contacts: &People) {
    let start = said.len() - sentence::without_lead(said).len();
    let end = dictated(said, sentence);
    if start < end
        && let Some(meant) = first_meant(&said[start..], contacts)
    {
        meant.clone_into(&mut said[start].text);
    }
    for at in 1..end {
        if let Some(meant) = meant(said, at, contacts) {
            meant.clone_into(&mut said[at].text);
        }
    }
}

/// Where the words begin that are somebody's message.
fn dictated(said: &[Word], sentence: &str) -> usize {
    let begins = |at: &usize| {
        let before = at.checked_sub(1).map_or(0, |before| said[before].end);
        let gap = sentence.get(before..said[*at].start).unwrap_or("");
        said[*at].quoted || gap.contains(':') || is_any(&said[*at].text, &["that", "saying"])
    };
    (0..said.len()).find(begins).unwrap_or(said.len())
}

/// What the verb of a request must have been.
fn first_meant(request: &[Word], contacts: &People) -> Option<&'static str> {
    let [first, next, ..] = request else { return None };
    if first.quoted || first.stop.is_some() {
        return None;
    }
    // Whose name may have been misheard as well.
    let says = |word: &Word| is_any(&word.text, &["that", "saying"]);
    let to_somebody = || {
        request.get(2).is_some_and(|who| is_contact(who, contacts))
            || request.iter().skip(3).take(3).any(says)
    };
    match (first.text.as_str(), next.text.as_str()) {
        ("right" | "rite" | "wright", "to" | "too" | "two") if to_somebody() => Some("write"),
        ("right" | "rite" | "wright", "back") => Some("write"),
        ("right" | "rite" | "wright" | "male", _) if is_contact(next, contacts) => {
            Some(if first.is("male") { "mail" } else { "write" })
        }
        ("sea", "what" | "if" | "who" | "when" | "my") => Some("see"),
        ("red" | "reed", "me" | "my") => Some("read"),
        ("meat", "with") => Some("meet"),
        ("except", "the" | "that" | "this" | "it") => Some("accept"),
        _ => None,
    }
}

/// What stands behind an hour.
const HOURLY: &[&str] =
    &["thirty", "fifteen", "forty-five", "pm", "am", "o'clock", "30", "15", "45"];

/// What a word in the middle of a request must have been.
fn meant(said: &[Word], at: usize, contacts: &People) -> Option<&'static str> {
    let (before, word, next) = (&said[at - 1], &said[at], said.get(at + 1));
    if word.quoted || before.stop.is_some() {
        return None;
    }
    let next_is = |texts: &[&str]| next.is_some_and(|next| is_any(&next.text, texts));
    match (before.text.as_str(), word.text.as_str()) {
        ("my" | "new" | "any" | "unread" | "latest" | "more" | "last", "male") => Some("mail"),
        ("my" | "new" | "any" | "unread" | "latest" | "more" | "last", "males") => Some("mails"),
        ("a" | "an", "male" | "e-male") if next_is(&["to"]) => Some("mail"),
        ("reply" | "respond" | "write" | "back" | "mail" | "email" | "message", "too" | "two")
            if next.is_some_and(|next| is_contact(next, contacts)) =>
        {
            Some("to")
        }
        ("this" | "next" | "last" | "per", "weak") => Some("week"),
        ("an", "our") => Some("hour"),
        ("at", "for") if next_is(HOURLY) => Some("four"),
        ("at", "to" | "too") if next_is(HOURLY) => Some("two"),
        ("at", "ate") => Some("eight"),
        ("to" | "i" | "we" | "can", "meat")
            if next_is(&["with"]) || next.is_some_and(|next| is_contact(next, contacts)) =>
        {
            Some("meet")
        }
        ("to" | "read" | "answer" | "open", "there") if next_is(vocabulary::ONE_MAIL) => {
            Some("their")
        }
        _ => None,
    }
}

/// Nobody speaks the commas of "with Tom, Ana and Lena". They are put where a
/// row of names can be nothing else: behind a word that people stand behind,
/// up to "and" and one more name, and no verb after it, as in "tell Tom Ana
/// and Lena are late".
fn put_commas(said: &mut [Word], contacts: &People) {
    for at in 1..said.len() {
        if !is_any(&said[at - 1].text, LEADS_TO_PEOPLE) {
            continue;
        }
        let names = said[at..].iter().take_while(|word| is_first_name(word, contacts)).count();
        let [and, last, rest @ ..] = &said[at + names..] else { continue };
        let invites = said[at - 1].is("invite");
        let ends = rest.first().is_none_or(|next| {
            is_any(&next.text, NO_VERB)
                || time::is_weekday(&next.text)
                || last.stop.is_some()
                || invites && next.is("to")
        });
        let row = said[at..at + names].iter().all(|word| word.stop.is_none());
        if names > 1 && row && and.is("and") && is_first_name(last, contacts) && ends {
            said[at..at + names - 1].iter_mut().for_each(|word| word.stop = Some(','));
        }
    }
}

const LEADS_TO_PEOPLE: &[&str] =
    &["with", "invite", "to", "email", "mail", "message", "tell", "write", "ask"];

/// What may follow a row of names and is nothing they do.
const NO_VERB: &[&str] = &[
    "that",
    "saying",
    "about",
    "regarding",
    "at",
    "on",
    "for",
    "next",
    "this",
    "tomorrow",
    "today",
    "tonight",
    "please",
];

/// What somebody is called alone, also nearly; a family name belongs to the
/// first name before it.
fn is_first_name(word: &Word, contacts: &People) -> bool {
    let found = people::find(&word.text, contacts);
    let first = |one: &Candidate<'_>| one.reason != Match::LastName;
    !word.quoted && may_be_name(&word.text) && !found.is_empty() && found.iter().all(first)
}

fn is_contact(word: &Word, contacts: &People) -> bool {
    !word.quoted && !people::known(&word.text, contacts).is_empty()
}

#[cfg(test)]
#[path = "slips_tests.rs"]
mod tests;
