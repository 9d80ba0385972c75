//! When it is to be, and what is offered where nobody said exactly.

use brain::resolve::time::{self, Grain, Lean, Reading, When};
use brain::resolve::words::{Word, words};
use jiff::Zoned;

use super::{Draft, LONGEST};
use crate::focus::{Awaited, Choice, Missing, Unclear};
use crate::gist::NotYet;
use crate::reflex::follow::{is_of_the_clock, names_no_day};
use crate::reflex::propose::{self, Meal, Offer};
use crate::reflex::vocabulary::is_any;
use crate::reflex::{Meaning, Question, Want, sentence, writes};

impl Draft<'_> {
    /// When it is to be. An hour without a day is on the day of the mail
    /// before it, where that names one.
    pub(super) fn when(&mut self, written: &[Word], before: &[Word]) -> Vec<Reading> {
        let now = self.world.local_now();
        let find = |words: &[Word]| time::find(words, &now, Lean::Ahead);
        let Some(found) = find(self.words) else {
            // "What's on Thursday, and book lunch with Tom".
            let day = find(before).filter(is_one_day);
            let Some(said) = find(written) else {
                return day.map_or_else(Vec::new, |when| when.readings);
            };
            let hour: Vec<Word> = said.words.iter().map(|&at| written[at].clone()).collect();
            // "Noon works and put it on my calendar": on which day, nobody said.
            let dated = if names_no_day(&hour) { Vec::new() } else { said.readings };
            return on_day(&hour, before, &now).unwrap_or(dated);
        };
        let own: Vec<Word> = found.words.iter().map(|&at| self.words[at].clone()).collect();
        let is_day = found.readings.first().is_some_and(|reading| reading.grain == Grain::Day);
        for &at in &found.words {
            self.taken[at] = true;
        }
        self.times.clone_from(&found.words);
        if let Some(dated) = on_day(&own, written, &now) {
            return dated;
        }
        // "Noon works and put it on my calendar on Thursday"
        let told = find(written).filter(|_| is_day);
        let hour: Vec<Word> = told.map_or_else(Vec::new, |said| {
            said.words.iter().map(|&at| written[at].clone()).collect()
        });
        let undated = !hour.is_empty() && names_no_day(&hour);
        if let Some(dated) = on_day(&hour, &own, &now).filter(|_| undated) {
            return dated;
        }
        // "Book lunch on Friday at noon and gym at 7:30 that evening"
        let event = last_event(before);
        let day: Vec<Word> = find(event).map_or_else(Vec::new, |when| {
            let named = when.words.iter().map(|&at| event[at].clone());
            named.filter(|word| !is_of_the_clock(&word.text)).collect()
        });
        if let Some(dated) = on_day(&own, &day, &now) {
            return dated;
        }
        let that =
            |&at: &usize| [at, at.wrapping_sub(1)].into_iter().find(|&at| self.text(at) == "that");
        let points = found.words.iter().find_map(that).filter(|_| names_no_day(&own));
        match self.day_of(event) {
            Some(day) if points.is_some() => on_day(&own, &words(&day), &now).unwrap_or_default(),
            None if points.is_some() => {
                self.undated = points;
                Vec::new()
            }
            _ => found.readings,
        }
    }

    /// "At 7:30 that evening": which evening that is, nobody said.
    pub(super) fn wants_day(&self) -> Option<Meaning> {
        let that = &self.words[self.undated?];
        Some(Meaning::Want(Want {
            question: "Which day is that?".to_owned(),
            awaited: Awaited {
                what: Missing::Time,
                before: self.heard[..that.start].trim_end().to_owned(),
                after: self.heard[that.end..].to_owned(),
                day: None,
                instead_of: None,
            },
        }))
    }

    /// "At 8 his time": nobody knows where that is.
    pub(super) fn wants_my_time(&self) -> Option<Meaning> {
        const THEIRS: &[&str] = &["his", "her", "their"];
        let theirs = |at: &usize| is_any(self.text(*at), THEIRS) && self.text(at + 1) == "time";
        let at = (1..self.words.len()).find(theirs).filter(|&at| !self.words[at].quoted)?;
        let question = "What time is that for you?".to_owned();
        let mut awaited = self.awaits_time();
        // Whatever is answered is one's own.
        let said = &self.heard[self.words[at].start..self.words[at + 1].end];
        awaited.after = awaited.after.replacen(said, "", 1);
        Some(Meaning::Want(Want { question, awaited }))
    }

    /// The day of something on the calendar that was told of and is named here.
    fn day_of(&self, event: &[Word]) -> Option<String> {
        let named = |title: &str| {
            let title = words(title);
            event.windows(title.len().max(1)).any(|row| {
                !title.is_empty() && row.iter().zip(&title).all(|(one, other)| one.is(&other.text))
            })
        };
        let focus = &self.world.focus;
        let mut told = focus.meetings.iter().chain(&focus.meeting);
        let start = &told.find(|meeting| named(&meeting.title))?.start;
        Some(start.strftime("%B %-d").to_string())
    }

    /// Nobody has dinner at eight in the morning, unless they say so. "Tell Tom
    /// dinner is at eight and book it" books a dinner, too.
    pub(super) fn in_the_evening(
        &self,
        mut readings: Vec<Reading>,
        written: &[Word],
    ) -> Vec<Reading> {
        let spoken_of = if self.times.is_empty() { written } else { &[] };
        let mut words = self.words.iter().chain(spoken_of);
        let dines = words.any(|word| Meal::of(&word.text) == Some(Meal::Dinner));
        let early = |reading: &Reading| reading.range.start.hour() < 12;
        let is_moment = |reading: &Reading| reading.grain == Grain::Moment;
        let other = readings.iter().position(|other| {
            readings.first().is_some_and(|first| {
                is_moment(first) && is_moment(other) && early(first) && !early(other)
            })
        });
        if let Some(other) = other.filter(|_| dines) {
            readings.swap(0, other);
        }
        readings
    }

    /// "On Monday, Wednesday and Friday": one of them was read, and one event
    /// is not what was asked for.
    pub(super) fn other_days(&self) -> Option<String> {
        let is_day = |at: usize| {
            let word = self.words.get(at)?;
            let free = self.is_free(at) && !word.quoted;
            (free && time::weekday_named(&word.text, true).is_some()).then_some(at)
        };
        let first = (0..self.words.len()).find_map(is_day)?;
        let listed = |at: usize| self.text(at) == "and" || is_day(at).is_some();
        let linked = first > 0 && self.text(first - 1) == "and" || listed(first + 1);
        let last = (first..self.words.len()).take_while(|&at| listed(at)).last()?;
        let said = &self.heard[self.words[first].start..self.words[last].end];
        linked.then(|| format!("“{said}”"))
    }

    /// "Dentist at 9 and the vet tuesday at 10": two things, of which one was read.
    pub(super) fn other_times(&self) -> Option<String> {
        let first = *self.times.first()?;
        let and = (first..self.words.len()).find(|&at| {
            self.is_free(at) && is_any(self.text(at), &["and", "then"]) && !self.words[at].quoted
        })?;
        let rest: Vec<Word> = (and + 1..self.words.len())
            .filter(|&at| self.is_free(at) && !self.words[at].quoted)
            .map(|at| self.words[at].clone())
            .collect();
        let when = time::find(&rest, &self.world.local_now(), Lean::Ahead)?;
        let exact = matches!(when.readings.first()?.grain, Grain::Moment | Grain::Hours);
        let (start, end) = (rest.first()?.start, rest.last()?.end);
        (exact && when.words.len() < rest.len()).then(|| format!("“{}”", &self.heard[start..end]))
    }

    /// "Between one and three", rather than "from one to three".
    pub(super) fn says_between(&self) -> bool {
        self.times.iter().any(|&at| self.text(at) == "between")
    }

    /// "At 3 or 4": which of the two?
    pub(super) fn which_hour(&self) -> Option<Question> {
        let last = *self.times.last()?;
        let or = last + 1;
        let is_or = self.is_free(or) && self.text(or) == "or";
        let other = or + 1 + usize::from(self.text(or + 1) == "at");
        let clock = |at: usize| {
            let texts: Vec<&str> = self.words[at..].iter().map(|word| word.text.as_str()).collect();
            time::cardinal(&texts).is_some() || is_of_the_clock(self.text(at))
        };
        if !is_or || !self.is_free(other) || !clock(other) || !is_of_the_clock(self.text(last)) {
            return None;
        }
        let text = |at: usize| self.heard[self.words[at].start..self.words[at].end].to_owned();
        let (first, second) = (text(last), text(other));
        Some(Question {
            about: Unclear::Time,
            lead: None,
            span: self.words[last].start..self.words[other].end,
            choices: vec![(first.clone(), first), (second.clone(), second)],
        })
    }

    /// "Friday the 20th or Friday the 27th?"
    pub(super) fn which_day(&self, readings: &[Reading]) -> Option<Question> {
        let first = readings.first()?;
        let date = |reading: &Reading| reading.range.start.date();
        // Three in the morning instead of the afternoon is told, not asked.
        let same_clock = |other: &&Reading| {
            first.grain != Grain::Moment || other.range.start.time() == first.range.start.time()
        };
        let mut others = readings.iter().filter(same_clock);
        let other = others.find(|other| date(other) != date(first))?;
        let now = self.world.local_now();
        let when = time::find(self.words, &now, Lean::Ahead)?;
        let (start, end) = (when.words.first()?, when.words.last()?);
        let choice = |reading: &Reading| {
            let said = reading.said.trim_start_matches("on ");
            let clock = match reading.grain {
                Grain::Moment => format!(" at {}", reading.range.start.strftime("%H:%M")),
                Grain::Hours => {
                    let (start, end) = (&reading.range.start, &reading.range.end);
                    format!(" from {} to {}", start.strftime("%H:%M"), end.strftime("%H:%M"))
                }
                _ => String::new(),
            };
            (said.to_owned(), format!("on {}{clock}", date(reading)))
        };
        let span = self.words[*start].start..self.words[*end].end;
        let choices = vec![choice(first), choice(other)];
        Some(Question { about: Unclear::Time, lead: None, span, choices })
    }

    /// A few free starts to choose from, within the time that was named.
    pub(super) fn offer(&self, reading: Option<&Reading>) -> Meaning {
        let now = self.world.local_now();
        let usual = self.world.profile.default_meeting_minutes;
        let minutes = self.minutes.unwrap_or(usual).clamp(5, LONGEST);
        let said = reading.map(|reading| reading.said.clone());
        let meal = self.words.iter().find_map(|word| Meal::of(&word.text));
        match propose::offer(reading, minutes, meal, self.world) {
            Offer::Look(lookup) => Meaning::Later { lookups: vec![*lookup], missing: "start" },
            Offer::Full => {
                let said = said.unwrap_or_else(|| "in the coming week".to_owned());
                let question = format!("You have no room {said}. When else?");
                Meaning::Want(Want { question, awaited: self.awaits_time() })
            }
            Offer::Starts(starts) => {
                let names = propose::called(&starts, &now);
                let Awaited { before, after, .. } = self.awaits_time();
                let choice = |(name, start): (&String, &Zoned)| {
                    let sentence = format!("{before} {}{after}", propose::spelled(start));
                    Choice::new(Unclear::Time, name, sentence)
                };
                let question = propose::question(&starts, said.as_deref(), &now);
                let choices = names.iter().zip(&starts).map(choice).collect();
                Meaning::Choose { question, choices, awaited: Some(self.awaits_time()) }
            }
        }
    }

    /// "Put the deadline in my calendar": it has its time, which nobody can choose.
    pub(super) fn is_fixed(&self) -> bool {
        const FIXED: &[&str] = &[
            "deadline",
            "date",
            "dates",
            "birthday",
            "flight",
            "party",
            "concert",
            "delivery",
            "anniversary",
            "wedding",
            "exam",
            "match",
            "game",
            "show",
            "train",
        ];
        let puts = is_any(self.text(0), &["put", "add", "enter", "note"]);
        let the = |at: &usize| is_any(self.text(*at), &["the", "that", "her", "his", "their"]);
        let named = (1..self.words.len().min(4)).find(the);
        puts && self.people.is_empty()
            && named.is_some_and(|at| {
                (at + 1..self.words.len().min(at + 4)).any(|at| is_any(self.text(at), FIXED))
            })
    }

    /// When it is, rather than when there is room.
    pub(super) fn wants_its_time(&self) -> Meaning {
        let fixed = |word: &&Word| !is_any(&word.text, &["the", "that"]);
        let title: Vec<&str> = (1..self.words.len())
            .filter(|&at| self.is_free(at))
            .map(|at| &self.words[at])
            .filter(fixed)
            .map(|word| &self.heard[word.start..word.end])
            .collect();
        let question = format!("When is the {}?", title.join(" "));
        Meaning::Want(Want { question, awaited: self.awaits_time() })
    }

    /// A morning that is blocked begins with work, not at dawn.
    pub(super) fn opening(&self, reading: &Reading) -> Zoned {
        let (start, hours) = (&reading.range.start, &self.world.profile.working_hours);
        let works = hours.includes(start.date().weekday());
        let opens = start.with().time(hours.start).build().ok();
        let later = opens.filter(|opens| works && start < opens && *opens < reading.range.end);
        later.unwrap_or_else(|| start.clone())
    }

    /// What it would be, and whether that was meant.
    pub(super) fn wants_hours(&self, reading: &Reading) -> Meaning {
        let hours = reading.range.end.duration_since(&reading.range.start).as_hours();
        let question = format!("That would be {hours} hours. When should it be?");
        Meaning::Want(Want { question, awaited: self.awaits_time() })
    }

    /// The request without the time it named; a better one goes in there.
    pub(super) fn awaits_time(&self) -> Awaited {
        let end = self.words.last().map_or(self.heard.len(), |last| last.end);
        let hole = match (self.times.first(), self.times.last()) {
            (Some(&first), Some(&last)) if last - first + 1 == self.times.len() => {
                self.words[first].start..self.words[last].end
            }
            _ => end..end,
        };
        let after = self.heard[hole.end..].trim_end_matches(['.', '?', '!', ' ']);
        Awaited {
            what: Missing::Time,
            before: self.heard[..hole.start].trim_end().to_owned(),
            after: after.to_owned(),
            day: Some(self.heard[hole].to_owned()).filter(|day| !day.is_empty()),
            instead_of: None,
        }
    }
}

