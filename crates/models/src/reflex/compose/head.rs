//! How a mail is asked for: the verb, and the people.

mod words;

use std::ops::Range;

use brain::facts::Letter;
use brain::resolve::time::{cardinal, ordinal};
use brain::resolve::words::Word;

use crate::World;
use crate::reflex::refer::PRONOUNS;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};

/// A request for a mail, taken apart.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is said or not, whatever the others are")]
pub struct Head<'a> {
    /// It answers one.
    pub reply: bool,
    pub manner: Manner,
    pub target: Target<'a>,
    /// "about the samples"
    pub about: Option<String>,
    pub words: Option<String>,
    /// The words are told of, not spoken: "that she can come".
    pub reported: bool,
    /// "Tell Tom to call": an order passed on.
    pub tells: bool,
    /// It is to be written and kept, not sent.
    pub draft: bool,
    /// Where "him" or "her" stood, if that is whom it is for.
    pub pronoun: Option<usize>,
    /// Who is named beside that one, and where all of them stand.
    pub beside: Option<(Vec<Whom>, Range<usize>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// "Email Tom"
    New,
    /// "Tell Tom", "let Tom know"
    Tell,
    /// "Ask Tom"
    Ask,
    /// "Reply to Tom"
    Answer,
}

#[derive(Debug)]
pub enum Target<'a> {
    /// A letter that was pointed at.
    Letter(&'a Letter),
    /// One was pointed at, and there is none.
    Nothing,
    /// One about this, which has to be looked for.
    Topic(String),
    /// Nobody was named; their name would stand behind this place.
    Missing { after: usize },
    /// Their names stand at these places of the request.
    People { people: Vec<Whom>, places: Range<usize> },
}

const NOUNS: &[&str] = &["mail", "email", "message", "note", "line", "letter"];
const SIZES: &[&str] = &[
    "a", "an", "quick", "short", "little", "brief", "new", "the", "same", "friendly", "nice",
    "polite", "kind",
];

/// A place in the request, walked from the verb on.
struct Walk<'a> {
    heard: &'a str,
    words: &'a [Word],
    world: &'a World,
    at: usize,
    pronoun: Option<usize>,
    beside: Option<(Vec<Whom>, Range<usize>)>,
    /// "Tom's lunch mail"
    about: Option<String>,
}

pub fn read<'a>(heard: &'a str, request: &'a [Word], world: &'a World) -> Option<Head<'a>> {
    let mut walk =
        Walk { heard, words: request, world, at: 0, pronoun: None, beside: None, about: None };
    // "Draft a mail", "write a draft".
    let is_draft = |word: &Word| word.is("draft") && !word.quoted;
    let draft = request.iter().take(3).any(is_draft);
    let (mut reply, manner) = walk.verb()?;
    let target = match manner {
        Manner::Answer => walk.answered()?,
        Manner::Tell | Manner::Ask => walk.somebody()?,
        Manner::New => {
            let (target, replies) = walk.receiver()?;
            reply |= replies;
            target
        }
    };
    if manner == Manner::Tell && request[0].is("let") && !walk.skip(&["know"]) {
        return None;
    }
    if walk.skip(&["back"]) {
        reply = true;
    }
    let mut head = Head {
        reply,
        manner,
        target,
        about: walk.about.take(),
        words: None,
        reported: false,
        tells: manner == Manner::Tell,
        draft,
        pronoun: walk.pronoun,
        beside: walk.beside.take(),
    };
    walk.rest(&mut head)?;
    Some(head)
}

