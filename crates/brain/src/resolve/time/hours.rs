//! Hours, and where they land on a day: clocks skip times and show some twice.

use jiff::civil::Date;
use jiff::tz::AmbiguousOffset;
use jiff::{ToSpan, Zoned};

use super::clock::{self, Clock, DAY_ENDS, Minutes, Note};
use super::days::{Stretch, plus};
use super::names::name_of;
use super::part::Part;
use super::parts::LATE;
use super::{Grain, Lean, Reading, civil, minutes_of, range, reasons, spell_clock, zoned};
use crate::facts::DateRange;

/// Clock times, before it is known which day they belong to.
#[derive(Clone, Copy)]
pub enum Hours {
    At(Clock),
    Between(Clock, Clock),
    Before(Clock),
    After(Clock),
    /// "Ten to four": a moment, or from ten to four.
    Either(Clock, (Clock, Clock)),
}

impl Hours {
    /// "After three", which leaves room for "at four".
    pub fn is_bound(self) -> bool {
        matches!(self, Self::Before(_) | Self::After(_))
    }
}

/// The hours at the start of `words`. Beside a day, "3 to 4" is enough.
pub fn hours(
    words: &[&str],
    after_day: bool,
    before_day: impl Fn(&[&str]) -> bool,
) -> Option<(Hours, usize)> {
    let pair = |words: &[&str], links: &[&str]| {
        let (from, used) = clock::after_preposition(words)?;
        let link = words.get(used).filter(|word| links.contains(word)).map(|_| used + 1)?;
        let (to, more) = clock::after_preposition(&words[link..])?;
        Some((from, to, link + more))
    };
    let links = ["to", "until", "till", "til", "and"];
    match words {
        ["between", more @ ..] => {
            let (from, to, used) = pair(more, &["and", "to"])?;
            Some((Hours::Between(from, to), 1 + used))
        }
        ["from", more @ ..] => {
            if let Some((from, to, used)) = from_to(more) {
                return Some((Hours::Between(from, to), 1 + used));
            }
            let (from, used) = clock::plain(more)?;
            let on = usize::from(matches!(more.get(used), Some(&("on" | "onwards" | "onward"))));
            Some((Hours::After(from), 1 + used + on))
        }
        // "Before lunch with Tom" is about a meal, "before lunch" about the clock.
        ["before" | "after", "lunch", more @ ..] if more.first() != Some(&"with") => {
            let at = |minutes| Clock { minutes, open: false, note: None };
            let before = words[0] == "before";
            Some((if before { Hours::Before(at(12 * 60)) } else { Hours::After(at(13 * 60)) }, 2))
        }
        ["not", "before", more @ ..] | ["no" | "not", "earlier" | "sooner", "than", more @ ..] => {
            let (from, used) = clock::after_preposition(more)?;
            Some((Hours::After(from), words.len() - more.len() + used))
        }
        ["not", "after", more @ ..] | ["no" | "not", "later", "than", more @ ..] => {
            let (to, used) = clock::after_preposition(more)?;
            Some((Hours::Before(to), words.len() - more.len() + used))
        }
        ["before" | "by" | "until" | "till" | "til", more @ ..] => {
            let (to, used) = clock::after_preposition(more)?;
            Some((Hours::Before(to), 1 + used))
        }
        ["after" | "past", more @ ..] => {
            let (from, used) = clock::after_preposition(more)?;
            Some((Hours::After(from), 1 + used))
        }
        ["around" | "roughly" | "approximately", more @ ..]
        | ["at", "about" | "around" | "roughly" | "approximately", more @ ..] => {
            let (at, used) = clock::after_preposition(more)?;
            Some((Hours::At(at.about()), words.len() - more.len() + used))
        }
        ["at" | "@", more @ ..] => {
            if let Some((from, to, used)) = pair(more, &links[..4]) {
                return Some((Hours::Between(from, to), 1 + used));
            }
            let (at, used) = clock::after_preposition(more)?;
            Some((Hours::At(at), 1 + used + sharp(&more[used..])))
        }
        _ => {
            // "2 to 4pm": one of the two has to look like a time.
            if let Some((from, to, used)) = from_to(words)
                && (clock::plain(words).is_some()
                    || !to.open
                    || after_day
                    || before_day(&words[used..]))
            {
                return Some(match clock::ten_to(words) {
                    Some((at, all)) if all == used => (Hours::Either(at, (from, to)), used),
                    _ => (Hours::Between(from, to), used),
                });
            }
            let beside = |used: usize| after_day || before_day(&words[used..]);
            let (at, used) = clock::plain(words)
                .or_else(|| before_part(words))
                .or_else(|| clock::four_digits(words).filter(|(_, used)| beside(*used)))
                .or_else(|| behind_day(words).filter(|_| after_day))?;
            Some((Hours::At(at), used + sharp(&words[used..])))
        }
    }
}

