//! What a mail should be like, said where its words would stand: "reply to Dana politely
//! declining", "tell Dana in a friendly tone that …".
//!
//! None of it is for whoever gets the mail. What people do dictate without a verb ("thanks a
//! lot", "Thursday at three") is no description, and neither is what stands behind a colon.

use std::ops::Range;

use brain::resolve::words::Word;

use super::{BESIDE, LANGUAGES, TONES};
use crate::World;
use crate::reflex::compose::{self, said};
use crate::reflex::sentence;
use crate::reflex::vocabulary::is_any;
use crate::reflex::writes::{self, Kind};

/// Nobody says how something is to be put behind so many words.
const LATEST: usize = 16;
/// "With a quick no and a joke about the weather": more is a text.
const LONGEST_THING: usize = 9;

/// How somebody puts something. "Definitely" and "unfortunately" are words of a mail.
const MANNERS: &[&str] = &[
    "politely",
    "nicely",
    "formally",
    "informally",
    "casually",
    "briefly",
    "gently",
    "warmly",
    "professionally",
    "firmly",
    "diplomatically",
    "tactfully",
    "gracefully",
    "graciously",
    "respectfully",
    "enthusiastically",
    "apologetically",
    "cheerfully",
    "sarcastically",
    "humorously",
    "playfully",
    "softly",
    "delicately",
    "discreetly",
    "courteously",
    "positively",
    "negatively",
    "vaguely",
    "evasively",
    "sympathetically",
    "empathetically",
    "supportively",
    "encouragingly",
    "assertively",
    "calmly",
    "concisely",
    "appropriately",
    "accordingly",
    "favourably",
    "favorably",
    "affirmatively",
    "noncommittally",
];
/// What is done with words, said of the mail as a whole.
const DOING: &[&str] = &[
    "declining",
    "accepting",
    "refusing",
    "rejecting",
    "thanking",
    "apologizing",
    "apologising",
    "explaining",
    "congratulating",
    "acknowledging",
    "reassuring",
    "disagreeing",
    "complaining",
    "justifying",
    "defending",
];
const DOES: &[&str] = &[
    "sounds",
    "reads",
    "feels",
    "seems",
    "makes",
    "buys",
    "keeps",
    "declines",
    "accepts",
    "refuses",
    "rejects",
    "thanks",
    "apologizes",
    "apologises",
    "explains",
    "asks",
    "answers",
    "confirms",
    "acknowledges",
    "addresses",
    "summarizes",
    "summarises",
    "congratulates",
    "reassures",
    "proposes",
    "suggests",
    "does",
    "is",
];
/// "That sounds good" is said to people.
const APPROVES: &[&str] =
    &["good", "great", "fine", "perfect", "right", "fair", "amazing", "lovely", "wonderful", "fun"];
/// What is to be done in the mail: "and answer her questions".
const DO: &[&str] = &[
    "answer",
    "explain",
    "decline",
    "accept",
    "refuse",
    "reject",
    "apologize",
    "apologise",
    "reassure",
    "congratulate",
    "address",
    "justify",
    "defend",
    "disagree",
    "summarize",
    "summarise",
];
const WAYS: &[&str] = &["way", "tone", "manner", "style", "voice", "fashion", "spirit"];
const FEELINGS: &[&str] = &[
    "enthusiasm",
    "excitement",
    "empathy",
    "sympathy",
    "kindness",
    "warmth",
    "humour",
    "humor",
    "gratitude",
    "regret",
    "confidence",
    "caution",
    "tact",
    "grace",
    "respect",
    "sarcasm",
    "irony",
    "joy",
    "delight",
    "compassion",
    "concern",
    "firmness",
    "authority",
    "honesty",
];
/// What a mail has besides its words, and what is said as it stands.
const AS_IT_STANDS: &[&str] = &[
    "subject",
    "cc",
    "bcc",
    "copy",
    "attachment",
    "attached",
    "link",
    "title",
    "thanks",
    "thank",
    "hello",
    "hi",
    "yes",
    "no",
    "ok",
    "okay",
    "i",
    "we",
    "is",
    "are",
];
const NOUNS: &[&str] =
    &["mail", "email", "message", "note", "line", "letter", "reply", "answer", "response", "draft"];

/// Where the mail that is asked for is described, and none of its words are told.
pub fn found(heard: &str, words: &[Word], world: &World) -> Option<Range<usize>> {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let own = words.iter().take_while(|word| !word.quoted).count();
    (1..own.min(LATEST)).find_map(|at| {
        let is_dictated = heard.get(..words[at].start).is_none_or(|before| before.contains(':'));
        let is_noun = texts[..at].iter().any(|text| is_any(text, NOUNS));
        // "The manual is in French" is told to Tom.
        let is_told = is_any(texts[at - 1], &["is", "are", "was", "were", "be"]);
        let length = described(&texts[at..own], is_noun).filter(|_| !is_dictated && !is_told)?;
        is_asked_without_words(heard, &words[..at], world).then_some(at..at + length)
    })
}

/// "Reply to Dana", "write Tom a mail": and nothing of what it says.
fn is_asked_without_words(heard: &str, words: &[Word], world: &World) -> bool {
    let parts = writes::parts(words, heard, world);
    let last = parts.last().filter(|part| part.kind == Kind::Mail);
    last.is_some_and(|part| compose::is_wordless(heard, sentence::bare(part.words), world))
}

