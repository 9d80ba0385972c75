//! "Summarise my unread mail", "give me a digest of my week", "stop the digest".

use brain::resolve::time::{self, Grain, Lean};
use brain::resolve::words::{Word, words};
use serde_json::json;

use super::super::vocabulary::{self, is_any};
use super::super::{Meaning, when};
use super::{behind, look, said};
use crate::World;
use crate::gist::{AboutLetters, Folder, Gist, Meanwhile};

const SUMMARIZES: &[&[&str]] = &[
    &["summarize"],
    &["summarise"],
    &["sum", "up"],
    &["give", "me", "a", "summary", "of"],
    &["a", "summary", "of"],
    &["make", "me", "a", "summary", "of"],
    &["make", "a", "summary", "of"],
    &["write", "a", "summary", "of"],
    &["write", "me", "a", "summary", "of"],
    &["prepare", "a", "summary", "of"],
    &["do", "a", "summary", "of"],
];

/// All of some mail: unread, of some days, from somebody. "Summarize my inbox" is
/// answered at once, with what is newest.
pub fn summary(heard: &str, request: &[Word], world: &World) -> Option<Meaning> {
    let rest = SUMMARIZES.iter().find_map(|lead| behind(request, lead))?;
    let is_mail = rest.iter().any(|word| is_any(&word.text, vocabulary::MAIL));
    // "Everything about Heron" is all the mail about it.
    let about = behind(rest, &["everything", "about"]).or_else(|| behind(rest, &["all", "about"]));
    let wanted = match about.filter(|_| !is_mail) {
        Some(about) => format!("all mail about {}", said(heard, &about.iter().collect::<Vec<_>>())),
        None if is_mail => said(heard, &rest.iter().collect::<Vec<_>>()),
        None => return None,
    };
    // What is meant by it is what would be listed.
    let listed = format!("show me {wanted}");
    let inner = super::super::read_again(&listed, world, 0);
    let (Gist::Letters(about), Some(step)) = (&inner.gist, inner.proposal.steps.first()) else {
        return None;
    };
    let query = step.args.get("query")?.as_str()?;
    let says_all = rest.iter().any(|word| is_any(&word.text, &["all", "every", "everything"]));
    let many = says_all || about.unread || about.when.is_some() || about.who.is_some();
    if !many || step.tool != "gmail.search" || about.folder == Folder::Drafts {
        return None;
    }
    let args = json!({ "query": query, "what": described(about) });
    let what = Meanwhile::Work { tool: "mail.summarize" };
    Some(look(what, args, "Sure, reading through your mail."))
}

/// "your unread mail from Priya this week"
fn described(about: &AboutLetters) -> String {
    let unread = if about.unread { "unread " } else { "" };
    let sent = if about.folder == Folder::Sent { "sent " } else { "" };
    let link = if about.folder == Folder::Sent { "to" } else { "from" };
    let who = about.who.as_ref().map(|who| format!(" {link} {who}")).unwrap_or_default();
    let topic = about.topic.as_ref().map(|topic| format!(" about {topic}")).unwrap_or_default();
    let when = about.when.as_ref().map(|when| format!(" {when}")).unwrap_or_default();
    format!("your {unread}{sent}mail{who}{topic}{when}")
}

/// "Give me a digest of my week", "digest last week", "my weekly digest".
pub fn digest(request: &[Word], world: &World) -> Option<Meaning> {
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let verbs = [
        "give", "make", "prepare", "write", "do", "create", "digest", "get", "a", "my", "show",
        "i", "weekly", "read",
    ];
    let is_digest = texts.iter().any(|text| matches!(*text, "digest" | "recap"))
        && texts.iter().any(|text| matches!(*text, "week" | "weekly" | "weeks"))
        && is_any(texts[0], &verbs)
        && !texts.iter().any(|text| is_any(text, vocabulary::MAIL))
        && texts.len() <= 12;
    if !is_digest {
        return None;
    }
    let now = world.local_now();
    let named = time::find(request, &now, Lean::Ahead);
    let named = named.and_then(|when| when.readings.into_iter().next());
    let reading = named.filter(|reading| reading.grain == Grain::Week).or_else(|| {
        let this = time::find(&words("this week"), &now, Lean::Ahead)?;
        this.readings.into_iter().next()
    })?;
    let range = when::as_range(&reading.range.start, &reading.range.end);
    let args = json!({ "date_range": range, "when": reading.said });
    let what = Meanwhile::Work { tool: "week.digest" };
    Some(look(what, args, "Sure, going through your week."))
}

pub fn listed(texts: &[&str]) -> Option<Meaning> {
    let said = texts.join(" ");
    let asks = [
        "what are you working on",
        "what are you doing",
        "what jobs are running",
        "what is running",
        "is anything running",
        "any jobs running",
        "list jobs",
        "list my jobs",
        "show jobs",
        "show my jobs",
        "show me my jobs",
        "my jobs",
        "what jobs are there",
        "are you still working",
        "are you still working on it",
        "what is still running",
        "what is running right now",
        "what is running now",
        "what are you working on right now",
        "what are you doing right now",
        "what is going on right now",
        "are you working on anything",
        "is something running",
        "any timers running",
    ];
    let named = ["digest", "summary", "job", "recap"].iter().any(|thing| {
        let about = [
            format!("how is the {thing} coming along"),
            format!("how is the {thing} going"),
            format!("how far is the {thing}"),
            format!("how far along is the {thing}"),
            format!("is the {thing} done"),
            format!("is the {thing} ready"),
            format!("is the {thing} done yet"),
            format!("is the {thing} ready yet"),
            format!("how is the {thing}"),
            format!("where is the {thing}"),
            format!("how long will the {thing} take"),
            format!("what about the {thing}"),
        ];
        about.contains(&said)
    });
    let what = match (named, asks.contains(&said.as_str())) {
        (true, _) => Meanwhile::Jobs,
        (false, true) => Meanwhile::Running,
        (false, false) => return None,
    };
    Some(look(what, json!({}), "Let me see."))
}

/// "Stop the digest", "cancel that job", "stop summarizing my mail".
pub fn stopped(heard: &str, request: &[Word]) -> Option<Meaning> {
    const VERBS: &[&str] = &["stop", "cancel", "abort", "kill", "drop", "halt"];
    const THINGS: &[&str] =
        &["digest", "summary", "summaries", "job", "jobs", "recap", "summarizing", "summarising"];
    let rest = match behind(request, &["never", "mind"]) {
        Some(rest) => rest,
        None => match request {
            [verb, rest @ ..] if is_any(&verb.text, VERBS) => rest,
            _ => return None,
        },
    };
    let place = rest.iter().position(|word| is_any(&word.text, THINGS))?;
    if place > 4 || rest.len() > 10 || rest.iter().any(|word| word.quoted) {
        return None;
    }
    let all = rest[place].text == "jobs" || rest[..place].iter().any(|word| word.is("all"));
    let fillers = [
        "the", "that", "this", "my", "all", "of", "a", "making", "doing", "writing", "job", "jobs",
        "your",
    ];
    let about = rest.iter().filter(|word| !is_any(&word.text, &fillers)).collect::<Vec<_>>();
    let about = said(heard, &about).to_lowercase();
    let about = about.replace("summarizing", "summary").replace("summarising", "summary");
    let args =
        if all && about.is_empty() { json!({ "all": true }) } else { json!({ "about": about }) };
    Some(look(Meanwhile::StopJob, args, "Okay."))
}
