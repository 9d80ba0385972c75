//! How we are to speak: names like this, slower, faster, that again.
//!
//! Read from the whole sentence and before anything else: "Siobhan is pronounced
//! Chevonne" is nothing to look up, and no mail to anybody.

use brain::plan::ProposedStep;
use brain::resolve::words::Word;
use serde_json::{Value, json};

use super::vocabulary::is_any;
use super::whom::{self, Whom};
use super::{Lookup, Meaning, sentence};
use crate::World;
use crate::gist::{AboutVoice, Chat, Gist};

/// Nobody's name has more words, and nothing that it sounds like.
const MOST_WORDS: usize = 4;

const SLOWER: &[&str] = &[
    "slower",
    "a bit slower",
    "a little slower",
    "slow down",
    "slow down a bit",
    "speak slower",
    // As ears write it.
    "speaks lower",
    "speaks slower",
    "talk slower",
    "speak more slowly",
    "talk more slowly",
    "speak slowly",
    "talk slowly",
    "speak a bit slower",
    "speak a little slower",
    "talk a bit slower",
    "talk a little slower",
    "you are too fast",
    "you speak too fast",
    "you talk too fast",
    "you are talking too fast",
    "you are speaking too fast",
    "that was too fast",
];
const FASTER: &[&str] = &[
    "faster",
    "a bit faster",
    "a little faster",
    "speed up",
    "speed up a bit",
    "speak faster",
    "talk faster",
    "speak more quickly",
    "speak a bit faster",
    "speak a little faster",
    "talk a bit faster",
    "talk a little faster",
    "you are too slow",
    "you speak too slowly",
    "you talk too slowly",
    "you are talking too slowly",
    "you are speaking too slowly",
    "that was too slow",
];
const USUAL: &[&str] = &[
    "speak normally",
    "talk normally",
    "normal speed",
    "usual speed",
    "normal pace",
    "speak at normal speed",
    "talk at normal speed",
    "speak at your normal speed",
    "speak at your usual speed",
    "speak at the normal speed",
    "speak at the usual speed",
    "speak as fast as usual",
];

/// What the sentence wants of our voice, if it does.
pub fn read(heard: &str, words: &[Word], world: &World) -> Option<Meaning> {
    let request = sentence::bare(words);
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let text = texts.join(" ");
    let pace = [(SLOWER, "slower"), (FASTER, "faster"), (USUAL, "usual")];
    if let Some((_, change)) = pace.iter().find(|(ways, _)| ways.contains(&text.as_str())) {
        return Some(look(AboutVoice::Pace, json!({ "change": change }), "Sure."));
    }
    if !texts.iter().any(|text| text.starts_with("pron") || *text == "say") {
        return None;
    }
    forgets(heard, request)
        .or_else(|| asks(heard, request, world))
        .or_else(|| tells(heard, request, world))
}

/// "Forget how to pronounce Siobhan", "pronounce Siobhan as it is written".
fn forgets(heard: &str, request: &[Word]) -> Option<Meaning> {
    let leads: [&[&str]; 8] = [
        &["forget", "how", "to", "pronounce"],
        &["forget", "how", "to", "say"],
        &["forget", "the", "pronunciation", "of"],
        &["forget", "the", "pronunciation", "for"],
        &["remove", "the", "pronunciation", "of"],
        &["delete", "the", "pronunciation", "of"],
        &["remove", "the", "pronunciation", "for"],
        &["delete", "the", "pronunciation", "for"],
    ];
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let gone = |name: Option<String>| {
        let args = name.map_or(json!({}), |name| json!({ "name": name }));
        look(AboutVoice::Forget, args, "Let me see.")
    };
    if let ["forget" | "remove" | "delete", .., "pronunciations"] = texts.as_slice()
        && texts[1..texts.len() - 1].iter().all(|text| is_any(text, &["all", "the", "my", "your"]))
    {
        return Some(gone(None));
    }
    let named = leads.iter().find_map(|lead| behind(request, lead));
    let written = [
        &["as", "it", "is", "written"][..],
        &["as", "it", "is", "spelled"],
        &["the", "way", "it", "is", "written"],
        &["as", "written"],
        &["as", "spelled"],
        &["like", "before"],
        &["normally"],
    ];
    let as_written = || {
        let name = behind(request, &["pronounce"])?;
        written.iter().find_map(|tail| in_front(name, tail))
    };
    let name = name(heard, named.or_else(as_written)?)?;
    Some(gone(Some(name)))
}

