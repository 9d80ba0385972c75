//! Every moment at which a process may die, one by one.
//!
//! A handful of conversations pass every moment there is; each of them is had
//! again for every moment that it passes, and the server dies there. A moment
//! that none of them passes fails the test, so a new one cannot go untested.

use std::collections::BTreeSet;
use std::time::Duration;

use session::peril::{Moment, Side};
use testkit::Fortune;

use crate::story::{Op, Pace, Revision, Step, Story, Verb};
use crate::{Figures, explain, tell};

const ACCEPT: Op = answer(Verb::Accept, Revision::Latest);

const fn answer(verb: Verb, revision: Revision) -> Op {
    Op::Answer { device: 0, card: 1, verb, revision }
}

fn ask(plan: &[Step]) -> Op {
    Op::Ask { device: 0, plan: plan.to_vec(), takes_ms: 0 }
}

fn story(seed: u64, fortune: Option<Fortune>, ops: Vec<Op>) -> Story {
    let done = || Fortune::Does(serde_json::json!({ "ok": true }));
    let first: Vec<_> = fortune.into_iter().chain([done()]).collect();
    let steps = ops.into_iter().map(|op| (op, Pace::Rest)).collect();
    Story { seed, fortunes: [first, vec![done()], vec![done()]], steps }
}

/// The conversations, by what is special about them.
fn conversations() -> Vec<(&'static str, Story)> {
    use Step::{Draft, Job, Look, LookOn, Then, Write};
    let say = |words| Op::Say { device: 0, words };
    let slowly = Op::Ask { device: 0, plan: vec![Look, Write(0)], takes_ms: 40 };
    let interrupt = Op::Interrupt { device: 0, named: false };
    let lost = |fortune| {
        let ops = vec![ask(&[Write(0), Write(1)]), ACCEPT, Op::Wait { s: 130 }, ACCEPT];
        (Some(fortune), ops)
    };
    let waits = || Some(Fortune::Takes(Duration::from_secs(3)));
    let mut all = vec![
        ("two writes", None, vec![ask(&[Look, LookOn, Draft, Write(0), Then(1)]), ACCEPT, ACCEPT]),
        (
            "a no",
            None,
            vec![ask(&[Write(0), Write(1)]), answer(Verb::Reject, Revision::Latest), ACCEPT],
        ),
        ("an edit", None, vec![ask(&[Write(0)]), answer(Verb::Edit, Revision::Latest)]),
        (
            "an edit that asks again",
            None,
            vec![ask(&[Write(0)]), answer(Verb::EditUntidily, Revision::Latest), ACCEPT],
        ),
        ("no answer", None, vec![ask(&[Write(0), Then(1)]), Op::Wait { s: 620 }]),
        (
            "kept open",
            None,
            vec![
                ask(&[Write(0)]),
                Op::Wait { s: 130 },
                answer(Verb::Extend, Revision::Latest),
                ACCEPT,
            ],
        ),
        (
            "stopped while it was sent",
            waits(),
            vec![ask(&[Write(0)]), ACCEPT, interrupt, Op::Wait { s: 17 }],
        ),
        (
            "an old answer",
            None,
            vec![ask(&[Write(0)]), answer(Verb::Accept, Revision::Old), ACCEPT],
        ),
        ("a slow mind", None, vec![slowly.clone(), Op::Wait { s: 1 }, ACCEPT]),
        ("talk", None, vec![ask(&[Write(0)]), say("what does it say?"), say("yes, send it")]),
        (
            "turned down",
            Some(Fortune::Refuses("no".into())),
            vec![ask(&[Write(0), Then(1)]), ACCEPT],
        ),
        ("long work", None, vec![ask(&[Job]), say("how are you?"), Op::Wait { s: 45 }]),
        ("long work beside a write", None, vec![ask(&[Job, Write(0)]), Op::Wait { s: 45 }, ACCEPT]),
        ("left in the middle", None, vec![slowly, Op::Die]),
        (
            "stopped in good order",
            waits(),
            vec![ask(&[Write(0), Write(1)]), ACCEPT, Op::Restart, ACCEPT],
        ),
    ];
    for (name, fortune) in [
        ("the answer got lost", Fortune::LosesAnswer),
        ("the request got lost", Fortune::LosesRequest),
        ("done late", Fortune::DoesLater(Duration::from_secs(30))),
        ("nobody can tell", Fortune::LosesEverything),
        ("never answers", Fortune::Hangs),
    ] {
        let (fortune, ops) = lost(fortune);
        all.push((name, fortune, ops));
    }
    (1..).zip(all).map(|(seed, (name, fortune, ops))| (name, story(seed, fortune, ops))).collect()
}

