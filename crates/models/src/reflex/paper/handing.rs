//! Which files were handed over in this conversation.

use super::any;
use super::target::Target;
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
    Some(told(&names))
}

/// "Here are two files": they are there, and nothing was asked yet.
pub fn taken(texts: &[&str], target: &Target<'_>) -> Option<String> {
    let hands = matches!(texts, ["here", ..] | ["these"] | ["take", "these", ..]);
    if !hands || !target.handed || target.files.len() < 2 || texts.len() > 6 {
        return None;
    }
    let names: Vec<&str> = target.files.iter().map(|file| file.name.as_str()).collect();
    Some(format!("{} What would you like to know?", told(&names)))
}

/// "Delete the file", "delete it": it goes with its chat, and not alone.
pub fn kept(texts: &[&str], target: &Target<'_>) -> Option<String> {
    let drops = matches!(texts.first(), Some(&("delete" | "remove" | "discard")));
    let told = "I can't take a file out of a chat. Delete the chat, and its files go with it.";
    let meant = target.named || target.pointed;
    (drops && meant && texts.len() <= 4).then(|| told.to_owned())
}

fn told(names: &[&str]) -> String {
    match names {
        [] => "Nothing is attached in this chat. You can attach a PDF, a text, a table, a Word \
               document, a calendar file, a mail or a picture, and ask about it."
            .to_owned(),
        [one] => format!("One file: {one}."),
        several => {
            let shown: Vec<_> = several.iter().rev().take(TOLD).rev().copied().collect();
            let more = several.len() - shown.len();
            let front = shown[..shown.len() - 1].join(", ");
            let last = shown[shown.len() - 1];
            match more {
                0 => format!("{} files: {front} and {last}.", several.len()),
                more => format!("{} files: {front}, {last} and {more} older.", several.len()),
            }
        }
    }
}
