//! Words in letters that the voice cannot read.
//!
//! Russian and Greek are spelled with ours; of the others one says at least what they
//! are in. Nothing falls silent, and what stands around them is said as ever.

/// What stands for a word that cannot be spelled with our letters.
const SOMETHING_IN: &str = "something in";

/// Whether a character belongs to letters that are not ours, marks on them and all.
pub fn is_foreign(c: char) -> bool {
    let code = u32::from(c);
    let marks = "،؛؟・";
    match code {
        ..0x0370 | 0x1D00..=0x1DBF | 0x1E00..=0x1EFF | 0x2000..=0x2BFF => false,
        0x2C60..=0x2C7F | 0xA720..=0xA7FF | 0xAB30..=0xAB6F | 0xFB00..=0xFB06 => false,
        _ if marks.contains(c) => false,
        0x0590..=0x10FF | 0x1200..=0x18AF => !c.is_numeric(),
        _ => c.is_alphabetic(),
    }
}

/// `text` in letters that can be read, if there are others in it.
pub fn sayable(text: &str) -> Option<String> {
    if !text.contains(is_foreign) {
        return None;
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_foreign) {
        let run = &rest[start..];
        let end = run.find(|c| !is_foreign(c)).unwrap_or(run.len());
        let ahead = &rest[..start];
        out.push_str(ahead);
        if ahead.ends_with(char::is_alphanumeric) {
            out.push(' ');
        }
        out.push_str(&read(&run[..end]));
        rest = &run[end..];
        if rest.starts_with(char::is_alphanumeric) {
            out.push(' ');
        }
    }
    out.push_str(rest);
    Some(out)
}

/// The words that were put for a text that nobody could spell, without the marks around.
pub fn only_named(text: &str) -> Option<&str> {
    let core = text.trim_matches(|c: char| !c.is_alphanumeric());
    core.starts_with(SOMETHING_IN).then_some(core)
}

fn read(run: &str) -> String {
    let mut chars = run.chars();
    if let (Some(one), None) = (chars.next(), chars.next())
        && let Some(name) = greek_name(one)
    {
        return name.to_owned();
    }
    let spelled: Option<Vec<String>> = run.chars().map(spelled).collect();
    match spelled.map(|letters| letters.concat()) {
        Some(word) if !word.is_empty() => word,
        _ => format!("{SOMETHING_IN} {}", language(run)),
    }
}

/// A letter of Russian, Ukrainian, Serbian or Greek in ours; a capital stays one.
fn spelled(c: char) -> Option<String> {
    let lower = c.to_lowercase().next().unwrap_or(c);
    let ours = cyrillic(lower).or_else(|| greek(lower))?;
    let mut letters = ours.chars();
    let first = letters.next().filter(|_| c.is_uppercase());
    Some(first.map_or_else(
        || ours.to_owned(),
        |first| format!("{}{}", first.to_ascii_uppercase(), letters.as_str()),
    ))
}

fn cyrillic(c: char) -> Option<&'static str> {
    Some(match c {
        'а' => "a",
        'б' => "b",
        'в' => "v",
        'г' | 'ґ' => "g",
        'д' => "d",
        'е' | 'э' => "e",
        'ё' => "yo",
        'є' => "ye",
        'ж' => "zh",
        'з' => "z",
        'и' | 'і' => "i",
        'ї' => "yi",
        'й' | 'ј' | 'ы' => "y",
        'к' => "k",
        'л' => "l",
        'љ' => "ly",
        'м' => "m",
        'н' => "n",
        'њ' => "ny",
        'о' => "o",
        'п' => "p",
        'р' => "r",
        'с' => "s",
        'т' => "t",
        'у' => "u",
        'ў' => "w",
        'ф' => "f",
        'х' => "kh",
        'ц' => "ts",
        'ч' | 'ћ' => "ch",
        'џ' | 'ђ' => "j",
        'ш' => "sh",
        'щ' => "shch",
        'ъ' | 'ь' => "",
        'ю' => "yu",
        'я' => "ya",
        _ => return None,
    })
}

fn greek(c: char) -> Option<&'static str> {
    Some(match c {
        'α' | 'ά' => "a",
        'β' => "v",
        'γ' => "g",
        'δ' => "d",
        'ε' | 'έ' => "e",
        'ζ' => "z",
        'η' | 'ή' | 'ι' | 'ί' | 'ϊ' | 'ΐ' | 'υ' | 'ύ' | 'ϋ' | 'ΰ' => "i",
        'θ' => "th",
        'κ' => "k",
        'λ' => "l",
        'μ' => "m",
        'ν' => "n",
        'ξ' => "x",
        'ο' | 'ό' | 'ω' | 'ώ' => "o",
        'π' => "p",
        'ρ' => "r",
        'σ' | 'ς' => "s",
        'τ' => "t",
        'φ' => "f",
        'χ' => "h",
        'ψ' => "ps",
        _ => return None,
    })
}

