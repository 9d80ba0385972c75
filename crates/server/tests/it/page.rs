//! The pages as a browser gets them: small, remembered, and from nowhere else.

use std::fs;
use std::path::Path;

use crate::house::House;
use crate::http::request;

#[test]
fn the_page_allows_nothing_from_elsewhere() {
    let house = House::open();

    let page = request(&house, "GET", "/", &[], "");

    assert_eq!(page.status, 200);
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    assert_eq!(page.headers["cache-control"], "no-cache");
    let policy = &page.headers["content-security-policy"];
    assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
}

#[test]
fn what_a_browser_has_is_not_sent_again() {
    let house = House::open();
    let first = request(&house, "GET", "/", &[], "");

    let known = [("If-None-Match", first.headers["etag"].as_str())];
    let again = request(&house, "GET", "/", &known, "");

    assert_eq!(again.status, 304);
    assert!(again.body.is_empty());
}

#[test]
fn files_named_after_their_contents_are_kept_for_good() {
    let house = House::open();
    let page = request(&house, "GET", "/", &[], "").body;
    let script = page.split("src=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();

    let file = request(&house, "GET", script, &[("Accept-Encoding", "zstd, gzip;q=0")], "");

    assert_eq!(file.status, 200);
    assert_eq!(file.headers["cache-control"], "public, max-age=31536000, immutable");
    assert_eq!(file.headers["vary"], "accept-encoding");
    assert!(!file.headers.contains_key("content-encoding"));
}

#[test]
fn every_file_of_the_pages_is_served_as_what_it_is() {
    let house = House::open();
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");

    for folder in ["", "assets/"] {
        for entry in fs::read_dir(dist.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let kind = match name.rsplit_once('.') {
                Some((_, "css")) => "text/css; charset=utf-8",
                Some((_, "js")) => "text/javascript; charset=utf-8",
                Some((_, "svg")) => "image/svg+xml",
                Some((_, "webmanifest")) => "application/manifest+json",
                _ => continue,
            };
            let file = request(&house, "GET", &format!("/{folder}{name}"), &[], "");
            assert_eq!(file.status, 200, "{name}");
            assert_eq!(file.headers["content-type"], kind, "{name}");
            assert_eq!(file.headers["x-content-type-options"], "nosniff", "{name}");
            assert!(!file.body.is_empty(), "{name}");
        }
    }
}
