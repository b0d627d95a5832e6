-- Judges an answer. Of concurrent answers to one question only the first is judged. The answer to the last
-- question ends the quiz. [contract 3]
--
-- KEYS[1]  the quiz: a hash of `userId`, `words`, `language`, that of the answers, `secret`, from which the nonces are
--          derived, `total`, `answered`, `correct`, and by question id a line of JSON: `word`, its reference, and
--          `correctOptionId`, without which the question is typed; its accepted texts are the further lines, the
--          correct one at first. After the answer, the judgement as JSON, which is smaller
-- KEYS[2]  the user's live quizzes, see save-quiz.lua
-- KEYS[3]  the index of pending quizzes: a sorted set of ids by the time of the first pending answer, ms
-- KEYS[4]  the quiz's pending answers: a hash of `userId`, `words`, and by the answer's number JSON of
--          `word`, `isCorrect`, `judgedAtMs`, and `verdict` of a typed one
-- KEYS[5]  of a request with a key the replies to such requests: a hash by session and key of JSON of `atMs`, `body`,
--          and `reply`
-- KEYS[6]  their times: a sorted set of the fields of KEYS[5] by time, ms
-- ARGV[1]  JSON of `userId`, who answers; `sessionId`, `questionId`, `optionId` or `text`; `verdict` on a text that is
--          compared; `id` of the request, by which a command that is sent again after a reconnect is recognised; and of
--          a request with a key `kept`: its `field` in KEYS[5], `body`, and `forMs` and `max`, how long and how many of
--          the user are kept
--
-- Replies, checked in this order:
--   that of a request with the same key and body | { IDEMPOTENCY_KEY_REUSED }
--   { SESSION_NOT_FOUND | SESSION_FORBIDDEN | QUESTION_NOT_FOUND
--     | WRONG_KIND (an option for a typed question, or a text for another one) | QUESTION_ALREADY_ANSWERED }
--   { NOT_COMPARED, the question, words, language } of a text that is not compared yet; nothing changes
--   { '', the judgement as JSON, secret, the accepted texts of a typed question that was answered before, as lines }

-- Pending answers expire so many milliseconds after the first, since they would grow without end while no worker runs.
local PENDING_KEPT_MS = 7 * 24 * 60 * 60 * 1000
-- The judgements of a finished quiz stay for so many milliseconds for a command that ioredis sends again after a
-- reconnect. No command waits as long for a connection.
local REPEAT_MS = 5000

local request = cjson.decode(ARGV[1])
local kept, id, is_text = request.kept, request.questionId, request.text ~= nil
local compared = request.verdict
local now = now_ms()

local known = kept and redis.call('HGET', KEYS[5], kept.field)
known = known and cjson.decode(known)
if known and now - known.atMs < kept.forMs then
  return known.body == kept.body and known.reply or { 'IDEMPOTENCY_KEY_REUSED' }
end

local function keep(reply)
  redis.call('HSET', KEYS[5], kept.field, cjson.encode({ atMs = now, body = kept.body, reply = reply }))
  redis.call('ZADD', KEYS[6], whole(now), kept.field)
  local expired = redis.call('ZCOUNT', KEYS[6], '-inf', whole(now - kept.forMs))
  local gone = math.max(expired, redis.call('ZCARD', KEYS[6]) - kept.max)
  if gone > 0 then
    local fields = redis.call('ZPOPMIN', KEYS[6], gone)
    for at = 1, #fields, 2 do redis.call('HDEL', KEYS[5], fields[at]) end
  end
  for at = 5, 6 do redis.call('PEXPIRE', KEYS[at], kept.forMs) end
end

local user, words, language, secret, total, answered, correct, stored = unpack(redis.call(
  'HMGET', KEYS[1], 'userId', 'words', 'language', 'secret', 'total', 'answered', 'correct', id))
local question = stored and cjson.decode(string.match(stored, '[^\n]*'))
local is_resent = question and question.request == request.id and user == request.userId
if is_resent and (compared or not is_text) then return { '', stored, secret } end
if not user or answered == total then return { 'SESSION_NOT_FOUND' } end
if user ~= request.userId then return { 'SESSION_FORBIDDEN' } end
if not question then return { 'QUESTION_NOT_FOUND' } end
local is_typed = question.correctOptionId == nil
if is_typed ~= is_text then return { 'WRONG_KIND' } end
if question.request then return { 'QUESTION_ALREADY_ANSWERED' } end
if is_text and not compared then return { 'NOT_COMPARED', stored, words, language } end

local verdict, is_right
if is_typed then
  verdict, is_right = compared, compared ~= 'wrong'
else
  is_right = question.correctOptionId == request.optionId
end
answered = answered + 1
if is_right then correct = correct + 1 end
local judgement = cjson.encode({
  request = request.id,
  correctOptionId = question.correctOptionId,
  verdict = verdict,
  correct = tonumber(correct),
  answered = answered,
  total = tonumber(total),
})
redis.call('HSET', KEYS[1], 'answered', answered, 'correct', correct, id, judgement)
local review = cjson.encode({ word = question.word, isCorrect = is_right, verdict = verdict, judgedAtMs = now })
local new_fields = redis.call('HSET', KEYS[4], 'userId', user, 'words', words, answered, review)
-- The first pending answer also adds the quiz to the index; a worker removes both in one step.
if new_fields > 1 then
  redis.call('ZADD', KEYS[3], whole(now), request.sessionId)
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', '(' .. whole(now - PENDING_KEPT_MS))
  for at = 3, 4 do redis.call('PEXPIRE', KEYS[at], PENDING_KEPT_MS) end
end
if answered == tonumber(total) then
  redis.call('PEXPIRE', KEYS[1], REPEAT_MS)
  redis.call('LREM', KEYS[2], 1, KEYS[1])
end
if kept then keep({ '', judgement, secret, is_typed and string.match(stored, '\n(.*)') or '' }) end
return { '', judgement, secret }
