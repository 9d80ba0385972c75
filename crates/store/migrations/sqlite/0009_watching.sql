-- Whoever looks after the server asks how the last hour or week went: what began in it
-- is found by its time, and not by looking through all there ever was.
CREATE INDEX turns_by_time ON turns (started_at);
CREATE INDEX tool_runs_by_time ON tool_runs (started_at);
CREATE INDEX confirmations_by_time ON confirmation_requests (asked_at);
