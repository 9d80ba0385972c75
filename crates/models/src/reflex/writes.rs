//! Requests that would change something: where each begins and ends.
//!
//! Mail that is to be written and events that are to be added are read by
//! `compose` and `booking`; of the rest it is said honestly that it cannot be
//! done yet. None of it is taken for something else.

use brain::resolve::time::cardinal;
use brain::resolve::words::Word;

use super::vocabulary::is_any;
use super::whom::{self, Whom};
use super::{booking, compose, condition, memory, own_calendar, refer, sentence};
use crate::World;
use crate::gist::NotYet;

/// A stretch of a sentence that is one request to write, or look-ups.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    pub words: &'a [Word],
    pub kind: Kind,
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Look-ups, and changes that nobody can make yet.
    Rest,
    Mail,
    Event,
    /// To remember, to recall, to forget.
    Memory,
    /// Something to write, and what has to hold first.
    Hanging,
}

/// The sentence cut where a request to write begins. The words of a mail run
/// on over commas and "and"s, up to the next thing that can only be a request.
pub fn parts<'a>(words: &'a [Word], heard: &str, world: &World) -> Vec<Part<'a>> {
    let mut cuts = vec![(0, Kind::Rest)];
    let mut hangs_until = 0;
    for at in starts(words) {
        if at < hangs_until {
            continue;
        }
        let (start, kind) = cuts.last().copied().unwrap_or((0, Kind::Rest));
        let mail = (kind == Kind::Mail).then_some(start);
        if let Some(end) = hanging(words, at, mail, heard, world) {
            if at == 0 {
                cuts.clear();
            }
            cuts.push((at, Kind::Hanging));
            hangs_until = end;
            if end < words.len() {
                cuts.push((end, Kind::Rest));
            }
            continue;
        }
        let request = sentence::bare(&words[at..]);
        let begun = match cuts.last().map_or(Kind::Rest, |(_, kind)| *kind) {
            Kind::Rest | Kind::Hanging => begins(request, heard, world),
            Kind::Mail if read(request).is_some() && is_one_text(words, at, heard) => None,
            Kind::Mail => {
                let start = cuts.last().map_or(0, |(start, _)| *start);
                let mail = &words[start..at];
                let turned = || own_calendar::is_turned_to(request, mail);
                let another = refer::is_for_another(sentence::bare(mail), request, heard, world);
                ends_a_mail(request, heard, world)
                    .or_else(|| turned().then_some(Kind::Rest))
                    .or_else(|| another.then_some(Kind::Mail))
            }
            Kind::Memory if memory::begins(request, heard) => Some(Kind::Memory),
            // What is to be remembered runs on like the words of a mail.
            Kind::Memory => ends_a_mail(request, heard, world),
            Kind::Event => {
                let rest = opens(request) || own_calendar::is_turned_to(request, &[]);
                begins(request, heard, world).or(rest.then_some(Kind::Rest))
            }
        };
        let Some(kind) = begun else { continue };
        if at == 0 {
            cuts.clear();
        }
        cuts.push((at, kind));
    }
    let ends = cuts.iter().skip(1).map(|(at, _)| *at).chain([words.len()]);
    let parts = cuts.iter().zip(ends).map(|(&(start, kind), end)| {
        let own = &words[start..end];
        // "See you then" ends in a word of its own; before another request it is a link.
        let is_link = |word: &&Word| end < words.len() && (word.is("and") || word.is("then"));
        let links = own.iter().rev().take_while(is_link).count();
        Part { words: &own[..own.len() - links], kind }
    });
    parts.filter(|part| !part.words.is_empty() && !is_send_it(part.words)).collect()
}

