-- Takes up clocks of one of BullMQ's queues that are due. Each is put off by as long as whoever takes it may
-- need, and so fires anew should that one die.
-- KEYS[1] the queue's delayed jobs
-- ARGV[1] what the keys of its jobs begin with  ARGV[2] for how long, ms  ARGV[3] how many at most
-- Replies: {when the next one is due, ms, or -1; then of each: its id, its data, its new place in the order}

local now = now_ms()
local not_due = score_of(now + 1)

local due = redis.call('ZRANGEBYSCORE', KEYS[1], 0, '(' .. not_due, 'LIMIT', 0, ARGV[3])
local reply = { -1 }
if #due == tonumber(ARGV[3]) then
  reply[1] = now
else
  local next = redis.call('ZRANGEBYSCORE', KEYS[1], not_due, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  if next[2] then reply[1] = ms_of(next[2]) end
end

local until_score = score_of(now + ARGV[2])
for _, id in ipairs(due) do
  local data = redis.call('HGET', ARGV[1] .. id, 'data')
  if data then
    redis.call('ZADD', KEYS[1], until_score, id)
    for _, value in ipairs({ id, data, until_score }) do reply[#reply + 1] = value end
  else
    -- Nothing is left of it but when it was due.
    redis.call('ZREM', KEYS[1], id)
  end
end
return reply
