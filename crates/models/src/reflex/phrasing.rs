//! Words on their way into a mail: the person's own, made sentences.
//!
//! A capital, a full stop, "I" for "i", and reported speech turned to the
//! one it is said to. Nothing is added that was not said.

mod clauses;
mod spelled;
mod whose;

pub use self::clauses::about_you;
use self::clauses::another_question;
pub use self::spelled::spelled;
pub use self::whose::{without_hello, without_that, your_own};
use brain::resolve::time::is_weekday;

use super::slips::HURRIED;
use super::vocabulary::is_any;

const ASKS: &[&str] = &[
    "can", "could", "would", "will", "should", "what", "when", "where", "who", "which", "how",
    "why", "is", "are", "do", "does", "did", "have", "has", "may", "shall", "was", "were",
];

/// Somebody else who could be "he" or "she".
const OTHERS: &[&str] = &[
    "boss",
    "brother",
    "sister",
    "doctor",
    "dad",
    "father",
    "mother",
    "son",
    "daughter",
    "husband",
    "wife",
    "friend",
    "client",
    "guy",
    "man",
    "woman",
    "plumber",
    "somebody",
    "someone",
    "manager",
    "colleague",
    "customer",
    "neighbor",
    "neighbour",
    "who",
];

/// The words as one sentence or several.
pub fn sentence(words: &str) -> String {
    let words = words.trim().trim_matches(['"', '“', '”', '«', '»']).trim();
    let words = words.trim_start_matches([',', ':', ';', '-']).trim();
    let text = capital(&spelled(&without_doubles(&without_fillers(words))));
    let ends = |c: char| matches!(c, '.' | '?' | '!' | '…' | ')' | ':' | '>') || is_drawn(c);
    if text.is_empty() || text.ends_with(ends) {
        return text;
    }
    let last = text.rsplit(['.', '?', '!']).next().unwrap_or(&text);
    let mut said = last.split_whitespace().map(str::to_lowercase);
    let (first, second) = (said.next().unwrap_or_default(), said.next().unwrap_or_default());
    // "Will do", "can do": somebody agrees.
    let agrees = is_any(&first, &["will", "can"]) && is_any(&second, AGREED);
    let mark = if is_any(&first, ASKS) && !agrees { '?' } else { '.' };
    format!("{}{mark}", text.trim_end_matches([',', ';']))
}

/// What one does oneself who says no "I".
const AGREED: &[&str] = &[
    "do", "be", "call", "come", "send", "check", "get", "try", "have", "let", "reply", "look",
    "bring", "make", "follow", "confirm",
];

/// Nobody writes "um". All else stays as it was said.
fn without_fillers(words: &str) -> String {
    let is_filler = |plain: &str| is_any(plain, &["um", "umm", "uh", "uhh", "uhm"]);
    let mut kept: Vec<String> = Vec::new();
    for word in words.split(' ') {
        let plain = word.trim_end_matches([',', '.', '!', '?', ';', '…']);
        if !is_filler(&plain.to_lowercase()) || words.contains(['"', '“']) {
            kept.push(word.to_owned());
        } else if let Some(before) = kept.last_mut() {
            let mark = &word[plain.len()..];
            if before.ends_with(',') {
                if is_hurried(before) {
                    before.pop();
                }
            } else if !mark.is_empty() && mark != "," && before.ends_with(char::is_alphanumeric) {
                before.push_str(mark);
            }
        }
    }
    kept.join(" ")
}