/// "3 pm sharp"
fn sharp(words: &[&str]) -> usize {
    match words {
        ["sharp", ..] => 1,
        ["on", "the", "dot", ..] => 3,
        _ => 0,
    }
}

/// The 7 of "dinner Friday 7", where it counts nothing.
fn behind_day(words: &[&str]) -> Option<(Clock, usize)> {
    let (clock, used) = clock::after_preposition(words).filter(|(clock, _)| clock.open)?;
    let ends = matches!(words.get(used), None | Some(&("with" | "for" | "about" | "please")));
    ends.then_some((clock, used))
}

/// "8 tonight", "7 in the morning"
fn before_part(words: &[&str]) -> Option<(Clock, usize)> {
    let (clock, used) = clock::after_preposition(words)?;
    let part = match words.get(used..)? {
        ["tonight", ..] => return Some((clock, used)),
        ["in", "the", part, ..] | ["this" | "tomorrow", part, ..] => part,
        ["at", part @ "night", ..] => part,
        _ => return None,
    };
    Part::from_word(part).map(|_| (clock, used))
}

/// "A quarter past nine pm": no time has more words.
const LONGEST: usize = 5;

/// "Two to four", where "ten to four" would be a time by itself. Where a third time comes behind
/// it, its "to" was of the clock: "ten to four to five".
fn from_to(words: &[&str]) -> Option<(Clock, Clock, usize)> {
    let linked = |at: usize| matches!(words.get(at), Some(&("to" | "until" | "till" | "til")));
    (1..=LONGEST).find_map(|cut| {
        let (from, used) = clock::after_preposition(words.get(..cut)?)?;
        // Nobody says "twenty" for eight in the evening and goes on with "to".
        if used != cut || !linked(cut) || words[..cut] == ["twenty"] {
            return None;
        }
        let (to, more) = clock::after_preposition(words.get(cut + 1..)?)?;
        let end = cut + 1 + more;
        let goes_on = linked(end) && clock::after_preposition(&words[end + 1..]).is_some();
        (!goes_on).then_some((from, to, end))
    })
}

impl Hours {
    /// These hours on that day; on several days they are hours of each.
    pub fn on(
        self,
        stretch: &Stretch,
        part: Option<Part>,
        whole: &Reading,
        now: &Zoned,
        lean: Lean,
    ) -> Vec<Reading> {
        let on = On { stretch, whole, now, lean };
        let clock = |minutes: Minutes| spell_clock(civil(minutes % DAY_ENDS));
        match self {
            Self::At(at) if plus(stretch.first, 1) != stretch.end => {
                let (from, other) = at.likely(part);
                let said = format!("{} at {}", stretch.said, clock(from));
                let guess = other.map(|_| guessed(from));
                vec![on.between((from, from + 60), said, reasons([noted(at), guess]))]
            }
            Self::At(at) => on.moments(at, part),
            Self::Either(at, (from, to)) => {
                let told = |reason: &str, mut reading: Reading| {
                    reading.reason = reasons([Some(reason.to_owned()), reading.reason]);
                    reading
                };
                let hours = Self::Between(from, to).on(stretch, part, whole, now, lean);
                let hours = hours.into_iter().take(1);
                let hours = hours.map(|hours| told("it may be from the one to the other", hours));
                let before = "took \"to\" as minutes before";
                let at = Self::At(at).on(stretch, part, whole, now, lean).into_iter();
                at.map(|at| told(before, at)).chain(hours).collect()
            }
            Self::Between(from, to) => {
                let (first, other) = from.until(to, part);
                let open = from.open && to.open && part.is_none();
                let reading = |hours: (Minutes, Minutes), guess: Option<String>| {
                    let (from, to) = (clock(hours.0), clock(hours.1));
                    on.ahead(hours, |day| format!("{day} between {from} and {to}"), guess)
                };
                let other = other.map(|other| reading(other, Some(OTHER_HALF.to_owned())));
                let first = reading(first, open.then(|| guessed(first.0)));
                std::iter::once(first).chain(other).collect()
            }
            Self::Before(to) => {
                let (to, other) = to.likely(part);
                // What is left of today, unless that moment has passed.
                let so_far = minutes_of(now);
                let today = stretch.first == now.date() && lean == Lean::Ahead && so_far < to;
                let from = if today { so_far } else { 0 };
                let spoken = |day: &str| format!("{day} before {}", clock(to));
                vec![on.ahead((from, to.max(from + 1)), spoken, other.map(|_| guessed(to)))]
            }
            Self::After(from) => {
                let (from, other) = from.likely(part);
                let said = format!("{} after {}", stretch.said, clock(from));
                let end = if from < DAY_ENDS { DAY_ENDS } else { from + 60 };
                vec![on.between((from, end), said, other.map(|_| guessed(from)))]
            }
        }
    }
}

