//! A plain yes, word for word.
//!
//! The lists here are all there is: what is not made up of them, in this order,
//! is no yes, however many of its words are. First what may come before (please,
//! great), then the yes or the order, then what may come behind (now, thanks).

/// More than this nobody needs for a yes.
const LONGEST: usize = 10;

/// May come first and decides nothing.
const BEFORE: &[&[&str]] = &[
    &["please"],
    &["ok"],
    &["okay"],
    &["alright"],
    &["all", "right"],
    &["right"],
    &["thanks"],
    &["thank", "you"],
    &["now"],
    &["sayso"],
    &["hey", "sayso"],
];

/// Praise may come first as well, but "great, sure" is not always meant: what
/// comes behind has to be an order or the word yes.
const PRAISE: &[&[&str]] = &[
    &["great"],
    &["perfect"],
    &["lovely"],
    &["nice"],
    &["cool"],
    &["awesome"],
    &["excellent"],
    &["wonderful"],
    &["good"],
    &["very", "good"],
    &["fine"],
    &["ready"],
    &["looks", "good"],
    &["looks", "good", "to", "me"],
    &["looks", "great"],
    &["looks", "fine"],
    &["looks", "perfect"],
    &["sounds", "good"],
    &["sounds", "great"],
    &["sounds", "fine"],
    &["sounds", "perfect"],
    &["it", "looks", "good"],
    &["it", "looks", "great"],
    &["that", "looks", "good"],
    &["that", "looks", "great"],
    &["that", "sounds", "good"],
    &["that", "sounds", "great"],
    &["that", "is", "good"],
    &["that", "is", "great"],
    &["that", "is", "perfect"],
];

/// Short answers. Two of them are impatience or irony: "yeah, sure".
const ANSWERS: &[&str] = &["yes", "yeah", "yah", "yep", "yup", "sure"];

/// Longer ones.
const AGREES: &[&[&str]] = &[
    &["confirm"],
    &["confirmed"],
    &["approve"],
    &["approved"],
    &["accept"],
    &["accepted"],
    &["absolutely"],
    &["certainly"],
    &["definitely"],
    &["of", "course"],
    &["sure", "thing"],
    &["good", "to", "go"],
    &["i", "confirm"],
    &["i", "approve"],
];

/// Orders that need no object.
const ORDERS: &[&[&str]] = &[
    &["go", "ahead"],
    &["go", "for", "it"],
    &["please", "do"],
    &["yes", "send"],
    &["yup", "send"],
    &["yep", "send"],
    &["yeah", "send"],
    &["ok", "send"],
    &["okay", "send"],
    &["ready", "send"],
    &["ok", "go"],
    &["okay", "go"],
    &["looks", "good", "go"],
    &["sounds", "good", "go"],
    &["perfect", "go"],
];

/// Leave to go on. Only before an order that says what is done: "you can do it"
/// is said to cheer somebody up, and "you can approve it" hands the yes back.
const PERMITS: &[&[&str]] = &[&["you", "can"], &["you", "may"]];
const PERMITTED: &[&str] = &["send", "book"];

/// What an order does with its object, and what may follow that object.
const VERBS: &[(&str, &[&str])] = &[
    ("send", &["off", "out", "away"]),
    ("book", &["in"]),
    ("confirm", &[]),
    ("approve", &[]),
    ("do", &[]),
    ("ship", &[]),
];

const OBJECTS: &[&[&str]] = &[&["it"], &["that"], &["this"]];

/// Not everything is done with these: "do the meeting" is another matter.
const THINGS: &[&str] =
    &["mail", "email", "reply", "message", "invite", "invitation", "meeting", "event"];

/// Only behind "yes", which they repeat.
const REPEATS: &[&[&str]] = &[
    &["yes"],
    &["i", "am", "sure"],
    &["that", "is", "right"],
    &["that", "is", "correct"],
    &["that", "is", "fine"],
    &["that", "is", "good"],
    &["that", "is", "great"],
    &["that", "is", "perfect"],
];

/// Behind a yes in so many letters, what was looked at. Behind "sure" it can be
/// irony, and alone it says nothing about sending: "looks good" is asked back.
const SEEN: &[&[&str]] = &[
    &["looks", "good"],
    &["looks", "good", "to", "me"],
    &["looks", "great"],
    &["looks", "fine"],
    &["looks", "right"],
    &["looks", "perfect"],
    &["it", "looks", "good"],
    &["it", "looks", "great"],
    &["it", "looks", "fine"],
    &["it", "looks", "right"],
    &["that", "looks", "good"],
    &["that", "looks", "great"],
    &["that", "looks", "fine"],
    &["that", "looks", "right"],
];

/// May come behind and changes nothing.
const AFTER: &[&[&str]] = &[
    &["please"],
    &["now"],
    &["right", "now"],
    &["right", "away"],
    &["thanks"],
    &["thanks", "a", "lot"],
    &["thank", "you"],
    &["thank", "you", "very", "much"],
    &["sayso"],
    &["sir"],
];

