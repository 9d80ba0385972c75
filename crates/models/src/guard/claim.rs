//! Sentences that say something was done. That is told from the record, never by a model.
//!
//! A sentence is held back only as long as it may still turn out to be one: by its first word,
//! and for eight words at most.

/// So much of a sentence is looked at.
const MOST_WORDS: usize = 8;
/// However few words it has.
const LONGEST: usize = 240;
/// So short a beginning is only a way to begin: "Maya, …", "Good news: …".
const LEAD_WORDS: usize = 3;

#[derive(Debug, Default)]
pub(super) struct Claim {
    sentence: String,
    state: Heard,
    /// What was found may be told: "the mail was sent on Monday".
    is_knowing: bool,
    /// Words of this sentence that were shown already, and whether it may still begin.
    led: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Heard {
    /// It may still turn out to be one.
    #[default]
    Open,
    Harmless,
    /// The rest of it is not shown.
    Claimed,
}

impl Claim {
    pub fn knowing() -> Self {
        Self { is_knowing: true, ..Self::default() }
    }

    /// What may be shown, and whether a claim was found.
    pub fn take(&mut self, words: &str, is_last: bool) -> (String, bool) {
        let (mut shown, mut claimed) = (String::new(), false);
        for c in words.chars() {
            claimed |= self.hear(c, &mut shown);
        }
        if is_last {
            let rest = std::mem::take(&mut self.sentence);
            if self.judged(&rest, true) == Heard::Claimed {
                claimed = true;
            } else {
                shown.push_str(&rest);
            }
            (self.state, self.led) = (Heard::Open, 0);
        }
        (shown, claimed)
    }

    fn hear(&mut self, c: char, shown: &mut String) -> bool {
        let ends = matches!(c, '.' | '!' | '?' | '\n');
        if self.state == Heard::Open && self.sentence.is_empty() && !c.is_alphanumeric() {
            // Nothing begins with it.
            shown.push(c);
            if ends {
                self.led = 0;
            }
            return false;
        }
        let after_word = self.sentence.ends_with(char::is_alphanumeric);
        self.sentence.push(c);
        if self.state == Heard::Open {
            let is_cut = ends || c.is_whitespace() || matches!(c, ',' | ':' | ';' | '—' | '–');
            if is_cut && (after_word || ends) {
                self.state = self.judged(&self.sentence, ends);
            } else if !is_cut && !could_claim(&self.sentence) || self.sentence.len() > LONGEST {
                self.state = Heard::Harmless;
            }
        }
        if self.state == Heard::Harmless {
            self.led += usize::from(after_word && !c.is_alphanumeric() && c != '\'');
            shown.push_str(&std::mem::take(&mut self.sentence));
            let leads = matches!(c, ',' | ':' | '—' | '–') && self.led <= LEAD_WORDS;
            if leads && !denies_before(shown) {
                self.state = Heard::Open;
            }
        }
        let is_claimed = self.state == Heard::Claimed;
        if is_claimed {
            self.sentence.clear();
        }
        if ends {
            (self.state, self.led) = (Heard::Open, 0);
        }
        is_claimed
    }

    /// "I've sent it", "Done", "Your meeting has been booked".
    fn judged(&self, sentence: &str, is_whole: bool) -> Heard {
        let lower = sentence.to_lowercase().replace('’', "'");
        let said = words_of(&lower);
        let words = &said[said.iter().take_while(|word| LEADS.contains(word)).count()..];
        let Some(first) = words.first() else {
            let is_all_set = matches!(said.as_slice(), [.., "all", "set"]);
            return match (is_whole, is_all_set) {
                (true, true) => Heard::Claimed,
                (true, false) if !said.is_empty() => Heard::Harmless,
                (true | false, _) => Heard::Open,
            };
        };
        let bare = |word: &&str| DONE.contains(word) || *word == "done";
        if is_whole && words.len() <= 2 && words.iter().any(bare) && *first != "not" {
            return Heard::Claimed;
        }
        if let [first, rest @ ..] = words
            && SET.contains(first)
        {
            return match rest {
                ["all", "set"] if is_whole => Heard::Claimed,
                [] | ["all"] | ["all", "set"] if !is_whole => Heard::Open,
                _ => Heard::Harmless,
            };
        }
        if !FIRST.contains(first) && !DONE.contains(first) {
            return Heard::Harmless;
        }
        let near = &words[..words.len().min(MOST_WORDS)];
        if near.iter().any(denies) {
            return Heard::Harmless;
        }
        let done = near.iter().position(|word| DONE.contains(word));
        // "The mail you sent": somebody else's doing is a fact like others. "For you" is not.
        let before = &near[..done.unwrap_or(near.len())];
        let by_others = before.iter().enumerate().any(|(at, word)| {
            let is_for = at > 0 && matches!(before[at - 1], "for" | "to" | "with" | "as");
            matches!(*word, "you" | "you've" | "he" | "she" | "they") && !is_for
        });
        let is_over = is_whole || words.len() >= MOST_WORDS;
        match done {
            Some(_) if by_others => Heard::Harmless,
            Some(done) if by_me(near) || was_just(near, done) => Heard::Claimed,
            // Only at its end is clear who did it, and who says so.
            Some(done) if is_over && self.was_once(near, done) => Heard::Claimed,
            _ if is_over || by_others => Heard::Harmless,
            _ => Heard::Open,
        }
    }

