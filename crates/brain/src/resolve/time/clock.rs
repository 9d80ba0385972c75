//! Times of the day: "half past three", "3pm", "15:00", "three thirty".

use super::Part;
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
    /// What else was taken for granted about it.
    pub note: Option<Note>,
}

/// What is assumed about a time besides its half of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// "Around four"
    About,
    /// "Half three", which is half past two to some.
    HalfPast,
    /// "Midnight", which ends one day and begins another.
    Midnight,
}

impl Note {
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Self::About => Some("took \"about\" as exactly"),
            Self::HalfPast => Some("took \"half\" as half past"),
            Self::Midnight => None,
        }
    }
}

impl Clock {
    /// What is most likely meant, and what else it could be. Nobody meets at
    /// three in the night; eleven is more often a morning than a night.
    pub fn likely(self, part: Option<Part>) -> (Minutes, Option<Minutes>) {
        if !self.open {
            // "Tonight at 1 am"
            let over = matches!(part, Some(Part::Evening | Part::Night));
            let next = over && self.minutes < NIGHT_ENDS;
            return (if next { self.minutes + DAY_ENDS } else { self.minutes }, None);
        }
        let (morning, later) = (self.minutes, self.minutes + HALF_A_DAY);
        match part {
            Some(Part::Morning) => (morning, None),
            // "For lunch at 11:30"
            Some(Part::Lunch) if morning >= 10 * 60 => (morning, None),
            // "Tonight at one" is over midnight.
            Some(Part::Evening | Part::Night) if morning < NIGHT_ENDS => (morning + DAY_ENDS, None),
            Some(_) => (later, None),
            None if morning < 8 * 60 => (later, Some(morning)),
            None => (morning, Some(later)),
        }
    }

    /// From here to there, each taken so that the stretch is the shortest
    /// that starts at a likely time; and the same in the other half of the
    /// day, where neither end says which.
    pub fn until(self, to: Self, part: Option<Part>) -> (Stretched, Option<Stretched>) {
        let behind = |start: Minutes| {
            let halves = [Some(to.minutes), to.open.then_some(to.minutes + HALF_A_DAY)];
            let end = halves.into_iter().flatten().find(|end| *end > start);
            // "From 10 pm to 1 am" ends on the next day.
            (start, end.unwrap_or(to.minutes + DAY_ENDS))
        };
        if self.open && !to.open {
            let halves = [self.minutes + HALF_A_DAY, self.minutes];
            let before = halves.into_iter().find(|start| *start < to.minutes);
            return (behind(before.unwrap_or(halves[0])), None);
        }
        // "Ten to four in the afternoon" starts before noon.
        let before_noon = part == Some(Part::Afternoon) && self.open && self.minutes > to.minutes;
        let (start, other) = if before_noon { (self.minutes, None) } else { self.likely(part) };
        let (first, second) = (behind(start), other.map(behind));
        let lasts = |(start, end): Stretched| end - start;
        let other = second.filter(|other| other.1 <= DAY_ENDS && lasts(*other) == lasts(first));
        (first, other)
    }

    pub fn about(self) -> Self {
        Self { note: Some(Note::About), ..self }
    }
}

/// From one minute of a day to another, which may be on the next.
pub type Stretched = (Minutes, Minutes);

/// Until here an hour "at night" belongs to the day before.
const NIGHT_ENDS: Minutes = 5 * 60;

/// A time that cannot be anything else: "3pm", "15:00", "half past three".
pub fn plain(words: &[&str]) -> Option<(Clock, usize)> {
    match words {
        ["noon" | "midday", ..] => return Some((known(HALF_A_DAY), 1)),
        ["midnight", ..] => {
            return Some((Clock { note: Some(Note::Midnight), ..known(DAY_ENDS) }, 1));
        }
        _ => {}
    }
    past_or_to(words).or_else(|| digits(words)).or_else(|| spelled(words))
}

