//! The answer to a question we asked: "Priya Nair or Priya Shah?" – "Nair".

mod amended;
mod among;

use brain::resolve::people;
use brain::resolve::time::{self, Lean, cardinal, ordinal};
use brain::resolve::words::{Word, words};

use super::vocabulary::{EMPTY, is_any};
use super::{asked, chat, consent, described, left_open, merged, sentence, told};
use crate::focus::{Choice, Unclear};
use crate::gist::Chat;
use crate::{Understanding, World};

/// What the answer makes of the request that had to wait for it.
pub fn read(answer: &[Word], world: &World) -> Option<Understanding> {
    let (asked, set_aside) = (&world.focus.asked, &world.focus.set_aside);
    if asks_who_that_is(answer) {
        return None;
    }
    if let Some(amended) = amended(answer, world) {
        return Some(amended);
    }
    let found = if asked.is_empty() {
        by_name(answer, set_aside, world)
    } else {
        chosen(answer, asked, world)
    };
    Some(Understanding { answers: true, ..found? })
}

/// A yes to "Did you mean Omar?" with a change behind it: "yes, and make it one".
pub fn amended(answer: &[Word], world: &World) -> Option<Understanding> {
    let [only] = world.focus.asked.as_slice() else { return None };
    let afresh = World { focus: world.focus.answered(), ..world.clone() };
    let amended = amended::read(answer, only, &afresh)?;
    Some(Understanding { answers: true, ..amended })
}

/// "Who is Priya Shah?" asks about one of them and picks nobody.
fn asks_who_that_is(answer: &[Word]) -> bool {
    const ASKS: &[&str] = &["who", "what", "where", "when", "how", "why"];
    match sentence::bare(answer) {
        // "How about Nair" is an answer.
        [asks, next, ..] => is_any(&asks.text, ASKS) && !next.is("about"),
        _ => false,
    }
}

/// Long after the question only a name is an answer to it, in full or in part. A no
/// gives it up, and a yes picks nobody.
fn by_name(answer: &[Word], choices: &[Choice], world: &World) -> Option<Understanding> {
    if choices.len() > 1 && left_open::is_kept(choices, world) {
        match chat::read(answer) {
            Some(Chat::No | Chat::NeverMind) => return Some(told(Chat::NeverMind)),
            Some(Chat::Yes) => return Some(once_more(choices)),
            _ if begins_with_yes(answer, world) => return Some(once_more(choices)),
            _ => {}
        }
    }
    let texts: Vec<&str> = sentence::bare(answer).iter().map(|word| word.text.as_str()).collect();
    let counted = (0..texts.len()).any(|at| ordinal(&texts[at..]).is_some());
    let clear = to_question(answer, choices).filter(|_| !counted);
    let clear = clear.or_else(|| nicknamed(&texts, choices, world))?;
    let afresh = World { focus: world.focus.answered(), ..world.clone() };
    Some(super::read(clear, &afresh))
}

fn chosen(answer: &[Word], choices: &[Choice], world: &World) -> Option<Understanding> {
    let answer = without_talk(without_verb(answer));
    let texts: Vec<&str> = sentence::bare(answer).iter().map(|word| word.text.as_str()).collect();
    let afresh = World { focus: world.focus.answered(), ..world.clone() };
    let meant = |choice: &Choice| super::read(&choice.sentence, &afresh);
    match texts.as_slice() {
        ["both" | "all" | "either"] | ["both" | "all" | "either", "of", "them"] => {
            return Some(merged(choices.iter().map(meant).collect()));
        }
        ["neither" | "none"]
        | ["neither" | "none", "of", "them" | "these" | "those"]
        | ["neither", "one"] => {
            return Some(told(Chat::NeverMind));
        }
        _ => {}
    }
    match (by_number(&texts, choices), by_hour(&texts, choices)) {
        // "3", of 2 pm, 3 pm and 4 pm: the third, or the hour?
        (Some(nth), Some(hour)) if nth != hour => {
            let question = format!("{} or {}?", hour.name, nth.name);
            return Some(asked(question, vec![hour.clone(), nth.clone()]));
        }
        (Some(choice), _) => return Some(meant(choice)),
        (None, _) => {}
    }
    if let Some(Chat::No | Chat::NeverMind) = chat::read(answer) {
        return Some(told(Chat::NeverMind));
    }
    if is_yes(answer) {
        // A yes to "which one?" picks none of several.
        return Some(match choices {
            [only] => meant(only),
            _ => once_more(choices),
        });
    }
    if begins_with_yes(answer, &afresh) {
        return Some(match choices {
            [only] => meant(only),
            _ => once_more(choices),
        });
    }
    if is_several(choices) {
        return match narrowed(&texts, choices)?.as_slice() {
            [one] => Some(meant(one)),
            several => Some(asked(only_what_differs(several), several.to_vec())),
        };
    }
    if among::turns_down(answer, choices) {
        return Some(among::which(choices));
    }
    let nicknamed = nicknamed(&texts, choices, world);
    if let Some(clear) = to_question(answer, choices).or(nicknamed) {
        return Some(super::read(clear, &afresh));
    }
    if let Some(choice) = described::chosen(&texts, choices, world) {
        return Some(meant(choice));
    }
    if let Some(other) = somebody_else(&texts, choices, world) {
        return Some(super::read(&other, &afresh));
    }
    if let Some(choice) = among::named(answer, choices) {
        return Some(meant(choice));
    }
    if narrowed(&texts, choices).is_none() && among::describes(answer) {
        return Some(among::which(choices));
    }
    // "Priya", of four, where two are called so.
    let several = narrowed(&texts, choices)?;
    let names: Vec<&str> = several.iter().map(|choice| choice.name.as_str()).collect();
    Some(asked(format!("{}?", names.join(" or ")), several))
}

