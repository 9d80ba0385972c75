//! "Get me and Ana together on Wednesday": a meeting that is called by its people.

use brain::resolve::words::Word;

use crate::World;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};

/// The same, asked for as a meeting. Nobody gets together inside a quotation.
pub fn gathered(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let at = (0..said.len()).find(|&at| is_start(said, at))?;
    let (names, end) = together(heard, said, at + 1, world)?;
    let (before, after) = (&heard[..said[at].start], &heard[said[end - 1].end..]);
    Some(format!("{before}schedule a meeting with {names}{after}"))
}

fn is_start(said: &[Word], at: usize) -> bool {
    let word = &said[at];
    let before = at.checked_sub(1).map(|before| &said[before]);
    let begins = before.is_none_or(|before| {
        before.stop.is_some() || is_any(&before.text, &["and", "then", "please", "also", "you"])
    });
    begins && !word.quoted && is_any(&word.text, &["get", "bring"])
}

/// Who comes together, and the place behind it: "me and Ana together", "Ana and
/// me together", "me together with Ana".
fn together(heard: &str, said: &[Word], at: usize, world: &World) -> Option<(String, usize)> {
    let is = |at: usize, text: &str| said.get(at).is_some_and(|word| word.is(text));
    let is_me = |at: usize| is(at, "me") || is(at, "us");
    let listed = |from: usize| {
        let (people, end) = whom::list(said, from, heard, world);
        let known = |whom: &Whom| !matches!(whom, Whom::Stranger(_));
        let reachable = !people.is_empty() && people.iter().all(known);
        reachable.then(|| (heard[said[from].start..said[end - 1].end].to_owned(), end))
    };
    if is_me(at) && is(at + 1, "together") && is(at + 2, "with") {
        return listed(at + 3);
    }
    let first = at + 2 * usize::from(is_me(at) && is(at + 1, "and"));
    let (names, mut end) = listed(first)?;
    if is(end, "and") && is_me(end + 1) {
        end += 2;
    }
    is(end, "together").then_some((names, end + 1))
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;
    use crate::corpus;

    fn meant(heard: &str) -> Option<String> {
        gathered(heard, &words(heard), &corpus::world())
    }

    #[test]
    fn people_who_get_together_have_a_meeting() {
        for (heard, expected) in [
            (
                "get me and Ana together on Friday at 1",
                "schedule a meeting with Ana on Friday at 1",
            ),
            ("get Tom, Ana and me together at 3", "schedule a meeting with Tom, Ana at 3"),
            ("get me together with Lena", "schedule a meeting with Lena"),
            (
                "tell tom i'm in and get me and ana together",
                "tell tom i'm in and schedule a meeting with ana",
            ),
        ] {
            assert_eq!(meant(heard).as_deref(), Some(expected), "{heard}");
        }
    }

    #[test]
    fn what_is_put_together_otherwise_is_left_alone() {
        for heard in
            ["get my things together", "tell tom to get ana and marcus together", "get it together"]
        {
            assert_eq!(meant(heard), None, "{heard}");
        }
    }
}
