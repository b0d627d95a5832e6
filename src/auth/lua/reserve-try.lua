-- Makes room for one more password to be tried, so that however many are tried at once, no more
-- fail within a window than are allowed.
--
-- KEYS[1]  the failures: a sorted set of tries, each by when it is forgotten, in ms
-- ARGV[1]  how many are allowed within a window
-- ARGV[2]  how long a try may be under way, in ms; then it counts as never made
-- ARGV[3]  the window in ms
-- ARGV[4]  the name of this try
--
-- Replies 0 when the try may be made, otherwise in how many ms there is room again.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then
  local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return math.max(1, first[2] - now)
end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[4])
redis.call('PEXPIRE', KEYS[1], math.max(ARGV[2], ARGV[3]))
return 0