/// "How do you pronounce Siobhan", "which pronunciations do you know".
fn asks(heard: &str, request: &[Word], world: &World) -> Option<Meaning> {
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let list = |args: Value| look(AboutVoice::List, args, "Let me see.");
    if is_any(texts.first()?, &["what", "which", "list", "show", "tell", "read"])
        && texts.len() <= 8
        && texts.contains(&"pronunciations")
    {
        return Some(list(json!({})));
    }
    let said = behind(request, &["how", "do", "you", "say"]);
    let said = said.filter(|name| is_known(name, heard, world));
    let pronounced = behind(request, &["how", "do", "you", "pronounce"])
        .or_else(|| behind(request, &["how", "would", "you", "pronounce"]))
        .or_else(|| behind(request, &["how", "should", "i", "pronounce"]))
        .or_else(|| in_front(behind(request, &["how", "is"])?, &["pronounced"]));
    let name = name(heard, said.or(pronounced)?)?;
    Some(list(json!({ "name": name })))
}

/// "Siobhan is pronounced Chevonne", "pronounce Nguyen like win".
fn tells(heard: &str, request: &[Word], world: &World) -> Option<Meaning> {
    if request.last()?.stop == Some('?') {
        return None;
    }
    let leads: [&[&str]; 6] = [
        &["remember", "that"],
        &["remember"],
        &["note", "that"],
        &["you", "should"],
        &["you", "have", "to"],
        &["you"],
    ];
    let request = leads.iter().find_map(|lead| behind(request, lead)).unwrap_or(request);
    let (name, like) = is_pronounced(request).or_else(|| pronounce_like(request, heard, world))?;
    let whose = ["it", "that", "this", "he", "she", "his", "her", "their"];
    if is_any(&name.first()?.text, &whose) {
        return Some(Meaning::Chat(Chat::AboutVoice(WHOSE)));
    }
    let mine = name.first().is_some_and(|word| word.is("my"));
    if is_any(&like.first()?.text, &["wrong", "wrongly", "badly", "differently", "incorrectly"]) {
        return Some(Meaning::Chat(Chat::AboutVoice(HOW)));
    }
    let like = self::name(heard, like)?;
    let name = if mine {
        let Some(own) = own_name(&name[1..], &like, world) else {
            return Some(Meaning::Chat(Chat::AboutVoice(NAMELESS)));
        };
        own
    } else {
        self::name(heard, name)?
    };
    Some(look(AboutVoice::Pronounce, json!({ "name": name, "like": like }), "Let me see."))
}

const WHOSE: &str = "Whose name? Tell me like this: “Siobhan is pronounced Chevonne”.";
const HOW: &str = "How should I say it? Tell me like this: “Siobhan is pronounced Chevonne”.";

const NAMELESS: &str = "I don't know your name yet. Put it into your profile, then tell me again.";

/// The words of the person's own name that are meant: the first, unless they say which or
/// tell as many sounds as it has words.
fn own_name(which: &[Word], like: &str, world: &World) -> Option<String> {
    let own: Vec<&str> = world.profile.name.as_deref()?.split_whitespace().collect();
    let last = which.first().is_some_and(|word| is_any(&word.text, &["last", "family", "surname"]));
    let whole = own.len() > 1 && like.split_whitespace().count() == own.len();
    let meant = match (last, whole && which.is_empty()) {
        (true, _) => own.last()?,
        (false, true) => return Some(own.join(" ")),
        (false, false) => own.first()?,
    };
    Some((*meant).to_owned())
}

fn is_pronounced(request: &[Word]) -> Option<(&[Word], &[Word])> {
    let at = request.iter().position(|word| word.is("pronounced"))?;
    let (front, like) = (&request[..at], &request[at + 1..]);
    let name = in_front(front, &["is"]).or_else(|| in_front(front, &["should", "be"]))?;
    let name =
        in_front(name, &["'s", "name"]).or_else(|| in_front(name, &["name"])).unwrap_or(name);
    let name = behind(name, &["the", "name"]).unwrap_or(name);
    // "Tell Priya that …" is for Priya to know.
    let told = ["that", "to", "about", "tell", "email", "mail", "write", "ask", "reply", "send"];
    if name.iter().any(|word| is_any(&word.text, &told)) {
        return None;
    }
    Some((name, behind(like, &["like"]).or_else(|| behind(like, &["as"])).unwrap_or(like)))
}

fn pronounce_like<'a>(
    request: &'a [Word],
    heard: &str,
    world: &World,
) -> Option<(&'a [Word], &'a [Word])> {
    let says = behind(request, &["say"]);
    let rest = behind(request, &["pronounce"]).or(says)?;
    let at = rest.iter().position(|word| is_any(&word.text, &["like", "as"]))?;
    let (name, like) = (&rest[..at], rest.get(at + 1..).filter(|like| !like.is_empty())?);
    let name = behind(name, &["the", "name"]).unwrap_or(name);
    let name = if name.first().is_some_and(|word| word.is("my")) {
        in_front(name, &["name"]).unwrap_or(name)
    } else {
        name
    };
    // "Say hello like you mean it" is about no name.
    let names = says.is_none() || is_known(name, heard, world) || may_be_name(name, like, heard);
    names.then_some((name, like))
}

