//! Looking for mail, and opening one.

mod pointing;
mod search;
mod window;
mod words;

use brain::resolve::time::length;

use self::search::Asked;
use super::Meaning;
use super::frame::Frame;
use super::vocabulary::{CALENDAR, FREE, LATEST, MAIL, SAYS, WRITES, is_any};
use super::who::{self, Who};
use crate::gist::{Chat, Folder};

pub use self::search::typed;
pub use self::words::asks_of_bill;

const SHOWS: &[&str] = &["read", "open", "play"];

/// A search, or the opening of one mail; `None` when mail is not spoken of.
pub fn read(frame: &mut Frame) -> Option<Meaning> {
    if let Some(meaning) = pointing::read(frame) {
        return Some(meaning);
    }
    if let Some(mark) = words::unknown_mark(frame) {
        return Some(Meaning::Chat(Chat::NoMark(mark)));
    }
    let not_from = who::excluded(frame);
    let by_me = by_me(frame);
    let senders = if by_me { Vec::new() } else { who::after(frame, senders_behind(frame)) };
    let recipients = if by_me { Vec::new() } else { recipients(frame, &senders) };
    let sent = by_me || (senders.is_empty() && !recipients.is_empty());
    let bill = asks_of_bill(frame);
    let named = bill || frame.has(MAIL) || means_mail(frame) || words::is_near_mail(frame);
    let writer = if senders.is_empty() && !sent && !bill { writer(frame) } else { None };
    let somebody = sent || writer.is_some() || !senders.is_empty() || !not_from.is_empty();
    if !(named || somebody) || comes_second(frame) {
        return None;
    }
    if let Some(chat) = half_said(frame, somebody) {
        return Some(Meaning::Chat(chat));
    }
    frame.look_back();
    // Nothing has come from tomorrow: "what does Dana want by tomorrow evening".
    if frame.reading().is_some_and(|reading| reading.range.start > frame.now) {
        frame.set_when_aside();
    }
    let replied = ((writer.is_some() || by_me) && asks_for_a_reply(frame))
        || (!senders.is_empty() && frame.has(&["reply", "response", "answer"]));
    let mut people: Vec<_> = senders.into_iter().chain(writer).collect();
    let mut to = recipients;
    if sent && people.is_empty() {
        people.append(&mut to);
    }
    let people = whom(frame, sent, people);
    let mut asked = Asked::of(frame, sent, people.is_empty() && not_from.is_empty());
    asked.between(to, not_from);
    if replied {
        asked.wants_a_reply();
    }
    let opens = bill || wants_the_text(frame, &asked, &people);
    let people: Vec<_> =
        if opens || asked.one { people } else { people.into_iter().map(Who::in_a_list).collect() };
    if let Some(question) = people.iter().find_map(Who::question) {
        return Some(Meaning::Ask(question));
    }
    if opens {
        return Some(Meaning::Look(vec![asked.opening(people.first(), asks_within(frame))]));
    }
    let people: Vec<_> =
        if people.is_empty() { vec![None] } else { people.iter().map(Some).collect() };
    Some(Meaning::Look(people.into_iter().map(|who| asked.search(who)).collect()))
}

/// "Mail by Ana" is from her; "can it go by sea" names nobody.
fn senders_behind(frame: &Frame) -> &'static [&'static str] {
    const WRITTEN: &[&str] =
        &["sent", "written", "one", "anything", "something", "everything", "those", "stuff"];
    let named = frame.place_of(&["by"]).is_some_and(|at| {
        let before = at.checked_sub(1).map_or("", |before| frame.texts[before]);
        is_any(before, MAIL) || is_any(before, WRITTEN) || who::is_known(frame, at + 1)
    });
    if named { &["from", "by"] } else { &["from"] }
}

