-- A game at one instant.
-- KEYS[1] match  KEYS[2] questions
-- Replies: its snapshot

return snapshot(KEYS[1], KEYS[2])
