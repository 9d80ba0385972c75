//! `GET /openapi.json`: every address, what it takes and what it answers, for programs.
//!
//! The shapes come from the types that are read and written; what is said about them
//! is in `book`.

use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::app::App;

mod book;
mod page;

static FOR_EVERYBODY: LazyLock<Bytes> = LazyLock::new(|| spelled(true));
static FOR_ONE: LazyLock<Bytes> = LazyLock::new(|| spelled(false));

fn spelled(asks: bool) -> Bytes {
    serde_json::to_vec_pretty(&book::document(asks)).expect("JSON can be written down").into()
}

/// Whether a key is needed follows from who is asked here.
pub async fn show(State(app): State<Arc<App>>) -> impl IntoResponse {
    let document = if app.doors.ask() { &FOR_EVERYBODY } else { &FOR_ONE };
    ([(header::CONTENT_TYPE, "application/json")], Bytes::clone(document))
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
        let document = book::document(true);
        let paths = document["paths"].as_object().unwrap();
        let told = paths.values().flat_map(|ways| ways.as_object().unwrap().values());
        let told = told.map(|way| way["operationId"].as_str().unwrap().to_owned()).collect();
        assert_eq!(served, told);
        let rooms: BTreeSet<_> = super::super::rooms(1).iter().map(|(path, _)| *path).collect();
        assert_eq!(rooms, routes.map(|route| route.path).collect());
    }

    #[test]
    fn whatever_is_referred_to_is_there() {
        let document = book::document(true);
        let text = document.to_string();
        for reference in text.split("#/components/schemas/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(document["components"]["schemas"][name].is_object(), "{name}");
        }
        assert!(!text.contains("$defs"));
    }

    #[test]
    fn a_key_is_asked_for_wherever_the_door_asks_for_one() {
        let document = book::document(true);
        assert_eq!(document["security"], serde_json::json!([{ "bearer": [] }]));
        assert_eq!(document["components"]["securitySchemes"]["bearer"]["scheme"], "bearer");
        for route in super::super::ROUTES {
            let way = &document["paths"][route.path][route.method.as_str().to_lowercase()];
            let is_open = route.who == crate::routes::Who::Anybody;
            assert_eq!(way["security"] == serde_json::json!([]), is_open, "{}", route.path);
            assert_eq!(way["responses"].get("401").is_none(), is_open, "{}", route.path);
        }
        assert_eq!(book::document(false)["security"], serde_json::json!([]));
    }
}
