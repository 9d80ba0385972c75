//! Round by round: what a model calls for is looked up, and it thinks on with what was found,
//! until there is an answer, a question or a card. Whatever it says of it, what was left behind
//! and what was not is told from the record.

use std::pin::pin;
use std::time::Duration;

use brain::ActionLevel;
use brain::plan::Shelf;
use models::planner::asides;
use models::provider::{Call, Thoughts};
use models::{Done, Focus, NoThought, Tier, Understanding, guard, planner, thinker};

use super::{Deeper, SPENT, STAYS_HERE, Told};
use crate::act::Errand;
use crate::budget;
use crate::gatekeeper::{self, Way};
use crate::log::Entry;
use crate::mouth::Mouth;
use crate::peril::Moment;
use crate::telling::{Teller, join};
use crate::turn::{Trouble, Walk, Walked, finish};

/// How often a model may look at what was found and go on.
const MOST_ROUNDS: usize = 4;
/// What is looked up for so long is worth a word.
const LOOKS_LONG: Duration = Duration::from_secs(2);
const LOST_ON_THE_WAY: &str = "I lost my thinking help on the way. This is what I found.";
const FAR_ENOUGH: &str = "That takes me too far. This is what I found.";
/// From the record, to whoever asked for more than words.
const NOT_ON_RECORD: &str = "Nothing was sent, saved or changed.";
/// The same, where something was before.
const NOTHING_NEW: &str = "Nothing new was sent, saved or changed.";

/// What a model wants next, and what was found before.
pub(super) struct Round {
    pub understanding: Understanding,
    pub calls: Vec<Call>,
    pub thoughts: Thoughts,
    pub said: String,
    pub found: Vec<(Understanding, Vec<Done>)>,
}

impl<'a> Deeper<'a> {
    /// Looks up what is called for and lets whoever called for it think on, until there is an
    /// answer, a question or a card.
    pub(super) async fn go_round(
        &self,
        round: Round,
        walk: Walk<'a>,
        told: &mut Told,
        mut way: Way,
        teller: &Teller<'a>,
    ) -> Result<Walked, Trouble> {
        let Round { mut understanding, mut calls, mut thoughts, mut said, mut found } = round;
        let Walk { mut errand, mut entry, mut mouth, mut focus, mut text, mut broke_off, .. } =
            walk;
        let mut answered = said.clone();
        let mut rounds = 0;
        let mut is_theirs = true;
        while !calls.is_empty() && understanding.question.is_none() {
            rounds += 1;
            self.desk.write(entry.turn_over(Moment::Looked)).await?;
            self.look(&mut errand, &mut entry, &mut mouth).await?;
            let done = errand.done();
            focus.learn(None, &done);
            told.deeds.extend(done.iter().filter(|done| self.is_deed(done)).cloned());
            if errand.comes_to_a_card() {
                told.deeds.retain(|done| !errand.is_on_a_card(done));
                break;
            }
            told.so_far.extend(planner::brought(&said, &calls, &thoughts, &done));
            found.push((understanding.clone(), done));
            // What was found is there before anything is said of it.
            self.desk.write(entry.turn_over(Moment::Looked)).await?;
            if let Err((code, excuse)) = self.may_go_on(rounds, &way).await {
                entry.fallback = Some(code);
                join(&mut text, excuse);
                join(&mut text, &told_by_rules(teller, &found, &focus).await);
                is_theirs = false;
                break;
            }
            match self.think(&mut way, told, &mut entry, &mut mouth).await? {
                Ok(thought) => {
                    self.note(thought.uses, &way, &mut entry);
                    (calls, thoughts, said) = (thought.calls, thought.thoughts, thought.said);
                    broke_off = thought.broke_off;
                    join(&mut answered, &said);
                    understanding = errand.take_on(thought.understanding, &mut entry);
                }
                Err(NoThought { because, uses }) => {
                    // It was looked up: the rules can tell of it.
                    self.note(uses, &way, &mut entry);
                    entry.fallback = Some(because.code());
                    join(&mut text, LOST_ON_THE_WAY);
                    join(&mut text, &told_by_rules(teller, &found, &focus).await);
                    is_theirs = false;
                    break;
                }
            }
        }
        // Only a question is still to be told; everything else was, as it came.
        let asked = understanding.question.is_some();
        if asked {
            text.clear();
        }
        join(&mut text, &deeds_told(teller, &told.deeds, &focus).await);
        if is_theirs && !asked && errand.only_reads() {
            join(&mut text, self.record(&answered, !found.is_empty(), told));
        }
        let understanding = asked.then_some(understanding);
        let walk = Walk { errand, entry, mouth, understanding, focus, text, broke_off };
        let teller = Teller { cards: Vec::new(), ..*teller };
        let mut walked = finish(walk, teller, self.desk).await?;
        walked.focus.note_question(asked);
        Ok(walked)
    }

