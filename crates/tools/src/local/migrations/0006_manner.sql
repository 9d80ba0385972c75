-- How the names of people are said, word by word: by the spelling they sound like.
CREATE TABLE pronunciations (
    user_id TEXT NOT NULL,
    folded  TEXT NOT NULL,
    word    TEXT NOT NULL,
    said_like TEXT NOT NULL,
    PRIMARY KEY (user_id, folded)
) STRICT;

-- How fast somebody wants to be spoken to, in percent of the voice's own pace.
CREATE TABLE paces (
    user_id TEXT PRIMARY KEY,
    percent INTEGER NOT NULL
) STRICT;
