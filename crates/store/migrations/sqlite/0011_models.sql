-- Which models were asked for a turn, and what that cost. It is an account of what was
-- spent and holds no words: it stays when a chat goes, and goes with its person.
CREATE TABLE model_calls (
    turn_id       TEXT NOT NULL,
    number        INTEGER NOT NULL,
    user_id       TEXT NOT NULL,
    asked_at      INTEGER NOT NULL,
    tier          TEXT NOT NULL,
    provider      TEXT NOT NULL,
    model         TEXT NOT NULL,
    request_id    TEXT,
    tries         INTEGER NOT NULL,
    input_tokens  INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost_micros   INTEGER NOT NULL,
    first_us      INTEGER,
    took_us       INTEGER NOT NULL,
    error_code    TEXT,
    PRIMARY KEY (turn_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX model_calls_by_time ON model_calls (asked_at, user_id);
CREATE INDEX model_calls_by_user ON model_calls (user_id, asked_at);
-- Who answered a turn, and why it was they.
ALTER TABLE turns ADD COLUMN tier TEXT;
ALTER TABLE turns ADD COLUMN tier_reason TEXT;