    /// "The mail was sent", unless somebody is named who did it, or something was looked up.
    fn was_once(&self, words: &[&str], done: usize) -> bool {
        let adverb = |word: &&&str| {
            matches!(**word, "just" | "already" | "successfully" | "now") || word.ends_with("ly")
        };
        let helper = words[..done].iter().rev().find(|word| !adverb(word));
        let is_told = words.iter().any(|word| matches!(*word, "by" | "says" | "said" | "on"));
        !self.is_knowing && !is_told && matches!(helper.copied(), Some("was" | "were" | "got"))
    }
}

/// What was shown of this sentence takes back what follows: "Once you say yes, …".
fn denies_before(shown: &str) -> bool {
    let from = shown.rfind(['.', '!', '?', '\n']).map_or(0, |at| at + 1);
    words_of(&shown[from..].to_lowercase()).iter().any(denies)
}

fn words_of(lower: &str) -> Vec<&str> {
    let words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.filter(|word| !word.is_empty()).collect()
}

fn denies(word: &&str) -> bool {
    word.ends_with("n't")
        || matches!(*word, "not" | "never" | "cannot" | "if" | "once" | "when" | "after" | "until")
}

fn by_me(words: &[&str]) -> bool {
    words.iter().any(|word| matches!(*word, "i" | "i've" | "we" | "we've"))
}

/// "Has been booked", "is now deleted", "consider it sent".
fn was_just(words: &[&str], done: usize) -> bool {
    let pairs = || words.windows(2);
    pairs().any(|two| matches!(two, ["has" | "have", "been"] | ["is" | "it's" | "are", "now"]))
        || matches!(words[..done], [.., "consider", "it" | "that" | "this"])
}

/// What only a record may say was done.
const DONE: [&str; 20] = [
    "sent",
    "emailed",
    "mailed",
    "replied",
    "forwarded",
    "booked",
    "scheduled",
    "rescheduled",
    "cancelled",
    "canceled",
    "deleted",
    "removed",
    "created",
    "added",
    "invited",
    "archived",
    "saved",
    "moved",
    "confirmed",
    "remembered",
];

/// What a sentence begins with before it says so.
const LEADS: [&str; 26] = [
    "ok",
    "okay",
    "sure",
    "alright",
    "all",
    "set",
    "right",
    "great",
    "good",
    "news",
    "perfect",
    "absolutely",
    "certainly",
    "definitely",
    "of",
    "course",
    "no",
    "problem",
    "worries",
    "got",
    "thing",
    "yes",
    "yep",
    "excellent",
    "wonderful",
    "there",
];

/// How a sentence begins that may say so.
const FIRST: [&str; 24] = [
    "i",
    "i've",
    "we",
    "we've",
    "your",
    "the",
    "it",
    "it's",
    "that",
    "that's",
    "this",
    "these",
    "both",
    "everything",
    "done",
    "consider",
    "email",
    "mail",
    "message",
    "meeting",
    "event",
    "invitation",
    "reply",
    "reminder",
];

/// Whoever is all set.
const SET: [&str; 3] = ["you're", "we're", "everything's"];

/// Whether the first word, as far as it has come, may be one of those.
fn could_claim(sentence: &str) -> bool {
    let word = sentence.trim_start();
    if word.contains(char::is_whitespace) {
        return true;
    }
    let word = word.to_lowercase().replace('’', "'");
    let mut firsts = FIRST.iter().chain(&DONE).chain(&LEADS).chain(&SET);
    firsts.any(|known| known.starts_with(word.as_str()))
}
