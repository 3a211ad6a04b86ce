-- +goose Up
-- Branches are found without reading the duels themselves.
CREATE INDEX duels_by_origin ON duels (origin, id, started) WHERE origin IS NOT NULL;
