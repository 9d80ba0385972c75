//! Orders in words that say something else: "put Ana in for Friday at ten", "save a
//! draft to Dana saying …", "what came in today", "…, keep that in mind".

use brain::resolve::people::Contact;
use brain::resolve::time;
use brain::resolve::words::Word;

use crate::World;
use crate::reflex::refer::PRONOUNS;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};
use crate::reflex::{compose, manners, sentence, writes};

/// The sentence with one of them said plainly.
pub fn plain(heard: &str, said: &[Word], world: &World) -> Option<String> {
    not_that_one(heard, said, world)
        .or_else(|| new_event(heard, said))
        .or_else(|| just_this(heard, said, world))
        .or_else(|| on_a_list(heard, said))
        .or_else(|| drafted_only(heard, said))
        .or_else(|| draft_saved(heard, said, world))
        .or_else(|| put_in_for(heard, said, world))
        .or_else(|| invited(heard, said, world))
        .or_else(|| kept_in_mind(heard, said))
        .or_else(|| with_a_reminder(heard, said))
        .or_else(|| reminded_before(heard, said))
        .or_else(|| so_many_minutes(heard, said))
        .or_else(|| several_things(heard, said))
        .or_else(|| greeted(heard, said, world))
        .or_else(|| asked_plainly(heard, said, world))
        .or_else(|| seen_next(heard, said, world))
}

/// A request can begin here: at the start, behind a mark or behind "and".
fn begins(said: &[Word], at: usize) -> bool {
    let links = ["and", "then", "please", "also", "you", "just", "to"];
    let before = at.checked_sub(1).map(|before| &said[before]);
    !said[at].quoted
        && before.is_none_or(|before| before.stop.is_some() || is_any(&before.text, &links))
}

fn text(said: &[Word], at: usize) -> &str {
    said.get(at).map_or("", |word| word.text.as_str())
}

/// How many words somebody takes who can be reached, or "her".
fn somebody(said: &[Word], at: usize, heard: &str, world: &World) -> Option<usize> {
    if is_any(text(said, at), PRONOUNS) {
        return Some(1);
    }
    match whom::at(said, at, heard, world)? {
        (Whom::Known { .. } | Whom::OneOf(_), used) => Some(used),
        _ => None,
    }
}

/// "Don't send anything yet, just draft a note": whatever is written, it is only drafted.
fn drafted_only(heard: &str, said: &[Word]) -> Option<String> {
    const LITTLE: &[&str] = &["yet", "now", "just", "but", "only", "and", "please", "out", "for"];
    const WRITES: &[&str] = &["draft", "write", "email", "mail", "reply", "tell", "ask", "prepare"];
    let request = sentence::without_lead(said);
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let lead = match texts.as_slice() {
        ["do", "not", "send", "any", "of", "it" | "them" | "this", ..] => 6,
        ["do", "not", "send", "anything" | "it" | "this" | "that" | "one" | "a" | "them", ..] => 4,
        ["do", "not", "send", ..] => 3,
        _ => return nothing_sent(heard, said),
    };
    let at = lead + texts[lead..].iter().take_while(|text| is_any(text, LITTLE)).count();
    let all = texts.get(3).is_some_and(|text| is_any(text, &["anything", "any"]));
    let writes = all || is_any(texts.get(at)?, WRITES);
    // "Don't send it to Tom, email Ana" is about one of two.
    let parted = at > lead || request[at - 1].stop.is_some();
    (writes && parted && at + 1 < texts.len() && !request[at].quoted)
        .then(|| compose::none_sent(&heard[request[at].start..]))
}

/// "Draft a note to Ana and ask Tom for his, don't send any of it": said last, of all.
fn nothing_sent(heard: &str, said: &[Word]) -> Option<String> {
    let tails: [&[&str]; 6] = [
        &["do", "not", "send", "anything", "yet"],
        &["do", "not", "send", "anything"],
        &["do", "not", "send", "any", "of", "it"],
        &["do", "not", "send", "any", "of", "them"],
        &["do", "not", "send", "them", "yet"],
        &["do", "not", "send", "them"],
    ];
    let ends = |tail: &&&[&str]| {
        let from = said.len().checked_sub(tail.len()).filter(|from| *from > 2);
        from.is_some_and(|from| {
            said[from..].iter().zip(**tail).all(|(word, text)| word.is(text) && !word.quoted)
        })
    };
    let start = said.len() - tails.iter().find(ends)?.len();
    let links = |word: &&Word| is_any(&word.text, &["but", "and", "please", "just"]);
    let links = said[..start].iter().rev().take_while(links).count();
    let before = &said[..start - links];
    let apart = links > 0 || before.last().is_some_and(|last| last.stop.is_some());
    // Said to one, it may be their words: "tell Tom, don't send anything".
    let drafts = before.iter().any(|word| word.is("draft") && !word.quoted);
    (apart && drafts).then(|| compose::none_sent(&heard[..before[before.len() - 1].end]))
}

