//! How people ask to have something remembered, recalled and forgotten.

/// Each begins something to keep.
pub const KEEPS: &[&[&str]] = &[
    &["remember"],
    &["keep", "in", "mind"],
    &["bear", "in", "mind"],
    &["make", "a", "note"],
    &["take", "a", "note"],
    &["put", "a", "note"],
    &["add", "a", "note"],
    &["leave", "a", "note"],
    &["make", "note"],
    &["take", "note"],
    &["note", "to", "self"],
    &["note", "down"],
    &["write", "down"],
    &["jot", "down"],
    &["note"],
    &["memorize"],
    &["memorise"],
    &["do", "not", "forget"],
    &["never", "forget"],
];

/// A sentence that says something has one of these; "the milk" has none.
pub const VERBS: &[&str] = &[
    "is", "are", "am", "was", "were", "has", "have", "had", "can", "likes", "like", "prefers",
    "prefer", "hates", "hate", "loves", "love", "lives", "live", "works", "work", "needs", "wants",
    "owns", "takes", "drinks", "eats", "goes", "speaks", "plays", "starts", "ends", "opens",
    "closes", "costs", "expires", "begins", "moved", "left", "parked", "put", "born", "called",
    "does", "will", "do", "eat", "drink",
];

/// "Remember to call", "remember when", "remember what": no facts.
pub const NOT_FACTS: &[&str] = &[
    "to", "about", "me", "us", "you", "when", "what", "who", "where", "why", "how", "which", "if",
    "whether", "from", "for", "on", "at", "in", "it", "and",
];

/// Each asks for what is known about the words behind it.
pub const TELLS: &[&[&str]] = &[
    &["what", "do", "you", "know", "about"],
    &["what", "do", "you", "remember", "about"],
    &["what", "do", "you", "remember", "of"],
    &["what", "do", "you", "recall", "about"],
    &["what", "did", "i", "tell", "you", "about"],
    &["what", "have", "i", "told", "you", "about"],
    &["what", "did", "i", "ask", "you", "to", "remember", "about"],
    &["what", "did", "i", "note", "about"],
    &["what", "have", "you", "noted", "about"],
    &["what", "you", "know", "about"],
    &["what", "you", "remember", "about"],
    &["what", "i", "told", "you", "about"],
    &["what", "can", "you", "tell", "me", "about"],
    &["everything", "you", "know", "about"],
    &["all", "you", "know", "about"],
    &["do", "you", "remember", "what", "i", "told", "you", "about"],
    &["do", "you", "remember", "what", "i", "said", "about"],
    &["do", "you", "remember", "anything", "about"],
    &["do", "you", "still", "remember"],
    &["do", "you", "remember"],
    &["do", "you", "recall"],
    &["did", "i", "tell", "you", "about"],
    &["did", "i", "ever", "tell", "you", "about"],
    &["have", "i", "told", "you", "about"],
    &["have", "i", "ever", "told", "you", "about"],
    &["remember", "what", "i", "told", "you", "about"],
    &["remember", "what", "i", "said", "about"],
    &["show", "me", "my", "notes", "about"],
    &["show", "my", "notes", "about"],
    &["my", "notes", "about"],
];

/// Each asks for everything.
pub const TELLS_ALL: &[&[&str]] = &[
    &["what", "do", "you", "remember"],
    &["what", "have", "i", "told", "you"],
    &["what", "have", "i", "told", "you", "so", "far"],
    &["what", "did", "i", "tell", "you"],
    &["what", "did", "i", "ask", "you", "to", "remember"],
    &["what", "have", "i", "asked", "you", "to", "remember"],
    &["what", "have", "you", "remembered"],
    &["what", "have", "you", "noted"],
    &["what", "is", "in", "your", "memory"],
    &["show", "me", "your", "memory"],
    &["show", "me", "my", "memories"],
    &["show", "me", "what", "you", "remember"],
    &["list", "my", "memories"],
    &["list", "your", "memories"],
    &["show", "my", "memories"],
    &["my", "memories"],
    &["what", "you", "remember"],
];

/// Each is followed by what is to be forgotten.
pub const FORGETS: &[&[&str]] = &[
    &["forget", "what", "you", "know", "about"],
    &["forget", "what", "i", "told", "you", "about"],
    &["forget", "what", "i", "said", "about"],
    &["forget", "what", "you", "remember", "about"],
    &["forget", "anything", "about"],
    &["forget", "the", "note", "about"],
    &["forget", "the", "fact", "that"],
    &["forget", "about"],
    &["forget", "that"],
    &["forget"],
    &["you", "can", "forget", "that"],
    &["you", "can", "forget", "what", "i", "said", "about"],
    &["you", "can", "forget", "about"],
    &["delete", "the", "memory", "about"],
    &["delete", "what", "you", "know", "about"],
    &["delete", "the", "note", "about"],
    &["stop", "remembering", "that"],
    &["stop", "remembering"],
    &["do", "not", "remember", "that"],
];

