//! What an answer should be about.
//!
//! A sentence is read once. Whoever reads it leaves here what a narrator has
//! to know besides the results: whom and when it was about, and whether the
//! person wanted a list, a number or a yes.

use brain::facts::Meeting;
use brain::paper::Kind;
use brain::resolve::time::{Impossible, Zone};
use jiff::civil::Date;

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
    /// The search as it was typed, with operators.
    pub typed: Option<String>,
    /// "this week", as it fits at the end of a sentence.
    pub when: Option<String>,
    pub want: Want,
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

/// What is wanted of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AboutPaper {
    /// What its person calls it.
    pub name: String,
    pub kind: Kind,
    pub want: PaperWant,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaperWant {
    /// "What's in this file"
    Overview,
    /// "Summarize the pdf"
    Summary,
    /// "Read me the second page", from so many words on.
    Page {
        number: u32,
        from: usize,
    },
    /// "What does it say about the deadline": what it is about, as it was said.
    About(String),
    /// "How many rows"
    HowMany(Countable),
    /// "Which columns"
    Columns,
    /// "The total of amount"; the words that name the column, none where none do.
    Figure(Figure, String),
    /// "Who wrote this", "when was it last changed"
    Author,
    Dated,
    /// Of a mail: "who is it from", "when was it sent", "what's the subject".
    From,
    To,
    Sent,
    Subject,
    Enclosed,
    /// Of an event: when, where and who comes.
    When,
    Where,
    People,
    Length,
    /// Of a picture: how large, when and where it was taken, and with what.
    Size,
    Taken,
    Spot,
    Camera,
}

impl PaperWant {
    /// It is looked for, word by word.
    pub fn is_sought(&self) -> bool {
        matches!(self, Self::About(_) | Self::Author)
    }
}

/// What a file can have many of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Countable {
    Rows,
    Columns,
    Pages,
    Lines,
    Words,
    Events,
    Enclosed,
}

/// What can be made of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    Sum,
    Mean,
    Least,
    Most,
    /// The most frequent values.
    Top,
    /// How many different ones.
    Different,
    /// How many rows have a value.
    Rows,
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

/// Talk that needs no tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chat {
    Hello,
    HowAreYou,
    Thanks,
    Praise,
    Sorry,
    Bye,
    Help,
    WhoAreYou,
    /// "What day is it"
    Date,
    /// "What time is it"
    Clock,
    /// Who somebody is, by name and address; several may be called so.
    Contact(Vec<(String, String)>),
    /// "Who do I know at Brightloom": what was asked for, and who is there.
    ContactsAt(String, Vec<(String, String)>),
    /// Every one of them by name; where, if a place was named.
    Contacts(Option<String>, Vec<String>),
    /// A phone number was asked for; whose, and their address.
    NoPhone(Vec<(String, String)>),
    /// Somebody whose address was asked for and whom nobody knows.
    NoContact(String),
    /// "What's my name"
    Me(Mine),
    /// Something was said in passing that is known already.
    KnownAlready,
    /// Something was said in passing, and it is not offered to be kept.
    Noted,
    /// It was to be forgotten and was never kept; "your flight", where it has a name.
    NothingKept(Option<String>),
    /// "Say that again"
    Again,
    /// How a name is to be told, as it is told.
    AboutVoice(&'static str),
    /// "Okay", and what is not to be done.
    Okay,
    /// A mark that the mailbox does not have: "stars".
    NoMark(&'static str),
    /// "Did Ana accept": nobody tells us; whom it was about, where it is known.
    NoAnswer(Option<String>),
    /// "Mail from it"
    FromWhom,
    /// "Mail about"
    AboutWhat,
    /// "Next", behind the last one.
    EndOfList,
    /// A yes with nothing waiting for one.
    Yes,
    /// A no with nothing waiting for one.
    No,
    /// "Never mind", "stop"
    NeverMind,
    /// Something it has no tool for: "order food".
    OutOfReach(&'static str),
    /// Something it will do one day, and not in this version: "send mail".
    NotYet(NotYet),
    /// "Read it", with nothing there to read.
    NothingToPointAt,
    /// Somebody else's words, copied in. They are not a request.
    Pasted,
    /// One thing that was shown before, told from what is known of it.
    Shown(Box<Meeting>, Detail),
    /// The rest of a list that was shown before.
    ShownNext(Vec<Meeting>),
    /// What hangs on any wall, without anybody's plans.
    Wall(Wall),
    /// Something is to be done only if something else holds.
    Hangs,
    /// It was looked up whether that holds, and it does not.
    NotSo,
    /// The same, where the rest of the sentence hung on nothing and is done.
    LeftOut,
    /// "If it's free", and it is not: when that would have been.
    Taken(String),
    /// Something was told, and nothing asked for.
    Told,
    /// Something about a file that was attached, as it is told.
    AboutFile(String),
    /// Which files there are, as it is told.
    Files(String),
    /// Most of it was understood; this part was not.
    Missed(String),
    /// Nothing to go on.
    Lost,
}

/// What the profile knows of the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mine {
    Name,
    Address,
    TimeZone,
}

/// What a clock and a wall calendar can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wall {
    /// "What's the date tomorrow"
    DateOf(Date),
    /// "Is it Monday"
    IsIt { date: Date, right: bool },
    /// "What time is it in Tokyo"
    ClockIn(Zone),
    /// "November 31"
    NoSuch(Impossible),
}

