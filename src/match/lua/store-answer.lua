-- Stores a player's answer to the open question. Checked in the contract's order. [contract 5.4]
-- KEYS[1] match  KEYS[2] questions
-- ARGV[1] question id  ARGV[2] user id  ARGV[3] option id  ARGV[4] a token of this one request, so
-- that a request which a broken connection makes arrive twice is not refused as a second answer
-- Replies: 'stored' | {'complete', the game's snapshot} (nobody is waited for any more), of a request that
-- arrives again 'complete' | 'NOT_IN_GAME' | 'ROUND_CLOSED' | 'OVERDUE' (closed: the open phase is over,
-- and that is not carried out yet) | 'ALREADY_ANSWERED'

local match = redis.call('HMGET', KEYS[1], 'status', 'questionId', 'deadlineMs', 'openedAtMs',
  'complete', 'player:' .. ARGV[2], 'left:' .. ARGV[2], 'answer:' .. ARGV[2], 'token:' .. ARGV[2],
  'version', 'awaited')
local status, answer = match[1], match[8]
-- It counted the first time, whatever has happened since.
if match[9] == ARGV[4] then return match[5] == '' and 'stored' or 'complete' end
if not status or status == 'finished' or not match[6] or match[7] then return 'NOT_IN_GAME' end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local is_overdue = status ~= 'finishing' and now >= tonumber(match[3])
if is_overdue then return 'OVERDUE' end
if status ~= 'open' or match[2] ~= ARGV[1] then return 'ROUND_CLOSED' end
if answer then return 'ALREADY_ANSWERED' end
-- Who came in when all others had answered already, or was slower than the host.
if match[5] ~= '' then return 'ROUND_CLOSED' end

local awaited = tonumber(match[11]) - 1
redis.call('HSET', KEYS[1], 'answer:' .. ARGV[2], ARGV[3] .. ' ' .. (now - tonumber(match[4])),
  'token:' .. ARGV[2], ARGV[4], 'version', match[10] + 1, 'awaited', awaited)
if awaited > 0 then return 'stored' end
redis.call('HSET', KEYS[1], 'complete', 'all_answered')
return { 'complete', snapshot(KEYS[1], KEYS[2]) }
