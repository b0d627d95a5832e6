-- Counts a request in a window that begins with the first one. [contract 8]
--
-- KEYS[1]  the counter
-- ARGV[1]  its window, ms
--
-- Replies { the count, what remains of the window in ms }.

local count = redis.call('INCR', KEYS[1])
if count == 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return { count, tonumber(ARGV[1]) }
end
return { count, redis.call('PTTL', KEYS[1]) }
