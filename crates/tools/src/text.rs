//! Text as people compare it: without case, accents and punctuation.
//!
//! [`fold`] turns a text into its words, each with a space before it and one
//! behind the last, so that `" tom"` finds *Tom* and *tomorrow* but never
//! *custom*. The same folding is applied to what is stored and what is sought.

use crate::unseen::without_unseen;

/// `"Ça va, Zoë?"` becomes `" ca va zoe "`; a text without words becomes `""`.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len() + 2);
    let mut in_word = false;
    for c in text.chars().flat_map(char::to_lowercase) {
        match kind(c) {
            Kind::Nothing => {}
            Kind::Gap => in_word = false,
            Kind::Word => {
                if !in_word {
                    folded.push(' ');
                }
                push_plain(&mut folded, c);
                in_word = true;
            }
            Kind::WholeWord => {
                folded.push(' ');
                folded.push(c);
                in_word = false;
            }
        }
    }
    if !folded.is_empty() {
        folded.push(' ');
    }
    folded
}

/// What to look for in a folded text: words in a row, the last of which may
/// be a beginning. `None` when there is nothing to look for.
pub fn needle(text: &str) -> Option<String> {
    let folded = fold(text);
    (!folded.is_empty()).then(|| folded.trim_end().to_owned())
}

/// The first words of a text on one line, cut at a word.
pub fn snippet(text: &str, most_chars: usize) -> String {
    let mut line = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let longer = length + usize::from(length > 0) + word.chars().count();
        if longer > most_chars {
            if line.is_empty() {
                line = word.chars().take(most_chars).collect();
            }
            line.push('…');
            break;
        }
        if length > 0 {
            line.push(' ');
        }
        line.push_str(word);
        length = longer;
    }
    line
}

/// A text of several lines as we keep it: one kind of line break, nothing that
/// cannot be seen at its ends.
pub fn lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").trim_matches(is_edge).to_owned()
}

/// What somebody else wrote, as one line that is safe to show and to send.
pub fn one_line(text: &str, most_chars: usize) -> String {
    let seen = without_unseen(&text.replace(breaks_line, " "));
    let line = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(most_chars).collect::<String>().trim_end().to_owned()
}

/// Would it end a line, or hide in one? A header must not contain it.
pub fn breaks_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

fn is_edge(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

enum Kind {
    /// Accents that stand alone, apostrophes, joiners: as if not there.
    Nothing,
    Gap,
    Word,
    /// A sign that is a word by itself: emoji, and scripts without spaces.
    WholeWord,
}

fn kind(c: char) -> Kind {
    match c {
        '\'' | '’' | '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe0f}' => {
            Kind::Nothing
        }
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => {
            Kind::WholeWord
        }
        _ if c.is_alphanumeric() => Kind::Word,
        _ if c.is_ascii() || c.is_whitespace() || c.is_control() => Kind::Gap,
        '\u{a0}'..='\u{bf}' | '×' | '÷' | '\u{2010}'..='\u{206f}' | '\u{3000}'..='\u{303f}' => {
            Kind::Gap
        }
        _ => Kind::WholeWord,
    }
}

/// The letter without its accent; a ligature becomes two letters.
fn push_plain(to: &mut String, c: char) {
    let plain = match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' | 'đ' | 'ð' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ĥ' | 'ħ' => 'h',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => 'i',
        'ĵ' => 'j',
        'ķ' => 'k',
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => 'o',
        'ŕ' | 'ŗ' | 'ř' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => 's',
        'ţ' | 'ť' | 'ŧ' | 'ț' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ŵ' => 'w',
        'ý' | 'ÿ' | 'ŷ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        'ß' => return to.push_str("ss"),
        'æ' => return to.push_str("ae"),
        'œ' => return to.push_str("oe"),
        'þ' => return to.push_str("th"),
        other => other,
    };
    to.push(plain);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_and_punctuation_do_not_count() {
        assert_eq!(fold("Ça va, ZOË?"), " ca va zoe ");
        assert_eq!(fold("Zoe\u{308}"), fold("Zoë"));
        assert_eq!(fold("priya.nair@brightloom.example"), " priya nair brightloom example ");
        assert_eq!(fold("Ingrid's “Straße”"), " ingrids strasse ");
        assert_eq!(fold(" -- % _ "), "");
    }

    #[test]
    fn an_emoji_and_a_sign_without_spaces_are_words() {
        assert_eq!(fold("hurra🎂heute"), " hurra 🎂 heute ");
        assert!(fold("明日の会議").contains(&needle("会議").unwrap()));
    }

    #[test]
    fn a_needle_finds_beginnings_of_words_only() {
        let found = |text: &str, sought: &str| fold(text).contains(&needle(sought).unwrap());
        assert!(found("See you tomorrow, Tom", "tom"));
        assert!(!found("A custom lamp", "tom"));
        assert!(found("the quarterly numbers", "quarterly num"));
        assert_eq!(needle("%"), None);
    }

    #[test]
    fn a_line_of_somebody_else_cannot_break_or_turn_around() {
        assert_eq!(one_line("Hi\r\nBcc: eve@x.example\u{202e}", 80), "Hi Bcc: eve@x.example");
        assert_eq!(one_line("  a\u{2028}b\0c ", 80), "a b c");
        assert_eq!(one_line("Pri\u{200b}ya\u{e0041} 👩\u{200d}🔬", 80), "Priya 👩\u{200d}🔬");
        assert_eq!(one_line("abc def", 4), "abc");
        assert_eq!(lines("\n a\r\nb\rc \n"), "a\nb\nc");
    }

    #[test]
    fn a_snippet_is_one_line_cut_at_a_word() {
        assert_eq!(snippet("Hi Maya,\n\nshort one.", 40), "Hi Maya, short one.");
        assert_eq!(snippet("one two three", 9), "one two…");
        assert_eq!(snippet("Donaudampfschiff", 5), "Donau…");
        assert_eq!(snippet(" \n ", 5), "");
    }
}
