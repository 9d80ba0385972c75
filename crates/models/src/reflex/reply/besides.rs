//! "Yes. And what's on Friday?": an answer to a card, and behind it something else.
//!
//! Each half is read by itself. The first has to be an answer from its first word to
//! its last; behind a yes, nothing may take it back, change the card or ask about it,
//! or it is no yes and the card waits.

use brain::card::Preview;
use brain::resolve::words::{Word, words};

use super::half::says_yes;
use super::{CardView, Reply, alone, waits_of};
use crate::focus::Missing;
use crate::gist::{Chat, Gist, Meanwhile};
use crate::reflex::consent::{self, Consent, LINKS};
use crate::reflex::slips;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};
use crate::{Understanding, World};

/// Nobody puts an answer behind so many words.
const LATEST: usize = 24;
/// A yes has fewer words.
const LONGEST_YES: usize = 12;

/// Where a sentence could be two, and what each of them would say.
#[derive(Clone, Copy)]
struct Halves<'a> {
    heard: &'a str,
    said: &'a str,
    rest: &'a str,
    /// "Then" stands between them: one after the other.
    then: bool,
    /// The words of the rest, without what links it.
    words: &'a [Word],
    cut: Cut,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// A full stop, or the like.
    Sentence,
    /// "And", or a comma.
    Link,
    /// Nothing at all: "no what's on Friday".
    Nothing,
}

