-- What was said under the name that a client gave it, so that something else under the
-- same name is told apart from the same once more, also after a restart.
ALTER TABLE events ADD COLUMN print TEXT;
