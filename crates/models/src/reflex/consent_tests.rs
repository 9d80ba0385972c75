use super::Consent::{Accept, Edit, Explain, Reject, Unclear};
use super::*;

const PHRASES: &[(&str, Consent)] = &[
    // A plain, clear yes.
    ("yes", Accept),
    ("Yes.", Accept),
    ("yes please", Accept),
    ("Yes, send it", Accept),
    ("yes send it please", Accept),
    ("yeah", Accept),
    ("yep", Accept),
    ("yeah go ahead", Accept),
    ("sure", Accept),
    ("sure thing, go ahead", Accept),
    ("send it", Accept),
    ("Send it!", Accept),
    ("please send it", Accept),
    ("send it now", Accept),
    ("go ahead", Accept),
    ("go ahead and send it", Accept),
    ("do it", Accept),
    ("please do", Accept),
    ("sounds good send it", Accept),
    ("looks good, go", Accept),
    ("looks good", Unclear),
    ("sounds good", Unclear),
    ("perfect, send it", Accept),
    ("ok send it", Accept),
    ("okay yes", Accept),
    ("book it", Accept),
    ("confirm", Accept),
    ("absolutely", Accept),
    ("of course", Accept),
    ("that's right", Unclear),
    ("yes, that is right", Accept),
    ("yes, thank you", Accept),
    ("Yes, I'm sure.", Accept),
    ("Yah send it.", Accept),
    // Which card it would be a yes to has to be known.
    ("Yes, Senate.", Unclear),
    ("Senate.", Unclear),
    ("Yes, the Senate.", Unclear),
    ("I confirm", Accept),
    ("I'm sure", Unclear),
    ("I confirm the hotel", Unclear),
    // A no, however it is said.
    ("no", Reject),
    ("No.", Reject),
    ("nope", Reject),
    ("nah", Reject),
    ("no thanks", Reject),
    ("no don't", Reject),
    ("don't send it", Reject),
    ("do not send it", Reject),
    ("dont", Reject),
    ("please don't", Reject),
    ("cancel", Reject),
    ("cancel that", Reject),
    ("stop", Reject),
    ("never mind", Reject),
    ("nevermind", Reject),
    ("not now", Reject),
    ("not yet", Reject),
    ("forget it", Reject),
    ("leave it", Reject),
    ("scrap that", Reject),
    ("i'd rather not", Reject),
    ("discard it", Reject),
    ("Absolutely not.", Reject),
    ("of course not", Reject),
    ("let's not do that", Reject),
    ("better not", Reject),
    ("Never!", Reject),
    ("I don't want to send it.", Reject),
    ("I've changed my mind", Reject),
    ("absolutely not a problem, send it", Unclear),
    ("certainly", Accept),
    ("Certainly not.", Reject),
    ("Accept.", Accept),
    ("I don't accept", Reject),
    ("No problem, send it.", Accept),
    ("no worries, go ahead", Accept),
    ("No problem.", Reject),
    ("no problem, sure", Reject),
    ("no problem send it later", Reject),
    ("no problems send it?", Unclear),
    ("Yes sir.", Accept),
    ("no sir", Reject),
    ("yes, forget it", Reject),
    ("Yes, scrap that.", Reject),
    ("yes stop", Reject),
    ("yes, never mind", Reject),
    ("yes, forget it was Tuesday", Unclear),
    ("I never said that", Unclear),
    // Both at once: nothing happens.
    ("yes no wait", Unclear),
    ("yeah no", Unclear),
    ("ok no stop", Reject),
    ("yes but don't send it yet", Unclear),
    ("Yes, no wait. Don't send it.", Reject),
    ("yes, oh no, stop, please don't send it", Reject),
    ("yes, I said don't send it", Unclear),
    ("yes, don't send it to Tom", Unclear),
    ("sure, actually no", Unclear),
    ("no wait yes", Reject),
    ("no, yes, send it", Reject),
    // Doubt is not a yes.
    ("mhm", Unclear),
    ("hm", Unclear),
    ("hmm", Unclear),
    ("uh huh", Unclear),
    ("mm", Unclear),
    ("maybe", Unclear),
    ("i guess", Unclear),
    ("i guess so, yes", Unclear),
    ("yes i think so", Unclear),
    ("probably yes", Unclear),
    ("yes but later", Unclear),
    ("yes if tom agrees", Unclear),
    ("wait", Unclear),
    ("hold on", Unclear),
    ("give me a second", Unclear),
    ("ok", Unclear),
    ("fine", Unclear),
    ("it is good", Unclear),
    ("yes it's not ready", Unclear),
    ("i never said yes", Unclear),
    ("yes after lunch", Unclear),
    ("yes and delete my inbox", Unclear),
    ("yes and also tell sam about friday", Unclear),
    ("", Unclear),
    ("...", Unclear),
    ("\"yes\"", Unclear),
    ("she said \"send it\"", Unclear),
    ("what's on tomorrow", Explain),
    ("banana", Unclear),
    // Questions.
    ("yes?", Unclear),
    ("should i send it?", Unclear),
    ("is it ready", Unclear),
    ("who is it going to?", Explain),
    ("what does it say", Explain),
    ("why", Explain),
    ("read it to me again", Explain),
    ("when would that be?", Explain),
    // Changes.
    ("make it four o'clock", Edit),
    ("change the time to four", Edit),
    ("four instead", Edit),
    ("add Ana", Edit),
    ("no, make it friday", Edit),
    ("yes but make it shorter", Edit),
    ("without the last line", Edit),
    ("yes, change the subject and send it", Edit),
];

