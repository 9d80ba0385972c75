-- Work that goes on while people talk on, and reminders that wait for their time.
-- What is looked for has a column of its own; the rest is the body.
CREATE TABLE jobs (
    job_id     TEXT PRIMARY KEY,
    user_id    TEXT NOT NULL,
    session_id TEXT NOT NULL,
    -- The same however often the step that asked for it is tried.
    key        TEXT NOT NULL UNIQUE,
    lane       TEXT NOT NULL,
    priority   TEXT NOT NULL,
    state      TEXT NOT NULL,
    -- When it could be taken up: its time, the end of a lease, a pause.
    wake_at    INTEGER NOT NULL,
    -- The number of the last lease; an older one can write nothing.
    lease      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    returned   INTEGER NOT NULL,
    told       INTEGER NOT NULL,
    body       TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_waiting ON jobs (priority, wake_at, job_id) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_open ON jobs (lane, user_id) WHERE state IN ('held', 'queued', 'running');
CREATE INDEX jobs_of_people ON jobs (user_id, created_at, job_id);
CREATE INDEX jobs_of_sessions ON jobs (session_id, returned);
CREATE INDEX jobs_untold ON jobs (created_at, job_id)
    WHERE told = 0 AND state IN ('done', 'failed', 'cancelled');
CREATE INDEX jobs_unreturned ON jobs (session_id)
    WHERE returned = 0 AND state IN ('done', 'failed', 'cancelled');
CREATE INDEX jobs_held ON jobs (created_at) WHERE state = 'held';
