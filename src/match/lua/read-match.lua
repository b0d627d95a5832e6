-- Reads a snapshot of a game.
-- KEYS[1] match  KEYS[2] questions
-- Replies: the snapshot

return snapshot(KEYS[1], KEYS[2])
