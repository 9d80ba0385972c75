//! Calendars: what may be asked, whoever the provider is.
//!
//! Looking is here, adding in `booking`, moving and cancelling in `changing`; [`local`] does
//! all of it on this machine.

use brain::facts::{DateRange, Meeting};
use jiff::civil::Time;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::args;

pub(crate) mod booking;
pub(crate) mod changing;
pub(crate) mod gaps;
pub mod local;
pub(crate) mod overlap;

const LONGEST_RANGE_DAYS: i64 = 400;
const MOST_RESULTS: u32 = 200;
const MOST_CHARS: usize = 200;
const MINUTES: std::ops::RangeInclusive<u32> = 5..=480;

/// An event on its way into a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Listed {
    pub meeting: Meeting,
    /// Does it stand in the way of other plans?
    pub busy: bool,
}

/// What `calendar.list_events` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct List {
    /// Times with their zone: `2026-11-16T00:00:00-08:00[America/Los_Angeles]`. At most 400 days.
    #[serde(deserialize_with = "args::object")]
    pub date_range: DateRange,
    /// Words that must be in the title, the people or the place. An address
    /// is one person, who must be among those it is with.
    #[serde(default)]
    #[schemars(length(max = 200))]
    pub query: String,
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 200))]
    pub max_results: u32,
}

/// What `calendar.find_free_slots` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindFree {
    /// Times with their zone: `2026-11-16T00:00:00-08:00[America/Los_Angeles]`. At most 400 days.
    #[serde(deserialize_with = "args::object")]
    pub date_range: DateRange,
    /// As long as the person's meetings usually are, unless said.
    #[serde(default)]
    #[schemars(range(min = 5, max = 480))]
    pub duration_minutes: Option<u32>,
    #[serde(default, deserialize_with = "args::object")]
    pub constraints: Constraints,
}

/// Which hours of a day are welcome.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Constraints {
    /// Only on the person's working days, within working hours. Say false for evenings and weekends.
    pub working_hours: bool,
    /// A clock time such as 13:00.
    #[serde(deserialize_with = "clock")]
    #[schemars(with = "Option<String>", regex(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub not_before: Option<Time>,
    /// A clock time such as 17:00, by which the slot must be over.
    #[serde(deserialize_with = "clock")]
    #[schemars(with = "Option<String>", regex(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"))]
    pub not_after: Option<Time>,
}

impl Default for Constraints {
    fn default() -> Self {
        Self { working_hours: true, not_before: None, not_after: None }
    }
}

impl List {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let list: Self = args::read(args)?;
        check_range(&list.date_range)?;
        if list.query.chars().count() > MOST_CHARS {
            return Err(format!("query is at most {MOST_CHARS} characters long"));
        }
        if !(1..=MOST_RESULTS).contains(&list.max_results) {
            return Err(format!("max_results must be between 1 and {MOST_RESULTS}"));
        }
        Ok(list)
    }

    /// The words that are to be found; quotes and punctuation do not count.
    pub(crate) fn words(&self) -> Vec<String> {
        self.query.split_whitespace().map(str::to_owned).collect()
    }
}

impl FindFree {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let find: Self = args::read(args)?;
        check_range(&find.date_range)?;
        if find.duration_minutes.is_some_and(|minutes| !MINUTES.contains(&minutes)) {
            let (least, most) = (MINUTES.start(), MINUTES.end());
            return Err(format!("duration_minutes must be between {least} and {most}"));
        }
        let Constraints { not_before, not_after, .. } = find.constraints;
        if let (Some(not_before), Some(not_after)) = (not_before, not_after)
            && not_before >= not_after
        {
            return Err("not_before must be earlier than not_after".to_owned());
        }
        Ok(find)
    }
}

