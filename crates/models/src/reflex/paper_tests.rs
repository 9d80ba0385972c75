//! Sentences about files, and sentences that only stand beside one.

use brain::ids::Uuid;
use brain::paper::OpenedFile;
use brain::{Attached, FileId};

use super::*;
use crate::corpus;
use crate::gist::{Chat, Countable, Figure};
use crate::reflex;

fn file(number: u128, name: &str, media_type: &str) -> Attached {
    Attached {
        file_id: FileId(Uuid::from_u128(number)),
        name: name.into(),
        media_type: media_type.into(),
    }
}

const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

fn lease() -> Attached {
    file(1, "lease.pdf", "application/pdf")
}

fn sales() -> Attached {
    file(2, "Sales 2026.csv", "text/csv")
}

fn invite() -> Attached {
    file(3, "review.ics", "text/calendar")
}

fn mail() -> Attached {
    file(4, "lunch.eml", "message/rfc822")
}

fn cat() -> Attached {
    file(5, "cat.png", "image/png")
}

/// These come with the sentence.
fn with(files: &[Attached]) -> World {
    let mut world = corpus::world();
    world.focus.attach(files.to_vec());
    world
}

/// These came before; the last of them was spoken of.
fn after(files: &[Attached]) -> World {
    let mut world = with(files);
    world.focus.file = files.last().map(|file| file.file_id);
    world.focus.handed.clear();
    world
}

fn want(heard: &str, world: &World) -> Option<(String, PaperWant)> {
    match reflex::read(heard, world).gist {
        Gist::Paper(about) => Some((about.name, about.want)),
        _ => None,
    }
}

fn wants(heard: &str, world: &World) -> PaperWant {
    want(heard, world).unwrap_or_else(|| panic!("{heard}: {:?}", reflex::read(heard, world))).1
}

#[test]
fn what_is_in_a_file_is_asked_in_many_ways() {
    let world = with(&[lease()]);
    for heard in [
        "what's in this file",
        "What is this?",
        "what is this about?",
        "what does it say",
        "What's this document about?",
        "open it",
        "what kind of file is this",
        "here you go",
    ] {
        assert_eq!(wants(heard, &world), PaperWant::Overview, "{heard}");
    }
    for heard in ["summarize the pdf", "Can you summarise this?", "give me the key points", "tldr"]
    {
        assert_eq!(wants(heard, &world), PaperWant::Summary, "{heard}");
    }
}

#[test]
fn a_topic_is_taken_from_the_question() {
    let world = with(&[lease()]);
    for (heard, topic) in [
        ("what does it say about the deadline?", "deadline"),
        ("does it mention pets", "pets"),
        ("is there anything about late payments in the pdf?", "late payments"),
        ("when is the rent due?", "rent due"),
        ("how much is the rent", "rent"),
        ("who signs the lease?", "signs the lease"),
        ("find the notice period", "notice period"),
    ] {
        assert_eq!(wants(heard, &world), PaperWant::About(topic.into()), "{heard}");
    }
}

#[test]
fn pages_are_counted_and_go_on() {
    let mut world = after(&[lease()]);
    let page = |number| PaperWant::Page { number, from: 0 };
    assert_eq!(wants("and the second page?", &world), page(2));
    assert_eq!(wants("page 3", &world), page(3));
    assert_eq!(wants("read me the pdf", &world), page(1));
    assert_eq!(wants("read it", &world), page(1));
    world.focus.page = Some((2, 60));
    assert_eq!(wants("next page", &world), page(3));
    assert_eq!(wants("the previous page", &world), page(1));
    assert_eq!(wants("go on", &world), page(3));
    world.focus.page_goes_on = true;
    assert_eq!(wants("read on", &world), PaperWant::Page { number: 2, from: 60 });
    assert_eq!(wants("yes", &world), PaperWant::Page { number: 2, from: 60 });
}

