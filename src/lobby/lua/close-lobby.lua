-- Announces, once, that a lobby is no more. Its log stays for those who come back late.
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel  KEYS[4] sockets
-- ARGV[1] how long the log stays, ms  ARGV[2] the event as append_event takes it
-- Replies: 'closed' | 'known'

if redis.call('HSETNX', KEYS[1], 'closed', 1) == 0 then return 'known' end
redis.call('DEL', KEYS[4])
local entry = append_event(ARGV[2], now_ms(), '', ARGV[1])
redis.call('HSET', KEYS[1], 'screen', entry)
return 'closed'
