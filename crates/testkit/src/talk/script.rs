//! The grammar of talks.

use std::time::Duration;

use brain::ActionLevel;
use jiff::Zoned;
use serde_json::Value;
use session::peril::{Moment, Side};

use crate::parts::Script;
use crate::writer::Fortune;

/// One entry of the file.
pub(super) enum Line {
    /// A comment or an empty line.
    Remark(String),
    Does {
        text: String,
        says: Said,
        expected: Vec<String>,
    },
}

/// What a line does.
pub(super) enum Said {
    Now(Box<Zoned>),
    /// The mind and the tools follow this script instead of being the real ones.
    Scripted,
    /// A scripted model reads every sentence; the tools are the real ones.
    Modelled,
    /// The rules read every sentence, and a scripted model what is beyond them.
    Helped,
    /// One on the person's own machine reads it first.
    Guarded,
    /// The person does not want anything to leave their machine.
    StaysHere,
    /// Words that the agent's people use.
    Keywords(Vec<String>),
    Tool {
        name: String,
        level: ActionLevel,
        script: Script,
    },
    /// A tool that writes, and what becomes of its writes in turn.
    Writer {
        name: String,
        slowly: bool,
        fortunes: Vec<Fortune>,
    },
    Model {
        brain: Brain,
        thinks: Thinks,
    },
    Types(String),
    /// Hands files of `talks/files` over, and says something about them.
    Attaches {
        files: Vec<String>,
        text: String,
    },
    Answers {
        who: Who,
        answer: Answer,
    },
    /// Somebody else connects to the same session.
    PhoneJoins,
    /// The person hangs up.
    Leaves,
    /// And comes back to where they were.
    ComesBack,
    /// Or begins another chat.
    OpensNewChat,
    /// Those who work on jobs wait before the next step, or no longer.
    HoldsWork(bool),
    /// What was really done, by the tools that write.
    Ledger,
    /// All writes, or one tool's, are switched off or on.
    Switch {
        tool: Option<String>,
        off: bool,
    },
    /// The next time the session comes to this moment, the process stops there.
    Dies {
        moment: Moment,
        side: Side,
    },
    Sends(String),
    Interrupts {
        turn: Option<String>,
    },
    Clock(Duration),
    Restarts,
    /// The same person begins another conversation and goes on there.
    AnotherChat,
}

/// One of the person's devices.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    User,
    Phone,
}

/// What a device does with the card that was shown last, or with an earlier one.
pub(super) struct Answer {
    pub verb: Verb,
    /// Counted from 1 among all that were shown.
    pub card: Option<usize>,
    pub revision: Option<u32>,
}

pub(super) enum Verb {
    Accepts,
    Rejects,
    Edits(Value),
    Extends,
}

/// Whose thoughts a line is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Brain {
    /// The scripted mind, or the model elsewhere.
    Model,
    /// The model on the person's own machine.
    Local,
    /// The model that tells which of a few answers was meant.
    Interpreter,
}

/// What the scripted mind makes of the next sentence.
pub(super) enum Thinks {
    For(Duration),
    Acks(String),
    Plans {
        tool: String,
        args: Value,
    },
    Asks(String),
    Says(String),
    Panics,
    /// What comes before is one answer of the model, what follows the next.
    Then,
    /// It is out of order.
    Fails,
    /// It hands the sentence on.
    Escalates(Value),
    /// How sure it is of what it plans, of 100.
    IsSure(u8),
}

pub(super) fn parse(text: &str) -> Result<Vec<Line>, (usize, String)> {
    let mut lines: Vec<Line> = Vec::new();
    for (number, text) in (1..).zip(text.lines()) {
        let trimmed = text.trim();
        if let Some(event) = trimmed.strip_prefix('<') {
            match lines.last_mut() {
                Some(Line::Does { expected, .. }) => expected.push(event.trim().to_owned()),
                _ => return Err((number, "an event must stand below what causes it".into())),
            }
        } else if trimmed.is_empty() || trimmed.starts_with('#') {
            lines.push(Line::Remark(text.to_owned()));
        } else {
            let says = said(trimmed).map_err(|reason| (number, reason))?;
            lines.push(Line::Does { text: text.to_owned(), says, expected: Vec::new() });
        }
    }
    Ok(lines)
}

