//! Turns of phrase that are said again plainly: "would you mind telling Ana",
//! "tell both", "… so book lunch", "tell Tom yes and Ana that I'm late".

mod loosely;

use brain::resolve::time::{self, Lean, is_weekday};
use brain::resolve::words::Word;

use super::follow::is_of_the_clock;
use super::refer::PRONOUNS;
use super::vocabulary::is_any;
use super::whom::{self, Whom};
use super::{manners, own_calendar, sentence, writes};
use crate::World;

/// What one asks for by "would you mind", and the order it is.
const GERUNDS: &[(&str, &str)] = &[
    ("telling", "tell"),
    ("asking", "ask"),
    ("letting", "let"),
    ("sending", "send"),
    ("emailing", "email"),
    ("mailing", "mail"),
    ("writing", "write"),
    ("replying", "reply"),
    ("answering", "answer"),
    ("booking", "book"),
    ("scheduling", "schedule"),
    ("arranging", "schedule"),
    ("sorting", "schedule"),
    ("setting", "set"),
    ("putting", "put"),
    ("popping", "put"),
    ("sticking", "put"),
    ("dropping", "drop"),
    ("checking", "check"),
    ("reading", "read"),
    ("reminding", "remind"),
    ("adding", "add"),
    ("inviting", "invite"),
    ("blocking", "block"),
    ("finding", "find"),
    ("showing", "show"),
    ("looking", "look"),
];
const MIND: &[&[&str]] = &[
    &["would", "you", "mind"],
    &["do", "you", "mind"],
    &["you", "mind"],
    &["do", "you", "fancy"],
    &["fancy"],
    &["mind"],
    &["how", "about"],
];

/// The sentence with one of them said plainly.
pub fn plain(heard: &str, said: &[Word], world: &World) -> Option<String> {
    ordered_politely(heard, said)
        .or_else(|| loosely::plain(heard, said, world))
        .or_else(|| both(heard, said))
        .or_else(|| the_two_of_them(heard, said))
        .or_else(|| booked_by_name(heard, said, world))
        .or_else(|| put_in(heard, said))
        .or_else(|| given_a_shout(heard, said, world))
        .or_else(|| meal_with(heard, said, world))
        .or_else(|| reminded_again(heard, said, world))
        .or_else(|| reminded_of_more(heard, said, world))
        .or_else(|| told_as_it_is(heard, said, world))
        .or_else(|| after_a_story(heard, said, world))
        .or_else(|| and_another(heard, said, world))
}

/// "Would you mind telling Yuki it's great and asking Omar where it is?"
fn ordered_politely(heard: &str, said: &[Word]) -> Option<String> {
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    // As it was written: some of them are heard as the plain verb.
    let base = |word: &Word| {
        let text = heard[word.start..word.end].to_lowercase();
        GERUNDS.iter().find(|(gerund, _)| *gerund == text).map(|(_, to)| *to)
    };
    let lead = (0..said.len().min(4)).find_map(|at| {
        let used = MIND.iter().find(|mind| texts[at..].starts_with(mind))?.len();
        base(said.get(at + used)?).map(|_| (at, at + used))
    });
    let (start, first) = lead?;
    let mut plain = heard[..said[start].start].to_owned();
    let mut from = said[first].start;
    for at in first..said.len() {
        let linked = at == first
            || is_any(texts[at - 1], &["and", "then", "also"])
            || said[at - 1].stop.is_some();
        if let Some(base) = base(&said[at]).filter(|_| linked && !said[at].quoted) {
            plain.push_str(&heard[from..said[at].start]);
            plain.push_str(base);
            from = said[at].end;
        }
    }
    plain.push_str(heard[from..].trim_end_matches(['?', ' ']));
    Some(plain)
}

/// "Tell both I'll bring it", "let both of them know": them.
fn both(heard: &str, said: &[Word]) -> Option<String> {
    const TELLS: &[&str] =
        &["tell", "ask", "let", "email", "mail", "message", "write", "to", "with", "invite"];
    const GOES_ON: &[&str] = &[
        "i", "i'm", "i'll", "that", "we", "know", "to", "it", "it's", "the", "my", "if", "whether",
        "about", "for", "at", "on", "a", "when",
    ];
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    (1..said.len()).filter(|&at| is_any(texts[at - 1], TELLS) && !said[at].quoted).find_map(|at| {
        let used = match &texts[at..] {
            ["both", "of", "them", ..] => 3,
            ["the", "two", "of", "them", ..] => 4,
            ["them", "both", ..] => 2,
            ["both", next, ..] if is_any(next, GOES_ON) && !is_any(next, &["the", "my"]) => 1,
            _ => return None,
        };
        Some(format!("{}them{}", &heard[..said[at].start], &heard[said[at + used - 1].end..]))
    })
}

