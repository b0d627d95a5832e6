-- Takes a user out of a game. Rounds no longer wait for the player, and an earlier join that arrives later is
-- refused by its version. [contract 5.2, 11]
-- KEYS[1] match  KEYS[2] lobby  KEYS[3] sockets  KEYS[4] away
-- ARGV[1] user id  ARGV[2] the version of the roster without the user
-- Replies: 'left' | 'complete' (left, and so the phase is over) | 'none' (did not play)

local match = redis.call('HMGET', KEYS[1], 'status', 'deadlineMs', 'complete',
  'player:' .. ARGV[1], 'left:' .. ARGV[1], 'answer:' .. ARGV[1], 'waitFor')
if not match[1] or match[1] == 'finished' then return 'none' end

-- The newer departure counts: the user may have joined again in between and left before entering the game.
local latest = math.max(tonumber(match[5] or 0), tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], 'left:' .. ARGV[1], latest)
if match[5] or not match[4] then return 'none' end
local present = redis.call('HINCRBY', KEYS[1], 'present', -1)
redis.call('HINCRBY', KEYS[1], 'version', 1)
if match[3] ~= '' then return 'left' end
if match[1] == 'intermission' then
  if present > 0 then return 'left' end
elseif match[1] ~= 'open' or match[6] then
  return 'left'
end

local now, reason = now_ms(), 'player_left'
local awaited = match[1] == 'open' and redis.call('HINCRBY', KEYS[1], 'awaited', -1) or 0
if awaited > 0 then
  if match[7] ~= 'present' then return 'left' end
  if not have_present_answered(now, present - awaited) then return 'left' end
  reason = 'all_answered'
end
-- After the deadline the reason is `timeout`.
if now >= tonumber(match[2]) then return 'left' end
redis.call('HSET', KEYS[1], 'complete', reason)
return 'complete'
