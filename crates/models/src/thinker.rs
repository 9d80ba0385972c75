//! Somebody who is asked where the rules have no reading.
//!
//! The rules are always asked first. A [`Thinker`] is slower, costs something and may be
//! away; it proposes, and says words as they come. Everything it proposes is checked and
//! goes through the same gate as any other proposal.

mod deeds;
mod grasp;
mod shape;
mod wonder;

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use brain::plan::Shelf;
use serde_json::Value;

use crate::gatekeeper::Escalation;
use crate::gist::{Chat, Gist, Meanwhile, NotYet};
use crate::provider::notes::Attempt;
use crate::provider::{Call, Message, Thoughts, Trouble, Usage};
use crate::rewording::Rewording;
use crate::{Done, Record, Understanding, World};

pub use self::deeds::{asks_for_deed, owes_the_record};
pub use self::wonder::points_at_told;
pub use brain::Tier;

/// What is to be thought about.
#[derive(Clone, Copy, Debug)]
pub struct Thinking<'a> {
    pub heard: &'a str,
    pub world: &'a World,
    /// What was said before it.
    pub before: &'a [Message],
    /// What the rules have looked up for it.
    pub looked: &'a [Looked],
    /// What waits for a yes, as it is called: "the mail to Tom".
    pub waiting: &'a [String],
    /// What was called and brought for it so far.
    pub so_far: &'a [Message],
    /// Something was left behind for it: a draft, a reminder. It is told from the record.
    pub has_deeds: bool,
    /// What was done in this conversation before.
    pub record: &'a Record,
    /// Who is to think: somebody on this machine or somebody elsewhere.
    pub tier: Tier,
    /// Whoever is on this machine may hand it on.
    pub may_escalate: bool,
    /// What the answer has cost that is on its way.
    pub tally: &'a Tally,
}

/// One look-up of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Looked {
    pub tool: String,
    pub args: Value,
    pub brought: Value,
}

impl Looked {
    /// Every list in it is empty.
    pub fn is_nothing(&self) -> bool {
        let mut lists = self.brought.as_object().into_iter().flat_map(|it| it.values());
        lists.all(|field| field.as_array().is_none_or(Vec::is_empty))
    }
}

/// What an answer has cost so far. Whoever stops it finds here what is to be paid.
#[derive(Debug, Default)]
pub struct Tally(Mutex<Open>);

/// What is not on record yet.
#[derive(Debug, Default)]
struct Open {
    /// Those who were asked and did not begin to answer.
    in_vain: Vec<Use>,
    answering: Option<Use>,
}

impl Tally {
    /// Somebody was asked and did not begin to answer.
    pub fn in_vain(&self, used: Use) {
        self.open().in_vain.push(used);
    }

    /// An answer has begun.
    pub fn begins(&self, used: Use) {
        self.open().answering = Some(used);
    }

    /// It goes on.
    pub fn goes_on(&self, change: impl FnOnce(&mut Use)) {
        if let Some(used) = &mut self.open().answering {
            change(used);
        }
    }

    /// What is not on record, once; whoever takes it puts it there. The answer that had begun
    /// comes last and ended with `error_code`.
    pub fn taken(&self, error_code: Option<&'static str>) -> Vec<Use> {
        let Open { mut in_vain, answering } = std::mem::take(&mut *self.open());
        in_vain.extend(answering.map(|used| Use { error_code, ..used }));
        in_vain
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// Steps, a question, or neither: then it was said.
    pub understanding: Understanding,
    /// The steps as the model called them, to tell it what they brought.
    pub calls: Vec<Call>,
    /// What it thought before them, for itself alone.
    pub thoughts: Thoughts,
    /// What it said, as it was shown.
    pub said: String,
    /// Why that is not all it had to say, where it broke off: a code.
    pub broke_off: Option<&'static str>,
    pub uses: Vec<Use>,
    /// It is handed on to somebody elsewhere, and nothing above is done.
    pub escalates: Option<Escalation>,
}

/// One question to a model, for the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    pub tier: Tier,
    pub provider: String,
    pub model: String,
    pub request_id: Option<String>,
    pub tries: u32,
    pub usage: Usage,
    pub cost_micros: u64,
    pub first_us: Option<u64>,
    pub took_us: u64,
    pub error_code: Option<&'static str>,
    /// Why what it planned was not even looked at further: a code.
    pub refused: Option<&'static str>,
}

