-- Shared by the scripts that end a round which waits for present players alone: for those who are connected, or were a
-- few seconds ago. [contract 25]
-- KEYS[1] match  the last three KEYS: lobby, sockets, away

local lobby_key, sockets_key, away_key = unpack(KEYS, #KEYS - 2)

-- For so many milliseconds a player is waited for whose sockets have expired.
local AWAY_MS = 5000

-- Returns the number of players who are waited for and have not answered, and until when the last of them is, unless a
-- replica renews the presence.
local function awaited_players(now)
  local until_ms = {}
  local function add(key, grace_ms)
    local found = redis.call('ZRANGEBYSCORE', key, '(' .. whole(now - grace_ms), '+inf', 'WITHSCORES')
    for at = 1, #found, 2 do
      local user = string.match(found[at], '^[^:]+')
      until_ms[user] = math.max(until_ms[user] or 0, found[at + 1] + grace_ms)
    end
  end
  add(sockets_key, AWAY_MS)
  add(away_key, 0)
  local users, fields = {}, {}
  for user in pairs(until_ms) do
    users[#users + 1] = user
    for _, field in ipairs({ 'player:', 'left:', 'answer:' }) do fields[#fields + 1] = field .. user end
  end
  local awaited, last = 0, now
  local values = #users > 0 and redis.call('HMGET', KEYS[1], unpack(fields)) or {}
  for at, user in ipairs(users) do
    if values[3 * at - 2] and not values[3 * at - 1] and not values[3 * at] then
      awaited, last = awaited + 1, math.max(last, until_ms[user])
    end
  end
  return awaited, last
end

-- Returns whether the round has an answer, also of a player who has left since.
local function has_answer()
  for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    if string.find(field, '^answer:') then return true end
  end
  return false
end

-- Returns whether the open round, which waits for present players alone, is over because they have answered. In a large
-- room, most answers leave more users connected than have answered; then nobody is counted. Beside the players, a host
-- may present.
local function have_present_answered(now, answered)
  if (redis.call('HGET', lobby_key, 'connectedCount') or 0) - 1 > answered then return false end
  return awaited_players(now) == 0 and (answered > 0 or has_answer())
end
