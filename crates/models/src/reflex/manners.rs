//! Courtesies that are mail without saying so, and ways to reach people that
//! we do not have.
//!
//! "Thank Lena for the slides" is said again as one would ask for the mail;
//! "text Tom that I'm outside" is offered as mail, and nothing is written
//! until somebody says that mail will do.

use std::ops::Range;

use brain::plan::Proposal;
use brain::resolve::words::Word;

use super::refer::PRONOUNS;
use super::sentence;
use super::vocabulary::is_any;
use super::whom::{self, Whom};
use crate::focus::{Choice, Unclear};
use crate::gist::{Chat, Gist};
use crate::{Understanding, World};

/// Words after which a courtesy would belong to what is written.
const WRITING: &[&str] = &[
    "tell", "ask", "email", "mail", "write", "reply", "respond", "answer", "send", "let", "inform",
    "remember", "note", "draft", "say",
];

/// The sentence with a courtesy in it said as a mail, if there is one.
pub fn said_plainly(heard: &str, said: &[Word], world: &World) -> Option<String> {
    if let Some(plain) = should_hear(heard, said, world) {
        return Some(plain);
    }
    if let Some(plain) = thanked(heard, said, world) {
        return Some(plain);
    }
    let mut starts = (0..said.len()).filter(|&at| is_start(said, at));
    let (places, plain) = starts.find_map(|at| courtesy(said, at, heard, world))?;
    let span = said[places.start].start..said[places.end - 1].end;
    Some(format!("{}{plain}{}", &heard[..span.start], &heard[span.end..]))
}

/// "Tell Dana thanks": the last word is for her, and no courtesy to us.
fn thanked(heard: &str, said: &[Word], world: &World) -> Option<String> {
    (0..said.len().saturating_sub(2)).find_map(|at| {
        let used = said[at].is("tell").then(|| somebody(said, at + 1, heard, world))??;
        let last = said.get(at + 1 + used)?;
        let ends = at + 2 + used == said.len();
        let thanks = is_any(&last.text, &["thanks", "ok", "okay", "right"]);
        let apart = said[at + used].stop.is_none() && !said[at].quoted;
        (thanks && ends && apart)
            .then(|| format!("{}that {}", &heard[..last.start], &heard[last.start..]))
    })
}

/// "He should hear that Thursday works": tell him. Within a mail it is told.
fn should_hear(heard: &str, said: &[Word], world: &World) -> Option<String> {
    const NEEDS: &[&[&str]] = &[
        &["should"],
        &["needs", "to"],
        &["need", "to"],
        &["ought", "to"],
        &["must"],
        &["has", "to"],
        &["have", "to"],
        &["might", "like", "to"],
        &["would", "like", "to"],
        &["will", "want", "to"],
    ];
    const HEARS: &[&[&str]] = &[
        &["hear", "that"],
        &["know", "that"],
        &["hear", "from", "me", "that"],
        &["be", "told", "that"],
        &["get", "told", "that"],
        &["find", "out", "that"],
        &["learn", "that"],
        &["hear"],
        &["be", "told"],
        &["know"],
    ];
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let hears = ["hear", "know", "told", "learn", "find"];
    if !texts.iter().any(|text| is_any(text, &hears)) {
        return None;
    }
    let lead = said.len() - sentence::without_lead(said).len();
    let begins = |at: usize| {
        let before = at.checked_sub(1).map(|before| &said[before]);
        let behind = before.is_some_and(|word| is_any(&word.text, &["and", "then", "also"]));
        at == lead || behind || before.is_some_and(|word| word.stop.is_some())
    };
    (0..said.len()).filter(|&at| begins(at) && !is_writing(said, at)).find_map(|at| {
        let (who, used) = match texts[at] {
            "he" => ("him", 1),
            "she" => ("her", 1),
            "they" => ("them", 1),
            _ => {
                let used = somebody(said, at, heard, world)?;
                (&heard[said[at].start..said[at + used - 1].end], used)
            }
        };
        let rest = &texts[at + used..];
        let needs = NEEDS.iter().find(|needs| rest.starts_with(needs))?.len();
        let hears = HEARS.iter().find(|hears| rest[needs..].starts_with(hears))?;
        let words = said.get(at + used + needs + hears.len())?;
        // "He should know", "he should know about it" and "who should hear it?" tell nothing.
        let plain =
            is_any(&words.text, &["about", "of", "it", "the", "from", "what", "how", "why"]);
        let clear = hears.ends_with(&["that"]) || !plain;
        let asks = said.last().is_some_and(|last| last.stop == Some('?'));
        (clear && !asks && !said[at].quoted).then(|| {
            format!("{}tell {who} that {}", &heard[..said[at].start], &heard[words.start..])
        })
    })
}

