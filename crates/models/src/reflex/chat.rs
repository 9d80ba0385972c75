//! Talk that needs no tool: greetings, thanks, small talk, and what is out of reach.

mod sentences;

use brain::resolve::words::Word;

use self::sentences::SENTENCES;
use super::vocabulary::is_any;
use crate::gist::Chat;

/// Leads that can stand before another such sentence: "great, thanks".
const LEADS: &[&str] = &[
    "great",
    "perfect",
    "awesome",
    "ok",
    "okay",
    "cool",
    "nice",
    "wonderful",
    "oh",
    "ah",
    "well",
    "no",
    "alright",
    "good",
    "lovely",
    "yes",
    "so",
    "um",
    "uh",
    "excellent",
    "brilliant",
    "hey",
    "hi",
    "hello",
    "sayso",
    "please",
    "and",
    "super",
    "right",
    "got it",
    "that is great",
    "yeah",
];

/// "No, that's not what I meant": nothing in it says what was.
pub fn is_misread(words: &[Word]) -> bool {
    let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let mut text = text.as_str();
    while let Some(rest) = TURNED_DOWN.iter().find_map(|lead| text.strip_prefix(lead)) {
        text = rest;
    }
    let text = text.strip_suffix(" at all").unwrap_or(text);
    !words.iter().any(|word| word.quoted) && MISREAD.contains(&text)
}

/// Said before it.
const TURNED_DOWN: [&str; 10] =
    ["no ", "nope ", "nah ", "sorry ", "hm ", "hmm ", "but ", "i think ", "actually ", "sayso "];
const MISREAD: [&str; 26] = [
    "that is not what i meant",
    "this is not what i meant",
    "it is not what i meant",
    "that was not what i meant",
    "not what i meant",
    "that is not what i asked",
    "that is not what i asked for",
    "not what i asked",
    "not what i asked for",
    "that is not what i wanted",
    "that is not what i want",
    "not what i wanted",
    "that is not what i said",
    "i did not mean that",
    "i did not ask for that",
    "i did not ask that",
    "i meant something else",
    "i mean something else",
    "i want something else",
    "you misunderstood",
    "you misunderstood me",
    "you misunderstand me",
    "you got me wrong",
    "you got that wrong",
    "you did not understand me",
    "you do not understand me",
];

/// "No wait, don't send it": it forbids what may be done already, and says nothing else.
pub fn takes_back(words: &[Word]) -> bool {
    const FALTERS: &[&str] = &[
        "no", "nope", "nah", "oh", "oops", "wait", "stop", "hold", "hang", "on", "please", "sorry",
        "actually", "but", "hey", "sayso", "a", "second", "sec", "moment", "minute",
    ];
    const DEEDS: &[&str] = &["send", "book", "do", "save", "move", "forget", "delete"];
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let start = texts.iter().take_while(|text| FALTERS.contains(text)).count();
    let forbids = match &texts[start..] {
        ["do", "not"] => start > 0,
        ["do", "not", deed, "it" | "that" | "this"] => DEEDS.contains(deed),
        ["do", "not", "send" | "book"] => true,
        [] => is_any("no", &texts) && is_any("wait", &texts),
        _ => false,
    };
    forbids && !words.iter().any(|word| word.quoted || word.stop == Some('?'))
}

/// The sentence as a whole, if it is one of those everybody says.
pub fn read(words: &[Word]) -> Option<Chat> {
    if words.iter().any(|word| word.quoted) || words.len() > 9 {
        return None;
    }
    let mut texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    // "Stop, stop, stop" is one.
    texts.dedup();
    let text = texts.join(" ");
    let mut text = text.as_str();
    loop {
        let without = text.strip_suffix(" sayso").or_else(|| text.strip_suffix(" please"));
        let found = whole(text).or_else(|| whole(without?));
        if found.is_some() {
            return found;
        }
        text = LEADS
            .iter()
            .find_map(|lead| text.strip_prefix(lead).and_then(|rest| rest.strip_prefix(' ')))?;
    }
}

fn whole(text: &str) -> Option<Chat> {
    SENTENCES.iter().find(|(_, all)| all.contains(&text)).map(|(chat, _)| chat.clone())
}

