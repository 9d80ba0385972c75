-- Whose an event is, where somebody else has invited the person to it, and what all
-- those share that repeat.
ALTER TABLE events ADD COLUMN organizer TEXT CHECK (organizer IS NULL OR json_valid(organizer));
ALTER TABLE events ADD COLUMN series TEXT;
