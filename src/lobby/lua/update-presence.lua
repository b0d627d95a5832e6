-- Adds or removes sockets of a lobby, or lets them linger, and announces a change of the connected users. An entry that
-- its replica does not renew in time expires, so that users of a crashed replica don't stay connected.
-- KEYS[1] lobby  KEYS[2] log  KEYS[3] channel  KEYS[4] sockets (sorted set of `user:socket` by expiry, ms)
-- KEYS[5] away (sorted set of users whose socket was removed or has expired, by the time until which a game that waits
-- for present players alone still waits for them, ms)
-- ARGV[1] JSON: {ttlMs: time to live of the lobby, entryTtlMs: of an entry, awayMs: for how long a user is waited for
-- whose socket is removed or lingers, change: 'add' | 'linger' | 'remove', sockets: a list of `user:socket`}
-- ARGV[2] the call's JSON
-- Replies: {the number of the lobby's last event, its mark, Redis' time in ms, the lobby's status | 'unknown' (there is
-- no roster) | 'closed', in how many milliseconds the caller has to announce the lobby, or 0}

local update = cjson.decode(ARGV[1])
local now = now_ms()
local seq, mark, roster, status, announced_json, closed, pending, compact = unpack(redis.call('HMGET', KEYS[1],
  'seq', 'mark', 'roster', 'status', 'connected', 'closed', 'announceAtMs', 'compact'))

local function reply(state, delay_ms)
  return { tonumber(seq or 0), mark or ORIGIN_MARK, now, state, delay_ms or 0 }
end

if closed then return reply('closed') end

-- For so many milliseconds a user is waited for whose socket has expired, and at most one whose socket is removed.
local EXPIRED_MS, MAX_AWAY_MS = 5000, 15000

local function set_away(socket, until_ms)
  redis.call('ZADD', KEYS[5], 'GT', until_ms, string.match(socket, '^[^:]+'))
end

local is_entered = false
for _, socket in ipairs(update.sockets) do
  if update.change == 'remove' then
    redis.call('ZREM', KEYS[4], socket)
  elseif redis.call('ZADD', KEYS[4], now + update.entryTtlMs, socket) == 1 then
    is_entered = true
  end
  if update.change ~= 'add' then set_away(socket, now + update.awayMs) end
end
local expired = redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', now, 'WITHSCORES')
for at = 1, #expired, 2 do set_away(expired[at], expired[at + 1] + EXPIRED_MS) end
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)
if #expired > 0 or update.change ~= 'add' then
  redis.call('ZREMRANGEBYSCORE', KEYS[5], '-inf', now)
  redis.call('PEXPIRE', KEYS[5], MAX_AWAY_MS)
end

-- The users of the sockets, sorted, so that the same users make the same JSON.
local users, is_connected = {}, {}
for _, socket in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1)) do
  local user = string.match(socket, '^[^:]+')
  if not is_connected[user] then
    is_connected[user] = true
    users[#users + 1] = user
  end
end
table.sort(users)
-- cjson encodes an empty table as an object.
local connected_json = #users > 0 and cjson.encode(users) or '[]'

if #users > 0 then
  redis.call('HSET', KEYS[1], 'seenMs', whole(now))
  redis.call('PEXPIRE', KEYS[1], update.ttlMs)
  redis.call('PEXPIRE', KEYS[4], update.ttlMs)
end

-- Returns whether a member was announced as connected and is not, or the other way round. No lobby:state names
-- a user who has left for good, so that the end of this user's sockets is no change. [contract 11]
local function has_member_changed()
  -- A compact lobby announces numbers alone, together with other changes, so that a change too many costs little.
  if compact == 'true' then return true end
  local was_connected = {}
  for _, user in ipairs(cjson.decode(announced_json)) do was_connected[user] = true end
  for _, member in ipairs(cjson.decode(roster).players) do
    if was_connected[member.userId] ~= is_connected[member.userId] then return true end
  end
  return false
end

announced_json = announced_json or '[]'
local is_same = connected_json == announced_json
if not is_same then
  redis.call('HSET', KEYS[1], 'connected', connected_json, 'connectedCount', #users)
end
if not roster then return reply('unknown') end

local is_overdue = pending and now >= tonumber(pending)
-- A socket that enters a waiting lobby announces it, since a join over HTTP may have left that to the first socket. One
-- that enters while the game begins changes nothing but the status. [contract 10]
local is_announced = is_overdue or (is_entered and status == 'waiting')
if not is_announced and (is_same or not has_member_changed()) then return reply(status) end
local entry, delay_ms = announce_soon(now, update.ttlMs)
if entry then seq, mark = entry.seq, entry.mark end
return reply(status, delay_ms)
