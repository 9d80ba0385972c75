//! "Not Friday, Monday": something on a card gives way to something else.
//!
//! Who gives way to whom is read by `swapped`. Only what stands on the card, or is a time,
//! can give way; whatever else stands behind a "not" is left to the rules of a refusal.

use brain::card::{EmailPreview, EventPreview, MemoryPreview, Preview};
use brain::resolve::time::{self, Lean};
use brain::resolve::words::Word;
use serde_json::{Map, Value};

use super::change::{Change, Wish};
use super::{CardView, event, mail, text};
use crate::World;
use crate::reflex::consent::{self, Consent};
use crate::reflex::phrasing;
use crate::reflex::vocabulary::is_any;

/// The card with what is right on it. Somebody on it gives way only to somebody else
/// (`swapped`): other words for them would leave it going to them.
pub fn read(wish: &Wish<'_>, card: &CardView<'_>) -> Option<Change> {
    let pairs = pairs(wish);
    if let Some(name) = pairs.iter().find_map(|pair| named(pair, card.preview)) {
        let said = format!("I didn't get who should be there instead of {name}.");
        return Some(Change::missed(format!("{said} Say their name, or press edit.")));
    }
    pairs.into_iter().find_map(|pair| match card.preview {
        Preview::Email(email) => of_mail(wish, &pair, email),
        Preview::Event(event) => of_event(wish, &pair, event, card.payload),
        Preview::Memory(memory) => of_memory(wish, &pair, memory),
        Preview::Lines { .. } => None,
    })
}

/// What is wrong, and what is right instead.
struct Pair<'a> {
    wrong: &'a [Word],
    right: &'a [Word],
    /// Somebody paused between them, or said "but".
    is_parted: bool,
}

/// "Not Friday, Monday" and "Monday, not Friday", the likeliest first.
fn pairs<'a>(wish: &Wish<'a>) -> Vec<Pair<'a>> {
    let Some(not) = wish.words.iter().position(|word| word.is("not") && !word.quoted) else {
        return Vec::new();
    };
    let (front, behind) = (&wish.words[..not], &wish.words[not + 1..]);
    let mut pairs: Vec<Pair<'a>> = if not == 0 {
        (1..behind.len()).map(|at| parted(behind, at)).collect()
    } else {
        vec![Pair { wrong: behind, right: without_lead(front), is_parted: true }]
    };
    pairs.retain(|pair| can_be(pair.wrong) && can_come(pair.right));
    pairs.sort_by_key(|pair| !pair.is_parted);
    pairs
}

fn parted(words: &[Word], at: usize) -> Pair<'_> {
    let (wrong, right) = words.split_at(at);
    let but = right[0].is("but") && !right[0].quoted;
    let is_parted = but || wrong.last().is_some_and(|last| last.stop.is_some());
    Pair { wrong, right: without_lead(right), is_parted }
}

/// "Make it Monday", "I said Monday": Monday.
fn without_lead(words: &[Word]) -> &[Word] {
    const LEADS: &[&str] = &[
        "but", "rather", "just", "make", "it", "is", "should", "be", "i", "said", "meant", "mean",
        "say", "write",
    ];
    let little = |word: &&Word| !word.quoted && is_any(&word.text, LEADS);
    &words[words.iter().take_while(little).count()..]
}

/// "Not yet, …" and "not that, …" turn down all of it, and no word of it.
fn can_be(wrong: &[Word]) -> bool {
    const ALL_OF_IT: &[&str] = &["now", "yet", "sure", "it", "that", "this", "so", "really"];
    let texts: Vec<&str> = wrong.iter().map(|word| word.text.as_str()).collect();
    !texts.is_empty() && !texts.iter().all(|text| is_any(text, ALL_OF_IT))
}

/// An answer is no word for a card: "not Friday, no".
fn can_come(right: &[Word]) -> bool {
    let texts: Vec<&str> = right.iter().map(|word| word.text.as_str()).collect();
    let asks = right.last().is_none_or(|last| last.stop == Some('?'));
    let doubts = texts.iter().any(|text| consent::is_doubt(text) && *text != "second");
    !asks && !doubts && matches!(consent::read(&texts.join(" ")), Consent::Unclear)
}

