//! What a sentence, as far as it has come, says of what was done. Pure.
//!
//! Whoever speaks of themselves ("I've sent it") is believed nothing. That a thing was done to
//! something ("the meeting is booked") is clear only at the end of the sentence: who did it,
//! who says so, and on what it depends may still come.

use super::doer::Link;
use super::vocabulary::{
    ABSTRACT, ADVERBS, ARTICLES, CONTRACTED, EXCUSES, HELPERS, JOINS, LEADS, MADE, ME, MINE,
    PRONOUNS, STATES, is_deed, is_number, is_strong, is_thing, was_possible,
};
use super::{abroad, found, plans};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heard {
    /// It may still turn out to be a claim.
    #[default]
    Open,
    Harmless,
    /// The rest of it is not shown.
    Claimed,
}

/// So much of a sentence is looked at.
const MOST_WORDS: usize = 12;

/// So many words name what something was done to.
const MOST_OBJECT: usize = 4;

/// How a sentence is read.
#[derive(Clone, Copy)]
pub struct Reading {
    /// What was found may be told: "the mail was sent on Monday".
    pub is_knowing: bool,
    pub came: Came,
    pub tone: Tone,
    /// It goes on in the middle of a sentence: only "I've sent it" is one.
    pub is_mine: bool,
    /// Two words at most stand before it: "Dana now …".
    pub is_early: bool,
    /// It is joined to what I did before: "… and sent it".
    pub link: Option<Link>,
}

/// How much of a sentence has come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Came {
    Some,
    /// Nobody waits for more of it, unless what it depends on may still come.
    Enough,
    All,
}

/// What was said before it, and what that makes of it. The later ones outdo the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    #[default]
    Plain,
    /// In a letter, whoever signs it says "I'll send it" and "I've sent you".
    Letter,
    /// "Confirm and …": that I'll send it then is no claim.
    Invites,
    /// "Once you say yes, …": nothing that follows is one.
    TakesBack,
}

/// "I've sent it", "Done", "Your meeting has been booked", in whatever language.
pub fn judged(sentence: &str, reading: Reading) -> Heard {
    let lower = sentence.to_lowercase().replace('’', "'");
    if reading.is_whole() && lower.trim_end().ends_with('?') {
        return Heard::Harmless;
    }
    let said = words_of(&lower);
    let is_long = reading.came == Came::Some && said.len() >= MOST_WORDS;
    let came = if is_long { Came::Enough } else { reading.came };
    let reading = Reading { came, ..reading };
    match reading.english(sentence, &lower, &said) {
        Heard::Harmless if !reading.is_mine => abroad::judged(&said, reading),
        heard => heard,
    }
}

/// Behind one of these something else is said.
const CUTS: [char; 6] = [',', ':', ';', '—', '–', '-'];

pub fn words_of(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    words.filter(|word| !word.is_empty()).collect()
}

pub fn past_adverbs<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    &words[words.iter().take_while(|word| ADVERBS.contains(word)).count()..]
}

/// Of what something is said.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// "Your meeting", "the mail": what we do something with.
    Ours,
    /// "It", "that".
    Its,
    /// "The sky"; also mails as such, which "are sent over SMTP".
    Others,
    /// "Mail", without any word before it.
    Bare,
    /// "A mail": that it is sent is said of any, that it was sent of this one.
    Any,
}

enum Subject {
    Unfinished,
    /// Nothing that anything was done to.
    Another,
    Found {
        whose: Whose,
        at: usize,
    },
    /// "Your meeting's".
    Contracted {
        whose: Whose,
        at: usize,
    },
}

