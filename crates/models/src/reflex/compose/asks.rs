//! Questions among the words of a mail: those to whom it goes, and those that only
//! somebody who looks it up could answer.

use super::head::Head;
use crate::reflex::vocabulary::is_any;

/// "Hi and ask him about the budget": what is told, and what is asked behind it.
pub fn asks_too(words: &str) -> Option<(&str, &str, &'static str)> {
    ["him", "her", "them"]
        .into_iter()
        .find_map(|whom| {
            let linked = || words.split_once(&format!(" and ask {whom} "));
            let (told, asked) = linked().or_else(|| words.split_once(&format!(", ask {whom} ")))?;
            Some((without_hum(told), asked, whom))
        })
        .or_else(|| {
            let (told, asked) = words.split_once(" and ask ")?;
            let first = asked.split(' ').next()?;
            let asks = [
                "if", "whether", "when", "what", "where", "how", "who", "why", "which", "for",
                "about",
            ];
            is_any(first, &asks).then(|| (without_hum(told), asked, "them"))
        })
        .filter(|(told, asked, _)| !told.trim().is_empty() && !asked.trim().is_empty())
}

/// "…, oh and ask him": the "oh" was for us.
fn without_hum(told: &str) -> &str {
    let bare = [", oh", " oh", ", oh and", ","].iter().find_map(|end| told.strip_suffix(end));
    bare.unwrap_or(told).trim_end_matches(',')
}

/// "Tell Ingrid when I land": somebody would have to find that out first.
pub fn is_to_be_found_out(head: &Head<'_>) -> bool {
    let Some(words) = head.words.as_deref().filter(|_| head.tells) else { return false };
    let lower = words.to_lowercase();
    let texts: Vec<&str> = lower.split_whitespace().collect();
    let asks = matches!(
        texts.as_slice(),
        ["when" | "where" | "how" | "why", "i" | "we" | "my" | "our", ..]
            | ["what" | "which", "time" | "day" | "flight", "i" | "we" | "my" | "our", ..]
            | ["when" | "where" | "how" | "why"]
    );
    asks && texts.len() <= 6 && !lower.contains([',', '?', '.', ':'])
}