const OTHER_HALF: &str = "the other half of the day";

fn guessed(minutes: Minutes) -> String {
    let half = match minutes {
        ..720 => "morning",
        720..1080 => "afternoon",
        _ => "evening",
    };
    format!("took it as the {half}")
}

fn noted(at: Clock) -> Option<String> {
    at.note.and_then(Note::reason).map(str::to_owned)
}

/// The day the hours are on.
struct On<'a> {
    stretch: &'a Stretch,
    whole: &'a Reading,
    now: &'a Zoned,
    lean: Lean,
}

impl On<'_> {
    fn between(
        &self,
        (from, to): (Minutes, Minutes),
        said: String,
        guess: Option<String>,
    ) -> Reading {
        let (stretch, now) = (self.stretch, self.now);
        let reading = Reading {
            said,
            grain: Grain::Hours,
            reason: reasons([self.whole.reason.clone(), guess.clone()]),
            ..self.whole.clone()
        };
        if plus(stretch.first, 1) != stretch.end {
            let daily = Some((civil(from), civil(to)));
            return Reading { daily, grain: stretch.grain, ..reading };
        }
        let skipped = [from, to].into_iter().find_map(|minutes| {
            let landed = Landing::of(stretch.first, minutes, now);
            landed.skipped.then(|| skipped(minutes, &landed.at))
        });
        let range = range(now, (stretch.first, from), (stretch.first, to));
        let reason = reasons([self.whole.reason.clone(), skipped, guess]);
        Reading { range, reason, ..reading }
    }

    /// The same, tomorrow where today's are over and nobody named today.
    fn ahead(
        &self,
        hours: (Minutes, Minutes),
        said: impl Fn(&str) -> String,
        guess: Option<String>,
    ) -> Reading {
        let reading = self.between(hours, said(&self.stretch.said), guess.clone());
        let over = reading.grain == Grain::Hours && reading.range.end <= *self.now;
        if !over || self.lean == Lean::Back {
            return reading;
        }
        if !self.stretch.assumed {
            let reason = reasons([reading.reason, Some("that has passed".to_owned())]);
            return Reading { reason, ..reading };
        }
        let day = plus(self.stretch.first, 1);
        let stretch = Stretch::day(day, "tomorrow");
        let told = Some("that has passed today; took tomorrow".to_owned());
        On { stretch: &stretch, ..*self }.between(hours, said("tomorrow"), reasons([told, guess]))
    }

    /// A point in time, and its other half of the day where nobody said which.
    fn moments(&self, at: Clock, part: Option<Part>) -> Vec<Reading> {
        let stretch = self.stretch;
        // Midnight ends one day and begins another.
        let later = !stretch.assumed && stretch.first > self.now.date() && part.is_none();
        if at.note == Some(Note::Midnight) && later {
            let day = name_of(stretch.first.weekday());
            let ends = format!("took it as the midnight that ends {day}");
            let begins = format!("it may be the midnight that begins {day}");
            let mut both = self.moment(DAY_ENDS, Some(&ends));
            both.extend(self.moment(0, Some(&begins)));
            return both;
        }
        let (likely, other) = sooner(at.likely(part), stretch, self.now);
        let guess = other.map(|_| guessed(likely));
        let mut all = self.moment(likely, reasons([noted(at), guess]).as_deref());
        if let Some(other) = other {
            let guess = reasons([noted(at), Some(OTHER_HALF.to_owned())]);
            all.extend(self.moment(other, guess.as_deref()));
        }
        all
    }

    /// One moment; two where the clocks show it twice.
    fn moment(&self, minutes: Minutes, guess: Option<&str>) -> Vec<Reading> {
        let (stretch, now) = (self.stretch, self.now);
        let landed = Landing::of(stretch.first, minutes, now);
        let ahead = self.lean == Lean::Ahead;
        let gone = landed.at < *now && ahead && landed.second.as_ref().is_none_or(|at| at < now);
        // Whoever says "today" means today, also when it has passed.
        let (landed, day, passed) = if gone && stretch.assumed {
            let clock = spell_clock(landed.at.time());
            let tomorrow = Landing::of(plus(stretch.first, 1), minutes, now);
            (tomorrow, "tomorrow", Some(format!("{clock} has passed today; took tomorrow")))
        } else {
            let told = gone.then(|| "that has passed".to_owned());
            (landed, stretch.said.as_str(), told)
        };
        let reading = |start: Zoned, clocks: Option<String>| {
            let said = self.said(day, minutes, &start);
            let end = start.saturating_add(1.minute());
            let all = [self.whole.reason.clone(), passed.clone(), clocks, guess.map(str::to_owned)];
            let range = DateRange { start, end };
            Reading {
                range,
                grain: Grain::Moment,
                said,
                reason: reasons(all),
                ..self.whole.clone()
            }
        };
        let clock = spell_clock(civil(minutes % DAY_ENDS));
        match landed {
            Landing { at, skipped: true, .. } => {
                let told = skipped(minutes, &at);
                vec![reading(at, Some(told))]
            }
            Landing { at, second: Some(second), .. } => vec![
                reading(at, Some(format!("{clock} comes twice that day; took the first"))),
                reading(second, Some(format!("the second {clock} of that day"))),
            ],
            Landing { at, .. } => vec![reading(at, None)],
        }
    }
}