/// How many of these words say what it should be like.
fn described(texts: &[&str], is_noun: bool) -> Option<usize> {
    let all = texts.len();
    // Behind it the words themselves are told: "politely that I can't come".
    let until_told = |at: usize| if tells(&texts[at..]) { at } else { all };
    match texts {
        ["in", language] | ["in", language, "that" | "saying", ..]
            if is_any(language, &LANGUAGES) =>
        {
            Some(2)
        }
        ["in", "a" | "an" | "my" | "the", rest @ ..] => {
            let way = rest.iter().take(5).position(|text| is_any(text, WAYS))?;
            let behind = way + 3;
            // "In a way that buys me two days": what the way does.
            let is_way = way == 0 && texts.get(behind) == Some(&"that");
            Some(if is_way { all } else { until_told(behind) })
        }
        ["with", "a" | "an" | "some", rest @ ..] => {
            let is_thing = !rest.is_empty()
                && rest.len() <= LONGEST_THING
                && !rest.iter().any(|text| is_any(text, AS_IT_STANDS));
            is_thing.then_some(all)
        }
        ["with", rest @ ..] => {
            let feels = |text: &&str| is_any(text, FEELINGS);
            let may_stand = |text: &&str| {
                feels(text)
                    || is_any(text, &BESIDE)
                    || is_any(text, &["great", "much", "some", "lots", "of", "genuine", "real"])
            };
            (rest.iter().any(feels) && rest.iter().all(may_stand)).then_some(all)
        }
        ["that" | "which", does, rest @ ..] if is_noun && is_any(does, DOES) => {
            let is_tone = |text: &&&str| is_any(text, &TONES) || is_any(text, &BESIDE);
            let approves = rest.first().is_some_and(|text| is_any(text, APPROVES));
            let is_toned = *does != "is" || rest.first().as_ref().is_some_and(is_tone);
            (!rest.is_empty() && !approves && is_toned).then_some(all)
        }
        ["and" | "then", does, _, ..] if is_any(does, DO) => Some(all),
        [doing, _, ..] if is_any(doing, DOING) => Some(all),
        ["declining" | "accepting" | "refusing" | "apologizing" | "apologising"] => Some(all),
        _ => {
            let manner = texts.iter().take_while(|text| is_manner(text)).count();
            let is_put = texts[..manner].iter().any(|text| is_any(text, MANNERS));
            // "As politely as possible"
            let possible = texts[manner..].first().is_some_and(|text| *text == "can");
            is_put.then(|| until_told(manner + usize::from(possible)))
        }
    }
}

fn is_manner(text: &str) -> bool {
    is_any(text, MANNERS) || is_any(text, &BESIDE) || text == "you"
}

/// The words themselves, or what leads them.
fn tells(texts: &[&str]) -> bool {
    let leads = ["that", "saying", "if", "whether", "to", "about"];
    texts.len() > 1 && (is_any(texts[0], &leads) || said::is_sentence(texts))
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;

    fn left_out(heard: &str) -> Option<String> {
        let words = words(heard);
        let found = found(heard, &words, &crate::corpus::world())?;
        Some(heard[words[found.start].start..words[found.end - 1].end].to_owned())
    }

    #[test]
    fn what_a_mail_should_be_like_is_told_from_its_words() {
        for (heard, described) in [
            ("reply to Priya Nair politely declining", "politely declining"),
            ("reply to Priya Nair declining", "declining"),
            (
                "answer Ana in a way that buys me two more days",
                "in a way that buys me two more days",
            ),
            ("reply to Priya Nair and answer her questions", "and answer her questions"),
            (
                "answer Ana professionally and ask what she means by risk",
                "professionally and ask what she means by risk",
            ),
            ("tell Ana in a friendly tone that the slide comes tomorrow", "in a friendly tone"),
            ("tell Ana politely that I can't come", "politely"),
            ("reply to Ana with an excuse", "with an excuse"),
            ("respond to Ana with enthusiasm", "with enthusiasm"),
            (
                "draft a reply to Ana that sounds less defensive than my last one",
                "that sounds less defensive than my last one",
            ),
            ("write Ana a mail that thanks her for the deck", "that thanks her for the deck"),
            ("reply to Tom thanking him for the tickets", "thanking him for the tickets"),
            ("reply to Ana as politely as possible", "as politely as possible"),
            ("reply to Ana in German that I agree", "in German"),
            ("answer Ferdinand in a way that buys me two days", "in a way that buys me two days"),
        ] {
            assert_eq!(left_out(heard).as_deref(), Some(described), "{heard}");
        }
    }

    #[test]
    fn what_people_dictate_without_a_verb_is_no_description() {
        for heard in [
            "reply to Ana: thanks",
            "reply to Ana: politely declining",
            "reply to Ana \"politely declining\"",
            "tell Tom yes",
            "reply to Ana with thanks a lot",
            "reply to Ana with a big thank you",
            "tell Tom Thursday at three",
            "answer Tom sounds good",
            "tell Ana that sounds good",
            "write Ana a mail that sounds good to me",
            "reply to Ana definitely",
            "tell Ana unfortunately I can't come",
            "reply to Ana kindly send the invoice",
            "tell Tom I want it done in a way that works for Ana",
            "tell Tom to reply politely",
            "email Tom and ask what he means by risk",
            "email Tom with a copy to Ana that lunch is at noon",
            "reply to Ana",
            "tell Ana in a week we know more",
        ] {
            assert_eq!(left_out(heard), None, "{heard}");
        }
    }
}