/// Reads what was said to these cards, and what was said besides.
pub fn read(heard: &str, cards: &[CardView<'_>], world: &World) -> Reply {
    let whole = alone(heard, cards, world);
    if matches!(whole, Reply::Accept { .. } | Reply::Keep { .. } | Reply::Which { .. }) {
        return whole;
    }
    let all = slips::answered(heard, &world.contacts);
    let found = halves(heard, &all);
    let is_change = matches!(whole, Reply::Revise { .. });
    let mut agreed = None;
    for half in found.iter().filter(|half| !is_change && half.may_agree()) {
        let Reply::Accept { card, names_recipient } = alone(half.said, cards, world) else {
            continue;
        };
        agreed = Some(card);
        if let Some(rest) = half.reminds(&cards[card], world).filter(|_| is_plain(half.said)) {
            let answer = Box::new(Reply::Accept { card, names_recipient });
            return Reply::Besides { answer, said: half.said.to_owned(), rest };
        }
        if half.cut != Cut::Nothing && is_plain(half.said) && half.follows_yes(cards, world) {
            return half.besides(Reply::Accept { card, names_recipient });
        }
    }
    let undecided = matches!(
        whole,
        Reply::Hold { .. } | Reply::CannotRevise { .. } | Reply::NotAnAnswer | Reply::Reject { .. }
    );
    let parted = |half: &&Halves<'_>| (half.cut == Cut::Sentence || undecided) && half.begins();
    let other = found.iter().filter(parted).find_map(|half| {
        let answer = alone(half.said, cards, world);
        let fits = match answer {
            Reply::Reject { .. } => half.refuses() && half.is_request(cards, world),
            Reply::Revise { .. } => half.cut != Cut::Nothing && half.is_aside(cards, world),
            _ => false,
        };
        fits.then(|| half.besides(answer))
    });
    match (other, agreed, whole) {
        (Some(other), ..) => other,
        // Whatever else was wanted, a yes is not dropped without a word.
        (None, Some(card), Reply::NotAnAnswer) => waits_of(cards, card),
        (None, _, whole) => whole,
    }
}

impl Halves<'_> {
    /// Could the first of them be a yes? Most sentences need no second look.
    fn may_agree(&self) -> bool {
        let said = words(self.said);
        let orders =
            |word: &Word| is_any(&word.text, &["go", "do", "ship", "confirmed", "approved"]);
        said.len() <= LONGEST_YES && (says_yes(&said) || said.iter().any(orders))
    }

    /// Does the rest begin like something that is wanted?
    fn begins(&self) -> bool {
        const ORDERS: &[&str] = &[
            "make", "add", "create", "invite", "send", "reply", "draft", "respond", "answer", "let",
        ];
        let texts: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        let leads = |first: &&str| is_any(first, ORDERS) || is_any(first, consent::ASKS);
        consent::asks_more(&texts) || texts.first().is_some_and(leads)
    }

    fn besides(&self, answer: Reply) -> Reply {
        let (said, rest) = (self.said.to_owned(), self.rest.to_owned());
        Reply::Besides { answer: Box::new(answer), said, rest }
    }

    /// What it means without any card, where it says nothing about one.
    fn elsewhere(&self, cards: &[CardView<'_>], world: &World) -> Option<Understanding> {
        let apart = matches!(alone(self.rest, cards, world), Reply::NotAnAnswer);
        apart.then(|| crate::reflex::read(self.rest, world))
    }

    fn is_aside(&self, cards: &[CardView<'_>], world: &World) -> bool {
        self.elsewhere(cards, world).is_some_and(|understood| understood.gist.is_aside())
    }

    /// Nothing but a no: "no, take out the last bit" is a wish.
    fn refuses(&self) -> bool {
        const ITS: &[&str] = &[
            "it", "that", "this", "the", "leave", "send", "book", "add", "want", "to", "i", "do",
            "not", "just", "please", "thanks", "skip", "mail", "email", "meeting", "one", "first",
            "event", "reply", "all", "then", "ok", "okay", "oh", "well", "mind", "never", "them",
        ];
        let refused = |word: &Word| consent::read(&word.text) == Consent::Reject;
        words(self.said).iter().all(|word| is_any(&word.text, ITS) || refused(word))
    }

    /// Something that would be understood by itself. A sentence of its own is heard even
    /// where it is not: then that is said.
    fn is_request(&self, cards: &[CardView<'_>], world: &World) -> bool {
        self.elsewhere(cards, world).is_some_and(|understood| {
            if self.cut == Cut::Sentence {
                return true;
            }
            let acts = !understood.proposal.steps.is_empty() || understood.question.is_some();
            (acts || understood.gist.is_aside()) && !misses(&understood.gist)
        })
    }

    /// May this stand behind a yes? Only what neither takes it back nor could be about
    /// what is on the card.
    fn follows_yes(&self, cards: &[CardView<'_>], world: &World) -> bool {
        let texts: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        // What somebody else is to hear says nothing about the card.
        let dictated = self.dictated(world);
        let (ours, theirs) = texts.split_at(dictated.unwrap_or(texts.len()));
        // "Tell me when you are done" is about the very thing.
        let of_us = ours.iter().any(|text| is_any(text, &["you", "your"]));
        let takes_back = consent::takes_back(ours) || consent::breaks_off(theirs);
        if of_us || !consent::asks_more(&texts) || takes_back {
            return false;
        }
        let Some(understood) = self.elsewhere(cards, world) else { return false };
        if understood.gist.is_aside() {
            return true;
        }
        let refers = ours.iter().any(|text| is_any(text, REFERS));
        let whole = understood.question.is_none()
            && understood.rest.is_none()
            && !understood.proposal.steps.is_empty();
        let new = is_new(&understood.gist)
            || dictated.is_some() && matches!(understood.gist, Gist::Reply { .. });
        whole && !refers && new && (self.then || !is_for_them(&understood, cards))
    }

    /// "… and remind me on Friday evening" does not say of what, and is asked about next.
    /// Without an "and" it may put the card off: "yes, remind me later".
    fn reminds(&self, card: &CardView<'_>, world: &World) -> Option<String> {
        if !matches!(card.preview, Preview::Event(_)) {
            return None;
        }
        let linked = self.heard[self.said.len()..].trim_start_matches([',', ' ']);
        let texts: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        let added = linked.to_lowercase().starts_with("and ") && self.cut == Cut::Link;
        let timed = texts.starts_with(&["remind", "me"]) && texts.len() > 2;
        let takes_back = consent::takes_back(&texts) || consent::breaks_off(&texts);
        let refers = texts.iter().any(|text| is_any(text, REFERS));
        if !added || !timed || takes_back || refers {
            return None;
        }
        let read = crate::reflex::read(self.rest, world);
        let lacks_words = read.awaited.is_some_and(|awaited| awaited.what == Missing::Words);
        lacks_words.then(|| self.rest.to_owned())
    }

    /// Where the words begin that people we know are to hear: "email Omar that …".
    fn dictated(&self, world: &World) -> Option<usize> {
        const TELLS: &[&str] = &["email", "mail", "tell", "ask", "write", "message", "let"];
        if let [remind, me, rest @ ..] = self.words
            && remind.is("remind")
            && me.is("me")
        {
            // What one is to do then says nothing about the card either.
            return rest.iter().position(|word| word.is("to")).map(|at| at + 2);
        }
        self.words.first().filter(|verb| is_any(&verb.text, TELLS))?;
        let to = self.words.get(1).is_some_and(|next| next.is("to"));
        let (people, end) = whom::list(self.words, 1 + usize::from(to), self.heard, world);
        let known =
            !people.is_empty() && people.iter().all(|one| matches!(one, Whom::Known { .. }));
        (known && end < self.words.len()).then_some(end)
    }
}

/// Is it for somebody on a card? Then it may be meant for that card. What a guest is
/// written is another thing than the event.
fn is_for_them(understood: &Understanding, cards: &[CardView<'_>]) -> bool {
    let steps = understood.proposal.steps.iter();
    let args: Vec<String> = steps.map(|step| step.args.to_string().to_lowercase()).collect();
    let there = |address: &str| args.iter().any(|args| args.contains(address));
    let apart = |card: &&CardView<'_>| {
        let writes = matches!(understood.gist, Gist::Mail { .. } | Gist::Reply { .. });
        writes && matches!(card.preview, Preview::Event(_))
    };
    cards
        .iter()
        .filter(|card| !apart(card))
        .flat_map(|card| card.preview.recipients())
        .any(|one| there(&one.address.to_lowercase()))
}

/// Words that point at something, perhaps at the card.
const REFERS: &[&str] = &[
    "it",
    "that",
    "this",
    "them",
    "they",
    "him",
    "her",
    "he",
    "she",
    "his",
    "their",
    "too",
    "also",
    "same",
    "again",
    "there",
    "both",
    "everyone",
    "everybody",
    "one",
];

/// A yes that is said in so many words: "sure" begins many a sentence.
fn is_plain(said: &str) -> bool {
    let bare = |c: char| !c.is_alphanumeric();
    !is_any(&said.trim_matches(bare).to_lowercase(), &["sure", "absolutely", "definitely"])
}

/// Something that asks before it is done, or that only its person hears of.
fn is_new(gist: &Gist) -> bool {
    match gist {
        Gist::Mail { .. }
        | Gist::Booking { .. }
        | Gist::Meanwhile(Meanwhile::Remind { .. } | Meanwhile::Work { .. }) => true,
        Gist::Several(parts) => parts.iter().all(|part| part.is_aside() || is_new(part)),
        _ => false,
    }
}

fn misses(gist: &Gist) -> bool {
    match gist {
        Gist::Chat(chat) => matches!(chat, Chat::Missed(_) | Chat::Lost | Chat::Hangs),
        Gist::Several(parts) => parts.iter().any(misses),
        _ => false,
    }
}

/// Every place where the sentence could be two. What is dictated is one.
fn halves<'a>(heard: &'a str, words: &'a [Word]) -> Vec<Halves<'a>> {
    let mut found = Vec::new();
    for at in 1..words.len().min(LATEST) {
        let (before, next) = (&words[at - 1], &words[at]);
        let Some(gap) = heard.get(before.end..next.start) else { continue };
        // Dots and marks of that kind leave open how it was meant.
        let doubtful = |c: char| matches!(c, '?' | '…' | '"' | '“' | '”' | ':' | '(' | '/');
        if before.quoted || gap.contains(':') {
            break;
        }
        if gap.contains(doubtful) || gap.contains("..") {
            continue;
        }
        let links = words[at..].iter().take_while(|word| is_any(&word.text, LINKS)).count();
        let cut = match before.stop {
            Some(',') => Cut::Link,
            Some(_) => Cut::Sentence,
            None if links > 0 => Cut::Link,
            None if at == 1 && is_any(&before.text, consent::OPENERS) => Cut::Nothing,
            None => continue,
        };
        let Some(first) = words.get(at + links) else { continue };
        if cut == Cut::Nothing && !is_any(&first.text, consent::ASKS) {
            continue;
        }
        let (said, rest) = (&heard[..before.end], &heard[first.start..]);
        let then = words[at..at + links].iter().any(|word| word.is("then"));
        found.push(Halves { heard, said, rest, then, words: &words[at + links..], cut });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::tests::{lunch, mail, outline, to};
    use crate::reflex::reply::Reply;

    #[test]
    fn a_yes_counts_and_what_is_asked_behind_it_is_heard() {
        for (heard, rest) in [
            ("yes, and what's on Friday", "what's on Friday"),
            ("yes, and what meetings do I have tomorrow?", "what meetings do I have tomorrow?"),
            ("yes. and what's my first thing tomorrow", "what's my first thing tomorrow"),
            ("Yes, send it. What's on tomorrow?", "What's on tomorrow?"),
            ("send it and then tell me what's on friday", "tell me what's on friday"),
            ("yes please, and is there any mail from Dana", "is there any mail from Dana"),
            (
                "yes send it and remind me tomorrow at nine to call the bank",
                "remind me tomorrow at nine to call the bank",
            ),
            (
                "yes, and book lunch with Ana on Friday at noon",
                "book lunch with Ana on Friday at noon",
            ),
            ("yes, then email Lena that the glass is here", "email Lena that the glass is here"),
            ("yep go ahead, then ask Lena if it is ready", "ask Lena if it is ready"),
            ("yes and tell Lena that I'm not coming", "tell Lena that I'm not coming"),
            ("send it, then tell Priya I'm late", "tell Priya I'm late"),
            (
                "send it then remind me on Thursday at nine to chase him",
                "remind me on Thursday at nine to chase him",
            ),
            ("yes and then whats my next meeting", "whats my next meeting"),
        ] {
            let reply = to(heard, &[mail()]);
            let Reply::Besides { answer, rest: heard_next, .. } = &reply else {
                panic!("{heard}: {reply:?}")
            };
            assert!(matches!(**answer, Reply::Accept { card: 0, .. }), "{heard}: {reply:?}");
            assert_eq!(heard_next, rest, "{heard}");
        }
    }

    #[test]
    fn a_guest_may_be_written_to_behind_a_yes() {
        for heard in ["yes, then email tom that pulp is fine", "yes, and tell Priya that I'm late"]
        {
            let reply = to(heard, &[lunch()]);
            assert_eq!(reply.accepts(), Some(0), "{heard}: {reply:?}");
        }
    }

    #[test]
    fn a_reminder_behind_a_yes_may_lack_its_words() {
        for (heard, rest) in [
            ("yep and remind me friday evening", "remind me friday evening"),
            ("yes, and remind me tomorrow at 9", "remind me tomorrow at 9"),
            ("book it and remind me on thursday morning", "remind me on thursday morning"),
        ] {
            assert_eq!(
                outline(&to(heard, &[lunch()])),
                format!("accept 0, then {rest}"),
                "{heard}"
            );
            assert_eq!(to(heard, &[mail()]).accepts(), None, "{heard}");
        }
        for heard in [
            "yes, remind me tomorrow",
            "yes and remind me later if it rains",
            "yes and remind me friday, no wait",
            "sure and remind me friday evening",
        ] {
            assert_eq!(to(heard, &[lunch()]).accepts(), None, "{heard}");
        }
    }

    #[test]
    fn behind_a_yes_nothing_may_be_about_the_card_or_take_it_back() {
        for heard in [
            "yes, and add that I'm late",
            "yes, and cc Dana",
            "yes, and send it to Dana too",
            "yes, then email Lena that it is fine, no wait",
            "yes, and tell her I'm late",
            "yes, but what's on Friday",
            "Yes, when I'm back.",
            "yes, and when he is in",
            "yes, where I said",
            "yes, what I said",
            "yes, how I like it",
            "yes. who knows",
            "yes, is it",
            "yes, do you",
            "yes, are you sure",
            "yes, did he pay",
            "yes, once I am free on Friday",
            "yes, any day",
            "yes, tell me when you are done",
            "yes, and don't tell anyone",
            "yes, what's on Friday? no wait",
            "yes if I am free on Friday",
            "yes, and who is it to",
            "yes, and what does it say",
            "yes... and what's on Friday",
            "yes? and what's on Friday",
            "sure, what's on Friday",
            "yes what's on Friday",
            "yes, and make it four o'clock",
            "yes, and what's on Friday, or wait",
            "\"yes\", and what's on Friday",
            "he said yes, and what's on Friday",
        ] {
            for card in [mail(), lunch()] {
                let reply = to(heard, &[card]);
                assert_eq!(reply.accepts(), None, "{heard}: {reply:?}");
            }
        }
    }

    #[test]
    fn a_yes_is_never_dropped_without_a_word() {
        let heard = "yes, and tell Priya that I'm late";
        assert_eq!(outline(&to(heard, &[mail()])), "hold", "{heard}");
        for heard in ["yes what's on Friday", "sure, what's on Friday", "yes, tell Sam I'm late"] {
            assert_eq!(outline(&to(heard, &[mail()])), "hold", "{heard}");
        }
    }

    #[test]
    fn a_no_and_a_change_leave_room_for_a_question() {
        for (heard, outcome) in [
            ("no, and what's on Friday", "reject 0, then what's on Friday"),
            ("no what's on friday", "reject 0, then what's on friday"),
            ("don't send it. what's on Friday?", "reject 0, then what's on Friday?"),
            ("no. who frobnicates the lamp", "reject 0, then who frobnicates the lamp"),
            (
                "forget it, book lunch with Ana on Friday at noon",
                "reject 0, then book lunch with Ana on Friday at noon",
            ),
        ] {
            assert_eq!(outline(&to(heard, &[mail()])), outcome, "{heard}");
        }
        let kept = outline(&to("no take out the last bit. am i free at three?", &[lunch()]));
        assert!(!kept.starts_with("reject"), "{kept}");
        let heard = "make it an hour. am i free on Friday at three?";
        let outcome = "revise end=19T13:00, then am i free on Friday at three?";
        assert_eq!(outline(&to(heard, &[lunch()])), outcome);
    }
}
