//! What is said while a card is open: an answer to it, or something else.
//!
//! [`read`] decides only what is beyond doubt. A yes has to be plain, to the
//! action that is shown and to nobody else; whatever is hedged, contradicts
//! itself, names somebody who is not on the card or is said to somebody in the
//! room leaves the card where it is. A change is never a yes: it makes a new
//! card that needs its own.

mod besides;
mod change;
mod corrected;
mod displeased;
mod event;
mod explain;
mod half;
mod instead;
mod keep;
mod mail;
mod misheard;
mod named;
mod nods;
mod overheard;
mod pending;
mod place;
mod refused;
mod restyled;
mod reworded;
mod several;
mod swapped;
mod text;
mod undone;
mod wording;

use brain::card::{Preview, Recipient, Warning};
use brain::input::Decision;
use brain::policy::Source;
use brain::resolve::people;
use brain::resolve::words::Word;
use serde_json::{Map, Value};

pub(super) use self::change::Change;
pub(super) use self::change::put_right;
pub(super) use self::event::elsewhere;
use self::half::{held, is_half_a_word, is_half_a_yes, is_no_refusal};
pub use self::misheard::is_guessed;
use self::named::Named;
pub use self::named::is_called;
use self::overheard::{is_to_somebody_else, overheard};
use super::consent::{self, Consent};
use super::vocabulary::{EMPTY, is_any};
use super::{ears, phrasing, sentence, slips};
use crate::World;
use crate::gist::{Chat, Gist};
use crate::narrator::card;

/// One open card, as much of it as an answer can be about.
#[derive(Clone, Copy, Debug)]
pub struct CardView<'a> {
    pub preview: &'a Preview,
    /// What the tool would be called with.
    pub payload: &'a Map<String, Value>,
    /// "the mail to Priya"
    pub called: &'a str,
    /// `send_email`, `create_event`
    pub action_type: &'a str,
    /// What deserves a second look on it.
    pub warnings: &'a [Warning],
}

/// What was said of the open cards. `card` is a place in the list that was
/// handed in.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// A plain yes to this card. `names_recipient` when it named whom the
    /// thing goes to: everybody who needs it, where somebody does.
    Accept {
        card: usize,
        names_recipient: bool,
    },
    Reject {
        card: usize,
    },
    /// A no that wants the mail left in the drafts, as it is on the card.
    Keep {
        card: usize,
    },
    /// Something is to be different: fields of the payload with their new
    /// values, and what to say of it ("Four o'clock instead.").
    Revise {
        card: usize,
        changes: Map<String, Value>,
        said: String,
    },
    /// A change is wanted that cannot be made, or (`is_missed`) not even made out.
    CannotRevise {
        card: usize,
        say: String,
        is_missed: bool,
    },
    /// Something about it was asked, and this is the answer.
    Explain {
        card: usize,
        say: String,
    },
    /// It answers one of several cards; which, has to be asked. Keep the
    /// sentence: once [`which`] has found the card, a yes or a no is taken as
    /// decided here, and a change is read again by [`read_of`].
    Which {
        decision: Decision,
        say: String,
    },
    /// Something else is to be done in its place: a no to this card, and a new
    /// request in the same sentence.
    Instead {
        card: usize,
    },
    /// An answer to a card and, behind it, something else that is heard next: "yes,
    /// and what's on Friday". Both are as they were said.
    Besides {
        answer: Box<Self>,
        said: String,
        rest: String,
    },
    /// Neither yes nor no: the card waits.
    Hold {
        card: usize,
        say: String,
    },
    /// It is about something else.
    NotAnAnswer,
}

impl Reply {
    /// The card that this is a yes to, whatever else is asked behind it.
    pub fn accepts(&self) -> Option<usize> {
        match self {
            Self::Accept { card, .. } => Some(*card),
            Self::Besides { answer, .. } => answer.accepts(),
            Self::Reject { .. }
            | Self::Keep { .. }
            | Self::Revise { .. }
            | Self::CannotRevise { .. }
            | Self::Explain { .. }
            | Self::Which { .. }
            | Self::Instead { .. }
            | Self::Hold { .. }
            | Self::NotAnAnswer => None,
        }
    }
}

