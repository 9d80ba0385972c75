//! Where a sentence answers a question and the rules cannot tell how, a model may: which of
//! the options, or that it is a no.
//!
//! It has little time, and what it says is one of the answers there are. It never agrees to
//! anything: what it takes for a yes to a card is asked for again, in words that rules read.

use brain::{SessionId, TurnId, UserId, audit};
use models::interpreter::{MOST_OPTIONS, Meant, OfCard, Small};
use models::reflex::reply::Reply;
use models::reflex::{self, consent};
use models::thinker::{Use, beyond_rules};
use models::{Choice, Tier, Understanding, World, narrator};
use store::ModelCallRow;

use crate::budget;
use crate::gatekeeper::may_leave;
use crate::house::House;
use crate::log::Entry;
use crate::report;
use crate::turn::{Turn, Wish};

/// Longer than this nobody says yes or no; it is about something else.
const MOST_WORDS: usize = 20;

/// What a small question has cost, for the record.
pub(crate) struct Asked {
    used: Use,
    /// What was asked about: a code.
    about: &'static str,
}

impl Asked {
    /// Puts it on the record, and into the audit where it left this machine.
    pub fn note(self, turn: TurnId, user: UserId, number: u32, house: &House, entry: &mut Entry) {
        let Self { used, about } = self;
        if used.tier == Tier::Cloud {
            let line = audit::Line::new(house.clock.now(), user, "interpreted");
            entry.audit.push(audit::Line { turn: Some(turn), ..line.because(about) });
        }
        let row = row(used, turn, user, number, house);
        report::thought(&row);
        entry.model_calls.push(row);
    }
}

/// One question to a model as it is kept.
pub(crate) fn row(
    used: Use,
    turn: TurnId,
    user: UserId,
    number: u32,
    house: &House,
) -> ModelCallRow {
    ModelCallRow {
        turn,
        number,
        user,
        asked_at: house.clock.now(),
        tier: used.tier.name().to_owned(),
        provider: used.provider,
        model: used.model,
        request_id: used.request_id,
        tries: used.tries,
        input_tokens: used.usage.input,
        cached_tokens: used.usage.cached,
        output_tokens: used.usage.output,
        cost_micros: used.cost_micros,
        first_us: used.first_us,
        took_us: used.took_us,
        error_code: used.error_code.map(str::to_owned),
    }
}

/// What the rules could not read as one of the answers to what was asked last.
pub(crate) async fn option(
    understanding: Understanding,
    turn: &Turn,
    house: &House,
    world: &World,
) -> (Understanding, Option<Asked>) {
    if house.interpreter.is_none() || !matches!(turn.wish, Wish::Words(_)) {
        return (understanding, None);
    }
    let choices = &world.focus.asked;
    // Where the rules find no answer in it, they ask the same again.
    let is_asked_again = understanding.question.is_some() && understanding.choices == *choices;
    let is_lost = beyond_rules(&understanding) == Some("no_reading");
    let is_open = is_lost || is_asked_again && !consent::is_bare(turn.words());
    if !is_open || choices.is_empty() || choices.len() > MOST_OPTIONS {
        return (understanding, None);
    }
    let small = Small::Option {
        question: world.focus.told.as_deref().unwrap_or_default().to_owned(),
        options: choices.iter().map(Choice::told).collect(),
    };
    let who = (turn.user, turn.session);
    let (meant, asked) = ask(&small, "option", turn.words(), who, house, world).await;
    match meant {
        Meant::One(at) if at < choices.len() => (reflex::chosen(&choices[at], world), asked),
        Meant::One(_) | Meant::Card(_) | Meant::Unclear => (understanding, asked),
    }
}

/// What was said while a card is open, where the rules neither find an answer in it nor
/// anything else.
pub(crate) async fn of_card(
    reply: Reply,
    text: &str,
    called: &[String],
    who: (UserId, SessionId),
    house: &House,
    world: &World,
) -> (Reply, Option<Asked>) {
    if house.interpreter.is_none() {
        return (reply, None);
    }
    let card = match &reply {
        Reply::Hold { card, .. } => *card,
        // One card, and a sentence that says nothing to the rules.
        Reply::NotAnAnswer if called.len() == 1 && is_lost(text, world) => 0,
        _ => return (reply, None),
    };
    let Some(name) = called.get(card) else { return (reply, None) };
    let small = Small::Card { called: name.clone() };
    let (meant, asked) = ask(&small, "card", text, who, house, world).await;
    let reply = match meant {
        Meant::Card(OfCard::Declines) => Reply::Reject { card },
        Meant::Card(OfCard::MayAgree) => Reply::Hold { card, say: narrator::card::waits(name) },
        Meant::Card(OfCard::SomethingElse) => Reply::NotAnAnswer,
        Meant::One(_) | Meant::Unclear => reply,
    };
    (reply, asked)
}

fn is_lost(text: &str, world: &World) -> bool {
    text.split_whitespace().count() <= MOST_WORDS
        && beyond_rules(&reflex::read(text, world)) == Some("no_reading")
}

/// Puts it to whoever is set up, if anybody is and it may be asked.
async fn ask(
    small: &Small,
    about: &'static str,
    heard: &str,
    (user, session): (UserId, SessionId),
    house: &House,
    world: &World,
) -> (Meant, Option<Asked>) {
    let Some(interpreter) = &house.interpreter else { return (Meant::Unclear, None) };
    if budget::may_ask(user, session, house).await.is_err() {
        return (Meant::Unclear, None);
    }
    let leaves = may_leave(house.thinker.as_deref(), house, world).is_ok();
    let (meant, used) = interpreter.interpret(small, heard, leaves).await;
    (meant, used.map(|used| Asked { used, about }))
}
