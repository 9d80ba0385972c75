//! What is wanted of a file.

use brain::paper::Kind;
use brain::resolve::time::{cardinal, ordinal};
use brain::resolve::words::Word;

use super::figures::{counted, counting, figure};
use super::seek::{is_theirs, names};
use super::target::{Target, is_noun, stem};
use super::{any, behind, length, raw};
use crate::World;
use crate::gist::{Countable, Figure, PaperWant};

/// Said around a question without being part of it.
const LEADS: &[&[&str]] = &[
    &["can", "you", "please"],
    &["could", "you", "please"],
    &["can", "you"],
    &["could", "you"],
    &["would", "you"],
    &["please"],
    &["and"],
    &["so"],
    &["ok"],
    &["okay"],
    &["hey"],
    &["tell", "me"],
    &["show", "me"],
    &["give", "me"],
    &["i", "want", "to", "know"],
    &["do", "you", "know"],
];

/// The sentence without what is only polite.
pub fn bare<'a, 't>(texts: &'a [&'t str]) -> &'a [&'t str] {
    let mut texts = texts;
    while let Some(lead) =
        LEADS.iter().find(|lead| texts.len() > lead.len() && texts.starts_with(lead))
    {
        texts = &texts[lead.len()..];
    }
    match texts {
        [front @ .., "please" | "thanks"] if !front.is_empty() => front,
        _ => texts,
    }
}

/// None where the sentence wants nothing of a file.
pub fn read(
    texts: &[&str],
    said: &[Word],
    heard: &str,
    target: &Target<'_>,
    world: &World,
) -> Option<PaperWant> {
    // "It" alone may be anything; with a file at hand it is that.
    let meant = target.named || target.handed || target.pointed;
    if let Some(want) = page(texts, target, world) {
        return Some(want);
    }
    if meant && let Some(want) = outline(texts, target) {
        return Some(want);
    }
    let of_kind = |kind: Kind| target.files.iter().any(|file| file.kind() == kind);
    let near = meant || target.on_file;
    if near && let Some(want) = one_word(texts, target, world) {
        return Some(want);
    }
    // Nothing else is counted in pages and rows, so nobody has to say what has them.
    if let Some(want) = counted(texts).filter(|want| near || is_papers_own(want, target)) {
        return Some(want);
    }
    if of_kind(Kind::Table)
        && let Some(want) = figure(texts).filter(|want| near || is_papers_own(want, target))
    {
        return Some(want);
    }
    if of_kind(Kind::Table)
        && near
        && (meant || !is_theirs(texts) && !names(texts, world))
        && let Some(want) = counting(texts)
    {
        return Some(want);
    }
    if near && let Some(want) = length::read(texts, target) {
        return Some(want);
    }
    if meant
        && of_kind(Kind::Mail)
        && let Some(want) = of_mail(texts)
    {
        return Some(want);
    }
    let invited = any(texts, &["invited", "attendees", "guests", "organizer", "organiser"]);
    let plans = world.focus.meeting.is_some() || !world.focus.meetings.is_empty();
    let adds = any(texts, &["notes", "description"]) && target.on_file;
    if (meant || adds || invited && (target.on_file || !plans))
        && of_kind(Kind::Calendar)
        && let Some(want) = of_event(texts)
    {
        return Some(want);
    }
    if meant
        && of_kind(Kind::Picture)
        && let Some(want) = of_picture(texts)
    {
        return Some(want);
    }
    // Nobody else has an author.
    let authored = meant || target.on_file && any(texts, &["author"]);
    if authored
        && (of_kind(Kind::Document) || of_kind(Kind::Pdf) || of_kind(Kind::Text))
        && let Some(want) = of_origin(texts)
    {
        return Some(want);
    }
    let asks = said.last().is_some_and(|last| last.stop == Some('?')) || is_question(said);
    if meant && let Some(topic) = named_topic(texts, said, heard) {
        return Some(PaperWant::About(topic));
    }
    let hands: &[&[&str]] = &[
        &["here"],
        &["here", "you", "go"],
        &["here", "it", "is"],
        &["this"],
        &["this", "one"],
        &["have", "a", "look"],
        &["take", "a", "look"],
    ];
    if target.handed && hands.contains(&texts) {
        return Some(PaperWant::Overview);
    }
    if (target.named || target.handed || target.pointed) && asks {
        return Some(topic(said, heard).map_or(PaperWant::Overview, PaperWant::About));
    }
    None
}

