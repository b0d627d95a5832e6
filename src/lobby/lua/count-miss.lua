-- Counts a try that found no lobby of the user's, or only looks whether one more would be answered. Of
-- any number of tries at once no more are counted, and so answered, than there may be. [contract 17]
--
-- KEYS[1]  the user's misses, gone when the window is over; the first begins it
-- ARGV[1]  how many there may be, ARGV[2] the window, ms, ARGV[3] 'count' | 'look'
--
-- Replies how long to wait, ms: 0 when the try may be answered

local misses = tonumber(redis.call('GET', KEYS[1]) or 0)
if misses >= tonumber(ARGV[1]) then return math.max(redis.call('PTTL', KEYS[1]), 1) end
if ARGV[3] == 'count' and redis.call('INCR', KEYS[1]) == 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
