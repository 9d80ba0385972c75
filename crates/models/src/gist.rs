//! What an answer should be about.
//!
//! A sentence is read once. Whoever reads it leaves here what a narrator has
//! to know besides the results: whom and when it was about, and whether the
//! person wanted a list, a number or a yes.

mod chat;
mod paper;

use brain::resolve::time::Zone;

pub use self::chat::{Chat, Mine, NotYet, Wall};
pub use self::paper::{AboutPaper, Countable, Figure, PaperWant};

/// The gist of one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gist {
    /// `gmail.search` was asked for.
    Letters(AboutLetters),
    /// `gmail.get_message` was asked for, after a search where `search` is there.
    /// With `rest`, what was left out of it the first time.
    Letter { search: Option<AboutLetters>, rest: bool },
    /// `calendar.list_events` was asked for.
    Agenda(AboutAgenda),
    /// `calendar.find_free_slots` was asked for.
    Free(AboutFree),
    /// The same, to offer some of it; it is not told of by itself.
    Glance,
    /// More of a list: what comes behind the `skip` entries told already.
    More { of: Box<Self>, skip: usize },
    /// A mail is to be answered: `gmail.draft_reply` and `gmail.send`, after a
    /// search where the mail is not at hand.
    Reply { who: String, search: bool },
    /// `gmail.send` was asked for.
    Mail { who: String },
    /// A mail is to be written and kept: `gmail.create_draft`, or
    /// `gmail.draft_reply` where it is a reply, after a search where `search`.
    Draft { who: String, reply: bool, search: bool },
    /// `calendar.create_event` was asked for.
    Booking { what: String },
    /// `calendar.list_events`, to see which event is meant; it is not told of by itself.
    Spot,
    /// `calendar.cancel_event` was asked for.
    CallOff { what: String },
    /// `calendar.move_event` was asked for.
    Move { what: String },
    /// `memory.retrieve` was asked for.
    Memories(AboutMemories),
    /// The same, to see which of them is to be forgotten; it is not told of by
    /// itself.
    Recall,
    /// `memory.write` was asked for.
    Remember { what: String },
    /// Something worth keeping was said in passing: `memory.suggest_write`. It is
    /// not told of by itself.
    Offer,
    /// `memory.pause` was asked for.
    Pause,
    /// `memory.forget` was asked for.
    Forget,
    /// Long work, reminders and timers.
    Meanwhile(Meanwhile),
    /// How we speak.
    Voice(AboutVoice),
    /// `attachment.read` or `attachment.search` was asked for.
    Paper(AboutPaper),
    /// `attachment.read`, to make something of what is in it; it is not told of by
    /// itself.
    OpenPaper,
    /// A file is looked through before anything else is guessed.
    SeekPaper,
    /// Several things in one sentence, in the order they were said.
    Several(Vec<Self>),
    /// Answered without looking anything up.
    Chat(Chat),
    /// It has to be asked first; the question stands in the understanding.
    Question,
}

/// What was said about the mail that is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AboutLetters {
    /// As one would say it: "Priya".
    pub who: Option<String>,
    /// Their address, where they are a contact.
    pub address: Option<String>,
    /// More than one contact is called so; each is told by their whole name.
    pub several_people: bool,
    /// Where a sender and a receiver were named: to whom.
    pub to: Option<String>,
    /// Whose mail was not wanted.
    pub not_from: Option<String>,
    /// “taxes”, where mail about them was not wanted.
    pub not_about: Option<String>,
    pub folder: Folder,
    pub unread: bool,
    /// “the budget”, in quotation marks.
    pub topic: Option<String>,
    /// A second, looser search follows, for when the first finds nothing.
    pub nearest: bool,
    /// That second search is for a keyword that may have been misheard.
    pub meant: Option<Box<Meant>>,
    /// The search as it was typed, with operators.
    pub typed: Option<String>,
    /// "this week", as it fits at the end of a sentence.
    pub when: Option<String>,
    pub want: Want,
}

/// A keyword that may have been said, and what is looked for then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meant {
    pub keyword: String,
    pub about: AboutLetters,
}

