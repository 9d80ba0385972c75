//! Mail that the person writes: drafts, and what has gone out.

use brain::facts::{Drafted, Letter, NewDraft, OpenedLetter, Person, Sent};
use brain::{Profile, UserId};
use jiff::Timestamp;
use rusqlite::{Connection, Transaction};
use serde_json::Value;

use super::db::StoreError;
use super::mailbox::{self, COLUMNS, Mail, letter, opened};
use super::written::Once;
use super::{Personal, people};
use crate::args::told;
use crate::mail::reply;
use crate::mail::writing::{CreateDraft, DraftReply, Outgoing, Send};

/// Of a longer thread only the newest mails are looked at.
const MOST_OF_A_THREAD: u32 = 500;

/// What the mailbox knows of a mail that is about to be written.
#[derive(Debug, Default)]
pub(crate) struct AtHand {
    pub draft: Option<OpenedLetter>,
    pub thread_id: Option<String>,
    /// The mail that it answers.
    pub answered: Option<Letter>,
    /// Everybody who takes part in the thread.
    pub thread: Vec<Person>,
}

impl Personal {
    /// Leaves a reply in the drafts.
    pub(crate) async fn draft_reply(
        &self,
        once: Once,
        wanted: DraftReply,
        profile: Profile,
    ) -> Result<Value, StoreError> {
        self.once(once, move |step, once| draft(step, once, &wanted, &profile)).await
    }

    /// Leaves a new mail in the drafts.
    pub(crate) async fn create_draft(
        &self,
        once: Once,
        wanted: CreateDraft,
        profile: Profile,
    ) -> Result<Value, StoreError> {
        self.once(once, move |step, once| put_draft(step, once, wanted, profile)).await
    }

    /// Sends it, which on this machine is to put it into the sent mail; the
    /// draft that it was is one no more.
    pub(crate) async fn send_mail(
        &self,
        once: Once,
        mail: Outgoing,
        my_name: Option<String>,
    ) -> Result<Value, StoreError> {
        self.once(once, move |step, once| send(step, once, mail, my_name)).await
    }

    /// Leaves a mail that is not to go out in the drafts, as it was to go out. The
    /// draft that it came from changes with it.
    pub(crate) async fn keep_draft(
        &self,
        once: Once,
        mail: Outgoing,
        my_name: Option<String>,
    ) -> Result<Value, StoreError> {
        self.once(once, move |step, once| keep(step, once, mail, my_name)).await
    }

    /// The draft, the thread and the mail that `send` speaks of.
    pub(crate) async fn at_hand(
        &self,
        user: UserId,
        send: Send,
        my_address: Option<String>,
    ) -> Result<AtHand, StoreError> {
        self.db
            .run(move |connection| {
                // One transaction, so that all of it is from the same moment.
                let view = connection.transaction()?;
                at_hand(&view, user, &send, my_address.as_deref())
            })
            .await
    }
}

fn draft(
    step: &Transaction<'_>,
    once: &Once,
    wanted: &DraftReply,
    profile: &Profile,
) -> Result<Value, StoreError> {
    let my_address = profile.address.as_deref();
    let answered = match (&wanted.message_id, &wanted.thread_id) {
        (Some(id), thread_id) => answerable(step, once.user, id, thread_id.as_deref())?,
        (None, Some(thread_id)) => {
            let thread = whole_thread(step, once.user, thread_id)?;
            newest_from_others(thread, my_address).ok_or(StoreError::Missing("thread"))?
        }
        (None, None) => return Err(StoreError::Missing("mail")),
    };
    let thread = taking_part(std::slice::from_ref(&answered));
    let addresses = addressees(&answered, my_address);
    let to = people::named(people::known(step, once.user, &addresses, &thread)?);
    if to.is_empty() {
        return Err(StoreError::Nobody);
    }
    let mail = Mail {
        id: once.id("draft"),
        thread_id: answered.thread_id,
        from: Person {
            name: profile.name.clone(),
            address: my_address.unwrap_or_default().to_owned(),
        },
        subject: reply::subject(&answered.subject),
        body: reply::letter(&wanted.intent, wanted.tone, &to, profile.name.as_deref()),
        to,
        cc: Vec::new(),
        sent_at: moment(once)?,
        unread: false,
        labels: vec!["drafts".to_owned()],
    };
    mailbox::put(step, once.user, &mail)?;
    let Mail { id: draft_id, thread_id, to, subject, body, .. } = mail;
    Ok(told(&Drafted { draft_id, thread_id, in_reply_to: answered.message_id, to, subject, body }))
}

