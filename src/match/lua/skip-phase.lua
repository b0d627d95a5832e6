-- The host's word that a phase, or the game, is over. From here on no answer counts, and whoever looks
-- at the game carries it out. [contract 11]
-- KEYS[1] match
-- ARGV[1] 'next' | 'end'  ARGV[2] round and ARGV[3] 'round' | 'intermission', for 'next'
-- Replies: 'due' | 'NOT_IN_GAME' | 'ROUND_CLOSED' (another phase is open) | 'OVERDUE' (the phase is
-- over already, and nobody has carried that out)

local match = redis.call('HMGET', KEYS[1], 'status', 'round', 'deadlineMs', 'complete')
local status = match[1]
if not status or status == 'finished' then return 'NOT_IN_GAME' end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local is_over = match[4] ~= '' or now >= tonumber(match[3])

if ARGV[1] == 'next' then
  local phase = ({ open = 'round', intermission = 'intermission' })[status]
  if phase ~= ARGV[3] or match[2] ~= ARGV[2] then
    return is_over and 'OVERDUE' or 'ROUND_CLOSED'
  end
  if is_over then return 'OVERDUE' end
elseif status ~= 'finishing' then
  redis.call('HSET', KEYS[1], 'ending', 1)
end
if status ~= 'finishing' then
  redis.call('HINCRBY', KEYS[1], 'version', 1)
  if not is_over then redis.call('HSET', KEYS[1], 'complete', 'skipped') end
end
return 'due'
