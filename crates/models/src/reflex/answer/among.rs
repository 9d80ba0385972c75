//! One of the choices among other words: "the quiz one, Delgado", "10:30 works".
//!
//! Exactly one of them has to be named, and nothing else wanted. Whoever is only
//! described is asked for again: nobody is looked up for it.

use brain::resolve::time::{cardinal, ordinal};
use brain::resolve::words::{Word, words};

use crate::Understanding;
use crate::focus::{Choice, Unclear};
use crate::reflex::vocabulary::{CALENDAR, EMPTY, MAIL, is_any};
use crate::reflex::{asked, meanwhile, sentence, writes};

/// More words are a request of their own.
const LONGEST: usize = 9;
/// One of these turns a name around: "anybody but Delgado".
const TURNS: &[&str] = &[
    "not", "no", "never", "but", "except", "instead", "neither", "nor", "without", "or", "wrong",
    "rather", "than",
];
const ASKS: &[&str] = &[
    "what", "when", "who", "where", "why", "how", "is", "are", "do", "does", "did", "can", "show",
    "read", "find", "search", "check", "any", "remind", "open", "look", "list",
];
/// Said around the one that is picked.
const AROUND: &[&str] = &[
    "works", "work", "fine", "good", "great", "perfect", "best", "better", "lets", "let", "us",
    "take", "go", "with", "do", "prefer", "suits", "sounds", "pick", "choose", "then", "option",
    "number", "slot", "think", "guess", "maybe", "ok", "okay", "sure", "yes", "yeah", "book",
    "make", "will", "should", "please", "thanks", "would", "like", "want", "ideal", "nice",
];

/// The one that is named, where one alone is.
pub fn named<'a>(answer: &[Word], choices: &'a [Choice]) -> Option<&'a Choice> {
    if is_something_else(answer) || answer.iter().any(|word| is_any(&word.text, TURNS)) {
        return None;
    }
    if choices.iter().any(|choice| choice.about == Unclear::Request) {
        return None;
    }
    let said: Vec<String> = answer.iter().map(|word| plain(&word.text)).collect();
    // "Friday at 1" is another day than those that were offered.
    let timed = choices.iter().any(|choice| choice.about == Unclear::Time);
    let offered = |text: &String| {
        let mut names = choices.iter().flat_map(|choice| words(&choice.name));
        names.any(|word| plain(&word.text) == *text)
    };
    let around = |text: &String| is_any(text, AROUND) || is_any(text, EMPTY) || offered(text);
    if timed && !said.iter().all(around) {
        return None;
    }
    let names: Vec<Vec<String>> = choices
        .iter()
        .map(|choice| words(&choice.name).iter().map(|word| plain(&word.text)).collect())
        .collect();
    let tells = |at: usize, text: &String| {
        let alone = names.iter().filter(|name| name.contains(text)).count() == 1;
        alone && names[at].contains(text) && !is_any(text, EMPTY)
    };
    let picked = |at: &usize| said.iter().any(|text| tells(*at, text));
    let mut found = (0..choices.len()).filter(picked);
    match (found.next(), found.next()) {
        (Some(only), None) => choices.get(only),
        (None, _) => counted(&said, choices),
        _ => None,
    }
}

/// "Let's take the second": a place in the list, and nothing said but that.
fn counted<'a>(said: &[String], choices: &'a [Choice]) -> Option<&'a Choice> {
    let texts: Vec<&str> = said.iter().map(String::as_str).collect();
    let mut places = (0..texts.len()).filter_map(|at| {
        let (n, used) = ordinal(&texts[at..])?;
        Some((at, used, usize::try_from(n).ok()?.checked_sub(1)?))
    });
    let (at, used, n) = places.next().filter(|_| places.next().is_none())?;
    let around = |place: usize| {
        (at..at + used).contains(&place)
            || is_any(texts[place], AROUND)
            || is_any(texts[place], EMPTY)
    };
    (0..texts.len()).all(around).then(|| choices.get(n))?
}

