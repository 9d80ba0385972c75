//! Answers, edits, delays and failures in any order: what is done is what
//! somebody said yes to, and nothing is tried again unless it is proven that
//! nothing was done.

use brain::action::{MOST_ATTEMPTS, News, Todo};
use brain::card::{Card, Field, FieldKind, Preview};
use brain::confirmation::{Answer, Channel, ConfirmationState, PATIENCE, Verdict};
use brain::ids::Uuid;
use brain::input::Decision;
use brain::policy::Care;
use brain::{
    Action, ActionId, ActionState, CallError, CallId, Confirmation, ConfirmationId, Seal,
    SessionId, TurnId, UserId,
};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const TOOL: &str = "gmail.send";
const SETTLE: SignedDuration = SignedDuration::from_secs(10);

#[derive(Clone, Debug)]
enum Op {
    Answer {
        decision: Decision,
        revision_off: i32,
        body: u8,
        channel: Channel,
    },
    Wait {
        s: i64,
    },
    /// What a provider, or its silence, tells us.
    Hear(Heard),
}

#[derive(Clone, Copy, Debug)]
enum Heard {
    Done,
    Refused,
    Lost,
    Found,
    Absent,
    Unclear,
}

/// One card and its write, moved only as `brain` allows.
struct World {
    now: Timestamp,
    card: Confirmation,
    action: Option<Action>,
    /// What was on any card that got a yes.
    accepted: Vec<Seal>,
    /// What was tried.
    tried: Vec<Seal>,
    /// The looks in a row that did not find it, since it was tried last.
    absent_at: Vec<Timestamp>,
}

fn card(body: &str) -> Card {
    let payload = [("to", json!(["ana@x.example"])), ("body", json!(body))];
    Card {
        action_type: "send_email".into(),
        title: "Send this?".into(),
        speakable: "Ready?".into(),
        preview: Preview::Lines { lines: Vec::new() },
        payload: payload.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(),
        editable: vec![Field { name: "body".into(), label: "Body".into(), kind: FieldKind::Text }],
        warnings: Vec::new(),
        voice: Care::Allow,
    }
}

impl World {
    fn new() -> Self {
        let (now, card) = (Timestamp::UNIX_EPOCH, card("0"));
        let card = Confirmation {
            id: ConfirmationId(Uuid::from_u128(1)),
            revision: 1,
            action: ActionId(Uuid::from_u128(2)),
            session: SessionId(Uuid::from_u128(3)),
            user: UserId(Uuid::from_u128(4)),
            turn: TurnId(Uuid::from_u128(5)),
            step: 1,
            tool: TOOL.into(),
            seal: Seal::of(TOOL, &Value::Object(card.payload.clone())),
            card,
            state: ConfirmationState::Pending,
            asked_at: now,
            expires_at: now + PATIENCE,
            decided: None,
        };
        let (accepted, tried, absent_at) = (Vec::new(), Vec::new(), Vec::new());
        Self { now, card, action: None, accepted, tried, absent_at }
    }

    fn perform(&mut self, op: &Op) {
        match op {
            Op::Wait { s } => self.now += SignedDuration::from_secs(*s),
            Op::Answer { decision, revision_off, body, channel } => {
                let edited = Map::from_iter([("body".to_owned(), json!(body.to_string()))]);
                self.answer(&Answer {
                    decision: *decision,
                    revision: self.card.revision.checked_add_signed(*revision_off),
                    edited: (*decision == Decision::Edit).then_some(edited),
                    channel: *channel,
                    names_recipient: false,
                });
            }
            Op::Hear(heard) => self.hear(*heard),
        }
        self.act();
    }

    fn answer(&mut self, answer: &Answer) {
        let was_open = self.card.is_open(self.now);
        let is_seen = answer.revision == Some(self.card.revision);
        match self.card.weigh(answer, self.now) {
            Ok(verdict) => {
                assert!(was_open, "an answer to a card that is not open counted");
                assert!(is_seen || verdict == Verdict::Reject, "a yes to something unseen counted");
                match verdict {
                    Verdict::Accept => self.agree(answer.channel),
                    Verdict::Reject => self.decide(ConfirmationState::Rejected, answer.channel),
                    Verdict::Edit(wanted) => self.edit(&wanted, answer.channel),
                }
            }
            Err(_) => assert!(!was_open || !is_seen, "an answer to what was seen did not count"),
        }
    }

    /// An odd body comes out otherwise than it was typed, and asks again.
    fn edit(&mut self, wanted: &Map<String, Value>, channel: Channel) {
        let body = wanted["body"].as_str().expect("it was typed");
        let is_odd = body.parse::<u8>().is_ok_and(|number| number % 2 == 1);
        let drawn = card(&if is_odd { format!("{body}, tidied") } else { body.to_owned() });
        let may_skip = self.card.may_skip_asking(wanted, &drawn);
        assert_eq!(may_skip, !is_odd);
        self.card = self.card.revised(drawn, self.now);
        if may_skip {
            self.agree(channel);
        }
    }