#[test]
fn figures_of_a_table_are_asked_for_by_column() {
    let world = after(&[sales()]);
    let figure = |figure, column: &str| PaperWant::Figure(figure, column.into());
    for (heard, expected) in [
        ("how many rows", PaperWant::HowMany(Countable::Rows)),
        ("How many rows does it have?", PaperWant::HowMany(Countable::Rows)),
        ("what is the total of amount", figure(Figure::Sum, "amount")),
        ("what's the total?", figure(Figure::Sum, "")),
        ("average price", figure(Figure::Mean, "price")),
        ("the highest unit price", figure(Figure::Most, "unit price")),
        ("what's the most common city?", figure(Figure::Top, "city")),
        ("which columns are there", PaperWant::Columns),
    ] {
        assert_eq!(wants(heard, &world), expected, "{heard}");
    }
}

#[test]
fn mails_invitations_and_pictures_have_questions_of_their_own() {
    assert_eq!(wants("who is it from?", &with(&[mail()])), PaperWant::From);
    assert_eq!(wants("when was it sent", &with(&[mail()])), PaperWant::Sent);
    assert_eq!(wants("what's attached to it?", &with(&[mail()])), PaperWant::Enclosed);
    let invited = with(&[invite()]);
    assert_eq!(wants("when is the meeting in this invite?", &invited), PaperWant::When);
    assert_eq!(wants("where is it", &invited), PaperWant::Where);
    assert_eq!(wants("who's invited?", &invited), PaperWant::People);
    assert_eq!(wants("how big is this picture", &with(&[cat()])), PaperWant::Size);
    assert_eq!(wants("when was it taken?", &with(&[cat()])), PaperWant::Taken);
    assert_eq!(wants("what does the picture say about ana", &with(&[cat()])), PaperWant::Overview);
}

#[test]
fn what_a_picture_cannot_say_is_asked_of_the_file_beside_it() {
    let notes = || file(6, "notes.txt", "text/plain");
    for files in [[notes(), cat()], [cat(), notes()]] {
        let world = with(&files);
        for heard in ["when is the rent due?", "where is the meter?"] {
            let read = want(heard, &world);
            assert!(
                matches!(&read, Some((name, PaperWant::About(_))) if name == "notes.txt"),
                "{heard}: {read:?}"
            );
        }
        assert_eq!(wants("when was it taken?", &world), PaperWant::Taken);
        assert_eq!(wants("where was the picture taken?", &world), PaperWant::Spot);
    }
}

#[test]
fn the_file_that_fits_is_taken_and_otherwise_it_is_asked() {
    let world = after(&[lease(), sales(), invite()]);
    let name = |heard: &str| want(heard, &world).map(|(name, _)| name);
    assert_eq!(name("summarize the pdf").as_deref(), Some("lease.pdf"));
    assert_eq!(name("how many rows are in the csv").as_deref(), Some("Sales 2026.csv"));
    assert_eq!(name("what's in lease.pdf?").as_deref(), Some("lease.pdf"));
    assert_eq!(
        name("what does “sales 2026.csv” say about Oslo").as_deref(),
        Some("Sales 2026.csv")
    );

    let several = with(&[lease(), file(6, "notes.txt", "text/plain")]);
    let understood = reflex::read("summarize the file", &several);
    assert_eq!(understood.question.as_deref(), Some("Which file: lease.pdf or notes.txt?"));
    let mut asked = several.clone();
    asked.focus.learn(Some(&understood), &[]);
    asked.focus.rest();
    assert_eq!(want("the second one", &asked).unwrap().0, "notes.txt");
    assert_eq!(want("lease", &asked).unwrap(), ("lease.pdf".into(), PaperWant::Summary));
}

#[test]
fn other_requests_stay_what_they_are() {
    for world in [with(&[lease()]), after(&[lease(), mail()])] {
        for heard in [
            "what's on my calendar tomorrow?",
            "any new mail from Priya?",
            "email Tom that I'm late",
            "reply to Priya that it works",
            "remember that Tom is allergic to nuts",
            "remind me tomorrow at nine to sign it",
            "what reminders do I have?",
            "set a timer for ten minutes",
            "thanks",
            "hello",
            "am I free at 3",
        ] {
            assert_eq!(want(heard, &world), None, "{heard}");
        }
    }
    // Without a file there is nothing to ask about.
    assert_eq!(want("summarize the pdf", &corpus::world()), None);
}

