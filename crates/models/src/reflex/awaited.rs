//! The answer to "What should I say?": whatever a write still lacked.

use brain::resolve::time::{self, Lean};
use brain::resolve::words::{Word, words};

use super::booking::cannot;
use super::follow::names_no_day;
use super::vocabulary::is_any;
use super::whom::{self, Whom};
use super::writes::Kind;
use super::{chat, phrasing, repair, sentence, told, writes};
use crate::focus::{Awaited, Missing};
use crate::gist::Chat;
use crate::narrator::spelling::list;
use crate::{Understanding, World};

/// The request with its hole filled, if this sentence fills it.
pub fn read(heard: &str, said: &[Word], world: &World) -> Option<Understanding> {
    let awaited = world.focus.awaited.as_ref()?;
    if let Some(Chat::NeverMind | Chat::No) = chat::read(said) {
        return Some(Understanding { answers: true, ..told(Chat::NeverMind) });
    }
    let world = World { focus: world.focus.answered(), ..world.clone() };
    if let Some(mended) = mended(awaited, heard, said, &world) {
        return Some(Understanding { answers: true, ..super::read(&mended, &world) });
    }
    let filled = match awaited.what {
        Missing::Words | Missing::Memory => words_in(heard, said, &world)?,
        Missing::Address => address_in(said, &world)?,
        Missing::Time => time_in(heard, said, &world)?,
        Missing::Title => title_in(heard, said, &world)?,
    };
    let filled = match &awaited.instead_of {
        Some(first) => cannot::completed(&filled, first, &world),
        None => filled,
    };
    let read = super::read(&completed(awaited, &filled), &world);
    Some(Understanding { answers: true, ..read })
}

fn completed(awaited: &Awaited, filled: &str) -> String {
    let Awaited { before, after, what, day, .. } = awaited;
    match what {
        Missing::Time if names_no_day(&words(filled)) => {
            let day = day.as_deref().unwrap_or_default();
            format!("{before} {day} {filled}{after}")
        }
        // What stands behind the hole is another request, not more of the words.
        Missing::Words if after.trim_start().starts_with("and ") && !filled.ends_with(',') => {
            format!("{before}: {filled},{after}")
        }
        Missing::Words | Missing::Memory => format!("{before}: {filled}{after}"),
        Missing::Address => format!("{before}{filled}{after}"),
        Missing::Time | Missing::Title => format!("{before} {filled}{after}"),
    }
}

/// "No, make it Wednesday", to "What should I say to Omar?": the call in the same request
/// is on another day, and Omar's words are still asked for.
fn mended(awaited: &Awaited, heard: &str, said: &[Word], world: &World) -> Option<String> {
    const TURNS: &[&str] = &["no", "nope", "actually", "wait", "sorry"];
    const SAME: &[&str] = &["same", "time", "at", "the"];
    let first = said.first().filter(|_| awaited.what == Missing::Words)?;
    let end = said.len() - said.iter().rev().take_while(|word| is_any(&word.text, SAME)).count();
    let said = &said[..end];
    let turned = is_any(&first.text, TURNS);
    let when = time_in(heard, said, world).filter(|_| turned)?;
    let request = format!("{}{}", awaited.before, awaited.after);
    let parts = words(&request);
    let books = writes::parts(&parts, &request, world).iter().any(|part| part.kind == Kind::Event);
    let better = format!("{}, no wait, {when}", request.trim_end_matches(['.', '!', ' ']));
    books.then(|| repair::repaired(&better, &words(&better), world))?
}

const SAYS: &[&[&str]] =
    &[&["just", "say"], &["say"], &["tell", "her"], &["tell", "him"], &["tell", "them"]];

fn words_in(heard: &str, said: &[Word], world: &World) -> Option<String> {
    if said.is_empty() {
        return phrasing::pictures(heard).map(str::to_owned);
    }
    if is_something_else(heard, said, world) {
        return None;
    }
    let rest = SAYS.iter().find_map(|lead| {
        let (front, rest) = said.split_at_checked(lead.len())?;
        let same = front.iter().zip(*lead).all(|(word, text)| word.is(text) && !word.quoted);
        (same && !rest.is_empty()).then_some(rest)
    });
    let start = rest.unwrap_or(said)[0].start;
    let start = heard[..start].rfind(['"', '“']).filter(|_| said[0].quoted).unwrap_or(start);
    let words = heard[start..].trim();
    let told = rest.is_some_and(|rest| !rest[0].is("that") && !rest[0].quoted);
    Some(if told { format!("that {words}") } else { words.to_owned() })
}

/// A question to us, or another request.
fn is_something_else(heard: &str, said: &[Word], world: &World) -> bool {
    let request = sentence::bare(said);
    let asks = [
        "what", "when", "who", "show", "read", "any", "how", "do", "am", "check", "find", "did",
        "is",
    ];
    let first = request.first().map_or("", |first| first.text.as_str());
    let looks = is_any(first, &asks) && !super::read(heard, world).proposal.steps.is_empty();
    let writes = writes::read(request).is_some() && !is_any(first, &["tell", "send", "ask", "let"]);
    looks || writes
}

fn address_in(said: &[Word], world: &World) -> Option<String> {
    if let Some(address) = said.iter().find(|word| whom::is_address(&word.text)) {
        return Some(address.text.clone());
    }
    // "To Jonas", "it should go to Jonas".
    let lead = said.iter().take_while(|word| is_any(&word.text, LEADS_TO_NAME)).count();
    let request = sentence::bare(said.get(lead..).filter(|rest| !rest.is_empty())?);
    match whom::at(request, 0, "", world)? {
        (Whom::Known { name, .. }, used) if used == request.len() => Some(name),
        _ => everybody_in(request, world),
    }
}