/// "Save a draft to Dana saying …", "make a draft for Dana that …": draft a mail.
fn draft_saved(heard: &str, said: &[Word], world: &World) -> Option<String> {
    (0..said.len()).filter(|&at| begins(said, at)).find_map(|at| {
        let saves = is_any(text(said, at), &["save", "make", "create", "start", "prepare", "do"]);
        let draft = text(said, at + 1) == "a" && text(said, at + 2) == "draft";
        let to = is_any(text(said, at + 3), &["to", "for"]);
        let used = somebody(said, at + 4, heard, world).filter(|_| saves && draft && to)?;
        let says = is_any(text(said, at + 4 + used), &["saying", "that", "about", "to"]);
        let name = said[at + 4].start;
        says.then(|| format!("{}draft a mail to {}", &heard[..said[at].start], &heard[name..]))
    })
}

/// "Put Ana in for Friday at ten": a meeting with her.
fn put_in_for(heard: &str, said: &[Word], world: &World) -> Option<String> {
    (0..said.len()).filter(|&at| begins(said, at)).find_map(|at| {
        let puts = is_any(text(said, at), &["put", "pencil", "slot", "squeeze", "fit", "book"]);
        let used = somebody(said, at + 1, heard, world).filter(|_| puts)?;
        let end = at + 1 + used;
        let in_for = text(said, end) == "in"
            && is_any(text(said, end + 1), &["for", "on", "at", "tomorrow", "today"]);
        let names = &heard[said[at + 1].start..said[end - 1].end];
        let rest = &heard[said.get(end)?.end..];
        (in_for && !manners::is_writing(said, at))
            .then(|| format!("{}schedule a meeting with {names}{rest}", &heard[..said[at].start]))
    })
}

/// "Send Ana an invite for Friday at ten": a meeting with her.
fn invited(heard: &str, said: &[Word], world: &World) -> Option<String> {
    (0..said.len()).filter(|&at| begins(said, at) && text(said, at) == "send").find_map(|at| {
        const INVITES: &[&str] = &["invite", "invitation"];
        let (names, end) = if let Some(used) = somebody(said, at + 1, heard, world) {
            let an = is_any(text(said, at + 1 + used), &["an", "the", "a"]);
            let noun = at + 1 + used + usize::from(an);
            let calendar = usize::from(text(said, noun) == "calendar");
            (at + 1..at + 1 + used, noun + calendar)
        } else {
            let to = (at + 2..said.len().min(at + 5)).find(|&to| text(said, to) == "to")?;
            let used = somebody(said, to + 1, heard, world)?;
            (to + 1..to + 1 + used, to - 1)
        };
        let noun = is_any(text(said, end), INVITES);
        let behind = names.end.max(end + 1);
        let names = &heard[said[names.start].start..said[names.end - 1].end];
        let rest = said.get(behind - 1).map_or("", |last| &heard[last.end..]);
        // "An invite to lunch" is a thing of its own.
        let goes_on = is_any(text(said, behind), &["", "for", "on", "at", "and", "then"]);
        (noun && goes_on)
            .then(|| format!("{}schedule a meeting with {names}{rest}", &heard[..said[at].start]))
    })
}

/// "Book 30 with Priya": so many minutes.
fn so_many_minutes(heard: &str, said: &[Word]) -> Option<String> {
    const LONG: &[&str] = &["10", "15", "20", "25", "30", "40", "45", "50", "60", "90"];
    (0..said.len()).filter(|&at| begins(said, at)).find_map(|at| {
        let books = is_any(text(said, at), &["book", "schedule", "grab", "get", "block"]);
        let number = at + 1 + usize::from(text(said, at + 1) == "me");
        let with = text(said, number + 1) == "with";
        (books && with && is_any(text(said, number), LONG)).then(|| {
            let end = said[number].end;
            format!("{} minutes{}", &heard[..end], &heard[end..])
        })
    })
}

