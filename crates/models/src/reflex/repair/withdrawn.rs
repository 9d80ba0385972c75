//! A request that is taken back as a whole, for another or for none.

use brain::resolve::words::Word;

use super::people::another_receiver;
use crate::World;
use crate::reflex::refer::PRONOUNS;
use crate::reflex::sentence;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};
use crate::reflex::writes::{self, Kind, Part};

/// What asks for a look-up and nothing else.
const LOOKS: &[&str] = &["show", "check", "read", "find", "list", "open", "what", "when"];

/// Said last, these take back all of it.
const NEVER_MIND: &[&[&str]] = &[
    &["never", "mind"],
    &["nevermind"],
    &["forget", "it"],
    &["forget", "that"],
    &["forget", "about", "it"],
    &["scratch", "that"],
    &["strike", "that"],
    &["cancel", "that"],
    &["no", "do", "not"],
    &["do", "not", "actually"],
];
/// Behind these they are said to somebody else: "tell Tom to forget it".
const NOT_TO_US: &[&str] = &[
    "to", "just", "can", "could", "should", "please", "say", "saying", "that", "or", "and", "not",
    "will", "we", "you", "i", "they", "he", "she", "must", "with",
];

/// "Email Tom that I'm late, never mind": nothing is to be written any more.
pub fn is_withdrawn(heard: &str, said: &[Word], world: &World) -> bool {
    let ends = |tail: &&&[&str]| {
        said.len() > tail.len()
            && said[said.len() - tail.len()..]
                .iter()
                .zip(**tail)
                .all(|(word, text)| word.is(text) && !word.quoted)
    };
    let Some(tail) = NEVER_MIND.iter().find(ends) else { return false };
    let before = &said[..said.len() - tail.len()];
    let Some(last) = before.last() else { return false };
    let names = |at: usize| {
        let found = whom::at(before, at, heard, world);
        found.is_some_and(|(who, used)| {
            !matches!(who, Whom::Stranger(_)) && at + used == before.len()
        })
    };
    let told = is_any(&last.text, NOT_TO_US) || is_any(&last.text, PRONOUNS);
    let is_theirs = last.stop.is_none() && (told || (0..before.len()).any(names));
    let writes = |part: &Part<'_>| part.kind != Kind::Rest;
    !is_theirs && writes::parts(before, heard, world).iter().any(writes)
}

/// "Email Tom, no sorry, email Ana that I'm late": only the last one counts.
pub fn another_request(
    heard: &str,
    before: &[Word],
    rest: &[Word],
    world: &World,
) -> Option<String> {
    let asks = |words: &[Word]| {
        let request = sentence::bare(words);
        writes::read(request).is_some()
            || request.first().is_some_and(|first| is_any(&first.text, LOOKS))
            || request.len() == 2 && is_any(&request[0].text, &["tell", "ask"])
    };
    if !asks(rest) || rest.len() < 2 {
        return None;
    }
    let dropped = *writes::parts(before, heard, world).last()?;
    if let Some(end) = only_begun(dropped.words, heard, world) {
        return Some(format!("{}, and {}", &heard[..end], &heard[rest[0].start..]));
    }
    if !asks(dropped.words) {
        return None;
    }
    // "No, tell Jonas": the words stay, somebody else gets them.
    let request = sentence::bare(rest);
    if dropped.kind == Kind::Mail
        && let Some((Whom::Known { .. }, used)) = whom::at(request, 1, heard, world)
        && request.len() == used + 1
    {
        let name = &request[1..];
        return another_receiver(heard, before, dropped.words[0].start, name, world);
    }
    let kept = heard[..dropped.words[0].start].trim_end();
    let again = with_their_name(heard, dropped.words, rest, world);
    Some(format!("{kept} {again}").trim_start().to_owned())
}

/// "Remind me at 9 to call the bank and text… no, email Sam": only what was begun last is
/// taken back, where it had not come to its words. Up to which byte the rest stands.
fn only_begun(part: &[Word], heard: &str, world: &World) -> Option<usize> {
    const BEGUN: &[&str] = &[
        "text", "sms", "call", "ring", "email", "mail", "message", "tell", "ask", "write", "ping",
        "send", "book", "schedule", "remind", "reply", "forward", "whatsapp",
    ];
    const LINKS: &[&str] = &["and", "then", "also"];
    let at = part.iter().rposition(|word| is_any(&word.text, BEGUN) && !word.quoted)?;
    let verb = at + 1 + usize::from(part.get(at + 1).is_some_and(|next| next.is("to")));
    let named = match whom::at(part, verb, heard, world) {
        Some((Whom::Known { .. } | Whom::OneOf(_), used)) => used,
        _ => usize::from(part.get(verb).is_some_and(|next| is_any(&next.text, PRONOUNS))),
    };
    let links = part[..at].iter().rev().take_while(|word| is_any(&word.text, LINKS)).count();
    let before = part[..at - links].last()?;
    let parted = links > 0 || before.stop.is_some();
    let has_words = verb + named < part.len();
    (parted && !has_words).then_some(before.end)
}

