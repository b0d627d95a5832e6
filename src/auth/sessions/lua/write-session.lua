-- Keeps the copy of a session, unless the session was removed a moment ago: a renewal or a reload
-- that was under way meanwhile must not bring it back.
--
-- KEYS[1]  the session's key
-- ARGV[1]  the copy
-- ARGV[2]  its life in seconds
--
-- Replies 1 when it is kept, 0 when the session is removed.

if redis.call('GET', KEYS[1]) == '' then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1