/// "Say Nguyen like win": nobody is called so, and whoever says it is to hear that.
fn may_be_name(name: &[Word], like: &[Word], heard: &str) -> bool {
    let small = ["you", "i", "we", "a", "an", "the", "it", "this", "that", "in", "if", "my"];
    let greetings =
        ["hello", "hi", "hey", "bye", "goodbye", "thanks", "yes", "no", "sorry", "please"];
    let capital = |word: &Word| {
        heard.get(word.start..word.end).is_some_and(|text| text.starts_with(char::is_uppercase))
    };
    (1..=2).contains(&name.len())
        && name.iter().all(|word| capital(word) && !is_any(&word.text, &greetings))
        && (1..=2).contains(&like.len())
        && !like.iter().any(|word| is_any(&word.text, &small))
}

fn is_known(name: &[Word], heard: &str, world: &World) -> bool {
    let found = whom::at(name, 0, heard, world);
    matches!(found, Some((Whom::Known { .. } | Whom::OneOf(_), used)) if used == name.len())
}

/// The words as they were said.
fn name(heard: &str, words: &[Word]) -> Option<String> {
    let (first, last) = (words.first()?, words.last()?);
    let marks = ['“', '”', '"', '\'', '‘', '’', ',', '.', '!', ' '];
    let text = heard.get(first.start..last.end)?.replace(['“', '”', '"', ','], "");
    let text = text.trim_matches(marks);
    let text = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(text);
    (words.len() <= MOST_WORDS && !text.is_empty()).then(|| text.to_owned())
}

fn behind<'a>(words: &'a [Word], lead: &[&str]) -> Option<&'a [Word]> {
    let (front, rest) = words.split_at_checked(lead.len())?;
    let same = front.iter().zip(lead).all(|(word, text)| word.is(text) && !word.quoted);
    (same && !rest.is_empty()).then_some(rest)
}

fn in_front<'a>(words: &'a [Word], tail: &[&str]) -> Option<&'a [Word]> {
    let (rest, end) = words.split_at_checked(words.len().checked_sub(tail.len())?)?;
    let same = end.iter().zip(tail).all(|(word, text)| word.is(text) && !word.quoted);
    (same && !rest.is_empty()).then_some(rest)
}