fn put_draft(
    step: &Transaction<'_>,
    once: &Once,
    wanted: CreateDraft,
    profile: Profile,
) -> Result<Value, StoreError> {
    let CreateDraft { to, cc, subject, body } = wanted;
    let named = |list: &[String]| people::known(step, once.user, list, &[]).map(people::named);
    let id = once.id("draft");
    let mail = Mail {
        thread_id: id.clone(),
        id,
        from: Person { name: profile.name, address: profile.address.unwrap_or_default() },
        to: named(&to)?,
        cc: named(&cc)?,
        subject,
        body,
        sent_at: moment(once)?,
        unread: false,
        labels: vec!["drafts".to_owned()],
    };
    mailbox::put(step, once.user, &mail)?;
    let Mail { id: draft_id, thread_id, to, subject, body, .. } = mail;
    Ok(told(&NewDraft { draft_id, thread_id, to, subject, body }))
}

fn send(
    step: &Transaction<'_>,
    once: &Once,
    mail: Outgoing,
    my_name: Option<String>,
) -> Result<Value, StoreError> {
    let draft_id = mail.draft_id.clone();
    let sent = written(step, once, mail, my_name, once.id("mail"), "sent")?;
    mailbox::put(step, once.user, &sent)?;
    if let Some(draft_id) = draft_id {
        // One that is gone already is no reason not to send what was agreed on.
        remove_draft(step, once.user, &draft_id)?;
    }
    let Mail { id: message_id, thread_id, sent_at, to, .. } = sent;
    Ok(told(&Sent { message_id, thread_id, sent_at, to }))
}

fn keep(
    step: &Transaction<'_>,
    once: &Once,
    mail: Outgoing,
    my_name: Option<String>,
) -> Result<Value, StoreError> {
    let before = match &mail.draft_id {
        Some(id) => remove_draft(step, once.user, id)?.then(|| id.clone()),
        None => None,
    };
    let id = before.unwrap_or_else(|| once.id("draft"));
    let draft = written(step, once, mail, my_name, id, "drafts")?;
    mailbox::put(step, once.user, &draft)?;
    Ok(Value::String(draft.id))
}

/// A mail of the person's own, as it lies in the mailbox.
fn written(
    step: &Transaction<'_>,
    once: &Once,
    mail: Outgoing,
    my_name: Option<String>,
    id: String,
    label: &str,
) -> Result<Mail, StoreError> {
    let thread = match &mail.thread_id {
        Some(thread_id) => taking_part(&whole_thread(step, once.user, thread_id)?),
        None => Vec::new(),
    };
    let named = |list: &[String]| people::known(step, once.user, list, &thread).map(people::named);
    Ok(Mail {
        thread_id: mail.thread_id.unwrap_or_else(|| id.clone()),
        id,
        from: Person { name: my_name, address: mail.from },
        to: named(&mail.to)?,
        cc: named(&mail.cc)?,
        subject: mail.subject,
        body: mail.body,
        sent_at: moment(once)?,
        unread: false,
        labels: vec![label.to_owned()],
    })
}

/// Was there one?
fn remove_draft(step: &Transaction<'_>, user: UserId, id: &str) -> Result<bool, StoreError> {
    let removed = step.execute(
        "DELETE FROM mails WHERE user_id = ?1 AND id = ?2 \
         AND EXISTS (SELECT 1 FROM json_each(labels) WHERE value = 'drafts')",
        (user.to_string(), id),
    )?;
    Ok(removed > 0)
}

