-- Lets a member who was not connected at the start into a running game. [contract 5.1]
-- KEYS[1] match
-- ARGV[1] user id  ARGV[2] name
-- Replies: 'entered' | 'known' | 'left' (leaving is for good) | 'over' (no round is open)

if redis.call('HGET', KEYS[1], 'status') ~= 'open' then return 'over' end
if redis.call('HEXISTS', KEYS[1], 'left:' .. ARGV[1]) == 1 then return 'left' end
if redis.call('HEXISTS', KEYS[1], 'player:' .. ARGV[1]) == 1 then return 'known' end
local place = redis.call('HINCRBY', KEYS[1], 'entered', 1) - 1
redis.call('HSET', KEYS[1], 'player:' .. ARGV[1], place .. ' ' .. ARGV[2])
redis.call('HINCRBY', KEYS[1], 'present', 1)
redis.call('HINCRBY', KEYS[1], 'version', 1)
if redis.call('HGET', KEYS[1], 'complete') == '' then
  redis.call('HINCRBY', KEYS[1], 'awaited', 1)
end
return 'entered'
