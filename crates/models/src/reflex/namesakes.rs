//! People who share a first name: "both Sams", and the Sam who was just named in full.

use brain::resolve::words::Word;

use super::vocabulary::is_any;
use super::whom::{self, Whom};
use crate::World;
use crate::narrator::spelling::list;

/// The sentence with the names written out that it makes clear itself.
pub fn named_in_full(heard: &str, said: &[Word], world: &World) -> Option<String> {
    both(heard, said, world).or_else(|| the_same_one(heard, said, world))
}

/// "Tell both Sams": each of them by name, where there are two.
fn both(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let at = said.iter().position(|word| !word.quoted && is_any(&word.text, &["both", "two"]))?;
    let of = usize::from(said.get(at + 1)?.is("of"));
    let the = usize::from(said.get(at + 1 + of)?.is("the"));
    let plural = said.get(at + 1 + of + the)?;
    let stem = plural.text.strip_suffix('s')?;
    let first = |name: &str| name.split(' ').next().map(str::to_lowercase);
    let names: Vec<String> = world
        .contacts
        .iter()
        .filter(|one| first(&one.name).as_deref() == Some(stem))
        .map(|one| one.name.clone())
        .collect();
    let start = at - usize::from(at > 0 && said[at].is("two") && said[at - 1].is("the"));
    let (head, tail) = (&heard[..said[start].start], &heard[plural.end..]);
    (names.len() == 2).then(|| format!("{head}{}{tail}", list(&names, 0)))
}

/// "Tell Sam Whitaker good work and meet with Sam": he was named a moment ago.
fn the_same_one(heard: &str, said: &[Word], world: &World) -> Option<String> {
    const BEFORE: &[&str] =
        &["with", "invite", "tell", "email", "mail", "ask", "to", "meet", "and", "message"];
    let shared = |word: &Word| {
        let called = |name: &str| {
            name.split(' ').next().is_some_and(|first| first.eq_ignore_ascii_case(&word.text))
        };
        world.contacts.iter().filter(|one| called(&one.name)).count() > 1
    };
    let again = |at: usize| said[..at].iter().any(|word| word.text == said[at].text);
    let at = (1..said.len()).find(|&at| {
        let addressed = is_any(&said[at - 1].text, BEFORE) && !said[at].quoted;
        addressed && again(at) && shared(&said[at])
    })?;
    let (Whom::OneOf(names), used) = whom::at(said, at, heard, world)? else { return None };
    let known = |place| match whom::at(said, place, heard, world) {
        Some((Whom::Known { name, .. }, used)) if used > 1 && names.contains(&name) => Some(name),
        _ => None,
    };
    let name = (0..at).rev().find_map(known)?;
    let (head, tail) = (&heard[..said[at].start], &heard[said[at + used - 1].end..]);
    Some(format!("{head}{name}{tail}"))
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;
    use crate::corpus;

    fn meant(heard: &str) -> Option<String> {
        named_in_full(heard, &words(heard), &corpus::world())
    }

    #[test]
    fn a_shared_name_is_written_out_where_the_sentence_says_whose_it_is() {
        for (heard, expected) in [
            ("tell both Sams I'm late", "tell Sam Whitfield and Sam Adeyemi I'm late"),
            (
                "email both of the sams that it's on",
                "email Sam Whitfield and Sam Adeyemi that it's on",
            ),
            (
                "tell Sam Adeyemi good work and meet with Sam and Ana at 3",
                "tell Sam Adeyemi good work and meet with Sam Adeyemi and Ana at 3",
            ),
        ] {
            assert_eq!(meant(heard).as_deref(), Some(expected), "{heard}");
        }
    }

    #[test]
    fn nobody_is_picked_who_was_not_named() {
        for heard in ["tell sam i'm late and invite sam", "tell both teams", "email both anas"] {
            assert_eq!(meant(heard), None, "{heard}");
        }
    }
}