/// "Book the first", "I'll take the second one": without the verb.
fn without_verb(answer: &[Word]) -> &[Word] {
    let texts: Vec<&str> = answer.iter().map(|word| word.text.as_str()).collect();
    let leads = [
        &["book"][..],
        &["take"],
        &["pick"],
        &["choose"],
        &["use"],
        &["go", "with"],
        &["make", "it"],
        &["i", "will", "take"],
    ];
    let rest = leads.iter().find_map(|lead| texts.strip_prefix(*lead)).unwrap_or(&texts);
    let bare = rest.strip_prefix(&["the"]).unwrap_or(rest);
    let counts = ordinal(bare).is_some_and(|(_, used)| used + 1 >= bare.len());
    if counts { &answer[texts.len() - rest.len()..] } else { answer }
}

/// "None of them, I meant Omar", "Ana of course": the name alone.
fn without_talk(answer: &[Word]) -> &[Word] {
    let texts: Vec<&str> = answer.iter().map(|word| word.text.as_str()).collect();
    let leads = [
        &["none", "of", "them"][..],
        &["none", "of", "these"],
        &["neither", "of", "them"],
        &["neither"],
        &["i", "meant"],
        &["i", "mean"],
        &["to"],
        &["no"],
    ];
    let mut rest = texts.as_slice();
    while let Some(more) = leads.iter().find_map(|lead| rest.strip_prefix(*lead))
        && !more.is_empty()
    {
        rest = more;
    }
    let start = texts.len() - rest.len();
    let end = rest.strip_suffix(&["of", "course"]).filter(|left| !left.is_empty());
    &answer[start..start + end.map_or(rest.len(), <[&str]>::len)]
}

/// "Who is “him”: Tom or Leo?" – "Omar": somebody else whom we know. Two of one
/// name ask for one of these two.
fn somebody_else(texts: &[&str], choices: &[Choice], world: &World) -> Option<String> {
    let [first, second, ..] = choices else { return None };
    let given = |choice: &Choice| choice.name.split(' ').next().unwrap_or("").to_lowercase();
    let namesakes = choices.iter().all(|choice| given(choice) == given(first));
    if first.about != Unclear::Recipient || namesakes {
        return None;
    }
    let found = people::known(&texts.join(" "), &world.contacts);
    let name = match found.as_slice() {
        [one] => one.contact.name.clone(),
        [_, ..] => texts.join(" "),
        [] => return None,
    };
    // Where the choices differ is where the name goes.
    first.sentence.match_indices(&first.name).find_map(|(at, old)| {
        let with = |name: &str| {
            format!("{}{name}{}", &first.sentence[..at], &first.sentence[at + old.len()..])
        };
        (with(&second.name) == second.sentence).then(|| with(&name))
    })
}

/// Each is a choice of several people at once: "Sam Delgado and Priya Nair".
fn is_several(choices: &[Choice]) -> bool {
    let both =
        |choice: &Choice| choice.about == Unclear::Recipient && choice.name.contains(" and ");
    choices.len() > 1 && choices.iter().all(both)
}

