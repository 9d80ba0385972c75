//! A mail on a card that is to be worded otherwise: a model is asked for other words, and the
//! card is drawn anew with them.
//!
//! It gives words and nothing else; whom they are for, the subject and the thread stay what they
//! were, and the new revision needs a yes of its own. Where it gives nothing that could be sent,
//! the card stays as it is and that is said.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use brain::confirmation::Channel;
use brain::{Card, Confirmation, ConfirmationId, Preview, TurnId};
use futures_util::FutureExt;
use models::provider::Trouble as Because;
use models::reflex::reply::{self, Reply};
use models::rewording::{LONGEST, Rewording};
use models::thinker::{Tally, Use};
use models::{Focus, NoThought, Thinker, Tier};
use tokio::sync::mpsc;

use crate::actor::{Actor, Note};
use crate::asker::Asker;
use crate::budget;
use crate::gate::say;
use crate::gatekeeper::{Closed, Way};
use crate::house::House;
use crate::inbox::Seen;
use crate::interpreting;
use crate::log::Entry;
use crate::names::Frame;
use crate::peril::Moment;
use crate::stage::Current;
use crate::turn::{Turn, Wish};

const ACKNOWLEDGED: &str = "Let me find other words.";
const AS_IT_WAS: &str = "The card is as it was. Tell me the words, or press edit.";
const NOBODY: &str = "I can't reach my thinking help right now.";
const NOTHING: &str = "My thinking help brought no words of use.";
const SPENT: &str = "Today's budget for thinking is used up.";
const TOO_OFTEN: &str = "That was a lot of thinking at once.";
const STAYS_HERE: &str = "That would have to leave this machine.";
const SECRET: &str = "Something in it is not told to anybody elsewhere.";
/// More of a text is looked at, not listened to.
const MOST_HEARD: usize = 400;

/// What came of it.
pub(crate) struct Reworded {
    asker: Asker,
    reading: u64,
    card: ConfirmationId,
    revision: u32,
    channel: Channel,
    /// What it cost, and the call that is over.
    entry: Entry,
    /// The new text, or why there is none.
    words: Result<String, &'static str>,
}

impl Actor {
    /// Whether other words can be looked for: of the one mail that waits, where somebody is there
    /// who finds them.
    pub(crate) fn may_reword(&self, reply: &Reply, card: &Confirmation, seen: u32) -> bool {
        let is_missed = matches!(reply, Reply::CannotRevise { is_missed: true, .. });
        let mails = self.rows.open_cards().filter(|it| is_mail(&it.card)).count();
        let is_it = is_mail(&card.card) && mails == 1 && seen == card.revision;
        is_missed && is_it && self.house.thinker.is_some() && text_of(&card.card).is_some()
    }

    /// Asks for other words. What was said is heard at once.
    pub(crate) fn reword(&mut self, asker: Asker, card: &Confirmation, channel: Channel) {
        let (Some(thinker), Some(body), Some(mut work)) =
            (self.house.thinker.clone(), text_of(&card.card), self.work_of(card.turn))
        else {
            return;
        };
        let wish = asker.words().unwrap_or_default().to_owned();
        let mut entry = Entry::new(Moment::Discussed, card.turn);
        asker.heard(&mut entry, &mut work);
        entry.work = Some(work.kept());
        say(&mut entry, ACKNOWLEDGED);
        self.write(entry, None);
        let asker = asker.heard_already();
        let turn = Turn {
            id: card.turn,
            session: self.session,
            user: self.user,
            wish: Wish::Words(wish.clone()),
            voiced: None,
            attached: Vec::new(),
            in_reply_to: None,
            goes_on: None,
            focus: Focus::default(),
            recent: None,
            said_before: String::new(),
            open_cards: Vec::new(),
            thinker: Some(Arc::clone(&thinker)),
        };
        self.readings += 1;
        let reading = self.readings;
        let (house, notes) = (Arc::clone(&self.house), self.notes.clone());
        let (id, revision) = (card.id, card.revision);
        let task = tokio::spawn(async move {
            let rewording = Rewording { body, wish };
            let mut asking = Asking { turn, house, notes: notes.clone(), open: None };
            let found = AssertUnwindSafe(asking.ask(&*thinker, &rewording)).catch_unwind().await;
            let words = found.unwrap_or(Err(NOTHING));
            let entry = asking.is_over();
            let reworded = Reworded { asker, reading, card: id, revision, channel, entry, words };
            // Without an owner there is nobody to tell.
            let _ = notes.send(Note::Reworded(Box::new(reworded))).await;
        });
        self.current = Some(Current::rewords(reading, card.turn, task.abort_handle()));
    }

