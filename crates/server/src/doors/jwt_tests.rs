//! Tokens that are good, and every way in which one can be bad.

use std::time::{Duration, Instant};

use aws_lc_rs::hmac;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{self, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RsaKeyPair};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use serde_json::{Value, json};

use super::*;

const ISSUER: &str = "https://login.example";
const AUDIENCE: &str = "sayso";

/// Signs tokens as a login does.
enum Signer {
    Rsa(RsaKeyPair),
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
}

impl Signer {
    fn rsa() -> Self {
        Self::Rsa(RsaKeyPair::generate(KeySize::Rsa2048).unwrap())
    }

    fn ec() -> Self {
        Self::Ec(EcdsaKeyPair::generate(&signature::ECDSA_P256_SHA256_FIXED_SIGNING).unwrap())
    }

    fn ed() -> Self {
        Self::Ed(Ed25519KeyPair::generate().unwrap())
    }

    fn algorithm(&self) -> &'static str {
        match self {
            Self::Rsa(_) => "RS256",
            Self::Ec(_) => "ES256",
            Self::Ed(_) => "EdDSA",
        }
    }

    fn jwk(&self, id: &str) -> Value {
        let mut jwk = match self {
            Self::Rsa(key) => {
                let modulus = key.public_key().modulus().big_endian_without_leading_zero();
                json!({ "kty": "RSA", "n": BASE64.encode(modulus), "e": "AQAB" })
            }
            Self::Ec(key) => {
                let point = key.public_key().as_ref();
                let (x, y) = (BASE64.encode(&point[1..33]), BASE64.encode(&point[33..]));
                json!({ "kty": "EC", "crv": "P-256", "x": x, "y": y })
            }
            Self::Ed(key) => {
                let x = BASE64.encode(key.public_key().as_ref());
                json!({ "kty": "OKP", "crv": "Ed25519", "x": x })
            }
        };
        jwk["kid"] = id.into();
        jwk["use"] = "sig".into();
        jwk
    }

    fn sign(&self, text: &str) -> Vec<u8> {
        let (random, text) = (SystemRandom::new(), text.as_bytes());
        match self {
            Self::Rsa(key) => {
                let mut signature = vec![0; key.public_modulus_len()];
                key.sign(&signature::RSA_PKCS1_SHA256, &random, text, &mut signature).unwrap();
                signature
            }
            Self::Ec(key) => key.sign(&random, text).unwrap().as_ref().to_vec(),
            Self::Ed(key) => key.sign(text).as_ref().to_vec(),
        }
    }

    fn token(&self, id: &str, claims: &Value) -> String {
        self.token_with(&json!({ "alg": self.algorithm(), "kid": id, "typ": "JWT" }), claims)
    }

    fn token_with(&self, header: &Value, claims: &Value) -> String {
        let text = unsigned(header, claims);
        format!("{text}.{}", BASE64.encode(self.sign(&text)))
    }
}

fn unsigned(header: &Value, claims: &Value) -> String {
    format!("{}.{}", BASE64.encode(header.to_string()), BASE64.encode(claims.to_string()))
}

fn now() -> i64 {
    Timestamp::now().as_second()
}

fn claims() -> Value {
    json!({ "iss": ISSUER, "aud": AUDIENCE, "sub": "ana", "exp": now() + 600 })
}

fn but(name: &str, value: impl Into<Value>) -> Value {
    let mut claims = claims();
    claims[name] = value.into();
    claims
}

fn without(name: &str) -> Value {
    let mut claims = claims();
    claims.as_object_mut().unwrap().remove(name);
    claims
}

struct Place {
    file: tempfile::NamedTempFile,
    jwt: Arc<Jwt>,
}

impl Place {
    async fn with(keys: &[Value]) -> Self {
        let file = tempfile::NamedTempFile::new().unwrap();
        write(&file, keys);
        let settings = config::Jwt {
            issuer: ISSUER.into(),
            audience: AUDIENCE.into(),
            jwks_file: file.path().into(),
            jwks_url: String::new(),
        };
        let jwt = Arc::new(Jwt::open(&settings).await.unwrap().unwrap());
        Self { file, jwt }
    }

    async fn knows(&self, token: &str) -> bool {
        self.jwt.visitor(token).await.is_ok()
    }

    /// As if the last look had been so long ago.
    async fn age(&self, by: Duration) {
        *self.jwt.looked.lock().await = Instant::now().checked_sub(by);
    }
}

fn write(file: &tempfile::NamedTempFile, keys: &[Value]) {
    std::fs::write(file.path(), json!({ "keys": keys }).to_string()).unwrap();
}

