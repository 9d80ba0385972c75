//! A question of ours that something else was said to: asked again behind the answer, or
//! given up aloud.
//!
//! Only where something is to be written: of a look-up nothing is lost.

use super::answer;
use crate::focus::{Choice, Unclear};
use crate::gist::{Chat, Gist, Wall};
use crate::narrator::spelling::list;
use crate::{Understanding, World};

/// So often it is asked again; then it only stays open.
const MOST: u8 = 2;

/// What was understood, and what becomes of the question that was open before it.
pub fn told(understood: Understanding, world: &World) -> Understanding {
    let open = world.focus.open_choices();
    let waits = understood.rest.is_some() || is_same(&understood.choices, open);
    let gives_up = understood.gist == Gist::Chat(Chat::NeverMind);
    if open.is_empty() || waits || understood.answers && !gives_up {
        return understood;
    }
    let Some(what) = called(open, world) else { return understood };
    if gives_up || is_new_request(&understood) {
        return Understanding { left: Some(what), ..understood };
    }
    let is_done = world.focus.asked_besides >= MOST;
    let is_short = open.iter().all(|choice| is_named_briefly(choice.about));
    if is_done || !is_short || !may_be_asked_behind(&understood.gist) {
        return understood;
    }
    Understanding { asks_again: Some(answer::question(open)), ..understood }
}

/// Is something to be written once this is answered?
pub fn is_kept(open: &[Choice], world: &World) -> bool {
    called(open, world).is_some()
}

/// Are its answers a question where they stand side by side?
fn is_named_briefly(about: Unclear) -> bool {
    matches!(about, Unclear::Recipient | Unclear::Person | Unclear::Time | Unclear::Event)
}

fn is_same(choices: &[Choice], open: &[Choice]) -> bool {
    let names = |choices: &[Choice]| -> Vec<String> {
        choices.iter().map(|choice| choice.name.clone()).collect()
    };
    !choices.is_empty() && choices.iter().all(|choice| names(open).contains(&choice.name))
}

/// It takes the place of what was asked about: only one thing is asked at a time.
fn is_new_request(understood: &Understanding) -> bool {
    let drafts = matches!(understood.gist, Gist::Draft { .. });
    let is_impossible = matches!(understood.gist, Gist::Chat(Chat::Wall(Wall::NoSuch(_))));
    let asks = understood.question.is_some() || understood.awaited.is_some() || is_impossible;
    asks || understood.gist.writes() || drafts
}

/// Nothing was said to the question itself, and more is said to this than a word.
fn may_be_asked_behind(gist: &Gist) -> bool {
    match gist {
        Gist::Chat(chat) => !matches!(
            chat,
            Chat::Yes
                | Chat::No
                | Chat::Okay
                | Chat::Enough
                | Chat::Wait
                | Chat::Again
                | Chat::AboutVoice(_)
                | Chat::Bye
                | Chat::Lost
        ),
        Gist::Voice(_) | Gist::Question => false,
        _ => true,
    }
}

/// What would be written, in the words that all answers share: "the reply to Priya".
fn called(open: &[Choice], world: &World) -> Option<String> {
    let afresh = World { focus: world.focus.answered(), ..world.clone() };
    let named = |choice: &Choice| writes_of(&super::read(&choice.sentence, &afresh).gist);
    let (first, last) = (named(open.first()?), named(open.last()?));
    if first.is_empty() || first.len() != last.len() {
        return first.first().map(|_| "that".to_owned());
    }
    let shared: Vec<String> =
        first.iter().zip(&last).map(|(one, other)| shared(one, other)).collect();
    Some(list(&shared, 0))
}

fn writes_of(gist: &Gist) -> Vec<String> {
    match gist {
        Gist::Reply { who, .. } => vec![format!("the reply to {who}")],
        Gist::Mail { who } => vec![format!("the mail to {who}")],
        Gist::Draft { who, .. } => vec![format!("the draft to {who}")],
        Gist::Booking { what } => vec![format!("“{what}”")],
        Gist::CallOff { what } | Gist::Move { what } => vec![what.clone()],
        Gist::Remember { .. } | Gist::Forget => vec!["that".to_owned()],
        Gist::Several(parts) => parts.iter().flat_map(writes_of).collect(),
        _ => Vec::new(),
    }
}

/// The words that both begin with.
fn shared(one: &str, other: &str) -> String {
    if one == other {
        return one.to_owned();
    }
    let same = |(one, other): &(&str, &str)| one == other;
    let words = one.split(' ').zip(other.split(' ')).take_while(same);
    let words: Vec<&str> = words.map(|(word, _)| word).collect();
    let open = words.iter().rev().take_while(|word| matches!(**word, "to" | "with")).count();
    match &words[..words.len() - open] {
        [] => "that".to_owned(),
        words => words.join(" "),
    }
}
