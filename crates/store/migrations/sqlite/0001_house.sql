-- Who talks to whom. `epoch` fences former owners out; `reserved_seq` is the
-- end of the block of event numbers that may have been given out.
CREATE TABLE sessions (
    session_id   TEXT PRIMARY KEY,
    user_id      TEXT NOT NULL,
    agent        TEXT NOT NULL,
    thread_id    TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    epoch        INTEGER NOT NULL,
    last_seq     INTEGER NOT NULL DEFAULT 0,
    reserved_seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Kept events, each as it was sent. Append-only. With a rowid, so that the
-- events of many sessions in one commit land on the same last pages.
CREATE TABLE events (
    session_id TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    epoch      INTEGER NOT NULL,
    event_type TEXT NOT NULL,
    body       TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX events_in_order ON events (session_id, seq);

CREATE TABLE turns (
    turn_id        TEXT PRIMARY KEY,
    session_id     TEXT NOT NULL,
    input_mode     TEXT NOT NULL,
    state          TEXT NOT NULL,
    mode           TEXT,
    outcome        TEXT,
    error_code     TEXT,
    trace_id       TEXT NOT NULL,
    request_id     TEXT NOT NULL,
    started_at     INTEGER NOT NULL,
    turn_seq       INTEGER NOT NULL,
    ended_at       INTEGER,
    first_event_us INTEGER,
    first_token_us INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX open_turns ON turns (session_id) WHERE ended_at IS NULL;

CREATE TABLE tool_runs (
    turn_id         TEXT NOT NULL,
    call_id         TEXT NOT NULL,
    session_id      TEXT NOT NULL,
    tool_name       TEXT NOT NULL,
    action_level    TEXT NOT NULL,
    idempotency_key TEXT NOT NULL UNIQUE,
    state           TEXT NOT NULL,
    error_code      TEXT,
    started_at      INTEGER NOT NULL,
    took_us         INTEGER,
    PRIMARY KEY (turn_id, call_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_profile (
    user_id TEXT PRIMARY KEY,
    body    TEXT NOT NULL
) STRICT, WITHOUT ROWID;
