//! A model that plans what the rules planned: the same calls for the same sentence, each
//! round once it was brought what the round before called for, and the writes last.
//!
//! It goes by what it is sent, as a model does: whose sentence it is, and how much was
//! brought for it. Two lines lead to it, a provider's HTTP and a live voice.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use models::planner::ASK;
use serde_json::{Value, json};

use super::facts::Names;
use crate::provider::{FakeProvider, Part, Reply};
use crate::realtime::{Answer, FakeRealtime, Kept};

/// Behind this stands what was said, in whatever a planner sends.
const SAID: &str = "The person says: ";

/// A tool and its arguments.
type Call = (String, Value);

/// What is to be done about one sentence.
#[derive(Clone, Debug, Default)]
struct Reading {
    heard: String,
    rounds: Vec<Vec<Call>>,
    /// What is asked in the end, if anything is.
    asks: Option<String>,
    /// What is offered in the end, which a yes would be for.
    offers: Option<String>,
}

/// The model.
#[derive(Clone)]
pub(super) struct Copycat(Arc<Mutex<Story>>);

struct Story {
    /// By sentence, in the order they were said.
    readings: HashMap<String, VecDeque<Reading>>,
    current: Reading,
    /// What things are called where the rules planned, and here.
    theirs: Names,
    ours: Names,
}

impl Copycat {
    /// Of everything that a client was sent while the rules planned.
    pub fn of(frames: &[Value]) -> Self {
        let mut turns: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
        let mut theirs = Names::default();
        for frame in frames {
            theirs.learn(&frame["payload"].to_string());
            if let Some(turn) = frame["turn_id"].as_str() {
                turns.entry(turn.to_owned()).or_default().push(frame);
            }
        }
        let mut readings: HashMap<String, VecDeque<Reading>> = HashMap::new();
        for reading in turns.values().filter_map(|frames| Reading::of(frames)) {
            readings.entry(reading.heard.clone()).or_default().push_back(reading);
        }
        let (current, ours) = (Reading::default(), Names::default());
        Self(Arc::new(Mutex::new(Story { readings, current, theirs, ours })))
    }

    /// What things are called here is known from what comes of a line, too.
    pub fn sees(&self, frame: &str) {
        self.story().ours.learn(frame);
    }

    /// Answers whoever asks over HTTP, in the protocol of OpenAI's Responses.
    pub fn speak_through(&self, provider: &FakeProvider) {
        let copycat = self.clone();
        provider.thinks(move |body| {
            let input = body["input"].as_array().cloned().unwrap_or_default();
            let is_said = |item: &Value| item.to_string().contains(SAID);
            let at = input.iter().rposition(is_said).unwrap_or(0);
            let heard = input[at]["content"][0]["text"].as_str().unwrap_or_default();
            let brought = input[at..].iter().filter(|it| it["type"] == "function_call_output");
            let (calls, says) = copycat.answer(heard, brought.count(), &body.to_string());
            let call = |(tool, args)| Part::Call { tool, args };
            let text = says.map(Part::Text).into_iter();
            Reply::Answers(text.chain(calls.into_iter().map(call)).collect())
        });
    }

    /// Answers in the conversation of a live voice.
    pub fn speak_live(&self, voice: &FakeRealtime) {
        let copycat = self.clone();
        voice.thinks(move |items| {
            let at = items.iter().rposition(|item| item.text.contains(SAID)).unwrap_or(0);
            let heard = items.get(at).map(|item| item.text.clone()).unwrap_or_default();
            let brought = items[at..].iter().filter(|item| item.role == "tool").count();
            let all: Vec<&str> = items.iter().map(|Kept { text, .. }| text.as_str()).collect();
            let (calls, says) = copycat.answer(&heard, brought, &all.join("\n"));
            Answer { says: says.unwrap_or_default(), calls, ..Answer::default() }
        });
    }

    /// What it calls for next, or what it says.
    fn answer(&self, told: &str, brought: usize, all: &str) -> (Vec<Call>, Option<String>) {
        let mut story = self.story();
        story.ours.learn(all);
        let heard = told.split_once(SAID).map_or("", |(_, heard)| heard);
        if brought == 0 {
            let next = story.readings.get_mut(heard).and_then(VecDeque::pop_front);
            story.current = next.unwrap_or_default();
        }
        let Story { current, theirs, ours, .. } = &mut *story;
        let mut seen = 0;
        for round in &current.rounds {
            if seen == brought {
                let call = |(tool, args): &Call| (tool.clone(), theirs.as_in(ours, args));
                return (round.iter().map(call).collect(), None);
            }
            seen += round.len();
        }
        if let Some(question) = &current.asks {
            return (vec![(ASK.to_owned(), json!({ "question": question }))], None);
        }
        let says = current.offers.clone();
        (Vec::new(), Some(says.unwrap_or_else(|| "That is what there is.".to_owned())))
    }

