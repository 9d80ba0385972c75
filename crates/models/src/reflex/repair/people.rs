//! One person instead of another: "with Tom, no sorry, with Ana".

use brain::resolve::words::Word;

use super::{joined, text};
use crate::World;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};

/// Somebody who can be reached stands here, in so many words.
fn somebody(words: &[Word], at: usize, heard: &str, world: &World) -> Option<(Whom, usize)> {
    whom::at(words, at, heard, world).filter(|(whom, _)| !matches!(whom, Whom::Stranger(_)))
}

/// "With Tom, no sorry, with Ana"
pub fn another_person(
    heard: &str,
    before: &[Word],
    better: &[Word],
    world: &World,
) -> Option<String> {
    let link = usize::from(is_any(&better[0].text, &["with", "to", "for", "from"]));
    let (_, used) = somebody(better, link, heard, world)?;
    // Only somebody who was named right before it is taken back: in "tell Ana I
    // can't come, sorry, Tom is ill" nobody is.
    // "With Tom on Friday, no sorry, with Ana": the same word stands before both.
    let (at, old) = (0..before.len()).rev().find_map(|at| {
        let (_, old) = somebody(before, at, heard, world)?;
        let again = link == 1 && at > 0 && before[at - 1].text == better[0].text;
        let ends = better[link + used - 1].stop.is_some() || link + used == better.len();
        (at + old == before.len() || again && ends).then_some((at, old))
    })?;
    let rest = heard[better[link + used - 1].end..].to_owned();
    let parts = [
        text(heard, &before[..at]),
        text(heard, &better[link..link + used]),
        text(heard, &before[at + old..]),
    ];
    Some(format!("{}{rest}", joined(&parts)))
}

/// Somebody else gets the same words: whoever a request, which starts at `from`,
/// named first gives way to `name`.
pub fn another_receiver(
    heard: &str,
    before: &[Word],
    from: usize,
    name: &[Word],
    world: &World,
) -> Option<String> {
    let (at, old) = (0..before.len())
        .filter(|&at| before[at].start >= from)
        .find_map(|at| Some((at, somebody(before, at, heard, world)?.1)))?;
    let parts = [text(heard, &before[..at]), text(heard, name), text(heard, &before[at + old..])];
    Some(joined(&parts))
}

/// "Not Tom, Ana" and "no not Tom just Ana", said last.
pub fn not_that_one(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let not = (1..said.len()).rev().find(|&at| said[at].is("not") && !said[at].quoted)?;
    let (wrong, used) = somebody(said, not + 1, heard, world)?;
    let links = ["but", "just", "only"];
    let mut at = not + 1 + used;
    while said.get(at).is_some_and(|word| is_any(&word.text, &links)) {
        at += 1;
    }
    let (right, more) = somebody(said, at, heard, world)?;
    let sorry = |word: &&Word| is_any(&word.text, &["no", "sorry", "wait", "actually"]);
    let no = said[..not].iter().rev().take_while(sorry).count();
    let before = &said[..not - no];
    let apart = no > 0 || before.last().is_some_and(|last| last.stop.is_some());
    // "… Oskar on Saturday": the sentence may go on behind the right one.
    let goes_on = ["on", "at", "for", "about", "that", "in", "tomorrow", "today", "saying"];
    let behind = said.get(at + more);
    if behind.is_some_and(|next| !is_any(&next.text, &goes_on)) || !apart {
        return None;
    }
    let rest = behind.map_or(String::new(), |next| heard[next.start..].to_owned());
    let place = |who: &Whom| {
        (0..before.len()).find_map(|at| {
            let (found, used) = somebody(before, at, heard, world)?;
            (found == *who).then_some(at..at + used)
        })
    };
    let gone = place(&wrong)?;
    if place(&right).is_none() {
        let name = text(heard, &said[at..at + more]);
        let (head, tail) = (&before[..gone.start], &before[gone.end..]);
        let parts = [text(heard, head), name, text(heard, tail), rest];
        return Some(joined(&parts));
    }
    // Both were named: only the wrong one goes, with the "and" that held them.
    let is_and = |at: usize| before.get(at).is_some_and(|word| word.is("and"));
    let start = gone.start - usize::from(gone.start > 0 && is_and(gone.start - 1));
    let end = gone.end + usize::from(start == gone.start && is_and(gone.end));
    Some(joined(&[text(heard, &before[..start]), text(heard, &before[end..]), rest]))
}
