//! Talk that needs no tool: greetings, thanks, small talk, and what is out of reach.

use brain::resolve::words::Word;

use crate::gist::Chat;

/// Whole sentences, as words with a space between them.
const SENTENCES: &[(Chat, &[&str])] = &[
    (
        Chat::Hello,
        &[
            "hi",
            "hello",
            "hey",
            "hey there",
            "hi there",
            "hello there",
            "good morning",
            "morning",
            "good afternoon",
            "good evening",
            "evening",
            "yo",
            "howdy",
            "hiya",
            "greetings",
            "good day",
            "hi again",
            "hello again",
            "are you there",
            "are you listening",
            "can you hear me",
            "you there",
        ],
    ),
    (
        Chat::HowAreYou,
        &[
            "how are you",
            "how are you doing",
            "how are you today",
            "how are you doing today",
            "how is it going",
            "how are things",
            "what is up",
            "how do you do",
            "you ok",
            "how have you been",
            "how is your day",
            "how is your day going",
            "are you ok",
            "how are you feeling",
            "sup",
        ],
    ),
    (
        Chat::Thanks,
        &[
            "thanks",
            "thank you",
            "thank you so much",
            "thanks a lot",
            "many thanks",
            "cheers",
            "thank you very much",
            "thanks so much",
            "much appreciated",
            "ta",
            "appreciate it",
            "i appreciate it",
            "thanks again",
            "thank you again",
            "thx",
            "that is all thanks",
            "that is all thank you",
            "thanks for that",
            "thanks for your help",
        ],
    ),
    (
        Chat::Praise,
        &[
            "nice",
            "great",
            "perfect",
            "awesome",
            "cool",
            "wonderful",
            "excellent",
            "brilliant",
            "lovely",
            "nice work",
            "good job",
            "well done",
            "you are great",
            "you are awesome",
            "that was helpful",
            "that is helpful",
            "that is great",
            "good work",
            "you rock",
            "very helpful",
            "amazing",
            "that is perfect",
            "you are the best",
            "i love you",
            "fantastic",
            "good bot",
            "sweet",
            "super",
            "that helps",
        ],
    ),
    (Chat::Sorry, &["sorry", "my bad", "oops", "i am sorry", "apologies", "my mistake"]),
    (
        Chat::Bye,
        &[
            "bye",
            "goodbye",
            "good bye",
            "bye bye",
            "see you",
            "see you later",
            "see ya",
            "good night",
            "goodnight",
            "talk to you later",
            "talk to you tomorrow",
            "later",
            "catch you later",
            "have a good day",
            "have a nice day",
            "see you tomorrow",
            "that is all",
            "that is it",
            "that will be all",
            "i am done",
            "have a good one",
            "night",
            "talk later",
            "talk soon",
            "take care",
            "gotta go",
            "i have to go",
            "got to go",
        ],
    ),
    (
        Chat::Help,
        &[
            "help",
            "what can you do",
            "what can i ask you",
            "what can i ask",
            "how does this work",
            "what are you able to do",
            "what do you do",
            "what can you help with",
            "commands",
            "what can you help me with",
            "how can you help",
            "how can you help me",
            "help me",
            "what can i say",
            "what are my options",
            "how do i use this",
            "how do you work",
            "what else can you do",
            "i need help",
            "show me what you can do",
            "what you can do",
            "what are your features",
            "what can you do for me",
            "how do i use you",
        ],
    ),
    (
        Chat::WhoAreYou,
        &[
            "who are you",
            "what are you",
            "what is your name",
            "are you a robot",
            "are you human",
            "are you a real person",
            "are you real",
            "are you a bot",
            "are you an ai",
            "who made you",
            "who is this",
            "who am i talking to",
            "introduce yourself",
            "what is sayso",
            "are you a person",
            "are you ai",
            "tell me about yourself",
            "about yourself",
        ],
    ),
    (
        Chat::Date,
        &[
            "what day is it",
            "what day is it today",
            "what is today",
            "what is the date",
            "what date is it",
            "what is the date today",
            "what is today 's date",
            "today 's date",
            "what date is it today",
            "what day is today",
            "what day of the week is it",
            "the date",
            "what is todays date",
            "which day is it",
            "what day it is",
            "what the date is",
            "what is the day today",
            "what is the day",
        ],
    ),
    (
        Chat::Clock,
        &[
            "what time is it",
            "what is the time",
            "what time it is",
            "got the time",
            "what time is it now",
            "what time is it right now",
            "do you have the time",
            "the time",
            "what is the time now",
            "have you got the time",
            "time",
            "what the time is",
            "what is the current time",
            "current time",
        ],
    ),
    (
        Chat::Yes,
        &[
            "yes",
            "yeah",
            "yep",
            "yup",
            "sure",
            "yes please",
            "of course",
            "ok",
            "okay",
            "sure thing",
            "absolutely",
            "definitely",
            "go ahead",
            "do it",
            "sounds good",
            "right",
            "correct",
            "please do",
            "alright",
            "fine",
            "yeah sure",
            "yes do it",
            "send it",
            "ok go",
        ],
    ),
    (
        Chat::No,
        &[
            "no",
            "nope",
            "nah",
            "no thanks",
            "no thank you",
            "not now",
            "no way",
            "not really",
            "not today",
            "do not",
            "no not now",
            "please do not",
            "not yet",
            "no do not",
        ],
    ),
    (
        Chat::NeverMind,
        &[
            "never mind",
            "nevermind",
            "stop",
            "cancel",
            "forget it",
            "forget about it",
            "wait",
            "skip it",
            "leave it",
            "abort",
            "shut up",
            "be quiet",
            "quiet",
            "hold on",
            "pause",
            "stop it",
            "stop talking",
            "drop it",
            "no never mind",
            "hang on",
            "ignore that",
            "cancel that",
            "cancel it",
            "scratch that",
        ],
    ),
];

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

/// The sentence as a whole, if it is one of those everybody says.
pub fn read(words: &[Word]) -> Option<Chat> {
    if words.iter().any(|word| word.quoted) || words.len() > 9 {
        return None;
    }
    let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
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
    ("take sides in politics", &["vote", "election", "politics", "politician", "president"]),
    ("follow the news", &["news", "headlines", "score", "match"]),
    ("translate", &["translate", "translation"]),
    ("cook", &["cook", "recipe", "recipes", "bake"]),
    ("set timers or alarms", &["timer", "alarm", "stopwatch", "wake"]),
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
        ["play", _, ..] => return Some("play music"),
        ["who", "is" | "was", "the", ..] | ["why", "is" | "are" | "do", ..] => {
            return Some("answer general questions");
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
        ];
        for (text, expected) in cases {
            assert_eq!(read(&words(text)), expected, "{text}");
        }
    }
}
