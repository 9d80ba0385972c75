//! Turns a write that is wanted into a card that can be shown.
//!
//! The tool freezes the arguments and draws the preview; where each recipient
//! comes from and how much of a yes it needs is decided here, by `brain::policy`,
//! whoever proposed it.

use std::sync::Arc;
use std::time::Duration;

use brain::card::{Recipient, Warning};
use brain::facts::Memory;
use brain::policy::{Because, Care, Known, Ruling, Source, rule, source};
use brain::resolve::keywords::Keywords;
use brain::resolve::people::{self, Candidate};
use brain::resolve::words::words;
use brain::{ActionLevel, CallError, Card};
use models::{World, narrator};
use serde_json::Value;
use tools::local::Occasion;
use tools::{Caller, Heard, Tool};

use crate::act::as_call_error;
use crate::house::House;
use crate::peril::{Moment, Side};

/// A tool that has not drawn its card by then has failed.
const PATIENCE: Duration = Duration::from_secs(15);
/// So much of a mail says what it is about.
const MOST_OF_A_LETTER: usize = 400;

/// So many of the latest words are looked through for a name.
const MOST_WORDS: usize = 60;

/// Warnings about an address that make a plain yes too little; one that was only heard is
/// another ([`Recipient::is_heard`]).
const DOUBTFUL: [&str; 2] = [tools::warning::OTHER_ADDRESS, tools::warning::ODD_ADDRESS];

/// A title is written as a keyword is, and was heard otherwise.
const KEYWORD_GUESSED: &str = "keyword_guessed";

/// Where words come from, for whom they may name.
pub(crate) struct Words<'a> {
    /// The person's own.
    pub said: &'a str,
    /// Those of them that were spoken: an address in them may be spelled otherwise.
    pub heard: &'a str,
    /// What was doubted of the card as it was seen, where it is drawn anew.
    pub doubted: &'a [Warning],
    /// What tools brought in this turn.
    pub read: Vec<String>,
}

/// The card for one use of a tool that writes, or why it is not even shown.
pub(crate) async fn card(
    tool: &Arc<dyn Tool>,
    args: Value,
    words: &Words<'_>,
    caller: &Caller,
    world: &World,
    house: &House,
) -> Result<Card, CallError> {
    let Some(writer) = tool.writer() else {
        return Err(refused("refused", format!("{} does not write", tool.name())));
    };
    let (args, took) = as_written(args, words.heard, world, &house.keywords);
    let heard = Heard { said: words.said.to_owned(), read: words.read.clone() };
    let caller = Caller { heard, ..caller.clone() };
    house.peril.pass(Moment::Preparing, Side::Before).await;
    let prepared = tokio::time::timeout(PATIENCE, writer.prepare(args, &caller)).await;
    house.peril.pass(Moment::Preparing, Side::After).await;
    let mut prepared = match prepared {
        Ok(Ok(prepared)) => prepared,
        Ok(Err(error)) => return Err(as_call_error(&error)),
        Err(_) => {
            return Err(refused("timeout", format!("{} did not answer in time", tool.name())));
        }
    };
    let contacts: Vec<_> = world.contacts.iter().map(|c| c.address.as_str()).collect();
    let thread: Vec<_> = prepared.thread.iter().map(String::as_str).collect();
    let content: Vec<_> = words.read.iter().map(String::as_str).collect();
    let known = Known { said: words.said, contacts: &contacts, thread: &thread, content: &content };
    for recipient in prepared.preview.recipients_mut() {
        recipient.source = source(&recipient.address, &known);
    }
    let sources: Vec<_> = prepared.preview.recipients().map(|one| one.source).collect();
    let voice = match rule(ActionLevel::Write, house.switches.of(tool.name()), &sources) {
        Ruling::Ask(care) => care,
        Ruling::Refuse(because) => return Err(not_shown(because, &prepared.preview)),
        // The rule for writes has no such answer; if it ever had, nothing is done.
        Ruling::Go => return Err(refused("refused", "a write needs a yes".into())),
    };
    let heard = as_heard(&prepared.preview, words, &contacts);
    let is_doubtful = |warning: &Warning| DOUBTFUL.contains(&warning.code.as_str());
    let doubtful = prepared.warnings.iter().any(is_doubtful) || !heard.is_empty();
    let voice = if doubtful { Care::Readback } else { voice };
    let voice = voice.max(said_aloud(&prepared.preview, &contacts));
    let mut warnings = prepared.warnings;
    warnings.extend(guessed(&prepared.preview, words.said, world));
    warnings.extend(took.or_else(|| taken_before(&prepared.preview, words, &house.keywords)));
    warnings.extend(heard);
    if voice == Care::Readback {
        warnings.extend(from_a_text(&prepared.preview));
    }
    warnings.extend(remembered(&prepared.preview, &caller, world, house).await);
    let speakable = narrator::card::ask(&prepared.preview, &warnings, world);
    Ok(Card {
        action_type: prepared.action_type.to_owned(),
        title: prepared.title,
        speakable,
        preview: prepared.preview,
        payload: prepared.payload,
        editable: prepared.editable,
        warnings,
        voice,
    })
}