/// A time no clock shows, and why: "13:75", "13 pm".
pub fn no_such(words: &[&str]) -> Option<String> {
    let word = *words.first().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let (face, half) = split_half(word);
    let half = half.or_else(|| words.get(1).copied().filter(|next| matches!(*next, "am" | "pm")));
    let (hour, minute) = match face.split_once(':') {
        Some((hour, minute)) if hour.len() <= 2 && minute.len() == 2 => (hour, Some(minute)),
        Some(_) => return None,
        None => (face, None),
    };
    let hour: u8 = hour.parse().ok()?;
    let minute: Option<u8> = match minute {
        Some(minute) => Some(minute.parse().ok()?),
        None => None,
    };
    // "25 o'clock": no clock goes that far.
    if minute.is_none() && half.is_none() && hour > 24 && words.get(1) == Some(&"o'clock") {
        return Some(format!("there is no {face} o'clock"));
    }
    let off = minute.is_some_and(|minute| minute > 59 || hour > 24 || (hour == 24 && minute > 0));
    let halved = half.is_some_and(|half| hour > 12 || (hour == 0 && half == "pm"));
    let half = half.map_or_else(String::new, |half| format!(" {half}"));
    // The "30 pm" of "3 30 pm" is looked at by its hour.
    let minutes_of_another = halved && minute.is_none() && (30..=59).contains(&hour);
    ((off || halved) && !minutes_of_another).then(|| format!("there is no {face}{half}"))
}

/// "3pm", "3p" and "3:30a" without their half of the day.
fn split_half(word: &str) -> (&str, Option<&'static str>) {
    let halves = [("am", "am"), ("pm", "pm"), ("a", "am"), ("p", "pm")];
    let found = halves.into_iter().find_map(|(end, half)| {
        let face = word.strip_suffix(end)?;
        face.ends_with(|c: char| c.is_ascii_digit()).then_some((face, Some(half)))
    });
    found.unwrap_or((word, None))
}

/// After "at" or "before" a bare number is a time too.
pub fn after_preposition(words: &[&str]) -> Option<(Clock, usize)> {
    plain(words).or_else(|| run_together(words)).or_else(|| hundred(words)).or_else(|| {
        let (hour, used) = hour(words)?;
        // "before 3 days", "at 2 meetings": a number of something.
        (!words.get(used).is_some_and(|next| is_counted(next))).then_some((open(hour * 60), used))
    })
}

/// What a number before it counts.
pub fn is_counted(word: &str) -> bool {
    let things = [
        "day", "days", "week", "weeks", "hour", "hours", "hr", "hrs", "h", "minute", "minutes",
        "min", "mins", "month", "months", "year", "years", "people", "percent", "meetings",
        "mails", "emails", "times",
    ];
    things.contains(&word)
}

/// "Oh nine hundred", "fifteen hundred hours"
fn hundred(words: &[&str]) -> Option<(Clock, usize)> {
    let zero = usize::from(matches!(words.first(), Some(&("oh" | "o" | "zero"))));
    let (hour, used) = cardinal(&words[zero..]).filter(|(hour, _)| *hour <= 23)?;
    if words.get(zero + used) != Some(&"hundred") {
        return None;
    }
    let end = zero + used + 1;
    let hours = usize::from(words.get(end) == Some(&"hours"));
    Some((known(Minutes::try_from(hour).ok()? * 60), end + hours))
}

/// "1530", "9.30" and "half eight", which are times only after "at".
fn run_together(words: &[&str]) -> Option<(Clock, usize)> {
    if let ["half", more @ ..] = words {
        let (hour, used) = hour(more).filter(|(hour, _)| *hour < 12)?;
        let (clock, half) = with_half(hour * 60 + 30, &more[used..]);
        return Some((Clock { note: Some(Note::HalfPast), ..clock }, 1 + used + half));
    }
    let word = *words.first()?;
    if let Some((hour, minute)) = with_an_h(word) {
        return Some((known(hour * 60 + minute), 1));
    }
    let (hour, minute) = match word.split_once('.') {
        Some(halves) => halves,
        None if word.len() == 3 => {
            let halves = word.split_at_checked(1)?;
            Some(halves).filter(|(_, minute)| matches!(*minute, "15" | "30" | "45"))?
        }
        None => word.split_at_checked(2).filter(|_| word.len() == 4)?,
    };
    let digits = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if minute.len() != 2 || !digits {
        return None;
    }
    let hours = usize::from(words.get(1) == Some(&"hours") && word.len() == 4);
    let (hour, minute) = (hour.parse::<Minutes>().ok()?, minute.parse::<Minutes>().ok()?);
    if hour > 23 || minute > 59 {
        return None;
    }
    let is_face = (1..=12).contains(&hour) && !word.starts_with('0');
    let minutes = hour * 60 + minute;
    Some((if is_face { open(minutes % HALF_A_DAY) } else { known(minutes) }, 1 + hours))
}

