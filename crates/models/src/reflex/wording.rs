//! How a mail is to be worded, said behind its words ("… but make it funny") or in their place
//! ("politely declining").
//!
//! The rules write down the person's own words and no others. Nothing of that is one of them: it
//! is taken out, and said to be left out. Whoever can word things reads the whole sentence.

mod manner;

use brain::resolve::words::Word;

use super::read;
use super::writes::{self, Kind};
use crate::gist::{Chat, Gist};
use crate::{Understanding, World, narrator};

/// How words can sound.
pub const TONES: [&str; 44] = [
    "funny",
    "funnier",
    "witty",
    "friendly",
    "friendlier",
    "formal",
    "informal",
    "casual",
    "polite",
    "politer",
    "short",
    "shorter",
    "brief",
    "briefer",
    "concise",
    "long",
    "longer",
    "warm",
    "warmer",
    "kind",
    "kinder",
    "nice",
    "nicer",
    "professional",
    "firm",
    "firmer",
    "gentle",
    "gentler",
    "soft",
    "softer",
    "light",
    "cheerful",
    "serious",
    "simple",
    "sweet",
    "personal",
    "apologetic",
    "enthusiastic",
    "diplomatic",
    "poetic",
    "rhyme",
    "fun",
    "snappy",
    "respectful",
];
/// What may stand beside one of them.
pub const BESIDE: [&str; 16] = [
    "a", "bit", "little", "more", "less", "very", "really", "quite", "super", "and", "but", "not",
    "too", "please", "as", "possible",
];
pub const LANGUAGES: [&str; 20] = [
    "english",
    "french",
    "german",
    "spanish",
    "italian",
    "portuguese",
    "dutch",
    "swedish",
    "danish",
    "norwegian",
    "finnish",
    "polish",
    "czech",
    "greek",
    "turkish",
    "russian",
    "japanese",
    "chinese",
    "hindi",
    "korean",
];
/// How something is put, in one word.
pub const MANNERS: [&str; 8] =
    ["politely", "nicely", "kindly", "formally", "briefly", "gently", "warmly", "professionally"];
/// What parts such an end from the words before it.
const LINKS: [&str; 6] = ["but", "and", "please", "just", "then", "also"];
/// So many words such an end has at most.
const LONGEST: usize = 10;
/// And so many stand before it at least: somebody, and something to say.
const SHORTEST_BEFORE: usize = 3;

/// The reading of a mail without how it is to be worded; none where nothing of that is said.
pub fn left_out(heard: &str, words: &[Word], world: &World) -> Option<Understanding> {
    described(heard, words, world).or_else(|| left_off(heard, words, world))
}

/// What it should be like, in the place of its words.
fn described(heard: &str, words: &[Word], world: &World) -> Option<Understanding> {
    let found = manner::found(heard, words, world)?;
    let (first, last) = (&words[found.start], &words[found.end - 1]);
    let said = &heard[first.start..last.end];
    let plain = format!("{}{}", heard[..first.start].trim_end(), &heard[last.end..]);
    Some(without(said, &plain, world))
}

/// What stands behind its words.
fn left_off(heard: &str, words: &[Word], world: &World) -> Option<Understanding> {
    let at = begins(words)?;
    let is_mail = |part: &writes::Part<'_>| part.kind == Kind::Mail;
    if !writes::parts(words, heard, world).iter().any(is_mail) {
        return None;
    }
    let links = words[..at].iter().rev().take_while(|word| LINKS.contains(&word.text.as_str()));
    let before = &words[..at - links.count()];
    let plain = &heard[..before.last()?.end];
    let said = heard[words[at].start..].trim_end_matches(['.', '!', ' ']);
    Some(without(said, plain, world))
}

/// The reading of what is left, and what is not in it.
fn without(said: &str, plain: &str, world: &World) -> Understanding {
    let chat = Chat::NoWording(said.to_owned());
    let mut read = read(plain, world);
    if let Some(question) = &mut read.question {
        *question = format!("{} {question}", narrator::chat::tell(&chat, world));
    }
    read.gist = match read.gist {
        Gist::Several(parts) => Gist::Several([parts, vec![Gist::Chat(chat)]].concat()),
        gist => Gist::Several(vec![gist, Gist::Chat(chat)]),
    };
    read
}