/// How much of a yes it needs from somebody who says it: ears mishear, and what reaches several
/// people or a stranger, or takes something away, cannot be had back.
fn said_aloud(preview: &brain::Preview, contacts: &[&str]) -> Care {
    let is_contact =
        |one: &Recipient| contacts.iter().any(|it| it.eq_ignore_ascii_case(&one.address));
    let is_stranger = |one: &Recipient| one.source != Source::Thread && !is_contact(one);
    let (reaches_them, takes_away) = match preview {
        // A guest on a calendar that tells nobody learns nothing of it.
        brain::Preview::Event(event) => (event.invites_guests, event.cancels()),
        brain::Preview::Memory(memory) => (false, memory.forgets),
        brain::Preview::Email(_) | brain::Preview::Lines { .. } => (true, false),
    };
    let reached = || preview.recipients().filter(|_| reaches_them);
    let is_much = takes_away || reached().count() > 1 || reached().any(is_stranger);
    if is_much { Care::Named } else { Care::Allow }
}

/// An address that was spelled aloud and stands in no address book, now or before the card
/// was drawn anew.
fn as_heard(preview: &brain::Preview, words: &Words<'_>, contacts: &[&str]) -> Vec<Warning> {
    let heard = Known { said: words.heard, contacts: &[], thread: &[], content: &[] };
    let is_known =
        |one: &Recipient| contacts.iter().any(|it| it.eq_ignore_ascii_case(&one.address));
    let is_heard = |one: &&Recipient| {
        source(&one.address, &heard) == Source::Explicit || one.is_heard(words.doubted)
    };
    let doubted = preview.recipients().filter(|one| !is_known(one)).filter(is_heard);
    doubted.map(Warning::heard).collect()
}

/// A title that was heard and sounds exactly like a keyword is written like it, and the
/// card says so. Whatever sounds only nearly so stays as it was heard.
fn as_written(
    mut args: Value,
    heard: &str,
    world: &World,
    keywords: &Keywords,
) -> (Value, Option<Warning>) {
    let title = args["title"].as_str().unwrap_or_default();
    let nearly = keywords.nearly(title).filter(|nearly| nearly.is_one_sound);
    let Some(nearly) = nearly else { return (args, None) };
    let said = &title[nearly.span.clone()];
    let &[keyword] = nearly.keywords.as_slice() else { return (args, None) };
    let is_somebody = !people::known(said, &world.contacts).is_empty();
    if is_somebody || !heard.to_lowercase().contains(&said.to_lowercase()) {
        return (args, None);
    }
    let text = format!("I took “{said}” for {keyword}");
    let before = &title[..nearly.span.start];
    args["title"] = format!("{before}{keyword}{}", &title[nearly.span.end..]).into();
    (args, Some(Warning { code: KEYWORD_GUESSED.to_owned(), text }))
}

/// The same of a card that is drawn anew, while the keyword stands in its title.
fn taken_before(
    preview: &brain::Preview,
    words: &Words<'_>,
    keywords: &Keywords,
) -> Option<Warning> {
    let brain::Preview::Event(event) = preview else { return None };
    let holds = |warning: &&Warning| {
        let stands = |keyword: &str| event.title.contains(keyword);
        warning.code == KEYWORD_GUESSED
            && keywords.iter().any(|it| stands(it) && warning.text.ends_with(it))
    };
    words.doubted.iter().find(holds).cloned()
}

