//! Signs by their names, and whatever else is left of a word: nothing falls silent.

use super::amounts::currency;
use super::numbers::number;
use crate::tts::scripts::is_foreign;

/// What a sign that stands alone is called, or a sign of several characters.
pub fn symbol(text: &str) -> Option<&'static str> {
    Some(match text {
        "&" => "and",
        "+" => "plus",
        "=" | "==" | "===" => "equals",
        "!=" | "≠" | "!==" => "is not",
        "@" => "at",
        "%" => "percent",
        "‰" => "per mille",
        "#" | "№" => "number",
        "/" => "slash",
        "\\" => "backslash",
        "*" | "×" | "⋅" => "times",
        "**" => "to the power of",
        "÷" => "divided by",
        "−" => "minus",
        "~" | "≈" | "≃" => "about",
        "<" => "less than",
        ">" => "greater than",
        "≤" | "<=" => "at most",
        "≥" | ">=" => "at least",
        "→" | "->" | "=>" | "⇒" | "⟶" | "➜" => "to",
        "←" | "<-" | "⇐" => "from",
        "↔" | "<->" => "to and from",
        "↑" => "up",
        "↓" => "down",
        "°" => "degrees",
        "_" => "underscore",
        "^" => "caret",
        "~~" => "tilde",
        "§" => "section",
        "¶" => "paragraph",
        "©" => "copyright",
        "®" | "™" => "trademark",
        "∞" => "infinity",
        "√" => "square root of",
        "∑" => "sum of",
        "∆" => "delta",
        "±" => "plus or minus",
        "µ" => "micro",
        "⌘" => "command",
        "⌥" => "option",
        "⇧" => "shift",
        "⏎" | "↵" => "return",
        "⁰" => "to the power of zero",
        "¹" => "to the power of one",
        "²" => "squared",
        "³" => "cubed",
        "⁴" => "to the fourth",
        "⁵" => "to the fifth",
        "⁶" => "to the sixth",
        "⁷" => "to the seventh",
        "⁸" => "to the eighth",
        "⁹" => "to the ninth",
        "⁻" => "minus",
        text => return vulgar(text).map(|(alone, _)| alone).or_else(|| roman(text)),
    })
}

/// A fraction in one sign: how it is said alone, and behind a whole number.
fn vulgar(text: &str) -> Option<(&'static str, &'static str)> {
    Some(match text {
        "½" => ("one half", "and a half"),
        "¼" => ("one quarter", "and a quarter"),
        "¾" => ("three quarters", "and three quarters"),
        "⅓" => ("one third", "and a third"),
        "⅔" => ("two thirds", "and two thirds"),
        "⅕" => ("one fifth", "and a fifth"),
        "⅖" => ("two fifths", "and two fifths"),
        "⅗" => ("three fifths", "and three fifths"),
        "⅘" => ("four fifths", "and four fifths"),
        "⅙" => ("one sixth", "and a sixth"),
        "⅚" => ("five sixths", "and five sixths"),
        "⅛" => ("one eighth", "and an eighth"),
        "⅜" => ("three eighths", "and three eighths"),
        "⅝" => ("five eighths", "and five eighths"),
        "⅞" => ("seven eighths", "and seven eighths"),
        _ => return None,
    })
}

fn roman(text: &str) -> Option<&'static str> {
    const NAMES: [&str; 12] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let mut chars = text.chars();
    let (code, None) = (u32::from(chars.next()?), chars.next()) else { return None };
    let at = match code {
        0x2160..=0x216B => code - 0x2160,
        0x2170..=0x217B => code - 0x2170,
        _ => return None,
    };
    NAMES.get(usize::try_from(at).ok()?).copied()
}

/// Signs that part words or stand for a pause; the others are said.
fn is_quiet(c: char) -> bool {
    ".,;:!?()[]{}\"'“”‘’‚„«»‹›…—–|•·†‡¿¡‐‑‒―".contains(c)
        || c.is_control()
        || c.is_whitespace()
        // Marks on a letter, and those that join or part letters unseen.
        || matches!(u32::from(c), 0x0300..=0x036F | 0x1AB0..=0x1AFF | 0x20D0..=0x20FF
            | 0x2000..=0x206F | 0xFE20..=0xFE2F | 0x3000..=0x303F | 0xFFF0..=0xFFFF)
}

/// "C#" and "F#" are not numbers.
pub fn sharp(core: &str) -> Option<String> {
    let note = core.strip_suffix('#')?;
    let one = note.len() == 1 && note.starts_with(|c: char| c.is_ascii_alphabetic());
    one.then(|| format!("{} sharp", note.to_uppercase()))
}

/// Whatever no rule knows: digits as numbers, signs by their names.
pub fn readable(core: &str) -> String {
    let core = core.replace(['’', 'ʼ', '`'], "'");
    let plain = |c: char| c.is_alphabetic() || c == '\'' || c == '-' || is_foreign(c);
    if core.chars().all(plain) {
        return core;
    }
    let sums = core.contains(['=', '+', '*', '×', '÷', '^']);
    let mut words = String::new();
    let mut behind_number = false;
    let mut rest = core.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let after = core[at + c.len_utf8()..].chars().next();
        let before_digit = after.is_some_and(|c| c.is_ascii_digit());
        if c.is_ascii_digit() {
            let mut run = c.to_string();
            while let Some((_, more)) = rest.next_if(|(_, c)| c.is_ascii_digit()) {
                run.push(more);
            }
            words.extend([" ", &number(&run).expect("digits are a number"), " "]);
            behind_number = true;
            continue;
        }
        let one = c.to_string();
        match c {
            '*' if after == Some('*') => {
                rest.next();
                words.push_str(" to the power of ");
            }
            '^' if before_digit => words.push_str(" to the power of "),
            '-' if sums && (behind_number || before_digit) => words.push_str(" minus "),
            '-' if behind_number && before_digit => words.push_str(" dash "),
            '–' if behind_number && before_digit => words.push_str(" to "),
            ':' if behind_number && before_digit => words.push_str(" to "),
            '.' if after.is_some_and(|c| c.is_ascii_lowercase()) && behind_a_letter(&core, at) => {
                words.push_str(" dot ");
            }
            ',' | ';' if !words.trim_end().is_empty() && after.is_some() => {
                words.truncate(words.trim_end().len());
                words.extend([c, ' ']);
            }
            '_' => words.push(' '),
            '#' if after.is_some_and(char::is_alphabetic) => words.push_str(" hashtag "),
            c if plain(c) => words.push(c),
            c if c == '~' && before_digit => words.push_str(" about "),
            _ if behind_number && vulgar(&one).is_some() => {
                words.extend([" ", vulgar(&one).map_or("", |(_, behind)| behind), " "]);
            }
            c => words.extend([" ", name(c, &one), " "]),
        }
        behind_number = false;
    }
    let words: Vec<&str> = words.split_whitespace().collect();
    words.join(" ")
}

fn behind_a_letter(core: &str, at: usize) -> bool {
    core[..at].chars().rev().take_while(|c| c.is_alphabetic()).count() > 1
}

/// A sign in the middle of a word. One that nobody has a name for is a symbol, and said.
fn name(c: char, one: &str) -> &'static str {
    if is_quiet(c) {
        return "";
    }
    symbol(one).or_else(|| currency(one)).unwrap_or("symbol")
}