/// The same, and the server dies there.
fn dies(story: &Story, (moment, side, nth): (Moment, Side, usize), again: Option<usize>) -> Story {
    let mut story = story.clone();
    story.steps.insert(0, (Op::DieAt { moment, side, nth, again }, Pace::Hurry));
    story
}

/// Each moment with how often it was passed by then.
fn counted(passed: &[(Moment, Side)]) -> Vec<(Moment, Side, usize)> {
    let nth = |at: usize| passed[..=at].iter().filter(|one| **one == passed[at]).count();
    (0..passed.len()).map(|at| (passed[at].0, passed[at].1, nth(at))).collect()
}

/// Tells it, and what went wrong.
fn told(name: &str, story: &Story, on_disk: bool, wrong: &mut Vec<String>) -> Figures {
    tell(story, on_disk).unwrap_or_else(|complaint| {
        wrong.push(format!("{name}, {}", explain(story, on_disk, &complaint)));
        Figures::default()
    })
}

/// Dies at every moment of every conversation, and `again` times while it
/// comes back. The first few that go wrong fail the test.
fn die_everywhere(on_disk: bool, again: usize) {
    let (mut runs, mut wrong, mut reached) = (0, Vec::new(), BTreeSet::new());
    for (name, story) in conversations() {
        let calm = told(name, &story, on_disk, &mut wrong);
        reached.extend(calm.passed.iter().map(|(moment, side)| (moment.name(), side.name())));
        for point in counted(&calm.passed) {
            for again in 0..=again {
                let deadly = dies(&story, point, Some(again).filter(|moments| *moments > 0));
                runs += 1;
                told(name, &deadly, on_disk, &mut wrong);
                assert!(wrong.len() < 3, "\n{}", wrong.join("\n\n"));
            }
        }
    }
    println!("{runs} deaths at {} moments, each in its place", reached.len());
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
    let moments = Moment::ALL.iter().flat_map(|moment| Side::ALL.map(|side| (moment, side)));
    let untested: Vec<_> = moments
        .map(|(moment, side)| (moment.name(), side.name()))
        .filter(|point| !reached.contains(point))
        .collect();
    assert!(untested.is_empty(), "nobody dies at {untested:?}");
}

#[test]
fn it_may_die_at_every_moment_there_is() {
    die_everywhere(false, 0);
}

#[test]
#[ignore = "takes minutes; part of `make proof`"]
fn it_may_die_again_while_it_comes_back_also_on_a_disk() {
    die_everywhere(false, 6);
    die_everywhere(true, 0);
}

#[test]
fn a_write_whose_tool_is_gone_is_not_called_undone_if_it_may_have_left() {
    for (moment, side) in [
        (Moment::Agreed, Side::After),
        (Moment::Claimed, Side::After),
        (Moment::Sending, Side::After),
        (Moment::Settled, Side::Before),
        (Moment::Probing, Side::Before),
    ] {
        for fortune in [None, Some(Fortune::LosesAnswer), Some(Fortune::LosesRequest)] {
            let ops = vec![ask(&[Step::Write(0)]), Op::LoseTool { tool: 0 }, ACCEPT];
            let story = dies(&story(1, fortune, ops), (moment, side, 1), None);
            tell(&story, false).unwrap_or_else(|complaint| {
                panic!("{}", explain(&story, false, &complaint));
            });
        }
    }
}
