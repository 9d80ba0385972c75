//! What the rules propose, the tools take.

use std::sync::Arc;

use brain::PlanId;
use brain::ids::Uuid;
use brain::plan;
use models::{corpus, reflex};
use session::JobDesk;
use session::jobs::kinds;
use store::memory::MemoryStore;
use tools::Personal;

/// Lengths and hours that no tool has room for.
const AWKWARD: [&str; 8] = [
    "what do i have from midnight",
    "meetings after midnight tonight",
    "am i free for two minutes",
    "am i free for ten hours on friday",
    "is there time for a 9 hour hike",
    "do i have anything before 0:00",
    "mail from the last 400 years",
    "what is on in the next 900 days",
];

#[test]
fn every_reading_is_a_plan_that_the_tools_take() {
    let desk = JobDesk::new(Arc::new(MemoryStore::default()), kinds::shipped());
    let catalog = desk.add_to(Personal::in_memory().unwrap().catalog());
    let world = corpus::world();
    let cases = corpus::cases();
    let sentences = cases.iter().map(|case| case.text.as_str()).chain(AWKWARD);
    let refused: Vec<_> = sentences
        .filter_map(|text| {
            let proposal = reflex::read(text, &world).proposal;
            let error = plan::check(proposal, PlanId(Uuid::nil()), &catalog).err()?;
            Some(format!("{text}: {error}"))
        })
        .collect();
    assert!(refused.is_empty(), "\n{}", refused.join("\n"));
}
