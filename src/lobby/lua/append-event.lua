-- Shared by every script that changes a lobby: numbers an event, appends it to the lobby's log and
-- publishes it, in the same step as the change that it tells of. There is no moment between "it
-- happened" and "it was said".
-- KEYS[1] the lobby (hash)  KEYS[2] its log (stream)  KEYS[3] its channel

local LOG_LENGTH = 500

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Lua would print a time as 1.79e+12.
local function whole(number)
  return string.format('%.0f', number)
end

-- body: the event as a JSON object; extra: further fields as JSON text that ends in a comma, or ''
local function append_event(body, now, extra, ttl_ms)
  local seq = redis.call('HINCRBY', KEYS[1], 'seq', 1)
  local entry = '{"seq":' .. seq .. ',"atMs":' .. whole(now) .. ',' .. extra .. string.sub(body, 2)
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', LOG_LENGTH, seq .. '-0', 'event', entry)
  redis.call('PEXPIRE', KEYS[1], ttl_ms)
  redis.call('PEXPIRE', KEYS[2], ttl_ms)
  redis.call('SPUBLISH', KEYS[3], entry)
  return entry
end

-- The lobby:state that holds now; the replica that sends it puts roster and connected together.
local function append_lobby_state(by, now, ttl_ms)
  local lobby = redis.call('HMGET', KEYS[1], 'roster', 'connected')
  local body = '{"by":"' .. by .. '","type":"lobby:state","connected":' .. (lobby[2] or '[]')
    .. ',"lobby":' .. lobby[1] .. '}'
  append_event(body, now, '', ttl_ms)
end

-- Keeps the newer of two rosters, whatever the order in which they arrive.
local function keep_newer_roster(version, roster)
  if tonumber(redis.call('HGET', KEYS[1], 'version') or -1) >= tonumber(version) then return false end
  redis.call('HSET', KEYS[1], 'version', version, 'roster', roster)
  return true
end
