//! What people call something on their calendar, as it stands there.

use brain::resolve::words::Word;

use crate::reflex::sentence;
use crate::reflex::vocabulary::is_any;

/// The same question in the calendar's own words.
pub fn said_plainly(heard: &str, said: &[Word]) -> Option<String> {
    one_to_one(heard, said).or_else(|| birthday(heard, said))
}

/// "What's Ingrid's birthday": when it is.
fn birthday(heard: &str, said: &[Word]) -> Option<String> {
    let [what, is, whose, .., day] = said else { return None };
    let named = !is_any(&whose.text, &["a", "an", "the"]);
    let asks = what.is("what") && is.is("is") && named && !what.quoted;
    let short = said.len() <= 6 && is_any(&day.text, &["birthday", "anniversary"]);
    (asks && short).then(|| format!("when is {}", &heard[whose.start..]))
}

/// "When is my one on one with Dana": a 1:1, as calendars have it.
fn one_to_one(heard: &str, said: &[Word]) -> Option<String> {
    const ASKS: &[&str] = &["when", "what", "where", "who", "how", "is", "do", "show", "which"];
    let said = sentence::without_lead(said);
    said.first().filter(|first| is_any(&first.text, ASKS))?;
    let spelled = |words: &[Word]| {
        let number = |word: &Word| word.is("one");
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
    fn a_one_on_one_and_a_birthday_are_asked_for_as_they_stand_there() {
        for (heard, meant) in [
            ("when is my one on one with dana", Some("when is my 1:1 with dana")),
            ("where's the one-to-one", Some("where's the 1:1")),
            ("when is the review", None),
            ("tell dana our one on one is off", None),
            ("what's ingrid's birthday", Some("when is ingrid's birthday")),
            ("what's a birthday", None),
        ] {
            assert_eq!(said_plainly(heard, &words(heard)).as_deref(), meant, "{heard}");
        }
    }
}
