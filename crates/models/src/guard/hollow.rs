//! Sentences that are nothing unless something stands behind them. Pure.
//!
//! "Let me check your inbox" is worth saying where something is looked up, and "I've drafted
//! an invitation" where there is a draft. So the first is held back until something follows
//! it, and the second with all that is built on it until the answer is over. Any other
//! sentence passes from the first letter on that says it is neither.

use super::claim::{LEADS, Letter};
use crate::Record;

/// However few words it has.
const LONGEST: usize = 240;
/// So many words an announcement has at most.
const MOST_WORDS: usize = 18;
/// So far behind its verb it is said what was prepared.
const FAR: usize = 7;

/// What would have to stand behind what is held back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// A look-up that was announced.
    LookUp,
    /// A card or a draft that was spoken of.
    Card,
}

/// Holds such sentences back.
#[derive(Debug, Default)]
pub struct Hollow {
    held: String,
    /// Where in it the last sentence begins.
    from: usize,
    mode: Mode,
    stands: Option<Stands>,
    /// There was a full stop, unless something goes on right behind it.
    may_be_over: bool,
    /// There is a card or a draft: whoever speaks of it is right.
    has_card: bool,
    record: Record,
    letter: Letter,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Mode {
    /// A sentence begins.
    #[default]
    Begins,
    /// It is none of those.
    Passes,
    /// Nothing that follows is worth anything without what was spoken of.
    Waits,
}

/// What a sentence, as far as it has come, may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Open,
    Harmless,
    Stands(Stands),
}

impl Hollow {
    pub fn new(record: Record, has_card: bool) -> Self {
        Self { has_card, record, ..Self::default() }
    }

    /// What may be shown now.
    pub fn take(&mut self, words: &str) -> String {
        let mut shown = String::new();
        for c in words.chars() {
            self.hear(c, &mut shown);
        }
        shown
    }

    /// There is no more. What still stands for something is held.
    pub fn finish(&mut self) -> String {
        let mut shown = String::new();
        if self.mode == Mode::Begins && !self.held[self.from..].trim().is_empty() {
            self.judge(true, &mut shown);
        }
        shown
    }

    /// What would have to stand behind what is held back.
    pub fn stands(&self) -> Option<Stands> {
        self.stands
    }

    /// It stands there: what was held may be shown.
    pub fn let_go(&mut self) -> String {
        (self.from, self.stands, self.mode) = (0, None, Mode::Begins);
        std::mem::take(&mut self.held)
    }

    fn hear(&mut self, c: char, shown: &mut String) {
        self.letter.hear(c);
        if self.may_be_over && !c.is_alphanumeric() {
            self.ends(shown);
        }
        self.may_be_over = false;
        match self.mode {
            Mode::Passes => shown.push(c),
            Mode::Begins if self.held.is_empty() && c.is_whitespace() => shown.push(c),
            Mode::Begins | Mode::Waits => self.held.push(c),
        }
        match c {
            '!' | '?' | '\n' => self.ends(shown),
            '.' => self.may_be_over = true,
            _ if self.mode == Mode::Begins => self.judge(false, shown),
            // What was drafted stands in the answer itself.
            _ if self.mode == Mode::Waits && self.letter.is_open() => {
                shown.push_str(&self.let_go());
                self.mode = Mode::Passes;
            }
            _ => {}
        }
    }

    /// A sentence is over.
    fn ends(&mut self, shown: &mut String) {
        match self.mode {
            Mode::Waits => {}
            Mode::Passes => self.mode = Mode::Begins,
            Mode::Begins => {
                self.judge(true, shown);
                if self.mode == Mode::Passes {
                    self.mode = Mode::Begins;
                }
            }
        }
    }

    fn judge(&mut self, is_whole: bool, shown: &mut String) {
        let sentence = &self.held[self.from..];
        if sentence.trim().is_empty() {
            return;
        }
        let is_right = |stands| {
            stands == Stands::Card && (self.has_card || is_whole && self.record.holds(sentence))
        };
        let fit = if sentence.len() > LONGEST { Fit::Harmless } else { fit(sentence, is_whole) };
        match fit {
            Fit::Stands(stands) if !is_right(stands) => {
                if is_whole {
                    let is_card = stands == Stands::Card;
                    self.mode = if is_card { Mode::Waits } else { Mode::Begins };
                    self.from = self.held.len();
                    self.stands = Some(stands);
                }
            }
            Fit::Open if !is_whole => {}
            Fit::Open | Fit::Harmless | Fit::Stands(_) => {
                shown.push_str(&self.let_go());
                self.mode = Mode::Passes;
            }
        }
    }
}