/// A request begins here, and nothing is being written.
fn is_start(said: &[Word], at: usize) -> bool {
    const COURTESIES: &[&str] = &[
        "thank",
        "thanks",
        "thx",
        "apologize",
        "apologise",
        "congratulate",
        "say",
        "wish",
        "quick",
        "short",
        "note",
        "send",
        "give",
        "drop",
    ];
    let lead = said.len() - sentence::without_lead(said).len();
    let before = at.checked_sub(1).map(|before| &said[before]);
    let begins = at == lead
        || before.is_some_and(|word| word.is("and") || word.is("then") || word.stop.is_some());
    let writing = is_writing(said, at);
    let apart = is_love(said, at) && is_behind_a_pause(said, at);
    begins && (!writing || apart) && !said[at].quoted && is_any(&said[at].text, COURTESIES)
}

/// Is something being written before this place? "My mail" is no verb.
pub fn is_writing(said: &[Word], at: usize) -> bool {
    let owners = [
        "my", "the", "any", "new", "unread", "more", "a", "an", "that", "this", "'s", "check",
        "some",
    ];
    let owned = |place: usize| {
        place.checked_sub(1).is_some_and(|before| is_any(&said[before].text, &owners))
    };
    (0..at).any(|place| is_any(&said[place].text, WRITING) && !owned(place))
}

/// Is what stands here dictated, behind a colon?
pub fn is_dictating(said: &[Word], heard: &str) -> bool {
    said.last().is_some_and(|last| heard[..last.end].contains(": ")) && is_writing(said, said.len())
}

/// "…, and send Ingrid my love": nobody is told to.
fn is_behind_a_pause(said: &[Word], at: usize) -> bool {
    let linked = at > 1 && said[at - 1].is("and");
    at > 0 && said[at - 1 - usize::from(linked)].stop == Some(',')
}

/// "Send Ingrid my love", "give Tom my regards".
fn is_love(said: &[Word], at: usize) -> bool {
    let verb = is_any(&said[at].text, &["send", "give"]);
    let mine = said[at..].iter().take(5).position(|word| word.is("my"));
    let what = mine.and_then(|mine| said.get(at + mine + 1));
    verb && what.is_some_and(|what| is_any(&what.text, SENT_WITH_LOVE))
}

/// What is sent to somebody without anything in it.
const SENT_WITH_LOVE: &[&str] = &[
    "love",
    "regards",
    "best",
    "greetings",
    "condolences",
    "apologies",
    "congratulations",
    "thanks",
];