/// Where the mail lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Folder {
    #[default]
    Received,
    Sent,
    Drafts,
}

/// What kind of answer is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Want {
    #[default]
    List,
    /// "How many"
    Count,
    /// "Is there", "did she": yes or no comes first.
    Whether,
    /// "The latest", "the next"
    One,
    /// "Did she reply": the last mail, whatever it answers.
    Reply,
    /// "When is": the time comes first.
    Moment,
    /// "How busy"
    Busy,
    /// "Double booked"
    Conflicts,
}

impl Want {
    /// Several things are told one after another.
    pub fn is_list(self) -> bool {
        matches!(self, Self::List | Self::Whether)
    }
}

/// What was said about the calendar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AboutAgenda {
    /// "tomorrow"; none for "what's next".
    pub when: Option<String>,
    /// "with Tom"
    pub who: Option<String>,
    /// "the design review"
    pub topic: Option<String>,
    pub want: Want,
    /// One thing about it, where the whole was not asked for.
    pub detail: Option<Detail>,
    /// The times are wanted on clocks elsewhere.
    pub zone: Option<Zone>,
}

/// What exactly is wanted of something on the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// When, where and with whom.
    Whole,
    Start,
    End,
    Length,
    Place,
    People,
    /// "My last meeting"
    Last,
    /// "When am I done"
    DayEnds,
    /// "More than three"; "at least four" is the same.
    MoreThan(usize),
    /// "Fewer than three"
    FewerThan(usize),
    /// The next day with nothing on it.
    DayOff,
    BackToBack,
    /// "Is Friday clear"
    Clear,
}

/// What was said about free time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AboutFree {
    /// "Thursday", "Friday at 3:00"
    pub when: Option<String>,
    /// One stretch of time was named; the answer is yes or no.
    pub exactly: bool,
    /// It was asked whether something is in the way, so that a yes is no good news.
    pub clash: bool,
    /// The length was the person's, not our assumption.
    pub length_given: bool,
    /// Somebody else is to be free too, and their calendar is not ours to see.
    pub with: Option<String>,
}

/// What was said about the memories that are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AboutMemories {
    /// "your flight", as it fits behind "about".
    pub about: Option<String>,
    /// Everything there is.
    pub all: bool,
}

/// What goes on while people talk on, or waits for its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meanwhile {
    /// Long work was asked for, with this tool.
    Work { tool: &'static str },
    /// `reminders.set` was asked for; the hour may be our assumption.
    Remind { assumed: bool },
    /// `reminders.list` was asked for.
    Reminders,
    /// `reminders.cancel` was asked for.
    DropReminder,
    /// `jobs.list` was asked for.
    Jobs,
    /// Whatever is going on was asked for: `jobs.list`, and the timers that run.
    Running,
    /// `jobs.cancel` was asked for.
    StopJob,
}

impl Meanwhile {
    pub fn tool(self) -> &'static str {
        match self {
            Self::Work { tool } => tool,
            Self::Remind { .. } => "reminders.set",
            Self::Reminders => "reminders.list",
            Self::DropReminder => "reminders.cancel",
            Self::Jobs | Self::Running => "jobs.list",
            Self::StopJob => "jobs.cancel",
        }
    }
}

/// What is wanted of our voice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AboutVoice {
    /// `voice.pronounce` was asked for.
    Pronounce,
    /// `voice.pronunciations` was asked for.
    List,
    /// `voice.forget_pronunciation` was asked for.
    Forget,
    /// `voice.pace` was asked for.
    Pace,
}

impl AboutVoice {
    pub fn tool(self) -> &'static str {
        match self {
            Self::Pronounce => "voice.pronounce",
            Self::List => "voice.pronunciations",
            Self::Forget => "voice.forget_pronunciation",
            Self::Pace => "voice.pace",
        }
    }
}

