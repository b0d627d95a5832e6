-- Makes the progress of the open round new, so that each replica sends it again to the host's sockets that it has.
-- KEYS[1] match

if redis.call('HGET', KEYS[1], 'status') == 'open' then redis.call('HINCRBY', KEYS[1], 'version', 1) end