/// Said to a card and to nobody else, though they do not tell what is to happen.
const CONFIRMS: &[&str] = &["confirm", "confirmed", "approve", "approved", "accept", "accepted"];

/// A word of a yes that tells nothing of what it is a yes to.
pub fn only_agrees(text: &str) -> bool {
    let lists = [BEFORE, PRAISE, AGREES, OBJECTS, REPEATS, SEEN, AFTER];
    let mut phrases = lists.into_iter().flatten();
    ANSWERS.contains(&text)
        || !CONFIRMS.contains(&text) && phrases.any(|phrase| phrase.contains(&text))
}

/// Is it a yes from the first word to the last?
pub fn is_yes(texts: &[&str]) -> bool {
    texts.len() <= LONGEST && goes_on(texts, Reading::default())
}

/// What was found on the way through a sentence.
#[derive(Clone, Copy, Default)]
struct Reading<'a> {
    praised: bool,
    answer: Option<&'a str>,
    agreed: bool,
    ordered: bool,
}

impl Reading<'_> {
    fn has_begun(self) -> bool {
        self.answer.is_some() || self.agreed || self.ordered
    }

    fn decides(self) -> bool {
        let plainly = self.ordered || self.answer == Some("yes");
        plainly || !self.praised && self.has_begun()
    }
}

/// Does what is left, in any way of cutting it into phrases, end as a yes?
fn goes_on<'a>(rest: &'a [&'a str], so_far: Reading<'a>) -> bool {
    let Some(first) = rest.first() else { return so_far.decides() };
    let then = |used: usize, reading| goes_on(&rest[used..], reading);
    let begun = so_far.has_begun();
    let beside = if begun { AFTER } else { BEFORE };
    if lengths(rest, beside).any(|used| then(used, so_far)) {
        return true;
    }
    let praised = Reading { praised: true, ..so_far };
    if !begun && lengths(rest, PRAISE).any(|used| then(used, praised)) {
        return true;
    }
    let agreed = Reading { agreed: true, ..so_far };
    if lengths(rest, AGREES).any(|used| then(used, agreed)) {
        return true;
    }
    let ordered = Reading { ordered: true, ..so_far };
    // "And send it", "just send it".
    let joined = usize::from(*first == "just" || begun && *first == "and");
    if orders(&rest[joined..]).any(|used| then(joined + used, ordered)) {
        return true;
    }
    let answered = Reading { answer: Some(first), ..so_far };
    let repeats = if *first == "yes" { REPEATS } else { &[] };
    let seen = if *first == "sure" { &[] } else { SEEN };
    let behind = &rest[1..];
    let objects =
        lengths(behind, OBJECTS).chain(lengths(behind, repeats)).chain(lengths(behind, seen));
    !begun && ANSWERS.contains(first) && objects.chain([0]).any(|used| then(1 + used, answered))
}

/// "Go ahead", "send it off": how many words it can take.
fn orders<'a>(rest: &'a [&'a str]) -> impl Iterator<Item = usize> + 'a {
    lengths(rest, ORDERS).chain(with_object(rest)).chain(permitted(rest))
}

/// "You can send it", "you can go ahead".
fn permitted(rest: &[&str]) -> Option<usize> {
    let lead = lengths(rest, PERMITS).next()?;
    let order = &rest[lead..];
    let does = order.first().is_some_and(|verb| PERMITTED.contains(verb));
    let used = if does { with_object(order) } else { None };
    used.or_else(|| order.starts_with(&["go", "ahead"]).then_some(2)).map(|used| lead + used)
}

fn with_object(rest: &[&str]) -> Option<usize> {
    let (first, behind) = rest.split_first()?;
    let (verb, particles) = VERBS.iter().find(|(verb, _)| verb == first)?;
    let thing = match behind {
        ["the", thing, ..] if !matches!(*verb, "do" | "ship") => THINGS.contains(thing),
        _ => false,
    };
    let object = if thing { 2 } else { lengths(behind, OBJECTS).next()? };
    let particle = behind.get(object).is_some_and(|word| particles.contains(word));
    Some(1 + object + usize::from(particle))
}

/// How many words each phrase takes that stands here.
fn lengths<'a>(
    rest: &'a [&'a str],
    phrases: &'a [&'a [&'a str]],
) -> impl Iterator<Item = usize> + 'a {
    phrases.iter().filter(|phrase| rest.starts_with(phrase)).map(|phrase| phrase.len())
}

/// Every word of the lists. "Can", which is doubt anywhere else, is not among
/// them: it stands in `PERMITS` alone.
#[cfg(test)]
pub fn vocabulary() -> Vec<&'static str> {
    let lists = [BEFORE, PRAISE, AGREES, ORDERS, OBJECTS, REPEATS, SEEN, AFTER];
    let phrases = lists.into_iter().flatten().flat_map(|phrase| phrase.iter().copied());
    let verbs = VERBS
        .iter()
        .flat_map(|(verb, particles)| [*verb].into_iter().chain(particles.iter().copied()));
    let single = ANSWERS.iter().chain(THINGS).copied();
    phrases.chain(single).chain(verbs).chain(["and", "just", "the"]).collect()
}
