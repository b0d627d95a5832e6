-- Shared by the scripts that end a round which waits for present players alone: for those who are connected, or were a
-- few seconds ago. [contract 25]
-- keys: {lobby, match, sockets, away}, as the scripts get them

-- For so many milliseconds a player is waited for whose sockets have expired.
local AWAY_MS = 5000

-- Returns the number of players who are waited for and have not answered, and until when the last of them is, unless a
-- replica renews the presence.
local function awaited_players(keys, now)
  local until_ms = {}
  local function add(key, grace_ms)
    local found = redis.call('ZRANGEBYSCORE', key, '(' .. whole(now - grace_ms), '+inf', 'WITHSCORES')
    for at = 1, #found, 2 do
      local user = string.match(found[at], '^[^:]+')
      until_ms[user] = math.max(until_ms[user] or 0, found[at + 1] + grace_ms)
    end
  end
  add(keys.sockets, AWAY_MS)
  add(keys.away, 0)
  local users, fields = {}, {}
  for user in pairs(until_ms) do
    users[#users + 1] = user
    for _, field in ipairs({ 'player:', 'left:', 'answer:' }) do fields[#fields + 1] = field .. user end
  end
  local awaited, last = 0, now
  local values = #users > 0 and redis.call('HMGET', keys.match, unpack(fields)) or {}
  for at, user in ipairs(users) do
    if values[3 * at - 2] and not values[3 * at - 1] and not values[3 * at] then
      awaited, last = awaited + 1, math.max(last, until_ms[user])
    end
  end
  return awaited, last
end

-- Returns whether the round has an answer, also of a player who has left since.
local function has_answer(match)
  for _, field in ipairs(redis.call('HKEYS', match)) do
    if string.find(field, '^answer:') then return true end
  end
  return false
end

-- Returns whether the open round, which waits for present players alone, is over because they have answered. In a large
-- room, most answers leave more users connected than have answered; then nobody is counted. Beside the players, a host
-- may present.
local function have_present_answered(keys, now, answered)
  if (redis.call('HGET', keys.lobby, 'connectedCount') or 0) - 1 > answered then return false end
  return awaited_players(keys, now) == 0 and (answered > 0 or has_answer(keys.match))
end
