-- Shared by every script that judges times: by the Redis server's clock, whatever those of the replicas say.

-- Returns milliseconds since 1970.
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Lua would print a time as 1.79e+12.
local function whole(number)
  return string.format('%.0f', number)
end
