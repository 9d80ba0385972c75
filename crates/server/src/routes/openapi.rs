//! `GET /openapi.json`: every address, what it takes and what it answers, for programs.
//!
//! The shapes come from the types that are read and written; what is said about them
//! is in `book`.

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::header;
use axum::response::IntoResponse;

mod book;
mod page;

static DOCUMENT: LazyLock<Bytes> = LazyLock::new(|| {
    serde_json::to_vec_pretty(&book::document()).expect("JSON can be written down").into()
});

pub async fn show() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.clone())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_address_is_in_the_document_and_nothing_else() {
        let rooms = super::super::rooms(1);
        let served: BTreeSet<_> = rooms.iter().map(|(path, _)| (*path).to_owned()).collect();
        let document = book::document();
        let told = document["paths"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(served, told);
    }

    #[test]
    fn whatever_is_referred_to_is_there() {
        let document = book::document();
        let text = document.to_string();
        for reference in text.split("#/components/schemas/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(document["components"]["schemas"][name].is_object(), "{name}");
        }
        assert!(!text.contains("$defs"));
    }
}
