//! What is told and asked without a word about memory: "I like window seats,
//! remember that", "what is Tom allergic to?", "no, my shoe size is 40".

use brain::facts::Memories;
use brain::resolve::words::{Word, words};
use serde_json::json;

use super::phrases::{KEEPS, NOT_FACTS, VERBS};
use super::{raw, says, step, think_back};
use crate::gist::{AboutMemories, Gist};
use crate::reflex::reply::put_right as put_right_in;
use crate::reflex::sentence::behind;
use crate::reflex::vocabulary::{CALENDAR, MAIL, is_any};
use crate::reflex::whom::{self, Whom};
use crate::reflex::{Lookup, Meaning, Part, booking, sentence, together, writes};
use crate::{Understanding, World};

/// As many as are looked through for an answer.
const MOST: u32 = 5;
/// More words are a story, and no question for us.
const LONGEST: usize = 10;

/// The sentence as one would ask us to keep it, if it wants that.
pub fn kept_plainly(heard: &str, said: &[Word], world: &World) -> Option<String> {
    said_first(heard, said)
        .or_else(|| one_by_one(heard, said, world))
        .or_else(|| put_right(heard, said, world))
}

/// "I like window seats, remember that"
fn said_first(heard: &str, said: &[Word]) -> Option<String> {
    const TAILS: &[&[&str]] = &[
        &["please", "remember", "that"],
        &["remember", "that"],
        &["remember", "this"],
        &["remember", "it"],
        &["keep", "that", "in", "mind"],
        &["make", "a", "note", "of", "that"],
        &["note", "that"],
        &["note", "it", "down"],
        &["do", "not", "forget", "that"],
        &["do", "not", "forget", "it"],
    ];
    let bare = match said {
        [rest @ .., last] if is_any(&last.text, &["please", "thanks"]) => rest,
        all => all,
    };
    let front = TAILS.iter().find_map(|tail| {
        let (front, end) = bare.split_at_checked(bare.len().checked_sub(tail.len())?)?;
        says(end, tail).then_some(front)
    })?;
    let front = match front {
        [rest @ .., last] if is_any(&last.text, &["please", "and", "so"]) => rest,
        all => all,
    };
    let fact = sentence::without_lead(front);
    let apart = fact.last()?.stop.is_some_and(|stop| stop != '?');
    (apart && is_statement(fact)).then(|| format!("remember that {}", raw(heard, fact)))
}

/// Somebody says how something is, and wants nothing done.
fn is_statement(fact: &[Word]) -> bool {
    let Some(first) = fact.first() else { return false };
    let asks = is_any(&first.text, &["do", "does", "did", "is", "are", "can", "will", "has"]);
    let one = fact[..fact.len() - 1].iter().all(|word| !matches!(word.stop, Some('.' | '?' | '!')));
    let tells = fact.len() > 2 && fact[1..].iter().any(|word| is_any(&word.text, VERBS));
    tells && one && !asks && !is_any(&first.text, NOT_FACTS) && writes::read(fact).is_none()
}

/// "Remember my locker is 12 and that Ana prefers calls": two notes.
fn one_by_one(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let request = sentence::without_lead(said);
    let rest = KEEPS.iter().find_map(|lead| behind(request, lead))?;
    let rest = behind(rest, &["that"]).unwrap_or(rest);
    let holds = |words: &[Word]| words.iter().any(|word| is_any(&word.text, VERBS));
    let at = (2..rest.len().saturating_sub(2)).find(|&at| {
        let that = usize::from(rest[at + 1].is("that"));
        let next = at + 1 + that;
        let named = || matches!(whom::at(rest, next, heard, world), Some((Whom::Known { .. }, _)));
        let owns = rest.get(next).is_some_and(|next| is_any(&next.text, &["my", "our"]));
        let begins = that == 1 || owns || named();
        rest[at].is("and")
            && !rest[at].quoted
            && begins
            && holds(&rest[..at])
            && holds(&rest[next..])
    })?;
    let that = usize::from(rest[at + 1].is("that"));
    let (head, tail) = (&heard[..rest[at - 1].end], &heard[rest.get(at + 1 + that)?.start..]);
    Some(format!("{head}, and remember that {tail}"))
}

