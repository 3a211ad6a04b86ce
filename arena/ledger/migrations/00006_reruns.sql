-- +goose Up
-- What was changed where a turn was judged again; '' is the ruling of play.
ALTER TABLE rulings ADD COLUMN rerun TEXT NOT NULL DEFAULT '';
