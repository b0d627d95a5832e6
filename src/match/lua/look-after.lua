-- Keeps the sockets of many lobbies present, and finds the lobbies that need more than that. It moves
-- nothing but times of expiry: whatever else is to be done is done lobby by lobby, by who asked.
-- ARGV[1] time to live of a lobby, ms  ARGV[2] of a socket's entry, ms  ARGV[3] how long a phase may
-- be overdue, ms; then for each lobby: its keys (lobby, log, sockets, match), the number and the mark
-- that it is expected to have, the version that its roster must have at least or '', how many
-- entries follow, and these, user:socket
-- Replies: {those that differ, those whose phase is overdue, those whose roster is too old, those whose
-- game has not been compared with the roster}, each by their places, from 1

local now = now_ms()
-- Never the same as update-presence.lua has set in this millisecond, so that ZADD counts it as a change.
local expiry = whole(now + tonumber(ARGV[2])) .. '.5'
local FIELDS = 8

local function keep_present(at, count)
  local kept = true
  for i = at + FIELDS, at + FIELDS + count - 1 do
    -- An entry that is missing must be announced, and so is not put back here.
    kept = redis.call('ZADD', ARGV[at + 2], 'XX', 'CH', expiry, ARGV[i]) == 1 and kept
  end
  redis.call('HSET', ARGV[at], 'seenMs', whole(now))
  for key = at, at + 2 do redis.call('PEXPIRE', ARGV[key], ARGV[1]) end
  return kept
end

local function is_somebody_gone(at)
  local first = redis.call('ZRANGE', ARGV[at + 2], 0, 0, 'WITHSCORES')
  return first[2] and tonumber(first[2]) <= now
end

-- Whether the game is to be gone on with, and whether others are members now than when it was last
-- compared with them.
local function look_at_game(key, version)
  local match = redis.call('HMGET', key, 'status', 'deadlineMs', 'complete', 'membersVersion')
  if match[1] == 'finishing' then return true, false end
  if match[1] ~= 'open' and match[1] ~= 'intermission' then return false, false end
  local is_overdue = (match[3] or '') ~= '' or now > tonumber(match[2]) + tonumber(ARGV[3])
  return is_overdue, version and match[4] ~= version
end

-- Whether the lobby or who is connected to it is not as it was expected to be.
local function differs(at, lobby, count)
  local seq = lobby[1] or '0'
  if seq ~= ARGV[at + 4] or (seq ~= '0' and mark_of(seq, lobby[2]) ~= ARGV[at + 5]) then return true end
  if not lobby[3] or lobby[4] then return true end
  -- Who is there has not been told, and should have been.
  if lobby[5] and now >= tonumber(lobby[5]) then return true end
  local is_kept = count == 0 or keep_present(at, count)
  return not is_kept or is_somebody_gone(at)
end

local differing, overdue, behind, strayed = {}, {}, {}, {}

local function look(at, place, count)
  local lobby = redis.call('HMGET', ARGV[at], 'seq', 'mark', 'version', 'closed', 'owedAtMs')
  local version = lobby[3]
  if differs(at, lobby, count) then differing[#differing + 1] = place end
  local is_overdue, has_strayed = look_at_game(ARGV[at + 3], version)
  if is_overdue then overdue[#overdue + 1] = place end
  if has_strayed then strayed[#strayed + 1] = place end
  local least = tonumber(ARGV[at + 6])
  if least and tonumber(version or 0) < least then behind[#behind + 1] = place end
end

local at, place = 4, 1
while at <= #ARGV do
  local count = tonumber(ARGV[at + FIELDS - 1])
  -- On a cluster, what is on another server by now: only its own commands are led there.
  if not pcall(look, at, place, count) then differing[#differing + 1] = place end
  at, place = at + FIELDS + count, place + 1
end
return { differing, overdue, behind, strayed }
