//! What only makes sense after something else: "more", "and on Friday?".

use brain::plan::{Proposal, ProposedStep};
use brain::resolve::time::{self, Lean, cardinal};
use brain::resolve::words::{Word, words};
use serde_json::json;

use super::vocabulary::is_any;
use super::{Lookup, Meaning};
use crate::gist::{AboutLetters, Gist, Want};
use crate::{Understanding, World};

/// The last request continued, or asked again for another time.
pub fn read(heard: &str, words: &[Word], world: &World) -> Option<Understanding> {
    more(words, world).or_else(|| newest(words, world)).or_else(|| {
        let again = another_time(heard, words, world).or_else(|| only_unread(words, world))?;
        // What it follows is part of it now; it follows nothing any more.
        let mut afresh = world.clone();
        afresh.focus.request = None;
        Some(super::read(&again, &afresh))
    })
}

const MORE: &[&[&str]] = &[
    &["more"],
    &["the", "rest"],
    &["rest"],
    &["what", "else"],
    &["what", "else", "is", "there"],
    &["anything", "else"],
    &["the", "others"],
    &["the", "other", "ones"],
    &["others"],
    &["the", "other", "mails"],
    &["the", "other", "meetings"],
    &["the", "remaining", "ones"],
    &["go", "on"],
    &["keep", "going"],
    &["continue"],
    &["next", "three"],
    &["the", "next", "three"],
    &["the", "next", "ones"],
];

const MORE_LEADS: &[&[&str]] = &[
    &["show", "me"],
    &["tell", "me"],
    &["give", "me"],
    &["read", "me"],
    &["what", "about"],
    &["what", "are"],
    &["which", "are"],
    &["show"],
    &["list"],
    &["read"],
    &["and"],
    &["some"],
    &["please"],
    &["ok"],
    &["okay"],
    &["yes"],
    &["so"],
];

/// The next entries of the list that was told last.
fn more(words: &[Word], world: &World) -> Option<Understanding> {
    let focus = &world.focus;
    let list = focus.list.as_ref()?;
    // After a letter was opened, "more" is more of that letter.
    if focus.offered_the_rest {
        return None;
    }
    let mut texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    if texts.len() > 1 && texts.last() == Some(&"please") {
        texts.pop();
    }
    let texts = stripped(&texts, MORE_LEADS);
    let counted = matches!(texts, [count, "more"] if cardinal(&[count]).is_some());
    if !(counted || MORE.contains(&texts)) {
        return None;
    }
    let mut step = list.step.clone();
    if let Some(args) = step.args.as_object_mut() {
        args.remove("max_results");
        if step.tool.starts_with("gmail") {
            args.insert("max_results".to_owned(), json!(50));
        }
    }
    Some(Understanding {
        proposal: Proposal { steps: vec![step], ..Proposal::default() },
        ..Understanding::of(Gist::More { of: Box::new(list.gist.clone()), skip: list.told })
    })
}

/// "Who wrote last?", of the mail that was just listed.
fn newest(words: &[Word], world: &World) -> Option<Understanding> {
    let list = world.focus.list.as_ref()?;
    let lookup = newest_in(words, &list.step, &list.gist)?;
    Some(Understanding {
        proposal: Proposal { steps: lookup.steps, ..Proposal::default() },
        acknowledgement: Some(lookup.acknowledgement),
        ..Understanding::of(lookup.gist)
    })
}

/// The same, of the mail that is looked for in the clause before it.
pub(super) fn newest_of(clause: &[Word], before: Option<&Meaning>) -> Option<Meaning> {
    let Meaning::Look(lookups) = before? else { return None };
    let last = lookups.last()?;
    Some(Meaning::Look(vec![newest_in(clause, last.steps.last()?, &last.gist)?]))
}

fn newest_in(words: &[Word], step: &ProposedStep, gist: &Gist) -> Option<Lookup> {
    const ASKED: &[&str] = &[
        "who wrote last",
        "who wrote the last one",
        "who wrote the latest",
        "who wrote the latest one",
        "who wrote the newest",
        "who was last",
        "who was the last to write",
        "which is the latest",
        "which one is the latest",
        "which is the newest",
        "which one is the newest",
        "who is the latest from",
    ];
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let texts = texts.strip_prefix(&["and"]).unwrap_or(&texts);
    let Gist::Letters(about) = gist else { return None };
    if !ASKED.contains(&texts.join(" ").as_str()) || words.iter().any(|word| word.quoted) {
        return None;
    }
    let mut step = step.clone();
    step.args.as_object_mut()?.insert("max_results".to_owned(), json!(1));
    Some(Lookup {
        steps: vec![step],
        gist: Gist::Letters(AboutLetters {
            want: Want::One,
            nearest: false,
            meant: None,
            ..about.clone()
        }),
        acknowledgement: "Looking for the latest of those.".to_owned(),
    })
}

