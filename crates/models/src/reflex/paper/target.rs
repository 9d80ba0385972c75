//! Which file a sentence means.

use brain::Attached;
use brain::paper::Kind;

use super::any;
use super::seek::names;
use crate::World;

/// What people call files of a kind. The first list is any file.
const NOUNS: &[(Option<Kind>, &[&str])] = &[
    (None, &["file", "files", "attachment", "attachments", "attached", "upload", "uploaded"]),
    (None, &["document", "doc", "documents", "paper"]),
    (Some(Kind::Pdf), &["pdf", "pdfs"]),
    (Some(Kind::Document), &["docx", "word"]),
    (Some(Kind::Table), &["csv", "spreadsheet", "sheet", "table", "tsv"]),
    (Some(Kind::Calendar), &["invite", "invitation", "ics", "ical"]),
    (Some(Kind::Mail), &["eml"]),
    (
        Some(Kind::Picture),
        &["picture", "photo", "image", "screenshot", "png", "jpg", "jpeg", "gif"],
    ),
    (Some(Kind::Text), &["markdown", "readme", "txt"]),
];

/// What is pointed at without a name.
const POINTS: &[&str] = &["this", "it", "that", "these", "its"];

/// Said of mail, calendars and other people, and never of a file.
const ELSEWHERE: &[&str] = &[
    "inbox",
    "mailbox",
    "unread",
    "contacts",
    "reply",
    "forward",
    "remind",
    "reminder",
    "reminders",
    "timer",
    "timers",
    "remember",
    "forget",
    "cancel",
    "reschedule",
    "archive",
    "delete",
    "emails",
    "mails",
    "tomorrow's",
    "today's",
];

/// The same, unless a file is pointed at.
const OURS: &[&str] =
    &["mail", "email", "meetings", "appointments", "calendar", "agenda", "free", "busy"];

/// What may be meant, and how it was said.
#[expect(clippy::struct_excessive_bools, reason = "each is so or not, whatever the others are")]
pub struct Target<'a> {
    /// Those that it may be, oldest first.
    pub files: Vec<&'a Attached>,
    /// The sentence without the name of the file.
    pub rest: String,
    /// It was named, or one of the words for files was said.
    pub named: bool,
    /// It came with this very sentence.
    pub handed: bool,
    /// "It", and a file is what was spoken of last.
    pub pointed: bool,
    /// A file was what was spoken of last.
    pub on_file: bool,
}

impl<'a> Target<'a> {
    pub fn of(heard: &str, world: &'a World) -> Self {
        let focus = &world.focus;
        let handed: Vec<_> =
            focus.files.iter().filter(|file| focus.handed.contains(&file.file_id)).collect();
        if let Some((files, rest)) = by_name(heard, &focus.files) {
            return Self {
                files,
                rest,
                named: true,
                handed: !handed.is_empty(),
                pointed: true,
                on_file: focus.on_file,
            };
        }
        let lower = heard.to_lowercase();
        let texts: Vec<&str> = lower
            .split(|c: char| !c.is_alphanumeric() && c != '\'')
            .filter(|text| !text.is_empty())
            .collect();
        let pool = if handed.is_empty() { focus.files.iter().collect() } else { handed.clone() };
        if let Some(file) = by_stem(&texts, &pool, world) {
            return Self {
                files: vec![file],
                rest: heard.to_owned(),
                named: true,
                handed: !handed.is_empty(),
                pointed: true,
                on_file: focus.on_file,
            };
        }
        let nouns: Vec<_> = NOUNS.iter().filter(|(_, nouns)| any(&texts, nouns)).collect();
        let kinds: Vec<Kind> = nouns.iter().filter_map(|(kind, _)| *kind).collect();
        let of_kind: Vec<_> =
            pool.iter().copied().filter(|file| kinds.contains(&file.kind())).collect();
        // "The document" may be a PDF, and "the picture" nothing that is here.
        let named = !of_kind.is_empty() || nouns.iter().any(|(kind, _)| kind.is_none());
        let files = if of_kind.is_empty() { pool } else { of_kind };
        Self {
            files,
            rest: heard.to_owned(),
            named,
            handed: !handed.is_empty(),
            pointed: focus.on_file && any(&texts, POINTS),
            on_file: focus.on_file,
        }
    }

