-- How many answers in a row don't tell whether the panel has a submission.
ALTER TABLE submission ADD COLUMN untold BIGINT NOT NULL DEFAULT 0;
