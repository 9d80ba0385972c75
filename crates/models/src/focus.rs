//! What the person can point at because they have just been told of it.

mod changes;
mod files;
mod unclear;

use std::sync::Arc;

use brain::facts::{
    Agenda, FreeSlots, Letter, Letters, Meeting, Memories, Memory, OpenedLetter, Suggested,
};
use brain::paper::{OpenedFile, Place};
use brain::plan::ProposedStep;
use brain::{Attached, FileId};
use jiff::civil::Date;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::gist::{Chat, Gist, PaperWant, Want};
use crate::{Done, Understanding, narrator};

pub use self::unclear::{Awaited, Choice, Missing, Unclear};

/// "The second one" counts in these lists; "it" is the opened letter, or the
/// only thing there is.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each holds or not, whatever the others do")]
pub struct Focus {
    pub letters: Arc<[Letter]>,
    pub meetings: Arc<[Meeting]>,
    /// The one of them that was told of alone.
    pub meeting: Option<Meeting>,
    /// What was just put on the calendar, moved on it or to be changed, and nothing was
    /// listed since.
    pub booked: Option<Meeting>,
    /// The mail that was read out last. The list it came from stays.
    pub opened: Option<Letter>,
    /// What was told of what one had asked to be remembered.
    pub memories: Arc<[Memory]>,
    /// What was last to be remembered.
    pub noted: Option<String>,
    /// What it says, for "put that on my calendar".
    pub opened_text: Option<Arc<str>>,
    /// Only the first part of it was read, and it was offered to read on.
    pub offered_the_rest: bool,
    /// What was asked and not answered yet; empty when nothing was.
    pub asked: Vec<Choice>,
    /// It was asked twice already.
    pub asked_again: bool,
    /// How often it was asked again behind something said in between.
    pub asked_besides: u8,
    /// What was asked before a list was told: "the second" is one of that list
    /// now, a name is still an answer.
    pub set_aside: Vec<Choice>,
    /// What a write still needs; the next sentence may bring it.
    pub awaited: Option<Awaited>,
    /// The last sentence that looked something up, for "and on Friday?".
    pub request: Option<Request>,
    /// The last sentence that was understood, for whom it spoke of.
    pub recent: Option<String>,
    /// When one is free, as it was looked up in this turn.
    pub glances: Vec<Glance>,
    /// What is known of something that is to be forgotten, as it was looked up
    /// in this turn.
    pub recalled: Vec<Recalled>,
    /// What is on the calendar of something that is to be changed, as it was looked up
    /// in this turn.
    pub spotted: Vec<Spotted>,
    /// What is known of something that was said in passing, as it was looked up
    /// in this turn.
    pub suggested: Vec<Suggested>,
    /// What was attached in this conversation, oldest first.
    pub files: Arc<[Attached]>,
    /// Those of them that came with the sentence that is being read.
    pub handed: Vec<FileId>,
    /// The one that was spoken of last.
    pub file: Option<FileId>,
    /// "It" is that file: nothing else was told since.
    pub on_file: bool,
    /// What was last quoted from it, for "remember that".
    pub passage: Option<Arc<str>>,
    /// The page of it that was read last, and how many of its words were told.
    pub page: Option<(u32, usize)>,
    /// There are more words on it, and it was offered to read on.
    pub page_goes_on: bool,
    /// What was brought of a file in this turn, to make something of it.
    pub opened_file: Option<Arc<OpenedFile>>,
    /// What files of this conversation have of what was just asked, as they were
    /// looked through in this turn.
    pub sought: Vec<OpenedFile>,
    /// A file was what was spoken of before this turn.
    pub was_on_file: bool,
    /// The list that "more" continues.
    pub list: Option<Listed>,
    /// What was told last, for "say that again".
    pub told: Option<Arc<str>>,
    /// It was said already that no model can be asked; it is not said with every sentence.
    pub told_away: bool,
    /// The sentence that is being read was said aloud: nobody has copied it.
    pub is_spoken: bool,
    /// The day of the one card that is open: "what else is on that day?"
    pub card_day: Option<Date>,
    /// A model asked something in its own words: a bare yes is an answer to that, and to no
    /// card.
    pub asked_freely: bool,
    /// A model answered last, in its own words: "the second one" is one of what it told of.
    pub told_freely: bool,
    /// Reminders were told of last: "the dentist one" is one of them.
    pub on_reminders: bool,
    /// What those were to remind of, in the order they were told; a timer of nothing.
    pub reminders: Vec<Option<String>>,
    /// "Say more" is said once; people remember it.
    pub offered_more: bool,
    /// What is looked up in this turn, part by part.
    under_way: Vec<(Gist, Vec<ProposedStep>)>,
}

