-- Announces the end of a game once. PostgreSQL has stored the result before. [contract 5.7]
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel  KEYS[4] match
-- KEYS[5] questions  KEYS[6] judgements
-- ARGV[1] JSON: {gameId, ttlMs: time to live, version: the lobby's after the game, or '' without a lobby, roster: as
-- store_newer_roster takes it, or '' if only the status differs from the version before, event: the game:finished as
-- JSON in a string}  ARGV[2] the call's JSON
-- Replies: 'finished' | 'known' | 'outdated' (the version before is not known: the roster is needed)

local finish = cjson.decode(ARGV[1])
local match = redis.call('HMGET', KEYS[4], 'gameId', 'status')
if match[1] ~= finish.gameId or match[2] ~= 'finishing' then return 'known' end
if finish.version ~= '' and finish.roster == '' then
  local known, version = tonumber(redis.call('HGET', KEYS[1], 'version') or -1), tonumber(finish.version)
  if known < version - 1 then return 'outdated' end
  if known < version then redis.call('HSET', KEYS[1], 'version', version, 'status', 'finished') end
end
redis.call('HSET', KEYS[4], 'status', 'finished')
redis.call('HINCRBY', KEYS[4], 'version', 1)
-- The end of the last phase has removed the time to live until the result was stored.
redis.call('PEXPIRE', KEYS[4], finish.ttlMs)
redis.call('UNLINK', KEYS[5], KEYS[6])
local now = now_ms()
if finish.roster ~= '' then announce_other_changes(finish.version, finish.roster, now, finish.ttlMs) end
set_screen(append_event(finish.event, now, finish.ttlMs))
return 'finished'
