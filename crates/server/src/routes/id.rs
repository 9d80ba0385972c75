//! The id that stands in an address.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

/// As it was spelled. What cannot even be read as text is left empty, which is nobody's
/// id either: so it is answered like any other that is not there.
pub struct Id(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let read = Path::<String>::from_request_parts(parts, state).await;
        Ok(Self(read.map_or_else(|_| String::new(), |Path(id)| id)))
    }
}
