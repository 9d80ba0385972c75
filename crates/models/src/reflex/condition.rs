//! "If Tom wrote, reply …", "book it if it's free": what hangs on something else.
//!
//! Two conditions can be looked up: whether somebody has written, and whether
//! an hour is free. Then the rest of the sentence waits for what is found.
//! Of every other it is said that nobody watches for it, and nothing is done.

use brain::resolve::time::{self, Lean};
use brain::resolve::words::{Word, words};

use super::vocabulary::is_any;
use super::whom::{self, Whom};
use super::{Meaning, booking, meaning, read, sentence, told, writes};
use crate::gist::{Chat, Gist};
use crate::{Understanding, World};

/// Before a verb these make it something else than a request.
const NO_REQUEST_BEHIND: &[&str] = &[
    "i", "you", "he", "she", "they", "we", "it", "to", "can", "could", "will", "would", "should",
    "must", "not", "the", "a", "an", "my", "your", "his", "her", "their", "our", "of", "'s", "any",
    "new", "no", "that", "this", "from", "about", "with", "for", "at", "on", "in", "do", "does",
    "did", "has", "have",
];

/// May a request begin at this place of a condition?
pub fn may_ask(words: &[Word], at: usize) -> bool {
    // "If he did tell him": said in short.
    let short = at >= 3
        && is_any(&words[at - 1].text, &["did", "does", "has", "is", "are", "am", "so", "not"])
        && is_any(&words[at - 2].text, &["he", "she", "they", "it", "i", "that", "there"])
        && words[at - 3].is("if");
    // "If not ask her", "if so book it"
    let shorter = at >= 2
        && words[at - 2].is("if")
        && is_any(&words[at - 1].text, &["not", "so", "yes", "yeah", "no"]);
    short
        || shorter
        || at.checked_sub(1).is_some_and(|before| {
            !is_any(&words[before].text, NO_REQUEST_BEHIND) || words[before].stop.is_some()
        })
}

/// "If Tom wrote reply that …", taken apart.
struct Written {
    /// As one would name them: "Tom Okafor".
    who: String,
    address: Option<String>,
    /// How one asks whether they did.
    asked: String,
    /// Where what is to be done begins.
    request: usize,
}

/// Whether somebody has written, and what is to be done then.
fn written(said: &[Word], heard: &str, world: &World) -> Option<Written> {
    let lead = said.len() - sentence::without_lead(said).len();
    let words = &said[lead..];
    if !words.first()?.is("if") {
        return None;
    }
    let (whom, used) = whom::at(words, 1, heard, world)?;
    let (who, address) = match &whom {
        Whom::Known { name, address, .. } => (name.clone(), Some(address.clone())),
        Whom::Stranger(name) if used == 1 => (name.clone(), None),
        _ => return None,
    };
    let request = (2 + used..words.len()).find(|&at| {
        may_ask(words, at) && writes::begins_with_a_write(&words[at..], heard, world)
    })?;
    let mut asked = &words[1 + used..request];
    if let [rest @ .., last] = asked
        && is_any(&last.text, &["then", "please", "just"])
    {
        asked = rest;
    }
    let about = asked.iter().position(|word| word.is("about")).unwrap_or(asked.len());
    let (did, topic) = asked.split_at(about);
    let little = ["has", "have", "already", "yet", "me", "to", "back", "us", "again", "today"];
    let wrote = |word: &Word| is_any(&word.text, WROTE);
    let plain = did.iter().filter(|word| !is_any(&word.text, &little)).all(wrote);
    if !plain || !did.iter().any(wrote) || topic.len() == 1 || topic.len() > 5 {
        return None;
    }
    let topic = topic.first().zip(topic.last());
    let topic = topic.map_or("", |(first, last)| &heard[first.start..last.end]);
    let asked = format!("any mail from {who} {topic}");
    Some(Written { who, address, asked, request: lead + request })
}

const WROTE: &[&str] =
    &["wrote", "written", "emailed", "mailed", "replied", "answered", "responded", "messaged"];

/// What has to be looked up before it is known whether it holds.
pub fn looked_up(said: &[Word], heard: &str, world: &World) -> Option<Meaning> {
    let written = written(said, heard, world)?;
    let asked = words(&written.asked);
    match meaning(&asked, &written.asked, world) {
        Meaning::Look(lookups) => Some(Meaning::Later { lookups, missing: "condition" }),
        _ => None,
    }
}

