-- How far the words on the screen were from the final ones, where somebody spoke.
ALTER TABLE turns ADD COLUMN drift_permille INTEGER;
