-- Shared by every script that counts requests: adds one and tells the count, and what remains of its
-- window in ms, which begins with the first. [contract 8]
local function count_one(key, window_ms)
  local count = redis.call('INCR', key)
  if count == 1 then
    redis.call('PEXPIRE', key, window_ms)
    return count, tonumber(window_ms)
  end
  return count, redis.call('PTTL', key)
end
