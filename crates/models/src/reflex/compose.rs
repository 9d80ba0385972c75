//! Mail that is to be written: to whom, whether it answers one, and the words.
//!
//! The words are the person's own. What is missing is asked for, and what is
//! no message ("email Ana the notes") is left to whoever says that it cannot
//! be done yet.

mod asks;
mod ends;
mod extras;
mod head;
pub mod reported;
pub mod said;
mod sentences;
mod subject;

use std::ops::Range;

use brain::facts::Letter;
use brain::plan::{ProposedStep, from_step};
use brain::resolve::words::{Word, words};
use serde_json::{Value, json};

use self::asks::{asks_too, is_to_be_found_out};
use self::ends::{holding_back, not_to_be_said, shown_first, without_instead, without_loose_end};
pub use self::ends::{is_none_sent, none_sent};
use self::head::{Head, Manner, Target};
use self::reported::{may_be, names_nobody};
pub use self::sentences::in_one_mail;
pub use self::subject::subject;
use super::refer::{Company, Referent};
use super::vocabulary::is_any;
use super::which::{self, Open};
use super::whom::{self, Whom};
use super::{Lookup, Meaning, Want, phrasing, sentence, vocabulary};
use crate::World;
use crate::focus::{Awaited, Missing};
use crate::gist::{Chat, Gist};
use crate::narrator::card::is_greeting;
use crate::narrator::spelling::list;

/// More words before a colon are no request.
const LONGEST_REQUEST: usize = 14;

/// A reply or a new mail; `None` when it is neither.
pub fn read(
    heard: &str,
    request: &[Word],
    company: &mut Company<'_>,
    world: &World,
) -> Option<Meaning> {
    let request = without_instead(not_to_be_said(request, heard, world), heard);
    let request = without_loose_end(shown_first(request));
    let (short, held_back) = holding_back(request);
    let held_back = held_back || is_none_sent(heard);
    let mut extras = extras::taken_out(heard, short, world);
    let request_left = std::mem::take(&mut extras.request);
    let meaning = mail(heard, &request_left, held_back, company, world)?;
    // "Tell Tom don't send it": those are the words for Tom.
    if held_back
        && matches!(meaning, Meaning::Want(_))
        && is_any(&request[0].text, &["tell", "ask"])
    {
        return mail(heard, request, false, company, world);
    }
    Some(extras.put_into(meaning, heard, world))
}

fn mail<'a>(
    heard: &'a str,
    request: &'a [Word],
    held_back: bool,
    company: &mut Company<'_>,
    world: &'a World,
) -> Option<Meaning> {
    let mut head = head::read(heard, request, world)?;
    head.draft |= held_back;
    if let Some(place) = head.pronoun {
        match refer(&request[place], place, head.beside.take(), company, world) {
            Ok(target) => head.target = target,
            Err(open) => return Some(*open),
        }
    }
    match &head.target {
        Target::Letter(letter) => {
            // "… and meet with the sender": whoever is answered.
            company.wrote(&letter.from);
            Some(answer(&head, letter, heard, request, world))
        }
        Target::Nothing if company.mail_to_come => {
            Some(Meaning::Later { lookups: Vec::new(), missing: "message_id" })
        }
        Target::Nothing => Some(Meaning::Chat(Chat::NothingToPointAt)),
        Target::Missing { after } => Some(nobody(&request[*after], heard)),
        Target::Topic(about) => Some(to_topic(&head, about, heard, request, world)),
        Target::People { people, places } => {
            let span = request[places.start].start..request[places.end - 1].end;
            Some(to_people(&head, people, &span, heard, request, world))
        }
    }
}