/// Those that have every name in them that was said. "The first" says none: of
/// which question?
fn narrowed(texts: &[&str], choices: &[Choice]) -> Option<Vec<Choice>> {
    let said: Vec<&str> = texts.iter().copied().filter(|text| *text != "and").collect();
    let names = |choice: &Choice| -> Vec<String> {
        words(&choice.name).into_iter().map(|word| word.text).collect()
    };
    let has = |choice: &Choice, text: &str| names(choice).iter().any(|name| name == text);
    let named = |text: &&str| choices.iter().any(|choice| has(choice, text));
    let is_answer = said.iter().all(|text| named(text) || is_any(text, EMPTY));
    let said: Vec<&str> = said.into_iter().filter(named).collect();
    let fits = |choice: &&Choice| said.iter().all(|text| has(choice, text));
    let left: Vec<Choice> = choices.iter().filter(fits).cloned().collect();
    (is_answer && !said.is_empty() && !left.is_empty() && left.len() < choices.len())
        .then_some(left)
}

/// "Priya Nair or Priya Shah?": who stands in all of them is not asked for.
fn only_what_differs(choices: &[Choice]) -> String {
    let parts: Vec<Vec<&str>> =
        choices.iter().map(|choice| choice.name.split(" and ").collect()).collect();
    let shared = |part: &&&str| !parts.iter().all(|others| others.contains(part));
    let names: Vec<String> = parts
        .iter()
        .map(|part| part.iter().filter(shared).copied().collect::<Vec<_>>().join(" and "))
        .collect();
    format!("{}?", names.join(" or "))
}

/// The one time of day that this digit could be.
fn by_hour<'a>(texts: &[&str], choices: &'a [Choice]) -> Option<&'a Choice> {
    let [digits] = texts else { return None };
    let is_then = |choice: &&Choice| {
        let clock = choice.name.rsplit(" at ").next().unwrap_or(&choice.name);
        choice.about == Unclear::Time && clock.split(' ').next() == Some(*digits)
    };
    let mut found = choices.iter().filter(is_then);
    found.next().filter(|_| found.next().is_none())
}

/// "2", "number two", "option 2". A bare "two" may be a time of day.
fn by_number<'a>(texts: &[&str], choices: &'a [Choice]) -> Option<&'a Choice> {
    let texts = texts.strip_prefix(&["the"]).unwrap_or(texts);
    let number = match texts {
        [digits] if digits.len() == 1 => digits.parse().ok()?,
        ["number" | "option" | "no" | "choice", rest @ ..] => {
            let (number, used) = cardinal(rest)?;
            usize::try_from(number).ok().filter(|_| used == rest.len())?
        }
        _ => return None,
    };
    choices.get(usize::checked_sub(number, 1)?)
}

fn is_yes(answer: &[Word]) -> bool {
    matches!(chat::read(answer), Some(Chat::Yes | Chat::Okay))
}

/// "Yes, senate", which was "yes, send it": a clear yes, and behind it a few words that are
/// no other answer and no request. It decides no card; that is asked next.
fn begins_with_yes(answer: &[Word], world: &World) -> bool {
    const LONGEST: usize = 4;
    let [yes, rest @ ..] = answer else { return false };
    let paused = yes.stop.is_some_and(|stop| stop != '?') && !yes.quoted;
    if !(paused && is_any(&yes.text, &["yes", "yeah", "yep", "yup"]) && rest.len() <= LONGEST) {
        return false;
    }
    let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let is_plain = |word: &Word| {
        !word.quoted
            && word.stop != Some('?')
            && !consent::is_doubt(&word.text)
            && people::known(&word.text, &world.contacts).is_empty()
    };
    let says_when = time::find(rest, &world.local_now(), Lean::Ahead).is_some();
    let read = super::read(&texts.join(" "), world);
    let asks = !read.proposal.steps.is_empty() || read.question.is_some();
    rest.iter().all(is_plain) && !consent::takes_back(&texts) && !says_when && !asks
}

/// The same question once more, for an answer that was none.
pub fn again(world: &World) -> Option<Understanding> {
    let focus = &world.focus;
    let is_new = !focus.asked.is_empty() && !focus.asked_again;
    is_new.then(|| once_more(&focus.asked))
}

/// The bare question: "Priya Nair or Priya Shah?"
pub fn question(choices: &[Choice]) -> String {
    let names: Vec<&str> = choices.iter().map(|choice| choice.name.as_str()).collect();
    match names.as_slice() {
        [only] => format!("Did you mean {only}?"),
        _ if is_several(choices) => "Which of them? Please say each by name.".to_owned(),
        _ => format!("{}?", names.join(" or ")),
    }
}