/// A sentence that can be asked again for another time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub sentence: String,
    pub is_mail: bool,
}

/// Free time that was looked up to propose some of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glance {
    /// What was asked for.
    pub args: Value,
    pub found: FreeSlots,
}

/// Memories that were looked up to forget one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recalled {
    /// What was asked for.
    pub args: Value,
    pub found: Memories,
}

/// Events that were looked up to change one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spotted {
    /// What was asked for.
    pub args: Value,
    pub found: Agenda,
}

/// Reminders that were listed.
#[derive(Deserialize)]
struct Reminders {
    jobs: Vec<Waiting>,
}

/// One that was set.
#[derive(Deserialize)]
struct Reminder {
    args: Waiting,
}

#[derive(Deserialize)]
struct Waiting {
    text: Option<String>,
}

/// A list of which a part was told.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    pub gist: Gist,
    pub step: ProposedStep,
    /// How many entries were told; the last of them began at `from`.
    pub told: usize,
    pub from: usize,
}

impl Focus {
    /// What a step of the conversation leaves to be referred to.
    pub fn learn(&mut self, understanding: Option<&Understanding>, done: &[Done]) {
        if let Some(understanding) = understanding {
            self.wait_for_answer(understanding);
        }
        self.note(done);
    }

    /// The turn is over: what was looked up on the way is old by the next one.
    pub fn rest(&mut self) {
        self.glances.clear();
        self.recalled.clear();
        self.spotted.clear();
        self.suggested.clear();
        self.handed.clear();
        self.opened_file = None;
        self.sought.clear();
    }

    /// Something was asked that the next sentence may answer; `opened` says
    /// whether a mail was read out just now.
    pub fn is_asking(&self, opened: bool) -> bool {
        !self.asked.is_empty() || self.awaited.is_some() || opened && self.offered_the_rest
    }

    /// A model has asked something, however it is spelled, or what it has just told ends
    /// with a question, or it has told something.
    pub fn note_question(&mut self, is_asked: bool) {
        let told = self.told.as_deref().unwrap_or_default();
        self.asked_freely = is_asked || told.trim_end().ends_with('?');
        self.told_freely = !is_asked;
    }

    /// The same with nothing asked any more.
    #[must_use]
    pub fn answered(&self) -> Self {
        let mut focus = self.clone();
        (focus.asked, focus.awaited) = (Vec::new(), None);
        focus.set_aside.clear();
        focus
    }

    /// The answers that the open question can have, also where a list was told since.
    pub fn open_choices(&self) -> &[Choice] {
        if self.asked.is_empty() { &self.set_aside } else { &self.asked }
    }

