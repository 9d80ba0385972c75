//! What somebody takes back while they speak: "Thursday, no wait, Friday".
//!
//! The sentence is put together again as it was meant, and only then read. A
//! time takes the place of a time, a person of a person, a request of a
//! request. What fits none of these is left as it was said.

mod people;
mod withdrawn;

use brain::resolve::time::{self, Lean};
use brain::resolve::words::{Word, words};

use self::people::{another_person, not_that_one};
use self::withdrawn::{another_event, another_request, is_withdrawn, not_this_but, other_words};
use super::follow::is_of_the_clock;
use super::vocabulary::is_any;
use crate::World;

/// What comes before the better word.
const MARKS: &[&[&str]] = &[
    &["no", "wait", "sorry"],
    &["wait", "no", "sorry"],
    &["no", "wait"],
    &["oh", "wait"],
    &["wait", "no"],
    &["no", "sorry"],
    &["sorry", "no"],
    &["sorry", "i", "mean"],
    &["no", "i", "mean"],
    &["no", "i", "meant"],
    &["i", "mean"],
    &["i", "meant"],
    &["scratch", "that"],
    &["strike", "that"],
    &["or", "rather"],
    &["no", "actually"],
    &["actually", "no"],
    &["actually"],
    &["correction"],
    &["no"],
    &["sorry"],
    &["wait"],
];
/// Words of their own, unless they stand apart.
const WEAK: &[&str] = &["no", "sorry", "actually", "wait"];

/// The sentence as it was meant, if something in it was taken back.
pub fn repaired(heard: &str, said: &[Word], world: &World) -> Option<String> {
    if is_withdrawn(heard, said, world) {
        return Some("never mind".to_owned());
    }
    not_that_one(heard, said, world)
        .or_else(|| not_this_but(heard, said, world))
        .or_else(|| (1..said.len()).rev().find_map(|at| corrected(heard, said, at, world)))
}

/// The same, if a better word is announced at this place.
fn corrected(heard: &str, said: &[Word], at: usize, world: &World) -> Option<String> {
    let used = MARKS.iter().find(|mark| begins(&said[at..], mark))?.len();
    let rest = said.get(at + used..).filter(|rest| !rest.is_empty())?;
    // "No sorry, make that one": the "no" belongs to it.
    let longer = |from: usize| {
        MARKS.iter().any(|mark| from + mark.len() == at + used && begins(&said[from..], mark))
    };
    if (at.saturating_sub(2).max(1)..at).any(longer) {
        return None;
    }
    let before = &said[..at];
    // A bare "no" or "sorry" needs to stand apart: "say sorry Tom".
    let stands_apart = said[at - 1].stop.is_some();
    let is_weak = used == 1 && is_any(&said[at].text, WEAK);
    let makes = begins(rest, &["make", "it"]) || begins(rest, &["make", "that"]);
    if is_weak && !stands_apart && !makes {
        let hesitates = is_filled(heard, &said[at - 1], &said[at]);
        let again = || another_request(heard, before, rest, world);
        return beside_a_length(heard, before, rest)
            .or_else(|| beside_a_time(heard, before, rest, world))
            .or_else(|| again().filter(|_| said[at].is("actually") || hesitates));
    }
    // "Actually no, say Friday works"
    let says = rest[0].is("say") && (used > 1 || stands_apart);
    let better = rest.get(2 * usize::from(makes) + usize::from(says)..);
    let better = better.filter(|better| !better.is_empty())?;
    // "That Tuesday works, no wait, that Wednesday works".
    let that = usize::from(better.len() > 1 && better[0].is("that"));
    let is_strong = used > 1 && !is_any(&said[at].text, &["i", "or"]);
    another_length(heard, before, better)
        .or_else(|| {
            let meant = another_time(heard, before, &better[that..], makes, world);
            meant.filter(|_| !is_weak || goes_on_alike(before, better, world))
        })
        .or_else(|| another_person(heard, before, better, world))
        .or_else(|| another_number(heard, before, better))
        .or_else(|| another_thing(heard, before, better).filter(|_| used > 1))
        .or_else(|| another_event(heard, before, better, world).filter(|_| used > 1))
        .or_else(|| {
            another_request(heard, before, rest, world).filter(|_| stands_apart || is_strong)
        })
        .or_else(|| other_words(heard, before, better, world).filter(|_| says))
}

/// Nothing is said of the new time that was not said of the old one.
fn goes_on_alike(before: &[Word], better: &[Word], world: &World) -> bool {
    let now = world.local_now();
    let find = |words: &[Word]| time::find(words, &now, Lean::Ahead).map(|when| when.words);
    let (Some(old), Some(new)) = (find(before), find(better)) else { return true };
    let last = old.last().map_or(0, |last| last + 1);
    let used = run(&new).unwrap_or(0);
    let (tail, rest) = (&before[last..], &better[used..]);
    tail.is_empty() || rest.is_empty() || tail.iter().zip(rest).all(|(a, b)| a.text == b.text)
}

