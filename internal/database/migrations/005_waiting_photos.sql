-- Photos whose form came back with an error, so that they need not be chosen again: also after a restart and at another
-- machine. Each is sealed, and gone after an hour.
CREATE TABLE waiting_photo (
    id         TEXT PRIMARY KEY,
    client     TEXT NOT NULL,   -- whose share it counts to; a keyed hash of the address
    created_ms BIGINT NOT NULL,
    bytes      BIGINT NOT NULL,
    sealed     BLOB NOT NULL,
    preview    BLOB NOT NULL    -- a small picture of it, sealed
);
CREATE INDEX waiting_photo_client ON waiting_photo (client, created_ms, bytes);
CREATE INDEX waiting_photo_created ON waiting_photo (created_ms, bytes);
