-- Counts something within a window, which begins with the first of it. [contract 8]
--
-- KEYS[1]  the counter: a number, or for 'once' the set of what has counted
-- ARGV[1]  how it counts: 'always'; 'within', where what is beyond the limit does not count; 'once', which is 'within'
--          for a member that has not counted yet
-- ARGV[2]  the window, ms
-- ARGV[3]  how much a window allows
-- ARGV[4]  the member, for 'once'
--
-- Replies { the count with this one, even where it does not count, what remains of the window in ms, at least 1 }.

local key, mode, window, max = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])
local count
if mode == 'always' then
  count = redis.call('INCR', key)
  if count == 1 then
    redis.call('PEXPIRE', key, window)
    return { count, tonumber(window) }
  end
elseif mode == 'once' then
  count = redis.call('SCARD', key)
  if redis.call('SISMEMBER', key, ARGV[4]) == 0 then
    count = count + 1
    if count <= max then
      redis.call('SADD', key, ARGV[4])
      redis.call('PEXPIRE', key, window, 'NX')
    end
  end
else
  count = tonumber(redis.call('GET', key) or 0) + 1
  if count <= max then
    redis.call('INCR', key)
    if count == 1 then redis.call('PEXPIRE', key, window) end
  end
end
return { count, math.max(redis.call('PTTL', key), 1) }