    /// What the record has to say to an answer that left nothing behind.
    pub(super) fn record(&self, answered: &str, is_found: bool, told: &Told) -> &'static str {
        let record = &told.record;
        if record.is_told_in(answered) || answered.contains(planner::NOT_THERE) {
            return "";
        }
        let has_card = !told.deeds.is_empty() || !self.turn.open_cards.is_empty();
        let sounds_prepared = |it: &str| guard::sounds_prepared(it) && !record.holds(it);
        let mut sentences = answered.split_inclusive(['.', '!', '?', '\n']);
        match thinker::owes_the_record(self.turn.words(), answered, is_found, record) {
            true if record.has_nothing() => NOT_ON_RECORD,
            true => NOTHING_NEW,
            false if !has_card && sentences.any(sounds_prepared) => planner::NOT_THERE,
            false => "",
        }
    }

    /// Something is there now that was not: it is told, whatever a model says of it.
    fn is_deed(&self, done: &Done) -> bool {
        self.house.catalog.level(&done.tool) == Some(ActionLevel::Draft) && done.result.is_ok()
    }

    /// Rounds are limited, and somebody may have set a limit or a switch meanwhile.
    async fn may_go_on(&self, round: usize, way: &Way) -> Result<(), (&'static str, &'static str)> {
        let stays = || gatekeeper::may_leave(self.turn.thinker.as_deref(), self.house, self.world);
        if round == MOST_ROUNDS {
            return Err(("model_rounds", FAR_ENOUGH));
        }
        if way.tier == Tier::Cloud
            && let Err(closed) = stays()
        {
            return Err((closed.code(), STAYS_HERE));
        }
        let spent = budget::may_spend(self.turn.user, self.house).await;
        spent.map_err(|_| ("model_cap", SPENT))
    }

    /// Looks up what was called for. Where that takes long, something is said meanwhile.
    async fn look(
        &self,
        errand: &mut Errand<'_>,
        entry: &mut Entry,
        mouth: &mut Mouth,
    ) -> Result<(), Trouble> {
        let mut looking = pin!(errand.run(entry));
        let mut patience = pin!(tokio::time::sleep(LOOKS_LONG));
        tokio::select! {
            biased;
            looked = &mut looking => return looked,
            () = &mut patience => {}
        }
        self.show(mouth.say(asides::STILL_LOOKING)).await?;
        looking.await
    }
}

/// What was left behind, from the record.
async fn deeds_told(teller: &Teller<'_>, deeds: &[Done], focus: &Focus) -> String {
    let mut told = String::new();
    for deed in deeds {
        let Some(gist) = planner::deed(deed) else { continue };
        let understanding = Understanding::of(gist);
        let deed = std::slice::from_ref(deed);
        join(&mut told, &teller.tell(Some(&understanding), deed, focus).await);
    }
    told
}

/// What was found, round by round, as the rules would tell it.
async fn told_by_rules(
    teller: &Teller<'_>,
    found: &[(Understanding, Vec<Done>)],
    focus: &Focus,
) -> String {
    let mut told = String::new();
    for (understanding, done) in found {
        let more = teller.tell(Some(understanding), done, focus).await;
        // A model may look up the same again and again.
        if !told.contains(&more) {
            join(&mut told, &more);
        }
    }
    if told.trim().is_empty() {
        "I looked it up, but can't put it into words.".to_owned()
    } else {
        told
    }
}