/// Who "him" is, or what has to be asked or looked up to know.
fn refer<'a>(
    pronoun: &Word,
    place: usize,
    beside: Option<(Vec<Whom>, Range<usize>)>,
    company: &mut Company<'_>,
    world: &'a World,
) -> Result<Target<'a>, Box<Meaning>> {
    let (others, places) = beside.unwrap_or_else(|| (Vec::new(), place..place + 1));
    let mut people = match company.of(&pronoun.text, &others) {
        Referent::One(whom) => {
            company.meant(&pronoun.text, whom.clone());
            let letter = world.focus.this_letter().filter(|_| others.is_empty());
            if let Some(letter) = letter.filter(|letter| whom.is_at(&letter.from.address)) {
                return Ok(Target::Letter(letter));
            }
            vec![whom]
        }
        Referent::All(people) => people,
        open => return Err(Box::new(company.open(open, pronoun))),
    };
    people.extend(others);
    Ok(Target::People { people, places })
}

/// Does a request for a mail begin here?
pub fn begins(heard: &str, request: &[Word], world: &World) -> bool {
    let request = extras::taken_out(heard, without_loose_end(request), world).request;
    head::read(heard, &request, world).is_some()
}

/// Is a mail asked for here, and nothing of what it says?
pub fn is_wordless(heard: &str, request: &[Word], world: &World) -> bool {
    let Some(head) = head::read(heard, request, world) else { return false };
    // "Answer Ferdinand", whom nobody knows, is no mail that says "Ferdinand".
    let is_name = |words: &str| words.starts_with(char::is_uppercase) && !words.contains(' ');
    let is_named = head.manner == Manner::Answer && head.words.as_deref().is_some_and(is_name);
    head.words.is_none() || is_named
}

/// Does a message to somebody who can be reached begin here?
pub fn is_to_somebody_known(heard: &str, request: &[Word], world: &World) -> bool {
    let request = extras::taken_out(heard, request, world).request;
    let Some(head) = head::read(heard, &request, world) else { return false };
    // "… and reply to the second one that I'm late"
    let points = matches!(request.as_slice(), [_, to, the, ..] if to.is("to") && the.is("the"));
    if points && head.words.is_some() && matches!(head.target, Target::Letter(_)) {
        return true;
    }
    matches!(&head.target, Target::People { people, .. } if people.iter().all(|whom| {
        matches!(whom, Whom::Known { .. } | Whom::Address(_) | Whom::OneOf(_))
    }))
}

fn to_people(
    head: &Head<'_>,
    people: &[Whom],
    span: &std::ops::Range<usize>,
    heard: &str,
    request: &[Word],
    world: &World,
) -> Meaning {
    // Of several, only those that are asked about give way to the answer.
    let place = |whom: &Whom| whom::span_of(whom, request, span, heard, world);
    let open: Vec<Open<'_>> = people.iter().filter_map(|whom| whom.open(place(whom))).collect();
    if let Some(question) = which::asked(&open, heard, world) {
        return question;
    }
    for whom in people {
        if let Whom::Stranger(name) = whom
            && (!head.reply || people.len() > 1)
        {
            return whom::unreachable(name, &place(whom), heard, world);
        }
        // Whoever wrote is answered, contact or not; a name like a contact's is asked about.
        if let Whom::Stranger(name) = whom
            && !wrote_lately(name, world)
            && let Some(asked) = whom::taken_for(name, &place(whom), heard, world)
        {
            return asked;
        }
        if let Whom::Address(address) = whom
            && let Some(asked) = whom::misspelled_aloud(address, &place(whom), heard, world)
        {
            return asked;
        }
    }
    let names: Vec<String> = people.iter().map(Whom::short).collect();
    let who = list(&names, 0);
    let Some(words) = spoken(head, people, world).filter(|_| !is_to_be_found_out(head)) else {
        return wordless(&who, heard, request);
    };
    if let ([one], true) = (people, head.reply || head.manner != Manner::New)
        && let Some(letter) = at_hand(one, world)
        && head.about.as_deref().is_none_or(|about| !head.reply || is_about(letter, about))
    {
        return replying(&who, &words, Some(letter), None, head.draft);
    }
    match people {
        [one] if head.reply => replying(&who, &words, None, Some(search(one, head)), head.draft),
        // Two people are no thread: they are written to.
        _ => new_mail(&who, people, &words, head, world),
    }
}