fn said(line: &str) -> Result<Said, String> {
    let (who, rest) = word(line);
    let (verb, rest) = word(rest);
    Ok(match (who, verb) {
        ("now", time) => Said::Now(Box::new(time.parse().map_err(|error| format!("{error}"))?)),
        ("mind", "scripted") => Said::Scripted,
        ("mind", "modelled") => Said::Modelled,
        ("mind", "helped") => Said::Helped,
        ("tool", name) => tool(name, rest)?,
        ("mind", "guarded") => Said::Guarded,
        ("user", "keeps") => Said::StaysHere,
        ("agent", "knows") => {
            Said::Keywords(rest.split(',').map(|word| word.trim().to_owned()).collect())
        }
        ("model", verb) => Said::Model { brain: Brain::Model, thinks: thinks(verb, rest)? },
        ("interpreter", verb) => {
            Said::Model { brain: Brain::Interpreter, thinks: thinks(verb, rest)? }
        }
        ("local", verb) => Said::Model { brain: Brain::Local, thinks: thinks(verb, rest)? },
        ("user" | "phone", "accepts" | "rejects" | "edits" | "extends") => {
            Said::Answers { who: device(who), answer: answer(verb, rest)? }
        }
        ("phone", "joins") => Said::PhoneJoins,
        ("user", "leaves") => Said::Leaves,
        ("user", "returns") => Said::ComesBack,
        ("user", "opens") => Said::OpensNewChat,
        ("work", "waits") => Said::HoldsWork(true),
        ("work", "goes") => Said::HoldsWork(false),
        ("ledger", "") => Said::Ledger,
        ("server", "pauses" | "resumes") => Said::Switch {
            tool: (!rest.is_empty()).then(|| rest.to_owned()),
            off: verb == "pauses",
        },
        ("server", "dies") => dies(rest)?,
        ("user", "types") => Said::Types(quoted(rest)?),
        ("user", "attaches") => {
            let at = rest.find('"').ok_or("what is said about it?")?;
            let files = rest[..at].split_whitespace().map(str::to_owned).collect();
            Said::Attaches { files, text: quoted(&rest[at..])? }
        }
        ("user", "sends") => Said::Sends(rest.to_owned()),
        ("user", "interrupts") => {
            Said::Interrupts { turn: (!rest.is_empty()).then(|| rest.to_owned()) }
        }
        ("clock", by) => Said::Clock(duration(by.trim_start_matches('+'))?),
        ("server", "restarts") => Said::Restarts,
        ("user", "begins") if rest == "another chat" => Said::AnotherChat,
        _ => return Err(format!("nobody knows how to `{line}`; see talks/README.md")),
    })
}

fn thinks(verb: &str, rest: &str) -> Result<Thinks, String> {
    Ok(match verb {
        "thinks" => Thinks::For(duration(rest)?),
        "acks" => Thinks::Acks(quoted(rest)?),
        "asks" => Thinks::Asks(quoted(rest)?),
        "says" => Thinks::Says(quoted(rest)?),
        "answers" => Thinks::Says(serde_json::json!({ "answer": quoted(rest)? }).to_string()),
        "panics" => Thinks::Panics,
        "then" => Thinks::Then,
        "fails" => Thinks::Fails,
        "escalates" => Thinks::Escalates(json(rest)?),
        "sure" => {
            let percent = rest.trim_end_matches('%').trim();
            Thinks::IsSure(percent.parse().map_err(|_| "how sure, of 100?")?)
        }
        "plans" => {
            let (tool, args) = word(rest);
            Thinks::Plans { tool: tool.to_owned(), args: json(args)? }
        }
        other => return Err(format!("a model cannot `{other}`; see talks/README.md")),
    })
}

fn device(who: &str) -> Who {
    if who == "phone" { Who::Phone } else { Who::User }
}