impl Reading {
    /// The same in English alone.
    fn english(self, sentence: &str, lower: &str, said: &[&str]) -> Heard {
        let trimmed = lower.trim_end();
        // "I'm booking-averse."
        if plans::is_compound(lower) {
            return Heard::Harmless;
        }
        if self.is_mine {
            return match said {
                [] => self.open(),
                [me, rest @ ..] if ME.contains(me) => self.deed(rest),
                [me, rest @ ..] if plans::ME.contains(me) => self.plan(me, rest),
                words if let Some(link) = self.link => self.linked(link, words),
                ["has", rest @ ..] => self.somebody(rest),
                ["was", rest @ ..] if self.is_early => self.was_told(rest),
                words if self.is_early => self.somebodys(words),
                _ => Heard::Harmless,
            };
        }
        let leads = said.iter().take_while(|word| LEADS.contains(word)).count();
        let (before, words) = said.split_at(leads);
        // "Got it, …"
        let words = match words {
            ["it", rest @ ..] if before.last() == Some(&"got") => past_adverbs(rest),
            words => past_adverbs(words),
        };
        let is_all_set = before.ends_with(&["all", "set"]);
        // "No mail was sent."
        if before.last() == Some(&"no") && !words.is_empty() && lower.contains("no ") {
            return Heard::Harmless;
        }
        let is_name = |word: &&str| word.starts_with(char::is_uppercase);
        let second = (said.len() + 1).saturating_sub(words.len());
        let is_name_next = words_of(sentence).get(second).is_some_and(is_name);
        if let Some(heard) = self.announced(words, is_name_next) {
            return heard;
        }
        match words {
            [] | ["for" | "with" | "and", ..] if is_all_set => self.claimed(),
            [] => self.open(),
            ["done" | "sorted"] if self.is_whole() || trimmed.ends_with(CUTS) => Heard::Claimed,
            ["done" | "sorted", rest @ ..] => self.closed(rest),
            [deed] if is_deed(deed) && trimmed.ends_with(CUTS) => Heard::Claimed,
            [deed, rest @ ..] if is_deed(deed) => self.bare(rest, is_name_next),
            ["consider", "it" | "that" | "this" | "them", rest @ ..] => match past_adverbs(rest) {
                [] => self.open(),
                [done, ..] if is_deed(done) || STATES.contains(done) => Heard::Claimed,
                _ => Heard::Harmless,
            },
            ["consider" | "you"] => self.open(),
            ["dropped" | "shot", rest @ ..] => self.thrown(rest),
            ["fired"] => self.open(),
            ["fired", "off", rest @ ..] => self.thrown(rest),
            // "Found it, told her yes."
            ["told", rest @ ..] => self.said_to("told", rest, is_name_next),
            ["you", "are", rest @ ..] | ["you're", rest @ ..] => self.you_are(rest),
            [me, rest @ ..] if ME.contains(me) => self.deed(rest),
            ["we're", rest @ ..] => self.present(Whose::Ours, rest),
            [it_is, rest @ ..] if CONTRACTED.contains(it_is) => self.present(Whose::Its, rest),
            _ => self.told_of(words),
        }
    }

    pub(super) fn is_whole(self) -> bool {
        self.came != Came::Some
    }

    pub fn open(self) -> Heard {
        if self.is_whole() { Heard::Harmless } else { Heard::Open }
    }

    /// It is one, unless more comes that says otherwise.
    pub fn claimed(self) -> Heard {
        if self.is_whole() { Heard::Claimed } else { Heard::Open }
    }