/// "Page 2", "the next page", "read it", "read on".
fn page(texts: &[&str], target: &Target<'_>, world: &World) -> Option<PaperWant> {
    let focus = &world.focus;
    let whole = |number| Some(PaperWant::Page { number, from: 0 });
    let meant = target.named || target.handed || target.on_file;
    if !meant {
        return None;
    }
    let goes_on: &[&[&str]] =
        &[&["read", "on"], &["go", "on"], &["continue"], &["more"], &["keep", "reading"]];
    let last = focus.page.filter(|_| focus.on_file);
    if let (Some((number, told)), true) = (last, goes_on.contains(&texts)) {
        let on = PaperWant::Page { number, from: told };
        return if focus.page_goes_on { Some(on) } else { whole(number + 1) };
    }
    if let Some(at) = texts.iter().position(|text| *text == "page") {
        let current = last.map_or(1, |(number, _)| number);
        return match (texts.get(at.wrapping_sub(1)), &texts[at + 1..]) {
            (Some(&"next"), _) => whole(last.map_or(1, |(number, _)| number + 1)),
            (Some(&"previous" | &"last"), _) if last.is_some() => whole(current.max(2) - 1),
            (_, rest) if cardinal(rest).is_some() => whole(cardinal(rest)?.0.max(1)),
            (Some(_), _) => (0..at).find_map(|from| whole(ordinal(&texts[from..at])?.0)),
            (None, _) => None,
        };
    }
    let reads: &[&[&str]] = &[
        &["read"],
        &["read", "it"],
        &["read", "this"],
        &["read", "it", "to", "me"],
        &["read", "it", "out"],
        &["read", "it", "aloud"],
        &["read", "me", "the"],
        &["read", "the"],
        &["read", "this"],
    ];
    let noun = texts.len() <= 4 && (target.named || target.handed);
    let pointed = target.handed || target.pointed;
    let reads_it = texts.first() == Some(&"read")
        && (reads.contains(&texts) && pointed || noun && texts.len() > 1);
    if reads_it { whole(1) } else { None }
}

/// "Summarize it", "what's in it", "what is this about".
fn outline(texts: &[&str], target: &Target<'_>) -> Option<PaperWant> {
    const SUMS: &[&str] =
        &["summarize", "summarise", "summary", "tldr", "gist", "recap", "overview"];
    let sums_up = any(texts, SUMS)
        || behind(
            texts,
            &[&["sum", "up"], &["key", "points"], &["main", "points"], &["in", "short"]],
        )
        .is_some();
    if sums_up {
        return Some(PaperWant::Summary);
    }
    let opens = matches!(texts.first(), Some(&("open" | "describe" | "look" | "check" | "see")));
    let contents = match texts {
        ["what", "is", "in" | "on", "row" | "line" | "paragraph", _] => false,
        ["what", "is", "in", ..] | ["what", "does", _, "contain" | "say"] => true,
        ["what", "does", "the" | "this" | "that", _, "contain" | "say"] => true,
        ["what", "is", "this" | "that" | "it"] => true,
        ["what", "is", "this" | "that" | "the" | "it" | "my", rest @ ..] => {
            // "What is the rent" asks for the rent; "what is the lease" for all of it.
            let thing = rest.strip_suffix(&["about"]).unwrap_or(rest);
            let words = thing.join(" ");
            let is_file =
                is_noun(&words) || target.files.iter().any(|file| stem(&file.name) == words);
            thing.is_empty() || is_file || thing.len() < rest.len() && thing.len() == 1
        }
        ["what", "kind" | "sort" | "type", ..] => true,
        ["what", "am", "i", "looking", "at"] | ["what", "do", "you", "see", ..] => true,
        ["about", "it" | "this" | "the", ..] => true,
        _ => opens && texts.len() <= 5,
    };
    let about_something = texts.iter().position(|text| *text == "about");
    let has_topic = about_something.is_some_and(|at| at + 1 < texts.len() && at > 0);
    (contents && !has_topic).then_some(PaperWant::Overview)
}

/// "When?", "where?", "who from?", said of the file that was just spoken of.
fn one_word(texts: &[&str], target: &Target<'_>, world: &World) -> Option<PaperWant> {
    let file = target.one_of(&target.files, world)?;
    Some(match (texts, file.kind()) {
        (["when"] | ["what", "time"], Kind::Calendar) => PaperWant::When,
        (["where"], Kind::Calendar) => PaperWant::Where,
        (["how", "often"], Kind::Calendar) => PaperWant::When,
        (["until", "when", ..], Kind::Calendar) => PaperWant::When,
        (["when"], Kind::Mail) => PaperWant::Sent,
        (["who", "from"] | ["from", "whom" | "who"], Kind::Mail) => PaperWant::From,
        (["when"], Kind::Picture) => PaperWant::Taken,
        (["where"], Kind::Picture) => PaperWant::Spot,
        (["which" | "what", "camera"], Kind::Picture) => PaperWant::Camera,
        _ => return None,
    })
}

