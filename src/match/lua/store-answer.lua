-- Stores a player's answer to the open question. [contract 5.4]
-- KEYS[1] match  KEYS[2] questions  KEYS[3] lobby  KEYS[4] sockets  KEYS[5] away
-- ARGV[1] the request, as answer-refusals.lua describes it
-- Replies: 'stored' | {'complete', the game's snapshot} (it was the last awaited answer) | a refusal

local refused = refusal()
if refused then return refused end

local awaited = tonumber(match[11]) - 1
given.elapsedMs = now - tonumber(match[4])
local stored = cjson.encode(given)
redis.call('HSET', KEYS[1], 'answer:' .. user, stored,
  'token:' .. user, request.token, 'version', match[10] + 1, 'awaited', awaited)
if awaited > 0 then
  if match[13] ~= 'present' then return 'stored' end
  local keys = { match = KEYS[1], lobby = KEYS[3], sockets = KEYS[4], away = KEYS[5] }
  if not have_present_answered(keys, now, match[14] - awaited) then return 'stored' end
end
redis.call('HSET', KEYS[1], 'complete', 'all_answered')
return { 'complete', snapshot(KEYS[1], KEYS[2]) }
