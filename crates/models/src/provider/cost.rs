//! What tokens cost, in millionths of a dollar. Pure.

use super::Usage;

/// Dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    pub input: f64,
    pub cached: f64,
    pub output: f64,
}

/// What providers ask for as of November 2026, by how a model's name begins; the longest
/// beginning counts. `models.prices` in the settings says otherwise.
const KNOWN: [(&str, f64, f64, f64); 25] = [
    ("gpt-4.1-mini", 0.40, 0.10, 1.60),
    ("gpt-4.1-nano", 0.10, 0.025, 0.40),
    ("gpt-4.1", 2.00, 0.50, 8.00),
    ("gpt-4o-mini", 0.15, 0.075, 0.60),
    ("gpt-4o", 2.50, 1.25, 10.00),
    ("gpt-5-mini", 0.25, 0.025, 2.00),
    ("gpt-5-nano", 0.05, 0.005, 0.40),
    ("gpt-5.4-mini", 0.75, 0.075, 4.50),
    ("gpt-5.4-nano", 0.20, 0.02, 1.25),
    ("gpt-5.4", 2.50, 0.25, 15.00),
    ("gpt-6-luna", 0.10, 0.01, 0.50),
    ("gpt-6-sol", 2.00, 0.20, 10.00),
    ("gpt-6.1-sol", 2.00, 0.10, 10.00),
    ("claude-haiku-4-5", 1.00, 0.10, 5.00),
    ("claude-haiku-5-5", 0.10, 0.01, 0.50),
    ("claude-sonnet-4", 3.00, 0.30, 15.00),
    ("claude-sonnet-5-5", 2.00, 0.10, 10.00),
    ("claude-sonnet-5", 2.00, 0.20, 10.00),
    ("claude-opus-4-5", 5.00, 0.50, 25.00),
    ("claude-opus-5-5", 4.00, 0.20, 20.00),
    ("claude-opus-5", 5.00, 0.50, 25.00),
    ("gemini-2.5-flash-lite", 0.10, 0.01, 0.40),
    ("gemini-2.5-flash", 0.30, 0.03, 2.50),
    ("gemini-3.5-flash-lite", 0.30, 0.03, 2.50),
    // Half of what it costs from 2027 on.
    ("gemini-3.8-flash", 0.75, 0.075, 3.75),
];

/// What is put into the warm place costs so many times what is only read.
const TO_WRITE: f64 = 1.25;

/// Of a model that nobody knows: rather too much, so that a cap holds.
pub const ASSUMED: Price = Price { input: 5.0, cached: 5.0, output: 25.0 };

/// Of a model that runs on a machine of one's own.
pub const FREE: Price = Price { input: 0.0, cached: 0.0, output: 0.0 };

/// What somebody says that a model costs.
pub fn told_price(model: &str, told: &[(String, Price)]) -> Option<Price> {
    told.iter().find(|(name, _)| name == model).map(|(_, price)| *price)
}

/// What a model costs; `told` comes before what we know.
pub fn price(model: &str, told: &[(String, Price)]) -> Option<Price> {
    let own = told_price(model, told);
    // OpenRouter puts the maker before the name.
    let bare = model.rsplit('/').next().unwrap_or(model);
    let known = KNOWN.iter().filter(|(name, ..)| bare.starts_with(name));
    let known = known.max_by_key(|(name, ..)| name.len());
    own.or(known.map(|&(_, input, cached, output)| Price { input, cached, output }))
}

/// `0.75/0.075/4.50`: for input, for what was kept warm, for output.
pub fn read_price(text: &str) -> Option<Price> {
    let numbers: Option<Vec<f64>> =
        text.split('/').map(|part| part.trim().parse().ok().filter(|it| *it >= 0.0)).collect();
    match numbers?.as_slice() {
        [input, output] => Some(Price { input: *input, cached: *input, output: *output }),
        [input, cached, output] => Some(Price { input: *input, cached: *cached, output: *output }),
        _ => None,
    }
}

/// What this use cost.
pub fn of(usage: Usage, price: Price) -> u64 {
    if let Some(told) = usage.cost_micros {
        return told;
    }
    #[expect(clippy::cast_precision_loss, reason = "nobody uses 2^52 tokens")]
    let times = |tokens: u64, dollars: f64| tokens as f64 * dollars;
    // A dollar for a million tokens is a millionth of a dollar for one.
    let fresh = usage.input.saturating_sub(usage.cached + usage.written);
    let cost = times(fresh, price.input)
        + times(usage.written, price.input * TO_WRITE)
        + times(usage.cached, price.cached)
        + times(usage.output, price.output);
    rounded(cost)
}

/// Dollars as millionths of them.
pub fn micros(dollars: f64) -> Option<u64> {
    (dollars.is_finite() && dollars >= 0.0).then(|| rounded(dollars * 1e6))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is rounded up, finite and not negative"
)]
fn rounded(micros: f64) -> u64 {
    // What is a matter of spelling is not rounded up.
    (micros.clamp(0.0, 1e15) - 1e-6).ceil() as u64
}

/// As people read it: `$0.0042`.
pub fn told(micros: u64) -> String {
    let (whole, rest) = (micros / 1_000_000, micros % 1_000_000);
    if micros >= 1_000_000 {
        return format!("${whole}.{:02}", rest / 10_000);
    }
    format!("${whole}.{:04}", rest.div_ceil(100).min(9_999))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_warm_costs_less() {
        let usage = Usage { input: 10_000, cached: 8_000, output: 1_000, ..Usage::default() };
        let price = price("gpt-5.4-mini-2026-03-17", &[]).unwrap();
        assert_eq!(of(usage, price), 1_500 + 600 + 4_500);
    }

    #[test]
    fn what_is_put_into_the_warm_place_costs_a_quarter_more() {
        let usage = Usage { input: 10_000, cached: 2_000, written: 4_000, ..Usage::default() };
        let price = price("claude-haiku-4-5", &[]).unwrap();
        assert_eq!(of(usage, price), 4_000 + 5_000 + 200);
    }

    #[test]
    fn what_the_provider_says_counts_more_than_a_list() {
        let usage =
            Usage { input: 10, output: 10, cost_micros: micros(0.000_123), ..Usage::default() };
        assert_eq!(of(usage, ASSUMED), 123);
    }

    #[test]
    fn the_longest_name_counts_and_the_settings_before_it() {
        let lite = price("google/gemini-2.5-flash-lite", &[]).unwrap();
        assert_eq!(lite.input.to_string(), "0.1");
        let told = [("gpt-5-mini".to_owned(), read_price("1/2").unwrap())];
        assert_eq!(price("gpt-5-mini", &told).unwrap().output.to_string(), "2");
        assert_eq!(price("llama-3", &[]), None);
        assert_eq!(read_price("1/-2"), None);
        assert_eq!(read_price("a"), None);
    }

    #[test]
    fn small_sums_are_not_told_as_nothing() {
        assert_eq!(told(4_200), "$0.0042");
        assert_eq!(told(1), "$0.0001");
        assert_eq!(told(12_345_678), "$12.34");
    }
}
