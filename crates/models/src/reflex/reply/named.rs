//! Which card a sentence points at, and what is left of it without that.
//!
//! "Yes, send the mail to Priya" is "yes send it" about one card, with its
//! recipient named. Only words that stand on a card are taken out; everything
//! else stays and keeps the rest from being a plain yes.

use brain::card::{Preview, Recipient};
use brain::resolve::people;
use brain::resolve::time::{self, Lean, ordinal};
use brain::resolve::words::{Word, words};

use super::{CardView, misheard};
use crate::World;
use crate::reflex::consent;
use crate::reflex::vocabulary::{EMPTY, is_any};

const MAIL_NOUNS: &[&str] = &["mail", "email", "message", "reply", "answer", "note", "letter"];
const EVENT_NOUNS: &[&str] =
    &["meeting", "event", "appointment", "invite", "invites", "invitation", "invitations", "entry"];
const MEMORY_NOUNS: &[&str] = &["memory", "note"];
const INVITES: &[&str] = &["invite", "invites", "invitation", "invitations"];

/// What one does with an event; on anything else these are no consent.
const BOOKS: &[&[&str]] = &[
    &["put", "it", "on", "my", "calendar"],
    &["put", "it", "on", "the", "calendar"],
    &["put", "it", "in", "my", "calendar"],
    &["put", "it", "in", "the", "calendar"],
    &["add", "it", "to", "my", "calendar"],
    &["add", "it", "to", "the", "calendar"],
    &["put", "it", "in"],
    &["put", "it", "on"],
    &["schedule", "it"],
    &["create", "it"],
    &["add", "it"],
    &["book", "that"],
    &["schedule", "that"],
];
const SENDS: &[&[&str]] = &[&["mail", "it"], &["email", "it"]];

/// A sentence with the cards' own words taken out.
#[derive(Debug)]
pub struct Named {
    /// What is left, with "it" for what was pointed at.
    pub rest: Vec<String>,
    /// Which of the cards it can be about.
    pub cards: Vec<bool>,
    /// A card was pointed at, by its name, its kind, its people or its verb.
    pub points: bool,
    /// The addresses of those on a card who were named.
    pub people: Vec<String>,
    /// Names behind "to" and "with" of people who are on no card.
    pub others: Vec<String>,
}