impl Use {
    /// Somebody was asked and did not begin to answer. Who refuses has done nothing; who is
    /// slow, or was stopped, has read what was asked all the same, which is `guessed`.
    pub fn in_vain(attempt: Attempt, tier: Tier, guessed: Usage, took_us: u64) -> Self {
        let Attempt { provider, model, tries, request_id, error_code } = attempt;
        let has_read = matches!(
            error_code,
            Some("model_timeout" | "model_cut_off" | "model_withheld" | "interrupted")
        );
        Self {
            tier,
            provider,
            model,
            request_id,
            tries,
            usage: if has_read { guessed } else { Usage::default() },
            cost_micros: 0,
            first_us: None,
            took_us,
            error_code,
            refused: None,
        }
    }
}

/// Why nothing came of it, and what it cost all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoThought {
    pub because: Trouble,
    pub uses: Vec<Use>,
}

/// Hears words as they come.
pub type Say<'a> = &'a mut (dyn FnMut(&str) + Send);

#[async_trait]
pub trait Thinker: Send + Sync {
    /// Whether anybody of this tier can be asked.
    fn has(&self, tier: Tier) -> bool;
    /// One round: what is to be done next, or the answer. Words go to `say` at once.
    async fn think(
        &self,
        thinking: &Thinking<'_>,
        shelf: &(dyn Shelf + Sync),
        say: Say<'_>,
    ) -> Result<Thought, NoThought>;
    /// Other words for a mail, as they came; whoever asked looks at them first.
    async fn reword(
        &self,
        _rewording: &Rewording,
        _tier: Tier,
        _tally: &Tally,
    ) -> Result<(String, Vec<Use>), NoThought> {
        Err(NoThought { because: Trouble::Nobody, uses: Vec::new() })
    }
}

/// What the rules decline, and what needs nothing but words.
const WORDS_ALONE: [&str; 7] = [
    "answer general questions",
    "cook",
    "do sums",
    "follow the news",
    "look things up on the web",
    "tell jokes",
    "translate",
];

/// What no mark says, and whoever reads the mail can tell.
const JUDGED: [&str; 3] =
    ["which mail is important", "which mail you answered", "whether a mail is what it says it is"];

/// Why the rules' reading of what was `heard` leaves something to think about; nothing, where
/// it does not.
pub fn left_over(
    understanding: &Understanding,
    heard: &str,
    world: &World,
) -> Option<&'static str> {
    let settles = understanding.question.is_some() || understanding.answers;
    let looks_up = !settles && is_only_looked_up(&understanding.gist);
    let wonders = || (looks_up && wonder::wants_thought(heard, world)).then_some("wants_thought");
    let looks = looks_up || !settles && understanding.gist == Gist::Glance;
    let hardly =
        || (looks && grasp::leaves_most(understanding, heard, world)).then_some("hardly_read");
    let is_judged =
        matches!(&understanding.gist, Gist::Chat(Chat::NoMark(it)) if JUDGED.contains(it));
    let judged = || (!settles && is_judged).then_some("not_by_rules");
    let insists = || {
        let is_free = !understanding.answers && is_talk_or_look(&understanding.gist);
        (is_free && wonder::insists(heard)).then_some("wants_thought")
    };
    let why = beyond_rules(understanding).or_else(wonders).or_else(judged).or_else(hardly);
    why.or_else(insists)
}

/// Nothing of the person's own is changed by it: it is only looked up, told or asked back about.
fn is_talk_or_look(gist: &Gist) -> bool {
    let is_digest = matches!(gist, Gist::Meanwhile(Meanwhile::Work { tool: "mail.summarize" }));
    is_digest || is_only_looked_up(gist) || matches!(gist, Gist::Chat(_) | Gist::Question)
}

/// The same once it was looked up, where the rules would have nothing to tell of it.
pub fn left_unfound(
    understanding: &Understanding,
    done: &[Done],
    heard: &str,
) -> Option<&'static str> {
    let is_settled = understanding.question.is_some() || understanding.answers;
    let is_nothing = || {
        (!is_settled && grasp::came_to_nothing(understanding, done, heard))
            .then_some("found_nothing")
    };
    beyond_rules(understanding).or_else(is_nothing)
}

