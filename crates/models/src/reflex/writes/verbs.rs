//! Which verbs ask for a change, and of what.

use brain::resolve::time::{cardinal, is_weekday};
use brain::resolve::words::Word;

use crate::gist::NotYet;
use crate::reflex::vocabulary::is_any;

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
    // "And move nothing": then nothing is asked for.
    if noun(1) == "nothing" {
        return None;
    }
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
        "take" if texts.contains(&"off") && texts.len() > 3 => NotYet::Calendar,
        "delay" if texts.len() > 1 => NotYet::Calendar,
        "skip" if has_time(&texts) || calendar => NotYet::Calendar,
        "call" if noun(1) == "off" && texts.len() > 2 => NotYet::Calendar,
        "bring" if texts.contains(&"forward") => NotYet::Calendar,
        "meet" if has_time(&texts) => NotYet::Calendar,
        "accept" | "decline" if texts.len() > 1 => NotYet::Calendar,
        "cancel" if texts.len() > 1 => NotYet::Calendar,
        "set" if calendar || texts.iter().take(4).any(|text| *text == "up") => NotYet::Calendar,
        "block" | "reserve" | "hold" if texts.len() > 1 => NotYet::Calendar,
        // "Plan my week" wants to see it first.
        "plan" if is_any(noun(1), &["my", "the"]) && is_any(noun(2), &["week", "day"]) => {
            return None;
        }
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

/// Why a request to send something cannot be met, where that can be told.
pub fn why_not(words: &[Word], change: NotYet) -> NotYet {
    const FILES: &[&str] = &["attach", "attachment", "attached", "attachments", "file", "pdf"];
    let texts: Vec<&str> =
        words.iter().filter(|word| !word.quoted).map(|word| word.text.as_str()).collect();
    let any = |list: &[&str]| texts.iter().any(|text| is_any(text, list));
    match texts.as_slice() {
        _ if change != NotYet::Mail => change,
        ["forward" | "resend" | "fwd", ..] => NotYet::Forward,
        ["cc" | "bcc" | "copy", ..] => NotYet::NoMailOpen,
        ["send"] | ["send", "it" | "that" | "this" | "now" | "please", ..] => NotYet::NoMailOpen,
        _ if any(FILES) => NotYet::Attach,
        texts if is_for_later(texts) => NotYet::SendLater,
        _ => NotYet::Mail,
    }
}

/// "… at midnight", "… later", said last; "the notes for tomorrow" is what is sent.
fn is_for_later(texts: &[&str]) -> bool {
    match texts {
        [.., "later"] => true,
        [.., "for" | "about" | "on", _] => false,
        [.., "at", _] => has_time(texts),
        [.., "tomorrow" | "tonight"] => texts.len() > 3,
        [.., "tomorrow", "morning" | "afternoon" | "evening"] => true,
        _ => false,
    }
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
    let days = ["tomorrow", "tonight", "noon", "midnight", "o'clock"];
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
    at || texts
        .iter()
        .any(|text| is_any(text, &days) || is_weekday(text) || clock(text) || nth(text))
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
    texts.get(1).is_some_and(|next| !noun_follows.contains(next) && !is_weekday(next))
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
