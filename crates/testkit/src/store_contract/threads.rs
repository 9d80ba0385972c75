//! What every store promises about chats and about what people hand over.

use brain::audit::Line;
use brain::confirmation::ConfirmationState;
use brain::ids::Uuid;
use brain::paper::Reading;
use brain::{Envelope, Event, FileId, InputMode, MessageId, SessionId, ThreadId, UserId};
use jiff::Timestamp;
use store::{Batch, Deleted, FileRow, Handed, NewSession, Store, StoreError, ThreadPage, Words};

use super::cards::{after, answered, asked, whole_audit};
use super::say_so::a_yes;
use super::{batch, new_session, said, tool_run, turn_row};

/// Nobody else in the contract is them.
const MAYA: UserId = UserId(Uuid::from_u128(0x9001));
const NOOR: UserId = UserId(Uuid::from_u128(0x9002));

pub(super) async fn keeps_its_promises(store: &dyn Store) {
    chats_come_newest_first_and_page_by_page(store).await;
    what_was_said_is_found_by_its_person_alone(store).await;
    a_chat_is_called_what_its_person_calls_it(store).await;
    a_chat_goes_whole_and_leaves_the_audit(store).await;
    what_is_open_keeps_its_chat(store).await;
    what_is_handed_over_is_kept_up_to_a_limit(store).await;
    what_is_spoken_of_belongs_to_its_chat(store).await;
    what_was_begun_and_never_used_can_be_forgotten(store).await;
}

fn thread(number: u128) -> ThreadId {
    ThreadId(Uuid::from_u128(number))
}

fn message(number: u64) -> MessageId {
    MessageId(Uuid::from_u128(0x9000_0000 + u128::from(number)))
}

/// Message `number` of `session`, said that many seconds into the story.
fn spoken(session: SessionId, number: u64, text: &str) -> Envelope {
    let ts = after(i64::try_from(number).expect("a small number"));
    Envelope { ts, message_id: Some(message(number)), ..said(session, 1, number, text) }
}

async fn begin(store: &dyn Store, user: UserId, chat: u128, number: u128) -> SessionId {
    let new = NewSession { user, thread: thread(chat), ..new_session(number) };
    store.create(new.clone()).await.expect("a new session");
    new.session
}

async fn say(store: &dyn Store, session: SessionId, number: u64, text: &str) {
    let kept = store.append(batch(session, 1, vec![spoken(session, number, text)])).await;
    kept.expect("it is ours");
}

async fn listed(store: &dyn Store, user: UserId, page: ThreadPage) -> Vec<ThreadId> {
    let rows = store.threads(user, page).await.expect("the store can be read");
    rows.iter().map(|row| row.thread).collect()
}

fn numbers(said: &[Envelope]) -> Vec<u64> {
    said.iter().filter_map(|envelope| envelope.seq).collect()
}

async fn chats_come_newest_first_and_page_by_page(store: &dyn Store) {
    let [first, second, again] = [
        begin(store, MAYA, 0x91, 0x9101).await,
        begin(store, MAYA, 0x92, 0x9102).await,
        begin(store, MAYA, 0x91, 0x9103).await,
    ];
    begin(store, MAYA, 0x93, 0x9104).await;
    say(store, first, 10, "Where is the heron?").await;
    say(store, second, 20, "What is on tomorrow?").await;
    say(store, again, 30, "Grüße an Ana").await;

    let page = |limit| ThreadPage { limit, ..ThreadPage::default() };
    let rows = store.threads(MAYA, page(9)).await.expect("the store can be read");
    let ids: Vec<_> = rows.iter().map(|row| row.thread).collect();
    assert_eq!(ids, [thread(0x91), thread(0x92)], "one in which nothing was said is not listed");
    let newest = &rows[0];
    assert_eq!((newest.sessions, newest.messages, newest.title.clone()), (2, 2, None));
    assert_eq!((newest.created_at, newest.updated_at), (after(0), after(30)));
    assert_eq!(newest.first, Some(spoken(first, 10, "Where is the heron?")));
    assert_eq!(newest.last, Some(spoken(again, 30, "Grüße an Ana")));

    assert_eq!(store.sessions_in(MAYA, thread(0x91)).await, Ok(vec![first, again]));
    assert_eq!(store.sessions_in(NOOR, thread(0x91)).await, Ok(vec![]));
    assert_eq!(listed(store, MAYA, page(1)).await, [thread(0x91)]);
    let rest = ThreadPage { after: Some((after(30), thread(0x91))), ..page(9) };
    assert_eq!(listed(store, MAYA, rest).await, [thread(0x92)]);
    let with = |text| ThreadPage { words: Words::of(text), ..page(9) };
    assert_eq!(listed(store, MAYA, with("TOMORROW what")).await, [thread(0x92)]);
    assert_eq!(listed(store, NOOR, page(9)).await, []);

    let quiet = store.thread(MAYA, thread(0x93)).await.expect("the store can be read");
    let quiet = quiet.expect("it is there, though nothing was said in it");
    assert_eq!((quiet.messages, quiet.updated_at, quiet.last), (0, after(0), None));
    assert_eq!(store.thread(NOOR, thread(0x91)).await, Ok(None));
}