    /// Remembers what was asked, so that "Nair" is an answer, and what is
    /// looked up, so that it can be asked again for another day. A question in
    /// between leaves it open; anything else ends the waiting.
    pub fn wait_for_answer(&mut self, understanding: &Understanding) {
        match &understanding.gist {
            Gist::Chat(Chat::Shown(meeting, _)) => self.meeting = Some((**meeting).clone()),
            Gist::Chat(Chat::Files(_)) => self.speak_of_files(),
            Gist::CallOff { .. } | Gist::Move { .. } => {
                self.speak_of_event(&understanding.proposal.steps);
            }
            Gist::Chat(Chat::ShownNext(rest)) if rest.len() == 1 => {
                self.meeting = rest.first().cloned();
            }
            _ => {}
        }
        let lists = !matches!(understanding.gist, Gist::Chat(_) | Gist::Free(_) | Gist::Voice(_));
        let stays = understanding.is_aside() || understanding.asks_again.is_some();
        self.asked_besides = match &understanding.asks_again {
            Some(_) => self.asked_besides + 1,
            None if stays => self.asked_besides,
            None => 0,
        };
        if !stays {
            self.ask(understanding);
        } else if lists && !self.asked.is_empty() {
            let asked = std::mem::take(&mut self.asked);
            self.ask(understanding);
            self.set_aside = asked;
        } else if self.asked.is_empty() && !is_about_saying(&understanding.gist) {
            self.awaited = None;
        }
        if let Gist::Chat(Chat::Contact(people)) = &understanding.gist
            && let [(name, _)] = people.as_slice()
        {
            self.recent = Some(format!("who is {name}"));
        }
        // Of a sentence that goes on, whom it speaks of is read with the rest.
        if understanding.request.is_some() && understanding.rest.is_none() {
            self.recent.clone_from(&understanding.request);
        }
        self.noted = match &understanding.gist {
            Gist::Remember { what } => {
                // "Forget that" is about this one from now on.
                self.memories = Arc::from([]);
                Some(what.clone())
            }
            Gist::Chat(_)
            | Gist::Question
            | Gist::Spot
            | Gist::Recall
            | Gist::Offer
            | Gist::OpenPaper
            | Gist::SeekPaper => self.noted.take(),
            _ => None,
        };
        let apart = ["memory", "attachment", "voice"];
        let memory = |step: &ProposedStep| apart.iter().any(|pack| step.tool.starts_with(pack));
        // What waits for something, or asks, is no look-up to repeat for another day.
        let looks = !understanding.gist.writes()
            && understanding.rest.is_none()
            && understanding.question.is_none()
            && !understanding.proposal.steps.iter().any(memory);
        if let Some(sentence) = understanding.request.clone().filter(|_| looks) {
            let mut steps = understanding.proposal.steps.iter();
            let is_mail = steps.all(|step| step.tool.starts_with("gmail"));
            self.request = Some(Request { sentence, is_mail });
        }
        self.under_way = parts(&understanding.gist, &understanding.proposal.steps);
    }

    /// What is waited for from now on, if anything is.
    fn ask(&mut self, understanding: &Understanding) {
        let asked = understanding.choices.clone();
        let same = |(one, other): (&Choice, &Choice)| one.name == other.name;
        self.asked_again = !asked.is_empty()
            && asked.len() == self.asked.len()
            && asked.iter().zip(&self.asked).all(same);
        self.asked = asked;
        self.set_aside.clear();
        self.awaited.clone_from(&understanding.awaited);
    }

    /// Remembers what these steps brought. Steps that brought nothing to
    /// point at, or failed, leave everything as it was.
    pub fn note(&mut self, done: &[Done]) {
        let under_way = std::mem::take(&mut self.under_way);
        let is_recalled = under_way.is_empty();
        let told: Vec<&Done> = self.noted(under_way, done);
        let brought = |tool| told.iter().copied().filter(move |step| step.tool == tool);
        let letters: Vec<_> = brought("gmail.search").filter_map(shown::<Letters>).collect();
        let agendas: Vec<_> = brought("calendar.list_events").filter_map(shown::<Agenda>).collect();
        let opened: Vec<_> =
            brought("gmail.get_message").filter_map(shown::<OpenedLetter>).collect();

        let recalled = brought("memory.retrieve").filter_map(shown::<Memories>).next_back();
        if let Some(found) = recalled {
            self.memories = found.memories.into();
        } else if !told.is_empty() {
            self.memories = Arc::default();
        }

        if !told.is_empty() {
            let listed = brought("reminders.list").filter_map(shown::<Reminders>).next_back();
            let set = brought("reminders.set").filter_map(shown::<Reminder>).next_back();
            self.on_reminders = listed.is_some() || set.is_some();
            self.reminders = match (listed, set) {
                (Some(listed), _) => listed.jobs.into_iter().map(|one| one.text).collect(),
                (None, Some(set)) => vec![set.args.text],
                (None, None) => Vec::new(),
            };
        }

        let of_files = told.iter().filter(|step| step.tool.starts_with("attachment."));
        let mut of_files =
            of_files.filter_map(|step| Some((&step.tool, shown::<OpenedFile>(step)?)));
        // A file that was looked through for nothing was not spoken of.
        let spoken_of = |(tool, file): &(&String, OpenedFile)| {
            !is_recalled || *tool != "attachment.search" || !file.passages.is_empty()
        };
        match of_files.rfind(spoken_of) {
            Some((tool, file)) => {
                self.note_file(&file);
                if tool == "attachment.search" {
                    self.note_passage(&file);
                }
                // Which page was asked for is known only by what came of it.
                if let (true, "attachment.read", [part]) =
                    (is_recalled, tool.as_str(), file.passages.as_slice())
                    && let Place::Page(number) = part.place
                {
                    self.page = Some((number, part.text.split_whitespace().count()));
                }
            }
            // What was looked up because of a file is still about it.
            None if !told.is_empty() => self.on_file = self.opened_file.is_some(),
            None => {}
        }

        let long = |total: u32| total > 6;
        let is_long = letters.iter().any(|found| long(found.total))
            || agendas.iter().any(|found| long(found.total));
        self.offered_more |= is_long && opened.is_empty();
        if !letters.is_empty() || !agendas.is_empty() {
            self.letters = letters.into_iter().flat_map(|found| found.messages).collect();
            self.meetings = agendas.into_iter().flat_map(|found| found.events).collect();
            (self.opened, self.opened_text, self.offered_the_rest) = (None, None, false);
            (self.meeting, self.booked) = (None, None);
        }
        if let Some(letter) = opened.into_iter().next_back() {
            // Whoever asks for the same letter again has heard its rest.
            let again = self.opened.as_ref().is_some_and(|before| *before == letter.message);
            self.offered_the_rest = !again && narrator::is_long(&letter.body_text);
            self.opened = Some(letter.message);
            self.opened_text = Some(letter.body_text.into());
            self.booked = None;
        }
        self.note_written(done);
    }