/// "No, my shoe size is 40", "Dana's birthday is actually March 4": the note as it
/// should have been.
fn put_right(heard: &str, said: &[Word], world: &World) -> Option<String> {
    const NOES: &[&str] = &["no", "sorry", "wait", "actually", "oh", "correction", "nope"];
    let lead = said.iter().take_while(|word| is_any(&word.text, NOES) && !word.quoted).count();
    // "No, Thursday": of the one that was just noted.
    let noted = world.focus.noted.as_deref().unwrap_or_default();
    let value = said.get(lead..).filter(|value| lead > 0 && !value.is_empty());
    if let Some(right) = value.and_then(|value| put_right_in(value, noted)) {
        return Some(format!("remember that {right}{}", without(noted)));
    }
    let fact = said.get(lead..).filter(|fact| fact.len() > 2 && fact.len() <= LONGEST)?;
    let verb = fact.iter().position(|word| is_any(&word.text, &["is", "are", "was"]))?;
    let owned =
        fact[0].is("my") || fact[0].is("our") || fact[..verb].iter().any(|word| word.is("'s"));
    let actually = fact.get(verb + 1).is_some_and(|word| word.is("actually"));
    let asked = fact.last()?.stop == Some('?') || verb == 0;
    let noted = world.focus.noted.as_deref().map(words).unwrap_or_default();
    let same =
        verb > 1 && noted.len() > verb && (0..verb).all(|at| noted[at].text == fact[at].text);
    if asked || !is_statement(fact) || !(owned && actually || lead > 0 && same) {
        return None;
    }
    let (subject, rest) = (&fact[..=verb], &fact[verb + 1 + usize::from(actually)..]);
    let old = if same && lead > 0 { without(world.focus.noted.as_deref()?) } else { String::new() };
    (!rest.is_empty())
        .then(|| format!("remember that {} {}{old}", raw(heard, subject), raw(heard, rest)))
}

/// The old note goes with it; a longer one could have anything in it, and stays.
fn without(noted: &str) -> String {
    let said = words(noted);
    let links = |word: &Word| is_any(&word.text, &["and", "then", "also"]) || word.quoted;
    let plain =
        said.len() <= LONGEST && !said.iter().any(links) && !noted.contains([',', ':', ';']);
    if plain { format!(" and forget that {}", noted.trim_end_matches('.')) } else { String::new() }
}

/// "What is Tom allergic to?": where nothing else could tell, what was told to us is
/// looked through. Nothing is answered where none of it is about that.
pub fn recalled(heard: &str, said: &[Word], world: &World) -> Option<Understanding> {
    let request = sentence::bare(said);
    let telling = telling(request, heard, world)?;
    let context = raw(heard, request).trim_end_matches(['?', '.', '!', ' ']).to_owned();
    let span = said.first()?.start..said.last()?.end;
    let args = json!({ "context": context, "max_results": MOST });
    let Some(found) = world.focus.recalled.iter().find(|one| one.args == args) else {
        return Some(together(vec![Part { span, meaning: think_back(args) }], heard));
    };
    is_about(&found.found, &telling, world).then(|| {
        let about = AboutMemories { about: None, all: false };
        let lookup = Lookup {
            steps: vec![step("memory.retrieve", args)],
            gist: Gist::Memories(about),
            acknowledgement: "Let me think back.".to_owned(),
        };
        together(vec![Part { span, meaning: Meaning::Look(vec![lookup]) }], heard)
    })
}

/// "When is Dana's birthday?": the calendar may know, and what was told to us comes
/// before it.
pub fn known_first(heard: &str, said: &[Word], world: &World) -> Option<Understanding> {
    const DAYS: &[&str] = &["birthday", "anniversary", "nameday"];
    let request = sentence::bare(said);
    let asks = matches!(request, [when, is, ..]
        if is_any(&when.text, &["when", "what"]) && is_any(&is.text, &["is", "was"]));
    let is_day = request.last().is_some_and(|last| is_any(&last.text, DAYS));
    if request.len() > LONGEST || !(asks && is_day || is_where_mine_is(request)) {
        return None;
    }
    recalled(heard, said, world)
}

/// "Where is my parking spot", "where did I park": a thing of one's own. What is on a
/// calendar or in the mail is looked for there.
fn is_where_mine_is(request: &[Word]) -> bool {
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let elsewhere = |text: &&str| {
        is_any(text, CALENDAR)
            || is_any(text, MAIL)
            || booking::is_of_the_day(text)
            || is_any(text, &["next", "first", "flight", "train", "hotel", "booking", "order"])
            || text.starts_with(|c: char| c.is_ascii_digit())
    };
    let mine = match texts.as_slice() {
        ["where", "is" | "are" | "was" | "were", "my" | "our", _, ..] => true,
        ["where", "did" | "do", "i" | "we", verb, ..] => is_any(verb, LEAVES),
        ["where", "have", "i" | "we", verb, ..] => is_any(verb, LEFT),
        ["where", "am", "i", "parked", ..] => true,
        _ => false,
    };
    mine && !texts.iter().any(elsewhere)
}

/// What one does with a thing that one looks for later.
const LEAVES: &[&str] =
    &["park", "put", "leave", "keep", "store", "hide", "lock", "live", "sit", "save"];
const LEFT: &[&str] = &["parked", "put", "left", "kept", "stored", "hidden", "saved"];

