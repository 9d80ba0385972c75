//! Talk that needed no tool.

use brain::resolve::time::{month_name, name_of};

use brain::Profile;

use super::spelling::{capital, count, full_clock, list};
use super::{agenda, meeting, memory, wall};
use crate::World;
use crate::gist::{Chat, Mine, NotYet};

/// To whoever wants to hear it again before there was anything.
const NOTHING_YET: &str = "I haven't said anything here yet.";

const HELP: &str = "I look after your mail and calendar. Try “any new mail?”, “what's on \
                    tomorrow?” or “reply to Priya that Thursday works”. Attach a file, and I \
                    answer from what it says.";
const WHO: &str = "I'm Sayso, a program that looks after your mail and calendar. I change \
                   nothing without your say-so.";

const TOLD: &str = "Okay. I did nothing about it; if I should, tell me what to do.";
const MISREAD: &str = "Then I took that wrong. Could you say it again in other words?";

pub fn tell(chat: &Chat, world: &World) -> String {
    let now = world.local_now();
    let first = world.profile.name.as_deref().and_then(|name| name.split(' ').next());
    let name = first.map(|name| format!(" {name}")).unwrap_or_default();
    match chat {
        Chat::Hello => format!("Hi{name}. What would you like to know?"),
        Chat::HowAreYou => "Doing well, thanks. What can I look up for you?".to_owned(),
        Chat::Thanks => "You're welcome.".to_owned(),
        Chat::Praise => "Glad that helped.".to_owned(),
        Chat::Sorry => "No harm done.".to_owned(),
        Chat::Bye => match now.hour() {
            18.. => format!("Good night{name}."),
            _ => format!("Talk soon{name}."),
        },
        Chat::Help => HELP.to_owned(),
        Chat::WhoAreYou => WHO.to_owned(),
        Chat::Date => {
            let weekday = name_of(now.weekday());
            format!("It's {weekday}, {} {}.", month_name(now.month()), now.day())
        }
        Chat::Clock => format!("It's {}.", full_clock(&now)),
        Chat::Contact(people) => {
            let at: Vec<_> =
                people.iter().map(|(name, address)| format!("{name} is at {address}")).collect();
            format!("{}.", list(&at, 0))
        }
        Chat::ContactsAt(place, people) => at_place(place, people),
        Chat::Contacts(place, names) => everybody(place.as_deref(), names),
        Chat::NoPhone(people) => no_phone(people),
        Chat::NoContact(name) => format!("{} is not in your contacts.", capital(name)),
        Chat::AlsoTo(names) if names.is_empty() => "Nobody else, only you.".to_owned(),
        Chat::AlsoTo(names) => format!("It went to {} too.", list(names, 0)),
        Chat::Me(mine) => me(*mine, &world.profile),
        Chat::AboutFile(told) | Chat::Files(told) => told.clone(),
        Chat::AboutVoice(told) => (*told).to_owned(),
        Chat::Again => world.focus.told.as_deref().unwrap_or(NOTHING_YET).to_owned(),
        Chat::NothingKept(about) => memory::nothing(about.as_deref()),
        Chat::KnownAlready => "You told me, and I have it.".to_owned(),
        Chat::Noted => "I won't keep it.".to_owned(),
        Chat::Okay => "Okay.".to_owned(),
        Chat::NoMark(mark) => {
            format!("I can't see {mark}. I can look for unread mail, people, words and labels.")
        }
        Chat::FromWhom => "From whom?".to_owned(),
        Chat::AboutWhat => "About what?".to_owned(),
        Chat::EndOfList => "That was the last one of the list.".to_owned(),
        Chat::Yes => "Nothing is waiting for a yes. What would you like to know?".to_owned(),
        Chat::No if set_a_reminder(world) => {
            "All right. The reminder stays; say “cancel the reminder” if it should go.".to_owned()
        }
        Chat::No => "All right, nothing was waiting.".to_owned(),
        Chat::Wait => "Sure.".to_owned(),
        Chat::NeverMind if world.focus.is_asking(false) => "Okay, dropped.".to_owned(),
        Chat::NeverMind | Chat::Enough => "Okay.".to_owned(),
        Chat::NoAnswer(Some(who)) => format!(
            "I can't see whether {who} said yes. If it came by mail I can find it: ask for mail \
             from {who}."
        ),
        Chat::NoAnswer(None) => "I can't see who said yes. If it came by mail I can find it: ask \
                                 for mail from somebody."
            .to_owned(),
        Chat::OutOfReach(what @ ("send texts" | "make calls")) => {
            format!("I can't {what}, but I can write a mail: say “email” and to whom.")
        }
        Chat::OutOfReach(what @ ("book tables" | "book travel" | "book a ride")) => {
            format!("I can't {what}, but with a time I can put it on your calendar.")
        }
        Chat::OutOfReach(what) => {
            format!("I can't {what}, but I can look through your mail and your calendar.")
        }
        Chat::NotYet(change) => not_yet(*change).to_owned(),
        Chat::AboutEvent(told) => told.clone(),
        Chat::NothingToPointAt => "I'm not sure which one you mean. Whose mail is it?".to_owned(),
        Chat::Pasted if world.focus.is_spoken => {
            "That was a lot at once, so I did nothing with it. Could you say it in a sentence or two?"
                .to_owned()
        }
        Chat::Pasted => "That looks like copied text, so I did nothing with it. What would you \
                         like to know?"
            .to_owned(),
        Chat::Shown(event, detail) => meeting::tell(event, *detail, world, &now),
        Chat::ShownNext(events) => agenda::rest(events, world),
        Chat::Wall(told) => wall::tell(told, &now),
        Chat::Hangs => {
            "I can't wait for an “if”. Tell me once you know, and I'll get it ready.".to_owned()
        }
        Chat::NotSo => "So I did nothing more.".to_owned(),
        Chat::LeftOut => "So I left that part.".to_owned(),
        Chat::Taken(when) => format!(
            "{} is taken, so I booked nothing. Say another time, or ask when you're free.",
            capital(when)
        ),
        Chat::Told | Chat::Mused => TOLD.to_owned(),
        Chat::Misread => MISREAD.to_owned(),
        Chat::NoWording(how) => format!("I only put down your own words, so I left out “{how}”."),
        Chat::Missed(part) => {
            format!("I didn't get the part about {part}. Could you say it differently?")
        }
        Chat::Lost => lost(world).to_owned(),
    }
}

