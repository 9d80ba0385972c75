//! Lets words through and nothing else. Pure, and as fast as they come.
//!
//! What a model says is for people. JSON, calls of tools, marks of templates and thoughts
//! to itself are taken out; so is any claim that something was done, because what was done
//! is told from the record. Only what could be the beginning of such a thing is held back,
//! and only until that is clear.

const FENCE: &str = "```";

/// What begins something that is not for people, and what ends it.
const MARKED: [(&str, &str); 9] = [
    ("<tool_call", "</tool_call>"),
    ("<function_call", "</function_call>"),
    ("<function=", "</function>"),
    ("<tool_use", "</tool_use>"),
    ("<invoke", "</invoke>"),
    ("<think>", "</think>"),
    ("<|", "|>"),
    ("[TOOL_CALLS]", "\n"),
    (FENCE, FENCE),
];

/// Fences around these are for machines.
const MACHINE: [&str; 6] = ["json", "tool_code", "tool_call", "tool_outputs", "xml", "yaml"];

/// So much of a sentence is looked at for a claim.
const WORDS_OF_A_CLAIM: usize = 8;

/// Reads what comes, piece by piece.
#[derive(Debug, Default)]
pub struct Guard {
    held: String,
    mode: Mode,
    /// Within code for people, which another fence ends.
    in_code: bool,
    claim: Claim,
    /// Something was shown.
    has_words: bool,
    /// Something was taken out.
    removed: usize,
    /// It said that it had done something.
    claimed: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Words,
    /// Until this comes, nothing is for people.
    Until(&'static str),
    /// Until as many brackets are closed as were opened.
    Brackets { depth: u32, in_text: bool, escaped: bool },
}

/// Sentences that might say that something was done.
#[derive(Debug, Default)]
struct Claim {
    sentence: String,
    state: Heard,
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

impl Guard {
    /// Takes a piece; gives what may be shown now.
    pub fn take(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        let mut words = String::new();
        while self.step(&mut words, false) {}
        self.shown(&words, false)
    }

    /// There is no more. What is not finished is not shown.
    pub fn finish(&mut self) -> String {
        let mut words = String::new();
        while self.step(&mut words, true) {}
        self.mode = Mode::Words;
        self.held.clear();
        self.shown(&words, true)
    }

    pub fn has_words(&self) -> bool {
        self.has_words
    }

    /// How often something was taken out.
    pub fn removed(&self) -> usize {
        self.removed
    }

    /// It said that it had done something.
    pub fn has_claimed(&self) -> bool {
        self.claimed
    }

    fn shown(&mut self, words: &str, is_last: bool) -> String {
        let (shown, claimed) = self.claim.take(words, is_last);
        self.claimed |= claimed;
        self.has_words |= shown.chars().any(char::is_alphanumeric);
        shown
    }

    /// One decision. False when more has to come first.
    fn step(&mut self, words: &mut String, is_last: bool) -> bool {
        match self.mode {
            Mode::Until(end) => self.skip_to(end, is_last),
            Mode::Brackets { .. } => self.skip_brackets(),
            Mode::Words => self.read_words(words, is_last),
        }
    }

    fn read_words(&mut self, words: &mut String, is_last: bool) -> bool {
        let Some(at) = self.held.find(['<', '{', '[', '`']) else {
            let shown = !self.held.is_empty();
            words.push_str(&std::mem::take(&mut self.held));
            return shown;
        };
        words.push_str(&self.held[..at]);
        self.held.drain(..at);
        match begins(&self.held, self.in_code) {
            Begins::Marked { end, skip } => {
                self.removed += 1;
                self.held.drain(..skip);
                self.mode = Mode::Until(end);
                true
            }
            Begins::Json => {
                self.removed += 1;
                self.mode = Mode::Brackets { depth: 0, in_text: false, escaped: false };
                true
            }
            Begins::Words { length } => {
                self.in_code ^= length == FENCE.len();
                words.push_str(&self.held[..length]);
                self.held.drain(..length);
                true
            }
            Begins::Unclear if is_last => {
                // Half of something; a lone bracket is no word either.
                self.removed += 1;
                self.held.clear();
                false
            }
            Begins::Unclear => false,
        }
    }

    fn skip_to(&mut self, end: &'static str, is_last: bool) -> bool {
        if let Some(at) = self.held.find(end) {
            self.held.drain(..at + end.len());
            self.mode = Mode::Words;
            return true;
        }
        // The end may come in two pieces.
        let keep = self.held.floor_char_boundary(self.held.len().saturating_sub(end.len()));
        self.held.drain(..keep);
        if is_last {
            self.held.clear();
        }
        false
    }

    fn skip_brackets(&mut self) -> bool {
        let Mode::Brackets { mut depth, mut in_text, mut escaped } = self.mode else {
            return false;
        };
        for (at, c) in self.held.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' if in_text => escaped = true,
                '"' => in_text = !in_text,
                '{' | '[' if !in_text => depth += 1,
                '}' | ']' if !in_text => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                self.held.drain(..at + c.len_utf8());
                self.mode = Mode::Words;
                return true;
            }
        }
        self.held.clear();
        self.mode = Mode::Brackets { depth, in_text, escaped };
        false
    }
}

