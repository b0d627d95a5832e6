-- Adds a member to a running game who doesn't play in it, or has left it. [contract 5.1, 11]
-- KEYS[1] match
-- ARGV[1] user id  ARGV[2] name  ARGV[3] the version of the roster with the member
-- Replies: 'entered' | 'known' (plays already) | 'presents' | 'left' (since that version) | 'over' (no open phase)

local match = redis.call('HMGET', KEYS[1], 'status', 'complete', 'presenter',
  'player:' .. ARGV[1], 'left:' .. ARGV[1], 'answer:' .. ARGV[1])
if match[1] ~= 'open' and match[1] ~= 'intermission' then return 'over' end
if match[3] == ARGV[1] then return 'presents' end
if match[5] and tonumber(match[5]) >= tonumber(ARGV[3]) then return 'left' end
if match[4] and not match[5] then return 'known' end
redis.call('HDEL', KEYS[1], 'left:' .. ARGV[1])
if not match[4] then
  local place = redis.call('HINCRBY', KEYS[1], 'entered', 1) - 1
  redis.call('HSET', KEYS[1], 'player:' .. ARGV[1], cjson.encode({ place = place, name = ARGV[2] }))
end
redis.call('HINCRBY', KEYS[1], 'present', 1)
redis.call('HINCRBY', KEYS[1], 'version', 1)
if match[1] == 'open' and match[2] == '' and not match[6] then
  redis.call('HINCRBY', KEYS[1], 'awaited', 1)
end
return 'entered'