#[test]
fn an_invitation_is_opened_before_it_becomes_an_event() {
    let world = with(&[invite()]);
    for heard in ["add this to my calendar", "put it on my calendar please", "accept the invite"] {
        let understood = reflex::read(heard, &world);
        assert_eq!(understood.gist, Gist::OpenPaper, "{heard}");
        assert!(understood.rest.is_some(), "{heard}");
    }
    let none = reflex::read("add this to my calendar", &with(&[lease()]));
    assert!(matches!(none.gist, Gist::Chat(Chat::AboutFile(_))), "{:?}", none.gist);
}

/// The same after a turn about something else.
fn later(files: &[Attached]) -> World {
    let mut world = after(files);
    world.focus.on_file = false;
    world
}

#[test]
fn what_is_the_rent_asks_for_the_rent() {
    let world = with(&[lease()]);
    for word in ["rent", "deposit", "deadline", "budget", "price", "code"] {
        for heard in [format!("what is the {word}?"), format!("What's the {word}")] {
            assert_eq!(wants(&heard, &world), PaperWant::About(word.into()), "{heard}");
        }
    }
    for heard in ["what is the document?", "what's the lease about?", "what is this file"] {
        assert_eq!(wants(heard, &world), PaperWant::Overview, "{heard}");
    }
}

#[test]
fn a_file_is_called_by_its_stem_also_later() {
    let world = later(&[lease(), sales()]);
    let about = |topic: &str| Some(("lease.pdf".to_owned(), PaperWant::About(topic.into())));
    assert_eq!(want("what does the lease say about the deposit?", &world), about("deposit"));
    assert_eq!(want("summarize the lease", &world).unwrap().1, PaperWant::Summary);
    assert_eq!(want("how many pages does the lease have?", &world).unwrap().0, "lease.pdf");
    assert_eq!(want("what did Tom write about the lease?", &world), None);
}

/// Looked for in a file before it is guessed at.
fn is_sought(heard: &str, world: &World) -> bool {
    let understood = reflex::read(heard, world);
    // A file that is spoken of is asked at once where nobody else could answer.
    let asked = matches!(&understood.gist, Gist::Paper(about) if about.want.is_sought());
    understood.rest.is_some() && understood.gist == Gist::SeekPaper || asked && world.focus.on_file
}

#[test]
fn what_would_be_guessed_is_looked_for_in_the_file_first() {
    for world in [after(&[lease()]), later(&[lease()])] {
        for heard in [
            "when is the rent due?",
            "when does Lena start?",
            "when is check-in?",
            "what's the hotel limit?",
            "how much is the deposit?",
            "is water included?",
            "who is the landlord?",
            "how many pallets fit in the warehouse?",
            "am I allowed to sublet?",
            "and the notice period?",
            "how long do I keep receipts?",
            "what's the phone number of the supplier?",
            "how much do I have to pay?",
        ] {
            assert!(is_sought(heard, &world), "{heard}: {:?}", reflex::read(heard, &world));
        }
    }
}

#[test]
fn clear_questions_about_mail_and_the_calendar_go_there() {
    for world in [after(&[lease()]), later(&[lease()])] {
        let plain = corpus::world();
        for heard in [
            "what meetings do I have tomorrow?",
            "when is lunch with Tom?",
            "when am I free on Thursday?",
            "any new mail from Priya?",
            "what did Ingrid say?",
            "when is my next meeting?",
            "what's on today",
            "who is Priya Nair?",
            "hello",
            "thanks",
            "what can you do?",
        ] {
            let gist = reflex::read(heard, &world).gist;
            assert_eq!(gist, reflex::read(heard, &plain).gist, "{heard}");
        }
    }
}

fn opened(file: Attached, passages: &[&str]) -> OpenedFile {
    let part = |text: &&str| brain::paper::Part {
        place: brain::paper::Place::Page(2),
        text: (*text).to_owned(),
    };
    OpenedFile {
        kind: file.kind(),
        file,
        problem: None,
        later: false,
        title: None,
        origin: brain::paper::Origin::default(),
        extent: brain::paper::Extent { pages: Some(3), ..Default::default() },
        cut: false,
        passages: passages.iter().map(part).collect(),
        no_such_page: false,
        flaw: None,
        table: None,
        events: Vec::new(),
        mail: None,
        picture: None,
    }
}