async fn what_was_said_is_found_by_its_person_alone(store: &dyn Store) {
    let [one, other] =
        [begin(store, MAYA, 0x94, 0x9401).await, begin(store, MAYA, 0x94, 0x9402).await];
    say(store, one, 41, "The Heron flew").await;
    say(store, other, 42, "no bird").await;
    say(store, one, 43, "heron again").await;

    let all = async |user, before, limit| {
        let said = store.said_in(user, thread(0x94), before, limit).await;
        said.expect("the store can be read").map(|said| numbers(&said))
    };
    assert_eq!(all(MAYA, None, 9).await, Some(vec![41, 42, 43]));
    assert_eq!(all(MAYA, None, 2).await, Some(vec![42, 43]));
    assert_eq!(all(MAYA, Some(message(42)), 9).await, Some(vec![41]));
    assert_eq!(all(MAYA, Some(message(10)), 9).await, None, "that one is in another chat");
    assert_eq!(all(NOOR, None, 9).await, Some(vec![]));
    assert_eq!(all(NOOR, Some(message(42)), 9).await, None);

    let look = async |user, text, before, limit| {
        let words = Words::of(text).expect("it has words");
        let found = store.search(user, words, before, limit).await.expect("it can be read");
        found.map(|found| found.iter().map(|it| (it.thread, it.message.seq)).collect::<Vec<_>>())
    };
    let at = |chat, seq| (thread(chat), Some(seq));
    let herons = vec![at(0x94, 43), at(0x94, 41), at(0x91, 10)];
    assert_eq!(look(MAYA, "hErOn", None, 9).await, Some(herons.clone()));
    assert_eq!(look(MAYA, "heron", None, 1).await, Some(herons[..1].to_vec()));
    assert_eq!(look(MAYA, "heron", Some(message(43)), 9).await, Some(herons[1..].to_vec()));
    assert_eq!(look(MAYA, "GRÜSSE", None, 9).await, Some(vec![]));
    assert_eq!(look(MAYA, "GRÜße", None, 9).await, Some(vec![at(0x91, 30)]));
    assert_eq!(look(NOOR, "heron", None, 9).await, Some(vec![]));
    assert_eq!(look(NOOR, "heron", Some(message(43)), 9).await, None);
}

async fn a_chat_is_called_what_its_person_calls_it(store: &dyn Store) {
    let session = begin(store, MAYA, 0x95, 0x9501).await;
    say(store, session, 50, "hello").await;
    for title in ["Birds", "Birds & bees"] {
        assert_eq!(store.rename(MAYA, thread(0x95), title.into()).await, Ok(true));
        let row = store.thread(MAYA, thread(0x95)).await.expect("the store can be read");
        assert_eq!(row.and_then(|row| row.title).as_deref(), Some(title));
    }
    let bees = ThreadPage { words: Words::of("bees"), limit: 9, after: None };
    assert_eq!(listed(store, MAYA, bees).await, [thread(0x95)]);
    assert_eq!(store.rename(NOOR, thread(0x95), "Mine".into()).await, Ok(false));
    assert_eq!(store.rename(MAYA, thread(0x9599), "None".into()).await, Ok(false));
}

