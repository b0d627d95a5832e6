-- As answer-question.lua, for a session that the release before has stored. [contract 3]
--
-- KEYS[1]  the session: hash of `user`, `total`, `answered`, `correct`, and for each question its
--          correct option, or `answered`, under `nonce:<question>` what opens its commitment, and
--          under `word:<question>` the word
-- KEYS[2]  the reply to this one request, for the moment in which a broken connection may make the
--          same request arrive again; ARGV[4] for how long, ms
-- KEYS[3]  the queue of judged answers beside the session
-- ARGV[1]  who answers, ARGV[2] which question, ARGV[3] with which option
--
-- Replies, checked in this order:
--   session_not_found | session_forbidden | question_not_found | already_answered
--   judged, the correct option, how many are correct, how many are answered, how many there are,
--   the nonce ('' where the release before seals has stored the session)

local given = redis.call('GET', KEYS[2])
if given then return cjson.decode(given) end

local user, key, total, nonce, word = unpack(redis.call('HMGET', KEYS[1], 'user', ARGV[2], 'total',
  'nonce:' .. ARGV[2], 'word:' .. ARGV[2]))
if not user then return { 'session_not_found' } end
if user ~= ARGV[1] then return { 'session_forbidden' } end
if not key then return { 'question_not_found' } end
if key == 'answered' then return { 'already_answered' } end

redis.call('HSET', KEYS[1], ARGV[2], 'answered')
local is_right = key == ARGV[3]
local correct = redis.call('HINCRBY', KEYS[1], 'correct', is_right and 1 or 0)
local answered = redis.call('HINCRBY', KEYS[1], 'answered', 1)
-- The release before the memory has stored no words.
if word then queue_judged(KEYS[3], word, is_right and user or '', is_right and '' or user) end
if answered == tonumber(total) then redis.call('DEL', KEYS[1]) end
local reply = { 'judged', tonumber(key), correct, answered, tonumber(total), nonce or '' }
redis.call('SET', KEYS[2], cjson.encode(reply), 'PX', ARGV[4])
return reply
