//! How what is not for people begins: marks of templates, JSON, and calls as models of many
//! makers write them. Pure.

pub const FENCE: &str = "```";

/// What ends something that is not for people, whichever comes first.
pub type Ends = &'static [&'static str];

/// It is over where it began.
const AT_ONCE: Ends = &[""];
const END_OF_LINE: Ends = &["\n"];

/// What begins something that is not for people, longer ones before those they begin with,
/// and what ends it. Some makers draw the signs with other letters: see `plain`.
const MARKED: [(&str, Ends); 27] = [
    ("<tool_call", &["</tool_call>"]),
    ("<function_calls", &["</function_calls>"]),
    ("<function_call", &["</function_call>"]),
    ("<function=", &["</function>"]),
    ("<tool_use", &["</tool_use>"]),
    ("<invoke", &["</invoke>"]),
    ("<start_function_call>", &["<end_function_call>"]),
    ("<end_function_call>", AT_ONCE),
    ("<escape>", AT_ONCE),
    ("<thinking>", &["</thinking>"]),
    ("<think>", &["</think>"]),
    ("<thought>", &["</thought>"]),
    ("<reasoning>", &["</reasoning>"]),
    ("<seed:think>", &["</seed:think>"]),
    ("[THINK]", &["[/THINK]"]),
    // Channels: one to itself, one to tools, one for people.
    ("<|channel|>analysis", &["<|end|>", "<|return|>", "<|call|>"]),
    ("<|channel|>commentary", &["<|end|>", "<|return|>", "<|call|>"]),
    ("<|channel|>final", AT_ONCE),
    ("<|channel>thought", &["<channel|>"]),
    ("<|start|>assistant", AT_ONCE),
    ("<|tool_calls_section_begin|>", &["<|tool_calls_section_end|>"]),
    ("<|tool_calls_begin|>", &["<|tool_calls_end|>"]),
    ("<|tool_call_begin|>", &["<|tool_call_end|>"]),
    ("<|", &["|>"]),
    ("[TOOL_CALLS]", END_OF_LINE),
    (FENCE, &[FENCE]),
    ("[/TOOL_CALLS]", AT_ONCE),
];

/// What ends thoughts that did not begin: a template had begun them before the answer did, and
/// `provider::murmur` could not tell.
const THOUGHT_OUT: [&str; 7] = [
    "</thinking>",
    "</think>",
    "</thought>",
    "</reasoning>",
    "</seed:think>",
    "[/THINK]",
    "<channel|>",
];

/// Lines that a model writes for whoever runs it.
const INPUT: &str = "Action Input:";
const ACTION: &str = "Action:";

/// Between the parts of a tool's name, as models are told of it.
const JOINT: &str = "__";
/// No name is longer, with a bracket before it.
const LONGEST_NAME: usize = 64;
/// So short a beginning of one holds nothing back.
const SHORTEST: usize = 3;

/// How names of tools begin, before a point.
const FAMILIES: [&str; 11] = [
    "gmail",
    "calendar",
    "memory",
    "attachment",
    "voice",
    "ask",
    "jobs",
    "reminders",
    // What makers of models put before any tool.
    "functions",
    "default_api",
    "tools",
];
/// What may stand around a call, with what is between them.
const PRINT: &str = "print(";
const CALL: &str = "call:";

/// Fences around these are for machines.
const MACHINE: [&str; 6] = ["json", "tool_code", "tool_call", "tool_outputs", "xml", "yaml"];

/// What something is the beginning of.
pub enum Begins {
    Marked {
        ends: Ends,
        skip: usize,
    },
    /// Up to the bracket that closes what was opened.
    Brackets,
    /// What follows is the answer; what stood before it was not.
    Answer {
        skip: usize,
    },
    Words {
        length: usize,
    },
    Unclear,
}

/// What begins with one of these may not be for people.
pub fn is_sign(c: char) -> bool {
    matches!(plain(c), '<' | '{' | '[' | '`')
}

/// What `text`, which starts with a sign, is the beginning of.
pub fn begins(text: &str, in_code: bool) -> Begins {
    if let Some(rest) = text.strip_prefix(FENCE) {
        if in_code {
            return Begins::Words { length: FENCE.len() };
        }
        let Some(line) = rest.find('\n') else { return Begins::Unclear };
        let language = rest[..line].trim().to_lowercase();
        let inner = rest[line..].trim_start();
        let is_machine = MACHINE.contains(&language.as_str()) || inner.starts_with(['{', '[']);
        return match (is_machine, inner.is_empty()) {
            (true, _) => Begins::Marked { ends: &[FENCE], skip: FENCE.len() },
            (false, true) => Begins::Unclear,
            (false, false) => Begins::Words { length: FENCE.len() },
        };
    }
    if is_half_a_mark(text) {
        return Begins::Unclear;
    }
    if let Some(skip) = THOUGHT_OUT.iter().find_map(|mark| begins_like(text, mark)) {
        return Begins::Answer { skip };
    }
    for (start, ends) in MARKED {
        if let Some(skip) = begins_like(text, start) {
            return Begins::Marked { ends, skip };
        }
    }
    let Some(opening) = text.chars().next() else { return Begins::Unclear };
    let words = Begins::Words { length: opening.len_utf8() };
    if !matches!(opening, '{' | '[') {
        return words;
    }
    let inner = text[1..].trim_start();
    match (opening, inner.chars().next()) {
        (_, None) => Begins::Unclear,
        ('{', Some('"' | '\'' | '}' | '{')) | ('[', Some('{' | '"' | '[')) => Begins::Brackets,
        ('[', Some(c)) if is_of_name(c) => match call(inner) {
            Begins::Words { .. } => words,
            call => call,
        },
        _ => words,
    }
}