/// "Book the two of them and me for 20 minutes": a meeting with them.
fn the_two_of_them(heard: &str, said: &[Word]) -> Option<String> {
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    (0..said.len()).find_map(|at| {
        let books = is_any(texts[at], &["book", "schedule", "pencil", "put"]) && !said[at].quoted;
        let start = at + 1 + usize::from(is_any(texts.get(at + 1)?, &["in", "me"]));
        let used = match texts.get(start..)? {
            ["the", "two" | "three", "of", "them", ..] | ["the", "two", "of", "us", ..] => 4,
            ["both", "of", "them" | "us", ..] => 3,
            ["them", "and", "me", ..] | ["them", "both", ..] => 1,
            _ => return None,
        };
        let me = if texts[start + used..].starts_with(&["and", "me"]) { 2 } else { 0 };
        let both = usize::from(texts.get(start + used) == Some(&"both"));
        let in_ = usize::from(texts.get(start + used + me + both) == Some(&"in"));
        let end = said[start + used + me + both + in_ - 1].end;
        books.then(|| {
            format!("{}schedule a meeting with them{}", &heard[..said[at].start], &heard[end..])
        })
    })
}

/// "Book her and Tom at three", "schedule Ana for Friday at 2": a meeting with them.
fn booked_by_name(heard: &str, said: &[Word], world: &World) -> Option<String> {
    const TIMES: &[&str] =
        &["at", "for", "on", "tomorrow", "today", "tonight", "this", "next", "in", "from"];
    (0..said.len()).find_map(|at| {
        let start = at == 0
            || said[at - 1].stop.is_some()
            || is_any(&said[at - 1].text, &["and", "then", "please", "you", "also"]);
        let books = is_any(&said[at].text, &["book", "schedule"]) && !said[at].quoted;
        if !start || !books {
            return None;
        }
        let mut end = at + 1;
        loop {
            let pronoun = said.get(end).is_some_and(|next| is_any(&next.text, PRONOUNS));
            let named = || match whom::at(said, end, heard, world)? {
                (Whom::Known { .. } | Whom::OneOf(_), used) => Some(used),
                _ => None,
            };
            end += if pronoun { 1 } else { named()? };
            let Some(and) = said.get(end).filter(|next| next.is("and")) else { break };
            if and.quoted || said.get(end + 1).is_some_and(|next| next.is("me")) {
                break;
            }
            end += 1;
        }
        let (names, last) = (at + 1, end);
        let me = matches!(&said[end..], [and, me, ..] if and.is("and") && me.is("me"));
        let end = end + 2 * usize::from(me);
        let next = said.get(end)?;
        let timed = is_any(&next.text, TIMES) || is_weekday(&next.text);
        timed.then(|| {
            let (names, rest) =
                (&heard[said[names].start..said[last - 1].end], &heard[said[end - 1].end..]);
            format!("{}schedule a meeting with {names}{rest}", &heard[..said[at].start])
        })
    })
}

/// "I'm in Portland next week so tell Dana …", "I promised Tom an answer: tell
/// him …", "don't reply to Sam but remind me …": what stood before it was told to us.
fn after_a_story(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let forbidden = matches!(sentence::without_lead(said), [no, not, ..]
        if no.is("do") && not.is("not"));
    (2..said.len()).filter(|&at| !said[at].quoted).find_map(|at| {
        let before = &said[at - 1];
        // "If so, book it" hangs on something.
        let linked = is_any(&before.text, &["so", "but"]) && !said[at - 2].is("if");
        let cites = |word: &Word| is_any(&word.text, CITES);
        let colon = heard.get(before.end..said[at].start).is_some_and(|gap| gap.trim() == ":");
        let told = !manners::is_writing(said, at) || forbidden && before.is("but");
        // "Both Sams" are named first.
        if said.get(at + 1).is_some_and(|next| next.is("both")) {
            return None;
        }
        let pronoun = said.get(at + 1).is_some_and(|next| is_any(&next.text, PRONOUNS));
        let asks = || {
            let tells = pronoun && is_any(&said[at].text, &["tell", "ask", "let", "email", "book"]);
            tells
                || writes::begins_with_a_write(&said[at..], heard, world)
                || own_calendar::is_order(&said[at..])
        };
        // "The mail says: reply to Tom" is somebody else's order.
        let ours = linked || colon && at > 2 && !said[..at].iter().any(cites);
        if !ours || !told || !asks() {
            return None;
        }
        let end = if linked { said[at - 2].end } else { before.end };
        Some(format!("{}. {}", &heard[..end], &heard[said[at].start..]))
    })
}