/// What a sentence comes to once the files were looked through.
fn once_sought(heard: &str, mut world: World, found: &[OpenedFile]) -> Gist {
    let first = reflex::read(heard, &world);
    assert_eq!(first.proposal.steps.len(), found.len(), "{heard}: {first:?}");
    let done: Vec<_> = found
        .iter()
        .map(|found| crate::Done {
            tool: "attachment.search".into(),
            result: Ok(serde_json::to_value(found).unwrap()),
        })
        .collect();
    world.focus.learn(Some(&first), &done);
    reflex::read(&first.rest.unwrap(), &world).gist
}

#[test]
fn the_file_answers_what_it_says_and_nothing_else() {
    let heard = "when is the rent due?";
    let says = opened(lease(), &["The rent is due on the first."]);
    let Gist::Chat(Chat::AboutFile(told)) = once_sought(heard, later(&[lease()]), &[says]) else {
        panic!("the file says it");
    };
    assert_eq!(told, "In lease.pdf, on page 2: “The rent is due on the first.”");

    let silent = once_sought(heard, later(&[lease()]), &[opened(lease(), &[])]);
    assert!(matches!(silent, Gist::Agenda(_)), "{silent:?}");

    let notes = file(6, "notes.txt", "text/plain");
    let both = [opened(lease(), &[]), opened(notes.clone(), &[])];
    let lost = once_sought("is the pool heated?", after(&[notes, lease()]), &both);
    let Gist::Chat(Chat::AboutFile(told)) = lost else { panic!("{lost:?}") };
    assert_eq!(told, "I find nothing about “pool heated” in lease.pdf.");
}

#[test]
fn the_files_of_a_chat_are_listed() {
    let told = |heard: &str, world: &World| match reflex::read(heard, world).gist {
        Gist::Chat(Chat::AboutFile(told) | Chat::Files(told)) => told,
        other => panic!("{heard}: {other:?}"),
    };
    let world = later(&[lease(), sales()]);
    for heard in ["which files do I have here?", "what did I attach?", "list the attached files"] {
        assert_eq!(told(heard, &world), "2 files: lease.pdf and Sales 2026.csv.", "{heard}");
    }
    let handed = told("here are two files", &with(&[lease(), sales()]));
    assert_eq!(handed, "2 files: lease.pdf and Sales 2026.csv. What would you like to know?");
    assert!(told("delete the file", &world).starts_with("I can't take a file out of a chat."));
    let none = told("which files are attached here?", &corpus::world());
    assert!(none.starts_with("Nothing is attached in this chat."), "{none}");
}

fn event(title: &str) -> brain::paper::Invite {
    let start = "2026-11-25T09:00:00".parse().ok();
    let end = "2026-11-25T10:30:00".parse().ok();
    brain::paper::Invite {
        title: title.into(),
        start,
        end,
        all_day: false,
        zone: None,
        unknown_zone: None,
        location: None,
        organizer: None,
        attendees: Vec::new(),
        repeats: None,
        single: false,
        notes: None,
        cancelled: false,
    }
}

/// What a sentence comes to once the calendar file was opened.
fn once_opened(heard: &str, mut world: World, titles: &[&str]) -> Understanding {
    let first = reflex::read(heard, &world);
    assert_eq!(first.gist, Gist::OpenPaper, "{heard}");
    let mut found = opened(invite(), &[]);
    found.events = titles.iter().map(|title| event(title)).collect();
    let result = Ok(serde_json::to_value(found).unwrap());
    let done = [crate::Done { tool: "attachment.read".into(), result }];
    world.focus.learn(Some(&first), &done);
    reflex::read(&first.rest.unwrap(), &world)
}

