//! Who is behind an address, as far as this machine knows.

use brain::UserId;
use brain::card::{Recipient, Warning};
use brain::facts::Person;
use brain::policy::Source;
use brain::resolve::people::Contact;
use rusqlite::Connection;

use super::db::StoreError;
use super::{Personal, contacts};
use crate::mail::address::is_odd;
use crate::text;
use crate::warning::{NEW_RECIPIENT, ODD_ADDRESS, OTHER_ADDRESS};

const LONGEST_NAME: usize = 80;

/// Somebody who is about to be written to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Known {
    pub person: Person,
    /// In the address book, or in some mail.
    met: bool,
    /// Whose name mails from here bear although the address book has another
    /// address for it.
    poses_as: Option<String>,
    /// Its letters can be taken for others, and the address book does not have it.
    odd: bool,
}

impl Personal {
    /// What is known of each; names come from the address book, or else from
    /// those who take part in `thread`.
    pub(crate) async fn known(
        &self,
        user: UserId,
        addresses: Vec<String>,
        thread: Vec<Person>,
    ) -> Result<Vec<Known>, StoreError> {
        self.db.run(move |connection| known(connection, user, &addresses, &thread)).await
    }
}

pub(super) fn known(
    connection: &Connection,
    user: UserId,
    addresses: &[String],
    thread: &[Person],
) -> Result<Vec<Known>, StoreError> {
    let book = contacts(connection, user)?;
    let look = |address: &String| {
        let is = |other: &str| other.eq_ignore_ascii_case(address);
        if let Some(contact) = book.iter().find(|contact| is(&contact.address)) {
            let name = Some(contact.name.clone());
            let person = Person { name, address: address.clone() };
            return Ok(Known { person, met: true, poses_as: None, odd: false });
        }
        let met = has_met(connection, user, address)?;
        let borne = thread.iter().find(|one| is(&one.address)).and_then(|one| one.name.as_deref());
        let borne = borne.map(|name| text::one_line(name, LONGEST_NAME));
        let (poses_as, name): (Option<String>, Option<String>) = match borne {
            Some(name) if is_taken(&name, &book) => (Some(name), None),
            other => (None, other.filter(|name| !name.is_empty())),
        };
        let odd = is_odd(address);
        Ok(Known { person: Person { name, address: address.clone() }, met, poses_as, odd })
    };
    addresses.iter().map(look).collect()
}

/// The people alone.
pub(super) fn named(known: Vec<Known>) -> Vec<Person> {
    known.into_iter().map(|known| known.person).collect()
}

fn is_taken(name: &str, book: &[Contact]) -> bool {
    let folded = text::fold(name);
    book.iter().any(|contact| text::fold(&contact.name) == folded)
}

/// Drafts do not count: whoever stands only there was never written to.
fn has_met(connection: &Connection, user: UserId, address: &str) -> Result<bool, StoreError> {
    // The folded columns spare most mails a closer look.
    let sql = "SELECT EXISTS (SELECT 1 FROM mails WHERE user_id = ?1 \
        AND instr(folded_from || folded_to || folded_cc, ?3) > 0 \
        AND NOT EXISTS (SELECT 1 FROM json_each(labels) WHERE value = 'drafts') \
        AND (lower(from_person ->> 'address') = ?2 \
          OR EXISTS (SELECT 1 FROM json_each(to_people) WHERE lower(value ->> 'address') = ?2) \
          OR EXISTS (SELECT 1 FROM json_each(cc_people) WHERE lower(value ->> 'address') = ?2)))";
    let Some(folded) = text::needle(address) else { return Ok(false) };
    let bound = (user.to_string(), address.to_ascii_lowercase(), folded);
    Ok(connection.query_row(sql, bound, |row| row.get(0))?)
}

/// As a card shows them. Where they come from is for others to say.
pub(crate) fn recipients(known: &[Known]) -> Vec<Recipient> {
    let shown = |Known { person, .. }: &Known| Recipient {
        name: person.name.clone(),
        address: person.address.clone(),
        source: Source::Unknown,
    };
    known.iter().map(shown).collect()
}

/// What deserves a second look about the people.
pub(crate) fn warnings(known: &[Known]) -> Vec<Warning> {
    known.iter().flat_map(|one| odd(one).into_iter().chain(strange(one))).collect()
}

fn odd(Known { person, odd, .. }: &Known) -> Option<Warning> {
    let address = &person.address;
    let text = format!("{address} has letters that can be taken for others: look twice");
    odd.then(|| Warning { code: ODD_ADDRESS.to_owned(), text })
}

fn strange(Known { person, met, poses_as, .. }: &Known) -> Option<Warning> {
    let address = &person.address;
    let (code, text) = match (met, poses_as) {
        (_, Some(name)) => (
            OTHER_ADDRESS,
            format!("{address} goes by {name}, but is not the address you have for {name}"),
        ),
        (false, None) => (NEW_RECIPIENT, format!("You have never written to {address}")),
        (true, None) => return None,
    };
    Some(Warning { code: code.to_owned(), text })
}
