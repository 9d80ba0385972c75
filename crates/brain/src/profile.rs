//! What the assistant knows about its person before they say a word.

use jiff::civil::{Time, Weekday};
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Feeds the resolver ("tomorrow" is tomorrow *there*) and the answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// What to call the person.
    #[serde(default)]
    pub name: Option<String>,
    /// Their own e-mail address.
    #[serde(default)]
    pub address: Option<String>,
    /// An IANA name such as `Europe/Berlin`.
    pub time_zone: String,
    #[serde(default)]
    pub working_hours: WorkingHours,
    #[serde(default = "thirty")]
    #[schemars(range(min = 5, max = 480))]
    pub default_meeting_minutes: u32,
    /// Whether models outside this machine may be asked about what they say.
    #[serde(default = "yes")]
    pub cloud_models: bool,
    /// They have said who they are; until then a page asks them, once.
    #[serde(default)]
    pub onboarded: bool,
}

/// When meetings are welcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkingHours {
    #[schemars(with = "String")]
    #[serde(with = "hhmm")]
    pub start: Time,
    #[schemars(with = "String")]
    #[serde(with = "hhmm")]
    pub end: Time,
    pub days: Vec<Day>,
}

/// A day of the week, spelled as people abbreviate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Day {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
}

/// A profile that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadProfile {
    #[error("\"{0}\" is not a time zone; use an IANA name such as Europe/Berlin")]
    Zone(String),
    #[error("working hours must end after they start")]
    Hours,
    #[error("working hours need at least one day, each named once")]
    Days,
    #[error("\"{0}\" does not look like an e-mail address")]
    Address(String),
    #[error("a name is at most 80 characters and must not be empty")]
    Name,
    #[error("the default meeting length must be between 5 and 480 minutes")]
    Length,
}

impl Profile {
    /// Somebody we know nothing of but where their clock stands.
    pub fn new(time_zone: impl Into<String>) -> Self {
        Self {
            name: None,
            address: None,
            time_zone: time_zone.into(),
            working_hours: WorkingHours::default(),
            default_meeting_minutes: thirty(),
            cloud_models: true,
            onboarded: false,
        }
    }

    /// Everything that could be wrong with one, in the order people fill it in.
    pub fn check(&self) -> Result<(), BadProfile> {
        if self
            .name
            .as_ref()
            .is_some_and(|name| name.trim().is_empty() || name.chars().count() > 80)
        {
            return Err(BadProfile::Name);
        }
        if let Some(address) = self.address.as_ref().filter(|address| !looks_like_address(address))
        {
            return Err(BadProfile::Address(address.clone()));
        }
        TimeZone::get(&self.time_zone).map_err(|_| BadProfile::Zone(self.time_zone.clone()))?;
        if self.working_hours.start >= self.working_hours.end {
            return Err(BadProfile::Hours);
        }
        let days = &self.working_hours.days;
        if days.is_empty() || days.iter().enumerate().any(|(n, day)| days[..n].contains(day)) {
            return Err(BadProfile::Days);
        }
        if !(5..=480).contains(&self.default_meeting_minutes) {
            return Err(BadProfile::Length);
        }
        Ok(())
    }

    /// The zone, or UTC for a name that [`Profile::check`] would have refused.
    pub fn zone(&self) -> TimeZone {
        TimeZone::get(&self.time_zone).unwrap_or(TimeZone::UTC)
    }
}

impl WorkingHours {
    /// Is this a day on which the person works?
    pub fn includes(&self, day: Weekday) -> bool {
        self.days.iter().any(|mine| mine.weekday() == day)
    }
}

impl Default for WorkingHours {
    fn default() -> Self {
        Self {
            start: Time::constant(9, 0, 0, 0),
            end: Time::constant(17, 30, 0, 0),
            days: vec![Day::Mon, Day::Tue, Day::Wed, Day::Thu, Day::Fri],
        }
    }
}

impl Day {
    pub fn weekday(self) -> Weekday {
        match self {
            Self::Mon => Weekday::Monday,
            Self::Tue => Weekday::Tuesday,
            Self::Wed => Weekday::Wednesday,
            Self::Thu => Weekday::Thursday,
            Self::Fri => Weekday::Friday,
            Self::Sat => Weekday::Saturday,
            Self::Sun => Weekday::Sunday,
        }
    }
}

fn thirty() -> u32 {
    30
}

fn yes() -> bool {
    true
}

fn looks_like_address(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    !name.is_empty()
        && host.contains('.')
        && !host.starts_with('.')
        && !host.ends_with('.')
        && text.len() <= 254
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || "<>,;\"".contains(c))
        && !host.contains('@')
}

/// Clock times people write in settings: `09:00`.
mod hhmm {
    use jiff::civil::Time;
    use serde::{Deserialize, Deserializer, Serializer, de};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
    pub fn serialize<S: Serializer>(time: &Time, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&time.strftime("%H:%M"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Time, D::Error> {
        let text = String::deserialize(from)?;
        Time::strptime("%H:%M", &text)
            .map_err(|_| de::Error::custom(format!("\"{text}\" is not a time like 09:00")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_reads_back_as_it_was_written() {
        let profile = Profile { name: Some("Maya".into()), ..Profile::new("America/Los_Angeles") };
        let text = serde_json::to_string(&profile).unwrap();
        assert!(text.contains(r#""start":"09:00""#), "{text}");
        assert_eq!(serde_json::from_str::<Profile>(&text).unwrap(), profile);
    }

    #[test]
    fn each_mistake_is_named() {
        let good = Profile::new("Europe/Berlin");
        assert_eq!(good.check(), Ok(()));
        let bad = |change: fn(&mut Profile)| {
            let mut profile = good.clone();
            change(&mut profile);
            profile.check().unwrap_err()
        };
        assert_eq!(bad(|p| p.time_zone = "Mars/Base".into()), BadProfile::Zone("Mars/Base".into()));
        assert_eq!(bad(|p| p.working_hours.end = p.working_hours.start), BadProfile::Hours);
        assert_eq!(bad(|p| p.working_hours.days = vec![Day::Mon, Day::Mon]), BadProfile::Days);
        assert_eq!(
            bad(|p| p.address = Some("me at home".into())),
            BadProfile::Address("me at home".into())
        );
        assert_eq!(bad(|p| p.name = Some("  ".into())), BadProfile::Name);
        assert_eq!(bad(|p| p.default_meeting_minutes = 0), BadProfile::Length);
    }
}
