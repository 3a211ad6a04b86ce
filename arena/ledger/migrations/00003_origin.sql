-- +goose Up
-- Where a duel came from, what lies before its first turn, and what a person
-- changed in play. NULL stands for none.
ALTER TABLE duels ADD COLUMN origin TEXT;
ALTER TABLE duels ADD COLUMN past TEXT;
ALTER TABLE turns ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE turns ADD COLUMN auto TEXT NOT NULL DEFAULT '';
ALTER TABLE replies ADD COLUMN prefill TEXT NOT NULL DEFAULT '';
ALTER TABLE replies ADD COLUMN sampling TEXT;
