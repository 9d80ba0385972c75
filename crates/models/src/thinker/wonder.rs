//! Sentences that no look-up answers: what ought to be, why something is, how to go about
//! it, or words that are to be made of other words. The rules find something to look up in
//! many of them; whoever can think knows better. Pure.

use brain::resolve::time::is_weekday;

use crate::World;

/// Said before what is wanted.
const POLITE: [&str; 24] = [
    "please", "hey", "hi", "ok", "okay", "so", "and", "well", "sayso", "can", "could", "would",
    "will", "you", "tell", "me", "i", "want", "need", "like", "d", "to", "just", "now",
];
/// What is done with words alone.
const MAKES_WORDS: [&str; 18] = [
    "translate",
    "rewrite",
    "rephrase",
    "paraphrase",
    "proofread",
    "compare",
    "explain",
    "brainstorm",
    "analyse",
    "analyze",
    "critique",
    "outline",
    "describe",
    "imagine",
    "rank",
    "prioritise",
    "prioritize",
    "evaluate",
];
/// What somebody writes, drafts or thinks up who has ideas of their own.
const MADE_UP: [&str; 32] = [
    "poem",
    "haiku",
    "limerick",
    "song",
    "story",
    "essay",
    "speech",
    "toast",
    "joke",
    "slogan",
    "tagline",
    "blog",
    "article",
    "code",
    "script",
    "recipe",
    "itinerary",
    "caption",
    "riddle",
    "rap",
    "idea",
    "ideas",
    "tips",
    "reasons",
    "arguments",
    "suggestions",
    "ways",
    "jokes",
    "names",
    "alternatives",
    "advice",
    "list",
];
const MAKES: [&str; 9] =
    ["write", "draft", "compose", "make", "give", "think", "come", "create", "invent"];
/// What is decided with somebody's help.
const DECIDES: [&str; 15] = [
    "write",
    "draft",
    "compose",
    "decide",
    "choose",
    "think",
    "understand",
    "figure",
    "plan",
    "prepare",
    "phrase",
    "word",
    "pick",
    "weigh",
    "come",
];
/// What is planned that is no meeting.
const OCCASIONS: [&str; 11] = [
    "evening",
    "trip",
    "weekend",
    "vacation",
    "holiday",
    "party",
    "route",
    "itinerary",
    "outing",
    "picnic",
    "menu",
];
const OUGHT: [&str; 6] = ["should", "shall", "would", "could", "can", "might"];
/// What somebody does who asks what to do: nothing that a calendar or a mailbox knows.
const DOES: [&str; 14] = [
    "tell", "say", "write", "answer", "reply", "wear", "give", "buy", "cook", "bring", "get",
    "make", "pack", "call",
];
const BEST: [&str; 9] =
    ["best", "worst", "urgent", "better", "good", "nice", "wise", "smart", "polite"];
/// What is found between the lines.
const GATHERED: [&str; 9] = [
    "meaning",
    "difference",
    "questions",
    "risks",
    "issues",
    "concerns",
    "takeaways",
    "lessons",
    "arguments",
];
const BETWEEN_LINES: [&str; 9] =
    ["promise", "mean", "imply", "complain", "worry", "propose", "agree", "decide", "expect"];
const ANSWERED: [&str; 4] = ["answered", "replied", "responded", "thanked"];
/// What is read between the lines of a mail.
const MEANT: [&str; 17] = [
    "ask", "asks", "asking", "asked", "want", "wants", "wanted", "need", "needs", "mean", "means",
    "meant", "say", "saying", "after", "expect", "expects",
];
const COUNTS: [&str; 9] =
    ["first", "second", "third", "fourth", "fifth", "last", "other", "others", "next"];
