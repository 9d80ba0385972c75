//! "What's pending?": every card that waits, by its name.

use brain::resolve::words::Word;

use super::{CardView, Reply, safe};
use crate::narrator::spelling::{capital, counted, list};
use crate::reflex::vocabulary::is_any;

const LEADS: &[&str] =
    &["so", "and", "ok", "okay", "hey", "wait", "well", "um", "now", "remind", "me"];

/// All of them, if that is what was asked.
pub fn read(said: &[Word], cards: &[CardView<'_>]) -> Option<Reply> {
    if said.iter().any(|word| word.quoted) {
        return None;
    }
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let start = texts.iter().take_while(|text| is_any(text, LEADS)).count();
    let asks = match &texts[start..] {
        ["what", "is" | "are", rest @ ..] => {
            const ASKED: &[&[&str]] = &[
                &["pending"],
                &["waiting"],
                &["open"],
                &["outstanding"],
                &["pending", "now"],
                &["waiting", "for", "me"],
                &["you", "waiting", "for"],
                &["there", "to", "confirm"],
                &["left", "to", "confirm"],
            ];
            ASKED.contains(&rest.strip_prefix(&["still"]).unwrap_or(rest))
        }
        ["what", "am", "i", "waiting", "for"] | ["what", "do", "you", "need", "from", "me"] => true,
        ["anything" | "something", rest @ ..] => {
            matches!(
                rest,
                ["pending" | "waiting" | "open"] | ["still", "pending" | "waiting" | "open"]
            )
        }
        _ => false,
    };
    let names: Vec<String> = cards.iter().map(|card| card.called.to_owned()).collect();
    asks.then(|| {
        let say = match names.as_slice() {
            [one] => format!("Only {one} waits."),
            all => {
                let number = capital(&counted(all.len(), "card", "cards"));
                format!("{number} wait: {}.", list(all, 0))
            }
        };
        Reply::Explain { card: 0, say: safe(say) }
    })
}
