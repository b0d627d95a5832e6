-- Reads what a typed answer is compared with, unless the answer would be refused: to compare it costs more than
-- everything else. [contract 20]
-- KEYS[1] match  KEYS[2] questions (hash by round)
-- ARGV[1] the request, as answer-refusals.lua describes it
-- Replies: {the question, the game's settings}, both JSON | a refusal

local refused = refusal()
if refused then return refused end
local round, settings = unpack(redis.call('HMGET', KEYS[1], 'round', 'settings'))
return { redis.call('HGET', KEYS[2], round), settings }