/// The same once it was looked up: what is to be done, or that it does not hold.
pub fn decided(heard: &str, said: &[Word], world: &World) -> Option<Result<String, Understanding>> {
    let written = written(said, heard, world)?;
    let Some(Meaning::Later { lookups, .. }) = looked_up(said, heard, world) else { return None };
    let asked = &lookups.first()?.steps.first()?.args;
    let list = world.focus.list.as_ref().filter(|list| list.step.args == *asked)?;
    let holds = world.focus.letters.iter().any(|letter| match &written.address {
        Some(address) => letter.from.address.eq_ignore_ascii_case(address),
        None => list.from == 0,
    });
    if !holds {
        return Some(Err(not_so(said, written.request, heard, world)));
    }
    let request = &said[written.request..];
    let verb = is_any(&request[0].text, &["reply", "respond", "answer"]);
    let to = request.get(1).is_some_and(|next| is_any(&next.text, &["to", "him", "her", "them"]));
    let text = &heard[request[0].start..];
    if verb && !to {
        let rest = request.get(1).map_or("", |next| &heard[next.start..]);
        return Some(Ok(format!("{} to {} {rest}", request[0].text, written.who)));
    }
    // Whoever has written is the one who is spoken of.
    let them = request.iter().find(|word| is_any(&word.text, &["him", "her", "them"]));
    Some(Ok(match them.filter(|them| them.start < request[request.len().min(4) - 1].end) {
        Some(them) => {
            format!("{}{}{}", &heard[request[0].start..them.start], written.who, &heard[them.end..])
        }
        None => text.to_owned(),
    }))
}

/// It does not hold, so nothing that hangs on it is done; the rest of the sentence is.
fn not_so(said: &[Word], request: usize, heard: &str, world: &World) -> Understanding {
    let free = (request + 2..said.len()).find(|&at| writes::stands_alone(said, at, heard, world));
    let Some(free) = free else { return told(Chat::NotSo) };
    let rest = read(&heard[said[free].start..], world);
    let gist = Gist::Several(vec![Gist::Chat(Chat::LeftOut), rest.gist.clone()]);
    if rest.question.is_some() { rest } else { Understanding { gist, ..rest } }
}

/// What an event that is to be added hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hangs {
    /// On the person's own calendar, which can be looked at.
    OnRoom,
    /// On anything else.
    Otherwise,
}

/// "… if it's free", "… unless I'm busy": the request before it, and what it hangs on.
pub fn tail(request: &[Word]) -> (&[Word], Option<Hangs>) {
    let starts: &[&[&str]] = &[
        &["if"],
        &["unless"],
        &["only", "if"],
        &["but", "only", "if"],
        &["as", "long", "as"],
        &["provided"],
        &["assuming"],
        &["once"],
        &["as", "soon", "as"],
        &["otherwise"],
    ];
    let begins = |at: usize, lead: &[&str]| {
        lead.len() + at < request.len()
            && lead.iter().zip(&request[at..]).all(|(text, word)| word.is(text) && !word.quoted)
    };
    // "Once a week" is how often.
    let often =
        |at: usize| request[at].is("once") && request.get(at + 1).is_some_and(|next| next.is("a"));
    let found = (1..request.len())
        .filter(|&at| !often(at))
        .find_map(|at| Some((at, starts.iter().find(|lead| begins(at, lead))?.len())));
    let Some((at, used)) = found else { return (request, None) };
    let texts: Vec<&str> = request[at + used..].iter().map(|word| word.text.as_str()).collect();
    let texts = texts.strip_suffix(&["then"]).unwrap_or(&texts);
    let free = |text: &&str| is_any(text, &["free", "available", "open", "clear"]);
    let taken = |text: &&str| is_any(text, &["busy", "booked", "taken", "blocked", "full"]);
    let room = match (request[at].text.as_str(), texts) {
        ("otherwise" | "once", _) => false,
        (
            "unless",
            ["i" | "we" | "it" | "that", "am" | "are" | "is", rest @ ..]
            | ["the" | "that", "slot" | "time", "is", rest @ ..],
        ) => rest.len() <= 2 && rest.iter().any(taken),
        ("unless", ["i", "have", ..]) => {
            matches!(texts[2..], ["something" | "anything", ..] | ["a", "conflict" | "clash"])
                && texts.len() <= 5
        }
        ("unless", ["there", "is", "a", "conflict" | "clash"]) => true,
        (
            _,
            ["i" | "we" | "it" | "that", "am" | "are" | "is", rest @ ..]
            | ["the" | "that", "slot" | "time", "is", rest @ ..],
        ) => rest.len() <= 2 && rest.iter().any(free),
        // "If its free", as fingers write it.
        ("unless", ["its", rest @ ..]) => rest.len() <= 2 && rest.iter().any(taken),
        (_, ["its", rest @ ..]) => rest.len() <= 2 && rest.iter().any(free),
        (_, ["nothing", "else", "is", ..] | ["nothing", "is", ..]) => texts.len() <= 5,
        _ => false,
    };
    (&request[..at], Some(if room { Hangs::OnRoom } else { Hangs::Otherwise }))
}

