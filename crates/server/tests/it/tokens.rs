//! People who come with a token of their own login.

use std::path::Path;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;
use crate::house::{HOME, House};
use crate::http::{request, upgrade};

const ISSUER: &str = "https://login.example";

/// A login somewhere else.
pub struct Login(Ed25519KeyPair);

impl Login {
    /// A house that trusts a new login, and that login.
    pub fn and_house(env: &[(&'static str, &str)]) -> (Self, House) {
        let folder = TempDir::new().unwrap();
        let login = Self(Ed25519KeyPair::generate().unwrap());
        let file = login.write_keys(folder.path());
        let mut settings = vec![
            ("SAYSO_AUTH_JWT_ISSUER", ISSUER.to_owned()),
            ("SAYSO_AUTH_JWT_AUDIENCE", "sayso".to_owned()),
            ("SAYSO_AUTH_JWT_JWKS_FILE", file),
        ];
        settings.extend(env.iter().map(|(name, value)| (*name, (*value).to_owned())));
        (login, House::open_in(folder, HOME, settings))
    }

    fn write_keys(&self, folder: &Path) -> String {
        let x = base64url(self.0.public_key().as_ref());
        let key = json!({ "kty": "OKP", "crv": "Ed25519", "kid": "1", "x": x });
        let file = folder.join("jwks.json");
        std::fs::write(&file, json!({ "keys": [key] }).to_string()).unwrap();
        file.to_str().unwrap().to_owned()
    }

    pub fn token(&self, subject: &str, seconds: i64) -> String {
        let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs().cast_signed();
        let claims = json!({ "iss": ISSUER, "aud": "sayso", "sub": subject, "exp": now + seconds });
        let part = |value: &Value| base64url(value.to_string().as_bytes());
        let text = format!("{}.{}", part(&json!({ "alg": "EdDSA", "kid": "1" })), part(&claims));
        format!("{text}.{}", base64url(self.0.sign(text.as_bytes()).as_ref()))
    }
}

fn base64url(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::prelude::BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

#[test]
fn a_token_opens_its_own_persons_data_also_on_this_machine() {
    let (login, house) = Login::and_house(&[]);
    let (ana, ben) = (login.token("ana", 600), login.token("ben", 600));
    let (ana, ben) = (format!("Bearer {ana}"), format!("Bearer {ben}"));
    let profile = json!({ "time_zone": "Europe/Berlin", "name": "Ana" }).to_string();
    let saved = request(&house, "PUT", "/chat/profile", &[("Authorization", &ana)], &profile);
    assert_eq!(saved.status, 200, "{}", saved.body);

    let shown = |bearer: &str| {
        request(&house, "GET", "/chat/profile", &[("Authorization", bearer)], "").json()
    };
    assert_eq!(shown(&ana)["name"], "Ana");
    assert_eq!(shown(&format!("Bearer {}", login.token("ana", 300)))["name"], "Ana");
    assert_eq!(shown(&ben)["name"], Value::Null);

    let session = Client::showing(&house, "", &[("Authorization", &ana)]).0.session();
    let query = format!("?session_id={session}");
    let (mut foreign, _) = Client::showing(&house, &query, &[("Authorization", &ben)]);
    assert_eq!(foreign.until_closed().0, Some(4404));
    upgrade(&house, "/chat/stream", &[]).assert_problem(401, "unauthenticated");
    request(&house, "GET", "/metrics", &[("Authorization", &ana)], "")
        .assert_problem(403, "operators_only");
}

#[test]
fn a_token_that_ends_takes_its_socket_along() {
    let (login, house) = Login::and_house(&[]);
    // Clocks may be half a minute apart, so that much is added to its end.
    let token = login.token("ana", -15);
    let offered = format!("sayso.v1, sayso.bearer.{token}");
    let (mut client, _) = Client::showing(&house, "", &[("Sec-WebSocket-Protocol", &offered)]);

    client.session();
    assert_eq!(client.until_closed().0, Some(4401));
}

#[test]
fn somebody_elses_token_is_nobodys() {
    let (_, house) = Login::and_house(&[]);
    let (other, _) = Login::and_house(&[]);
    let bearer = format!("Bearer {}", other.token("ana", 600));
    request(&house, "GET", "/chat/profile", &[("Authorization", &bearer)], "")
        .assert_problem(401, "unauthenticated");
}