    fn decide(&mut self, state: ConfirmationState, channel: Channel) {
        self.card = self.card.decided(state, self.now, channel);
    }

    fn agree(&mut self, channel: Channel) {
        assert!(self.action.is_none(), "one card, one write");
        self.decide(ConfirmationState::Accepted, channel);
        self.accepted.push(self.card.seal);
        self.action = Some(Action {
            id: self.card.action,
            confirmation: self.card.id,
            revision: self.card.revision,
            session: self.card.session,
            user: self.card.user,
            turn: self.card.turn,
            step: 1,
            call: CallId(Uuid::from_u128(6)),
            tool: TOOL.into(),
            args: Value::Object(self.card.card.payload.clone()),
            seal: self.card.seal,
            called: "the mail".into(),
            state: ActionState::IntentLogged,
            attempt: 0,
            epoch: 0,
            probes: 0,
            absent: 0,
            not_before: None,
            agreed_at: self.now,
            learnt_at: self.now,
            result: None,
            error: None,
            told: false,
        });
    }

    /// Tries the write as soon as it may be tried.
    fn act(&mut self) {
        let Some(action) = &self.action else { return };
        if action.todo(self.now) != Todo::Dispatch {
            return;
        }
        let say_so = self.card.say_so().expect("there is a write, so there was a yes");
        assert!(say_so.covers(&action.tool, &action.args) && say_so.action() == action.id);
        if action.attempt > 0 {
            let [first, .., last] = self.absent_at[..] else {
                panic!("tried again without two looks that found nothing");
            };
            assert!(last.duration_since(first) >= SETTLE, "the looks were not apart");
        }
        self.tried.push(Seal::of(&action.tool, &action.args));
        self.absent_at.clear();
        self.learn(News::Claimed { epoch: 1 });
    }

    fn hear(&mut self, heard: Heard) {
        let Some(action) = &self.action else { return };
        let error = || CallError { code: "x".into(), message: String::new(), retryable: false };
        let may_ask = action.todo(self.now) == Todo::Probe;
        let news = match (action.state, heard) {
            (ActionState::Dispatching, Heard::Done) => News::Done(json!({})),
            (ActionState::Dispatching, Heard::Refused) => News::Refused(error()),
            (ActionState::Dispatching, Heard::Lost) => News::Lost(error()),
            (ActionState::MaybeSent, Heard::Found) if may_ask => News::Found(json!({})),
            (ActionState::MaybeSent, Heard::Absent) if may_ask => {
                self.absent_at.push(self.now);
                News::Absent
            }
            (ActionState::MaybeSent, Heard::Unclear) if may_ask => {
                self.absent_at.clear();
                News::Unclear
            }
            _ => return,
        };
        self.learn(news);
    }

    fn learn(&mut self, news: News) {
        let action = self.action.as_ref().expect("there is a write");
        assert!(!action.state.is_over(), "a write that is over never begins again");
        self.action = Some(action.learn(news, self.now, SETTLE).expect("it fits"));
    }
}

fn op() -> impl Strategy<Value = Op> {
    let decision = prop_oneof![
        3 => Just(Decision::Accept),
        1 => Just(Decision::Reject),
        2 => Just(Decision::Edit),
    ];
    let channel = prop_oneof![Just(Channel::Click), Just(Channel::Text), Just(Channel::Api)];
    let revision_off = prop_oneof![4 => Just(0), 1 => -1..=1];
    let answer = (decision, revision_off, 0..6_u8, channel);
    let heard = prop_oneof![
        1 => Just(Heard::Done),
        1 => Just(Heard::Refused),
        3 => Just(Heard::Lost),
        1 => Just(Heard::Found),
        4 => Just(Heard::Absent),
        1 => Just(Heard::Unclear),
    ];
    prop_oneof![
        2 => answer.prop_map(|(decision, revision_off, body, channel)| {
            Op::Answer { decision, revision_off, body, channel }
        }),
        2 => prop_oneof![0..3_i64, Just(10), Just(300), Just(601)].prop_map(|s| Op::Wait { s }),
        4 => heard.prop_map(Op::Hear),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_done_is_what_was_agreed_to(ops in prop::collection::vec(op(), 1..60)) {
        let mut world = World::new();
        for op in &ops {
            world.perform(op);
        }
        prop_assert!(world.accepted.len() <= 1);
        prop_assert!(world.tried.iter().all(|seal| world.accepted.contains(seal)));
        prop_assert!(world.tried.len() <= MOST_ATTEMPTS as usize);
    }
}
