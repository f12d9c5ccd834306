-- The versions of the privacy policy that forms led to, each once, so that what somebody agreed to can be read later.
CREATE TABLE policy (
    hash     TEXT PRIMARY KEY, -- SHA-256 of html
    lang     TEXT NOT NULL,
    since_ms BIGINT NOT NULL,  -- when a form first led to it
    html     TEXT NOT NULL     -- the whole page as it was shown, without the site around it
);
