//! The parts of a sentence put together again: one plan, or one question.

use std::ops::Range;

use brain::plan::{self, Proposal, ProposedStep};
use serde_json::json;

use super::{Lookup, Meaning, Part, Question, TOLD, Want, talk, told};
use crate::Understanding;
use crate::focus::{Choice, Missing};
use crate::gist::{Chat, Gist, Wall};

/// Where the part of a sentence begins that has to wait, if any has to: with it
/// waits every write, so that a question comes before the first card.
fn rest_of(parts: &[Part]) -> Option<usize> {
    let waits = |part: &&Part| matches!(part.meaning, Meaning::Later { .. });
    let first = parts.iter().find(waits)?.span.start;
    let writes = |part: &&Part| match &part.meaning {
        Meaning::Look(lookups) => lookups.iter().any(|lookup| lookup.gist.writes()),
        _ => false,
    };
    let write = parts.iter().find(writes).map_or(first, |part| part.span.start);
    // What it waits for may stand between the two, and is looked up now.
    let looks = |part: &Part| matches!(part.meaning, Meaning::Look(_)) && !writes(&part);
    let between = parts.iter().any(|part| (write..first).contains(&part.span.start) && looks(part));
    Some(if between { first } else { first.min(write) })
}

/// One understanding of all parts. A question comes before anything is done;
/// what can only be read later is left for then, with all that stands behind it.
pub(super) fn together(parts: Vec<Part>, heard: &str) -> Understanding {
    let mut lookups = Vec::new();
    let mut chats = Vec::new();
    let mut missing_fields: Vec<String> = Vec::new();
    let rest = rest_of(&parts);
    for Part { span, meaning } in parts {
        match meaning {
            Meaning::Later { lookups: first, missing } => {
                lookups.extend(first);
                if !missing_fields.iter().any(|field| field == missing) {
                    missing_fields.push(missing.to_owned());
                }
            }
            _ if rest.is_some_and(|start| span.start >= start) => {}
            Meaning::Ask(question) => return question.asked(heard),
            Meaning::Want(want) => return want.asked(),
            Meaning::Cannot { what, awaited } => {
                let awaited = Some(awaited);
                return Understanding { awaited, ..told(Chat::Wall(Wall::NoSuch(what))) };
            }
            Meaning::Choose { question, choices, awaited } => {
                return Understanding { awaited, ..asked(question, choices) };
            }
            Meaning::Look(more) => lookups.extend(more),
            Meaning::Chat(chat) => chats.push((span, chat)),
        }
    }
    if lookups.is_empty() {
        // "Hello, send Tom the notes" is answered for the notes.
        let weight = |(_, chat): &(Range<usize>, Chat)| match chat {
            Chat::NotYet(_) | Chat::AboutEvent(_) | Chat::OutOfReach(_) | Chat::Hangs => 4,
            Chat::Told | Chat::Mused => 0,
            Chat::Hello | Chat::Okay => 1,
            // "Hi, frobnicate the lamp": what was not understood is said, not greeted.
            Chat::Lost => 2,
            _ => 3,
        };
        // "Cancel tomorrow and frobnicate the lamp": neither is passed over.
        let mut told_of: Vec<Gist> = Vec::new();
        for (span, chat) in &chats {
            let gist = beside(chat.clone(), &heard[span.clone()]).map(Gist::Chat);
            told_of.extend(gist.filter(|gist| !told_of.contains(gist)));
        }
        // Where nothing at all was understood, that is said once.
        let understood = |(span, chat): &(Range<usize>, Chat)| {
            *chat != Chat::Lost && beside(chat.clone(), &heard[span.clone()]).is_some()
        };
        if told_of.len() > 1 && chats.iter().any(understood) {
            return several(told_of);
        }
        let heaviest = chats.into_iter().rev().max_by_key(weight);
        return told(heaviest.map_or(Chat::Lost, |(_, chat)| chat));
    }
    let acknowledgement = Some(acknowledge(&lookups));
    let missed = chats.into_iter().filter_map(|(span, chat)| beside(chat, &heard[span]));
    let mut gists: Vec<_> = Vec::new();
    let mut steps = Vec::new();
    for lookup in lookups {
        let offset = steps.len();
        steps.extend(lookup.steps.into_iter().map(|step| shifted(step, offset)));
        gists.push(lookup.gist);
    }
    gists.extend(missed.map(Gist::Chat));
    let gist = if gists.len() == 1 { gists.remove(0) } else { Gist::Several(gists) };
    let proposal = Proposal { steps, missing_fields, ..Proposal::default() };
    let (request, rest) = (Some(heard.to_owned()), rest.map(|start| heard[start..].to_owned()));
    Understanding { proposal, acknowledgement, request, rest, ..Understanding::of(gist) }
}

/// Nothing is looked up, and more than one thing is told.
fn several(mut told: Vec<Gist>) -> Understanding {
    Understanding::of(if told.len() == 1 { told.remove(0) } else { Gist::Several(told) })
}

