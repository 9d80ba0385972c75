//! Somebody who is to be written to or invited: a contact, an address, or
//! nobody we could reach.

use std::ops::Range;

use brain::resolve::people::{self, Candidate, Contact};
use brain::resolve::time::{self, Lean};
use brain::resolve::titles;
use brain::resolve::words::Word;

use super::vocabulary::is_any;
use super::which::Open;
use super::who::{may_be_name, titled};
use super::{Meaning, Want};
use crate::World;
use crate::focus::{Awaited, Choice, Missing, Unclear};

/// So many people are asked about at once.
const MOST_ALIKE: usize = 3;

/// Who stands at one place of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whom {
    /// A contact, or a person of a card. `heard` is what was said of the name,
    /// where they are not called so: "markus", taken for Marcus Bell.
    Known { name: String, short: String, address: String, heard: Option<String> },
    /// The address itself was said.
    Address(String),
    /// Several contacts are called so.
    OneOf(Vec<String>),
    /// Nobody we know, as one would write the name.
    Stranger(String),
}

impl Whom {
    pub fn address(&self) -> Option<&str> {
        match self {
            Self::Known { address, .. } | Self::Address(address) => Some(address),
            Self::OneOf(_) | Self::Stranger(_) => None,
        }
    }

    /// The whole name, where there is one.
    pub fn name(&self) -> String {
        match self {
            Self::Known { name, .. } | Self::Stranger(name) => name.clone(),
            Self::Address(address) => address.clone(),
            Self::OneOf(names) => names.join(" or "),
        }
    }

    /// Everybody we know whom this can be.
    fn names(&self) -> Option<Vec<String>> {
        match self {
            Self::Known { name, .. } => Some(vec![name.clone()]),
            Self::OneOf(names) => Some(names.clone()),
            Self::Address(_) | Self::Stranger(_) => None,
        }
    }

    /// Is this where they are written to?
    pub fn is_at(&self, address: &str) -> bool {
        self.address().is_some_and(|mine| mine.eq_ignore_ascii_case(address))
    }

    /// What is open about them, where several are called so.
    pub fn open(&self, span: Range<usize>) -> Option<Open<'_>> {
        match self {
            Self::OneOf(names) => Some(Open { names, span }),
            Self::Known { .. } | Self::Address(_) | Self::Stranger(_) => None,
        }
    }

    pub fn short(&self) -> String {
        match self {
            Self::Known { short, .. } => short.clone(),
            Self::Address(address) => address.clone(),
            Self::OneOf(names) => names.join(" or "),
            Self::Stranger(name) => name.clone(),
        }
    }

    /// What they are called where somebody only listens: the whole name where another is
    /// called so.
    pub fn told(&self, world: &World) -> String {
        match self {
            Self::Known { name, short, .. }
                if people::has_namesake(name, short, &world.contacts) =>
            {
                name.clone()
            }
            Self::Known { .. } | Self::Address(_) | Self::OneOf(_) | Self::Stranger(_) => {
                self.short()
            }
        }
    }

    fn of(found: &[Candidate<'_>], heard: &str) -> Option<Self> {
        match found {
            [] => None,
            [one] => Some(Self::Known {
                name: one.contact.name.clone(),
                short: one.contact.short().to_owned(),
                address: one.contact.address.clone(),
                heard: one.reason.is_guess().then(|| heard.to_owned()),
            }),
            several => {
                let names = several.iter().take(3).map(|found| found.contact.name.clone());
                Some(Self::OneOf(names.collect()))
            }
        }
    }
}