/// "Noon is is fine": nobody writes these twice. "That that" and "had had" may be meant.
fn without_doubles(words: &str) -> String {
    const SLIPS: &[&str] =
        &["is", "the", "a", "an", "at", "for", "of", "and", "i", "we", "my", "are", "with"];
    if words.contains(['"', '“']) {
        return words.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    for word in words.split(' ') {
        let again = kept.last().is_some_and(|last| last.eq_ignore_ascii_case(word));
        if !(again && is_any(&word.to_lowercase(), SLIPS)) {
            kept.push(word);
        }
    }
    kept.join(" ")
}

/// A comma behind these was only the pause: "I'm, um, late".
fn is_hurried(word: &str) -> bool {
    let plain = word.trim_end_matches(',').to_lowercase().replace('’', "'");
    is_any(plain.split('\'').next().unwrap_or(&plain), HURRIED)
}

/// Everything from the first of these words to the last, with the signs that
/// belong to them: "<b>", a bracket, an emoji. `from` is where the words before
/// it end. A full stop or a comma behind is not among them.
pub fn stretch(heard: &str, from: usize, first: usize, last: usize) -> &str {
    let signs = |c: char| matches!(c, '<' | '(' | '[' | '#' | '$' | '€' | '£' | '*') || is_drawn(c);
    let start = heard[from..first].find(signs).map_or(first, |at| from + at);
    let gap = heard[last..].find(char::is_alphanumeric).unwrap_or(heard.len() - last);
    let ends = |c: char| matches!(c, '?' | '!' | '”' | '"' | '>' | ')' | ']' | '*') || is_drawn(c);
    let tail = heard[last..last + gap].rfind(ends);
    let end = tail.map_or(last, |at| {
        let sign = heard[last + at..].chars().next().map_or(0, char::len_utf8);
        last + at + sign
    });
    heard[start..end].trim()
}

/// The text, if it is nothing but pictures: "👍".
pub fn pictures(text: &str) -> Option<&str> {
    let text = text.trim();
    let all = text.chars().all(|c| is_drawn(c) || c.is_whitespace());
    (all && !text.is_empty()).then_some(text)
}

/// A picture, or a part of one.
fn is_drawn(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '\u{fe0f}' | '\u{200d}')
}

/// "That he can come", said to him, is "you can come".
/// Not where somebody else must be meant: `is_them` knows how they are called.
pub fn to_you(words: &str, is_them: impl Fn(&str) -> bool) -> String {
    let words = words.trim();
    let Some((first, rest)) = words.split_once(' ') else { return words.to_owned() };
    let lower = first.to_lowercase().replace('’', "'");
    let object = match lower.split('\'').next().unwrap_or(&lower) {
        "he" | "hes" => "him",
        "she" => "her",
        _ => "them",
    };
    if !is_them(object) {
        return words.to_owned();
    }
    let singular = match lower.as_str() {
        "he" | "she" => true,
        "they" => false,
        "he's" | "she's" | "hes" => return format!("you're {rest}"),
        "they're" => return format!("you're {rest}"),
        "he'll" | "she'll" | "they'll" => return format!("you'll {rest}"),
        _ => return words.to_owned(),
    };
    let (verb, more) = rest.split_once(' ').unwrap_or((rest, ""));
    let verb = if singular { agreeing(verb) } else { verb.to_owned() };
    format!("you {verb} {more}").trim_end().to_owned()
}

/// "To check his mail", said to him, is "check your mail".
pub fn yours(order: &str) -> String {
    let tokens: Vec<&str> = order.split(' ').collect();
    let owns = |at: usize| match tokens[at].to_lowercase().as_str() {
        "his" | "their" => true,
        // "Call her tomorrow" is about somebody else.
        "her" => tokens.get(at + 1).is_some_and(|next| !is_behind_object(next)),
        _ => false,
    };
    let yours = |at: usize| if owns(at) { "your" } else { tokens[at] };
    (0..tokens.len()).map(yours).collect::<Vec<_>>().join(" ")
}

/// "Dinner's at 7 and he should bring his skates", said to him. Only what somebody
/// is told to do, and only where nobody else can be meant.
pub fn ordered_of_you(words: &str, is_them: impl Fn(&str) -> bool) -> String {
    let lower = words.to_lowercase();
    let found = [("he", "him"), ("she", "her")].iter().find_map(|(who, whom)| {
        let orders = ["should", "must", "needs to", "has to"];
        let at = orders.iter().find_map(|order| lower.find(&format!(" and {who} {order} ")))?;
        is_them(whom).then_some(at)
    });
    let Some(at) = found.filter(|_| lower.len() == words.len()) else { return words.to_owned() };
    if lower[..at].split(' ').any(|word| is_any(word, OTHERS) || matches!(word, "he" | "she")) {
        return words.to_owned();
    }
    let (before, clause) = words.split_at(at + " and ".len());
    format!("{before}{}", yours(&to_you(clause, |_| true)))
}