#[tokio::test]
async fn a_token_is_good_under_each_algorithm_and_names_the_same_person() {
    let (rsa, ec, ed) = (Signer::rsa(), Signer::ec(), Signer::ed());
    let odd = json!({ "kty": "oct", "k": "c2VjcmV0", "kid": "shared" });
    let newer = json!({ "kty": "AKP", "alg": "ML-DSA-44", "pub": "x", "kid": "future" });
    let place = Place::with(&[odd, newer, rsa.jwk("a"), ec.jwk("b"), ed.jwk("c")]).await;
    let mut people = Vec::new();
    for (signer, id) in [(&rsa, "a"), (&ec, "b"), (&ed, "c")] {
        people.push(place.jwt.visitor(&signer.token(id, &claims())).await.expect(id));
    }
    let other = place.jwt.visitor(&ed.token("c", &but("sub", "ben"))).await.unwrap();

    assert!(people.iter().all(|visitor| visitor.user == people[0].user));
    assert_ne!(other.user, people[0].user);
    assert!(!other.operator);
    let left = people[0].expires_at.unwrap().as_second() - now();
    assert!((590..=660).contains(&left), "{left}");
    // An audience may be one of several.
    assert!(place.knows(&ed.token("c", &but("aud", json!(["other", AUDIENCE])))).await);
}

#[tokio::test]
async fn a_token_that_is_not_quite_right_is_nobodys() {
    let ed = Signer::ed();
    let place = Place::with(&[ed.jwk("c")]).await;
    let wrong = [
        but("iss", "https://evil.example"),
        but("aud", "another"),
        but("aud", json!([])),
        but("exp", now() - 61),
        but("exp", "tomorrow"),
        but("nbf", now() + 120),
        but("sub", ""),
        but("sub", "x".repeat(257)),
        but("sub", 7),
        without("exp"),
        without("iss"),
        without("aud"),
        without("sub"),
    ];
    for claims in wrong {
        assert!(!place.knows(&ed.token("c", &claims)).await, "{claims}");
    }
    // Clocks may differ a little.
    assert!(place.knows(&ed.token("c", &but("exp", now() - 10))).await);
    assert!(place.knows(&ed.token("c", &but("nbf", now() + 10))).await);
}

#[tokio::test]
async fn a_token_cannot_choose_how_it_is_checked() {
    let (rsa, ec, ed) = (Signer::rsa(), Signer::ec(), Signer::ed());
    let place = Place::with(&[rsa.jwk("a"), ec.jwk("b")]).await;
    let header = |algorithm: &str| json!({ "alg": algorithm, "kid": "a" });
    let Signer::Rsa(pair) = &rsa else { unreachable!() };

    let none = unsigned(&header("none"), &claims());
    let mut forged = vec![format!("{none}."), none.clone(), format!("{none}.e30")];
    // A public key is no shared secret, whatever it is spelled as.
    let public = pair.public_key().as_ref().to_vec();
    let jwk = rsa.jwk("a").to_string().into_bytes();
    let modulus = rsa.jwk("a")["n"].as_str().unwrap().as_bytes().to_vec();
    for secret in [public, jwk, modulus] {
        let text = unsigned(&header("HS256"), &claims());
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &secret), text.as_bytes());
        forged.push(format!("{text}.{}", BASE64.encode(tag)));
    }
    // Somebody else's key under a known name, and a key that comes with the token.
    forged.push(ed.token_with(&header("EdDSA"), &claims()));
    forged.push(Signer::rsa().token("a", &claims()));
    let brought = json!({ "alg": "EdDSA", "kid": "a", "jwk": ed.jwk("a") });
    forged.push(ed.token_with(&brought, &claims()));
    // Another key's algorithm and another algorithm of the same key.
    forged.push(ec.token_with(&json!({ "alg": "ES256", "kid": "a" }), &claims()));
    for algorithm in ["RS384", "RS512", "PS256", "ES256", "", "rs256"] {
        forged.push(rsa.token_with(&header(algorithm), &claims()));
    }
    let good = rsa.token("a", &claims());
    let (front, signature) = good.rsplit_once('.').unwrap();
    forged.push(format!("{front}.{}", &signature[..signature.len() - 4]));
    forged.push(format!("{front}."));
    forged.push(format!("{}.{signature}", unsigned(&header("RS256"), &but("sub", "ben"))));
    forged.push(String::new());
    forged.push("..".into());
    forged.push(format!("{good}.{}", "x".repeat(9_000)));

    for token in forged {
        assert!(!place.knows(&token).await, "{token}");
    }
    assert!(place.knows(&good).await);
}

#[tokio::test]
async fn a_token_without_a_key_id_is_good_while_only_one_key_fits() {
    let (one, two) = (Signer::ed(), Signer::ed());
    let token = one.token_with(&json!({ "alg": "EdDSA" }), &claims());
    assert!(Place::with(&[one.jwk("c"), Signer::ec().jwk("b")]).await.knows(&token).await);
    assert!(!Place::with(&[one.jwk("c"), two.jwk("d")]).await.knows(&token).await);
}

