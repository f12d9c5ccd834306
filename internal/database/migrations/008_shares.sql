-- Whose share of a day a submission takes: a keyed digest of the client's address, removed after that day.
ALTER TABLE outbox ADD COLUMN client TEXT NOT NULL DEFAULT '';
CREATE INDEX outbox_client ON outbox (client, created_ms) WHERE client <> '';

-- What a received submission takes on the disk, so that the inbox can be bounded.
ALTER TABLE inbox ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
CREATE INDEX inbox_bytes ON inbox (bytes);
