//! The document for programs, against the server that hands it out.

use std::collections::BTreeSet;

use crate::house::House;
use crate::http::{get, request};

#[test]
fn what_the_document_says_can_be_done_is_exactly_what_can_be_done() {
    let house = House::open();
    let answer = get(&house, "/openapi.json");
    assert_eq!(answer.headers["content-type"], "application/json");
    let document = answer.json();
    assert_eq!(document["openapi"], "3.1.0");

    for (path, ways) in document["paths"].as_object().unwrap() {
        let told: BTreeSet<_> =
            ways.as_object().unwrap().keys().map(|method| method.to_uppercase()).collect();
        let somewhere = path.replace("{thread_id}", "x").replace("{file_id}", "x");
        let refused = request(&house, "OPTIONS", &somewhere, &[], "");
        assert_eq!(refused.status, 405, "{path}");
        // Whoever may GET may ask for the head of it, too.
        let allowed = refused.headers["allow"].split(',').map(|it| it.trim().to_owned());
        let allowed: BTreeSet<_> = allowed.filter(|method| method != "HEAD").collect();
        assert_eq!(told, allowed, "{path}");
    }
}
