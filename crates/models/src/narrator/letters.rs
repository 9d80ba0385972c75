//! Mail in words.

use brain::facts::{Letter, Letters, OpenedLetter, Person};
use jiff::Zoned;

use super::spelling::{capital, clock, count, day, first_words, list as listed};
use crate::World;
use crate::gist::{AboutLetters, Folder, Want};

/// How many words of a mail are read before asking whether to go on.
const ALOUD: usize = 45;

/// What a search found.
pub fn list(about: &AboutLetters, found: &Letters, world: &World) -> String {
    let total = found.messages.len().max(found.total as usize);
    let Some(first) = found.messages.first() else { return nothing(about, world) };
    let now = world.local_now();
    match about.want {
        Want::One => one(about, first, &now),
        _ if total == 1 => {
            let yes = if about.want == Want::Whether { "Yes, one" } else { "One" };
            format!("{yes}{}: {}.", described(about, "mail"), item(about, first, &now))
        }
        Want::Count => {
            let newest = item(about, first, &now);
            format!(
                "{}{}. The newest is {newest}.",
                capital(&count(total)),
                described(about, "mails")
            )
        }
        _ => several(about, found, total, &now),
    }
}

fn several(about: &AboutLetters, found: &Letters, total: usize, now: &Zoned) -> String {
    let yes = if about.want == Want::Whether { "Yes, " } else { "" };
    let head = capital(&format!("{yes}{}{}", count(total), described(about, "mails")));
    let shown: Vec<_> =
        found.messages.iter().take(3).map(|letter| short_item(about, letter, now)).collect();
    let hidden = total - shown.len();
    format!("{head}. {}.", capital(&listed(&shown, hidden)))
}

fn one(about: &AboutLetters, letter: &Letter, now: &Zoned) -> String {
    let (snippet, cut) = first_words(&plain(&letter.snippet), 20);
    let more = if cut { "…" } else { "" };
    let text = if snippet.is_empty() { String::new() } else { format!(" {snippet}{more}") };
    let text = if text.ends_with(['.', '…', '!', '?']) || text.is_empty() {
        text
    } else {
        format!("{text}.")
    };
    format!("The latest is {}.{text}", item(about, letter, now))
}

fn nothing(about: &AboutLetters, world: &World) -> String {
    let what = match (about.folder, about.unread, &about.who) {
        (Folder::Drafts, ..) => "no drafts".to_owned(),
        (Folder::Sent, _, Some(who)) => format!("nothing sent to {who}"),
        (Folder::Sent, _, None) => "nothing sent".to_owned(),
        (Folder::Received, true, Some(who)) => format!("nothing new from {who}"),
        (Folder::Received, true, None) => "no new mail".to_owned(),
        (Folder::Received, false, Some(who)) => format!("nothing from {who}"),
        (Folder::Received, false, None) => "no mail".to_owned(),
    };
    let no = if about.want == Want::Whether && about.folder != Folder::Drafts && !about.unread {
        format!("No, {what}")
    } else {
        capital(&what)
    };
    let last = last_known(about, world).unwrap_or_default();
    format!("{no}{}{}.{last}", topic(about), when(about))
}

/// The last mail of theirs that was shown, where one was.
fn last_known(about: &AboutLetters, world: &World) -> Option<String> {
    let address = about.address.as_ref().filter(|_| about.folder == Folder::Received)?;
    let shown = world.focus.letters.iter().chain(&world.focus.opened);
    let last = shown
        .filter(|letter| letter.from.address.eq_ignore_ascii_case(address))
        .max_by_key(|letter| letter.sent_at)?;
    let now = world.local_now();
    let sent = last.sent_at.to_zoned(now.time_zone().clone());
    Some(format!(
        " The last one I saw came {}, “{}”.",
        day(sent.date(), now.date()),
        bare_subject(&last.subject)
    ))
}

/// " new mails from Priya about budget this week"
fn described(about: &AboutLetters, noun: &str) -> String {
    let kind = match (about.folder, about.unread, noun) {
        (Folder::Drafts, _, "mail") => " draft".to_owned(),
        (Folder::Drafts, ..) => " drafts".to_owned(),
        (Folder::Sent, ..) => " sent".to_owned(),
        (Folder::Received, true, noun) => format!(" unread {noun}"),
        (Folder::Received, false, noun) => format!(" {noun}"),
    };
    let who = match (&about.who, about.folder) {
        (None, _) => String::new(),
        (Some(who), Folder::Received) => format!(" from {who}"),
        (Some(who), _) => format!(" to {who}"),
    };
    format!("{kind}{who}{}{}", topic(about), when(about))
}

fn topic(about: &AboutLetters) -> String {
    about.topic.as_ref().map(|topic| format!(" about {topic}")).unwrap_or_default()
}

fn when(about: &AboutLetters) -> String {
    about.when.as_ref().map(|when| format!(" {when}")).unwrap_or_default()
}

