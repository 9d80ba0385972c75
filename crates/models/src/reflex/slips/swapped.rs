//! Letters that quick fingers swapped, left out or hit twice.

use brain::resolve::people::{People, known};
use brain::resolve::words::{Word, words};

use crate::reflex::vocabulary::{self, is_any};
use crate::reflex::{sentence, vocabulary::EMPTY};

/// What requests begin with. One wrong letter in it, and the rest is read as anything else.
const VERBS: &[&str] = &[
    "write",
    "send",
    "email",
    "reply",
    "schedule",
    "cancel",
    "remind",
    "remember",
    "forward",
    "delete",
    "invite",
    "draft",
    "forget",
    "reschedule",
    "respond",
    "answer",
    "book",
    "tell",
    "check",
    "show",
    "message",
];
/// What leads over to the words of a mail.
const LEADS_ON: &[&str] = &["asking", "saying", "whether", "telling"];
/// Words of their own that are one letter away from those.
const OTHERS: &[&str] = &[
    "white",
    "wrote",
    "writes",
    "writer",
    "sent",
    "sends",
    "end",
    "sand",
    "bend",
    "lend",
    "mend",
    "spend",
    "seed",
    "emails",
    "emailed",
    "replay",
    "rely",
    "apply",
    "replies",
    "reminds",
    "forwards",
    "deleted",
    "deletes",
    "invites",
    "invited",
    "crafts",
    "craft",
    "drift",
    "drafts",
    "forgot",
    "forge",
    "forgets",
    "responds",
    "responded",
    "answers",
    "answered",
    "boot",
    "look",
    "cook",
    "took",
    "hook",
    "books",
    "brook",
    "booked",
    "bell",
    "cell",
    "well",
    "sell",
    "fell",
    "hell",
    "tells",
    "till",
    "tall",
    "toll",
    "teal",
    "chuck",
    "cheek",
    "checks",
    "checked",
    "chick",
    "shop",
    "slow",
    "snow",
    "shot",
    "shown",
    "shows",
    "how",
    "who",
    "messages",
    "massage",
    "cancels",
    "canceled",
    "cancelled",
    "scheduled",
    "schedules",
    "remembers",
    "reminded",
    "weather",
    "rite",
    "bite",
    "site",
    "kite",
    "quite",
    "skype",
    "stow",
    "sew",
    "basking",
    "masking",
    "tasking",
    "taking",
    "paying",
    "laying",
    "staying",
    "swaying",
    "praying",
    "filling",
    "selling",
    "yelling",
    "rook",
    "nook",
    "mail",
    "male",
];

/// The sentence with letters put back that changed places ("wiht Tom") and with the verb
/// that was meant ("wite an email"). What is dictated behind a colon or quoted stays as it is.
pub fn swapped_back(sentence: &str, contacts: &People) -> Option<String> {
    let own = sentence.find([':', '"', '“']).unwrap_or(sentence.len());
    let mut fixed = sentence.to_owned();
    let said = words(&sentence[..own]);
    let request = sentence::without_lead(&said);
    let first = request.first().filter(|_| request.len() > 1).map(|first| first.start);
    let verb = request.first().map(|first| near(first, VERBS, contacts).unwrap_or(&first.text));
    let mails = verb.is_some_and(|verb| {
        is_any(verb, &["write", "send", "email", "reply", "message", "draft", "answer", "respond"])
    });
    // "Askng wether": the first of them leads on, and perhaps the one behind it.
    let lead = said.iter().position(|word| near(word, LEADS_ON, contacts).is_some());
    let leads =
        |at: usize| mails && at > 1 && lead.is_some_and(|lead| at == lead || at == lead + 1);
    for (at, word) in said.iter().enumerate().rev() {
        let meant = vocabulary::swapped(&word.text, contacts).or_else(|| {
            if Some(word.start) == first {
                return near(word, VERBS, contacts);
            }
            leads(at).then(|| near(word, LEADS_ON, contacts))?
        });
        if let Some(meant) = meant {
            fixed.replace_range(word.start..word.end, meant);
        }
    }
    (fixed != sentence).then_some(fixed)
}

/// The only one of these that is one slip away, where the word is none of its own.
fn near(word: &Word, meant: &[&'static str], contacts: &People) -> Option<&'static str> {
    let text = word.text.as_str();
    if word.quoted || text.len() < 3 || !text.is_ascii() || is_any(text, meant) {
        return None;
    }
    let mut found = meant.iter().filter(|other| is_one_slip(text, other));
    let only = found.next().copied().filter(|_| found.next().is_none())?;
    let own = [OTHERS, EMPTY, VERBS, LEADS_ON].iter().any(|words| is_any(text, words));
    (!own && known(text, contacts).is_empty()).then_some(only)
}

/// One letter left out, added, doubled or hit beside, or two that changed places. Of a short
/// word, another letter makes another word: there it has to have all its letters, or lack one.
fn is_one_slip(word: &str, meant: &str) -> bool {
    let (word, meant) = (word.as_bytes(), meant.as_bytes());
    let same = word.iter().zip(meant).take_while(|(one, other)| one == other).count();
    let (word, meant) = (&word[same..], &meant[same..]);
    // What begins otherwise is another word, unless the first two changed places.
    match (word, meant) {
        ([one, two, rest @ ..], [other, more, left @ ..]) if one == more && two == other => {
            rest == left
        }
        _ if same == 0 => false,
        (rest, [_, left @ ..]) if rest == left => true,
        ([_, rest @ ..], left) if rest == left => same + left.len() > 4,
        ([_, rest @ ..], [_, left @ ..]) if rest == left => same + left.len() >= 6,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    #[test]
    fn little_words_are_put_right_and_dictated_ones_are_not() {
        let world = corpus::world();
        let back = |sentence: &str| swapped_back(sentence, &world.contacts);
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(back("lunch wiht Tom adn Ana"), some("lunch with Tom and Ana"));
        assert_eq!(back("email Tom: teh lamp wiht the arm"), None);
        assert_eq!(back("lunch with Tom and Ana"), None);
    }

    #[test]
    fn a_verb_with_one_wrong_letter_is_the_verb() {
        let world = corpus::world();
        for (typed, meant) in [
            (
                "wite an emial to jonas askng wether it works",
                "write an email to jonas asking whether it works",
            ),
            ("sned tom a mail", "send tom a mail"),
            ("snd tom a mail", "send tom a mail"),
            ("emal tom that it works", "email tom that it works"),
            ("repy to ana that it works", "reply to ana that it works"),
            ("please cancle my lunch", "please cancel my lunch"),
            ("remnd me at 5 to call tom", "remind me at 5 to call tom"),
            ("forwrad it to tom", "forward it to tom"),
            ("tel tom that it works", "tell tom that it works"),
            ("bok lunch with tom at noon", "book lunch with tom at noon"),
        ] {
            assert_eq!(swapped_back(typed, &world.contacts).as_deref(), Some(meant), "{typed}");
        }
        for right in [
            "white wine for tom",
            "look at my mail",
            "who wrote",
            "how is tom",
            "sent mail from tom",
            "weather tomorrow",
            "tall tom wrote",
            "tell ana the saing is old",
            "lena is here",
        ] {
            assert_eq!(swapped_back(right, &world.contacts), None, "{right}");
        }
    }
}
