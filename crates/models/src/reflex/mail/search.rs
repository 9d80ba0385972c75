//! A search for mail, put together from what was asked for.

use brain::plan::{ProposedStep, from_step};
use brain::resolve::time::cardinal;
use serde_json::json;

use super::window;
use super::words::{Words, terms_for_marks};
use crate::gist::{AboutLetters, Folder, Gist, Want};
use crate::reflex::frame::Frame;
use crate::reflex::vocabulary::{LATEST, MAIL, WRITES, is_any};
use crate::reflex::who::Who;
use crate::reflex::{Lookup, Meaning};

const MOST: u64 = 10;

/// The operators of the mail search box.
const OPERATORS: &[&str] = &[
    "from",
    "to",
    "cc",
    "subject",
    "label",
    "is",
    "in",
    "newer_than",
    "older_than",
    "after",
    "before",
];

/// `from:priya is:unread`, typed as into a search box, is searched as it stands.
pub fn typed(heard: &str) -> Option<Meaning> {
    let pieces: Vec<&str> = heard.split_whitespace().collect();
    let operates = |piece: &&str| {
        let piece = piece.strip_prefix('-').unwrap_or(piece);
        let split = piece.split_once(':');
        split.is_some_and(|(operator, value)| OPERATORS.contains(&operator) && !value.is_empty())
    };
    let asks = |piece: &&&str| {
        let piece = piece.to_lowercase();
        matches!(piece.as_str(), "find" | "search" | "show" | "me" | "for" | "mail" | "mails")
    };
    let asked = pieces.iter().take_while(asks).count();
    let query = &pieces[asked..];
    if !query.first().is_some_and(operates) {
        return None;
    }
    let query = query.join(" ");
    let about = AboutLetters { typed: Some(query.clone()), ..AboutLetters::default() };
    Some(Meaning::Look(vec![Lookup {
        steps: vec![search_step(&query, MOST)],
        gist: Gist::Letters(about),
        acknowledgement: "Searching your mail.".to_owned(),
    }]))
}

fn search_step(query: &str, most: u64) -> ProposedStep {
    ProposedStep {
        tool: "gmail.search".into(),
        args: json!({ "query": query, "max_results": most }),
    }
}

/// `from:priya.nair@brightloom.example`, or a term for each part of a name.
fn term(side: &str, who: &Who) -> String {
    match who {
        Who::Known { address, .. } => format!("{side}:{address}"),
        Who::Stranger(name) | Who::Misheard { said: name, .. } => {
            name.split(' ').map(|part| format!("{side}:{part}")).collect::<Vec<_>>().join(" ")
        }
        Who::Everybody(name) => format!("{side}:{}", name.to_lowercase()),
        Who::OneOf { names, .. } => {
            let any = names.iter().map(|name| format!("{side}:\"{name}\""));
            format!("{{{}}}", any.collect::<Vec<_>>().join(" "))
        }
    }
}

/// What was asked for, before it is known of whom.
pub struct Asked {
    pub about: AboutLetters,
    /// The terms before and behind the person.
    front: Vec<String>,
    behind: Vec<String>,
    /// Looser terms instead of those behind, where those may find nothing.
    nearest: Option<String>,
    most: u64,
    pub one: bool,
    pub plural: bool,
}