/// The same id in two people's hands is two chats.
async fn a_chat_goes_whole_and_leaves_the_audit(store: &dyn Store) {
    let (mine, theirs) =
        (begin(store, MAYA, 0x96, 0x9601).await, begin(store, NOOR, 0x96, 0x9602).await);
    let turn = turn_row(mine, 0x9603);
    let started = Event::TurnStarted {
        input_mode: InputMode::Text,
        in_reply_to: None,
        follows: None,
        goes_on: None,
    };
    let start = Envelope { event: started, turn_id: Some(turn.turn), ..said(mine, 1, 1, "") };
    let question = asked(mine, 0x9603);
    let question = brain::Confirmation { user: MAYA, ..question };
    let kept = Batch {
        turn: Some(turn.clone()),
        tool_runs: vec![tool_run(&turn, 0x9604)],
        confirmations: vec![question.clone()],
        ..batch(mine, 1, vec![start, spoken(mine, 60, "mine")])
    };
    store.append(kept).await.expect("it is ours");
    let no = answered(&question, ConfirmationState::Rejected);
    store.append(Batch { confirmations: vec![no], ..Batch::new(mine, 1) }).await.expect("a no");
    say(store, theirs, 61, "theirs").await;
    let file = handed(MAYA, 0x9605, Some(mine), 7);
    assert_eq!(store.hand_over(file.clone(), 100).await, Ok(Handed::Kept));
    store.rename(MAYA, thread(0x96), "Mine".into()).await.expect("it is there");
    let lines = whole_audit(store).await.len();

    let line = || Line::new(after(99), MAYA, "session_deleted");
    let delete = async |user| store.delete_thread(user, thread(0x96), after(99), line()).await;
    let gone = Deleted::Gone { sessions: vec![mine], files: vec![file.file] };
    assert_eq!(delete(MAYA).await, Ok(gone));

    assert_eq!(delete(MAYA).await, Ok(Deleted::Unknown));
    assert_eq!(store.thread(MAYA, thread(0x96)).await, Ok(None));
    assert_eq!(store.find(mine).await, Ok(None));
    assert_eq!(store.read(mine, 0, 9).await, Ok(vec![]));
    assert_eq!(store.turn(turn.turn).await, Ok(None));
    assert_eq!(store.tool_runs(turn.turn).await, Ok(vec![]));
    assert_eq!(store.confirmations_of(turn.turn).await, Ok(vec![]));
    assert_eq!(store.file(MAYA, file.file).await, Ok(None));
    let late = store.append(batch(mine, 1, vec![spoken(mine, 62, "late")])).await;
    assert_eq!(late, Err(StoreError::Gone(mine)), "whoever still owns it cannot write");
    let audit = whole_audit(store).await;
    assert_eq!(audit.len(), lines + 1);
    assert_eq!(audit.last().map(|entry| entry.line.session), Some(Some(mine)));
    let other = store.thread(NOOR, thread(0x96)).await.expect("the store can be read");
    assert_eq!(other.map(|row| row.messages), Some(1));
}

async fn what_is_open_keeps_its_chat(store: &dyn Store) {
    let session = begin(store, MAYA, 0x97, 0x9701).await;
    let question = brain::Confirmation { user: MAYA, ..asked(session, 0x9702) };
    let keeping = Batch { confirmations: vec![question.clone()], ..Batch::new(session, 1) };
    store.append(keeping).await.expect("it is ours");

    let line = || Line::new(after(5), MAYA, "session_deleted");
    let delete = async |at| store.delete_thread(MAYA, thread(0x97), at, line()).await;
    let lines = whole_audit(store).await.len();
    assert_eq!(delete(after(5)).await, Ok(Deleted::CardOpen));
    store.append(a_yes(&question)).await.expect("a yes");
    assert_eq!(delete(question.expires_at).await, Ok(Deleted::WriteOpen));
    assert_eq!(whole_audit(store).await.len(), lines);

    let session = begin(store, MAYA, 0x98, 0x9801).await;
    let question = brain::Confirmation { user: MAYA, ..asked(session, 0x9802) };
    let keeping = Batch { confirmations: vec![question.clone()], ..Batch::new(session, 1) };
    store.append(keeping).await.expect("it is ours");
    let late = store.delete_thread(MAYA, thread(0x98), question.expires_at, line()).await;
    assert!(matches!(late, Ok(Deleted::Gone { .. })), "a card nobody can answer keeps nothing");
}

fn handed(user: UserId, number: u128, session: Option<SessionId>, bytes: u64) -> FileRow {
    FileRow {
        file: FileId(Uuid::from_u128(number)),
        user,
        session,
        name: "Grüße \"1\".txt".into(),
        media_type: "text/plain".into(),
        bytes,
        sha256: "0".repeat(64),
        created_at: after(0),
        reading: Reading::Parsing,
    }
}

