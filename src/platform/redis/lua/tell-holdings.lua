-- Notes how many bytes the items of holders take, and finds who holds too much, without reading all of them.
-- KEYS[1] the account (hash): by item its bytes and its holder, and by '' the bytes of all
-- KEYS[2] items (sorted set by time of expiry, ms)  KEYS[3] holders (sorted set by bytes)
-- KEYS[4] `holder item` (sorted set, all of one score, so that it is in the order of the texts)
-- ARGV[1] for how long an item counts without being told again, ms  ARGV[2] how many bytes all may hold
-- ARGV[3] how many bytes one holder may hold  ARGV[4] which share of too much gives way beyond the excess
-- ARGV[5] how many holders give way at once  ARGV[6…] holder, item, and its bytes, 0 if it is gone; and so on
-- Replies: {} | {how many bytes a holder may keep, {a holder who has more, item, bytes, …}, …}, the holder who has most
-- at first, and the item that was told first

local EXPIRED_AT_ONCE = 1000

local function forget(item)
  local bytes, holder = string.match(redis.call('HGET', KEYS[1], item) or '', '^(%d+) (.*)$')
  if not bytes then return end
  redis.call('HDEL', KEYS[1], item)
  redis.call('ZREM', KEYS[2], item)
  redis.call('ZREM', KEYS[4], holder .. ' ' .. item)
  redis.call('HINCRBY', KEYS[1], '', -bytes)
  local held = tonumber(redis.call('ZINCRBY', KEYS[3], -bytes, holder))
  if held <= 0 then redis.call('ZREM', KEYS[3], holder) end
end

local function put(holder, item, bytes, expires)
  redis.call('HSET', KEYS[1], item, bytes .. ' ' .. holder)
  redis.call('ZADD', KEYS[2], expires, item)
  redis.call('ZADD', KEYS[4], 0, holder .. ' ' .. item)
  redis.call('HINCRBY', KEYS[1], '', bytes)
  redis.call('ZINCRBY', KEYS[3], bytes, holder)
end

local now = now_ms()
local expired = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, EXPIRED_AT_ONCE)
for _, item in ipairs(expired) do forget(item) end
for at = 6, #ARGV, 3 do
  local holder, item, bytes = unpack(ARGV, at, at + 2)
  forget(item)
  if bytes ~= '0' then put(holder, item, bytes, whole(now + ARGV[1])) end
end
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[1]) end

-- Returns how many bytes those who hold most may keep.
local function level_of(most)
  local total = tonumber(redis.call('HGET', KEYS[1], '') or 0)
  local max, max_of_one = tonumber(ARGV[2]), tonumber(ARGV[3])
  local level = math.huge
  if #most > 0 and tonumber(most[2]) > max_of_one then level = max_of_one * (1 - ARGV[4]) end
  if total <= max then return level end
  -- Those above the level come down to it, so that all together have what they may have.
  local over, sum, level_of_all = total - max * (1 - ARGV[4]), 0, 0
  for at = 2, #most, 2 do
    local held = tonumber(most[at])
    if at > 2 and held <= level_of_all then break end
    sum = sum + held
    level_of_all = (sum - over) / (at / 2)
  end
  return math.max(0, math.min(level, level_of_all))
end

-- Returns a holder, and the items and their bytes.
local function items_of(holder)
  local items, reply = {}, { holder }
  for _, member in ipairs(redis.call('ZRANGEBYLEX', KEYS[4], '[' .. holder .. ' ', '(' .. holder .. '!')) do
    local item = string.sub(member, #holder + 2)
    items[#items + 1] = { item = item, expires = tonumber(redis.call('ZSCORE', KEYS[2], item)) }
  end
  table.sort(items, function(a, b) return a.expires < b.expires end)
  for _, each in ipairs(items) do
    reply[#reply + 1] = each.item
    reply[#reply + 1] = string.match(redis.call('HGET', KEYS[1], each.item), '^%d+')
  end
  return reply
end

local most = redis.call('ZREVRANGE', KEYS[3], 0, ARGV[5] - 1, 'WITHSCORES')
local level = level_of(most)
local reply = { whole(level) }
for at = 1, #most, 2 do
  if tonumber(most[at + 1]) > level then reply[#reply + 1] = items_of(most[at]) end
end
return #reply > 1 and reply or {}