/// Reads what was said while these cards are open, the oldest first.
pub fn read(heard: &str, cards: &[CardView<'_>], world: &World) -> Reply {
    besides::read(&ears::waiting(heard, world), cards, world)
}

/// The same, where all of it is one answer.
fn alone(heard: &str, cards: &[CardView<'_>], world: &World) -> Reply {
    if cards.is_empty() || sentence::is_pasted(heard) || super::is_letter_to_me(heard, world) {
        return Reply::NotAnAnswer;
    }
    if let Some(plain) = consent::thumbed(heard) {
        let (said, named) = taken_apart(&plain, cards, world);
        if plain_consent(&plain, &said, &named, cards) == Consent::Accept {
            return accepted(&named, cards);
        }
    }
    let (said, named) = taken_apart(heard, cards, world);
    if says_yes(&said) {
        return Reply::Hold { card: 0, say: still_waiting(cards, 0) };
    }
    if let Some(reply) = nods::one_at_a_time(&said, cards).or_else(|| pending::read(&said, cards)) {
        return reply;
    }
    match decided(heard, &said, &named, cards, world) {
        // Whoever names somebody else may believe afterwards that it goes to them.
        Reply::Hold { card, say }
            if !named.others.is_empty() || names_another(&said, cards, world) =>
        {
            Reply::CannotRevise { card, say, is_missed: true }
        }
        reply => reply,
    }
}

/// "No, not Tom but Ana", where she is on no card.
fn names_another(said: &[Word], cards: &[CardView<'_>], world: &World) -> bool {
    // "Don't add Ana" leaves it as it is.
    let not = |at: usize| {
        let forbids = at > 0 && said[at - 1].is("do");
        is_any(&said[at].text, &["not", "instead", "rather"]) && !said[at].quoted && !forbids
    };
    let on_card = |address: &str| {
        let mut all = cards.iter().flat_map(|card| card.preview.recipients());
        all.any(|one| one.address.eq_ignore_ascii_case(address))
    };
    let is_another = |word: &Word| {
        let found = people::known(&word.text, &world.contacts);
        !found.is_empty() && !found.iter().any(|one| on_card(&one.contact.address))
    };
    (0..said.len()).any(not) && said.iter().any(is_another)
}

fn decided(
    heard: &str,
    said: &[Word],
    named: &Named,
    cards: &[CardView<'_>],
    world: &World,
) -> Reply {
    let consent = plain_consent(heard, said, named, cards);
    let reply = match consent {
        Consent::Accept => return accepted(named, cards),
        _ if says_the_same(named, cards) => {
            // "Forget it", where just that is asked: a yes or a no, nobody knows.
            return waits(named, cards);
        }
        _ if says_of_it(consent::KEEPS, named, cards) => {
            return Reply::Reject { card: 0 };
        }
        _ if is_to_somebody_else(said, world) => overheard(consent, said, cards),
        _ => None,
    };
    reply
        .or_else(|| undone::read(said, cards))
        .or_else(|| explained(said, named, cards, world))
        .or_else(|| keep::read(said, named, cards))
        .or_else(|| is_new_letter(heard, said, world).then_some(Reply::NotAnAnswer))
        .or_else(|| displeased::read(said, named, cards))
        .or_else(|| changed(heard, said, named, cards, world, consent))
        .or_else(|| is_no_refusal(said).then(|| waits(named, cards)))
        .or_else(|| refused::twice(said, named, cards))
        .or_else(|| rejected(heard, consent, named, cards, world))
        .or_else(|| is_half_a_yes(said).then(|| held(consent, said, named, cards))?)
        .or_else(|| instead::read(heard, said, cards, world))
        .or_else(|| is_request(heard, world).then_some(Reply::NotAnAnswer))
        .or_else(|| held(consent, said, named, cards))
        .or_else(|| is_half_a_word(heard, said, world).then(|| waits(named, cards)))
        .unwrap_or(Reply::NotAnAnswer)
}

/// Nobody knows what this meant: while a card is open, it may have been a wish about it.
pub fn is_lost(heard: &str, reply: &Reply, world: &World) -> bool {
    const ASKS: &[&str] = &["what", "who", "when", "where", "why", "how", "which", "any", "did"];
    let said = slips::answered(heard, &world.contacts);
    match reply {
        Reply::NotAnAnswer => {}
        // It only waits, whatever was said.
        Reply::Hold { .. } => return half::says_something(&said),
        Reply::Besides { answer, said, .. } => return is_lost(said, answer, world),
        Reply::Accept { .. }
        | Reply::Reject { .. }
        | Reply::Keep { .. }
        | Reply::Revise { .. }
        | Reply::CannotRevise { .. }
        | Reply::Explain { .. }
        | Reply::Which { .. }
        | Reply::Instead { .. } => return false,
    }
    let asks = said.first().is_none_or(|first| is_any(&first.text, ASKS))
        || said.last().is_some_and(|last| last.stop == Some('?'));
    if asks {
        return false;
    }
    let points = |word: &Word| is_any(&word.text, &["it", "this", "that"]) && !word.quoted;
    match super::read(heard, world).gist {
        Gist::Chat(Chat::Lost | Chat::Missed(_)) => true,
        // "Reschedule it", where something is asked about that is not there yet.
        Gist::Chat(Chat::NotYet(_)) => said.iter().any(points),
        _ => half::puts_right(&said),
    }
}

/// Is a mail to be worded otherwise, in words that nobody said? No rule can do that.
pub fn wants_other_words(heard: &str, world: &World) -> bool {
    let said = slips::answered(heard, &world.contacts);
    change::Wish::of(heard, &said, world).is_some_and(|wish| restyled::is_wanted(&wish))
}

/// The words of a mail, between greeting and name.
pub fn words_in(body: &str) -> String {
    text::words_in(body)
}

fn taken_apart(heard: &str, cards: &[CardView<'_>], world: &World) -> (Vec<Word>, Named) {
    let said = slips::answered(heard, &world.contacts);
    let named = Named::of(&said, cards, world);
    (said, named)
}

/// "Write to Dana that …" is another mail, not other words for this one.
fn is_new_letter(heard: &str, said: &[Word], world: &World) -> bool {
    let [write, next, rest @ ..] = said else { return false };
    let names = next.is("to")
        || rest.first().is_some_and(|word| is_any(&word.text, &["that", "saying"]))
        || super::read(heard, world).gist.writes();
    let instead = is_any(&next.text, &["instead", "rather"]);
    write.is("write") && names && !instead
}

/// "Forget it" or "cancel", where just that is asked.
fn says_the_same(named: &Named, cards: &[CardView<'_>]) -> bool {
    let [CardView { preview, .. }] = cards else { return false };
    match preview {
        Preview::Event(event) if event.cancels() => {
            let alone = plainly(named) == ["cancel"];
            alone || says_of_it(consent::CANCELS, named, cards)
        }
        Preview::Memory(_) => says_of_it(consent::FORGETS, named, cards),
        Preview::Email(_) | Preview::Event(_) | Preview::Lines { .. } => false,
    }
}

/// Just "forget it", "cancel it" or "keep it", where something is to go.
fn says_of_it(verbs: &[&str], named: &Named, cards: &[CardView<'_>]) -> bool {
    let [CardView { preview, .. }] = cards else { return false };
    let goes = match preview {
        Preview::Memory(memory) => memory.forgets,
        Preview::Event(event) => event.cancels(),
        Preview::Email(_) | Preview::Lines { .. } => false,
    };
    let rest = plainly(named);
    goes && matches!(rest.as_slice(), [verb, "it" | "that" | "this"] if is_any(verb, verbs))
}

fn plainly(named: &Named) -> Vec<&str> {
    let polite = |word: &&String| !is_any(word, &["please", "just", "then", "ok", "okay", "no"]);
    named.rest.iter().filter(polite).map(String::as_str).collect()
}

fn waits(named: &Named, cards: &[CardView<'_>]) -> Reply {
    waits_of(cards, named.candidates().first().copied().unwrap_or(0))
}

fn waits_of(cards: &[CardView<'_>], card: usize) -> Reply {
    Reply::Hold { card, say: still_waiting(cards, card) }
}

/// The change that was asked for before it was clear of which card: the
/// sentence that led to [`Reply::Which`] with [`Decision::Edit`], read as if
/// the picked card were the only one. Picking a card is no yes to it, so this
/// never accepts and never rejects.
pub fn read_of(heard: &str, cards: &[CardView<'_>], picked: usize, world: &World) -> Reply {
    let Some(only) = cards.get(picked) else { return Reply::NotAnAnswer };
    let card = picked;
    match alone(&ears::waiting(heard, world), &[*only], world) {
        Reply::Revise { changes, said, .. } => Reply::Revise { card, changes, said },
        Reply::CannotRevise { say, is_missed, .. } => Reply::CannotRevise { card, say, is_missed },
        Reply::Explain { say, .. } => Reply::Explain { card, say },
        Reply::Hold { say, .. } => Reply::Hold { card, say },
        Reply::NotAnAnswer => Reply::NotAnAnswer,
        Reply::Accept { .. }
        | Reply::Reject { .. }
        | Reply::Instead { .. }
        | Reply::Keep { .. }
        | Reply::Besides { .. }
        | Reply::Which { .. } => Reply::Hold { card, say: still_waiting(cards, card) },
    }
}

/// The card that was picked after [`Reply::Which`]: "the first one", "the
/// mail", "the one to Priya". `None` when the sentence says anything else.
pub fn which(heard: &str, cards: &[CardView<'_>], world: &World) -> Option<usize> {
    let (said, named) = taken_apart(heard, cards, world);
    if said.is_empty() || said.iter().any(|word| word.quoted || word.stop == Some('?')) {
        return None;
    }
    let little = [
        "it", "the", "one", "please", "yes", "that", "just", "only", "with", "to", "i", "mean",
        "meant",
    ];
    let only = named.rest.iter().all(|word| is_any(word, &little));
    match named.candidates().as_slice() {
        [one] if only && named.points && named.others.is_empty() => Some(*one),
        _ => None,
    }
}

/// How the sentence is to be taken without the cards' own words. Quoted words
/// and marks that change a yes stay what they are.
fn plain_consent(heard: &str, said: &[Word], named: &Named, cards: &[CardView<'_>]) -> Consent {
    if said.iter().any(|word| word.quoted) || is_for_forgetting(said, cards) {
        return Consent::Unclear;
    }
    let asks = said.iter().any(|word| word.stop == Some('?'));
    match consent::read(&format!("{}{}", named.text(), if asks { "?" } else { "" })) {
        Consent::Accept if !consent::is_clean(heard) => Consent::Unclear,
        consent => consent,
    }
}

/// "Yes, forget it", where one of several cards is about something to be forgotten: that
/// may be a yes to it, or a no to all of them.
fn is_for_forgetting(said: &[Word], cards: &[CardView<'_>]) -> bool {
    let forgets =
        |card: &CardView<'_>| matches!(card.preview, Preview::Memory(memory) if memory.forgets);
    let agrees = said.first().is_some_and(|first| is_any(&first.text, consent::OPENERS));
    let forget = said.iter().any(|word| is_any(&word.text, consent::FORGETS));
    cards.len() > 1 && agrees && forget && cards.iter().any(forgets)
}

/// "Say yes": nobody knows whether that is for us or for the mail, so it is neither.
fn says_yes(said: &[Word]) -> bool {
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    matches!(texts.as_slice(), ["say", "yes" | "no"] | ["just", "say", "yes" | "no"])
}

/// A plain yes, if it is beyond doubt what to.
fn accepted(named: &Named, cards: &[CardView<'_>]) -> Reply {
    let candidates = named.candidates();
    let [card] = *candidates.as_slice() else {
        return match candidates.as_slice() {
            // "Book it", where only a mail waits.
            [] => Reply::Hold { card: 0, say: still_waiting(cards, 0) },
            several => asking_which(Decision::Accept, several, cards),
        };
    };
    let preview = cards[card].preview;
    if !named.others.is_empty() {
        return Reply::Hold { card, say: still_waiting(cards, card) };
    }
    if names_only_some(named, preview) {
        let all: Vec<Recipient> = preview.recipients().cloned().collect();
        let say = format!("It is for {}, all of them. It waits.", card::people(&all));
        return Reply::Hold { card, say };
    }
    Reply::Accept { card, names_recipient: names_recipient(named, &cards[card]) }
}

/// Of several it goes to, some were named: only those, or all?
fn names_only_some(named: &Named, preview: &Preview) -> bool {
    let first = match preview {
        Preview::Email(email) => &email.to,
        Preview::Event(event) => &event.attendees,
        Preview::Memory(_) | Preview::Lines { .. } => return false,
    };
    let is_named = |one: &Recipient| named.people.contains(&one.address);
    !named.people.is_empty() && !first.iter().all(is_named)
}

/// Was everybody named whose address needs it; somebody, where none does?
fn names_recipient(named: &Named, card: &CardView<'_>) -> bool {
    let is_named = |one: &Recipient| named.people.contains(&one.address);
    let doubtful = |one: &&Recipient| match one.source {
        Source::Content | Source::Unknown => true,
        Source::Explicit | Source::Contact | Source::Thread => one.is_heard(card.warnings),
    };
    !named.people.is_empty() && card.preview.recipients().filter(doubtful).all(is_named)
}

fn explained(said: &[Word], named: &Named, cards: &[CardView<'_>], world: &World) -> Option<Reply> {
    let (card, say) = explain::read(said, named, cards, world)?;
    Some(Reply::Explain { card, say })
}

fn changed(
    heard: &str,
    said: &[Word],
    named: &Named,
    cards: &[CardView<'_>],
    world: &World,
    consent: Consent,
) -> Option<Reply> {
    let pointed = named.candidates();
    let places = if pointed.is_empty() { (0..cards.len()).collect() } else { pointed };
    // "The second" of two cards is a card, not a time.
    if cards.len() > 1 && named.points && event::points(said) {
        return None;
    }
    let wishes: Vec<(usize, Change)> = places
        .into_iter()
        .filter_map(|card| Some((card, change::read(heard, said, &cards[card], world)?)))
        .collect();
    let clear: Vec<&(usize, Change)> =
        wishes.iter().filter(|(_, change)| matches!(change, Change::To(..))).collect();
    let chosen = match clear.as_slice() {
        // "No to lunch" is no wish that could not be made out; "no, bcc her" is one.
        [] if consent == Consent::Reject && !said.iter().any(is_of_copies) => return None,
        [] => wishes.first()?,
        [one] => one,
        several => {
            let places: Vec<usize> = several.iter().map(|(card, _)| *card).collect();
            return Some(asking_which(Decision::Edit, &places, cards));
        }
    };
    Some(match chosen.clone() {
        (card, Change::To(changes, said)) => Reply::Revise { card, changes, said: safe(said) },
        (card, Change::Cannot(say)) => {
            Reply::CannotRevise { card, say: safe(say), is_missed: false }
        }
        (card, Change::Missed(say)) => {
            Reply::CannotRevise { card, say: safe(say), is_missed: true }
        }
    })
}

fn is_of_copies(word: &Word) -> bool {
    !word.quoted && is_any(&word.text, &["cc", "bcc"])
}

/// A no. It may be rough, but it has to be about the card.
fn rejected(
    heard: &str,
    consent: Consent,
    named: &Named,
    cards: &[CardView<'_>],
    world: &World,
) -> Option<Reply> {
    if consent != Consent::Reject || looks_something_up(heard, named, world) {
        return None;
    }
    // "Cancel my dentist appointment" is about something else.
    let first = named.rest.first().map_or("", String::as_str);
    let takes_object =
        is_any(first, &["cancel", "delete", "drop", "scrap", "discard", "forget", "decline"]);
    let means_more = named.rest.iter().any(|word| {
        !is_any(word, EMPTY) && consent::read(word) != Consent::Reject && !is_any(word, OURS)
    });
    if takes_object && means_more {
        return None;
    }
    if !named.others.is_empty() {
        return Some(Reply::Hold { card: 0, say: still_waiting(cards, 0) });
    }
    let said = slips::answered(heard, &world.contacts);
    if let [card, ..] = *named.candidates()
        && refused::wants_otherwise(heard, &said, world)
    {
        let say = "I didn't get that change. Say it another way, or press edit.".to_owned();
        return Some(Reply::CannotRevise { card, say, is_missed: true });
    }
    Some(match named.candidates().as_slice() {
        [one] => Reply::Reject { card: *one },
        [] => Reply::Hold { card: 0, say: still_waiting(cards, 0) },
        several => asking_which(Decision::Reject, several, cards),
    })
}

/// Words that belong to any card.
const OURS: &[&str] =
    &["send", "book", "never", "mind", "sayso", "draft", "card", "please", "thanks"];

/// Something that would be understood without any card.
fn is_request(heard: &str, world: &World) -> bool {
    let understood = super::read(heard, world);
    let talk = match &understood.gist {
        Gist::Chat(chat) => !matches!(
            chat,
            Chat::Lost
                | Chat::Yes
                | Chat::No
                | Chat::Okay
                | Chat::NeverMind
                | Chat::Enough
                | Chat::Wait
                | Chat::Praise
                | Chat::NothingToPointAt
                | Chat::Missed(_)
        ),
        _ => false,
    };
    talk || !understood.proposal.steps.is_empty() || understood.question.is_some()
}

fn looks_something_up(heard: &str, named: &Named, world: &World) -> bool {
    let understood = super::read(heard, world);
    // "Forget that" is said of the card, whatever was told before it.
    let is_short = heard.split_whitespace().count() <= 3;
    let about_that = match understood.gist {
        Gist::Forget | Gist::Recall | Gist::Question => is_short,
        // "Cancel lunch", where lunch is asked about and not there yet.
        Gist::CallOff { .. } | Gist::Spot => is_short || named.points,
        _ => false,
    };
    !understood.proposal.steps.is_empty() && !about_that
}

/// "The mail to Priya or lunch with Tom?"
fn asking_which(decision: Decision, places: &[usize], cards: &[CardView<'_>]) -> Reply {
    let names: Vec<&str> = places.iter().take(3).map(|&place| cards[place].called).collect();
    let say = match names.as_slice() {
        [others @ .., last] => format!("{} or {last}?", others.join(", ")),
        [] => "Which one?".to_owned(),
    };
    Reply::Which { decision, say: safe(phrasing::capital(&say)) }
}

fn still_waiting(cards: &[CardView<'_>], place: usize) -> String {
    card::waits(cards[place].called)
}

/// Nothing we say may be taken for a yes when it is heard.
fn safe(say: String) -> String {
    if card::is_safe_aloud(&say) { say } else { "It is on the card.".to_owned() }
}

#[cfg(test)]
mod cards_tests;
#[cfg(test)]
mod changing_tests;
#[cfg(test)]
mod doubt_tests;
#[cfg(test)]
mod edits_tests;
#[cfg(test)]
mod guard_tests;
#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
