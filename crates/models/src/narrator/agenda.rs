//! The calendar in words.

use brain::facts::{Agenda, Meeting};
use jiff::Zoned;

use super::meeting;
use super::spelling::{capital, clock, count, counted, day, full_clock, hours, list, moment};
use crate::World;
use crate::gist::{AboutAgenda, Detail, Want};

pub fn tell(about: &AboutAgenda, found: &Agenda, world: &World) -> String {
    let now = match &about.zone {
        Some(there) => world.local_now().with_time_zone(there.zone.clone()),
        None => world.local_now(),
    };
    let teller = Teller { about, found, now };
    let told = teller.told(world);
    match &about.zone {
        Some(there) => format!("{told} That's in {}.", there.name),
        None => told,
    }
}

/// What was counted before and not told.
pub fn rest(events: &[Meeting], world: &World) -> String {
    let now = world.local_now();
    let items: Vec<_> = events
        .iter()
        .take(3)
        .map(|event| {
            let start = event.start.with_time_zone(now.time_zone().clone());
            format!("{}, {}", event.title, moment(&start, &now))
        })
        .collect();
    format!("After that {}.", list(&items, events.len() - items.len()))
}

struct Teller<'a> {
    about: &'a AboutAgenda,
    found: &'a Agenda,
    now: Zoned,
}

