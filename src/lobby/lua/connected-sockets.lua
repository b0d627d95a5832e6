-- The sockets that are in a lobby, by the server's own clock: those that nobody keeps don't count.
-- KEYS[1] sockets (sorted set by time of expiry)
-- Replies: user:socket, …

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. string.format('%.0f', now), '+inf')