fn stripped<'a, 't>(texts: &'a [&'t str], leads: &[&[&str]]) -> &'a [&'t str] {
    let mut start = 0;
    while let Some(lead) =
        leads.iter().find(|lead| texts.len() > start + lead.len() && begins(&texts[start..], lead))
    {
        start += lead.len();
    }
    &texts[start..]
}

fn begins(texts: &[&str], lead: &[&str]) -> bool {
    texts.iter().zip(lead).all(|(text, word)| text == word)
}

const TIME_LEADS: &[&[&str]] = &[
    &["no"],
    &["sorry"],
    &["i", "mean"],
    &["i", "meant"],
    &["and"],
    &["or"],
    &["how", "about"],
    &["what", "about"],
    &["actually"],
    &["only"],
    &["just"],
    &["but"],
    &["then"],
    &["make", "it"],
    &["make", "that"],
    &["rather"],
    &["ok"],
    &["okay"],
    &["um"],
    &["uh"],
    &["oh"],
    &["wait"],
    &["well"],
    &["not", "today"],
];

const TIME_TAILS: &[&str] = &["instead", "then", "please", "though", "rather", "only"];

/// The last request with another time in it, where only a time was said.
fn another_time(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let request = world.focus.request.as_ref()?;
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let rest = stripped(&texts, TIME_LEADS);
    let start = texts.len() - rest.len();
    let tails = rest.iter().rev().take_while(|text| is_any(text, TIME_TAILS)).count();
    let phrase = &said[start..texts.len() - tails];
    let now = world.local_now();
    let whole = |words: &[Word], lean| {
        time::find(words, &now, lean).filter(|when| when.words.len() == words.len())
    };
    let lean = if request.is_mail { Lean::Back } else { Lean::Ahead };
    // "And the morning" is "and in the morning".
    let phrase = match phrase {
        [the, rest @ ..] if the.is("the") && whole(phrase, lean).is_none() => rest,
        _ => phrase,
    };
    let when = whole(phrase, lean)?;
    // No mail has come on a day that is still to come.
    if request.is_mail && when.readings.first()?.range.start > now {
        return None;
    }
    let kept = without_time(&request.sentence, world, names_no_day(phrase))?;
    let (first, last) = (phrase.first()?, phrase.last()?);
    Some(format!("{kept} {}", &heard[first.start..last.end]))
}

/// "Only the unread ones", of the mail just asked for.
fn only_unread(said: &[Word], world: &World) -> Option<String> {
    let request = world.focus.request.as_ref().filter(|request| request.is_mail)?;
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let asked = matches!(
        texts.as_slice(),
        ["only" | "just", "unread"]
            | ["only" | "just", "unread", "ones"]
            | ["only" | "just", "the", "unread", "ones"]
    );
    asked.then(|| format!("{} unread", request.sentence))
}

/// The request without its time. A new hour leaves the day where it was.
fn without_time(request: &str, world: &World, keeps_day: bool) -> Option<String> {
    let all = words(request);
    if all.iter().any(|word| word.quoted) {
        return None;
    }
    let when = time::find(&all, &world.local_now(), Lean::Ahead);
    let timed = when.map_or(Vec::new(), |when| when.words);
    let mut kept: Vec<(usize, usize)> = all
        .iter()
        .enumerate()
        .filter(|(at, word)| !timed.contains(at) || (keeps_day && !is_of_the_clock(&word.text)))
        .map(|(_, word)| (word.start, word.end))
        .collect();
    // "What's" is two words in one place.
    kept.dedup();
    let kept: Vec<&str> = kept.into_iter().map(|(start, end)| &request[start..end]).collect();
    (!kept.is_empty()).then(|| kept.join(" "))
}

/// "At four", "in the afternoon": hours of whatever day it is about.
pub fn names_no_day(phrase: &[Word]) -> bool {
    phrase.iter().all(|word| is_of_the_clock(&word.text))
}

pub fn is_of_the_clock(text: &str) -> bool {
    let words = [
        "at",
        "in",
        "the",
        "from",
        "around",
        "by",
        "before",
        "after",
        "until",
        "till",
        "between",
        "and",
        "to",
        "noon",
        "midnight",
        "o'clock",
        "am",
        "pm",
        "morning",
        "afternoon",
        "evening",
        "night",
        "half",
        "quarter",
        "past",
        "lunch",
        "lunchtime",
        "mornings",
        "afternoons",
        "evenings",
    ];
    let digits = text.starts_with(|c: char| c.is_ascii_digit())
        && !text.contains(['-', '/'])
        && !["st", "nd", "rd", "th"].iter().any(|end| text.ends_with(end));
    is_any(text, &words) || digits || cardinal(&[text]).is_some()
}

#[cfg(test)]
#[path = "follow_tests.rs"]
mod tests;
