-- Notes which sockets are in a lobby and announces a change of who is connected. An entry that its
-- replica does not refresh in time counts as gone, so that a crashed replica leaves nobody behind.
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel  KEYS[4] sockets (sorted set by time of expiry)
-- ARGV[1] time to live of the lobby, ms  ARGV[2] who does it  ARGV[3] time to live of an entry, ms
-- ARGV[4] when to announce: 'always', at once | 'soon': always while the lobby waits, with others of a
-- burst | 'changed': if there is a change, with others of a burst  ARGV[5] 'add' | 'remove'  ARGV[6…] user:socket
-- Replies: {the lobby's last number, its mark, Redis' time in ms, 'ok' | 'unknown' (no roster here)
-- | 'closed', in how many ms the caller has to have the change told, or 0}

local now = now_ms()
local lobby = redis.call('HMGET', KEYS[1], 'seq', 'roster', 'connected', 'closed', 'mark', 'owedAtMs')
local seq = lobby[1] or '0'
local mark = mark_of(seq, lobby[5])
if lobby[4] then return { tonumber(seq), mark, now, 'closed', 0 } end

for i = 6, #ARGV - 1 do
  if ARGV[5] == 'add' then
    redis.call('ZADD', KEYS[4], now + tonumber(ARGV[3]), ARGV[i])
  else
    redis.call('ZREM', KEYS[4], ARGV[i])
  end
end
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)

local users, seen = {}, {}
for _, member in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1)) do
  local user = string.match(member, '^[^:]+')
  if not seen[user] then
    seen[user] = true
    users[#users + 1] = '"' .. user .. '"'
  end
end
table.sort(users)
local connected = '[' .. table.concat(users, ',') .. ']'

if #users > 0 then
  redis.call('HSET', KEYS[1], 'seenMs', whole(now))
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  redis.call('PEXPIRE', KEYS[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[4], ARGV[1])
end
local is_owed = lobby[6] and now >= tonumber(lobby[6])
-- Who comes in while the game begins changes nothing but the status. [contract 10]
local is_waiting = lobby[2] and string.find(lobby[2], '"status":"waiting"', 1, true)
local if_changed = ARGV[4] == 'changed' or (ARGV[4] == 'soon' and not is_waiting)
if if_changed and connected == (lobby[3] or '[]') and not is_owed then
  return { tonumber(seq), mark, now, lobby[2] and 'ok' or 'unknown', 0 }
end
redis.call('HSET', KEYS[1], 'connected', connected)
if not lobby[2] then return { tonumber(seq), mark, now, 'unknown', 0 } end
local told, delay
if ARGV[4] == 'always' then told, delay = append_lobby_state(ARGV[2], now, ARGV[1]), 0
else told, delay = tell_who_is_there(ARGV[2], now, ARGV[1]) end
return { tonumber(seq) + (told and 1 or 0), told or mark, now, 'ok', delay }