/// Where the end begins that says how it is to be worded.
fn begins(words: &[Word]) -> Option<usize> {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    // "Tell Tom to pick a topic and keep it short": that is Tom's to do.
    let orders = texts.iter().take(5).any(|text| *text == "to") && is_told(&texts);
    let first = words.len().saturating_sub(LONGEST).max(SHORTEST_BEFORE);
    (first..words.len()).find(|&at| {
        let (before, link) = (&words[at - 1], texts[at - 1]);
        let is_apart = before.stop.is_some() || LINKS.contains(&link);
        let is_quoted = words[at..].iter().any(|word| word.quoted);
        is_apart && !is_quoted && (!orders || link == "but") && is_wording(&texts[at..], before)
    })
}

/// Somebody is told or asked to do something.
fn is_told(texts: &[&str]) -> bool {
    texts.iter().take(3).any(|text| matches!(*text, "tell" | "ask" | "remind"))
}

fn is_wording(texts: &[&str], before: &Word) -> bool {
    match texts {
        ["make" | "keep" | "have" | "let", "it" | "this" | "that", rest @ ..] => match rest {
            ["sound", more @ ..] => !more.is_empty(),
            ["in", language] => LANGUAGES.contains(language),
            rest => {
                let is_known = |text: &&str| TONES.contains(text) || BESIDE.contains(text);
                rest.iter().all(is_known) && rest.iter().any(|text| TONES.contains(text))
            }
        },
        ["say" | "write" | "put" | "phrase" | "word" | "do", "it" | "this" | "that", rest @ ..] => {
            match rest {
                ["in", language] => LANGUAGES.contains(language),
                [manner] => MANNERS.contains(manner),
                _ => false,
            }
        }
        ["in", language] => before.stop.is_some() && LANGUAGES.contains(language),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body_of(said: &str) -> (Option<String>, bool) {
        let read = read(said, &crate::corpus::world());
        let body = read.proposal.steps.iter().find_map(|step| step.args["body"].as_str());
        let left_out = |gist: &Gist| matches!(gist, Gist::Chat(Chat::NoWording(_)));
        let parts = match &read.gist {
            Gist::Several(parts) => parts.clone(),
            gist => vec![gist.clone()],
        };
        (body.map(str::to_owned), parts.iter().any(left_out))
    }

    #[test]
    fn how_a_mail_is_to_be_worded_is_no_part_of_it() {
        for (said, body) in [
            ("draft a note to priya nair that i'm running late but make it funny", "late."),
            ("tell priya nair that thursday works and keep it polite", "Thursday works."),
            ("email tom that lunch is at noon, make it sound friendly", "Lunch is at noon."),
            ("Email Tom that lunch is at noon, in French", "Lunch is at noon."),
            ("email tom that the samples are late, but say it nicely", "The samples are late."),
            ("write to tom that the samples are late but make it a bit shorter", "are late."),
        ] {
            let (got, is_left_out) = body_of(said);
            let got = got.unwrap_or_default();
            assert!(got.contains(body) && is_left_out, "{said}: {got}");
            assert!(!got.contains(" it ") && !got.contains("rench"), "{said}: {got}");
        }
    }

    #[test]
    fn what_somebody_is_to_do_stays_in_the_mail() {
        for (said, body) in [
            ("tell tom to keep it short", "Please keep it short."),
            ("tell tom to pick a topic and keep it short", "keep it short"),
            ("tell tom the manual is in french", "The manual is in french."),
            ("tell tom that the soup is nice and make it thursday", ""),
        ] {
            let (got, is_left_out) = body_of(said);
            assert!(!is_left_out && got.unwrap_or_default().contains(body), "{said}");
        }
    }

    #[test]
    fn where_something_has_to_be_asked_first_it_is_said_with_it() {
        let said = "draft a note to dana that i'm running late but make it funny";
        let question = read(said, &crate::corpus::world()).question.unwrap_or_default();
        assert!(question.contains("“make it funny”") && question.ends_with('?'), "{question}");
    }
}
