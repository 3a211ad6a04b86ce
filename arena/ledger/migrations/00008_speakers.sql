-- +goose Up
-- Which played character answered in a turn ('' is the scene's own), and what
-- the surroundings did before it.
ALTER TABLE turns ADD COLUMN speaker TEXT NOT NULL DEFAULT '';
ALTER TABLE turns ADD COLUMN scenery TEXT NOT NULL DEFAULT '';