    /// What I or we did.
    pub(super) fn deed(self, words: &[&str]) -> Heard {
        let words = past_adverbs(words);
        if let Some(heard) = self.phrased(words) {
            return heard;
        }
        match words {
            [] | ["went" | "gone"] | ["went" | "gone", "ahead"] => self.open(),
            ["will", rest @ ..] => self.future(rest),
            ["am" | "are", rest @ ..] => self.doing(rest),
            ["dropped" | "shot", rest @ ..] => self.thrown(rest),
            ["fired"] => self.open(),
            ["fired", "off", rest @ ..] => self.thrown(rest),
            ["was" | "were" | "been"] | ["was" | "were" | "been", "able"] => self.open(),
            ["was" | "were" | "been", "able", "to"] | ["managed"] | ["managed", "to"] => {
                self.open()
            }
            ["did" | "put" | "made" | "took" | "taken"] => self.open(),
            ["set" | "done"] => self.open(),
            [done] if self.tone == Tone::Letter && is_deed(done) => self.open(),
            [done, "you" | "your", ..] if self.tone == Tone::Letter && is_deed(done) => {
                Heard::Harmless
            }
            [said @ ("told" | "answered" | "wrote"), rest @ ..] => self.said_to(said, rest, true),
            ["took" | "taken", "the"] | ["took" | "taken", "the", "liberty"] => self.open(),
            ["took" | "taken", "the", "liberty", "of", rest @ ..] => match rest {
                [] => self.open(),
                [doing, ..] if plans::is_doing(doing) => Heard::Claimed,
                _ => Heard::Harmless,
            },
            ["reached"] => self.open(),
            ["reached", "out", ..] => Heard::Claimed,
            ["let"] => self.open(),
            ["let", whom, rest @ ..] => match rest.iter().take(4).any(|word| *word == "know") {
                _ if matches!(*whom, "me" | "you" | "us" | "x" | "it") => Heard::Harmless,
                true => Heard::Claimed,
                false if rest.len() < 4 => self.open(),
                false => Heard::Harmless,
            },
            [done, ..] if is_strong(done) || MINE.contains(done) => Heard::Claimed,
            [done, rest @ ..] if is_deed(done) => self.done_with(done, rest),
            ["have" | "had" | "got" | "gotten", rest @ ..] => self.had(rest),
            ["went" | "gone", "ahead", "with", ..] => Heard::Claimed,
            ["went" | "gone", "ahead", "and", rest @ ..] => self.deed(rest),
            ["was" | "were" | "been", "able", "to", verb, ..]
            | ["managed", "to", verb, ..]
            | ["did", verb, ..]
                if was_possible(verb) =>
            {
                Heard::Claimed
            }
            ["did" | "done", "it" | "that" | "this" | "so" | "everything" | "both", ..] => {
                Heard::Claimed
            }
            ["put" | "set", "together" | "off" | "aside" | "out" | "forward", ..] => {
                Heard::Harmless
            }
            [done @ ("put" | "set"), rest @ ..] => self.done_with(done, rest),
            ["took" | "taken", "care", ..] => Heard::Claimed,
            ["made", rest @ ..] => {
                let is_article = |word: &&&str| ARTICLES.contains(word) || **word == "those";
                match &rest[rest.iter().take_while(is_article).count()..] {
                    [] => self.open(),
                    [made, ..] if MADE.contains(made) => Heard::Claimed,
                    _ => Heard::Harmless,
                }
            }
            _ => Heard::Harmless,
        }
    }

    /// "Dropped Dana a line", "shot Leo a quick note", "fired off the mail".
    fn thrown(self, rest: &[&str]) -> Heard {
        match rest.iter().take(5).any(|word| is_line(word)) {
            true => Heard::Claimed,
            false if rest.len() < 5 => self.open(),
            false => Heard::Harmless,
        }
    }

    /// What it was done to decides: "I added lunch", but not "I added the numbers".
    fn done_with(self, done: &str, rest: &[&str]) -> Heard {
        let is_sum = |word: &str| word.len() == 1 && !matches!(word, "a" | "i");
        let is_none = |word: &str| ABSTRACT.contains(&word) || is_sum(word);
        match rest {
            [] => self.claimed(),
            // "Added up", "moved on".
            ["up" | "on" | "together", ..] => Heard::Harmless,
            ["that" | "this" | "it" | "them" | "these" | "those" | "how" | "what" | "you"] => {
                self.claimed()
            }
            ["that" | "how" | "what" | "you", next, ..]
                if matches!(done, "remembered" | "confirmed" | "forgotten" | "reminded")
                    && *next != "for" =>
            {
                Heard::Harmless
            }
            ["it" | "them" | "these" | "those", "by" | "like" | "alphabetically", ..] => {
                Heard::Harmless
            }
            ["that" | "this" | "it" | "them" | "these" | "those", ..] => Heard::Claimed,
            [number, next, ..] if is_number(number) => {
                let is_sum = is_number(next) || matches!(*next, "and" | "to" | "plus" | "from");
                if is_sum || is_none(next) { Heard::Harmless } else { Heard::Claimed }
            }
            [number] if is_number(number) => self.claimed(),
            _ => {
                let object = rest.iter().take_while(|word| !is_join(word)).take(MOST_OBJECT);
                let object: Vec<&str> = object.copied().collect();
                let is_over = object.len() < rest.len() || object.len() == MOST_OBJECT;
                match () {
                    () if object.iter().any(|word| is_thing(word)) => Heard::Claimed,
                    () if object.iter().any(|word| is_none(word)) && is_over => Heard::Harmless,
                    () if is_over => Heard::Claimed,
                    () if self.is_whole() && object.iter().any(|word| is_none(word)) => {
                        Heard::Harmless
                    }
                    () => self.claimed(),
                }
            }
        }
    }