/// Something was hummed between them that is no word of the sentence.
fn is_filled(heard: &str, before: &Word, after: &Word) -> bool {
    heard.get(before.end..after.start).is_some_and(|gap| gap.contains(char::is_alphabetic))
}

/// "Monday wait Tuesday": a time right behind a time, and nothing said about it.
fn beside_a_time(heard: &str, before: &[Word], rest: &[Word], world: &World) -> Option<String> {
    let now = world.local_now();
    let find = |words: &[Word]| time::find(words, &now, Lean::Ahead).map(|when| when.words);
    let ends = find(before)?.last() == Some(&(before.len() - 1));
    let new = run(&find(rest)?)?;
    let goes_on = ["with", "about", "for", "in", "at", "on", "and", "then"];
    let closes = rest.get(new).is_none_or(|next| is_any(&next.text, &goes_on));
    another_time(heard, before, rest, false, world).filter(|_| ends && closes)
}

/// "An hour no two hours": a length right behind a length.
fn beside_a_length(heard: &str, before: &[Word], rest: &[Word]) -> Option<String> {
    let texts: Vec<&str> = before.iter().map(|word| word.text.as_str()).collect();
    let (_, places) = time::length(&texts)?;
    another_length(heard, before, rest).filter(|_| places.end == before.len())
}

