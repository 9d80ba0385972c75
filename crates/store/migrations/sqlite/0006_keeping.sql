-- What is measured of a turn besides its first event and its first word. What was
-- never reached is NULL, not 0.
ALTER TABLE turns ADD COLUMN first_audio_us INTEGER;
ALTER TABLE turns ADD COLUMN thought_us INTEGER;
ALTER TABLE turns ADD COLUMN tool_us INTEGER;
ALTER TABLE turns ADD COLUMN tool_failures INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN fallback TEXT;
ALTER TABLE turns ADD COLUMN dedupe_hits INTEGER NOT NULL DEFAULT 0;

-- A session that is not to be kept: in no list, and gone when it ends.
ALTER TABLE sessions ADD COLUMN temporary INTEGER NOT NULL DEFAULT 0;

CREATE INDEX temporary_sessions ON sessions (created_at) WHERE temporary = 1;

-- Sessions that were deleted: nobody sees them any more, and what was in them is
-- taken out piece by piece.
CREATE TABLE leaving (
    session_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Where the audit begins, once its oldest lines were let go: the last of them.
CREATE TABLE audit_anchor (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    number   INTEGER NOT NULL,
    hash     TEXT NOT NULL
) STRICT;

DROP TRIGGER audit_grows_at_its_end;
CREATE TRIGGER audit_grows_at_its_end BEFORE INSERT ON audit
WHEN NEW.number <> 1 + max(
    (SELECT coalesce(max(number), 0) FROM audit),
    (SELECT coalesce(max(number), 0) FROM audit_anchor)
)
BEGIN
    SELECT RAISE(ABORT, 'a line of the audit is added at its end');
END;

DROP TRIGGER audit_is_never_cut;
CREATE TRIGGER audit_is_never_cut BEFORE DELETE ON audit
WHEN OLD.number > (SELECT coalesce(max(number), 0) FROM audit_anchor)
BEGIN
    SELECT RAISE(ABORT, 'a line of the audit is never taken out');
END;

CREATE TRIGGER audit_anchor_never_goes_back BEFORE UPDATE ON audit_anchor
WHEN NEW.number < OLD.number
BEGIN
    SELECT RAISE(ABORT, 'the beginning of the audit never goes back');
END;

CREATE TRIGGER audit_anchor_stays BEFORE DELETE ON audit_anchor
BEGIN
    SELECT RAISE(ABORT, 'the beginning of the audit is never taken out');
END;
