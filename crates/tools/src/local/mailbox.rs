//! Mail as it lies on this machine.

use brain::UserId;
use brain::facts::{Letter, Letters, OpenedLetter, Person};
use jiff::{Timestamp, Zoned};
use rusqlite::types::Value as Sql;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params_from_iter};
use serde::de::DeserializeOwned;

use super::Personal;
use super::db::StoreError;
use crate::mail::query::{Query, Since, Term, What, Who};
use crate::text;
use crate::tool::Caller;

/// More of a mail than this nobody reads out or shows in a chat.
const LONGEST_BODY: usize = 65_536;

const SNIPPET_CHARS: usize = 140;
/// As much of a text as a snippet could need.
pub(super) const COLUMNS: &str = "id, thread_id, from_person, to_people, cc_people, subject, \
                       substr(body, 1, 600) AS body, sent_at, unread, labels";

/// A mail to be put into the mailbox.
#[derive(Clone, Debug, PartialEq)]
pub struct Mail {
    pub id: String,
    pub thread_id: String,
    pub from: Person,
    pub to: Vec<Person>,
    pub cc: Vec<Person>,
    pub subject: String,
    pub body: String,
    /// When it was sent; for a draft, when it was last touched.
    pub sent_at: Timestamp,
    pub unread: bool,
    /// `inbox`, `sent` or `drafts` say where it lies; others are the person's own.
    pub labels: Vec<String>,
}

/// Where a search stands: dates and "me" mean something only from there.
#[derive(Debug)]
pub(crate) struct Point {
    now: Zoned,
    my_address: Option<String>,
}

impl Point {
    pub(crate) fn of(caller: &Caller) -> Self {
        Self {
            now: caller.now.with_time_zone(caller.profile.zone()),
            my_address: caller.profile.address.as_ref().map(|address| address.to_lowercase()),
        }
    }

    fn moment(&self, since: Since) -> Result<Zoned, jiff::Error> {
        let zone = self.now.time_zone().clone();
        match since {
            Since::Day(date) => date.to_zoned(zone),
            Since::Moment(moment) => Ok(moment.to_zoned(zone)),
        }
    }
}

/// A search as SQL. Whatever people typed is bound, never pasted.
#[derive(Debug, Default)]
pub(crate) struct Lookup {
    conditions: String,
    values: Vec<Sql>,
}

impl Lookup {
    pub(crate) fn new(query: &Query, point: &Point) -> Result<Self, String> {
        let mut lookup = Self::default();
        for Term { negated, what } in &query.terms {
            let condition = lookup.condition(what, point)?;
            lookup.require(*negated, &condition);
        }
        if !query.says_where() {
            let drafts = lookup.labelled("drafts");
            lookup.require(true, &drafts);
        }
        Ok(lookup)
    }

    fn require(&mut self, negated: bool, condition: &str) {
        self.conditions.push_str(if negated { " AND NOT " } else { " AND " });
        self.conditions.push_str(condition);
    }

    fn condition(&mut self, what: &What, point: &Point) -> Result<String, String> {
        let now = &point.now;
        Ok(match what {
            What::From(who) => {
                self.person("json_array(json(from_person))", "folded_from", who, point)?
            }
            What::To(who) => self.person("to_people", "folded_to", who, point)?,
            What::Cc(who) => self.person("cc_people", "folded_cc", who, point)?,
            What::Subject(words) => self.contains("folded_subject", words),
            What::Words(words) => self.contains(
                "(folded_subject || folded_from || folded_to || folded_cc || folded_body)",
                words,
            ),
            What::Label(label) => self.labelled(label),
            What::Unread => "unread = 1".to_owned(),
            What::Read => "unread = 0".to_owned(),
            What::In(place) => match place.label() {
                Some(label) => self.labelled(label),
                None => "TRUE".to_owned(),
            },
            What::NewerThan(age) => self.sent(">=", now.checked_sub(age.span()))?,
            What::OlderThan(age) => self.sent("<", now.checked_sub(age.span()))?,
            What::After(since) => self.sent(">=", point.moment(*since))?,
            What::Before(since) => self.sent("<", point.moment(*since))?,
            What::Any(terms) => {
                let mut any = Vec::new();
                for Term { negated, what } in terms {
                    let not = if *negated { "NOT " } else { "" };
                    any.push(format!("{not}{}", self.condition(what, point)?));
                }
                format!("({})", any.join(" OR "))
            }
        })
    }

    fn bind(&mut self, value: impl Into<Sql>) -> String {
        self.values.push(value.into());
        // ?1 is the user.
        format!("?{}", self.values.len() + 1)
    }

    fn contains(&mut self, column: &str, words: &str) -> String {
        let needle = self.bind(text::needle(words).unwrap_or_default());
        format!("instr({column}, {needle}) > 0")
    }

    fn labelled(&mut self, label: &str) -> String {
        let label = self.bind(label.to_owned());
        format!("EXISTS (SELECT 1 FROM json_each(labels) WHERE value = {label})")
    }

    fn person(
        &mut self,
        people: &str,
        folded: &str,
        who: &Who,
        point: &Point,
    ) -> Result<String, String> {
        let address = "lower(value ->> 'address')";
        let matches = match who {
            Who::Named(name) => return Ok(self.contains(folded, name)),
            Who::Me => {
                let mine = point.my_address.clone().ok_or("I don't know your own address yet")?;
                format!("{address} = {}", self.bind(mine))
            }
            Who::Address(theirs) => format!("{address} = {}", self.bind(theirs.clone())),
            Who::Domain(host) => {
                let host = self.bind(format!("@{host}"));
                format!("substr({address}, -length({host})) = {host}")
            }
        };
        Ok(format!("EXISTS (SELECT 1 FROM json_each({people}) WHERE {matches})"))
    }

