//! Parts of the day: "in the morning", "at lunch", "end of day".

use super::clock::{DAY_ENDS, Minutes};

/// The parts people cut a day into. Early enough and late enough that nothing
/// anybody would count is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Morning,
    Lunch,
    Afternoon,
    /// "End of day", "close of business".
    DayEnd,
    Evening,
    Night,
}

impl Part {
    pub fn hours(self) -> (Minutes, Minutes) {
        match self {
            Self::Morning => (5 * 60, 12 * 60),
            Self::Lunch => (12 * 60, 13 * 60 + 30),
            Self::Afternoon => (12 * 60, 18 * 60),
            Self::DayEnd => (16 * 60, 18 * 60),
            Self::Evening => (17 * 60, DAY_ENDS),
            Self::Night => (20 * 60, DAY_ENDS),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Morning => "morning",
            Self::Lunch => "lunchtime",
            Self::Afternoon => "afternoon",
            Self::DayEnd => "end of the day",
            Self::Evening => "evening",
            Self::Night => "night",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "morning" | "mornings" | "mid-morning" | "midmorning" => Self::Morning,
            "lunchtime" => Self::Lunch,
            "afternoon" | "afternoons" | "mid-afternoon" | "midafternoon" => Self::Afternoon,
            "evening" | "evenings" => Self::Evening,
            "night" | "nights" => Self::Night,
            _ => return None,
        })
    }
}