/// The words of it that are replaced, and by what.
fn courtesy(
    said: &[Word],
    at: usize,
    heard: &str,
    world: &World,
) -> Option<(Range<usize>, String)> {
    let text = |place: usize| said.get(place).map_or("", |word| word.text.as_str());
    let name = |place: usize| {
        let used = somebody(said, place, heard, world)?;
        Some((&heard[said[place].start..said[place + used - 1].end], place + used))
    };
    let with = |place: usize, words: &str, links: &[&str]| {
        let (who, end) = name(place)?;
        let more = end < said.len() && said[end - 1].stop.is_none();
        let linked = is_any(text(end), links);
        // Said to her, "her help" is "your help".
        if linked && is_any(text(end + 1), &["his", "her", "their"]) && end + 2 < said.len() {
            return Some((at..end + 2, format!("tell {who} {words} {} your", text(end))));
        }
        let ends = !more || is_any(text(end), &["and", "then", "please"]);
        let that = if linked { "" } else { "that " };
        (linked || ends).then(|| (at..end, format!("tell {who} {that}{words}")))
    };
    match text(at) {
        // "Thx Ana for the slides"
        "thanks" | "thx" => {
            let (_, end) = name(at + 1)?;
            let linked = text(end) == "for";
            linked.then(|| with(at + 1, "thank you", &["for"]))?
        }
        "thank" => with(at + 1, "thank you", &["for", "again", "so", "very"]),
        "apologize" | "apologise" if text(at + 1) == "to" => {
            with(at + 2, "I'm sorry", &["for", "about", "that"])
        }
        "congratulate" => with(at + 1, "congratulations", &["on", "for"]),
        "wish" => {
            let (who, end) = name(at + 1)?;
            let from = end + usize::from(is_any(text(end), &["a", "an"]));
            let wishes = is_any(text(from), &["happy", "good", "merry", "all", "luck"]);
            wishes.then(|| (at..from, format!("tell {who}")))
        }
        "send" | "give" if is_love(said, at) => {
            let (who, end) = name(at + 1)?;
            let what = &heard[said.get(end + 1)?.start..said[end + 1].end];
            let wishes = text(end + 2) == "wishes";
            let what = if wishes { format!("{what} wishes") } else { what.to_owned() };
            let last = end + 2 + usize::from(wishes);
            let closes = said[last - 1].stop.is_some()
                || last == said.len()
                || is_any(text(last), &["and", "then", "please", "too"]);
            (text(end) == "my" && closes)
                .then(|| (at..last, format!("tell {who} I send my {what}")))
        }
        "send" | "give" | "drop" => {
            let (who, end) = name(at + 1)?;
            let last = thank_you(said, end)?;
            let that = if text(last) == "for" { "" } else { "that " };
            let closes = said[last - 1].stop.is_some()
                || last == said.len()
                || is_any(text(last), &["for", "and", "then", "please"]);
            closes.then(|| (at..last, format!("tell {who} {that}thank you")))
        }
        // "Say to Rafael thank you for yesterday"
        "say" if text(at + 1) == "to" || text(at + 1) == "please" && text(at + 2) == "to" => {
            let please = usize::from(text(at + 1) == "please");
            let (who, end) = name(at + 2 + please)?;
            (end < said.len()).then(|| (at..end, format!("tell {who}")))
        }
        "say" => {
            let to = (at + 2..said.len().min(at + 5)).find(|&place| text(place) == "to")?;
            let (who, end) = name(to + 1)?;
            let greeting = &heard[said[at + 1].start..said[to - 1].end];
            let plain: Vec<&str> = (at + 1..to).map(text).collect();
            let says = GREETINGS.contains(&plain.as_slice());
            says.then(|| (at..end, format!("tell {who} {greeting}")))
        }
        _ => {
            let noun = at + usize::from(is_any(text(at), &["quick", "short"]));
            let nouns = ["one", "note", "mail", "email", "message", "line", "word"];
            let is_note = is_any(text(noun), &nouns) && text(noun + 1) == "to";
            let (who, end) = name(noun + 2).filter(|_| is_note)?;
            let behind = heard[said[end - 1].end..].trim_start();
            // "Note to Tom, he is late" may be anything.
            let paused = behind.starts_with(',') && noun > at;
            let says = paused || behind.starts_with(':') || is_any(text(end), &["that", "saying"]);
            (says && end < said.len()).then(|| {
                let colon = if behind.starts_with(',') { ":" } else { "" };
                (at..end, format!("send a note to {who}{colon}"))
            })
        }
    }
}