fn lost(world: &World) -> &'static str {
    // Nobody who was asked could make anything of it either.
    if world.focus.told_away {
        return "I can't work that one out right now, but I can look at your mail, your calendar, \
                or when you're free.";
    }
    if world.focus.files.is_empty() {
        "I didn't get that. You can ask about your mail, your calendar, or when you're free."
    } else {
        "I didn't get that. You can ask about your mail, your calendar, when you're free, or what \
         you attached."
    }
}

/// Was a reminder set by what was said before? That needed no yes, so a no is about it.
fn set_a_reminder(world: &World) -> bool {
    let recent = world.focus.recent.as_deref().unwrap_or_default().to_lowercase();
    recent.starts_with("remind me ") || recent.starts_with("set a reminder ")
}

/// Three by name, the rest by their number.
fn at_place(place: &str, people: &[(String, String)]) -> String {
    let named: Vec<String> = people.iter().take(3).map(|(name, _)| name.clone()).collect();
    match people {
        [] => format!("Nobody I know of at {place}."),
        [(name, address)] => format!("{name}, at {address}."),
        _ => format!("{} at {place}.", list(&named, people.len() - named.len())),
    }
}

fn everybody(place: Option<&str>, names: &[String]) -> String {
    let at = place.map(|place| format!(" at {place}")).unwrap_or_default();
    match names {
        [] => format!("Nobody I know of{at}."),
        [one] => format!("One{at}: {one}."),
        _ => format!("{}{at}: {}.", capital(&count(names.len())), list(names, 0)),
    }
}

fn no_phone(people: &[(String, String)]) -> String {
    let at: Vec<_> =
        people.iter().map(|(name, address)| format!("{name} is at {address}")).collect();
    if at.is_empty() {
        return "I keep no phone numbers, only addresses.".to_owned();
    }
    format!("I keep no phone numbers. {}.", list(&at, 0))
}

/// What the profile knows of the person.
fn me(mine: Mine, profile: &Profile) -> String {
    let (known, what) = match mine {
        Mine::Name => (profile.name.as_ref().map(|name| format!("You are {name}.")), "name"),
        Mine::Address => {
            let address = profile.address.as_ref();
            (address.map(|address| format!("Your address is {address}.")), "address")
        }
        Mine::TimeZone => (Some(format!("You are in {}.", profile.time_zone)), "time zone"),
    };
    known.unwrap_or_else(|| format!("I don't know your {what} yet."))
}

/// It says what did not happen, and what it can do.
fn not_yet(change: NotYet) -> &'static str {
    match change {
        NotYet::Mail => {
            "I can't tell what it should say, so nothing went out. Try “email Tom that I'm late”."
        }
        NotYet::Forward => {
            "I can't forward mail yet, so nothing went out. I can write to them about it in your \
             words."
        }
        NotYet::Attach => {
            "I can't attach files to mail yet, so nothing went out. I can write it without one."
        }
        NotYet::SendLater => {
            "I can't send mail later yet, so nothing went out. I can draft it now, or remind you \
             then."
        }
        NotYet::NoMailOpen => {
            "No mail is open, so nothing went out. Tell me who it is for and what to say."
        }
        NotYet::Calendar => {
            "I can't do that to your calendar yet, so nothing was changed. I can add something, \
             move it or cancel it."
        }
        NotYet::AllAtOnce => {
            "I change one event at a time, so nothing was moved or cancelled. Tell me which one \
             comes first."
        }
        NotYet::Tidy => {
            "I can't change anything in your mailbox yet, so everything is where it was. I can \
             find and read mail."
        }
        NotYet::Remind => {
            "I can only remind you, and at a time. Try “remind me at five to call Tom”."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_said_very_much_is_not_told_that_they_copied_it() {
        let mut world = crate::corpus::world();
        assert!(tell(&Chat::Pasted, &world).contains("copied"));
        world.focus.is_spoken = true;
        assert!(!tell(&Chat::Pasted, &world).contains("copied"));
    }
}
