//! What a file is called on the screen. It is never used to find one.

/// Longer names are cut in the middle of their stem.
const LONGEST: usize = 120;

/// The last part of a path, without what could mislead whoever reads it.
pub fn tidy(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let visible: String = last.chars().filter(|c| !c.is_control() && !turns(*c)).collect();
    let name = visible.trim_matches(|c: char| c.is_whitespace() || c == '.');
    if name.is_empty() {
        return "file".into();
    }
    let length = name.chars().count();
    if length <= LONGEST {
        return name.into();
    }
    let ending: String = match name.rsplit_once('.') {
        Some((_, ending)) if ending.chars().count() <= 10 => format!("….{ending}"),
        _ => "…".into(),
    };
    let stem = LONGEST - ending.chars().count();
    name.chars().take(stem).chain(ending.chars()).collect()
}

/// Turns the direction of what follows: `gpj.exe` would read `exe.jpg`.
fn turns(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_never_a_path_and_never_misleads() {
        for (given, tidied) in [
            ("notes.txt", "notes.txt"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\maya\\notes.txt", "notes.txt"),
            ("..", "file"),
            ("", "file"),
            ("a\u{0}b\n.txt", "ab.txt"),
            ("\u{202e}gpj.exe", "gpj.exe"),
            (" .hidden ", "hidden"),
            ("Grüße.md", "Grüße.md"),
        ] {
            assert_eq!(tidy(given), tidied, "{given:?}");
        }
        let long = tidy(&format!("{}.pdf", "x".repeat(500)));
        assert_eq!((long.chars().count(), long.ends_with("….pdf")), (120, true));
    }
}