/// Single words that give away something there is no tool for.
const OUT_OF_REACH: &[(&str, &[&str])] = &[
    ("check the weather", &["weather", "forecast", "rain", "raining", "snow", "umbrella"]),
    ("tell jokes", &["joke", "jokes", "riddle", "poem", "sing"]),
    ("play music", &["music", "song", "spotify", "playlist", "podcast"]),
    (
        "order food",
        &["pizza", "burger", "takeaway", "takeout", "groceries", "sushi", "doordash", "hungry"],
    ),
    ("book a ride", &["uber", "taxi", "cab", "lyft"]),
    ("control the house", &["lights", "thermostat", "heating", "vacuum", "tv"]),
    ("follow the markets", &["stock", "stocks", "bitcoin", "crypto", "shares"]),
    ("take sides in politics", &["election", "politics", "politician"]),
    ("follow the news", &["news", "headlines", "score", "match"]),
    ("translate", &["translate", "translation"]),
    ("cook", &["cook", "recipe", "recipes", "bake"]),
    ("run a stopwatch", &["stopwatch"]),
    ("set alarms", &["alarm", "wake"]),
    ("do sums", &["plus", "minus", "multiplied", "divided", "percent"]),
    ("look things up on the web", &["google", "wikipedia", "capital", "population", "internet"]),
    ("give directions", &["directions", "traffic", "route"]),
    ("buy things", &["buy", "purchase", "amazon", "order"]),
    ("book travel", &["flights", "hotel", "hotels", "airbnb"]),
];

/// Something that nobody here can do. Not asked where mail or meetings are
/// spoken of: "any mail about the weather" is a search.
pub fn out_of_reach(words: &[Word]) -> Option<&'static str> {
    let texts: Vec<&str> =
        words.iter().filter(|word| !word.quoted).map(|word| word.text.as_str()).collect();
    match texts.as_slice() {
        ["call" | "phone" | "ring" | "dial" | "facetime", _, ..] => return Some("make calls"),
        ["who", "won", ..] | ["did", "the", _, "win", ..] => return Some("follow the news"),
        ["turn", "on" | "off" | "up" | "down", ..] => return Some("control the house"),
        ["who", "writes" | "emails" | "mails" | "messages", "me" | "us", .., "most" | "more"] => {
            return Some("count who writes the most");
        }
        ["play", _, ..] => return Some("play music"),
        ["pay" | "transfer", _, ..] => return Some("make payments"),
        ["who", "is" | "was", "the", ..] | ["why", "is" | "are" | "do", ..] => {
            return Some("answer general questions");
        }
        // "The vote closes Friday" is nobody's opinion.
        ["who" | "should" | "what" | "which" | "do", ..]
            if texts.contains(&"vote") || texts.contains(&"president") =>
        {
            return Some("take sides in politics");
        }
        _ => {}
    }
    OUT_OF_REACH
        .iter()
        .find(|(_, given_away)| texts.iter().any(|text| given_away.contains(text)))
        .map(|(what, _)| *what)
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;

    #[test]
    fn what_everybody_says_is_known_with_and_without_marks() {
        let cases = [
            ("Hello!", Some(Chat::Hello)),
            ("great thanks", Some(Chat::Thanks)),
            ("Awesome, thanks a lot!", Some(Chat::Thanks)),
            ("What's up?", Some(Chat::HowAreYou)),
            ("whats todays date", Some(Chat::Date)),
            ("hello i need my mail", None),
            ("\"stop\"", None),
            ("Stop, that's enough.", Some(Chat::Enough)),
            ("That's enough.", Some(Chat::Enough)),
            ("enough", Some(Chat::Enough)),
            ("Thanks, that's enough.", Some(Chat::Enough)),
            ("Stop, stop, stop.", Some(Chat::NeverMind)),
            ("Stop reading.", Some(Chat::Enough)),
            ("skip that", Some(Chat::Enough)),
            ("Okay, okay, I got it.", Some(Chat::Enough)),
            ("is that enough milk for everybody", None),
        ];
        for (text, expected) in cases {
            assert_eq!(read(&words(text)), expected, "{text}");
        }
    }

    #[test]
    fn whoever_takes_it_back_says_so_in_many_words() {
        for text in [
            "No wait, don't send it",
            "No wait.",
            "wait don't",
            "Stop, don't send that!",
            "don't send it",
            "oh no, wait, don't",
            "wait, no",
            "hold on, don't book it",
        ] {
            assert!(takes_back(&words(text)), "{text}");
        }
        for text in [
            "wait",
            "no",
            "no wait, Friday",
            "don't send it to Tom",
            "don't send it yet?",
            "stop",
            "don't forget the milk",
            "",
        ] {
            assert!(!takes_back(&words(text)), "{text}");
        }
    }
}
