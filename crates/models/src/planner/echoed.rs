//! What somebody is written is never the request itself: "reply to Dana politely declining" is
//! said to us.

use brain::plan::{BadPlan, Proposal};

/// Where a tool takes the words for somebody.
const WORDS: [&str; 2] = ["body", "intent"];

const POLITE: [&str; 5] = ["please", "can", "could", "would", "you"];
/// How somebody asks for a mail; whoever was asked what to say says just that.
const ASKS: [&str; 9] =
    ["reply", "answer", "respond", "write", "draft", "email", "mail", "send", "tell"];

/// A step that would write down what was asked for, as it was asked.
pub fn request(proposal: &Proposal, heard: &str) -> Option<BadPlan> {
    let asked = words_of(heard);
    let polite = asked.iter().take_while(|word| POLITE.contains(&word.as_str())).count();
    if !asked.get(polite).is_some_and(|verb| ASKS.contains(&verb.as_str())) {
        return None;
    }
    proposal.steps.iter().find_map(|step| {
        let texts = WORDS.iter().filter_map(|name| Some((*name, step.args.get(*name)?.as_str()?)));
        let mut same = texts.filter(|(_, text)| words_of(text) == asked);
        let (name, _) = same.next()?;
        let reason = format!("{name} has to be what the other one reads, not the request for it");
        Some(BadPlan::BadArguments { tool: step.tool.clone(), reason })
    })
}

fn words_of(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use brain::plan::ProposedStep;
    use serde_json::json;

    use super::*;

    fn writes(field: &str, text: &str) -> Proposal {
        let args = json!({ field: text });
        let step = ProposedStep { tool: "gmail.send".to_owned(), args };
        Proposal { steps: vec![step], ..Proposal::default() }
    }

    #[test]
    fn the_request_is_no_mail_and_what_it_asks_for_is_one() {
        let heard = "Reply to Dana politely declining.";
        for field in WORDS {
            assert!(request(&writes(field, "reply to Dana, politely declining"), heard).is_some());
            assert!(request(&writes(field, "I'm afraid I can't make it."), heard).is_none());
        }
        assert!(request(&writes("subject", heard), heard).is_none());
        let dictated = "Thursday works, see you then";
        assert!(request(&writes("body", dictated), dictated).is_none());
        assert!(request(&writes("body", "…"), "?").is_none());
    }
}
