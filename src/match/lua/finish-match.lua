-- Announces the end of a game, once. Its result is stored already. [contract 5.7]
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel  KEYS[4] match
-- ARGV[1] time to live, ms  ARGV[2] game id  ARGV[3] roster's version  ARGV[4] roster, JSON, or ''
-- ARGV[5] the game:finished as append_event takes it
-- Replies: 'finished' | 'known'

local match = redis.call('HMGET', KEYS[4], 'gameId', 'status')
if match[1] ~= ARGV[2] or match[2] ~= 'finishing' then return 'known' end
redis.call('HSET', KEYS[4], 'status', 'finished')
redis.call('HINCRBY', KEYS[4], 'version', 1)
local now = now_ms()
if ARGV[4] ~= '' then tell_other_news(ARGV[3], ARGV[4], ARGV[5], now, ARGV[1]) end
local entry = append_event(ARGV[5], now, '', ARGV[1])
redis.call('HSET', KEYS[1], 'screen', entry)
return 'finished'