/// "The one from the quiz", "the tall guy": somebody or something we cannot tell by that.
pub fn describes(answer: &[Word]) -> bool {
    const ONE: &[&str] = &["one", "guy", "person", "woman", "man", "lady", "girl", "boy"];
    let texts: Vec<&str> = answer.iter().map(|word| word.text.as_str()).collect();
    let points = matches!(texts.as_slice(), ["the" | "that" | "my" | "whoever" | "from", _, ..]);
    let one = texts.iter().take(5).any(|text| is_any(text, ONE) || is_any(text, &["whoever"]));
    points && one && !is_something_else(answer)
}

/// "Anybody but Delgado", "not Delgado": somebody is named, and not to be picked.
pub fn turns_down(answer: &[Word], choices: &[Choice]) -> bool {
    const NOT: &[&str] = &["not", "but", "except", "neither", "nor", "or"];
    let named = |word: &Word| {
        let mut names = choices.iter().flat_map(|choice| words(&choice.name));
        !is_any(&word.text, EMPTY) && names.any(|name| name.text == word.text)
    };
    let person =
        choices.iter().all(|choice| matches!(choice.about, Unclear::Person | Unclear::Recipient));
    let at = answer.iter().position(|word| is_any(&word.text, NOT));
    let behind = at.and_then(|at| answer.get(at + 1..)).unwrap_or_default();
    person && answer.len() <= LONGEST && behind.iter().take(3).any(named)
}

/// Once more, and how to answer.
pub fn which(choices: &[Choice]) -> Understanding {
    let names: Vec<&str> = choices.iter().map(|choice| choice.name.as_str()).collect();
    let names = match names.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.join(""),
    };
    asked(format!("I can't tell which one that is. {names}?"), choices.to_vec())
}

/// A question, a request, or too much for an answer.
fn is_something_else(answer: &[Word]) -> bool {
    let request = sentence::bare(answer);
    let asks = answer.last().is_none_or(|last| last.stop == Some('?'))
        || request.first().is_some_and(|first| is_any(&first.text, ASKS));
    let own = |word: &Word| is_any(&word.text, MAIL) || is_any(&word.text, CALENDAR);
    let tells =
        |at: usize| is_any(&request[at].text, &["tell", "ask", "email", "write", "invite", "send"]);
    answer.len() > LONGEST
        || asks
        || answer.iter().any(|word| word.quoted)
        || request.iter().any(own)
        || meanwhile::reminds(request)
        || (0..request.len()).any(tells)
        || writes::read(request).is_some() && !is_any(&request[0].text, &["book", "take", "make"])
}

/// "Four" is "4".
fn plain(text: &str) -> String {
    match cardinal(&[text]) {
        Some((number, 1)) => number.to_string(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Understanding, corpus, reflex};

    fn after(request: &str, answer: &str) -> Understanding {
        let mut world = corpus::world();
        let asked = reflex::read(request, &world);
        assert!(asked.choices.len() > 1, "{request}: {asked:?}");
        world.focus.wait_for_answer(&asked);
        reflex::read(answer, &world)
    }

    #[test]
    fn a_name_among_other_words_is_the_answer() {
        for answer in [
            "the quiz one, Adeyemi",
            "Adeyemi please, from the quiz",
            "oh I mean Adeyemi, the one from the quiz",
            "it's Sam Adeyemi of course",
            "that would be Adeyemi I think",
        ] {
            let read = after("tell sam it works", answer);
            let to = read.proposal.steps.first().map(|step| step.args["to"][0].clone());
            assert_eq!(to, Some("sam@adeyemi-electric.example".into()), "{answer}: {read:?}");
        }
    }

    #[test]
    fn whoever_is_turned_down_or_only_described_is_asked_for_again() {
        for answer in [
            "the one from the quiz",
            "the tall guy",
            "that one with the dog",
            "anybody but Adeyemi",
            "not Adeyemi",
            "Adeyemi or Whitfield",
        ] {
            let read = after("tell sam it works", answer);
            assert!(read.proposal.steps.is_empty(), "{answer}: {read:?}");
            assert!(read.question.is_some(), "{answer}: {read:?}");
        }
        for request in
            ["any mail from Adeyemi", "tell Adeyemi I'm late", "remind me at 5 to call Adeyemi"]
        {
            let read = after("tell sam it works", request);
            assert!(!read.answers, "{request}: {read:?}");
        }
    }
}