/// Whoever on the card would give way; "not Priya Nair" names one and nobody instead.
fn named<'a>(pair: &Pair<'_>, preview: &'a Preview) -> Option<&'a str> {
    let says =
        |words: &[Word], name: &str| words.iter().any(|word| word.text.eq_ignore_ascii_case(name));
    let mut names = preview.recipients().filter_map(|one| one.name.as_deref());
    names.find_map(|name| {
        let is_all = name.split(' ').any(|part| says(pair.right, part));
        name.split(' ').find(|part| says(pair.wrong, part) && !is_all)
    })
}

fn of_event(
    wish: &Wish<'_>,
    pair: &Pair<'_>,
    event: &EventPreview,
    payload: &Map<String, Value>,
) -> Option<Change> {
    if event.cancels() {
        return None;
    }
    let is_when = is_time(pair.wrong, wish.world) || lasts(pair.wrong);
    let other = Wish { words: pair.right, corrects: true, ..*wish };
    if let Some(change) = event::retimed(&other, event, payload).filter(|_| is_when) {
        return Some(change);
    }
    let (wrong, right) = (wish.raw(pair.wrong), wish.raw(pair.right));
    let named = text::replaced(&event.title, &wrong, &right);
    let title = named.filter(|_| pair.is_parted && event.change.is_none())?;
    let said = format!("Called “{title}”.");
    Some(Change::one("title", title, said))
}

fn of_mail(wish: &Wish<'_>, pair: &Pair<'_>, email: &EmailPreview) -> Option<Change> {
    let (wrong, right) = exchanged(wish, pair)?;
    let said = format!("{} instead of {wrong}.", phrasing::capital(&right));
    if let Some(body) = text::replaced(&email.body_text, &wrong, &right) {
        return Some(mail::with_its_subject(Change::one("body", body, said), email));
    }
    let subject = text::replaced(&email.subject, &wrong, &right);
    subject.map(|subject| Change::one("subject", subject, said))
}

fn of_memory(wish: &Wish<'_>, pair: &Pair<'_>, memory: &MemoryPreview) -> Option<Change> {
    let (wrong, right) = exchanged(wish, pair).filter(|_| !memory.forgets)?;
    let text = text::replaced(&memory.text, &wrong, &right)?;
    Some(Change::one("memory", text, "Like this."))
}

/// Words of a text and those in their place. A day gives way to a day; without a pause
/// nobody knows of other words where the first end.
fn exchanged(wish: &Wish<'_>, pair: &Pair<'_>) -> Option<(String, String)> {
    const LONGEST: usize = 4;
    let (wrong, right) = (plain(pair.wrong), plain(pair.right));
    let kind = |words: &[Word]| text::kind_of_time(&wish.raw(words), wish.world);
    let fits = match (kind(wrong), kind(right)) {
        (Some(old), Some(new)) => old == new,
        (None, None) => pair.is_parted && wrong.len() <= LONGEST && right.len() <= LONGEST,
        (Some(_), None) | (None, Some(_)) => false,
    };
    fits.then(|| (wish.raw(wrong), phrasing::spelled(&wish.raw(right))))
}

/// "On Friday" is Friday.
fn plain(words: &[Word]) -> &[Word] {
    match words {
        [little, rest @ ..] if is_any(&little.text, &["on", "at"]) && !rest.is_empty() => rest,
        _ => words,
    }
}

fn is_time(words: &[Word], world: &World) -> bool {
    let whole = |words: &[Word]| {
        let when = time::find(words, &world.local_now(), Lean::Ahead);
        when.is_some_and(|when| when.words.len() == words.len())
    };
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    whole(words) || whole(&brain::resolve::words::words(&format!("at {}", texts.join(" "))))
}

fn lasts(words: &[Word]) -> bool {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    time::length(&texts).is_some_and(|(_, places)| places == (0..texts.len()))
}

#[cfg(test)]
mod tests {
    use super::super::Reply;
    use super::super::tests::{lunch, mail, mail_to, outline, priya, said_of, to, tom};
    use super::Preview;

