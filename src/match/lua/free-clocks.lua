-- Has clocks fire that a worker has left behind which takes them up as BullMQ does: those that wait for it, and
-- those that it held when it died.
-- KEYS[1] the queue's waiting jobs  KEYS[2] its active ones  KEYS[3] its delayed ones
-- ARGV[1] what the keys of its jobs begin with

-- BullMQ orders delayed jobs by their time in ms, times this.
local SCORE_PER_MS = 0x1000

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, list in ipairs({ KEYS[1], KEYS[2] }) do
  for _, id in ipairs(redis.call('LRANGE', list, 0, -1)) do
    if redis.call('EXISTS', ARGV[1] .. id .. ':lock') == 0 then
      redis.call('LREM', list, 1, id)
      redis.call('ZADD', KEYS[3], string.format('%.0f', now * SCORE_PER_MS), id)
    end
  end
end
