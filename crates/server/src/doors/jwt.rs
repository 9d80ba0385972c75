//! Tokens of one's own login: JSON Web Tokens, checked against its public keys.
//!
//! Which algorithm counts is said by our copy of the key, never by the token alone:
//! a token that names another one, or none, or a shared secret, is nobody's.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use axum::http::Method;
use jiff::Timestamp;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::{
    AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, KeyOperations, PublicKeyUse,
};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::keys::user_of;
use super::{How, NotWelcome, Visitor};
use crate::client::{Remote, http};
use crate::config;

/// How far clocks may be apart, in seconds.
const LEEWAY_S: u64 = 30;
/// Keys are looked up again this often at most, whatever tokens come.
const LOOK_AGAIN: Duration = Duration::from_mins(1);
/// Keys that are older are looked up again, so that one that was withdrawn goes.
const OLD: Duration = Duration::from_mins(10);
/// Whoever waits for a key waits no longer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longer ones are not even read.
const LONGEST: usize = 8 * 1024;
const LONGEST_SUBJECT: usize = 256;
/// More keys than anybody rotates through.
const MOST_KEYS: usize = 100;

/// Checks tokens of one issuer.
pub struct Jwt {
    issuer: String,
    audience: String,
    source: Source,
    keys: RwLock<Arc<[Key]>>,
    /// Held while somebody looks.
    looked: Mutex<Option<Instant>>,
}

enum Source {
    File(PathBuf),
    Url(Remote, String),
}

/// A public key, and the only algorithm it may be used with.
struct Key {
    id: Option<String>,
    algorithm: Algorithm,
    public: DecodingKey,
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    exp: f64,
}

impl Jwt {
    /// `None` when it is not wanted.
    pub async fn open(settings: &config::Jwt) -> anyhow::Result<Option<Self>> {
        if !settings.is_on() {
            return Ok(None);
        }
        if settings.issuer.is_empty() || settings.audience.is_empty() {
            bail!("`auth.jwt` needs both `issuer` and `audience`");
        }
        let jwt = Self {
            issuer: settings.issuer.clone(),
            audience: settings.audience.clone(),
            source: Source::of(settings)?,
            keys: RwLock::new(Arc::new([])),
            looked: Mutex::default(),
        };
        match (jwt.look(Instant::now()).await, &jwt.source) {
            (Ok(()), _) => {}
            (Err(error), Source::File(_)) => return Err(error),
            // It may be back in a moment; until then nobody comes in by a token.
            (Err(error), Source::Url(..)) => {
                tracing::warn!(error = format!("{error:#}"), "no keys to check tokens with yet");
            }
        }
        Ok(Some(jwt))
    }

    /// Whose token it is, if it is anybody's.
    pub async fn visitor(self: &Arc<Self>, token: &str) -> Result<Visitor, NotWelcome> {
        if token.len() > LONGEST {
            return Err(NotWelcome::Unknown);
        }
        // Refuses algorithms that it does not know, `none` among them.
        let header = decode_header(token).map_err(|_| NotWelcome::Unknown)?;
        let id = header.kid.as_deref();
        let mut found = self.find(id, header.alg);
        if found.is_none() {
            self.look_for_news().await;
            found = self.find(id, header.alg);
        }
        let found = found.ok_or_else(|| self.no_key(id, header.alg))?;
        let claims = self.claims(token, &found)?;
        self.refresh_later();
        let end = last_second(claims.exp).and_then(|end| Timestamp::from_second(end).ok());
        let expires_at = Some(end.ok_or(NotWelcome::Unknown)?);
        let what = json!({ "issuer": self.issuer, "subject": claims.sub });
        let user = user_of(&what);
        Ok(Visitor { user, operator: false, expires_at, how: How::Token })
    }

