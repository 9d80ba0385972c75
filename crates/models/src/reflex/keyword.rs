//! A search for words that are nearly a keyword of the agent's is made for both: for what
//! was heard, and for what it may have been. What was heard comes first, and which of the
//! two is told is said.

use brain::resolve::keywords::Nearly;
use brain::resolve::people;

use super::{Question, read_again};
use crate::focus::Unclear;
use crate::gist::{AboutLetters, Gist, Meant, Want};
use crate::{Understanding, World};

/// The same with a second search, where the words may have been a keyword.
pub fn both_ways(understood: Understanding, heard: &str, world: &World) -> Understanding {
    searched_for(&understood, heard, world).unwrap_or(understood)
}

fn searched_for(understood: &Understanding, heard: &str, world: &World) -> Option<Understanding> {
    let about = looked_for(understood)?;
    let query = understood.proposal.steps.first()?.args["query"].as_str()?.to_lowercase();
    let sought: Vec<&str> = query.split(|c: char| !c.is_alphanumeric()).collect();
    let nearly = world.keywords.nearly_among(heard, |word| sought.contains(&word))?;
    let said = &heard[nearly.span.clone()];
    if is_quoted(heard, &nearly) || !people::known(said, &world.contacts).is_empty() {
        return None;
    }
    let meant = |keyword: &str| {
        let Nearly { span, .. } = &nearly;
        let sentence = format!("{}{keyword}{}", &heard[..span.start], &heard[span.end..]);
        let other = read_again(&sentence, world, super::MOST_REWRITES);
        let same_kind = looked_for(&other).is_some_and(|it| it.folder == about.folder);
        let another = other.proposal.steps.first() != understood.proposal.steps.first();
        (same_kind && another).then_some(other)
    };
    match nearly.keywords.as_slice() {
        [only] => Some(second(understood, about, only, &meant(only)?)),
        several => several.iter().all(|keyword| meant(keyword).is_some()).then(|| {
            let lead = format!("I heard “{said}”. Did you mean");
            let mut choices: Vec<_> =
                several.iter().map(|&it| (it.to_owned(), it.to_owned())).collect();
            // What stands in quotes is taken as it stands.
            choices.push((format!("“{said}”"), format!("“{said}”")));
            let (about, span) = (Unclear::Keyword, nearly.span.clone());
            Question { about, lead: Some(lead), span, choices }.asked(heard)
        }),
    }
}

fn is_quoted(heard: &str, nearly: &Nearly<'_>) -> bool {
    heard[..nearly.span.start].ends_with(['“', '"'])
        && heard[nearly.span.end..].starts_with(['”', '"'])
}

/// Mail that is looked for by what was said, and nothing besides.
fn looked_for(understood: &Understanding) -> Option<&AboutLetters> {
    // What an answer makes of an earlier sentence was looked at with that.
    if understood.question.is_some() || understood.rest.is_some() || understood.answers {
        return None;
    }
    match &understood.gist {
        Gist::Letters(about) => Some(about),
        Gist::Letter { search: Some(about), rest: false } => Some(about),
        _ => None,
    }
    .filter(|about| about.typed.is_none() && about.meant.is_none())
}

/// Both searches; one mail that was to be opened is told of first.
fn second(
    understood: &Understanding,
    about: &AboutLetters,
    keyword: &str,
    other: &Understanding,
) -> Understanding {
    let mut both = understood.clone();
    both.proposal.steps.truncate(1);
    both.proposal.steps.extend(other.proposal.steps.first().cloned());
    let mut about = about.clone();
    let mut meant = looked_for(other).cloned().unwrap_or_default();
    (meant.nearest, meant.meant) = (false, None);
    meant.topic = meant.topic.map(|topic| topic.replace(&keyword.to_lowercase(), keyword));
    if matches!(understood.gist, Gist::Letter { .. }) {
        (about.want, meant.want) = (Want::One, Want::One);
        both.acknowledgement = Some("Looking for that mail.".to_owned());
    }
    about.nearest = true;
    about.meant = Some(Box::new(Meant { keyword: keyword.to_owned(), about: meant }));
    both.gist = Gist::Letters(about);
    both
}

#[cfg(test)]
mod tests {
    use brain::resolve::keywords::Keywords;

    use crate::{World, corpus, reflex};

    fn world(keywords: &[&str]) -> World {
        let list: Vec<String> = keywords.iter().map(|&word| word.to_owned()).collect();
        World { keywords: Keywords::new(&list).unwrap(), ..corpus::world() }
    }

    fn queries(heard: &str, world: &World) -> Vec<String> {
        let steps = reflex::read(heard, world).proposal.steps;
        let query = |args: &serde_json::Value| args["query"].as_str().unwrap_or("").to_owned();
        steps.iter().map(|step| query(&step.args)).collect()
    }

    #[test]
    fn what_is_nearly_a_keyword_is_searched_for_as_it_was_heard_and_as_it_is_written() {
        let world = world(&["Fernhollow", "Okafor frames"]);
        for (heard, both) in [
            ("any mail about fern hollow?", ["fern hollow", "fernhollow"]),
            ("show me mails from fern hollow", ["from:fern from:hollow", "from:fernhollow"]),
            ("open the mail from fern hollow", ["from:fern from:hollow", "from:fernhollow"]),
            ("find mail about okaffor frames", ["okaffor frames", "okafor frames"]),
        ] {
            assert_eq!(queries(heard, &world), both, "{heard}");
        }
    }

    #[test]
    fn what_is_no_keyword_and_what_is_one_is_searched_for_once() {
        let world = world(&["Fernhollow"]);
        for heard in [
            "any mail about Fernhollow?",
            "any mail about taxes?",
            "from:fern hollow",
            "mail from Priya",
        ] {
            assert_eq!(queries(heard, &world), queries(heard, &corpus::world()), "{heard}");
        }
    }

    #[test]
    fn nothing_that_is_written_is_changed_by_a_keyword() {
        let world = world(&["Fernhollow"]);
        for heard in ["tell Tom that fern hollow is closed", "book fern hollow tomorrow at 3"] {
            assert_eq!(reflex::read(heard, &world), reflex::read(heard, &corpus::world()));
        }
    }

    #[test]
    fn of_two_keywords_that_are_as_near_the_person_says_which() {
        let world = world(&["Marlin", "Merlin"]);
        let asked = reflex::read("any mail about murlin?", &world);
        let question = asked.question.as_deref();
        assert_eq!(question, Some("I heard “murlin”. Did you mean Marlin, Merlin or “murlin”?"));
        let mut open = world;
        open.focus.asked = asked.choices;
        for (answer, query) in [
            ("the second one", "merlin"),
            ("Marlin", "marlin"),
            ("murlin", "murlin"),
            ("the third one", "murlin"),
        ] {
            assert_eq!(queries(answer, &open), [query], "{answer}");
        }
    }
}
