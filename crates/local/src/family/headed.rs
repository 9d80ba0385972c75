//! `<|start_header_id|>role<|end_header_id|>`: Llama 3, in words alone.

use models::provider::Message;

use super::{Prompt, Told, with_tools, written_call};

pub fn write(prompt: &mut Prompt, told: Told<'_>) {
    header(prompt, "system").text(&with_tools(told)).mark("<|eot_id|>");
    for message in told.messages {
        match message {
            Message::Person(text) => drop(header(prompt, "user").text(text)),
            Message::Model { text, calls, .. } => {
                header(prompt, "assistant").text(text);
                for call in calls {
                    written_call(prompt, call);
                }
            }
            Message::Brought { result, .. } => drop(header(prompt, "ipython").text(result)),
        }
        prompt.mark("<|eot_id|>");
    }
    header(prompt, "assistant");
}

fn header<'a>(prompt: &'a mut Prompt, role: &str) -> &'a mut Prompt {
    prompt.mark("<|start_header_id|>").text(role).mark("<|end_header_id|>").text("\n\n")
}