/// "Put in a call with Mum": "in" is no place.
fn put_in(heard: &str, said: &[Word]) -> Option<String> {
    let text = |at: usize| said.get(at).map_or("", |word| word.text.as_str());
    (0..said.len()).find_map(|at| {
        let begins = at == 0
            || said[at - 1].stop.is_some()
            || is_any(text(at - 1), &["and", "then", "please", "you"]);
        let puts = is_any(text(at), &["put", "pop", "stick", "slot", "squeeze", "fit"]);
        let thing = is_any(text(at + 2), &["a", "an"])
            && is_any(text(at + 3), &["call", "meeting", "chat", "lunch", "dinner", "coffee"]);
        (begins && puts && text(at + 1) == "in" && thing && !said[at].quoted)
            .then(|| format!("{}schedule{}", &heard[..said[at].start], &heard[said[at + 1].end..]))
    })
}

/// "Give Tom a shout that I'm near", "give her a heads-up": tell them.
fn given_a_shout(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let text = |at: usize| said.get(at).map_or("", |word| word.text.as_str());
    (0..said.len()).filter(|&at| text(at) == "give" && !said[at].quoted).find_map(|at| {
        let pronoun = is_any(text(at + 1), PRONOUNS);
        let used = if pronoun { 1 } else { whom::at(said, at + 1, heard, world)?.1 };
        let end = at + 1 + used;
        let shout = text(end) == "a" && is_any(text(end + 1), &["shout", "heads-up", "nudge"]);
        let heads = text(end) == "a" && text(end + 1) == "heads" && text(end + 2) == "up";
        let that = end + 2 + usize::from(heads);
        let whom = &heard[said[at + 1].start..said[end - 1].end];
        let says = text(that) == "that" && that + 1 < said.len();
        ((shout || heads) && says && !manners::is_writing(said, at)).then(|| {
            format!("{}tell {whom} {}", &heard[..said[at].start], &heard[said[that].start..])
        })
    })
}

/// "Set up lunch Tom Friday 12": with Tom.
fn meal_with(heard: &str, said: &[Word], world: &World) -> Option<String> {
    const BEFORE: &[&str] = &["book", "schedule", "up", "plan", "arrange", "a", "an", "put"];
    (1..said.len()).find_map(|at| {
        let thing = is_any(&said[at].text, &["lunch", "dinner", "breakfast", "coffee", "call"]);
        let booked = is_any(&said[at - 1].text, BEFORE) && said[at].stop.is_none();
        if !thing || !booked || said[at].quoted || manners::is_writing(said, at) {
            return None;
        }
        let (Whom::Known { heard: None, .. } | Whom::OneOf(_), used) =
            whom::at(said, at + 1, heard, world)?
        else {
            return None;
        };
        let next = said.get(at + 1 + used)?;
        let timed =
            is_weekday(&next.text) || is_any(&next.text, &["at", "on", "tomorrow", "today"]);
        timed.then(|| format!("{} with{}", &heard[..said[at].end], &heard[said[at].end..]))
    })
}

/// "Remind me tomorrow at 9 to call Leo and at 10 to call Dana": two reminders.
fn reminded_again(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let reminds = |at: &usize| said[*at].is("remind") && said[*at + 1].is("me");
    let first = (0..said.len().saturating_sub(1)).find(reminds)?;
    let now = world.local_now();
    (first + 4..said.len().saturating_sub(3)).find_map(|at| {
        if !(said[at].is("and") && said[at + 1].is("at")) || said[at].quoted {
            return None;
        }
        let to = (at + 3..said.len().min(at + 6)).find(|&to| said[to].is("to"))?;
        let hour = time::find(&said[at + 1..to], &now, Lean::Ahead)?;
        let whole = hour.words.len() + 1 >= to - at - 1;
        let day = time::find(&said[first..at], &now, Lean::Ahead)?;
        let day: Vec<&str> = day
            .words
            .iter()
            .map(|&place| said[first + place].text.as_str())
            .filter(|text| !is_of_the_clock(text))
            .filter(|text| is_weekday(text) || is_any(text, DAYS))
            .collect();
        whole.then(|| {
            let (before, after) = (&heard[..said[at - 1].end], &heard[said[at + 1].start..]);
            format!("{before}, and remind me {} {after}", day.join(" "))
        })
    })
}

