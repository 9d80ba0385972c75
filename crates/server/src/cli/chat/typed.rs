//! What a typed line means: a command, a key on a card, or something to say.

use brain::input::Decision;

use crate::cli::card::named;
use crate::client::cards::{Cards, Open};

/// A line, read.
#[derive(Debug, PartialEq)]
pub enum Meant<'a> {
    Nothing,
    Leave,
    Help,
    Session,
    /// A file is to be handed over.
    Attach(&'a str),
    /// A key that was pressed on a card, perhaps with the number of the card.
    Key {
        decision: Decision,
        number: Option<usize>,
    },
    Say(&'a str),
}

/// Single letters are keys only while a card is open.
pub fn read(line: &str, has_cards: bool) -> Meant<'_> {
    let line = line.trim();
    match line {
        "" => Meant::Nothing,
        "/quit" | "/exit" => Meant::Leave,
        "/help" => Meant::Help,
        "/session" => Meant::Session,
        "/attach" => Meant::Attach(""),
        _ if line.starts_with("/attach ") => Meant::Attach(line["/attach ".len()..].trim()),
        _ => match key(line).filter(|_| has_cards) {
            Some((decision, number)) => Meant::Key { decision, number },
            None => Meant::Say(line),
        },
    }
}

fn key(line: &str) -> Option<(Decision, Option<usize>)> {
    let mut words = line.split_whitespace();
    let decision = match words.next()? {
        "y" | "Y" => Decision::Accept,
        "e" | "E" => Decision::Edit,
        "n" | "N" => Decision::Reject,
        _ => return None,
    };
    let number = words.next().map(str::parse).transpose().ok()?;
    words.next().is_none().then_some((decision, number))
}

/// The card that a key means, or what to say instead of guessing. A no is a no
/// however quick it comes.
pub fn meant(cards: &Cards, decision: Decision, number: Option<usize>) -> Result<&Open, String> {
    let card = match (number, cards.open()) {
        (Some(number), _) => cards.numbered(number),
        (None, [card]) => Some(card),
        (None, several) => {
            let named = several
                .iter()
                .map(|card| format!("{} is {}", card.number, named(&card.question.card)));
            let named: Vec<_> = named.collect();
            return Err(format!(
                "Which one? Put its number behind the letter: {}",
                named.join(" · ")
            ));
        }
    };
    let card = card.ok_or("No open card has that number.")?;
    if card.is_armed() || decision == Decision::Reject {
        Ok(card)
    } else {
        Err("The card was only just put there. Look at it once more.".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_a_key_only_while_a_card_is_open() {
        let key = |decision, number| Meant::Key { decision, number };
        assert_eq!(read("y", true), key(Decision::Accept, None));
        assert_eq!(read(" N ", true), key(Decision::Reject, None));
        assert_eq!(read("e 2", true), key(Decision::Edit, Some(2)));
        assert_eq!(read("y", false), Meant::Say("y"));
    }

    #[test]
    fn a_file_is_named_by_its_path_blanks_and_all() {
        assert_eq!(read("/attach  my lease.pdf ", true), Meant::Attach("my lease.pdf"));
        assert_eq!(read("/attach", false), Meant::Attach(""));
        assert_eq!(read("/attached", false), Meant::Say("/attached"));
    }

    #[test]
    fn enter_alone_is_nothing_and_words_are_words() {
        assert_eq!(read("  ", true), Meant::Nothing);
        for words in ["yes", "y 1 2", "y one", "yy", "no, at four", "y -1"] {
            assert_eq!(read(words, true), Meant::Say(words));
        }
    }
}