/// "Mail to Leo", "drafts for Ana", and "from Omar to Yuki". Somebody nobody
/// knows is only taken for a name right behind the mail.
fn recipients(frame: &mut Frame, senders: &[Who]) -> Vec<Who> {
    let links = &["to", "for"];
    let Some(at) = frame.place_of(links) else { return Vec::new() };
    let behind_mail = at.checked_sub(1).is_some_and(|before| is_any(frame.texts[before], MAIL));
    // "Search my mail for budget" is to nobody.
    let may_be_stranger = behind_mail && frame.texts[at] == "to";
    let fits = behind_mail || !senders.is_empty();
    if !fits || !(may_be_stranger || who::is_known(frame, at + 1)) {
        return Vec::new();
    }
    who::after(frame, links)
}

/// "Mail from", "mail about", and nothing behind it.
fn half_said(frame: &Frame, somebody: bool) -> Option<Chat> {
    let nobody =
        &["it", "that", "this", "him", "her", "them", "he", "she", "there", "which", "who"];
    let from = frame.place_of(&["from"]).filter(|_| !somebody);
    let no_name = |next: &&str| is_any(next, nobody) || next.chars().count() == 1;
    if from.is_some_and(|at| frame.texts.get(at + 1).is_none_or(no_name)) {
        return Some(Chat::FromWhom);
    }
    // "What was her mail about" asks for it.
    if frame.starts(&["what"]) {
        return None;
    }
    let about = matches!(frame.texts.last(), Some(&("about" | "regarding")));
    let nothing = frame.topic.is_empty() && frame.phrases.is_empty();
    (about && nothing).then_some(Chat::AboutWhat)
}

/// Whether it was an answer is more than a search can know.
fn asks_for_a_reply(frame: &Frame) -> bool {
    frame.has(&["reply", "replied", "respond", "responded", "answer", "answered", "back"])
}

/// "Did Tom write", and "if Tom has written".
fn writer(frame: &mut Frame) -> Option<Who> {
    let wrote = &[
        "wrote",
        "written",
        "emailed",
        "mailed",
        "replied",
        "responded",
        "messaged",
        "sent",
        "said",
    ];
    let speaks = frame.has(wrote) || changed_something(frame);
    who::writer(frame).or_else(|| if speaks { who::anywhere(frame) } else { None })
}

/// Mail is meant without being named.
fn means_mail(frame: &Frame) -> bool {
    let news: &[&[&str]] = &[
        &["came", "in"],
        &["come", "in"],
        &["what", "is", "new"],
        &["anything", "new"],
        &["did", "i", "miss"],
        &["did", "i", "get"],
        &["have", "i", "missed"],
        &["latest", "on"],
    ];
    let others = frame.has(CALENDAR)
        || frame.has(FREE)
        || frame.has(&["time"])
        || length(&frame.texts).is_some();
    let searches = frame.starts_with_any(&["find", "search", "look", "show"])
        && !others
        && !(frame.topic.is_empty() && frame.left_over(&[]).is_empty());
    let writers = (frame.starts(&["who"])
        && frame.has(&["emailed", "wrote", "mailed", "messaged"]))
        || (frame.starts_with_any(&["has", "did"])
            && frame.has(&["anyone", "anybody", "someone", "somebody"])
            && (frame.has(WRITES) || !frame.topic.is_empty()));
    let kinds = frame.starts_with_any(&["any", "do", "have", "got"]) && frame.has(words::KINDS);
    let caught_up = frame.texts == ["catch", "me", "up"];
    let everything =
        frame.has(&["everything", "anything", "something"]) && !frame.topic.is_empty() && !others;
    let latest = frame.has(&["latest", "update"]) && !frame.topic.is_empty();
    let newest = frame.starts_with_any(SHOWS)
        && frame.has(&["latest", "newest"])
        && frame.left_over(&[SHOWS, LATEST]).is_empty();
    let one = frame.starts_with_any(SHOWS) && frame.says(&["one"]) && !frame.topic.is_empty();
    let said = news.iter().any(|words| frame.says(words));
    said || searches || writers || kinds || one || caught_up || everything || latest || newest
}

/// "When am I free to answer my mail" is about free time.
fn comes_second(frame: &Frame) -> bool {
    match (frame.place_of(FREE), frame.place_of(MAIL)) {
        (Some(free), Some(mail)) => free < mail,
        _ => false,
    }
}