impl Named {
    pub fn of(said: &[Word], cards: &[CardView<'_>], world: &World) -> Self {
        let mut named = Self {
            rest: Vec::new(),
            cards: vec![true; cards.len()],
            points: false,
            people: Vec::new(),
            others: Vec::new(),
        };
        let texts: Vec<&str> =
            said.iter().map(|word| if word.quoted { "\"" } else { &word.text }).collect();
        let mut at = 0;
        while at < texts.len() {
            at += named
                .ordinal(&texts[at..])
                .or_else(|| named.object(&texts, at, cards, world))
                .or_else(|| named.person(&texts, at, cards, world))
                .unwrap_or_else(|| {
                    named.rest.push(texts[at].to_owned());
                    1
                });
        }
        named.verbs(cards, world.focus.is_spoken);
        named
    }

    /// The places of the cards that are left.
    pub fn candidates(&self) -> Vec<usize> {
        (0..self.cards.len()).filter(|&card| self.cards[card]).collect()
    }

    pub fn text(&self) -> String {
        self.rest.join(" ")
    }

    fn only(&mut self, fits: impl Fn(usize) -> bool) {
        self.points = true;
        for (place, card) in self.cards.iter_mut().enumerate() {
            *card = *card && fits(place);
        }
    }

    fn say_it(&mut self) {
        // "Yes to lunch" is a yes.
        if matches!(self.rest.last().map(String::as_str), Some("to" | "with" | "for" | "on")) {
            self.rest.pop();
        } else {
            self.rest.push("it".to_owned());
        }
    }

    /// "The first one", of several.
    fn ordinal(&mut self, texts: &[&str]) -> Option<usize> {
        let the = usize::from(texts.first() == Some(&"the"));
        let (n, used) = ordinal(texts.get(the..)?)?;
        let one = usize::from(texts.get(the + used) == Some(&"one"));
        let place = usize::try_from(n).ok()?.checked_sub(1)?;
        if self.cards.len() < 2 || place >= self.cards.len() || the + one == 0 {
            return None;
        }
        self.only(|card| card == place);
        self.say_it();
        Some(the + used + one)
    }

    /// "The mail", "that meeting", "lunch with Tom".
    fn object(
        &mut self,
        texts: &[&str],
        at: usize,
        cards: &[CardView<'_>],
        world: &World,
    ) -> Option<usize> {
        // "Do lunch" is another matter than "do it".
        if self.rest.last().is_some_and(|last| last == "do") {
            return None;
        }
        let which = texts[at];
        let the = usize::from(matches!(which, "the" | "that" | "this" | "my"));
        let behind = texts.get(at + the..)?;
        let noun = *behind.first()?;
        let place = self.place(which, at, texts);
        let titled: Vec<usize> =
            cards.iter().map(|card| title_at(behind, place, card, world)).collect();
        if let Some(longest) = titled.iter().max().copied().filter(|used| *used > 0) {
            self.only(|card| titled[card] == longest);
            self.say_it();
            return Some(the + longest);
        }
        let (mail, event) = (is_any(noun, MAIL_NOUNS), is_any(noun, EVENT_NOUNS));
        let memory = is_any(noun, MEMORY_NOUNS);
        // "Mail it" and "reply" are verbs.
        if !(mail || event || memory)
            || the == 0 && self.rest.last().is_none_or(|last| last != "send")
        {
            return None;
        }
        // "The reply" and "the mail", where one of each is open.
        let answers = |card: &CardView<'_>| card.called.starts_with("the reply");
        let mails = || cards.iter().filter(|card| matches!(card.preview, Preview::Email(_)));
        let both = mails().any(answers) && !mails().all(answers);
        let replies = is_any(noun, &["reply", "answer"]);
        let shown = |card: usize| match cards[card].preview {
            Preview::Email(_) => mail && (!both || answers(&cards[card]) == replies),
            Preview::Event(_) => event,
            Preview::Memory(_) => memory,
            Preview::Lines { .. } => false,
        };
        self.only(shown);
        if is_any(noun, INVITES) && self.rest.last().is_some_and(|last| last == "send") {
            self.rest.pop();
            self.rest.push("book".to_owned());
        }
        self.say_it();
        Some(the + 1)
    }

    /// Is this where a thing is named, rather than something said of it?
    fn place(&self, which: &str, at: usize, texts: &[&str]) -> Place {
        let before = self.rest.last().map_or("", String::as_str);
        if matches!(which, "the" | "my") || is_any(before, TAKES_OBJECT) {
            Place::Object
        } else if matches!(which, "that" | "this") || is_any(before, TAKES_NAME) {
            Place::Maybe
        } else if at == 0 && !texts.iter().any(|text| is_any(text, CONSENTS)) {
            Place::Object
        } else {
            Place::Elsewhere
        }
    }

    /// "To Priya", "with Tom and Ana", "send Priya the mail".
    fn person(
        &mut self,
        texts: &[&str],
        at: usize,
        cards: &[CardView<'_>],
        world: &World,
    ) -> Option<usize> {
        let link = matches!(texts[at], "to" | "with" | "for");
        let before = self.rest.last().map_or("", String::as_str);
        let verb = matches!(before, "send" | "mail");
        let bare = cards.len() == 1 && self.only_says_yes();
        // "Thanks to Priya" and "fine with Priya" are said of her, not to her.
        if !(link || verb || bare) || is_any(before, SAID_OF) {
            return None;
        }
        let plainly = texts[at] == "to";
        let mut next = at + usize::from(link);
        let mut found = Vec::new();
        while let Some((address, used)) = on_card(texts.get(next..)?, plainly, cards, world) {
            found.push(address);
            next += used;
            let and = texts.get(next) == Some(&"and");
            if !and || on_card(texts.get(next + 1..)?, plainly, cards, world).is_none() {
                break;
            }
            next += 1;
        }
        if found.is_empty() {
            let titled =
                cards.iter().any(|card| title_at(&texts[at + 1..], Place::Object, card, world) > 0);
            let name = texts.get(at + 1).filter(|name| !titled && is_somebody(name, world));
            // "I don't want to send it"
            let does = plainly && name.is_some_and(|name| is_any(name, VERBS));
            if link
                && !does
                && let Some(name) = name
            {
                self.others.push((*name).to_owned());
            }
            return None;
        }
        // "Yes, Priya" names her. Whatever comes behind it is said to her.
        let polite = |text: &str| is_any(text, &["please", "thanks"]);
        if bare && !link && !texts[next..].iter().all(|text| polite(text)) {
            return None;
        }
        let has = |card: usize, address: &String| {
            cards[card].preview.recipients().any(|one| one.address.eq_ignore_ascii_case(address))
        };
        self.only(|card| found.iter().all(|address| has(card, address)));
        self.people.extend(found);
        Some(next - at)
    }

    /// So far there is a yes and nothing else.
    fn only_says_yes(&self) -> bool {
        matches!(self.rest.as_slice(), [yes] if is_any(yes, &["yes", "yep", "yup", "yeah"]))
    }

    /// "Send" is said of a mail, "book" of an event.
    fn verbs(&mut self, cards: &[CardView<'_>], is_spoken: bool) {
        for (phrases, verb) in [(BOOKS, "book"), (SENDS, "send")] {
            for phrase in phrases {
                self.replace(phrase, &[verb, "it"]);
            }
        }
        if is_spoken {
            misheard::mended(&mut self.rest);
        }
        self.own_verbs(cards);
        let says = |verb: &str| self.rest.iter().any(|word| word == verb);
        let (sends, books) = (says("send") || says("ship"), says("book"));
        if sends {
            self.only(|card| matches!(cards[card].preview, Preview::Email(_)));
        }
        if books {
            let is_new = |card: &CardView<'_>| matches!(card.preview, Preview::Event(event) if event.change.is_none());
            self.only(|card| is_new(&cards[card]));
        }
    }

    /// "Yes, keep it", "yes, cancel it": a yes to the one card that asks that.
    fn own_verbs(&mut self, cards: &[CardView<'_>]) {
        let [CardView { preview, .. }] = cards else { return };
        let fits = match preview {
            Preview::Memory(memory) if memory.forgets => consent::FORGETS,
            Preview::Memory(_) => consent::KEEPS,
            Preview::Event(event) if event.cancels() => consent::CANCELS,
            Preview::Event(event) if event.change.is_some() => consent::MOVES,
            Preview::Email(_) | Preview::Event(_) | Preview::Lines { .. } => return,
        };
        let texts: Vec<&str> = self.rest.iter().map(String::as_str).collect();
        let Some(at) = consent::order_behind_yes(&texts) else { return };
        if is_any(texts[at], fits) {
            "do".clone_into(&mut self.rest[at]);
        }
    }

    fn replace(&mut self, phrase: &[&str], with: &[&str]) {
        let place = self.rest.windows(phrase.len()).position(|window| window == phrase);
        if let Some(at) = place {
            let with = with.iter().map(|&word| word.to_owned());
            self.rest.splice(at..at + phrase.len(), with);
        }
    }
}

/// Behind these a name tells whose doing or whose opinion it is.
const SAID_OF: &[&str] = &[
    "thanks", "you", "good", "great", "fine", "right", "correct", "perfect", "lovely", "nice",
    "cool", "ready",
];

/// Where in a sentence a title would stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// "Book …", "yes to …": a thing is named here, whatever it is called.
    Object,
    /// "That …", "with …": it could be said of something, so one plain word
    /// is not enough.
    Maybe,
    /// "Yes, …": what comes here is said about the yes.
    Elsewhere,
}

const TAKES_OBJECT: &[&str] = &[
    "send", "book", "cancel", "schedule", "confirm", "approve", "delete", "drop", "scrap", "skip",
    "forget", "to", "add", "put", "move", "about", "of",
];
/// What one can want to do; nobody is called so.
const VERBS: &[&str] =
    &["send", "book", "do", "add", "be", "go", "keep", "say", "write", "have", "see", "make"];
const TAKES_NAME: &[&str] = &["for", "with", "on", "is", "was", "does"];

/// How many words here are an event's title: all of it, two words of it that
/// mean something, or the meal it is. No title makes a name of a word that
/// says wait, later, change or tomorrow.
fn title_at(texts: &[&str], place: Place, card: &CardView<'_>, world: &World) -> usize {
    let Preview::Event(event) = card.preview else { return 0 };
    if place == Place::Elsewhere {
        return 0;
    }
    let title: Vec<String> = words(&event.title).into_iter().map(|word| word.text).collect();
    let same = texts.iter().zip(&title).take_while(|(text, word)| *text == word).count();
    let means = |word: &&str| !is_any(word, EMPTY) && !is_any(word, CONSENTS);
    let points = |used: &usize| {
        let named = &texts[..*used];
        let meaning = named.iter().filter(|word| means(word)).count();
        let kind = *used == 1 && is_any(named[0], KINDS);
        let whole = *used == title.len() && place == Place::Object;
        // "Lunch with" points at nothing more than "lunch" does.
        means(&named[0])
            && means(&named[*used - 1])
            && (whole || kind || meaning >= 2)
            && !named.iter().any(|word| consent::is_doubt(word))
            && !says_when(&named.join(" "), world)
    };
    (1..=same).rev().find(points).unwrap_or(0)
}

/// One word that says enough of what an event is.
const KINDS: &[&str] = &[
    "lunch",
    "dinner",
    "breakfast",
    "brunch",
    "supper",
    "coffee",
    "drinks",
    "dentist",
    "doctor",
    "gym",
    "yoga",
    "stand-up",
    "interview",
    "workshop",
    "party",
];

/// "May" and "Friday" are when, whoever is called that.
fn says_when(said: &str, world: &World) -> bool {
    time::find(&words(said), &world.local_now(), Lean::Ahead).is_some()
}

/// No title makes one of these a name.
const CONSENTS: &[&str] = &[
    "yes",
    "yeah",
    "yep",
    "yup",
    "no",
    "nope",
    "send",
    "book",
    "sure",
    "confirm",
    "confirmed",
    "approve",
    "approved",
    "absolutely",
    "definitely",
    "wait",
    "cancel",
    "stop",
    "maybe",
    "ok",
    "okay",
];

/// Names that are words as well. They are names behind "to" only.
const ALSO_WORDS: &[&str] = &[
    "april",
    "art",
    "august",
    "autumn",
    "bill",
    "chance",
    "chase",
    "christian",
    "dawn",
    "dean",
    "drew",
    "eve",
    "faith",
    "frank",
    "gene",
    "grace",
    "grant",
    "guy",
    "hope",
    "joy",
    "june",
    "love",
    "mark",
    "max",
    "may",
    "melody",
    "miles",
    "page",
    "pat",
    "patience",
    "penny",
    "ray",
    "reed",
    "rich",
    "rob",
    "rose",
    "sky",
    "star",
    "sue",
    "summer",
    "ward",
    "will",
];

/// Somebody on a card by any of their names, and the words it takes. `plainly`
/// when it stands where nothing but a name can.
fn on_card(
    texts: &[&str],
    plainly: bool,
    cards: &[CardView<'_>],
    world: &World,
) -> Option<(String, usize)> {
    let mine = usize::from(texts.first() == Some(&"my"));
    (1..=3).rev().find_map(|used| {
        let named = texts.get(mine..mine + used)?;
        let name = named.join(" ");
        let doubtful = named.iter().any(|word| consent::is_doubt(word))
            || used == 1 && (says_when(&name, world) || !plainly && is_any(&name, ALSO_WORDS));
        if doubtful {
            return None;
        }
        let mut found: Vec<&str> = Vec::new();
        for one in cards.iter().flat_map(|card| card.preview.recipients()) {
            if is_called(one, &name, world) && !found.contains(&one.address.as_str()) {
                found.push(&one.address);
            }
        }
        // Two of that name: nobody was named beyond doubt.
        match found.as_slice() {
            [one] => Some(((*one).to_owned(), mine + used)),
            _ => None,
        }
    })
}

/// Is this what somebody is called, by the card or by the contacts?
pub fn is_called(one: &Recipient, name: &str, world: &World) -> bool {
    if one.address.eq_ignore_ascii_case(name) {
        return true;
    }
    let shown = one.name.as_deref().unwrap_or("").to_lowercase();
    let first = shown.split(' ').next() == Some(name) && !name.ends_with('.');
    let on_card = !name.is_empty() && (shown == name || first);
    // A contact of that name with another address makes it doubtful.
    let known = people::known(name, &world.contacts);
    let mine = known.iter().all(|found| found.contact.address.eq_ignore_ascii_case(&one.address));
    mine && (on_card || !known.is_empty())
}

/// Could this be somebody, rather than "it" or "now"?
fn is_somebody(name: &str, world: &World) -> bool {
    !is_any(name, EMPTY) || !people::known(name, &world.contacts).is_empty()
}