/// "… and if Dana wrote reply that it's on": where it ends, if something would
/// be written once that holds. `mail` is where the mail began that is being written.
fn hanging(
    words: &[Word],
    at: usize,
    mail: Option<usize>,
    heard: &str,
    world: &World,
) -> Option<usize> {
    if words[at].quoted || !sentence::is_condition(&words[at..]) {
        return None;
    }
    // Behind a colon all of it is somebody's text, and so is what a comma joins on.
    if let Some(start) = mail {
        let linked = at > 0 && is_any(&words[at - 1].text, &["and", "then", "also"]);
        let apart = at > 0 && matches!(words[at - 1].stop, Some('.' | '?' | '!'));
        let text = heard[words[start].start..words[at].start].contains(':');
        if text || !(linked || apart) {
            return None;
        }
    }
    let ends = |word: &Word| matches!(word.stop, Some('.' | '?' | '!'));
    let end = words[at..].iter().position(ends).map_or(words.len(), |stop| at + stop + 1);
    let clause = &words[at..end];
    let writes = (1..clause.len()).any(|place| {
        condition::may_ask(clause, place)
            && match mail {
                None => begins_with_a_write(&clause[place..], heard, world),
                Some(_) => matches!(
                    ends_a_mail(&clause[place..], heard, world),
                    Some(Kind::Mail | Kind::Event)
                ),
            }
    });
    writes.then_some(end)
}

/// A request to write, also one that cannot be done.
pub fn begins_with_a_write(request: &[Word], heard: &str, world: &World) -> bool {
    let request = sentence::bare(request);
    let answers =
        matches!(request, [verb, _, ..] if is_any(&verb.text, &["reply", "respond", "answer"]));
    let reminds = matches!(request, [verb, me, _, ..] if verb.is("remind") && me.is("me"));
    let tells = request.first().is_some_and(|verb| is_any(&verb.text, &["tell", "ask", "email"]))
        && matches!(whom::at(request, 1, heard, world), Some((Whom::Known { .. }, _)));
    answers || reminds || tells || begins(request, heard, world).is_some()
}

/// The condition alone, without what hangs on it.
pub fn before_the_request<'a>(words: &'a [Word], heard: &str, world: &World) -> &'a [Word] {
    let begins = |at: &usize| {
        condition::may_ask(words, *at) && begins_with_a_write(&words[*at..], heard, world)
    };
    let end = (1..words.len()).find(begins).unwrap_or(words.len());
    let close = ["and", "then", "so", "just", "please"];
    let links = words[..end].iter().rev().take_while(|word| is_any(&word.text, &close)).count();
    &words[..(end - links).max(1)]
}

/// Where a request can begin: at the start, behind a mark, behind "and".
fn starts(words: &[Word]) -> impl Iterator<Item = usize> {
    (0..words.len()).filter(|&at| {
        let Some(before) = at.checked_sub(1).map(|before| &words[before]) else { return true };
        let linked = is_any(&before.text, &["and", "then", "also", "anyway"])
            || is_any(&before.text, &["but", "so"]) && is_asked(&words[at..]);
        !words[at].quoted && (linked || before.stop.is_some() || follows_a_look(words, at))
    })
}

/// "… so could you": what was told before it only led up to it.
fn is_asked(words: &[Word]) -> bool {
    matches!(words, [can, you, _, ..]
        if you.is("you") && is_any(&can.text, &["can", "could", "would", "will"]))
}

/// "Check my email reply to Leo": nobody speaks the comma.
fn follows_a_look(words: &[Word], at: usize) -> bool {
    const VERBS: &[&str] = &["reply", "respond", "tell", "schedule", "book", "send", "set", "let"];
    const LOOK: &[&str] = &[
        "check", "look", "read", "see", "show", "open", "go", "at", "through", "me", "my", "the",
        "new", "unread", "mail", "mails", "email", "emails", "inbox", "messages", "calendar",
        "for", "today", "tomorrow", "please",
    ];
    let start = (0..at).rev().find(|&before| {
        words[before].stop.is_some() || words[before].is("and") || words[before].is("then")
    });
    let clause = sentence::bare(&words[start.map_or(0, |before| before + 1)..at]);
    let looks = clause.len() > 1
        && clause.first().is_some_and(|first| is_any(&first.text, &LOOK[..7]))
        && clause.iter().all(|word| is_any(&word.text, LOOK) && !word.quoted);
    looks && is_any(&words[at].text, VERBS)
}

