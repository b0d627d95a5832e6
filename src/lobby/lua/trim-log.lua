-- The function of the scripts that shorten a lobby's log.
-- KEYS[1] lobby (hash)  KEYS[2] log (stream)

-- Removes the oldest events until the log is within its bounds; the newest event always stays.
-- Returns the bytes of those that are left, and their number.
local function trim_log(bytes, max_bytes, max_length)
  local length = redis.call('XLEN', KEYS[2])
  local removed_seq
  while length > 1 and (length > max_length or bytes > max_bytes) do
    local from = removed_seq and whole(removed_seq + 1) .. '-0' or '-'
    local oldest = redis.call('XRANGE', KEYS[2], from, '+', 'COUNT', 1)[1]
    bytes = bytes - #oldest[2][2]
    length = length - 1
    removed_seq = tonumber(string.match(oldest[1], '%d+'))
  end
  if removed_seq then redis.call('XTRIM', KEYS[2], 'MINID', whole(removed_seq + 1) .. '-0') end
  return bytes, length
end
