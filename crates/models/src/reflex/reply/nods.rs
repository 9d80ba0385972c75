//! "Looks good", "okay": agreeable, and no yes.

use brain::card::Preview;
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
    (praised || nodded || texts == ["all", "right"] || texts == ["got", "it"]) && !asks
}

/// Praise is of the text; whether it is to go out is another question, and one
/// that the person has not answered. So it is asked, with words that are no yes
/// when a microphone picks them up.
pub fn asked_back(named: &Named, cards: &[CardView<'_>]) -> Reply {
    let [card] = *named.candidates().as_slice() else { return waits(named, cards) };
    let say = match cards[card].preview {
        Preview::Email(_) => "Shall it go out?",
        Preview::Event(_) => "Shall it go on your calendar?",
        Preview::Memory(_) | Preview::Lines { .. } => return waits(named, cards),
    };
    Reply::Hold { card, say: say.to_owned() }
}