impl<'a> Walk<'a> {
    fn text(&self, ahead: usize) -> &'a str {
        self.words.get(self.at + ahead).filter(|word| !word.quoted).map_or("", |word| &word.text)
    }

    /// Everything from here on.
    fn left(&self) -> Vec<&'a str> {
        (0..self.words.len() - self.at).map(|ahead| self.text(ahead)).collect()
    }

    /// Steps over these words if they come next.
    fn skip(&mut self, phrase: &[&str]) -> bool {
        let here = phrase.iter().enumerate().all(|(ahead, text)| self.text(ahead) == *text);
        if here {
            self.at += phrase.len();
        }
        here
    }

    fn skip_any(&mut self, phrases: &[&[&str]]) -> bool {
        phrases.iter().any(|phrase| self.skip(phrase))
    }

    fn verb(&mut self) -> Option<(bool, Manner)> {
        if self.text(1) == "all" {
            return None;
        }
        if self.skip_any(&[
            &["reply"],
            &["respond"],
            &["write", "back"],
            &["get", "back"],
            &["answer"],
        ]) {
            return Some((true, Manner::Answer));
        }
        if self.skip_any(&[&["tell"], &["inform"], &["let"]]) {
            return Some((false, Manner::Tell));
        }
        if self.skip(&["ask"]) {
            return Some((false, Manner::Ask));
        }
        let new = [
            &["email"][..],
            &["mail"],
            &["message"],
            &["write", "to"],
            &["write"],
            &["send"],
            &["drop"],
            &["shoot"],
            &["compose"],
            &["draft"],
        ];
        self.skip_any(&new).then_some((false, Manner::New))
    }

    /// "To Priya", "it", "the second one"; nobody at all is the letter at hand.
    fn answered(&mut self) -> Option<Target<'a>> {
        let to = self.skip(&["to"]);
        if let Some(letter) = self.pointed() {
            return Some(letter);
        }
        let owns = self.words.get(self.at).is_some_and(|word| is_any(&word.text, &["the", "my"]));
        let one = self.text(1) == "one" && self.text(2) == "from";
        if owns && (one || is_any(self.text(1), NOUNS)) {
            self.at += 2;
            if self.skip(&["from"]) {
                return self.people();
            }
            if self.text(0) == "about" && self.text(1) != "it" {
                self.at += 1;
                let topic = self.topic()?;
                return Some(self.about(&topic).map_or(Target::Topic(topic), Target::Letter));
            }
            return Some(self.this());
        }
        // "Reply that I agree", "answer: thanks", "reply yes"; "reply Priya that".
        if !to {
            let named = whom::at(self.words, self.at, self.heard, self.world);
            let known =
                matches!(named, Some((Whom::Known { .. } | Whom::Address(_) | Whom::OneOf(_), _)));
            if !known || self.text(0).is_empty() {
                return Some(self.this());
            }
        } else if self.text(0).is_empty() {
            return Some(self.this());
        }
        let people = self.people()?;
        if self.skip(&["'s"]) {
            self.skip_any(&[&["last"], &["latest"]]);
            // "Tom's lunch mail"
            let ahead = (0..4).find(|&ahead| is_any(self.text(ahead), NOUNS) && !self.says(ahead));
            if let Some(noun) = ahead {
                let topic = &self.words[self.at..self.at + noun];
                self.about = topic
                    .first()
                    .zip(topic.last())
                    .map(|(first, last)| self.heard[first.start..last.end].to_owned());
                self.at += noun + 1;
            }
        }
        Some(people)
    }

    /// Do the words of the mail begin before this place?
    fn says(&self, ahead: usize) -> bool {
        (0..ahead).any(|ahead| is_any(self.text(ahead), &["that", "saying", "with", "and", "i"]))
    }

    /// "Her and Sam", "Sam and her": all of them get it, where the words come next.
    fn take_beside(&mut self) {
        const NEXT: &[&str] = &[
            "that", "saying", "about", "know", "to", "i", "we", "whether", "if", "thanks", "the",
            "my", "our", "it",
        ];
        if self.text(0) != "and" {
            return;
        }
        let is_next = |at: usize| self.words.get(at).is_none_or(|word| is_any(&word.text, NEXT));
        match self.pronoun {
            Some(place) => {
                let (people, end) = whom::list(self.words, self.at + 1, self.heard, self.world);
                let known = |whom: &Whom| !matches!(whom, Whom::Stranger(_));
                if !people.is_empty() && people.iter().all(known) && is_next(end) {
                    self.beside = Some((people, place..end));
                    self.at = end;
                }
            }
            None if is_any(self.text(1), PRONOUNS) && is_next(self.at + 2) => {
                self.pronoun = Some(self.at + 1);
                self.at += 2;
            }
            None => {}
        }
    }

    /// "It", "her", "the second one": what was told of.
    fn pointed(&mut self) -> Option<Target<'a>> {
        let focus = &self.world.focus;
        let of = |letter: Option<&'a Letter>| letter.map_or(Target::Nothing, Target::Letter);
        let this = is_any(self.text(0), &["it", "that", "this", "him", "her", "them"]);
        // "Reply that I agree" points at nothing by "that".
        let to = self.at > 0 && self.words[self.at - 1].is("to");
        if this && (to || self.text(0) != "that") && !self.is_sentence_start(0) {
            self.pronoun = is_any(self.text(0), PRONOUNS).then_some(self.at);
            self.at += 1;
            self.skip_any(&[&["mail"], &["email"], &["message"], &["one"], &["person"]]);
            if self.pronoun.is_some() {
                self.take_beside();
            }
            return Some(self.this());
        }
        let the = usize::from(self.text(0) == "the");
        let texts: Vec<&str> =
            self.words[self.at + the..].iter().map(|word| word.text.as_str()).collect();
        let one =
            |used: usize| texts.get(used).is_some_and(|text| *text == "one" || is_any(text, NOUNS));
        if let ["number", ..] = texts.as_slice() {
            let (n, used) = cardinal(&texts[1..])?;
            self.at += the + 1 + used;
            return Some(of(focus.told_letter(usize::try_from(n).ok()?.checked_sub(1)?)));
        }
        if matches!(texts.first(), Some(&("top" | "newest" | "latest"))) && one(1) {
            self.at += the + 2;
            return Some(of(focus.told_letter(0)));
        }
        if texts.first() == Some(&"last") && one(1) {
            self.at += the + 2;
            return Some(of(focus.threads().last().map(|thread| thread[0])));
        }
        let (n, used) = ordinal(&texts).filter(|(_, used)| one(*used))?;
        self.at += the + used + 1;
        Some(of(focus.told_letter(usize::try_from(n).ok()?.checked_sub(1)?)))
    }

    /// "It is fine", where "it" is no letter.
    fn is_sentence_start(&self, ahead: usize) -> bool {
        is_any(
            self.text(ahead + 1),
            &["is", "was", "will", "works", "can", "sounds", "looks", "would"],
        )
    }

    /// The letter that was told of and has this in its subject.
    fn about(&self, topic: &str) -> Option<&'a Letter> {
        let sought = super::topic(topic).to_lowercase();
        let threads = self.world.focus.threads();
        let mut found = threads
            .iter()
            .map(|thread| thread[0])
            .filter(|letter| letter.subject.to_lowercase().contains(&sought));
        found.next().filter(|_| found.next().is_none())
    }

    fn this(&self) -> Target<'a> {
        let focus = &self.world.focus;
        focus.this_letter().or_else(|| self.latest_of_one()).map_or(Target::Nothing, Target::Letter)
    }

    /// "Check email from Leo, answer that": of several mails of one person, the latest.
    fn latest_of_one(&self) -> Option<&'a Letter> {
        let threads = self.world.focus.threads();
        let latest = *threads.first()?.first()?;
        let theirs = |letter: &&Letter| letter.from.address == latest.from.address;
        threads.iter().all(|thread| thread.iter().all(theirs)).then_some(latest)
    }

    /// "Tell her", "tell Tom and Ana".
    fn somebody(&mut self) -> Option<Target<'a>> {
        if matches!(self.text(0), "me" | "us" | "you" | "a" | "") {
            return None;
        }
        if is_any(self.text(0), PRONOUNS) {
            self.pronoun = Some(self.at);
            self.at += 1;
            self.take_beside();
            return Some(self.this());
        }
        // "Tell the first one thanks"
        if self.text(0) == "the"
            && let Some(letter) = self.pointed()
        {
            self.skip_any(&[&["'s", "sender"], &["'s", "author"]]);
            return Some(letter);
        }
        self.people()
    }

    fn people(&mut self) -> Option<Target<'a>> {
        self.skip(&["both"]);
        let (people, end) = whom::list(self.words, self.at, self.heard, self.world);
        if people.is_empty() {
            return None;
        }
        let places = self.at..end;
        self.at = end;
        self.take_beside();
        if self.pronoun.is_some() {
            self.beside = Some((people.clone(), places.start..self.at));
        }
        Some(Target::People { people, places })
    }

    /// "Ana", "Ana a mail", "a mail to Ana", "a reply to Ana".
    fn receiver(&mut self) -> Option<(Target<'a>, bool)> {
        if matches!(self.text(0), "me" | "us") {
            return None;
        }
        let before = self.at;
        let mut sized = false;
        while is_any(self.text(0), SIZES) {
            self.at += 1;
            sized = true;
        }
        let answers = matches!(self.text(0), "reply" | "answer" | "response");
        let noun = is_any(self.text(0), NOUNS) || sized && self.text(0) == "draft";
        if answers || noun && (sized || self.text(1) == "to") {
            self.at += 1;
            self.skip_any(&[&["back"]]);
            if self.skip(&["to"]) {
                return Some((self.named()?, answers));
            }
            // "Draft a reply that I agree": to the letter at hand.
            if answers {
                return Some((self.this(), true));
            }
            // "Send an email saying I'm late": to whom?
            let says = self.at == self.words.len() || self.has_link();
            return says.then_some((Target::Missing { after: self.at - 1 }, false));
        }
        self.at = before;
        let target = self.named()?;
        let before = self.at;
        while is_any(self.text(0), SIZES) {
            self.at += 1;
        }
        let answers = self.at > before && matches!(self.text(0), "reply" | "answer" | "response");
        if self.at > before && (answers || is_any(self.text(0), NOUNS)) {
            self.at += 1;
            return Some((target, answers));
        }
        self.at = before;
        // "Send Ana the notes" sends something else.
        let sends =
            matches!(self.words[0].text.as_str(), "send" | "drop" | "shoot" | "compose" | "draft");
        let follows = self.text(0) == "the" && self.text(1) == "following";
        (!sends || self.has_link() || follows).then_some((target, false))
    }

    fn named(&mut self) -> Option<Target<'a>> {
        if is_any(self.text(0), PRONOUNS) {
            self.pronoun = Some(self.at);
            self.at += 1;
            self.take_beside();
            return Some(self.this());
        }
        self.people()
    }
}