/// "0730", "1500": a time where it stands beside a day.
pub fn four_digits(words: &[&str]) -> Option<(Clock, usize)> {
    let word = words.first()?;
    let four = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let dotted = word.contains('.');
    if four || dotted { run_together(words) } else { None }
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
        "to" | "before" | "till" | "of" if minutes != 30 => -minutes,
        _ => return None,
    };
    // "2 to 4" is a stretch of time; nobody says "two to four" for 3:58.
    if later < 0 && minutes % 5 != 0 {
        return None;
    }
    // "A quarter past 9am"
    if let Some((face, Some(half))) = words.get(used + 1).map(|word| split_half(word)) {
        let hour = face.parse::<Minutes>().ok().filter(|hour| (1..=12).contains(hour))?;
        let minutes = (hour % 12 * 60 + later).rem_euclid(HALF_A_DAY);
        return Some((in_half(minutes, half), used + 2));
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

/// "15h", "9h30": hours and minutes of the clock.
fn with_an_h(word: &str) -> Option<(Minutes, Minutes)> {
    let (hour, minute) = word.split_once('h')?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(hour) || !digits(minute) || !matches!(minute.len(), 0 | 2) {
        return None;
    }
    let hour = hour.parse::<Minutes>().ok()?;
    let minute = if minute.is_empty() { 0 } else { minute.parse().ok()? };
    let is_on_the_clock = hour <= 24 && minute < 60 && hour * 60 + minute <= DAY_ENDS;
    is_on_the_clock.then_some((hour, minute))
}

/// "3pm", "3 pm", "3:30", "15:00", "3.30pm", "3 30 pm", "3ish".
fn digits(words: &[&str]) -> Option<(Clock, usize)> {
    let word = *words.first().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    // "1h" is how long something takes, except behind "at".
    if let Some((hour, minute)) = with_an_h(word) {
        return (hour > 12).then(|| (known(hour * 60 + minute), 1));
    }
    if let Some(about) = word.strip_suffix("ish") {
        let (clock, used) = after_preposition(&[about.trim_end_matches('-')])?;
        return Some((clock.about(), used));
    }
    if let Some(found) = apart(words) {
        return Some(found);
    }
    let word = if word.contains(':') { word.strip_suffix('h').unwrap_or(word) } else { word };
    let (face, half) = split_half(word);
    // "730pm", "1130 am"
    let halved = half.is_some() || matches!(words.get(1), Some(&("am" | "pm")));
    let glued = halved && (3..=4).contains(&face.len()) && face.parse::<Minutes>().is_ok();
    let spaced = if glued { face.split_at_checked(face.len() - 2) } else { None };
    let (hour, minute) = match spaced.or_else(|| face.split_once([':', '.'])) {
        Some((hour, minute)) if minute.len() == 2 && !hour.is_empty() => {
            (hour.parse::<Minutes>().ok()?, minute.parse::<Minutes>().ok()?)
        }
        Some(_) => return None,
        None => (face.parse::<Minutes>().ok()?, 0),
    };
    if !(0..=24).contains(&hour) || !(0..60).contains(&minute) || hour * 60 + minute > DAY_ENDS {
        return None;
    }
    let after = &words[1..];
    if let Some(half) = half {
        return (0..=12).contains(&hour).then(|| (in_half(hour * 60 + minute, half), 1));
    }
    if let Some(half) = after.first().filter(|next| matches!(**next, "am" | "pm")) {
        return (0..=12).contains(&hour).then(|| (in_half(hour * 60 + minute, half), 2));
    }
    let o_clock = o_clock(after);
    if o_clock > 0 {
        let hour = if hour == 12 { 0 } else { hour };
        let (clock, used) = with_half(hour * 60, &after[o_clock..]);
        return Some((clock, 1 + o_clock + used));
    }
    if !face.contains(':') {
        return None;
    }
    let minutes = hour * 60 + minute;
    let is_face = (1..=12).contains(&hour) && !face.starts_with('0');
    Some((if is_face { open(minutes % HALF_A_DAY) } else { known(minutes) }, 1))
}

/// "3 30 pm", as a recogniser writes it.
fn apart(words: &[&str]) -> Option<(Clock, usize)> {
    let hour = words.first()?.parse::<Minutes>().ok().filter(|hour| (1..=12).contains(hour))?;
    let (minute, half) = split_half(words.get(1)?);
    let (half, used) = match half {
        Some(half) => (half, 2),
        None => (*words.get(2).filter(|next| matches!(**next, "am" | "pm"))?, 3),
    };
    let minute = minute.parse::<Minutes>().ok().filter(|_| minute.len() == 2)?;
    (0..60).contains(&minute).then(|| (in_half(hour * 60 + minute, half), used))
}

/// How many words an "o'clock" at the start takes.
fn o_clock(words: &[&str]) -> usize {
    match words {
        ["o'clock", ..] => 1,
        ["o", "clock", ..] => 2,
        _ => 0,
    }
}

/// "three o'clock", "three thirty", "three pm".
fn spelled(words: &[&str]) -> Option<(Clock, usize)> {
    let (hour, used) = cardinal(words).filter(|_| words[0].parse::<u8>().is_err())?;
    let hour = Minutes::try_from(hour).ok().filter(|hour| (1..=12).contains(hour))?;
    let rest = &words[used..];
    let o_clock = o_clock(rest);
    if o_clock > 0 {
        let (clock, half) = with_half(hour % 12 * 60, &rest[o_clock..]);
        return Some((clock, used + o_clock + half));
    }
    if rest.first().is_some_and(|next| matches!(*next, "am" | "pm")) {
        let (clock, half) = with_half(hour % 12 * 60, rest);
        return Some((clock, used + half));
    }
    let (minute, more) = match rest {
        ["oh" | "o", digit, ..] => (cardinal(&[digit]).filter(|(digit, _)| *digit < 10)?.0, 2),
        _ => cardinal(rest).filter(|(minute, _)| (10..60).contains(minute))?,
    };
    let counts = rest.get(more).is_some_and(|next| is_counted(next));
    let minutes = hour % 12 * 60 + Minutes::try_from(minute).ok()?;
    let (clock, half) = with_half(minutes, &rest[more..]);
    (!counts).then_some((clock, used + more + half))
}

/// "Ten to four", which is a stretch too.
pub fn ten_to(words: &[&str]) -> Option<(Clock, usize)> {
    match words {
        ["five" | "ten", "to" | "till", ..] => past_or_to(words),
        _ => None,
    }
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
    Clock { minutes, open: false, note: None }
}

/// On the face of the clock; twelve is zero there, so that its later half is noon.
fn open(minutes: Minutes) -> Clock {
    if minutes >= HALF_A_DAY { known(minutes) } else { Clock { open: true, ..known(minutes) } }
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
        let until = |from: Clock, to: Clock| from.until(to, None).0;
        assert_eq!(until(clock(2), clock(4)), (14 * 60, 16 * 60));
        assert_eq!(until(clock(10), clock(2)), (10 * 60, 14 * 60));
        assert_eq!(until(clock(9), clock(5)), (9 * 60, 17 * 60));
        assert_eq!(until(clock(2), known(16 * 60)), (14 * 60, 16 * 60));
        assert_eq!(until(known(22 * 60), known(60)), (22 * 60, 25 * 60));
        assert_eq!(until(clock(10), known(60)), (22 * 60, 25 * 60));
    }
}
