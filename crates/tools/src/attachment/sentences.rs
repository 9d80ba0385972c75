//! A paper as sentences that know where they stand, and their words.

use brain::paper::{Paper, Part, Place};

use crate::text::fold;

/// Sentences of one paper that are looked at.
const MOST: usize = 30_000;
/// A longer one is cut, so that no wall of text is one sentence.
const LONGEST: usize = 400;
/// A line that is shorter and has no stop is a heading or an entry of a list.
const SHORT: usize = 60;

pub struct Sentence {
    pub place: Place,
    pub text: String,
    /// Folded and without endings, those that say nothing left out.
    pub words: Vec<String>,
    /// The first of its part.
    pub opens: bool,
    /// It reads like a heading: what it names is what follows.
    pub heads: bool,
    /// It begins with its number, "7." or "(b)", or is an entry of a list: nothing before it goes on in it.
    pub numbered: bool,
}

impl Sentence {
    pub fn part(&self) -> Part {
        Part { place: self.place, text: self.text.clone() }
    }
}

pub fn of(paper: &Paper) -> Vec<Sentence> {
    let mut found = Vec::new();
    for part in &paper.parts {
        let mut opens = true;
        for text in split(&part.text, matches!(part.place, Place::Row(_))) {
            if found.len() >= MOST {
                return found;
            }
            let heads = text.len() <= SHORT
                && !text.ends_with(['.', '!', '?', ',', ';'])
                && !is_labelled(&text);
            let numbered = text.split(' ').next().is_some_and(is_number)
                || text.starts_with(['-', '*', '•', '–']);
            found.push(Sentence {
                place: part.place,
                words: words(&text),
                text,
                opens: std::mem::take(&mut opens),
                heads,
                numbered,
            });
        }
    }
    found
}

/// At stops, and at the ends of lines that are lines of their own.
fn split(text: &str, is_row: bool) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    if is_row {
        return vec![text.to_owned()];
    }
    let mut open = String::new();
    let mut before = "";
    for line in text.lines() {
        let apart = stands_alone(line, &open) || is_entry(before) && begins_anew(line);
        if apart && !open.is_empty() {
            sentences.push(std::mem::take(&mut open));
        }
        before = line;
        for word in line.split_whitespace() {
            if !open.is_empty() {
                open.push(' ');
            }
            open.push_str(word);
            if ends(word) && !is_number_or_title(&open) || open.len() > LONGEST {
                sentences.push(std::mem::take(&mut open));
            }
        }
        let ended = !open.is_empty() && !open.ends_with(',') && !is_number_or_title(&open);
        if line.len() <= SHORT && ended && line_is_heading(line) {
            sentences.push(std::mem::take(&mut open));
        }
    }
    if !open.is_empty() {
        sentences.push(open);
    }
    sentences
}

/// A line that does not go on with what stands before it.
fn stands_alone(line: &str, open: &str) -> bool {
    let first = line.chars().next();
    let listed = first.is_some_and(|c| matches!(c, '-' | '*' | '•' | '–'));
    listed || open.ends_with(':') || line.split(' ').next().is_some_and(is_number)
}

/// "Deposit $3,225.00" and "Password: copper-42" are whole in their line.
fn is_entry(line: &str) -> bool {
    let last = line.rsplit(' ').next().unwrap_or_default();
    let cents = last.rsplit_once(['.', ',']).is_some_and(|(whole, part)| {
        let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        part.len() == 2 && digits(part) && whole.ends_with(|c: char| c.is_ascii_digit())
    });
    let figure = cents || last.contains(['$', '€', '£', '¥']) && last.len() > 1;
    line.len() <= SHORT && (figure || is_labelled(line))
}

/// "Password: copper-42" says what it heads itself.
fn is_labelled(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(label, value)| {
        label.split(' ').count() <= 3
            && label.starts_with(char::is_uppercase)
            && !value.trim().is_empty()
    })
}

fn begins_anew(line: &str) -> bool {
    line.chars().next().is_some_and(|c| c.is_uppercase() || c.is_ascii_digit())
}

/// "2." or "2. Rent." only opens a sentence; what it numbers and names comes behind it.
fn is_number_or_title(open: &str) -> bool {
    let mut words = open.split(' ');
    let numbered = words.next().is_some_and(is_number);
    let titled = |word: &str| word.starts_with(char::is_uppercase) || word.chars().count() <= 3;
    numbered && words.clone().count() <= 3 && words.all(titled)
}

/// "2.", "2.1.", "(b)" and "§": what a part of a paper is counted with.
fn is_number(word: &str) -> bool {
    let bare = word.trim_start_matches(['(', '§']).trim_end_matches([')', '.']);
    let marked = bare.len() < word.len();
    let counts = bare.split('.').all(|part| {
        let digits = part.len() <= 2 && part.chars().all(|c| c.is_ascii_digit());
        let letter = part.len() == 1 && part.chars().all(|c| c.is_ascii_lowercase());
        !part.is_empty() && (digits || letter)
    });
    marked && counts
}