#[tokio::test]
async fn keys_are_used_for_what_they_are_meant_for() {
    let (ed, ec) = (Signer::ed(), Signer::ec());
    let (mut secret, mut other) = (ed.jwk("c"), ec.jwk("b"));
    secret["use"] = "enc".into();
    other["alg"] = "ES384".into();
    let place = Place::with(&[secret, other, Signer::ed().jwk("x")]).await;
    assert!(!place.knows(&ed.token("c", &claims())).await);
    assert!(!place.knows(&ec.token("b", &claims())).await);
}

#[tokio::test]
async fn a_new_key_is_looked_for_once_a_minute_at_most() {
    let (old, new) = (Signer::ed(), Signer::ed());
    let place = Place::with(&[old.jwk("old")]).await;
    write(&place.file, &[new.jwk("new")]);
    let token = new.token("new", &claims());

    assert!(!place.knows(&token).await);
    place.age(Duration::from_secs(61)).await;
    assert!(place.knows(&token).await);
    assert!(!place.knows(&old.token("old", &claims())).await);

    // A file that is broken for a moment takes nothing away.
    std::fs::write(place.file.path(), "{").unwrap();
    place.age(Duration::from_secs(61)).await;
    assert!(!place.knows(&old.token("old", &claims())).await);
    assert!(place.knows(&token).await);
}

#[tokio::test]
async fn keys_that_grew_old_are_looked_up_again_so_that_a_withdrawn_one_goes() {
    let (old, new) = (Signer::ed(), Signer::ed());
    let place = Place::with(&[old.jwk("old")]).await;
    write(&place.file, &[new.jwk("new")]);
    place.age(Duration::from_secs(601)).await;

    let token = old.token("old", &claims());
    let until = Instant::now() + Duration::from_secs(10);
    while place.knows(&token).await {
        assert!(Instant::now() < until, "the old key is still there");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn keys_may_lie_at_an_address() {
    let ed = Signer::ed();
    let set = json!({ "keys": [ed.jwk("c")] });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let keys = axum::routing::get(move || async move { axum::Json(set) });
    let login = axum::Router::new().route("/jwks.json", keys);
    tokio::spawn(axum::serve(listener, login).into_future());
    let settings = |url: String| config::Jwt {
        issuer: ISSUER.into(),
        audience: AUDIENCE.into(),
        jwks_url: url,
        ..config::Jwt::default()
    };

    let jwt = Jwt::open(&settings(format!("http://{address}/jwks.json"))).await;
    let jwt = Arc::new(jwt.unwrap().unwrap());
    assert!(jwt.visitor(&ed.token("c", &claims())).await.is_ok());

    // One that is not there yet may come later; one in the open is refused.
    let later = Jwt::open(&settings(format!("http://{address}/nothing.json"))).await;
    let later = Arc::new(later.unwrap().unwrap());
    assert!(later.visitor(&ed.token("c", &claims())).await.is_err());
    assert!(Jwt::open(&settings("http://login.example/jwks.json".into())).await.is_err());
}

#[tokio::test]
async fn half_a_setting_is_told_at_the_start() {
    let whole = config::Jwt {
        issuer: ISSUER.into(),
        audience: AUDIENCE.into(),
        jwks_file: "no/such/file.json".into(),
        jwks_url: String::new(),
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    let empty = json!({ "keys": [{ "kty": "oct", "k": "c2VjcmV0" }] }).to_string();
    std::fs::write(&file, empty).unwrap();
    let wrong = [
        config::Jwt { issuer: String::new(), ..whole.clone() },
        config::Jwt { audience: String::new(), ..whole.clone() },
        config::Jwt { jwks_url: "https://login.example/x".into(), ..whole.clone() },
        config::Jwt { jwks_file: "".into(), ..whole.clone() },
        config::Jwt { jwks_file: file.path().into(), ..whole.clone() },
        whole,
    ];
    for settings in wrong {
        assert!(Jwt::open(&settings).await.is_err(), "{settings:?}");
    }
    assert!(Jwt::open(&config::Jwt::default()).await.unwrap().is_none());
}

#[tokio::test]
async fn who_shows_what_has_run_out_has_not_guessed_it() {
    let (ed, other) = (Signer::ed(), Signer::ed());
    let place = Place::with(&[ed.jwk("c")]).await;
    let old = but("exp", now() - 3600);
    assert_eq!(place.jwt.visitor(&ed.token("c", &old)).await, Err(NotWelcome::AnyMore));
    assert_eq!(place.jwt.visitor(&other.token("c", &old)).await, Err(NotWelcome::Unknown));
}

#[tokio::test]
async fn a_key_that_is_not_for_verifying_verifies_nothing() {
    let (ed, good) = (Signer::ed(), Signer::ed());
    let mut jwk = ed.jwk("c");
    jwk["key_ops"] = json!(["encrypt"]);
    let place = Place::with(&[jwk, good.jwk("d")]).await;
    assert!(!place.knows(&ed.token("c", &claims())).await);
    assert!(place.knows(&good.token("d", &claims())).await);
}