const MOODS: [&str; 21] = [
    "annoyed",
    "angry",
    "mad",
    "upset",
    "happy",
    "unhappy",
    "cross",
    "disappointed",
    "offended",
    "worried",
    "frustrated",
    "satisfied",
    "dissatisfied",
    "pleased",
    "furious",
    "impatient",
    "hurt",
    "sad",
    "nervous",
    "stressed",
    "irritated",
];
/// What somebody has to do with what came.
const DUE: [&str; 5] = ["pay", "sign", "return", "renew", "answer"];
/// What is known of the whole world's people and things, and of nobody's plans.
const CHRONICLED: [&str; 19] = [
    "born",
    "die",
    "died",
    "dies",
    "invented",
    "invent",
    "discovered",
    "discover",
    "founded",
    "erupt",
    "erupted",
    "extinct",
    "abolished",
    "crowned",
    "assassinated",
    "painted",
    "conquered",
    "hatch",
    "bloom",
];
/// What is asked about manners, and about what is wise.
const FITTING: [&str; 29] = [
    "rude",
    "impolite",
    "polite",
    "okay",
    "ok",
    "fine",
    "wise",
    "smart",
    "unwise",
    "bad",
    "wrong",
    "weird",
    "strange",
    "odd",
    "awkward",
    "appropriate",
    "inappropriate",
    "professional",
    "unprofessional",
    "kind",
    "unkind",
    "selfish",
    "cheeky",
    "pushy",
    "normal",
    "legal",
    "illegal",
    "worth",
    "silly",
];
/// What is asked before something is moved, and that a calendar knows.
const MOVES: [&str; 8] =
    ["move", "meet", "push", "shift", "reschedule", "postpone", "book", "schedule"];
/// What there is of everybody's: asked for without an article, it is the kind that is meant.
const KINDS: [&str; 9] =
    ["mail", "email", "emails", "spam", "phishing", "attachments", "invites", "imap", "smtp"];
const SKY: [&str; 5] = ["moon", "eclipse", "solstice", "equinox", "meteor"];
/// A sentence with one of these is about what the person has.
const OWN: [&str; 24] = [
    "my",
    "our",
    "mail",
    "mails",
    "email",
    "emails",
    "inbox",
    "message",
    "messages",
    "calendar",
    "meeting",
    "meetings",
    "event",
    "events",
    "appointment",
    "thread",
    "draft",
    "drafts",
    "reminder",
    "reminders",
    "file",
    "files",
    "memory",
    "week",
];

