//! Where the rules are unsure, and what may be made of it.
//!
//! The rules find the person and the time before the model hears anything; it
//! hears a sentence about Alex and today. What they found goes back into the
//! sentence that is read in the end, and nothing that was said is dropped: who
//! or what has no place there keeps the doubt a doubt.

use brain::plan::Proposal;
use brain::resolve::people;
use brain::resolve::time::{self, Lean};
use brain::resolve::words::{Word, words};

use super::{Intent, Nearest};
use crate::gist::{Chat, Gist};
use crate::{Understanding, World, reflex};

/// More words than a paraphrase of one request has.
const LONG: usize = 20;
/// A name is at most as long as this, in words.
const NAME: usize = 3;
/// Said in place of whoever was named, and of whatever time was.
const SOMEBODY: &str = "alex";
const SOME_TIME: &str = "today";

/// A sentence that the rules are unsure about.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    sentence: String,
    person: Option<String>,
    when: Option<String>,
    /// What the rules could make nothing of but words to search for.
    unread: Vec<String>,
    /// Some of those words name a thing, and a thing is to be searched for.
    names_a_thing: bool,
    /// It tells something rather than asking for it.
    is_told: bool,
}

/// How clear it has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bar {
    score: f32,
    margin: f32,
}

/// Nothing is lost by listening.
const LOST: Bar = Bar { score: 0.50, margin: 0.04 };
/// They would search for words that may be only the person's way of asking.
const GUESSED: Bar = Bar { score: 0.60, margin: 0.06 };

impl Doubt {
    /// None where the rules are sure, and where a paraphrase is not to be made
    /// of it: somebody else's words, something about something, somebody unknown.
    pub fn about(by_rules: &Understanding, heard: &str, world: &World) -> Option<Self> {
        let unread = unread(by_rules)?;
        let words = words(heard);
        if words.is_empty() || words.len() > LONG || words.iter().any(is_beyond) {
            return None;
        }
        let mut marked = Marked::new(&words);
        let when = marked.take_when(world)?;
        let person = marked.take_person(world)?;
        let unknown = |word: &Word| is_name(word, heard) && !marked.knows(word);
        if words.iter().any(unknown) || marked.is_done_to_somebody() {
            return None;
        }
        let names_a_thing = unread.iter().any(|word| is_a_thing(word, &words));
        let is_told = marked.is_told();
        let sentence = marked.neutral();
        Some(Self { sentence, person, when, unread, names_a_thing, is_told })
    }

    /// The sentence as the model hears it.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    /// What the sentence is taken for, where that is clear. It never writes.
    pub fn settle(&self, nearest: Nearest, world: &World) -> Option<Understanding> {
        let intent = nearest.intent;
        let bar = self.bar(intent)?;
        if nearest.score < bar.score || nearest.margin < bar.margin {
            return None;
        }
        self.read_as(intent, world)
    }

    fn read_as(&self, intent: &Intent, world: &World) -> Option<Understanding> {
        if let Some(canonical) = &intent.canonical {
            if self.is_told {
                return None;
            }
            let read = reflex::read(&self.filled(canonical, intent)?, world);
            let is_read = !read.proposal.steps.is_empty() || read.question.is_some();
            return (is_read && !read.gist.writes()).then_some(read);
        }
        let (question, gist) = match (&intent.question, intent.not_yet()) {
            (Some(question), _) => (Some(question.clone()), Gist::Question),
            (None, Some(change)) => (None, Gist::Chat(Chat::NotYet(change))),
            (None, None) => return None,
        };
        let proposal = Proposal::default();
        Some(Understanding { proposal, question, ..Understanding::of(gist) })
    }

    /// How clear it has to be. Words that nobody read may be dropped where our
    /// own examples of it use them; otherwise only where they name nothing.
    fn bar(&self, intent: &Intent) -> Option<Bar> {
        let ours = |word: &String| intent.says(word);
        if self.unread.iter().all(ours) {
            return Some(LOST);
        }
        (!self.names_a_thing && self.person.is_none()).then_some(GUESSED)
    }

    /// Is there a place for everything that was named, and nothing missing?
    pub(super) fn has_room_in(&self, intent: &Intent) -> bool {
        intent.canonical.as_ref().is_none_or(|canonical| {
            let has = |place| canonical.contains(place);
            self.person.is_some() == has("{person}") && (self.when.is_none() || has("{when}"))
        })
    }

    /// What the rules found, in its place. None where it has none, or is missing.
    fn filled(&self, canonical: &str, intent: &Intent) -> Option<String> {
        if !self.has_room_in(intent) {
            return None;
        }
        let when = self.when.as_deref().or(intent.unless_said.as_deref()).unwrap_or_default();
        let person = self.person.as_deref().unwrap_or_default();
        Some(canonical.replace("{person}", person).replace("{when}", when).replace(" ?", "?"))
    }
}