    fn story(&self) -> MutexGuard<'_, Story> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reading {
    /// Of one turn; nothing, where nobody said anything in it.
    fn of(frames: &[&Value]) -> Option<Self> {
        let named = |kind: &'static str| {
            frames.iter().filter(move |it| it["event_type"] == kind).map(|it| &it["payload"])
        };
        let heard = named("input_transcript.final").next()?["text"].as_str()?.to_owned();
        let mut rounds = looked(frames);
        let mut writes = Vec::new();
        let plan = named("plan.update").next_back().map(|plan| &plan["steps"]);
        for step in plan.and_then(Value::as_array).into_iter().flatten() {
            if step["action_level"] == "write" {
                writes.push(step);
            }
        }
        let results = results(frames);
        let places: Vec<u64> = writes.iter().filter_map(|it| it["step_index"].as_u64()).collect();
        let call = |step: &&Value| {
            let args = filled(&step["args"], &results, &places)?;
            Some((step["tool"].as_str()?.to_owned(), args))
        };
        let writes: Vec<Call> = writes.iter().filter_map(call).collect();
        let is_asked = named("turn.end").any(|end| end["error_code"] == "needs_answer");
        let said = named("assistant_text.final").next_back().and_then(|said| said["text"].as_str());
        let asks = said.filter(|_| is_asked);
        let offers = said.filter(|said| said.ends_with('?'));
        let offers = offers.and_then(|said| said.rsplit(". ").next()).map(str::to_owned);
        rounds.extend(Some(writes).filter(|writes| !writes.is_empty()));
        Some(Self { heard, rounds, asks: asks.map(str::to_owned), offers })
    }
}

/// What was looked up and drafted: what was called for once something had come is another
/// round.
fn looked(frames: &[&Value]) -> Vec<Vec<Call>> {
    let mut rounds: Vec<Vec<Call>> = Vec::new();
    let mut has_come = true;
    for frame in frames {
        let payload = &frame["payload"];
        match frame["event_type"].as_str().unwrap_or_default() {
            "tool_call.request" if payload["action_level"] != "write" => {
                if std::mem::take(&mut has_come) {
                    rounds.push(Vec::new());
                }
                let tool = payload["tool_name"].as_str().unwrap_or_default().to_owned();
                let call = (tool, payload["arguments"].clone());
                rounds.last_mut().expect("one was begun").push(call);
            }
            "tool_call.result" | "tool_call.queued" => has_come = true,
            _ => {}
        }
    }
    rounds
}

/// What each step brought, by its number.
fn results(frames: &[&Value]) -> HashMap<u64, Value> {
    let mut steps: HashMap<&str, u64> = HashMap::new();
    let mut results = HashMap::new();
    for frame in frames {
        let payload = &frame["payload"];
        let Some(call) = payload["call_id"].as_str() else { continue };
        let key = payload["idempotency_key"].as_str().unwrap_or_default();
        if let Some(step) = key.rsplit_once('.').and_then(|(_, step)| step.parse().ok()) {
            steps.insert(call, step);
        }
        if let (Some(step), true) = (steps.get(call), payload["output"].is_object()) {
            results.insert(*step, payload["output"].clone());
        }
    }
    results
}

/// Arguments with everything filled in that was brought. What another write is to bring is
/// left open, counted as this round counts.
fn filled(args: &Value, results: &HashMap<u64, Value>, places: &[u64]) -> Option<Value> {
    if let (Some(step), Some(pointer)) = (args["$step"].as_u64(), args["pointer"].as_str()) {
        if let Some(place) = places.iter().position(|place| *place == step) {
            return Some(json!({ "$step": place + 1, "pointer": pointer }));
        }
        return results.get(&step)?.pointer(pointer).cloned();
    }
    Some(match args {
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields =
                fields.map(|(name, it)| Some((name.clone(), filled(it, results, places)?)));
            Value::Object(fields.collect::<Option<_>>()?)
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| filled(item, results, places));
            Value::Array(items.collect::<Option<_>>()?)
        }
        plain => plain.clone(),
    })
}
