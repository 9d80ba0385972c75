//! Requests that would change something: where each begins and ends.
//!
//! Mail that is to be written and events that are to be added are read by
//! `compose` and `booking`; of the rest it is said honestly that it cannot be
//! done yet. None of it is taken for something else.

mod verbs;

use brain::resolve::time::{self, Lean};
use brain::resolve::words::Word;

pub use self::verbs::{read, why_not};
use super::seam::{self, Seam};
use super::vocabulary::is_any;
use super::whom::{self, Whom};
use super::{booking, chat, compose, condition, meanwhile, memory, own_calendar, refer, sentence};
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
    /// "Remind me at five"
    Reminder,
    /// Something to write, and what has to hold first.
    Hanging,
    /// A request of its own, or more of the text before it: that has to be asked.
    Open,
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
        // ", and send her a note" begins at the comma, and not once more behind the "and".
        let links = |word: &Word| is_any(&word.text, &["and", "then", "also"]);
        if kind != Kind::Rest && at > start && words[start..at].iter().all(links) {
            continue;
        }
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
        let request = sentence::bare(&words[at + is_asked_too(words, at)..]);
        let begun = match cuts.last().map_or(Kind::Rest, |(_, kind)| *kind) {
            Kind::Rest | Kind::Hanging | Kind::Open => begins(request, heard, world),
            Kind::Mail | Kind::Reminder if seam::decided(words, at, heard).is_some() => {
                let ours = seam::decided(words, at, heard) == Some(Seam::Ours);
                ours.then(|| begins(request, heard, world).unwrap_or(Kind::Rest))
            }
            Kind::Mail if read(request).is_some() && is_one_text(words, at, heard) => None,
            Kind::Mail => {
                let start = cuts.last().map_or(0, |(start, _)| *start);
                let mail = &words[start..at];
                let turned = || own_calendar::is_turned_to(request, mail);
                let another = refer::is_for_another(sentence::bare(mail), request, heard, world);
                // "…, and remember that her key is here" is for us, where nobody is told to.
                let keeps = is_paused(words, at)
                    && memory::begins(request, heard)
                    && !own_calendar::passes_on_an_order(mail);
                ends_a_mail(request, heard, world)
                    .or_else(|| turned().then_some(Kind::Rest))
                    .or_else(|| keeps.then_some(Kind::Memory))
                    .or_else(|| another.then_some(Kind::Mail))
                    .or_else(|| sends_apart(request, mail, heard, world).then_some(Kind::Rest))
                    .or_else(|| match seam::read(words, start, at, heard, world) {
                        Seam::Text => None,
                        Seam::Ours => Some(begins(request, heard, world).unwrap_or(Kind::Rest)),
                        Seam::Open => Some(Kind::Open),
                    })
            }
            Kind::Memory if memory::begins(request, heard) => Some(Kind::Memory),
            // What is to be remembered runs on like the words of a mail.
            Kind::Memory => ends_a_mail(request, heard, world)
                .or_else(|| (is_paused(words, at) && is_to_them(request)).then_some(Kind::Mail)),
            // "Remind me to call Tom and email Ana" is one reminder.
            Kind::Reminder if !is_paused(words, at) => {
                match seam::of_a_reminder(words, start, at, heard, world) {
                    Seam::Text => None,
                    Seam::Ours => Some(begins(request, heard, world).unwrap_or(Kind::Rest)),
                    Seam::Open => Some(Kind::Open),
                }
            }
            Kind::Reminder => ends_a_mail(request, heard, world),
            // "And invite Omar too": to the same thing.
            Kind::Event if invites_too(request, heard, world) => None,
            Kind::Event => {
                // What cannot be sent is said to be so, and is no part of a title.
                let rest = opens(request)
                    || is_nothing(request)
                    || asks_us(request)
                    || own_calendar::is_turned_to(request, &[])
                    || is_order_to_somebody(request, heard, world)
                    || seam::ends_a_title(words, at);
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
        let own = &words[start + is_asked_too(words, start)..end];
        // "See you then" ends in a word of its own; before another request it is a link.
        let is_link = |word: &&Word| {
            end < words.len() && is_any(&word.text, &["and", "then", "also", "plus"])
        };
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
    let first = (1..clause.len()).find(|&place| {
        condition::may_ask(clause, place)
            && if mail.is_none() {
                begins_with_a_write(&clause[place..], heard, world)
            } else {
                let ends = ends_a_mail(&clause[place..], heard, world);
                matches!(ends, Some(Kind::Mail | Kind::Event))
                    || seam::is_plain_order(&clause[place..])
            }
    })?;
    let free = (first + 2..clause.len()).find(|&place| stands_alone(clause, place, heard, world));
    Some(free.map_or(end, |place| at + place))
}

/// "If not, ask her, and put a run on my calendar on Saturday at 8": behind a pause,
/// with a time of its own and nothing that points back, it hangs on nothing.
pub fn stands_alone(clause: &[Word], at: usize, heard: &str, world: &World) -> bool {
    const BACK: &[&str] = &[
        "it",
        "that",
        "him",
        "her",
        "them",
        "there",
        "then",
        "this",
        "too",
        "so",
        "otherwise",
        "instead",
        "if",
        "unless",
    ];
    let linked = is_any(&clause[at - 1].text, &["and", "also"]) && is_paused(clause, at);
    let request = sentence::bare(&clause[at..]);
    let begun = || match begins(request, heard, world) {
        Some(Kind::Reminder) => true,
        Some(Kind::Event) => time::find(request, &world.local_now(), Lean::Ahead).is_some(),
        _ => opens(request),
    };
    linked && !request.iter().any(|word| is_any(&word.text, BACK)) && begun()
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

/// "Would you be so kind as to write …, and to remind me": the second "to" hangs on
/// the first. How many words that takes.
fn is_asked_too(words: &[Word], at: usize) -> usize {
    let lead = words.len() - sentence::without_lead(words).len();
    let asked = lead > 1 && at > lead && words[lead - 1].is("to");
    let again = at > 0 && words[at - 1].is("and") && words[at].is("to") && at + 1 < words.len();
    usize::from(asked && again && is_paused(words, at))
}

/// "Tell him the release moves": whoever was spoken of before it.
fn is_to_them(request: &[Word]) -> bool {
    matches!(request, [verb, them, _, ..]
        if is_any(&verb.text, &["tell", "ask", "email"]) && is_any(&them.text, refer::PRONOUNS))
}

/// "Send him the notes", "let them know": a verb, and who hears of it.
fn is_order_to_somebody(request: &[Word], heard: &str, world: &World) -> bool {
    const VERBS: &[&str] = &[
        "let", "tell", "send", "write", "ask", "drop", "email", "message", "inform", "forward",
        "confirm", "mail", "ping",
    ];
    let Some(verb) = request.first().filter(|verb| !verb.quoted) else { return false };
    let to = 1 + usize::from(request.get(1).is_some_and(|next| next.is("to")));
    let pronoun = request.get(to).is_some_and(|next| is_any(&next.text, refer::PRONOUNS));
    let known = || {
        matches!(
            whom::at(request, to, heard, world),
            Some((Whom::Known { .. } | Whom::OneOf(_), _))
        )
    };
    let confirms = verb.is("confirm") && to == 2;
    is_any(&verb.text, VERBS) && (request.len() > to + 1 || confirms) && (pronoun || known())
}

/// "And tell Lena": what, has to be asked.
fn is_bare_tell(request: &[Word], heard: &str, world: &World) -> bool {
    let tells = matches!(request, [tell, _, ..] if tell.is("tell") && !tell.quoted);
    let known = || match whom::at(request, 1, heard, world) {
        Some((Whom::Known { heard: None, .. } | Whom::OneOf(_), used)) => 1 + used == request.len(),
        _ => false,
    };
    tells && known()
}

/// "Tell Mom I land at 6": somebody we know, and words for them.
pub fn tells_somebody(request: &[Word], heard: &str, world: &World) -> bool {
    const VERBS: &[&str] = &["tell", "ask", "email", "mail", "let", "text", "message", "write"];
    let verb = request.first().is_some_and(|verb| is_any(&verb.text, VERBS) && !verb.quoted);
    let to = 1 + usize::from(request.get(1).is_some_and(|next| next.is("to")));
    let known = match whom::at(request, to, heard, world) {
        Some((Whom::Known { .. } | Whom::OneOf(_), used)) => Some(to + used),
        _ => None,
    };
    let about = |at: usize| is_any(&request[at].text, &["about", "the", "and"]);
    verb && known.is_some_and(|end| end + 1 < request.len() && !about(end))
}

/// "…, and send Ana the slides": nobody who is told to, so we are.
fn sends_apart(request: &[Word], mail: &[Word], heard: &str, world: &World) -> bool {
    let sends = request.first().is_some_and(|verb| is_any(&verb.text, &["send", "forward"]));
    sends && is_order_to_somebody(request, heard, world) && !own_calendar::goes_on_with(mail)
}

/// Somebody is invited, and neither to what nor when is said.
fn invites_too(request: &[Word], heard: &str, world: &World) -> bool {
    let (people, end) = match request {
        [invite, _, ..] if invite.is("invite") => whom::list(request, 1, heard, world),
        _ => return false,
    };
    let rest = request[end.min(request.len())..].iter();
    let known = !people.is_empty() && people.iter().all(|one| !matches!(one, Whom::Stranger(_)));
    known && rest.clone().all(|word| is_any(&word.text, &["too", "also", "as", "well", "please"]))
}

/// A mark stands before this place, or before the "and" that leads to it.
fn is_paused(words: &[Word], at: usize) -> bool {
    let links = |word: &&Word| is_any(&word.text, &["and", "then", "also"]) && word.stop.is_none();
    words[..at].iter().rev().find(|word| !links(word)).is_some_and(|word| word.stop.is_some())
}

/// "And what's the weather": a question behind something for the calendar is
/// for us, and no part of its name.
pub fn asks_us(request: &[Word]) -> bool {
    const ASKS: &[&str] = &["what", "when", "where", "who", "how", "which"];
    const NEXT: &[&str] = &[
        "is", "are", "do", "does", "did", "was", "time", "else", "many", "much", "will", "should",
        "have",
    ];
    let [first, next, ..] = request else { return false };
    let yes_or_no = is_any(&first.text, &["do", "did", "is", "are", "does", "will", "am"])
        && is_any(&next.text, &["i", "my", "the", "it", "there", "he", "she", "they", "we"]);
    !first.quoted && (is_any(&first.text, ASKS) && is_any(&next.text, NEXT) || yes_or_no)
}

/// "When is my flight", "when do I land": nobody else would know.
fn asks_of_mine(request: &[Word]) -> bool {
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    matches!(
        texts.as_slice(),
        ["when" | "where", "is", "my", _, ..]
            | ["when" | "where", "my", .., "is"]
            | ["what", "have", "i", "got", ..]
    )
}

/// Something to write that can be read.
fn begins(request: &[Word], heard: &str, world: &World) -> Option<Kind> {
    if memory::begins(request, heard) {
        return Some(Kind::Memory);
    }
    if meanwhile::reminds(request) {
        return Some(Kind::Reminder);
    }
    if is_bare_tell(request, heard, world) {
        return Some(Kind::Mail);
    }
    match read(request)? {
        NotYet::Mail => compose::begins(heard, request, world).then_some(Kind::Mail),
        NotYet::Calendar => booking::begins(request, heard, world).then_some(Kind::Event),
        NotYet::AllAtOnce
        | NotYet::Tidy
        | NotYet::Remind
        | NotYet::Forward
        | NotYet::Attach
        | NotYet::SendLater
        | NotYet::NoMailOpen => None,
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
    if is_nothing(request) {
        return Some(Kind::Rest);
    }
    match read(request) {
        Some(NotYet::Mail) if compose::is_to_somebody_known(heard, request, world) => {
            Some(Kind::Mail)
        }
        Some(NotYet::Calendar) if booking::begins(request, heard, world) => Some(Kind::Event),
        Some(NotYet::Tidy) if texts.len() <= 4 => Some(Kind::Rest),
        _ if meanwhile::reminds(request) => Some(Kind::Reminder),
        _ if asks_of_mine(request) => Some(Kind::Rest),
        // "And what's the weather" is for us, whoever is told the rest.
        _ if asks_us(request) && chat::out_of_reach(request).is_some() => Some(Kind::Rest),
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
        &["check", "what", "is", "on"],
        &["see", "what", "is", "on"],
        &["tell", "me", "what", "is", "on"],
        &["any", "new", "mail"],
        &["when", "am", "i", "free"],
        &["am", "i", "free"],
        &["find", "time", "with"],
        &["find", "an", "hour", "with"],
        &["find", "half", "an", "hour", "with"],
        &["find", "me", "time"],
        &["find", "me", "an", "hour"],
        &["check", "whether"],
        &["what", "time", "is", "it"],
        &["what", "day", "is", "it"],
    ];
    looks.iter().any(|lead| texts.starts_with(lead))
}

/// "And send it": that is for the card.
fn is_send_it(request: &[Word]) -> bool {
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let texts = texts.strip_prefix(&["and"]).or(texts.strip_prefix(&["then"])).unwrap_or(&texts);
    matches!(texts, ["send", "it" | "that"] | ["send", "it", "off" | "out" | "please"])
}

/// "And move nothing": that is no order at all.
pub fn is_nothing(request: &[Word]) -> bool {
    const VERBS: &[&str] = &["schedule", "book", "move", "send", "add", "change", "cancel", "do"];
    matches!(request, [verb, nothing, ..]
        if is_any(&verb.text, VERBS) && nothing.is("nothing") && !verb.quoted)
}

/// "And book it", behind words that say when.
fn is_book_it(request: &[Word]) -> bool {
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let texts = ["too", "also", "please"]
        .iter()
        .fold(texts.as_slice(), |texts, tail| texts.strip_suffix(&[*tail]).unwrap_or(texts));
    let texts = texts.strip_suffix(&["as", "well"]).unwrap_or(texts);
    matches!(
        texts,
        ["book" | "schedule" | "add" | "enter", "it" | "that"]
            | ["put", "it" | "that", "in" | "down" | "on"]
            | [
                "book" | "schedule" | "block" | "hold" | "reserve",
                "that" | "the",
                "time" | "slot" | "hour"
            ]
    )
}