fn line_is_heading(line: &str) -> bool {
    let mut words = line.split_whitespace().filter(|word| word.chars().count() > 3).peekable();
    let titled =
        |word: &str| word.chars().next().is_some_and(|c| c.is_uppercase() || c.is_numeric());
    words.peek().is_some() && words.all(titled)
}

/// "due." ends a sentence; "Dr.", "3.5" and "e.g." do not.
fn ends(word: &str) -> bool {
    const SHORT_FORMS: [&str; 12] = [
        "mr.", "mrs.", "ms.", "dr.", "st.", "no.", "e.g.", "i.e.", "vs.", "approx.", "inc.", "ltd.",
    ];
    let bare = word.trim_end_matches(['"', '”', ')', '’', '\'']);
    let initial = bare.chars().count() == 2 && bare.starts_with(char::is_uppercase);
    bare.ends_with(['.', '!', '?'])
        && !SHORT_FORMS.contains(&bare.to_lowercase().as_str())
        && !(initial && bare.ends_with('.'))
}

/// Says nothing about what a text is about.
const EMPTY: &[&str] = &[
    "a",
    "about",
    "according",
    "all",
    "am",
    "an",
    "and",
    "any",
    "anything",
    "are",
    "as",
    "at",
    "be",
    "been",
    "but",
    "by",
    "can",
    "could",
    "did",
    "do",
    "does",
    "document",
    "file",
    "find",
    "for",
    "from",
    "had",
    "has",
    "have",
    "he",
    "her",
    "his",
    "how",
    "i",
    "if",
    "in",
    "is",
    "it",
    "its",
    "many",
    "me",
    "mention",
    "mentioned",
    "mentions",
    "much",
    "my",
    "of",
    "often",
    "okay",
    "on",
    "one",
    "or",
    "our",
    "pdf",
    "per",
    "please",
    "s",
    "say",
    "says",
    "she",
    "should",
    "show",
    "so",
    "something",
    "tell",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "to",
    "us",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "who",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "would",
    "you",
    "your",
];

/// The words of a text that say something, as they are compared.
pub fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split_whitespace().filter(|word| !EMPTY.contains(word));
    words.map(stem).collect()
}

/// Without the endings that change nothing: "payments", "payment".
pub fn stem(word: &str) -> String {
    let endings: [(&str, &str); 6] =
        [("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")];
    if word.len() <= 3 || !word.is_ascii() || word.starts_with(|c: char| c.is_ascii_digit()) {
        return word.to_owned();
    }
    for (ending, instead) in endings {
        let Some(front) = word.strip_suffix(ending) else { continue };
        if front.len() >= 3 && !(ending == "s" && (front.ends_with('s') || front.ends_with('u'))) {
            return rooted(&format!("{front}{instead}"));
        }
    }
    rooted(word)
}

/// "sending" and "sends" meet at "send", "dates" and "dated" at "dat", "sublet" and
/// "subletting" at "sublet".
fn rooted(word: &str) -> String {
    let mut root = word;
    if root.len() > 3 {
        root = root.strip_suffix('e').unwrap_or(root);
    }
    let mut ending = root.chars().rev();
    if root.len() > 3 && ending.next() == ending.next() {
        root = &root[..root.len() - 1];
    }
    root.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        split(text, false)
    }

    #[test]
    fn sentences_end_at_stops_and_not_at_short_forms() {
        assert_eq!(
            texts("Dr. Nair pays 3.5 percent. The rent is\ndue on Friday!"),
            ["Dr. Nair pays 3.5 percent.", "The rent is due on Friday!"]
        );
    }

    #[test]
    fn a_number_belongs_to_the_sentence_it_begins() {
        assert_eq!(
            texts(
                "1. Term. It ends in 2028. 2. Rent. The rent is EUR 1,850.\n5. Pets.\nCats are \
                 allowed.\n6. Water is included."
            ),
            [
                "1. Term. It ends in 2028.",
                "2. Rent. The rent is EUR 1,850.",
                "5. Pets. Cats are allowed.",
                "6. Water is included."
            ]
        );
        assert_eq!(
            texts("It ends on page 7. Then comes more."),
            ["It ends on page 7.", "Then comes more."]
        );
    }

    #[test]
    fn headings_and_lists_are_lines_of_their_own() {
        assert_eq!(
            texts("Lease Agreement\nThe tenant brings:\n- a deposit\n- two keys"),
            ["Lease Agreement", "The tenant brings:", "- a deposit", "- two keys"]
        );
    }

    #[test]
    fn words_meet_whatever_their_endings() {
        for (one, other) in [
            ("payments", "payment"),
            ("dated", "dates"),
            ("penalties", "penalty"),
            ("sending", "sends"),
            ("Café", "cafe"),
            ("subletting", "sublet"),
            ("cancelled", "cancel"),
            ("fees", "fee"),
        ] {
            assert_eq!(words(one), words(other), "{one} {other}");
        }
        assert!(words("what does it say about the").is_empty());
    }
}
