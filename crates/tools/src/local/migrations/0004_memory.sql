-- What people asked to be kept in mind, word for word.
-- folded is what text::fold makes of text; source_key is the key of the write
-- that kept it.
CREATE TABLE memories (
    number     INTEGER PRIMARY KEY,
    user_id    TEXT NOT NULL,
    id         TEXT NOT NULL,
    text       TEXT NOT NULL,
    folded     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    source_key TEXT NOT NULL,
    UNIQUE (user_id, id)
) STRICT;

CREATE INDEX memories_newest ON memories (user_id, created_at DESC, number DESC);
CREATE INDEX memories_same ON memories (user_id, folded);

-- The words of each, by its number. Whoever changes the one changes the other,
-- in the same transaction.
CREATE VIRTUAL TABLE memory_words USING fts5(
    folded,
    content = 'memories',
    content_rowid = 'number',
    tokenize = 'porter unicode61'
);
-- What is forgotten leaves no words behind in this index.
INSERT INTO memory_words (memory_words, rank) VALUES ('secure-delete', 1);
