//! `<|im_start|>role`: `SmolLM2`, and Qwen with its tools.

use models::provider::Message;

use super::{Prompt, Told, with_tools, written_call};

const START: &str = "<|im_start|>";
const END: &str = "<|im_end|>";

pub fn write(prompt: &mut Prompt, told: Told<'_>, thinks: bool) {
    turn(prompt, "system", &with_tools(told));
    let mut messages = told.messages.iter().peekable();
    while let Some(message) = messages.next() {
        match message {
            Message::Person(text) => turn(prompt, "user", text),
            Message::Model { text, calls, .. } => {
                prompt.mark(START).text("assistant\n").text(text);
                for (at, call) in calls.iter().enumerate() {
                    if at > 0 || !text.is_empty() {
                        prompt.text("\n");
                    }
                    written_call(prompt, call);
                }
                prompt.mark(END).text("\n");
            }
            Message::Brought { result, .. } => {
                prompt.mark(START).text("user\n");
                response(prompt, result);
                // What several calls brought is told in one turn.
                while let Some(Message::Brought { result, .. }) =
                    messages.next_if(|next| matches!(next, Message::Brought { .. }))
                {
                    prompt.text("\n");
                    response(prompt, result);
                }
                prompt.mark(END).text("\n");
            }
        }
    }
    prompt.mark(START).text("assistant\n");
    if thinks {
        // It has thought already, about nothing.
        prompt.mark("<think>").text("\n\n").mark("</think>").text("\n\n");
    }
}

fn turn(prompt: &mut Prompt, role: &str, text: &str) {
    prompt.mark(START).text(role).text("\n").text(text).mark(END).text("\n");
}

fn response(prompt: &mut Prompt, result: &str) {
    prompt.mark("<tool_response>").text(&format!("\n{result}\n")).mark("</tool_response>");
}
