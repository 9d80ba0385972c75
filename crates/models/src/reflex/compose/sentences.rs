//! A mail that is dictated in sentences: "Write an email to Tom. Tell him that the parts
//! arrived. Ask him whether Friday works. Also say that the budget is fine."
//!
//! Each of them tells us what stands in the one mail, so they are put together into it.
//! The first that is a request of its own ends the mail.

use brain::resolve::people::Contact;
use brain::resolve::words::Word;

use super::head::{self, Manner, Target};
use super::{extras, reported};
use crate::World;
use crate::reflex::refer::PRONOUNS;
use crate::reflex::vocabulary::is_any;
use crate::reflex::{phrasing, seam, sentence, writes};

const LEADS: &[&str] = &["and", "also", "then", "please", "oh", "finally", "next"];
const QUESTIONS: &[&str] =
    &["whether", "if", "when", "what", "where", "how", "who", "why", "which", "to"];

/// What one sentence puts into the mail.
enum Told {
    /// As it is told of: "the parts arrived".
    That(String),
    /// As it is said to them: "Can you pick me up?"
    Said(String),
}

/// The sentence with the whole mail in one request.
pub fn in_one_mail(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let request = sentence::without_lead(said);
    let mut sentences = request.split_inclusive(ends);
    let first = sentences.next()?;
    let begun = extras::taken_out(heard, first, world).request;
    let head = head::read(heard, &begun, world)?;
    if !matches!(head.manner, Manner::New | Manner::Answer) {
        return None;
    }
    let whom = Whoever { head: &head, request: &begun, world };
    let mut has_words = head.words.is_some();
    let mut mail = heard[..first.last()?.end].to_owned();
    if has_words {
        mail.push_str(mark_of(first));
    }
    let mut is_joined = false;
    let mut rest = sentences.peekable();
    while let Some(next) = rest.peek() {
        let raw = &heard[next[0].start..next[next.len() - 1].end];
        let text = match (told(next, heard, &whom, &mail), has_words) {
            (Some(Told::That(text)), false) => format!(" saying that {text}"),
            (Some(Told::Said(text)), false) => format!(" saying {text}"),
            (Some(Told::That(text)), true) => {
                format!(" {}", seam::as_text(&phrasing::sentence(&whom.said_to(&text))))
            }
            (Some(Told::Said(text)), true) => format!(" {}", seam::as_text(&text)),
            (None, true) if !writes::begins_with_a_write(next, heard, world) => format!(" {raw}"),
            (None, _) => break,
        };
        is_joined |= !text.ends_with(raw);
        mail.push_str(&text);
        if !text.ends_with(['.', '?', '!']) {
            mail.push_str(mark_of(next));
        }
        has_words = true;
        rest.next();
    }
    if let Some(next) = rest.peek() {
        mail = format!("{mail} {}", &heard[next[0].start..]);
    }
    is_joined.then_some(mail)
}

fn ends(word: &Word) -> bool {
    matches!(word.stop, Some('.' | '!' | '?' | ';' | '\n'))
}

fn mark_of(sentence: &[Word]) -> &'static str {
    match sentence.last().and_then(|last| last.stop) {
        Some('?') => "?",
        Some('!') => "!",
        _ => ".",
    }
}

/// To whom it goes, for "him" and "her".
struct Whoever<'a> {
    head: &'a head::Head<'a>,
    request: &'a [Word],
    world: &'a World,
}

impl Whoever<'_> {
    /// Is it them, whatever the mail says so far? "Email Tom that Ana came. Tell her …" is
    /// for Ana.
    fn is(&self, pronoun: &Word, mail: &str) -> bool {
        if !is_any(&pronoun.text, PRONOUNS) {
            return false;
        }
        if let Some(place) = self.head.pronoun {
            return self.request[place].text == pronoun.text;
        }
        let Target::People { people, .. } = &self.head.target else {
            return matches!(self.head.target, Target::Letter(_));
        };
        let [one] = people.as_slice() else { return pronoun.is("them") };
        let words = self.head.words.as_deref().unwrap_or_default();
        let theirs = |contact: &&Contact| one.is_at(&contact.address);
        let known = self.world.contacts.iter().find(theirs).is_some_and(|it| it.pronouns.is_some());
        let behind = mail.rsplit_once(words).map_or(mail, |(_, behind)| behind);
        let alone = reported::names_nobody(words, self.world)
            && (words.is_empty() || reported::names_nobody(behind, self.world));
        reported::may_be(one, &pronoun.text, self.world) && (known || alone)
    }

    fn said_to(&self, text: &str) -> String {
        match &self.head.target {
            Target::People { people, .. } if people.len() == 1 => {
                reported::to_one(text, &people[0], self.world)
            }
            _ => text.to_owned(),
        }
    }
}

