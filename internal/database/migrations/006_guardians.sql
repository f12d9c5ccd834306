-- Whom an applicant under 18 named as parent or guardian is asked by mail to confirm the application. A row outlives
-- the submission in the outbox, and holds nothing of anybody once its mail is sent.
CREATE TABLE guardian (
    id           TEXT PRIMARY KEY, -- of the submission
    token_hash   TEXT NOT NULL,    -- SHA-256 of the token in the link; empty where no link was made
    letter       BLOB NOT NULL,    -- address, language and token, sealed; empty once the mail is sent or needless
    created_ms   BIGINT NOT NULL,
    expires_ms   BIGINT NOT NULL,  -- of the link
    mail_ms      BIGINT NOT NULL,  -- when a mail is due: to the guardian, or once confirmed to the agency; 0: none
    sent_ms      BIGINT NOT NULL,  -- when the guardian's mail was sent; 0: it was not
    refused_ms   BIGINT NOT NULL,  -- when the mail server refused the address for good; 0: it did not
    confirmed_ms BIGINT NOT NULL   -- 0: not confirmed
);
CREATE INDEX guardian_token ON guardian (token_hash);
CREATE INDEX guardian_mail ON guardian (mail_ms) WHERE mail_ms > 0;
