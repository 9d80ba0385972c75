//! What stands beside a word, where that decides how it is read.

use super::Word;

/// Behind these stands a name in digits, which is spelled and not counted.
const NAMED: [&str; 36] = [
    "code",
    "order",
    "zip",
    "number",
    "id",
    "ticket",
    "pin",
    "case",
    "ref",
    "reference",
    "invoice",
    "account",
    "confirmation",
    "tracking",
    "flight",
    "extension",
    "ext",
    "no",
    "model",
    "serial",
    "part",
    "sku",
    "box",
    "bug",
    "issue",
    "request",
    "booking",
    "is",
    "passcode",
    "password",
    "record",
    "file",
    "badge",
    "policy",
    "member",
    "postcode",
];
/// End in an s and are counted by nobody.
const NOT_COUNTED: [&str; 22] = [
    "this", "does", "goes", "always", "perhaps", "across", "towards", "unless", "thus", "plus",
    "minus", "less", "works", "needs", "seems", "looks", "ships", "arrives", "exists", "means",
    "stays", "comes",
];
/// Do not end in one, and are.
const COUNTED: [&str; 14] = [
    "people", "men", "women", "children", "feet", "teeth", "percent", "sheep", "fish", "staff",
    "euro", "yen", "new", "more",
];
/// The number of a house stands so many words before its street at most.
const TO_THE_HOUSE: usize = 4;

pub struct Around<'a> {
    pub before: Option<&'a str>,
    pub after: Option<&'a str>,
    /// Nothing but room is between it and the word before.
    pub joined: bool,
    /// The word before is the first of its sentence.
    pub begins: bool,
    /// A number stands not far before: "5 Elm".
    pub housed: bool,
    /// The word behind it, where nothing but room is between them.
    next: Option<&'a str>,
}

impl<'a> Around<'a> {
    pub fn of(words: &'a [Word], at: usize) -> Self {
        let core =
            |at: Option<usize>| at.and_then(|at| words.get(at)).map(|word| word.core.as_str());
        let ahead = &words[at.saturating_sub(TO_THE_HOUSE)..at];
        let from = ahead.iter().rposition(|word| !word.tail.is_empty()).map_or(0, |at| at + 1);
        let house = |word: &Word| word.core.starts_with(|c: char| c.is_ascii_digit());
        let ends = |word: &Word| word.tail.ends_with(['.', '!', '?', ':']);
        Self {
            before: core(at.checked_sub(1)),
            after: core(Some(at + 1)),
            joined: at.checked_sub(1).is_some_and(|before| words[before].tail.is_empty()),
            begins: at == 1 || at > 1 && ends(&words[at - 2]),
            housed: ahead[from..].iter().any(house),
            next: core(Some(at + 1)).filter(|_| words[at].tail.is_empty()),
        }
    }

    /// What follows is what it is the number of: "50000 people".
    pub fn counts(&self) -> bool {
        let plural = |word: &str| {
            let small = word.bytes().all(|b| b.is_ascii_lowercase());
            let many = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
            small && (many && !NOT_COUNTED.contains(&word) || COUNTED.contains(&word))
        };
        self.next.is_some_and(plural)
    }

    /// "Ext. 5512".
    pub fn is_extension(&self) -> bool {
        self.is_behind(&["ext", "extension"])
    }

    /// "Room 101".
    pub fn is_room(&self) -> bool {
        self.is_behind(&["room", "rm", "suite", "ste", "apartment", "apt", "gate", "hall"])
    }

    /// "Call 112".
    pub fn is_called(&self) -> bool {
        self.is_behind(&["call", "dial", "ring", "phone"])
    }

    /// "4-2" behind one of these tells who scored.
    pub fn is_score(&self) -> bool {
        self.is_behind(&["won", "lost", "win", "lose", "beat", "score", "led", "lead", "by"])
    }

    /// "Open 9-5", "working 9-5", "9-5 on weekdays".
    pub fn is_of_hours(&self) -> bool {
        const DAYS: [&str; 4] = ["weekdays", "weekends", "daily", "on"];
        self.is_behind(&[
            "open", "opens", "hours", "work", "works", "working", "shift", "job", "from",
        ]) || self.next.is_some_and(|next| DAYS.contains(&next.to_lowercase().as_str()))
    }

    fn is_behind(&self, words: &[&str]) -> bool {
        self.before.is_some_and(|word| words.contains(&word.to_lowercase().as_str()))
    }

    /// What stands before says that it is a name in digits: "code 12-15", "CA 94107".
    pub fn is_code(&self) -> bool {
        self.joined
            && self.before.is_some_and(|word| {
                let capitals = word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase());
                capitals || NAMED.contains(&word.to_lowercase().as_str())
            })
    }
}