/// Does something to write begin anywhere behind the first word?
pub fn is_within(words: &[Word], heard: &str, world: &World) -> bool {
    (1..words.len()).any(|at| {
        let tells = is_any(&words[at].text, &["tell", "ask", "email"])
            && matches!(whom::at(words, at + 1, heard, world), Some((Whom::Known { .. }, _)));
        tells || begins(&words[at..], heard, world).is_some()
    })
}

/// "Email Lena: check your mail and reply to Tom": behind a colon, an "and"
/// belongs to the text.
fn is_one_text(words: &[Word], at: usize, heard: &str) -> bool {
    let Some(linked) = at.checked_sub(1).filter(|&before| words[before].is("and")) else {
        return false;
    };
    let start = words[..linked].iter().rposition(|word| matches!(word.stop, Some('.' | '?' | '!')));
    let start = start.map_or(0, |stop| words[stop].end);
    let paused = linked > 0 && words[linked - 1].stop.is_some();
    let is_clock = |at: usize| heard[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let colon =
        heard[start..words[at].start].match_indices(':').any(|(at, _)| !is_clock(start + at));
    colon && !paused
}

/// Something to write that can be read.
fn begins(request: &[Word], heard: &str, world: &World) -> Option<Kind> {
    if memory::begins(request, heard) {
        return Some(Kind::Memory);
    }
    match read(request)? {
        NotYet::Mail => compose::begins(heard, request, world).then_some(Kind::Mail),
        NotYet::Calendar => booking::begins(request, heard, world).then_some(Kind::Event),
        NotYet::Tidy | NotYet::Remind => None,
    }
}

/// What cannot belong to the words of a mail any more.
fn ends_a_mail(request: &[Word], heard: &str, world: &World) -> Option<Kind> {
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    if is_send_it(request) {
        return Some(Kind::Rest);
    }
    if is_book_it(request) {
        return Some(Kind::Event);
    }
    match read(request) {
        Some(NotYet::Mail) if compose::is_to_somebody_known(heard, request, world) => {
            Some(Kind::Mail)
        }
        Some(NotYet::Calendar) if booking::begins(request, heard, world) => Some(Kind::Event),
        Some(NotYet::Tidy) if texts.len() <= 4 => Some(Kind::Rest),
        Some(NotYet::Remind) if texts.starts_with(&["remind", "me"]) => Some(Kind::Rest),
        _ => opens(request).then_some(Kind::Rest),
    }
}

/// A look-up that nobody would write to somebody else.
fn opens(request: &[Word]) -> bool {
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let looks: &[&[&str]] = &[
        &["show", "me"],
        &["read", "me"],
        &["what", "is", "on"],
        &["what", "do", "i", "have"],
        &["check", "my"],
        &["any", "new", "mail"],
        &["when", "am", "i", "free"],
        &["am", "i", "free"],
        &["find", "time", "with"],
        &["find", "an", "hour", "with"],
        &["find", "half", "an", "hour", "with"],
        &["find", "me", "time"],
        &["find", "me", "an", "hour"],
        &["check", "whether"],
    ];
    looks.iter().any(|lead| texts.starts_with(lead))
}

/// "And send it": that is for the card.
fn is_send_it(request: &[Word]) -> bool {
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let texts = texts.strip_prefix(&["and"]).or(texts.strip_prefix(&["then"])).unwrap_or(&texts);
    matches!(texts, ["send", "it" | "that"] | ["send", "it", "off" | "out" | "please"])
}

/// "And book it", behind words that say when.
fn is_book_it(request: &[Word]) -> bool {
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let texts = ["too", "also", "please"]
        .iter()
        .fold(texts.as_slice(), |texts, tail| texts.strip_suffix(&[*tail]).unwrap_or(texts));
    let texts = texts.strip_suffix(&["as", "well"]).unwrap_or(texts);
    matches!(texts, ["book" | "schedule", "it" | "that"])
}

/// What the request would change. It has to begin with the verb: "did Tom
/// cancel" and "the cancelled meeting" change nothing.
pub fn read(words: &[Word]) -> Option<NotYet> {
    if words.first()?.quoted {
        return None;
    }
    let texts: Vec<&str> =
        words.iter().filter(|word| !word.quoted).map(|word| word.text.as_str()).collect();
    let noun = |place: usize| texts.get(place).copied().unwrap_or("");
    let calendar = texts.iter().any(|text| is_calendar(text));
    Some(match *texts.first()? {
        "send" | "reply" | "respond" | "forward" | "compose" | "resend" | "bcc" | "cc" => {
            NotYet::Mail
        }
        "write" | "draft" if texts.len() > 1 => NotYet::Mail,
        "answer" if texts.len() > 1 => NotYet::Mail,
        "email" | "mail" | "message" | "text" if is_verb_here(&texts) => NotYet::Mail,
        "tell" | "let" | "ask" if asks_somebody_else(&texts, words.len()) => NotYet::Mail,
        "get" if noun(1) == "back" && noun(2) == "to" => NotYet::Mail,
        "follow" if noun(1) == "up" => NotYet::Mail,
        "schedule" if is_verb_here(&texts) => NotYet::Calendar,
        "pencil" | "arrange" | "organize" | "organise" | "enter"
            if calendar || has_time(&texts) =>
        {
            NotYet::Calendar
        }
        "drop" | "shoot"
            if texts.iter().any(|text| is_mail(text) || *text == "line" || *text == "note") =>
        {
            NotYet::Mail
        }
        "inform" if asks_somebody_else(&texts, words.len()) => NotYet::Mail,
        "book" | "reschedule" | "invite" | "rsvp" | "postpone" | "rebook" | "uninvite" => {
            NotYet::Calendar
        }
        "delay" if texts.len() > 1 => NotYet::Calendar,
        "skip" if has_time(&texts) || calendar => NotYet::Calendar,
        "call" if noun(1) == "off" && texts.len() > 2 => NotYet::Calendar,
        "bring" if texts.contains(&"forward") => NotYet::Calendar,
        "meet" if has_time(&texts) => NotYet::Calendar,
        "accept" | "decline" if texts.len() > 1 => NotYet::Calendar,
        "cancel" if texts.len() > 1 => NotYet::Calendar,
        "set" if calendar || texts.iter().take(4).any(|text| *text == "up") => NotYet::Calendar,
        "block" | "reserve" | "hold" if texts.len() > 1 => NotYet::Calendar,
        "plan" if texts.len() > 1 => NotYet::Calendar,
        "move" | "push" | "shift" | "swap" | "change" if texts.len() > 1 => NotYet::Calendar,
        // "Make it 45 minutes and call it roadmap" is about what was just said.
        "make" if matches!(noun(1), "it" | "that") => return None,
        "add" | "put" | "create" | "make" if calendar || has_time(&texts) => NotYet::Calendar,
        "delete" | "remove" | "clear" | "erase" if calendar => NotYet::Calendar,
        "create" | "make" if texts.iter().any(|text| is_mail(text)) => NotYet::Mail,
        "delete" | "archive" | "trash" | "unsubscribe" | "star" | "unstar" | "flag" | "mute"
        | "snooze" | "spam" | "erase" => NotYet::Tidy,
        "remove" | "clear" | "empty" if texts.iter().any(|text| is_mail(text)) => NotYet::Tidy,
        "mark" | "label" if texts.len() > 1 => NotYet::Tidy,
        "remind" if !asks_back(noun(2)) => NotYet::Remind,
        "remember" | "note" if texts.len() > 1 => NotYet::Remind,
        "do" if noun(1) == "not" && noun(2) == "forget" && texts.len() > 3 => NotYet::Remind,
        "do" if texts.starts_with(&["do", "not", "let", "me", "forget"]) => NotYet::Remind,
        "set" if texts.contains(&"reminder") => NotYet::Remind,
        _ => return None,
    })
}

fn is_calendar(text: &str) -> bool {
    matches!(
        text,
        "calendar"
            | "diary"
            | "agenda"
            | "meeting"
            | "meetings"
            | "appointment"
            | "event"
            | "invite"
            | "call"
            | "lunch"
    )
}

fn is_mail(text: &str) -> bool {
    matches!(
        text,
        "mail" | "mails" | "email" | "emails" | "inbox" | "draft" | "drafts" | "message" | "trash"
    )
}

fn has_time(texts: &[&str]) -> bool {
    let days = [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "tomorrow",
        "tonight",
        "noon",
        "midnight",
        "o'clock",
    ];
    let clock = |text: &str| {
        let digits = text.starts_with(|c: char| c.is_ascii_digit());
        let marked = text.ends_with("pm") || text.ends_with("am") || text.contains([':', '-']);
        digits && marked || matches!(text, "am" | "pm")
    };
    let at = texts.windows(2).any(|pair| {
        let hour = pair[1].starts_with(|c: char| c.is_ascii_digit());
        pair[0] == "at" && (hour || cardinal(&pair[1..]).is_some())
    });
    let nth = |text: &str| {
        let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let ends = ["st", "nd", "rd", "th"].iter().any(|end| text.ends_with(end));
        ends && !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
    };
    at || texts.iter().any(|text| is_any(text, &days) || clock(text) || nth(text))
}

/// "Email Ana the notes" writes; "email from Ana" does not, nor "schedule for Monday".
fn is_verb_here(texts: &[&str]) -> bool {
    let noun_follows = [
        "from",
        "for",
        "about",
        "on",
        "in",
        "today",
        "tomorrow",
        "this",
        "next",
        "please",
        "since",
        "with",
        "of",
        "to",
        "yesterday",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "labelled",
        "labeled",
        "tagged",
        "i",
        "tonight",
        "that",
        "check",
        "after",
        "before",
        "between",
        "not",
        "without",
        "except",
        "at",
        "around",
        "last",
        "received",
        "mentioning",
        "regarding",
        "containing",
        "and",
        "or",
    ];
    texts.get(1).is_some_and(|next| !noun_follows.contains(next))
}

/// "Tell Tom I'm late", "let Ana know"; not "tell me", "let me see", "ask".
fn asks_somebody_else(texts: &[&str], said: usize) -> bool {
    let them = matches!(texts, [_, "him" | "her" | "them"]);
    them || said > 2 && texts.len() > 1 && !matches!(texts[1], "me" | "us" | "a" | "you")
}

/// "Remind me what's on" asks; "remind me to call" is a reminder.
fn asks_back(word: &str) -> bool {
    matches!(word, "what" | "when" | "who" | "where" | "how" | "which")
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;

    #[test]
    fn a_change_begins_with_its_verb() {
        let cases = [
            ("send it", Some(NotYet::Mail)),
            ("email ana the notes", Some(NotYet::Mail)),
            ("email from ana", None),
            ("tell tom i am late", Some(NotYet::Mail)),
            ("tell me about friday", None),
            ("schedule a meeting", Some(NotYet::Calendar)),
            ("schedule for monday", None),
            ("cancel", None),
            ("cancel lunch", Some(NotYet::Calendar)),
            ("archive it", Some(NotYet::Tidy)),
            ("remind me to call", Some(NotYet::Remind)),
            ("remind me what is on", None),
            ("did tom cancel", None),
            ("\"send it\"", None),
        ];
        for (text, expected) in cases {
            assert_eq!(read(&words(text)), expected, "{text}");
        }
    }
}