impl Teller<'_> {
    fn told(&self, world: &World) -> String {
        let (about, found) = (self.about, self.found);
        let total = found.events.len().max(found.total as usize);
        if let Want::Conflicts = about.want {
            return self.conflicts();
        }
        if let Some(told) = about.detail.and_then(|detail| self.detail(detail, total, world)) {
            return told;
        }
        if found.events.is_empty() {
            return self.nothing();
        }
        match about.want {
            Want::One => match found.events.iter().find(|event| event.end > self.now) {
                Some(next) => format!("Next is {}.", self.in_full(next)),
                None => self.several(total),
            },
            Want::Moment => self.moments(),
            Want::Busy => self.busy(total),
            _ => self.several(total),
        }
    }

    /// One thing about it; `None` where only the whole can be told.
    fn detail(&self, detail: Detail, total: usize, world: &World) -> Option<String> {
        let events = &self.found.events;
        let when = self.about.when.as_deref().unwrap_or("today");
        match detail {
            Detail::BackToBack => return Some(meeting::back_to_back(events, when, &self.now)),
            Detail::DayOff => {
                return Some(meeting::day_off(events, self.found.date_range.end.date(), &self.now));
            }
            Detail::Clear if events.is_empty() => {
                return Some(format!("Yes, nothing {when}."));
            }
            Detail::MoreThan(limit) => {
                let yes = if total > limit { "Yes" } else { "No" };
                return Some(format!("{yes}, {} {when}.", self.things(total)));
            }
            Detail::FewerThan(limit) => {
                let yes = if total < limit { "Yes" } else { "No" };
                return Some(format!("{yes}, {} {when}.", self.things(total)));
            }
            _ => {}
        }
        let first = events.first()?;
        match detail {
            Detail::Clear => {
                let shown: Vec<_> = events.iter().take(3).map(|event| self.item(event)).collect();
                Some(format!("No, you have {}.", list(&shown, total - shown.len())))
            }
            Detail::Last => {
                let last = events.iter().max_by_key(|event| &event.start)?;
                let was = if last.end <= self.now { "was" } else { "is" };
                Some(format!("The last {was} {}.", self.in_full(last)))
            }
            Detail::DayEnds => meeting::day_ends(events, when, &self.now),
            Detail::People if self.about.topic.is_none() && self.about.who.is_none() => {
                (events.len() > 1)
                    .then(|| meeting::everybody(events, when, world))
                    .or_else(|| Some(meeting::tell(first, detail, world, &self.now)))
            }
            Detail::Place if self.about.topic.is_none() && events.len() > 1 => None,
            _ => Some(meeting::tell(first, detail, world, &self.now)),
        }
    }

    fn nothing(&self) -> String {
        let who = self.about.who.as_ref().map(|who| format!(" with {who}")).unwrap_or_default();
        let when = self.about.when.as_deref().unwrap_or(match self.about.want {
            Want::One => "in the next two weeks",
            _ if self.is_over() => "in the last two months",
            _ => "in the next two months",
        });
        if let Some(topic) = &self.about.topic {
            let shown: Vec<_> = self.found.alike.iter().map(|one| self.in_full(one)).collect();
            if !shown.is_empty() {
                return format!("I don't see {topic}{who}, but there is {}.", list(&shown, 0));
            }
            return format!("I don't see {topic}{who} on your calendar {when}.");
        }
        match self.about.want {
            Want::Busy => format!("Not at all, nothing {when}."),
            Want::Whether => format!("No, nothing{who} {when}."),
            Want::Count => format!("None {when}."),
            _ => format!("Nothing{who} {when}."),
        }
    }

    /// How many, then the first three that are still to come.
    fn several(&self, total: usize) -> String {
        let yes = if self.about.want == Want::Whether { "Yes, " } else { "" };
        let head = format!("{yes}{}{}", self.things(total), self.circumstance());
        let all = &self.found.events;
        let ahead: Vec<_> = all.iter().filter(|event| event.end > self.now).collect();
        let is_under_way = ahead.len() < all.len() && self.found.date_range.end > self.now;
        let unseen = total - all.len();
        let overlap = self.overlap_note();
        let text = match (all.as_slice(), is_under_way) {
            ([.., last], true) if ahead.is_empty() => {
                format!("{head}, all behind you. The last was {}.", self.item(last))
            }
            (_, true) => {
                let left = counted(ahead.len() + unseen, "is", "are");
                format!("{head}, {left} still to come. {}{overlap}", self.in_order(&ahead, unseen))
            }
            ([one], false) if total == 1 => format!("{head}: {}.", self.item(one)),
            _ => format!(
                "{head}. {}{overlap}",
                self.in_order(&all.iter().collect::<Vec<_>>(), unseen)
            ),
        };
        capital(&text)
    }

    /// "The first is stand-up at 9:30, then lunch at 12 and the review at 3."
    fn in_order(&self, events: &[&Meeting], unseen: usize) -> String {
        let hidden = events.len().saturating_sub(3) + unseen;
        let items: Vec<_> = events.iter().take(3).map(|event| self.item(event)).collect();
        match items.as_slice() {
            [] => String::new(),
            [one] if hidden == 0 => {
                format!("{} {one}.", if self.is_over() { "It was" } else { "It's" })
            }
            [first] => format!("The first {} {first}, then {} more.", self.was(), count(hidden)),
            [first, others @ ..] => {
                format!("The first {} {first}, then {}.", self.was(), list(others, hidden))
            }
        }
    }

    fn is_over(&self) -> bool {
        self.found.date_range.end <= self.now
    }

    fn was(&self) -> &'static str {
        if self.is_over() { "was" } else { "is" }
    }

    fn busy(&self, total: usize) -> String {
        let minutes: i64 = self
            .found
            .events
            .iter()
            .filter(|event| !event.all_day)
            .map(|event| event.start.duration_until(&event.end).as_mins())
            .sum();
        let days = self.found.date_range.start.duration_until(&self.found.date_range.end);
        let per_day = minutes / (days.as_hours() / 24).max(1);
        let verdict = match per_day {
            ..120 => "Fairly quiet",
            120..300 => "A fair amount",
            _ => "Pretty full",
        };
        let hours = usize::try_from((minutes + 30) / 60).unwrap_or(0);
        let sum = match hours {
            0 => "less than an hour",
            1 => "about an hour",
            hours => &format!("about {} hours", count(hours)),
        };
        let things = self.things(total);
        let first = self.found.events.first().map(|event| self.item(event)).unwrap_or_default();
        let when = self.circumstance();
        let overlap = self.overlap_note();
        format!(
            "{verdict}: {things}{when}, {sum} in all. The first {} {first}.{overlap}",
            self.was()
        )
    }

    fn moments(&self) -> String {
        let [first, others @ ..] = self.found.events.as_slice() else { return self.nothing() };
        if self.found.date_range.end <= self.now
            && self.about.when.is_none()
            && let Some(last) = others.last().or(Some(first))
        {
            return format!("The last was {}.", self.in_full(last));
        }
        let is = if first.end <= self.now { "was" } else { "is" };
        let said = format!("{} {is} {}.", first.title, self.at(first, true));
        match others.first() {
            Some(next) if next.title == first.title => {
                format!("{said} After that {}.", self.at(next, true))
            }
            Some(next) => format!("{said} Then {}.", self.in_full(next)),
            None => said,
        }
    }

    fn conflicts(&self) -> String {
        let pairs = pairs(&self.found.events);
        let when = self.about.when.as_deref().unwrap_or("in the next days");
        let Some((one, other)) = pairs.first() else {
            return format!("No, nothing overlaps {when}.");
        };
        let (start, end) = ((&one.start).max(&other.start), (&one.end).min(&other.end));
        let here = |time: &Zoned| time.with_time_zone(self.now.time_zone().clone());
        let (start, end) = (here(start), here(end));
        let at = format!("{} {}", day(start.date(), self.now.date()), hours(&start, &end));
        let more = match pairs.len() - 1 {
            0 => String::new(),
            1 => " One more pair overlaps.".to_owned(),
            more => format!(" {} more pairs overlap.", capital(&count(more))),
        };
        format!("Yes. {} and {} overlap, {at}.{more}", one.title, other.title)
    }

    fn overlap_note(&self) -> String {
        match pairs(&self.found.events).as_slice() {
            [] => String::new(),
            [_] => " Two of them overlap.".to_owned(),
            _ => " Some of them overlap.".to_owned(),
        }
    }

    /// Things with other people in them are meetings.
    fn things(&self, total: usize) -> String {
        let meetings = self.found.events.iter().all(|event| !event.attendees.is_empty());
        if meetings {
            counted(total, "meeting", "meetings")
        } else {
            counted(total, "thing", "things")
        }
    }

    fn circumstance(&self) -> String {
        let who = self.about.who.as_ref().map(|who| format!(" with {who}")).unwrap_or_default();
        let when = self.about.when.as_ref().map(|when| format!(" {when}")).unwrap_or_default();
        format!("{who}{when}")
    }

    fn item(&self, event: &Meeting) -> String {
        let one_day = self.found.date_range.start.duration_until(&self.found.date_range.end);
        format!("{} {}", event.title, self.at(event, one_day.as_hours() > 25))
    }

    /// With the day and the place, for one that is told alone.
    fn in_full(&self, event: &Meeting) -> String {
        let place = event.location.as_ref().filter(|place| !place.contains("://"));
        let place = place.map(|place| format!(", {place}")).unwrap_or_default();
        format!("{}, {}{place}", event.title, self.at(event, true))
    }

    /// A missed flight is worse than a long sentence, and so is a call in
    /// another zone.
    fn clock_of(&self, event: &Meeting, start: &Zoned) -> String {
        let title = event.title.to_lowercase();
        let travel = ["flight", "fly ", "train to", "airport", "departure", "boarding"];
        let matters = self.about.zone.is_some() || travel.iter().any(|word| title.contains(word));
        if matters { full_clock(start) } else { clock(start) }
    }

    fn at(&self, event: &Meeting, with_day: bool) -> String {
        let start = event.start.with_time_zone(self.now.time_zone().clone());
        let day = day(start.date(), self.now.date());
        match (event.all_day, with_day) {
            (true, true) => format!("all day {day}"),
            (true, false) => "all day".to_owned(),
            (false, true) => format!("{day} at {}", self.clock_of(event, &start)),
            (false, false) => format!("at {}", self.clock_of(event, &start)),
        }
    }
}

/// Events that run at the same time, each pair once.
fn pairs(events: &[Meeting]) -> Vec<(&Meeting, &Meeting)> {
    let mut pairs = Vec::new();
    for (place, one) in events.iter().enumerate() {
        for other in &events[place + 1..] {
            if one.conflicts_with.contains(&other.event_id)
                || other.conflicts_with.contains(&one.event_id)
            {
                pairs.push((one, other));
            }
        }
    }
    pairs
}
