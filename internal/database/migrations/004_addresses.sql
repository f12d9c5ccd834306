-- By which submissions of one mail address are found, to be erased, also once they are delivered: a keyed digest of
-- the address, which tells nobody without the key what it was.
CREATE TABLE outbox_address (
    id   TEXT NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
    mark TEXT NOT NULL,
    PRIMARY KEY (id, mark)
);
CREATE INDEX outbox_address_mark ON outbox_address (mark);