/// Behind "a quick thank you note", where that stands here.
fn thank_you(said: &[Word], from: usize) -> Option<usize> {
    const SIZES: &[&str] = &["a", "quick", "short", "little", "nice", "big", "warm", "brief"];
    let is = |at: usize, texts: &[&str]| {
        said.get(at).is_some_and(|word| is_any(&word.text, texts) && !word.quoted)
    };
    let sizes = (from..said.len()).take_while(|&at| is(at, SIZES)).count();
    let at = from + sizes;
    let thanks = if is(at, &["thank"]) && is(at + 1, &["you"]) {
        at + 2
    } else if is(at, &["thanks", "thank-you", "thankyou"]) {
        at + 1
    } else {
        return None;
    };
    let noun = is(thanks, &["note", "mail", "email", "message", "line"]);
    Some(thanks + usize::from(noun))
}

const GREETINGS: &[&[&str]] = &[
    &["ok"],
    &["okay"],
    &["yes"],
    &["no"],
    &["hi"],
    &["hello"],
    &["thanks"],
    &["thank", "you"],
    &["sorry"],
    &["goodbye"],
    &["happy", "birthday"],
    &["good", "luck"],
    &["no", "thanks"],
    &["no", "thank", "you"],
    &["yes", "please"],
];

/// How many words somebody takes who can be written to.
fn somebody(said: &[Word], at: usize, heard: &str, world: &World) -> Option<usize> {
    if is_any(&said.get(at)?.text, PRONOUNS) {
        return Some(1);
    }
    match whom::at(said, at, heard, world)? {
        (Whom::Known { .. } | Whom::OneOf(_) | Whom::Address(_), used) => Some(used),
        (Whom::Stranger(_), _) => None,
    }
}

/// "Text Tom that …", "call Tom and tell him …": offered as mail.
pub fn offered_as_mail(heard: &str, said: &[Word], world: &World) -> Option<Understanding> {
    let request = sentence::without_lead(said);
    let first = request.first().filter(|first| !first.quoted)?;
    let used = somebody(request, 1, heard, world)?;
    let behind = request.get(1 + used)?;
    let who = &heard[request[1].start..request[used].end];
    let rest = &heard[behind.start..];
    let (cannot, meant) = match first.text.as_str() {
        "text" | "sms" | "whatsapp" => ("send texts", format!("email {who} {rest}")),
        "call" | "phone" | "ring" | "dial" => {
            ("make calls", told_instead(&request[1 + used..], who, heard)?)
        }
        _ => return None,
    };
    let mail = super::read(&meant, world);
    let writes = matches!(mail.gist, Gist::Mail { .. } | Gist::Reply { .. });
    let asks_whom = mail.question.is_some() && !mail.choices.is_empty();
    (writes || asks_whom).then(|| {
        let who = if is_any(who, PRONOUNS) { who.to_owned() } else { super::who::titled(who) };
        let question = format!("I can't {cannot}. Shall it be a mail to {who}?");
        let choice = Choice::new(Unclear::Recipient, format!("Mail to {who}"), meant);
        Understanding {
            proposal: Proposal::default(),
            question: Some(question),
            choices: vec![choice],
            ..Understanding::of(Gist::Question)
        }
    })
}

/// "And tell him I'm late": the same to the one who was to be called.
fn told_instead(rest: &[Word], who: &str, heard: &str) -> Option<String> {
    let [and, verb, them, words @ ..] = rest else { return None };
    let tells = is_any(&verb.text, &["tell", "ask"]) && is_any(&them.text, PRONOUNS);
    let known = and.is("and") && tells && !words.is_empty();
    known.then(|| format!("{} {who} {}", verb.text, &heard[words[0].start..]))
}

