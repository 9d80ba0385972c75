-- Where each memory came from. derived_from names whose words it is made of,
-- where they are not the person's own.
ALTER TABLE memories ADD COLUMN session_id TEXT;
ALTER TABLE memories ADD COLUMN turn_id TEXT;
ALTER TABLE memories ADD COLUMN derived_from TEXT;

-- What each of them means to one model: its length and 384 or so small numbers.
-- One person's stand together, because they are read together.
CREATE TABLE memory_meanings (
    user_id   TEXT NOT NULL,
    number    INTEGER NOT NULL,
    model     TEXT NOT NULL,
    direction BLOB NOT NULL,
    PRIMARY KEY (user_id, number)
) STRICT, WITHOUT ROWID;

-- What was offered to be remembered in passing: once is enough. Its words are
-- not here, only what they hash to.
CREATE TABLE memory_offers (
    user_id    TEXT NOT NULL,
    seal       TEXT NOT NULL,
    key        TEXT NOT NULL,
    offered_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, seal)
) STRICT, WITHOUT ROWID;

-- Conversations that memory stays out of.
CREATE TABLE memory_pauses (
    user_id    TEXT NOT NULL,
    session_id TEXT NOT NULL,
    paused_at  INTEGER NOT NULL,
    PRIMARY KEY (user_id, session_id)
) STRICT, WITHOUT ROWID;
