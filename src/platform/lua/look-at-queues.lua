-- How some of BullMQ's queues stand. It changes nothing.
-- KEYS: of each queue its wait, prioritized, delayed, active and failed jobs
-- ARGV: of each queue what the keys of its jobs begin with
-- Replies, of each queue: waiting, active, delayed, failed, and since when, or from when on, the job
-- that is due first is due, in ms; -1 without any.

-- Of a job that was moved on to the waiting ones BullMQ forgets its delay: `due` is what
-- src/platform/queue.ts notes with each further delay, the options know the first.
local function dueOf(jobKey)
  local due, timestamp, opts = unpack(redis.call('HMGET', jobKey, 'due', 'timestamp', 'opts'))
  if due then return tonumber(due) end
  local isRead, first = pcall(cjson.decode, opts or '{}')
  local delay = isRead and type(first) == 'table' and tonumber(first.delay)
  return (tonumber(timestamp or 0) or 0) + (delay or 0)
end

local now = now_ms()

local reply = {}
for i, prefix in ipairs(ARGV) do
  local wait, prioritized, delayed, active, failed = unpack(KEYS, i * 5 - 4, i * 5)
  local due = -1
  local oldest = redis.call('LINDEX', wait, -1) or redis.call('ZRANGE', prioritized, 0, 0)[1]
  -- Whoever has added it may be ahead of us: what waits is due.
  if oldest then due = math.min(dueOf(prefix .. oldest), now) end
  local score = redis.call('ZRANGE', delayed, 0, 0, 'WITHSCORES')[2]
  if score then
    local dueMs = ms_of(score)
    if due < 0 or dueMs < due then due = dueMs end
  end
  local waiting = redis.call('LLEN', wait) + redis.call('ZCARD', prioritized)
  reply[i] = {
    waiting,
    redis.call('LLEN', active),
    redis.call('ZCARD', delayed),
    redis.call('ZCARD', failed),
    due,
  }
end
return reply
