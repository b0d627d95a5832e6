-- Reads the judged rounds of a game whose result is not stored yet.
-- KEYS[1] match  KEYS[2] judged rounds (list)
-- Replies: the rounds, each as JSON

if redis.call('HGET', KEYS[1], 'status') ~= 'finishing' then return redis.call('LRANGE', KEYS[2], 0, -1) end
return read_rounds(KEYS[1], KEYS[2])