impl Asked {
    pub fn of(frame: &mut Frame, sent: bool, from_anybody: bool) -> Self {
        let drafts = frame.has(&["draft", "drafts"]);
        let folder = match (sent, drafts) {
            (_, true) => Folder::Drafts,
            (true, false) => Folder::Sent,
            (false, false) => Folder::Received,
        };
        let count = count(frame);
        // Unread mail is many, whatever the grammar says.
        let all_unread = frame.says(&["unread", "mail"]) && !says_latest(frame);
        let plural = all_unread
            || frame.has(&[
                "mails",
                "emails",
                "messages",
                "letters",
                "drafts",
                "threads",
                "everything",
            ]);
        let one = count.is_none() && !plural && says_latest(frame);
        let marked = terms_for_marks(frame);
        let when = window::of(frame);
        let words = Words::of(frame);
        let wordless = words.is_empty() && frame.phrases.is_empty();
        let bare = from_anybody && marked.is_empty() && wordless && when.is_none();
        let unread = folder == Folder::Received && (says_new(frame) || (bare && says_check(frame)));

        let mut front = Vec::new();
        match folder {
            Folder::Drafts => front.push("in:drafts".to_owned()),
            Folder::Sent => front.push("in:sent".to_owned()),
            Folder::Received if unread => front.push("is:unread".to_owned()),
            Folder::Received => {}
        }
        let nearest = words.nearest(marked.is_empty() && frame.phrases.is_empty());
        let (topic, not_about) = (words.said(&frame.phrases), words.not_about());
        let mut behind = marked;
        behind.extend(words.terms());
        if !behind.iter().any(|term| term.starts_with("subject:")) {
            behind.extend(frame.phrases.iter().map(|phrase| {
                if phrase.contains(' ') { format!("\"{phrase}\"") } else { phrase.clone() }
            }));
        }
        if let Some(window) = &when {
            behind.push(window.query.clone());
        }
        let nearest = nearest.map(|any| match &when {
            Some(window) => format!("{any} {}", window.query),
            None => any,
        });
        let want = if frame.says(&["how", "many"]) {
            Want::Count
        } else if one {
            Want::One
        } else if frame.asks_whether() {
            Want::Whether
        } else {
            Want::List
        };
        let about = AboutLetters {
            folder,
            unread,
            topic,
            not_about,
            when: when.map(|window| window.said),
            want,
            ..AboutLetters::default()
        };
        let most = if one { 1 } else { count.unwrap_or(MOST) };
        Self { about, front, behind, nearest, most, one, plural }
    }

    /// Also to somebody, and not from somebody.
    pub fn between(&mut self, to: Vec<Who>, not_from: Vec<Who>) {
        let called = |people: &[Who]| {
            let names: Vec<_> = people.iter().map(Who::called).collect();
            (!names.is_empty()).then(|| names.join(" or "))
        };
        let (to, not_from): (Vec<_>, Vec<_>) = (
            to.into_iter().map(Who::in_a_list).collect(),
            not_from.into_iter().map(Who::in_a_list).collect(),
        );
        (self.about.to, self.about.not_from) = (called(&to), called(&not_from));
        self.front.extend(not_from.iter().map(|who| format!("-{}", term("from", who))));
        let to = to.iter().map(|who| term("to", who));
        self.behind.splice(0..0, to);
    }

    /// "Did Tom reply": his last mail is told, and nothing is claimed about it.
    pub fn wants_a_reply(&mut self) {
        self.about.want = Want::Reply;
        self.one = false;
    }

    fn query(&self, who: Option<&Who>, behind: &[String]) -> String {
        let side = if self.about.folder == Folder::Received { "from" } else { "to" };
        let person = who.map(|who| term(side, who));
        let narrowed = behind.iter().any(|term| {
            !["after:", "before:", "newer_than:", "older_than:"]
                .iter()
                .any(|start| term.starts_with(start))
        });
        let anywhere = self.front.iter().all(|term| term.starts_with('-'));
        let inbox = (anywhere && person.is_none() && !narrowed).then(|| "in:inbox".to_owned());
        let terms = inbox.into_iter().chain(self.front.iter().cloned()).chain(person);
        terms.chain(behind.iter().cloned()).collect::<Vec<_>>().join(" ")
    }

    fn about(&self, who: Option<&Who>) -> AboutLetters {
        AboutLetters {
            who: who.map(Who::called),
            address: who.and_then(Who::address),
            several_people: matches!(who, Some(Who::Everybody(_))),
            ..self.about.clone()
        }
    }

    fn step(&self, who: Option<&Who>, most: u64) -> ProposedStep {
        search_step(&self.query(who, &self.behind), most)
    }

