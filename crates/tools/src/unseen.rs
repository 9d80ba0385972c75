//! Signs that cannot be seen, or make a text look like another one.
//!
//! What a card does not show must not go out with it. Joiners are let through
//! where a script or an emoji needs them, and nowhere else.

/// Would any of it be missing, or elsewhere, when it is looked at?
pub(crate) fn has_unseen(text: &str) -> bool {
    let signs: Vec<char> = text.chars().collect();
    (0..signs.len()).any(|at| is_unseen_at(&signs, at))
}

/// The text without such signs.
pub(crate) fn without_unseen(text: &str) -> String {
    let signs: Vec<char> = text.chars().collect();
    (0..signs.len()).filter(|&at| !is_unseen_at(&signs, at)).map(|at| signs[at]).collect()
}

fn is_unseen_at(signs: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| signs[before]);
    let behind = signs.get(at + 1).copied();
    match signs[at] {
        '\u{200c}' => !is(before, joins_letters) || !is(behind, joins_letters),
        '\u{200d}' => {
            let letters = is(before, joins_letters) && is(behind, joins_letters);
            let emoji = is(before, ends_emoji) && is(behind, is_emoji);
            !letters && !emoji
        }
        '\u{fe0e}' | '\u{fe0f}' => {
            let keycap = is(before, |c| c.is_ascii_digit() || matches!(c, '#' | '*'));
            let drawn = keycap && behind == Some('\u{20e3}');
            !is(before, is_emoji) && !drawn
        }
        c => is_unseen(c),
    }
}

fn is(sign: Option<char>, what: impl Fn(char) -> bool) -> bool {
    sign.is_some_and(what)
}

/// Format characters that have no shape of their own, and letters without one.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0d}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Scripts whose letters change beside each other: Arabic to Mongolian.
fn joins_letters(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{1dff}') && !is_unseen(c)
}

fn ends_emoji(c: char) -> bool {
    is_emoji(c) || c == '\u{fe0f}'
}

fn is_emoji(c: char) -> bool {
    matches!(
        c,
        '©' | '®' | '‼' | '⁉' | '™' | 'ℹ' | '〰' | '〽' | '㊗' | '㊙'
            | '\u{2190}'..='\u{27bf}'
            | '\u{2900}'..='\u{2bff}'
            | '\u{1f000}'..='\u{1faff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_found_wherever_it_stands() {
        for sign in [
            '\u{ad}',
            '\u{34f}',
            '\u{61c}',
            '\u{180e}',
            '\u{200b}',
            '\u{200c}',
            '\u{200d}',
            '\u{200e}',
            '\u{200f}',
            '\u{202a}',
            '\u{202e}',
            '\u{2060}',
            '\u{2063}',
            '\u{2066}',
            '\u{2069}',
            '\u{206f}',
            '\u{3164}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{fffb}',
            '\u{e0001}',
            '\u{e0041}',
            '\u{e007f}',
            '\u{e0100}',
        ] {
            for text in [format!("{sign}"), format!("a{sign}b"), format!("a {sign} b")] {
                assert!(has_unseen(&text), "{text:?}");
                assert!(!has_unseen(&without_unseen(&text)), "{text:?}");
            }
        }
        assert_eq!(without_unseen("pay\u{202e}lap\u{200b}"), "paylap");
    }

    #[test]
    fn scripts_and_emoji_keep_the_joiners_they_need() {
        for text in [
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "👩\u{200d}👩\u{200d}👧",
            "👩🏽\u{200d}⚕\u{fe0f}",
            "❤\u{fe0f}",
            "❤\u{fe0f}\u{200d}🔥",
            "🏳\u{fe0f}\u{200d}🌈",
            "1\u{fe0f}\u{20e3}",
            "Zoë, cafe\u{301} — “naïve” 日本語 שלום",
            "",
        ] {
            assert!(!has_unseen(text), "{text:?}");
            assert_eq!(without_unseen(text), text);
        }
    }

    #[test]
    fn a_joiner_out_of_place_is_hidden() {
        for text in [
            "👩\u{200d}",
            "👩\u{200d}\u{200d}👧",
            "❤\u{fe0f}\u{fe0f}",
            "a\u{fe0f}",
            "1\u{fe0f}",
            "می\u{200c}\u{200c}خ",
            "می\u{200c}",
            "🏴\u{e0067}\u{e0062}\u{e007f}",
        ] {
            assert!(has_unseen(text), "{text:?}");
        }
    }
}
