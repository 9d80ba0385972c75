use brain::card::{EmailPreview, EventPreview, Warning};
use serde_json::json;

use super::*;
use crate::corpus;

pub fn person(name: &str, address: &str, source: Source) -> Recipient {
    Recipient { name: Some(name.into()), address: address.into(), source }
}

pub fn priya() -> Recipient {
    person("Priya Nair", "priya.nair@brightloom.example", Source::Contact)
}

pub fn tom() -> Recipient {
    person("Tom Okafor", "tom.okafor@brightloom.example", Source::Contact)
}

pub fn mail_to(to: Vec<Recipient>, body: &str) -> Preview {
    Preview::Email(Box::new(EmailPreview {
        from: Some("maya@lindqvist.example".into()),
        to,
        cc: Vec::new(),
        subject: "Re: Samples".into(),
        body_text: format!("Hi Priya,\n\n{body}\n\nMaya"),
        in_reply_to: Some("Priya Nair, Samples".into()),
        has_draft: true,
    }))
}

/// To Priya: Thursday at three works.
pub fn mail() -> Preview {
    mail_to(vec![priya()], "Thursday at three works. See you then.")
}

/// Lunch with Tom on Thursday at noon, for half an hour.
pub fn lunch() -> Preview {
    Preview::Event(Box::new(EventPreview {
        title: "Lunch with Tom".into(),
        start: "2026-11-19T12:00:00-08:00[America/Los_Angeles]".parse().unwrap(),
        end: "2026-11-19T12:30:00-08:00[America/Los_Angeles]".parse().unwrap(),
        minutes: 30,
        length_assumed: true,
        attendees: vec![tom()],
        invites_guests: false,
        location: None,
        conflicts: Vec::new(),
        free_instead: Vec::new(),
        change: None,
    }))
}

/// The payload as a tool would have made it.
pub fn payload(preview: &Preview) -> Map<String, Value> {
    let addresses = |people: &[Recipient]| -> Vec<String> {
        people.iter().map(|one| one.address.clone()).collect()
    };
    let value = match preview {
        Preview::Email(email) => json!({
            "from": email.from, "to": addresses(&email.to), "cc": addresses(&email.cc),
            "subject": email.subject, "body": email.body_text, "thread_id": "t",
        }),
        Preview::Event(event) => json!({
            "title": event.title, "start": event.start, "end": event.end,
            "attendees": addresses(&event.attendees),
        }),
        Preview::Memory(_) | Preview::Lines { .. } => json!({}),
    };
    value.as_object().unwrap().clone()
}

pub fn event_called(title: &str) -> Preview {
    let Preview::Event(mut event) = lunch() else { panic!("lunch is an event") };
    event.title = title.into();
    Preview::Event(event)
}

pub fn to(heard: &str, previews: &[Preview]) -> Reply {
    to_in(heard, previews, &corpus::world())
}

pub fn to_in(heard: &str, previews: &[Preview], world: &World) -> Reply {
    to_doubted(heard, previews, &[], world)
}

/// The same, with what is doubted of whom they are for.
pub fn to_doubted(heard: &str, previews: &[Preview], warnings: &[Warning], world: &World) -> Reply {
    let payloads: Vec<_> = previews.iter().map(payload).collect();
    let called: Vec<_> = previews.iter().map(card::called).collect();
    let views: Vec<_> = previews
        .iter()
        .enumerate()
        .map(|(at, preview)| CardView {
            preview,
            payload: &payloads[at],
            called: &called[at],
            action_type: "any",
            warnings,
        })
        .collect();
    read(heard, &views, world)
}

/// What becomes of a mail with these words, without its greeting and its name.
pub fn said_of(heard: &str, body: &str) -> String {
    let text = outline(&to(heard, &[mail_to(vec![priya()], body)]));
    text.replace("Hi Priya,|", "").replace("|Maya", "")
}