/// Asked of a file of this kind and of nothing else.
fn is_papers_own(want: &PaperWant, target: &Target<'_>) -> bool {
    let own = match want {
        PaperWant::Columns
        | PaperWant::HowMany(Countable::Pages | Countable::Rows | Countable::Columns) => true,
        PaperWant::Figure(Figure::Sum | Figure::Mean | Figure::Rows, column) => !column.is_empty(),
        _ => false,
    };
    own && target.files.iter().any(|file| fits(want, file.kind()))
}

/// "Who wrote this", "who's the author", "when was it last edited". Who wrote what is
/// told in it is another matter.
fn of_origin(texts: &[&str]) -> Option<PaperWant> {
    const MADE: &[&str] = &["wrote", "made", "created", "authored", "edited", "changed"];
    const WAS: &[&str] = &["written", "created", "made", "authored", "edited", "modified"];
    let is_it = |rest: &[&str]| match rest {
        [] | ["it" | "this" | "that"] => true,
        ["the" | "this" | "that", noun] => is_noun(noun),
        ["the" | "this" | "that", _, noun] => is_noun(noun),
        _ => false,
    };
    if let ["who", made, rest @ ..] = texts
        && MADE.contains(made)
        && is_it(rest)
    {
        return Some(PaperWant::Author);
    }
    if any(texts, &["author"]) && texts.len() <= 8 {
        return Some(PaperWant::Author);
    }
    if let ["who", "is", rest @ .., "by"] | ["who", "was", rest @ .., "written" | "made", "by"] =
        texts
        && is_it(rest)
    {
        return Some(PaperWant::Author);
    }
    let ["when", "was", rest @ .., last] = texts else { return None };
    let thing = rest.strip_suffix(&["last"]).unwrap_or(rest);
    let dated = WAS.contains(last) || matches!(*last, "changed" | "updated" | "saved");
    (dated && is_it(thing)).then_some(PaperWant::Dated)
}

fn of_mail(texts: &[&str]) -> Option<PaperWant> {
    let who = any(texts, &["who", "whose"]);
    Some(match texts {
        _ if who && any(texts, &["from", "sent", "wrote", "writes", "sender", "author"]) => {
            PaperWant::From
        }
        _ if who && any(texts, &["to", "recipients", "got", "copied", "cc"]) => PaperWant::To,
        _ if any(texts, &["when"]) && any(texts, &["sent", "written", "from", "it"]) => {
            PaperWant::Sent
        }
        _ if any(texts, &["subject", "title"]) => PaperWant::Subject,
        _ if any(texts, &["attached", "enclosed", "attachments"])
            && !any(texts, &["say", "about"]) =>
        {
            PaperWant::Enclosed
        }
        _ => return None,
    })
}

fn of_event(texts: &[&str]) -> Option<PaperWant> {
    let who = any(texts, &["who", "attendees", "guests", "invited", "organizer", "organiser"]);
    Some(match *texts.first()? {
        "when" => PaperWant::When,
        "where" => PaperWant::Where,
        "what" if texts.get(1) == Some(&"time") || any(texts, &["date", "day"]) => PaperWant::When,
        _ if who => PaperWant::People,
        // What an invitation adds is told with it.
        _ if any(texts, &["notes", "note", "description", "details"]) => PaperWant::Overview,
        _ => return None,
    })
}

fn of_picture(texts: &[&str]) -> Option<PaperWant> {
    let size = &["big", "large", "size", "dimensions", "resolution", "wide", "tall", "pixels"];
    if any(texts, size) {
        return Some(PaperWant::Size);
    }
    if any(texts, &["camera", "phone", "lens"]) {
        return Some(PaperWant::Camera);
    }
    // "When is the rent due?" is asked of whoever can read, and never of a picture.
    let taken = any(texts, &["taken", "shot", "picture", "photo", "image", "screenshot"]);
    if !taken && !texts.iter().all(|text| OF_PICTURES.contains(text)) {
        return None;
    }
    if any(texts, &["where", "place", "location"]) {
        return Some(PaperWant::Spot);
    }
    let taken = any(texts, &["taken", "shot"]) || texts.first() == Some(&"when");
    taken.then_some(PaperWant::Taken)
}

/// All that is said where it is asked when and where one was taken.
const OF_PICTURES: &[&str] = &[
    "when", "where", "was", "were", "is", "did", "it", "this", "that", "these", "the", "i", "we",
    "you", "take", "made", "from", "of", "at", "in", "a", "what", "which", "place", "location",
    "its", "exactly",
];