fn at_hand(
    view: &Connection,
    user: UserId,
    send: &Send,
    my_address: Option<&str>,
) -> Result<AtHand, StoreError> {
    let draft = match &send.draft_id {
        Some(id) => opened(view, user, id)?.filter(|draft| is_draft(&draft.message)),
        None => None,
    };
    // Without it there is nothing to send; otherwise it does not matter.
    if draft.is_none() && (send.to.is_none() || send.body.is_none()) {
        return Err(StoreError::Missing("draft"));
    }
    let answered = match &send.in_reply_to {
        Some(id) => Some(answerable(view, user, id, send.thread_id.as_deref())?),
        None => None,
    };
    let of_draft = || draft.as_ref().map(|draft| draft.message.thread_id.clone());
    let thread_id = match (&send.thread_id, &answered) {
        (Some(thread_id), _) => Some(thread_id.clone()),
        (None, Some(answered)) => Some(answered.thread_id.clone()),
        (None, None) => of_draft(),
    };
    let Some(thread_id) = thread_id else { return Ok(AtHand { draft, ..AtHand::default() }) };
    let mails = whole_thread(view, user, &thread_id)?;
    if mails.is_empty() && send.thread_id.is_some() && of_draft() != send.thread_id {
        return Err(StoreError::Missing("thread"));
    }
    let thread = taking_part(&mails);
    // A draft that answers nothing begins a thread of its own.
    let thread_id = Some(thread_id).filter(|_| !mails.is_empty() || send.thread_id.is_some());
    let answered = answered.or_else(|| newest_from_others(mails, my_address));
    Ok(AtHand { draft, thread_id, answered, thread })
}

/// A mail that can be answered: the person's own, and not a draft.
fn answerable(
    connection: &Connection,
    user: UserId,
    id: &str,
    thread_id: Option<&str>,
) -> Result<Letter, StoreError> {
    let found = opened(connection, user, id)?.map(|opened| opened.message);
    found
        .filter(|letter| !is_draft(letter))
        .filter(|letter| thread_id.is_none_or(|thread_id| letter.thread_id == thread_id))
        .ok_or(StoreError::Missing("mail"))
}

/// Newest first, without drafts.
fn whole_thread(
    connection: &Connection,
    user: UserId,
    thread_id: &str,
) -> Result<Vec<Letter>, StoreError> {
    let mut listing = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM mails WHERE user_id = ?1 AND thread_id = ?2 \
         ORDER BY sent_at DESC, id LIMIT {MOST_OF_A_THREAD}"
    ))?;
    let rows = listing.query_map((user.to_string(), thread_id), letter)?;
    let mut letters = rows.map(|row| row?).collect::<Result<Vec<_>, _>>()?;
    letters.retain(|letter| !is_draft(letter));
    Ok(letters)
}

fn newest_from_others(mut thread: Vec<Letter>, my_address: Option<&str>) -> Option<Letter> {
    let theirs = thread.iter().position(|letter| !is_mine(letter, my_address));
    (!thread.is_empty()).then(|| thread.swap_remove(theirs.unwrap_or(0)))
}

/// Whoever wrote it; of the person's own mail, whoever it went to.
fn addressees(answered: &Letter, my_address: Option<&str>) -> Vec<String> {
    if !is_mine(answered, my_address) {
        return vec![answered.from.address.clone()];
    }
    let is_me =
        |person: &&Person| my_address.is_some_and(|me| person.address.eq_ignore_ascii_case(me));
    let others: Vec<_> = answered.to.iter().filter(|person| !is_me(person)).collect();
    let all = if others.is_empty() { answered.to.iter().collect() } else { others };
    all.into_iter().map(|person| person.address.clone()).collect()
}

fn taking_part(letters: &[Letter]) -> Vec<Person> {
    let mut people: Vec<Person> = Vec::new();
    for person in letters.iter().flat_map(|l| [&l.from].into_iter().chain(&l.to).chain(&l.cc)) {
        let same = |other: &Person| other.address.eq_ignore_ascii_case(&person.address);
        if !people.iter().any(same) {
            people.push(person.clone());
        }
    }
    people
}

fn is_draft(letter: &Letter) -> bool {
    letter.labels.iter().any(|label| label == "drafts")
}

fn is_mine(letter: &Letter, my_address: Option<&str>) -> bool {
    letter.labels.iter().any(|label| label == "sent")
        || my_address.is_some_and(|me| letter.from.address.eq_ignore_ascii_case(me))
}

pub(super) fn moment(once: &Once) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(once.now_ms)
        .map_err(|_| StoreError::TooMuch("that moment is further away than the calendar goes"))
}
