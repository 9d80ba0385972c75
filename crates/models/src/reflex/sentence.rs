//! Takes a sentence apart: politeness off, pasted text aside, one request a clause.

use brain::resolve::words::Word;

use super::vocabulary::{OPENERS, is_any};
use super::writes;

/// More words than anybody says in one breath.
const LONG: usize = 80;

/// Copied mail, a quoted thread, a wall of text: somebody else's words.
pub fn is_pasted(text: &str) -> bool {
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let header = |line: &&&str| {
        ["from:", "to:", "subject:", "date:", "cc:", "sent:"]
            .iter()
            .any(|start| line.to_lowercase().starts_with(start))
    };
    lines.iter().any(|line| line.starts_with('>'))
        || (lines.len() > 1 && lines.iter().any(|line| header(&line)))
        || lines.len() > 4
        || text.split_whitespace().count() > LONG
        || text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count()
            > 2 * LONG
}

/// Said before the request without being a part of it.
const BEFORE: &[&[&str]] = &[
    &["i", "was", "just", "wondering", "if"],
    &["i", "was", "wondering", "if"],
    &["i", "am", "wondering", "if"],
    &["would", "you", "mind"],
    &["do", "you", "mind"],
    &["could", "you", "possibly"],
    &["can", "you", "possibly"],
    &["can", "you", "to"],
    &["i", "would", "be", "grateful", "if", "you", "could"],
    &["i", "would", "be", "grateful", "if", "you", "would"],
    &["i", "would", "appreciate", "it", "if", "you", "could"],
    &["i", "would", "be", "grateful", "if", "you'd"],
    &["i", "would", "appreciate", "it", "if", "you'd"],
    &["it", "would", "be", "great", "if", "you'd"],
    &["it", "would", "be", "great", "if", "you", "could"],
    &["it", "would", "be", "nice", "if", "you", "could"],
    &["it", "would", "be", "lovely", "if", "you", "could"],
    &["would", "you", "be", "so", "kind", "as", "to"],
    &["would", "you", "be", "so", "kind", "to"],
    &["would", "you", "be", "kind", "enough", "to"],
    &["could", "you", "be", "so", "kind", "as", "to"],
    &["be", "so", "kind", "as", "to"],
    &["be", "so", "kind", "and"],
    &["be", "so", "good", "as", "to"],
    &["be", "so", "good", "and"],
    &["might", "you"],
    &["nah"],
    &["if", "it", "is", "not", "too", "much", "trouble"],
    &["if", "it", "is", "no", "trouble"],
    &["if", "it", "is", "not", "a", "problem"],
    &["if", "you", "do", "not", "mind"],
    &["if", "you", "would", "not", "mind"],
    &["if", "you", "could"],
    &["if", "you", "can"],
    &["if", "you", "would"],
    &["if", "possible"],
    &["when", "you", "get", "a", "chance"],
    &["when", "you", "have", "a", "moment"],
    &["when", "you", "have", "a", "minute"],
    &["when", "you", "can"],
    &["i", "should", "like", "you", "to"],
    &["i", "should", "like", "to"],
    &["i", "am", "going", "to", "need", "you", "to"],
    &["i", "was", "hoping", "you", "could"],
    &["i", "was", "hoping", "to"],
    &["need", "to"],
    &["first", "of", "all"],
    &["firstly"],
    &["secondly"],
    &["thirdly"],
    &["finally"],
    &["lastly"],
    &["after", "that"],
    &["while", "you", "are", "at", "it"],
    &["in", "addition"],
    &["need", "you", "to"],
    &["hiya"],
    &["quick", "question"],
    &["before", "i", "forget"],
    &["one", "more", "thing"],
    &["one", "last", "thing"],
    &["do", "me", "a", "favor", "and"],
    &["do", "me", "a", "favour", "and"],
    &["make", "sure", "to"],
    &["make", "sure", "you"],
    &["thank", "you", "very", "much"],
    &["thank", "you", "so", "much"],
    &["thanks", "a", "lot"],
    &["good", "morning", "dear"],
    &["good", "afternoon", "dear"],
    &["good", "evening", "dear"],
    &["hello", "dear"],
    &["hi", "dear"],
    &["please", "to"],
    &["would", "you", "please"],
    &["would", "you", "kindly"],
    &["kindly"],
    &["honestly"],
    &["anyway"],
    &["basically"],
    &["i", "would", "like", "you", "to"],
    &["i", "would", "like", "to", "know"],
    &["i", "would", "like", "to"],
    &["i", "need", "you", "to"],
    &["i", "want", "you", "to"],
    &["i", "need", "to", "know"],
    &["i", "want", "to", "know"],
    &["i", "need", "to"],
    &["i", "want", "to"],
    &["can", "you", "please"],
    &["could", "you", "please"],
    &["can", "you"],
    &["could", "you"],
    &["would", "you"],
    &["will", "you"],
    &["can", "we"],
    &["can", "i", "see"],
    &["do", "you", "know"],
    &["any", "idea"],
    &["let", "me", "know"],
    &["let", "me", "see"],
    &["let", "me"],
    &["tell", "me"],
    &["go", "ahead", "and"],
    &["help", "me"],
    &["good", "morning"],
    &["good", "afternoon"],
    &["good", "evening"],
    &["hey", "there"],
    &["excuse", "me"],
    &["hold", "on"],
    &["hang", "on"],
    &["wait"],
    &["oh", "and"],
    &["by", "the", "way"],
    &["hey"],
    &["hi"],
    &["hello"],
    &["yo"],
    &["sayso"],
    &["please"],
    &["um"],
    &["uh"],
    &["er"],
    &["erm"],
    &["so"],
    &["well"],
    &["ok"],
    &["okay"],
    &["oh"],
    &["yeah"],
    &["and"],
    &["also"],
    &["then"],
    &["plus"],
    &["just"],
    &["only"],
    &["like"],
    &["quickly"],
    &["actually"],
    &["lets"],
    &["but"],
    &["alright"],
    &["now"],
    &["thanks"],
    &["thank", "you"],
];