/// Into the next morning, for longer than anybody sits together.
pub(super) fn is_overnight(reading: &Reading) -> bool {
    let (start, end) = (&reading.range.start, &reading.range.end);
    start.date() != end.date() && end.duration_since(start).as_hours() > 6
}

/// The request for the calendar that was said last.
fn last_event(before: &[Word]) -> &[Word] {
    let starts = |at: &usize| {
        let link = at.checked_sub(1).map(|before_it| &before[before_it]);
        let first =
            link.is_none_or(|link| link.stop.is_some() || is_any(&link.text, &["and", "then"]));
        first && writes::read(sentence::bare(&before[*at..])) == Some(NotYet::Calendar)
    };
    (0..before.len()).rev().find(starts).map_or(&[], |at| &before[at..])
}

/// An hour without a day is on the day that was spoken of before it.
fn on_day(hour: &[Word], spoken: &[Word], now: &Zoned) -> Option<Vec<Reading>> {
    let find = |words: &[Word]| time::find(words, now, Lean::Ahead);
    if !names_no_day(hour) {
        return None;
    }
    let day = find(spoken)?.words.into_iter().map(|at| spoken[at].clone());
    let both: Vec<Word> = day.chain(hour.iter().cloned()).collect();
    Some(find(&both).filter(|when| when.words.len() == both.len())?.readings)
}

fn is_one_day(when: &When) -> bool {
    when.readings.first().is_some_and(|reading| matches!(reading.grain, Grain::Day | Grain::Part))
}
