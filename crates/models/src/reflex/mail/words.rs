//! What mail has to contain: labels, subjects, and the words nobody else took.

use brain::resolve::time::cardinal;

use super::SHOWS;
use crate::reflex::frame::Frame;
use crate::reflex::vocabulary::{CALENDAR, EMPTY, LATEST, MAIL, SAYS, WRITES, is_any};

/// Words to search for.
pub struct Words {
    /// What it is about, as the person put it.
    topic: Vec<String>,
    /// What was left of the sentence. It may be a description.
    left: Vec<String>,
    /// "Not about": what it is about is what was not wanted.
    turned: bool,
}

impl Words {
    pub fn of(frame: &Frame) -> Self {
        // A colon would make an operator of a word, a bracket a group.
        let plain = |word: &str| word.replace([':', '/', '{', '}'], " ");
        // "What does the mail about the lease say"
        let says =
            frame.starts(&["what"]) && frame.topic.last().is_some_and(|last| is_any(last, SAYS));
        let topic = &frame.topic[..frame.topic.len() - usize::from(says)];
        let topic = topic.iter().copied().filter(|word| !is_any(word, &["not", "but"]));
        let turned = (1..frame.texts.len())
            .any(|at| frame.texts[at] == "about" && frame.texts[at - 1] == "not");
        Self {
            turned,
            topic: topic.map(plain).collect(),
            left: left_over(frame).into_iter().map(plain).collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.topic.is_empty() && self.left.is_empty()
    }

    /// All of them; where only one kind of thing was named, in the singular
    /// or as a label as well.
    pub fn terms(&self) -> Vec<String> {
        if let ([], [only]) = (self.topic.as_slice(), self.left.as_slice()) {
            if let Some(one) = singular(only) {
                return vec![format!("{{{only} {one} label:{only}}}")];
            }
            if is_any(only, LABELS) {
                return vec![format!("{{{only} label:{only}}}")];
            }
        }
        if self.turned {
            let not_about = format!("-\"{}\"", self.topic.join(" "));
            return self.left.iter().cloned().chain([not_about]).collect();
        }
        self.topic.iter().chain(&self.left).cloned().collect()
    }

    /// Any of them, where a description may be in other words than the mail.
    pub fn nearest(&self, alone: bool) -> Option<String> {
        if !alone || !self.topic.is_empty() || self.left.len() < 2 {
            return None;
        }
        let any = self.left.iter().flat_map(|word| {
            let stem = singular(word).or_else(|| stem(word));
            std::iter::once(word.clone()).chain(stem)
        });
        Some(format!("{{{}}}", any.collect::<Vec<_>>().join(" ")))
    }

    /// “taxes”, where mail about them was not wanted.
    pub fn not_about(&self) -> Option<String> {
        self.turned.then(|| format!("“{}”", self.topic.join(" ")))
    }

    /// “flight booking”
    pub fn said(&self, phrases: &[String]) -> Option<String> {
        let topic = if self.turned { &[] } else { self.topic.as_slice() };
        let words: Vec<_> = topic.iter().chain(&self.left).map(String::as_str).collect();
        let words = (!words.is_empty()).then(|| words.join(" "));
        let said: Vec<_> = words.iter().chain(phrases).map(|word| format!("“{word}”")).collect();
        (!said.is_empty()).then(|| said.join(" "))
    }
}

/// What people sort their mail by.
const LABELS: &[&str] = &[
    "work", "family", "friends", "travel", "finance", "home", "health", "running", "personal",
    "school", "shopping", "social",
];

fn left_over<'a>(frame: &Frame<'a>) -> Vec<&'a str> {
    let known: &[&[&str]] =
        &[MAIL, WRITES, SAYS, SHOWS, &["told"], LATEST, &["labelled", "unopened"], FILLERS];
    let mut left = frame.left_over(known);
    let of_bill = asks_of_bill(frame);
    left.retain(|word| {
        cardinal(&[word]).is_none()
            && !is_misspelled_mail(word)
            && word.chars().count() > 1
            && !(of_bill && is_any(word, ASKED_OF_BILLS))
    });
    left
}

/// What has a sum and a day by which it is paid or comes.
const BILLS: &[&str] = &[
    "invoice",
    "bill",
    "order",
    "delivery",
    "package",
    "parcel",
    "shipment",
    "statement",
    "quote",
    "estimate",
    "receipt",
    "premium",
];
const ASKED_OF_BILLS: &[&str] = &[
    "due",
    "total",
    "amount",
    "balance",
    "sum",
    "price",
    "cost",
    "costs",
    "much",
    "paid",
    "pay",
    "owe",
    "deadline",
    "arriving",
    "arrives",
    "coming",
    "comes",
    "delivered",
    "shipped",
];

