-- Mail, calendar and contacts of the people on this machine.
-- Instants are milliseconds since 1970 UTC; lists are JSON arrays.
-- Columns that begin with folded_ hold what text::fold makes of others.

CREATE TABLE mails (
    user_id        TEXT NOT NULL,
    id             TEXT NOT NULL,
    thread_id      TEXT NOT NULL,
    from_person    TEXT NOT NULL CHECK (json_valid(from_person)),
    to_people      TEXT NOT NULL CHECK (json_valid(to_people)),
    cc_people      TEXT NOT NULL CHECK (json_valid(cc_people)),
    subject        TEXT NOT NULL,
    body           TEXT NOT NULL,
    sent_at        INTEGER NOT NULL,
    unread         INTEGER NOT NULL CHECK (unread IN (0, 1)),
    labels         TEXT NOT NULL CHECK (json_valid(labels)),
    folded_from    TEXT NOT NULL,
    folded_to      TEXT NOT NULL,
    folded_cc      TEXT NOT NULL,
    folded_subject TEXT NOT NULL,
    folded_body    TEXT NOT NULL,
    PRIMARY KEY (user_id, id)
) STRICT;

CREATE INDEX mails_newest ON mails (user_id, sent_at DESC, id);
CREATE INDEX mails_thread ON mails (user_id, thread_id, sent_at);

-- An all-day event is a row of dates: its instants are midnights in UTC, and
-- whoever reads it puts them at midnight of their own zone.
CREATE TABLE events (
    user_id     TEXT NOT NULL,
    id          TEXT NOT NULL,
    title       TEXT NOT NULL,
    starts_at   INTEGER NOT NULL,
    ends_at     INTEGER NOT NULL,
    zone        TEXT NOT NULL,
    all_day     INTEGER NOT NULL CHECK (all_day IN (0, 1)),
    busy        INTEGER NOT NULL CHECK (busy IN (0, 1)),
    attendees   TEXT NOT NULL CHECK (json_valid(attendees)),
    location    TEXT,
    notes       TEXT,
    folded_text TEXT NOT NULL,
    PRIMARY KEY (user_id, id),
    CHECK (ends_at >= starts_at)
) STRICT;

CREATE INDEX events_by_start ON events (user_id, starts_at);

CREATE TABLE contacts (
    user_id   TEXT NOT NULL,
    address   TEXT NOT NULL,
    name      TEXT NOT NULL,
    nicknames TEXT NOT NULL CHECK (json_valid(nicknames)),
    PRIMARY KEY (user_id, address)
) STRICT;