/// Who is named from this place on, and how many words that takes. "Lena or Ana" is one
/// of the two.
pub fn at(words: &[Word], at: usize, heard: &str, world: &World) -> Option<(Whom, usize)> {
    let (first, mut used) = single(words, at, heard, world)?;
    let Some(mut names) = first.names() else { return Some((first, used)) };
    let alone = names.len();
    while words.get(at + used).is_some_and(|word| word.is("or") && !word.quoted)
        && words[at + used - 1].stop.is_none_or(|stop| stop == ',')
        && let Some((next, more)) = single(words, at + used + 1, heard, world)
        && let Some(others) = next.names()
    {
        names.extend(others.into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
        used += 1 + more;
    }
    let whom = if names.len() > alone { Whom::OneOf(names) } else { first };
    Some((whom, used))
}

/// The same, without anybody beside them.
fn single(words: &[Word], at: usize, heard: &str, world: &World) -> Option<(Whom, usize)> {
    let first = words.get(at).filter(|word| !word.quoted)?;
    if is_address(&first.text) {
        return Some((Whom::Address(first.text.clone()), 1));
    }
    let owners = words[at..].iter().take_while(|word| is_any(&word.text, OWNERS)).count();
    let start = at + owners;
    let found = known(words, at, world)
        .map(|found| (found, at))
        .or_else(|| Some((known(words, start, world)?, start)))
        .or_else(|| Some((misspelled(words, start, world)?, start)));
    let Some(((whom, used), start)) = found else {
        let (whom, used) = stranger(words, start, owners, heard, world)?;
        return Some((whom, owners + used));
    };
    // "Tom Becker" is not the Tom we know: who is called otherwise is a stranger.
    let other = surname(words, start + used, heard, world).filter(|_| used == 1 && start == at);
    Some(match other {
        Some(other) => (Whom::Stranger(titled(&format!("{} {other}", first.text))), used + 1),
        None => (whom, start - at + used),
    })
}

/// Everybody in a list: "Tom and Ana", "Tom, Ana and Lena".
pub fn list(words: &[Word], start: usize, heard: &str, world: &World) -> (Vec<Whom>, usize) {
    let mut found = Vec::new();
    let mut end = start;
    let mut next = at(words, start, heard, world);
    while let Some((whom, used)) = next {
        // Behind the first, only people we know ("Tom and dinner is fine"), or
        // who can be nothing else: "Tom and Alex that".
        let place = end + usize::from(!found.is_empty() && is_and(words, end)) + used;
        let says = words.get(place).is_some_and(|next| is_any(&next.text, &["that", "saying"]));
        if !found.is_empty() && matches!(whom, Whom::Stranger(_)) && !says {
            break;
        }
        found.push(whom);
        end += usize::from(found.len() > 1 && is_and(words, end)) + used;
        let comma = words[end - 1].stop == Some(',') || is_joined(words, end, heard);
        let and = is_and(words, end);
        let more = end + usize::from(and);
        next = if and || comma { at(words, more, heard, world) } else { None };
    }
    (found, end)
}

/// "Omar & Ana", "Omar + Ana": nobody says the sign, and it is no word.
pub fn is_joined(words: &[Word], at: usize, heard: &str) -> bool {
    let between = at.checked_sub(1).and_then(|before| words.get(before)).zip(words.get(at));
    between
        .and_then(|(before, next)| heard.get(before.end..next.start))
        .is_some_and(|gap| gap.contains(['&', '+']))
}

fn is_and(words: &[Word], at: usize) -> bool {
    words.get(at).is_some_and(|word| word.is("and") || word.is("or"))
}

/// "My mom", "the dentist".
const OWNERS: &[&str] =
    &["my", "the", "our", "mr", "mister", "mrs", "ms", "miss", "prof", "professor", "doctor"];

pub fn is_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !host.contains('@') && !host.ends_with('.')
    })
}

/// The longest run of words that is what somebody is called: exactly, or of a
/// first and a last name nearly ("priya nayer").
fn known(words: &[Word], at: usize, world: &World) -> Option<(Whom, usize)> {
    (1..=3).rev().find_map(|used| {
        let run = words.get(at..at + used)?;
        if run.iter().any(|word| word.quoted) {
            return None;
        }
        let name = run.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        let mut found = people::known(&name, &world.contacts);
        if found.is_empty() && used > 1 && is_one_breath(run) {
            found = people::find(&name, &world.contacts);
        }
        Whom::of(&found, &name).map(|whom| (whom, used))
    })
}