impl On<'_> {
    /// "On Friday at 3", so that it would be read the same again.
    fn said(&self, day: &str, minutes: Minutes, start: &Zoned) -> String {
        // Clocks put forward over the end of a day land in the night after it.
        let landed = Minutes::from(start.hour()) * 60 + Minutes::from(start.minute());
        let over = minutes < DAY_ENDS && landed < minutes;
        let minutes = if over { DAY_ENDS + landed } else { minutes };
        if minutes == DAY_ENDS && start.hour() == 0 && start.minute() == 0 {
            return match day {
                "today" | "this" => "tonight at midnight".to_owned(),
                _ => format!("{day} night at midnight"),
            };
        }
        let mut clock = spell_clock(start.time());
        // In the evening "today at 9" is to come.
        if self.now.hour() >= LATE && start < self.now && (8..12).contains(&start.hour()) {
            clock += " am";
        }
        let night = minutes > DAY_ENDS;
        match day {
            "today" | "this" if night => format!("tonight at {clock}"),
            _ if night => format!("{day} night at {clock}"),
            _ => format!("{day} at {clock}"),
        }
    }
}

fn skipped(minutes: Minutes, at: &Zoned) -> String {
    let clock = spell_clock(civil(minutes % DAY_ENDS));
    format!("the clocks skip {clock} that day; took {}", spell_clock(at.time()))
}

/// Where a time on the wall is in time.
struct Landing {
    at: Zoned,
    /// The clocks are put back, and show it once more.
    second: Option<Zoned>,
    /// The clocks are put forward over it.
    skipped: bool,
}

impl Landing {
    fn of(date: Date, minutes: Minutes, now: &Zoned) -> Self {
        let at = zoned(now, date, minutes);
        let (date, minutes) =
            if minutes >= DAY_ENDS { (plus(date, 1), minutes - DAY_ENDS) } else { (date, minutes) };
        let wall = now.time_zone().to_ambiguous_zoned(date.to_datetime(civil(minutes)));
        match wall.offset() {
            AmbiguousOffset::Unambiguous { .. } => Self { at, second: None, skipped: false },
            AmbiguousOffset::Gap { .. } => Self { at, second: None, skipped: true },
            AmbiguousOffset::Fold { .. } => Self { at, second: wall.later().ok(), skipped: false },
        }
    }
}

/// Of "eleven today", said in the evening, the night is left.
fn sooner(
    (likely, other): (Minutes, Option<Minutes>),
    stretch: &Stretch,
    now: &Zoned,
) -> (Minutes, Option<Minutes>) {
    let is_past = |minutes| zoned(now, stretch.first, minutes) < *now;
    match other {
        Some(other)
            if !stretch.assumed
                && stretch.first == now.date()
                && now.hour() >= LATE
                && is_past(likely)
                && !is_past(other) =>
        {
            (other, Some(likely))
        }
        _ => (likely, other),
    }
}
