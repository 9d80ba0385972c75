//! What people, providers and machines do in one run, drawn by lot.

use std::time::Duration;

use session::peril::{Moment, Side};
use testkit::Fortune;

use crate::chance::Chance;

/// One run.
#[derive(Clone, Debug)]
pub struct Story {
    pub seed: u64,
    pub fortunes: [Vec<Fortune>; 3],
    pub steps: Vec<(Op, Pace)>,
}

/// One thing that happens.
#[derive(Clone, Debug)]
pub enum Op {
    Ask {
        device: usize,
        plan: Vec<Step>,
        takes_ms: u64,
    },
    /// One tool, over HTTP.
    Use,
    Answer {
        device: usize,
        card: usize,
        verb: Verb,
        revision: Revision,
    },
    Say {
        device: usize,
        words: &'static str,
    },
    Interrupt {
        device: usize,
        named: bool,
    },
    Wait {
        s: u64,
    },
    Switch {
        tool: Option<usize>,
        off: bool,
    },
    Restart,
    Die,
    DieAfter {
        moments: usize,
    },
    /// And once more, so many moments after it came back.
    DieAt {
        moment: Moment,
        side: Side,
        nth: usize,
        again: Option<usize>,
    },
    LoseTool {
        tool: usize,
    },
    Rejoin {
        device: usize,
        back: usize,
    },
    Disk {
        full: bool,
    },
    RefuseOne,
}

/// One step of a plan.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Look,
    /// A look-up that needs something of the step before it.
    LookOn,
    Draft,
    /// Work that goes on when the turn is over.
    Job,
    /// A write with one of the writers.
    Write(usize),
    /// A write that needs something of the step before it.
    Then(usize),
}

#[derive(Clone, Copy, Debug)]
pub enum Verb {
    Accept,
    /// Over HTTP.
    AcceptApart,
    Reject,
    Edit,
    /// Comes out otherwise than it was typed, so it asks again.
    EditUntidily,
    EditBadly,
    Extend,
}

#[derive(Clone, Copy, Debug)]
pub enum Revision {
    Latest,
    Old,
    Unknown,
}

/// How long one waits after it.
#[derive(Clone, Copy, Debug)]
pub enum Pace {
    Hurry,
    Blink,
    Rest,
}

const WORDS: [&str; 10] = [
    "yes",
    "no",
    "yes, send it",
    "no, don't",
    "change the subject to lunch",
    "what does it say?",
    "hmm, wait",
    "the first one",
    "never mind",
    "how are you?",
];

impl Story {
    pub fn of(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let fortunes = [(); 3].map(|()| fortunes(&mut chance));
        let many = 8 + chance.below(22);
        let mut steps = vec![(ask(&mut chance), Pace::Rest)];
        for _ in 0..many {
            let pace = match chance.below(10) {
                0..=2 => Pace::Hurry,
                3..=4 => Pace::Blink,
                _ => Pace::Rest,
            };
            steps.push((op(&mut chance), pace));
        }
        Self { seed, fortunes, steps }
    }
}

fn fortunes(chance: &mut Chance) -> Vec<Fortune> {
    let done = || Fortune::Does(serde_json::json!({ "ok": true }));
    let mut fortunes: Vec<_> = (0..chance.below(6))
        .map(|_| match chance.below(12) {
            0 => Fortune::Refuses("the box is full".into()),
            1 | 2 => Fortune::LosesAnswer,
            3 | 4 => Fortune::LosesRequest,
            5 => Fortune::DoesLater(Duration::from_millis(500 + chance.below(39_000) as u64)),
            6 => Fortune::LosesEverything,
            7 => Fortune::Hangs,
            8 => Fortune::Unreachable(1 + chance.below(4)),
            9 => Fortune::Takes(Duration::from_millis(1 + chance.below(20_000) as u64)),
            _ => done(),
        })
        .collect();
    fortunes.push(done());
    fortunes
}

fn ask(chance: &mut Chance) -> Op {
    let many = 1 + chance.below(3);
    let mut plan: Vec<Step> = Vec::new();
    for at in 0..many {
        plan.push(match chance.below(8) {
            0 if at > 0 && chance.is(50) => Step::LookOn,
            0 => Step::Look,
            1 => Step::Draft,
            2 | 3 if at > 0 => Step::Then(chance.below(3)),
            _ => Step::Write(chance.below(3)),
        });
    }
    let takes_ms = chance.pick(&[0, 0, 0, 8, 40, 900]);
    Op::Ask { device: chance.below(2), plan, takes_ms }
}

fn op(chance: &mut Chance) -> Op {
    let device = chance.below(2);
    match chance.below(100) {
        0..=14 => ask(chance),
        15..=16 => Op::Use,
        17..=50 => answer(chance),
        51..=55 => Op::Say { device, words: chance.pick(&WORDS) },
        56..=60 => Op::Interrupt { device, named: chance.is(50) },
        61..=68 => Op::Wait { s: chance.pick(&[1, 3, 17, 45, 130, 620, 3700]) },
        69..=72 => {
            let tool = chance.is(50).then(|| chance.below(3));
            Op::Switch { tool, off: chance.is(50) }
        }
        73..=75 => Op::Restart,
        76..=79 => Op::Die,
        80..=89 => Op::DieAfter { moments: 1 + chance.below(12) },
        90..=94 => Op::Rejoin { device, back: chance.pick(&[0, 0, 1, 5, 100]) },
        95..=97 => Op::Disk { full: chance.is(60) },
        _ => Op::RefuseOne,
    }
}

fn answer(chance: &mut Chance) -> Op {
    let verb = match chance.below(20) {
        0..=10 => Verb::Accept,
        11..=12 => Verb::AcceptApart,
        13 => Verb::Reject,
        14..=15 => Verb::Edit,
        16 => Verb::EditUntidily,
        17 => Verb::EditBadly,
        _ => Verb::Extend,
    };
    let revision = match chance.below(12) {
        0 => Revision::Old,
        1 => Revision::Unknown,
        _ => Revision::Latest,
    };
    Op::Answer { device: chance.below(2), card: chance.below(8), verb, revision }
}
