-- Announces the end of a game once. PostgreSQL has stored the result before. [contract 5.7]
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel  KEYS[4] match
-- KEYS[5] questions  KEYS[6] judgements
-- ARGV[1] time to live, ms  ARGV[2] game id  ARGV[3] the lobby's version after the game, or '' without a lobby
-- ARGV[4] its roster as store_newer_roster takes it, or '' if only the status differs from the version before
-- ARGV[5] the game:finished, JSON
-- Replies: 'finished' | 'known' | 'outdated' (the version before is not known: the roster is needed)

local match = redis.call('HMGET', KEYS[4], 'gameId', 'status')
if match[1] ~= ARGV[2] or match[2] ~= 'finishing' then return 'known' end
if ARGV[3] ~= '' and ARGV[4] == '' then
  local known, version = tonumber(redis.call('HGET', KEYS[1], 'version') or -1), tonumber(ARGV[3])
  if known < version - 1 then return 'outdated' end
  if known < version then redis.call('HSET', KEYS[1], 'version', version, 'status', 'finished') end
end
redis.call('HSET', KEYS[4], 'status', 'finished')
redis.call('HINCRBY', KEYS[4], 'version', 1)
-- read_rounds has removed the time to live until the result was stored.
redis.call('PEXPIRE', KEYS[4], ARGV[1])
redis.call('UNLINK', KEYS[5], KEYS[6])
local now = now_ms()
if ARGV[4] ~= '' then announce_other_changes(ARGV[3], ARGV[4], now, ARGV[1]) end
set_screen(append_event(ARGV[5], now, ARGV[1]))
return 'finished'
