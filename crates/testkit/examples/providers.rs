//! Runs the fake providers until it is stopped, for `scripts/clients`.

use testkit::FakeRealtime;
use testkit::provider::{FakeProvider, KEY};
use testkit::realtime::Answer;

#[tokio::main]
async fn main() {
    let fake = FakeProvider::start().await;
    let live = FakeRealtime::start().await;
    live.speaks_plainly();
    live.will_hear("Hi there.");
    live.will(Answer::says("Hello from a fake. Čau!"));
    live.will(Answer::calls(&[("gmail.search", serde_json::json!({ "query": "budget" }))]));
    println!("{} {KEY} {}", fake.address(), live.address());
    std::future::pending::<()>().await;
}
