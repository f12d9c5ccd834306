-- What a submission takes on the disk, so that what waits can be bounded.
ALTER TABLE outbox ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
CREATE INDEX outbox_kept ON outbox (state, bytes) WHERE state <> 'delivered';

-- When somebody is to be told by mail that it came; 0: nobody, or already told.
ALTER TABLE inbox ADD COLUMN mail_ms BIGINT NOT NULL DEFAULT 0;
CREATE INDEX inbox_mail ON inbox (mail_ms) WHERE mail_ms > 0;