    /// The key that a token names; where it names none, the only one that fits.
    fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Option<Found> {
        let keys = Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner));
        let mut fitting = keys.iter().enumerate().filter(|(_, key)| key.fits(id, algorithm));
        let (at, _) = fitting.next()?;
        if id.is_none() && fitting.next().is_some() {
            return None;
        }
        Some(Found { keys: Arc::clone(&keys), at })
    }

    /// Whoever set up the login wants to know why nobody comes in.
    fn no_key(&self, id: Option<&str>, algorithm: Algorithm) -> NotWelcome {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        let fitting = keys.iter().filter(|key| key.fits(id, algorithm)).count();
        if fitting > 1 {
            let why = "a token names no `kid`, and several keys of the login fit; let it name one";
            tracing::warn!(fitting, ?algorithm, "{why}");
        } else {
            tracing::debug!(?algorithm, "a token names a key that the login does not have");
        }
        NotWelcome::Unknown
    }

    fn claims(&self, token: &str, found: &Found) -> Result<Claims, NotWelcome> {
        let key = &found.keys[found.at];
        let mut validation = Validation::new(key.algorithm);
        validation.leeway = LEEWAY_S;
        validation.validate_nbf = true;
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[&self.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let decoded = decode::<Claims>(token, &key.public, &validation).map_err(|error| {
            // The signature is looked at first: whoever has this one did not guess it.
            match error.kind() {
                ErrorKind::ExpiredSignature => NotWelcome::AnyMore,
                _ => NotWelcome::Unknown,
            }
        })?;
        let claims = decoded.claims;
        let is_name = (1..=LONGEST_SUBJECT).contains(&claims.sub.len());
        if is_name { Ok(claims) } else { Err(NotWelcome::Unknown) }
    }

    /// Looks for a key that is not known, unless somebody just did.
    async fn look_for_news(&self) {
        if let Err(error) = self.look_if_older(LOOK_AGAIN).await {
            tracing::warn!(error = format!("{error:#}"), "the keys of tokens cannot be read");
        }
    }

    /// Nobody waits for it.
    fn refresh_later(self: &Arc<Self>) {
        let is_old = |looked: Option<Instant>| looked.is_none_or(|at| at.elapsed() > OLD);
        if self.looked.try_lock().is_ok_and(|looked| is_old(*looked)) {
            let jwt = Arc::clone(self);
            tokio::spawn(async move { jwt.look_for_news().await });
        }
    }

    async fn look_if_older(&self, age: Duration) -> anyhow::Result<()> {
        let now = Instant::now();
        {
            let looked = self.looked.lock().await;
            if looked.is_some_and(|at| now.saturating_duration_since(at) < age) {
                return Ok(());
            }
        }
        self.look(now).await
    }

    async fn look(&self, now: Instant) -> anyhow::Result<()> {
        let mut looked = self.looked.lock().await;
        if looked.is_some_and(|at| at >= now) {
            return Ok(());
        }
        // A try that fails counts too: whoever is down is not called every moment.
        *looked = Some(Instant::now());
        let keys = read(&self.source.fetch().await?)?;
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys.into();
        Ok(())
    }
}

impl Key {
    fn fits(&self, id: Option<&str>, algorithm: Algorithm) -> bool {
        self.algorithm == algorithm && (id.is_none() || self.id.as_deref() == id)
    }
}

struct Found {
    keys: Arc<[Key]>,
    at: usize,
}

/// The last second in which the token is good.
fn last_second(exp: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "parts of a second do not matter")]
    let seconds = exp.is_finite().then_some(exp as i64)?;
    seconds.checked_add_unsigned(LEEWAY_S)
}

impl Source {
    fn of(settings: &config::Jwt) -> anyhow::Result<Self> {
        let has_file = !settings.jwks_file.as_os_str().is_empty();
        match (has_file, settings.jwks_url.as_str()) {
            (true, "") => Ok(Self::File(settings.jwks_file.clone())),
            (false, url) if !url.is_empty() => {
                let (remote, path) = Remote::split(url).context("`auth.jwt.jwks_url`")?;
                if !remote.is_private() {
                    bail!("`auth.jwt.jwks_url` must begin with https://");
                }
                Ok(Self::Url(remote, path))
            }
            _ => bail!("`auth.jwt` needs one of `jwks_file` and `jwks_url`"),
        }
    }

    async fn fetch(&self) -> anyhow::Result<Value> {
        match self {
            Self::File(path) => {
                let file = path.clone();
                let text = tokio::task::spawn_blocking(move || std::fs::read(file)).await?;
                let text = text.with_context(|| format!("{} cannot be read", path.display()))?;
                serde_json::from_slice(&text)
                    .with_context(|| format!("{} is not JSON", path.display()))
            }
            Self::Url(remote, path) => {
                let answer = http::request(remote, Method::GET, path, None);
                let answer = tokio::time::timeout(PATIENCE, answer).await;
                let answer = answer.with_context(|| format!("{remote} does not answer"))??;
                if answer.status != 200 {
                    bail!("{remote} answered {}", answer.status);
                }
                Ok(answer.body)
            }
        }
    }
}

/// The keys of a JWK set that we can use; the others are somebody else's.
fn read(set: &Value) -> anyhow::Result<Vec<Key>> {
    let keys = set["keys"].as_array().context("a JWK set has a list of `keys`")?;
    let keys: Vec<Key> = keys.iter().take(MOST_KEYS).filter_map(usable).collect();
    if keys.is_empty() {
        bail!("there is no key for RS256, ES256 or EdDSA in the JWK set");
    }
    Ok(keys)
}

fn usable(key: &Value) -> Option<Key> {
    let jwk: Jwk = serde_json::from_value(key.clone()).ok()?;
    let algorithm = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(ec) if ec.curve == EllipticCurve::P256 => {
            Algorithm::ES256
        }
        AlgorithmParameters::OctetKeyPair(pair) if pair.curve == EllipticCurve::Ed25519 => {
            Algorithm::EdDSA
        }
        _ => return None,
    };
    let meant = jwk.common.key_algorithm;
    let is_meant = meant.is_none_or(|meant| meant == KeyAlgorithm::from(algorithm));
    let is_for_signing =
        jwk.common.public_key_use.as_ref().is_none_or(|used| *used == PublicKeyUse::Signature);
    let may_verify = jwk
        .common
        .key_operations
        .as_ref()
        .is_none_or(|operations| operations.contains(&KeyOperations::Verify));
    if !is_meant || !is_for_signing || !may_verify {
        return None;
    }
    let public = DecodingKey::from_jwk(&jwk).ok()?;
    Some(Key { id: jwk.common.key_id, algorithm, public })
}

#[cfg(test)]
#[path = "jwt_tests.rs"]
mod tests;
