-- How much was said in a session, and when last: what a list of chats shows. Kept
-- in the row that every append writes anyway, so that it costs no page more.
ALTER TABLE sessions ADD COLUMN messages INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN said_at INTEGER;

UPDATE sessions SET
    messages = (SELECT count(*) FROM events
                WHERE events.session_id = sessions.session_id
                  AND event_type IN ('input_transcript.final', 'assistant_text.final')),
    said_at = (SELECT 1000 * CAST(round(1000 * unixepoch(max(body ->> '$.ts'), 'subsec')) AS INTEGER)
               FROM events
               WHERE events.session_id = sessions.session_id
                 AND event_type IN ('input_transcript.final', 'assistant_text.final'));

CREATE INDEX sessions_of_people ON sessions (user_id, thread_id);

-- What people called their chats. One that nobody named has no row.
CREATE TABLE threads (
    user_id   TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    title     TEXT NOT NULL,
    PRIMARY KEY (user_id, thread_id)
) STRICT, WITHOUT ROWID;

-- What people handed over. The contents are in a file that is named after the id.
CREATE TABLE files (
    file_id    TEXT PRIMARY KEY,
    user_id    TEXT NOT NULL,
    session_id TEXT,
    name       TEXT NOT NULL,
    media_type TEXT NOT NULL,
    bytes      INTEGER NOT NULL,
    sha256     TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX files_of_people ON files (user_id, bytes);
CREATE INDEX files_of_sessions ON files (session_id) WHERE session_id IS NOT NULL;