/// "Remind me an hour before lunch to book a table and 20 minutes before the review to
/// print the plan": two reminders.
fn reminded_before(heard: &str, said: &[Word]) -> Option<String> {
    let reminds = |at: &usize| text(said, *at) == "remind" && text(said, *at + 1) == "me";
    let first = (0..said.len()).find(reminds).filter(|&at| !said[at].quoted)?;
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let earlier = |at: usize| texts[first..at].contains(&"before");
    (first + 3..said.len()).filter(|&at| texts[at] == "and" && earlier(at)).find_map(|at| {
        let (_, places) = time::length(&texts[at + 1..])?;
        let before = texts.get(at + 1 + places.end) == Some(&"before") && places.start == 0;
        (before && !said[at].quoted).then(|| {
            let (front, rest) = (&heard[..said[at - 1].end], &heard[said[at + 1].start..]);
            format!("{front}, and remind me {rest}")
        })
    })
}

/// "Ingrid's birthday is on the 5th, keep that in mind": remember it.
fn kept_in_mind(heard: &str, said: &[Word]) -> Option<String> {
    const KEEPS: &[&[&str]] = &[
        &["keep", "that", "in", "mind"],
        &["can", "you", "remember", "that"],
        &["please", "remember", "that"],
        &["remember", "that"],
        &["note", "that", "down"],
        &["make", "a", "note", "of", "that"],
    ];
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    (3..said.len()).filter(|&at| !said[at].quoted).find_map(|at| {
        let used = KEEPS.iter().find(|keeps| texts[at..].starts_with(keeps))?.len();
        let end = at + used;
        let closes = said[end - 1].stop.is_some()
            || end == said.len()
            || is_any(text(said, end), &["and", "then", "please"]);
        let start = said[..at].iter().rposition(|word| matches!(word.stop, Some('.' | '?' | '!')));
        let start = start.filter(|stop| stop + 1 < at).map_or(0, |stop| stop + 1);
        let fact = sentence::without_greeting(&said[start..at]);
        let fact = match fact {
            [rest @ .., last] if is_any(&last.text, &["and", "so", "please"]) => rest,
            fact => fact,
        };
        let says =
            fact.iter().skip(1).any(|word| is_any(&word.text, &["is", "are", "has", "likes"]));
        let asks = writes::read(sentence::bare(fact)).is_some();
        let (first, last) = (fact.first()?, fact.last()?);
        (closes && says && !asks).then(|| {
            let (before, after) = (&heard[..first.start], &heard[said[end - 1].end..]);
            format!("{before}remember that {}{after}", &heard[first.start..last.end])
        })
    })
}

/// "Add it to my calendar with a reminder an hour before": that is a second request.
fn with_a_reminder(heard: &str, said: &[Word]) -> Option<String> {
    (3..said.len().saturating_sub(3)).find_map(|at| {
        let texts: Vec<&str> = said[at..].iter().map(|word| word.text.as_str()).collect();
        let leads = matches!(texts.as_slice(), ["with", "a", "reminder", _, ..]);
        let plain = !said[at].quoted && !manners::is_dictating(&said[..at], heard);
        (leads && plain).then(|| {
            let (before, after) = (&heard[..said[at - 1].end], &heard[said[at + 3].start..]);
            format!("{before}, and remind me {after}")
        })
    })
}

/// "Schedule three things: gym at 7, …": the number is no part of the first.
fn several_things(heard: &str, said: &[Word]) -> Option<String> {
    (1..said.len().saturating_sub(2)).find_map(|at| {
        let books = is_any(text(said, at - 1), &["schedule", "book", "add", "put"]);
        let things = is_any(text(said, at + 1), &["things", "events", "meetings", "appointments"]);
        let many = time::cardinal(&[text(said, at)]).is_some();
        let colon = heard.get(said[at + 1].end..said[at + 2].start)?.contains(':');
        (books && many && things && colon && begins(said, at - 1))
            .then(|| format!("{} {}", &heard[..said[at - 1].end], &heard[said[at + 2].start..]))
    })
}

/// "Send her a quick hello from me": tell her hello.
fn greeted(heard: &str, said: &[Word], world: &World) -> Option<String> {
    (0..said.len()).filter(|&at| begins(said, at)).find_map(|at| {
        let sends = is_any(text(said, at), &["send", "give", "drop"]);
        let used = somebody(said, at + 1, heard, world).filter(|_| sends)?;
        let end = at + 1 + used;
        let small = (end..said.len())
            .take_while(|&place| is_any(text(said, place), &["a", "an", "quick", "big", "little"]))
            .count();
        let hello = is_any(text(said, end + small), &["hello", "hi", "thanks"]) && small > 0;
        let from_me = text(said, end + small + 1) == "from" && text(said, end + small + 2) == "me";
        let last = end + small + 2 * usize::from(from_me);
        let closes = hello
            && (last + 1 == said.len()
                || said[last].stop.is_some()
                || is_any(text(said, last + 1), &["and", "then", "please"]));
        (closes && !manners::is_writing(said, at)).then(|| {
            let names = &heard[said[at + 1].start..said[end - 1].end];
            let word = &heard[said[end + small].start..said[end + small].end];
            let (before, after) = (&heard[..said[at].start], &heard[said[last].end..]);
            format!("{before}tell {names} that {word}{after}")
        })
    })
}

