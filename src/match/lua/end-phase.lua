-- Ends a phase exactly once: writes the judgement and the next phase, and announces both. An outcome that was
-- computed from an older snapshot changes nothing. [contract 5.5, 11]
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel  KEYS[4] match
-- KEYS[5] questions (hash by round)  KEYS[6] judgements (list)
-- ARGV[1] time to live, ms  ARGV[2] the snapshot's version  ARGV[3] the reason; 'timeout' is checked
-- ARGV[4] the next status: 'open' | 'intermission' | 'finishing'
-- ARGV[5] the new totals, JSON, or '' at the end of an intermission
-- ARGV[6] the game:answer_result, JSON, or ''
-- ARGV[7] the judgement to store, JSON, or ''  ARGV[8] duration of the intermission, ms
-- ARGV[9] the next game:question, JSON, or ''  ARGV[10] its question's id
-- ARGV[11] for how long the next question stands before it can be answered, ms
-- ARGV[12…] the ids of the users whose answers were judged, and last the call's JSON
-- Replies: {'ended' | 'early', ms from the deadline to now, ms from now to the new deadline, the judged rounds
-- as read-rounds.lua replies them if the game is over, or else none} | {'stale', 0, 0, {}}

local match = redis.call('HMGET', KEYS[4], 'status', 'version', 'deadlineMs', 'durationMs', 'present',
  'round')
if (match[1] ~= 'open' and match[1] ~= 'intermission') or match[2] ~= ARGV[2] then
  return { 'stale', 0, 0, {} }
end
local now = now_ms()
local late = now - tonumber(match[3])
if ARGV[3] == 'timeout' and late < 0 then return { 'early', late, -late, {} } end

announce_pending_state(now, ARGV[1])
local opened, deadline = now, now
if ARGV[4] == 'intermission' then deadline = now + tonumber(ARGV[8]) end
if ARGV[4] == 'open' then
  opened = now + tonumber(ARGV[11])
  deadline = opened + tonumber(match[4])
end
local version = match[2] + 1
local changed = { 'version', version, 'status', ARGV[4], 'complete', '', 'deadlineMs', whole(deadline) }
local function change(...)
  for _, value in ipairs({ ... }) do changed[#changed + 1] = value end
end

local screen
if ARGV[5] ~= '' then
  local answers = {}
  for at = 12, #ARGV - 1 do answers[#answers + 1] = 'answer:' .. ARGV[at] end
  if #answers > 0 then redis.call('HDEL', KEYS[4], unpack(answers)) end
  change('totals', ARGV[5])
  redis.call('RPUSH', KEYS[6], ARGV[7])
  redis.call('PEXPIRE', KEYS[6], ARGV[1])
  local nextAt = ARGV[4] == 'intermission' and deadline or now
  screen = append_event(ARGV[6], now, ARGV[1], { nextAtMs = whole(nextAt) })
end
if ARGV[4] == 'open' then
  change('round', match[6] + 1, 'questionId', ARGV[10], 'openedAtMs', whole(opened),
    'openedVersion', version, 'awaited', match[5])
  screen = append_question(ARGV[9], now, ARGV[1], opened, deadline)
end
if ARGV[4] == 'finishing' then
  change('finishedAtMs', whole(now))
  if screen then clear_screen() end
elseif screen then
  set_screen(screen)
end
redis.call('HSET', KEYS[4], unpack(changed))
if ARGV[4] == 'finishing' then return { 'ended', late, 0, read_rounds(KEYS[4], KEYS[5], KEYS[6]) } end
redis.call('PEXPIRE', KEYS[4], ARGV[1])
return { 'ended', late, deadline - now, {} }
