//! One person looks for words once at a time; nobody else waits for that.

use axum::http::Method;
use serde_json::Value;

use super::people_tests::{Person, Place};
use super::threads::look_for;
use crate::client::http::Answer;
use crate::doors::keys::user_named;

const SEARCHES: [&str; 2] = ["/chat/search?q=thursday", "/chat/threads?query=thursday"];

async fn get(place: &Place, person: &Person, path: &str) -> Answer {
    place.request(person, Method::GET, path, Value::Null).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_searches_waits_for_their_own_search_and_for_nobody_elses() {
    let place = Place::with(&["ana", "benjamin"]).await;
    let [ana, benjamin] = &place.people[..] else { unreachable!() };
    let under_way = look_for(&place.app, user_named(ana.name).unwrap()).ok().unwrap();

    for path in SEARCHES {
        let second = get(&place, ana, path).await;
        assert_eq!(
            (second.status, &second.body["error"]["code"]),
            (429, &"too_many_searches".into())
        );
        assert!(second.body["error"]["retry_after_ms"].as_u64().unwrap() >= 1, "{path}");
        assert_eq!(get(&place, benjamin, path).await.status, 200, "{path}");
    }
    // Who only lists what there is looks for no words.
    assert_eq!(get(&place, ana, "/chat/threads").await.status, 200);

    drop(under_way);
    for path in SEARCHES {
        assert_eq!(get(&place, ana, path).await.status, 200, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_searches_at_once_each_is_answered_or_told_when_to_come_again() {
    let place = Place::with(&["ana", "benjamin"]).await;
    let [ana, benjamin] = &place.people[..] else { unreachable!() };
    let many = (0..40).map(|nth| get(&place, ana, SEARCHES[nth % SEARCHES.len()]));

    let (theirs, other) =
        tokio::join!(futures_util::future::join_all(many), get(&place, benjamin, SEARCHES[0]));

    assert_eq!(other.status, 200);
    let found = theirs.iter().filter(|answer| answer.status == 200).count();
    let told = theirs.iter().filter(|answer| answer.body["error"]["code"] == "too_many_searches");
    assert_eq!(found + told.count(), theirs.len());
    assert!(found >= 1);
    assert_eq!(get(&place, ana, SEARCHES[0]).await.status, 200, "every place was given back");
}
