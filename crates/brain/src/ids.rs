//! Names for things. A `TurnId` cannot stand where a `SessionId` is meant.
//!
//! On the wire an id is its kind and 32 hex digits: `turn_0192…`. The digits
//! are a UUID, so ids sort by age and fit a database's own type. Nobody makes
//! an id here; whoever acts hands them in.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
pub use uuid::Uuid;

/// The text is not an id of the kind that was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an id like {prefix}_ followed by 32 hex digits")]
pub struct NotAnId {
    /// The kind that was expected.
    pub prefix: &'static str,
}

/// The longest kind, and 32 digits.
const LONGEST: usize = 48;

/// An event has five ids and is written twice: formatting them would cost more
/// than the rest of it.
fn spell<'a>(kind: &str, id: Uuid, room: &'a mut [u8; LONGEST]) -> &'a str {
    let (start, rest) = room.split_at_mut(kind.len());
    start.copy_from_slice(kind.as_bytes());
    let digits = id.simple().encode_lower(rest).len();
    str::from_utf8(&room[..kind.len() + digits]).expect("a kind and digits are ASCII")
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "_{}"), self.0.simple())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<Self, NotAnId> {
                let not_an_id = NotAnId { prefix: $prefix };
                let digits = text.strip_prefix(concat!($prefix, "_")).ok_or(not_an_id.clone())?;
                if digits.len() != 32 {
                    return Err(not_an_id);
                }
                Uuid::try_parse(digits).map(Self).map_err(|_| not_an_id)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(spell(concat!($prefix, "_"), self.0, &mut [0; LONGEST]))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                std::borrow::Cow::<'de, str>::deserialize(from)?.parse().map_err(de::Error::custom)
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "string",
                    "pattern": concat!("^", $prefix, "_[0-9a-f]{32}$"),
                })
            }
        }
    )*};
}

ids! {
    /// A person.
    UserId = "user";
    /// What a program shows to be let in as a person.
    KeyId = "key";
    /// One conversation that is going on, whoever is connected to it.
    SessionId = "sess";
    /// What people call a chat; a session continues one.
    ThreadId = "thread";
    /// One request and everything done for it.
    TurnId = "turn";
    /// A bubble.
    MessageId = "msg";
    /// One thing that happened.
    EventId = "evt";
    /// One use of a tool.
    CallId = "call";
    /// Work that goes on while people talk on.
    JobId = "job";
    /// What is to be done in a turn.
    PlanId = "plan";
    /// One write that somebody said yes to, however often it is tried.
    ActionId = "act";
    /// A question whose answer decides a write.
    ConfirmationId = "cr";
    /// A file that somebody handed over.
    FileId = "file";
    /// One message that reached us, for the logs.
    RequestId = "req";
    /// Ties the log lines of one turn together.
    TraceId = "trace";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_as_it_was_written() {
        let id = TurnId(Uuid::from_u128(7));
        assert_eq!(id.to_string(), "turn_00000000000000000000000000000007");
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(serde_json::json!(id), id.to_string());
    }

    #[test]
    fn an_id_of_another_kind_is_refused() {
        let turn = TurnId(Uuid::from_u128(7)).to_string();
        assert_eq!(turn.parse::<SessionId>(), Err(NotAnId { prefix: "sess" }));
        assert!("sess_".parse::<SessionId>().is_err());
        assert!("sess_00000000-0000-0000-0000-000000000007".parse::<SessionId>().is_err());
    }
}
