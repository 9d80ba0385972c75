//! What was remembered, in the person's own words.

use brain::facts::{Memories, Memory};
use brain::resolve::people;
use jiff::Zoned;

use super::spelling::{capital, count, counted, day, first_words};
use crate::World;
use crate::gist::AboutMemories;

/// So many are told; the screen shows the rest.
const TOLD: usize = 3;
/// So many words of one are said before it goes on to the next.
const ALOUD: usize = 30;

pub fn tell(about: &AboutMemories, found: &Memories, world: &World) -> String {
    let now = world.local_now();
    let [first, others @ ..] = found.memories.as_slice() else {
        return not_told(about, world);
    };
    let nearest = match &about.about {
        Some(what) if found.loosely => format!("Nothing quite about {what}. The nearest: "),
        None if found.loosely => "Not quite that. The nearest: ".to_owned(),
        _ => String::new(),
    };
    if others.is_empty() {
        let told = format!("{} {}", introduced(first, &now), sentence(first));
        return if nearest.is_empty() { told } else { format!("{nearest}{}", sentence(first)) };
    }
    if !nearest.is_empty() {
        return format!("{nearest}{}", sentence(first));
    }
    let total = (found.total as usize).max(found.memories.len());
    let mut told = vec![format!("{}.", capital(&counted(total, "thing", "things")))];
    told.extend(found.memories.iter().take(TOLD).map(sentence));
    if total > TOLD {
        told.push(format!("And {} more.", count(total - TOLD)));
    }
    told.join(" ")
}

/// After one that was to be forgotten and is not there.
pub fn nothing(about: Option<&str>) -> String {
    match about {
        Some(about) => {
            format!("You haven't told me anything about {about}, so there is nothing to forget.")
        }
        None => "I don't have that, so there is nothing to forget.".to_owned(),
    }
}

/// Nothing was found; somebody who is known is still known.
fn not_told(about: &AboutMemories, world: &World) -> String {
    let Some(what) = &about.about else {
        let told = if about.all {
            "You haven't asked me to remember anything yet."
        } else {
            "You haven't told me that."
        };
        return told.to_owned();
    };
    let known = people::known(what, &world.contacts);
    let contact = match known.as_slice() {
        [one] => format!(" {} is at {}.", one.contact.name, one.contact.address),
        _ => String::new(),
    };
    format!("You haven't told me anything about {what}.{contact}")
}

/// "You told me last Friday:"
fn introduced(memory: &Memory, now: &Zoned) -> String {
    let then = memory.created_at.to_zoned(now.time_zone().clone());
    match day(then.date(), now.date()).as_str() {
        "today" => "You told me:".to_owned(),
        day => format!("You told me {day}:"),
    }
}

/// One of them as a sentence.
fn sentence(memory: &Memory) -> String {
    let (words, cut) = first_words(&memory.text, ALOUD);
    if cut {
        return format!("{words}…");
    }
    let ends = words.ends_with(['.', '?', '!', '…', '”', '"']);
    if ends { words } else { format!("{words}.") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    fn memory(text: &str, created_at: &str) -> Memory {
        let created_at = created_at.parse().unwrap();
        Memory { memory_id: "m".into(), text: text.into(), created_at }
    }

    fn about(what: &str) -> AboutMemories {
        AboutMemories { about: Some(what.into()), all: false }
    }

    fn found(texts: &[&str]) -> Memories {
        let memories: Vec<_> =
            texts.iter().map(|text| memory(text, "2026-11-15T10:00:00Z")).collect();
        let total = u32::try_from(memories.len()).unwrap();
        Memories { memories, total, loosely: false }
    }

    fn told(about: &AboutMemories, found: &Memories) -> String {
        tell(about, found, &corpus::world())
    }

    #[test]
    fn one_is_told_with_the_day_it_was_said() {
        let nuts = "Tom is allergic to nuts";
        assert_eq!(told(&about("Tom"), &found(&[nuts])), format!("You told me: {nuts}."));
        let earlier = memory("My flight is tomorrow", "2026-11-10T18:00:00Z");
        let earlier = Memories { memories: vec![earlier], total: 1, loosely: false };
        assert_eq!(
            told(&about("your flight"), &earlier),
            "You told me last Tuesday: My flight is tomorrow."
        );
    }

    #[test]
    fn three_are_told_and_the_rest_counted() {
        assert_eq!(
            told(&about("Tom"), &found(&["A", "B", "C", "D", "E"])),
            "Five things. A. B. C. And two more."
        );
    }

    #[test]
    fn what_nobody_said_is_not_made_up() {
        let none = found(&[]);
        let all = AboutMemories { about: None, all: true };
        assert_eq!(told(&all, &none), "You haven't asked me to remember anything yet.");
        assert_eq!(told(&about("the safe"), &none), "You haven't told me anything about the safe.");
        assert_eq!(
            told(&about("Tom"), &none),
            "You haven't told me anything about Tom. Tom Okafor is at \
             tom.okafor@brightloom.example."
        );
    }

    #[test]
    fn what_only_comes_near_is_said_to() {
        let near = Memories { loosely: true, ..found(&["The wifi is called Heron"]) };
        assert_eq!(
            told(&about("the wifi password"), &near),
            "Nothing quite about the wifi password. The nearest: The wifi is called Heron."
        );
    }
}
