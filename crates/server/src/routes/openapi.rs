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
    use crate::routes::Route;

    #[test]
    fn every_route_is_in_the_document_and_in_the_house_and_nothing_else() {
        let routes = super::super::ROUTES.iter();
        let way = |route: &Route| page::way_id(&route.method.as_str().to_lowercase(), route.path);
        let served: BTreeSet<_> = routes.clone().map(way).collect();
        let document = book::document();
        let paths = document["paths"].as_object().unwrap();
        let told = paths.values().flat_map(|ways| ways.as_object().unwrap().values());
        let told = told.map(|way| way["operationId"].as_str().unwrap().to_owned()).collect();
        assert_eq!(served, told);
        let rooms: BTreeSet<_> = super::super::rooms(1).iter().map(|(path, _)| *path).collect();
        assert_eq!(rooms, routes.map(|route| route.path).collect());
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
