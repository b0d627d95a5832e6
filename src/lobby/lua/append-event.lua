-- The functions of the scripts that append events to a lobby's log. One step numbers and marks the event, appends
-- it to the log and publishes it, so that no crash can come between a change and its announcement.
-- KEYS[1] lobby (hash)  KEYS[2] log (stream)  KEYS[3] channel
-- ARGV's last: JSON {by, callId}: the process that runs the script, and a text that no other call has
--
-- An entry of the log is JSON, in the stream as the field `entry`, and as it is published. It has `seq`, `mark`,
-- `previous` (the mark of the event before it), `atMs`, `by` and `event` (JSON as TypeScript has made it), and what only
-- a script knows, such as `deadlineMs`.

local CALL = cjson.decode(ARGV[#ARGV])

-- The log holds 100 + 4 * capacity events, or the newest that fit into these bytes. It expires so many
-- milliseconds after the last event. A client that was away for longer gets a snapshot. [contract 5.9, 11]
local LOG_BYTES = 4 * 1024 * 1024
local LOG_KEPT_MS = 11 * 60 * 1000

-- A log is told to the account of its creator's address when it has grown by a sixteenth, and by so many bytes, or
-- after so many milliseconds. [contract 17]
local TOLD_BYTES = 8 * 1024
local TOLD_MS = 60 * 1000

-- Delayed announcements of a lobby are at least so many milliseconds apart. [contract 11: at most 200, 19: at most
-- 1000 in a compact lobby]
local STATE_INTERVAL_MS = 150
local COMPACT_STATE_INTERVAL_MS = 900

-- For so many milliseconds a change waits for others at least: who joins over HTTP enters a moment later.
local SOON_MS = 30

-- The mark that a lobby has before its first event.
local ORIGIN_MARK = '0'

-- Returns a mark that no other event has. The numbers of the events of one call differ. A call that a broken
-- connection repeats after Redis has lost the first run gets another time.
local function new_mark(seq, now)
  return string.sub(redis.sha1hex(CALL.callId .. ' ' .. seq .. ' ' .. whole(now)), 1, 16)
end

-- The number and mark of the lobby's last event, its capacity, the bytes in its log, those that were told last and when,
-- and when a pending announcement is due: read once a call.
local last

local function read_last()
  last = last or redis.call('HMGET', KEYS[1],
    'seq', 'mark', 'capacity', 'logBytes', 'toldBytes', 'toldAtMs', 'announceAtMs')
  return last
end

-- The fields of the lobby that the call's events change, and their values in turns: written once a call. Nil without one.
local changed, lobby_ttl_ms

-- event: JSON  added: further fields of the entry, by name
-- Returns the event's number and mark, and the entry as it was published, JSON.
local function append_event(event, now, ttl_ms, added)
  read_last()
  local seq = whole((last[1] or 0) + 1)
  local entry = {
    seq = seq, mark = new_mark(seq, now), previous = last[2] or ORIGIN_MARK,
    atMs = whole(now), by = CALL.by, event = event,
  }
  for name, text in pairs(added or {}) do entry[name] = text end
  local json = cjson.encode(entry)
  redis.call('XADD', KEYS[2], seq .. '-0', 'entry', json)
  local bytes, length = trim_log((last[4] or 0) + #json, LOG_BYTES, 100 + 4 * (last[3] or 0))
  -- The log may have expired before.
  if length == 1 then bytes = #json end
  if not changed then redis.call('PEXPIRE', KEYS[2], LOG_KEPT_MS) end
  changed, lobby_ttl_ms = changed or {}, ttl_ms
  redis.call('SPUBLISH', KEYS[3], json)
  last[1], last[2], last[4] = seq, entry.mark, bytes
  return { seq = seq, mark = entry.mark, json = json }
end

local function change_lobby(...)
  for _, value in ipairs({ ... }) do changed[#changed + 1] = value end
end

-- Writes what the call has changed of the lobby.
-- Returns the bytes of the log, and whose they are: {bytes, creator, networks}, if the account has to be told; else {}.
-- A lobby of which Redis has lost the creator counts for its host.
local function write_lobby()
  if not changed then return {} end
  local now, told = now_ms(), tonumber(last[5] or 0)
  local is_told = last[4] >= told + math.max(TOLD_BYTES, told / 16) or now - (last[6] or 0) >= TOLD_MS
  if is_told then change_lobby('toldBytes', whole(last[4]), 'toldAtMs', whole(now)) end
  redis.call('HSET', KEYS[1], 'seq', last[1], 'mark', last[2], 'logBytes', whole(last[4]), unpack(changed))
  redis.call('PEXPIRE', KEYS[1], lobby_ttl_ms)
  if not is_told then return {} end
  local creator, networks, host = unpack(redis.call('HMGET', KEYS[1], 'creatorId', 'networks', 'hostId'))
  return { whole(last[4]), creator or host or '', networks or '' }
end

-- Appends a game:question. It has the time at which it can be answered if that is not at once.
local function append_question(event, now, ttl_ms, opened, deadline)
  local times = { deadlineMs = whole(deadline) }
  if opened > now then times.opensAtMs = whole(opened) end
  return append_event(event, now, ttl_ms, times)
end

-- Stores the entry that the screens show from now on: a snapshot repeats it.
local function set_screen(entry)
  change_lobby('screen', entry.json, 'screenSeq', entry.seq)
end

local function clear_screen()
  redis.call('HDEL', KEYS[1], 'screen', 'screenSeq')
end

-- Returns what a lobby:state says of the players.
local function players_fields()
  local roster, connected = unpack(redis.call('HMGET', KEYS[1], 'roster', 'connected'))
  return { roster = roster, connected = connected or '[]' }
end

-- Returns the same for a compact lobby: the log and the channel would carry all names a thousand times. The
-- `version` tells replicas when they have to read the roster. [contract 19]
local function compact_fields()
  local summary, players, online, version, host, connected = unpack(redis.call('HMGET', KEYS[1],
    'summary', 'playerCount', 'connectedCount', 'version', 'hostId', 'connected'))
  local is_host_connected = string.find(connected or '', host, 1, true)
  return {
    summary = summary, playerCount = players, version = version,
    connectedCount = whole(math.min(tonumber(players), tonumber(online or 0))),
    hostConnected = is_host_connected and '1' or '0',
  }
end

-- Announces the lobby as it is now. Returns the entry.
local function append_lobby_state(now, ttl_ms)
  local status, game, compact = unpack(redis.call('HMGET', KEYS[1], 'status', 'gameId', 'compact'))
  redis.call('HSET', KEYS[1], 'announcedAtMs', whole(now))
  redis.call('HDEL', KEYS[1], 'announceAtMs')
  local fields = compact == 'true' and compact_fields() or players_fields()
  fields.status, fields.gameId = status, game
  return append_event('{"type":"lobby:state"}', now, ttl_ms, fields)
end

-- Leaves a pending announcement, which stands for other changes that come meanwhile. One that its process has not made
-- in time is made now.
-- Returns the entry or nil, and in how many milliseconds the caller has to announce the lobby, or 0.
local function announce_soon(now, ttl_ms)
  local announced, pending, compact =
    unpack(redis.call('HMGET', KEYS[1], 'announcedAtMs', 'announceAtMs', 'compact'))
  local interval = compact == 'true' and COMPACT_STATE_INTERVAL_MS or STATE_INTERVAL_MS
  local passed = now - tonumber(announced or 0)
  -- The time goes back where a replica of Redis with a slower clock has taken over.
  if passed < 0 or (pending and now >= tonumber(pending)) then return append_lobby_state(now, ttl_ms), 0 end
  if pending then return nil, 0 end
  local delay = math.max(SOON_MS, interval - passed)
  redis.call('HSET', KEYS[1], 'announceAtMs', whole(now + delay))
  return nil, delay
end

-- Stores the roster unless a newer one is known.
-- lobby_json: {capacity, compact, hostId, playerCount, status, gameId, roster, summary}: gameId is '' without a game,
-- roster is the rest as JSON, and summary the same, whose players are only the host and who presents
-- Returns whether this one is newer, and whether more than status and game differs.
local function store_newer_roster(version, lobby_json)
  if tonumber(redis.call('HGET', KEYS[1], 'version') or -1) >= tonumber(version) then return false, false end
  local lobby, known = cjson.decode(lobby_json), redis.call('HGET', KEYS[1], 'roster')
  redis.call('HSET', KEYS[1], 'version', version, 'roster', lobby.roster, 'status', lobby.status,
    'gameId', lobby.gameId, 'capacity', lobby.capacity, 'compact', tostring(lobby.compact),
    'hostId', lobby.hostId, 'playerCount', lobby.playerCount, 'summary', lobby.summary)
  return true, known and known ~= lobby.roster
end

-- Announces other changes of the lobby before a game begins or ends: the process that made them has not announced
-- them yet, and may have died. The game's own event announces the status. [contract 10, 11]
local function announce_other_changes(version, lobby_json, now, ttl_ms)
  local _, is_other = store_newer_roster(version, lobby_json)
  if is_other then append_lobby_state(now, ttl_ms) end
end

-- Announces a postponed change of the lobby before an event of the game that comes after it. [contract 10, 11]
local function announce_pending_state(now, ttl_ms)
  if read_last()[7] then append_lobby_state(now, ttl_ms) end
end
