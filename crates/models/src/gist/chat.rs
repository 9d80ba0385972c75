//! Talk that is answered without looking anything up.

use brain::facts::Meeting;
use brain::resolve::time::{Impossible, Zone};
use jiff::civil::Date;

use super::Detail;

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
    /// "Hold on a second": a question that was asked waits too.
    Wait,
    /// "Never mind", "stop"
    NeverMind,
    /// "That's enough", "stop reading": nothing more is wanted to be heard.
    Enough,
    /// Something it has no tool for: "order food".
    OutOfReach(&'static str),
    /// "Who else got it": everybody that the mail which was read went to, beside oneself.
    AlsoTo(Vec<String>),
    /// Something it will do one day, and not in this version: "send mail".
    NotYet(NotYet),
    /// Why nothing on the calendar is changed, as it is told.
    AboutEvent(String),
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
    /// The same, where whoever has thoughts of their own has something to say to it: "should we
    /// move to Berlin", "handle the invoice".
    Mused,
    /// Something about a file that was attached, as it is told.
    AboutFile(String),
    /// Which files there are, as it is told.
    Files(String),
    /// What was told before is not what was asked for.
    Misread,
    /// How a mail was to be worded, which nobody here can do.
    NoWording(String),
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
    /// Something with mail that has no words to send.
    Mail,
    /// Pass somebody's mail on.
    Forward,
    /// Put a file to a mail.
    Attach,
    /// Send at a certain time.
    SendLater,
    /// Send, or copy somebody on, where no mail is open.
    NoMailOpen,
    /// Answer an invitation, change who comes.
    Calendar,
    /// Change more than one event at once.
    AllAtOnce,
    /// Archive, delete, mark, label.
    Tidy,
    /// "Remind me to", "remember to".
    Remind,
}

impl Chat {
    /// Asked in passing, and answered at once.
    pub(super) fn is_aside(&self) -> bool {
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
                | Self::AlsoTo(_)
                | Self::Me(_)
                | Self::NoAnswer(_)
                | Self::Again
                | Self::Wait
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
            Self::AlsoTo(_) => "also_to",
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
            Self::Wait => "wait",
            Self::NeverMind => "never_mind",
            Self::Enough => "enough",
            Self::OutOfReach(_) => "out_of_reach",
            Self::NotYet(_) => "not_yet",
            Self::AboutEvent(_) => "about_event",
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
            Self::Told | Self::Mused => "told",
            Self::AboutFile(_) => "about_file",
            Self::Files(_) => "files",
            Self::Misread => "misread",
            Self::NoWording(_) => "no_wording",
            Self::Missed(_) => "missed",
            Self::Lost => "lost",
        }
    }
}