fn whom(frame: &mut Frame, sent: bool, mut people: Vec<Who>) -> Vec<Who> {
    if sent && people.is_empty() {
        people = who::after(frame, &["to"]);
    }
    if people.is_empty() {
        people.extend(who::anywhere(frame));
    }
    people
}

/// "What did I send", "have I replied", "my sent mail".
fn by_me(frame: &Frame) -> bool {
    let mine = (0..frame.texts.len()).any(|at| {
        frame.texts[at] == "i"
            && frame.texts[at + 1..].iter().take(3).any(|text| {
                (is_any(text, WRITES) || matches!(*text, "tell" | "told"))
                    && !matches!(*text, "heard" | "hear" | "mail" | "message")
            })
            && !frame.texts[at + 1..].iter().take(2).any(|text| matches!(*text, "get" | "have"))
    });
    let got_back = frame.says(&["get", "back", "to"]) || frame.says(&["got", "back", "to"]);
    let i_got_back = got_back
        && !frame.says(&["back", "to", "me"])
        && (frame.says(&["did", "i"]) || frame.says(&["have", "i"]));
    mine || i_got_back
        || ["mail", "mails", "email", "emails", "messages", "folder", "items"]
            .iter()
            .any(|noun| frame.says(&["sent", noun]))
        || frame.says(&["sent", "by", "me"])
}

/// The text of one mail is wanted, not a list.
fn wants_the_text(frame: &Frame, asked: &Asked, people: &[Who]) -> bool {
    let shows = frame.starts_with_any(SHOWS);
    let says = frame.starts(&["what"]) && frame.has(SAYS) && !people.is_empty();
    let wrote = frame.starts(&["what", "did"])
        && frame.has(&["write"])
        && frame.when.is_none()
        && !people.is_empty();
    let what_about = frame.starts(&["what", "is"]) || frame.starts(&["what", "was"]);
    let what_about = what_about && frame.texts.last() == Some(&"about") && !people.is_empty();
    let wrote_about =
        frame.starts(&["what", "did"]) && !frame.topic.is_empty() && !people.is_empty();
    let within = asks_within(frame) && frame.topic.is_empty() && !people.is_empty();
    let singular = asked.one || !asked.plural;
    asked.about.folder == Folder::Received
        && (says || wrote || what_about || wrote_about || within || (shows && singular))
}

/// "What did Yuki change in the launch plan".
fn changed_something(frame: &Frame) -> bool {
    const DOES: &[&str] = &[
        "change", "changed", "decide", "propose", "suggest", "ask", "need", "offer", "promise",
        "request", "report", "find", "add", "think", "explain",
    ];
    let does = frame.texts.iter().take(5).any(|text| is_any(text, DOES));
    frame.starts(&["what", "did"]) && does && who::is_known(frame, 2)
}

/// "Did Jonas say when they arrive", "how much is the invoice from Paperlane": what is
/// asked for stands in the mail, and a list of mails does not tell it.
fn asks_within(frame: &Frame) -> bool {
    const TELLS: &[&str] = &["say", "mention", "write", "tell", "said", "mentioned"];
    const WHAT: &[&str] =
        &["when", "where", "how", "what", "which", "why", "who", "whether", "if", "much"];
    let told = (1..frame.texts.len())
        .find(|&at| is_any(frame.texts[at], TELLS))
        .is_some_and(|at| frame.texts[at + 1..].iter().take(3).any(|text| is_any(text, WHAT)));
    let did = frame.starts_with_any(&["did", "has", "does"]) && told;
    let amount = frame.starts(&["how", "much"]) && frame.has(&["is", "was", "are", "does", "cost"]);
    let due = frame.starts(&["when"])
        && frame.has(&["from"])
        && frame.has(&["due", "arrive", "arrives", "come", "comes", "delivered", "ship", "ships"]);
    // "What did Yuki change in the plan": whatever it was, she wrote of it.
    let did = did || changed_something(frame);
    did || amount && !frame.has(CALENDAR) && !frame.has(&["time"]) || due
}