fn look(what: AboutVoice, args: Value, acknowledgement: &str) -> Meaning {
    Meaning::Look(vec![Lookup {
        steps: vec![ProposedStep { tool: what.tool().to_owned(), args }],
        gist: Gist::Voice(what),
        acknowledgement: acknowledgement.to_owned(),
    }])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;
    use crate::reflex::read as understood;

    fn step(heard: &str) -> Option<(String, Value)> {
        let steps = understood(heard, &corpus::world()).proposal.steps;
        steps.first().map(|step| (step.tool.clone(), step.args.clone()))
    }

    #[test]
    fn how_a_name_is_said_can_be_told_in_many_ways() {
        for heard in [
            "Siobhan is pronounced Chevonne",
            "Siobhan is pronounced like Chevonne.",
            "siobhan's name is pronounced Chevonne",
            "the name Siobhan is pronounced as Chevonne",
            "please pronounce Siobhan like Chevonne",
            "Could you pronounce Siobhan as “Chevonne”, please",
            "you should pronounce siobhan like Chevonne",
            "remember that Siobhan is pronounced Chevonne",
        ] {
            let (tool, args) = step(heard).unwrap_or_else(|| panic!("{heard}"));
            assert_eq!(tool, "voice.pronounce", "{heard}");
            let name = args["name"].as_str().unwrap().to_lowercase();
            assert_eq!((name.as_str(), &args["like"]), ("siobhan", &json!("Chevonne")), "{heard}");
        }
        let unknown = json!({ "name": "Nguyen", "like": "win" });
        assert_eq!(step("say Nguyen like win").unwrap().1, unknown);
        let two = json!({ "name": "Siobhan Kelly", "like": "Chevonne Kelly" });
        assert_eq!(step("Siobhan Kelly is pronounced Chevonne Kelly").unwrap().1, two);
        let known = json!({ "name": "Priya", "like": "pree ya" });
        assert_eq!(step("say Priya like pree ya").unwrap().1, known);
    }

    #[test]
    fn ones_own_name_can_be_told() {
        let mut world = corpus::world();
        world.profile.name = Some("Maya Ruiz".into());
        let step = |heard: &str| {
            let steps = understood(heard, &world).proposal.steps;
            steps.first().map(|step| (step.tool.clone(), step.args.clone()))
        };
        for (heard, name, like) in [
            ("my name is pronounced MY-uh", "Maya", "MY-uh"),
            ("My name is pronounced like my uh roo eez.", "Maya", "my uh roo eez"),
            ("my name should be pronounced Mya Rweez", "Maya Ruiz", "Mya Rweez"),
            ("my last name is pronounced rweez", "Ruiz", "rweez"),
            ("pronounce my name like Mya", "Maya", "Mya"),
        ] {
            let expected = ("voice.pronounce".to_owned(), json!({ "name": name, "like": like }));
            assert_eq!(step(heard), Some(expected), "{heard}");
        }
        world.profile.name = None;
        let nameless = understood("my name is pronounced MY-uh", &world);
        assert_eq!(nameless.gist, Gist::Chat(Chat::AboutVoice(NAMELESS)));
    }

    #[test]
    fn it_can_be_asked_for_and_forgotten() {
        let cases = [
            ("how do you pronounce Siobhan?", "voice.pronunciations", json!({ "name": "Siobhan" })),
            ("how is Siobhan pronounced", "voice.pronunciations", json!({ "name": "Siobhan" })),
            ("how do you say Priya", "voice.pronunciations", json!({ "name": "Priya" })),
            ("which pronunciations do you know?", "voice.pronunciations", json!({})),
            ("list my pronunciations", "voice.pronunciations", json!({})),
            (
                "forget how to pronounce Siobhan",
                "voice.forget_pronunciation",
                json!({ "name": "Siobhan" }),
            ),
            (
                "pronounce Siobhan as it's written",
                "voice.forget_pronunciation",
                json!({ "name": "Siobhan" }),
            ),
            ("forget all pronunciations", "voice.forget_pronunciation", json!({})),
        ];
        for (heard, tool, args) in cases {
            assert_eq!(step(heard), Some((tool.to_owned(), args)), "{heard}");
        }
    }

    #[test]
    fn the_pace_is_changed_by_words() {
        for (heard, change) in [
            ("speak slower", "slower"),
            ("Speaks lower, please.", "slower"),
            ("Could you speak more slowly, please?", "slower"),
            ("You're talking too fast.", "slower"),
            ("talk a bit faster please", "faster"),
            ("speak normally", "usual"),
        ] {
            let expected = ("voice.pace".to_owned(), json!({ "change": change }));
            assert_eq!(step(heard), Some(expected), "{heard}");
        }
    }

    #[test]
    fn what_is_about_something_else_is_left_alone() {
        for heard in [
            "say hello to Priya like we agreed",
            "Say Hello like you mean it",
            "say it like that",
            "tell Priya that her name is pronounced Priya",
            "email Priya that Siobhan is pronounced Chevonne",
            "what did Priya say about the budget",
            "say that again",
            "any mail about pronunciation?",
        ] {
            let tool = step(heard).map(|(tool, _)| tool).unwrap_or_default();
            assert!(!tool.starts_with("voice."), "{heard}: {tool}");
        }
        let whose = understood("it's pronounced Chevonne", &corpus::world());
        assert_eq!(whose.gist, Gist::Chat(Chat::AboutVoice(WHOSE)));
    }

    #[test]
    fn what_was_told_is_told_again_and_what_was_asked_stays_open() {
        let mut world = corpus::world();
        world.focus.told = Some("Two meetings tomorrow.".into());
        for heard in ["say that again", "Sorry, can you repeat that?", "come again?", "Pardon?"] {
            let understanding = understood(heard, &world);
            assert_eq!(understanding.gist, Gist::Chat(Chat::Again), "{heard}");
            assert!(understanding.is_aside());
            let told = crate::narrator::tell(&understanding, &[], &world);
            assert_eq!(told, "Two meetings tomorrow.");
        }
        world.focus.told = None;
        let told = crate::narrator::tell(&understood("repeat that", &world), &[], &world);
        assert_eq!(told, "I haven't said anything here yet.");
    }

    #[test]
    fn asking_to_hear_it_again_is_no_answer() {
        let mut world = corpus::world();
        let asked = understood("reply to priya", &world);
        assert!(asked.awaited.is_some(), "{asked:?}");
        world.focus.learn(Some(&asked), &[]);
        world.focus.told = asked.question.as_deref().map(Into::into);
        let again = understood("say that again", &world);
        assert_eq!(again.gist, Gist::Chat(Chat::Again));
        world.focus.learn(Some(&again), &[]);
        assert!(world.focus.awaited.is_some());
        assert!(!crate::reflex::answers("say that again", &world));
    }
}