/// What kind of reply it is, and what it would change.
pub fn outline(reply: &Reply) -> String {
    match reply {
        Reply::Accept { card, names_recipient } => {
            format!("accept {card}{}", if *names_recipient { " named" } else { "" })
        }
        Reply::Reject { card } => format!("reject {card}"),
        Reply::Keep { card } => format!("keep {card}"),
        Reply::Instead { card } => format!("instead {card}"),
        Reply::Revise { changes, .. } => {
            let fields: Vec<_> =
                changes.iter().map(|(name, value)| format!("{name}={}", brief(value))).collect();
            format!("revise {}", fields.join(" "))
        }
        Reply::CannotRevise { .. } => "cannot".into(),
        Reply::Explain { say, .. } => format!("explain {say}"),
        Reply::Which { say, .. } => format!("which {say}"),
        Reply::Besides { answer, rest, .. } => format!("{}, then {rest}", outline(answer)),
        Reply::Hold { .. } => "hold".into(),
        Reply::NotAnAnswer => "other".into(),
    }
}

/// Times without their zone, addresses without their host.
fn brief(value: &Value) -> String {
    match value {
        Value::String(text) if text.ends_with(']') => text[..16].replace("2026-11-", ""),
        Value::String(text) => text.replace("\n\n", "|"),
        Value::Array(items) => {
            let short =
                |item: &Value| item.as_str().unwrap_or("").split('@').next().unwrap().to_owned();
            items.iter().map(short).collect::<Vec<_>>().join(",")
        }
        other => other.to_string(),
    }
}

pub fn check(previews: &[Preview], cases: &[(&str, &str)]) {
    let wrong: Vec<_> = cases
        .iter()
        .map(|(heard, expected)| (heard, expected, outline(&to(heard, previews))))
        .filter(|(_, expected, got)| {
            // Of an explanation the beginning will do.
            if expected.starts_with("explain") {
                !got.starts_with(*expected)
            } else {
                got != *expected
            }
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), cases.len());
}

#[test]
fn a_mail_is_answered_plainly_or_not_at_all() {
    check(
        &[mail()],
        &[
            ("yes", "accept 0"),
            ("Yes, send it.", "accept 0"),
            ("send it", "accept 0"),
            ("yes please", "accept 0"),
            ("go ahead", "accept 0"),
            ("send the mail", "accept 0"),
            ("send the reply", "accept 0"),
            ("please send the email now", "accept 0"),
            ("looks good, send it", "accept 0"),
            ("yes, send it to Priya", "accept 0 named"),
            ("send it to priya", "accept 0 named"),
            ("yes send it to priya nair please", "accept 0 named"),
            ("send it to priya.nair@brightloom.example", "accept 0 named"),
            ("send priya the mail", "accept 0 named"),
            ("send the reply to Priya", "accept 0 named"),
            ("mail it", "accept 0"),
            ("let it go", "other"),
            ("sayso, send it", "accept 0"),
            ("no", "reject 0"),
            ("no, don't send it", "reject 0"),
            ("don't send that", "reject 0"),
            ("don’t send", "reject 0"),
            ("cancel", "reject 0"),
            ("cancel it", "reject 0"),
            ("cancel the mail", "reject 0"),
            ("never mind", "reject 0"),
            ("forget it", "reject 0"),
            ("stop", "reject 0"),
            ("not now", "reject 0"),
            ("no thanks", "reject 0"),
            ("don't send it to priya", "reject 0"),
            ("nope, leave it", "reject 0"),
            // Doubt and contradiction.
            ("yes I think", "hold"),
            ("maybe", "hold"),
            ("yes but not now", "hold"),
            ("yes no wait", "hold"),
            ("hmm", "hold"),
            ("wait", "hold"),
            ("hold on", "hold"),
            ("give me a second", "hold"),
            ("ok", "hold"),
            ("looks good", "hold"),
            ("I guess so", "hold"),
            ("yes later", "hold"),
            ("yes?", "hold"),
            ("yes if tom agrees", "hold"),
            ("should i send it?", "hold"),
            // Another action, another person.
            ("book it", "hold"),
            ("yes, book it", "hold"),
            ("yes, put it on my calendar", "hold"),
            ("yes mom, I'm coming", "hold"),
            ("yes mom", "hold"),
            ("hey Tom, yes send it over", "hold"),
            ("Tom, yes, send it", "hold"),
            ("yes, Tom", "hold"),
            ("yeah dad send it", "hold"),
            ("no mom I'm busy", "hold"),
            ("she said \"send it\"", "hold"),
            ("\"yes\"", "hold"),
            ("don't send it to tom", "cannot"),
            // Something else.
            ("what's on tomorrow", "other"),
            ("any mail from Tom?", "other"),
            ("when am i free on friday", "other"),
            ("what time is it", "other"),
            ("banana", "hold"),
            ("proceed", "hold"),
            ("correct", "hold"),
            ("lgtm", "hold"),
            ("👍", "accept 0"),
            ("👎", "hold"),
            ("not yet", "hold"),
            ("no problem, send it", "accept 0"),
            ("no worries, go ahead", "accept 0"),
            ("no problem", "hold"),
            ("certainly", "accept 0"),
            ("accept", "accept 0"),
            ("yes sir", "accept 0"),
            ("say yes", "hold"),
            ("yes, forget it", "reject 0"),
            ("yes, scrap that", "reject 0"),
            ("yes stop", "reject 0"),
            ("no rush", "hold"),
            ("no changes", "hold"),
            ("write to Dana that I am late", "other"),
            ("write Dana that I am late", "other"),
            ("the weather is lovely", "other"),
            ("thank you", "other"),
            ("cancel my dentist appointment", "other"),
            ("tell Ana I'm late", "other"),
            ("", "other"),
            ("> yes\n> send it", "other"),
            ("Hi Maya, yes, send it", "other"),
        ],
    );
}