fn is_about(letter: &Letter, about: &str) -> bool {
    letter.subject.to_lowercase().contains(&topic(about).to_lowercase())
}

/// Did somebody of that name write a letter that was just told of?
fn wrote_lately(name: &str, world: &World) -> bool {
    let focus = &world.focus;
    let told = focus.threads().into_iter().map(|thread| thread[0]).chain(focus.opened.as_ref());
    let is_theirs = |letter: &Letter| {
        letter
            .from
            .called()
            .split(' ')
            .chain([letter.from.called()])
            .any(|part| part.eq_ignore_ascii_case(name))
    };
    told.into_iter().any(is_theirs)
}

/// A letter of theirs that was just told of.
fn at_hand<'a>(whom: &Whom, world: &'a World) -> Option<&'a Letter> {
    let focus = &world.focus;
    let theirs = |letter: &&Letter| {
        whom.address().is_some_and(|mine| mine.eq_ignore_ascii_case(&letter.from.address))
    };
    if let Some(opened) = focus.opened.as_ref() {
        return Some(opened).filter(theirs);
    }
    let threads = focus.threads();
    let mut found = threads.iter().map(|thread| thread[0]).filter(|letter| theirs(letter));
    found.next().filter(|_| found.next().is_none())
}

fn answer(
    head: &Head<'_>,
    letter: &Letter,
    heard: &str,
    request: &[Word],
    world: &World,
) -> Meaning {
    let who = letter.from.called();
    let who = match who.split_once(' ') {
        Some((title, _)) if title.ends_with('.') => who,
        Some((first, _)) => first,
        None => who,
    };
    let from = Whom::Address(letter.from.address.clone());
    match spoken(head, &[from], world) {
        Some(words) => replying(who, &words, Some(letter), None, head.draft),
        None => wordless(who, heard, request),
    }
}

/// "Reply to the mail about freight": whoever wrote the latest one.
fn to_topic(head: &Head<'_>, about: &str, heard: &str, request: &[Word], world: &World) -> Meaning {
    let Some(words) = spoken(head, &[], world) else { return wordless("them", heard, request) };
    let about = topic(about).to_lowercase();
    let search = Some(format!("in:inbox {about}"));
    let mut meaning = replying(&format!("anybody about {about}"), &words, None, search, head.draft);
    if let Meaning::Look(lookups) = &mut meaning {
        for lookup in lookups {
            lookup.acknowledgement = format!("Looking for the mail about {about}.");
        }
    }
    meaning
}

/// The words as they are said to the one they are for.
fn spoken(head: &Head<'_>, people: &[Whom], world: &World) -> Option<String> {
    let words = head.words.as_deref().filter(|words| !words.trim().is_empty())?;
    let words = phrasing::greeting(words).unwrap_or(words);
    let passed_on = |words: &str| words.starts_with("to ") || words.starts_with("not to ");
    let may_ask = |first: &str, whom: &str| {
        let them = head.reported || people.first().is_some_and(|one| may_be(one, whom, world));
        people.len() == 1 && them && !passed_on(first) && names_nobody(first, world)
    };
    if let Some((first, asked, _)) = asks_too(words).filter(|(first, _, whom)| may_ask(first, whom))
    {
        let question = phrasing::sentence(&phrasing::asked(&phrasing::yours(asked)));
        // The greeting is above it already.
        let greets = matches!(first.trim().to_lowercase().as_str(), "hi" | "hello" | "hey");
        let told = if greets { String::new() } else { turned(head, first, people, world) };
        return Some(format!("{told} {question}").trim_start().to_owned());
    }
    Some(turned(head, words, people, world)).filter(|words| !words.is_empty())
}

