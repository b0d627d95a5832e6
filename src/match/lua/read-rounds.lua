-- Reads the judged rounds of a game whose result is not stored yet.
-- KEYS[1] match  KEYS[2] questions (hash by round)  KEYS[3] judgements (list)
-- Replies: the questions and their judgements in turns, each as JSON; none of a game that doesn't wait for that

if redis.call('HGET', KEYS[1], 'status') ~= 'finishing' then return {} end
return read_rounds(KEYS[1], KEYS[2], KEYS[3])