#[test]
fn a_mail_can_be_left_as_a_draft() {
    check(
        &[mail()],
        &[
            ("keep it as a draft", "keep 0"),
            ("save it as a draft", "keep 0"),
            ("leave it as a draft", "keep 0"),
            ("Don't send it yet, keep it.", "keep 0"),
            ("no, save it as a draft please", "keep 0"),
            ("don't send it, just save it for later", "keep 0"),
            ("keep the reply as a draft for now", "keep 0"),
            ("save as draft", "keep 0"),
            ("leave it in my drafts", "keep 0"),
            ("put it in the drafts instead", "keep 0"),
            ("make it a draft", "keep 0"),
            ("keep it as a draft?", "hold"),
            ("keep it", "hold"),
            ("did she say \"keep it as a draft\"", "other"),
        ],
    );
    check(&[lunch()], &[("keep it as a draft", "hold")]);
    check(&[mail(), lunch()], &[("keep it as a draft", "keep 0")]);
    let two = [mail(), mail_to(vec![tom()], "Thursday works.")];
    check(&two, &[("save it as a draft", "which The reply to Priya or the reply to Tom?")]);
}

#[test]
fn a_mail_is_explained_from_its_card() {
    check(
        &[mail()],
        &[
            (
                "who is that going to?",
                "explain It goes to Priya Nair, priya.nair@brightloom.example.",
            ),
            ("who's it going to", "explain It goes to Priya Nair"),
            ("who gets it", "explain It goes to Priya Nair"),
            ("to whom", "explain It goes to Priya Nair"),
            ("which address", "explain It goes to Priya Nair"),
            ("wait, who is it to?", "explain It goes to Priya Nair"),
            ("what does it say?", "explain It says: Thursday at three works. See you then."),
            ("what does the mail say", "explain It says: Thursday"),
            ("read it again", "explain It says: Thursday"),
            ("read it to me", "explain It says: Thursday"),
            ("read me the mail", "explain It says: Thursday"),
            ("say that again please", "explain It says: Thursday"),
            ("show me the draft", "explain It says: Thursday"),
            ("what's the subject?", "explain The subject is “Re: Samples”."),
            ("when does it go", "other"),
            ("why?", "explain I ask before"),
            ("how long is it", "explain It has seven words."),
        ],
    );
}