const DAYS: &[&str] = &["today", "tomorrow", "tonight", "this", "next", "week"];

/// "Remind me to thank Ana tomorrow and to call Tom on Friday": each has its time.
fn reminded_of_more(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let reminds = |at: &usize| said[*at].is("remind") && said[*at + 1].is("me");
    let first = (0..said.len().saturating_sub(1)).find(reminds).filter(|&at| !said[at].quoted)?;
    let to = (first + 2..said.len()).find(|&at| said[at].is("to"))?;
    let now = world.local_now();
    let timed = |words: &[Word]| time::find(words, &now, Lean::Ahead).map(|when| when.words);
    let verb = said.get(to + 1)?;
    let places = to + 3..said.len().saturating_sub(2);
    places.filter(|&at| said[at].is("and") && said[at - 1].stop.is_none()).find_map(|at| {
        let rest = &said[at + 1..];
        // Not "between two and three": each side has a time of its own.
        let whole = timed(&said[first..]).unwrap_or_default();
        let when = timed(rest).filter(|_| !whole.contains(&(at - first)))?;
        timed(&said[first..at])?;
        let start = *when.first()?;
        let to_do = rest[0].is("to") || loosely::is_to_do(&rest[0].text);
        let named = matches!(
            whom::at(rest, 0, heard, world),
            Some((Whom::Known { heard: None, .. }, used)) if used == start
        );
        let told = writes::read(rest).is_some() && !to_do || rest[0].is("remind") || start == 0;
        if told || !(to_do || named) || said[at].quoted {
            return None;
        }
        let lead = if rest[0].is("to") { "" } else { "to " };
        let verb = if named { format!("{} ", &heard[verb.start..verb.end]) } else { String::new() };
        let (before, after) = (&heard[..said[at - 1].end], &heard[rest[0].start..]);
        Some(format!("{before}, and remind me {lead}{verb}{after}"))
    })
}

/// "I can't make the quiz so let Tom know": that is what he is told.
fn told_as_it_is(heard: &str, said: &[Word], world: &World) -> Option<String> {
    (3..said.len()).filter(|&at| said[at - 1].is("so") && !said[at].quoted).find_map(|at| {
        let lets = said[at].is("let");
        if !(lets || is_any(&said[at].text, &["tell", "email"])) || manners::is_writing(said, at) {
            return None;
        }
        let pronoun = said.get(at + 1).is_some_and(|next| is_any(&next.text, PRONOUNS));
        let end = if pronoun {
            at + 2
        } else {
            let (people, end) = whom::list(said, at + 1, heard, world);
            let known = |one: &Whom| !matches!(one, Whom::Stranger(_));
            (!people.is_empty() && people.iter().all(known)).then_some(end)?
        };
        let knows = said.get(end).is_some_and(|next| next.is("know"));
        if lets && !knows {
            return None;
        }
        let last = end - 1 + usize::from(lets);
        let next = said.get(last + 1);
        let ends = said[last].stop.is_some() || next.is_none_or(|next| next.is("and"));
        let stop = |word: &Word| matches!(word.stop, Some('.' | '?' | '!'));
        let start = said[..at - 1].iter().rposition(stop).map_or(0, |stop| stop + 1);
        let story = &heard[said[start].start..said[at - 2].end];
        let whom = &heard[said[at + 1].start..said[end - 1].end];
        ends.then(|| {
            let (before, after) = (&heard[..said[start].start], &heard[said[last].end..]);
            format!("{before}tell {whom} that {story}{after}")
        })
    })
}

/// What somebody else's words stand behind.
const CITES: &[&str] = &[
    "says", "said", "say", "reads", "wrote", "writes", "goes", "mail", "email", "message", "note",
    "subject", "text", "letter", "from",
];

