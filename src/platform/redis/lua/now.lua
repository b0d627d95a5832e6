-- Shared by every script that judges times: by the Redis server's clock, whatever those of the replicas say.

local script_ms

-- Returns milliseconds since 1970, the same ones as long as the script runs.
local function now_ms()
  if not script_ms then
    local time = redis.call('TIME')
    script_ms = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  return script_ms
end

-- Lua would print a time as 1.79e+12.
local function whole(number)
  return string.format('%.0f', number)
end