#[test]
fn a_mail_is_changed_in_one_place() {
    check(
        &[mail()],
        &[
            (
                "send it to Tom instead",
                "revise to=tom.okafor body=Hi Tom,|Thursday at three works. See you then.|Maya",
            ),
            (
                "send it to Tom",
                "revise to=tom.okafor body=Hi Tom,|Thursday at three works. See you then.|Maya",
            ),
            (
                "yes, send it to tom",
                "revise to=tom.okafor body=Hi Tom,|Thursday at three works. See you then.|Maya",
            ),
            ("send it to Priya and Tom", "revise to=priya.nair,tom.okafor"),
            ("to tom too", "revise to=priya.nair,tom.okafor"),
            ("send it to x@y.example instead", "revise to=x"),
            ("add Ana", "revise to=priya.nair,ana.ruiz"),
            ("cc Ana", "revise cc=ana.ruiz"),
            ("copy tom and ana", "revise cc=tom.okafor,ana.ruiz"),
            ("copy Ana in", "revise cc=ana.ruiz"),
            ("with a copy to ana please", "revise cc=ana.ruiz"),
            ("cc sam", "cannot"),
            ("with subject Lunch", "revise subject=Lunch"),
            ("subject: Lunch on Friday", "revise subject=Lunch on Friday"),
            ("say see you there 🎉", "revise body=Hi Priya,|See you there 🎉|Maya"),
            ("say: <b>yes</b>", "revise body=Hi Priya,|<b>yes</b>|Maya"),
            ("send it to Bob", "cannot"),
            ("send it to sam instead", "cannot"),
            ("cc zoe", "cannot"),
            ("bcc Ana", "cannot"),
            ("without Priya", "cannot"),
            ("change the subject to Samples on Friday", "revise subject=Samples on Friday"),
            ("make the subject \"Glass\"", "revise subject=Glass"),
            (
                "add that I'll bring cake",
                "revise body=Hi Priya,|Thursday at three works. See you then. I'll bring cake.|Maya",
            ),
            (
                "also say thanks for waiting",
                "revise body=Hi Priya,|Thursday at three works. See you then. Thanks for waiting.|Maya",
            ),
            (
                "add that she can bring Tom",
                "revise body=Hi Priya,|Thursday at three works. See you then. You can bring Tom.|Maya",
            ),
            (
                "say Friday instead of Thursday",
                "revise body=Hi Priya,|Friday at three works. See you then.|Maya",
            ),
            (
                "change Thursday to Friday",
                "revise body=Hi Priya,|Friday at three works. See you then.|Maya",
            ),
            (
                "no, Friday not Thursday",
                "revise body=Hi Priya,|Friday at three works. See you then.|Maya",
            ),
            (
                "replace three with four",
                "revise body=Hi Priya,|Thursday at four works. See you then.|Maya",
            ),
            ("change Monday to Friday", "cannot"),
            (
                "make it four o'clock",
                "revise body=Hi Priya,|Thursday at four o'clock works. See you then.|Maya",
            ),
            ("make it friday", "revise body=Hi Priya,|Friday at three works. See you then.|Maya"),
            ("friday instead", "revise body=Hi Priya,|Friday at three works. See you then.|Maya"),
            (
                "yes but make it friday",
                "revise body=Hi Priya,|Friday at three works. See you then.|Maya",
            ),
            ("remove the last sentence", "revise body=Hi Priya,|Thursday at three works.|Maya"),
            ("without the last line", "revise body=Hi Priya,|Thursday at three works.|Maya"),
            (
                "say: I'm in, see you Thursday",
                "revise body=Hi Priya,|I'm in, see you Thursday.|Maya",
            ),
            ("just say ok", "revise body=Hi Priya,|Ok.|Maya"),
            ("make it shorter", "cannot"),
            ("make it friendlier please", "cannot"),
            ("yes but make it shorter", "cannot"),
            ("change it", "cannot"),
            ("edit", "cannot"),
            ("rewrite it", "cannot"),
        ],
    );
}