/// Words that could be one name: nothing parts them.
fn is_one_breath(run: &[Word]) -> bool {
    let parted = run.iter().rev().skip(1).any(|word| word.stop.is_some());
    !parted && run.iter().all(|word| !word.quoted && may_be_name(&word.text))
}

/// A family name behind a first name: written like one, or followed by what is
/// to be said.
fn surname<'a>(words: &'a [Word], at: usize, heard: &str, world: &World) -> Option<&'a str> {
    let name = words.get(at).filter(|word| !word.quoted && may_be_name(&word.text))?;
    let before = at.checked_sub(1).and_then(|before| words.get(before))?;
    let between = heard.get(before.end..name.start).map_or("", str::trim);
    let stands_apart = before.stop.is_some() || !between.is_empty() || before.text.ends_with("'s");
    let is_time = !time::apart(std::slice::from_ref(name), &world.local_now()).is_empty()
        || time::find(std::slice::from_ref(name), &world.local_now(), Lean::Ahead).is_some();
    if stands_apart || is_time || name.text.contains('\'') || is_address(&name.text) {
        return None;
    }
    let written = heard.get(name.start..).is_some_and(|rest| rest.starts_with(char::is_uppercase));
    let shouted = !heard.chars().any(char::is_lowercase);
    let says = words.get(at + 1).is_some_and(|next| is_any(&next.text, &["that", "saying"]))
        || name.stop == Some(':');
    ((written && !shouted) || says).then_some(name.text.as_str())
}

/// One word that is nearly what somebody is called, or short for it.
fn misspelled(words: &[Word], at: usize, world: &World) -> Option<(Whom, usize)> {
    let word = words.get(at).filter(|word| !word.quoted && may_be_name(&word.text))?;
    Some((Whom::of(&people::find(&word.text, &world.contacts), &word.text)?, 1))
}

/// One word that could be a name; a second one where both are written like names.
fn stranger(
    words: &[Word],
    at: usize,
    owners: usize,
    heard: &str,
    world: &World,
) -> Option<(Whom, usize)> {
    let first = words.get(at).filter(|word| !word.quoted && may_be_name(&word.text))?;
    let has_capital = |word: &Word| {
        heard.get(word.start..).is_some_and(|rest| rest.starts_with(char::is_uppercase))
    };
    let second = words.get(at + 1).filter(|second| {
        first.stop.is_none()
            && !second.quoted
            && may_be_name(&second.text)
            && has_capital(first)
            && has_capital(second)
            && second.end - second.start > 1
    });
    // "The parcel people that …"
    let says =
        words.get(at + 2).is_some_and(|next| is_any(&next.text, &["that", "saying", "know"]));
    let more = words.get(at + 1).filter(|more| {
        owners > 0 && says && first.stop.is_none() && !more.quoted && may_be_name(&more.text)
    });
    // "Pre annaire that …": two words that together sound like one name.
    let broken = words.get(at + 1).filter(|next| {
        let name = format!("{} {}", first.text, next.text);
        is_one_breath(&words[at..at + 2])
            && people::sounding(&first.text, &world.contacts).is_empty()
            && !people::sounding(&name, &world.contacts).is_empty()
            && next.end - next.start > 1
    });
    let second = second.or(more).or(broken);
    let name = match second {
        Some(second) => format!("{} {}", first.text, second.text),
        None => first.text.clone(),
    };
    let called = if owners > 0 { format!("the {name}") } else { titled(&name) };
    Some((Whom::Stranger(called), 1 + usize::from(second.is_some())))
}

/// Where in the sentence one of several people stands, in bytes.
pub fn span_of(
    whom: &Whom,
    words: &[Word],
    within: &Range<usize>,
    heard: &str,
    world: &World,
) -> Range<usize> {
    let inside = |at: &usize| within.contains(&words[*at].start);
    let found = (0..words.len()).filter(inside).find_map(|place| {
        let (found, used) = at(words, place, heard, world)?;
        (found == *whom).then(|| words[place].start..words[place + used - 1].end)
    });
    found.unwrap_or_else(|| within.clone())
}