    /// "I have it booked", "I got your meeting moved", "I have sent it".
    fn had(self, words: &[&str]) -> Heard {
        let rest = match past_adverbs(words) {
            ["you", rest @ ..] => rest,
            [it, rest @ ..] if PRONOUNS.contains(it) => rest,
            [article] if ARTICLES.contains(article) => return self.open(),
            [article, thing, rest @ ..] if ARTICLES.contains(article) && is_thing(thing) => rest,
            words => return self.deed(words),
        };
        match past_adverbs(rest) {
            [] => self.open(),
            [done, ..] if is_deed(done) || STATES.contains(done) => Heard::Claimed,
            _ => Heard::Harmless,
        }
    }

    /// "Sent!", "Deleted all your mails." "Deleted mails stay for a month" is none.
    fn bare(self, rest: &[&str], is_name_next: bool) -> Heard {
        let goes_on = |word: &str| {
            JOINS.contains(&word)
                || ARTICLES.contains(&word)
                || PRONOUNS.contains(&word)
                || ADVERBS.contains(&word)
                || is_number(word)
        };
        match rest {
            [] => self.claimed(),
            ["by", ..] => Heard::Harmless,
            [excuse, ..] if EXCUSES.contains(excuse) => Heard::Harmless,
            ["to", ..] if self.is_knowing => self.unless_found(rest),
            [join, ..] if self.is_knowing && JOINS.contains(join) => Heard::Harmless,
            [next, ..] if is_name_next || goes_on(next) || *next == "you" => self.claimed(),
            [_] => self.claimed(),
            [_, join, ..] if JOINS.contains(join) => self.claimed(),
            _ => Heard::Harmless,
        }
    }

    /// "Your meeting with Ana has been booked."
    fn told_of(self, words: &[&str]) -> Heard {
        match subject(words) {
            Subject::Unfinished => self.open(),
            Subject::Another => Heard::Harmless,
            Subject::Contracted { whose, at } => self.present(whose, &words[at..]),
            Subject::Found { at, .. }
                if let Some(heard) = self.arrived(&words[..at], past_adverbs(&words[at..])) =>
            {
                heard
            }
            Subject::Found { whose, at }
                if self.is_knowing && found::is_written(&words[..at], &words[at..]) =>
            {
                let unknowing = Self { is_knowing: false, ..self };
                match unknowing.predicate(whose, &words[at..]) {
                    Heard::Claimed if found::is_back_then(&words[at..]) => Heard::Harmless,
                    heard => heard,
                }
            }
            Subject::Found { whose, at } => self.predicate(whose, &words[at..]),
        }
    }

    fn predicate(self, whose: Whose, words: &[&str]) -> Heard {
        let helped = match whose {
            Whose::Bare => Whose::Others,
            Whose::Any => Whose::Ours,
            Whose::Ours | Whose::Its | Whose::Others => whose,
        };
        match past_adverbs(words) {
            [] => self.open(),
            ["is" | "are", rest @ ..] if is_leaving(rest) && whose == Whose::Bare => {
                self.present(Whose::Ours, rest)
            }
            ["is" | "are", ..] if whose == Whose::Any => Heard::Harmless,
            ["is" | "are", rest @ ..] => self.present(helped, rest),
            ["was" | "were" | "got" | "went", ..] if self.is_knowing => Heard::Harmless,
            ["was" | "were" | "got", rest @ ..] => match past_adverbs(rest) {
                [] => self.open(),
                [deed, after @ ..] if is_deed(deed) => self.passive(helped, deed, after, true),
                _ => Heard::Harmless,
            },
            ["has" | "have", rest @ ..] => match past_adverbs(rest) {
                ["been", rest @ ..] => self.present_of(helped, rest, false),
                ["gone", rest @ ..] => self.went(helped, rest),
                [] => self.open(),
                _ => Heard::Harmless,
            },
            ["went", rest @ ..] => self.went(helped, rest),
            [deed, after @ ..] if is_deed(deed) || *deed == "set" => match whose {
                Whose::Bare if !self.is_knowing => self.passive(Whose::Ours, deed, after, true),
                // "Reply sent to Dana."
                Whose::Bare if after.first() == Some(&"to") => self.unless_found(after),
                Whose::Bare | Whose::Ours if after.is_empty() => self.claimed(),
                _ => Heard::Harmless,
            },
            _ => Heard::Harmless,
        }
    }