/// Changes it cannot make in this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotYet {
    /// Forward, attach, answer all.
    Mail,
    /// Move, cancel, answer an invitation.
    Calendar,
    /// Archive, delete, mark, label.
    Tidy,
    /// "Remind me to", "remember to".
    Remind,
}

impl Gist {
    /// Something is to be changed; what comes of it is told by the card and
    /// by its outcome.
    pub fn writes(&self) -> bool {
        match self {
            Self::Reply { .. }
            | Self::Mail { .. }
            | Self::Booking { .. }
            | Self::Remember { .. }
            | Self::Forget => true,
            Self::Several(parts) => parts.iter().any(Self::writes),
            Self::Letters(_)
            | Self::Letter { .. }
            | Self::Agenda(_)
            | Self::Free(_)
            | Self::Glance
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
            Self::Agenda(_) => vec!["calendar.list_events"],
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

impl Chat {
    /// Asked in passing, and answered at once.
    fn is_aside(&self) -> bool {
        matches!(
            self,
            Self::Thanks
                | Self::HowAreYou
                | Self::Help
                | Self::WhoAreYou
                | Self::Date
                | Self::Clock
                | Self::Contact(_)
                | Self::ContactsAt(..)
                | Self::Contacts(..)
                | Self::NoPhone(_)
                | Self::NoContact(_)
                | Self::Me(_)
                | Self::NoAnswer(_)
                | Self::Again
                | Self::AboutVoice(_)
                | Self::Shown(..)
                | Self::Wall(Wall::DateOf(_) | Wall::IsIt { .. } | Wall::ClockIn(_))
        )
    }

    /// For tables and logs.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hello => "hello",
            Self::HowAreYou => "how_are_you",
            Self::Thanks => "thanks",
            Self::Praise => "praise",
            Self::Sorry => "sorry",
            Self::Bye => "bye",
            Self::Help => "help",
            Self::WhoAreYou => "who_are_you",
            Self::Date => "date",
            Self::Clock => "clock",
            Self::Contact(_) => "contact",
            Self::ContactsAt(..) => "contacts_at",
            Self::Contacts(..) => "contacts",
            Self::NoPhone(_) => "no_phone",
            Self::NoContact(_) => "no_contact",
            Self::KnownAlready => "known_already",
            Self::Noted => "noted",
            Self::NothingKept(_) => "nothing_kept",
            Self::Me(_) => "me",
            Self::Again => "again",
            Self::AboutVoice(_) => "about_voice",
            Self::Okay => "okay",
            Self::NoMark(_) => "no_mark",
            Self::NoAnswer(_) => "no_answer",
            Self::FromWhom => "from_whom",
            Self::AboutWhat => "about_what",
            Self::EndOfList => "end_of_list",
            Self::Yes => "yes",
            Self::No => "no",
            Self::NeverMind => "never_mind",
            Self::OutOfReach(_) => "out_of_reach",
            Self::NotYet(_) => "not_yet",
            Self::NothingToPointAt => "nothing_to_point_at",
            Self::Pasted => "pasted",
            Self::Shown(..) | Self::ShownNext(_) => "shown",
            Self::Wall(Wall::DateOf(_) | Wall::IsIt { .. }) => "date",
            Self::Wall(Wall::ClockIn(_)) => "clock",
            Self::Wall(Wall::NoSuch(_)) => "no_such_time",
            Self::Hangs => "hangs",
            Self::NotSo => "not_so",
            Self::LeftOut => "left_out",
            Self::Taken(_) => "taken",
            Self::Told => "told",
            Self::AboutFile(_) => "about_file",
            Self::Files(_) => "files",
            Self::Missed(_) => "missed",
            Self::Lost => "lost",
        }
    }
}
