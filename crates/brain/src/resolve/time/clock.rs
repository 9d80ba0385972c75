//! Times of the day: "half past three", "3pm", "15:00", "three thirty".

use super::number::cardinal;

/// Minutes since midnight; 1440 is the midnight that ends the day.
pub type Minutes = i16;

pub const DAY_ENDS: Minutes = 24 * 60;
const HALF_A_DAY: Minutes = 12 * 60;

/// A time on the clock's face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    pub minutes: Minutes,
    /// Nobody said whether before or after noon.
    pub open: bool,
}

/// The parts people cut a day into. Early enough and late enough that nothing
/// anybody would count is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Morning,
    Lunch,
    Afternoon,
    Evening,
    Night,
}

impl Part {
    pub fn hours(self) -> (Minutes, Minutes) {
        match self {
            Self::Morning => (5 * 60, 12 * 60),
            Self::Lunch => (12 * 60, 13 * 60 + 30),
            Self::Afternoon => (12 * 60, 18 * 60),
            Self::Evening => (17 * 60, DAY_ENDS),
            Self::Night => (20 * 60, DAY_ENDS),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Morning => "morning",
            Self::Lunch => "lunchtime",
            Self::Afternoon => "afternoon",
            Self::Evening => "evening",
            Self::Night => "night",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "morning" | "mornings" => Self::Morning,
            "lunchtime" => Self::Lunch,
            "afternoon" | "afternoons" => Self::Afternoon,
            "evening" | "evenings" => Self::Evening,
            "night" | "nights" => Self::Night,
            _ => return None,
        })
    }
}

impl Clock {
    /// What is most likely meant, and what else it could be. Nobody meets at
    /// three in the night; eleven is more often a morning than a night.
    pub fn likely(self, part: Option<Part>) -> (Minutes, Option<Minutes>) {
        if !self.open {
            return (self.minutes, None);
        }
        let (morning, later) = (self.minutes, self.minutes + HALF_A_DAY);
        match part {
            Some(Part::Morning) => (morning, None),
            Some(_) => (later, None),
            None if morning < 8 * 60 => (later, Some(morning)),
            None => (morning, Some(later)),
        }
    }

    /// From here to there, each taken so that the stretch is the shortest
    /// that starts at a likely time.
    pub fn until(self, to: Self, part: Option<Part>) -> (Minutes, Minutes) {
        let halves = |clock: Self| {
            if clock.open {
                vec![clock.minutes, clock.minutes + HALF_A_DAY]
            } else {
                vec![clock.minutes]
            }
        };
        let ends = halves(to);
        if self.open && !to.open {
            let start = halves(self).into_iter().rev().find(|start| *start < to.minutes);
            return (start.unwrap_or(self.minutes), to.minutes);
        }
        let (start, _) = self.likely(part);
        (start, ends.into_iter().find(|end| *end > start).unwrap_or(DAY_ENDS))
    }
}

/// A time that cannot be anything else: "3pm", "15:00", "half past three".
pub fn plain(words: &[&str]) -> Option<(Clock, usize)> {
    match words {
        ["noon" | "midday", ..] => return Some((known(HALF_A_DAY), 1)),
        ["midnight", ..] => return Some((known(DAY_ENDS), 1)),
        _ => {}
    }
    past_or_to(words).or_else(|| digits(words)).or_else(|| spelled(words))
}

/// After "at" or "before" a bare number is a time too.
pub fn after_preposition(words: &[&str]) -> Option<(Clock, usize)> {
    plain(words).or_else(|| run_together(words)).or_else(|| {
        let (hour, used) = hour(words)?;
        // "before 3 days", "at 2 meetings": a number of something.
        let counts = matches!(
            words.get(used),
            Some(&("day" | "days" | "week" | "weeks" | "hours" | "minutes" | "months" | "people"))
        );
        (!counts).then_some((open(hour * 60), used))
    })
}