    pub fn search(&self, who: Option<&Who>) -> Lookup {
        let mut about = self.about(who);
        let acknowledgement = acknowledge(&about);
        let mut steps = vec![self.step(who, self.most)];
        // One mail of somebody is looked for by all that was said.
        if let Some(nearest) = &self.nearest
            && !self.one
        {
            about.nearest = true;
            steps.push(search_step(&self.query(who, std::slice::from_ref(nearest)), self.most));
        }
        Lookup { steps, gist: Gist::Letters(about), acknowledgement }
    }

    /// Opens the newest that fits; `loosely`, where it may be in other words than asked for.
    pub fn opening(&self, who: Option<&Who>, loosely: bool) -> Lookup {
        let search = AboutLetters { want: Want::One, ..self.about(who) };
        let acknowledgement = match &search.who {
            Some(who) => format!("Opening the mail from {who}."),
            None => "Opening that mail.".to_owned(),
        };
        let open = ProposedStep {
            tool: "gmail.get_message".into(),
            args: json!({ "message_id": from_step(1, "/messages/0/message_id") }),
        };
        let nearest = self.nearest.as_ref().filter(|_| loosely && who.is_some());
        let search_for = match nearest {
            Some(nearest) => search_step(&self.query(who, std::slice::from_ref(nearest)), 1),
            None => self.step(who, 1),
        };
        Lookup {
            steps: vec![search_for, open],
            gist: Gist::Letter { search: Some(search), rest: false },
            acknowledgement,
        }
    }
}

fn acknowledge(about: &AboutLetters) -> String {
    match (&about.who, about.folder, about.unread, &about.topic) {
        (Some(who), Folder::Sent, ..) => format!("Looking for what you sent {who}."),
        (Some(who), Folder::Drafts, ..) => format!("Looking at your drafts to {who}."),
        (Some(who), _, true, _) => format!("Looking for new mail from {who}."),
        (Some(who), ..) => format!("Looking for mail from {who}."),
        (None, Folder::Sent, ..) => "Looking at your sent mail.".to_owned(),
        (None, Folder::Drafts, ..) => "Looking at your drafts.".to_owned(),
        (None, _, _, Some(topic)) => format!("Looking for mail about {topic}."),
        (None, _, true, None) => "Checking for new mail.".to_owned(),
        (None, ..) => "Looking at your mail.".to_owned(),
    }
}

fn says_latest(frame: &Frame) -> bool {
    frame.has(LATEST) && !frame.says(&["at", "most"])
}

/// "Last five emails", "5 most recent mails", "show 3 messages".
fn count(frame: &Frame) -> Option<u64> {
    (0..frame.texts.len()).find_map(|at| {
        if frame.is_taken(at) {
            return None;
        }
        let (n, used) = cardinal(&frame.texts[at..])?;
        let before = at.checked_sub(1).map_or("", |before| frame.texts[before]);
        let after = frame.texts.get(at + used).copied().unwrap_or("");
        let counts = is_any(before, LATEST) || is_any(after, LATEST) || is_any(after, MAIL);
        (counts && (1..=50).contains(&n)).then_some(u64::from(n))
    })
}

fn says_new(frame: &Frame) -> bool {
    frame.has(&["unread", "new", "unopened"])
        || frame.says(&["not", "read"])
        || frame.texts == ["catch", "me", "up"]
        || frame.says(&["did", "i", "miss"])
        || frame.says(&["have", "i", "missed"])
}

/// "Check my mail", "do I have mail": what is new is meant.
fn says_check(frame: &Frame) -> bool {
    frame.starts_with_any(&["check"])
        || (frame.starts_with_any(&["any", "do", "have", "did", "is", "got", "you"])
            && frame.left_over(&[MAIL, WRITES]).is_empty()
            && frame.texts.len() <= 6)
}

#[cfg(test)]
mod tests {
    use crate::{corpus, reflex};

    #[test]
    fn whoever_quotes_words_does_not_ask_for_new_mail_alone() {
        for (heard, query) in [
            ("any mail about “Heron”?", "heron"),
            ("any mail about \"brass knob\"?", "\"brass knob\""),
            ("any mail?", "is:unread"),
        ] {
            let steps = reflex::read(heard, &corpus::world()).proposal.steps;
            assert_eq!(steps[0].args["query"], query, "{heard}");
        }
    }
}