/// What is said of a part beside an answer to the others. What was not understood
/// and what was asked always is; only courtesies and stories are not.
fn beside(chat: Chat, said: &str) -> Option<Chat> {
    match chat {
        Chat::Lost => Some(Chat::Missed(format!("“{}”", said.trim()))),
        Chat::Mused if talk::is_left_to_us(said) => {
            Some(Chat::Missed(format!("“{}”", said.trim())))
        }
        Chat::Hello
        | Chat::HowAreYou
        | Chat::Thanks
        | Chat::Praise
        | Chat::Sorry
        | Chat::Bye
        | Chat::Okay
        | Chat::Yes
        | Chat::No
        | Chat::NeverMind
        | Chat::Enough
        | Chat::Wait
        | Chat::Pasted
        | Chat::KnownAlready
        | Chat::Noted
        | Chat::NotSo
        | Chat::LeftOut
        | Chat::Told
        | Chat::Mused => None,
        Chat::Help
        | Chat::WhoAreYou
        | Chat::Date
        | Chat::Clock
        | Chat::Contact(_)
        | Chat::ContactsAt(..)
        | Chat::Contacts(..)
        | Chat::NoPhone(_)
        | Chat::NoContact(_)
        | Chat::AlsoTo(_)
        | Chat::Me(_)
        | Chat::NothingKept(_)
        | Chat::NoMark(_)
        | Chat::NoAnswer(_)
        | Chat::FromWhom
        | Chat::AboutWhat
        | Chat::EndOfList
        | Chat::OutOfReach(_)
        | Chat::NotYet(_)
        | Chat::AboutEvent(_)
        | Chat::NothingToPointAt
        | Chat::Shown(..)
        | Chat::ShownNext(_)
        | Chat::Wall(_)
        | Chat::Hangs
        | Chat::Taken(_)
        | Chat::AboutFile(_)
        | Chat::Files(_)
        | Chat::AboutVoice(_)
        | Chat::Again
        | Chat::Misread
        | Chat::NoWording(_)
        | Chat::Missed(_) => Some(chat),
    }
}

/// All of them one after another, for "both".
pub(super) fn merged(all: Vec<Understanding>) -> Understanding {
    let mut steps = Vec::new();
    let mut gists = Vec::new();
    let (mut acknowledgement, mut request) = (None, None);
    for one in all {
        let offset = steps.len();
        steps.extend(one.proposal.steps.into_iter().map(|step| shifted(step, offset)));
        gists.push(one.gist);
        acknowledgement = acknowledgement.or(one.acknowledgement);
        request = one.request;
    }
    let proposal = Proposal { steps, ..Proposal::default() };
    Understanding { proposal, acknowledgement, request, ..Understanding::of(Gist::Several(gists)) }
}

impl Want {
    pub(super) fn asked(self) -> Understanding {
        let field = match self.awaited.what {
            Missing::Words => "body",
            Missing::Address => "recipient_email",
            Missing::Time => "start",
            Missing::Title => "title",
            Missing::Memory => "memory",
        };
        let missing_fields = vec![field.to_owned()];
        Understanding {
            proposal: Proposal { missing_fields, ..Proposal::default() },
            question: Some(self.question),
            awaited: Some(self.awaited),
            ..Understanding::of(Gist::Question)
        }
    }
}

impl Question {
    /// A question, and beside it what each answer would have meant.
    pub(super) fn asked(&self, heard: &str) -> Understanding {
        let labels: Vec<_> = self.choices.iter().map(|(label, _)| label.as_str()).collect();
        let listed = match labels.as_slice() {
            [only] => format!("{only}?"),
            [others @ .., last] if labels.len() <= TOLD => {
                format!("{} or {last}?", others.join(", "))
            }
            // The rest of them stand on the card.
            [first, second, ..] => {
                format!("{first}, {second} or one of {} more?", labels.len() - 2)
            }
            _ => String::new(),
        };
        let text = match &self.lead {
            Some(lead) => format!("{lead} {listed}"),
            None => listed,
        };
        let meant = |(label, clear): &(String, String)| {
            let (before, unclear) = (&heard[..self.span.start], &heard[self.span.clone()]);
            let owns = if unclear.ends_with("'s") || unclear.ends_with("’s") { "'s" } else { "" };
            let sentence = format!("{before}{clear}{owns}{}", &heard[self.span.end..]);
            Choice::new(self.about, label, sentence)
        };
        asked(text, self.choices.iter().map(meant).collect())
    }
}

pub(super) fn asked(question: String, choices: Vec<Choice>) -> Understanding {
    let mut ambiguity = serde_json::Map::new();
    let names: Vec<&str> = choices.iter().map(|choice| choice.name.as_str()).collect();
    if let Some(first) = choices.first() {
        ambiguity.insert(first.about.name().to_owned(), json!(names));
    }
    Understanding {
        proposal: Proposal { ambiguity, ..Proposal::default() },
        question: Some(question),
        choices,
        ..Understanding::of(Gist::Question)
    }
}

/// At most eight words.
fn acknowledge(lookups: &[Lookup]) -> String {
    let is_mail = |lookup: &Lookup| lookup.steps.iter().all(|step| step.tool.starts_with("gmail"));
    let is_memory = |lookup: &Lookup| {
        let mut tools = lookup.steps.iter().map(|step| step.tool.as_str());
        tools.any(|tool| tool.starts_with("memory") || tool.starts_with("attachment"))
    };
    let write = lookups.iter().find(|lookup| lookup.gist.writes());
    let text = match lookups {
        [one] => one.acknowledgement.clone(),
        _ if write.is_some() => {
            write.map_or_else(String::new, |write| write.acknowledgement.clone())
        }
        several if several.iter().any(is_memory) => "Let me look.".to_owned(),
        several if several.iter().all(is_mail) => "Looking through your mail.".to_owned(),
        several if several.iter().any(is_mail) => "Checking your mail and calendar.".to_owned(),
        _ => "Checking your calendar.".to_owned(),
    };
    if text.split_whitespace().count() <= 8 {
        return text;
    }
    if write.is_some() || lookups.iter().any(is_memory) {
        return "On it.".to_owned();
    }
    let mail = lookups.iter().all(is_mail);
    if mail { "Looking through your mail." } else { "Checking your calendar." }.to_owned()
}

/// A step that takes from the steps of its own request takes from later ones here.
fn shifted(mut step: ProposedStep, offset: usize) -> ProposedStep {
    plan::shift(&mut step.args, offset);
    step
}
