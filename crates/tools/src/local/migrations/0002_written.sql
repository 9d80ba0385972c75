-- What was written under which key, with what was reported then: a second try
-- finds the first. `seal` is the fingerprint of what was to be written.

CREATE TABLE written (
    user_id    TEXT NOT NULL,
    key        TEXT NOT NULL,
    seal       TEXT NOT NULL,
    result     TEXT NOT NULL CHECK (json_valid(result)),
    written_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, key)
) STRICT;
