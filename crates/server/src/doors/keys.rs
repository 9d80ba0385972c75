//! Keys: long random secrets, kept only as fingerprints.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use brain::ids::Uuid;
use brain::{Seal, UserId};
use jiff::Timestamp;
use serde_json::{Value, json};
use store::{KeyRow, Keys, StoreError};

use super::{How, LOCAL_USER, NotWelcome, Visitor};

/// What every key begins with, so that one that was lost is known when it is found.
pub const PREFIX: &str = "sayso_key_";
/// The person of this machine, in words.
pub const LOCAL_NAME: &str = "local";
/// So many random bytes cannot be guessed, however often somebody tries.
const SECRET_BYTES: usize = 32;
const LONGEST_NAME: usize = 64;

/// A secret that nobody has had before.
pub fn new_secret(prefix: &str) -> String {
    let mut bytes = [0; SECRET_BYTES];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    format!("{prefix}{}", BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

/// What is kept of a secret. Nobody comes from it to the secret: that is as
/// random as it is long, so a plain hash is enough.
pub fn fingerprint(secret: &str) -> Seal {
    Seal::of_value(&json!({ "sayso_secret": secret }))
}

/// The person of that name; the same name is the same person.
pub fn user_named(name: &str) -> Result<UserId, String> {
    let is_plain = |c: char| {
        c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-' | '@' | '+')
    };
    if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(is_plain) {
        return Err("a user is called in small letters, digits and . _ - @ +".into());
    }
    if name == LOCAL_NAME {
        return Ok(LOCAL_USER);
    }
    Ok(user_of(&json!({ "sayso_user": name })))
}

/// Stable, and nobody can choose to be somebody else.
pub(super) fn user_of(what: &Value) -> UserId {
    let digits = Seal::of_value(what).to_string();
    let digits: u128 = u128::from_str_radix(&digits[..32], 16).expect("a seal is hex digits");
    UserId(uuid::Builder::from_custom_bytes(digits.to_be_bytes()).into_uuid())
}

/// Who comes in with this secret, if anybody does.
pub(super) async fn visitor(
    keys: &dyn Keys,
    secret: &str,
) -> Result<Result<Visitor, NotWelcome>, StoreError> {
    let key = keys.key_with(fingerprint(secret)).await?;
    Ok(match key {
        Some(key) if key.is_good(Timestamp::now()) => Ok(Visitor::from(key)),
        Some(_) => Err(NotWelcome::AnyMore),
        None => Err(NotWelcome::Unknown),
    })
}

impl From<KeyRow> for Visitor {
    fn from(key: KeyRow) -> Self {
        let KeyRow { key, user, operator, expires_at, .. } = key;
        Self { user, operator, expires_at, how: How::Key(key) }
    }
}

/// A name for a new key, as an id that sorts by age.
pub fn new_id() -> brain::KeyId {
    brain::KeyId(Uuid::now_v7())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_long_and_never_the_same() {
        let secrets = [new_secret(PREFIX), new_secret(PREFIX)];
        assert_ne!(secrets[0], secrets[1]);
        assert!(secrets.iter().all(|secret| secret.len() == PREFIX.len() + 43), "{secrets:?}");
    }

    #[test]
    fn the_same_name_is_the_same_person_and_another_is_another() {
        assert_eq!(user_named("ana"), user_named("ana"));
        assert_ne!(user_named("ana"), user_named("anna"));
        assert_eq!(user_named("local"), Ok(LOCAL_USER));
        for odd in ["", "Ana", "a b", "ana\n", "é", &"x".repeat(65)] {
            assert!(user_named(odd).is_err(), "{odd:?}");
        }
    }

    #[test]
    fn who_comes_by_a_token_cannot_choose_a_name_of_somebody_with_a_key() {
        let by_token = user_of(&json!({ "issuer": "https://login.example", "subject": "ana" }));
        assert_ne!(Ok(by_token), user_named("ana"));
    }
}