/// "I said hi": what is passed on is the greeting itself.
pub fn greeting(words: &str) -> Option<&str> {
    const GREETINGS: &[&str] = &[
        "hi",
        "hello",
        "hey",
        "happy",
        "thanks",
        "thank",
        "good",
        "sorry",
        "congratulations",
        "congrats",
        "bye",
        "goodbye",
        "merry",
        "get",
    ];
    let lower = words.to_lowercase();
    let rest = lower.strip_prefix("i said ").or_else(|| lower.strip_prefix("i say "))?;
    let first = rest.split([' ', '!', '.', ',']).next()?;
    let wishes = first != "get" || rest.starts_with("get well");
    // "I say hi too" is said beside somebody else's.
    let wishes = wishes && !rest.trim_end_matches(['.', '!']).ends_with(" too");
    (is_any(first, GREETINGS) && wishes).then(|| words[words.len() - rest.len()..].trim())
}

/// "I'll call him tomorrow", said to him, is "I'll call you tomorrow". It takes
/// somebody who speaks of themselves before it, and nobody else.
pub fn of_you(words: &str, is_them: impl Fn(&str) -> bool) -> String {
    // Whoever thanks somebody speaks of them.
    let mut mine = words.to_lowercase().starts_with("thank");
    let turned = words.split(' ').map(|token| {
        let plain = token.trim_end_matches([',', '.', '!', '?', ';', ':']);
        let lower = plain.to_lowercase().replace('’', "'");
        mine |= is_any(lower.split('\'').next().unwrap_or(&lower), &["i", "we", "im", "ill"]);
        mine &= !is_any(&lower, &["he", "she", "they", "who"]);
        let object = is_any(&lower, &["him", "her"]) && is_them(&lower);
        if mine && object { format!("you{}", &token[plain.len()..]) } else { token.to_owned() }
    });
    let turned: Vec<String> = turned.collect();
    let next = |at: usize| words.split(' ').nth(at + 1);
    // "Her" before a noun is whose: "I'll bring her laptop".
    let said: Vec<&str> = words.split(' ').collect();
    let whose = |at: usize| {
        said[at].eq_ignore_ascii_case("her") && next(at).is_some_and(|next| !is_behind_object(next))
    };
    let kept = |at: usize| if whose(at) { said[at].to_owned() } else { turned[at].clone() };
    (0..said.len()).map(kept).collect::<Vec<_>>().join(" ")
}

/// Does it stand behind "her" where that is not whose?
fn is_behind_object(word: &str) -> bool {
    is_any(word, AFTER_OBJECT) || is_weekday(word)
}

/// What stands behind "her" where it is not whose, beside the days of the week.
const AFTER_OBJECT: &[&str] = &[
    "a", "about", "after", "again", "and", "at", "back", "before", "by", "for", "if", "in",
    "later", "now", "on", "or", "please", "soon", "that", "the", "there", "to", "today",
    "tomorrow", "tonight", "when", "with",
];

/// "Needs" of him is "need" of you.
fn agreeing(verb: &str) -> String {
    let kept = match verb {
        "is" => "are",
        "was" => "were",
        "has" => "have",
        "does" => "do",
        "isn't" => "aren't",
        "wasn't" => "weren't",
        "hasn't" => "haven't",
        "doesn't" => "don't",
        "goes" => "go",
        "always" | "perhaps" | "sometimes" | "alas" => verb,
        _ => verb.strip_suffix('s').filter(|stem| !stem.ends_with('s')).unwrap_or(verb),
    };
    kept.to_owned()
}

