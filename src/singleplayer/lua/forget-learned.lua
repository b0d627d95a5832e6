-- Removes learned answers of a quiz.
--
-- KEYS[1]  the index of pending quizzes, see answer-question.lua
-- KEYS[2]  the quiz's pending answers
-- ARGV[1]  the quiz's id  ARGV[2…] the numbers of the answers
--
-- Replies nothing

redis.call('HDEL', KEYS[2], unpack(ARGV, 2))
-- The hash also has the fields `userId` and `words`.
if redis.call('HLEN', KEYS[2]) <= 2 then
  redis.call('DEL', KEYS[2])
  redis.call('ZREM', KEYS[1], ARGV[1])
end
