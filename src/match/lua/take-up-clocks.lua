-- Takes up clocks of one of BullMQ's queues that are due. Each is put off by as long as whoever takes it may
-- need, and so fires anew should that one die.
-- KEYS[1] the queue's delayed jobs
-- ARGV[1] what the keys of its jobs begin with  ARGV[2] for how long, ms  ARGV[3] how many at most
-- Replies: {when the next one is due, ms, or -1; then of each: its id, its data, its new place in the order}

-- BullMQ orders delayed jobs by their time in ms, times this.
local SCORE_PER_MS = 0x1000

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due_until = string.format('%.0f', (now + 1) * SCORE_PER_MS - 1)

local due = redis.call('ZRANGEBYSCORE', KEYS[1], 0, due_until, 'LIMIT', 0, ARGV[3])
local reply = { -1 }
if #due == tonumber(ARGV[3]) then
  reply[1] = now
else
  local next = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. due_until, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  if next[2] then reply[1] = math.floor(tonumber(next[2]) / SCORE_PER_MS) end
end

local until_score = (now + tonumber(ARGV[2])) * SCORE_PER_MS
for _, id in ipairs(due) do
  local data = redis.call('HGET', ARGV[1] .. id, 'data')
  if data then
    redis.call('ZADD', KEYS[1], string.format('%.0f', until_score), id)
    for _, value in ipairs({ id, data, until_score }) do reply[#reply + 1] = value end
  else
    -- Nothing is left of it but when it was due.
    redis.call('ZREM', KEYS[1], id)
  end
end
return reply