/// Nothing is done or kept by it, and it is not what people ask us about ourselves.
fn is_only_looked_up(gist: &Gist) -> bool {
    match gist {
        Gist::Letters(_) | Gist::Letter { .. } | Gist::Agenda(_) | Gist::Free(_) => true,
        Gist::Memories(_) | Gist::Recall => true,
        Gist::Several(parts) => parts.iter().all(is_only_looked_up),
        Gist::Chat(chat) => matches!(
            chat,
            Chat::OutOfReach(_)
                | Chat::Missed(_)
                | Chat::NothingToPointAt
                | Chat::AboutWhat
                | Chat::NoMark(_)
                | Chat::NotYet(NotYet::Mail)
        ),
        _ => false,
    }
}

/// Why the rules have no whole reading of it.
///
/// What is mused, judged or left to us ("should we move", "the meeting was fun", "handle the
/// invoice") asks the rules for nothing and is a conversation to whoever thinks, so it is theirs.
/// What somebody did, plans or was told to do ("Tom said to send it", "I already emailed Ana") is
/// not: every word of a request is in it and nobody makes one, so a model would take it for one
/// sooner than answer it, and a draft or a reminder waits for no card.
pub fn beyond_rules(understanding: &Understanding) -> Option<&'static str> {
    let unread = |gist: &Gist| match gist {
        Gist::Chat(Chat::Lost) => Some("no_reading"),
        Gist::Chat(Chat::Misread) => Some("misread"),
        Gist::Chat(Chat::Mused) => Some("not_by_rules"),
        Gist::Chat(Chat::Missed(_)) => Some("partly_read"),
        Gist::Chat(Chat::OutOfReach(what)) if WORDS_ALONE.contains(what) => Some("words_alone"),
        Gist::Chat(Chat::NotYet(what)) if !is_nobodys(*what) => Some("not_by_rules"),
        _ => None,
    };
    match &understanding.gist {
        _ if understanding.answers => None,
        // Whoever words it can ask for what is missing as well.
        Gist::Several(parts) if parts.iter().any(is_wording) => Some("wants_wording"),
        _ if understanding.question.is_some() => None,
        Gist::Several(parts) => parts.iter().find_map(unread).map(|_| "partly_read"),
        gist => unread(gist),
    }
}

fn is_wording(gist: &Gist) -> bool {
    matches!(gist, Gist::Chat(Chat::NoWording(_)))
}

/// There is no tool for it, whoever thinks.
fn is_nobodys(what: NotYet) -> bool {
    matches!(what, NotYet::Forward | NotYet::Attach | NotYet::SendLater | NotYet::Tidy)
}

