-- Takes a user out of a game; nobody waits for the player any more, and a join that is on its way lets
-- nobody in. [contract 5.2, 11]
-- KEYS[1] match
-- ARGV[1] user id  ARGV[2] the version of the lobby that the user was no longer a member of
-- Replies: 'left' | 'complete' (and so the phase is over) | 'none' (was not in the game)

local match = redis.call('HMGET', KEYS[1], 'status', 'deadlineMs', 'complete',
  'player:' .. ARGV[1], 'left:' .. ARGV[1], 'answer:' .. ARGV[1])
if not match[1] or match[1] == 'finished' then return 'none' end

-- Who has joined since the last time, and leaves before coming in, has left again.
local latest = math.max(tonumber(match[5] or 0), tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], 'left:' .. ARGV[1], latest)
if match[5] or not match[4] then return 'none' end
local present = redis.call('HINCRBY', KEYS[1], 'present', -1)
redis.call('HINCRBY', KEYS[1], 'version', 1)
if match[3] ~= '' then return 'left' end
if match[1] == 'intermission' then
  if present > 0 then return 'left' end
elseif match[1] ~= 'open' or match[6] or redis.call('HINCRBY', KEYS[1], 'awaited', -1) > 0 then
  return 'left'
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- After the bell it is the timer that ends the round.
if now >= tonumber(match[2]) then return 'left' end
redis.call('HSET', KEYS[1], 'complete', 'player_left')
return 'complete'
