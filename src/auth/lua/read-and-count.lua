-- Reads a session and, if there is one, counts the request for its user: one step instead of two
-- round trips, for a caller who knows the user from the time before. What comes with a session that
-- is over counts for nobody. [contract 10]
--
-- KEYS[1]  the session's key
-- KEYS[2]  the counter of its user, as the limiter keeps it
-- ARGV[1]  the version of the copy that the caller knows
-- ARGV[2]  the counter's window, ms
--
-- Replies one text, which is read faster than a list: the count, what remains of its window in ms, and
-- the copy, or 1 when it is the known one; '' for a removed session, nil for none.

-- Lua takes in each letter of what it reads: the known copy is told by its beginning. Redis is given no
-- numbers, each of which it would write as if it were a fraction.
local copy = '1'
if redis.call('GETRANGE', KEYS[1], '0', string.format('%d', #ARGV[1])) ~= ARGV[1] .. ' ' then
  copy = redis.call('GET', KEYS[1])
  if not copy or copy == '' then return copy end
end
local count, rest_ms = count_one(KEYS[2], ARGV[2])
return string.format('%d %d ', count, rest_ms) .. copy