    /// "Went out a second ago."
    fn went(self, whose: Whose, words: &[&str]) -> Heard {
        match words {
            _ if whose == Whose::Others => Heard::Harmless,
            [] => self.open(),
            ["out" | "through"] => self.claimed(),
            ["out" | "through", "of" | "with" | "the", ..] => Heard::Harmless,
            ["out", ..] => self.claimed(),
            ["through", rest @ ..] => self.closed(rest),
            _ => Heard::Harmless,
        }
    }

    pub(super) fn present(self, whose: Whose, words: &[&str]) -> Heard {
        match past_adverbs(words) {
            ["been", rest @ ..] => self.present_of(whose, rest, false),
            rest if self.is_knowing => {
                let is_now = words.contains(&"now");
                let may_be_now = rest.first().is_some_and(|deed| is_deed(deed));
                // "The meeting is cancelled now": that comes last.
                if may_be_now && !is_now && !self.is_whole() {
                    return Heard::Open;
                }
                self.present_of(whose, rest, !is_now)
            }
            rest => self.present_of(whose, rest, false),
        }
    }

    /// How it is, where `is_fact` says that it may be something that was found.
    fn present_of(self, whose: Whose, words: &[&str], is_fact: bool) -> Heard {
        match past_adverbs(words) {
            [] | ["taken"] => self.open(),
            ["on" | "going" | "off" | "in"]
            | ["on" | "in" | "off", "your" | "its" | "their" | "the"] => self.open(),
            [
                "on" | "in" | "off",
                "your" | "the",
                "calendar" | "schedule" | "agenda" | "diary",
                ..,
            ] if whose != Whose::Others && !is_fact => self.claimed(),
            ["going", "out"] | ["off", "to"] if !self.is_whole() => Heard::Open,
            leaving if is_leaving(leaving) && whose != Whose::Others && !is_fact => self.claimed(),
            _ if whose == Whose::Others && is_fact => Heard::Harmless,
            ["taken", "care", ..] => Heard::Claimed,
            ["set", "for" | "up", ..] if whose != Whose::Others && !is_fact => self.claimed(),
            [state, after @ ..] if STATES.contains(state) && whose != Whose::Others => {
                self.closed(after)
            }
            [deed, after @ ..] if is_deed(deed) && !is_fact => {
                self.passive(whose, deed, after, false)
            }
            _ => Heard::Harmless,
        }
    }

    /// That it was done: unless somebody else did it, or says so, or it depends on something.
    fn passive(self, whose: Whose, deed: &str, after: &[&str], is_past: bool) -> Heard {
        if is_excused(after, whose, is_past) {
            return Heard::Harmless;
        }
        let is_sure = match whose {
            Whose::Ours => true,
            Whose::Its => is_strong(deed) && !is_how(after),
            Whose::Others | Whose::Bare | Whose::Any => false,
        };
        if is_sure { self.claimed() } else { self.closed(after) }
    }

    /// Nothing follows that would make it a lesson: "It is done", "… to your calendar".
    fn closed(self, after: &[&str]) -> Heard {
        match after {
            [] => self.claimed(),
            ["now" | "already" | "too" | "successfully" | "and" | "so" | "just", ..]
            | ["for", "you", ..]
            | ["to" | "from" | "on" | "in", "your", ..]
            | ["as", "you" | "requested" | "asked" | "well", ..] => self.claimed(),
            ["for" | "to" | "from" | "on" | "in" | "as"] if !self.is_whole() => Heard::Open,
            _ => Heard::Harmless,
        }
    }
}

/// Where what something is done to is over: "… to Friday".
fn is_join(word: &str) -> bool {
    JOINS.contains(&word) || matches!(word, "by" | "so" | "because" | "into" | "as")
}

/// What one drops somebody.
fn is_line(word: &str) -> bool {
    matches!(word, "line" | "note" | "message" | "mail" | "email" | "reply" | "response")
}

