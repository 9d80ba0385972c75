//! "Looks good", "okay": agreeable, and no yes.

use brain::card::Preview;
use brain::input::Decision;
use brain::resolve::words::Word;

use super::named::Named;
use super::{CardView, Reply, waits};
use crate::reflex::vocabulary::is_any;

/// "Looks good", "okay", and nothing else.
pub fn is_nod(said: &[Word]) -> bool {
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let rest = match texts.as_slice() {
        ["it" | "that" | "this", rest @ ..] => rest,
        all => all,
    };
    let praise = ["good", "great", "fine", "right", "perfect", "nice", "lovely"];
    let nods = ["ok", "okay", "alright", "cool", "awesome", "excellent", "wonderful"];
    let asks = said.last().is_some_and(|last| last.stop == Some('?'));
    let nodded = matches!(texts.as_slice(), [one] if is_any(one, &praise) || is_any(one, &nods));
    let praised = matches!(rest, ["looks" | "sounds" | "is", how] if is_any(how, &praise));
    let nodded =
        nodded || matches!(texts.as_slice(), ["go" | "send"] | ["go" | "send", "please" | "now"]);
    (praised || nodded || texts == ["all", "right"] || texts == ["got", "it"]) && !asks
}

/// "Yes to both": every card needs its own word, so it is asked which comes first.
pub fn one_at_a_time(said: &[Word], cards: &[CardView<'_>]) -> Option<Reply> {
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let agrees = ["yes", "yeah", "yep", "yup", "sure", "ok", "okay", "send", "book", "confirm"];
    let all = ["both", "all", "everything"];
    let little = ["to", "of", "them", "please", "it", "two", "the", "cards", "now", "do"];
    let open = said.iter().any(|word| word.quoted || word.stop == Some('?'));
    let only = |text: &&str| is_any(text, &agrees) || is_any(text, &all) || is_any(text, &little);
    let both = texts.iter().any(|text| is_any(text, &all));
    let agreed = texts.iter().any(|text| is_any(text, &agrees)) || texts == ["both"];
    // "All right" is a nod.
    if !(both && agreed && texts.iter().all(only)) || open {
        return None;
    }
    let names: Vec<&str> = cards.iter().take(3).map(|card| card.called).collect();
    match names.as_slice() {
        [one] => {
            let say = super::safe(format!("One at a time. First {one}: shall it be done?"));
            Some(Reply::Hold { card: 0, say })
        }
        [others @ .., last] => {
            let say = format!("One at a time. First {} or {last}?", others.join(", "));
            Some(Reply::Which { decision: Decision::Accept, say: super::safe(say) })
        }
        [] => None,
    }
}

/// Praise is of the text; whether it is to go out is another question, and one
/// that the person has not answered. So it is asked, with words that are no yes
/// when a microphone picks them up.
pub fn asked_back(named: &Named, cards: &[CardView<'_>]) -> Reply {
    let [card] = *named.candidates().as_slice() else { return waits(named, cards) };
    let say = match cards[card].preview {
        Preview::Email(_) => "Shall it go out?",
        Preview::Event(event) if event.cancels() => "Shall it be cancelled?",
        Preview::Event(event) if event.change.is_some() => "Shall it be moved?",
        Preview::Event(_) => "Shall it go on your calendar?",
        Preview::Memory(_) | Preview::Lines { .. } => return waits(named, cards),
    };
    Reply::Hold { card, say: say.to_owned() }
}
