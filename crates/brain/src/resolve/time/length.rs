//! How long something is to take: "an hour", "forty five minutes".

use super::number::cardinal;

/// The first length in the sentence, in minutes, and the words it took.
pub fn length(words: &[&str]) -> Option<(u32, std::ops::Range<usize>)> {
    (0..words.len()).find_map(|at| {
        // "In two hours" and "the next hour" say when, not how long.
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        if matches!(before, "in" | "next" | "last" | "past") && !follows_my(words, at) {
            return None;
        }
        let (minutes, used) = starts_with_length(&words[at..])?;
        let when = matches!(words.get(at + used), Some(&("ago" | "from")));
        (!when && (1..=24 * 60).contains(&minutes)).then(|| (minutes, at..at + used))
    })
}

/// "My next free hour", as against "in the next hour".
fn follows_my(words: &[&str], at: usize) -> bool {
    words[..at].contains(&"my") && words.get(at) == Some(&"free")
}

fn starts_with_length(words: &[&str]) -> Option<(u32, usize)> {
    match words {
        ["an", "hour", "and", "a", "half", ..] => return Some((90, 5)),
        ["half", "an" | "a", "hour", ..] => return Some((30, 3)),
        ["a", "half", "hour", ..] => return Some((30, 3)),
        ["half", "hour", ..] => return Some((30, 2)),
        ["a", "quarter", "of", "an", "hour", ..] => return Some((15, 5)),
        ["free", "hour", ..] => return Some((60, 2)),
        _ => {}
    }
    let (count, used) = match words {
        ["an" | "a", ..] => (1, 1),
        _ => cardinal(words)?,
    };
    match *words.get(used)? {
        "hour" | "hours" | "hr" | "hrs" => {
            let half = matches!(words.get(used + 1..), Some(["and", "a", "half", ..]));
            Some((count * 60 + if half { 30 } else { 0 }, used + 1 + if half { 3 } else { 0 }))
        }
        "minute" | "minutes" | "min" | "mins" => Some((count, used + 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minutes(sentence: &str) -> Option<u32> {
        let words: Vec<_> = sentence.split(' ').collect();
        length(&words).map(|(minutes, _)| minutes)
    }

    #[test]
    fn lengths_are_read_the_ways_people_say_them() {
        assert_eq!(minutes("find me an hour tomorrow"), Some(60));
        assert_eq!(minutes("half an hour"), Some(30));
        assert_eq!(minutes("an hour and a half on friday"), Some(90));
        assert_eq!(minutes("two hours and a half"), Some(150));
        assert_eq!(minutes("forty five minutes"), Some(45));
        assert_eq!(minutes("in two hours"), None);
        assert_eq!(minutes("ten minutes ago"), None);
    }
}