/// "If he can come" asked of him is "can you come?"; what cannot be turned
/// is said to be wondered about.
pub fn asked(words: &str) -> String {
    const WONDERS: &str = "I wanted to ask ";
    let words = words.trim();
    if let Some((first, next)) = another_question(words) {
        let next = next.trim_end_matches(['?', '.', ' ']);
        let bare = next.split(' ').count() < 3;
        let (first, more) = (asked(first), asked(next));
        return match more.strip_prefix(WONDERS) {
            _ if bare => format!("{first} And {next}?"),
            Some(more) if first.starts_with(WONDERS) => {
                format!("{}, and {more}", first.trim_end_matches('.'))
            }
            _ => format!("{first} {}", capital(&more)),
        };
    }
    let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
    let lower = first.to_lowercase().replace('’', "'");
    match lower.as_str() {
        // "What's on tomorrow" is a question as it stands.
        "what's" | "when's" | "where's" | "who's" | "how's" => {
            format!("{}?", words.trim_end_matches(['?', '.']))
        }
        "if" | "whether" => match inverted(rest).or_else(|| whether_it_works(rest)) {
            Some(question) => format!("{question}?"),
            None => format!("I wanted to ask {first} {}.", to_you(rest, |_| true)),
        },
        "to" if !rest.is_empty() => format!("Can you {rest}?"),
        "what" | "when" | "where" | "how" | "who" | "which" | "why" => {
            let turned = (1..=3).find_map(|cut| {
                let places: Vec<_> = words.match_indices(' ').map(|(at, _)| at).collect();
                let at = *places.get(cut - 1)?;
                Some(format!("{} {}?", &words[..at], inverted(&words[at + 1..])?))
            });
            let wondered = || {
                if words.ends_with('?') {
                    return words.to_owned();
                }
                format!("I wanted to ask {}.", of_yours(words))
            };
            turned.unwrap_or_else(wondered)
        }
        "for" | "about" => format!("I wanted to ask {words}."),
        _ => words.to_owned(),
    }
}

/// "What shoes she'd take", asked of her.
fn of_yours(words: &str) -> String {
    let subjects = ["he", "she", "they", "he's", "she's", "they're", "he'll", "she'll", "they'll"];
    let at = words.match_indices(' ').map(|(at, _)| at + 1).find(|&at| {
        let token = words[at..].split(' ').next().unwrap_or("").replace('’', "'");
        is_any(&token, &subjects) || is_any(&token, &["he'd", "she'd", "they'd"])
    });
    let Some(at) = at else { return words.to_owned() };
    let (before, clause) = words.split_at(at);
    let (first, rest) = clause.split_once(' ').unwrap_or((clause, ""));
    if first.ends_with("'d") || first.ends_with("’d") {
        return format!("{before}you'd {rest}");
    }
    format!("{before}{}", to_you(clause, |_| true))
}

/// "Friday at two works" is "does Friday at two work".
fn whether_it_works(clause: &str) -> Option<String> {
    let clause = clause.trim_end_matches(['?', '.', ' ']);
    let (what, for_whom) = [" works", " suits"].iter().find_map(|verb| {
        let (what, rest) = clause.split_once(verb)?;
        let stem = verb.trim_end_matches('s');
        let yours = ["", " for you", " for him", " for her", " for them", " you", " him", " them"];
        let known = yours.contains(&rest);
        let whom = rest.replace("him", "you").replace("her", "you").replace("them", "you");
        known.then(|| (what, format!("{stem}{whom}")))
    })?;
    (what.split(' ').count() <= 6).then(|| format!("does {what}{for_whom}"))
}

/// "Seen the film": what somebody has done, and not what they are.
fn is_done(rest: &str) -> bool {
    const DONE: &[&str] = &[
        "seen", "been", "got", "done", "gone", "had", "taken", "made", "sent", "heard", "read",
        "found", "left", "met", "written", "finished", "received", "arrived", "paid", "booked",
    ];
    let first = rest.split(' ').next().unwrap_or(rest).trim_end_matches(['?', '.', ',']);
    is_any(first, DONE)
}

