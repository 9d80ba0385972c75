//! What people type into a mail search box, read but not yet looked up.
//!
//! `from:priya is:unread newer_than:7d "heron launch" -label:newsletters`: all
//! of it must hold. Nothing here knows a mailbox; each provider translates a
//! [`Query`] into what it speaks.

use jiff::civil::Date;
use jiff::{Span, Timestamp, ToSpan};

use crate::text;

pub const MOST_CHARS: usize = 500;

/// All of these must hold. None at all means any mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    pub terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Written with a `-` before it.
    pub negated: bool,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    From(Who),
    To(Who),
    Cc(Who),
    Subject(String),
    /// In lower case, with hyphens for spaces.
    Label(String),
    Unread,
    Read,
    In(Place),
    NewerThan(Age),
    OlderThan(Age),
    /// On that day or at that moment, or later.
    After(Since),
    /// Before that day began, or before that moment.
    Before(Since),
    /// Written in `{}`: one of them is enough.
    Any(Vec<Term>),
    /// In the subject, the text or the people.
    Words(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// Whose mailbox it is.
    Me,
    /// Exactly this address, in lower case.
    Address(String),
    /// Anybody there; `@brightloom.example` without the `@`, in lower case.
    Domain(String),
    /// A name, or the beginning of one.
    Named(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Inbox,
    Sent,
    Drafts,
    Anywhere,
}

/// `2026-11-10`, or with a time of the day `2026-11-10T09:00:00-08:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// The day as the person has it.
    Day(Date),
    Moment(Timestamp),
}

/// How long ago; months are months of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Age {
    pub count: i32,
    pub unit: Unit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Hours,
    Days,
    Weeks,
    Months,
    Years,
}

/// Why a search cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadQuery {
    #[error("a mail search is at most {MOST_CHARS} characters long")]
    TooLong,
    #[error(
        "mail search knows no \"{0}:\"; it knows from: to: cc: subject: label: is: in: \
         newer_than: older_than: after: before: and plain words"
    )]
    UnknownOperator(String),
    #[error("\"{0}:\" needs something after it")]
    NothingAfter(String),
    #[error("\"{operator}:{value}\" is not known; try {instead}")]
    UnknownValue { operator: String, value: String, instead: &'static str },
    #[error("mail search cannot do OR or round brackets; write {{one other}} for either")]
    NoAlternatives,
    #[error("there are no words to search for in \"{0}\"")]
    NoWords(String),
}

impl Query {
    pub fn parse(text: &str) -> Result<Self, BadQuery> {
        if text.chars().count() > MOST_CHARS {
            return Err(BadQuery::TooLong);
        }
        let mut pieces = pieces(text).into_iter();
        let mut terms = Vec::new();
        while let Some(piece) = pieces.next() {
            terms.extend(piece.read(&mut pieces)?);
        }
        if terms.is_empty() && !text.trim().is_empty() {
            return Err(BadQuery::NoWords(text.trim().to_owned()));
        }
        Ok(Self { terms })
    }

    /// Does it say itself where to look? Otherwise drafts are left out.
    pub fn says_where(&self) -> bool {
        self.terms.iter().any(Term::says_where)
    }
}

impl Term {
    fn says_where(&self) -> bool {
        !self.negated
            && match &self.what {
                What::In(_) => true,
                What::Label(label) => label == "drafts",
                What::Any(terms) => terms.iter().any(Self::says_where),
                _ => false,
            }
    }
}

impl Place {
    /// The label that mail there carries; `None` for anywhere.
    pub fn label(self) -> Option<&'static str> {
        match self {
            Self::Inbox => Some("inbox"),
            Self::Sent => Some("sent"),
            Self::Drafts => Some("drafts"),
            Self::Anywhere => None,
        }
    }
}

impl Age {
    pub fn span(self) -> Span {
        match self.unit {
            Unit::Hours => self.count.hours(),
            Unit::Days => self.count.days(),
            Unit::Weeks => self.count.weeks(),
            Unit::Months => self.count.months(),
            Unit::Years => self.count.years(),
        }
    }
}

impl Who {
    fn read(value: &str) -> Option<Self> {
        if value.eq_ignore_ascii_case("me") {
            return Some(Self::Me);
        }
        let lower = value.to_lowercase();
        match lower.split_once('@') {
            Some(("", host)) if !host.is_empty() => Some(Self::Domain(host.to_owned())),
            Some((name, host)) if !name.is_empty() && host.contains('.') => {
                Some(Self::Address(lower))
            }
            _ => text::needle(value).map(|_| Self::Named(value.to_owned())),
        }
    }
}

/// One blank-separated piece: `-from:"Priya Nair"` in its parts.
#[derive(Debug, Default)]
struct Piece {
    negated: bool,
    operator: Option<String>,
    value: String,
    quoted: bool,
    /// It stood in `{}`.
    any: bool,
}

