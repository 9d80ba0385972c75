//! A sentence as words, whether it was typed with care or spoken without commas.
//!
//! "What's" and "whats" both become "what is", so that whoever reads on needs
//! one spelling. Each word remembers where it stood, and whether it stood in
//! quotation marks: quoted words are somebody's, not a request.

/// One word of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Lower case, straight apostrophes, contractions opened.
    pub text: String,
    /// Where it stood, in bytes.
    pub start: usize,
    pub end: usize,
    pub quoted: bool,
    /// The first mark behind it that parts sentences: `,` `.` `;` `?` `!` or a new line.
    pub stop: Option<char>,
}

impl Word {
    pub fn is(&self, text: &str) -> bool {
        self.text == text
    }
}

/// Contractions, with and without the apostrophe that nobody speaks.
const OPENED: &[(&str, &str)] = &[
    ("to-day", "today"),
    ("to-day's", "today 's"),
    ("to-morrow", "tomorrow"),
    ("to-morrow's", "tomorrow 's"),
    ("to-night", "tonight"),
    ("to-night's", "tonight 's"),
    ("what's", "what is"),
    ("whats", "what is"),
    ("what're", "what are"),
    ("when's", "when is"),
    ("whens", "when is"),
    ("who's", "who is"),
    ("whos", "who is"),
    ("where's", "where is"),
    ("wheres", "where is"),
    ("how's", "how is"),
    ("hows", "how is"),
    ("that's", "that is"),
    ("thats", "that is"),
    ("it's", "it is"),
    ("there's", "there is"),
    ("theres", "there is"),
    ("here's", "here is"),
    ("he's", "he is"),
    ("she's", "she is"),
    ("hes", "he is"),
    ("shes", "she is"),
    ("theyre", "they are"),
    ("i'm", "i am"),
    ("im", "i am"),
    ("i've", "i have"),
    ("ive", "i have"),
    ("i'd", "i would"),
    ("i'll", "i will"),
    ("you're", "you are"),
    ("youre", "you are"),
    ("you've", "you have"),
    ("we're", "we are"),
    ("they're", "they are"),
    ("don't", "do not"),
    ("dont", "do not"),
    ("doesn't", "does not"),
    ("doesnt", "does not"),
    ("didn't", "did not"),
    ("didnt", "did not"),
    ("isn't", "is not"),
    ("isnt", "is not"),
    ("aren't", "are not"),
    ("arent", "are not"),
    ("can't", "can not"),
    ("cant", "can not"),
    ("cannot", "can not"),
    ("won't", "will not"),
    ("wont", "will not"),
    ("haven't", "have not"),
    ("havent", "have not"),
    ("hasn't", "has not"),
    ("hasnt", "has not"),
    ("wouldn't", "would not"),
    ("shouldn't", "should not"),
    ("let's", "lets"),
    ("gimme", "give me"),
    ("wanna", "want to"),
    ("gonna", "going to"),
    ("gotta", "got to"),
    ("lemme", "let me"),
    ("e-mail", "email"),
    ("e-mails", "emails"),
    ("oclock", "o'clock"),
    ("standup", "stand-up"),
];

/// What stands before a name with a full stop that ends nothing.
const TITLES: &[&str] = &["dr", "mr", "mrs", "ms", "prof"];

/// Cuts a sentence into words.
pub fn words(text: &str) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let (mut quoted, mut signed) = (false, false);
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        if c.is_alphanumeric() {
            let mut end = at + c.len_utf8();
            while let Some(&(next_at, next)) = rest.peek() {
                if !(next.is_alphanumeric() || joins(next, &text[next_at + next.len_utf8()..])) {
                    break;
                }
                end = next_at + next.len_utf8();
                rest.next();
            }
            if std::mem::take(&mut signed)
                && let Some(zone) = found.last_mut()
            {
                zone.text.push_str(&text[at..end]);
                zone.end = end;
                continue;
            }
            open(&text[at..end], at, end, quoted, &mut found);
        } else if matches!(c, '"' | '“' | '”' | '«' | '»') {
            quoted = c != '”' && c != '»' && !quoted;
        } else if matches!(c, '-' | '–' | '—' | '−' | '+')
            && let Some(last) = found.last_mut()
            && ends_a_time(&last.text, c, text[at + c.len_utf8()..].trim_start())
        {
            signed = matches!(last.text.as_str(), "utc" | "gmt");
            if signed {
                // "GMT +2": the number that follows belongs to it.
                last.text.push(if c == '+' { '+' } else { '-' });
            } else {
                let end = at + c.len_utf8();
                found.push(Word { text: "to".into(), start: at, end, quoted, stop: None });
            }
        } else if matches!(c, ',' | '.' | ';' | '?' | '!' | '\n')
            && let Some(last) = found.last_mut()
            && !(c == '.' && TITLES.contains(&last.text.as_str()))
        {
            last.stop = last.stop.or(Some(c));
        }
    }
    found
}