/// Does it ask whether somebody took an invitation, or agreed? Whom it names, too.
pub fn asks_for_an_answer(clause: &[Word], heard: &str, world: &World) -> Option<Chat> {
    const ANSWERS: &[&str] = &[
        "accept",
        "accepted",
        "decline",
        "declined",
        "confirm",
        "confirmed",
        "rsvp",
        "rsvped",
        "agree",
        "agreed",
    ];
    let text = |place: usize| clause.get(place).map_or("", |word| word.text.as_str());
    let answers = |place: usize| {
        let skipped = usize::from(is_any(text(place), &["already", "ever", "not", "actually"]));
        is_any(text(place + skipped), ANSWERS)
    };
    match text(0) {
        "who" => {
            let has = usize::from(is_any(text(1), &["has", "have"]));
            answers(1 + has).then_some(Chat::NoAnswer(None))
        }
        "did" | "has" | "have" => {
            let others = ["anyone", "anybody", "everyone", "everybody", "he", "she", "they"];
            if is_any(text(1), &others) {
                return answers(2).then_some(Chat::NoAnswer(None));
            }
            let (whom, used) = whom::at(clause, 1, heard, world)?;
            let who = matches!(whom, Whom::Known { .. }).then(|| whom.short());
            answers(1 + used).then_some(Chat::NoAnswer(who))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;
    use crate::corpus;

    fn plainly(heard: &str) -> Option<String> {
        said_plainly(heard, &words(heard), &corpus::world())
    }

    #[test]
    fn a_courtesy_is_a_mail() {
        for (heard, plain) in [
            ("Thank Lena for the slides.", "tell Lena thank you for the slides."),
            ("thank her", "tell her that thank you"),
            ("thank lena for her help", "tell lena thank you for your help"),
            ("say ok to her", "tell her ok"),
            ("say to Ana thank you for today", "tell Ana thank you for today"),
            ("check my mail and thank tom for it", "check my mail and tell tom thank you for it"),
            ("wish Ana a happy birthday", "tell Ana happy birthday"),
            ("read ana's email, say thanks to her", "read ana's email, tell her thanks"),
            (
                "tell tom i'm in, and send ana my love",
                "tell tom i'm in, and tell ana I send my love",
            ),
            ("give Lena my best wishes", "tell Lena I send my best wishes"),
            ("Quick one to Tom: the van is here.", "send a note to Tom: the van is here."),
            ("he should hear that it works", "tell him that it works"),
            ("any mail? and Lena needs to know that I'm in", "any mail? and tell Lena that I'm in"),
            ("Tom should be told we're late", "tell Tom that we're late"),
        ] {
            assert_eq!(plainly(heard).as_deref(), Some(plain), "{heard}");
        }
    }

    #[test]
    fn a_courtesy_within_a_mail_is_left_there() {
        for heard in [
            "thank you",
            "tell ana i'm late and thank tom for the cake",
            "say it again",
            "thank goodness it is friday",
            "email tom: thank ana for me",
            "note to self",
            "note to tom, he is late",
            "tell tom to send ana my love",
            "send ana my slides",
            "tell ana i'm late and tom should know that it is on",
            "tom should know",
            "he should know about it",
            "should tom know that it is on?",
        ] {
            assert_eq!(plainly(heard), None, "{heard}");
        }
    }

    #[test]
    fn what_cannot_be_texted_is_offered_as_mail() {
        let offered = |heard: &str| offered_as_mail(heard, &words(heard), &corpus::world());
        let question = |heard: &str| offered(heard).and_then(|it| it.question);
        assert_eq!(
            question("text tom that i'm outside").as_deref(),
            Some("I can't send texts. Shall it be a mail to Tom?")
        );
        assert_eq!(
            question("Call Marcus and tell him I'm late.").as_deref(),
            Some("I can't make calls. Shall it be a mail to Marcus?")
        );
        assert_eq!(question("call tom"), None);
    }
}