/// `accepts`, `accepts card 1`, `edits {…}`, `accepts revision 1`
fn answer(verb: &str, rest: &str) -> Result<Answer, String> {
    let (verb, mut rest) = match verb {
        "accepts" => (Verb::Accepts, rest),
        "rejects" => (Verb::Rejects, rest),
        "extends" => (Verb::Extends, rest),
        _ => {
            let end = rest.rfind('}').map_or(0, |at| at + 1);
            (Verb::Edits(json(&rest[..end])?), &rest[end..])
        }
    };
    let (mut card, mut revision) = (None, None);
    while !rest.is_empty() {
        let (what, more) = word(rest);
        let (number, more) = word(more);
        let number: u32 = number.parse().map_err(|_| format!("which {what}?"))?;
        match what {
            "card" => card = usize::try_from(number).ok(),
            "revision" => revision = Some(number),
            other => return Err(format!("an answer has a card and a revision, not {other}")),
        }
        rest = more;
    }
    Ok(Answer { verb, card, revision })
}

/// `dies before claimed`
fn dies(rest: &str) -> Result<Said, String> {
    let (side, name) = word(rest);
    let side = Side::ALL.into_iter().find(|known| known.name() == side);
    let moment = Moment::ALL.iter().find(|known| known.name() == name);
    match (side, moment) {
        (Some(side), Some(moment)) => Ok(Said::Dies { moment: *moment, side }),
        _ => Err(format!("there is no such moment: {rest}")),
    }
}

/// `write does {…}`, `write loses answer, does {…}`
fn writer(name: &str, rest: &str) -> Result<Said, String> {
    let (slowly, rest) = match rest.strip_prefix("slowly ") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let fortunes = rest.split(" then ").map(|part| {
        let (verb, rest) = word(part);
        Ok(match (verb, rest) {
            ("does", "later") => Fortune::DoesLater(Duration::from_secs(30)),
            ("does", value) => Fortune::Does(json(value)?),
            ("refuses", reason) => Fortune::Refuses(quoted(reason)?),
            ("loses", "answer") => Fortune::LosesAnswer,
            ("loses", "request") => Fortune::LosesRequest,
            ("loses", "everything") => Fortune::LosesEverything,
            ("hangs", _) => Fortune::Hangs,
            ("unreachable", times) => {
                Fortune::Unreachable(times.parse().map_err(|_| "unreachable how many times?")?)
            }
            _ => return Err(format!("a tool that writes cannot `{part}`")),
        })
    });
    let fortunes = fortunes.collect::<Result<_, String>>()?;
    Ok(Said::Writer { name: name.to_owned(), slowly, fortunes })
}

fn tool(name: &str, rest: &str) -> Result<Said, String> {
    let (level, rest) = word(rest);
    if level == "write" {
        return writer(name, rest);
    }
    let level = serde_json::from_value(level.into()).map_err(|error| error.to_string())?;
    let (verb, rest) = word(rest);
    let script = match verb {
        "returns" => Script::Returns(json(rest)?),
        "refuses" => Script::Refuses(quoted(rest)?),
        "hangs" => Script::Hangs,
        "unreachable" => {
            let (times, then) = word(rest);
            let times = times.parse().map_err(|_| "unreachable how many times?")?;
            Script::Unreachable { times, then: json(then)? }
        }
        other => {
            return Err(format!("a tool returns, refuses, hangs or is unreachable, not {other}"));
        }
    };
    Ok(Said::Tool { name: name.to_owned(), level, script })
}

fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

fn quoted(text: &str) -> Result<String, String> {
    serde_json::from_str(text).map_err(|_| format!("expected a quoted text, got {text}"))
}

fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))
}

fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let number =
        |digits: &str| digits.parse::<u64>().map_err(|_| format!("not a duration: {text}"));
    if let Some(ms) = text.strip_suffix("ms") {
        return Ok(Duration::from_millis(number(ms)?));
    }
    let seconds = text.strip_suffix('s').ok_or("a duration is like 20s or 250ms")?;
    Ok(Duration::from_secs(number(seconds)?))
}