/// What the rules could not read; empty where that is the whole sentence, and
/// none where they are sure.
fn unread(by_rules: &Understanding) -> Option<Vec<String>> {
    let topic = match &by_rules.gist {
        _ if by_rules.question.is_some() => return None,
        Gist::Chat(Chat::Lost) => return Some(Vec::new()),
        Gist::Chat(Chat::Missed(part)) => part,
        Gist::Letters(about) if about.typed.is_none() => about.topic.as_ref()?,
        // "My next call" was read: a call is a kind of meeting, not a way of saying it.
        Gist::Agenda(about) => about.topic.as_ref().filter(|topic| *topic != "call")?,
        _ => return None,
    };
    Some(words(topic).into_iter().map(|word| word.text).filter(|text| text != "the").collect())
}

/// "The rundown", "rundown mail", "when is yoga": not just a way of asking.
fn is_a_thing(unread: &str, words: &[Word]) -> bool {
    const OWNED: &[&str] =
        &["the", "my", "a", "an", "our", "any", "this", "that", "for", "with", "in", "at"];
    const KINDS: &[&str] =
        &["mail", "email", "message", "letter", "meeting", "call", "appointment"];
    let Some(at) = words.iter().position(|word| word.is(unread)) else { return true };
    let named = at > 0 && OWNED.contains(&words[at - 1].text.as_str());
    let is_kind = |word: &Word| KINDS.iter().any(|kind| word.text.starts_with(kind));
    let sought = matches!(words[0].text.as_str(), "when" | "where" | "find" | "search");
    named || sought || words.get(at + 1).is_some_and(is_kind)
}

/// Words that point at something the model cannot see, or are not the person's.
fn is_beyond(word: &Word) -> bool {
    const ABOUT: &[&str] = &["about", "regarding", "concerning", "re", "mentioning", "subject"];
    const POINTING: &[&str] = &["he", "him", "his", "she", "her", "hers", "they", "them"];
    let text = word.text.as_str();
    word.quoted || text.contains('@') || ABOUT.contains(&text) || POINTING.contains(&text)
}

/// Written with a capital inside the sentence: somebody or something by name.
fn is_name(word: &Word, heard: &str) -> bool {
    let raw = &heard[word.start..word.end];
    let is_i = word.text == "i" || raw.starts_with("I'") || raw.starts_with("I’");
    word.start > 0 && !is_i && raw.starts_with(char::is_uppercase)
}

/// Words of which some are a person or a time.
struct Marked<'a> {
    words: &'a [Word],
    stands_for: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Itself,
    Person,
    When,
}

impl<'a> Marked<'a> {
    fn new(words: &'a [Word]) -> Self {
        Self { words, stands_for: vec![Part::Itself; words.len()] }
    }

    /// The words that say when, in one piece; `None` outside where they are not.
    #[expect(clippy::option_option, reason = "no time is fine, one in pieces is not")]
    fn take_when(&mut self, world: &World) -> Option<Option<String>> {
        let Some(when) = time::find(self.words, &world.local_now(), Lean::Ahead) else {
            return Some(None);
        };
        let (first, last) = (*when.words.first()?, *when.words.last()?);
        if last - first + 1 != when.words.len() {
            return None;
        }
        Some(Some(self.take(first..last + 1, Part::When)))
    }

    /// The one person who is named; `None` outside where there are several.
    #[expect(clippy::option_option, reason = "nobody is fine, two people are not")]
    fn take_person(&mut self, world: &World) -> Option<Option<String>> {
        let mut found = None;
        let mut at = 0;
        while at < self.words.len() {
            let used = self.name_at(at, world);
            if used > 0 {
                let name = self.take(at..at + used, Part::Person);
                if found.replace(name).is_some() {
                    return None;
                }
            }
            at += used.max(1);
        }
        Some(found)
    }

    /// How many words from here are what a contact is called.
    fn name_at(&self, at: usize, world: &World) -> usize {
        let fits = |used: &usize| {
            let Some(words) = self.words.get(at..at + used) else { return false };
            let free = self.stands_for[at..at + used].iter().all(|part| *part == Part::Itself);
            let name: Vec<_> = words.iter().map(|word| word.text.as_str()).collect();
            free && !people::known(&name.join(" "), &world.contacts).is_empty()
        };
        (1..=NAME).rev().find(fits).unwrap_or(0)
    }

    fn take(&mut self, places: std::ops::Range<usize>, part: Part) -> String {
        self.stands_for[places.clone()].fill(part);
        let texts: Vec<_> = self.words[places].iter().map(|word| word.text.as_str()).collect();
        texts.join(" ")
    }

