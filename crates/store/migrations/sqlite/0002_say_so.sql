-- What a turn has planned and done so far, while it waits for somebody.
ALTER TABLE turns ADD COLUMN work TEXT;

-- What people were asked before a write, one row for each revision. A row
-- changes until it is decided and never again.
CREATE TABLE confirmation_requests (
    confirmation_id TEXT NOT NULL,
    revision        INTEGER NOT NULL,
    action_id       TEXT NOT NULL,
    session_id      TEXT NOT NULL,
    user_id         TEXT NOT NULL,
    turn_id         TEXT NOT NULL,
    tool_name       TEXT NOT NULL,
    payload_hash    TEXT NOT NULL,
    state           TEXT NOT NULL,
    asked_at        INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    body            TEXT NOT NULL,
    PRIMARY KEY (confirmation_id, revision)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX one_open_revision ON confirmation_requests (confirmation_id)
    WHERE state = 'pending';
CREATE INDEX open_confirmations ON confirmation_requests (session_id) WHERE state = 'pending';
CREATE INDEX confirmations_of_turns ON confirmation_requests (turn_id);

-- The writes that somebody said yes to: one for each yes. `settled` is 1 when
-- it is over and its person was told.
CREATE TABLE actions (
    action_id       TEXT PRIMARY KEY,
    confirmation_id TEXT NOT NULL UNIQUE,
    revision        INTEGER NOT NULL,
    session_id      TEXT NOT NULL,
    user_id         TEXT NOT NULL,
    turn_id         TEXT NOT NULL,
    tool_name       TEXT NOT NULL,
    payload_hash    TEXT NOT NULL,
    state           TEXT NOT NULL,
    attempt         INTEGER NOT NULL,
    epoch           INTEGER NOT NULL,
    agreed_at       INTEGER NOT NULL,
    told            INTEGER NOT NULL,
    settled         INTEGER NOT NULL,
    body            TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX actions_of_turns ON actions (turn_id);
CREATE INDEX unsettled_actions ON actions (session_id, user_id) WHERE settled = 0;

-- What was done in whose name. Each hash seals the text of its line, letter by
-- letter, and the hash before it.
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    body   TEXT NOT NULL,
    hash   TEXT NOT NULL
) STRICT;

CREATE TRIGGER audit_grows_at_its_end BEFORE INSERT ON audit
WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM audit)
BEGIN
    SELECT RAISE(ABORT, 'a line of the audit is added at its end');
END;

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'a line of the audit is never changed');
END;

CREATE TRIGGER audit_is_never_cut BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'a line of the audit is never taken out');
END;

-- What may not write. `*` is every tool.
CREATE TABLE switches (
    tool_name TEXT PRIMARY KEY,
    off_since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
