//! A model that knows nothing, its weights out of thin air, held to what there is.

use jsonschema::validator_for;
use serde_json::json;

use super::*;
use crate::argument::Argument;
use crate::family::Notation;
use crate::gguf::Entry;
use crate::grammar;
use crate::sample::{Sample, letters};
use crate::tokenizer::Piece;

/// Hears everything, or leaves after so many pieces.
#[derive(Default)]
struct Ear {
    heard: Vec<Delta>,
    leaves_after: Option<usize>,
}

impl Listener for Ear {
    fn hear(&mut self, delta: Delta) -> bool {
        self.heard.push(delta);
        self.is_there()
    }

    fn is_there(&self) -> bool {
        self.leaves_after.is_none_or(|most| self.heard.len() < most)
    }
}

fn sample(extra: &[&str]) -> Sample {
    let mut words = letters();
    words.extend(extra.iter().map(|word| (*word).to_owned()));
    Sample::model("llama", &words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn model(sample: &Sample) -> Model {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), sample.bytes()).unwrap();
    Model::load(file.path(), 128, 1, 0.0).unwrap()
}

fn tools() -> Vec<Tool> {
    let search = json!({
        "type": "object",
        "properties": {
            "query": { "type": "string", "maxLength": 12 },
            "max_results": { "type": "integer", "minimum": 1, "maximum": 50 },
            "label": { "type": "string", "enum": ["inbox", "sent"] },
            "days": { "type": "array", "items": { "type": "boolean" } },
        },
        "required": ["query"],
    });
    let now = json!({ "type": "object", "properties": {} });
    [("gmail__search", search), ("time__now", now)]
        .map(|(name, schema)| Tool {
            name: name.to_owned(),
            about: "Does.".to_owned(),
            takes: Argument::of(&schema),
        })
        .to_vec()
}

fn is_one_of_ours(name: &str, args: &Value) {
    let tools = tools();
    let tool = tools.iter().find(|tool| tool.name == name).expect("it is a tool of ours");
    let schema = tool.takes.schema();
    assert!(validator_for(&schema).unwrap().is_valid(args), "{name} {args}");
}

/// Any of the tokens that are allowed, by chance, until nothing may follow.
fn wandered(model: &Model, grammar: &str, chance: &mut u64) -> Vec<Piece> {
    let mut matcher = model.held_to(grammar).unwrap();
    // Letters of several bytes are several tokens: what lies between two marks is one text.
    let mut parts: Vec<Vec<u8>> = vec![Vec::new()];
    for _ in 0..400 {
        let mask = matcher.compute_mask().unwrap();
        let mut allowed = Vec::new();
        mask.iter_set_entries(|at| allowed.push(u32::try_from(at).unwrap()));
        *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let token = allowed[usize::try_from(*chance >> 33).unwrap() % allowed.len()];
        matcher.consume_token(token).unwrap();
        if model.tokenizer.is_mark(token) {
            parts.push(Vec::new());
        } else {
            parts.last_mut().unwrap().extend_from_slice(model.tokenizer.bytes(token));
        }
        if matcher.is_stopped() {
            let mut pieces = Vec::new();
            for (at, part) in parts.into_iter().enumerate() {
                pieces.extend((at > 0).then_some(Piece::Mark("<escape>")));
                pieces.push(Piece::Text(String::from_utf8(part).unwrap()));
            }
            return pieces;
        }
    }
    panic!("it has no end: {parts:?}");
}

#[test]
fn whatever_is_picked_a_call_is_one_of_the_tools_with_what_it_takes() {
    let model = model(&sample(&["<escape>"]));
    let mut chance = 5;
    let families = [
        (Notation::Json, Family::ChatMl { tools: true, thinks: false }),
        (Notation::Escaped, Family::FunctionGemma),
    ];
    for (notation, family) in families {
        let grammar = grammar::inside(notation, &tools());
        for _ in 0..40 {
            let written = wandered(&model, &grammar, &mut chance);
            let (name, args) = family.call_in(&written).expect("it can be read");
            is_one_of_ours(&name, &args);
        }
    }
}