    /// "Make Tom an offer": that is done to somebody, and nothing to look up.
    fn is_done_to_somebody(&self) -> bool {
        const ASKS: &[&str] = &[
            "is", "was", "has", "had", "did", "does", "will", "would", "can", "could", "when",
            "what", "where", "how", "who", "which", "any", "show", "read", "open", "list",
        ];
        let [Part::Itself, Part::Person, ..] = self.stands_for[..] else { return false };
        !ASKS.contains(&self.words[0].text.as_str())
    }

    /// "I owe my sister a line", "Tom is a friend". Nobody asks like that, but for
    /// "I wonder" and "I want to know".
    fn is_told(&self) -> bool {
        let texts: Vec<_> = self.words.iter().take(2).map(|word| word.text.as_str()).collect();
        match texts[..] {
            ["i", "wonder" | "want" | "need" | "would"] => false,
            ["i" | "we" | "you" | "it", ..] => true,
            _ => self.stands_for.first() == Some(&Part::Person),
        }
    }

    fn knows(&self, word: &Word) -> bool {
        let at = self.words.iter().position(|other| std::ptr::eq(other, word));
        at.is_some_and(|at| self.stands_for[at] != Part::Itself) || word.text == "'s"
    }

    fn neutral(&self) -> String {
        let mut said: Vec<&str> = Vec::new();
        let mut before = Part::Itself;
        for (word, part) in self.words.iter().zip(&self.stands_for) {
            match part {
                Part::Itself => said.push(&word.text),
                Part::Person if before != Part::Person => {
                    // "My sister" is one person.
                    said.pop_if(|last| *last == "my");
                    said.push(SOMEBODY);
                }
                Part::When if before != Part::When => said.push(SOME_TIME),
                Part::Person | Part::When => {}
            }
            before = *part;
        }
        said.join(" ").replace(" 's", "'s")
    }
}

#[cfg(test)]
mod tests {
    use brain::resolve::people::Contact;

    use super::super::intents::intents;
    use super::*;
    use crate::corpus;

    fn doubt(heard: &str) -> Option<Doubt> {
        let world = corpus::world();
        Doubt::about(&reflex::read(heard, &world), heard, &world)
    }

    #[test]
    fn the_model_hears_neither_the_person_nor_the_time() {
        let found = doubt("is Priya's dog barking on Friday").unwrap();

        assert_eq!(found.sentence, "is alex's dog barking today");
        assert_eq!(found.person.as_deref(), Some("priya"));
        assert_eq!(found.when.as_deref(), Some("on friday"));
    }

    #[test]
    fn what_is_told_is_nothing_to_look_up_however_near_it_sounds() {
        let mut world = corpus::world();
        let sister = Contact {
            name: "Ingrid Berg".to_owned(),
            address: "ingrid@berg.example".to_owned(),
            nicknames: vec!["sister".to_owned()],
            pronouns: None,
        };
        world.contacts = vec![sister].into();
        let heard = "i owe my sister a few lines";
        let doubt = Doubt::about(&reflex::read(heard, &world), heard, &world).unwrap();
        let intent = intents().iter().find(|intent| intent.name == "mail_from").unwrap();

        let settled = doubt.settle(Nearest { intent, score: 1.0, margin: 1.0 }, &world);

        assert_eq!(doubt.sentence(), "i owe alex a few lines");
        assert_eq!(settled, None);
    }

    #[test]
    fn two_people_of_one_name_are_a_question_here_too() {
        let world = corpus::world();
        let heard = "how soon am i sitting down with sam";
        let doubt = Doubt::about(&reflex::read(heard, &world), heard, &world).unwrap();
        let intent = intents().iter().find(|intent| intent.name == "meeting_with").unwrap();

        let settled = doubt.settle(Nearest { intent, score: 1.0, margin: 1.0 }, &world).unwrap();

        let plain = reflex::read("when do i meet sam?", &world);
        assert_eq!((&settled.question, &settled.proposal), (&plain.question, &plain.proposal));
        assert!(!settled.gist.writes());
    }

    #[test]
    fn what_is_not_the_persons_own_plain_request_is_not_listened_to() {
        let beyond = [
            "what is sitting in \"my inbox\"",
            "what is piled up about the budget",
            "has Zebediah been in touch",
            "how soon are Tom and Ana and I on",
            "what is he after",
            "what is otto@brandt.example after",
            "make tom an offer",
            "what meetings do i have tomorrow",
        ];
        for sentence in beyond {
            assert_eq!(doubt(sentence), None, "{sentence}");
        }
    }
}
