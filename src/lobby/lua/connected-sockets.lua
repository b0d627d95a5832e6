-- Lists the sockets that are in a lobby. Entries that no replica has renewed in time don't count.
-- KEYS[1] sockets (sorted set of `user:socket` by time of expiry, ms)
-- Replies: user:socket, …

return redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. whole(now_ms()), '+inf')