/// "he can come" is "can you come".
fn inverted(clause: &str) -> Option<String> {
    let (who, rest) = clause.split_once(' ')?;
    let opened = match who.to_lowercase().replace('’', "'").as_str() {
        "he's" | "she's" if is_done(rest) => Some("they have"),
        "they've" => Some("they have"),
        "he's" | "she's" | "they're" => Some("they are"),
        "he'll" | "she'll" | "they'll" => Some("they will"),
        "we're" => Some("we are"),
        "i'm" => Some("i am"),
        _ => None,
    };
    if let Some(opened) = opened {
        return inverted(&format!("{opened} {rest}"));
    }
    let who = match who.to_lowercase().as_str() {
        "he" | "she" | "they" => "you",
        "i" => "I",
        "we" => "we",
        _ => return None,
    };
    let (verb, more) = rest.split_once(' ').unwrap_or((rest, ""));
    let verb = match (verb, who) {
        ("can" | "could" | "will" | "would" | "should" | "may" | "are" | "have" | "were", _) => {
            verb
        }
        ("is", "you") => "are",
        ("was", "you") => "were",
        ("has", "you") => "have",
        ("am", "I") => "am",
        _ => return None,
    };
    Some(format!("{verb} {who} {more}").trim_end().trim_end_matches(['?', '.']).to_owned())
}

/// A first word that began a sentence, in the middle of one.
pub fn lower(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_lowercase);
    first.chain(chars).collect()
}

pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_sentences() {
        let cases = [
            ("thursday works", "Thursday works."),
            ("i'm running late", "I'm running late."),
            ("can you send three more", "Can you send three more?"),
            ("see you at 5!", "See you at 5!"),
            ("will do", "Will do."),
            ("will you be there", "Will you be there?"),
            ("\"see you\"", "See you."),
            ("ok, i think i'll come", "Ok, I think I'll come."),
            ("um i'm, uh, running late", "I'm running late."),
            ("i'm late, um, sorry um.", "I'm late, sorry."),
            ("hmm, i'm in the er room", "Hmm, I'm in the er room."),
            ("she said \"um\" a lot", "She said \"um\" a lot."),
            ("thursday at noon is is fine", "Thursday at noon is fine."),
            ("i know that that helps", "I know that that helps."),
        ];
        for (words, expected) in cases {
            assert_eq!(sentence(words), expected);
        }
    }

    #[test]
    fn reported_speech_is_turned_to_the_one_it_is_said_to() {
        let cases = [
            ("she can come", "you can come"),
            ("he should call me", "you should call me"),
            ("he needs to call me", "you need to call me"),
            ("she's right", "you're right"),
            ("they have time", "you have time"),
            ("I'll be there", "I'll be there"),
            ("the slides he made are fine", "the slides he made are fine"),
        ];
        for (words, expected) in cases {
            assert_eq!(to_you(words, |_| true), expected);
        }
    }

    #[test]
    fn an_order_behind_something_else_is_turned_where_nobody_else_can_be_meant() {
        let turned = |words: &str| ordered_of_you(words, |whom| whom == "him");
        assert_eq!(
            turned("dinner's at 7 and he should bring his own skates"),
            "dinner's at 7 and you should bring your own skates"
        );
        for kept in [
            "the plumber came and he should be paid",
            "dinner's at 7 and she should come",
            "my brother is ill and he needs to rest",
            "dinner's at 7 and he was late",
        ] {
            assert_eq!(turned(kept), kept);
        }
    }

    #[test]
    fn what_is_to_be_asked_becomes_a_question_where_it_can() {
        let cases = [
            ("if he can come on friday", "can you come on friday?"),
            ("whether she is free", "are you free?"),
            ("to call me", "Can you call me?"),
            ("if friday at 2 works", "does friday at 2 work?"),
            ("if noon works for him", "does noon work for you?"),
            ("whether she got the drawings", "I wanted to ask whether you got the drawings."),
            ("when he is free", "when are you free?"),
            ("what time she can start", "what time can you start?"),
            ("if the train is late", "I wanted to ask if the train is late."),
            ("where the keys are", "I wanted to ask where the keys are."),
        ];
        for (words, expected) in cases {
            assert_eq!(asked(words), expected);
        }
    }
}