fn check_range(DateRange { start, end }: &DateRange) -> Result<(), String> {
    if end <= start {
        return Err("date_range must end after it starts".to_owned());
    }
    if end.duration_since(start).as_hours() > LONGEST_RANGE_DAYS * 24 {
        return Err(format!("date_range is at most {LONGEST_RANGE_DAYS} days long"));
    }
    Ok(())
}

fn clock<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Time>, D::Error> {
    let Some(text) = Option::<String>::deserialize(from)? else { return Ok(None) };
    let time = Time::strptime("%H:%M", &text).ok().filter(|_| text.len() == 5);
    let wrong = || serde::de::Error::custom(format!("\"{text}\" is not a time like 13:00"));
    time.map(Some).ok_or_else(wrong)
}

fn fifty() -> u32 {
    50
}

/// "Monday 16 November", or "16 November to 20 November".
fn days_of(DateRange { start, end }: &DateRange) -> String {
    // A range that ends at midnight does not touch that day.
    let last = end.timestamp().as_nanosecond() - 1;
    let last = jiff::Timestamp::from_nanosecond(last)
        .map_or(end.date(), |last| last.to_zoned(start.time_zone().clone()).date());
    if start.date() == last {
        return start.strftime("%A %-d %B").to_string();
    }
    format!("{} to {}", start.strftime("%-d %B"), last.strftime("%-d %B"))
}

/// "Checking your calendar for Monday 16 November".
pub(crate) fn label_of_list(args: &Value) -> String {
    match List::read(args) {
        Ok(list) => format!("Checking your calendar for {}", days_of(&list.date_range)),
        Err(_) => "Checking your calendar".to_owned(),
    }
}

/// "Looking for free time on Monday 16 November".
pub(crate) fn label_of_find_free(args: &Value) -> String {
    match FindFree::read(args) {
        Ok(find) => format!("Looking for free time, {}", days_of(&find.date_range)),
        Err(_) => "Looking for free time".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn range(start: &str, end: &str) -> Value {
        let at = |text: &str| format!("{text}[America/Los_Angeles]");
        json!({ "start": at(start), "end": at(end) })
    }

    #[test]
    fn a_look_is_labelled_with_its_days() {
        let one =
            json!({ "date_range": range("2026-11-16T00:00-08:00", "2026-11-17T00:00-08:00") });
        let week =
            json!({ "date_range": range("2026-11-16T00:00-08:00", "2026-11-23T00:00-08:00") });
        assert_eq!(label_of_list(&one), "Checking your calendar for Monday 16 November");
        assert_eq!(label_of_find_free(&one), "Looking for free time, Monday 16 November");
        assert_eq!(label_of_find_free(&week), "Looking for free time, 16 November to 22 November");
        assert_eq!(label_of_list(&json!({})), "Checking your calendar");
    }

    #[test]
    fn mistakes_are_said_in_words() {
        let day = range("2026-11-16T00:00-08:00", "2026-11-17T00:00-08:00");
        let says = |args: Value| FindFree::read(&args).map(|_| ()).unwrap_err();
        let constrained =
            |constraints: Value| says(json!({ "date_range": day, "constraints": constraints }));

        assert!(says(json!({})).contains("date_range"));
        assert!(constrained(json!({ "not_before": "1 pm" })).contains("a time like 13:00"));
        assert!(
            constrained(json!({ "not_before": "15:00", "not_after": "14:00" })).contains("earlier")
        );
        assert!(says(json!({ "date_range": day, "duration_minutes": 4 })).contains("5 and 480"));
        let backwards = range("2026-11-17T00:00-08:00", "2026-11-16T00:00-08:00");
        assert!(says(json!({ "date_range": backwards })).contains("end after it starts"));
        let long = range("2026-11-17T00:00-08:00", "2028-11-16T00:00-08:00");
        assert!(says(json!({ "date_range": long })).contains("400 days"));
        let zoneless =
            json!({ "start": "2026-11-16T00:00-08:00", "end": "2026-11-17T00:00-08:00" });
        assert!(!says(json!({ "date_range": zoneless })).is_empty());
    }
}