    pub(crate) fn reworded(&mut self, reworded: Reworded) {
        let Reworded { asker, reading, card, revision, channel, entry, words } = reworded;
        self.note_thinking(entry);
        if self.current.as_ref().and_then(|current| current.reading) != Some(reading) {
            // It was stopped meanwhile, and people were told.
            return;
        }
        self.current = None;
        let open = self.rows.cards.get(&card).filter(|open| open.revision == revision).cloned();
        match (open, words) {
            (Some(open), Ok(body)) => {
                let told = told(&body);
                let mut wanted = open.card.payload.clone();
                wanted.insert("body".to_owned(), body.into());
                self.readings += 1;
                let reading = Some(self.readings);
                let task = self.redraw(asker, &open, wanted, Some(told), reading, channel);
                self.current = task.map(|task| Current::reads(reading, task));
            }
            (Some(open), Err(why)) => {
                self.unmet.missed((open.id, open.revision));
                self.discuss(&asker, &open, &format!("{why} {AS_IT_WAS}"));
            }
            // Decided or changed meanwhile: what became of it was told.
            (None, _) => {}
        }
        self.next();
    }

    /// Somebody stops it. The card stays as it is, and that is said.
    pub(crate) fn stop_rewording(&mut self, which: Option<TurnId>, frame: Option<&Frame>) -> bool {
        let rewords = self.current.as_ref().and_then(|current| current.rewords);
        let Some(turn) = rewords.filter(|turn| which.is_none_or(|which| which == *turn)) else {
            return false;
        };
        if let Some(current) = self.current.take() {
            current.stop();
        }
        if let Some(frame) = frame {
            self.names.add(frame, self.house.clock.now());
        }
        let cards: Vec<Seen> = self.rows.open_cards().map(|it| (it.id, it.revision)).collect();
        for card in cards {
            self.unmet.missed(card);
        }
        if self.is_parked(turn) {
            let mut entry = Entry::new(Moment::Discussed, turn);
            say(&mut entry, "All right. The card is as it was.");
            self.write(entry, None);
        }
        true
    }

    /// What it cost goes with the turn of the card while that waits, and beside it afterwards.
    pub(crate) fn note_thinking(&mut self, mut entry: Entry) {
        match entry.about.take().filter(|turn| self.is_parked(*turn)) {
            Some(turn) => entry.turn = Some(turn),
            None => entry.events.clear(),
        }
        self.write(entry, None);
    }
}

fn is_mail(card: &Card) -> bool {
    matches!(card.preview, Preview::Email(_))
}

/// What the mail says, where it is short enough to be worded anew.
fn text_of(card: &Card) -> Option<String> {
    let body = card.payload.get("body")?.as_str()?;
    (!body.trim().is_empty() && body.chars().count() <= LONGEST).then(|| body.to_owned())
}

/// What is said of the new words: all of them, where somebody can listen to that.
fn told(body: &str) -> String {
    let words = reply::words_in(body);
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() > MOST_HEARD {
        return "It is in other words now; they are on the card.".to_owned();
    }
    let stop = if words.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    format!("It says now: {words}{stop}")
}

/// One question for other words, and what is owed for it.
struct Asking {
    turn: Turn,
    house: Arc<House>,
    notes: mpsc::Sender<Note>,
    open: Option<Open>,
}

/// What is under way.
struct Open {
    way: Way,
    tally: Arc<Tally>,
    /// How many questions this turn has on record.
    before: u32,
    uses: Vec<Use>,
    ended: Result<(), Because>,
}