/// What the sentence is about, and where that ends.
fn subject(words: &[&str]) -> Subject {
    let Some(first) = words.first() else { return Subject::Unfinished };
    let (whose, mut at) = match *first {
        "this" | "that" | "these" | "those" if words.get(1).is_some_and(|it| is_thing(it)) => {
            (Whose::Ours, 1)
        }
        pronoun if PRONOUNS.contains(&pronoun) => {
            return Subject::Found { whose: Whose::Its, at: 1 };
        }
        "a" | "an" => (Whose::Any, 1),
        article if ARTICLES.contains(&article) || is_number(article) => (Whose::Ours, 1),
        thing if is_thing(thing) => (Whose::Bare, 0),
        thing if thing.strip_suffix("'s").is_some_and(is_thing) => {
            return Subject::Contracted { whose: Whose::Ours, at: 1 };
        }
        _ => return Subject::Another,
    };
    // So many words may stand before the thing: "your next dentist appointment".
    let mut strange = match *first {
        "the" | "a" | "an" => 1,
        "your" | "our" => 2,
        _ => 0,
    };
    let mut has_thing = false;
    let is_yours = matches!(*first, "your" | "our");
    while let Some(word) = words.get(at) {
        let is_verb = HELPERS.contains(word) || ADVERBS.contains(word);
        match *word {
            _ if is_verb || has_thing && (is_deed(word) || *word == "set") => {
                return match (has_thing, *first) {
                    (true, _) => Subject::Found { whose, at },
                    (false, _) if is_yours && at == 2 => Subject::Found { whose, at },
                    (false, "the") if at > 1 => Subject::Found { whose: Whose::Others, at },
                    (false, _) => Subject::Another,
                };
            }
            thing if is_thing(thing) => has_thing = true,
            thing if thing.strip_suffix("'s").is_some_and(is_thing) => {
                return Subject::Contracted { whose, at: at + 1 };
            }
            // "Your table at Nopa": whatever it is, it is the person's.
            join if !has_thing && is_yours && at == 2 && JOINS.contains(&join) => {
                return joined(words, whose, at);
            }
            // "Lunch with Tom": not lunches as such.
            "with" if has_thing && whose == Whose::Bare => return joined(words, Whose::Ours, at),
            join if has_thing && JOINS.contains(&join) => return joined(words, whose, at),
            _ if has_thing || strange == 0 => return Subject::Another,
            _ => strange -= 1,
        }
        at += 1;
    }
    Subject::Unfinished
}

/// "… with Ana on Friday": up to what is said of it.
fn joined(words: &[&str], whose: Whose, from: usize) -> Subject {
    let rest = &words[from..];
    let by_others = ["that", "which", "who", "you", "he", "she", "they", "i"];
    let helper = rest.iter().position(|word| HELPERS.contains(word));
    let before = &rest[..helper.unwrap_or(rest.len())];
    if before.iter().any(|word| by_others.contains(word) || EXCUSES.contains(word)) {
        return Subject::Another;
    }
    helper.map_or(Subject::Unfinished, |helper| Subject::Found { whose, at: from + helper })
}

/// "… by Tom", "… says the mail", "… when you say so", and of the past "… in 1889".
pub(super) fn is_excused(after: &[&str], whose: Whose, is_past: bool) -> bool {
    let next_is = |at: usize, is: &dyn Fn(&str) -> bool| after.get(at + 1).is_some_and(|it| is(it));
    after.iter().enumerate().any(|(at, word)| match *word {
        "by" => next_is(at, &|next| !matches!(next, "me" | "us")),
        "on" | "in" => is_past && next_is(at, &|next| !matches!(next, "your" | "our" | "behalf")),
        "after" | "before" => {
            whose != Whose::Ours
                || !is_past
                || next_is(at, &|next| next == "you" || is_number(next))
        }
        word => EXCUSES.contains(&word),
    })
}

/// "… on its way", "… going out", "… off to Priya".
fn is_leaving(words: &[&str]) -> bool {
    match past_adverbs(words) {
        ["on", "its" | "their", "way", rest @ ..] => !matches!(rest, ["out", ..]),
        ["going" | "heading", "out", rest @ ..] => !matches!(rest, ["of" | "with", ..]),
        ["off", "to", next, ..] => !matches!(*next, "a" | "an"),
        _ => false,
    }
}

/// How such a thing is done, not that it was: "It is sent over a wire".
fn is_how(after: &[&str]) -> bool {
    match after {
        ["via" | "over" | "through" | "using" | "as" | "every" | "each", ..] => true,
        ["from" | "in", next, ..] => *next != "your",
        ["to", next, ..] => ["a", "an", "the", "every", "each", "its", "their"].contains(next),
        _ => false,
    }
}