/// Whether a sentence that is over speaks of a card or a draft as if it were there.
pub fn sounds_prepared(sentence: &str) -> bool {
    let lower = lowered(sentence);
    let words = words_of(&lower);
    let waits = words.iter().position(|word| WAITS.contains(word));
    let is_waiting = waits.is_some_and(|at| is_for_yes(&words[at + 1..]));
    let is_asked = sentence.trim_end().ends_with('?');
    !is_asked && (is_waiting || fit(sentence, true) == Fit::Stands(Stands::Card))
}

const ME: [&str; 4] = ["i", "i've", "we", "we've"];
const WILL: [&str; 5] = ["i'll", "i'm", "i", "we'll", "we're"];
const ADVERBS: [&str; 10] =
    ["just", "quickly", "first", "now", "also", "already", "quick", "gladly", "then", "briefly"];
/// What one looks up with.
const LOOK: [&str; 18] = [
    "check", "look", "see", "find", "search", "pull", "fetch", "scan", "review", "read", "dig",
    "gather", "collect", "consult", "go", "have", "take", "get",
];
const LOOKING: [&str; 13] = [
    "checking",
    "looking",
    "searching",
    "pulling",
    "fetching",
    "scanning",
    "reviewing",
    "reading",
    "gathering",
    "collecting",
    "consulting",
    "going",
    "taking",
];
/// Where, or into what.
const PLACES: [&str; 23] = [
    "inbox",
    "mail",
    "mails",
    "email",
    "emails",
    "mailbox",
    "calendar",
    "schedule",
    "agenda",
    "messages",
    "events",
    "meetings",
    "memory",
    "notes",
    "files",
    "file",
    "folder",
    "thread",
    "contacts",
    "availability",
    "that",
    "it",
    "week",
];
/// Where one of these follows, something is said.
const SAYS: [&str; 27] = [
    "is", "are", "was", "were", "would", "could", "can", "should", "may", "might", "must", "but",
    "keeps", "saves", "helps", "takes", "means", "makes", "will", "unless", "once", "does", "has",
    "won't", "can't", "forward", "after",
];
const MOMENTS: [&str; 6] = ["moment", "second", "sec", "minute", "instant", "bit"];

/// What one has done where a card or a draft is there.
const PREPARED: [&str; 9] =
    ["drafted", "prepared", "composed", "readied", "queued", "lined", "put", "set", "made"];
/// What that makes.
const CARDS: [&str; 6] = ["card", "cards", "draft", "drafts", "invitation", "invite"];
const WRITTEN: [&str; 10] = [
    "mail",
    "email",
    "message",
    "reply",
    "response",
    "note",
    "event",
    "appointment",
    "reminder",
    "proposal",
];
const ARTICLES: [&str; 6] = ["the", "your", "a", "an", "this", "that"];
const JOINS: [&str; 11] =
    ["for", "with", "to", "of", "about", "on", "from", "in", "and", "at", "that"];
const STANDS: [&str; 3] = ["is", "are", "sits"];
const WAITS: [&str; 4] = ["waits", "waiting", "awaits", "awaiting"];
const AT_HAND: [&str; 8] =
    ["ready", "prepared", "drafted", "waiting", "up", "open", "below", "above"];
const YES: [&str; 8] =
    ["yes", "ok", "okay", "go-ahead", "approval", "confirmation", "say-so", "answer"];

fn lowered(text: &str) -> String {
    text.to_lowercase().replace('’', "'")
}

fn words_of(lower: &str) -> Vec<&str> {
    let words = lower.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '-'));
    words.filter(|word| !word.is_empty()).collect()
}

fn fit(sentence: &str, is_whole: bool) -> Fit {
    let lower = lowered(sentence);
    // What follows a colon is what was found or drafted; what is asked stands for nothing.
    if lower.contains(':') || lower.trim_end().ends_with('?') || lower.contains(['"', '“']) {
        return Fit::Harmless;
    }
    let words = words_of(&lower);
    let leads = words.iter().take_while(|word| LEADS.contains(word)).count();
    let is_half = !is_whole && lower.ends_with(|c: char| c.is_alphanumeric() || c == '\'');
    let read = Read { words: &words[leads..], is_whole, is_half };
    match read.announces() {
        Fit::Harmless => {}
        fit => return fit,
    }
    // The last of those may be half of a word that is none, and half a word one of those.
    let may_lead = |word: &&str| LEADS.iter().any(|lead| lead.starts_with(*word));
    let is_lead = is_half
        && (leads == words.len() || words.len() == leads + 1 && words.last().is_some_and(may_lead));
    if is_lead || read.words.is_empty() && !is_whole { Fit::Open } else { read.prepares() }
}

