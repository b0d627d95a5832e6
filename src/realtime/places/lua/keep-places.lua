-- Keeps the places of open sockets, those too that Redis has forgotten.
-- KEYS[i] a user's places  ARGV[1] time to live, ms  ARGV[i + 1] a place of that user

local time = redis.call('TIME')
local expiry = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
for i = 1, #KEYS do
  redis.call('ZADD', KEYS[i], expiry, ARGV[i + 1])
  redis.call('PEXPIRE', KEYS[i], ARGV[1])
end