/// "A 30 minute, no, 45 minute call"
fn another_length(heard: &str, before: &[Word], better: &[Word]) -> Option<String> {
    let texts =
        |words: &[Word]| -> Vec<String> { words.iter().map(|word| word.text.clone()).collect() };
    let length = |words: &[Word]| {
        let owned = texts(words);
        time::length(&owned.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let (_, new) = length(better).filter(|(_, places)| places.start == 0)?;
    let (_, old) = length(before)?;
    let rest = heard[better[new.end - 1].end..].to_owned();
    let parts = [
        text(heard, &before[..old.start]),
        text(heard, &better[..new.end]),
        text(heard, &before[old.end..]),
    ];
    Some(format!("{}{rest}", joined(&parts)))
}

/// "Ten minutes late, no wait, fifteen": a number alone, for the last one before it.
fn another_number(heard: &str, before: &[Word], better: &[Word]) -> Option<String> {
    let (new, old) = (
        number(better, 0)?,
        (0..before.len()).rev().find_map(|at| {
            let used = number(before, at)?;
            // "Twenty five" is found from its beginning.
            let within = at > 0 && number(before, at - 1).is_some_and(|more| more > used);
            (!within).then_some(at..at + used)
        })?,
    );
    let goes_on = ["and", "then", "please"];
    let closes = better[new - 1].stop.is_some()
        || better.get(new).is_none_or(|next| is_any(&next.text, &goes_on));
    let parts = [
        text(heard, &before[..old.start]),
        text(heard, &better[..new]),
        text(heard, &before[old.end..]),
    ];
    let rest = &heard[better[new - 1].end..];
    closes.then(|| format!("{}{rest}", joined(&parts)))
}

/// How many words a number takes that stands here.
fn number(words: &[Word], at: usize) -> Option<usize> {
    let texts: Vec<&str> = words[at..].iter().map(|word| word.text.as_str()).collect();
    let digits = |text: &&str| {
        text.starts_with(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    let counted = time::cardinal(&texts).map(|(_, used)| used);
    counted.or(texts.first().filter(|text| digits(text)).map(|_| 1)).filter(|_| !words[at].quoted)
}

/// "A room... I mean a meeting": one thing for another, right behind it.
fn another_thing(heard: &str, before: &[Word], better: &[Word]) -> Option<String> {
    const ARTICLES: &[&str] = &["a", "an", "the", "my", "our"];
    const LONGEST: usize = 4;
    let is_article = |word: &Word| is_any(&word.text, ARTICLES) && !word.quoted;
    better.first().filter(|first| is_article(first) && better.len() > 1)?;
    let from = before.len().saturating_sub(LONGEST);
    let at = from + before[from..].iter().rposition(is_article)?;
    let whole = at + 1 < before.len()
        && before[at..before.len() - 1].iter().all(|word| word.stop.is_none());
    let rest = &heard[better[0].start..];
    whole.then(|| joined(&[text(heard, &before[..at]), rest.to_owned()]))
}

fn begins(said: &[Word], mark: &[&str]) -> bool {
    said.len() >= mark.len()
        && said.iter().zip(mark).all(|(word, text)| word.is(text) && !word.quoted)
}

/// "Thursday, no wait, Friday at noon": what the new words name, the old ones
/// no longer do.
fn another_time(
    heard: &str,
    before: &[Word],
    better: &[Word],
    makes: bool,
    world: &World,
) -> Option<String> {
    let now = world.local_now();
    let find = |words: &[Word]| time::find(words, &now, Lean::Ahead).map(|when| when.words);
    // "Make it 4": an hour, where anything else would be odd.
    let at_hour = words(&format!("at {}", &heard[better[0].start..better[0].end]));
    let old = find(before)?;
    // "At 4, I mean 5": an hour behind an hour.
    let hour = better.len() == 1
        && time::cardinal(&[better[0].text.as_str()]).is_some()
        && old.last() == Some(&(before.len() - 1))
        && is_of_the_clock(&before[before.len() - 1].text);
    let bare = (makes || hour) && find(better).is_none_or(|places| places[0] != 0);
    // "4 on Wednesday", where nothing but an hour and a day would fit.
    let both = hour_and_day(heard, better, world).filter(|_| !bare);
    let new = match both {
        Some(used) => used,
        None if bare => find(&at_hour).map(|_| 1)?,
        None => run(&find(better)?)?,
    };
    let clock = |word: &Word| is_of_the_clock(&word.text);
    let names_hour = bare || both.is_some() || better[..new].iter().any(clock);
    let names_day = both.is_some() || !bare && !better[..new].iter().all(clock);
    let bare = bare || both.is_some();
    let gone: Vec<usize> = old
        .iter()
        .copied()
        .filter(|&at| if clock(&before[at]) { names_hour } else { names_day })
        .collect();
    let (&first, &last) = (gone.first()?, gone.last()?);
    // "Next Tuesday, no, Wednesday" stays in that week.
    let next = gone.windows(2).any(|pair| {
        before[pair[0]].is("next") && time::weekday_named(&before[pair[1]].text, true).is_some()
    });
    let keeps_week = next && time::weekday_named(&better[0].text, true).is_some();
    let lead = match bare {
        true => "at ",
        false if keeps_week => "next ",
        false => "",
    };
    let new_words = format!("{lead}{}", text(heard, &better[..new]));
    // "Thursday works, no wait, Friday works" is said again to its end.
    let tail: Vec<&str> = before[last + 1..].iter().map(|word| word.text.as_str()).collect();
    let again = better.len() >= new + tail.len()
        && tail.iter().zip(&better[new..]).all(|(old, new)| new.is(old));
    let kept = (first..=last).filter(|at| !gone.contains(at));
    let kept = kept.map(|at| text(heard, &before[at..=at])).collect::<Vec<_>>().join(" ");
    let end = heard[better[new - 1].end..].to_owned();
    // "Friday, same time": that is kept anyway.
    let same = [" same time", ", same time", " at the same time", " and the same time"];
    let end = match same.iter().find_map(|same| end.strip_prefix(same)) {
        Some(rest) if !names_hour => rest.to_owned(),
        _ => end,
    };
    let head = text(heard, &before[..first]);
    let tail = if again { String::new() } else { text(heard, &before[last + 1..]) };
    Some(format!("{}{end}", joined(&[head, kept, new_words, tail])))
}

/// How many words a bare hour and its day take: "4 on Wednesday".
fn hour_and_day(heard: &str, better: &[Word], world: &World) -> Option<usize> {
    let at_hour = words(&format!("at {}", &heard[better[0].start..better[better.len() - 1].end]));
    let when = time::find(&at_hour, &world.local_now(), Lean::Ahead)?;
    let used = run(&when.words)?;
    let named = time::cardinal(&[better[0].text.as_str()]).is_some()
        && at_hour[1..used].iter().any(|word| !is_of_the_clock(&word.text) && !word.is("on"));
    (named && used > 2).then_some(used - 1)
}

/// How many words from the first on say when.
fn run(places: &[usize]) -> Option<usize> {
    let used = places.iter().zip(0..).take_while(|(place, at)| *place == at).count();
    (used > 0).then_some(used)
}

fn joined(parts: &[String]) -> String {
    let parts: Vec<&str> =
        parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

/// As it was written, without the mark behind it.
fn text(heard: &str, words: &[Word]) -> String {
    match words {
        [first, .., last] => heard[first.start..last.end].to_owned(),
        [only] => heard[only.start..only.end].to_owned(),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    fn meant(heard: &str) -> String {
        let world = corpus::world();
        repaired(heard, &words(heard), &world).unwrap_or_else(|| "as it was".to_owned())
    }

    #[test]
    fn the_better_words_take_the_place_of_those_like_them() {
        let cases = [
            (
                "schedule lunch with Tom Thursday no wait Friday at noon",
                "schedule lunch with Tom Friday at noon",
            ),
            (
                "book a call with jonas tomorrow at 3, actually make it 4",
                "book a call with jonas tomorrow at 4",
            ),
            (
                "book a call with jonas tomorrow at 3, no wait, wednesday",
                "book a call with jonas wednesday at 3",
            ),
            (
                "reply to priya that thursday works, no wait, friday works",
                "reply to priya that friday works",
            ),
            ("tell ana the demo is thursday, i mean friday", "tell ana the demo is friday"),
            (
                "set up a meeting with tom, no sorry, with ana on friday at 2",
                "set up a meeting with ana on friday at 2",
            ),
            ("email tom, no sorry, email ana that i'm late", "email ana that i'm late"),
            (
                "what's on friday and email tom, scratch that, email ana that i'm late",
                "what's on friday and email ana that i'm late",
            ),
            (
                "book lunch with tom friday noon at the corner cafe no sorry make that one pm",
                "book lunch with tom friday one pm at the corner cafe",
            ),
            (
                "book a call with tom next tuesday at 10, no wait, wednesday",
                "book a call with tom next wednesday at 10",
            ),
            (
                "remind me at 9 to call the bank and to buy milk at 6 and text... no, email ana that i'm late",
                "remind me at 9 to call the bank and to buy milk at 6, and email ana that i'm late",
            ),
            ("mail from tom, sorry, ana", "mail from ana"),
            ("any mail from Priya, I mean from Jonas?", "any mail from Jonas?"),
            ("what do i have on monday wait tuesday", "what do i have tuesday"),
            (
                "put dinner with oskar on saturday at seven sorry at eight pm",
                "put dinner with oskar on saturday at eight pm",
            ),
            (
                "reply to priya that tuesday works no wait that wednesday works",
                "reply to priya that wednesday works",
            ),
            (
                "book a 30 minute, no, 45 minute call with ana on friday at 3",
                "book a 45 minute call with ana on friday at 3",
            ),
            ("reply to tom that i agree. not tom, ana.", "reply to ana that i agree"),
            (
                "add lunch with ana and tom on friday at noon no not tom just ana",
                "add lunch with ana on friday at noon",
            ),
            ("tell lena i'm in. scratch that, tell her i'm out", "tell Lena Fischer i'm out"),
            (
                "tell tom that i can't come actually tell him that i can",
                "tell Tom Okafor that i can",
            ),
            (
                "email tom that i'm running ten minutes late, no wait, fifteen",
                "email tom that i'm running fifteen minutes late",
            ),
            (
                "tell ana there are 12 of us, sorry, 14, and book lunch with tom friday at noon",
                "tell ana there are 14 of us, and book lunch with tom friday at noon",
            ),
            ("book ana at 2 tomorrow, scratch that, 4 on wednesday", "book ana at 4 on wednesday"),
            (
                "book a room... i mean a meeting with ana for thursday at 11",
                "book a meeting with ana for thursday at 11",
            ),
            (
                "book a call with lena tomorrow at 9, i mean a lunch",
                "book a lunch with lena tomorrow at 9",
            ),
            ("tell lena the code is 4512 no wait 4521", "tell lena the code is 4521"),
            ("email rafa that we're done forget it", "never mind"),
            ("email marcus that it is late - scratch that, never mind.", "never mind"),
        ];
        for (heard, expected) in cases {
            assert_eq!(meant(heard), expected, "{heard}");
        }
    }

    #[test]
    fn words_that_only_sound_like_it_are_left_alone() {
        for heard in [
            "tell tom no wait is needed",
            "tell tom i mean it",
            "reply that i meant no harm",
            "say sorry to tom",
            "tell ana i'm sorry, tom is ill",
            "tell tom \"no wait, friday\"",
            "is there actually a meeting on friday",
            "no",
            "email ana that there is no friday train",
            "tell Ana I can't make it, sorry, Tom is ill",
            "tell Jonas I liked the demo, actually Ana did too",
            "tell Priya Thursday is fine. Sorry, Friday is not",
            "tell Priya Thursday is fine, sorry, Friday is not",
            "tell tom to forget it",
            "tell tom never mind",
            "tell tom it's now or never mind",
            "tell tom i'm sorry tell ana i'm late",
            "tell ana it is not tom but lena",
            "tell ana the demo is friday actually monday is taken",
            "tell tom the code is 4512, sorry, 3 of us forgot it",
            "tell tom i have a plan, actually a good one",
        ] {
            assert_eq!(meant(heard), "as it was", "{heard}");
        }
    }
}