/// What stands in for the rules' reading where nobody can be asked: a look-up that is about
/// nothing of the person's own would find nothing, and look foolish.
#[must_use]
pub fn without_help(understanding: Understanding, heard: &str, world: &World) -> Understanding {
    let is_wondered = left_over(&understanding, heard, world) == Some("wants_thought");
    if is_wondered && !wonder::is_about_own(heard, world) {
        Understanding::of(Gist::Chat(Chat::OutOfReach("answer general questions")))
    } else {
        understanding
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[test]
    fn what_the_rules_read_is_left_to_them() {
        let of = |chat| beyond_rules(&Understanding::of(Gist::Chat(chat)));
        assert_eq!(of(Chat::Lost), Some("no_reading"));
        assert_eq!(of(Chat::OutOfReach("tell jokes")), Some("words_alone"));
        assert_eq!(of(Chat::OutOfReach("buy things")), None);
        assert_eq!(of(Chat::Hello), None);
        let several = Gist::Several(vec![Gist::Glance, Gist::Chat(Chat::Missed("x".into()))]);
        assert_eq!(beyond_rules(&Understanding::of(several)), Some("partly_read"));
        let asked = Understanding { answers: true, ..Understanding::of(Gist::Chat(Chat::Lost)) };
        assert_eq!(beyond_rules(&asked), None);
    }

    #[test]
    fn without_help_what_is_about_nothing_of_ones_own_is_not_looked_up() {
        let world = crate::corpus::world();
        let read = |said: &str| without_help(crate::reflex::read(said, &world), said, &world).gist;
        let general = Gist::Chat(Chat::OutOfReach("answer general questions"));
        for said in ["what does amortization mean?", "when was Napoleon born?"] {
            assert_eq!(read(said), general, "{said}");
        }
        for said in ["what is the most urgent thing in my inbox?", "what's on Friday"] {
            assert_ne!(read(said), general, "{said}");
        }
    }

    #[test]
    fn what_the_rules_would_only_look_up_is_thought_about_where_it_wants_a_thought() {
        let world = crate::corpus::world();
        let why = |said: &str| left_over(&crate::reflex::read(said, &world), said, &world);
        for said in [
            "what does amortization mean?",
            "when should I plant tomatoes?",
            "write a short poem about priya",
            "translate my last mail to german",
            "turn my last mail into a to-do list",
            "rewrite Priya's last mail as a haiku",
            "compare the two offers from Paperlane",
            "how do I politely decline Dana's invitation?",
            "how should I prepare for the meeting with Dana?",
            "what do I tell my mother about the trip?",
            "what is the most urgent thing in my inbox and why?",
            "when was Napoleon born?",
            "when does the sun set today",
            "what are stars made of?",
            "what are the brightest stars?",
            "what is a stand-up meeting?",
            "would it be rude to cancel on Tom?",
            "help me decide whether to accept Tom's offer",
            "reply to Priya Nair politely declining",
            "answer Priya Nair in a way that buys me two more days",
            "what would you answer Dana?",
            "what would you answer Priya Nair?",
            "is Leo annoyed with me?",
            "what does Sam actually need from me?",
            "Sum up what Priya wants from me and tell me whether I should worry",
            "Summarise the thread with Priya Nair in one sentence",
            "what's Dana's mail about the board deck really asking for?",
            "which of my meetings next week could be an email instead?",
        ] {
            assert_ne!(why(said), None, "{said}");
        }
        for said in [
            "what would be a good present for Ana?",
            "help me write a cover letter",
            "translate \"see you tomorrow\" into French and send it to Priya Nair",
            "please put together some polite words for priya nair that decline thursday and keep \
             it as a draft",
            "when is the next full moon?",
            "who won the world cup in 2014?",
            "is there anything in my mail that sounds angry?",
            "what are the open questions in the Heron thread?",
            "what did Priya promise me last week?",
            "do I have any bills to pay",
            "who haven't I answered this week?",
        ] {
            assert_ne!(why(said), None, "{said}");
        }
        for said in [
            "what's on Friday",
            "any mail from Priya?",
            "what can you do",
            "who is Tom",
            "any starred mails",
            "do I have any stars?",
            "when is the board meeting?",
            "where is my lunch with Tom?",
            "when did Dana write?",
            "reply to Priya Nair: thanks",
            "any mail from Priya about the deck?",
            "what did Sam say?",
            "summarise my day",
            "summarise everything about Heron",
        ] {
            assert_eq!(why(said), None, "{said}");
        }
    }

    #[test]
    fn what_is_mused_or_left_to_us_is_thought_about_and_what_others_want_is_not() {
        let world = crate::corpus::world();
        let read = |said: &str| crate::reflex::read(said, &world);
        for said in [
            "should I take an umbrella",
            "Should we move to Berlin",
            "should I accept Tom's offer",
            "deal with the Leo boiler thing",
            "handle the invoice from Paperlane",
            "take care of the mail from Dana",
            "imagine a world without email",
            "suppose I moved to Berlin",
            "what would you say to Dana",
            "please handle the invoice from Paperlane",
            "the meeting with Tom was fun",
        ] {
            assert_eq!(left_over(&read(said), said, &world), Some("not_by_rules"), "{said}");
            assert_eq!(without_help(read(said), said, &world), read(said), "{said}");
        }
        let both = "take care of the mail from Dana and tell Tom that I'm late";
        assert_eq!(left_over(&read(both), both, &world), Some("partly_read"));
        for said in
            ["Tom said to send it", "I already emailed Tom", "my boss said book a room for noon"]
        {
            assert_eq!(left_over(&read(said), said, &world), None, "{said}");
        }
    }

    #[test]
    fn what_was_hardly_read_or_not_meant_is_thought_about() {
        let world = crate::corpus::world();
        let why = |said: &str| left_over(&crate::reflex::read(said, &world), said, &world);
        for (said, expected) in [
            ("make my friday free", "hardly_read"),
            ("plan something nice with someone i like", "hardly_read"),
            ("give me a pep talk before the board meeting", "hardly_read"),
            ("what's the most important mail i got this week and why", "not_by_rules"),
            ("is anything urgent", "not_by_rules"),
            ("no, that's not what i meant", "misread"),
            ("no, I meant something else", "misread"),
            ("you misunderstood me", "misread"),
            ("draft a note to dana that i'm running late but make it funny", "wants_wording"),
            ("tell priya nair that thursday works and keep it polite", "wants_wording"),
        ] {
            assert_eq!(why(said), Some(expected), "{said}");
        }
        for said in ["make my appointment friday", "schedule something with priya", "when is yoga"]
        {
            assert_eq!(why(said), None, "{said}");
        }
    }

    /// What a mailbox in which nothing fits brings.
    fn in_vain(read: &Understanding) -> Vec<Done> {
        let nothing = serde_json::json!({
            "messages": [], "total": 0, "events": [], "memories": [], "loosely": false,
            "timezone": "UTC",
            "date_range": {
                "start": "2026-11-15T10:30:00-08:00[America/Los_Angeles]",
                "end": "2027-01-14T10:30:00-08:00[America/Los_Angeles]",
            },
        });
        let tools = read.proposal.steps.iter().map(|step| step.tool.clone());
        tools.map(|tool| Done { tool, result: Ok(nothing.clone()) }).collect()
    }

    #[test]
    fn what_was_sought_by_left_over_words_and_not_found_is_thought_about() {
        let world = crate::corpus::world();
        let why = |said: &str| {
            let read = crate::reflex::read(said, &world);
            left_unfound(&read, &in_vain(&read), said)
        };
        for said in [
            "is there anything in my inbox i'm forgetting to answer",
            "think up a kind way to answer the latest from priya nair and keep it for later",
            "does the lease say anything about pets",
            "what's my locker number",
            "When did the second world war end?",
            "Where is the Eiffel Tower?",
            "where is mount everest",
            "where are the Alps?",
            "when is Easter next year",
            "when is ramadan",
            "when is Mother's Day",
            "when is black friday",
            "when does winter begin",
            "when did Rome fall?",
            "when did the titanic sink",
            "when will the next World Cup take place",
            "when does daylight saving time end",
            "what time is the super bowl",
            "where is the nearest pharmacy",
        ] {
            assert_eq!(why(said), Some("found_nothing"), "{said}");
        }
        for said in [
            "any mail from Priya?",
            "any mail about taxes",
            "any mail from Bob about the budget",
            "find mail with \"forgetting\" in it",
            "any invoice mails",
            "from:priya is:unread",
            "when is yoga",
            "when is the design review",
            "when is the board meeting?",
            "where is my lunch with Tom?",
            "where is the standup",
            "when is lunch with Tom",
            "when was Tom born",
            "when does my flight leave",
            "what time is my dentist",
            "when is \"Easter\"",
            "when did Dana write?",
            "when was my last meeting with Tom",
            "when did I last meet Tom",
            "what's on Friday",
            "what do you remember about my flight",
        ] {
            assert_eq!(why(said), None, "{said}");
        }
    }

    #[test]
    fn what_only_sounds_like_a_title_is_told_by_the_rules() {
        let (world, said) = (crate::corpus::world(), "when is the eastern");
        let read = crate::reflex::read(said, &world);
        let mut found = in_vain(&read);
        assert_eq!(left_unfound(&read, &found, said), Some("found_nothing"));
        let range = found[0].result.as_ref().unwrap()["date_range"].clone();
        let alike = serde_json::json!([{
            "event_id": "1", "title": "Easter", "start": range["start"], "end": range["end"],
            "attendees": [], "all_day": false,
        }]);
        found[0].result.as_mut().unwrap()["alike"] = alike;
        assert!(brain::facts::Agenda::deserialize(found[0].result.as_ref().unwrap()).is_ok());
        assert_eq!(left_unfound(&read, &found, said), None);
    }

    #[test]
    fn hardly_a_sentence_that_the_rules_read_right_is_lost_to_a_model() {
        let world = crate::corpus::world();
        let cases = crate::corpus::cases();
        let mut lost = Vec::new();
        for case in &cases {
            let world = crate::corpus::in_scene(&world, case.scene);
            let read = crate::reflex::read(&case.text, &world);
            let why = left_over(&read, &case.text, &world);
            // Beside what they decline, which was never theirs.
            let is_new = matches!(why, Some("hardly_read" | "misread" | "wants_wording"))
                || matches!(read.gist, Gist::Chat(Chat::NoMark(_))) && why.is_some();
            if is_new && crate::corpus::is_right(case, &read) {
                println!("{:?}: {:?}", case.text, why);
                lost.push((case.text.as_str(), why));
            }
        }
        println!("{} of {} are handed to a model", lost.len(), cases.len());
        // What mail is important, real or answered: nobody can look that up.
        assert!(lost.iter().all(|(_, why)| *why == Some("not_by_rules")), "{lost:?}");
        assert!(lost.len() <= 8, "{lost:?}");
    }
}