/// The words of such a question that tell what it is about.
fn telling(request: &[Word], heard: &str, world: &World) -> Option<Vec<String>> {
    const ASKS: &[&str] =
        &["what", "who", "how", "when", "where", "which", "does", "do", "is", "am"];
    const OURS: &[&str] = &[
        "you", "your", "mail", "mails", "email", "emails", "calendar", "meeting", "meetings",
        "free", "busy", "wrote", "write", "written", "said", "say", "send", "sent", "today",
        "tomorrow",
    ];
    const MINE: &[&[&str]] = &[
        &["do", "i", "like"],
        &["do", "i", "prefer"],
        &["do", "i", "eat"],
        &["do", "i", "drink"],
        &["do", "i", "hate"],
        &["do", "i", "love"],
        &["am", "i", "allergic"],
        &["what", "am", "i", "allergic"],
        &["what", "do", "i", "like"],
        &["what", "do", "i", "prefer"],
    ];
    const WHOSE: &[&str] = &[
        "prefers", "likes", "hates", "loves", "lives", "speaks", "eats", "drinks", "needs", "owns",
        "plays",
    ];
    const SMALL: &[&str] = &[
        "to", "be", "the", "a", "an", "i", "my", "of", "for", "in", "at", "'s", "like", "are",
        "was",
    ];
    let first = request.first().filter(|first| is_any(&first.text, ASKS))?;
    let plain = !request.iter().any(|word| word.quoted || is_any(&word.text, OURS));
    // "What does it mean to reply to Tom" asks for nothing that was told.
    let writes = writes::is_within(request, heard, world);
    if !plain || writes || !(3..=LONGEST).contains(&request.len()) {
        return None;
    }
    let named = |at| matches!(whom::at(request, at, heard, world), Some((Whom::Known { .. }, _)));
    let who = first.is("who") && is_any(&request[1].text, WHOSE)
        || first.is("who") && request[1].is("is") && request[2].is("allergic");
    let about_me = is_where_mine_is(request)
        || MINE.iter().any(|lead| behind(request, lead).is_some())
        || request[2..].first().is_some_and(|word| word.is("my"));
    if !(who || about_me || (1..request.len()).any(named)) {
        return None;
    }
    let tells = |word: &&Word| !is_any(&word.text, ASKS) && !is_any(&word.text, SMALL);
    Some(request.iter().filter(tells).map(|word| word.text.clone()).collect())
}

/// Does the best of them have a word of the question, and speak of the same people?
fn is_about(found: &Memories, telling: &[String], world: &World) -> bool {
    let Some(first) = found.asked_for().first() else { return false };
    let told: Vec<String> = words(&first.text).into_iter().map(|word| word.text).collect();
    let is_name = |text: &&String| {
        let mut contacts = world.contacts.iter();
        contacts.any(|one| one.short().eq_ignore_ascii_case(text))
    };
    let alike = |text: &String| told.iter().any(|other| stem(other) == stem(text));
    telling.iter().any(alike) && telling.iter().filter(is_name).all(|name| told.contains(name))
}

/// "Parked" and "parking" are both about parking.
fn stem(text: &str) -> &str {
    const ENDS: &[&str] = &["ing", "ed", "es", "s", "e"];
    let cut = ENDS.iter().find_map(|end| text.strip_suffix(end).filter(|left| left.len() > 2));
    cut.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    fn meant(heard: &str) -> Option<String> {
        kept_plainly(heard, &words(heard), &corpus::world())
    }

    #[test]
    fn what_is_said_before_it_is_to_be_remembered_is_the_note() {
        for (heard, expected) in [
            ("I like window seats, remember that", "remember that I like window seats"),
            ("My locker is 12, please remember that.", "remember that My locker is 12"),
            (
                "remember my locker is 12 and that Ana prefers calls",
                "remember my locker is 12, and remember that Ana prefers calls",
            ),
            (
                "remember that Tom is vegan and Ana hates phones",
                "remember that Tom is vegan, and remember that Ana hates phones",
            ),
            ("Ana's birthday is actually March 4", "remember that Ana's birthday is March 4"),
        ] {
            assert_eq!(meant(heard).as_deref(), Some(expected), "{heard}");
        }
    }

    #[test]
    fn what_is_no_note_is_left_alone() {
        for heard in [
            "remember that",
            "do you remember that",
            "is Tom late, remember that?",
            "remember that Tom and Ana are vegan",
            "the meeting is actually at four",
            "no, it is fine",
            "tell Tom I'm late, remember that",
        ] {
            assert_eq!(meant(heard), None, "{heard}");
        }
    }

    #[test]
    fn a_no_behind_a_note_puts_it_right() {
        let mut world = corpus::world();
        world.focus.noted = Some("My shoe size is 39".to_owned());
        let heard = "No, my shoe size is 40";
        let meant = kept_plainly(heard, &words(heard), &world);
        assert_eq!(
            meant.as_deref(),
            Some("remember that my shoe size is 40 and forget that My shoe size is 39")
        );
        let meant = kept_plainly("no, 40", &words("no, 40"), &world);
        assert_eq!(
            meant.as_deref(),
            Some("remember that My shoe size is 40 and forget that My shoe size is 39")
        );
        world.focus.noted = Some("Tom is late, tell Ana".to_owned());
        assert_eq!(kept_plainly("no, 40", &words("no, 40"), &world), None);
    }
}