/// "Book a call with Lena at 9, I mean a lunch": what it is gives way.
pub fn another_event(
    heard: &str,
    before: &[Word],
    better: &[Word],
    world: &World,
) -> Option<String> {
    let is_article = |word: &Word| is_any(&word.text, &["a", "an"]) && !word.quoted;
    let [article, noun] = better else { return None };
    let booked = *writes::parts(before, heard, world).last()?;
    let at = booked.words.iter().take(4).position(is_article)?;
    let old = booked.words.get(at + 1)?;
    (booked.kind == Kind::Event && is_article(article)).then(|| {
        let (head, tail) = (&heard[..booked.words[at].start], &heard[old.end..]);
        let tail = &tail[..before.last().map_or(0, |last| last.end) - old.end];
        format!("{head}{}{tail}", &heard[article.start..noun.end])
    })
}

/// "Don't reply to Priya, just tell me what she wrote": only the second is asked.
pub fn not_this_but(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let asked = sentence::without_lead(said);
    if !(asked.len() > 4 && asked[0].is("do") && asked[1].is("not")) {
        return None;
    }
    let at = (3..asked.len().saturating_sub(1))
        .find(|&at| is_any(&asked[at].text, &["just", "only", "instead"]) && !asked[at].quoted)?;
    let rest = &asked[at + 1..];
    let looks = is_any(&rest[0].text, LOOKS)
        || rest[0].is("tell") && rest.get(1).is_some_and(|next| next.is("me"));
    let known = |at| match whom::at(asked, at, heard, world) {
        Some((Whom::Known { name, .. }, _)) => Some(name),
        _ => None,
    };
    let mut again = heard[rest[0].start..].to_owned();
    let subject = rest.iter().find(|word| is_any(&word.text, &["he", "she", "they"]));
    if let (Some(name), Some(word)) = ((0..at).find_map(known), subject) {
        let start = word.start - rest[0].start;
        again.replace_range(start..start + (word.end - word.start), &name);
    }
    // What somebody wrote is asked for like what they said.
    looks.then(|| again.replace(" wrote", " said"))
}

/// "Tell Lena … scratch that, tell her": she is not named any more, so she is
/// put where "her" stands.
fn with_their_name(heard: &str, dropped: &[Word], rest: &[Word], world: &World) -> String {
    let start = rest[0].start;
    let as_said = heard[start..].to_owned();
    let lead = rest.len().min(4);
    let Some(pronoun) = rest[..lead].iter().find(|word| is_any(&word.text, PRONOUNS)) else {
        return as_said;
    };
    let known = |at| match whom::at(dropped, at, heard, world) {
        Some((Whom::Known { name, .. }, _)) => Some(name),
        _ => None,
    };
    match (0..dropped.len()).find_map(known) {
        Some(name) => {
            format!("{}{name}{}", &heard[start..pronoun.start], &heard[pronoun.end..])
        }
        None => as_said,
    }
}

/// "Tell Tom I'm in, actually no, say I'm out": other words for the same one.
pub fn other_words(heard: &str, before: &[Word], better: &[Word], world: &World) -> Option<String> {
    const TELLS: &[&str] = &["tell", "reply", "email", "answer", "write", "respond", "message"];
    let verb = before.iter().rposition(|word| is_any(&word.text, TELLS) && !word.quoted)?;
    let little = |word: &&Word| is_any(&word.text, &["back", "to"]);
    let first = verb + 1 + before[verb + 1..].iter().take_while(little).count();
    let pronoun = is_any(&before.get(first)?.text, PRONOUNS);
    let (people, end) = whom::list(before, first, heard, world);
    let known = |whom: &Whom| !matches!(whom, Whom::Stranger(_));
    let end = match pronoun {
        true => first + 1,
        false if !people.is_empty() && people.iter().all(known) => end,
        false => return None,
    };
    Some(format!("{} that {}", &heard[..before[end - 1].end], &heard[better[0].start..]))
}
