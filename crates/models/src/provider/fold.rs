//! Pieces of an answer, put together again. Pure.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Call, Delta, End, Thoughts, Usage};

/// A whole answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub text: String,
    pub calls: Vec<Call>,
    pub thoughts: Thoughts,
    pub usage: Usage,
    pub end: Option<End>,
    /// How sure the model was of it, from 0 to 1, where it can tell.
    pub confidence: Option<f32>,
}

/// What has come so far.
#[derive(Debug, Default)]
pub struct Fold {
    text: String,
    calls: BTreeMap<usize, Pieces>,
    thoughts: Thoughts,
    usage: Usage,
    end: Option<End>,
    confidence: Option<f32>,
}

#[derive(Debug, Default)]
struct Pieces {
    id: String,
    tool: String,
    args: String,
}

impl Fold {
    pub fn take(&mut self, delta: Delta) {
        match delta {
            Delta::Text(text) => self.text.push_str(&text),
            Delta::Call { index, id, tool, args } => {
                let call = self.calls.entry(index).or_default();
                if let Some(id) = id {
                    call.id = id;
                }
                // Some send the name again with every piece.
                if let Some(tool) = tool {
                    call.tool = tool;
                }
                call.args.push_str(&args);
            }
            Delta::Usage(usage) => self.usage = usage,
            Delta::Kept(kept) => self.thoughts.push(self.calls.len(), kept),
            Delta::Confidence(share) => self.confidence = Some(share),
            Delta::End(end) => self.end = Some(end),
        }
    }

    /// What it has cost so far: as the provider says, or else as it is guessed from
    /// `length` characters of answer.
    pub fn usage_or(&self, guess: Usage, length: usize) -> Usage {
        let told = self.usage;
        let output = u64::try_from(length.div_ceil(super::CHARS_A_TOKEN)).unwrap_or(u64::MAX);
        match (told.input, self.end) {
            (0, _) => Usage { output, ..guess },
            // What was told at the beginning does not know how long the answer is by now.
            (_, None) => Usage { output: told.output.max(output), ..told },
            (_, Some(_)) => told,
        }
    }

    pub fn whole(self) -> Answer {
        let Self { text, calls, thoughts, usage, end, confidence } = self;
        let mut calls: Vec<Call> = calls.into_values().flat_map(called).collect();
        tell_apart(&mut calls);
        Answer { text, calls, thoughts, usage, end, confidence }
    }
}

/// One call, or several where a model has glued their arguments together. What cannot
/// be read stays as it is, so that whoever checks it can say so.
fn called(pieces: Pieces) -> Vec<Call> {
    let Pieces { id, tool, args } = pieces;
    let mut read: Vec<Value> = Vec::new();
    for value in serde_json::Deserializer::from_str(&args).into_iter::<Value>() {
        let Ok(value) = value else {
            read = vec![Value::String(args)];
            break;
        };
        read.push(value);
    }
    if read.is_empty() {
        read.push(Value::Object(Map::new()));
    }
    let call = |(number, args): (usize, Value)| {
        let id = if number == 0 { id.clone() } else { format!("{id}_{number}") };
        Call { id, tool: tool.clone(), args: unquoted(args) }
    };
    read.into_iter().enumerate().map(call).collect()
}

/// What is brought for a call finds it by its id: who gave none, or one twice, is helped.
fn tell_apart(calls: &mut [Call]) {
    for at in 0..calls.len() {
        let (before, rest) = calls.split_at_mut(at);
        let call = &mut rest[0];
        let given = if call.id.is_empty() { "call".to_owned() } else { call.id.clone() };
        let is_taken = |id: &str| id.is_empty() || before.iter().any(|other| other.id == id);
        let mut number = at;
        while is_taken(&call.id) {
            call.id = format!("{given}_{number}");
            number += 1;
        }
    }
}

/// Some put the object into a text once more.
fn unquoted(args: Value) -> Value {
    let inner = args.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    inner.filter(Value::is_object).unwrap_or(args)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn piece(index: usize, id: Option<&str>, tool: Option<&str>, args: &str) -> Delta {
        let (id, tool) = (id.map(str::to_owned), tool.map(str::to_owned));
        Delta::Call { index, id, tool, args: args.to_owned() }
    }

    fn fold(deltas: impl IntoIterator<Item = Delta>) -> Answer {
        let mut fold = Fold::default();
        deltas.into_iter().for_each(|delta| fold.take(delta));
        fold.whole()
    }

    fn call(id: &str, tool: &str, args: Value) -> Call {
        Call { id: id.into(), tool: tool.into(), args }
    }

    #[test]
    fn two_calls_whose_pieces_alternate_are_told_apart() {
        let answer = fold([
            piece(0, Some("a"), Some("mail.find"), ""),
            piece(1, Some("b"), Some("day.list"), "{\"d\":"),
            piece(0, None, None, "{\"q\":\"x\"}"),
            piece(1, None, None, "1}"),
        ]);
        let expected =
            [call("a", "mail.find", json!({ "q": "x" })), call("b", "day.list", json!({ "d": 1 }))];
        assert_eq!(answer.calls, expected);
    }

    #[test]
    fn glued_arguments_are_several_calls_and_no_arguments_are_none() {
        let answer = fold([piece(0, Some("a"), Some("t"), "{\"n\":1}{\"n\":2}")]);
        let expected = [call("a", "t", json!({ "n": 1 })), call("a_1", "t", json!({ "n": 2 }))];
        assert_eq!(answer.calls, expected);
        assert_eq!(fold([piece(0, Some("a"), Some("t"), "")]).calls[0].args, json!({}));
        assert_eq!(fold([piece(0, None, None, "\"{\\\"n\\\":1}\"")]).calls[0].args["n"], 1);
    }

    #[test]
    fn calls_without_ids_or_with_the_same_one_are_told_apart() {
        let answer = fold([
            piece(0, None, Some("t"), ""),
            piece(1, Some(""), Some("t"), ""),
            piece(2, Some("a"), Some("t"), ""),
            piece(3, Some("a"), Some("t"), "{\"n\":1}{\"n\":2}"),
        ]);
        let ids: Vec<_> = answer.calls.iter().map(|call| call.id.as_str()).collect();
        assert_eq!(ids, ["call_0", "call_1", "a", "a_3", "a_1"]);
    }

    #[test]
    fn half_arguments_stay_what_they_are() {
        let answer = fold([piece(0, Some("a"), Some("t"), "{\"to\": [\"ana")]);
        assert_eq!(answer.calls[0].args, json!("{\"to\": [\"ana"));
    }

    #[test]
    fn the_last_usage_counts() {
        let usage = |output| Delta::Usage(Usage { output, ..Usage::default() });
        let answer = fold([usage(1), Delta::Text("a".into()), usage(7), Delta::End(End::Said)]);
        assert_eq!((answer.usage.output, answer.end), (7, Some(End::Said)));
    }
}
