-- Stores a session's answer key before its questions are shown. [contract 3]
--
-- KEYS[1]  the session: hash of `user`, `total`, `answered`, `correct`, and for each question its
--          correct option, or `answered`, and under `nonce:<question>` what opens its commitment
-- ARGV[1]  time to live, in seconds
-- ARGV[2…] fields and values in turns
--
-- Replies: saved

redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 'saved'
