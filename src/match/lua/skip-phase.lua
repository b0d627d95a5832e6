-- Marks a phase, or the game, as ended by its host. No answer counts from now on, and the next caller of
-- end-phase.lua ends the phase. [contract 11]
-- KEYS[1] match
-- ARGV[1] 'next' | 'end'  ARGV[2] round and ARGV[3] 'round' | 'intermission', for 'next'
-- Replies: 'due' | 'NOT_IN_GAME' | 'ROUND_CLOSED' (another phase is open) | 'OVERDUE' (the phase was over
-- before, and has not been ended yet)

local match = redis.call('HMGET', KEYS[1], 'status', 'round', 'deadlineMs', 'complete')
local status = match[1]
if not status or status == 'finished' then return 'NOT_IN_GAME' end
-- The game has ended, and its result is being stored.
if status == 'finishing' and ARGV[1] == 'end' then return 'NOT_IN_GAME' end
local now = now_ms()
local is_over = match[4] ~= '' or now >= tonumber(match[3])

if ARGV[1] == 'next' then
  local phase = ({ open = 'round', intermission = 'intermission' })[status]
  if phase ~= ARGV[3] or match[2] ~= ARGV[2] then
    return is_over and 'OVERDUE' or 'ROUND_CLOSED'
  end
  if is_over then return 'OVERDUE' end
else
  redis.call('HSET', KEYS[1], 'ending', 1)
end
redis.call('HINCRBY', KEYS[1], 'version', 1)
if not is_over then redis.call('HSET', KEYS[1], 'complete', 'skipped') end
return 'due'
