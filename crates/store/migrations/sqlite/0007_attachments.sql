-- How far the reading of a file has come: parsing, ready or failed, and one sentence
-- that says why it failed. What was read lies in a file beside the contents.
ALTER TABLE files ADD COLUMN reading TEXT NOT NULL DEFAULT 'parsing';
ALTER TABLE files ADD COLUMN problem TEXT;

CREATE INDEX files_unread ON files (created_at) WHERE reading = 'parsing';
