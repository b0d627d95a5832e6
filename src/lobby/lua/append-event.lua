-- Shared by every script that changes a lobby: numbers and marks an event, appends it to the lobby's
-- log and publishes it, in the same step as the change that it tells of. There is no moment between
-- "it happened" and "it was said".
-- KEYS[1] the lobby (hash)  KEYS[2] its log (stream)  KEYS[3] its channel
-- ARGV's last: random text, another one with each call

-- Of a lobby whose roster the release before put here; [contract 11] names the length of the others'.
local OLD_LOG_LENGTH = 500

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Lua would print a time as 1.79e+12.
local function whole(number)
  return string.format('%.0f', number)
end

-- The mark of the lobby's last event; `stored` is `<number>:<mark>`. An event of the release before
-- marks, which may still run beside this one, has its number as mark, and so has number 0: they are
-- told apart as well as ever, and what follows them is marked. [contract 16]
local function mark_of(seq, stored)
  local of, mark = string.match(stored or '', '^(%d+):(%x+)$')
  return of == seq and mark or seq
end

-- No two events have the same mark: not two of one call, whose numbers differ, nor those of a call
-- that a broken connection makes arrive twice, before and after Redis forgot: then the times differ.
local function new_mark(seq, now)
  return string.sub(redis.sha1hex(ARGV[#ARGV] .. ' ' .. seq .. ' ' .. whole(now)), 1, 16)
end

-- The lobby's last event and the length of its log, which this call has read or written.
local last

-- body: the event as a JSON object without its opening brace
-- extra: further fields as JSON text that ends in a comma, or ''
local function append_event(body, now, extra, ttl_ms)
  local is_first = not last
  last = last or redis.call('HMGET', KEYS[1], 'seq', 'mark', 'capacity')
  local length = last[3] and 100 + 4 * last[3] or OLD_LOG_LENGTH
  local seq = whole((last[1] or 0) + 1)
  local mark = new_mark(seq, now)
  local entry = '{"seq":' .. seq .. ',"mark":"' .. mark .. '","previous":"'
    .. mark_of(last[1] or '0', last[2]) .. '","atMs":' .. whole(now) .. ',' .. extra .. body
  redis.call('HSET', KEYS[1], 'seq', seq, 'mark', seq .. ':' .. mark)
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', length, seq .. '-0', 'event', entry)
  if is_first then
    redis.call('PEXPIRE', KEYS[1], ttl_ms)
    redis.call('PEXPIRE', KEYS[2], ttl_ms)
  end
  redis.call('SPUBLISH', KEYS[3], entry)
  last[1], last[2] = seq, seq .. ':' .. mark
  return entry, mark
end

-- The lobby:state that holds now; the replica that sends it puts roster and connected together.
-- Returns its mark.
local function append_lobby_state(by, now, ttl_ms)
  local lobby = redis.call('HMGET', KEYS[1], 'roster', 'connected')
  local body = '"by":"' .. by .. '","type":"lobby:state","connected":' .. (lobby[2] or '[]')
    .. ',"lobby":' .. lobby[1] .. '}'
  redis.call('HSET', KEYS[1], 'toldAtMs', whole(now))
  redis.call('HDEL', KEYS[1], 'owedAtMs')
  local _, mark = append_event(body, now, '', ttl_ms)
  return mark
end

local function author_of(body)
  return string.match(body, '"by":"([^"]*)"')
end

-- Of the states of a burst this many milliseconds lie between two. [contract 11: 200 at most]
local STATE_EVERY_MS = 150

-- Tells who is there: now, or with what else changes until it is time for the next state.
-- Returns the state's mark, or nil, and in how many milliseconds the caller has to have it told, if so.
local function tell_who_is_there(by, now, ttl_ms)
  local told, owed = unpack(redis.call('HMGET', KEYS[1], 'toldAtMs', 'owedAtMs'))
  local since = now - tonumber(told or 0)
  -- Another server may have been behind the one that told.
  if since < 0 or since >= STATE_EVERY_MS then return append_lobby_state(by, now, ttl_ms), 0 end
  if owed then return nil, 0 end
  redis.call('HSET', KEYS[1], 'owedAtMs', whole(tonumber(told) + STATE_EVERY_MS))
  return nil, STATE_EVERY_MS - since
end

local function without_status(roster)
  local rest = string.gsub(roster, '"status":"%a+"', '', 1)
  return (string.gsub(rest, '"gameId":[^,]+', '', 1))
end

-- Keeps the newer of two rosters, whatever the order in which they arrive.
-- Returns whether this one was, and whether it tells more than that a game has begun or ended.
local function keep_newer_roster(version, roster)
  local known = redis.call('HMGET', KEYS[1], 'version', 'roster')
  if tonumber(known[1] or -1) >= tonumber(version) then return false, false end
  redis.call('HSET', KEYS[1], 'version', version, 'roster', roster,
    'capacity', string.match(roster, '"capacity":(%d+)'))
  return true, known[2] and without_status(known[2]) ~= without_status(roster)
end

-- Of a game that begins or ends, before its own message, which says so: what else is new of the lobby.
-- Whoever changed that has not told it yet, and may not live to. [contract 10, 11]
local function tell_other_news(version, roster, message, now, ttl_ms)
  local _, is_other = keep_newer_roster(version, roster)
  if is_other then append_lobby_state(author_of(message), now, ttl_ms) end
end