/// Who was meant by a name that is not quite theirs: people can see what was taken
/// for whom.
fn guessed(preview: &brain::Preview, said: &str, world: &World) -> Vec<Warning> {
    let said = words(said);
    let said = &said[said.len().saturating_sub(MOST_WORDS)..];
    let runs: Vec<String> = (1..=2)
        .flat_map(|length| said.windows(length))
        .map(|run| run.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "))
        .collect();
    let of_contact = preview.recipients().filter(|one| one.source == Source::Contact);
    let warn = |one: &Recipient| {
        let is_meant = |found: &Candidate<'_>| found.contact.address == one.address;
        let named = runs.iter().any(|run| people::known(run, &world.contacts).iter().any(is_meant));
        let is_guess = |found: &Candidate<'_>| is_meant(found) && found.reason.is_guess();
        let heard = runs.iter().filter(|_| !named);
        let heard = heard.max_by_key(|run| {
            people::find(run, &world.contacts).iter().any(is_guess).then_some(run.len())
        });
        let heard = heard.filter(|run| people::find(run, &world.contacts).iter().any(is_guess))?;
        let text = format!("I took “{heard}” for {}", one.called());
        Some(Warning { code: "name_guessed".to_owned(), text })
    };
    of_contact.filter_map(warn).collect()
}

/// What the person asked to be remembered of whom and what this is about. It stands
/// beside the write and changes nothing in it.
async fn remembered(
    preview: &brain::Preview,
    caller: &Caller,
    world: &World,
    house: &House,
) -> Vec<Warning> {
    let occasion = match preview {
        brain::Preview::Event(event) => Occasion::Meeting(event.title.clone()),
        brain::Preview::Email(mail) => {
            let begins: String = mail.body_text.chars().take(MOST_OF_A_LETTER).collect();
            Occasion::Letter(format!("{}\n{begins}", mail.subject))
        }
        brain::Preview::Memory(_) | brain::Preview::Lines { .. } => return Vec::new(),
    };
    let Some(place) = caller.place else { return Vec::new() };
    let first = |one: &Recipient| narrator::card::short_name(one).to_owned();
    let mut names: Vec<String> =
        preview.recipients().filter(|one| one.name.is_some()).map(first).collect();
    if let Occasion::Meeting(title) = &occasion {
        names.extend(named_in(title, world));
    }
    names.sort();
    names.dedup();
    let noted = house.recollection.notes(caller.user, place.session, names, occasion);
    let Ok(noted) = tokio::time::timeout(PATIENCE, noted).await else { return Vec::new() };
    let warn = |memory: &Memory| Warning {
        code: "remembered".to_owned(),
        text: narrator::remembered(memory, &world.local_now()),
    };
    noted.iter().map(warn).collect()
}

/// The people in a title: "Lunch with Tom".
fn named_in(title: &str, world: &World) -> Vec<String> {
    let titled = words(title);
    let is_contact = |word: &&brain::resolve::words::Word| {
        let called = |name: &str| {
            name.split(' ').next().is_some_and(|it| it.eq_ignore_ascii_case(&word.text))
        };
        world.contacts.iter().any(|contact| called(&contact.name))
    };
    titled.iter().filter(is_contact).map(|word| title[word.start..word.end].to_owned()).collect()
}

fn from_a_text(preview: &brain::Preview) -> impl Iterator<Item = Warning> {
    preview.recipients().filter(|one| one.source == Source::Content).map(|one| Warning {
        code: "content_recipient".into(),
        text: format!("{} comes from a text, not from you", one.address),
    })
}

fn not_shown(because: Because, preview: &brain::Preview) -> CallError {
    let unknown = preview.recipients().find(|one| one.source == Source::Unknown);
    let message = match because {
        Because::Paused => "all writes are paused".to_owned(),
        Because::ToolOff => "this tool is switched off".to_owned(),
        Because::UnknownRecipient => {
            let address = unknown.map_or("", |one| one.address.as_str());
            format!("{address} is in no contact, no mail at hand and not in the request")
        }
    };
    refused(because.code(), message)
}

pub(crate) fn refused(code: &str, message: String) -> CallError {
    CallError { code: code.to_owned(), message, retryable: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brain::Preview;
    use brain::card::EmailPreview;

    fn to(address: &str) -> Preview {
        let one = Recipient { name: None, address: address.into(), source: Source::Explicit };
        Preview::Email(Box::new(EmailPreview {
            from: None,
            to: vec![one],
            cc: Vec::new(),
            subject: String::new(),
            body_text: String::new(),
            in_reply_to: None,
            has_draft: false,
        }))
    }

    fn doubts(preview: &Preview, heard: &str, seen: &[Warning], contacts: &[&str]) -> Vec<String> {
        let words = Words { said: "", heard, doubted: seen, read: Vec::new() };
        as_heard(preview, &words, contacts).into_iter().map(|warning| warning.text).collect()
    }

    #[test]
    fn a_title_that_sounds_like_a_keyword_is_written_like_it_where_it_was_heard() {
        let keywords = Keywords::new(&["Brightloom".to_owned(), "Tomm".to_owned()]).unwrap();
        let world = models::corpus::world();
        let drawn = |title: &str, heard: &str| {
            let args = serde_json::json!({ "title": title, "start": "then" });
            let (args, took) = as_written(args, heard, &world, &keywords);
            assert_eq!(args["start"], "then");
            (args["title"].as_str().unwrap().to_owned(), took.map(|took| took.text))
        };
        let said = "book a bright loom review tomorrow at three";
        let took = Some("I took “Bright loom” for Brightloom".to_owned());
        assert_eq!(drawn("Bright loom review", said), ("Brightloom review".to_owned(), took));
        // Typed, another word, and right as it is.
        for (title, heard) in [
            ("Bright loom review", ""),
            ("Bright room review", "book a bright room review"),
            ("Brightloom review", "book a brightloom review"),
            // Somebody is called so.
            ("Lunch with Tom", "book lunch with tom"),
        ] {
            assert_eq!(drawn(title, heard), (title.to_owned(), None));
        }
        let nothing = serde_json::json!({ "to": ["ana@example.com"] });
        assert_eq!(as_written(nothing.clone(), said, &world, &keywords), (nothing, None));
    }

    #[test]
    fn a_spoken_yes_has_to_tell_what_to_do_where_it_reaches_several_or_strangers() {
        let contacts = ["ana@x.example", "tom@x.example"];
        let care = |card: &Preview| said_aloud(card, &contacts);
        assert_eq!(care(&to("ana@x.example")), Care::Allow);
        assert_eq!(care(&to("eve@evil.example")), Care::Named);
        let Preview::Email(mut both) = to("ana@x.example") else { unreachable!("it is a mail") };
        both.cc = vec![Recipient { address: "tom@x.example".into(), ..both.to[0].clone() }];
        assert_eq!(care(&Preview::Email(both)), Care::Named);
        let Preview::Email(mut reply) = to("dana@y.example") else { unreachable!("it is a mail") };
        reply.to[0].source = Source::Thread;
        assert_eq!(care(&Preview::Email(reply)), Care::Allow);
        for (forgets, expected) in [(false, Care::Allow), (true, Care::Named)] {
            let memory = brain::card::MemoryPreview {
                text: "Ana is allergic".into(),
                forgets,
                alike: Vec::new(),
                also: Vec::new(),
                derived_from: None,
            };
            assert_eq!(care(&Preview::Memory(Box::new(memory))), expected);
        }
    }

    #[test]
    fn an_address_that_was_spelled_aloud_is_doubted_until_it_is_another() {
        let heard = "send it to eve dot o at evil dot example";
        let (eve, doubt) =
            (to("eve.o@evil.example"), "eve.o@evil.example is as I heard it. Is it spelled right?");
        assert_eq!(doubts(&eve, heard, &[], &[]), [doubt]);
        // Typed, or known from elsewhere.
        assert_eq!(doubts(&eve, "", &[], &[]), [""; 0]);
        assert_eq!(doubts(&eve, heard, &[], &["Eve.O@evil.example"]), [""; 0]);

        let seen: Vec<_> = eve.recipients().map(Warning::heard).collect();
        assert_eq!(doubts(&eve, "make it shorter", &seen, &[]), [doubt]);
        assert_eq!(doubts(&eve, heard, &seen, &[]), [doubt]);
        assert_eq!(doubts(&to("eve.oh@evil.example"), "", &seen, &[]), [""; 0]);
    }
}