/// "1530", "9.30" and "half eight", which are times only after "at".
fn run_together(words: &[&str]) -> Option<(Clock, usize)> {
    if let ["half", more @ ..] = words {
        let (hour, used) = hour(more).filter(|(hour, _)| *hour < 12)?;
        let (clock, half) = with_half(hour * 60 + 30, &more[used..]);
        return Some((clock, 1 + used + half));
    }
    let word = *words.first()?;
    let (hour, minute) = match word.split_once('.') {
        Some(halves) => halves,
        None => word.split_at_checked(2).filter(|_| word.len() == 4)?,
    };
    if minute.len() != 2 {
        return None;
    }
    let (hour, minute) = (hour.parse::<Minutes>().ok()?, minute.parse::<Minutes>().ok()?);
    if hour > 23 || minute > 59 {
        return None;
    }
    let is_face = (1..=12).contains(&hour) && !word.starts_with('0');
    let minutes = hour * 60 + minute;
    Some((if is_face { open(minutes % HALF_A_DAY) } else { known(minutes) }, 1))
}

fn past_or_to(words: &[&str]) -> Option<(Clock, usize)> {
    let (minutes, used) = match words {
        ["half", ..] => (30, 1),
        ["quarter", ..] => (15, 1),
        ["a", "quarter", ..] => (15, 2),
        _ => {
            let (minutes, used) = cardinal(words).filter(|(minutes, _)| *minutes < 30)?;
            let unit = usize::from(matches!(words.get(used), Some(&("minutes" | "minute"))));
            (Minutes::try_from(minutes).ok()?, used + unit)
        }
    };
    let later = match *words.get(used)? {
        "past" | "after" => minutes,
        "to" | "before" | "till" if minutes != 30 => -minutes,
        _ => return None,
    };
    // "2 to 4" is a stretch of time; nobody says "two to four" for 3:58.
    if later < 0 && minutes % 5 != 0 {
        return None;
    }
    let (hour, more) = hour(&words[used + 1..])?;
    if hour > 12 || (later < 0 && words.first().is_some_and(|word| word.parse::<u8>().is_ok())) {
        return None;
    }
    let minutes = (hour % 12) * 60 + later;
    let after = used + 1 + more;
    let (minutes, half) = with_half(minutes.rem_euclid(HALF_A_DAY), &words[after..]);
    Some((minutes, after + half))
}

/// "3pm", "3 pm", "3:30", "15:00", "3.30pm".
fn digits(words: &[&str]) -> Option<(Clock, usize)> {
    let word = *words.first()?;
    if let Some(hour) = word.strip_suffix('h').and_then(|hour| hour.parse::<Minutes>().ok()) {
        return (0..=24).contains(&hour).then(|| (known(hour * 60), 1));
    }
    let (face, half) = match word.strip_suffix("am").or_else(|| word.strip_suffix("pm")) {
        Some(face) => (face, Some(if word.ends_with("pm") { "pm" } else { "am" })),
        None => (word, None),
    };
    let (hour, minute) = match face.split_once([':', '.']) {
        Some((hour, minute)) if minute.len() == 2 => (hour.parse().ok()?, minute.parse().ok()?),
        Some(_) => return None,
        None => (face.parse::<Minutes>().ok()?, 0),
    };
    if hour > 24 || minute > 59 || hour * 60 + minute > DAY_ENDS {
        return None;
    }
    let after = &words[1..];
    if let Some(half) = half {
        return (1..=12).contains(&hour).then(|| (in_half(hour * 60 + minute, half), 1));
    }
    if let Some(half) = after.first().filter(|next| matches!(**next, "am" | "pm")) {
        return (1..=12).contains(&hour).then(|| (in_half(hour * 60 + minute, half), 2));
    }
    if after.first() == Some(&"o'clock") {
        let (clock, used) = with_half(hour * 60, &after[1..]);
        return Some((clock, 2 + used));
    }
    if !face.contains(':') {
        return None;
    }
    let minutes = hour * 60 + minute;
    let is_face = (1..=12).contains(&hour) && !face.starts_with('0');
    Some((if is_face { open(minutes % HALF_A_DAY) } else { known(minutes) }, 1))
}