/// "Check if I'm free at 5 and if so book coffee with Tom", said as one request.
pub fn restated(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let request = sentence::without_lead(said);
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let asks = match texts.as_slice() {
        ["check" | "see" | "look", "if" | "whether", ..] => 2,
        ["if", ..] => 1,
        _ => return None,
    };
    let book = (asks + 2..texts.len()).find(|&at| {
        may_ask(request, at)
            && booking::verb(&request[at..]).is_some()
            && booking::begins(&request[at..], heard, world)
    })?;
    let close = ["and", "if", "so", "then", "yes", "please"];
    // "… and if I am, put lunch there": said once more in short.
    let short = [&["if", "i", "am"][..], &["if", "it", "is"], &["if", "that", "is", "so"]];
    let again = short.iter().find(|short| texts[asks..book].ends_with(short));
    let again = again.map_or(0, |short| short.len());
    let tail =
        again + (asks..book - again).rev().take_while(|&at| is_any(texts[at], &close)).count();
    let condition = &request[asks..book - tail];
    let of_mine = |texts: &[&str]| {
        matches!(texts, ["i", "am", "free" | "available", ..])
            || matches!(texts, [.., "is", "free" | "available" | "open"])
            || matches!(texts, ["i", "have", "time", ..])
    };
    let asked: Vec<&str> = condition.iter().map(|word| word.text.as_str()).collect();
    let now = world.local_now();
    let when = time::find(condition, &now, Lean::Ahead)?;
    let run = when.words.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let little =
        ["i", "am", "free", "available", "is", "open", "have", "time", "on", "at", "there"];
    let rest = (0..condition.len()).filter(|at| !when.words.contains(at));
    let plain = rest.into_iter().all(|at| is_any(asked[at], &little));
    // A time of its own, or another way out, is more than one request.
    let wanted = &request[book..];
    let timed = time::find(wanted, &now, Lean::Ahead).is_some();
    let other = wanted.iter().any(|word| is_any(&word.text, &["otherwise", "else", "not"]));
    let one = wanted.iter().rev().skip(1).all(|word| word.stop.is_none());
    if !(of_mine(&asked) && run && plain && one) || timed || other {
        return None;
    }
    let at = &condition[*when.words.first()?..=*when.words.last()?];
    let at = &heard[at[0].start..at[at.len() - 1].end];
    let it = wanted.get(1).filter(|it| is_any(&it.text, &["it", "that"]));
    let wanted = heard[wanted[0].start..].trim_end_matches(['.', '!', '?', ' ']);
    let wanted = wanted.strip_suffix(" there").unwrap_or(wanted).to_owned();
    let wanted = match it {
        Some(it) => format!("book a meeting {}", heard[it.end..].trim_end_matches(['.', '!', ' '])),
        None => wanted,
    };
    Some(format!("{} {at} if it is free", wanted.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    #[test]
    fn what_an_event_hangs_on_is_told_apart() {
        for (heard, left, expected) in [
            ("book lunch thursday at noon", 5, None),
            ("book lunch thursday at noon unless i'm busy", 5, Some(Hangs::OnRoom)),
            ("book lunch thursday at noon if it's free", 5, Some(Hangs::OnRoom)),
            ("book lunch thursday at noon if i'm still free", 5, Some(Hangs::OnRoom)),
            ("book lunch thursday at noon if tom is free", 5, Some(Hangs::Otherwise)),
            ("book lunch thursday at noon if it rains", 5, Some(Hangs::Otherwise)),
            ("book lunch thursday at noon otherwise friday", 5, Some(Hangs::Otherwise)),
        ] {
            let said = words(heard);
            let (request, hangs) = tail(&said);
            assert_eq!((request.len(), hangs), (left, expected), "{heard}");
        }
    }

    #[test]
    fn a_check_before_a_booking_is_one_request() {
        let world = corpus::world();
        let restated = |heard: &str| super::restated(heard, &words(heard), &world);
        for (heard, expected) in [
            (
                "check if i'm free at 5 and if so book coffee with tom",
                "book coffee with tom at 5 if it is free",
            ),
            (
                "If Thursday at 3 is free, book it with Tom.",
                "book a meeting  with Tom Thursday at 3 if it is free",
            ),
        ] {
            assert_eq!(restated(heard).as_deref(), Some(expected), "{heard}");
        }
        for heard in [
            "if thursday at 3 is free book it with tom, otherwise friday at 3",
            "if tom is free on thursday book a call with him",
            "check if i'm free at 5",
        ] {
            assert_eq!(restated(heard), None, "{heard}");
        }
    }
}
