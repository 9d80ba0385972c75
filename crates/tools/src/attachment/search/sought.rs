//! What kind of thing would answer a question, and whether a passage has it.

use brain::resolve::time::is_weekday;

use crate::text::fold;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    Time,
    Money,
    Number,
    Somebody,
    Anything,
}

/// What is asked for in money without "how much".
const PRICED: &[&str] = &[
    "cost",
    "costs",
    "price",
    "prices",
    "pay",
    "fee",
    "fees",
    "total",
    "amount",
    "rent",
    "deposit",
    "budget",
    "salary",
    "allowance",
    "limit",
    "vat",
    "tax",
    "discount",
    "fine",
    "penalty",
    "rate",
];
const DATED: &[&str] = &["when", "date", "deadline", "due", "until", "time", "long", "hours"];
const COINS: &[&str] = &[
    "eur", "euro", "euros", "usd", "dollar", "dollars", "gbp", "pound", "pounds", "chf", "sek",
    "nok", "dkk", "jpy", "yen", "percent", "cents",
];
const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const TIMES: &[&str] = &[
    "day", "days", "week", "weeks", "month", "months", "year", "years", "hours", "minutes", "noon",
    "midnight", "am", "pm",
];

impl Sought {
    pub fn by(query: &str) -> Self {
        let folded = fold(query);
        let says = |words: &[&str]| words.iter().any(|word| folded.contains(&format!(" {word} ")));
        if says(DATED) {
            Self::Time
        } else if folded.contains(" how much ") || says(PRICED) {
            Self::Money
        } else if folded.contains(" how many ") || says(&["number", "phone", "code", "account"]) {
            Self::Number
        } else if says(&["who", "whose", "whom"]) {
            Self::Somebody
        } else {
            Self::Anything
        }
    }

    pub fn is_in(self, text: &str) -> bool {
        match self {
            Self::Time => is_timed(text),
            Self::Money => is_priced(text),
            Self::Number => text.contains(|c: char| c.is_ascii_digit()),
            Self::Somebody => names_somebody(text),
            Self::Anything => false,
        }
    }
}

fn is_timed(text: &str) -> bool {
    let folded = fold(text);
    let words: Vec<&str> = folded.split_whitespace().collect();
    let is_day = |word: &str| word.len() <= 2 && word.chars().all(|c| c.is_ascii_digit());
    let is_year = |word: &str| {
        word.len() == 4
            && (word.starts_with("19") || word.starts_with("20"))
            && word.chars().all(|c| c.is_ascii_digit())
    };
    // "May" is a month beside a day only.
    let in_may = words.windows(2).any(|pair| match pair {
        ["may", day] | [day, "may"] => is_day(day),
        _ => false,
    });
    let clock = text.split_whitespace().any(|word| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_digit());
        bare.split_once(':').is_some_and(|(hour, minute)| is_day(hour) && minute.len() == 2)
    });
    let named = |word: &&str| {
        MONTHS.contains(word) || TIMES.contains(word) || is_weekday(word) || is_year(word)
    };
    in_may || clock || words.iter().any(named)
}

/// A number beside a coin or its sign, or one with two places behind its point.
fn is_priced(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let has_digit = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    let is_coin = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        COINS.contains(&bare.as_str()) || ["$", "€", "£", "¥", "%"].contains(&word)
    };
    let beside = words.windows(2).any(|pair| match pair {
        [one, other] => is_coin(one) && has_digit(other) || has_digit(one) && is_coin(other),
        _ => false,
    });
    let signed = |word: &&str| {
        let bare = word.trim_end_matches([',', ';', ':', ')', '.']);
        let cents = bare.rsplit_once('.').is_some_and(|(whole, part)| {
            whole.ends_with(|c: char| c.is_ascii_digit())
                && part.len() == 2
                && part.chars().all(|c| c.is_ascii_digit())
        });
        has_digit(bare) && bare.contains(['$', '€', '£', '¥', '%']) || cents
    };
    beside || words.iter().any(signed)
}

/// Two words in a row that are written like a name, not counting how it begins.
fn names_somebody(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let titled = |word: &str| {
        let bare = word.trim_start_matches(['(', '“', '"', '*']);
        let mut letters = bare.chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(char::is_lowercase)
    };
    let goes_on = |word: &str| {
        !word.ends_with([',', '.', ';', ':', ')'])
            && !["The", "A", "An", "This", "Our", "Your", "Each", "Either"].contains(&word)
    };
    words.windows(2).any(|pair| titled(pair[0]) && goes_on(pair[0]) && titled(pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_has_a_coin_and_a_full_stop_is_none() {
        for text in
            ["EUR 1,850, payable", "42,500 euros.", "$35.5", "VAT 21%", "Total due 1,307.28"]
        {
            assert!(Sought::Money.is_in(text), "{text}");
        }
        for text in ["Claims within 30 days.", "12 Harbour Street.", "Room 4."] {
            assert!(!Sought::Money.is_in(text), "{text}");
        }
    }

    #[test]
    fn a_time_is_a_day_a_clock_or_a_span() {
        for text in ["on 3 December", "from 15:00", "within 30 days", "in 2028", "on May 3"] {
            assert!(Sought::Time.is_in(text), "{text}");
        }
        for text in ["Either side may end it", "EUR 1,850", "Room 4"] {
            assert!(!Sought::Time.is_in(text), "{text}");
        }
    }

    #[test]
    fn somebody_has_a_name() {
        assert!(Sought::Somebody.is_in("between Birgit Olsen (the Landlord) and"));
        assert!(!Sought::Somebody.is_in("3. Deposit. The Tenant pays it."));
        assert!(!Sought::Somebody.is_in("Cats need the Landlord's written permission."));
    }
}