const AFTER: &[&[&str]] = &[
    &["my", "dear"],
    &["dear"],
    &["anyway"],
    &["thank", "you"],
    &["for", "me"],
    &["if", "you", "can"],
    &["if", "possible"],
    &["thanks"],
    &["please"],
    &["sayso"],
    &["again"],
    &["then"],
    &["though"],
    &["ok"],
    &["okay"],
    &["right"],
];

/// "If Tom wrote, …": what follows hangs on it.
pub fn is_condition(words: &[Word]) -> bool {
    const STARTS: &[&[&str]] = &[
        &["if"],
        &["in", "case"],
        &["unless"],
        &["as", "soon", "as"],
        &["once"],
        &["whenever"],
        &["should"],
        &["provided"],
        &["assuming"],
    ];
    const ASKS: &[&str] = &[
        "is", "are", "am", "was", "were", "do", "does", "did", "will", "can", "could", "should",
        "would", "shall", "might", "exactly", "have", "has",
    ];
    if is_only_lead(words) {
        return false;
    }
    let words = without_lead(words);
    // "When is lunch" asks; "when Tom writes" waits.
    let waits = behind(words, &["when"]).is_some_and(|rest| !is_any(&rest[0].text, ASKS));
    waits || STARTS.iter().any(|start| behind(words, start).is_some())
}

/// "…, and if there is, forward it": a clause of its own.
pub fn hangs(words: &[Word]) -> bool {
    let first = words.iter().find(|word| !is_any(&word.text, &["and", "then", "also"]));
    words.len() > 3 && first.is_some_and(|first| is_any(&first.text, &["if", "unless"]))
}

/// The last sentence of these words, where several stand together.
pub fn latest(words: &[Word]) -> &[Word] {
    let ends = |word: &Word| matches!(word.stop, Some('.' | '?' | '!'));
    let before = &words[..words.len().saturating_sub(1)];
    before.iter().rposition(ends).map_or(words, |stop| &words[stop + 1..])
}

/// Without "hey sayso" and "um" before it; "could you" stays.
pub fn without_greeting(words: &[Word]) -> &[Word] {
    const GREETINGS: &[&[&str]] = &[
        &["hey", "sayso"],
        &["hey"],
        &["hi"],
        &["hello"],
        &["sayso"],
        &["um"],
        &["uh"],
        &["so"],
        &["well"],
        &["ok"],
        &["okay"],
        &["oh"],
        &["and"],
    ];
    let mut words = words;
    while let Some(rest) = GREETINGS.iter().find_map(|lead| behind(words, lead)) {
        words = rest;
    }
    words
}

