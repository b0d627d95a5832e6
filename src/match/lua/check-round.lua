-- Reads how far the open round is. Marks it as over if it waits for present players alone, and they have answered.
-- KEYS[1] match  KEYS[2] lobby  KEYS[3] sockets  KEYS[4] away
-- Replies: JSON of a RoundProgress, as store.ts has it, or of 'complete'; nothing where no round is open

local match = redis.call('HMGET', KEYS[1], 'gameId', 'status', 'complete', 'round', 'present', 'awaited', 'version',
  'openedVersion', 'deadlineMs', 'waitFor')
if match[2] ~= 'open' or match[3] ~= '' then return end
local now = now_ms()
local players, answered, deadline = tonumber(match[5]), match[5] - match[6], tonumber(match[9])
local awaited, check = players, deadline
if match[10] == 'present' and now < deadline then
  local missing, last = awaited_players(now)
  if missing == 0 and (answered > 0 or has_answer()) then
    redis.call('HSET', KEYS[1], 'complete', 'all_answered', 'version', match[7] + 1)
    return cjson.encode('complete')
  end
  awaited = answered + missing
  if missing > 0 then check = math.min(deadline, last) end
end
local version, opened = tonumber(match[7]), tonumber(match[8])
return cjson.encode({ gameId = match[1], round = tonumber(match[4]), answered = answered, awaited = awaited,
  version = version, openedVersion = opened, players = players, dueInMs = math.floor(check - now) })