/// "from Priya, “Samples”, yesterday at 4"
fn item(about: &AboutLetters, letter: &Letter, now: &Zoned) -> String {
    let sent = letter.sent_at.to_zoned(now.time_zone().clone());
    let at = format!("{} at {}", day(sent.date(), now.date()), clock(&sent));
    match other_side(about, letter) {
        Some(side) => format!("{side}, {}, {at}", subject(letter)),
        None => format!("{}, {at}", subject(letter)),
    }
}

/// "Priya, “Samples”", or with a known sender "“Samples” yesterday".
fn short_item(about: &AboutLetters, letter: &Letter, now: &Zoned) -> String {
    let sent = letter.sent_at.to_zoned(now.time_zone().clone());
    match other_side(about, letter) {
        Some(side) => format!("{side}: {}", subject(letter)),
        None => format!("{} {}", subject(letter), day(sent.date(), now.date())),
    }
}

/// Whoever the question did not name already.
fn other_side(about: &AboutLetters, letter: &Letter) -> Option<String> {
    if about.who.is_some() && !about.several_people {
        return None;
    }
    let name = if about.several_people { Person::called } else { first_name };
    match about.folder {
        Folder::Received => Some(format!("from {}", name(&letter.from))),
        Folder::Sent | Folder::Drafts => letter.to.first().map(|to| format!("to {}", name(to))),
    }
}

fn subject(letter: &Letter) -> String {
    let subject = bare_subject(&letter.subject);
    if subject.is_empty() {
        return "without a subject".to_owned();
    }
    let (words, cut) = first_words(&subject, 9);
    format!("“{words}{}”", if cut { "…" } else { "" })
}

/// Nobody says "re" aloud.
fn bare_subject(subject: &str) -> String {
    let mut subject = plain(subject);
    while let Some(rest) =
        ["Re: ", "RE: ", "Fwd: ", "FW: ", "Fw: "].iter().find_map(|lead| subject.strip_prefix(lead))
    {
        subject = rest.to_owned();
    }
    subject
}

fn first_name(person: &Person) -> &str {
    match &person.name {
        Some(name) => name.split(' ').next().filter(|first| !first.ends_with('.')).unwrap_or(name),
        None => &person.address,
    }
}

/// One mail: who, when, what about, and its words.
pub fn opened(opened: &OpenedLetter, world: &World) -> String {
    let now = world.local_now();
    let letter = &opened.message;
    let sent = letter.sent_at.to_zoned(now.time_zone().clone());
    let mine = world.profile.address.as_ref();
    let is_mine = mine.is_some_and(|mine| mine.eq_ignore_ascii_case(&letter.from.address));
    let writer = if is_mine { "You" } else { letter.from.called() };
    let at = format!("{} at {}", day(sent.date(), now.date()), clock(&sent));
    let subject = bare_subject(&letter.subject);
    let about = if subject.is_empty() { String::new() } else { format!(", about “{subject}”") };
    let body = own_words(&opened.body_text);
    if body.is_empty() {
        return format!("{writer} wrote {at}{about}. There is no text in it.");
    }
    if looks_like_data(&body) {
        return format!("{writer} wrote {at}{about}. It holds data rather than words.");
    }
    let (start, rest) = cut(&body);
    let offer = if rest.is_empty() { "" } else { " There is more. Shall I read on?" };
    format!("{writer} wrote {at}{about}: {start}{offer}")
}

/// What was left out the first time.
pub fn rest(opened: &OpenedLetter) -> String {
    let body = own_words(&opened.body_text);
    let (_, rest) = cut(&body);
    if rest.is_empty() || looks_like_data(&body) {
        return "That was all of it.".to_owned();
    }
    format!("It goes on: {rest}")
}

/// Will only the first part of it be read?
pub fn is_long(body_text: &str) -> bool {
    let body = own_words(body_text);
    !looks_like_data(&body) && !cut(&body).1.is_empty()
}

/// Without the mail it answers.
fn own_words(body: &str) -> String {
    let quoted = |line: &&str| {
        let line = line.trim();
        line.starts_with('>') || (line.starts_with("On ") && line.ends_with("wrote:"))
    };
    plain(&body.lines().filter(|line| !quoted(line)).collect::<Vec<_>>().join(" "))
}

/// At the end of a sentence, if there is one near.
fn cut(body: &str) -> (String, String) {
    let words: Vec<_> = body.split_whitespace().collect();
    // A few words more are read rather than offered.
    if words.len() <= ALOUD + 10 {
        return (body.to_owned(), String::new());
    }
    // "2." counts, it does not end anything.
    let counts = |word: &str| word.trim_end_matches('.').chars().all(|c| c.is_ascii_digit());
    let ends = |word: &&str| word.ends_with(['.', '!', '?']) && !counts(word);
    let at = words[..ALOUD].iter().rposition(ends).filter(|at| *at >= ALOUD / 3);
    let at = at.map_or(ALOUD, |at| at + 1);
    let start = words[..at].join(" ");
    let start = if ends(&start.as_str()) { start } else { format!("{start}…") };
    (start, words[at..].join(" "))
}

/// One line without control characters.
fn plain(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Nothing that looks like JSON or a call reaches a listener.
fn looks_like_data(text: &str) -> bool {
    text.starts_with(['{', '[', '<']) || text.contains("\":")
}
