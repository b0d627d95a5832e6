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
-- ARGV[1]  the user who answers  ARGV[2] the question  ARGV[3] 'optionId' | 'text'
-- ARGV[4]  the option, or the verdict on the text: '' if it is not compared yet
-- ARGV[5]  the id of the request, by which a command that is sent again after a reconnect is recognised
-- ARGV[6]  the time, ms, for which the judgements of a finished quiz stay for that  ARGV[7] the quiz's id
--
-- Replies, checked in this order:
--   { SESSION_NOT_FOUND | SESSION_FORBIDDEN | QUESTION_NOT_FOUND
--     | WRONG_KIND (an option for a typed question, or a text for another one) | QUESTION_ALREADY_ANSWERED }
--   { '', the question, words, language } of a text that is not compared yet; nothing changes
--   { '', the judgement as JSON, secret }

-- Pending answers expire after so many milliseconds, since they would grow without end while no worker runs.
local PENDING_KEPT_MS = 7 * 24 * 60 * 60 * 1000

local user, words, language, secret, total, answered, correct, stored = unpack(redis.call(
  'HMGET', KEYS[1], 'userId', 'words', 'language', 'secret', 'total', 'answered', 'correct', ARGV[2]))
local question = stored and cjson.decode(string.match(stored, '[^\n]*'))
local is_repeated = question and question.request == ARGV[5] and user == ARGV[1] and ARGV[4] ~= ''
if is_repeated then return { '', stored, secret } end
if not user or answered == total then return { 'SESSION_NOT_FOUND' } end
if user ~= ARGV[1] then return { 'SESSION_FORBIDDEN' } end
if not question then return { 'QUESTION_NOT_FOUND' } end
local is_typed = question.correctOptionId == nil
if is_typed ~= (ARGV[3] == 'text') then return { 'WRONG_KIND' } end
if question.request then return { 'QUESTION_ALREADY_ANSWERED' } end
if ARGV[4] == '' then return { '', stored, words, language } end

local verdict, is_right
if is_typed then
  verdict, is_right = ARGV[4], ARGV[4] ~= 'wrong'
else
  is_right = question.correctOptionId == tonumber(ARGV[4])
end
answered = answered + 1
if is_right then correct = correct + 1 end
local judgement = cjson.encode({
  request = ARGV[5],
  correctOptionId = question.correctOptionId,
  verdict = verdict,
  correct = tonumber(correct),
  answered = answered,
  total = tonumber(total),
})
redis.call('HSET', KEYS[1], 'answered', answered, 'correct', correct, ARGV[2], judgement)
local now = now_ms()
local review = cjson.encode({ word = question.word, isCorrect = is_right, verdict = verdict, judgedAtMs = now })
local new_fields = redis.call('HSET', KEYS[4], 'userId', user, 'words', words, answered, review)
redis.call('PEXPIRE', KEYS[4], PENDING_KEPT_MS)
-- The first pending answer also adds the quiz to the index; a worker removes both in one step.
if new_fields > 1 then
  redis.call('ZADD', KEYS[3], whole(now), ARGV[7])
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', '(' .. whole(now - PENDING_KEPT_MS))
  redis.call('PEXPIRE', KEYS[3], PENDING_KEPT_MS)
end
if answered == tonumber(total) then
  redis.call('PEXPIRE', KEYS[1], ARGV[6])
  redis.call('LREM', KEYS[2], 1, KEYS[1])
end
return { '', judgement, secret }
