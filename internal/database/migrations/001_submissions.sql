-- Written for SQLite and PostgreSQL both; BLOB becomes BYTEA there. Times are milliseconds since 1970, UTC.

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
);

-- Submissions to deliver, and their state. The rows stay small: the content is in outbox_part.
CREATE TABLE outbox (
    id         TEXT PRIMARY KEY, -- the submission's id, and the idempotency key of its delivery
    kind       TEXT NOT NULL,
    state      TEXT NOT NULL,    -- queued, delivered, refused
    attempts   BIGINT NOT NULL,
    due_ms     BIGINT NOT NULL,  -- not tried before
    lease_ms   BIGINT NOT NULL,  -- being delivered by somebody until then
    created_ms BIGINT NOT NULL,
    keep_days  BIGINT NOT NULL,  -- how long it is kept when the panel refuses it
    purge_ms   BIGINT NOT NULL,  -- 0 while queued
    fault      BLOB NOT NULL     -- what the last try said, sealed
);
CREATE INDEX outbox_due ON outbox (created_ms) WHERE state = 'queued';

-- Part 0 is the fields, the others are the photos; each sealed. Removed once the submission is delivered.
CREATE TABLE outbox_part (
    id     TEXT NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    part   BIGINT NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (id, part)
);

-- Submissions that the embedded back end received.
CREATE TABLE inbox (
    id         TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    purge_ms   BIGINT NOT NULL
);
CREATE TABLE inbox_part (
    id     TEXT NOT NULL REFERENCES inbox (id) ON DELETE CASCADE,
    part   BIGINT NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (id, part)
);