/// "Ana, Tom and Sam Whitfield": all of them, where each is known.
fn everybody_in(request: &[Word], world: &World) -> Option<String> {
    let (people, end) = whom::list(request, 0, "", world);
    let name = |whom: &Whom| match whom {
        Whom::Known { name, .. } => Some(name.clone()),
        Whom::Address(_) | Whom::OneOf(_) | Whom::Stranger(_) => None,
    };
    let names: Option<Vec<String>> = people.iter().map(name).collect();
    let names = names.filter(|names| names.len() > 1 && end == request.len())?;
    Some(list(&names, 0))
}

const LEADS_TO_NAME: &[&str] = &[
    "to", "with", "for", "it", "should", "go", "goes", "send", "that", "is", "i", "mean", "meant",
    "please",
];

const LEADS: &[&str] = &[
    "make", "it", "that", "lets", "say", "how", "about", "um", "maybe", "please", "let", "is", "i",
    "mean", "meant", "just", "only", "no", "sorry", "oh", "ok", "okay", "actually", "wait", "well",
    "then",
];

pub fn time_in(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let start = said.iter().take_while(|word| is_any(&word.text, LEADS)).count();
    let end = said.len() - usize::from(said.last().is_some_and(|last| last.is("please")));
    let phrase = said.get(start..end).filter(|phrase| !phrase.is_empty())?;
    let raw = &heard[phrase[0].start..phrase[phrase.len() - 1].end];
    let now = world.local_now();
    let whole = |words: &[Word]| {
        let length: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let taken = time::length(&length).map_or(0..0, |(_, places)| places);
        let rest: Vec<Word> = words
            .iter()
            .enumerate()
            .filter(|(at, _)| {
                let introduces = at + 1 == taken.start && words[*at].is("for");
                !(taken.contains(at) || introduces)
            })
            .map(|(_, word)| word.clone())
            .collect();
        time::find(&rest, &now, Lean::Ahead).is_some_and(|when| when.words.len() == rest.len())
    };
    let (at, on) = (format!("at {raw}"), format!("on {raw}"));
    let readings = [raw, &at, &on].into_iter();
    readings.map(str::to_owned).find(|said| whole(&words(said)))
}

fn title_in(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let asks = said.last().is_some_and(|last| last.stop == Some('?'));
    let short = (1..=8).contains(&said.len()) && !asks;
    (short && !is_something_else(heard, said, world))
        .then(|| heard.trim().trim_end_matches('.').to_owned())
}

#[cfg(test)]
mod tests {
    use crate::gist::Chat;
    use crate::{Gist, corpus, reflex};

    #[test]
    fn a_typed_n_is_a_no_and_never_the_words_or_the_title() {
        for asks in [
            "reply to tom",
            "put something on my calendar tomorrow at 3",
            "tell sam i'm late",
            "book a meeting with tom yesterday at 3",
            "send an email saying i'm late",
        ] {
            let mut world = corpus::world();
            world.focus.wait_for_answer(&reflex::read(asks, &world));
            assert!(world.focus.is_asking(false), "{asks}");
            let read = reflex::read("n", &world);
            assert_eq!(read.gist, Gist::Chat(Chat::NeverMind), "{asks}");
            assert!(read.answers && read.proposal.steps.is_empty(), "{asks}");
        }
    }

    #[test]
    fn the_one_it_goes_to_may_be_said_in_a_sentence() {
        for answer in
            ["Jonas", "to Jonas", "it should go to jonas weber", "send it to Jonas please"]
        {
            let mut world = corpus::world();
            world.focus.wait_for_answer(&reflex::read("send an email saying i'm late", &world));
            let read = reflex::read(answer, &world);
            let to = &read.proposal.steps[0].args["to"];
            assert_eq!(to[0], "jonas.weber@halden-glass.example", "{answer}");
        }
    }

    #[test]
    fn several_may_be_named_where_one_was_asked_for() {
        let mut world = corpus::world();
        world.focus.wait_for_answer(&reflex::read("send an email saying i'm late", &world));
        let read = reflex::read("ana, tom and lena", &world);
        let to = read.proposal.steps[0].args["to"].as_array().unwrap();
        assert_eq!(to.len(), 3, "{to:?}");
    }

    #[test]
    fn which_evening_that_is_gets_asked_and_answered() {
        let mut world = corpus::world();
        let asked = reflex::read("decline the pub quiz and put gym at 7:30 that evening", &world);
        assert_eq!(asked.question.as_deref(), Some("Which day is that?"));
        world.focus.wait_for_answer(&asked);
        let read = reflex::read("Tuesday", &world);
        let start = read.proposal.steps[0].args["start"].as_str().unwrap();
        assert!(start.starts_with("2026-11-17T19:30"), "{start}");
    }

    #[test]
    fn another_day_for_the_meeting_is_no_text_for_the_mail() {
        let mut world = corpus::world();
        let asks = "set up a call with jonas next tuesday at 10 and let ana know";
        world.focus.wait_for_answer(&reflex::read(asks, &world));
        let read = reflex::read("no, make it wednesday, same time", &world);
        assert_eq!(read.question.as_deref(), Some("What should I say to Ana?"));
        world.focus.wait_for_answer(&read);
        let read = reflex::read("that it is about freight", &world);
        let start = read.proposal.steps[0].args["start"].as_str().unwrap();
        assert!(start.starts_with("2026-11-18T10:00"), "{start}");
    }
}