#[test]
fn a_subject_made_from_the_words_goes_with_them() {
    let mail = |subject: &str, in_reply_to: Option<&str>| {
        let Preview::Email(email) = mail_to(vec![priya()], "The prints are ready.") else {
            panic!("a mail")
        };
        let (subject, in_reply_to) = (subject.to_owned(), in_reply_to.map(str::to_owned));
        [Preview::Email(Box::new(EmailPreview { subject, in_reply_to, ..*email }))]
    };
    let body = "body=Hi Priya,|The frames are late.|Maya";
    check(
        &mail("The prints are ready", None),
        &[
            (
                "change the text to the frames are late",
                &format!("revise {body} subject=The frames are late"),
            ),
            (
                "add that I'll bring them",
                "revise body=Hi Priya,|The prints are ready. I'll bring them.|Maya",
            ),
            (
                "change prints to frames",
                "revise body=Hi Priya,|The frames are ready.|Maya subject=The frames are ready",
            ),
        ],
    );
    for own in [mail("News", None), mail("The prints are ready", Some("Priya, Prints"))] {
        check(&own, &[("change the text to the frames are late", &format!("revise {body}"))]);
    }
}

#[test]
fn an_event_is_answered_and_changed() {
    check(
        &[lunch()],
        &[
            ("yes", "accept 0"),
            ("book it", "accept 0"),
            ("put it in", "accept 0"),
            ("yes, put it on my calendar", "accept 0"),
            ("add it to my calendar", "accept 0"),
            ("schedule it", "accept 0"),
            ("book lunch", "accept 0"),
            ("yes, book lunch with Tom", "accept 0"),
            ("send the invite", "accept 0"),
            ("send the invite to tom", "accept 0 named"),
            ("yes to lunch", "accept 0"),
            ("send it", "hold"),
            ("send the mail", "hold"),
            ("no", "reject 0"),
            ("cancel lunch", "reject 0"),
            ("don't book it", "reject 0"),
            ("cancel my meeting with ana", "other"),
            ("make it four o'clock", "revise start=19T16:00 end=19T16:30"),
            ("at 4 instead", "revise start=19T16:00 end=19T16:30"),
            ("four", "revise start=19T16:00 end=19T16:30"),
            ("move it to 3:30", "revise start=19T15:30 end=19T16:00"),
            ("Friday instead", "revise start=20T12:00 end=20T12:30"),
            ("no, make it friday", "revise start=20T12:00 end=20T12:30"),
            ("friday at one", "revise start=20T13:00 end=20T13:30"),
            ("make it 11", "revise start=19T11:00 end=19T11:30"),
            ("an hour", "revise end=19T13:00"),
            ("45 minutes", "revise end=19T12:45"),
            ("make it an hour", "revise end=19T13:00"),
            ("for an hour", "revise end=19T13:00"),
            ("from 1 to 2", "revise start=19T13:00 end=19T14:00"),
            ("friday at 1 for an hour", "revise start=20T13:00 end=20T14:00"),
            ("half an hour later", "revise start=19T12:30 end=19T13:00"),
            ("an hour earlier", "revise start=19T11:00 end=19T11:30"),
            ("push it back an hour", "revise start=19T13:00 end=19T13:30"),
            ("how about friday?", "revise start=20T12:00 end=20T12:30"),
            ("tomorrow at noon", "revise start=16T12:00 end=16T12:30"),
            ("thursday at noon", "cannot"),
            ("friday morning", "cannot"),
            ("call it planning", "revise title=Planning"),
            ("change the title to Lunch and planning", "revise title=Lunch and planning"),
            ("at Blue Bottle", "revise location=Blue Bottle"),
            ("in room 4", "revise location=Room 4"),
            ("in a minute", "hold"),
            ("add Ana", "revise attendees=tom.okafor,ana.ruiz"),
            ("invite Priya too", "revise attendees=tom.okafor,priya.nair"),
            ("without Tom", "revise attendees= title=Lunch"),
            ("without Ana", "cannot"),
            ("add zoe", "cannot"),
            ("don't add Ana", "hold"),
            ("when is it?", "explain It is on Thursday from 12 to 12:30."),
            ("how long?", "explain It takes 30 minutes"),
            ("where is it", "explain No place is given."),
            ("who is invited", "explain It is with Tom Okafor"),
            ("who's coming?", "explain It is with Tom"),
            ("what is it called", "explain It is called"),
            ("what's on thursday", "other"),
            ("what's on", "other"),
            ("am i free on thursday at noon", "other"),
        ],
    );
}