    const ON_FRIDAY: &str = "revise start=20T12:00 end=20T12:30";

    #[test]
    fn a_day_that_was_wrong_gives_way_on_an_event() {
        for heard in [
            "Not Thursday, Friday.",
            "not thursday but friday",
            "not thursday friday",
            "Not Thursday, on Friday.",
            "Not Thursday, make it Friday.",
            "No, not Thursday, Friday please.",
            "Friday, not Thursday",
            "Not tomorrow, on Friday.",
            "not today, friday",
            "That's not right, make it Friday.",
            "that's wrong, friday",
            "I said Friday.",
            "Friday, I said.",
            "Friday I meant",
            "I meant Friday",
            "Wrong day, Friday.",
            "that's the wrong day, it should be Friday",
        ] {
            assert_eq!(outline(&to(heard, &[lunch()])), ON_FRIDAY, "{heard}");
        }
        let Preview::Event(mut tonight) = lunch() else { panic!("lunch is an event") };
        tonight.start = "2026-11-15T20:00:00-08:00[America/Los_Angeles]".parse().unwrap();
        tonight.end = "2026-11-15T21:00:00-08:00[America/Los_Angeles]".parse().unwrap();
        assert_eq!(
            outline(&to("not tonight, tomorrow night", &[Preview::Event(tonight)])),
            "revise start=16T20:00 end=16T21:00"
        );
        let other_hour = "revise start=20T13:00 end=20T13:30";
        assert_eq!(outline(&to("not today but Friday at 1", &[lunch()])), other_hour);
        assert_eq!(outline(&to("not lunch, dinner", &[lunch()])), "revise title=Dinner with Tom");
    }

    #[test]
    fn a_day_or_a_word_that_was_wrong_gives_way_in_a_mail() {
        for heard in [
            "Not Friday, Monday.",
            "not friday but monday",
            "not friday monday",
            "not Friday, on Monday",
            "Monday, not Friday",
            "That's not right, make it Monday.",
            "I said Monday.",
            "Monday I meant",
            "I meant Monday",
            "wrong day, Monday",
        ] {
            let body = said_of(heard, "The demo moved to Friday.");
            assert_eq!(body, "revise body=The demo moved to Monday.", "{heard}");
        }
        assert_eq!(
            said_of("not the demo, the launch", "The demo moved to Friday."),
            "revise body=The launch moved to Friday."
        );
    }

    #[test]
    fn somebody_on_a_card_gives_way_only_to_somebody_else() {
        let with_ana = outline(&to("not Tom, Ana", &[lunch()]));
        for heard in
            ["not with Tom, with Ana", "not with Tom but with Ana", "with Ana, not with Tom"]
        {
            assert_eq!(outline(&to(heard, &[lunch()])), with_ana, "{heard}");
        }
        assert!(with_ana.contains("attendees=") && with_ana.contains("Ana"), "{with_ana}");
        let both = mail_to(vec![tom(), priya()], "Thursday works.");
        let gone = outline(&to("no not priya nair", &[both]));
        assert!(gone.starts_with("revise") && gone.contains("to=tom"), "{gone}");
        for (heard, card) in [
            ("not Priya but her boss", mail()),
            ("not Tom but his boss", lunch()),
            ("not with Tom, with the new guy", lunch()),
        ] {
            let reply = to(heard, &[card]);
            let is_missed = matches!(reply, Reply::CannotRevise { is_missed: true, .. });
            assert!(is_missed, "{heard}: {reply:?}");
        }
    }

    #[test]
    fn what_is_behind_a_not_and_no_better_word_changes_nothing() {
        for heard in [
            "not Thursday, no",
            "not Thursday",
            "not now, Friday",
            "not yet, one moment",
            "not Thursday, send it",
            "not thursday, maybe",
            "not Thursday, Friday?",
            "that's not right, no",
            "I said no",
            "I said yes",
        ] {
            for preview in [mail(), lunch()] {
                let outcome = outline(&to(heard, &[preview]));
                assert!(!outcome.starts_with("revise"), "{heard}: {outcome}");
                assert!(!outcome.starts_with("accept"), "{heard}: {outcome}");
            }
        }
    }
}