/// "What does it say about the deadline", "does it mention pets".
fn named_topic(texts: &[&str], said: &[Word], heard: &str) -> Option<String> {
    const LEADS: &[&[&str]] = &[
        &["say", "about"],
        &["says", "about"],
        &["anything", "about"],
        &["something", "about"],
        &["know", "about"],
        &["what", "about"],
        &["how", "about"],
        &["mention"],
        &["mentions"],
        &["search", "it", "for"],
        &["search", "this", "for"],
        &["look", "for"],
        &["looking", "for"],
        &["search", "for"],
        &["find"],
    ];
    let rest = behind(texts, LEADS)?;
    let words = &said[said.len().checked_sub(rest.len() + trailing(texts, said))?..];
    topic(words, heard)
}

/// Words behind the bare sentence that were only polite.
fn trailing(texts: &[&str], said: &[Word]) -> usize {
    let last = texts.last().copied();
    usize::from(said.last().map(|word| word.text.as_str()) != last)
}

/// What a question is about: its words without the file and the small ones around it.
pub fn topic(said: &[Word], heard: &str) -> Option<String> {
    const EDGES: &[&str] = &[
        "what",
        "does",
        "do",
        "did",
        "is",
        "are",
        "was",
        "were",
        "it",
        "this",
        "that",
        "in",
        "of",
        "the",
        "a",
        "an",
        "file",
        "pdf",
        "document",
        "attachment",
        "csv",
        "table",
        "spreadsheet",
        "say",
        "there",
        "any",
        "anything",
        "about",
        "to",
        "and",
        "please",
        "for",
        "on",
        "doc",
        "attached",
        "paper",
        "which",
        "who",
        "when",
        "where",
        "how",
        "much",
        "many",
        "will",
        "i",
        "me",
        "can",
        "you",
        "tell",
        "show",
        "word",
        "invite",
        "mail",
        "from",
        "picture",
        "thanks",
        "has",
        "have",
        "according",
        "inside",
    ];
    let empty = |word: &&Word| EDGES.contains(&word.text.as_str());
    let start = said.iter().take_while(empty).count();
    let end = said.len() - said.iter().rev().take_while(empty).count();
    let words = said.get(start..end).filter(|words| !words.is_empty())?;
    raw(heard, words).map(|topic| topic.trim_matches(['“', '”', '"', '?', '.']).to_owned())
}

pub fn is_question(said: &[Word]) -> bool {
    const ASKS: &[&str] = &[
        "what", "who", "whom", "whose", "when", "where", "which", "why", "how", "is", "are", "was",
        "were", "does", "do", "did", "has", "have", "can", "could", "will", "would", "should",
        "any", "find",
    ];
    let marked = said.last().is_some_and(|last| last.stop == Some('?'));
    marked || said.first().is_some_and(|first| ASKS.contains(&first.text.as_str()))
}

/// Could a file of this kind answer it?
pub fn fits(want: &PaperWant, kind: Kind) -> bool {
    match want {
        PaperWant::Overview | PaperWant::Summary => true,
        PaperWant::Page { .. } | PaperWant::About(_) => kind != Kind::Picture,
        PaperWant::Columns | PaperWant::Figure(..) => kind == Kind::Table,
        PaperWant::HowMany(Countable::Rows | Countable::Columns) => kind == Kind::Table,
        PaperWant::HowMany(Countable::Pages) => kind == Kind::Pdf,
        PaperWant::HowMany(Countable::Events) => kind == Kind::Calendar,
        PaperWant::HowMany(Countable::Enclosed) => kind == Kind::Mail,
        PaperWant::HowMany(Countable::Lines | Countable::Words) => kind != Kind::Picture,
        PaperWant::From
        | PaperWant::To
        | PaperWant::Sent
        | PaperWant::Subject
        | PaperWant::Enclosed => kind == Kind::Mail,
        PaperWant::Author | PaperWant::Dated => {
            matches!(kind, Kind::Document | Kind::Pdf | Kind::Text)
        }
        PaperWant::When | PaperWant::Where | PaperWant::People | PaperWant::Length => {
            kind == Kind::Calendar
        }
        PaperWant::Size | PaperWant::Taken | PaperWant::Spot | PaperWant::Camera => {
            kind == Kind::Picture
        }
    }
}

/// What it comes down to for a file of this kind: what has no words is only told of.
pub fn adapted(want: PaperWant, kind: Kind) -> PaperWant {
    match (want, kind) {
        (PaperWant::About(_) | PaperWant::Page { .. } | PaperWant::Summary, Kind::Picture) => {
            PaperWant::Overview
        }
        (PaperWant::Summary, Kind::Table | Kind::Calendar) => PaperWant::Overview,
        (want, _) => want,
    }
}
