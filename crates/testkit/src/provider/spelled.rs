//! Answers as each provider spells them.

use std::time::Duration;

use models::provider::Tongue;
use serde_json::{Value, json};

/// A part of an answer, or something that happens to it.
#[derive(Clone, Debug)]
pub enum Part {
    /// Word by word.
    Text(String),
    Call {
        tool: String,
        args: Value,
    },
    /// What it thinks before what comes next, and wants back.
    Thought(String),
    /// The provider lets no more be said.
    Withheld,
    Pause(Duration),
    /// An event that nobody knows yet, and a comment.
    News,
    /// Exactly these bytes.
    Raw(Vec<u8>),
    /// The line breaks here.
    CutOff,
    /// Everything was said; the line is closed without a word, or stays open without one.
    Closes,
    StaysOpen,
}

/// What it signs thoughts with, and what it seals them as.
pub(super) const SIGNATURE: &str = "c2lnbmVkIGJ5IGEgZmFrZQ==";
pub(super) const SEAL: &str = "gAAAA-sealed-by-a-fake";

/// For longer nobody waits.
const FOR_EVER: Duration = Duration::from_mins(10);

pub(super) enum Piece {
    Bytes(Vec<u8>),
    Pause(Duration),
    Close,
}

/// `sealed`: thoughts are asked for.
pub(super) fn pieces(tongue: Tongue, sealed: bool, parts: &[Part]) -> Vec<Piece> {
    let mut speller =
        Speller { tongue, sealed, index: 0, has_calls: false, withheld: false, pieces: Vec::new() };
    speller.begin();
    for part in parts {
        match part {
            Part::Text(text) => speller.text(text),
            Part::Call { tool, args } => speller.call(&tool.replace('.', "__"), args),
            Part::Thought(text) => speller.thought(text),
            Part::Withheld => speller.withheld = true,
            Part::Pause(pause) => speller.pieces.push(Piece::Pause(*pause)),
            Part::News => speller.news(),
            Part::Raw(bytes) => speller.pieces.push(Piece::Bytes(bytes.clone())),
            Part::CutOff => {
                speller.pieces.push(Piece::Close);
                return speller.pieces;
            }
            Part::Closes | Part::StaysOpen => {
                speller.last_word();
                let stays = matches!(part, Part::StaysOpen);
                let end = if stays { Piece::Pause(FOR_EVER) } else { Piece::Close };
                speller.pieces.push(end);
                return speller.pieces;
            }
        }
    }
    speller.end();
    speller.pieces
}

struct Speller {
    tongue: Tongue,
    sealed: bool,
    /// Of the next block or item.
    index: usize,
    has_calls: bool,
    withheld: bool,
    pieces: Vec<Piece>,
}

impl Speller {
    fn send(&mut self, event: &Value) {
        let name = match self.tongue {
            Tongue::Responses | Tongue::Anthropic => {
                format!("event: {}\n", event["type"].as_str().unwrap_or_default())
            }
            Tongue::Chat | Tongue::Gemini => String::new(),
        };
        let text = format!("{name}data: {event}\n\n");
        self.pieces.push(Piece::Bytes(text.into_bytes()));
    }

