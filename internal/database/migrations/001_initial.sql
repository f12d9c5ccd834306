-- Written for SQLite and PostgreSQL both; BLOB becomes BYTEA there. Times are milliseconds since 1970, UTC; 0 is never.

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
);

-- What the forms, or the embedded back end, received. The rows stay small: the content is in submission_part.
CREATE TABLE submission (
    id           TEXT PRIMARY KEY,          -- also the idempotency key of its delivery
    kind         TEXT NOT NULL,
    state        TEXT NOT NULL,             -- waiting, queued, delivered, refused, suspected, received
    destination  TEXT NOT NULL,             -- panel, or inbox if the embedded back end has it: its content then stays
    minor        BOOLEAN NOT NULL,          -- of an applicant under 18
    created_ms   BIGINT NOT NULL,
    settled_ms   BIGINT NOT NULL,           -- when it got its state; 0 while it is queued, and so never removed
    confirmed_ms BIGINT NOT NULL DEFAULT 0, -- when a parent or guardian confirmed it
    done_ms      BIGINT NOT NULL DEFAULT 0, -- when the agency said that it is answered
    attempts     BIGINT NOT NULL DEFAULT 0,
    due_ms       BIGINT NOT NULL,           -- when it is to be delivered
    lease_ms     BIGINT NOT NULL DEFAULT 0, -- a process delivers it until then
    bytes        BIGINT NOT NULL,           -- of its content
    client       TEXT NOT NULL,             -- whose share of a day it takes: a keyed digest of an address, for that day
    fault        BLOB NOT NULL DEFAULT ''   -- the panel's last error, sealed
);
CREATE INDEX submission_due ON submission (created_ms) WHERE due_ms > 0;
CREATE INDEX submission_use ON submission (state, bytes);
CREATE INDEX submission_client ON submission (client, created_ms) WHERE client <> '';

-- Part 0 is the fields, each of the others one photo; all sealed.
CREATE TABLE submission_part (
    id     TEXT NOT NULL REFERENCES submission (id) ON DELETE CASCADE,
    part   BIGINT NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (id, part)
);

-- By which the submissions of a mail address are found, to be erased: keyed digests, which tell nothing without the
-- key.
CREATE TABLE submission_address (
    id     TEXT NOT NULL REFERENCES submission (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    PRIMARY KEY (id, digest)
);
CREATE INDEX submission_address_digest ON submission_address (digest);

-- What the agency did with a submission: opened, done, open again, confirmed.
CREATE TABLE submission_event (
    id     TEXT NOT NULL REFERENCES submission (id) ON DELETE CASCADE,
    at_ms  BIGINT NOT NULL,
    action TEXT NOT NULL
);
CREATE INDEX submission_event_id ON submission_event (id, at_ms);

-- Mails to send: notes to the agency, and the link with which a parent or guardian confirms an application.
CREATE TABLE mail (
    id         TEXT PRIMARY KEY,          -- also its Message-ID
    submission TEXT NOT NULL REFERENCES submission (id) ON DELETE CASCADE,
    purpose    TEXT NOT NULL,             -- guardian, confirmed, deadlines, or the state that a note is about
    created_ms BIGINT NOT NULL,
    attempts   BIGINT NOT NULL DEFAULT 0,
    due_ms     BIGINT NOT NULL,
    lease_ms   BIGINT NOT NULL DEFAULT 0, -- a process sends it until then
    sent_ms    BIGINT NOT NULL DEFAULT 0,
    refused_ms BIGINT NOT NULL DEFAULT 0, -- when the mail server refused the address permanently
    recipient  TEXT NOT NULL,             -- keyed digest of a guardian's address, while its mails of a day are counted
    token_hash TEXT NOT NULL,             -- SHA-256 of the token in the link
    letter     BLOB NOT NULL              -- address, language and token, sealed; empty once the mail is not needed
);
CREATE INDEX mail_submission ON mail (submission);
CREATE INDEX mail_due ON mail (created_ms) WHERE due_ms > 0;
CREATE INDEX mail_token ON mail (token_hash) WHERE token_hash <> '';
CREATE INDEX mail_recipient ON mail (recipient, sent_ms) WHERE recipient <> '';

-- Photos whose form came back with an error, for an hour.
CREATE TABLE waiting_photo (
    id         TEXT PRIMARY KEY,
    client     TEXT NOT NULL,   -- whose share it takes; a keyed digest of the address
    created_ms BIGINT NOT NULL,
    bytes      BIGINT NOT NULL,
    sealed     BLOB NOT NULL    -- with a small picture of it
);
CREATE INDEX waiting_photo_client ON waiting_photo (client, created_ms, bytes);
CREATE INDEX waiting_photo_created ON waiting_photo (created_ms, bytes);