impl Gist {
    /// Something is to be changed; what comes of it is told by the card and
    /// by its outcome.
    pub fn writes(&self) -> bool {
        match self {
            Self::Reply { .. }
            | Self::Mail { .. }
            | Self::Booking { .. }
            | Self::CallOff { .. }
            | Self::Move { .. }
            | Self::Remember { .. }
            | Self::Forget => true,
            Self::Several(parts) => parts.iter().any(Self::writes),
            Self::Letters(_)
            | Self::Letter { .. }
            | Self::Agenda(_)
            | Self::Free(_)
            | Self::Glance
            | Self::Spot
            | Self::Draft { .. }
            | Self::Memories(_)
            | Self::Recall
            | Self::Paper(_)
            | Self::OpenPaper
            | Self::SeekPaper
            | Self::Offer
            | Self::Pause
            | Self::Meanwhile(_)
            | Self::Voice(_)
            | Self::More { .. }
            | Self::Chat(_)
            | Self::Question => false,
        }
    }

    /// A question that changes nothing.
    pub fn is_aside(&self) -> bool {
        match self {
            Self::Letters(_)
            | Self::Letter { .. }
            | Self::Agenda(_)
            | Self::Free(_)
            | Self::Memories(_)
            | Self::Paper(_)
            // How a question is said changes nothing about it.
            | Self::Voice(_)
            | Self::More { .. } => true,
            Self::Meanwhile(what) => {
                matches!(what, Meanwhile::Reminders | Meanwhile::Jobs | Meanwhile::Running)
            }
            Self::Several(parts) => parts.iter().all(Self::is_aside),
            Self::Chat(chat) => chat.is_aside(),
            Self::Glance
            | Self::Reply { .. }
            | Self::Mail { .. }
            | Self::Draft { .. }
            | Self::Booking { .. }
            | Self::Spot
            | Self::CallOff { .. }
            | Self::Move { .. }
            | Self::Recall
            | Self::OpenPaper
            | Self::SeekPaper
            | Self::Remember { .. }
            | Self::Forget
            | Self::Offer
            | Self::Pause
            | Self::Question => false,
        }
    }

    /// The tools whose results it speaks of, in order.
    pub fn tools(&self) -> Vec<&'static str> {
        match self {
            Self::Letters(about) if about.nearest => vec!["gmail.search", "gmail.search"],
            Self::Letters(_) => vec!["gmail.search"],
            Self::More { of, .. } => of.tools(),
            Self::Letter { search: Some(_), .. } => vec!["gmail.search", "gmail.get_message"],
            Self::Letter { search: None, .. } => vec!["gmail.get_message"],
            Self::Agenda(_) | Self::Spot => vec!["calendar.list_events"],
            Self::Free(_) | Self::Glance => vec!["calendar.find_free_slots"],
            Self::Reply { search: true, .. } => {
                vec!["gmail.search", "gmail.draft_reply", "gmail.send"]
            }
            Self::Reply { search: false, .. } => vec!["gmail.draft_reply", "gmail.send"],
            Self::Mail { .. } => vec!["gmail.send"],
            Self::Draft { reply: false, .. } => vec!["gmail.create_draft"],
            Self::Draft { search: true, .. } => vec!["gmail.search", "gmail.draft_reply"],
            Self::Draft { .. } => vec!["gmail.draft_reply"],
            Self::Booking { .. } => vec!["calendar.create_event"],
            Self::CallOff { .. } => vec!["calendar.cancel_event"],
            Self::Move { .. } => vec!["calendar.move_event"],
            Self::Memories(_) | Self::Recall => vec!["memory.retrieve"],
            Self::Remember { .. } => vec!["memory.write"],
            Self::Forget => vec!["memory.forget"],
            Self::Offer => vec!["memory.suggest_write"],
            Self::Pause => vec!["memory.pause"],
            Self::Meanwhile(Meanwhile::Running) => vec!["jobs.list", "reminders.list"],
            Self::Meanwhile(what) => vec![what.tool()],
            Self::Voice(what) => vec![what.tool()],
            Self::SeekPaper => vec!["attachment.search"],
            Self::Paper(about) if about.want.is_sought() => vec!["attachment.search"],
            Self::Paper(_) | Self::OpenPaper => vec!["attachment.read"],
            Self::Several(parts) => parts.iter().flat_map(Self::tools).collect(),
            Self::Chat(_) | Self::Question => Vec::new(),
        }
    }
}
