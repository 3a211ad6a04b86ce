-- +goose Up
-- By which policy the second order was asked, and how likely the critic held
-- each answer to be, from the probabilities of its label's tokens.
ALTER TABLE rulings ADD COLUMN orders TEXT NOT NULL DEFAULT 'always';
ALTER TABLE verdicts ADD COLUMN label TEXT;