fn titles(understood: &Understanding) -> Vec<String> {
    let steps = understood.proposal.steps.iter();
    steps.map(|step| step.args["title"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn events_of_a_file_are_added_later_by_name_and_all_at_once() {
    let several = ["Dentist", "Christmas at the cabin", "Yoga"];
    for world in [after(&[invite()]), later(&[invite()])] {
        for heard in ["add the dentist to my calendar", "add the dentist"] {
            assert_eq!(
                titles(&once_opened(heard, world.clone(), &several)),
                ["Dentist"],
                "{heard}"
            );
        }
        for heard in ["add all of them to my calendar", "add them all"] {
            assert_eq!(titles(&once_opened(heard, world.clone(), &several)), several, "{heard}");
        }
        let it = once_opened("add it to my calendar", world.clone(), &["Review"]);
        assert_eq!(titles(&it), ["Review"]);
        let which = once_opened("add it to my calendar", world, &several);
        assert!(which.question.unwrap().starts_with("Which event: Dentist"));
    }
    assert_eq!(titles(&once_opened("schedule this", with(&[invite()]), &["Review"])), ["Review"]);
}

#[test]
fn an_event_of_a_file_is_held_against_the_calendar() {
    for heard in ["am I free for this?", "does it clash with anything?", "can I make it?"] {
        let understood = once_opened(heard, with(&[invite()]), &["Review"]);
        assert!(matches!(understood.gist, Gist::Free(_)), "{heard}: {understood:?}");
    }
    let several = ["Dentist", "Yoga"];
    let named = once_opened("am I free for the dentist?", after(&[invite()]), &several);
    assert!(matches!(named.gist, Gist::Free(_)), "{named:?}");
    let which = once_opened("am I free for this?", with(&[invite()]), &several);
    assert_eq!(which.question.as_deref(), Some("Which event: Dentist or Yoga?"));
    assert_eq!(which.choices[1].sentence, "am I free for event 2 of the file");
    assert_eq!(wants("how long is it?", &after(&[invite()])), PaperWant::Length);
    assert_eq!(wants("who is invited?", &after(&[invite()])), PaperWant::People);
    assert_eq!(wants("who is invited?", &later(&[invite()])), PaperWant::People);
}

#[test]
fn something_of_ones_own_is_not_looked_for_in_the_invitation() {
    let world = later(&[invite()]);
    for heard in ["add lunch with Tom to my calendar tomorrow at 12", "book dinner on Friday at 7"]
    {
        assert_ne!(reflex::read(heard, &world).gist, Gist::OpenPaper, "{heard}");
    }
}

#[test]
fn rows_under_a_condition_are_not_all_rows() {
    let world = with(&[sales()]);
    let rows = |asked: &str| PaperWant::Figure(Figure::Rows, asked.to_owned());
    for (heard, expected) in [
        ("how many rows where paid by is Tom?", rows("where paid by is tom")),
        ("how many rows with category travel?", rows("with category travel")),
        ("how many rows are there?", PaperWant::HowMany(Countable::Rows)),
        ("how many rows does this table have?", PaperWant::HowMany(Countable::Rows)),
        ("what is the last date?", PaperWant::Figure(Figure::Most, "date".to_owned())),
        ("what is in row 5?", PaperWant::About("row 5".to_owned())),
    ] {
        assert_eq!(wants(heard, &world), expected, "{heard}");
    }
}

#[test]
fn the_notes_of_an_invitation_are_told_with_it() {
    assert_eq!(wants("what are the notes?", &with(&[invite()])), PaperWant::Overview);
    let mut later = after(&[invite()]);
    later.focus.on_file = true;
    assert_eq!(wants("what are the notes?", &later), PaperWant::Overview);
}

#[test]
fn a_clash_is_asked_for_the_other_way_round() {
    for (heard, clash) in [("does it clash with anything?", true), ("am I free for this?", false)] {
        let understood = once_opened(heard, with(&[invite()]), &["Review"]);
        let Gist::Free(about) = understood.gist else { panic!("{heard}") };
        assert_eq!(about.clash, clash, "{heard}");
    }
}

#[test]
fn who_made_a_file_is_asked_of_the_file_and_what_stands_in_it_of_its_words() {
    let world = with(&[file(7, "contract.docx", WORD)]);
    for heard in [
        "who wrote this?",
        "who's the author?",
        "who is the author of this document?",
        "who wrote the document?",
        "who is it by?",
        "who was it written by?",
    ] {
        assert_eq!(wants(heard, &world), PaperWant::Author, "{heard}");
    }
    assert_eq!(wants("who's the author?", &after(&[lease()])), PaperWant::Author);
    for heard in ["when was it last changed?", "when was this document written?"] {
        assert_eq!(wants(heard, &world), PaperWant::Dated, "{heard}");
    }
    assert!(matches!(wants("who wrote the first invoice?", &world), PaperWant::About(_)));
}

#[test]
fn one_word_is_about_the_file_that_was_just_spoken_of() {
    assert_eq!(wants("when?", &after(&[mail()])), PaperWant::Sent);
    assert_eq!(wants("when?", &after(&[cat()])), PaperWant::Taken);
    assert_eq!(wants("where was it taken?", &after(&[cat()])), PaperWant::Spot);
    assert_eq!(wants("which camera?", &after(&[cat()])), PaperWant::Camera);
    assert_eq!(wants("how often?", &after(&[invite()])), PaperWant::When);
}

#[test]
fn whatever_the_rows_of_a_table_are_called_they_are_counted() {
    let world = after(&[sales()]);
    let rows = |asked: &str| PaperWant::Figure(Figure::Rows, asked.into());
    assert_eq!(wants("how many invoices are overdue?", &world), rows("invoices are overdue"));
    assert_eq!(wants("how many in June 2026?", &world), rows("in june 2026"));
    assert_eq!(wants("when was the last invoice?", &world), {
        PaperWant::Figure(Figure::Most, "date".into())
    });
    for heard in ["how many meetings do I have tomorrow?", "how many unread mails do I have?"] {
        assert_eq!(want(heard, &world), None, "{heard}");
    }
}

#[test]
fn what_a_file_says_is_remembered_as_its_words() {
    let keeps = |heard: &str, mut world: World, passages: &[&str]| {
        let first = reflex::read(heard, &world);
        assert_eq!(first.gist, Gist::SeekPaper, "{heard}");
        let found = serde_json::to_value(opened(lease(), passages)).unwrap();
        let done = crate::Done { tool: "attachment.search".into(), result: Ok(found) };
        world.focus.learn(Some(&first), &[done]);
        reflex::read(&first.rest.unwrap(), &world)
    };
    for heard in [
        "remember the deposit from this file",
        "please remember the deposit from the lease",
        "remember what the lease says about the deposit",
        "note down the deposit from it",
        "remember the deposit in lease.pdf",
    ] {
        let kept = keeps(heard, after(&[lease()]), &["The deposit is $3,225."]);
        let args = &kept.proposal.steps[0].args;
        assert_eq!(args["memory"], "The deposit is $3,225.", "{heard}");
        assert_eq!(args["derived_from"], "the file lease.pdf", "{heard}");
        assert!(kept.gist.writes(), "{heard}");
    }
    let nothing = keeps("remember the pool from this file", after(&[lease()]), &[]);
    let Gist::Chat(Chat::AboutFile(told)) = nothing.gist else { panic!("nothing to keep") };
    assert!(told.ends_with("so there is nothing to remember."), "{told}");

    let mut told = after(&[lease()]);
    told.focus.passage = Some("Rent is due on the first.".into());
    let kept = reflex::read("remember that", &told);
    assert_eq!(kept.proposal.steps[0].args["derived_from"], "the file lease.pdf");
    for own in ["remember that the key is in the file cabinet", "remember that Tom is allergic"] {
        let kept = reflex::read(own, &told);
        assert_eq!(kept.proposal.steps[0].args.get("derived_from"), None, "{own}");
    }
}

#[test]
fn a_file_that_was_listed_can_be_pointed_at() {
    let mut world = later(&[lease()]);
    let listed = reflex::read("which files do I have here?", &world);
    world.focus.learn(Some(&listed), &[]);
    let Gist::Chat(Chat::AboutFile(told)) = reflex::read("delete it", &world).gist else {
        panic!("it is the file")
    };
    assert!(told.starts_with("I can't take a file out of a chat."), "{told}");
    assert_eq!(wants("how long is it?", &world), PaperWant::HowMany(Countable::Pages));
}