/// Asks for the address of somebody who was only named, or for whom they were
/// taken: a name nobody has may have been misheard.
pub fn unreachable(name: &str, span: &Range<usize>, heard: &str, world: &World) -> Meaning {
    let awaited = Awaited {
        what: Missing::Address,
        before: heard[..span.start].to_owned(),
        after: heard[span.end..].to_owned(),
        day: None,
        instead_of: None,
    };
    let Some((question, choices)) = misheard(name, span, heard, world) else {
        let question = format!("I don't have an address for {name}. What is it?");
        return Meaning::Want(Want { question, awaited });
    };
    Meaning::Choose { question, choices, awaited: Some(awaited) }
}

/// "I don't know Omer. Did you mean Omar Haddad?", and what each answer would have meant.
fn misheard(
    name: &str,
    span: &Range<usize>,
    heard: &str,
    world: &World,
) -> Option<(String, Vec<Choice>)> {
    let names = sounding(name, world);
    let choice = |name: &String| {
        let sentence = format!("{}{name}{}", &heard[..span.start], &heard[span.end..]);
        Choice::new(Unclear::Recipient, name, sentence)
    };
    let choices: Vec<Choice> = names.iter().map(choice).collect();
    (!choices.is_empty()).then(|| (do_you_mean(name, &names), choices))
}

/// Whom a name that nobody has may have been misheard for.
fn sounding(name: &str, world: &World) -> Vec<String> {
    named(&people::sounding(name, &world.contacts))
}

/// Whose name this very nearly is, where a stranger would do as well.
pub fn nearly(name: &str, world: &World) -> Vec<String> {
    named(&people::nearly(name, &world.contacts))
}

fn named(alike: &[&Contact]) -> Vec<String> {
    alike.iter().take(MOST_ALIKE).map(|contact| contact.name.clone()).collect()
}

/// A name that nobody has is never taken for another one in silence.
pub fn do_you_mean(name: &str, names: &[String]) -> String {
    format!("I don't know {name}. Did you mean {}?", names.join(" or "))
}

/// Asks whom somebody was taken for whom nobody knows; `None` where no name is nearly theirs.
pub fn taken_for(name: &str, span: &Range<usize>, heard: &str, world: &World) -> Option<Meaning> {
    (!nearly(name, world).is_empty()).then(|| unreachable(name, span, heard, world))
}

/// "Sam dot whittaker at …", spelled aloud: ears write it one way or the other, and at times
/// as one word ("samdotwhittaker@…"), so it is asked whether somebody we know is meant. What
/// was typed is taken as it stands.
pub fn misspelled_aloud(
    address: &str,
    span: &Range<usize>,
    heard: &str,
    world: &World,
) -> Option<Meaning> {
    let (name, host) = address.rsplit_once('@')?;
    let spelled = spelled_names(name);
    let is_aloud = heard.get(span.clone())?.trim().contains(' ') || spelled.len() > 1;
    let is_known = world.contacts.iter().any(|it| it.address.eq_ignore_ascii_case(address));
    if !is_aloud || is_known {
        return None;
    }
    let beside = |it: &&Contact| {
        it.address.rsplit_once('@').is_some_and(|(_, other)| other.eq_ignore_ascii_case(host))
    };
    let there: Vec<&Contact> = world.contacts.iter().filter(beside).collect();
    let names = || there.iter().map(|it| it.address.split('@').next().unwrap_or_default());
    let mut alike: Vec<usize> =
        spelled.iter().flat_map(|name| titles::sounding(name, names())).collect();
    let mut seen = Vec::new();
    alike.retain(|at| {
        !seen.contains(at) && {
            seen.push(*at);
            true
        }
    });
    let choice = |name: &str, clear: &str| {
        let sentence = format!("{}{clear}{}", &heard[..span.start], &heard[span.end..]);
        Choice::new(Unclear::Recipient, name, sentence)
    };
    let meant = alike.iter().take(MOST_ALIKE).map(|at| choice(&there[*at].name, &there[*at].name));
    let choices: Vec<Choice> = meant.chain([choice(address, address)]).collect();
    let names: Vec<&str> = choices.iter().map(|choice| choice.name.as_str()).collect();
    let question = format!("Did you mean {}?", names.join(" or "));
    (!alike.is_empty()).then_some(Meaning::Choose { question, choices, awaited: None })
}

