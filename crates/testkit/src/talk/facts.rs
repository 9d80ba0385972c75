//! What a conversation comes down to, whoever thinks in it: which tools were used with
//! which arguments, what stood on cards, how they were answered, and how each turn ended.
//! Never how anything was worded.

use std::collections::HashMap;

use models::gatekeeper::ESCALATE;
use serde_json::Value;

/// Ids that a run makes up are as long as this, behind a word and a line: `draft_…`.
const ID_DIGITS: usize = 32;
/// A spelled address may have been misheard, and its card says so. Typed ones cannot be.
const ONLY_ALOUD: &str = "\"address_heard\"";

/// What came of one line of a talk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// What was looked up and drafted, in any order: some of it goes side by side.
    pub looked: Vec<String>,
    /// Cards, answers and writes, in order.
    pub done: Vec<String>,
    /// How turns ended; where they are heard, one may end when the next has begun.
    pub ended: Vec<String>,
}

impl Facts {
    /// The same of several lines together.
    pub fn join(&mut self, other: Self) {
        self.looked.extend(other.looked);
        self.done.extend(other.done);
        self.ended.extend(other.ended);
        self.looked.sort();
        self.ended.sort();
    }
}

/// Everything that is certain about these frames.
pub(super) fn facts(frames: &[Value], names: &mut Names) -> Facts {
    let mut facts = Facts::default();
    let mut calls: HashMap<&str, (String, bool)> = HashMap::new();
    for frame in frames {
        let payload = &frame["payload"];
        let word = |field: &str| payload[field].as_str().unwrap_or_default();
        let code = || payload["error"]["code"].as_str().unwrap_or("ok");
        let r = &payload["revision"];
        match frame["event_type"].as_str().unwrap_or_default() {
            "tool_call.request" if word("tool_name") == ESCALATE => {}
            "tool_call.request" => {
                let (tool, writes) = (word("tool_name"), word("action_level") == "write");
                calls.insert(word("call_id"), (tool.to_owned(), writes));
                let used = format!("{tool} {}", names.plain(&payload["arguments"]));
                let list = if writes { &mut facts.done } else { &mut facts.looked };
                list.push(used);
            }
            "tool_call.result" => match calls.get(word("call_id")) {
                Some((tool, false)) => facts.looked.push(format!("{tool} brought: {}", code())),
                // Of a write, or of what an earlier line began.
                _ if payload["state"].is_string() => {
                    facts.done.push(format!("became {} {}", word("state"), code()));
                }
                _ => {}
            },
            "tool_call.queued" => facts.done.push("queued".to_owned()),
            "confirmation.request" => {
                let warnings = payload["warnings"].as_array().into_iter().flatten();
                let codes = warnings.map(|it| it["code"].to_string());
                let warnings: Vec<_> = codes.filter(|code| code != ONLY_ALOUD).collect();
                let (kind, shown) = (word("action_type"), names.plain(&payload["payload"]));
                facts.done.push(format!("card r{r} {kind} {warnings:?} {shown}"));
            }
            "confirmation.updated" => {
                let shown = names.plain(&payload["payload"]);
                facts.done.push(format!("card r{r} {} {shown}", payload["changed"]));
            }
            "confirmation.resolved" => facts.done.push(format!("r{r} {}", word("decision"))),
            "confirmation.expired" => facts.done.push(format!("r{r} expired")),
            "turn.end" => facts.ended.push(match word("error_code") {
                // What rules have no words for, somebody else has.
                "not_understood" | "not_possible" => "ends success".to_owned(),
                code => format!("ends {} {code}", word("outcome")).trim_end().to_owned(),
            }),
            "turn.cancelled" => facts.ended.push("cancelled".to_owned()),
            "error" => facts.done.push(format!("error {}", word("code"))),
            _ => {}
        }
    }
    facts.looked.sort();
    facts.ended.sort();
    facts
}

/// What a run calls the things that it made, by kind and age: two runs of the same talk make
/// the same things in the same order, under other ids.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(HashMap<String, Vec<String>>);

impl Names {
    /// Remembers every id in a text, in the order in which they were made: those of files
    /// count, and may be listed the other way round.
    pub fn learn(&mut self, text: &str) {
        let (mut files, others): (Vec<&str>, Vec<&str>) =
            ids(text).partition(|id| id.starts_with("file_"));
        files.sort_unstable();
        for id in files.into_iter().chain(others) {
            let (kind, _) = id.split_once('_').unwrap_or_default();
            let known = self.0.entry(kind.to_owned()).or_default();
            if !known.iter().any(|it| it == id) {
                known.push(id.to_owned());
            }
        }
    }

    /// The same value with `draft#1` for the first draft that was made, and so on.
    pub fn plain(&mut self, value: &Value) -> String {
        let text = value.to_string();
        self.learn(&text);
        self.renamed(&text, |kind, at| Some(format!("{kind}#{at}")))
    }

    /// A value of this run, as another run would write it.
    pub fn as_in(&mut self, other: &Self, value: &Value) -> Value {
        let text = value.to_string();
        self.learn(&text);
        let text = self.renamed(&text, |kind, at| other.0.get(kind)?.get(at).cloned());
        serde_json::from_str(&text).expect("only ids were changed")
    }

    fn renamed(&self, text: &str, name: impl Fn(&str, usize) -> Option<String>) -> String {
        let mut renamed = text.to_owned();
        for (kind, known) in &self.0 {
            for (at, id) in known.iter().enumerate() {
                if let Some(name) = name(kind, at) {
                    renamed = renamed.replace(id, &name);
                }
            }
        }
        renamed
    }
}

/// Whatever looks like an id that was made up.
fn ids(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| {
        word.split_once('_').is_some_and(|(kind, digits)| {
            !kind.is_empty()
                && digits.len() == ID_DIGITS
                && digits.chars().all(|c| c.is_ascii_hexdigit())
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn id(kind: &str, digit: char) -> String {
        format!("{kind}_{}", digit.to_string().repeat(ID_DIGITS))
    }

    #[test]
    fn what_one_run_made_first_another_calls_by_its_own_first() {
        let (mut here, mut there) = (Names::default(), Names::default());
        here.learn(&format!("{} {} {}", id("draft", '1'), id("mail", '1'), id("draft", '2')));
        there.learn(&format!("{} {} {}", id("mail", '7'), id("draft", '8'), id("draft", '9')));
        let sent = json!({ "draft_id": id("draft", '2'), "thread_id": "boiler" });
        let expected = json!({ "draft_id": id("draft", '9'), "thread_id": "boiler" });
        assert_eq!(here.as_in(&there, &sent), expected);
        assert_eq!(here.plain(&sent), there.plain(&expected));
    }
}
