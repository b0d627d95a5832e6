-- Counts something within a window, which begins with the first of it. [contract 8]
-- KEYS[1]  the counter: a number, or for 'once' the set of what has counted
-- ARGV[1]  how it counts: 'always'; 'within', where what is beyond the limit does not count; 'once', which is 'within'
--          for a member that has not counted yet
-- ARGV[2]  the window, ms
-- ARGV[3]  how much a window allows
-- ARGV[4]  the member, for 'once'
-- Replies { the count with this one, even where it does not count, what remains of the window in ms, at least 1 }.

local key, mode, window, max = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])
local count
if mode == 'always' then
  count = redis.call('INCR', key)
  if count == 1 then
    redis.call('PEXPIRE', key, window)
    return { count, tonumber(window) }
  end
elseif mode == 'once' and redis.call('SISMEMBER', key, ARGV[4]) == 1 then
  count = redis.call('SCARD', key)
else
  count = 1 + (mode == 'once' and redis.call('SCARD', key) or tonumber(redis.call('GET', key) or 0))
  if count <= max then
    if mode == 'once' then redis.call('SADD', key, ARGV[4]) else redis.call('INCR', key) end
    redis.call('PEXPIRE', key, window, 'NX')
  end
end
return { count, math.max(redis.call('PTTL', key), 1) }
