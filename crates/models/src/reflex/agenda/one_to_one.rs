//! What people call a meeting of two, as calendars have it.

use brain::resolve::words::Word;

use crate::reflex::sentence;
use crate::reflex::vocabulary::is_any;

/// "When is my one on one with Dana": a 1:1, as calendars have it.
pub fn one_to_one(heard: &str, said: &[Word]) -> Option<String> {
    const ASKS: &[&str] = &["when", "what", "where", "who", "how", "is", "do", "show", "which"];
    let said = sentence::without_lead(said);
    said.first().filter(|first| is_any(&first.text, ASKS))?;
    let spelled = |words: &[Word]| {
        let number = |word: &Word| word.is("one") || word.is("1");
        number(&words[0]) && is_any(&words[1].text, &["on", "to"]) && number(&words[2])
    };
    let at = said.windows(3).position(|words| spelled(words) && !words[0].quoted);
    let (start, end) = if let Some(at) = at {
        (said[at].start, said[at + 2].end)
    } else {
        let joined = ["one-on-one", "1-on-1", "one-to-one"];
        let one = said.iter().find(|word| is_any(&word.text, &joined) && !word.quoted)?;
        (one.start, one.end)
    };
    Some(format!("{}1:1{}", &heard[..start], &heard[end..]))
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;

    #[test]
    fn a_one_on_one_is_asked_for_as_it_is_written() {
        for (heard, meant) in [
            ("when is my one on one with dana", Some("when is my 1:1 with dana")),
            ("where's the one-to-one", Some("where's the 1:1")),
            ("when is the review", None),
            ("tell dana our one on one is off", None),
        ] {
            assert_eq!(one_to_one(heard, &words(heard)).as_deref(), meant, "{heard}");
        }
    }
}