/// "three o'clock", "three thirty", "three pm".
fn spelled(words: &[&str]) -> Option<(Clock, usize)> {
    let (hour, used) = cardinal(words).filter(|_| words[0].parse::<u8>().is_err())?;
    let hour = Minutes::try_from(hour).ok().filter(|hour| (1..=12).contains(hour))?;
    let rest = &words[used..];
    if rest.first() == Some(&"o'clock") {
        let (clock, half) = with_half(hour % 12 * 60, &rest[1..]);
        return Some((clock, used + 1 + half));
    }
    if rest.first().is_some_and(|next| matches!(*next, "am" | "pm")) {
        let (clock, half) = with_half(hour % 12 * 60, rest);
        return Some((clock, used + half));
    }
    let (minute, more) = match rest {
        ["oh" | "o", digit, ..] => (cardinal(&[digit])?.0, 2),
        _ => cardinal(rest).filter(|(minute, _)| (10..60).contains(minute))?,
    };
    let counts = matches!(rest.get(more), Some(&("minute" | "minutes" | "days" | "hours")));
    let minutes = hour % 12 * 60 + Minutes::try_from(minute).ok()?;
    let (clock, half) = with_half(minutes, &rest[more..]);
    (!counts).then_some((clock, used + more + half))
}

fn hour(words: &[&str]) -> Option<(Minutes, usize)> {
    let (hour, used) = cardinal(words)?;
    let hour = Minutes::try_from(hour).ok().filter(|hour| (1..=23).contains(hour))?;
    Some((if hour == 12 { 0 } else { hour }, used))
}

fn with_half(minutes: Minutes, rest: &[&str]) -> (Clock, usize) {
    match rest.first() {
        Some(&half @ ("am" | "pm")) => (in_half(minutes, half), 1),
        _ => (open(minutes), 0),
    }
}

fn in_half(minutes: Minutes, half: &str) -> Clock {
    let morning = minutes % HALF_A_DAY;
    known(if half == "pm" { morning + HALF_A_DAY } else { morning })
}

fn known(minutes: Minutes) -> Clock {
    Clock { minutes, open: false }
}

/// On the face of the clock; twelve is zero there, so that its later half is noon.
fn open(minutes: Minutes) -> Clock {
    if minutes >= HALF_A_DAY { known(minutes) } else { Clock { minutes, open: true } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(phrase: &str) -> Option<Minutes> {
        let words: Vec<_> = phrase.split(' ').collect();
        let (clock, used) = after_preposition(&words)?;
        assert_eq!(used, words.len(), "{phrase}");
        Some(clock.likely(None).0)
    }

    #[test]
    fn clock_times_are_read_the_ways_people_say_them() {
        let cases = [
            ("3", 15 * 60),
            ("9", 9 * 60),
            ("3pm", 15 * 60),
            ("3 am", 3 * 60),
            ("3:30", 15 * 60 + 30),
            ("15:00", 15 * 60),
            ("09:15", 9 * 60 + 15),
            ("half past three", 15 * 60 + 30),
            ("quarter to four", 15 * 60 + 45),
            ("a quarter past nine", 9 * 60 + 15),
            ("ten to four", 15 * 60 + 50),
            ("three thirty", 15 * 60 + 30),
            ("three forty five", 15 * 60 + 45),
            ("nine oh five", 9 * 60 + 5),
            ("three o'clock", 15 * 60),
            ("twelve", 12 * 60),
            ("12:30", 12 * 60 + 30),
            ("noon", 12 * 60),
            ("quarter to one", 12 * 60 + 45),
            ("eight thirty pm", 20 * 60 + 30),
            ("15h", 15 * 60),
            ("9.30", 9 * 60 + 30),
            ("1530", 15 * 60 + 30),
            ("half eight", 8 * 60 + 30),
        ];
        for (phrase, minutes) in cases {
            assert_eq!(at(phrase), Some(minutes), "{phrase}");
        }
        assert_eq!(at("99"), None);
        assert_eq!(at("purple"), None);
    }

    #[test]
    fn a_stretch_ends_after_it_starts() {
        let clock = |hour: Minutes| open(hour * 60);
        assert_eq!(clock(2).until(clock(4), None), (14 * 60, 16 * 60));
        assert_eq!(clock(10).until(clock(2), None), (10 * 60, 14 * 60));
        assert_eq!(clock(9).until(clock(5), None), (9 * 60, 17 * 60));
        assert_eq!(clock(2).until(known(16 * 60), None), (14 * 60, 16 * 60));
    }
}
