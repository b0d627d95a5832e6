-- Takes a place for a socket if its user has one left. What a replica does not keep in time is free:
-- a crashed one leaves nobody outside for long.
-- KEYS[1] the user's places (sorted set of places by time of expiry)
-- ARGV[1] places at most  ARGV[2] time to live, ms  ARGV[3] the place
-- Replies: 1 taken | 0 none left

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