/// What this sentence puts into the mail; nothing, where it is none that tells us to.
fn told(sentence: &[Word], heard: &str, whom: &Whoever<'_>, mail: &str) -> Option<Told> {
    let lead = sentence.iter().take_while(|word| is_any(&word.text, LEADS)).count();
    let said = sentence.get(lead..).filter(|said| said.len() > 1 && !said[0].quoted)?;
    let text = |at: usize| said.get(at).map_or("", |word| word.text.as_str());
    let end = said[said.len() - 1].end;
    let raw = |at: usize| said.get(at).map(|word| &heard[word.start..end]);
    let them = || whom.is(&said[1], mail);
    let also = |at: usize| at + usize::from(is_any(text(at), &["also", "too"]));
    let reported = |at: usize| {
        let that = usize::from(text(at) == "that");
        raw(at + that).map(|words| Told::That(words.to_owned()))
    };
    match text(0) {
        "let" if them() && text(2) == "know" => reported(also(3)),
        "tell" if them() => match text(also(2)) {
            "to" => {
                let order = phrasing::yours(raw(also(2) + 1)?);
                Some(Told::Said(phrasing::sentence(&format!("Please {order}"))))
            }
            "nothing" | "no" | "when" | "what" | "where" | "how" | "who" | "why" | "about" => None,
            _ => reported(also(2)),
        },
        "say" | "mention" | "add" | "write" | "explain" if text(also(1)) == "that" => {
            reported(also(1))
        }
        "ask" if them() && is_any(text(2), QUESTIONS) => {
            let asked = phrasing::asked(&phrasing::yours(raw(2)?));
            Some(Told::Said(phrasing::sentence(&asked)))
        }
        "ask" if them() && is_any(text(2), &["about", "for"]) => {
            Some(Told::Said(phrasing::sentence(&format!("I wanted to ask {}", raw(2)?))))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{corpus, reflex};

    fn mails(heard: &str) -> Vec<String> {
        let read = reflex::read(heard, &corpus::world());
        let of = |key: &str, args: &serde_json::Value| args[key].as_str().map(str::to_owned);
        let steps = read.proposal.steps.iter();
        let bodies = steps.filter_map(|step| of("body", &step.args).or(of("intent", &step.args)));
        let only = |body: String| {
            let words =
                body.split("\n\n").filter(|part| !part.starts_with("Hi ") && *part != "Maya");
            words.collect::<Vec<_>>().join(" ")
        };
        bodies.map(only).collect()
    }

    #[test]
    fn what_is_told_sentence_by_sentence_is_one_mail() {
        for (heard, body) in [
            (
                "Write an email to Tom. Tell him that the parts arrived this morning, and that I \
                 would like him to call the supplier before Friday.",
                "The parts arrived this morning, and I would like you to call the supplier before \
                 Friday.",
            ),
            (
                "Write an email to Tom. Tell him that the parts arrived. Ask him whether he can \
                 pick me up at the station. Also say that the budget is fine.",
                "The parts arrived. Can you pick me up at the station? The budget is fine.",
            ),
            (
                "Email Tom that it costs 420 dollars. Ask him whether he can pick me up at the \
                 station.",
                "It costs 420 dollars. Can you pick me up at the station?",
            ),
            ("Send a mail to Ana. Let her know that I'm late.", "I'm late."),
            ("Write to Tom. Ask him whether he can call me.", "Can you call me?"),
            (
                "Write to Tom. Tell him to call me. And tell him I'm late.",
                "Please call me. I'm late.",
            ),
        ] {
            assert_eq!(mails(heard), [body], "{heard}");
        }
    }

    #[test]
    fn somebody_else_and_another_request_are_none_of_that_mail() {
        for (heard, bodies) in [
            (
                "Email Tom that the parts arrived. Tell Ana that I'm late.",
                &["The parts arrived.", "I'm late."][..],
            ),
            ("Email Tom that Ana is here. Tell her that I'm late.", &["Ana is here.", "I'm late."]),
            (
                "Tell Jonas we accept. Tell him to send the contract.",
                &["We accept.", "Please send the contract."],
            ),
            (
                "Email Priya I'll be there. Tell her nothing else.",
                &["I'll be there. Tell her nothing else."],
            ),
        ] {
            assert_eq!(mails(heard), bodies, "{heard}");
        }
        let read = reflex::read(
            "Write an email to Tom. Tell him that I'm late. What's on tomorrow?",
            &corpus::world(),
        );
        let tools: Vec<_> = read.proposal.steps.iter().map(|step| step.tool.as_str()).collect();
        assert_eq!(tools, ["gmail.send", "calendar.list_events"]);
    }
}