impl Asking {
    async fn ask(
        &mut self,
        thinker: &dyn Thinker,
        rewording: &Rewording,
    ) -> Result<String, &'static str> {
        let (turn, house) = (&self.turn, &self.house);
        let world = house.world(turn.user, Focus::default()).await.map_err(|_| NOBODY)?;
        budget::may_ask(turn.user, turn.session, house).await.map_err(|held| match held {
            budget::Held::Spent => SPENT,
            budget::Held::TooOften(_) => TOO_OFTEN,
            budget::Held::Unknown => NOBODY,
        })?;
        let stays = !rewording.may_leave();
        if stays && !thinker.has(Tier::Local) {
            return Err(SECRET);
        }
        let rows = house.store.model_calls(turn.id).await.unwrap_or_default();
        let before = rows.iter().map(|row| row.number).max().unwrap_or(0);
        let mut entry = self.entry();
        let mut way =
            Way::begin(turn, house, &world, &mut entry).map_err(|closed| why_not(&closed))?;
        way.may_leave &= !stays;
        self.tell(entry).await;
        let tally = Arc::new(Tally::default());
        let ended = Err(Because::CutOff);
        let open = Open { way, tally: Arc::clone(&tally), before, uses: Vec::new(), ended };
        let open = self.open.insert(open);
        let (mut words, mut because) = put(thinker, rewording, open).await;
        if words.is_none() && open.way.hands_on_failed() {
            let about = Some(self.turn.id);
            let mut entry = Entry { about, ..Entry::apart(Moment::Discussed) };
            open.way.leave_failed(&self.turn, &self.house, &mut entry);
            let _ = self.notes.send(Note::Thinks(Box::new(entry))).await;
            (words, because) = put(thinker, rewording, open).await;
        }
        words.ok_or(match because {
            Some(Because::Nobody | Because::Nothing | Because::Garbage(_)) | None => NOTHING,
            Some(_) => NOBODY,
        })
    }

    fn entry(&self) -> Entry {
        Entry { about: Some(self.turn.id), ..Entry::apart(Moment::Discussed) }
    }

    async fn tell(&self, entry: Entry) {
        // Without an owner there is nobody to keep it.
        let _ = self.notes.send(Note::Thinks(Box::new(entry))).await;
    }

    /// All of it, for the record, once.
    fn is_over(&mut self) -> Entry {
        let mut entry = self.entry();
        let Some(Open { mut way, tally, before, mut uses, ended }) = self.open.take() else {
            return entry;
        };
        uses.extend(tally.taken(Some("interrupted")));
        let used = uses.last().cloned();
        way.is_back(ended.as_ref().map(|()| used.as_ref()), &self.house, &mut entry);
        for (number, used) in (before + 1..).zip(uses) {
            entry.tier = Some((used.tier, way.why(used.tier, "other_words")));
            entry.fallback = used.error_code;
            let row = interpreting::row(used, self.turn.id, self.turn.user, number, &self.house);
            crate::report::thought(&row);
            entry.model_calls.push(row);
        }
        entry
    }
}

/// Whoever stops it in the middle has had something too.
impl Drop for Asking {
    fn drop(&mut self) {
        if self.open.is_some() {
            let entry = self.is_over();
            let _ = self.notes.try_send(Note::Thinks(Box::new(entry)));
        }
    }
}

/// One answer of whoever is nearest, and what of it can be sent.
async fn put(
    thinker: &dyn Thinker,
    rewording: &Rewording,
    open: &mut Open,
) -> (Option<String>, Option<Because>) {
    match thinker.reword(rewording, open.way.tier, &open.tally).await {
        Ok((answer, uses)) => {
            open.uses.extend(uses);
            open.ended = Ok(());
            (rewording.read(&answer), None)
        }
        Err(NoThought { because, uses }) => {
            open.uses.extend(uses);
            open.ended = Err(because.clone());
            (None, Some(because))
        }
    }
}

fn why_not(closed: &Closed) -> &'static str {
    match closed {
        Closed::NotAllowed | Closed::SwitchedOff => STAYS_HERE,
        Closed::Nobody => NOBODY,
    }
}
