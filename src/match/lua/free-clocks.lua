-- Has clocks fire that a worker has left behind which takes them up as BullMQ does: those that wait for it, and
-- those that it held when it died.
-- KEYS[1] the queue's waiting jobs  KEYS[2] its active ones  KEYS[3] its delayed ones
-- ARGV[1] what the keys of its jobs begin with

local now = now_ms()
for _, list in ipairs({ KEYS[1], KEYS[2] }) do
  for _, id in ipairs(redis.call('LRANGE', list, 0, -1)) do
    if redis.call('EXISTS', ARGV[1] .. id .. ':lock') == 0 then
      redis.call('LREM', list, 1, id)
      redis.call('ZADD', KEYS[3], score_of(now), id)
    end
  end
end
