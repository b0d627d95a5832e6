-- Ends a phase exactly once: writes what was judged, and announces it together with what comes next.
-- Whoever decided on an older snapshot is told so and changes nothing. [contract 5.5, 11]
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel  KEYS[4] match  KEYS[5] judged rounds (list)
-- KEYS[6] the queue of judged answers
-- ARGV[1] time to live, ms  ARGV[2] the snapshot's version  ARGV[3] why: 'timeout' is checked
-- ARGV[4] what comes next: 'open' | 'intermission' | 'finishing'
-- ARGV[5] the new tallies, JSON, or '' where no round ended  ARGV[6] the game:answer_result as
-- append_event takes it
-- ARGV[7] the judged round as it is kept, JSON, or ''  ARGV[8] time of the intermission, ms
-- ARGV[9] the next game:question, in the same way, or ''  ARGV[10] its id
-- ARGV[11] the judged round's word as the queue names it, or '' where nobody has answered
-- ARGV[12] who was right, ARGV[13] who was wrong: ids, separated by spaces
-- ARGV[14…] all whose answers the judged round holds, and last the random text
-- Replies: {'ended', how late, ms, the deadline that now stands} | {'stale', 0, 0} | {'early', 0, 0}

local match = redis.call('HMGET', KEYS[4], 'status', 'version', 'deadlineMs', 'durationMs', 'present',
  'round')
if (match[1] ~= 'open' and match[1] ~= 'intermission') or match[2] ~= ARGV[2] then
  return { 'stale', 0, 0 }
end
local now = now_ms()
local late = now - tonumber(match[3])
if ARGV[3] == 'timeout' and late < 0 then return { 'early', 0, 0 } end

local deadline = now
if ARGV[4] == 'intermission' then deadline = now + tonumber(ARGV[8]) end
if ARGV[4] == 'open' then deadline = now + tonumber(match[4]) end
local version = match[2] + 1
local changed = { 'version', version, 'status', ARGV[4], 'complete', '', 'deadlineMs', whole(deadline) }
local function change(...)
  for _, value in ipairs({ ... }) do changed[#changed + 1] = value end
end

local screen
if ARGV[5] ~= '' then
  local answers = {}
  for at = 14, #ARGV - 1 do answers[#answers + 1] = 'answer:' .. ARGV[at] end
  if #answers > 0 then redis.call('HDEL', KEYS[4], unpack(answers)) end
  change('tallies', ARGV[5])
  if ARGV[7] ~= '' then
    redis.call('RPUSH', KEYS[5], ARGV[7])
    redis.call('PEXPIRE', KEYS[5], ARGV[1])
  end
  if ARGV[11] ~= '' then queue_judged(KEYS[6], ARGV[11], ARGV[12], ARGV[13]) end
  local nextAt = ARGV[4] == 'intermission' and deadline or now
  screen = append_event(ARGV[6], now, '"nextAtMs":' .. whole(nextAt) .. ',', ARGV[1])
end
if ARGV[4] == 'open' then
  change('round', match[6] + 1, 'questionId', ARGV[10], 'openedAtMs', whole(now),
    'openedVersion', version, 'awaited', match[5])
  screen = append_event(ARGV[9], now, '"deadlineMs":' .. whole(deadline) .. ',', ARGV[1])
end
if ARGV[4] == 'finishing' then
  change('finishedAtMs', whole(now))
  if screen then redis.call('HDEL', KEYS[1], 'screen') end
elseif screen then
  redis.call('HSET', KEYS[1], 'screen', screen)
end
redis.call('HSET', KEYS[4], unpack(changed))
redis.call('PEXPIRE', KEYS[4], ARGV[1])
return { 'ended', late, deadline }