/// "Tell the plumber it's fine and the dentist that I'm coming".
fn and_another(heard: &str, said: &[Word], world: &World) -> Option<String> {
    const TELLS: &[&str] = &["tell", "email", "inform", "mail", "message"];
    let verb_at = said.iter().position(|word| is_any(&word.text, TELLS) && !word.quoted)?;
    if !said[verb_at..].iter().any(|word| word.is("and")) {
        return None;
    }
    let (people, from) = whom::list(said, verb_at + 1, heard, world);
    let known = |one: &Whom| !matches!(one, Whom::Stranger(_));
    if people.is_empty() || !people.iter().all(known) || heard[said[verb_at].start..].contains(": ")
    {
        return None;
    }
    (from + 2..said.len()).filter(|&at| said[at - 1].is("and")).find_map(|at| {
        let (whom, used) = whom::at(said, at, heard, world)?;
        let first = |texts: &[&str]| said.get(from).is_some_and(|word| is_any(&word.text, texts));
        let next = said.get(at + used)?;
        if is_any(&next.text, &["yes", "no"]) && first(&["yes", "no"]) {
            let verb = &said[verb_at].text;
            return Some(format!(
                "{}, and {verb} {}",
                &heard[..said[at - 2].end],
                &heard[said[at].start..]
            ));
        }
        let says = next.is("that") || first(&["to"]) && next.is("to");
        let what = said.get(at + used + 1)?;
        // "Ana and Tom that day" is when.
        let day = is_any(&what.text, &["day", "week", "morning", "evening", "night", "afternoon"]);
        let known = matches!(whom, Whom::Known { .. } | Whom::OneOf(_));
        (known && says && !day && !said[at].quoted).then(|| {
            let verb = &said[verb_at].text;
            format!("{}, and {verb} {}", &heard[..said[at - 2].end], &heard[said[at].start..])
        })
    })
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;
    use crate::corpus;

    fn meant(heard: &str) -> Option<String> {
        plain(heard, &words(heard), &corpus::world())
    }

    #[test]
    fn a_turn_of_phrase_is_said_plainly() {
        for (heard, plain) in [
            (
                "Would you mind telling Tom it's great and asking Ana where it is?",
                "tell Tom it's great and ask Ana where it is",
            ),
            ("fancy booking lunch with Tom on Friday?", "book lunch with Tom on Friday"),
            (
                "meet Tom and Ana at 3 and tell both i'm late",
                "meet Tom and Ana at 3 and tell them i'm late",
            ),
            (
                "Book the two of them and me for 20 minutes at 11",
                "schedule a meeting with them for 20 minutes at 11",
            ),
            ("book her and Tom at three", "schedule a meeting with her and Tom at three"),
            ("schedule Ana and me for Friday", "schedule a meeting with Ana for Friday"),
            ("put in a call with Ana for sunday at 5", "schedule a call with Ana for sunday at 5"),
            ("give Tom a heads up that i'm near", "tell Tom that i'm near"),
            ("tell tom yes and ana no", "tell tom yes, and tell ana no"),
            ("set up lunch Tom friday 12", "set up lunch with Tom friday 12"),
            (
                "remind me tomorrow at 9 to call tom and at 10 to call ana",
                "remind me tomorrow at 9 to call tom, and remind me tomorrow at 10 to call ana",
            ),
            (
                "I can't make the quiz so let Tom know, and put gym on Friday at 9",
                "tell Tom that I can't make the quiz, and put gym on Friday at 9",
            ),
            (
                "tell tom to send it back and ana to hold the shoot",
                "tell tom to send it back, and tell ana to hold the shoot",
            ),
            (
                "next week i'm in portland so tell ana i can't come",
                "next week i'm in portland. tell ana i can't come",
            ),
            (
                "I promised Tom an answer: tell him it works",
                "I promised Tom an answer. tell him it works",
            ),
            (
                "tell tom it is fine and ana that i'm late",
                "tell tom it is fine, and tell ana that i'm late",
            ),
        ] {
            assert_eq!(meant(heard).as_deref(), Some(plain), "{heard}");
        }
    }

    #[test]
    fn what_belongs_to_a_mail_is_left_there() {
        for heard in [
            "tell tom i'm late so tell ana to start",
            "tell both sams i'm late",
            "email tom: tell ana i'm late",
            "tell tom i met ana and lena that day",
            "i'm telling tom",
            "book tom a table on friday",
            "schedule ana's lunch for friday",
            "tell tom to book ana for friday",
        ] {
            assert_eq!(meant(heard), None, "{heard}");
        }
    }
}