    fn sent(&mut self, compared: &str, to: Result<Zoned, jiff::Error>) -> Result<String, String> {
        let to = to.map_err(|_| "that is further away than the calendar goes".to_owned())?;
        let to = self.bind(to.timestamp().as_millisecond());
        Ok(format!("sent_at {compared} {to}"))
    }
}

impl Personal {
    pub(crate) async fn search_mail(
        &self,
        user: UserId,
        lookup: Lookup,
        max_results: u32,
    ) -> Result<Letters, StoreError> {
        self.db.run(move |connection| find(connection, user, &lookup, max_results)).await
    }

    /// `None` when there is none, or it is somebody else's.
    pub(crate) async fn open_mail(
        &self,
        user: UserId,
        id: String,
    ) -> Result<Option<OpenedLetter>, StoreError> {
        self.db.run(move |connection| opened(connection, user, &id)).await
    }
}

pub(super) fn opened(
    connection: &Connection,
    user: UserId,
    id: &str,
) -> Result<Option<OpenedLetter>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, substr(body, 1, {LONGEST_BODY}) AS whole \
         FROM mails WHERE user_id = ?1 AND id = ?2"
    );
    let found = connection.query_row(&sql, (user.to_string(), id), |row| {
        Ok(letter(row)?
            .and_then(|message| Ok(OpenedLetter { message, body_text: row.get("whole")? })))
    });
    found.optional()?.transpose()
}

fn find(
    connection: &mut Connection,
    user: UserId,
    Lookup { conditions, values }: &Lookup,
    max_results: u32,
) -> Result<Letters, StoreError> {
    let bound = || std::iter::once(Sql::from(user.to_string())).chain(values.iter().cloned());
    // One transaction, so that the count is the count of what is listed.
    let view = connection.transaction()?;
    let total = view.query_row(
        &format!("SELECT count(*) FROM mails WHERE user_id = ?1{conditions}"),
        params_from_iter(bound()),
        |row| row.get(0),
    )?;
    let mut listing = view.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM mails WHERE user_id = ?1{conditions} \
         ORDER BY sent_at DESC, id LIMIT {max_results}"
    ))?;
    let rows = listing.query_map(params_from_iter(bound()), letter)?;
    let messages = rows.map(|row| row?).collect::<Result<_, _>>()?;
    Ok(Letters { messages, total })
}

pub(super) fn put(connection: &Connection, user: UserId, mail: &Mail) -> Result<(), StoreError> {
    let folded = |people: &[Person]| people.iter().map(fold_person).collect::<String>();
    connection.execute(
        "INSERT INTO mails VALUES (:user, :id, :thread, :from, :to, :cc, :subject, :body, \
         :sent_at, :unread, :labels, :folded_from, :folded_to, :folded_cc, :folded_subject, \
         :folded_body)",
        named_params! {
            ":user": user.to_string(),
            ":id": mail.id,
            ":thread": mail.thread_id,
            ":from": json(&mail.from),
            ":to": json(&mail.to),
            ":cc": json(&mail.cc),
            ":subject": mail.subject,
            ":body": mail.body,
            ":sent_at": mail.sent_at.as_millisecond(),
            ":unread": mail.unread,
            ":labels": json(&mail.labels),
            ":folded_from": fold_person(&mail.from),
            ":folded_to": folded(&mail.to),
            ":folded_cc": folded(&mail.cc),
            ":folded_subject": text::fold(&mail.subject) + "\n",
            ":folded_body": text::fold(&mail.body) + "\n",
        },
    )?;
    Ok(())
}

/// Ends with a line, so that no phrase is found across two people or fields.
pub(super) fn fold_person(person: &Person) -> String {
    let name = person.name.as_deref().map(text::fold).unwrap_or_default();
    format!("{name}\n{}\n", text::fold(&person.address))
}

pub(super) fn json<T: serde::Serialize + ?Sized>(list: &T) -> String {
    serde_json::to_string(list).expect("people and words are plain data")
}

/// The outer result is the database's, the inner one ours.
pub(super) fn letter(row: &Row<'_>) -> Result<Result<Letter, StoreError>, rusqlite::Error> {
    let message_id: String = row.get("id")?;
    let (from, to, cc, labels): (String, String, String, String) =
        (row.get("from_person")?, row.get("to_people")?, row.get("cc_people")?, row.get("labels")?);
    let body: String = row.get("body")?;
    let millis: i64 = row.get("sent_at")?;
    let (thread_id, subject, unread) =
        (row.get("thread_id")?, row.get("subject")?, row.get("unread")?);
    let bad = |column| StoreError::BadRow { table: "mails", column, id: message_id.clone() };
    let read = || {
        Ok(Letter {
            thread_id,
            from: unjson(&from).ok_or_else(|| bad("from_person"))?,
            to: unjson(&to).ok_or_else(|| bad("to_people"))?,
            cc: unjson(&cc).ok_or_else(|| bad("cc_people"))?,
            subject,
            snippet: text::snippet(&body, SNIPPET_CHARS),
            sent_at: Timestamp::from_millisecond(millis).map_err(|_| bad("sent_at"))?,
            unread,
            labels: unjson(&labels).ok_or_else(|| bad("labels"))?,
            message_id: message_id.clone(),
        })
    };
    Ok(read())
}

pub(super) fn unjson<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}
