//! Sentences about files, and sentences that only stand beside one.

use brain::ids::Uuid;
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
