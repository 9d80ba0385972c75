//! Every talk goes as it is written.

use std::path::Path;

#[tokio::test(start_paused = true)]
async fn every_talk_goes_as_it_is_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../talks");
    let bless = std::env::var_os("BLESS").is_some();
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut talks: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|end| end == "talk")).collect();
    talks.sort();
    assert!(!talks.is_empty(), "there are talks to run");

    let mut wrong = Vec::new();
    for talk in &talks {
        if let Err(error) = testkit::talk::run(talk, bless).await {
            wrong.push(error.to_string());
        }
    }

    println!("{} talks, {} went otherwise", talks.len(), wrong.len());
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
}