fn once_more(choices: &[Choice]) -> Understanding {
    let names: Vec<&str> = choices.iter().map(|choice| choice.name.as_str()).collect();
    let question = match names.as_slice() {
        [only] => format!("{only}, yes or no?"),
        _ if is_several(choices) => "Which of them? Please say each by name.".to_owned(),
        [others @ .., last] => format!("Which one, {} or {last}?", others.join(", ")),
        [] => String::new(),
    };
    asked(question, choices.to_vec())
}

/// "Pri", "my accountant": what only one of them is called.
fn nicknamed<'a>(texts: &[&str], choices: &'a [Choice], world: &World) -> Option<&'a str> {
    let found = people::known(&texts.join(" "), &world.contacts);
    let mut chosen = choices
        .iter()
        .filter(|choice| found.iter().any(|candidate| candidate.contact.name == choice.name));
    let one = chosen.next().filter(|_| chosen.next().is_none())?;
    Some(&one.sentence)
}

/// What would have been clear from the start, if this answers the question
/// and says nothing else.
fn to_question<'a>(answer: &[Word], choices: &'a [Choice]) -> Option<&'a str> {
    if choices.is_empty() || answer.is_empty() || answer.len() > 6 {
        return None;
    }
    let answer: Vec<&str> = sentence::bare(answer).iter().map(|word| word.text.as_str()).collect();
    let names: Vec<Vec<String>> = choices
        .iter()
        .map(|choice| words(&choice.told()).into_iter().map(|word| word.text).collect())
        .collect();
    let only = |text: &&str| {
        is_any(text, EMPTY)
            || ordinal(&[text]).is_some()
            || names.iter().flatten().any(|name| name == text)
    };
    if !answer.iter().all(only) {
        return None;
    }
    // A word that all names share picks none of them.
    let picks = |text: &&&str| {
        let mut who = (0..names.len()).filter(|&n| names[n].iter().any(|name| name == **text));
        who.next().filter(|_| who.next().is_none())
    };
    let by_name: Vec<usize> = answer.iter().filter_map(|text| picks(&text)).collect();
    let picked = match by_name.split_first() {
        Some((first, others)) => others.iter().all(|other| other == first).then_some(*first),
        None => (0..answer.len()).find_map(|at| {
            let (n, _) = ordinal(&answer[at..])?;
            usize::try_from(n).ok()?.checked_sub(1)
        }),
    };
    choices.get(picked?).map(|choice| choice.sentence.as_str())
}

#[cfg(test)]
mod tests {
    use crate::{corpus, reflex};

    #[test]
    fn somebody_else_than_those_who_were_listed_may_be_named() {
        for answer in
            ["Marcus", "none of them, I meant Marcus", "no, Marcus Bell", "marcus of course"]
        {
            let mut world = corpus::scenes().swap_remove(1);
            let asked = reflex::read("tell them thursday works and i'm glad", &world);
            assert!(asked.choices.len() > 1, "{asked:?}");
            assert!(asked.choices.iter().all(|choice| choice.name != "Marcus Bell"));
            world.focus.wait_for_answer(&asked);
            let read = reflex::read(answer, &world);
            let to = &read.proposal.steps[0].args["to"];
            assert_eq!(to[0], "marcus.bell@brightloom.example", "{answer}");
        }
    }

    #[test]
    fn a_clear_yes_answers_a_question_whatever_ears_made_of_the_rest() {
        let answered = |answer: &str| {
            let mut world = corpus::world();
            let asked = reflex::read("tell Markus Ball that I'm running late", &world);
            assert_eq!(asked.choices.len(), 1, "{asked:?}");
            world.focus.wait_for_answer(&asked);
            let read = reflex::read(answer, &world);
            let step = read.proposal.steps.first().filter(|_| read.answers);
            step.map(|step| step.args["to"][0].as_str().unwrap_or_default().to_owned())
        };
        let marcus = Some("marcus.bell@brightloom.example".to_owned());
        for answer in ["Yes.", "Yes, send it.", "Yes, senate.", "Yeah, sanded.", "Yes. Senate."] {
            assert_eq!(answered(answer), marcus, "{answer}");
        }
        for answer in [
            "Yes, but not him.",
            "Yes, no.",
            "Yes, Ana.",
            "Yes, on Friday?",
            "Senate.",
            "Yes, what's on Friday?",
        ] {
            assert_ne!(answered(answer), marcus, "{answer}");
        }
    }
}