/// "When is the Paperlane invoice due", "what's the total on it": the mail says so.
pub fn asks_of_bill(frame: &Frame) -> bool {
    let opens = frame.starts(&["when"])
        || frame.starts(&["what", "is"])
        || frame.starts(&["what", "was"])
        || frame.starts(&["how", "much"]);
    let says = (frame.starts(&["what", "did"]) || frame.starts(&["what", "does"]))
        && frame.texts.last().is_some_and(|last| is_any(last, SAYS));
    let elsewhere = frame.has(CALENDAR) || frame.has(&["time", "mail", "mails", "emails"]);
    frame.has(BILLS) && !elsewhere && (opens && frame.has(ASKED_OF_BILLS) || says)
}

/// Words around mail that describe none.
const FILLERS: &[&str] = &[
    "arrived", "arrive", "since", "response", "except", "word", "mentions", "mention", "where",
    "haven't", "without",
];

/// What one calls mail by its kind.
pub const KINDS: &[&str] = &[
    "newsletters",
    "invoices",
    "receipts",
    "bills",
    "statements",
    "bookings",
    "confirmations",
    "promotions",
    "notifications",
];

fn singular(word: &str) -> Option<String> {
    let one =
        word.strip_suffix('s').filter(|one| one.len() >= 4 && !one.ends_with(['s', 'u', 'i']))?;
    Some(match one.strip_suffix("ie") {
        Some(stem) => format!("{stem}y"),
        None => one.to_owned(),
    })
}

/// "Suspension" is found in "suspended".
fn stem(word: &str) -> Option<String> {
    let stem = word.strip_suffix("sion").or_else(|| word.strip_suffix("tion"))?;
    (stem.len() >= 5).then(|| stem.to_owned())
}

/// "Emial", "mial", "inbx": never what a mail is about.
pub fn is_near_mail(frame: &Frame) -> bool {
    frame.left_over(&[]).into_iter().any(is_misspelled_mail)
}

/// Letters swapped, one too many or one missing; "main" is another word.
fn is_misspelled_mail(word: &str) -> bool {
    let slips = |right: &str| {
        let near = strsim::osa_distance(word, right) == 1;
        let letters = |word: &str| {
            let mut letters: Vec<_> = word.chars().collect();
            letters.sort_unstable();
            letters
        };
        near && (word.len() != right.len() || letters(word) == letters(right))
    };
    let right = ["mail", "mails", "email", "emails", "inbox", "message", "messages"];
    word.len() >= 4 && !is_any(word, MAIL) && right.iter().any(|right| slips(right))
}

/// Marks that other mailboxes have. Ours knows unread mail and labels.
const MARKS: &[(&str, &[&str])] = &[
    ("which mail is important", &["important", "urgent", "priority", "pressing"]),
    ("stars", &["starred", "flagged", "stars", "pinned"]),
    ("attachments", &["attachment", "attachments", "attached"]),
    ("the spam folder", &["spam", "junk"]),
];

/// "Any important mails": what cannot be seen is not searched for.
pub fn unknown_mark(frame: &Frame) -> Option<&'static str> {
    let opens = frame.starts_with_any(&["any", "anything", "is", "show", "do", "what", "check"]);
    if frame.has(CALENDAR) || !(opens || frame.has(MAIL)) || !frame.phrases.is_empty() {
        return None;
    }
    let judges = &["real", "legit", "legitimate", "genuine", "phishing", "scam", "fake", "safe"];
    let judged = frame.texts.last().is_some_and(|last| is_any(last, judges));
    if frame.starts_with_any(&["is", "are"]) && judged && frame.has(MAIL) {
        return Some("whether a mail is what it says it is");
    }
    let mine = (0..frame.texts.len()).any(|at| {
        let not = ["have not answered", "have not replied", "did not answer", "did not reply"];
        let said = frame.texts[at..].iter().take(4).copied().collect::<Vec<_>>().join(" ");
        not.iter().any(|not| said.starts_with(&format!("i {not}")))
    });
    if mine || frame.has(&["unanswered"]) {
        return Some("which mail you answered");
    }
    // "What are the brightest stars": of those in the sky nobody asks whether they are there.
    let asks_for_marks = frame.has(MAIL)
        || frame.starts_with_any(&["any", "anything", "show", "check"])
        || frame.starts(&["do", "i", "have"]);
    if frame.has(&["stars"]) && !asks_for_marks {
        return None;
    }
    let marked = MARKS.iter().find(|(_, words)| frame.has(words))?;
    Some(marked.0)
}

/// `label:` and `subject:`.
pub fn terms_for_marks(frame: &mut Frame) -> Vec<String> {
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
        if !frame.is_taken(place) && !is_any(frame.texts[place], EMPTY) {
            terms.push(format!("subject:{}", frame.texts[place]));
            frame.take(place..place + 1);
        }
    }
    terms
}
