//! Looking for mail, and opening one.

use brain::plan::{ProposedStep, from_step};
use brain::resolve::time::{cardinal, length, ordinal};
use serde_json::json;

use super::frame::Frame;
use super::vocabulary::{CALENDAR, FREE, LATEST, MAIL, ONE_MAIL, SAYS, WRITES, is_any};
use super::who::{self, Who};
use super::{Lookup, Meaning};
use crate::gist::{AboutLetters, Chat, Folder, Gist, Want};

const MOST: u64 = 10;
const SHOWS: &[&str] = &["read", "open", "play"];

/// A search, or the opening of one mail; `None` when mail is not spoken of.
pub fn read(frame: &mut Frame) -> Option<Meaning> {
    if let Some(meaning) = read_on(frame).or_else(|| pointed_at(frame)) {
        return Some(meaning);
    }
    let sent = by_me(frame);
    let senders = if sent { Vec::new() } else { who::after(frame, &["from", "by"]) };
    let named = frame.has(MAIL) || means_mail(frame);
    let writer = if senders.is_empty() && !sent { writer(frame) } else { None };
    if !(named || sent || writer.is_some() || !senders.is_empty()) || comes_second(frame) {
        return None;
    }
    frame.look_back();
    let people = whom(frame, sent, senders.into_iter().chain(writer).collect());
    let asked = Asked::of(frame, sent, people.is_empty());
    let opens = wants_the_text(frame, &asked, &people);
    let people: Vec<_> =
        if opens || asked.one { people } else { people.into_iter().map(Who::in_a_list).collect() };
    if let Some(question) = people.iter().find_map(Who::question) {
        return Some(Meaning::Ask(question));
    }
    if opens {
        return Some(Meaning::Look(vec![asked.opening(people.first())]));
    }
    let people: Vec<_> =
        if people.is_empty() { vec![None] } else { people.iter().map(Some).collect() };
    Some(Meaning::Look(people.into_iter().map(|who| asked.search(who)).collect()))
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
    who::writer(frame).or_else(|| if frame.has(wrote) { who::anywhere(frame) } else { None })
}

