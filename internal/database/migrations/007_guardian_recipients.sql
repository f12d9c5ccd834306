-- To whom a guardian's mail goes, so that one address gets few a day: a keyed digest of the address, which tells nobody
-- without the key what it was; empty once it no longer counts.
ALTER TABLE guardian ADD COLUMN recipient TEXT NOT NULL DEFAULT '';
CREATE INDEX guardian_recipient ON guardian (recipient, sent_ms) WHERE recipient <> '';