    /// Keeps the list that was told, and returns what people were told of: a
    /// looser search does not count where the first one found something.
    fn noted<'a>(
        &mut self,
        under_way: Vec<(Gist, Vec<ProposedStep>)>,
        done: &'a [Done],
    ) -> Vec<&'a Done> {
        let mut rest = done;
        let mut told = Vec::new();
        for (mut gist, mut steps) in under_way {
            // A write that waits for its card was not tried.
            let tried = steps.iter().fold(0, |taken, step| {
                let is_next = rest.get(taken).is_some_and(|done| done.tool == step.tool);
                taken + usize::from(is_next)
            });
            let (mine, later) = rest.split_at(tried);
            rest = later;
            if let (Gist::Glance, [step], [done]) = (&gist, steps.as_slice(), mine)
                && let Some(found) = shown(done)
            {
                self.glances.push(Glance { args: step.args.clone(), found });
                continue;
            }
            if let (Gist::Recall, [step], [done]) = (&gist, steps.as_slice(), mine)
                && let Some(found) = shown(done)
            {
                self.recalled.push(Recalled { args: step.args.clone(), found });
                continue;
            }
            if let (Gist::Spot, [step], [done]) = (&gist, steps.as_slice(), mine)
                && let Some(found) = shown(done)
            {
                self.spotted.push(Spotted { args: step.args.clone(), found });
                continue;
            }
            if let (Gist::Offer, [done]) = (&gist, mine)
                && let Some(suggested) = shown(done)
            {
                self.suggested.push(suggested);
                continue;
            }
            if let (Gist::OpenPaper, [done]) = (&gist, mine)
                && let Some(found) = shown::<OpenedFile>(done)
            {
                self.note_file(&found);
                self.opened_file = Some(Arc::new(found));
                continue;
            }
            if let (Gist::SeekPaper, [done]) = (&gist, mine)
                && let Some(found) = shown::<OpenedFile>(done)
            {
                self.note_sought(found);
                continue;
            }
            if let (Gist::Paper(about), [done]) = (&gist, mine)
                && let Some(found) = shown::<OpenedFile>(done)
            {
                self.note_file(&found);
                self.note_page(&about.want, &found);
                self.passage = None;
                if matches!(about.want, PaperWant::About(_)) {
                    self.note_passage(&found);
                }
            }
            // What was found on the way to a write was not told.
            if gist.writes() {
                continue;
            }
            let counts = match (&mut gist, mine) {
                (Gist::Letters(about), [first, second]) if about.nearest => {
                    let found = shown::<Letters>(first).is_some_and(|it| !it.messages.is_empty());
                    if found {
                        std::slice::from_ref(first)
                    } else {
                        steps.remove(0);
                        if let Some(meant) = about.meant.take() {
                            *about = meant.about;
                        }
                        std::slice::from_ref(second)
                    }
                }
                _ => mine,
            };
            told.extend(counts);
            let opens = matches!(gist, Gist::Letter { search: None, .. });
            if !opens && !steps.is_empty() {
                self.list = Listed::of(gist, steps);
            }
        }
        told.extend(rest);
        told
    }

    /// One entry a thread, as they are told.
    pub fn threads(&self) -> Vec<Vec<&Letter>> {
        narrator::threads(&self.letters)
    }

    /// The letters as they are told, those of one thread together.
    pub fn in_order(&self) -> Vec<&Letter> {
        self.threads().concat()
    }

    /// The n-th of those that were told last.
    pub fn told_letter(&self, n: usize) -> Option<&Letter> {
        let from = self.list.as_ref().map_or(0, |list| list.from);
        let threads = self.threads();
        // "Two mails, both about …": the second one is the older of them.
        if let [only] = threads.as_slice() {
            return only.get(n).copied();
        }
        let from = if from < threads.len() { from } else { 0 };
        threads.get(from + n).map(|thread| thread[0])
    }

    /// The letter that "it" would be.
    pub fn this_letter(&self) -> Option<&Letter> {
        match (&self.opened, self.letters.as_ref()) {
            (Some(letter), _) => Some(letter),
            (None, [only]) => Some(only),
            (None, _) => None,
        }
    }
}

