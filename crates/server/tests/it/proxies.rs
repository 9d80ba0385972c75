//! Behind a reverse proxy everybody is counted by where they really are, and nobody
//! can choose that.

use tempfile::TempDir;

use crate::doors::{Key, asking, key};
use crate::house::{HOME, House, data, run_with};
use crate::http::{Answer, request, upgrade};

const GUESS: &str = "Bearer sayso_key_1";

/// A request as a proxy on this machine hands it on.
fn from(house: &House, bearer: &str, header: (&str, &str)) -> Answer {
    request(house, "GET", "/chat/profile", &[("Authorization", bearer), header], "")
}

fn behind(house: &House, bearer: &str, addresses: &str) -> Answer {
    from(house, bearer, ("X-Forwarded-For", addresses))
}

#[test]
fn whoever_guesses_behind_a_trusted_proxy_waits_alone() {
    let (house, ana, _) = asking(&[
        ("SAYSO_PROXIES_TRUSTED", "127.0.0.1, 10.0.0.0/8"),
        ("SAYSO_AUTH_FAILURES_PER_MINUTE", "1"),
    ]);
    behind(&house, GUESS, "203.0.113.9").assert_problem(401, "unauthenticated");

    // Whatever they say themselves stands before what the proxy says.
    for claimed in ["203.0.113.9", "198.51.100.1, 203.0.113.9", "127.0.0.1, 203.0.113.9, 10.1.1.1"]
    {
        behind(&house, GUESS, claimed).assert_problem(429, "too_many_failures");
    }
    let other = ("Forwarded", "for=198.51.100.1");
    assert_eq!(from(&house, &ana.bearer(), other).status, 200);
    assert_eq!(behind(&house, &ana.bearer(), "203.0.113.10").status, 200);
    assert!(house.log().contains("address=203.0.113.9"), "{}", house.log());
}

#[test]
fn nobody_chooses_their_address_where_no_proxy_is_trusted() {
    for trusted in ["", "10.0.0.0/8"] {
        let (house, _, _) =
            asking(&[("SAYSO_PROXIES_TRUSTED", trusted), ("SAYSO_AUTH_FAILURES_PER_MINUTE", "1")]);
        behind(&house, GUESS, "203.0.113.1").assert_problem(401, "unauthenticated");
        behind(&house, GUESS, "203.0.113.2").assert_problem(429, "too_many_failures");
        let other = ("Forwarded", "for=203.0.113.3");
        from(&house, GUESS, other).assert_problem(429, "too_many_failures");
    }
}

#[test]
fn the_other_header_is_read_where_the_settings_say_so() {
    let (house, ana, _) = asking(&[
        ("SAYSO_PROXIES_TRUSTED", "127.0.0.1"),
        ("SAYSO_PROXIES_HEADER", "forwarded"),
        ("SAYSO_AUTH_FAILURES_PER_MINUTE", "1"),
    ]);
    let guesser = ("Forwarded", "for=\"[2001:db8::7]:4711\";proto=https");
    from(&house, GUESS, guesser).assert_problem(401, "unauthenticated");
    from(&house, GUESS, guesser).assert_problem(429, "too_many_failures");
    let neighbour = ("Forwarded", "for=\"[2001:db8::8]\"");
    from(&house, GUESS, neighbour).assert_problem(429, "too_many_failures");
    // A header that this proxy passes on unread is not believed.
    assert_eq!(behind(&house, &ana.bearer(), "2001:db8::7").status, 200);
}

#[test]
fn people_of_one_address_share_what_it_may_ask_for_and_others_do_not() {
    let (house, ana, ben) =
        asking(&[("SAYSO_PROXIES_TRUSTED", "127.0.0.1"), ("SAYSO_LIMITS_READS_PER_MINUTE", "1")]);
    let office: Vec<Key> =
        (0..8).map(|nth| key(&house.data(), &format!("user-{nth}"), &[])).collect();

    let asked = office.iter().flat_map(|one| [one; 4]).enumerate();
    let refused = asked.filter(|(nth, one)| {
        let answer = behind(&house, &one.bearer(), &format!("198.51.100.{nth}, 203.0.113.9"));
        answer.status == 429
    });
    assert!(refused.count() > 0, "each has four a minute, all of them together twenty");

    behind(&house, &ana.bearer(), "203.0.113.9").assert_problem(429, "rate_limit");
    assert_eq!(behind(&house, &ben.bearer(), "203.0.113.10").status, 200);
}

#[test]
fn behind_a_trusted_proxy_nobody_is_the_person_of_this_machine() {
    let env = [("SAYSO_PROXIES_TRUSTED", "127.0.0.1"), ("SAYSO_LISTEN", "127.0.0.1:0")];
    let folder = TempDir::new().unwrap();
    let place = data(folder.path());
    let ran = run_with(&["serve", "--data", &place], &env, "");
    assert_eq!(ran.code, 1, "{}", ran.err);
    let told = ran.err.contains("`proxies.trusted`") && ran.err.contains("sayso keys create");
    assert!(told, "{}", ran.err);

    let ana = key(&place, "ana", &[]);
    let env = env[..1].iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    let house = House::open_in(folder, HOME, env);
    for path in ["/chat/threads", "/metrics"] {
        let outside = ("X-Forwarded-For", "203.0.113.9");
        request(&house, "GET", path, &[outside], "").assert_problem(401, "unauthenticated");
        request(&house, "GET", path, &[], "").assert_problem(401, "unauthenticated");
    }
    assert_eq!(behind(&house, &ana.bearer(), "203.0.113.9").status, 200);
}

#[test]
fn a_key_in_an_address_is_not_taken_where_it_has_left_this_machine() {
    let trusted = ("SAYSO_PROXIES_TRUSTED", "127.0.0.1");
    for (env, header) in [
        (vec![trusted], ("X-Forwarded-For", "203.0.113.9")),
        (vec![trusted], ("Via", "1.1 gate")),
        (vec![], ("X-Forwarded-For", "203.0.113.9")),
        (vec![], ("Forwarded", "for=203.0.113.9")),
    ] {
        let (house, ana, _) = asking(&env);
        let path = format!("/chat/stream?session_token={}", ana.secret);
        let answer = upgrade(&house, &path, &[header]);
        answer.assert_problem(401, "unauthenticated");
        assert!(answer.body.contains("/chat/ticket"), "{}", answer.body);
    }
}

#[test]
fn a_proxy_that_cannot_be_read_is_told_by_name() {
    let ran = run_with(&["serve"], &[("SAYSO_PROXIES_TRUSTED", "proxy.example")], "");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("proxies.trusted"), "{}", ran.err);
}
