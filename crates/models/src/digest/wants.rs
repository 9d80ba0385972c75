//! What a mail asks of its reader: the one sentence that asks most plainly.

use brain::resolve::time::WEEKDAYS;

use super::{capital, shortened};

/// What is wanted, and the sentence that says so.
pub(super) struct Wanted {
    /// Behind a name: "asks you to send the slides by Friday."
    pub told: String,
    pub sentence: String,
}

/// How plainly a sentence asks; what asks less than this asks nothing.
const PLAINLY: u32 = 4;

pub(super) fn of(body: &str) -> Option<Wanted> {
    let all = sentences(body);
    let weighed = all.into_iter().map(|sentence| (weight(&sentence), sentence));
    // Of two that ask as plainly, the later one: it sums up what came before.
    let (weight, sentence) = weighed.max_by_key(|(weight, _)| *weight)?;
    (weight >= PLAINLY).then(|| Wanted { told: told(&sentence), sentence })
}

/// The sentences of the text, without greetings, quotations and names below it.
fn sentences(body: &str) -> Vec<String> {
    let mut all = Vec::new();
    for paragraph in body.split("\n\n") {
        let lines = paragraph.lines().map(str::trim);
        let own: Vec<_> = lines.filter(|line| !line.is_empty() && !line.starts_with('>')).collect();
        let text = own.join(" ");
        let mut rest = text.as_str();
        while let Some(end) = end_of_sentence(rest) {
            all.push(rest[..end].trim().to_owned());
            rest = rest[end..].trim_start();
        }
        if !rest.trim().is_empty() {
            all.push(rest.trim().to_owned());
        }
    }
    all.retain(|sentence| sentence.split_whitespace().count() > 2);
    all
}

/// Behind the mark, where a new sentence begins or nothing follows.
fn end_of_sentence(text: &str) -> Option<usize> {
    text.char_indices().find_map(|(at, c)| {
        let end = at + c.len_utf8();
        let rest = &text[end..];
        let is_mark = matches!(c, '.' | '?' | '!') && rest.starts_with(' ');
        // "1. Gross margin", "approx. 40": a number or a small letter goes on.
        let begins =
            rest.trim_start().starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        // "1." at the start of a line is no sentence.
        let before = text[..at].trim();
        let is_number = !before.is_empty() && before.chars().all(|c| c.is_ascii_digit());
        (is_mark && begins && !is_number).then_some(end)
    })
}

fn weight(sentence: &str) -> u32 {
    let said = format!(" {} ", plain(sentence));
    let has = |all: &[&str]| all.iter().any(|one| said.contains(one));
    let idle = [
        " disregard ",
        " unsubscribe ",
        " do not reply ",
        " how are you ",
        " no need to ",
        " no rush ",
        " please do ",
        " please don't ",
        " please don’t ",
        " need anything ",
        " feel free ",
        " any questions ",
        " who knew ",
    ];
    if has(&idle) {
        return 0;
    }
    let asks = sentence.trim_end().ends_with(['?', '”', '"']) && sentence.contains('?');
    let plainly = [" can you ", " could you ", " would you ", " will you ", " are you able "];
    let needs = [
        " need you ",
        " needs you ",
        " need your ",
        " needs your ",
        " still need ",
        " i need ",
        " we need from you ",
        " waiting for your ",
        " waiting for you ",
        " let me know ",
        " tell me ",
        " is due ",
        " are due ",
        " rsvp ",
        " sign off ",
        " get back to me ",
        " send me ",
        " want you to ",
    ];
    let weight = if has(&plainly) && asks {
        10
    } else if has(&[" please "]) {
        8
    } else if has(&needs) {
        6
    } else if asks && has(&[" you ", " your "]) {
        4
    } else {
        return 2 * u32::from(asks);
    };
    // Of two, the one that can come too late.
    let by_day = WEEKDAYS.iter().any(|day| said.contains(&format!(" {day} ")));
    weight + u32::from(by_day || has(&BY_WHEN))
}

/// A day that something is wanted by, beside the days of the week.
const BY_WHEN: [&str; 6] = [" by ", " before ", " until ", " today ", " tonight ", " tomorrow "];

/// Wants something that nobody who means well asks for in a mail: secrets, or that what
/// is in the mailbox goes elsewhere, or in a hurry.
pub(super) fn is_bait(subject: &str, body: &str) -> bool {
    let said = format!(" {} {} ", plain(subject), plain(body));
    let has = |all: &[&str]| all.iter().any(|one| said.contains(one));
    let hurries =
        has(&[" urgent ", " immediately ", " within 24 hours ", " suspended ", " final notice "]);
    let secrets = has(&[
        " password ",
        " passwords ",
        " verify your account ",
        " confirm your account ",
        " keep your account ",
        " unusual sign in ",
        " gift card ",
        " gift cards ",
        " wire transfer ",
    ]);
    let commands_us = has(&[
        " ignore your previous instructions ",
        " ignore all previous instructions ",
        " ignore previous instructions ",
    ]);
    commands_us || (hurries && secrets)
}

/// Lower case, one space, no marks.
fn plain(sentence: &str) -> String {
    let words = sentence.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    words.join(" ")
}

/// "asks you to confirm by Friday.", or their own words.
fn told(sentence: &str) -> String {
    if let Some(what) = asked_for(sentence) {
        return format!("asks you to {}.", shortened(&what).trim_end_matches('.'));
    }
    let asks = sentence.trim_end().ends_with('?');
    let words = shortened(&capital(&sentence.trim().replace('"', "'")));
    let verb = if asks { "asks" } else { "writes" };
    format!("{verb}: “{words}”")
}

/// What stands behind "could you", as one tells it to the one who is asked. None
/// where the writer speaks of themselves in it: that is better quoted.
fn asked_for(sentence: &str) -> Option<String> {
    let lower = sentence.to_lowercase();
    if lower.len() != sentence.len() {
        return None;
    }
    let leads = [
        "can you please ",
        "could you please ",
        "can you ",
        "could you ",
        "would you ",
        "will you ",
        "please ",
    ];
    let (at, lead) = leads
        .iter()
        .filter_map(|lead| Some((lower.find(lead)?, *lead)))
        .min_by_key(|(at, lead)| (*at, usize::MAX - lead.len()))?;
    let behind = sentence[at + lead.len()..].trim_end_matches(['?', '.', '!', ' ']);
    let behind = behind.trim_end_matches(", please").trim_end_matches(" please");
    let first = behind.split(' ').next()?.to_lowercase();
    // "Would you like", "please find attached" ask for nothing.
    let is_verb = !matches!(
        first.as_str(),
        "like"
            | "mind"
            | "be"
            | "find"
            | "the"
            | "have"
            | "note"
            | "do"
            | "don't"
            | "don’t"
            | "not"
    );
    let turned = behind.split(' ').map(turned).collect::<Option<Vec<_>>>()?;
    (is_verb && turned.len() > 1).then(|| turned.join(" "))
}

/// A word as a third person says it.
fn turned(word: &str) -> Option<String> {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let other = match bare.to_lowercase().as_str() {
        "me" | "us" => "them",
        "my" | "our" => "their",
        "i" | "we" | "i'm" | "i’m" | "i'll" | "i’ll" | "i've" | "i’ve" | "we're" | "we’re"
        | "we'll" | "we’ll" | "i'd" | "i’d" | "mine" | "ours" => return None,
        _ => return Some(word.to_owned()),
    };
    Some(word.replacen(bare, other, 1))
}
