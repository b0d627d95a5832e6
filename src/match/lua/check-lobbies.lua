-- Renews the presence of the sockets of many lobbies, and reports the lobbies that need more than that. The
-- caller does the rest lobby by lobby: this script changes nothing but times of expiry and `seenMs`.
-- ARGV[1] time to live of a lobby, ms  ARGV[2] time to live of a socket's entry, ms
-- ARGV[3] how long a phase may be overdue before it is reported, ms
-- ARGV[4] the lobbies, a JSON array of {lobbyId, keys: {lobby, sockets, match}, seq, mark, version,
-- sockets}: the expected last event, the least version of the roster (may be missing), and the entries
-- `user:socket` to renew
-- Replies: {changed, overdue, outdated, departed}, each a list of lobby ids

local now = now_ms()
-- ZADD's CH counts only changed scores. The fraction makes the score differ from one that
-- update-presence.lua has set in the same millisecond.
local expiry = whole(now + tonumber(ARGV[2])) .. '.5'

-- Returns whether all entries were still there. A missing one must be announced, so that it isn't added here.
local function renew_presence(keys, entries)
  local all_renewed = true
  for _, entry in ipairs(entries) do
    all_renewed = redis.call('ZADD', keys.sockets, 'XX', 'CH', expiry, entry) == 1 and all_renewed
  end
  redis.call('HSET', keys.lobby, 'seenMs', whole(now))
  redis.call('PEXPIRE', keys.lobby, ARGV[1])
  redis.call('PEXPIRE', keys.sockets, ARGV[1])
  return all_renewed
end

local function has_expired_socket(keys)
  local first = redis.call('ZRANGE', keys.sockets, 0, 0, 'WITHSCORES')
  return first[2] and tonumber(first[2]) <= now
end

-- Returns whether the game's phase is overdue, and whether the roster has changed since it was compared
-- with the game's players.
local function check_match(key, version)
  local match = redis.call('HMGET', key, 'status', 'deadlineMs', 'complete', 'membersVersion')
  if match[1] == 'finishing' then return true, false end
  if match[1] ~= 'open' and match[1] ~= 'intermission' then return false, false end
  local is_overdue = (match[3] or '') ~= '' or now > tonumber(match[2]) + tonumber(ARGV[3])
  return is_overdue, version and match[4] ~= version
end

-- Returns whether the lobby's last event, its roster or its connected sockets aren't as expected.
local function is_changed(expected, lobby)
  local seq = lobby[1] or '0'
  if seq ~= whole(expected.seq) then return true end
  if seq ~= '0' and lobby[2] ~= expected.mark then return true end
  if not lobby[3] or lobby[4] then return true end
  -- The announcement of who is connected is overdue.
  if lobby[5] and now >= tonumber(lobby[5]) then return true end
  local is_renewed = #expected.sockets == 0 or renew_presence(expected.keys, expected.sockets)
  return not is_renewed or has_expired_socket(expected.keys)
end

local changed, overdue, outdated, departed = {}, {}, {}, {}

local function check(expected)
  local id, keys = expected.lobbyId, expected.keys
  local lobby = redis.call('HMGET', keys.lobby, 'seq', 'mark', 'version', 'closed', 'announceAtMs')
  local version = lobby[3]
  if is_changed(expected, lobby) then changed[#changed + 1] = id end
  local is_overdue, has_departed = check_match(keys.match, version)
  if is_overdue then overdue[#overdue + 1] = id end
  if has_departed then departed[#departed + 1] = id end
  if expected.version and tonumber(version or 0) < expected.version then outdated[#outdated + 1] = id end
end

for _, expected in ipairs(cjson.decode(ARGV[4])) do
  -- On a cluster the lobby's slot may have moved to another server; then its commands fail here, and the
  -- commands that the caller sends for a changed lobby are redirected.
  if not pcall(check, expected) then changed[#changed + 1] = expected.lobbyId end
end
return { changed, overdue, outdated, departed }