/// Mail is meant without being named.
fn means_mail(frame: &Frame) -> bool {
    let news: &[&[&str]] = &[
        &["came", "in"],
        &["come", "in"],
        &["what", "is", "new"],
        &["anything", "new"],
        &["did", "i", "miss"],
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
    let writers = frame.starts(&["who"]) && frame.has(&["emailed", "wrote", "mailed", "messaged"]);
    let everything =
        frame.has(&["everything", "anything", "something"]) && !frame.topic.is_empty() && !others;
    let latest = frame.has(&["latest", "update"]) && !frame.topic.is_empty();
    let newest = frame.starts_with_any(SHOWS)
        && frame.has(&["latest", "newest"])
        && frame.left_over(&[SHOWS, LATEST]).is_empty();
    let said = news.iter().any(|words| frame.says(words));
    said || searches || writers || everything || latest || newest
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

/// What was asked for, before it is known of whom.
struct Asked {
    about: AboutLetters,
    /// The terms before and behind the person.
    front: Vec<String>,
    behind: Vec<String>,
    most: u64,
    one: bool,
    plural: bool,
}

impl Asked {
    fn of(frame: &mut Frame, sent: bool, from_anybody: bool) -> Self {
        let drafts = frame.has(&["draft", "drafts"]);
        let folder = match (sent, drafts) {
            (_, true) => Folder::Drafts,
            (true, false) => Folder::Sent,
            (false, false) => Folder::Received,
        };
        let count = count(frame);
        // Unread mail is many, whatever the grammar says.
        let all_unread = frame.says(&["unread", "mail"]) && !says_latest(frame);
        let plural = all_unread
            || frame.has(&["mails", "emails", "messages", "letters", "drafts", "threads"]);
        let one = count.is_none() && !plural && says_latest(frame);
        let marked = terms_for_marks(frame);
        let words = search_words(frame);
        let when = frame.reading().cloned();
        let bare = from_anybody && marked.is_empty() && words.is_empty() && when.is_none();
        let unread = folder == Folder::Received && (says_new(frame) || (bare && says_check(frame)));

        let mut front = Vec::new();
        match folder {
            Folder::Drafts => front.push("in:drafts".to_owned()),
            Folder::Sent => front.push("in:sent".to_owned()),
            Folder::Received if unread => front.push("is:unread".to_owned()),
            Folder::Received => {}
        }
        let topic = topic_said(frame, &words);
        let mut behind = marked;
        behind.extend(words);
        if !behind.iter().any(|term| term.starts_with("subject:")) {
            behind.extend(frame.phrases.iter().map(|phrase| {
                if phrase.contains(' ') { format!("\"{phrase}\"") } else { phrase.clone() }
            }));
        }
        if let Some(reading) = &when {
            behind.push(super::when::as_query(reading, &frame.now));
        }
        let want = if frame.says(&["how", "many"]) {
            Want::Count
        } else if one {
            Want::One
        } else if frame.asks_whether() {
            Want::Whether
        } else {
            Want::List
        };
        let about = AboutLetters {
            who: None,
            address: None,
            several_people: false,
            folder,
            unread,
            topic,
            when: when.map(|reading| reading.said),
            want,
        };
        let most = if one { 1 } else { count.unwrap_or(MOST) };
        Self { about, front, behind, most, one, plural }
    }

    fn query(&self, who: Option<&Who>) -> String {
        let side = if self.about.folder == Folder::Sent { "to" } else { "from" };
        let person = who.map(|who| match who {
            Who::Known { address, .. } => format!("{side}:{address}"),
            Who::Stranger(name) => {
                name.split(' ').map(|part| format!("{side}:{part}")).collect::<Vec<_>>().join(" ")
            }
            Who::Everybody(name) => format!("{side}:{}", name.to_lowercase()),
            Who::OneOf { .. } => String::new(),
        });
        let narrowed = self.behind.iter().any(|term| {
            !["after:", "before:", "newer_than:"].iter().any(|start| term.starts_with(start))
        });
        let inbox =
            (self.front.is_empty() && person.is_none() && !narrowed).then(|| "in:inbox".to_owned());
        let terms = inbox.into_iter().chain(self.front.iter().cloned()).chain(person);
        terms.chain(self.behind.iter().cloned()).collect::<Vec<_>>().join(" ")
    }

    fn about(&self, who: Option<&Who>) -> AboutLetters {
        AboutLetters {
            who: who.map(Who::called),
            address: who.and_then(Who::address),
            several_people: matches!(who, Some(Who::Everybody(_))),
            ..self.about.clone()
        }
    }

    fn step(&self, who: Option<&Who>, most: u64) -> ProposedStep {
        ProposedStep {
            tool: "gmail.search".into(),
            args: json!({ "query": self.query(who), "max_results": most }),
        }
    }

    fn search(&self, who: Option<&Who>) -> Lookup {
        let about = self.about(who);
        let acknowledgement = acknowledge(&about);
        Lookup {
            steps: vec![self.step(who, self.most)],
            gist: Gist::Letters(about),
            acknowledgement,
        }
    }

    fn opening(&self, who: Option<&Who>) -> Lookup {
        let search = AboutLetters { want: Want::One, ..self.about(who) };
        let acknowledgement = match &search.who {
            Some(who) => format!("Opening the mail from {who}."),
            None => "Opening that mail.".to_owned(),
        };
        let open = ProposedStep {
            tool: "gmail.get_message".into(),
            args: json!({ "message_id": from_step(1, "/messages/0/message_id") }),
        };
        Lookup {
            steps: vec![self.step(who, 1), open],
            gist: Gist::Letter { search: Some(search), rest: false },
            acknowledgement,
        }
    }
}

fn acknowledge(about: &AboutLetters) -> String {
    match (&about.who, about.folder, about.unread, &about.topic) {
        (Some(who), Folder::Sent, ..) => format!("Looking for what you sent {who}."),
        (Some(who), _, true, _) => format!("Looking for new mail from {who}."),
        (Some(who), ..) => format!("Looking for mail from {who}."),
        (None, Folder::Sent, ..) => "Looking at your sent mail.".to_owned(),
        (None, Folder::Drafts, ..) => "Looking at your drafts.".to_owned(),
        (None, _, _, Some(topic)) => format!("Looking for mail about {topic}."),
        (None, _, true, None) => "Checking for new mail.".to_owned(),
        (None, ..) => "Looking at your mail.".to_owned(),
    }
}

/// The text of one mail is wanted, not a list.
fn wants_the_text(frame: &Frame, asked: &Asked, people: &[Who]) -> bool {
    let shows = frame.starts_with_any(SHOWS);
    let says = frame.starts(&["what"]) && frame.has(SAYS) && !people.is_empty();
    let wrote_about =
        frame.starts(&["what", "did"]) && !frame.topic.is_empty() && !people.is_empty();
    let singular = asked.one || !asked.plural;
    asked.about.folder == Folder::Received && (says || wrote_about || (shows && singular))
}

/// "Read on", after a long mail was read in part. A plain yes will do where
/// that was offered.
fn read_on(frame: &Frame) -> Option<Meaning> {
    let asked = READ_ON.iter().any(|words| frame.texts == *words);
    let letter = frame.world.focus.opened.as_ref().filter(|_| asked)?;
    Some(Meaning::Look(vec![open(&letter.message_id, true)]))
}

const READ_ON: &[&[&str]] = &[
    &["read", "on"],
    &["go", "on"],
    &["keep", "going"],
    &["keep", "reading"],
    &["continue"],
    &["continue", "reading"],
    &["read", "the", "rest"],
    &["the", "rest"],
    &["and", "the", "rest"],
    &["read", "me", "the", "rest"],
    &["more"],
];

fn open(message_id: &str, rest: bool) -> Lookup {
    Lookup {
        steps: vec![ProposedStep {
            tool: "gmail.get_message".into(),
            args: json!({ "message_id": message_id }),
        }],
        gist: Gist::Letter { search: None, rest },
        acknowledgement: if rest { "Reading on." } else { "Opening it." }.to_owned(),
    }
}

/// "It", "the second one", "the one from Priya": what has just been shown.
fn pointed_at(frame: &mut Frame) -> Option<Meaning> {
    let shows = frame.starts_with_any(SHOWS) || frame.starts(&["show", "me"]);
    let says = frame.starts(&["what", "does", "it", "say"])
        || frame.starts(&["what", "does", "that", "say"])
        || frame.starts(&["what", "does", "that", "one", "say"]);
    let place = pointed_place(frame);
    let this = frame.has(&["it", "that", "this"])
        && (frame.texts.len() <= 5 && frame.left_over(&[SHOWS, ONE_MAIL, SAYS]).is_empty());
    if !((shows || says) && (place.is_some() || this)) && !is_only_place(frame, place) {
        return None;
    }
    let focus = &frame.world.focus;
    let letter = match place {
        Some(Place::Nth(n)) => focus.letters.get(n),
        Some(Place::Last) => focus.letters.last(),
        None => focus.this_letter(),
    };
    Some(match letter {
        Some(letter) => Meaning::Look(vec![open(&letter.message_id, false)]),
        None => Meaning::Chat(Chat::NothingToPointAt),
    })
}

#[derive(Clone, Copy)]
enum Place {
    Nth(usize),
    Last,
}

/// "The second one", "number two", "the last one"; and "the first email" once
/// a list has been shown.
fn pointed_place(frame: &Frame) -> Option<Place> {
    let shown = !frame.world.focus.letters.is_empty();
    (0..frame.texts.len()).find_map(|at| {
        let rest = &frame.texts[at..];
        if let ["number", ..] = rest {
            let (n, _) = cardinal(&rest[1..])?;
            return usize::try_from(n).ok()?.checked_sub(1).map(Place::Nth);
        }
        let one = |used: usize| match rest.get(used) {
            Some(&"one") => true,
            Some(noun) => shown && is_any(noun, ONE_MAIL),
            None => shown && used == rest.len(),
        };
        if rest[0] == "last" && rest.get(1) == Some(&"one") {
            return Some(Place::Last);
        }
        let (n, used) = ordinal(rest)?;
        one(used).then(|| usize::try_from(n).ok()?.checked_sub(1).map(Place::Nth)).flatten()
    })
}

/// "The second one", and nothing else.
fn is_only_place(frame: &Frame, place: Option<Place>) -> bool {
    place.is_some() && frame.texts.len() <= 3 && !frame.has(MAIL)
}

fn says_latest(frame: &Frame) -> bool {
    frame.has(LATEST) && !frame.says(&["at", "most"])
}

/// "Last five emails", "5 most recent mails", "show 3 messages".
fn count(frame: &Frame) -> Option<u64> {
    (0..frame.texts.len()).find_map(|at| {
        if frame.is_taken(at) {
            return None;
        }
        let (n, used) = cardinal(&frame.texts[at..])?;
        let before = at.checked_sub(1).map_or("", |before| frame.texts[before]);
        let after = frame.texts.get(at + used).copied().unwrap_or("");
        let counts = is_any(before, LATEST) || is_any(after, LATEST) || is_any(after, MAIL);
        (counts && (1..=50).contains(&n)).then_some(u64::from(n))
    })
}

fn says_new(frame: &Frame) -> bool {
    frame.has(&["unread", "new", "unopened"])
        || frame.says(&["did", "i", "miss"])
        || frame.says(&["have", "i", "missed"])
}

/// "Check my mail", "do I have mail": what is new is meant.
fn says_check(frame: &Frame) -> bool {
    frame.starts_with_any(&["check"])
        || (frame.starts_with_any(&["any", "do", "have", "did", "is"])
            && frame.left_over(&[MAIL, WRITES]).is_empty()
            && frame.texts.len() <= 6)
}

/// `label:` and `subject:`.
fn terms_for_marks(frame: &mut Frame) -> Vec<String> {
    let mut terms = Vec::new();
    let labelled = frame.place_of(&["labelled", "labeled", "label", "tagged", "tag"]);
    if let Some(at) = labelled.filter(|at| at + 1 < frame.texts.len()) {
        terms.push(format!("label:{}", frame.texts[at + 1]));
        frame.take(at..at + 2);
    }
    let Some(at) = frame.place_of(&["subject", "titled"]) else { return terms };
    frame.take(at..at + 1);
    // "The subject of the last mail" asks for one; it names none.
    if frame.texts.get(at + 1) == Some(&"of") {
        return terms;
    }
    if let Some(phrase) = frame.phrases.first() {
        terms.extend(phrase.split(' ').map(|word| format!("subject:{word}")));
        return terms;
    }
    // "With the subject invoice", or "invoice in the subject".
    let behind = at + 1 < frame.texts.len() && !frame.is_taken(at + 1);
    let in_the = at.checked_sub(2).filter(|&start| frame.texts[start] == "in");
    let words = match in_the {
        Some(start) => start.saturating_sub(1)..start,
        None if behind => at + 1..frame.texts.len(),
        None => return terms,
    };
    for place in words {
        if !frame.is_taken(place) && !is_any(frame.texts[place], super::vocabulary::EMPTY) {
            terms.push(format!("subject:{}", frame.texts[place]));
            frame.take(place..place + 1);
        }
    }
    terms
}

/// What mail has to contain: what it is about, and every word nobody else took.
fn search_words(frame: &Frame) -> Vec<String> {
    let known: &[&[&str]] =
        &[MAIL, WRITES, SAYS, SHOWS, &["told"], LATEST, &["labelled", "unopened"]];
    let counted: Vec<_> =
        frame.left_over(known).into_iter().filter(|word| cardinal(&[word]).is_none()).collect();
    // A colon would make an operator of a word.
    let plain = |word: &str| word.replace([':', '/'], " ");
    frame.topic.iter().copied().chain(counted).map(plain).collect()
}

fn topic_said(frame: &Frame, words: &[String]) -> Option<String> {
    let mut said = words.to_vec();
    said.extend(frame.phrases.iter().map(|phrase| format!("“{phrase}”")));
    (!said.is_empty()).then(|| said.join(" "))
}
