-- Shared by the scripts that read or write BullMQ's delayed jobs, which it orders by their time in ms, times this.

local SCORE_PER_MS = 0x1000

local function score_of(ms) return string.format('%.0f', ms * SCORE_PER_MS) end
local function ms_of(score) return math.floor(tonumber(score) / SCORE_PER_MS) end
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
