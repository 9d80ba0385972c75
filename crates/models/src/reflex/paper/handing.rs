//! Which files were handed over in this conversation.

use super::any;
use crate::World;

/// So many are told by name.
const TOLD: usize = 6;

/// "Which files do I have here?"
pub fn listed(heard: &str, world: &World) -> Option<String> {
    let lower = heard.to_lowercase();
    let texts: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|text| !text.is_empty()).collect();
    let nouns = any(&texts, &["files", "attachments", "documents", "uploads"]);
    let handed = any(&texts, &["attached", "uploaded", "attach", "upload"]);
    let here = any(&texts, &["here", "chat", "conversation"]) || handed;
    let asks = any(&texts, &["which", "what", "list", "show"]);
    let own = texts.windows(2).any(|pair| matches!(pair, ["have" | "did", "i"] | ["i", _]));
    let elsewhere = any(&texts, &["from", "mail", "mails", "email", "emails", "about", "in"])
        && !any(&texts, &["chat", "conversation"]);
    let enough = here || own && !world.focus.files.is_empty();
    let asked = asks && !elsewhere && (nouns && enough || handed && own);
    if !asked || texts.len() > 10 {
        return None;
    }
    let names: Vec<&str> = world.focus.files.iter().map(|file| file.name.as_str()).collect();
    Some(match names.as_slice() {
        [] => "Nothing is attached in this chat. You can attach a PDF, a text, a table, a Word \
               document, a calendar file, a mail or a picture, and ask about it."
            .to_owned(),
        [one] => format!("One file: {one}."),
        several => {
            let shown: Vec<_> = several.iter().rev().take(TOLD).rev().copied().collect();
            let more = several.len() - shown.len();
            let (last, front) = shown.split_last()?;
            let front = front.join(", ");
            match more {
                0 => format!("{} files: {front} and {last}.", several.len()),
                more => format!("{} files: {front}, {last} and {more} older.", several.len()),
            }
        }
    })
}