enum Begins {
    Marked { end: &'static str, skip: usize },
    Json,
    Words { length: usize },
    Unclear,
}

/// What `text`, which starts with a sign, is the beginning of.
fn begins(text: &str, in_code: bool) -> Begins {
    if let Some(rest) = text.strip_prefix(FENCE) {
        if in_code {
            return Begins::Words { length: FENCE.len() };
        }
        let Some(line) = rest.find('\n') else { return Begins::Unclear };
        let language = rest[..line].trim().to_lowercase();
        let inner = rest[line..].trim_start();
        let is_machine = MACHINE.contains(&language.as_str()) || inner.starts_with(['{', '[']);
        return match (is_machine, inner.is_empty()) {
            (true, _) => Begins::Marked { end: FENCE, skip: FENCE.len() },
            (false, true) => Begins::Unclear,
            (false, false) => Begins::Words { length: FENCE.len() },
        };
    }
    for (start, end) in MARKED {
        if text.starts_with(start) {
            return Begins::Marked { end, skip: start.len() };
        }
    }
    if MARKED.iter().any(|(start, _)| start.starts_with(text)) {
        return Begins::Unclear;
    }
    let Some(opening) = text.chars().next() else { return Begins::Unclear };
    if !matches!(opening, '{' | '[') {
        return Begins::Words { length: opening.len_utf8() };
    }
    match (opening, text[1..].trim_start().chars().next()) {
        (_, None) => Begins::Unclear,
        ('{', Some('"' | '\'' | '}' | '{')) | ('[', Some('{' | '"' | '[')) => Begins::Json,
        _ => Begins::Words { length: 1 },
    }
}

impl Claim {
    /// What may be shown, and whether a claim was found.
    fn take(&mut self, words: &str, is_last: bool) -> (String, bool) {
        let (mut shown, mut claimed) = (String::new(), false);
        for c in words.chars() {
            self.sentence.push(c);
            let ends = matches!(c, '.' | '!' | '?' | '\n');
            if self.state == Heard::Open {
                let is_cut = ends || c.is_whitespace() || c == ',';
                if is_cut {
                    self.state = judged(&self.sentence, ends);
                } else if !could_claim(&self.sentence) {
                    self.state = Heard::Harmless;
                }
            }
            match self.state {
                Heard::Open => {}
                Heard::Harmless => shown.push_str(&std::mem::take(&mut self.sentence)),
                Heard::Claimed => {
                    claimed = true;
                    self.sentence.clear();
                }
            }
            if ends {
                self.state = Heard::Open;
            }
        }
        if is_last {
            self.state = Heard::Open;
            let rest = std::mem::take(&mut self.sentence);
            if judged(&rest, true) == Heard::Claimed {
                claimed = true;
            } else {
                shown.push_str(&rest);
            }
        }
        (shown, claimed)
    }
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

/// How a sentence begins that may say so.
const FIRST: [&str; 15] = [
    "i", "i've", "we", "we've", "ok", "okay", "sure", "alright", "your", "the", "it", "it's",
    "that", "that's", "done",
];

/// Whether the first word, as far as it has come, may be one of those.
fn could_claim(sentence: &str) -> bool {
    let word = sentence.trim_start();
    if word.contains(char::is_whitespace) {
        return true;
    }
    let word = word.to_lowercase().replace('’', "'");
    FIRST.iter().chain(&DONE).any(|known| known.starts_with(word.as_str()))
}

/// "I've sent it", "Done", "Your meeting has been booked".
fn judged(sentence: &str, is_whole: bool) -> Heard {
    let lower = sentence.to_lowercase().replace('’', "'");
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    let Some(first) = words.first() else { return Heard::Open };
    let bare = |word: &&str| DONE.contains(word) || *word == "done";
    if is_whole && words.len() <= 2 && words.iter().any(bare) && *first != "not" {
        return Heard::Claimed;
    }
    if !FIRST.contains(first) && !DONE.contains(first) {
        return Heard::Harmless;
    }
    let denies = |word: &&str| {
        word.ends_with("n't")
            || matches!(*word, "not" | "never" | "cannot" | "if" | "once" | "when")
    };
    let near = &words[..words.len().min(WORDS_OF_A_CLAIM)];
    if near.iter().any(denies) {
        return Heard::Harmless;
    }
    let done = near.iter().position(|word| DONE.contains(word));
    let by_me = near.iter().any(|word| matches!(*word, "i" | "i've" | "we" | "we've"));
    let was = near.windows(2).any(|two| matches!(two, ["has" | "have", "been"]))
        || near.windows(2).any(|two| matches!(two, ["is" | "it's" | "are", "now"]));
    // "You have sent", "the mail you sent": somebody else's doing is a fact like others.
    let by_others =
        near.iter().any(|word| matches!(*word, "you" | "you've" | "he" | "she" | "they"));
    if done.is_some() && (by_me || was) && !by_others {
        return Heard::Claimed;
    }
    if is_whole || words.len() >= WORDS_OF_A_CLAIM || by_others {
        return Heard::Harmless;
    }
    Heard::Open
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
