-- Shortens a lobby's log, since its host or the host's client address has too many bytes of logs. [contract 17]
-- KEYS[1] lobby  KEYS[2] log
-- ARGV[1] how many bytes it may have
-- Replies: the bytes that it has now

if redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
local held = tonumber(redis.call('HGET', KEYS[1], 'logBytes') or 0)
local bytes = trim_log(held, tonumber(ARGV[1]), math.huge)
if bytes < held then redis.call('HSET', KEYS[1], 'logBytes', whole(bytes), 'toldBytes', whole(bytes)) end
return bytes