/// A sentence as far as it has come.
#[derive(Clone, Copy)]
struct Read<'a> {
    words: &'a [&'a str],
    is_whole: bool,
    /// The last word may go on.
    is_half: bool,
}

impl<'a> Read<'a> {
    /// Past one of these words; none where another stands there.
    fn past(self, known: &[&str]) -> Step<'a> {
        let Some(word) = self.words.first() else { return Step::End };
        if known.contains(word) && !(self.is_half && self.words.len() == 1) {
            return Step::On(Self { words: &self.words[1..], ..self });
        }
        let may_become = self.is_half
            && self.words.len() == 1
            && known.iter().any(|known| known.starts_with(word));
        if may_become { Step::End } else { Step::No }
    }

    fn past_adverbs(self) -> Self {
        let more = self.words.iter().take_while(|word| ADVERBS.contains(word)).count();
        let words = &self.words[more..];
        // "I'll quick" may become anything.
        let is_at_one = words.is_empty() && more > 0;
        Self { words, is_half: self.is_half && !is_at_one, ..self }
    }

    /// Without the word that has only begun.
    fn whole<'b, 'c>(self, words: &'b [&'c str]) -> &'b [&'c str] {
        if self.is_half { &words[..words.len().saturating_sub(1)] } else { words }
    }

    fn open(self) -> Fit {
        if self.is_whole { Fit::Harmless } else { Fit::Open }
    }

    /// One after the other: the first of them that it may be.
    fn any(self, ways: &[fn(Self) -> Fit]) -> Fit {
        let mut open = Fit::Harmless;
        for way in ways {
            match way(self) {
                Fit::Harmless => {}
                Fit::Open => open = Fit::Open,
                stands @ Fit::Stands(_) => return stands,
            }
        }
        open
    }

    /// "Let me check your inbox", "I'll look", "One moment while I look".
    fn announces(self) -> Fit {
        self.any(&[Self::lets_me, Self::will, Self::takes_a_moment, Self::is_at_it])
    }

    fn lets_me(self) -> Fit {
        match self.past(&["let", "lemme"]) {
            Step::No => Fit::Harmless,
            Step::End => self.open(),
            Step::On(rest) if self.words[0] == "lemme" => rest.looks(&LOOK),
            Step::On(rest) => match rest.past(&["me", "us"]) {
                Step::No => Fit::Harmless,
                Step::End => self.open(),
                Step::On(rest) => rest.looks(&LOOK),
            },
        }
    }

    fn will(self) -> Fit {
        match self.past(&WILL) {
            Step::No => Fit::Harmless,
            Step::End => self.open(),
            Step::On(rest) => {
                let rest = rest.past_adverbs();
                match (self.words[0], rest.words) {
                    (_, []) => self.open(),
                    ("i'm" | "we're", ["going", "to"]) | ("i", ["need" | "have", "to"])
                        if !self.is_whole =>
                    {
                        Fit::Open
                    }
                    ("i'm" | "we're", ["going", half]) | ("i", ["need" | "have", half])
                        if rest.is_half && "to".starts_with(half) =>
                    {
                        Fit::Open
                    }
                    ("i'm" | "we're", ["going", "to", ..]) | ("i", ["need" | "have", "to", ..]) => {
                        Self { words: &rest.words[2..], ..rest }.looks(&LOOK)
                    }
                    ("i", ["am", ..]) => rest.from(1).looks(&LOOKING),
                    ("i", ["will", ..]) => rest.from(1).looks(&LOOK),
                    ("i", [word]) if rest.is_half => {
                        let may_be =
                            ["will", "am", "need", "have"].iter().any(|it| it.starts_with(word));
                        if may_be { Fit::Open } else { Fit::Harmless }
                    }
                    ("i", ["need" | "have"]) => self.open(),
                    ("i", _) => Fit::Harmless,
                    ("i'm" | "we're", _) => rest.looks(&LOOKING),
                    _ => rest.looks(&LOOK),
                }
            }
        }
    }

    fn from(self, at: usize) -> Self {
        Self { words: &self.words[at..], ..self }
    }

    fn takes_a_moment(self) -> Fit {
        let waits = match self.words {
            [] => return self.open(),
            ["hold" | "hang", "on", ..] | ["give", "me", ..] => self.from(2),
            ["bear", "with", "me", ..] => self.from(3),
            ["one" | "just", "a", ..] => self.from(2),
            ["one" | "just", ..] => self.from(1),
            ["hold" | "hang" | "give" | "bear"] | ["bear", "with"] => return self.open(),
            ["hold" | "hang" | "give" | "bear", _] | ["bear", "with", _] if self.is_half => {
                return Fit::Open;
            }
            [half] if self.is_half => {
                let may_be = ["one", "just", "hold", "hang", "give", "bear"];
                let may_be = may_be.iter().any(|word| word.starts_with(half));
                return if may_be { self.open() } else { Fit::Harmless };
            }
            _ => return Fit::Harmless,
        };
        let is_counted = matches!(self.words, ["one" | "just" | "give", ..]);
        let behind = match waits.words {
            ["a" | "one", rest @ ..] | rest => rest,
        };
        match behind {
            [] if self.is_whole && is_counted => Fit::Harmless,
            [half] if self.is_half => {
                let may_be = |known: &[&str]| known.iter().any(|word| word.starts_with(half));
                if may_be(&MOMENTS) || may_be(&GOES_ON) { Fit::Open } else { Fit::Harmless }
            }
            [moment, rest @ ..] if MOMENTS.contains(moment) => match rest {
                [] => self.looked_up(&[]),
                [next, ..] if GOES_ON.contains(next) => self.looked_up(&[]),
                [half] if self.is_half && GOES_ON.iter().any(|it| it.starts_with(half)) => {
                    Fit::Open
                }
                _ => Fit::Harmless,
            },
            [] if is_counted => Fit::Open,
            [] => self.looked_up(&[]),
            [next, ..] if GOES_ON.contains(next) && !is_counted => self.looked_up(&[]),
            _ => Fit::Harmless,
        }
    }

    /// "Checking your calendar now", but not "Checking your tyres saves fuel".
    fn is_at_it(self) -> Fit {
        match self.past(&LOOKING) {
            Step::No => Fit::Harmless,
            Step::End => self.open(),
            Step::On(rest) if self.is_whole => {
                let mut near = rest.words.iter().take(4);
                let is_somewhere = near.any(|word| PLACES.contains(word)) || rest.words.is_empty();
                if is_somewhere { self.looked_up(rest.words) } else { Fit::Harmless }
            }
            Step::On(rest) => self.looked_up(rest.words),
        }
    }

    /// What one is about to do is to look something up.
    fn looks(self, known: &[&str]) -> Fit {
        let at = self.past_adverbs();
        match at.past(known) {
            Step::No => Fit::Harmless,
            Step::End => self.open(),
            Step::On(rest) => match (at.words[0], rest.words) {
                ("have" | "take" | "taking", _) => rest.has_a_look(),
                ("get" | "go" | "going", [] | ["back"]) => self.open(),
                ("get" | "go" | "going", [_]) if rest.is_half => Fit::Open,
                ("get", ["that" | "it" | "those", "for" | "up", ..]) => self.looked_up(rest.words),
                ("go" | "going", ["through", "your", ..]) => self.looked_up(rest.words),
                ("go" | "going", ["through"]) => self.open(),
                ("go", ["and", "check" | "look" | "find", ..]) => self.looked_up(rest.words),
                ("go", ["and"]) => self.open(),
                ("get", ["that" | "it" | "those"]) if !self.is_whole => Fit::Open,
                ("get" | "go" | "going", _) => Fit::Harmless,
                ("look" | "looking", ["forward" | "after" | "good", ..])
                | ("see" | "find", ["you" | "it" | "myself", ..])
                | ("check", ["in" | "back", "with" | "on", ..])
                | ("read", ["it" | "that" | "this", "as" | "like" | "to" | "out", ..]) => {
                    Fit::Harmless
                }
                (_, rest) => self.looked_up(rest),
            },
        }
    }

    /// "Let me have a quick look".
    fn has_a_look(self) -> Fit {
        match self.words {
            [] | ["a" | "another"] | ["a" | "another", "quick" | "closer"] => self.open(),
            ["a" | "another", "look" | "peek", rest @ ..]
            | ["a" | "another", "quick" | "closer", "look" | "peek", rest @ ..] => {
                self.looked_up(rest)
            }
            ["a" | "another", half] | ["a" | "another", "quick" | "closer", half]
                if self.is_half =>
            {
                let may_be =
                    ["quick", "closer", "look", "peek"].iter().any(|it| it.starts_with(half));
                if may_be { Fit::Open } else { Fit::Harmless }
            }
            _ => Fit::Harmless,
        }
    }

    /// It is one, unless it says more than that, or waits for something.
    fn looked_up(self, rest: &[&str]) -> Fit {
        let rest = self.whole(rest);
        let says = |word: &&str| SAYS.contains(word);
        // "Check if you're free" is looked up, "if you like" comes behind something.
        let waits =
            |pair: &[&str]| matches!(pair, ["if" | "when" | "as", "you" | "soon"] | ["tell", "me"]);
        let is_more = rest.iter().skip(1).take_while(|word| !WHAT.contains(word)).any(says)
            || rest.get(1..).is_some_and(|rest| rest.windows(2).any(waits));
        match () {
            () if is_more || self.words.len() > MOST_WORDS => Fit::Harmless,
            () if self.is_whole => Fit::Stands(Stands::LookUp),
            () => Fit::Open,
        }
    }

    /// "I've put together a card", "The draft is ready", "It waits for your yes".
    fn prepares(self) -> Fit {
        self.any(&[Self::has_prepared, Self::is_there, Self::it_is_ready])
    }

    fn has_prepared(self) -> Fit {
        let rest = match self.past(&ME) {
            Step::No => return Fit::Harmless,
            Step::End => return self.open(),
            Step::On(rest) => rest,
        };
        let rest = match rest.words {
            ["have", ..] => rest.from(1),
            _ => rest,
        };
        let rest = rest.past_adverbs();
        match rest.past(&PREPARED) {
            Step::No => {
                let may_have =
                    rest.is_half && rest.words.len() == 1 && "have".starts_with(rest.words[0]);
                if may_have { self.open() } else { Fit::Harmless }
            }
            Step::End => self.open(),
            Step::On(more) => more.made(rest.words[0]),
        }
    }

    /// What was made by whoever did so: "a card", "an invitation for Tom", "it".
    fn made(self, verb: &str) -> Fit {
        let words = match (verb, self.words) {
            (_, []) | ("put", ["to"]) => return self.open(),
            ("put", ["together", words @ ..]) => words,
            ("set" | "lined", ["up", words @ ..]) => words,
            ("put", [half]) if self.is_half && "together".starts_with(half) => return Fit::Open,
            ("set" | "lined", [half]) if self.is_half && "up".starts_with(half) => {
                return Fit::Open;
            }
            ("put" | "set" | "lined", _) => return Fit::Harmless,
            (_, words) => words,
        };
        if let ["it" | "that" | "everything" | "this", rest @ ..] = words {
            return match rest {
                [] if !self.is_whole => Fit::Open,
                [] if verb != "made" => Fit::Stands(Stands::Card),
                ["for" | "now" | "and" | "already", ..] if verb != "made" => self.stands(),
                _ => Fit::Harmless,
            };
        }
        let words = self.whole(words);
        let object = words.iter().take_while(|word| !JOINS.contains(word)).take(FAR);
        let object: Vec<&str> = object.copied().collect();
        let is_over = self.is_whole || object.len() < words.len();
        let is_one = |word: &&str| {
            CARDS.contains(word) || verb != "made" && verb != "set" && WRITTEN.contains(word)
        };
        match object.last() {
            _ if object.len() == FAR => Fit::Harmless,
            _ if !is_over => Fit::Open,
            Some(head) if is_one(head) => self.stands(),
            _ => Fit::Harmless,
        }
    }

    fn stands(self) -> Fit {
        if self.is_whole { Fit::Stands(Stands::Card) } else { Fit::Open }
    }

    /// "Your draft is ready", "There's a card for it".
    fn is_there(self) -> Fit {
        let (rest, is_shown) = match self.past(&["there's", "here's", "there", "here"]) {
            Step::End => return self.open(),
            Step::No => (self, false),
            Step::On(rest) => match rest.words {
                [half] if rest.is_half && "is".starts_with(half) => return Fit::Open,
                ["is", ..] => (rest.from(1), true),
                _ => (rest, true),
            },
        };
        let rest = match rest.past(&ARTICLES) {
            Step::No => return Fit::Harmless,
            Step::End => return self.open(),
            Step::On(rest) => rest,
        };
        let is_known = |word: &str| CARDS.contains(&word) || WRITTEN.contains(&word);
        let (thing, said) = match rest.words {
            [] => return self.open(),
            [half] if rest.is_half => {
                let may_be = CARDS.iter().chain(&WRITTEN).any(|it| it.starts_with(half));
                return if may_be { self.open() } else { Fit::Harmless };
            }
            [thing, said @ ..] => (*thing, said),
        };
        let (thing, is_short) = thing.strip_suffix("'s").map_or((thing, false), |it| (it, true));
        match () {
            () if is_shown && matches!(thing, "card" | "cards") => self.stands(),
            () if is_shown || !is_known(thing) => Fit::Harmless,
            () if is_short => rest.at_hand(thing, said),
            () => {
                let verb = said.iter().take(FAR).position(|word| {
                    STANDS.contains(word) || WAITS.contains(word) || SAYS.contains(word)
                });
                match verb {
                    None if said.len() < FAR => self.open(),
                    None => Fit::Harmless,
                    Some(at) if WAITS.contains(&said[at]) => rest.at_hand(thing, &said[at..]),
                    Some(at) if STANDS.contains(&said[at]) => rest.at_hand(thing, &said[at + 1..]),
                    Some(_) => Fit::Harmless,
                }
            }
        }
    }

    /// "… ready to send", "… waiting for your yes".
    fn at_hand(self, thing: &str, said: &[&str]) -> Fit {
        let said = &said[said.iter().take_while(|word| ADVERBS.contains(word)).count()..];
        let is_card = CARDS.contains(&thing);
        match said {
            [] => self.open(),
            [waits, rest @ ..] if WAITS.contains(waits) => match () {
                () if is_for_yes(rest) || is_card && self.is_whole => self.stands(),
                () if rest.len() < 4 => self.open(),
                () => Fit::Harmless,
            },
            ["ready" | "prepared" | "drafted", ..] => self.stands(),
            [here, ..] if is_card && AT_HAND.contains(here) => self.stands(),
            [half] if self.is_half => {
                let may_be = AT_HAND.iter().chain(&ADVERBS).any(|it| it.starts_with(half));
                if may_be { self.open() } else { Fit::Harmless }
            }
            _ => Fit::Harmless,
        }
    }

    /// "It's ready to send", "It waits for your yes".
    fn it_is_ready(self) -> Fit {
        let rest = match self.past(&["it", "it's", "that's", "everything", "everything's"]) {
            Step::No => return Fit::Harmless,
            Step::End => return self.open(),
            Step::On(rest) => rest,
        };
        let rest = match rest.words {
            ["is", ..] => rest.from(1),
            _ => rest,
        };
        let rest = rest.past_adverbs();
        let words = if rest.words.len() > 1 { rest.whole(rest.words) } else { rest.words };
        match words {
            [] | ["ready"] | ["ready", "to"] => self.open(),
            ["ready", "to", "send" | "go", ..] => self.stands(),
            [waits, more @ ..] if WAITS.contains(waits) => match () {
                () if is_for_yes(more) => self.stands(),
                () if more.len() < 4 => self.open(),
                () => Fit::Harmless,
            },
            [half] if rest.is_half => {
                let may_be = ["is", "ready"].iter().chain(&WAITS).any(|it| it.starts_with(half));
                if may_be { self.open() } else { Fit::Harmless }
            }
            _ => Fit::Harmless,
        }
    }
}

enum Step<'a> {
    On(Read<'a>),
    /// Nothing stands there yet, or half of it.
    End,
    No,
}

/// What goes on behind a moment that is asked for.
const GOES_ON: [&str; 9] = ["while", "please", "and", "to", "as", "i", "i'll", "let", "for"];

/// What is looked up may be told as a question: "see what Tom is up to".
const WHAT: [&str; 9] = ["what", "who", "when", "where", "which", "whether", "if", "how", "why"];

/// "… for your yes".
fn is_for_yes(rest: &[&str]) -> bool {
    let mut near = rest.iter().take(4);
    near.any(|word| YES.contains(word)) && rest.iter().take(3).any(|word| *word == "your")
}

#[cfg(test)]
#[path = "hollow_tests.rs"]
mod tests;
