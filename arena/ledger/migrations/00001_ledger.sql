-- The ledger's tables, in the SQL that SQLite and PostgreSQL share: ids are
-- made by the program, times are unix milliseconds, durations nanoseconds,
-- lists and records are JSON text. There are no foreign keys on purpose: when
-- one write fails, what comes after it must still be kept.

-- +goose Up
CREATE TABLE duels (
    id          TEXT PRIMARY KEY,
    scene_id    TEXT NOT NULL,
    scene_title TEXT NOT NULL,
    scene       TEXT NOT NULL,
    played      TEXT NOT NULL,
    person      TEXT NOT NULL,
    language    TEXT NOT NULL,
    critic      TEXT NOT NULL,
    canon       TEXT NOT NULL,
    blind       BOOLEAN NOT NULL,
    rehearsal   BOOLEAN NOT NULL,
    seed        BIGINT NOT NULL,
    started     BIGINT NOT NULL
);
CREATE INDEX duels_started ON duels (started, id);

CREATE TABLE contestants (
    duel_id     TEXT NOT NULL,
    seat        BIGINT NOT NULL,
    name        TEXT NOT NULL,
    model       TEXT NOT NULL,
    endpoint    TEXT NOT NULL,
    dialect     TEXT NOT NULL,
    prefill     TEXT NOT NULL,
    sampling    TEXT,
    keep_system BOOLEAN NOT NULL,
    rehearsal   BOOLEAN NOT NULL,
    PRIMARY KEY (duel_id, seat)
);
CREATE INDEX contestants_name ON contestants (name, duel_id);

CREATE TABLE turns (
    id      TEXT PRIMARY KEY,
    duel_id TEXT NOT NULL,
    number  BIGINT NOT NULL,
    line    TEXT NOT NULL,
    seat_a  BIGINT NOT NULL,
    seat_b  BIGINT NOT NULL,
    canon   BIGINT NOT NULL,
    started BIGINT NOT NULL
);
CREATE INDEX turns_duel ON turns (duel_id, number);

CREATE TABLE replies (
    id         TEXT PRIMARY KEY,
    turn_id    TEXT NOT NULL,
    contestant BIGINT NOT NULL,
    swipe      BIGINT NOT NULL,
    state      TEXT NOT NULL,
    writer     TEXT NOT NULL,
    raw        TEXT NOT NULL,
    reasoning  TEXT NOT NULL,
    segments   TEXT,
    dialect    TEXT NOT NULL,
    truncated  BOOLEAN NOT NULL,
    spoke_for  TEXT,
    finish     TEXT NOT NULL,
    complete   BOOLEAN NOT NULL,
    damaged    BIGINT NOT NULL,
    token_use  TEXT,
    fault      TEXT,
    started    BIGINT NOT NULL,
    first_byte BIGINT NOT NULL,
    total      BIGINT NOT NULL
);
CREATE INDEX replies_turn ON replies (turn_id, contestant, swipe);
CREATE INDEX replies_streaming ON replies (writer) WHERE state = 'streaming';

CREATE TABLE rulings (
    id        TEXT PRIMARY KEY,
    turn_id   TEXT NOT NULL,
    critic    TEXT NOT NULL,
    agreement TEXT NOT NULL,
    winner    TEXT NOT NULL,
    reply_a   TEXT NOT NULL,
    reply_b   TEXT NOT NULL,
    counted   BOOLEAN NOT NULL,
    why       TEXT NOT NULL,
    given     BIGINT NOT NULL,
    total     BIGINT NOT NULL
);
CREATE INDEX rulings_turn ON rulings (turn_id, given);

CREATE TABLE verdicts (
    ruling_id       TEXT NOT NULL,
    shown           BIGINT NOT NULL,
    status          TEXT NOT NULL,
    better          TEXT NOT NULL,
    principles      TEXT,
    comparisons     TEXT,
    overall         TEXT NOT NULL,
    summary         TEXT NOT NULL,
    tally           TEXT,
    tally_disagrees BOOLEAN NOT NULL,
    raw             TEXT NOT NULL,
    reasoning       TEXT NOT NULL,
    prompt_hash     TEXT NOT NULL,
    model           TEXT NOT NULL,
    token_use       TEXT,
    fault           TEXT,
    first_byte      BIGINT NOT NULL,
    total           BIGINT NOT NULL,
    PRIMARY KEY (ruling_id, shown)
);

CREATE TABLE votes (
    id      TEXT PRIMARY KEY,
    turn_id TEXT NOT NULL,
    choice  TEXT NOT NULL,
    voter   TEXT NOT NULL,
    dwell   BIGINT NOT NULL,
    counted BOOLEAN NOT NULL,
    why     TEXT NOT NULL,
    given   BIGINT NOT NULL
);
CREATE INDEX votes_turn ON votes (turn_id, given);

CREATE TABLE battles (
    id       TEXT PRIMARY KEY,
    duel_id  TEXT NOT NULL,
    turn_id  TEXT NOT NULL,
    turn     BIGINT NOT NULL,
    scene_id TEXT NOT NULL,
    source   TEXT NOT NULL,
    a        TEXT NOT NULL,
    b        TEXT NOT NULL,
    outcome  TEXT NOT NULL,
    weight   DOUBLE PRECISION NOT NULL,
    flip     BOOLEAN NOT NULL,
    counted  BOOLEAN NOT NULL,
    why      TEXT NOT NULL,
    judge    TEXT NOT NULL,
    language TEXT NOT NULL,
    given    BIGINT NOT NULL
);
-- Holds all that a board needs, so that the table itself is not read for it.
CREATE INDEX battles_source ON battles (source, counted, given, id, a, b, outcome, weight);
CREATE INDEX battles_given ON battles (given, id);
CREATE INDEX battles_duel ON battles (duel_id, turn_id, source);

-- Programs that have replies under way; a reply whose writer is gone was cut off.
CREATE TABLE writers (
    id   TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    pid  BIGINT NOT NULL,
    seen BIGINT NOT NULL
);