/// Whether that is all there is of a mark, so far.
pub fn is_half_a_mark(text: &str) -> bool {
    let marks = MARKED.iter().map(|(start, _)| start).chain(&THOUGHT_OUT);
    marks.into_iter().any(|start| {
        let mut mark = start.chars();
        text.chars().all(|c| mark.next() == Some(plain(c))) && mark.next().is_some()
    })
}

/// Where `end` stands in `text`, and how long it is there.
pub fn find_like(text: &str, end: &str) -> Option<(usize, usize)> {
    if end.is_empty() {
        return Some((0, 0));
    }
    text.char_indices().find_map(|(at, _)| Some((at, begins_like(&text[at..], end)?)))
}

/// How many bytes of `text` are that mark, in whatever letters it is drawn.
fn begins_like(text: &str, mark: &str) -> Option<usize> {
    let mut rest = text.chars();
    let is_it = mark.chars().all(|c| rest.next().map(plain) == Some(c));
    is_it.then(|| text.len() - rest.as_str().len())
}

/// The sign that such a letter stands for.
fn plain(c: char) -> char {
    match c {
        '｜' => '|',
        '▁' => '_',
        '‹' | '◁' => '<',
        '›' | '▷' => '>',
        _ => c,
    }
}

pub fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// What `text`, which starts with a word, is the beginning of. Only where a line begins, it
/// may be one for whoever runs the model.
pub fn word_begins(text: &str, is_line: bool) -> Begins {
    if !is_line {
        return call(text);
    }
    let is_half =
        |label: &str| text.len() >= SHORTEST && text.len() < label.len() && label.starts_with(text);
    if is_half(INPUT) || is_half(ACTION) {
        return Begins::Unclear;
    }
    if let Some(inner) = text.strip_prefix(INPUT) {
        let inner = inner.trim_start_matches(' ');
        return match inner.chars().next() {
            None => Begins::Unclear,
            Some('{' | '[') => Begins::Marked { ends: AT_ONCE, skip: text.len() - inner.len() },
            Some(_) => Begins::Marked { ends: END_OF_LINE, skip: INPUT.len() },
        };
    }
    let Some(rest) = text.strip_prefix(ACTION) else { return call(text) };
    let tool = rest.trim_start_matches(' ');
    let (name, behind) = name_of(tool);
    match behind.chars().next() {
        _ if is_tool(name) => Begins::Marked { ends: END_OF_LINE, skip: ACTION.len() },
        None if name.len() <= LONGEST_NAME => Begins::Unclear,
        _ => Begins::Words { length: ACTION.len() },
    }
}

/// Whether `text`, which starts with a word, is the call of a tool.
fn call(text: &str) -> Begins {
    for around in [PRINT, CALL] {
        if let Some(inner) = text.strip_prefix(around) {
            let (name, behind) = name_of(inner);
            return match call_of(inner) {
                _ if behind.is_empty() && name.len() <= LONGEST_NAME => Begins::Unclear,
                Begins::Words { .. } => Begins::Words { length: around.len() - 1 },
                call => call,
            };
        }
        if text.len() >= SHORTEST && around.starts_with(text) {
            return Begins::Unclear;
        }
    }
    call_of(text)
}

fn call_of(text: &str) -> Begins {
    let (name, behind) = name_of(text);
    let words = Begins::Words { length: name.find('.').unwrap_or(name.len()).max(1) };
    let mut behind = behind.chars();
    match (behind.next(), behind.next()) {
        (None | Some('.'), None) if name.len() <= LONGEST_NAME && may_be_tool(name) => {
            Begins::Unclear
        }
        (Some('(' | '{'), _) if is_tool(name) => Begins::Brackets,
        (Some(':'), None) if is_tool(name) => Begins::Unclear,
        // Numbered: `functions.gmail__send:0`.
        (Some(':'), Some('0'..='9')) if is_tool(name) => {
            let digits = &text[name.len() + 1..];
            match digits.find(|c: char| !c.is_ascii_digit()) {
                Some(length) => Begins::Marked { ends: AT_ONCE, skip: name.len() + 1 + length },
                None => Begins::Unclear,
            }
        }
        _ => words,
    }
}

/// A name, with its points but without one that ends a sentence; and what stands behind it.
fn name_of(text: &str) -> (&str, &str) {
    let end = text.find(|c| !is_of_name(c) && c != '.').unwrap_or(text.len());
    text.split_at(text[..end].trim_end_matches('.').len())
}

fn is_tool(name: &str) -> bool {
    let is_of_family =
        |(family, tool): (&str, &str)| FAMILIES.contains(&family) && !tool.is_empty();
    name.contains(JOINT) || name.split_once('.').is_some_and(is_of_family)
}

/// Whether more of it may make it one.
fn may_be_tool(name: &str) -> bool {
    let begins_family =
        || name.len() >= SHORTEST && FAMILIES.iter().any(|family| family.starts_with(name));
    name.contains(JOINT) || is_tool(name) || begins_family()
}