/// "What did Jonas say, and when am I seeing him next": the one who was named.
fn seen_next(heard: &str, said: &[Word], world: &World) -> Option<String> {
    const SEES: &[&str] = &["see", "seeing", "meet", "meeting", "with"];
    (2..said.len()).filter(|&at| is_any(text(said, at), &["him", "her"])).find_map(|at| {
        let start =
            (0..at).rev().find(|&start| is_any(text(said, start), &["when", "do", "am"]))?;
        let start = start - usize::from(start > 0 && text(said, start - 1) == "when");
        let asks = begins(said, start) && at - start < 6;
        let sees = is_any(text(said, at - 1), SEES) && !said[at].quoted;
        let mut named = (0..start).filter_map(|place| match whom::at(said, place, heard, world)? {
            (Whom::Known { name, address, heard: None, .. }, _) => Some((name, address)),
            _ => None,
        });
        let (name, address) = named.next().filter(|_| asks && sees)?;
        let fits = |one: &Contact| one.address != address || one.answers_to(text(said, at));
        let alone = named.all(|(_, other)| other == address);
        (alone && world.contacts.iter().all(fits))
            .then(|| format!("{}{name}{}", &heard[..said[at].start], &heard[said[at].end..]))
    })
}

/// "What came in today", "what's Sam saying about it", "everybody in my contacts".
fn asked_plainly(heard: &str, said: &[Word], world: &World) -> Option<String> {
    (0..said.len()).filter(|&at| begins(said, at)).find_map(|at| {
        let texts: Vec<&str> = said[at..].iter().map(|word| word.text.as_str()).collect();
        let (used, plain) = match texts.as_slice() {
            ["what", "came", "in", "today", ..] => (3, "what mail did i get".to_owned()),
            ["show", "me" | "us", "everybody" | "everyone" | "all", "in", "my", "contacts", ..] => {
                (6, "list my contacts".to_owned())
            }
            ["what", "is", "my", "first" | "next", "thing", ..]
                if texts.get(3) == Some(&"first") =>
            {
                (5, "what is my first meeting".to_owned())
            }
            ["what", "is", "the", "first", "thing", "i", "have" | "got", ..] => {
                (7, "what is my first meeting".to_owned())
            }
            ["what", "is", "on", "my", "plate", ..] => (5, "what do i have".to_owned()),
            ["can", "i", "squeeze" | "fit", "in", _, ..] => (4, "when am i free for".to_owned()),
            ["book", hour, "with", ..] if time::cardinal(&[hour]).is_some_and(|(n, _)| n <= 12) => {
                (2, format!("schedule a meeting at {hour}"))
            }
            ["check" | "see", "what", "i", "have", "got", "on", ..] => {
                (6, "what do i have".to_owned())
            }
            ["check" | "see", "what", "i", "have", "got" | "on", ..] => {
                (5, "what do i have".to_owned())
            }
            ["what", "is", ..] => {
                let used = somebody(said, at + 2, heard, world)?;
                let end = at + 2 + used;
                let says = text(said, end) == "saying" && text(said, end + 1) == "about";
                let name = &heard[said[at + 2].start..said[end - 1].end];
                return says.then(|| {
                    let (before, rest) = (&heard[..said[at].start], &heard[said[end].end..]);
                    format!("{before}what did {name} say{rest}")
                });
            }
            _ => return None,
        };
        let rest = &heard[said[at + used - 1].end..];
        Some(format!("{}{plain}{rest}", &heard[..said[at].start]))
    })
}

/// "Not Tom, tell Marcus that …": whom it is not for needs nothing done.
fn not_that_one(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let not = said.first().filter(|first| first.is("not") && !first.quoted)?;
    let (Whom::Known { .. } | Whom::OneOf(_), used) = whom::at(said, 1, heard, world)? else {
        return None;
    };
    let rest = said.get(1 + used..).filter(|rest| !rest.is_empty())?;
    let apart = said[used].stop.is_some() && not.stop.is_none();
    (apart && writes::begins_with_a_write(rest, heard, world))
        .then(|| heard[rest[0].start..].to_owned())
}

