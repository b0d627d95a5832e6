-- Ends the open round exactly once: writes what was judged, and announces it together with what
-- comes next. Whoever judged an older snapshot is told so and changes nothing. [contract 5.5]
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel  KEYS[4] match
-- ARGV[1] time to live, ms  ARGV[2] the snapshot's version  ARGV[3] the reason
-- ARGV[4] the new tallies, JSON  ARGV[5] the game:answer_result, JSON
-- ARGV[6] the next game:question, JSON, or '' when this was the last round  ARGV[7] its id
-- Replies: {'advanced', how late the round ended, ms} | {'stale', 0} | {'early', 0}

local match = redis.call('HMGET', KEYS[4], 'status', 'version', 'deadlineMs', 'durationMs', 'present')
if match[1] ~= 'open' or match[2] ~= ARGV[2] then return { 'stale', 0 } end
local now = now_ms()
local late = now - tonumber(match[3])
if ARGV[3] == 'timeout' and late < 0 then return { 'early', 0 } end

local answers = {}
for _, field in ipairs(redis.call('HKEYS', KEYS[4])) do
  if string.sub(field, 1, 7) == 'answer:' then answers[#answers + 1] = field end
end
if #answers > 0 then redis.call('HDEL', KEYS[4], unpack(answers)) end

append_event(ARGV[5], now, '', ARGV[1])
redis.call('HSET', KEYS[4], 'tallies', ARGV[4], 'complete', '')
redis.call('HINCRBY', KEYS[4], 'version', 1)
redis.call('PEXPIRE', KEYS[4], ARGV[1])
if ARGV[6] == '' then
  redis.call('HSET', KEYS[4], 'status', 'finishing', 'finishedAtMs', whole(now))
  redis.call('HDEL', KEYS[1], 'screen')
else
  local deadline = now + tonumber(match[4])
  redis.call('HINCRBY', KEYS[4], 'round', 1)
  redis.call('HSET', KEYS[4], 'questionId', ARGV[7], 'openedAtMs', whole(now),
    'deadlineMs', whole(deadline), 'awaited', match[5])
  local entry = append_event(ARGV[6], now, '"deadlineMs":' .. whole(deadline) .. ',', ARGV[1])
  redis.call('HSET', KEYS[1], 'screen', entry)
end
return { 'advanced', late }
