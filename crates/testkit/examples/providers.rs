//! Runs the fake providers until it is stopped, for `scripts/clients`.

use testkit::provider::{FakeProvider, KEY};

#[tokio::main]
async fn main() {
    let fake = FakeProvider::start().await;
    println!("{} {KEY}", fake.address());
    std::future::pending::<()>().await;
}