impl Piece {
    /// `from: priya` is read like `from:priya`, so it may take the next piece.
    fn read(self, rest: &mut impl Iterator<Item = Self>) -> Result<Option<Term>, BadQuery> {
        let Self { negated, operator, mut value, mut quoted, any } = self;
        if any {
            if value.contains('{') {
                return Err(BadQuery::NoAlternatives);
            }
            let terms = Query::parse(&value)?.terms;
            let what = What::Any(terms);
            return Ok((!value.trim().is_empty()).then_some(Term { negated, what }));
        }
        let Some(operator) = operator else {
            if value == "OR" && !quoted {
                return Err(BadQuery::NoAlternatives);
            }
            let words = text::needle(&value).map(|_| What::Words(value));
            return Ok(words.map(|what| Term { negated, what }));
        };
        if !OPERATORS.contains(&operator.as_str()) {
            // "Re: lunch" is somebody looking for a subject, not an operator.
            if value.is_empty() && !quoted {
                return Ok(Some(Term { negated, what: What::Words(operator) }));
            }
            return Err(BadQuery::UnknownOperator(operator));
        }
        if value.is_empty() && !quoted {
            let next = rest.next().filter(|next| next.operator.is_none() && !next.negated);
            let next = next.ok_or_else(|| BadQuery::NothingAfter(operator.clone()))?;
            (value, quoted) = (next.value, next.quoted);
        }
        if !quoted && value.starts_with(['(', '{']) {
            return Err(BadQuery::NoAlternatives);
        }
        Ok(Some(Term { negated, what: operate(&operator, value)? }))
    }
}

const OPERATORS: [&str; 11] = [
    "from",
    "to",
    "cc",
    "subject",
    "label",
    "is",
    "in",
    "newer_than",
    "older_than",
    "after",
    "before",
];

fn operate(operator: &str, value: String) -> Result<What, BadQuery> {
    let lower = value.to_lowercase();
    let nothing = || BadQuery::NothingAfter(operator.to_owned());
    let unknown = |instead| BadQuery::UnknownValue {
        operator: operator.to_owned(),
        value: value.clone(),
        instead,
    };
    let who = || Who::read(&value).ok_or_else(nothing);
    let age = || read_age(&lower).ok_or_else(|| unknown("7d, 2m or 1y"));
    let date = || {
        let instead = "a date like 2026-11-10 or a time like 2026-11-10T09:00:00Z";
        read_since(&value).ok_or_else(|| unknown(instead))
    };
    Ok(match operator {
        "from" => What::From(who()?),
        "to" => What::To(who()?),
        "cc" => What::Cc(who()?),
        "newer_than" => What::NewerThan(age()?),
        "older_than" => What::OlderThan(age()?),
        "after" => What::After(date()?),
        "before" => What::Before(date()?),
        "is" => match lower.as_str() {
            "unread" => What::Unread,
            "read" => What::Read,
            _ => return Err(unknown("is:unread or is:read")),
        },
        "in" => match lower.as_str() {
            "inbox" => What::In(Place::Inbox),
            "sent" => What::In(Place::Sent),
            "drafts" | "draft" => What::In(Place::Drafts),
            "anywhere" => What::In(Place::Anywhere),
            _ => return Err(unknown("in:inbox, in:sent, in:drafts or in:anywhere")),
        },
        "label" if lower.trim().is_empty() => return Err(nothing()),
        "label" => What::Label(lower.split_whitespace().collect::<Vec<_>>().join("-")),
        _ if text::needle(&value).is_none() => return Err(nothing()),
        _ => What::Subject(value),
    })
}

/// Up to four digits and a letter.
fn read_age(text: &str) -> Option<Age> {
    let (at, letter) = text.char_indices().last()?;
    let unit = match letter {
        'h' => Unit::Hours,
        'd' => Unit::Days,
        'w' => Unit::Weeks,
        'm' => Unit::Months,
        'y' => Unit::Years,
        _ => return None,
    };
    let digits = &text[..at];
    if digits.len() > 4 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|count| *count > 0).map(|count| Age { count, unit })
}

/// A time needs its offset: without one it could be anybody's.
fn read_since(text: &str) -> Option<Since> {
    let day = read_date(text).map(Since::Day);
    day.or_else(|| text.parse().ok().map(Since::Moment))
}

fn read_date(text: &str) -> Option<Date> {
    Date::strptime("%Y-%m-%d", text).or_else(|_| Date::strptime("%Y/%m/%d", text)).ok()
}

/// Splits at blanks outside quotes. A quote that is never closed ends with
/// the text; curly ones, which phones type, count.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(&c) = chars.peek() {
        if c.is_whitespace() {
            chars.next();
            continue;
        }
        let mut piece = Piece { negated: c == '-', ..Piece::default() };
        if piece.negated {
            chars.next();
        }
        if chars.next_if_eq(&'{').is_some() {
            piece.any = true;
            piece.value.extend(chars.by_ref().take_while(|c| *c != '}'));
            pieces.push(piece);
            continue;
        }
        while let Some(c) = chars.next_if(|c| !c.is_whitespace()) {
            if is_quote(c) {
                piece.quoted = true;
                piece.value.extend(chars.by_ref().take_while(|c| !is_quote(*c)));
            } else if c == ':' && piece.may_be_operator(chars.peek()) {
                piece.operator = Some(std::mem::take(&mut piece.value).to_ascii_lowercase());
            } else {
                piece.value.push(c);
            }
        }
        pieces.push(piece);
    }
    pieces
}

impl Piece {
    /// `10:30` and `https://…` are words.
    fn may_be_operator(&self, next: Option<&char>) -> bool {
        self.operator.is_none()
            && !self.quoted
            && next != Some(&'/')
            && self.value.starts_with(|c: char| c.is_ascii_alphabetic())
            && self.value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    }
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„')
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
