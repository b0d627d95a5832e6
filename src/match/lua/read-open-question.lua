-- Reads the question of the round, with its solution, before a typed answer to it is compared. [contract 20]
-- KEYS[1] match  KEYS[2] questions (hash by round)
-- ARGV[1] question id
-- Replies: the question as JSON | '' where another question is open, or none

local round, question = unpack(redis.call('HMGET', KEYS[1], 'round', 'questionId'))
if not round or question ~= ARGV[1] then return '' end
return redis.call('HGET', KEYS[2], round) or ''
