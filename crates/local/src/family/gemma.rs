//! `<start_of_turn>role`: Gemma, in words alone. It has no system's turn: those words stand
//! before the first that a person says.

use models::provider::Message;

use super::{Prompt, Told, with_tools, written_call};

pub const START: &str = "<start_of_turn>";
pub const END: &str = "<end_of_turn>";

pub fn write(prompt: &mut Prompt, told: Told<'_>) {
    let mut system = Some(with_tools(told));
    for message in told.messages {
        match message {
            Message::Person(text) => {
                prompt.mark(START).text("user\n");
                if let Some(system) = system.take() {
                    prompt.text(&system).text("\n\n");
                }
                prompt.text(text);
            }
            Message::Model { text, calls, .. } => {
                prompt.mark(START).text("model\n").text(text);
                for call in calls {
                    written_call(prompt, call);
                }
            }
            Message::Brought { tool, result, .. } => {
                prompt.mark(START).text(&format!("user\n{tool}: {result}"));
            }
        }
        prompt.mark(END).text("\n");
    }
    prompt.mark(START).text("model\n");
}
