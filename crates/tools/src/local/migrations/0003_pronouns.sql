-- How somebody wants to be called, where they said so: "her" is then not everybody.
ALTER TABLE contacts ADD COLUMN pronouns TEXT CHECK (pronouns IS NULL OR json_valid(pronouns));
