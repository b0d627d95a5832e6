-- Adds members to expiring sets, or renews them. A key lives as long as the last of its members.
-- KEYS[i] a set (sorted set of members by time of expiry, ms)
-- ARGV[1] time to live of a member, ms  ARGV[2] how many members a set may have, or ''
-- ARGV[i + 2] the set's member
-- Replies: 0, or in how many ms a set that is full has room: nothing is added to it and those after it

local now = now_ms()
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  if ARGV[2] ~= '' and redis.call('ZCARD', key) >= tonumber(ARGV[2]) then
    local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
    return math.max(1, first[2] - now)
  end
  redis.call('ZADD', key, now + ARGV[1], ARGV[i + 2])
  local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')
  redis.call('PEXPIREAT', key, last[2])
end
return 0