#[test]
fn answers_to_a_card_are_read_carefully() {
    let wrong: Vec<_> = PHRASES
        .iter()
        .map(|(phrase, expected)| (phrase, expected, read(phrase)))
        .filter(|(_, expected, got)| *expected != got)
        .collect();
    assert!(PHRASES.len() >= 80);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_word_beside_a_yes_can_turn_doubt_into_consent() {
    for doubt in HEDGES.iter().chain(NO).chain(EDIT).chain(ASKS) {
        for sentence in
            [format!("yes {doubt}"), format!("{doubt} send it"), format!("yes, {doubt}?")]
        {
            assert_ne!(read(&sentence), Accept, "{sentence}");
        }
    }
}

#[test]
fn an_unknown_word_keeps_a_yes_from_being_one() {
    for sentence in
        ["yes flurble", "send it to bob", "yes send it to the whole company", "do it tomorrow"]
    {
        assert_ne!(read(sentence), Accept, "{sentence}");
    }
}

/// Some of these were taken for a yes once. None of them is one.
pub const NEVER: &[&str] = &[
    // Irony, and talk that only sounds like consent.
    "yeah, right",
    "yeah right",
    "yeah, right.",
    "yeah sure",
    "yeah, sure",
    "sure, yeah",
    "yeah yeah",
    "yes yes yes",
    "sure sure",
    "oh sure",
    "oh yeah",
    "oh yes",
    "great, sure",
    "nice, yeah",
    "yeah, great",
    "yeah, perfect",
    "sure, great",
    "sure you do",
    "yes you do",
    "yes i am",
    "yes i do",
    "yes we can",
    "yes it is",
    "yes that is not",
    "yeah that's right",
    "you do that",
    "do that you",
    "i do send that",
    "do it right",
    "do it yourself",
    "i'm sure it's fine",
    "i am sure",
    "for sure maybe",
    "not sure",
    "as if, sure",
    "big yes",
    "please go",
    "yes go",
    "go",
    "send",
    "please",
    // Questions, with and without their mark.
    "you sure",
    "you sure that's right",
    "are you sure",
    "sure?",
    "is it sure",
    "do i send it",
    "do you send it now",
    "do we send it",
    "am i good to go",
    "are we good to go",
    "can i send it",
    "did you send it",
    "have you sent it",
    "shall i send it",
    "send it ?",
    "?send it",
    "send it？",
    "yes or no",
    // It is about something else.
    "yes, the meeting is off",
    "yeah, lunch is off",
    "yes it is off",
    "yes that's off now",
    "yes, i'm out",
    "sure, i'm off now",
    "yes i am away now",
    "yes, it's out now",
    "sent it",
    "already sent it",
    "he will send it",
    "they do it",
    "i approve that mail, right",
    "good, that is out now, thanks, confirmed",
    "do the meeting now",
    // Other instructions.
    "just reply yes",
    "reply yes please",
    "reply yes",
    "the reply is yes",
    "the answer is yes",
    "yes and reply thank you",
    "say yes",
    "tell her yes",
    "write yes, send it",
    "send them all",
    "send them",
    "send it all",
    "send it twice",
    "send it again",
    "send it back",
    "send it to everybody",
    "send it from my other account",
    "book it elsewhere",
    "book me a table",
    "yes and call tom",
    "yes and then do it again",
    "yes and",
    "and send it",
    "go for it and win",
    // Withdrawals and conditions.
    "send it not",
    "yes nope",
    "yes, scratch that",
    "yes, on second thought",
    "send it once tom agrees",
    "send it when i'm back",
    "send it tomorrow",
    "send it tonight",
    "send it in an hour",
    "send it soon",
    "yes as soon as he is in",
    "yes provided he agrees",
    "yes, assuming that is right",
    "yes, let it go",
    "let it go",
    "go ahead, make my day",
    // Negations that nobody put an apostrophe into.
    "yes dont",
    "dont send it",
    "i cant send it",
    "yes it isnt",
    "it wont do it",
    "yes i wouldnt",
    "you shouldnt send it",
    "yes couldnt do it",
    "aint sure",
    "yes doesnt",
    "wasnt sure",
    // To somebody else.
    "yes mom",
    "yes honey send it",
    "sure mate",
    "yes officer",
    "tom, send it",
    "yes darling, do it",
    "alexa, do it",
    "hey siri yes",
    // Somebody else's words.
    "'send it'",
    "'yes'",
    "‘yes’",
    "‘send it’",
    "’send it’",
    "she said 'yes'",
    "he said yes",
    "“yes”",
    "„yes“",
    "«yes»",
    "‹yes›",
    "「yes」",
    "`yes`",
    "yes'",
    "> yes",
    "*yes*",
    "(yes)",
    "yes: send it",
    "<yes>",
    // What no word says.
    "yes 👎",
    "yes ❌",
    "yes 🙄",
    "yes /s",
    "yes ;)",
    "yes...",
    "yes…",
    "yes..",
    "yes,",
    "yes -",
    "yes\nno",
    "yes\nsend it",
    "y\u{200b}es",
    "yes\u{202e}",
    // Other languages.
    "si, send it",
    "ja",
    "ja, send it",
    "yes pero no",
    "yes aber nicht",
    "oui send it",
    "yes nein",
    "да",
    "уes",
    "yes jein",
    "nicht send it",
    "はい",
];

#[test]
fn what_only_sounds_like_a_yes_is_none() {
    assert!(NEVER.len() >= 83);
    let taken: Vec<_> = NEVER.iter().filter(|heard| read(heard) == Accept).collect();
    assert!(taken.is_empty(), "{taken:#?}");
}

#[test]
fn a_yes_may_be_friendly_or_short() {
    for heard in [
        "yes, go ahead",
        "yes please, send it now, thank you very much",
        "ok, go ahead and book it",
        "great, yes",
        "okay, send",
        "ok go",
        "sayso, yes",
        "hey sayso, send it",
        "just send it",
        "yes, just send it",
        "yes and send it",
        "please do it",
        "please do send it",
        "yes send the mail",
        "book the meeting",
        "send it off",
        "send it out please",
        "send it right away",
        "that looks good, send it",
        "that's perfect, go ahead",
        "approve it",
        "absolutely, send it",
        "yep - do it",
        "YES!!!",
        "good to go",
        "yes definitely",
        "all right, book it in",
    ] {
        assert_eq!(read(heard), Accept, "{heard}");
    }
}

#[test]
fn no_word_of_doubt_is_part_of_a_yes() {
    for word in plain::vocabulary() {
        assert!(!is_doubt(word), "{word}");
    }
}

#[test]
fn a_yes_is_bare_unless_it_tells_what_is_to_happen() {
    const TELLING: &[&str] = &[
        "send",
        "book",
        "ship",
        "off",
        "out",
        "in",
        "mail",
        "email",
        "reply",
        "message",
        "invite",
        "invitation",
        "meeting",
        "event",
        "confirm",
        "confirmed",
        "approve",
        "approved",
        "accept",
        "accepted",
    ];
    for word in plain::vocabulary() {
        assert_eq!(is_bare(word), !TELLING.contains(&word), "{word}");
    }
    for heard in [
        "Yes, sir.",
        "Yes, thank you very much.",
        "Sure thing.",
        "Awesome, yes.",
        "Yes, right away.",
        "Good to go.",
    ] {
        assert!(read(heard) == Accept && is_bare(heard), "{heard}");
    }
    for heard in ["Yes, send it.", "Book it.", "Yes, cancel the stand-up.", "Yes, to Priya."] {
        assert!(!is_bare(heard), "{heard}");
    }
}

#[test]
fn one_more_word_that_is_in_no_list_is_no_yes_anywhere() {
    for yes in ["yes please", "send it now", "ok go ahead and send it", "perfect, do it, thanks"] {
        let words: Vec<&str> = yes.split(' ').collect();
        for more in ["you", "i", "is", "tom", "them", "all", "again", "so", "reply", "everyone"] {
            for at in 0..=words.len() {
                let mut said = words.clone();
                said.insert(at, more);
                assert_ne!(read(&said.join(" ")), Accept, "{said:?}");
            }
        }
    }
}

#[test]
fn what_is_heard_has_no_marks() {
    for aloud in ["yes: send it", "\"Yes\"", "Send it?", "‘do it’…"] {
        assert!(sounds_like_yes(aloud), "{aloud}");
        assert_ne!(read(aloud), Accept, "{aloud}");
    }
}