fn turned(head: &Head<'_>, words: &str, people: &[Whom], world: &World) -> String {
    let orders = head.tells && matches!(head.manner, Manner::Tell | Manner::New);
    let to_one = matches!(people, [_]) && names_nobody(words, world);
    let turned = match head.manner {
        Manner::Ask => phrasing::asked(words),
        _ if orders && words.starts_with("to ") && to_one => {
            format!("Please {}", phrasing::yours(&words[3..]))
        }
        _ if orders && words.starts_with("to ") => format!("Please {}", &words[3..]),
        _ if orders && words.starts_with("not to ") => format!("Please don't {}", &words[7..]),
        _ if people.len() == 1 && head.reported => reported::to_one(words, &people[0], world),
        _ => words.to_owned(),
    };
    phrasing::sentence(phrasing::without_hello(&turned))
}

fn search(whom: &Whom, head: &Head<'_>) -> String {
    let from = match whom {
        Whom::Known { address, .. } | Whom::Address(address) => address.clone(),
        Whom::OneOf(_) | Whom::Stranger(_) => {
            let name = whom.short().to_lowercase();
            let name = name.trim_start_matches("the ").to_owned();
            if name.contains(' ') { format!("\"{name}\"") } else { name }
        }
    };
    match &head.about {
        Some(about) => format!("from:{from} {}", topic(about).to_lowercase()),
        None => format!("from:{from}"),
    }
}

/// Without "the" before it.
fn topic(about: &str) -> &str {
    ["the ", "my ", "our ", "a ", "an "]
        .iter()
        .find_map(|article| about.strip_prefix(article))
        .unwrap_or(about)
}

fn replying(
    who: &str,
    words: &str,
    letter: Option<&Letter>,
    search: Option<String>,
    draft_only: bool,
) -> Meaning {
    let step = |tool: &str, args: Value| ProposedStep { tool: tool.to_owned(), args };
    let mut steps = Vec::new();
    let message = match letter {
        Some(letter) => json!(letter.message_id),
        None => from_step(1, "/messages/0/message_id"),
    };
    let searches = search.is_some();
    if let Some(query) = search {
        steps.push(step("gmail.search", json!({ "query": query, "max_results": 1 })));
    }
    steps.push(step("gmail.draft_reply", json!({ "message_id": message, "intent": words })));
    let draft = steps.len();
    if draft_only {
        return Meaning::Look(vec![Lookup {
            steps,
            gist: Gist::Draft { who: who.to_owned(), reply: true, search: searches },
            acknowledgement: format!("Drafting to {who}."),
        }]);
    }
    steps.push(step(
        "gmail.send",
        json!({
            "to": [from_step(draft, "/to/0/address")],
            "subject": from_step(draft, "/subject"),
            "body": from_step(draft, "/body"),
            "thread_id": from_step(draft, "/thread_id"),
            "in_reply_to": from_step(draft, "/in_reply_to"),
            "draft_id": from_step(draft, "/draft_id"),
        }),
    ));
    Meaning::Look(vec![Lookup {
        steps,
        gist: Gist::Reply { who: who.to_owned(), search: searches },
        acknowledgement: format!("Writing to {who}."),
    }])
}

fn new_mail(who: &str, people: &[Whom], words: &str, head: &Head<'_>, world: &World) -> Meaning {
    let to: Vec<&str> = people.iter().filter_map(Whom::address).collect();
    let subject = match &head.about {
        Some(about) => phrasing::capital(topic(about)),
        None => subject(words),
    };
    let args = json!({ "to": to, "subject": subject, "body": letter(people, words, world) });
    let (tool, gist, verb) = if head.draft {
        let gist = Gist::Draft { who: who.to_owned(), reply: false, search: false };
        ("gmail.create_draft", gist, "Drafting")
    } else {
        ("gmail.send", Gist::Mail { who: who.to_owned() }, "Writing")
    };
    Meaning::Look(vec![Lookup {
        steps: vec![ProposedStep { tool: tool.into(), args }],
        gist,
        acknowledgement: format!("{verb} to {who}."),
    }])
}

