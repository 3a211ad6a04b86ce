-- +goose Up
-- Sentences on what did not go as asked with a reply, as a JSON list.
ALTER TABLE replies ADD COLUMN notes TEXT;
