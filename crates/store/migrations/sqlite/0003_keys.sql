-- What lets a program in as a person. Only a fingerprint of the secret is kept:
-- whoever reads this table cannot come in with it.
CREATE TABLE keys (
    key_id      TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    name        TEXT NOT NULL,
    user_id     TEXT NOT NULL,
    user_name   TEXT NOT NULL,
    operator    INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER,
    revoked_at  INTEGER
) STRICT, WITHOUT ROWID;
