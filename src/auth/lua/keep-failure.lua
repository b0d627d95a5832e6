-- Turns a try into a failure, which counts until its window is over.
--
-- KEYS[1]  the failures, as in reserve-try.lua
-- ARGV[1]  the window in ms
-- ARGV[2]  the name of the try
--
-- Replies nothing.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