/// A letter that stands alone is one of mathematics.
fn greek_name(c: char) -> Option<&'static str> {
    const NAMES: [&str; 25] = [
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
        "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "sigma", "tau", "upsilon",
        "phi", "chi", "psi", "omega",
    ];
    let lower = c.to_lowercase().next()?;
    let at = u32::from(lower).checked_sub(u32::from('α'))?;
    NAMES.get(usize::try_from(at).ok()?).copied()
}

fn language(run: &str) -> &'static str {
    // Chinese characters with one of these among them are Japanese.
    let japanese =
        |c: char| matches!(u32::from(c), 0x3040..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F);
    if run.contains(japanese) {
        return "Japanese";
    }
    match run.chars().next().map_or(0, u32::from) {
        0x0370..=0x03FF | 0x1F00..=0x1FFF => "Greek",
        0x0400..=0x052F => "Cyrillic letters",
        0x0530..=0x058F => "Armenian",
        0x0590..=0x05FF | 0xFB1D..=0xFB4F => "Hebrew",
        0x0600..=0x06FF | 0x0750..=0x077F | 0x08A0..=0x08FF | 0xFB50..=0xFEFC => "Arabic",
        0x0900..=0x097F => "Hindi",
        0x0980..=0x09FF => "Bengali",
        0x0A00..=0x0A7F => "Punjabi",
        0x0A80..=0x0AFF => "Gujarati",
        0x0B80..=0x0BFF => "Tamil",
        0x0C00..=0x0C7F => "Telugu",
        0x0C80..=0x0CFF => "Kannada",
        0x0D00..=0x0D7F => "Malayalam",
        0x0D80..=0x0DFF => "Sinhala",
        0x0E00..=0x0E7F => "Thai",
        0x0E80..=0x0EFF => "Lao",
        0x0F00..=0x0FFF => "Tibetan",
        0x1000..=0x109F => "Burmese",
        0x10A0..=0x10FF => "Georgian",
        0x1200..=0x137F => "Amharic",
        0x1780..=0x17FF => "Khmer",
        0x1800..=0x18AF => "Mongolian",
        0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7AF => "Korean",
        0x2E80..=0x2FDF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF => "Chinese",
        _ => "other letters",
    }
}

/// A letter of ours with a mark that the model has never seen, without it.
pub fn unmarked(c: char) -> Option<char> {
    let base = match u32::from(c) {
        0x1EA0..=0x1EB7 => 'a',
        0x1EB8..=0x1EC7 => 'e',
        0x1EC8..=0x1ECB => 'i',
        0x1ECC..=0x1EE3 => 'o',
        0x1EE4..=0x1EF1 => 'u',
        0x1EF2..=0x1EF9 => 'y',
        _ => match c.to_lowercase().next()? {
            'è' | 'ë' | 'ę' | 'ě' | 'ĕ' => 'e',
            'ą' | 'ǎ' => 'a',
            'ĉ' | 'ċ' => 'c',
            'ĥ' | 'ħ' | 'ḥ' => 'h',
            'ĵ' => 'j',
            'ĝ' | 'ģ' | 'ġ' | 'ǧ' => 'g',
            'ĺ' | 'ļ' | 'ŀ' => 'l',
            'ń' | 'ņ' | 'ň' => 'n',
            'ő' | 'ŏ' | 'ơ' | 'ǒ' => 'o',
            'ŕ' | 'ŗ' => 'r',
            'ŝ' | 'ș' | 'ṣ' => 's',
            'ţ' | 'ț' | 'ŧ' | 'ť' | 'ṭ' => 't',
            'ű' | 'ū' | 'ũ' | 'ų' | 'ư' | 'ŭ' | 'û' | 'ù' => 'u',
            'ŵ' | 'ẁ' | 'ẃ' | 'ẅ' => 'w',
            'ý' | 'ÿ' | 'ŷ' => 'y',
            'ź' | 'ẓ' => 'z',
            'ĩ' | 'į' | 'ǐ' | 'ī' => 'i',
            'ķ' => 'k',
            'ḍ' => 'd',
            'ṃ' => 'm',
            _ => return None,
        },
    };
    Some(if c.is_uppercase() { base.to_ascii_uppercase() } else { base })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_in_other_letters_is_spelled_with_ours_or_named() {
        for (text, read) in [
            ("Привет,", "Privet,"),
            ("Αθήνα", "Athina"),
            ("π", "pi"),
            ("(北京)", "(something in Chinese)"),
            ("東京タワー", "something in Japanese"),
            ("مرحبا", "something in Arabic"),
            ("नमस्ते!", "something in Hindi!"),
            ("서울3", "something in Korean 3"),
        ] {
            assert_eq!(sayable(text).as_deref(), Some(read), "{text}");
        }
        for ours in ["naïve", "Łukasz", "Nguyễn", "½", "3 €", "ʃəvˈɔn", "→"] {
            assert_eq!(sayable(ours), None, "{ours}");
        }
    }
}
