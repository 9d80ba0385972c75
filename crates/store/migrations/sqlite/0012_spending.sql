-- What models cost, minute by minute: of each person, and of everybody under ''. A cap is
-- looked at before every question, so it must not read every answer of a day.
-- The triggers keep it: whoever writes, changes or deletes a call changes its sums with it.
CREATE TABLE spending (
    user_id     TEXT NOT NULL,
    minute      INTEGER NOT NULL,
    cost_micros INTEGER NOT NULL,
    tokens      INTEGER NOT NULL,
    PRIMARY KEY (user_id, minute)
) STRICT, WITHOUT ROWID;

INSERT INTO spending
    SELECT user_id, asked_at / 60000000, sum(cost_micros), sum(input_tokens + output_tokens)
    FROM model_calls GROUP BY 1, 2;
INSERT INTO spending
    SELECT '', minute, sum(cost_micros), sum(tokens) FROM spending GROUP BY minute;

CREATE TRIGGER spending_grows AFTER INSERT ON model_calls BEGIN
    INSERT INTO spending VALUES
        (NEW.user_id, NEW.asked_at / 60000000, NEW.cost_micros, NEW.input_tokens + NEW.output_tokens),
        ('', NEW.asked_at / 60000000, NEW.cost_micros, NEW.input_tokens + NEW.output_tokens)
    ON CONFLICT DO UPDATE SET
        cost_micros = cost_micros + excluded.cost_micros,
        tokens = tokens + excluded.tokens;
END;

CREATE TRIGGER spending_shrinks AFTER DELETE ON model_calls BEGIN
    UPDATE spending SET
        cost_micros = cost_micros - OLD.cost_micros,
        tokens = tokens - OLD.input_tokens - OLD.output_tokens
    WHERE user_id IN (OLD.user_id, '') AND minute = OLD.asked_at / 60000000;
END;
