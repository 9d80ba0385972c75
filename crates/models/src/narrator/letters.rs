//! Mail in words.

use brain::facts::{Letter, Letters, OpenedLetter, Person};
use jiff::Zoned;

use super::spelling::{capital, clock, count, day, first_words, list as listed, uncapital};
use crate::World;
use crate::gist::{AboutLetters, Folder, Meant, Want};

/// How many words of a mail are read before asking whether to go on.
const ALOUD: usize = 45;

/// What a search found.
pub fn list(about: &AboutLetters, found: &Letters, world: &World) -> String {
    let total = found.messages.len().max(found.total as usize);
    let Some(first) = found.messages.first() else { return nothing(about, world) };
    let now = world.local_now();
    match about.want {
        Want::One => one(about, first, &now),
        Want::Reply => last_of(about, first, &now),
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
    if let ([thread], Some(first)) = (threads(&found.messages).as_slice(), found.messages.first())
        && thread.len() == total
    {
        let side = other_side(about, first).map(|side| format!(" {side}")).unwrap_or_default();
        let all = if total == 2 { "both" } else { "all" };
        return format!("{head}, {all}{side} about {}.", subject(first));
    }
    format!("{head}. {}.", capital(&first_three(about, found, total, now)))
}

fn first_three(about: &AboutLetters, found: &Letters, total: usize, now: &Zoned) -> String {
    let threads = threads(&found.messages);
    let told = &threads[..threads.len().min(3)];
    let named = with_whole_names(about, told);
    let shown: Vec<_> = told.iter().map(|thread| thread_item(&named, thread, now)).collect();
    listed(&shown, total - told.iter().map(Vec::len).sum::<usize>())
}

/// Two people of one first name are told apart.
pub fn with_whole_names(about: &AboutLetters, told: &[Vec<&Letter>]) -> AboutLetters {
    let senders: Vec<&Person> = told.iter().map(|thread| &thread[0].from).collect();
    let namesake = |one: &&Person| {
        senders
            .iter()
            .any(|other| other.address != one.address && first_name(other) == first_name(one))
    };
    let several = about.who.is_none() && senders.iter().any(namesake);
    AboutLetters { several_people: about.several_people || several, ..about.clone() }
}

/// Not what was asked for, and said so.
pub fn nearest(about: &AboutLetters, found: &Letters, world: &World) -> String {
    let total = found.messages.len().max(found.total as usize);
    let now = world.local_now();
    let closest = first_three(about, found, total, &now);
    format!("{} Closest: {closest}.", nothing(&plainly(about), world))
}

/// What was found for the words as they were heard, and for the keyword they may have been.
pub fn both_ways(
    about: &AboutLetters,
    meant: &Meant,
    heard: &Letters,
    other: &Letters,
    world: &World,
) -> String {
    let keyword = &meant.keyword;
    if !heard.messages.is_empty() {
        let is_new = |letter: &Letter| {
            heard.messages.iter().all(|known| known.message_id != letter.message_id)
        };
        let more = if other.messages.iter().any(is_new) {
            format!(" If you mean {keyword}, there is more.")
        } else {
            String::new()
        };
        return format!("{}{more}", list(about, heard, world));
    }
    if other.messages.is_empty() {
        return format!("{}, and nothing for {keyword} either.", no_mail(about));
    }
    let (nothing, told) = (no_mail(&plainly(about)), list(&plainly(&meant.about), other, world));
    match meant.about.want {
        Want::One => format!("{nothing}. For {keyword}, {}", uncapital(&told)),
        Want::Reply => format!("{nothing}. For {keyword}: {told}"),
        _ => format!("{nothing}, but {}", uncapital(&told)),
    }
}

/// Without a yes or no, which could be heard as the answer to something else.
fn plainly(about: &AboutLetters) -> AboutLetters {
    let want = if about.want == Want::Whether { Want::List } else { about.want };
    AboutLetters { want, ..about.clone() }
}

/// Mail of one thread from one writer is told once, where the newest of it is.
pub fn threads(letters: &[Letter]) -> Vec<Vec<&Letter>> {
    let mut threads: Vec<Vec<&Letter>> = Vec::new();
    for letter in letters {
        let same = |thread: &&mut Vec<&Letter>| {
            let first = thread[0];
            first.thread_id == letter.thread_id
                && first.from.address == letter.from.address
                && bare_subject(&first.subject) == bare_subject(&letter.subject)
        };
        match threads.iter_mut().find(same) {
            Some(thread) => thread.push(letter),
            None => threads.push(vec![letter]),
        }
    }
    threads
}

/// "from Priya: “Samples”", "from Priya, three about “Q4 numbers”"
pub fn thread_item(about: &AboutLetters, thread: &[&Letter], now: &Zoned) -> String {
    let newest = thread[0];
    if thread.len() == 1 {
        return short_item(about, newest, now);
    }
    let side = other_side(about, newest).map(|side| format!("{side}, ")).unwrap_or_default();
    format!("{side}{} about {}", count(thread.len()), subject(newest))
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

/// Whether it answers anything, nobody here can know.
fn last_of(about: &AboutLetters, letter: &Letter, now: &Zoned) -> String {
    let sent = letter.sent_at.to_zoned(now.time_zone().clone());
    let at = format!("{} at {}", day(sent.date(), now.date()), clock(&sent));
    let at = at.strip_prefix("on ").unwrap_or(&at);
    let who = if about.several_people { letter.from.called() } else { first_name(&letter.from) };
    let whose = match (about.folder, &about.who) {
        (Folder::Received, _) => format!("{who}'s last mail"),
        (_, Some(to)) => format!("Your last mail to {to}"),
        (_, None) => "Your last mail".to_owned(),
    };
    let (topic, about) = (topic(about), subject(letter));
    format!("{whose}{topic} is from {at}, about {about}.")
}

fn nothing(about: &AboutLetters, world: &World) -> String {
    let last = last_known(about, world).unwrap_or_default();
    format!("{}.{last}", no_mail(about))
}

/// "No, nothing from Priya about budget this week"
fn no_mail(about: &AboutLetters) -> String {
    if let Some(typed) = &about.typed {
        return format!("Nothing for “{typed}”");
    }
    let what = match (about.folder, about.unread, &about.who) {
        (Folder::Drafts, _, Some(who)) => format!("no drafts to {who}"),
        (Folder::Drafts, ..) => "no drafts".to_owned(),
        (Folder::Sent, _, Some(who)) => format!("nothing sent to {who}"),
        (Folder::Sent, _, None) => "nothing sent".to_owned(),
        (Folder::Received, true, Some(who)) => format!("nothing new from {who}"),
        (Folder::Received, true, None) => "no new mail".to_owned(),
        (Folder::Received, false, Some(who)) => format!("nothing from {who}"),
        (Folder::Received, false, None) => "no mail".to_owned(),
    };
    let (what, topic) = match &about.topic {
        Some(words) if what == "no mail" => (format!("nothing with {words} in it"), String::new()),
        _ => (what, topic(about)),
    };
    let what = format!("{what}{}", sides(about));
    let no = if about.want == Want::Whether && about.folder != Folder::Drafts && !about.unread {
        // "No, no mail" says it twice.
        format!("No, {}", what.replace("no mail", "nothing"))
    } else {
        capital(&what)
    };
    format!("{no}{topic}{}", when(about))
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
    if let Some(typed) = &about.typed {
        return format!("{kind} for “{typed}”");
    }
    format!("{kind}{who}{}{}{}", sides(about), topic(about), when(about))
}

/// " to Yuki", " not from Sam"
fn sides(about: &AboutLetters) -> String {
    let to = about.to.as_ref().map(|to| format!(" to {to}")).unwrap_or_default();
    let not = about.not_from.as_ref().map(|who| format!(" not from {who}")).unwrap_or_default();
    let but = about.not_about.as_ref().map(|words| format!(" not about {words}"));
    format!("{to}{not}{}", but.unwrap_or_default())
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
        // Words are found in what the person wrote, too.
        Folder::Received if letter.labels.iter().any(|label| label == "sent") => {
            Some("from you".to_owned())
        }
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

/// "Priya" for Priya Nair; "The Daily Filament" for what is no person.
fn first_name(person: &Person) -> &str {
    let Some(name) = &person.name else { return &person.address };
    let words: Vec<&str> = name.split(' ').collect();
    let [first, _] = words.as_slice() else { return name };
    let capitalised = |word: &&str| {
        let mut chars = word.chars();
        chars.next().is_some_and(char::is_uppercase)
            && chars.clone().any(char::is_lowercase)
            && chars.all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
    };
    let is_role = matches!(*first, "The" | "Team");
    // People are written to under their own name, or under a part of it.
    let mailbox = person.address.split('@').next().unwrap_or_default().to_lowercase();
    let theirs = words.iter().any(|word| mailbox.contains(&word.to_lowercase()));
    if words.iter().all(capitalised) && !is_role && theirs { first } else { name }
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