fn question(tools: Vec<Tool>) -> Question {
    let messages = vec![Message::Person("he".to_owned())];
    Question { system: "Be kind.".into(), messages, tools, shape: None, most_tokens: 40 }
}

#[test]
fn words_come_piece_by_piece_with_what_they_cost_and_an_end() {
    let mut model = model(&sample(&[]));
    let mut ear = Ear::default();
    let figures = model.answer(&question(Vec::new()), &mut ear).unwrap();
    let Some(Delta::Usage(usage)) = ear.heard.first() else { panic!("{:?}", ear.heard) };
    assert_eq!((usage.input, usage.cost_micros), (figures.prompt as u64, Some(0)));
    assert!(matches!(ear.heard.last(), Some(Delta::End(End::Said | End::TooLong))));
    assert!(ear.heard.iter().any(|delta| matches!(delta, Delta::Text(_))), "{:?}", ear.heard);
    assert!(figures.said > 0 && figures.said <= 40);

    // The same again: all of it is known but the last word, and it says the same.
    let mut again = Ear::default();
    let known = model.answer(&question(Vec::new()), &mut again).unwrap().known;
    assert_eq!(known, figures.prompt - 1);
    let text = |ear: &Ear| -> String {
        ear.heard
            .iter()
            .filter_map(|it| if let Delta::Text(text) = it { Some(text.as_str()) } else { None })
            .collect()
    };
    assert_eq!(text(&again), text(&ear));
}

#[test]
fn whoever_leaves_is_not_talked_to() {
    let mut model = model(&sample(&[]));
    let mut ear = Ear { leaves_after: Some(0), ..Ear::default() };
    assert_eq!(model.answer(&question(Vec::new()), &mut ear), Ok(Figures::default()));
    let mut ear = Ear { leaves_after: Some(4), ..Ear::default() };
    let figures = model.answer(&question(Vec::new()), &mut ear).unwrap();
    assert!(figures.said < 8, "{figures:?}");
    assert!(!ear.heard.iter().any(|delta| matches!(delta, Delta::End(_))));
}

#[test]
fn where_marks_are_letters_an_answer_is_words_or_calls_that_check_out() {
    // Without the marks in its vocabulary.
    let mut sample = sample(&[]);
    let words: Vec<String> =
        letters().into_iter().map(|word| word.replace("tool_call", "other")).collect();
    sample.entry("tokenizer.ggml.tokens", Entry::Texts(words));
    let mut model = model(&sample);
    assert_eq!(model.call, None);
    model.context = 4_096;
    let mut ear = Ear::default();
    let asked = Question { most_tokens: 300, ..question(tools()) };
    model.answer(&asked, &mut ear).unwrap();
    for delta in &ear.heard {
        if let Delta::Call { tool, args, .. } = delta {
            let name = crate::family::outward(tool.as_deref().unwrap());
            is_one_of_ours(&name, &serde_json::from_str(args).unwrap());
        }
    }
}

#[test]
fn a_shape_is_kept_to() {
    let mut model = model(&sample(&[]));
    let schema = json!({
        "type": "object",
        "properties": { "answer": { "type": "string", "enum": ["1", "2", "unclear"] } },
        "required": ["answer"],
        "additionalProperties": false,
    });
    let mut ear = Ear::default();
    let asked = Question { shape: Some(schema.clone()), ..question(Vec::new()) };
    model.answer(&asked, &mut ear).unwrap();
    let text: String = ear
        .heard
        .iter()
        .filter_map(|it| if let Delta::Text(text) = it { Some(text.as_str()) } else { None })
        .collect();
    let value: Value = serde_json::from_str(&text).unwrap();
    assert!(validator_for(&schema).unwrap().is_valid(&value), "{text}");
}

#[test]
fn what_does_not_fit_into_view_is_refused_by_number() {
    let mut model = model(&sample(&[]));
    let messages = vec![Message::Person("he".repeat(200))];
    let refused = model.answer(&Question { messages, ..question(Vec::new()) }, &mut Ear::default());
    let told = refused.unwrap_err().to_string();
    assert!(told.contains("it takes 128 tokens") && told.contains("models.gguf.context"), "{told}");
}
