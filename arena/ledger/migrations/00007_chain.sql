-- +goose Up
-- A chain of hashes over battles and votes: one link for each time that one was
-- kept. A link holds the row as it was, the hash of the link before, and its own
-- hash over all of this; what a row took the place of stays in the chain and is
-- named in replaces, as the numbers of its links. Links are never changed.
CREATE TABLE links (
    seq      BIGINT PRIMARY KEY,
    prev     TEXT NOT NULL,
    hash     TEXT NOT NULL,
    kind     TEXT NOT NULL,
    row_id   TEXT NOT NULL,
    replaces TEXT NOT NULL,
    body     TEXT NOT NULL,
    written  BIGINT NOT NULL
);
CREATE INDEX links_row ON links (row_id, kind, seq);

-- The last link. Whoever appends locks this row first.
CREATE TABLE chain (
    id   BIGINT PRIMARY KEY,
    seq  BIGINT NOT NULL,
    hash TEXT NOT NULL
);
INSERT INTO chain (id, seq, hash) VALUES (1, 0, '');