/// "10:00 – 11:00" and "GMT +2", as against a dash between words.
fn ends_a_time(word: &str, mark: char, behind: &str) -> bool {
    let next: String = behind.chars().take_while(|c| c.is_alphabetic()).collect();
    let names_day = |word: &str| super::time::names_day(&word.to_lowercase());
    let days = names_day(&next) && (names_day(word) || word.parse::<u8>().is_ok());
    if mark != '+' && days {
        return true;
    }
    if !behind.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let clock = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let half = matches!(word, "am" | "pm");
    matches!(word, "utc" | "gmt") || (mark != '+' && (half || clock(word)))
}

/// Does this mark hold two halves of one word together?
fn joins(mark: char, behind: &str) -> bool {
    matches!(mark, '\'' | '’' | '.' | '@' | '_' | '+' | '-' | ':' | '/')
        && behind.chars().next().is_some_and(char::is_alphanumeric)
}

fn open(raw: &str, start: usize, end: usize, quoted: bool, into: &mut Vec<Word>) {
    let lower = raw.to_lowercase().replace('’', "'");
    let mut push = |text: &str| {
        into.push(Word { text: text.to_owned(), start, end, quoted, stop: None });
    };
    if let Some((_, opened)) = OPENED.iter().find(|(closed, _)| *closed == lower) {
        opened.split(' ').for_each(push);
    } else if let Some((owner, "s")) = lower.rsplit_once('\'') {
        push(owner);
        push("'s");
    } else if lower.contains('.') && lower.split('.').all(is_letter) {
        push(&lower.replace('.', ""));
    } else if let Some((from, to)) = hours(&lower) {
        push(from);
        push("to");
        push(to);
    } else if lower.contains('-') && lower.split('-').all(super::time::is_number_word) {
        lower.split('-').for_each(push);
    } else if let (false, Some((before, after))) = (lower.contains("://"), lower.split_once('/'))
        && !before.is_empty()
        && before.chars().chain(after.chars()).all(char::is_alphabetic)
    {
        push(before);
        push(after);
    } else {
        push(&lower);
    }
}

/// The "p" of "p.m.", as against the 1 of "1.5".
fn is_letter(part: &str) -> bool {
    part.len() == 1 && part.chars().all(char::is_alphabetic)
}

/// "2-4pm" is two times; "2026-11-19" is one date.
fn hours(text: &str) -> Option<(&str, &str)> {
    let (from, to) = text.split_once('-')?;
    let starts_with_digit = |half: &str| half.starts_with(|c: char| c.is_ascii_digit());
    (starts_with_digit(from) && starts_with_digit(to) && !to.contains('-')).then_some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(sentence: &str) -> Vec<String> {
        words(sentence).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn typed_and_spoken_words_read_the_same() {
        assert_eq!(texts("What’s on tomorrow?"), texts("whats on tomorrow"));
        assert_eq!(texts("Priya's e-mail"), ["priya", "'s", "email"]);
        assert_eq!(texts("don't"), ["do", "not"]);
        assert_eq!(texts("To-morrow's, to-day"), texts("tomorrow's, today"));
    }

    #[test]
    fn times_addresses_and_dates_stay_whole() {
        assert_eq!(texts("3:30 p.m. on 2026-11-19"), ["3:30", "pm", "on", "2026-11-19"]);
        assert_eq!(texts("1.5 hours"), ["1.5", "hours"]);
        assert_eq!(texts("2-4pm"), ["2", "to", "4pm"]);
        assert_eq!(texts("10:00–11:00"), ["10:00", "to", "11:00"]);
        assert_eq!(texts("3 pm - 4 pm"), ["3", "pm", "to", "4", "pm"]);
        assert_eq!(texts("9am GMT +2 and UTC−5"), ["9am", "gmt+2", "and", "utc-5"]);
        assert_eq!(texts("two things - 3 mails"), ["two", "things", "3", "mails"]);
        assert_eq!(texts("twenty-first"), ["twenty", "first"]);
        assert_eq!(texts("a.b@c.example, ok."), ["a.b@c.example", "ok"]);
    }

    #[test]
    fn quoted_words_and_stops_are_marked() {
        let found = words("look for “send it” now, ok");
        let quoted: Vec<_> = found.iter().filter(|w| w.quoted).map(|w| w.text.as_str()).collect();
        assert_eq!(quoted, ["send", "it"]);
        assert_eq!(found[4].stop, Some(','));
    }

    #[test]
    fn a_title_before_a_name_ends_no_sentence() {
        let stops = |text| words(text).into_iter().filter_map(|word| word.stop).count();
        assert_eq!(stops("mail Dr. Helen Cho. Now"), 1);
    }
}
