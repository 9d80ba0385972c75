//! What is done for people, in every form in which it is said: asked for, under way and over.
//! The guard reads these in what a model says, and `thinker::deeds` in what it was asked for.

/// One verb. What is spelled in two ways stands here twice.
pub struct Verb {
    pub base: &'static str,
    pub doing: &'static str,
    pub done: &'static str,
}

const fn verb(base: &'static str, doing: &'static str, done: &'static str) -> Verb {
    Verb { base, doing, done }
}

/// What only a record may say was done, of whatever it is said.
pub const STRONG: [Verb; 19] = [
    verb("send", "sending", "sent"),
    verb("email", "emailing", "emailed"),
    verb("mail", "mailing", "mailed"),
    verb("forward", "forwarding", "forwarded"),
    verb("book", "booking", "booked"),
    verb("rebook", "rebooking", "rebooked"),
    verb("reserve", "reserving", "reserved"),
    verb("schedule", "scheduling", "scheduled"),
    verb("reschedule", "rescheduling", "rescheduled"),
    verb("postpone", "postponing", "postponed"),
    verb("cancel", "cancelling", "cancelled"),
    verb("cancel", "canceling", "canceled"),
    verb("delete", "deleting", "deleted"),
    verb("invite", "inviting", "invited"),
    verb("archive", "archiving", "archived"),
    verb("unsubscribe", "unsubscribing", "unsubscribed"),
    verb("dispatch", "dispatching", "dispatched"),
    verb("transfer", "transferring", "transferred"),
    verb("relay", "relaying", "relayed"),
];

/// The same, once it is over. Whoever is about to do so may mean what they are saying.
pub const ANSWERING: [Verb; 3] = [
    verb("reply", "replying", "replied"),
    verb("respond", "responding", "responded"),
    verb("rsvp", "rsvping", "rsvp'd"),
];

/// The same, of what is ours: "I've added it", but not "I've added salt".
pub const WEAK: [Verb; 14] = [
    verb("add", "adding", "added"),
    verb("create", "creating", "created"),
    verb("save", "saving", "saved"),
    verb("move", "moving", "moved"),
    verb("update", "updating", "updated"),
    verb("change", "changing", "changed"),
    verb("remove", "removing", "removed"),
    verb("erase", "erasing", "erased"),
    verb("post", "posting", "posted"),
    verb("submit", "submitting", "submitted"),
    verb("order", "ordering", "ordered"),
    verb("buy", "buying", "bought"),
    verb("purchase", "purchasing", "purchased"),
    verb("place", "placing", "placed"),
];

/// Whether it is how one of them is asked for.
pub fn is_base(verbs: &[Verb], word: &str) -> bool {
    verbs.iter().any(|verb| verb.base == word)
}

/// Whether it says of one of them that it is under way.
pub fn is_doing(verbs: &[Verb], word: &str) -> bool {
    verbs.iter().any(|verb| verb.doing == word)
}

/// Whether it says of one of them that it is over.
pub fn is_done(verbs: &[Verb], word: &str) -> bool {
    verbs.iter().any(|verb| verb.done == word)
}

/// Every form of every one.
pub fn words() -> impl Iterator<Item = &'static str> {
    let all = STRONG.iter().chain(&ANSWERING).chain(&WEAK);
    all.flat_map(|verb| [verb.base, verb.doing, verb.done])
}