    fn chunk(&mut self, delta: &Value, end: Option<&str>) {
        self.send(&json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_700_000_000,
            "model": "small-1",
            "choices": [{ "index": 0, "delta": delta, "finish_reason": end, "logprobs": null }],
        }));
    }

    fn begin(&mut self) {
        match self.tongue {
            Tongue::Chat => self.chunk(&json!({ "role": "assistant", "content": "" }), None),
            Tongue::Responses => {
                self.send(&json!({ "type": "response.created", "sequence_number": 0,
                    "response": response("in_progress", &Value::Null) }));
            }
            Tongue::Anthropic => self.send(&json!({ "type": "message_start", "message": {
                "id": "msg_1", "type": "message", "role": "assistant", "model": "small-1",
                "content": [], "stop_reason": null, "stop_sequence": null,
                "usage": { "input_tokens": 12, "cache_read_input_tokens": 8,
                    "cache_creation_input_tokens": 0, "output_tokens": 1 } } })),
            Tongue::Gemini => {}
        }
    }

    fn text(&mut self, text: &str) {
        let words: Vec<&str> = text.split_inclusive(' ').collect();
        let index = self.index;
        match self.tongue {
            Tongue::Chat => {
                for word in words {
                    self.chunk(&json!({ "content": word }), None);
                }
            }
            Tongue::Responses => {
                self.send(&json!({ "type": "response.output_item.added", "output_index": index,
                    "sequence_number": 1, "item": { "type": "message", "id": "msg_1",
                    "status": "in_progress", "role": "assistant", "content": [] } }));
                self.send(&json!({ "type": "response.content_part.added", "item_id": "msg_1",
                    "output_index": index, "content_index": 0, "sequence_number": 2,
                    "part": { "type": "output_text", "text": "", "annotations": [] } }));
                for word in words {
                    self.send(&json!({ "type": "response.output_text.delta", "item_id": "msg_1",
                        "output_index": index, "content_index": 0, "delta": word,
                        "logprobs": [], "sequence_number": 3 }));
                }
                self.index += 1;
            }
            Tongue::Anthropic => {
                self.send(&json!({ "type": "content_block_start", "index": index,
                    "content_block": { "type": "text", "text": "" } }));
                for word in words {
                    self.send(&json!({ "type": "content_block_delta", "index": index,
                        "delta": { "type": "text_delta", "text": word } }));
                }
                self.send(&json!({ "type": "content_block_stop", "index": index }));
                self.index += 1;
            }
            Tongue::Gemini => {
                for word in words {
                    self.send(&json!({ "candidates": [{ "index": 0, "content": {
                        "role": "model", "parts": [{ "text": word }] } }],
                        "modelVersion": "small-1", "responseId": "rid_1" }));
                }
            }
        }
    }

    fn thought(&mut self, text: &str) {
        let index = self.index;
        match self.tongue {
            Tongue::Chat => self.chunk(&json!({ "reasoning_content": text }), None),
            Tongue::Responses => {
                let mut item = json!({ "type": "reasoning", "id": "rs_1", "summary": [] });
                self.send(&json!({ "type": "response.output_item.added", "output_index": index,
                    "sequence_number": 1, "item": item }));
                if self.sealed {
                    item["encrypted_content"] = SEAL.into();
                }
                self.send(&json!({ "type": "response.output_item.done", "output_index": index,
                    "sequence_number": 1, "item": item }));
                self.index += 1;
            }
            Tongue::Anthropic => {
                self.send(&json!({ "type": "content_block_start", "index": index,
                    "content_block": { "type": "thinking", "thinking": "", "signature": "" } }));
                for piece in [
                    json!({ "type": "thinking_delta", "thinking": text }),
                    json!({ "type": "signature_delta", "signature": SIGNATURE }),
                ] {
                    let event =
                        json!({ "type": "content_block_delta", "index": index, "delta": piece });
                    self.send(&event);
                }
                self.send(&json!({ "type": "content_block_stop", "index": index }));
                self.index += 1;
            }
            Tongue::Gemini => self.send(&json!({ "candidates": [{ "index": 0, "content": {
                "role": "model", "parts": [{ "text": text, "thought": true }] } }] })),
        }
    }

    fn call(&mut self, tool: &str, args: &Value) {
        let is_first = !self.has_calls;
        self.has_calls = true;
        let index = self.index;
        self.index += 1;
        let spelled = args.to_string();
        let half = spelled.floor_char_boundary(spelled.len() / 2);
        let halves = [&spelled[..half], &spelled[half..]];
        let id = format!("call_{index}");
        match self.tongue {
            Tongue::Chat => {
                self.chunk(
                    &json!({ "tool_calls": [{ "index": index, "id": id,
                    "type": "function", "function": { "name": tool, "arguments": "" } }] }),
                    None,
                );
                for piece in halves {
                    self.chunk(
                        &json!({ "tool_calls": [{ "index": index,
                        "function": { "arguments": piece } }] }),
                        None,
                    );
                }
            }
            Tongue::Responses => {
                self.send(&json!({ "type": "response.output_item.added", "output_index": index,
                    "sequence_number": 4, "item": { "type": "function_call", "id": "fc_1",
                    "call_id": id, "name": tool, "arguments": "", "status": "in_progress" } }));
                for piece in halves {
                    self.send(&json!({ "type": "response.function_call_arguments.delta",
                        "item_id": "fc_1", "output_index": index, "delta": piece,
                        "sequence_number": 5 }));
                }
                self.send(&json!({ "type": "response.function_call_arguments.done",
                    "item_id": "fc_1", "output_index": index, "arguments": spelled,
                    "name": tool, "sequence_number": 6 }));
            }
            Tongue::Anthropic => {
                self.send(&json!({ "type": "content_block_start", "index": index,
                    "content_block": { "type": "tool_use", "id": id, "name": tool,
                        "input": {} } }));
                for piece in halves {
                    self.send(&json!({ "type": "content_block_delta", "index": index,
                        "delta": { "type": "input_json_delta", "partial_json": piece } }));
                }
                self.send(&json!({ "type": "content_block_stop", "index": index }));
            }
            Tongue::Gemini => {
                let mut part = json!({ "functionCall": { "name": tool, "args": args } });
                if is_first {
                    part["thoughtSignature"] = SIGNATURE.into();
                }
                self.send(&json!({ "candidates": [{ "index": 0,
                    "content": { "role": "model", "parts": [part] } }], "responseId": "rid_1" }));
            }
        }
    }

    fn news(&mut self) {
        self.pieces.push(Piece::Bytes(b": still here\r\n\r\n".to_vec()));
        if self.tongue == Tongue::Anthropic {
            self.send(&json!({ "type": "ping" }));
        }
        self.send(&json!({ "type": "something.new", "data": [1, 2] }));
    }

    /// What it cost, and that it is over, as far as it is not in the last word.
    fn end(&mut self) {
        self.last_word();
        match self.tongue {
            Tongue::Chat => {
                self.send(&json!({ "id": "chatcmpl-1", "object": "chat.completion.chunk",
                    "created": 1_700_000_000, "model": "small-1", "choices": [],
                    "usage": { "prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25,
                        "prompt_tokens_details": { "cached_tokens": 8 } } }));
                self.pieces.push(Piece::Bytes(b"data: [DONE]\n\n".to_vec()));
            }
            Tongue::Responses | Tongue::Anthropic | Tongue::Gemini => {}
        }
    }

    /// That everything was said.
    fn last_word(&mut self) {
        let has_calls = self.has_calls;
        match self.tongue {
            Tongue::Chat => {
                let end = if has_calls { "tool_calls" } else { "stop" };
                let end = if self.withheld { "content_filter" } else { end };
                self.chunk(&json!({}), Some(end));
            }
            Tongue::Responses => {
                let usage = json!({ "input_tokens": 20, "output_tokens": 5, "total_tokens": 25,
                    "input_tokens_details": { "cached_tokens": 8, "cache_write_tokens": 0 },
                    "output_tokens_details": { "reasoning_tokens": 0 } });
                let status = if self.withheld { "incomplete" } else { "completed" };
                let mut response = response(status, &usage);
                if self.withheld {
                    response["incomplete_details"] = json!({ "reason": "content_filter" });
                }
                self.send(&json!({ "type": format!("response.{status}"), "sequence_number": 9,
                    "response": response }));
            }
            Tongue::Anthropic => {
                let reason = if has_calls { "tool_use" } else { "end_turn" };
                let reason = if self.withheld { "refusal" } else { reason };
                self.send(&json!({ "type": "message_delta",
                    "delta": { "stop_reason": reason, "stop_sequence": null },
                    "usage": { "output_tokens": 5 } }));
                self.send(&json!({ "type": "message_stop" }));
            }
            Tongue::Gemini => self.send(&json!({
                "candidates": [{ "index": 0, "content": { "role": "model", "parts": [] },
                    "finishReason": if self.withheld { "SAFETY" } else { "STOP" } }],
                "usageMetadata": { "promptTokenCount": 20, "cachedContentTokenCount": 8,
                    "candidatesTokenCount": 5, "totalTokenCount": 25 },
                "modelVersion": "small-1" })),
        }
    }
}

fn response(status: &str, usage: &Value) -> Value {
    json!({
        "id": "resp_1", "object": "response", "created_at": 1_700_000_000, "status": status,
        "model": "small-1", "output": [], "parallel_tool_calls": true, "tool_choice": "auto",
        "tools": [], "error": null, "incomplete_details": null, "instructions": null,
        "metadata": {}, "usage": usage,
    })
}