/// Each is followed by what is to be forgotten altogether.
pub const FORGETS_ALL_ABOUT: &[&[&str]] = &[
    &["forget", "everything", "you", "know", "about"],
    &["forget", "everything", "you", "remember", "about"],
    &["forget", "all", "you", "know", "about"],
    &["forget", "all", "about"],
    &["forget", "everything", "i", "told", "you", "about"],
    &["forget", "everything", "i", "said", "about"],
    &["forget", "everything", "about"],
    &["delete", "everything", "you", "know", "about"],
    &["delete", "everything", "about"],
    &["erase", "everything", "about"],
    &["erase", "everything", "you", "know", "about"],
];

/// Each wants everything forgotten.
pub const FORGETS_ALL: &[&[&str]] = &[
    &["forget", "everything"],
    &["forget", "it", "all"],
    &["forget", "everything", "i", "told", "you"],
    &["forget", "everything", "you", "know"],
    &["forget", "everything", "about", "me"],
    &["forget", "everything", "you", "know", "about", "me"],
    &["forget", "all", "my", "memories"],
    &["delete", "all", "my", "memories"],
    &["delete", "my", "memories"],
];

/// Each points at what was just told or noted.
pub const FORGETS_THAT: &[&[&str]] = &[
    &["forget", "that"],
    &["forget", "this"],
    &["forget", "that", "one"],
    &["forget", "that", "memory"],
    &["forget", "what", "i", "said"],
    &["forget", "what", "i", "just", "said"],
    &["forget", "what", "i", "told", "you"],
    &["forget", "what", "i", "just", "told", "you"],
    &["you", "can", "forget", "that"],
    &["do", "not", "remember", "that"],
];

/// Before a name, and no part of it.
pub const ARTICLES: &[&str] = &["my", "the", "our", "a", "an"];

/// Each keeps memory out of this conversation.
pub const PAUSES: &[&[&str]] = &[
    &["pause", "memory"],
    &["pause", "your", "memory"],
    &["pause", "the", "memory"],
    &["memory", "off"],
    &["turn", "off", "memory"],
    &["turn", "memory", "off"],
    &["turn", "off", "your", "memory"],
    &["switch", "off", "memory"],
    &["switch", "memory", "off"],
    &["stop", "remembering", "things"],
    &["stop", "remembering"],
    &["do", "not", "remember", "anything"],
    &["do", "not", "remember", "any", "of", "this"],
    &["do", "not", "remember", "this"],
    &["do", "not", "remember"],
    &["do", "not", "keep", "anything"],
    &["do", "not", "use", "memory"],
    &["do", "not", "use", "your", "memory"],
    &["remember", "nothing"],
    &["keep", "this", "between", "us"],
    &["off", "the", "record"],
    &["this", "is", "off", "the", "record"],
];

/// Each lets memory in again.
/// "Again" is there or was taken for politeness.
pub const RESUMES: &[&[&str]] = &[
    &["you", "can", "remember"],
    &["you", "may", "remember"],
    &["you", "can", "remember", "things"],
    &["remember", "things"],
    &["use", "memory"],
    &["use", "your", "memory"],
    &["you", "can", "remember", "again"],
    &["you", "may", "remember", "again"],
    &["you", "can", "remember", "things", "again"],
    &["start", "remembering", "again"],
    &["start", "remembering"],
    &["remember", "things", "again"],
    &["remember", "again"],
    &["resume", "memory"],
    &["unpause", "memory"],
    &["memory", "on"],
    &["turn", "on", "memory"],
    &["turn", "memory", "on"],
    &["turn", "memory", "back", "on"],
    &["switch", "memory", "on"],
    &["switch", "on", "memory"],
    &["use", "memory", "again"],
    &["use", "your", "memory", "again"],
    &["back", "on", "the", "record"],
];

/// Behind either: which conversation is meant, and it is always this one.
pub const HERE: &[&[&str]] = &[
    &["from", "this", "chat"],
    &["from", "this", "conversation"],
    &["in", "this", "chat"],
    &["in", "this", "conversation"],
    &["for", "this", "chat"],
    &["for", "this", "conversation"],
    &["from", "now", "on"],
    &["for", "now"],
    &["here"],
    &["now"],
];
