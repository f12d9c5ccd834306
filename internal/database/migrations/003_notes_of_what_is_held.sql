-- When the operator is to be told by mail that a submission was held back or refused; 0: never, or already told.
ALTER TABLE outbox ADD COLUMN mail_ms BIGINT NOT NULL DEFAULT 0;
CREATE INDEX outbox_mail ON outbox (mail_ms) WHERE mail_ms > 0;