fn words_of(said: &str) -> Vec<String> {
    let lower = said.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// It is about something or somebody of the person's own.
pub fn is_about_own(said: &str, world: &World) -> bool {
    let words = words_of(said);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.iter().any(|word| OWN.contains(word)) || names_somebody(&words, world)
}

fn names_somebody(words: &[&str], world: &World) -> bool {
    let names: Vec<String> = world.contacts.iter().flat_map(|it| words_of(&it.name)).collect();
    words.iter().any(|word| names.iter().any(|name| name == word))
}

fn is_mine(word: &str) -> bool {
    matches!(word, "my" | "our" | "i" | "we" | "me" | "us")
}

/// "On Friday", "tomorrow", "next week": that a calendar knows. "On a Sunday" is any of them.
fn names_a_day(words: &[&str]) -> bool {
    let near = |word: &str| matches!(word, "today" | "tomorrow" | "tonight" | "weekend");
    let is_long = |word: &str| matches!(word, "week" | "month" | "morning" | "afternoon");
    let is_this = |word: &str| matches!(word, "this" | "next" | "last" | "the");
    words.iter().enumerate().any(|(at, word)| {
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        let is_any = matches!(before, "a" | "an" | "every");
        !is_any && (is_weekday(word) || near(word)) || is_this(before) && is_long(word)
    })
}

/// "And the second one?", "what about the other": nothing but one of those that were told of. Which
/// they were knows only who told of them.
pub fn points_at_told(said: &str) -> bool {
    let words = words_of(said);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let lead = words.iter().take_while(|word| {
        matches!(**word, "and" | "what" | "how" | "about" | "so" | "ok" | "okay" | "then" | "is")
    });
    let rest = &words[lead.count()..];
    let little = |word: &&str| matches!(*word, "the" | "one" | "ones" | "two" | "of" | "them");
    let counts = |word: &&str| COUNTS.contains(word);
    rest.len() > 1
        && rest.iter().any(counts)
        && rest.iter().all(|word| little(word) || counts(word))
}

/// It wants a thought, whatever else the rules would do with it or ask about it.
pub fn insists(said: &str) -> bool {
    let words = words_of(said);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let polite = words.iter().take_while(|word| POLITE.contains(word)).count();
    let wanted = &words[polite.min(words.len())..];
    let is_ours = matches!(wanted, ["what" | "how", "would" | "should", "you", does, ..]
        if DOES.contains(does) || *does == "respond");
    wanted.len() > 2 && (is_ours || is_summed_up(wanted) || is_read_into(wanted))
}

/// It wants a thought, whatever can be looked up for it.
pub fn wants_thought(said: &str, world: &World) -> bool {
    let words = words_of(said);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let polite = words.iter().take_while(|word| POLITE.contains(word)).count();
    let wanted = &words[polite.min(words.len())..];
    // "Compare", "explain that": of what was just said, and that the rules know.
    if wanted.len() < 3 {
        return false;
    }
    is_made(wanted)
        || is_summed_up(wanted)
        || is_read_into(wanted)
        || is_wondered(wanted)
        || is_felt(wanted)
        || is_explained(wanted) && !names_a_day(wanted)
        || is_weighed(wanted)
        || (is_chronicled(wanted) || is_a_kind(wanted)) && !names_somebody(wanted, world)
}

/// "When was Napoleon born", "when does the sun set": of somebody or something that is not the
/// person's.
fn is_chronicled(words: &[&str]) -> bool {
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    let moves = ["set", "sets", "rise", "rises", "up", "down"];
    match words {
        _ if words.iter().any(|word| is_mine(word)) => false,
        ["when" | "where" | "who", ..] if has(&CHRONICLED) => true,
        ["when", ..] | ["what", "time", ..] => has(&["sun"]) && has(&moves),
        _ => false,
    }
}

/// "What is a stand-up meeting", "what are stars made of": what such a thing is, not which of
/// them there are.
fn is_explained(words: &[&str]) -> bool {
    match words {
        _ if words.iter().any(|word| is_mine(word) || *word == "you") => false,
        ["what", "is" | "s", "a" | "an", _, ..] => true,
        ["what", "is" | "s" | "are", .., "made", "of" | "from" | "out"] => true,
        ["what", "is" | "s" | "are", .., "used" | "good", "for"] => true,
        ["what", "is" | "s", .., "called"] => true,
        ["how", "does" | "do", .., "work"] => true,
        _ => false,
    }
}

/// "What is spam", "what are calendar invites": not "what is the mail" nor "what's new mail".
fn is_a_kind(words: &[&str]) -> bool {
    let points = |word: &&str| {
        matches!(*word, "the" | "this" | "that" | "new" | "next" | "unread" | "latest" | "last")
            || matches!(*word, "today" | "tomorrow" | "these" | "those" | "in" | "up" | "left")
            || is_mine(word)
    };
    match words {
        ["what", "is" | "s" | "are", kind] | ["what", "is" | "s" | "are", _, kind] => {
            KINDS.contains(kind) && !words.iter().any(points)
        }
        _ => false,
    }
}

/// "Would it be rude to cancel on Tom", "is it okay to answer on a Sunday".
fn is_weighed(words: &[&str]) -> bool {
    let goes_on = |rest: &[&str]| rest.iter().any(|word| matches!(*word, "to" | "if" | "that"));
    match words {
        ["it", "be", how, rest @ ..] | ["is", "it", how, rest @ ..] => {
            let moves = rest.iter().any(|word| MOVES.contains(word));
            // On a day of the calendar, "okay" asks whether it is free.
            let is_free = matches!(*how, "okay" | "ok" | "fine" | "good") && names_a_day(rest);
            FITTING.contains(how) && goes_on(rest) && !moves && !is_free
        }
        _ => false,
    }
}

/// "Anything that sounds angry": no word of it stands there.
fn is_felt(words: &[&str]) -> bool {
    let feels = |word: &str| matches!(word, "sounds" | "seems" | "feels" | "looks" | "sound");
    words.windows(2).any(|pair| matches!(pair[0], "that" | "which") && feels(pair[1]))
}

/// "Sum up what Priya wants", "summarise the thread with Ana in one sentence": not "summarise my
/// day", nor a digest of everything about something.
fn is_summed_up(words: &[&str]) -> bool {
    let rest = match words {
        ["sum", "up", rest @ ..] | ["summarise" | "summarize" | "recap", rest @ ..] => rest,
        ["give", "me", "a" | "the", "summary" | "gist", "of", rest @ ..] => rest,
        _ => return false,
    };
    let of = |known: &[&str]| rest.iter().any(|word| known.contains(word));
    let is_asked = rest.first().is_some_and(|first| matches!(*first, "what" | "why" | "how"));
    is_asked || of(&["thread", "conversation", "sentence", "sentences"])
}

/// "What does Sam really need from me", "is Leo annoyed with me", "whether I should worry": what
/// no mail says in so many words.
fn is_read_into(words: &[&str]) -> bool {
    let pair = |first: &[&str], second: &[&str]| {
        words.windows(2).any(|it| first.contains(&it[0]) && second.contains(&it[1]))
    };
    let wants = words.windows(3).any(|it| {
        matches!(it, ["want" | "wants" | "need" | "needs" | "expect" | "expects", "from", who]
            if is_mine(who))
    });
    let asks = matches!(words, ["what" | "why" | "who" | "how" | "does" | "is", ..]);
    let meant = words.iter().any(|word| MEANT.contains(word));
    let really = words.iter().any(|word| matches!(*word, "really" | "actually"));
    let should = pair(&["whether", "if"], &["i", "we"])
        && pair(&["i", "we"], &["should", "need", "ought"])
        && !words.contains(&"remind");
    wants || asks && really && meant || should || is_mood(words)
}

/// "Is Leo annoyed with me": not "is the happy hour on Friday".
fn is_mood(words: &[&str]) -> bool {
    let asks = matches!(
        words,
        ["is" | "was" | "are" | "were" | "does" | "did" | "do" | "why" | "how", ..]
    );
    let ends = |next: Option<&&str>| {
        next.is_none_or(|next| matches!(*next, "with" | "at" | "about" | "by" | "or" | "that"))
    };
    let mut moods = words.iter().enumerate().skip(2).filter(|(_, word)| MOODS.contains(word));
    let is_mine = words.get(1).is_some_and(|who| is_mine(who));
    asks && !is_mine && moods.any(|(at, _)| ends(words.get(at + 1)))
}

/// Words are to be made.
fn is_made(words: &[&str]) -> bool {
    let has = |known: &[&str]| words[1..].iter().any(|word| known.contains(word));
    match words {
        [first, ..] if MAKES_WORDS.contains(first) => true,
        ["turn", ..] => has(&["into"]),
        ["help", "me", "to", then, ..] | ["help", "me", then, ..] => DECIDES.contains(then),
        ["plan", ..] => has(&OCCASIONS),
        [first, ..] if MAKES.contains(first) => has(&MADE_UP),
        _ => false,
    }
}

/// Something is asked that nobody wrote down.
fn is_wondered(words: &[&str]) -> bool {
    let is_person = |word: &&str| matches!(*word, "i" | "we" | "one");
    match words {
        ["how", "do", who, ..] => is_person(who),
        ["how", ought, who, ..] if OUGHT.contains(ought) => is_person(who),
        // "When can we meet": that a calendar knows.
        [
            "when" | "where" | "who" | "whom" | "what" | "which",
            "should" | "shall" | "would",
            who,
            ..,
        ] => is_person(who) || matches!(*who, "you" | "be"),
        ["what", "do", "i" | "we", does, ..] => DOES.contains(does),
        ["what", "do", "you", thinks, ..] => {
            matches!(*thinks, "think" | "suggest" | "recommend" | "advise" | "make")
        }
        ["what", "does", .., last] => *last == "mean",
        ["what", "is" | "s" | "are", rest @ ..] => {
            let begins = &rest[..rest.len().min(4)];
            let is_time = |word: &&str| matches!(*word, "time" | "times" | "slot" | "slots");
            let is_free = rest.iter().any(is_time) && names_a_day(rest);
            !is_free && begins.iter().any(|word| BEST.contains(word) || GATHERED.contains(word))
        }
        ["what", "did", rest @ ..] => rest.iter().any(|word| BETWEEN_LINES.contains(word)),
        ["who" | "whom" | "which", rest @ ..]
            if rest.iter().any(|word| matches!(*word, "not" | "haven")) =>
        {
            rest.iter().any(|word| ANSWERED.contains(word))
        }
        ["do", "i", "have", "any" | "anything", rest @ ..] => {
            rest.windows(2).any(|pair| pair[0] == "to" && DUE.contains(&pair[1]))
        }
        ["when", "is" | "s", rest @ ..] => rest.iter().any(|word| SKY.contains(word)),
        ["which", "of", rest @ ..] => rest.iter().any(|word| OUGHT.contains(word)),
        ["why", is, who, ..] => {
            matches!(*is, "is" | "are" | "was" | "were" | "do" | "does" | "did" | "would" | "has")
                && *who != "you"
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_look_up_answers_is_thought_about() {
        let world = crate::corpus::world();
        for said in [
            "write a short poem about priya",
            "help me decide whether to accept Tom's offer",
            "which of my meetings next week could be an email instead?",
            "translate my last mail to german",
            "who should I thank this week?",
            "how do I politely decline Dana's invitation?",
            "what is the most urgent thing in my inbox and why?",
            "rewrite Priya's last mail as a haiku",
            "plan a nice evening for me and Tom on friday",
            "how do I say no to my boss?",
            "what should I wear to the Heron launch?",
            "what is my best argument against raising the price?",
            "what do I tell my mother about the trip?",
            "when should I plant tomatoes?",
            "what would you do in my place?",
            "how should I prepare for the meeting with Dana?",
            "what does amortization mean?",
            "could you please explain quantum computing to me",
            "give me three ideas for Tom's gift",
            "what's a good name for my cat?",
            "compare the two offers from Paperlane",
            "why is Priya upset about the knob?",
            "turn my last mail into a to-do list",
            "what do you think Priya would like for her birthday?",
            "when was Napoleon born?",
            "when did Shakespeare die",
            "when was the telephone invented",
            "tell me when penicillin was discovered",
            "when was Rome founded?",
            "who invented email",
            "where was Mozart born?",
            "when did the dinosaurs become extinct",
            "when does the sun set today",
            "what time does the sun rise tomorrow",
            "what is a stand-up meeting?",
            "what's a calendar week?",
            "what is an email client",
            "what are stars made of?",
            "what are emails used for?",
            "what is spam?",
            "what's email",
            "what are calendar invites",
            "what is phishing mail?",
            "how does email work?",
            "would it be rude to cancel on Tom?",
            "is it okay to answer Dana on a Sunday?",
            "is it weird to email Tom twice",
            "what is a stand-up meeting",
            "would it be rude to cancel",
            "would it be rude to cancel on Tom tomorrow?",
            "what's my best argument for the meeting on Friday?",
            "what's Dana's mail about the board deck really asking for?",
            "is Leo annoyed with me?",
            "is Priya happy with the samples?",
            "does Ana sound angry",
            "what would you answer Dana?",
            "Sum up what Priya wants from me and tell me whether I should worry",
            "what does Sam actually need from me?",
            "what does Sam want from us",
            "Summarise the thread with Priya Nair in one sentence",
            "tell me if I should worry about the lease",
        ] {
            assert!(wants_thought(said, &world), "{said}");
        }
    }

    #[test]
    fn one_of_what_was_told_is_pointed_at_and_nothing_besides() {
        for said in
            ["and the second one?", "What about the other?", "the last one", "and the third"]
        {
            assert!(points_at_told(said), "{said}");
        }
        for said in
            ["delete the second one", "what about Friday?", "second", "and the next meeting?"]
        {
            assert!(!points_at_told(said), "{said}");
        }
    }

    #[test]
    fn what_is_written_down_somewhere_is_looked_up() {
        let world = crate::corpus::world();
        for said in [
            "what do I have on Friday?",
            "what's on my calendar tomorrow",
            "when is the design review?",
            "who is Priya?",
            "how many mails did Tom send me?",
            "how long is the review?",
            "what did Priya write about the samples",
            "when can I meet Tom?",
            "write Tom that I'm late",
            "make it Thursday",
            "give me the rest",
            "plan a meeting with Tom on Friday",
            "explain that",
            "why not?",
            "why did you do that?",
            "what does Priya want?",
            "what do you know about Tom?",
            "help me",
            "when is the board meeting?",
            "where is my lunch with Tom?",
            "when did Dana write?",
            "when was Tom born?",
            "when was my mother born?",
            "when was the lease signed",
            "when does the standup end",
            "when is the sunrise yoga",
            "where is the offsite",
            "what are my meetings tomorrow",
            "what's new mail",
            "what is the mail",
            "what are today's emails",
            "what are unread emails",
            "what is Tom email",
            "what's my mail",
            "what's a meeting I have on Friday?",
            "what is the review about",
            "is it ok to move the review to Friday?",
            "is it too late to meet Tom",
            "what time is my flight",
            "what's a free slot tomorrow",
            "what's a good time on Friday",
            "what's the best time to meet Tom next week",
            "how does Friday work?",
            "how does next week work for a call",
            "what is a meeting tomorrow",
            "is it okay to call Tom on Friday",
            "any mail from Priya about the deck?",
            "what did Sam say?",
            "summarise my day",
            "summarize my inbox",
            "give me a summary of today",
            "write me a summary of everything about Heron",
            "is the happy hour on Friday?",
            "when is the happy hour with Tom",
            "do I actually have a meeting tomorrow",
            "what's really on my calendar",
            "am I happy with Friday",
        ] {
            assert!(!wants_thought(said, &world), "{said}");
        }
    }
}
