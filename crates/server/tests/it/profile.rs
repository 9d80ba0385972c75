//! Who the person is, told and changed from the command line and over HTTP.

use serde_json::json;

use crate::client::Client;
use crate::event::one;
use crate::house::{House, run};
use crate::http::{get, request};

#[test]
fn what_is_set_on_the_command_line_is_shown_everywhere() {
    let house = House::open();
    let server = house.url();
    let set = ["profile", "--server", &server, "set", "--name", "Noor", "--zone", "Asia/Tokyo"];

    let changed =
        run(&[&set[..], &["--hours", "08:15-16:45", "--days", "mon,thu", "--meeting", "45"]]
            .concat());
    let shown = run(&["profile", "--server", &server]);

    assert_eq!((changed.code, shown.code), (0, 0), "{changed:?}");
    for fact in ["Noor", "Asia/Tokyo", "08:15", "16:45", "mon,thu", "45"] {
        assert!(shown.out.contains(fact), "{fact}: {}", shown.out);
    }
    let profile = get(&house, "/chat/profile").json();
    assert_eq!(profile["name"], "Noor");
    assert_eq!(profile["time_zone"], "Asia/Tokyo");
    let hours = json!({ "start": "08:15", "end": "16:45", "days": ["mon", "thu"] });
    assert_eq!(profile["working_hours"], hours);
    assert_eq!(profile["default_meeting_minutes"], 45);
}

#[test]
fn what_is_not_named_stays_as_it_was() {
    let house = House::open();
    let before = get(&house, "/chat/profile").json();

    let changed = run(&["profile", "--server", &house.url(), "set", "--meeting", "25"]);

    assert_eq!(changed.code, 0, "{changed:?}");
    let mut expected = before;
    expected["default_meeting_minutes"] = 25.into();
    assert_eq!(get(&house, "/chat/profile").json(), expected);
}

#[test]
fn a_zone_that_does_not_exist_is_refused_and_changes_nothing() {
    let house = House::open();
    let before = get(&house, "/chat/profile").json();

    let refused = run(&["profile", "--server", &house.url(), "set", "--zone", "Mars/Base"]);

    assert_ne!(refused.code, 0);
    assert!(refused.err.contains("Mars/Base") && refused.err.contains("Europe/Berlin"));
    assert_eq!(get(&house, "/chat/profile").json(), before);
}

#[test]
fn a_profile_survives_a_restart() {
    let mut house = House::open();
    let body = json!({ "time_zone": "Asia/Tokyo", "name": "Noor" }).to_string();
    let saved = request(&house, "PUT", "/chat/profile", &[], &body);
    assert_eq!(saved.status, 200, "{}", saved.body);

    house.kill_hard();
    house.restart();

    assert_eq!(get(&house, "/chat/profile").json(), saved.json());
}

#[test]
fn somebody_is_a_stranger_until_they_have_said_who_they_are() {
    let house = House::open();
    assert_eq!(get(&house, "/chat/profile").json()["onboarded"], false);

    let body = json!({ "time_zone": "Asia/Tokyo", "onboarded": true }).to_string();
    assert_eq!(request(&house, "PUT", "/chat/profile", &[], &body).status, 200);
    let set = run(&["profile", "--server", &house.url(), "set", "--name", "Noor"]);

    assert_eq!(set.code, 0, "{set:?}");
    let profile = get(&house, "/chat/profile").json();
    assert_eq!((&profile["onboarded"], &profile["name"]), (&json!(true), &json!("Noor")));
}

#[test]
fn the_next_turn_goes_by_the_new_zone() {
    let house = House::open();
    let mut client = Client::new(&house);
    for zone in ["Asia/Tokyo", "America/Los_Angeles"] {
        let body = json!({ "time_zone": zone }).to_string();
        assert_eq!(request(&house, "PUT", "/chat/profile", &[], &body).status, 200);

        let turn = client.turn("What meetings do I have tomorrow?");

        let asked = &one(&turn, "tool_call.request")["payload"]["arguments"]["date_range"];
        let start = asked["start"].as_str().unwrap();
        assert!(start.ends_with(&format!("[{zone}]")), "{start}");
    }
}

#[test]
fn the_profile_of_a_server_that_is_not_there_names_the_next_step() {
    let ran = run(&["profile", "--server", "http://127.0.0.1:1"]);

    assert_ne!(ran.code, 0);
    assert!(ran.err.contains("sayso serve"), "{}", ran.err);
}

#[test]
fn the_sample_is_called_a_sample_and_nothing_of_it_reaches_anybody() {
    let house = House::open();
    let address = get(&house, "/chat/profile").json()["address"].clone();

    let accounts = get(&house, "/chat/accounts").json()["accounts"].clone();

    let [mail, calendar] = accounts.as_array().unwrap().as_slice() else { panic!("{accounts}") };
    assert_eq!((&mail["kind"], &calendar["kind"]), (&json!("mail"), &json!("calendar")));
    assert_eq!((&mail["address"], &calendar["address"]), (&address, &json!(null)));
    for account in [mail, calendar] {
        assert_eq!(account["place"], "this_server");
        assert_eq!(account["sample"], true);
        assert_eq!(account["reaches_others"], false);
        assert!(account["holds"].as_u64().unwrap() > 10, "{account}");
    }
}