    /// It is about mail, the calendar or somebody, whatever is attached.
    pub fn is_elsewhere(&self, texts: &[&str]) -> bool {
        const WRITES: &[&str] = &[
            "send", "email", "mail", "text", "write", "tell", "ask", "schedule", "book", "invite",
            "call", "message", "draft", "note", "set",
        ];
        let of_mail = self.files.iter().all(|file| file.kind() == Kind::Mail);
        let begins_write = texts.first().is_some_and(|first| WRITES.contains(first))
            && !texts.starts_with(&["tell", "me"]);
        let pointed = self.named || self.pointed;
        let ours = !of_mail && (any(texts, ELSEWHERE) || !pointed && any(texts, OURS));
        let plans = any(texts, &["my"]) && any(texts, &["calendar", "schedule", "mail", "email"]);
        begins_write || ours || plans
    }

    /// The one of these that it is, if there is no doubt.
    pub fn one_of(&self, among: &[&'a Attached], world: &World) -> Option<&'a Attached> {
        match among {
            [] => None,
            [one] => Some(one),
            several => {
                let last = world.focus.file;
                let spoken_of = several.iter().find(|file| Some(file.file_id) == last);
                // With several at hand only "it" is the one that was spoken of; "the
                // file" may be any.
                spoken_of.copied().filter(|_| !self.handed || self.pointed)
            }
        }
    }
}

/// "The lease" is lease.pdf, unless it is somebody's mail or a plan that is asked for.
fn by_stem<'a>(texts: &[&str], files: &[&'a Attached], world: &World) -> Option<&'a Attached> {
    const POINTERS: &[&str] = &["the", "this", "that", "my", "our"];
    const TALKS: &[&str] = &[
        "from", "write", "wrote", "written", "mail", "mails", "email", "emails", "calendar",
        "today", "tomorrow", "inbox", "send", "reply", "meeting", "meetings",
    ];
    if names(texts, world) || any(texts, TALKS) {
        return None;
    }
    files.iter().rev().copied().find(|file| {
        let stem = stem(&file.name);
        let words: Vec<&str> = stem.split(' ').collect();
        stem.len() > 2
            && (1..texts.len())
                .any(|at| POINTERS.contains(&texts[at - 1]) && texts[at..].starts_with(&words))
    })
}

/// A file's name as it is said: `Sales_2026.csv` is "sales 2026".
pub fn stem(name: &str) -> String {
    let (stem, _) = name.rsplit_once('.').unwrap_or((name, ""));
    let lower = stem.to_lowercase();
    let words: Vec<_> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// Is it one of the words for files?
pub fn is_noun(word: &str) -> bool {
    NOUNS.iter().any(|(_, nouns)| nouns.contains(&word)) || word == "mail" || word == "email"
}

/// Files whose name stands in the sentence, and the sentence without it.
fn by_name<'a>(heard: &str, files: &'a [Attached]) -> Option<(Vec<&'a Attached>, String)> {
    let lower = heard.to_lowercase();
    files.iter().rev().find_map(|file| {
        let name = file.name.to_lowercase();
        // Lower case may have another length; then its place is not known.
        let at = lower.find(&name).filter(|_| name.len() > 2 && lower.len() == heard.len())?;
        let (before, after) = (&heard[..at], &heard[at + name.len()..]);
        let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        let whole = apart(before.chars().next_back()) && apart(after.chars().next());
        whole.then(|| {
            let before = before.trim_end_matches(['“', '"', '«', '\'']).trim_end();
            let after = after.trim_start_matches(['”', '"', '»', '\'']);
            // At the end it was added to say which; elsewhere it stood for "it".
            let stands = if after.trim().is_empty() { "" } else { " it" };
            (vec![file], format!("{before}{stands}{after}"))
        })
    })
}