/// What stands before the "@", and how it was said where a "dot" of it ran into the names
/// beside it: "pre-adottenair" is "prea tenair".
fn spelled_names(name: &str) -> Vec<String> {
    let name = name.to_lowercase();
    let apart = |(at, dot): (usize, &str)| {
        let (before, behind) = (&name[..at], &name[at + dot.len()..]);
        let letters = |part: &str| part.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        let (before, behind) = (letters(before), letters(behind));
        (!before.is_empty() && !behind.is_empty()).then(|| format!("{before} {behind}"))
    };
    let parted: Vec<String> = name.match_indices("dot").filter_map(apart).collect();
    std::iter::once(name.clone()).chain(parted).collect()
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;
    use crate::corpus;

    #[test]
    fn one_or_the_other_is_one_of_two() {
        let (world, heard) = (corpus::world(), "lena or ana tomorrow");
        let names = vec!["Lena Fischer".to_owned(), "Ana Ruiz".to_owned()];
        assert_eq!(at(&words(heard), 0, heard, &world), Some((Whom::OneOf(names), 3)));
    }

    #[test]
    fn nobody_we_know_is_a_stranger_wherever_their_words_come_from() {
        let (world, heard) = (corpus::world(), "the packaging people");
        let stranger = Some((Whom::Stranger("the packaging".to_owned()), 2));
        assert_eq!(at(&words(heard), 0, "", &world), stranger);
    }

    #[test]
    fn an_address_that_is_nearly_a_contacts_is_asked_about_where_it_was_spelled_aloud() {
        let world = corpus::world();
        let heard = "email sam dot witfield at brightloom dot example that i am late";
        let asked = crate::reflex::read(heard, &world);
        let question = "Did you mean Sam Whitfield or sam.witfield@brightloom.example?";
        assert_eq!(asked.question.as_deref(), Some(question));
        let to = |sentence: &str| {
            let read = crate::reflex::read(sentence, &world);
            read.proposal.steps.first().map(|step| step.args["to"][0].clone())
        };
        let meant: Vec<_> = asked.choices.iter().map(|choice| to(&choice.sentence)).collect();
        assert_eq!(
            meant,
            [
                Some("sam.whitfield@brightloom.example".into()),
                Some("sam.witfield@brightloom.example".into())
            ]
        );
        let typed = "email sam.witfield@brightloom.example that i am late";
        assert_eq!(to(typed), Some("sam.witfield@brightloom.example".into()));
        for misjoined in ["pre-adottenair@brightloom.example", "preadotner@brightloom.example"] {
            let heard = format!("Email {misjoined} that I am late.");
            let asked = crate::reflex::read(&heard, &world);
            let question = format!("Did you mean Priya Nair or {misjoined}?");
            assert_eq!(asked.question.as_deref(), Some(question.as_str()));
            let meant: Vec<_> = asked.choices.iter().map(|choice| to(&choice.sentence)).collect();
            let first = Some("priya.nair@brightloom.example".into());
            assert_eq!(meant.first(), Some(&first), "{:?}", asked.choices);
        }
        let unlike = "email benedotsmith@brightloom.example that i am late";
        assert_eq!(to(unlike), Some("benedotsmith@brightloom.example".into()));
        let other = "email dana dot wu at brightloom dot example that i am late";
        assert_eq!(to(other), Some("dana.wu@brightloom.example".into()));
    }
}