/// Whose it is and where it belongs is settled when it is first spoken of.
async fn what_is_spoken_of_belongs_to_its_chat(store: &dyn Store) {
    let (first, second) =
        (begin(store, MAYA, 0x9a, 0x9a01).await, begin(store, MAYA, 0x9b, 0x9a02).await);
    let (loose, bound) = (handed(MAYA, 0x9a03, None, 1), handed(MAYA, 0x9a04, Some(second), 1));
    let foreign = handed(NOOR, 0x9a05, None, 1);
    for file in [&loose, &bound, &foreign] {
        assert_eq!(store.hand_over(file.clone(), 1_000).await, Ok(Handed::Kept));
    }
    let named = vec![bound.file, foreign.file, loose.file, FileId(Uuid::from_u128(0x9a99))];
    let mine = FileRow { session: Some(first), ..loose.clone() };
    let found = store.attach(MAYA, first, named).await;
    assert_eq!(found, Ok(vec![bound.clone(), mine.clone()]));
    let again = store.attach(MAYA, second, vec![loose.file]).await;
    assert_eq!(again, Ok(vec![mine.clone()]), "it stays where it was spoken of first");
    assert_eq!(store.files_in(first, 9).await, Ok(vec![mine]));
    assert_eq!(store.files_in(second, 9).await, Ok(vec![bound.clone()]));
    assert_eq!(store.file(NOOR, foreign.file).await, Ok(Some(foreign.clone())));

    let unread = |files: Vec<FileRow>| {
        let ours = [loose.file, bound.file, foreign.file];
        files.into_iter().map(|row| row.file).filter(|id| ours.contains(id)).collect::<Vec<_>>()
    };
    let files = store.unread_files().await.expect("the store can be read");
    assert_eq!(unread(files), [loose.file, bound.file, foreign.file]);
    let torn = Reading::Failed("That PDF is torn.".into());
    for (file, reading) in [(loose.file, Reading::Ready), (bound.file, torn.clone())] {
        assert_eq!(store.set_reading(file, reading.clone()).await, Ok(true));
        let row = store.file(MAYA, file).await.expect("the store can be read");
        assert_eq!(row.map(|row| row.reading), Some(reading));
    }
    let files = store.unread_files().await.expect("the store can be read");
    assert_eq!(unread(files), [foreign.file]);
    let gone = FileId(Uuid::from_u128(0x9a99));
    assert_eq!(store.set_reading(gone, Reading::Ready).await, Ok(false));
}

async fn what_was_begun_and_never_used_can_be_forgotten(store: &dyn Store) {
    let begun = store.unused_sessions(NOOR).await.unwrap();
    let unused = begin(store, NOOR, 0xaa, 0xaa01).await;
    let named = begin(store, NOOR, 0xab, 0xab01).await;
    let with_file = begin(store, NOOR, 0xac, 0xac01).await;
    assert_eq!(store.unused_sessions(NOOR).await, Ok(begun + 3));
    let thread = store.find(named).await.unwrap().unwrap().thread;
    assert_eq!(store.rename(NOOR, thread, "Mine".into()).await, Ok(true));
    let file = handed(NOOR, 0xac02, Some(with_file), 1);
    assert_eq!(store.hand_over(file, u64::MAX).await, Ok(Handed::Kept));
    assert_eq!(store.unused_sessions(NOOR).await, Ok(begun + 1));

    let since = store.unused_since(Timestamp::MAX, 10_000).await.unwrap();
    assert!(since.contains(&unused));
    assert!(!since.contains(&named) && !since.contains(&with_file));
    assert_eq!(store.unused_since(Timestamp::MIN, 10_000).await, Ok(Vec::new()));
    assert_eq!(store.forget_unused(vec![unused, named, with_file]).await, Ok(1));
    assert_eq!(store.find(unused).await, Ok(None));
    assert!(store.find(named).await.unwrap().is_some());
    assert_eq!(store.take_back(NOOR, FileId(Uuid::from_u128(0xac02))).await, Ok(true));
}

async fn what_is_handed_over_is_kept_up_to_a_limit(store: &dyn Store) {
    let theirs = begin(store, MAYA, 0x99, 0x9901).await;
    let file = handed(NOOR, 0x9902, None, 60);
    assert_eq!(store.hand_over(file.clone(), 100).await, Ok(Handed::Kept));
    assert_eq!(store.hand_over(handed(NOOR, 0x9903, None, 41), 100).await, Ok(Handed::Full));
    assert_eq!(store.hand_over(handed(NOOR, 0x9904, None, 40), 100).await, Ok(Handed::Kept));
    let foreign = handed(NOOR, 0x9905, Some(theirs), 0);
    assert_eq!(store.hand_over(foreign, 100).await, Ok(Handed::NoSession));

    assert_eq!(store.file_bytes(NOOR).await, Ok(100));
    assert_eq!(store.file_count(NOOR).await, Ok(2));
    assert_eq!(store.file(NOOR, file.file).await, Ok(Some(file.clone())));
    assert_eq!(store.file(MAYA, file.file).await, Ok(None));
    let stray = FileId(Uuid::from_u128(0x9903));
    assert_eq!(store.known_files(vec![stray, file.file]).await, Ok(vec![file.file]));
    assert_eq!(store.take_back(MAYA, file.file).await, Ok(false));
    assert_eq!(store.take_back(NOOR, file.file).await, Ok(true));
    assert_eq!(store.take_back(NOOR, file.file).await, Ok(false));
    assert_eq!(store.file_bytes(NOOR).await, Ok(40));
}
