//! People who are spoken of together: those of a meeting, or those named before.

use std::ops::Range;

use brain::facts::{Meeting, Person};
use brain::resolve::words::Word;

use super::times::titled;
use super::{is_dictated, span, stands};
use crate::World;
use crate::narrator::spelling::list;
use crate::reflex::refer::{self, Company, Referent};
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};
use crate::reflex::{sentence, writes};

const SAME: &[&[&str]] =
    &[&["the", "same", "people"], &["the", "same", "group"], &["the", "same", "ones"]];
const ALL: &[&[&str]] = &[
    &["everyone"],
    &["everybody"],
    &["all", "the", "people"],
    &["the", "people"],
    &["the", "attendees"],
    &["the", "participants"],
    &["the", "others"],
];
/// People stand behind these words, whether they are written to or invited.
const LEADS: &[&str] =
    &["with", "to", "email", "mail", "message", "tell", "ask", "let", "invite", "write", "inform"];

/// The first such phrase, in bytes of the sentence, and the names.
pub fn found(heard: &str, said: &[Word], world: &World) -> Option<(Range<usize>, String)> {
    places(heard, said, world).find_map(|(places, meant)| {
        let names = match meant {
            Meant::Named => named_before(heard, &said[..places.start], world),
            Meant::Those(meeting) => invited(meeting, world),
            Meant::Nobody => Vec::new(),
        };
        (!names.is_empty()).then(|| (span(said, &places), list(&names, 0)))
    })
}

/// "I told Ana I'd be late, what did she say?"
pub fn subject(heard: &str, said: &[Word], world: &World) -> Option<(Range<usize>, String)> {
    const SAYS: &[&str] = &["say", "write", "want", "answer", "reply", "email", "mail", "ask"];
    let last_time = |at: usize| {
        let behind = at + 1 + usize::from(said[at + 1].is("last") || said[at + 1].is("ever"));
        let says = said.get(behind).is_some_and(|verb| is_any(&verb.text, SAYS));
        at == 2 && says && stands(said, 0, &["when", "did"])
    };
    let at = (2..said.len().saturating_sub(1)).find(|&at| {
        stands(said, at - 2, &["what", "did"]) && is_any(&said[at + 1].text, SAYS) || last_time(at)
    })?;
    let pronoun = match said[at].text.as_str() {
        "she" => "her",
        "he" => "him",
        _ => return None,
    };
    let mut company = Company::new(heard, world);
    company.before = &said[..at];
    let named = last_time(at)
        || (0..at)
            .any(|at| matches!(whom::at(said, at, heard, world), Some((Whom::Known { .. }, _))));
    match company.of(pronoun, &[]) {
        Referent::One(whom) if named => Some((span(said, &(at..at + 1)), whom.name())),
        _ => None,
    }
}

/// Such a phrase that stands for nobody we could tell.
pub fn unknown(heard: &str, said: &[Word], world: &World) -> Option<Range<usize>> {
    let (places, _) = places(heard, said, world).next()?;
    // Only who is to be written to or invited has to be known.
    let ends = |word: &Word| word.stop.is_some() || word.is("and") || word.is("then");
    let start = said[..places.start].iter().rposition(ends).map_or(0, |last| last + 1);
    writes::read(sentence::bare(&said[start..]))?;
    Some(span(said, &places))
}

/// Whom such a phrase is about.
enum Meant<'a> {
    /// Those of the sentence, or of the meeting at hand.
    Named,
    Those(&'a Meeting),
    Nobody,
}

fn places<'a>(
    heard: &'a str,
    said: &'a [Word],
    world: &'a World,
) -> impl Iterator<Item = (Range<usize>, Meant<'a>)> {
    (1..said.len()).filter_map(move |at| {
        if !is_any(&said[at - 1].text, LEADS) {
            return None;
        }
        let phrase = same(said, at).or_else(|| of_a_meeting(said, at, world))?;
        (!is_dictated(said, at, heard, world)).then_some(phrase)
    })
}

fn same<'a>(said: &[Word], at: usize) -> Option<(Range<usize>, Meant<'a>)> {
    let used = SAME.iter().find(|phrase| stands(said, at, phrase))?.len();
    Some((at..at + used, Meant::Named))
}

/// "Everyone in that meeting", "the people from the design review".
fn of_a_meeting<'a>(
    said: &[Word],
    at: usize,
    world: &'a World,
) -> Option<(Range<usize>, Meant<'a>)> {
    let used = ALL.iter().find(|phrase| stands(said, at, phrase))?.len();
    let link = said.get(at + used)?;
    if !is_any(&link.text, &["in", "at", "from", "of", "on"]) || said[at + used - 1].stop.is_some()
    {
        return None;
    }
    let start = at + used + 1;
    if let Some((meeting, end)) = titled(said, start, world) {
        return Some((at..end, Meant::Those(meeting)));
    }
    let points = [
        &["that", "meeting"][..],
        &["this", "meeting"],
        &["the", "meeting"],
        &["that", "call"],
        &["that", "one"],
        &["it"],
    ];
    if let Some(pointed) = points.iter().find(|phrase| stands(said, start, phrase)) {
        let meant = this(world).map_or(Meant::Nobody, Meant::Those);
        return Some((at..start + pointed.len(), meant));
    }
    // A meeting that was not shown: nobody knows yet who is in it.
    let ends = ["that", "saying", "on", "at", "about", "to", "and", "if", "know", "whether"];
    let name = said[start..].iter().take_while(|word| !is_any(&word.text, &ends)).count();
    (name > 0).then_some((at..start + name, Meant::Nobody))
}

fn this(world: &World) -> Option<&Meeting> {
    let focus = &world.focus;
    focus.meeting.as_ref().or(match focus.meetings.as_ref() {
        [only] => Some(only),
        _ => None,
    })
}

fn named_before(heard: &str, before: &[Word], world: &World) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for at in 0..before.len() {
        if let Some((Whom::Known { name, .. }, _)) = whom::at(before, at, heard, world)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    if names.is_empty() {
        this(world).map_or(names, |meeting| invited(meeting, world))
    } else {
        names
    }
}

/// As a sentence would name them beyond doubt, without the person themselves.
fn invited(meeting: &Meeting, world: &World) -> Vec<String> {
    let mine = world.profile.address.as_deref().unwrap_or_default();
    let is_me = |person: &&Person| person.address.eq_ignore_ascii_case(mine);
    let others = meeting.attendees.iter().filter(|person| !is_me(person));
    others.map(|person| refer::spelled(person.called(), &person.address, world)).collect()
}
