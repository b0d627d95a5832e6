-- Takes a token from a bucket, which refills steadily. [contract 24]
-- KEYS[1] the time at which the bucket is full again, ms
-- ARGV[1] how many tokens a full bucket has  ARGV[2] how long a token takes to come back, ms
-- Replies: 0, or in how many ms there is a token

local now = now_ms()
local full_at = math.max(now, tonumber(redis.call('GET', KEYS[1]) or 0)) + ARGV[2]
local wait = full_at - now - ARGV[1] * ARGV[2]
if wait > 0 then return math.ceil(wait) end
redis.call('SET', KEYS[1], whole(full_at), 'PX', whole(full_at - now))
return 0
