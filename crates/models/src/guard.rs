//! Lets words through and nothing else. Pure, and as fast as they come.
//!
//! What a model says is for people. JSON, calls of tools, marks of templates and thoughts
//! to itself are taken out; so is any claim that something was done, because what was done
//! is told from the record. Only what could be the beginning of such a thing is held back,
//! and only until that is clear.

mod claim;

use self::claim::Claim;

const FENCE: &str = "```";

/// What ends something that is not for people, whichever comes first.
type Ends = &'static [&'static str];

/// It is over where it began.
const AT_ONCE: Ends = &[""];

/// What begins something that is not for people, longer ones before those they begin with,
/// and what ends it.
const MARKED: [(&str, Ends); 18] = [
    ("<tool_call", &["</tool_call>"]),
    ("<function_calls", &["</function_calls>"]),
    ("<function_call", &["</function_call>"]),
    ("<function=", &["</function>"]),
    ("<tool_use", &["</tool_use>"]),
    ("<invoke", &["</invoke>"]),
    ("<thinking>", &["</thinking>"]),
    ("<think>", &["</think>"]),
    // Where the template had begun to think before the answer began.
    ("</thinking>", AT_ONCE),
    ("</think>", AT_ONCE),
    // Channels: one to itself, one to tools, one for people.
    ("<|channel|>analysis", &["<|end|>", "<|return|>", "<|call|>"]),
    ("<|channel|>commentary", &["<|end|>", "<|return|>", "<|call|>"]),
    ("<|channel|>final", AT_ONCE),
    ("<|start|>assistant", AT_ONCE),
    ("<|", &["|>"]),
    ("[TOOL_CALLS]", &["\n"]),
    (FENCE, &[FENCE]),
    ("[/TOOL_CALLS]", AT_ONCE),
];

/// Between the parts of a tool's name, as models are told of it.
const JOINT: &str = "__";
/// No name is longer, with a bracket before it.
const LONGEST_NAME: usize = 64;

/// Fences around these are for machines.
const MACHINE: [&str; 6] = ["json", "tool_code", "tool_call", "tool_outputs", "xml", "yaml"];

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
    Until(Ends),
    /// Until as many brackets are closed as were opened.
    Brackets { depth: u32, in_text: bool, escaped: bool },
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

    /// Something was looked up: that a mail was sent may be what was found.
    pub fn knowing() -> Self {
        Self { claim: Claim::knowing(), ..Self::default() }
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
            Mode::Until(ends) => self.skip_to(ends, is_last),
            Mode::Brackets { .. } => self.skip_brackets(),
            Mode::Words => self.read_words(words, is_last),
        }
    }

    fn read_words(&mut self, words: &mut String, is_last: bool) -> bool {
        let sign = self.held.find(['<', '{', '[', '`']);
        let plain = &self.held[..sign.unwrap_or(self.held.len())];
        let called = plain.contains(JOINT).then(|| call_in(plain)).flatten();
        let at = called.unwrap_or(plain.len());
        words.push_str(&self.held[..at]);
        self.held.drain(..at);
        if called.is_none() && sign.is_none() {
            return false;
        }
        let begun =
            if called.is_some() { calls(&self.held) } else { begins(&self.held, self.in_code) };
        match begun {
            Begins::Marked { ends, skip } => {
                self.removed += 1;
                self.held.drain(..skip);
                self.mode = Mode::Until(ends);
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
            Begins::Unclear if is_last && is_word(&self.held) => {
                words.push_str(&std::mem::take(&mut self.held));
                false
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

    fn skip_to(&mut self, ends: Ends, is_last: bool) -> bool {
        let found = ends.iter().filter_map(|end| Some((self.held.find(end)?, end.len())));
        if let Some((at, length)) = found.min() {
            self.held.drain(..at + length);
            self.mode = Mode::Words;
            return true;
        }
        // The end may come in two pieces.
        let longest = ends.iter().map(|end| end.len()).max().unwrap_or(0);
        let keep = self.held.floor_char_boundary(self.held.len().saturating_sub(longest));
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
                '{' | '[' | '(' if !in_text => depth += 1,
                '}' | ']' | ')' if !in_text => depth = depth.saturating_sub(1),
                _ => {}
            }
            // A call begins with its name.
            if depth == 0 && !is_of_name(c) {
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
    Marked { ends: Ends, skip: usize },
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
            (true, _) => Begins::Marked { ends: &[FENCE], skip: FENCE.len() },
            (false, true) => Begins::Unclear,
            (false, false) => Begins::Words { length: FENCE.len() },
        };
    }
    if MARKED.iter().any(|(start, _)| start.len() > text.len() && start.starts_with(text)) {
        return Begins::Unclear;
    }
    for (start, ends) in MARKED {
        if text.starts_with(start) {
            return Begins::Marked { ends, skip: start.len() };
        }
    }
    let Some(opening) = text.chars().next() else { return Begins::Unclear };
    if !matches!(opening, '{' | '[') {
        return Begins::Words { length: opening.len_utf8() };
    }
    match (opening, text[1..].trim_start().chars().next()) {
        (_, None) => Begins::Unclear,
        ('{', Some('"' | '\'' | '}' | '{')) | ('[', Some('{' | '"' | '[')) => Begins::Json,
        ('[', Some(c)) if is_of_name(c) => match calls(text[1..].trim_start()) {
            Begins::Words { .. } => Begins::Words { length: 1 },
            call => call,
        },
        _ => Begins::Words { length: 1 },
    }
}

/// Whether that is all there is of a word, and of nothing else.
fn is_word(text: &str) -> bool {
    let begins_a_mark = MARKED.iter().any(|(start, _)| start.starts_with(text));
    !begins_a_mark && text.trim_start_matches('[').trim_start().starts_with(is_of_name)
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Where a name with a joint in it begins.
fn call_in(text: &str) -> Option<usize> {
    let joint = text.find(JOINT)?;
    Some(
        text[..joint]
            .rfind(|c| !is_of_name(c))
            .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8)),
    )
}

/// Whether `text`, which starts with a name, is the call of a tool.
fn calls(text: &str) -> Begins {
    let end = text.find(|c| !is_of_name(c));
    let name = &text[..end.unwrap_or(text.len())];
    let is_joined = name.contains(JOINT);
    match text[name.len()..].chars().next() {
        None if name.len() <= LONGEST_NAME => Begins::Unclear,
        Some('(') if is_joined => Begins::Json,
        _ => Begins::Words { length: name.len().max(1) },
    }
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