impl Listed {
    fn of(gist: Gist, steps: Vec<ProposedStep>) -> Option<Self> {
        let step = steps.into_iter().next()?;
        let (gist, from) = match gist {
            Gist::More { of, skip } => (*of, skip),
            Gist::Letters(mut about) => {
                (about.nearest, about.meant) = (false, None);
                (Gist::Letters(about), 0)
            }
            Gist::Agenda(about) => (Gist::Agenda(about), 0),
            _ => return None,
        };
        let want = match &gist {
            Gist::Letters(about) => about.want,
            Gist::Agenda(about) => about.want,
            _ => return None,
        };
        let first = match want {
            Want::Conflicts => return None,
            Want::One | Want::Reply | Want::Count | Want::Busy | Want::Moment if from == 0 => 1,
            _ => 3,
        };
        Some(Self { gist, step, told: from + first, from })
    }
}

/// Each part of a sentence with its own steps.
fn parts(gist: &Gist, steps: &[ProposedStep]) -> Vec<(Gist, Vec<ProposedStep>)> {
    let parts = match gist {
        Gist::Several(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut rest = steps;
    let mut found = Vec::new();
    for part in parts {
        let (mine, later) = rest.split_at(part.tools().len().min(rest.len()));
        rest = later;
        found.push((part.clone(), mine.to_vec()));
    }
    found
}

fn shown<T: DeserializeOwned>(step: &Done) -> Option<T> {
    step.result.as_ref().ok().and_then(|value| T::deserialize(value).ok())
}

/// What was asked is only to be said again, or otherwise: it is still asked.
fn is_about_saying(gist: &Gist) -> bool {
    matches!(gist, Gist::Voice(_) | Gist::Chat(Chat::Again | Chat::Wait | Chat::AboutVoice(_)))
}

#[cfg(test)]
mod tests {
    use brain::CallError;
    use serde_json::json;

    use super::*;

    fn letter(id: &str) -> serde_json::Value {
        json!({
            "message_id": id, "thread_id": "t", "from": {"address": "priya@brightloom.example"},
            "to": [], "subject": "Samples", "snippet": "", "sent_at": "2026-11-14T10:00:00Z",
            "unread": true, "labels": [],
        })
    }

    fn done(tool: &str, value: serde_json::Value) -> Done {
        Done { tool: tool.into(), result: Ok(value) }
    }

    #[test]
    fn opening_a_letter_keeps_the_list_it_came_from() {
        let mut focus = Focus::default();
        focus.note(&[done(
            "gmail.search",
            json!({"messages": [letter("a"), letter("b")], "total": 2}),
        )]);
        assert_eq!(focus.this_letter(), None);

        focus
            .note(&[done("gmail.get_message", json!({"message": letter("b"), "body_text": "Hi"}))]);
        assert_eq!(focus.letters.len(), 2);
        assert_eq!(focus.this_letter().unwrap().message_id, "b");
    }

    #[test]
    fn a_failure_is_nothing_to_point_at() {
        let mut focus = Focus::default();
        focus.note(&[done("gmail.search", json!({"messages": [letter("a")], "total": 1}))]);
        let before = focus.clone();
        let error = CallError { code: "down".into(), message: String::new(), retryable: true };
        focus.note(&[Done { tool: "gmail.search".into(), result: Err(error) }]);
        assert_eq!(focus, before);
    }
}