/// "Forget what I said about the meeting, just tell Ana hi": only the last is asked for.
fn just_this(heard: &str, said: &[Word], world: &World) -> Option<String> {
    const DROPS: &[&str] = &["forget", "never", "scratch", "ignore", "skip"];
    let request = sentence::without_lead(said);
    let drops = request.first().is_some_and(|first| is_any(&first.text, DROPS) && !first.quoted);
    let just = said.iter().position(|word| word.is("just") && !word.quoted)?;
    let rest = said.get(just + 1..).filter(|rest| !rest.is_empty())?;
    let told = said[..just].iter().any(|word| is_any(&word.text, &["said", "what", "it", "that"]));
    (drops && told && writes::begins_with_a_write(rest, heard, world))
        .then(|| heard[rest[0].start..].to_owned())
}

/// "New event: parents' evening on Friday at 4": to be added.
fn new_event(heard: &str, said: &[Word]) -> Option<String> {
    const EVENTS: &[&str] = &["event", "appointment", "meeting", "call"];
    let request = sentence::bare(said);
    let [new, event, first, _, ..] = request else { return None };
    let begins = new.is("new") && is_any(&event.text, EVENTS) && !new.quoted;
    let named = !is_any(&first.text, &["with", "from", "on", "at", "is", "was"]);
    let start = if named && event.is("event") { first.start } else { event.start };
    let before = &heard[..new.start];
    let asks = request.last().is_some_and(|last| last.stop == Some('?'));
    (begins && !asks).then(|| format!("{before}schedule {}", &heard[start..]))
}

/// "Put call the bank on my list for tomorrow": there is no list, but there are reminders.
fn on_a_list(heard: &str, said: &[Word]) -> Option<String> {
    const KINDS: &[&str] =
        &["to", "do", "todo", "to-do", "shopping", "grocery", "task", "tasks", "packing"];
    let text = |at: usize| text(said, at);
    let begins = |at: usize| {
        let before = at.checked_sub(1).map(|before| &said[before]);
        let linked = before.is_none_or(|before| {
            before.stop.is_some()
                || is_any(&before.text, &["and", "then", "please", "also", "you", "just"])
        });
        linked && is_any(text(at), &["put", "add", "write"]) && !said[at].quoted
    };
    (0..said.len()).filter(|&at| begins(at)).find_map(|at| {
        let list = (at + 3..said.len()).find(|&place| text(place) == "list")?;
        let kinds = (at..list).rev().take_while(|&place| is_any(text(place), KINDS)).count();
        let whose = list.checked_sub(kinds + 1)?;
        let on = whose.checked_sub(1).filter(|&on| on > at + 1)?;
        // "To my to do list": the first "to" is not one of its kinds.
        let placed = is_any(text(whose), &["my", "the", "our"])
            && is_any(text(on), &["on", "to", "in", "onto", "down"]);
        let linked = |place: usize| is_any(text(place), &["and", "then", "also", "tell"]);
        if !placed || (at + 1..on).any(|place| linked(place) && !said[place].quoted) {
            return None;
        }
        let what = heard[said[at + 1].start..said[on - 1].end].trim_matches(['"', '“', '”']);
        let link = if is_any(text(at + 1), TO_DO) { "to" } else { "about" };
        let rest = &heard[said[list].end..];
        let ends = (list + 1..said.len()).find(|&place| {
            is_any(text(place), &["and", "then", "also"]) || said[place - 1].stop.is_some()
        });
        let end = ends.map_or(heard.len(), |place| said[place - 1].end);
        let when = heard[said[list].end..end].trim().trim_start_matches("for ").to_owned();
        let rest = &rest[end - said[list].end..];
        let when = if when.is_empty() { when } else { format!("{when} ") };
        Some(format!("{}remind me {when}{link} {what}{rest}", &heard[..said[at].start]))
    })
}

/// Does it begin what one has to do?
pub fn is_to_do(verb: &str) -> bool {
    // What somebody is to be told may be told now.
    let tells = is_any(verb, &["tell", "ask", "email", "mail", "send", "write"]);
    !tells && is_any(verb, TO_DO) || is_any(verb, &["thank", "congratulate", "meet", "visit"])
}

/// What one has to do begins with one of these.
const TO_DO: &[&str] = &[
    "call", "buy", "get", "pay", "email", "mail", "book", "send", "pick", "check", "fix", "clean",
    "ask", "tell", "order", "return", "renew", "write", "finish", "take", "bring", "cancel",
    "print", "water", "feed", "do", "make", "read", "go", "find", "change", "update", "review",
    "sign", "submit", "file", "wash", "collect", "drop", "prepare", "replace", "remember",
];