/// Text that was dictated at length, or copied in, behind "reply to Tom:". The
/// request is what stands before the colon; what stands behind it is the mail,
/// whatever it says.
pub fn dictated(heard: &str, world: &World) -> Option<Meaning> {
    let (before, text) = heard.split_once(':')?;
    let starts = before.trim_start().starts_with(char::is_alphanumeric);
    if !starts || before.contains('\n') || text.trim().is_empty() {
        return None;
    }
    let mut said = words(before);
    vocabulary::mend(&mut said, &world.contacts);
    let request = sentence::without_lead(&said);
    let extras = extras::taken_out(before, request, world);
    let mut head = head::read(before, &extras.request, world)?;
    if head.words.is_some() || head.pronoun.is_some() || request.len() > LONGEST_REQUEST {
        return None;
    }
    head.words = Some(text.trim().to_owned());
    // As it was said: nothing is turned around in a long text.
    (head.manner, head.reported, head.tells) = (Manner::New, false, false);
    let meaning = match &head.target {
        Target::Letter(letter) => answer(&head, letter, before, &extras.request, world),
        Target::Nothing | Target::Missing { .. } | Target::Topic(_) => return None,
        Target::People { people, places } => {
            let all = &extras.request[places.clone()];
            let span = all.first()?.start..all.last()?.end;
            to_people(&head, people, &span, heard, &extras.request, world)
        }
    };
    Some(extras.put_into(meaning, heard, world))
}

/// Greeting, words and name. Words that bring their own are left alone.
fn letter(people: &[Whom], words: &str, world: &World) -> String {
    if words.split("\n\n").next().is_some_and(|first| is_greeting(first.trim()))
        && words.contains("\n\n")
    {
        return words.to_owned();
    }
    if greets(words) {
        return words.to_owned();
    }
    let known = |whom: &Whom| match whom {
        Whom::Known { short, .. } => Some(short.clone()),
        Whom::Address(address) => {
            let mut contacts = world.contacts.iter();
            let contact = contacts.find(|contact| contact.address.eq_ignore_ascii_case(address))?;
            Some(contact.short().to_owned())
        }
        Whom::OneOf(_) | Whom::Stranger(_) => None,
    };
    let names: Vec<String> = people.iter().filter_map(known).collect();
    let greeting = match names.len() {
        0 => "Hi,".to_owned(),
        _ if names.len() < people.len() => "Hi all,".to_owned(),
        _ => format!("Hi {},", list(&names, 0)),
    };
    let me = world.profile.name.as_deref().and_then(|name| name.split(' ').next());
    let me = me.map(|me| format!("\n\n{me}")).unwrap_or_default();
    format!("{greeting}\n\n{words}{me}")
}

/// "Hi Jonas, the samples arrived": dictated with a greeting of its own.
fn greets(words: &str) -> bool {
    let first = words.split([',', '\n']).next().unwrap_or("");
    let mut said = first.split_whitespace();
    let hello = said
        .next()
        .is_some_and(|hello| is_any(&hello.to_lowercase(), &["hi", "hello", "dear", "hey"]));
    let named = said.next().is_some_and(|name| name.starts_with(char::is_uppercase));
    hello && named && said.count() <= 2 && words.len() > first.len() + 2
}

fn wordless(who: &str, heard: &str, request: &[Word]) -> Meaning {
    let end = request.last().map_or(heard.len(), |last| last.end);
    let (before, after) = heard.split_at(end);
    let after = after.trim_end_matches(['.', '?', '!', ' ']);
    Meaning::Want(Want {
        question: format!("What should I say to {who}?"),
        awaited: Awaited {
            what: Missing::Words,
            before: before.to_owned(),
            after: after.to_owned(),
            day: None,
            instead_of: None,
        },
    })
}

/// "Send an email saying I'm late": the name goes in behind the noun.
fn nobody(noun: &Word, heard: &str) -> Meaning {
    Meaning::Want(Want {
        question: "Who should it go to?".to_owned(),
        awaited: Awaited {
            what: Missing::Address,
            before: format!("{} to ", &heard[..noun.end]),
            after: heard[noun.end..].to_owned(),
            day: None,
            instead_of: None,
        },
    })
}

#[cfg(test)]
#[path = "compose_tests.rs"]
mod tests;