/// The request without "um, could you please" before it. Never empties it.
pub fn without_lead(words: &[Word]) -> &[Word] {
    let mut words = words;
    while let Some(rest) = BEFORE.iter().find_map(|lead| behind(words, lead)) {
        words = rest;
    }
    words
}

/// "… because the kids have a party": why it is asked is no part of it.
pub fn without_reason(words: &[Word]) -> &[Word] {
    let because = |word: &Word| is_any(&word.text, &["because", "cause", "cuz"]) && !word.quoted;
    match words.iter().position(because) {
        Some(at) if at > 1 => &words[..at],
        _ => words,
    }
}

/// Nothing but "would you also" and the like: the request is elsewhere.
pub fn is_only_lead(words: &[Word]) -> bool {
    let rest = without_lead(words);
    let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let calls = matches!(texts.as_slice(), ["quick" | "listen" | "look" | "question" | "dear"]);
    calls || BEFORE.iter().any(|lead| **lead == *texts)
}

/// The request without "um, could you please" and "thanks". Never empties it.
pub fn bare(words: &[Word]) -> &[Word] {
    let mut words = without_lead(words);
    // "Remind me what's on" asks; "remind me to call" wants a reminder.
    if let Some(rest) = behind(words, &["remind", "me"])
        && matches!(rest[0].text.as_str(), "what" | "when" | "who" | "where" | "how" | "which")
    {
        words = rest;
    }
    // "Tell me about the meeting with Ana" asks for the meeting.
    if let Some(rest @ [the, what, ..]) = behind(words, &["about"])
        && is_any(&the.text, &["the", "my"])
        && is_any(&what.text, &["meeting", "call", "event", "appointment"])
    {
        words = rest;
    }
    while let Some(rest) = AFTER.iter().find_map(|tail| in_front(words, tail)) {
        words = rest;
    }
    words
}

/// What follows these words.
pub fn behind<'a>(words: &'a [Word], lead: &[&str]) -> Option<&'a [Word]> {
    let (front, rest) = words.split_at_checked(lead.len())?;
    (!rest.is_empty() && same(front, lead)).then_some(rest)
}

fn in_front<'a>(words: &'a [Word], tail: &[&str]) -> Option<&'a [Word]> {
    let (front, rest) = words.split_at_checked(words.len().checked_sub(tail.len())?)?;
    (!front.is_empty() && same(rest, tail)).then_some(front)
}

fn same(words: &[Word], texts: &[&str]) -> bool {
    words.iter().zip(texts).all(|(word, text)| word.is(text) && !word.quoted)
}

/// One piece of a sentence and how it hangs on the one before.
#[derive(Debug)]
pub struct Segment<'a> {
    pub words: &'a [Word],
    /// It begins like a request of its own.
    pub opens: bool,
    /// A full stop or a question mark stands before it.
    pub apart: bool,
}

/// Cuts at "and", "then" and marks; `held` are places inside a time, which
/// are never cut ("between two and four").
pub fn segments<'a>(words: &'a [Word], held: &[usize]) -> Vec<Segment<'a>> {
    let mut found = Vec::new();
    let (mut start, mut apart) = (0, false);
    for at in 0..words.len() {
        let inside = held.contains(&at) && held.contains(&(at + 1)) || words[at].quoted;
        if inside {
            continue;
        }
        let link = matches!(words[at].text.as_str(), "and" | "then" | "plus") && at > start;
        if link {
            push(&mut found, &words[start..at], apart);
            (start, apart) = (at + 1, false);
        } else if let Some(stop) = words[at].stop.filter(|_| at + 1 < words.len()) {
            push(&mut found, &words[start..=at], apart);
            (start, apart) = (at + 1, stop != ',');
        }
    }
    push(&mut found, &words[start..], apart);
    found
}

fn push<'a>(into: &mut Vec<Segment<'a>>, words: &'a [Word], apart: bool) {
    if words.is_empty() {
        return;
    }
    let request = bare(words);
    let mine = matches!(request, [my, thing, ..]
        if my.is("my") && is_any(&thing.text, &["agenda", "calendar", "schedule", "day", "inbox"]));
    let opens = request.first().is_some_and(|first| is_any(&first.text, OPENERS))
        || mine
        || writes::read(request).is_some();
    into.push(Segment { words, opens, apart });
}
