-- Stores a new quiz. If the user would then have too many live quizzes, the oldest are deleted. [contract 17]
--
-- KEYS[1]  the quiz, see answer-question.lua
-- KEYS[2]  the user's live quizzes: a list of their keys, the oldest first. An expired quiz stays in the list
--          until it is the oldest one, as all quizzes have the same time to live
-- KEYS[3…] the quizzes to delete, the oldest first
-- ARGV[1]  time to live, ms  ARGV[2] the maximum number of the user's live quizzes
-- ARGV[3…] the quiz's fields, each followed by its value
--
-- Replies an empty list when the quiz is stored; otherwise the keys of the quizzes to delete, with which the
-- caller calls the script again

-- A client of Redis that has reconnected may send the same call again.
if redis.call('EXISTS', KEYS[1]) == 1 then return {} end

local too_many = redis.call('LLEN', KEYS[2]) + 1 - tonumber(ARGV[2])
if too_many > 0 then
  local oldest = redis.call('LRANGE', KEYS[2], 0, too_many - 1)
  for place, key in ipairs(oldest) do
    if KEYS[2 + place] ~= key then return oldest end
  end
  redis.call('DEL', unpack(oldest))
  redis.call('LTRIM', KEYS[2], too_many, -1)
end

redis.call('HSET', KEYS[1], unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('RPUSH', KEYS[2], KEYS[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return {}
