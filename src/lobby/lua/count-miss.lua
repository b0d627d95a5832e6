-- Counts a wrong code of a user or an address, or only checks whether one more would be answered. Counting
-- and checking are one step, so that concurrent tries can't exceed the limit. [contract 17]
-- KEYS[1] the number of misses, which expires with the window that the first one opens
-- ARGV[1] misses allowed in a window  ARGV[2] the window, ms  ARGV[3] 'count' | 'check'
-- Replies: 0 if the code may be answered, otherwise in how many milliseconds

local misses = tonumber(redis.call('GET', KEYS[1]) or 0)
if misses >= tonumber(ARGV[1]) then return math.max(redis.call('PTTL', KEYS[1]), 1) end
if ARGV[3] == 'count' and redis.call('INCR', KEYS[1]) == 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
